"""The syntax of the Smart Game Format: text to nodes, and what an escaped value says.

Nothing here knows what a property means. Only the main line of the first game is kept, and nothing is
nested in memory, however deep the file is.
"""

import re
from collections import Counter
from contextlib import suppress

from noughts.errors import NotationError
from noughts.records.checks import NOT_IN_TEXT, refuse

MAX_TEXT = 4_000_000
"""The longest file that is read or written, in characters."""

MAX_DEPTH = 1_000
"""How deep variations may be nested."""

Properties = dict[str, list[str]]
"""The properties of one node: their values, still escaped."""

_START = re.compile(r"\(\s*;")
_TOKEN = re.compile(r"\s*+(?:([(;)])|([A-Za-z]++)((?:\s*+\[(?:[^\]\\]++|\\.)*+\])++))", re.DOTALL)
_VALUE = re.compile(r"\[((?:[^\]\\]++|\\.)*+)\]", re.DOTALL)
_PAIR = re.compile(r"((?:[^:\\]++|\\.)*+):(.*)", re.DOTALL)
_ESCAPE = re.compile(r"\\(\r\n|\n\r|.)|(\r\n|\n\r|\r|\n)|([\t\v\f])", re.DOTALL)
_SPECIAL = re.compile(r"[\\\]:]")
_NOT_IN_LINE = re.compile("[\n\u2028\u2029]")


def read_nodes(text: str) -> tuple[list[Properties], Counter[str]]:
    """The nodes of the main line of the first game; and how many ``variations`` and ``games`` there are
    besides.
    """
    found = _START.search(text)
    if found is None:
        refuse(text, "not-sgf")
    nodes, variations, place = _read_game(text, found.end())
    games = 0
    with suppress(NotationError):  # of what comes after the first game nothing else is wanted
        while found := _START.search(text, place):
            games += 1
            *_, place = _read_game(text, found.end())
    return nodes, Counter(variations=variations, games=games)


def _read_game(text: str, place: int) -> tuple[list[Properties], int, int]:
    """The nodes of the main line of the game whose root begins at *place*, all before the first closing
    parenthesis; how many variations come after it, and where the game ends.
    """
    depth, variations, is_main = 1, 0, True
    node: Properties = {}
    nodes = [node]
    while depth:
        token = _TOKEN.match(text, place)
        if token is None:
            refuse(text, "unreadable", place=place)
        place = token.end()
        sign, name, values = token.groups()
        if sign == ";":
            node = {}
            if is_main:
                nodes.append(node)
        elif sign == "(":
            depth, variations = depth + 1, variations + (not is_main)
        elif sign == ")":
            depth, is_main = depth - 1, False
        else:
            own = "".join(letter for letter in name if letter.isupper())
            node.setdefault(own, []).extend(value[1] for value in _VALUE.finditer(values))
        if depth > MAX_DEPTH:
            refuse(text, "too-deep", limit=MAX_DEPTH)
    return nodes, variations, place


def escape(text: str) -> str:
    """*text* as a value, or as either half of a pair."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def split_pair(value: str) -> tuple[str, str]:
    """The two values, still escaped, on both sides of the first colon."""
    found = _PAIR.fullmatch(value)
    if found is None:
        refuse(value, "unreadable")
    return found[1], found[2]


def unescape(value: str) -> str:
    """What an escaped value says, line breaks kept, without the characters that no record may hold."""

    def plain(found: re.Match[str]) -> str:
        escaped, line_break, _ = found.groups()
        if escaped is not None:
            return "" if escaped[0] in "\r\n" else escaped
        return "\n" if line_break else " "

    return NOT_IN_TEXT.sub("", _ESCAPE.sub(plain, value))


def unescape_line(value: str) -> str:
    """The same with blanks for line breaks."""
    return _NOT_IN_LINE.sub(" ", unescape(value))
