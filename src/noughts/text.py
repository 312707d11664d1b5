"""What may be a name, how wide a text is on a terminal, and how foreign text is shown safely."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import accumulate

from noughts.errors import NameRefused

MAX_NAME = 40
"""The widest name, in terminal columns."""

MAX_CHARACTERS = 120
"""The longest name in characters: combining marks take no column, so width alone is no bound."""

_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
"""Blank or zero-width characters whose category does not say so, and variation selectors."""

_REFUSED = {"Cc": "control", "Zl": "control", "Zp": "control", "Cf": "invisible"}
_REFUSED |= {"Cs": "surrogate", "Co": "private", "Cn": "unassigned"}
"""Why characters of a category are refused."""


_LATIN = str.maketrans("авекмнорстухіјѕһԁԛԝαβεηικμνορτυχζ", "abekmhopctyxijshdqwabehikmnoptyxz")
"""Small letters of other alphabets, and the Latin ones that they, or their capitals, look like."""

MAX_WORDS = 200
"""How much is kept of what the code of another package raised, in characters."""

NEVER_FIRST = "，。、：；？！）」”》…"
"""Punctuation that may not begin a line."""

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
    """Whether people would read *one* and *two* as the same name.

    >>> same_name("ADA", "ada")
    True
    """
    return fold_name(one) == fold_name(two)


def fold_name(name: str) -> str:
    """The same text for all spellings of *name* that people read as one."""
    return unicodedata.normalize("NFKC", name).casefold()


def likeness(name: str) -> str:
    """The same text for names that look alike, whatever their case, their blanks and their alphabet.

    >>> likeness("Ada Roe") == likeness("А dаrое")
    True
    """
    return "".join(fold_name(name).split()).translate(_LATIN)


def look_alike(one: str, two: str) -> bool:
    """Whether *one* and *two* look alike, whatever their case and the alphabets of their letters.

    Letters of one alphabet are told apart by those who read it.

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
    """*names* with a visible number behind each that is the same as an earlier one.

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


@lru_cache(maxsize=4096)  # most of a screen says what the last one said
def display_width(text: str) -> int:
    """How many terminal columns *text* takes.

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
    """*text* padded to exactly *columns* terminal columns, or cut, with the sign *more* at its end.

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
    r"""*text* with everything that could steer a terminal or reorder a line shown as an escape.

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
    """*text* with ASCII for wide signs, letters and digits, as Chinese keyboards give them.

    >>> narrow("ｈ８　５")
    'h8 5'
    """
    return text.translate(_NARROW)


def plain_text(text: str) -> str:
    """*text* with ASCII for signs and accents that a terminal may not have, in as many columns.

    Letters of other alphabets stay.

    >>> plain_text("Misère, 4 × 4…"), plain_text("Гомоку")
    ('Misere, 4 x 4.', 'Гомоку')
    """
    return "".join(_plain(character) for character in text.translate(_PLAIN))


def _plain(character: str) -> str:
    base = unicodedata.normalize("NFD", character)[0]
    return base if base.isascii() else character


def wrap(text: str, width: int) -> list[str]:
    """*text* in lines of at most *width* columns, broken at blanks and between Han characters.

    >>> wrap("Play a game, or a series.", 14)
    ['Play a game,', 'or a series.']
    """
    lines, line = [], ""
    for piece in _together(text):
        if line and display_width(line + piece.rstrip()) > width:
            lines.append(line.rstrip())
            line = piece.lstrip()
        else:
            line += piece
    return [*lines, line.rstrip()] if line.strip() else lines


def _together(text: str) -> Iterator[str]:
    """The pieces between which a line may be broken: a piece keeps the punctuation that ends it."""
    pending = ""
    for piece in _PIECES.findall(text):
        if pending and piece[0] not in NEVER_FIRST:
            yield pending
            pending = ""
        pending += " " if piece.isspace() else piece
    if pending:
        yield pending


def chop(text: str, width: int) -> list[str]:
    """*text* in lines of at most *width* columns, broken anywhere; no character is lost.

    Blanks go to the beginning of a line, as at its end nobody sees them.

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
    """What the code of another package raised, in words that can be printed, whatever it is.

    >>> words_of(ValueError("no"))
    'ValueError: no'
    """
    try:
        return safe_text(f"{type(error).__name__}: {error}".removesuffix(": ")[:MAX_WORDS])
    except KeyboardInterrupt:
        raise
    except BaseException:  # its text is also the work of that package
        return type(error).__name__
