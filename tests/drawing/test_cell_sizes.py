"""The sizes of cells: the choice for each board, and the drawings at each size."""

from dataclasses import replace
from itertools import pairwise

import pytest

from noughts.drawing.board_text import draw_window
from noughts.drawing.cell_sizes import SIZES, sizes_of
from noughts.drawing.half_blocks import mark_dots
from noughts.drawing.scene import Scene
from noughts.drawing.view import View, cells_of_owners, view_of
from noughts.drawing.viewport import Viewport, viewport_of
from noughts.games.base import Game
from noughts.games.catalogue import CATALOGUE, new_game
from noughts.games.notation import parse_position
from tests.drawing.test_window import assert_sound, lines_of, with_cursor
from tests.strategies import play_at_random

AREAS = {"60x20": (40, 17), "80x24": (54, 21), "100x30": (68, 27), "160x50": (118, 47), "240x70": (186, 67)}
"""The columns and lines of the board's area in windows of five sizes."""

TAKEN = {
    "3x3:3": ("10x5", "12x6", "16x8", "28x14", "40x20"),
    "5x5:4": ("6x3", "8x4", "10x5", "16x8", "24x12"),
    "8x8:5": ("4x2", "4x2", "6x3", "10x5", "16x8"),
    "connect4": ("4x2", "4x2", "8x4", "14x7", "20x10"),
    "15x15:5": (None, "3x1", "3x1", "6x3", "8x4"),
    "19x19:5": (None, "2x1", "3x1", "4x2", "6x3"),
    "4x4x4:4": (None, "4x2", "4x2", "10x5", None),
    "3x3x3x3x3:3": (None, None, "2x1", "4x2", None),
}
"""The sizes that the design shows; None if it shows none."""


def whole_of(scene: Scene, width: int, height: int, *, unicode: bool = True) -> Viewport | None:
    """Return the viewport that shows the whole board; None if it does not fit."""
    viewport = viewport_of(scene, width, height, unicode=unicode, focus=None, origin=(0, 0))
    return viewport if viewport is not None and len(viewport.places) == len(scene.cells) else None


def size_of(name: str, area: tuple[int, int], *, unicode: bool = True) -> str | None:
    viewport = whole_of(Scene(new_game(name), View()), *area, unicode=unicode)
    return None if viewport is None else f"{viewport.size.across}x{viewport.size.down}"


@pytest.mark.parametrize(("name", "sizes"), TAKEN.items())
def test_board_takes_the_largest_size(name: str, sizes: tuple[str | None, ...]) -> None:
    for size, area in zip(sizes, AREAS.values(), strict=True):
        assert size in (None, size_of(name, area))


def test_board_without_sidebar_has_room_for_signs() -> None:
    assert size_of("15x15:5", (60, 17)) == "3x1"
    assert size_of("19x19:5", (60, 17)) is None  # The board is scrolled.


def test_ascii_heights_are_odd() -> None:
    for height in range(1, 70):
        size = size_of("3x3:3", (200, height), unicode=False)
        assert size is None or int(size.split("x")[1]) % 2 == 0 or size in ("3x1", "2x1", "6x3", "14x7")


@pytest.mark.slow
@pytest.mark.parametrize("unicode", [True, False])
@pytest.mark.parametrize("name", [*(entry.name for entry in CATALOGUE), "1x1:1", "1x9:3", "3x3x3x3x3:3"])
def test_board_is_drawn_at_every_size(name: str, unicode: bool) -> None:
    game = new_game(name)
    play_at_random(game, 12, 1)
    seen = set()
    for width, height in ((24, 12), (80, 24), (240, 70)):
        index = len(game.cells) // 2
        window = draw_window(
            game, with_cursor(game, index), width=width, height=height, unicode=unicode, focus=index
        )
        assert_sound(game, window, width, height, index)
        assert unicode or all(map(str.isascii, lines_of(window.rows)))
        seen |= {(box.width, box.height) for box in window.boxes.values()}
    assert len(seen) > 1


def test_free_line_above_needs_room() -> None:
    game = new_game("3x3:3")
    for height in range(3, 70):
        window = draw_window(game, width=200, height=height)
        assert window.height <= height - (height >= 19)


def test_larger_window_never_has_smaller_cells() -> None:
    for name in ("3x3:3", "8x8:5", "15x15:5", "connect4", "ultimate", "qubic"):
        scene, before = Scene(new_game(name), View()), dict[int, int]()
        for width in range(20, 200, 20):
            for height in range(8, 68, 6):
                whole = whole_of(scene, width, height)
                wide = whole.size.wide if whole else 0
                assert wide >= before.get(height, 0)
                before[height] = wide


