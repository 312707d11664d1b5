"""Names that a key claims: their length, and the words that cannot be claimed.

Two names that look alike count as one, so that nobody can pass as another player.
"""

import re
from collections.abc import Collection, Iterable

from noughts.arena.look_alikes import shape, shapes
from noughts.arena.seat_names import SEAT
from noughts.errors import NameRefused
from noughts.text import check_name, display_width

MIN_WIDTH, MAX_WIDTH = 2, 20
"""The width of a claimed name in columns."""

STAFF = (
    *("admin", "administrator", "moderator", "mod", "operator", "owner", "root", "server", "staff"),
    *("support", "system", "official", "noughts", "anonymous", "guest", "nobody", "former player"),
    *("админ", "администратор", "модератор", "оператор", "поддержка", "сервер", "система", "гость"),
    *("аноним", "никто", "бывший игрок"),
    *("管理员", "版主", "客服", "系统", "官方", "游客", "匿名", "已离开的玩家"),
    *("管理員", "客服", "系統", "官方", "訪客", "已離開的玩家"),
)
"""Words that cannot be claimed, alone or as a word of a name: readers would take the player for staff."""

_SHAPES_OF_STAFF = {shape(word): word for word in STAFF}

ANONYMOUS = ("anonymous", "guest", "nobody", "гость", "аноним", "никто", "游客", "匿名", "訪客")
"""The words of :data:`STAFF` that readers do not take for staff: guests without a key may use them."""


def check_reserved(name: str, others: Iterable[str] = (), allowed: Collection[str] = ()) -> None:
    """Raise :class:`~noughts.errors.NameRefused` if *name* is like a word of :data:`STAFF`, or *others*.

    The words *allowed* of :data:`STAFF` are not refused.
    """
    whole = shapes(name) | {_stem(name)}
    words = whole.union(*map(shapes, re.split(r"[\W_]+", name)))
    for seen, staff in _SHAPES_OF_STAFF.items():
        if seen in words and staff not in allowed:
            raise NameRefused(name, "reserved", like=staff)
    for other in others:
        if _stem(other) in whole:
            raise NameRefused(name, "reserved", like=other)


def check_claim(text: str, others: Iterable[str] = ()) -> str:
    """Return *text* as a name that a key may claim, with single blanks between words.

    Raises :class:`~noughts.errors.NameRefused` for no name at all, and for the reasons ``narrow``, ``wide``,
    ``no-letter``, and ``reserved`` if it is like a word of :data:`STAFF` or one of *others*, the names of
    computers and the default names of guests.

    >>> check_claim(" Ada  Roe ")
    'Ada Roe'
    """
    name = " ".join(check_name(text).split())
    if not MIN_WIDTH <= display_width(name) <= MAX_WIDTH:
        raise NameRefused(name, "narrow" if display_width(name) < MIN_WIDTH else "wide")
    if not any(letter.isalpha() for letter in name):
        raise NameRefused(name, "no-letter")
    check_reserved(name, others)
    if SEAT.match(name.casefold()):
        raise NameRefused(name, "reserved", like="key:")
    return name


def _stem(name: str) -> str:
    """Return the shape of *name* without numbers at its end, since computers may have them."""
    return shape(re.sub(r"[\W\d_]+$", "", name)) or shape(name)
