"""Boards and strokes for the browser: the server computes all geometry, and scripts only draw."""

from collections.abc import Iterable
from dataclasses import asdict, replace
from itertools import product
from typing import Any

from noughts.drawing.scene import joined_ends
from noughts.drawing.steps import step
from noughts.drawing.strokes import LEARNED, VARIANTS, mark_path, ruled
from noughts.drawing.svg_grid import CELL, Ruling, Space, space_of
from noughts.drawing.svg_grid import Label as RuledLabel
from noughts.games.annotations import ANNOTATIONS
from noughts.games.base import Game
from noughts.games.catalogue import CATALOGUE, new_game
from noughts.games.layout import Layout, plane_label, star_points
from noughts.games.rule_data import rule_data
from noughts.interfaces.presenting.move_names import Names
from noughts.interfaces.web.models import (
    AnnotationSign,
    BoardArrangement,
    BoardMessage,
    BoardPlane,
    Label,
    TilingMessage,
)

MAX_WRAPPED = 9
"""The largest number of planes of a three-dimensional board that may be arranged in rows."""

KEY_DIRECTIONS = {"ArrowLeft": "left", "ArrowRight": "right", "ArrowUp": "up", "ArrowDown": "down"}
"""The directions of the arrow keys."""

_TALLY_STROKES = {
    "five": ((15, 8, 12, 92), (37, 10, 34, 90), (59, 7, 56, 93), (81, 9, 78, 91), (2, 74, 96, 24)),
    "zheng": ((10, 12, 90, 12), (50, 12, 50, 88), (50, 48, 84, 48), (24, 44, 24, 88), (2, 90, 98, 90)),
}
"""The strokes that count wins: tally marks, and the strokes of the Chinese counting character.

Each stroke has the coordinates of its start and its end.
"""


def pen_as_json() -> dict[str, Any]:
    """Return the drawings other than boards: the variants of each mark, and the tally strokes."""
    counted = {
        name: [ruled(stroke[:2], stroke[2:], 10, seed) for seed, stroke in enumerate(strokes)]
        for name, strokes in _TALLY_STROKES.items()
    }
    marks = {mark: [mark_path(mark, variant) for variant in range(VARIANTS)] for mark in LEARNED}
    return {"marks": marks, "underline": ruled((1, 4), (99, 3), 4, 2), **counted}


def board_message(game: Game) -> BoardMessage:
    """Return the drawing of the empty board of *game*."""
    layout, cells = game.layout, range(len(game.cells))
    space = space_of(game.shape, layout)
    ruling, names = Ruling(game, space), Names(game, letters=True)
    return BoardMessage(
        size=(space.width, space.height),
        views=[_arrangement(ruling, view) for view in _arrangements(game, space)],
        planes=[
            BoardPlane(
                label=plane_label(space.above, plane), origin=space.origin(plane), floor=ruling.floor(plane)
            )
            for plane in range(layout.planes)
        ],
        tiling=TilingMessage.model_validate(space.tiling),
        centres=[space.centre(index) for index in cells],
        names=[_name(names, layout, index) for index in cells],
        steps={
            key: [step(layout, game.shape, index, way) for index in cells]
            for key, way in KEY_DIRECTIONS.items()
        },
        thin="".join(ruling.thin()),
        pen="".join(ruling.pen()),
        squares=_squares(layout, ruling.by_pen),
        labels=[] if layout.gravity else _labels(ruling.plane_labels(0), ruling.plane_labels(1)),
        stars=sorted(layout.index(0, *place) for place in star_points(layout)),
        fields=_fields(layout),
        wraps=_joined(game),
        drops=len(cells) // game.shape[0] if layout.gravity or layout.drops else 0,
        codes={
            row.word: AnnotationSign(sign=row.signs[0], data=row.data)
            for row in ANNOTATIONS.values()
            if any(row.signs)
        },
    )