def test_drawn_cells_have_room_for_signs() -> None:
    scene = Scene(new_game("3x3:3"), View())
    scene.content = 6
    assert min(size.wide - 2 for size in sizes_of(scene, unicode=True) if size.high > 1) >= 6


def test_cell_sizes_grow_steadily() -> None:
    for one, other in pairwise(SIZES):
        assert (one.across, one.down) < (other.across, other.down)
        assert other.across >= other.wide
        assert other.down >= other.high


# Drawings


def drawn(
    name: str, width: int, height: int, moves: int = 0, *, shaded: bool = True, **view: object
) -> list[str]:
    game = new_game(name)
    play_at_random(game, moves, 3)
    return lines_of(
        draw_window(game, view_of(game, labels=False), width=width, height=height, shaded=shaded).rows
    )


def test_squares_without_lines_have_two_shades() -> None:
    game = new_game("5x5:4")
    shaded, plain = (draw_window(game, width=40, height=17, shaded=shaded) for shaded in (True, False))
    assert sum(background.kind == "field" for background in shaded.backgrounds) == 12
    assert "".join(lines_of(shaded.rows)).count("·") == 0
    assert "".join(lines_of(plain.rows)).count("·") == 25


def test_reversi_marks_are_discs() -> None:
    lines = drawn("reversi", 200, 60)
    assert any("▄█████▄" in line or "███████" in line for line in lines)
    assert any(" █     █ " in line or "█       █" in line for line in drawn("reversi", 118, 47))


def test_small_discs_have_letters() -> None:
    window = draw_window(new_game("reversi"), width=68, height=27)
    assert any("██X██" in line for line in lines_of(window.rows))
    assert sum(background.kind == "disc" for background in window.backgrounds) == 2
    written = draw_window(new_game("reversi"), width=68, height=27, unicode=False)
    assert not any(background.kind == "disc" for background in written.backgrounds)


def test_joined_sides_have_no_edge() -> None:
    ruled, lattice = drawn("torus", 54, 21), drawn("15x15:5,wrap", 60, 17)
    assert ruled[0] == ruled[-2] == "          │       │       │"
    assert ruled[4] == "  ────────┼───────┼───────┼────────"
    assert lattice[0].strip() == "15 ─" + "┼──" * 14 + "┼─"
    assert lattice[14].strip() == " 1 ─".strip() + "┼──" * 14 + "┼─"
    layers = drawn("3x4x4:4,wrap", 60, 20)
    assert layers[1].split() == layers[-2].split() == ["│"] * 9
    large = drawn("15x15:5,wrap", 118, 47)
    assert large[0].split() == ["│"] * 15
    assert large[-2].split() == ["│"] * 15


def test_leaving_marks_are_thinner() -> None:
    game = new_game("vanishing")
    for cell in ((1, 1), (0, 0), (0, 1), (2, 1), (1, 0), (1, 2)):
        game.play(cell)
    lines = lines_of(draw_window(game, width=54, height=21).rows)
    assert lines[2] == "3  ~▄       ▄~│     █     │"
    assert lines[8] == "2       █     │~         ~││█       █│"


def test_shared_marks_have_no_colour() -> None:
    game = new_game("notakto")
    game.play((0, 0))
    scene = Scene(game, View())
    assert scene.role(0, game.cells[0]) == ""


def test_marks_to_turn_over_have_signs() -> None:
    game = new_game("reversi")
    view = View(highlights={28: "turning", 29: "cursor"})
    lines = lines_of(draw_window(game, view, width=54, height=21).rows)
    assert any("-X-" in line or "-O-" in line for line in lines)


def won_at_the_edge() -> Game:
    game = new_game("torus")
    for number in (3, 5, 4, 6, 1, 9, 2):  # 1 2 3 4 in a row, shown from the third move on.
        game.play(divmod(number - 1, 4))
    return game


