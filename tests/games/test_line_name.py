"""Tests of the names of winning lines, on boards of every kind."""

import pytest

from noughts.core.geometry import Line, lines
from noughts.games.line_name import name_line


@pytest.mark.parametrize(
    ("shape", "cells", "step", "kind", "number", "layer"),
    [
        ((3, 3), ((2, 0), (2, 1), (2, 2)), (0, 1), "row", 3, None),
        ((3, 3), ((0, 1), (1, 1), (2, 1)), (1, 0), "column", 2, None),
        ((3, 3), ((0, 0), (1, 1), (2, 2)), (1, 1), "main-diagonal", None, None),
        ((3, 3), ((0, 2), (1, 1), (2, 0)), (1, -1), "anti-diagonal", None, None),
        ((4, 4), ((0, 0), (1, 1), (2, 2)), (1, 1), "diagonal", None, None),
        ((3, 3), ((0, 1), (1, 2), (2, 0)), (1, 1), "over-edge", None, None),
        ((4, 4), ((1, 3), (1, 0), (1, 1)), (0, 1), "over-edge", None, None),
        ((4, 4), ((0, 0), (0, 3), (3, 0), (3, 3)), (), "shape", None, None),
        ((3, 3, 3), ((0, 0, 1), (1, 0, 2), (2, 0, 0)), (1, 0, 1), "over-edge", None, None),
        ((5,), ((1,), (2,), (3,)), (1,), "row", 1, None),
        ((3, 3, 3), ((1, 0, 0), (1, 0, 1), (1, 0, 2)), (0, 0, 1), "row", 1, 2),
        ((2, 3, 3, 3), ((1, 1, 0, 2), (1, 1, 1, 2), (1, 1, 2, 2)), (0, 0, 1, 0), "column", 3, 5),
        ((3, 3, 3), ((0, 0, 2), (1, 1, 1), (2, 2, 0)), (1, 1, -1), "space-line", None, None),
    ],
)
def test_line_has_expected_name(
    shape: tuple[int, ...],
    cells: tuple[tuple[int, ...], ...],
    step: tuple[int, ...],
    kind: str,
    number: int | None,
    layer: int | None,
) -> None:
    named = name_line(shape, Line(cells, step))
    assert (named.kind, named.number, named.layer) == (kind, number, layer)
    assert named.cells in (cells, cells[::-1])


def test_line_name_reads_left_to_right() -> None:
    for line in lines((4, 4, 4), 4):
        columns = [cell[-1] for cell in name_line((4, 4, 4), line).cells]
        assert columns == sorted(columns)