def offline_games() -> dict[str, dict[str, Any]]:
    """Return the games of the catalogue that the browser can play by data, with their boards, by name."""
    games = ((entry.name, new_game(entry.name)) for entry in CATALOGUE)
    return {
        name: {
            "name": name,
            "sides": game.sides,
            "shape": game.shape,
            "layout": asdict(game.layout),
            "board": board_message(game).model_dump(),
            "rules": rules,
            "sentences": [asdict(message) for message in game.rule_text],
        }
        for name, game in games
        if (rules := rule_data(game)) is not None
    }


def _name(names: Names, layout: Layout, index: int) -> str:
    """Return the name of a cell. If marks fall, it consists of the column and the place in it."""
    if layout.gravity:
        _, row, column = layout.place(index)
        return f"{column + 1}.{layout.rows - row}"
    if layout.drops:
        layer, column = divmod(index, len(names.game.cells) // names.game.shape[0])
        return f"{column + 1}.{layer + 1}"
    return names.cell_at(index)


def _arrangements(game: Game, whole: Space) -> list[Space]:
    """Return the arrangements of the planes: the usual one, narrower ones, and one plane at a time.

    Planes of a three-dimensional board can form several rows. With more than four axes, one block can be
    shown.
    """
    shape, layout = game.shape, game.layout
    spaces = [whole]
    if len(shape) == 3 and layout.planes <= MAX_WRAPPED:
        rows = range(2, layout.planes + 1)
        spaces += [
            space_of(shape, layout, across) for across in sorted({-(-layout.planes // r) for r in rows})[::-1]
        ]
    if len(shape) > 4:
        spaces.append(space_of(shape[-4:], replace(layout, planes=shape[-4] * shape[-3])))
    return spaces + ([space_of(shape[-2:], replace(layout, planes=1))] if layout.planes > 1 else [])


def _arrangement(ruling: Ruling, space: Space) -> BoardArrangement:
    """Return the board with its planes arranged as in *space*."""
    is_part = space.layout.planes < ruling.layout.planes
    labels = [
        () if is_part and space.layout.planes == 1 else ruling.edge_labels(space, size) for size in (0, 1)
    ]
    return BoardArrangement(
        size=(space.width, space.height),
        origins=[space.origin(plane) for plane in range(space.layout.planes)],
        labels=_labels(*labels),
    )


def _labels(*sizes: Iterable[RuledLabel]) -> list[Label]:
    """Return the labels. *sizes* has each label twice: for letters of height 0 and of height 1."""
    pairs = zip(*sizes, strict=True)
    return [(x, y, one.x - x, one.y - y, anchor, text, strong) for (x, y, anchor, text, strong), one in pairs]


def _joined(game: Game) -> tuple[bool, ...]:
    """Return for columns, rows and layers if the last one is joined to the first."""
    over, aside = joined_ends(game)
    return (aside, over, *(game.rules.geometry.joined[-3::-1] if game.rules else ()))


MAX_LARGE_PLANES = 8
"""The largest number of planes that are drawn with large cells in a low window."""


def _squares(layout: Layout, by_pen: bool) -> tuple[float, float]:
    """Return the smallest and the largest width of a cell in squares of the paper."""
    if layout.planes > 1:
        return 1.5 if layout.planes > MAX_LARGE_PLANES else 2, 3 if by_pen else 2
    longest = max(layout.rows, layout.columns)
    if layout.gravity:
        return 2, 3.5
    if layout.tiles:
        return 2.25, 5
    if by_pen:
        return 2, 8 if longest <= 3 else 5
    if layout.tiling or longest > 6:
        return 1.25, 3 if layout.tiling or longest <= 9 else 2
    return 1.25, 4


def _fields(layout: Layout) -> list[tuple[float, float, float, float]]:
    """Return the boxes of fields in reading order: left, top, width and height."""
    down, across = layout.fields
    if not (down and across):
        return []
    corners = product(range(0, layout.rows, down), range(0, layout.columns, across))
    return [(column * CELL, row * CELL, across * CELL, down * CELL) for row, column in corners]
