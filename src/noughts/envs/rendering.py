"""Games as text and pictures for viewers of an environment."""

import re
from functools import lru_cache
from typing import Any

import numpy as np

from noughts.drawing.board_text import draw_text
from noughts.drawing.strokes import mark_path, variant_of
from noughts.drawing.svg import draw_svg
from noughts.drawing.svg_document import LIGHT
from noughts.drawing.svg_grid import CELL, space_of
from noughts.envs.actions import Array
from noughts.games.base import Game

MODES = ("ansi", "svg", "rgb_array")

PIXELS = 32
"""The side of a cell in an array of pixels."""

MAX_PIXELS = 2048
"""The limits of pixels. Cells of larger boards have fewer pixels, but at least ``MIN_PIXELS``."""

MIN_PIXELS = 4

INSIDE = 3
"""The distance between a mark and the sides of its cell, in hundredths of a cell."""

MARGIN = 20.0


def check_mode(mode: str | None) -> None:
    """Raise an error unless *mode* is one of :data:`MODES`."""
    if mode is not None and mode not in MODES:
        raise ValueError(f"render_mode is one of {', '.join(MODES)}, not {mode!r}")


def render(game: Game, mode: str | None) -> Any:
    """Return *game* as text (``ansi``), as SVG or as an array of pixels, or None if there is no *mode*."""
    if mode == "ansi":
        return "\n".join(draw_text(game)) + "\n"
    if mode == "svg":
        return draw_svg(game)
    return pixels(game) if mode == "rgb_array" else None


def pixels(game: Game) -> Array:
    """Return the board of *game* in colours, (height, width, 3) uint8: cells, marks and the last move."""
    space = space_of(game.shape, game.layout)
    extent = max(space.width, space.height) + 2 * MARGIN
    scale = max(MIN_PIXELS, min(PIXELS, int(MAX_PIXELS * CELL / extent))) / CELL
    height, width = (round((side + 2 * MARGIN) * scale) for side in (space.height, space.width))
    picture = np.empty((height, width, 3), np.uint8)
    picture[:] = _rgb(LIGHT.line)
    last = {game.board.index(cell) for cell in game.last_cells()}
    for index, mark in enumerate(game.cells):
        colour = LIGHT.shade if index in last else LIGHT.paper
        outline = tuple((x + MARGIN, y + MARGIN) for x, y in space.outline(index, INSIDE))
        _fill(picture, outline, colour, scale)
        if mark is not None:
            x, y = space.corner(index)
            for points in _strokes(mark, variant_of(index)):
                place = tuple((x + MARGIN + right, y + MARGIN + down) for right, down in points)
                _fill(picture, place, LIGHT.pen(mark), scale)
    return picture


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour.removeprefix("#")))


@lru_cache(maxsize=64)
def _strokes(mark: str, variant: int) -> list[tuple[tuple[float, float], ...]]:
    """Return the corners of each stroke of *mark*, in a cell of 100.

    Curves are divided into straight pieces.
    """
    strokes = []
    for path in mark_path(mark, variant).split("M")[1:]:
        numbers = [float(number) for number in re.findall(r"-?[0-9.]+", path)]
        points = [tuple(numbers[at : at + 2]) for at in (0, *range(6, len(numbers), 6))]
        strokes.append(tuple((x, y) for x, y in points))
    return strokes


def _fill(picture: Array, points: Any, colour: str, scale: float) -> None:
    """Fill the polygon of *points*: all pixels with their centre inside, by the winding number."""
    corners = np.array(points) * scale
    (left, top), (right, bottom) = np.floor(corners.min(axis=0)), np.ceil(corners.max(axis=0))
    rows, columns = np.arange(int(top), int(bottom)), np.arange(int(left), int(right))
    x, y = columns[np.newaxis, :] + 0.5, rows[:, np.newaxis] + 0.5
    winding = np.zeros((len(rows), len(columns)), int)
    for (x1, y1), (x2, y2) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        side = (x2 - x1) * (y - y1) - (x - x1) * (y2 - y1)
        winding += (y1 <= y) & (y2 > y) & (side > 0)
        winding -= (y1 > y) & (y2 <= y) & (side < 0)
    part = picture[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    part[winding[: part.shape[0], : part.shape[1]] != 0] = _rgb(colour)
