"""The characters of pictures made of text. Each is one column wide."""

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Signs:
    """One set of characters."""

    across: str
    down: str
    frame: tuple[str, ...]
    """The nine crossings and corners of a frame, in reading order; the middle one is a plain crossing."""
    heavy_across: str
    heavy_down: str
    heavy_cross: str
    heavy_top: str
    floor: tuple[str, str, str]
    """The left corner of a floor, the floor, its right corner."""
    here: str
    """The four corners around a drawn mark that say: the last move."""
    slopes: str
    """The upper left side of a hexagon and the lower right one, and the upper right and lower left one."""
    guess: tuple[str, str]
    """A line across and one down that stand for what is not proved."""
    dot: str
    star: str
    open: str
    closed: str
    more: str
    """The board goes on there: to the left, to the right, above, below."""
    drawn: dict[tuple[str, int], tuple[str, ...]]
    """The shape of a mark, by how many lines it is high."""

    @property
    def cross(self) -> str:
        """Where two lines of a board cross."""
        return self.frame[4]


UNICODE = Signs(
    across="─",
    down="│",
    frame=tuple("┌┬┐├┼┤└┴┘"),
    heavy_across="━",
    heavy_down="┃",
    heavy_cross="╋",
    heavy_top="┳",
    floor=("└", "─", "┘"),
    here="┌┐└┘",
    slopes="╱╲",
    guess=("╌", "╎"),
    dot="·",
    star="+",
    open="•",
    closed=":",
    more="◂▸▲▼",
    drawn={
        ("X", 5): ("╲   ╱", " ╲ ╱ ", "  ╳  ", " ╱ ╲ ", "╱   ╲"),
        ("O", 5): ("╭───╮", "│   │", "│   │", "│   │", "╰───╯"),
        ("Z", 5): ("─────", "   ╱ ", "  ╱  ", " ╱   ", "─────"),
        ("X", 3): ("╲ ╱", " ╳ ", "╱ ╲"),
        ("O", 3): ("╭─╮", "│ │", "╰─╯"),
        ("Z", 3): ("───", " ╱ ", "───"),
    },
)

ASCII = Signs(
    across="-",
    down="|",
    frame=("+",) * 9,
    heavy_across="-",
    heavy_down="|",
    heavy_cross="+",
    heavy_top="+",
    floor=("+", "-", "+"),
    here="++++",
    slopes="/\\",
    guess=(".", ":"),
    dot=".",
    star="+",
    open="o",
    closed=":",
    more="<>^v",
    drawn={
        ("X", 5): ("\\   /", " \\ / ", "  X  ", " / \\ ", "/   \\"),
        ("O", 5): (".---.", "|   |", "|   |", "|   |", "'---'"),
        ("Z", 5): ("-----", "   / ", "  /  ", " /   ", "-----"),
        ("X", 3): ("\\ /", " X ", "/ \\"),
        ("O", 3): (".-.", "| |", "'-'"),
        ("Z", 3): ("---", " / ", "---"),
    },
)


def signs_for(*, unicode: bool) -> Signs:
    """The characters for a terminal that has *unicode*, or ASCII alone."""
    return UNICODE if unicode else ASCII


FORBIDDEN = "#"
"""What stands on a cell where the rules forbid to place."""

LEFT = {"cursor": ">", "hint": "<", "said": "{", "next": "-", "leaving": "("}
RIGHT = {"cursor": "<", "hint": ">", "said": "}", "next": "-", "leaving": ")"}
"""The signs beside a mark or an empty cell that is highlighted."""
THREATS = {"own-threat": "+", "threat": "!"}
"""The signs of cells where the side to move, or another, would win."""


def pointer(codes: Collection[str]) -> str:
    """The first of the highlights *codes* that has signs of its own; empty where none has."""
    return next((code for code in LEFT if code in codes), "")


def threats(codes: Collection[str]) -> tuple[str, str]:
    """The signs of a cell where somebody would win: ``+`` for the side to move, ``!`` for the other.

    >>> threats(("threat", "own-threat"))
    ('+', '!')
    """
    found = [sign for code, sign in THREATS.items() if code in codes] or [" "]
    return found[0], found[-1]


def around(
    *, highlight: str, last: bool, winning: bool, threats: tuple[str, str] = (" ", " ")
) -> tuple[str, str]:
    """The signs left and right of a mark.

    On the left the first that holds of cursor, last move, winning line, threat; on the right the first
    of winning line, last move, cursor, threat.

    >>> around(highlight="", last=True, winning=True)
    ('[', '*')
    """
    left = LEFT.get(highlight) or ("[" if last else "*" if winning else threats[0])
    right = "*" if winning else "]" if last else RIGHT.get(highlight, threats[1])
    return left, right
