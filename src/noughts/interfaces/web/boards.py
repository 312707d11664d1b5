"""Boards and strokes as the browser draws them: it is told where everything stands, and does no geometry."""

from dataclasses import asdict, replace
from functools import lru_cache
from itertools import product
from typing import Any

from noughts.drawing.pen import LEARNED, VARIANTS, mark_path, ruled
from noughts.drawing.ruling import Ruling
from noughts.drawing.space import CELL, space_of
from noughts.drawing.steps import step
from noughts.games.base import Game
from noughts.games.catalogue import new_game
from noughts.games.layout import Layout, plane_label, star_points
from noughts.interfaces.presenting.naming import Names
from noughts.interfaces.web.live.events import compact

WAYS = {"ArrowLeft": "left", "ArrowRight": "right", "ArrowUp": "up", "ArrowDown": "down"}
"""The keys that lead from cell to cell."""

_COUNTED = {
    "five": ((15, 8, 12, 92), (37, 10, 34, 90), (59, 7, 56, 93), (81, 9, 78, 91), (2, 74, 96, 24)),
    "zheng": ((10, 12, 90, 12), (50, 12, 50, 88), (50, 48, 84, 48), (24, 44, 24, 88), (2, 90, 98, 90)),
}
"""Strokes in which wins are counted, and those of the character in which Chinese readers count.

Each has the place where it starts, and that where it ends.
"""


def pen_as_json() -> dict[str, Any]:
    """All that is written with a pen besides boards: the marks in their variants, strokes to count with."""
    counted = {
        name: [ruled(stroke[:2], stroke[2:], 10, seed) for seed, stroke in enumerate(strokes)]
        for name, strokes in _COUNTED.items()
    }
    marks = {mark: [mark_path(mark, variant) for variant in range(VARIANTS)] for mark in LEARNED}
    return {"marks": marks, "underline": ruled((1, 4), (99, 3), 4, 2), **counted}


@lru_cache(maxsize=64)
def board_as_text(name: str) -> str:
    """The board of the game called *name* as JSON."""
    return compact(board_as_json(new_game(name)))


def board_as_json(game: Game) -> dict[str, Any]:
    """The board of *game* with nothing on it, in hundredths of a cell; cells are told by their index."""
    layout, cells = game.layout, range(len(game.cells))
    space, one_plane = space_of(game.shape, layout), space_of(game.shape, replace(layout, planes=1))
    ruling, names = Ruling(game, space), Names(game, letters=True)
    return {
        "size": (space.width, space.height),
        "plane_size": (one_plane.width, one_plane.height),
        "planes": [
            {
                "label": plane_label(space.above, plane),
                "origin": space.origin(plane),
                "floor": ruling.floor(plane),
            }
            for plane in range(layout.planes)
        ],
        "tiling": asdict(space.tiling),
        "centres": [space.centre(index) for index in cells],
        "names": [_name(names, layout, index) for index in cells],
        "steps": {
            key: [step(layout, game.shape, index, way) for index in cells] for key, way in WAYS.items()
        },
        "thin": "".join(ruling.thin()),
        "pen": "".join(ruling.pen()),
        "squares": _squares(layout, ruling.by_pen),
        "labels": [] if layout.gravity else _labels(ruling),
        "stars": sorted(layout.index(0, *place) for place in star_points(layout)),
        "fields": _fields(layout),
        "drops": len(cells) // game.shape[0] if layout.gravity or layout.drops else 0,
    }


def _name(names: Names, layout: Layout, index: int) -> str:
    """What a cell is called; on a wall, where moves name columns alone, by its column and its height."""
    if layout.gravity:
        _, row, column = layout.place(index)
        return f"{column + 1}.{layout.rows - row}"
    return str(index + 1) if layout.drops else names.cell_at(index)


def _labels(ruling: Ruling) -> list[tuple[float, float, float, float, str, str]]:
    """Where each label stands, how far it moves for each unit that letters are high, its anchor, its text."""
    pairs = zip(ruling.labels(0), ruling.labels(1), strict=True)
    return [(x, y, right - x, low - y, anchor, text) for (x, y, anchor, text), (right, low, _, _) in pairs]


def _squares(layout: Layout, by_pen: bool) -> tuple[int, int]:
    """How many squares of the paper a cell takes at least, and at most where the window is high."""
    if layout.planes > 1:
        return 2, 3 if by_pen else 2
    if layout.gravity or layout.tiles:
        return 3, 3
    if by_pen:
        return 3, 8 if max(layout.rows, layout.columns) <= 3 else 5
    return 2, 3 if layout.hex else 2


def _fields(layout: Layout) -> list[tuple[float, float, float, float]]:
    """The boxes of fields in reading order: left, top, width and height."""
    down, across = layout.fields
    if not (down and across):
        return []
    corners = product(range(0, layout.rows, down), range(0, layout.columns, across))
    return [(column * CELL, row * CELL, across * CELL, down * CELL) for row, column in corners]
