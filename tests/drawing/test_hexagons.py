"""Boards of hexagons, as text and as pictures."""

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from math import hypot

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts.drawing import cell_sizes
from noughts.drawing.board_text import MIN_WIDTH, draw_text, draw_thumbnail, draw_window
from noughts.drawing.cell_sizes import sizes_of
from noughts.drawing.scene import Scene
from noughts.drawing.svg import draw_svg
from noughts.drawing.svg_document import LIGHT
from noughts.drawing.svg_grid import space_of
from noughts.drawing.view import HIGHLIGHTS, View, view_of
from noughts.games.base import Game
from noughts.games.kinarow import KInARow
from noughts.games.layout import grid_layout, star_points
from noughts.games.rules import Rules
from tests.drawing.test_svg import SVG, brackets, marks_drawn, parsed, strikes, texts
from tests.drawing.test_text import assert_drawn as assert_text
from tests.drawing.test_text import assert_well_formed
from tests.drawing.test_window import assert_sound, lines_of
from tests.drawing.test_window_pictures import assert_drawn, index_at, marked
from tests.strategies import play_at_random


def hexagonal(rows: int, columns: int, k: int, moves: str = "") -> Game:
    """Return a game with *moves* played; their cells are named by letter and number."""
    game = KInARow(Rules(shape=(rows, columns), k=k, hex=True))
    for cell in moves.split():
        game.play(divmod(index_at(game, cell), columns))
    return game


@st.composite
def boards(draw: st.DrawFn) -> Game:
    game = hexagonal(draw(st.integers(3, 30)), draw(st.integers(1, 30)), 3)
    play_at_random(game, draw(st.integers(0, 30)), draw(st.integers(0, 1000)))
    return game


WON = "c3 b4 b2 a5 d4"
"""Moves of three in a row on 5x5 that win with a line up to the right."""


# Windows


def test_large_hexagons_are_drawn() -> None:
    game = hexagonal(4, 4, 4, "b2 c2 c3")
    view = marked(game, {"a1": "cursor", "d2": "own-threat"})
    window = draw_window(game, view, width=60, height=20)
    assert_drawn(
        window,
        """
          ▁▁╱▔▔▔╲▁▁▁╱▔▔▔╲▁▁▁╱▔▔▔╲▁▁▁╱▔▔▔╲▁▁
          │       │       │       │       │
        4 │       │       │       │       │
          │       │       │       │       │
          ▔▔╲▁▁▁╱▔▔▔╲▁▁▁╱▔▔▔╲▁▁▁╱▔▔▔╲▁▁▁╱▔▔▔╲▁▁
              │       │       │┌▀▄ ▄▀┐│       │
            3 │       │       ││ ▄▀▄ ││       │
              │       │       │└▀   ▀┘│       │
              ▔▔╲▁▁▁╱▔▔▔╲▁▁▁╱▔▔▔╲▁▁▁╱▔▔▔╲▁▁▁╱▔▔▔╲▁▁
                  │       │ ▀▄ ▄▀ │ ▄▀▀▀▄ │       │
                2 │       │  ▄▀▄  │ █   █ │+     +│
                  │       │ ▀   ▀ │  ▀▀▀  │       │
                  ▔▔╲▁▁▁╱▔▔▔╲▁▁▁╱▔▔▔╲▁▁▁╱▔▔▔╲▁▁▁╱▔▔▔╲▁▁
                      │┏     ┓│       │       │       │
                    1 │       │       │       │       │
                      │┗     ┛│       │       │       │
                      ▔▔╲▁▁▁╱▔▔▔╲▁▁▁╱▔▔▔╲▁▁▁╱▔▔▔╲▁▁▁╱▔▔
                              a       b       c       d
    """,
    )
    assert window.boxes[12] == (15, 13, 7, 3)
    assert (window.width, window.height) == (51, 18)
    written = lines_of(draw_window(game, view, width=60, height=20, unicode=False).rows)
    assert written[4].rstrip() == "  --\\___/---\\___/---\\___/---\\___/---\\__"


def test_small_hexagons_are_drawn() -> None:
    assert_drawn(
        draw_window(hexagonal(5, 5, 3, WON), width=50, height=12),
        """
           ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲
        5 │ O │   │   │   │   │
           ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲
          4 │   │ O │   │[X*│   │
             ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲
            3 │   │   │*X*│   │   │
               ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲
              2 │   │*X*│   │   │   │
                 ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲
                1 │   │   │   │   │   │
                   ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱
                      a   b   c   d   e
    """,
    )


def test_winning_line_crosses_hexagons() -> None:
    lines = lines_of(draw_window(hexagonal(5, 5, 3, WON), width=80, height=30).rows)
    assert lines[10:12] == [
        "       ▔▔╲▁▁▁▁▁╱▔▔▔╲▁▁▁▁▁╱▔▔▔╲▁▁▁▁▁╱▔▔▔▄▀▁▁▁▁╱▔▔▔╲▁▁▁▁▁╱▔▔▔╲▁▁▁",
        "            │         │         │ ▀▄  ▄▀▀ │         │         │",
    ]


