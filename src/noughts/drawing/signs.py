"""The characters of text pictures. Each is one column wide."""

from collections.abc import Collection

from noughts.games.annotations import ANNOTATIONS

ACROSS, DOWN = "─", "│"
FRAME = tuple("┌┬┐├┼┤└┴┘")
"""The nine crossings and corners of a frame, in reading order; the middle one is a plain crossing."""

HEAVY_ACROSS, HEAVY_DOWN, HEAVY_CROSS = "━┃╋"
TRAY = "┗┷┛"
"""The left corner of a floor, its meeting with a slot, and its right corner."""

CORNERS, BRACKETS = "┏┓┗┛━┃", "┌┐└┘─│"
"""Four corners, then a horizontal and a vertical line: for the cursor, and for the last move."""

SLOPES = ("╱", "╲")
"""The upper left and lower right side of a hexagon, then the two others."""

LOW, HIGH = "▁", "▔"
"""The lines at the lower end of a slope, and at its upper end."""

GUESS = ("╌", "╎")
"""A horizontal and a vertical line for values that are not proved."""

JOINED = GUESS[1]
"""The side of a board where marks fall that is joined to the other side."""

DOT, STAR, OPEN, CLOSED = "·+•:"
POSSIBLE = OPEN
"""The sign of a possible cell, if not all empty cells are possible."""

MORE = "◂▸▲▼"
"""The signs for a board that continues to the left, to the right, above, below."""

ASCII = str.maketrans("─━╌│┃╎┌┬┐├┼┤└┴┘╋┏┓┗┷┛╱╲▁▔·•◂▸▲▼←→↑↓", "--.||:+++++++++++++++/\\_-.o<>^v<>^v")
"""The ASCII sign for each sign of a text picture."""

FORBIDDEN = "#"
"""The sign of a forbidden cell."""

LEFT = {"cursor": ">", "hint": "<", "said": "{", "next": "-", "turning": "-"}
RIGHT = {"cursor": "<", "hint": ">", "said": "}", "next": "-", "turning": "-"}
"""The signs left and right of a highlighted mark or empty cell."""
SLIDES = {"slides:left": "←", "slides:right": "→", "slides:up": "↑", "slides:down": "↓"}
"""The arrow keys that slide a tile, at its edge towards the gap."""
THREATS = {"own-threat": "+", "threat": "!"}
"""The signs of cells in which the side to move, or another side, would win."""


def pointer(codes: Collection[str]) -> str:
    """Return the first of the highlights *codes* that has signs; empty if none has."""
    return next((code for code in (*LEFT, *signs_of_rules()) if code in codes), "") if codes else ""


def signs_of_rules() -> dict[str, tuple[str, str]]:
    """Return the signs, left and right, of the highlights that come from the rules."""
    return {row.highlight: row.signs for row in ANNOTATIONS.values() if any(row.signs)}


def threats(codes: Collection[str]) -> tuple[str, str]:
    """Return the signs of a winning cell: ``+`` for the side to move, ``!`` for another side.

    >>> threats(("threat", "own-threat"))
    ('+', '!')
    """
    signs = [sign for code, sign in THREATS.items() if code in codes] or [" "]
    return signs[0], signs[-1]


def around(
    *, highlight: str, last: bool, winning: bool, threats: tuple[str, str] = (" ", " ")
) -> tuple[str, str]:
    """Return the signs left and right of a mark.

    The left one is the first that applies of cursor, last move, winning line and threat. The right one is the
    first of winning line, last move, cursor and threat.

    >>> around(highlight="", last=True, winning=True)
    ('[', '*')
    """
    before, after = (LEFT.get(highlight, ""), RIGHT.get(highlight, ""))
    if highlight and not before:
        before, after = signs_of_rules().get(highlight, ("", ""))
    left = before or ("[" if last else "*" if winning else threats[0])
    right = "*" if winning else "]" if last else after or threats[1]
    return left, right
