"""Texts that stand for people with keys in seats, games and series."""

import re

SEAT = re.compile("key:([1-9][0-9]{0,15})")
"""The form of :func:`seat_name`."""


def seat_name(number: int) -> str:
    """Return the text that stands for the identity *number* in seats, games and series.

    Stored games have it in place of the name, so that a later name, or none, changes no game.

    >>> seat_name(482190)
    'key:482190'
    """
    return f"key:{number}"


def seat_number(text: str) -> int | None:
    """Return the number of the identity in a text of :func:`seat_name`, or None for another text.

    >>> seat_number("key:482190"), seat_number("Ada")
    (482190, None)
    """
    match = SEAT.fullmatch(text)
    return int(match[1]) if match else None
