"""Names, display width of text on a terminal, and safe output of foreign text."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import accumulate

from noughts.errors import NameRefused

MAX_NAME = 40
"""The widest name, in terminal columns."""

MAX_CHARACTERS = 120
"""The maximum length of a name in characters, since combining marks have no width."""

_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
"""Variation selectors, and blank or zero-width characters whose category does not show that."""

_REFUSED = {"Cc": "control", "Zl": "control", "Zp": "control", "Cf": "invisible"}
_REFUSED |= {"Cs": "surrogate", "Co": "private", "Cn": "unassigned"}
"""The refused categories of characters, with the reason."""


_LATIN = str.maketrans("авекмнорстухіјѕһԁԛԝαβεηικμνορτυχζ", "abekmhopctyxijshdqwabehikmnoptyxz")
"""Small letters of other alphabets, and the Latin letters that look like them or their capitals."""

MAX_WORDS = 200
"""The maximum length of an error message of an external package, in characters."""

NEVER_FIRST = "，。、：；？！）」”》…"
"""Punctuation that may not start a line."""

NEVER_LAST = "（「“《"
"""Punctuation that may not end a line."""

_PLAIN = str.maketrans("×…“”„«»‘’–—−·•→", 'x."""""\'\'---.o>')

_NARROW = {0x3000: " ", **{wide: chr(wide - 0xFEE0) for wide in range(0xFF01, 0xFF5F)}}

_WIDE = r"\u3000-\u303f\u4e00-\u9fff\uff00-\uffef"
_PIECES = re.compile(rf"\s+|[{_WIDE}]|[^\s{_WIDE}]+")


def check_name(text: str) -> str:
    """Return *text* as a name, normalised (NFC) and without outer blanks.

    Raises :class:`~noughts.errors.NameRefused` with the reason ``empty``, ``too-wide``, ``control``,
    ``invisible`` (zero-width and bidirectional marks), ``surrogate``, ``private`` or ``unassigned``.

    >>> check_name("  Ada ")
    'Ada'
    """
    if not isinstance(text, str) or len(text) > 100 * MAX_CHARACTERS:
        raise NameRefused(text, "too-wide" if isinstance(text, str) else "empty")
    name = unicodedata.normalize("NFC", text.strip())
    if not name:
        raise NameRefused(text, "empty")
    for character in name:
        if reason := _why_refused(character):
            raise NameRefused(text, reason)
    if display_width(name) > MAX_NAME or len(name) > MAX_CHARACTERS:
        raise NameRefused(text, "too-wide")
    if display_width(name) == 0:
        raise NameRefused(text, "invisible")
    return name


def _why_refused(character: str) -> str | None:
    if _INVISIBLE.match(character):
        return "invisible"
    return _REFUSED.get(unicodedata.category(character))


def same_name(one: str, two: str) -> bool:
    """Return True if people would read *one* and *two* as the same name.

    >>> same_name("ADA", "ada")
    True
    """
    return fold_name(one) == fold_name(two)


def fold_name(name: str) -> str:
    """Return a text that is the same for all spellings of *name* that people read as one."""
    return unicodedata.normalize("NFKC", name).casefold()


def likeness(name: str) -> str:
    """Return a text that is the same for names that look alike, ignoring case, blanks and alphabet.

    >>> likeness("Ada Roe") == likeness("А dаrое")
    True
    """
    return "".join(fold_name(name).split()).translate(_LATIN)


def look_alike(one: str, two: str) -> bool:
    """Return True if *one* and *two* look alike, ignoring case and the alphabets of letters.

    Different letters of one alphabet count as different, since readers of the alphabet distinguish them.

    >>> look_alike("Ada Roe", "АDА  ROE"), look_alike("Li Na", "Lina"), look_alike("Наиля", "Һаиля")
    (True, False, False)
    """
    first, second = (" ".join(fold_name(name).split()) for name in (one, two))
    return len(first) == len(second) and all(
        mine == other
        or (mine.translate(_LATIN) == other.translate(_LATIN) and _alphabet(mine) != _alphabet(other))
        for mine, other in zip(first, second, strict=True)
    )


def _alphabet(letter: str) -> str:
    return unicodedata.name(letter).split()[0]


def distinct_names(
    names: tuple[str, ...], is_same: Callable[[str, str], bool] = same_name
) -> tuple[str, ...]:
    """Return *names* with a visible number behind each that equals an earlier one.

    >>> distinct_names(("Ada", "ada", "Wei"))
    ('Ada', 'ada (2)', 'Wei')
    """
    distinct: list[str] = []
    for name in names:
        candidate, number = name, 2
        while any(is_same(candidate, other) for other in distinct):
            suffix = f" ({number})"
            room = MAX_NAME - display_width(suffix)
            base = name if display_width(name) <= room else fit(name, room).rstrip()
            candidate, number = base + suffix, number + 1
        distinct.append(candidate)
    return tuple(distinct)


