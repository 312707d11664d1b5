"""A board in a window of any size: it fits, no cell is lost, and it scrolls only if it must."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts.drawing.board_text import Window, draw_window
from noughts.drawing.canvas import Span
from noughts.drawing.view import HIGHLIGHTS, View, view_of
from noughts.games.base import Game
from noughts.games.catalogue import CATALOGUE, new_game
from noughts.games.kinarow import KInARow
from tests.strategies import games, play_at_random

SPECS = (
    *(entry.name for entry in CATALOGUE),
    *("1x1:1", "7:3", "30:3,gravity", "2x9:2", "40x3:3", "26x30:5", "12x9:4,gravity", "5x5:4,gravity"),
    *("2x2x2x2x2x2:2", "3x9x9:3", "2x3x4x5:2", "3x20x20:3,gravity", "3x3x3x3:3,gravity"),
)


def lines_of(rows: Sequence[Sequence[Span]]) -> list[str]:
    return ["".join(span.text for span in row) for row in rows]


def with_cursor(game: Game, index: int) -> View:
    return replace(view_of(game, labels=False), highlights={index: "cursor"})


# Invariants of every board in every window


def assert_sound(game: Game, window: Window, width: int, height: int, focus: int | None) -> None:
    assert len(window.rows) <= height
    assert max(map(len, lines_of(window.rows)), default=0) <= window.reach <= width
    assert window.width <= window.reach
    assert window.height == len(window.rows)
    taken: dict[tuple[int, int], int] = {}
    for index, box in window.boxes.items():
        assert min(box.width, box.height) >= 1
        assert min(box.x, box.y) >= 0
        assert box.x + box.width <= window.width
        assert box.y + box.height <= len(window.rows)
        for x in range(box.x, box.x + box.width):
            for y in range(box.y, box.y + box.height):
                assert (x, y) not in taken
                taken[x, y] = index
    for x, y in edges_of(window, width, height):
        index_at = window.cell_at(x, y)
        assert index_at == taken.get((x, y)) or (index_at in window.heads and (x, y) not in taken)
    if not window.boxes:
        assert not window.rows
        return
    assert focus is None or focus in window.boxes
    _, rows, columns = (len({game.layout.place(index)[axis] for index in window.boxes}) for axis in range(3))
    assert window.hidden.above + rows + window.hidden.below == game.layout.rows
    assert window.hidden.left + columns + window.hidden.right == game.layout.columns
    planes = {game.layout.place(index)[0] for index in window.boxes}
    assert len(window.boxes) == rows * columns * len(planes)
    assert len(planes) == game.layout.planes or any(window.beyond)


def edges_of(window: Window, width: int, height: int) -> set[tuple[int, int]]:
    """Check two corners of each cell, its neighbours, and two corners outside the window."""
    places = {(-1, -1), (width, height)}
    for x, y, wide, high in window.boxes.values():
        low, right = y + high - 1, x + wide - 1
        places |= {(x, y), (right, low), (x - 1, y), (x, y - 1), (right + 1, low), (right, low + 1)}
    return places


@st.composite
def played(draw: st.DrawFn) -> Game:
    game = new_game(draw(st.sampled_from(SPECS)))
    play_at_random(game, draw(st.integers(0, 30)), draw(st.integers(0, 1000)))
    return game


@pytest.mark.slow
@given(game=st.one_of(played(), games()), data=st.data())
def test_every_board_fits_every_window(game: Game, data: st.DataObject) -> None:
    width, height = data.draw(st.integers(1, 120)), data.draw(st.integers(1, 40))
    last = len(game.cells) - 1
    focus = data.draw(st.one_of(st.none(), st.integers(0, last)))
    codes = st.lists(st.sampled_from(HIGHLIGHTS), min_size=1, max_size=3).map(" ".join)
    highlights = data.draw(st.dictionaries(st.integers(0, last), codes, max_size=5))
    labels = {index: "+12" for index in highlights if data.draw(st.booleans())}
    view = replace(view_of(game, labels=False), highlights=highlights, labels=labels)
    origin = data.draw(st.tuples(st.integers(-2, 30), st.integers(-2, 30)))
    unicode = data.draw(st.booleans())
    window = draw_window(game, view, width=width, height=height, unicode=unicode, focus=focus, origin=origin)
    assert_sound(game, window, width, height, focus)
    assert unicode or all(map(str.isascii, lines_of(window.rows)))
    again = draw_window(
        game, view, width=width, height=height, unicode=unicode, focus=focus, origin=window.origin
    )
    assert again == window


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(game=played(), width=st.integers(1, 90), height=st.integers(1, 30), data=st.data())
def test_marks_and_cursor_are_in_their_boxes(
    game: Game, width: int, height: int, data: st.DataObject
) -> None:
    focus = data.draw(st.integers(0, len(game.cells) - 1))
    window = draw_window(game, with_cursor(game, focus), width=width, height=height, focus=focus)
    lines = lines_of(window.rows)
    for index, box in window.boxes.items():
        if box.height == 1:
            inside = lines[box.y][box.x : box.x + box.width]
            mark = game.cells[index]
            assert mark is None or mark in inside
            assert (">" in inside) == (index == focus)
            assert mark is not None or not any(map(str.isalnum, inside))


@pytest.mark.slow
def test_tiny_windows_are_accepted() -> None:
    for name in SPECS:
        game = new_game(name)
        for width in range(6):
            for height in range(6):
                assert_sound(game, draw_window(game, width=width, height=height), width, height, None)
    assert draw_window(new_game(), width=2, height=9) == Window()
    assert draw_window(new_game(), width=3, height=1).boxes.keys() == {0}


def test_layers_have_names_with_room() -> None:
    game = new_game("2x2x2x2x2x2:2")
    assert [len(draw_window(game, width=width, height=15).boxes) for width in (6, 10, 11)] == [4, 16, 12]


# Scrolling


@pytest.mark.slow
def test_view_stays_while_cursor_has_margin() -> None:
    game = new_game("26x30:5")
    origin = (0, 0)
    seen = []
    for row in (*range(30), *reversed(range(30))):
        focus = row * 26 + 13
        window = draw_window(game, width=60, height=15, focus=focus, origin=origin)
        rows = 30 - window.hidden.above - window.hidden.below
        assert row - window.hidden.above >= min(2, row)
        assert window.hidden.above + rows - 1 - row >= min(2, 29 - row)
        assert abs(window.origin[0] - origin[0]) <= 1
        seen.append(window.origin[0] - origin[0])
        origin = window.origin
    assert seen.count(1) == seen.count(-1) == 16
    assert set(seen[3:9]) == {0}


def test_jump_shows_the_cell_at_once() -> None:
    game = new_game("100x100:5")
    window = draw_window(game, width=60, height=15, focus=9999)
    assert 9999 in window.boxes
    assert window.hidden.below == window.hidden.right == 0
    assert draw_window(game, width=60, height=15, origin=(500, 500)).origin == window.origin


class Looked(tuple[str | None, ...]):
    """Cells that count the accesses."""

    times = 0

    def __getitem__(self, key: Any) -> Any:
        Looked.times += 1
        return super().__getitem__(key)


def test_only_visible_cells_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KInARow, "cells", property(lambda game: Looked(game._cells)))
    window = draw_window(new_game("200x200:5"), width=100, height=30, focus=777)
    assert len(window.boxes) < 1000
    assert Looked.times <= 6 * len(window.boxes)


def test_value_is_cut_in_small_cells() -> None:
    game = new_game("26x30:5")
    view = View(labels={0: "+9"}, highlights={0: "win cursor"})
    (first, *_) = lines_of(draw_window(game, view, width=30, height=10, focus=0).rows)
    assert first.startswith("30>+<┬─")


def test_full_label_leaves_no_room_for_sign() -> None:
    game = new_game("4x4x4:4")
    views = [View(labels={0: label}, highlights={0: "hint"}) for label in ("4", "42")]
    short, full = (lines_of(draw_window(game, view, width=20, height=8, focus=0).rows) for view in views)
    assert [short[1][:8], full[1][:8]] == ["4<4>· · ", "4<4>· · "]
