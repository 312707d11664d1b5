"""The syntax of the Smart Game Format: text to nodes, and what an escaped value says.

Nothing here knows what a property means, but for the names of properties that a root has. Only the main line
of the first game is kept, and nothing is nested in memory, however deep the file is.

The parser is our own because those of other packages, such as sgfmill, work on bytes: there the second byte
of a letter in Shift_JIS, Big5 or GBK can be taken for a backslash. They also look for ``(;`` alone, so that a
root without a semicolon makes them read a variation, and drop the names of properties in lower case.
"""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress

from noughts.errors import NotationError
from noughts.records.checks import NOT_IN_TEXT, refuse

MAX_TEXT = 8_000_000
"""The longest file that is read or written, in characters."""

MAX_DEPTH = 1_000
"""How deep variations may be nested."""

Properties = dict[str, list[str]]
"""The properties of one node: their values, still escaped."""

ROOT_NAMES = frozenset(
    """FF GM CA AP SZ ST GN GC EV RO DT PC PB PW BR WR RE RU SO US TM KM HA AB AW B W C""".split()  # noqa: SIM905
)
"""Properties by which a root without a semicolon is known."""

SHORT_NAMES = ROOT_NAMES | frozenset(
    """AE PL V N BL WL MN ON OT AN CP BT WT LB TR SQ CR MA""".split()  # noqa: SIM905
)
"""Properties whose names are understood in lower case."""

_START = re.compile(r"\(\s*+(?:(;)|([A-Za-z]++)\s*+\[)")
_TOKEN = re.compile(r"\s*+(?:([(;)])|([A-Za-z]++)((?:\s*+\[(?:[^\]\\]++|\\.)*+\])++))", re.DOTALL)
_VALUE = re.compile(r"\[((?:[^\]\\]++|\\.)*+)\]", re.DOTALL)
_PAIR = re.compile(r"((?:[^:\\]++|\\.)*+):(.*)", re.DOTALL)
_ESCAPE = re.compile(r"\\(\r\n|\n\r|.)|(\r\n|\n\r|\r|\n)|([\t\v\f])", re.DOTALL)
_SPECIAL = re.compile(r"[\\\]:]")
_NOT_IN_LINE = re.compile("[\n\u2028\u2029]")
_STRANGE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def read_nodes(text: str) -> tuple[list[Properties], Counter[str]]:
    """The nodes of the main line of the first game, and what else the file has.

    That is how many ``variations`` and ``games`` there are besides, how many ``letters`` no record may
    hold, and whether there is ``text`` outside of games.
    """
    place = _find_start(text, 0)
    if place is None:
        refuse(text, "not-sgf")
    outside = [text[:place].removesuffix("(").strip("\ufeff")]
    nodes, variations, end = _read_game(text, place)
    games = 0
    with suppress(NotationError):  # of what comes after the first game nothing else is wanted
        while (place := _find_start(text, end)) is not None:
            outside.append(text[end:place].removesuffix("("))
            games += 1
            *_, end = _read_game(text, place)
        outside.append(text[end:])
    left_out = Counter(variations=variations, games=games, letters=len(_STRANGE.findall(text)))
    left_out["text"] = int(any(map(str.strip, outside)))
    return nodes, left_out


def _find_start(text: str, place: int) -> int | None:
    """The place of the first root after *place*; None if there is no further game."""
    for match in _START.finditer(text, place):
        if match[1] or plain_name(match[2]) in ROOT_NAMES:
            return match.start() + 1
    return None


def plain_name(name: str) -> str:
    """The name of a property without the lower-case letters that old files have, as in ``AddBlack``."""
    if name.islower():
        return name.upper() if name.upper() in SHORT_NAMES else name.capitalize()
    return "".join(filter(str.isupper, name))


def _tokens(text: str, place: int) -> Iterator[tuple[int, str | None, str, str]]:
    """Sign, name and values of each token from *place*, with the place behind it."""
    while True:
        token = _TOKEN.match(text, place)
        if token is None:
            refuse(text, "unreadable", place=place)
        place = token.end()
        yield place, token[1], token[2], token[3]


def _read_game(text: str, place: int) -> tuple[list[Properties], int, int]:
    """The nodes of the main line of the game whose root begins at *place*, all before the first closing
    parenthesis; how many variations come after it, and where the game ends.
    """
    depth, variations, is_main, may_begin = 1, 0, True, True
    node: Properties | None = None
    nodes: list[Properties] = []
    tokens = _tokens(text, place)
    while depth:
        place, sign, name, values = next(tokens)
        if sign == "(":
            depth, variations, may_begin = depth + 1, variations + (not is_main), True
        elif sign == ")":
            depth, is_main, may_begin, node = depth - 1, False, False, None
        else:
            if sign == ";" or may_begin:  # some files have no semicolon before the first node of a line
                node, may_begin = {}, False
                if is_main:
                    nodes.append(node)
            if node is None:
                refuse(text, "unreadable", place=place)
            if not sign:
                node.setdefault(plain_name(name), []).extend(value[1] for value in _VALUE.finditer(values))
        if depth > MAX_DEPTH:
            refuse(text, "too-deep", limit=MAX_DEPTH)
    return nodes, variations, place


def escape(text: str) -> str:
    """*text* as a value, or as either half of a pair."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def split_pair(value: str) -> tuple[str, str]:
    """The two values, still escaped, on both sides of the first colon."""
    match = _PAIR.fullmatch(value)
    if match is None:
        refuse(value, "unreadable")
    return match[1], match[2]


def unescape(value: str) -> str:
    """What an escaped value says, line breaks kept, without the characters that no record may hold."""

    def plain(match: re.Match[str]) -> str:
        escaped, line_break, _ = match.groups()
        if escaped is not None:
            return "" if escaped[0] in "\r\n" else escaped
        return "\n" if line_break else " "

    return NOT_IN_TEXT.sub("", _ESCAPE.sub(plain, value))


def unescape_line(value: str) -> str:
    """The same with blanks for line breaks."""
    return _NOT_IN_LINE.sub(" ", unescape(value))
