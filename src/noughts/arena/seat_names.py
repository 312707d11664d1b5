"""Texts that stand for people with keys in seats, games and series."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from noughts.text import distinct_names, look_alike

FORMER_PLAYER: Final = "Former player"
"""The name of former players. No key can claim it, and interfaces translate it."""

SEAT = re.compile("key:([1-9][0-9]{0,15})")
"""The form of :func:`seat_name`."""


def seat_name(number: int) -> str:
    """Return the text that stands for the identity *number* in seats, games and series.

    Stored games have it in place of the name, so that a later name, or none, changes no game.

    >>> seat_name(482190)
    'key:482190'
    """
    return f"key:{number}"


def present_names(names: Sequence[str], called: Mapping[str, str]) -> list[str]:
    """Return *names* with the present names in *called* for people with keys.

    A guest with a name like that of a person with a key gets a visible number.

    >>> present_names(["ADA", "key:5"], {"key:5": "Ada"})
    ['ADA (2)', 'Ada']
    """
    if not called:
        return list(names)
    order = sorted(range(len(names)), key=lambda place: names[place] not in called)
    shown = distinct_names(tuple(called.get(names[place], names[place]) for place in order), look_alike)
    return [name for _, name in sorted(zip(order, shown, strict=True))]


def seat_number(text: str) -> int | None:
    """Return the number of the identity in a text of :func:`seat_name`, or None for another text.

    >>> seat_number("key:482190"), seat_number("Ada")
    (482190, None)
    """
    match = SEAT.fullmatch(text)
    return int(match[1]) if match else None
