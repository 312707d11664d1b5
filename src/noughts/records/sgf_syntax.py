"""The syntax of the Smart Game Format: text to nodes, and the content of escaped values.

This module does not interpret properties, except for the names of those in a root. Only the main line of the
first game is stored, and nothing is nested in memory, even if the file is deep.

The parser is our own because those of other packages, such as sgfmill, work on bytes. There the second byte
of a letter in Shift_JIS, Big5 or GBK can be taken for a backslash. They also search for ``(;`` alone, so for
a root without a semicolon they read a variation. They drop the names of properties in lower case.
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
"""The maximum nesting of variations."""

Properties = dict[str, list[str]]
"""The properties of one node: their values, still escaped."""

ROOT_NAMES = frozenset(
    """FF GM CA AP SZ ST GN GC EV RO DT PC PB PW BR WR RE RU SO US TM KM HA AB AW B W C""".split()  # noqa: SIM905
)
"""The properties that identify a root without a semicolon."""

SHORT_NAMES = ROOT_NAMES | frozenset(
    """AE PL V N BL WL MN ON OT AN CP BT WT LB TR SQ CR MA""".split()  # noqa: SIM905
)
"""The properties that are also understood in lower case."""

_START = re.compile(r"\(\s*+(?:(;)|([A-Za-z]++)\s*+\[)")
_TOKEN = re.compile(r"\s*+(?:([(;)])|([A-Za-z]++)((?:\s*+\[(?:[^\]\\]++|\\.)*+\])++))", re.DOTALL)
_VALUE = re.compile(r"\[((?:[^\]\\]++|\\.)*+)\]", re.DOTALL)
_PAIR = re.compile(r"((?:[^:\\]++|\\.)*+):(.*)", re.DOTALL)
_ESCAPE = re.compile(r"\\(\r\n|\n\r|.)|(\r\n|\n\r|\r|\n)|([\t\v\f])", re.DOTALL)
_SPECIAL = re.compile(r"[\\\]:]")
_NOT_IN_LINE = re.compile("[\n\u2028\u2029]")
_STRANGE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def read_nodes(text: str) -> tuple[list[Properties], Counter[str]]:
    """Return the nodes of the main line of the first game, and a count of the other parts of the file.

    The keys are ``variations`` and ``games`` for skipped ones, ``letters`` for forbidden characters, and
    ``text`` for text outside of games.
    """
    place = _find_start(text, 0)
    if place is None:
        refuse(text, "not-sgf")
    outside = [text[:place].removesuffix("(").strip("\ufeff")]
    nodes, variations, end = _read_game(text, place)
    games = 0
    with suppress(NotationError):  # Errors after the first game do not matter.
        while (place := _find_start(text, end)) is not None:
            outside.append(text[end:place].removesuffix("("))
            games += 1
            *_, end = _read_game(text, place)
        outside.append(text[end:])
    left_out = Counter(variations=variations, games=games, letters=len(_STRANGE.findall(text)))
    left_out["text"] = int(any(map(str.strip, outside)))
    return nodes, left_out


def _find_start(text: str, place: int) -> int | None:
    """Return the place of the first root after *place*, or None if there is no further game."""
    for match in _START.finditer(text, place):
        if match[1] or plain_name(match[2]) in ROOT_NAMES:
            return match.start() + 1
    return None


def plain_name(name: str) -> str:
    """Return the name of a property without lower-case letters, which old files have, as in ``AddBlack``."""
    if name.islower():
        return name.upper() if name.upper() in SHORT_NAMES else name.capitalize()
    return "".join(filter(str.isupper, name))


def _tokens(text: str, place: int) -> Iterator[tuple[int, str | None, str, str]]:
    """Yield the sign, name and values of each token from *place*, with the place after it."""
    while True:
        token = _TOKEN.match(text, place)
        if token is None:
            refuse(text, "unreadable", place=place)
        place = token.end()
        yield place, token[1], token[2], token[3]


def _read_game(text: str, place: int) -> tuple[list[Properties], int, int]:
    """Return the nodes of the main line of the game with its root at *place*.

    They end at the first closing parenthesis. Also return the number of later variations and the end of the
    game.
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
            if sign == ";" or may_begin:  # Some files have no semicolon before the first node of a line.
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
    """Return *text* escaped, as a value or as either half of a pair."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def split_pair(value: str) -> tuple[str, str]:
    """Return the two values, still escaped, on both sides of the first colon."""
    match = _PAIR.fullmatch(value)
    if match is None:
        refuse(value, "unreadable")
    return match[1], match[2]


def unescape(value: str) -> str:
    """Return the content of an escaped value with its line breaks, without forbidden characters."""

    def plain(match: re.Match[str]) -> str:
        escaped, line_break, _ = match.groups()
        if escaped is not None:
            return "" if escaped[0] in "\r\n" else escaped
        return "\n" if line_break else " "

    return NOT_IN_TEXT.sub("", _ESCAPE.sub(plain, value))


def unescape_line(value: str) -> str:
    """Return the content of an escaped value, with blanks for line breaks."""
    return _NOT_IN_LINE.sub(" ", unescape(value))