def test_hexagon_rows_without_lines() -> None:
    game = hexagonal(5, 5, 3, WON)
    assert_drawn(
        draw_window(game, width=40, height=6),
        """
        5  O   ·   ·   ·   ·
          4  ·   O   ·  [X*  ·
            3  ·   ·  *X*  ·   ·
              2  ·  *X*  ·   ·   ·
                1  ·   ·   ·   ·   ·
                     a   b   c   d   e
    """,
    )
    assert_drawn(
        draw_window(game, width=18, height=6),
        """
        5 O · · · ·
         4 · O ·[X*·
          3 · ·*X*· ·
           2 ·*X*· · ·
            1 · · · · ·
               a b c d e
    """,
    )
    assert lines_of(draw_window(game, width=15, height=5).rows)[1] == "  · O ·[X*·"


LARGE = "f6 g6 g7 d4"


def test_large_hexagon_board_scrolls() -> None:
    game = hexagonal(11, 11, 5, LARGE)
    window = draw_window(game, width=26, height=10, focus=60)
    assert lines_of(window.rows) == [
        "11 · · · · · ·",
        " 10 · · · · · ·",
        "   9 · · · · · ·",
        "    8 · · · · · ·",
        "     7 · · · · X ·",
        "      6 · · · X O ·",
        "       5 · · · · · ·",
        "        4 ·[O]· · · ·",
        "         3 · · · · · ·  ▼",
        "◂           c d e f g h  ▸",
    ]
    assert window.hidden == (0, 2, 2, 3)
    corner = lines_of(draw_window(game, width=24, height=8, focus=120).rows)
    assert (corner[0], corner[-1]) == (" 7 · X · · · ·  ▲", "◂         f g h i j k")
    assert lines_of(draw_window(game, width=14, height=5, focus=60).rows) == [
        " 8 · · ·",
        "  7 · · X",
        "   6 · X O",
        "    5 · · ·",
        "       e f g",
    ]
    assert lines_of(draw_window(game, width=12, height=5, focus=60).rows)[:2] == [" · · ·", "  · · X"]


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(game=boards(), width=st.integers(1, 130), height=st.integers(1, 45), data=st.data())
def test_every_hexagon_board_fits_every_window(
    game: Game, width: int, height: int, data: st.DataObject
) -> None:
    last = len(game.cells) - 1
    focus = data.draw(st.one_of(st.none(), st.integers(0, last)))
    signs = [sign for sign in HIGHLIGHTS if not sign.startswith("slides:")]  # Other signs are those of tiles.
    codes = st.lists(st.sampled_from(signs), min_size=1, max_size=3).map(" ".join)
    highlights = data.draw(st.dictionaries(st.integers(0, last), codes, max_size=5))
    labels = {index: "+12" for index in highlights if data.draw(st.booleans())}
    view = replace(view_of(game, labels=False), highlights=highlights, labels=labels)
    window = draw_window(game, view, width=width, height=height, focus=focus)
    assert_sound(game, window, width, height, focus)
    lines = lines_of(window.rows)
    for index, box in window.boxes.items():
        inside = lines[box.y][box.x : box.x + box.width]
        if box.height == 1:
            assert {sign for sign in inside if sign in game.sides} == {game.cells[index]} - {None}
        assert window.cell_at(box.x + box.width // 2, box.y + box.height // 2) == index


# Console


def test_console_draws_small_hexagon_board() -> None:
    assert_text(
        hexagonal(3, 4, 3, "b2 c3"),
        """
     ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲
    │ 1 │ 2 │[O]│ 4 │
     ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲
      │ 5 │ X │ 7 │ 8 │
       ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲
        │ 9 │ 10│ 11│ 12│
         ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱""",
    )


def test_console_marks_won_hexagon_line() -> None:
    lines = draw_text(hexagonal(5, 5, 3, WON))
    assert lines[3:6] == [
        "  │   │ O │   │[X*│   │",
        "   ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲",
        "    │   │   │*X*│   │   │",
    ]


def test_large_hexagon_boards_on_console() -> None:
    game = hexagonal(6, 7, 4, "c4 d4 c3")
    assert_text(
        game,
        """
     1   2   3   4   5   6   7
       8   9  10  11  12  13  14
        15  16   X   O  19  20  21
          22  23  [X] 25  26  27  28
            29  30  31  32  33  34  35
              36  37  38  39  40  41  42""",
    )
    letters = """
    6 · · · · · · ·
     5 · · · · · · ·
      4 · · X O · · ·
       3 · ·[X]· · · ·
        2 · · · · · · ·
         1 · · · · · · ·
            a b c d e f g"""
    assert_text(game, letters, width=25)
    assert_text(
        game,
        """
    6 · · · ·
     5 · · · ·
      4 · · X O
       3 · ·[X]·
        2 · · · ·
         1 · · · ·
            a b c d

    6 · · ·
     5 · · ·
      4 · · ·
       3 · · ·
        2 · · ·
         1 · · ·
            e f g""",
        width=18,
    )
    assert draw_text(hexagonal(11, 11, 5, LARGE))[4:6] == [
        "         7  ·   ·   ·   ·   ·   ·   X   ·   ·   ·   ·",
        "           6  ·   ·   ·   ·   ·   X   O   ·   ·   ·   ·",
    ]


def test_hexagons_show_move_values() -> None:
    game = hexagonal(4, 4, 3, "b2")
    view = replace(
        view_of(game, labels=False),
        highlights={0: "win", 1: "draw", 2: "loss hint"},
        labels={0: "+3", 1: "=", 2: "-4"},
    )
    assert draw_text(game, view=view)[0] == " 1  +3   = <-4>  ·"
    assert draw_text(game, width=20, view=view)[0] == " 1 + =<->·"
    assert draw_text(game, width=12, view=view)[:2] == [" 1 + =", "  5 · ·"]


@pytest.mark.slow
@given(boards(), st.integers(MIN_WIDTH, 120), st.booleans())
def test_every_mark_is_drawn_once(game: Game, width: int, unicode: bool) -> None:
    lines = draw_text(game, width=width, unicode=unicode)
    assert_well_formed(lines, width)
    for mark in game.sides:
        assert "".join(lines).count(mark) == game.cells.count(mark)


# Pictures


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(boards(), st.booleans())
def test_pictures_show_marks_and_last_move(game: Game, numbered: bool) -> None:
    root = parsed(draw_svg(game, numbered=numbered))
    assert marks_drawn(root) == Counter(mark for mark in game.cells if mark)
    assert len(brackets(root)) == bool(game.moves)


def test_neighbours_share_a_side() -> None:
    game = hexagonal(4, 6, 3)
    space = space_of(game.shape, game.layout)
    corners = {cell: set(space.outline(cell)) for cell in range(24)}
    neighbours = {cell for cell in corners if len(corners[cell] & corners[8]) == 2}
    assert neighbours == {2, 3, 7, 9, 13, 14}
    (path,) = re.findall(r'<path d="([^"]*)" fill="none" stroke="#76808f"', draw_svg(game))
    assert path.count("M") == path.count("L") == len(corners) * 3 + 2 * (4 + 6) - 1
    assert {x for cell in corners.values() for x, _ in cell} <= set(range(int(space.width) + 1))


def test_lines_are_straight_in_all_directions() -> None:
    game = hexagonal(5, 5, 3)
    space = space_of(game.shape, game.layout)
    lengths = set()
    for line in ((10, 11, 12), (2, 7, 12), (4, 8, 12)):
        (x, y), middle, end = map(space.centre, line)
        assert ((x + end[0]) / 2, (y + end[1]) / 2) == middle
        lengths.add(round(hypot(middle[0] - x, middle[1] - y)))
    assert lengths == {132}
    won = hexagonal(5, 5, 3, WON)
    assert draw_svg(won).count(f'fill="{LIGHT.washes[0]}"') == 3
    assert strikes(won) == 1


def test_letters_are_below_the_last_row() -> None:
    game = hexagonal(5, 4, 3)
    root = parsed(draw_svg(game))
    assert texts(root) == [*"abcd", *"54321"]
    places = [float(element.attrib["x"]) for element in root.iter(f"{SVG}text")]
    space = space_of(game.shape, game.layout)
    assert places[:4] == [space.centre(cell)[0] for cell in range(16, 20)]
    assert [round(two - one) for one, two in pairwise(places[4:])] == [66] * 4


# Thumbnails


def test_thumbnail_shows_the_middle() -> None:
    drawn = lines_of(draw_thumbnail(hexagonal(11, 11, 5, LARGE), width=20, height=5))
    assert drawn == [
        "· · · · · · · ·",
        " · · · · · X · ·",
        "  · · · · X O · ·",
        "   · · · · · · · ·",
        "    · · O · · · · ·",
    ]


@pytest.mark.slow
@given(boards(), st.integers(0, 60), st.integers(0, 20))
def test_thumbnails_fit_their_room(game: Game, width: int, height: int) -> None:
    lines = lines_of(draw_thumbnail(game, width=width, height=height))
    assert len(lines) <= height
    assert all(len(line) <= width for line in lines)


def test_hexagon_board_has_no_star_points() -> None:
    assert star_points(grid_layout((15, 15), tiling="hex")) == frozenset()


def test_tiling_without_text_edges_has_small_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene(hexagonal(3, 3, 3), View())
    assert any(size.is_ruled for size in sizes_of(scene, unicode=True))
    monkeypatch.setattr(cell_sizes, "WITH_TEXT_EDGES", ())
    assert not any(size.is_ruled for size in sizes_of(scene, unicode=True))