def test_winning_line_keeps_gap_without_colours() -> None:
    game = new_game("tictactoe")
    for number in (1, 4, 5, 6, 9):
        game.play(divmod(number - 1, 3))
    coloured, plain = (
        draw_window(game, width=68, height=27, coloured=coloured) for coloured in (True, False)
    )
    assert any(background.kind == "dots" for background in coloured.backgrounds)
    assert not any(background.kind == "dots" for background in plain.backgrounds)
    assert lines_of(coloured.rows) != lines_of(plain.rows)
    view = View(lines=((2, 3, 0, 1),), last=frozenset((1,)))
    edge = won_at_the_edge()
    assert edge.is_over
    torn = lines_of(draw_window(edge, view, width=68, height=27).rows)
    assert torn != lines_of(draw_window(edge, View(last=frozenset((1,))), width=68, height=27).rows)


def test_unknown_mark_is_drawn_as_letter() -> None:
    game = new_game("9x9:4,players=4")
    for column in range(4):
        game.play((0, column))
    first = lines_of(draw_window(game, width=186, height=67).rows)
    assert any(game.cells[3] in line for line in first if game.cells[3])


def test_large_cells_have_signs_at_their_ends() -> None:
    game = new_game("tictactoe")
    game.play((1, 1))
    lines = lines_of(draw_window(game, with_cursor(game, 0), width=186, height=67, focus=0).rows)
    assert [line[3:6] for line in lines[:3]] == ["┏━━", "┃  ", "   "]
    assert [line[43] for line in lines[20:23]] == ["┌", "│", " "]


def test_cursor_covers_star_point_and_partial_field() -> None:
    game = new_game("19x19:5")
    index = 3 * 19 + 3
    lines = lines_of(draw_window(game, with_cursor(game, index), width=60, height=17, focus=index).rows)
    assert lines[3][:12] == "16 ├─┼─┼>╋<┼"
    forced = parse_position(new_game("ultimate"), "/".join(["X........", *["." * 9] * 8]) + " O 1")
    far = draw_window(forced, with_cursor(forced, 80), width=20, height=5, focus=80)
    assert not any(background.kind == "shade" for background in far.backgrounds)
    rows = ["XXX......", "OO.......", *["." * 9] * 7]
    owned = parse_position(new_game("ultimate"), "/".join(rows) + " O 9")
    far = draw_window(owned, with_cursor(owned, 80), width=20, height=5, focus=80)
    assert not any(background.kind == "wash" for background in far.backgrounds)


def test_drawn_cells_have_labels_and_signs() -> None:
    game = new_game("15x15:5")
    game.play((7, 7))
    view = View(labels={0: "12", 1: "+3"}, highlights={1: "win", 2: "forbidden", 4: "open", 3: "closed"})
    text = "\n".join(lines_of(draw_window(game, view, width=118, height=47).rows))
    for shown in (" 12 ", " +3 ", " # ", "•", ":"):
        assert shown in text


def test_won_field_shows_one_mark() -> None:
    rows = ["XXX......", "OO.......", *["." * 9] * 7]
    game = parse_position(new_game("ultimate"), "/".join(rows) + " O 3")
    view = View(highlights={0: "cursor", 4: "own-threat"}, last=frozenset((2,)))
    lines = lines_of(draw_window(game, view, width=118, height=47).rows)
    assert any("▄" in line[:30] for line in lines)
    assert not any("[" in line or "]" in line for line in lines)
    assert cells_of_owners(game) == dict.fromkeys((0, 1, 2, 9, 10, 11, 18, 19, 20), "X")
    assert not cells_of_owners(new_game("tictactoe"))
    assert "".join(lines).count("+") == 2


# With fewer colours


def won() -> Game:
    game = new_game("tictactoe")
    for number in (1, 4, 5, 6, 9):
        game.play(divmod(number - 1, 3))
    return game


def test_winning_line_is_bold_with_colours() -> None:
    window = draw_window(won(), width=68, height=27, shaded=False)
    assert lines_of(window.rows) == lines_of(draw_window(won(), width=68, height=27).rows)
    kinds = {(span.role, span.strong) for row in window.rows for span in row if set(span.text) & set("▀▄█")}
    assert kinds == {("X", False), ("O", False), ("", True)}


def test_ascii_cells_of_three_lines() -> None:
    view = replace(view_of(won(), labels=False), highlights={1: "cursor"})
    window = draw_window(won(), view, width=40, height=17, unicode=False, shaded=False, coloured=False)
    assert lines_of(window.rows) == [
        "   * \\ / *|       |",
        "3     X   |>     <|",
        "   * / \\ *|       |",
        "   -------+-------+-------",
        "     .-.  |* \\ / *|  .-.",
        "2    | |  |   X   |  | |",
        "     '-'  |* / \\ *|  '-'",
        "   -------+-------+-------",
        "          |       |+ \\ / +",
        "1         |       |*  X  *",
        "          |       |+ / \\ +",
        "      a       b       c",
    ]