@lru_cache(maxsize=4096)  # Most texts of a screen were on the previous screen too.
def display_width(text: str) -> int:
    """Return the width of *text* in terminal columns.

    >>> display_width("Ada"), display_width("井字棋")
    (3, 6)
    """
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(map(_character_width, text))


@lru_cache(maxsize=4096)
def _character_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf", "Cc", "Cs"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def fit(text: str, columns: int, *, right: bool = False, more: str = "…") -> str:
    """Return *text* padded to exactly *columns* terminal columns, or cut with the sign *more* at its end.

    >>> fit("Konstantin", 6), fit("井字", 6), fit("7", 3, right=True)
    ('Konst…', '井字  ', '  7')
    """
    if display_width(text) > columns:
        widths = accumulate(map(_character_width, text))
        beginning = "".join(
            character for character, width in zip(text, widths, strict=True) if width < columns
        )
        text = beginning + more if columns > 0 else ""
    blanks = " " * (columns - display_width(text))
    return blanks + text if right else text + blanks


@lru_cache(maxsize=4096)
def safe_text(text: str) -> str:
    r"""Return *text* with escapes for characters that could control a terminal or reorder a line.

    >>> safe_text("A\x1b[31mB")
    'A\\x1b[31mB'
    """
    return "".join(map(_shown, text))


@lru_cache(maxsize=4096)
def _shown(character: str) -> str:
    if _why_refused(character) is None:
        return character
    number = ord(character)
    letter, digits = ("x", 2) if number < 0x100 else ("u", 4) if number < 0x10000 else ("U", 8)
    return f"\\{letter}{number:0{digits}x}"


def narrow(text: str) -> str:
    """Return *text* with ASCII for the wide signs, letters and digits of Chinese keyboards.

    >>> narrow("ｈ８　５")
    'h8 5'
    """
    return text.translate(_NARROW)


def plain_text(text: str) -> str:
    """Return *text* with ASCII for signs and accents that a terminal may lack, in the same width.

    Letters of other alphabets stay.

    >>> plain_text("Misère, 4 × 4…"), plain_text("Гомоку")
    ('Misere, 4 x 4.', 'Гомоку')
    """
    return "".join(_plain(character) for character in text.translate(_PLAIN))


def _plain(character: str) -> str:
    base = unicodedata.normalize("NFD", character)[0]
    return base if base.isascii() else character


def wrap(text: str, width: int) -> list[str]:
    """Return *text* in lines of at most *width* columns, broken at blanks and between Han characters.

    >>> wrap("Play a game, or a series.", 14)
    ['Play a game,', 'or a series.']
    >>> wrap("简单（难度）", 6)
    ['简单', '（难', '度）']
    """
    lines, line = [], ""
    for piece in _pieces(text):
        if line and display_width(line + piece.rstrip()) > width:
            lines.append(line.rstrip())
            line = piece.lstrip()
        else:
            line += piece
    return [*lines, line.rstrip()] if line.strip() else lines


def _pieces(text: str) -> Iterator[str]:
    """Yield the unbreakable pieces of *text*.

    A piece includes the punctuation at its end, and an opening bracket or quote before it.
    """
    pending = ""
    for piece in _PIECES.findall(text):
        if pending and piece[0] not in NEVER_FIRST and pending[-1] not in NEVER_LAST:
            yield pending
            pending = ""
        pending += " " if piece.isspace() else piece
    if pending:
        yield pending


def chop(text: str, width: int) -> list[str]:
    """Return *text* in lines of at most *width* columns, broken anywhere, without losing a character.

    Blanks go to the beginning of a line, since they would be invisible at its end.

    >>> chop("python3  bot.py", 7)
    ['python3', '  bot.p', 'y']
    """
    lines = [""]
    for piece in re.findall(r"\s*\S|\s+$", text):
        if lines[-1] and display_width(lines[-1] + piece) > width:
            lines.append("")
        lines[-1] += piece
    return lines


def words_of(error: BaseException) -> str:
    """Return a printable description of *error*, which code of an external package raised.

    >>> words_of(ValueError("no"))
    'ValueError: no'
    """
    try:
        return safe_text(f"{type(error).__name__}: {error}".removesuffix(": ")[:MAX_WORDS])
    except KeyboardInterrupt:
        raise
    except BaseException:  # The text of the error is code of that package too.
        return type(error).__name__
