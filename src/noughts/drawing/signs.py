"""The characters of pictures made of text. Each is one column wide."""

from collections.abc import Collection

from noughts.games.annotations import ANNOTATIONS

ACROSS, DOWN = "─", "│"
FRAME = tuple("┌┬┐├┼┤└┴┘")
"""The nine crossings and corners of a frame, in reading order; the middle one is a plain crossing."""

HEAVY_ACROSS, HEAVY_DOWN, HEAVY_CROSS = "━┃╋"
TRAY = "┗┷┛"
"""The left corner of a foot, where a slot meets it, its right corner."""

CORNERS, BRACKETS = "┏┓┗┛━┃", "┌┐└┘─│"
"""Four corners with what goes on across and down: here; and around a drawn mark: the last move."""

SLOPES = ("╱", "╲")
"""The upper left side of a hexagon and the lower right one, and the upper right and lower left one."""

LOW, HIGH = "▁", "▔"
"""What goes on at the lower end of a slope, and at its upper end."""

GUESS = ("╌", "╎")
"""A line across and one down that stand for what is not proved."""

JOINED = GUESS[1]
"""The side of a board where marks fall that is joined to the other: no wall."""

DOT, STAR, OPEN, CLOSED = "·+•:"
POSSIBLE = OPEN
"""On a cell on which one may place now, where not all are open."""

MORE = "◂▸▲▼"
"""The board goes on there: to the left, to the right, above, below."""

ASCII = str.maketrans("─━╌│┃╎┌┬┐├┼┤└┴┘╋┏┓┗┷┛╱╲▁▔·•◂▸▲▼←→↑↓", "--.||:+++++++++++++++/\\_-.o<>^v<>^v")
"""What stands for each of them on a terminal that has ASCII alone."""

FORBIDDEN = "#"
"""What stands on a cell where the rules forbid to place."""

LEFT = {"cursor": ">", "hint": "<", "said": "{", "next": "-", "turning": "-"}
RIGHT = {"cursor": "<", "hint": ">", "said": "}", "next": "-", "turning": "-"}
"""The signs beside a mark or an empty cell that is highlighted."""
SLIDES = {"slides:left": "←", "slides:right": "→", "slides:up": "↑", "slides:down": "↓"}
"""The key that slides a tile, at its edge towards the gap."""
THREATS = {"own-threat": "+", "threat": "!"}
"""The signs of cells where the side to move, or another, would win."""


def pointer(codes: Collection[str]) -> str:
    """The first of the highlights *codes* that has signs of its own; empty where none has."""
    return next((code for code in (*LEFT, *signs_of_rules()) if code in codes), "") if codes else ""


def signs_of_rules() -> dict[str, tuple[str, str]]:
    """The signs of the highlights that the rules give a cell, left and right of it."""
    return {row.highlight: row.signs for row in ANNOTATIONS.values() if any(row.signs)}


def threats(codes: Collection[str]) -> tuple[str, str]:
    """The signs of a cell where somebody would win: ``+`` for the side to move, ``!`` for the other.

    >>> threats(("threat", "own-threat"))
    ('+', '!')
    """
    signs = [sign for code, sign in THREATS.items() if code in codes] or [" "]
    return signs[0], signs[-1]


def around(
    *, highlight: str, last: bool, winning: bool, threats: tuple[str, str] = (" ", " ")
) -> tuple[str, str]:
    """The signs left and right of a mark.

    On the left the first that holds of cursor, last move, winning line, threat; on the right the first
    of winning line, last move, cursor, threat.

    >>> around(highlight="", last=True, winning=True)
    ('[', '*')
    """
    before, after = (LEFT.get(highlight, ""), RIGHT.get(highlight, ""))
    if highlight and not before:
        before, after = signs_of_rules().get(highlight, ("", ""))
    left = before or ("[" if last else "*" if winning else threats[0])
    right = "*" if winning else "]" if last else after or threats[1]
    return left, right