def test_ascii_cells_of_one_line() -> None:
    game = new_game("15x15:5")
    game.play((7, 7))
    view = replace(view_of(game, labels=False), highlights={0: "cursor", 1: "open"})
    lines = lines_of(draw_window(game, view, width=54, height=21, unicode=False).rows)
    assert lines[0].startswith("15 >.< o  .  .")
    assert lines[3].startswith("12  .  .  .  +  .")
    assert "[X]" in lines[7]
    tray = lines_of(draw_window(new_game("connect4"), width=54, height=21, unicode=False).rows)
    assert set("".join(tray[1:-1])) == set("| ")
    assert tray[-1] == "+---" * 7 + "+"


def test_tiles_in_dots_have_hint_and_keys() -> None:
    game = new_game("fifteen")
    number = next(index for index, cell in enumerate(game.cells) if cell and len(cell) == 2)
    gap = game.cells.index(None)
    view = View(highlights={number: "hint slides:up", gap: ""})
    text = "\n".join(lines_of(draw_window(game, view, width=68, height=27).rows))
    assert "↑" in text
    assert "<" in text
    assert "·" in text
    home = dict.fromkeys(range(16), "home")
    rows = draw_window(game, View(highlights=home), width=68, height=27).rows
    assert {span.role for row in rows for span in row if "▀" in span.text} == {""}
    written = draw_window(game, View(highlights=home), width=68, height=27, unicode=False).rows
    numbers = [span for row in written for span in row if span.text.strip().isdigit() and not span.role]
    assert len(numbers) == 15
    assert all(span.strong for span in numbers)


def test_drawn_cursor_has_no_background() -> None:
    game = new_game("tictactoe")
    large, small = (
        draw_window(game, with_cursor(game, 4), width=width, height=height)
        for width, height in ((40, 17), (14, 6))
    )
    assert "┏" in "".join(lines_of(large.rows))
    assert not any(background.kind == "cursor" for background in large.backgrounds)
    assert [background.box.width for background in small.backgrounds if background.kind == "cursor"] == [3]


def test_third_mark_is_drawn_in_ascii() -> None:
    game = new_game("5x5:3,players=3")
    for cell in ((0, 0), (0, 1), (0, 2)):
        game.play(cell)
    lines = lines_of(draw_window(game, View(), width=60, height=24, unicode=False).rows)
    assert [line[19:26].strip() for line in lines[:3]] == ["---", "/", "---"]


@pytest.mark.parametrize(
    ("wide", "high"), [(5, 5), (7, 8), (9, 8), (11, 10), (11, 12), (15, 14), (17, 16), (25, 24), (31, 30)]
)
def test_marks_are_symmetrical(wide: int, high: int) -> None:
    for mark in "XO":
        dots = mark_dots(mark, wide, high)
        assert dots == {(wide - 1 - x, y) for x, y in dots} == {(x, high - 1 - y) for x, y in dots}
    stroke = mark_dots("Z", wide, high)
    assert {(x, y) for x in range(wide) for y in (0, high - 1)} <= stroke
    assert {y for _, y in stroke} == set(range(high))
    assert all(0 <= x < wide for x, _ in stroke)
    assert not mark_dots("·", wide, high)


# Names of layers and columns


def test_long_column_names_are_thinned() -> None:
    assert drawn("29x4:4", 62, 9)[-1].split() == [*"abcdefghijklmnopqrstuvwxyz", "aa", "ac"]
    assert drawn("29x4:4", 90, 9)[-1].split()[-3:] == ["aa", "ab", "ac"]
    game = new_game("14x4:4,gravity")
    heads = {
        column: lines_of(draw_window(game, with_cursor(game, column), width=30, height=6).rows)[0]
        for column in (0, 10, 11)
    }
    assert heads[0].strip() == ">1<2 3 4 5 6 7 8 9  11  13"
    assert heads[10].strip() == "1 2 3 4 5 6 7 8 9 >11< 13"
    assert heads[11].strip() == "1 2 3 4 5 6 7 8 9   >12<"


def test_every_layer_has_column_letters() -> None:
    assert [line.split() for line in drawn("5x3x3:3", 36, 12)[4:]] == [
        [*"abc"],
        ["4", "5"],
        *([str(row), *"······"] for row in (3, 2, 1)),
        [*"abcabc"],
    ]
