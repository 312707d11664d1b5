"""Boards as text: the pictures of the design, at every width."""

from dataclasses import replace
from random import Random
from unicodedata import combining, east_asian_width

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.drawing.board_text import MIN_WIDTH, draw_spans, draw_text
from noughts.drawing.canvas import LINE, Canvas
from noughts.drawing.signs import around
from noughts.drawing.view import View, cell_labels, choosable, view_of
from noughts.games.base import PASS, Game
from noughts.games.catalogue import CATALOGUE, new_game
from noughts.games.layout import Layout, grid_layout, star_points
from noughts.games.notation import parse_move, parse_position
from tests.strategies import games, play_at_random


def played(name: str, moves: str = "") -> Game:
    game = new_game(name)
    for text in moves.split():
        game.play(parse_move(game, text))
    return game


def assert_drawn(game: Game, picture: str, **options: object) -> None:
    """Return *picture*, indented by four blanks more than the board is drawn."""
    lines = [line.removeprefix("    ") for line in picture.strip("\n").split("\n")]
    drawn = draw_text(game, **options)  # type: ignore[arg-type]
    assert drawn == [line.rstrip() for line in lines]


# Large drawn cells


def test_unfinished_board_is_drawn_in_ascii() -> None:
    assert_drawn(
        played("tictactoe", "5 1 9 6"),
        r"""
         .-----.  |           |
         |     |  |           |
         |     |  |     2     |     3
         |     |  |           |
         '-----'  |           |
       -----------+-----------+-----------
                  |   \   /   |+ .-----. +
                  |    \ /    || |     | |
            4     |     X     || |     | |
                  |    / \    || |     | |
                  |   /   \   |+ '-----' +
       -----------+-----------+-----------
                  |           |   \   /
                  |           |    \ /
            7     |     8     |     X
                  |           |    / \
                  |           |   /   \
        """.rstrip(),
        unicode=False,
    )


WON = "5 1 3 4 6 9 7"


def test_won_board_is_struck_in_text() -> None:
    assert_drawn(
        played("tictactoe", WON),
        """
          ▄▄▄▄▄   │           │  ▄     ▄█▀
        ▄▀     ▀▄ │           │   ▀▄ ▄█▀
        █       █ │           │    ▄█▀
        ▀▄     ▄▀ │           │  ▄█▀ ▀▄
          ▀▀▀▀▀   │           │▄█▀     ▀
       ───────────┼──────────▄█▀──────────
          ▄▄▄▄▄   │  ▄     ▄█▀│  ▄     ▄
        ▄▀     ▀▄ │   ▀▄ ▄█▀  │   ▀▄ ▄▀
        █       █ │    ▄█▀    │     █
        ▀▄     ▄▀ │  ▄█▀ ▀▄   │   ▄▀ ▀▄
          ▀▀▀▀▀   │▄█▀     ▀  │  ▀     ▀
       ──────────▄█▀──────────┼───────────
       ┌ ▄     ▄█┐│           │   ▄▄▄▄▄
       │  ▀▄ ▄█▀ ││           │ ▄▀     ▀▄
       │   ▄█▀   ││           │ █       █
       │ ▄█▀ ▀▄  ││           │ ▀▄     ▄▀
       └█▀     ▀ ┘│           │   ▀▀▀▀▀
        """.rstrip(),
    )


def test_won_board_in_less_room() -> None:
    assert_drawn(
        played("tictactoe", WON),
        """
        ▄▀▀▀▄ │       │ ▀▄ ▄█▀
        █   █ │       │  ▄█▀
         ▀▀▀  │       │▄█▀  ▀
       ───────┼──────▄█▀──────
        ▄▀▀▀▄ │ ▀▄ ▄█▀│ ▀▄ ▄▀
        █   █ │  ▄█▀  │  ▄▀▄
         ▀▀▀  │▄█▀  ▀ │ ▀   ▀
       ──────▄█▀──────┼───────
       ┌▀▄ ▄█┐│       │ ▄▀▀▀▄
       │ ▄█▀ ││       │ █   █
       └█▀  ▀┘│       │  ▀▀▀
        """.rstrip(),
        width=34,
    )


def test_narrowest_large_board_has_no_indent() -> None:
    game = played("tictactoe", "5")
    assert max(map(len, draw_text(game, width=23))) == 23
    assert draw_text(game, width=22) == [" 1  2  3", " 4 [X] 6", " 7  8  9"]


def test_row_and_column_boards() -> None:
    row = draw_text(played("tictactoe", "1 4 2 5 3"), width=30)
    assert row[1] == "   ▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀│▀▀▀▀▀│"
    column = draw_text(played("tictactoe", "1 2 4 5 7"), width=30)
    assert column[3] == "   ───█───┼───────┼───────"


def test_wrapping_line_is_struck_in_parts() -> None:
    drawn = draw_text(played("torus", "3 1 6 2 9 4 16"))
    assert drawn[8] == "   ───────▄█▀──────┼───────┼────────"
    assert drawn[12].count("█") == 0
    ascii_drawn = "\n".join(draw_text(played("torus", "3 1 6 2 9 4 16"), unicode=False))
    assert ascii_drawn.count("*") == 3 * 4 + 2


def test_three_sides_and_unknown_marks() -> None:
    drawn = draw_text(played("5x5:4,players=4", "1 2 3 4"))
    assert drawn[:3] == [
        "    ▀▄ ▄▀ │ ▄▀▀▀▄ │ ▀▀▀█▀ │┌     ┐│",
        "     ▄▀▄  │ █   █ │  ▄▀   ││  Y  ││   5",
        "    ▀   ▀ │  ▀▀▀  │ ▀▀▀▀▀ │└     ┘│",
    ]
    struck = draw_text(played("5x5:2,players=4", "1 13 25 4 3 11 23 9"))
    # They are drawn over the line that strikes them.
    assert [line[30] for line in struck if "Y" in line] == ["Y", "Y"]
    wide = draw_text(played("3x1:3,players=3", "1 2 3"), unicode=False)
    assert [line[27:].rstrip() for line in wide] == [
        "+ ------- +",
        "|     /   |",
        "|    /    |",
        "|   /     |",
        "+ ------- +",
    ]


def test_cells_can_be_numbered_from_zero() -> None:
    assert draw_text(played("tictactoe"), width=20, first=0) == [" 0  1  2", " 3  4  5", " 6  7  8"]


# Compact cells


def test_last_move_and_winning_cells_have_signs() -> None:
    assert draw_text(played("tictactoe", WON), width=20) == [" O  · *X*", " O *X* X", "[X* ·  O"]
    assert draw_text(played("tictactoe", "5 1"), width=20, unicode=False) == [
        "[O] 2  3",
        " 4  X  6",
        " 7  8  9",
    ]
    assert draw_text(played("tictactoe", WON), width=20, unicode=False)[0] == " O  . *X*"


def test_gomoku_has_names_and_star_points() -> None:
    drawn = draw_text(played("gomoku", "h8 i9 g9"))
    assert drawn[0] == "15  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·"
    assert drawn[3] == "12  ·  ·  ·  +  ·  ·  ·  ·  ·  ·  ·  +  ·  ·  ·"
    assert drawn[6] == " 9  ·  ·  ·  ·  ·  · [X] ·  O  ·  ·  ·  ·  ·  ·"
    assert drawn[7] == " 8  ·  ·  ·  ·  ·  ·  ·  X  ·  ·  ·  ·  ·  ·  ·"
    assert drawn[15] == "    a  b  c  d  e  f  g  h  i  j  k  l  m  n  o"
    assert len(drawn) == 16


def test_neighbours_share_signs_in_less_room() -> None:
    drawn = draw_text(played("gomoku", "h8 i9 g9"), width=40)
    assert drawn[6] == " 9 · · · · · ·[X]· O · · · · · ·"
    assert drawn[15] == "   a b c d e f g h i j k l m n o"


def test_wide_board_is_cut_into_bands() -> None:
    drawn = draw_text(played("gomoku", "h8"), width=20)
    assert len(drawn) == 3 * 16 + 2
    assert [drawn[number] for number in (15, 32, 49)] == [
        "    a  b  c  d  e",
        "    f  g  h  i  j",
        "    k  l  m  n  o",
    ]
    assert drawn[17 + 7] == " 8  ·  · [X] ·  ·"


def test_long_column_letters_stay_apart() -> None:
    drawn = draw_text(played("30x6:5"), width=96)
    assert drawn[-1].split() == [*"abcdefghijklmnopqrstuvwxyz", "aa", "ab", "ac", "ad"]
    narrow = draw_text(played("30x6:5"), width=79)
    assert narrow[-1].split() == [*"abcdefghijklmnopqrstuvwxyz", "aa", "ac"]
    assert draw_text(played("800x1:5"), width=4000)[-1].split()[-1] == "adt"


def test_joined_sides_have_no_walls() -> None:
    assert draw_text(played("5x2:4,gravity,wrap=x", "5 3")) == [
        "  1  2  3  4  5",
        "╎               ╎",
        "╎      [O]    X ╎",
        "━━━━━━━━━━━━━━━━━",
    ]


def test_falling_marks_have_walls_and_floor() -> None:
    game = played("connect4", "4 4 5 3 6 2 7")
    assert_drawn(
        game,
        """
      1  2  3  4  5  6  7
    ┃                     ┃
    ┃                     ┃
    ┃                     ┃
    ┃                     ┃
    ┃          O          ┃
    ┃    O  O *X**X**X*[X*┃
    ┗━━━━━━━━━━━━━━━━━━━━━┛
        """.rstrip(),
    )
    tight = draw_text(game, width=20, unicode=False)
    assert tight[0] == " 1 2 3 4 5 6 7"
    assert tight[-2:] == ["|  O O*X*X*X[X*", "+-------------+"]
    bands = draw_text(game, width=12)
    assert bands[0] == "  1  2  3"
    assert bands[6:8] == ["┃    O  O", "┗━━━━━━━━━━"]
    assert bands[-2:] == [" [X*┃", "━━━━┛"]


def test_many_columns_have_wide_numbers() -> None:
    assert draw_text(played("12x2:2,gravity"))[0] == "  1  2  3  4  5  6  7  8  9 10 11 12"


def test_planes_are_side_by_side_or_below() -> None:
    game = played("qubic", "1 22 35")
    assert draw_text(game) == [
        "   1              2              3              4",
        "4│ X  2  3  4    17 18 19 20    33 34 [X]36    49 50 51 52",
        "3│ 5  6  7  8    21  O 23 24    37 38 39 40    53 54 55 56",
        "2│ 9 10 11 12    25 26 27 28    41 42 43 44    57 58 59 60",
        "1│13 14 15 16    29 30 31 32    45 46 47 48    61 62 63 64",
        "   a  b  c  d     a  b  c  d     a  b  c  d     a  b  c  d",
    ]
    assert draw_text(game, width=32, unicode=False)[:8] == [
        "   1              2",
        "4| X  2  3  4    17 18 19 20",
        "3| 5  6  7  8    21  O 23 24",
        "2| 9 10 11 12    25 26 27 28",
        "1|13 14 15 16    29 30 31 32",
        "",
        "   3              4",
        "4|33 34 [X]36    49 50 51 52",
    ]


def test_numbers_replace_letters_without_room() -> None:
    assert draw_text(played("qubic", "1 22 35"), width=12)[:2] == [" 1", " X  2  3  4"]


def test_rows_start_with_first_cell_number() -> None:
    drawn = draw_text(played("3x12x12:3", "2"), width=42)
    assert drawn[:3] == [
        "     1",
        "  1  · [X] ·  ·  ·  ·  ·  ·  ·  ·  ·  ·",
        " 13  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·",
    ]
    tight = draw_text(played("3x12x12:3", "2"), width=28)
    assert tight[1] == "  1 ·[X]· · · · · · · · · ·"
    bands = draw_text(played("3x12x12:3", "2"), width=24)
    assert bands[1] == "  1  · [X] ·  ·  ·  ·"
    assert bands[15] == "  7  ·  ·  ·  ·  ·  ·"


def test_four_axes_form_a_grid() -> None:
    drawn = draw_text(played("4d", "41"))
    assert [line for line in drawn if "." in line] == [
        "   1.1         1.2         1.3",
        "   2.1         2.2         2.3",
        "   3.1         3.2         3.3",
    ]
    assert drawn[6] == "3│28 29 30    37 38 39    46 47 48"
    assert drawn[7] == "2│31 32 33    40 [X]42    49 50 51"


def test_falling_through_planes_shows_column_numbers() -> None:
    drawn = draw_text(played("score4", "6 6"), unicode=False)
    assert drawn == [
        " 1              2              3              4",
        " .  .  .  .     .  .  .  .     .  .  .  .     1  2  3  4",
        " .  .  .  .     .  6  .  .     . [O] .  .     5  X  7  8",
        " .  .  .  .     .  .  .  .     .  .  .  .     9 10 11 12",
        " .  .  .  .     .  .  .  .     .  .  .  .    13 14 15 16",
        "                                             ------------",
    ]


FIELDS = "/".join(
    [
        "XXX......",
        "OO.......",
        ".........",
        "...XOXO..",
        "...XOOX..",
        "...OXX...",
        "O........",
        *["." * 9] * 2,
    ]
)


def test_fields_have_heavy_lines_and_owners() -> None:
    game = parse_position(new_game("ultimate"), FIELDS + " O 3")
    game.play((0, 8))
    assert_drawn(
        game,
        """
       ▀▄ ▄▀   ┃  ·  ·  ·  ┃┏ 7  8 [O]┓
         █     ┃  ·  ·  ·  ┃ 16 17 18
       ▄▀ ▀▄   ┃  ·  ·  ·  ┃┗25 26 27 ┛
     ━━━━━━━━━━╋━━━━━━━━━━━╋━━━━━━━━━━
      ·  ·  ·  ┃  X  O  X  ┃  O  ·  ·
      ·  ·  ·  ┃  X  O  O  ┃  X  ·  ·
      ·  ·  ·  ┃  O  X  X  ┃  ·  ·  ·
     ━━━━━━━━━━╋━━━━━━━━━━━╋━━━━━━━━━━
      O  ·  ·  ┃  ·  ·  ·  ┃  ·  ·  ·
      ·  ·  ·  ┃  ·  ·  ·  ┃  ·  ·  ·
      ·  ·  ·  ┃  ·  ·  ·  ┃  ·  ·  ·
        """.rstrip(),
    )


def test_fifteen_has_numbers_in_squares() -> None:
    game = parse_position(new_game("fifteen"), "1,2,3,4/5,6,7,8/9,10,.,11/13,14,15,12")
    game.play((2, 3))
    assert_drawn(
        game,
        """
    4    1 │  2 │  3 │  4
       ────┼────┼────┼────
    3    5 │  6 │  7 │  8
       ────┼────┼────┼────
    2    9 │ 10 │[11]│  ·
       ────┼────┼────┼────
    1   13 │ 14 │ 15 │ 12
         a    b    c    d
        """.rstrip(),
    )
    assert draw_text(game, width=20)[2:] == ["2   9  10 [11]  ·", "1  13  14  15  12", "    a   b   c   d"]


def test_fields_in_less_room() -> None:
    game = parse_position(new_game("ultimate"), FIELDS + " O 3")
    tight = draw_text(game, width=25, unicode=False)
    assert tight[:2] == ["9  \\ /  |       |+. . .+", "8   X   |       | . . ."]
    assert tight[-1] == "  a b c   d e f   g h i"
    bands = draw_text(game, width=20)
    assert [bands[number].strip() for number in (11, 24, 37)] == ["a  b  c", "d  e  f", "g  h  i"]
    assert bands[:2] == ["9    ▀▄ ▄▀", "8      █"]
    assert max(map(len, draw_text(game, width=10))) <= 10


def test_only_choosable_cells_have_numbers() -> None:
    game = new_game("reversi")
    assert cell_labels(game) == {19: "20", 26: "27", 37: "38", 44: "45"}
    assert draw_text(game)[2] == "3           ·"
    assert draw_text(game, width=20)[2] == "3       ·"
    game = played("vanishing", "1 2 3 4 5 6 8")
    assert choosable(game) == {0, 6, 8}


# Signs, labels and highlights


def test_signs_have_an_order() -> None:
    assert around(highlight="cursor", last=True, winning=True) == (">", "*")
    assert around(highlight="cursor", last=True, winning=False) == (">", "]")
    assert around(highlight="hint", last=False, winning=False) == ("<", ">")
    assert around(highlight="open", last=False, winning=False) == (" ", " ")


HIGHLIGHTS = {0: "cursor", 1: "open", 2: "closed", 3: "hint"}


def test_compact_cells_show_highlights() -> None:
    game = played("tictactoe", "5")
    view = view_of(game, highlights=HIGHLIGHTS)
    assert draw_text(game, width=9, view=view) == [">1< •  :", "<4>[X] 6", " 7  8  9"]


def test_forbidden_cells_show_sign_instead_of_number() -> None:
    view = view_of(played("tictactoe", "5"), highlights={0: "forbidden", 2: "forbidden cursor"})
    assert draw_text(played("tictactoe", "5"), width=9, view=view)[0] == " #  2 >#<"


def test_drawn_cells_show_highlights() -> None:
    game = played("tictactoe", "5")
    view = view_of(game, highlights=HIGHLIGHTS)
    drawn = draw_text(game, width=30, view=view)
    assert drawn[:3] == ["   ┏     ┓│       │", "      1   │   •   │   :", "   ┗     ┛│       │"]
    assert drawn[5] == "     <4>  ││ ▄▀▄ ││   6"


def test_leaving_mark_has_signs_at_every_size() -> None:
    game = played("vanishing", "1 2 3 4 5 6")
    assert draw_text(game, width=9)[0] == "~X~~O~ X"
    assert draw_text(game, width=30)[1].startswith("   ~")


def test_threats_are_beside_cell_numbers() -> None:
    game = played("tictactoe", "5")
    view = view_of(
        game, highlights={0: "own-threat", 1: "threat", 2: "threat own-threat", 3: "cursor threat"}
    )
    assert draw_text(game, width=12, view=view) == ["+1+!2!+3!", ">4<[X] 6", " 7  8  9"]
    assert draw_text(game, width=30, view=view)[1] == "   +  1  +│!  2  !│+  3  !"


def test_labels_can_be_any_short_text() -> None:
    game = played("tictactoe", "5")
    view = View(labels={0: "+3", 1: "=", 2: "far too long"})
    assert draw_text(game, width=30, view=view)[1] == "     +3   │   =   │far too"
    assert draw_text(game, width=9, view=View(labels={0: "+3"}))[0] == "+3  ·  ·"


def test_view_marks_last_move_and_lines() -> None:
    won = view_of(played("tictactoe", WON))
    assert (won.last, won.lines, dict(won.labels)) == (frozenset((6,)), ((2, 4, 6),), {})
    assert won.winning == {2, 4, 6}
    fresh = view_of(played("wild"))
    assert (fresh.last, fresh.lines, fresh.winning) == (frozenset(), (), frozenset())
    assert list(fresh.labels.values()) == list("123456789")
    assert view_of(played("connect4", "4")).labels == {}
    slid = new_game("fifteen")
    slid.play(slid.legal_moves()[0])
    assert all(slid.cells[index] is not None for index in view_of(slid).last)


def test_pass_is_no_last_move() -> None:
    game = parse_position(new_game("reversi"), "XO....../" + "/".join(["........"] * 6) + "/......OX O")
    assert game.legal_moves() == [PASS]
    assert choosable(game) == frozenset()
    game.play(PASS)
    assert view_of(game).last == frozenset()


def test_spans_have_roles() -> None:
    first = draw_spans(played("tictactoe", "1 2"), width=9)[0]
    assert [tuple(span) for span in first] == [
        (" ", "", False),
        ("X", "X", True),
        (" ", "", False),
        ("[", "", True),
        ("O", "O", True),
        ("]", "", True),
        (" ", "", False),
        ("3", LINE, False),
    ]
    ruled = draw_spans(played("tictactoe"), width=30)[3]
    assert ruled[-1].role == LINE


# Layout and canvas


def test_star_points_match_real_boards() -> None:
    nineteen = star_points(grid_layout((19, 19)))
    assert len(nineteen) == 9
    assert {(3, 3), (9, 3), (9, 9), (15, 15)} <= nineteen
    assert star_points(grid_layout((9, 9))) == {(2, 2), (2, 6), (4, 4), (6, 2), (6, 6)}
    assert star_points(grid_layout((10, 10))) == {(2, 2), (2, 7), (7, 2), (7, 7)}
    for layout in (
        grid_layout((8, 8)),
        grid_layout((15, 15, 15)),
        grid_layout((15, 15), gravity=True),
        Layout(1, 9, 9, fields=(3, 3)),
        Layout(1, 16, 16, tiles=True),
    ):
        assert star_points(layout) == frozenset()


def test_layout_index_inverts_place() -> None:
    layout = grid_layout((2, 3, 4))
    assert [layout.index(*layout.place(index)) for index in range(24)] == list(range(24))
    assert grid_layout((5,), gravity=True) == Layout(1, 5, 1, gravity=True)
    assert grid_layout((4, 4, 4), gravity=True) == Layout(4, 4, 4, drops=True)


def test_canvas_drops_trailing_blanks() -> None:
    canvas = Canvas()
    assert (canvas.width, canvas.height) == (0, 0)
    canvas.write(2, 1, "a b  ")
    canvas.write(2, 1, " c")
    assert (canvas.width, canvas.height) == (5, 2)
    assert ["".join(span.text for span in line) for line in canvas.spans()] == ["", "  acb"]


# Every game, every width


def assert_well_formed(lines: list[str], width: int) -> None:
    for line in lines:
        assert len(line) <= width
        assert line == line.rstrip()
        assert not any(combining(sign) or east_asian_width(sign) in "WF" for sign in line)


@pytest.mark.slow
@pytest.mark.parametrize("name", [entry.name for entry in CATALOGUE])
def test_lines_fit_the_requested_width(name: str) -> None:
    chance = Random(name)
    for plies in (0, 7, 400):
        game = new_game(name, seed=plies)
        play_at_random(game, plies, chance.randrange(2**32))
        for width in (*range(MIN_WIDTH, 30), *range(30, 121, 7)):
            assert_well_formed(draw_text(game, width=width), width)
            if not width % 5:
                plain = draw_text(game, width=width, unicode=False)
                assert_well_formed(plain, width)
                assert "".join(plain).isascii()
        assert draw_text(game, width=1) == draw_text(game, width=0)


@pytest.mark.slow
@given(games(), st.integers(20, 120))
def test_every_mark_is_drawn_once(game: Game, width: int) -> None:
    lines = draw_text(game, width=width)
    assert_well_formed(lines, width)
    text = "".join(lines)
    drawn_large = "▀" in text or "▄" in text
    if not drawn_large and not game.layout.gravity:
        for mark in game.sides:
            assert text.count(mark) == game.cells.count(mark)


@pytest.mark.slow
@given(games())
def test_cell_numbers_are_moves(game: Game) -> None:
    for index, label in cell_labels(game).items():
        text = game.sides[0] + label if game.notation.kind == "marked" else label
        assert parse_move(game, text) in game.legal_moves()
        assert game.cells[index] is None


# Values of moves

WORTHS = {0: "draw", 1: "loss", 2: "loss", 3: "loss", 4: "win hint"}
WORTH_LABELS = {0: "=", 1: "-4", 2: "-4", 3: "-4", 4: "+3"}


def test_drawn_cells_show_values() -> None:
    view = replace(view_of(played("tictactoe", "8 9 6 7"), highlights=WORTHS), labels=WORTH_LABELS)
    assert_drawn(
        played("tictactoe", "8 9 6 7"),
        r"""
              |       |
          =   |  -4   |  -4
              |       |
       -------+-------+-------
              |       |  \ /
         -4   | <+3>  |   X
              |       |  / \
       -------+-------+-------
       + .-. +|  \ /  |  .-.
       | | | ||   X   |  | |
       + '-' +|  / \  |  '-'
        """.rstrip(),
        width=30,
        unicode=False,
        view=view,
    )


def test_compact_cells_show_values_beside_numbers() -> None:
    view = replace(view_of(played("tictactoe", "8 9 6 7"), highlights=WORTHS), labels=WORTH_LABELS)
    game = played("tictactoe", "8 9 6 7")
    assert draw_text(game, width=20, view=view) == [
        "1   =  -4  -4",
        "4  -4 <+3>  X",
        "7  [O]  X   O",
    ]
    # If a value is too wide for its cell, its sign alone is shown.
    assert draw_text(game, width=10, unicode=False, view=view) == ["1 = - -", "4 -<+>X", "7[O]X O"]


def test_falling_marks_show_values() -> None:
    game = played("3x2:3,gravity", "1 1")
    view = replace(view_of(game, highlights={4: "loss", 5: "draw hint"}), labels={4: "-12", 5: "="})
    assert draw_text(game, view=view) == [
        "    1    2    3",
        "┃  [O]          ┃",
        "┃   X  -12   <=>┃",
        "┗━━━━━━━━━━━━━━━┛",
    ]


def test_large_flat_board_shows_values() -> None:
    game = played("gomoku", "h8")
    view = replace(view_of(game, highlights={0: "win"}), labels={0: "+13"})
    drawn = draw_text(game, view=view)
    assert drawn[0].startswith("15   +13    ·")
    assert drawn[-1].split() == list("abcdefghijklmno")
    assert max(map(len, drawn)) <= 79


def test_values_have_colour_of_winning_side() -> None:
    game = played("tictactoe", "8 9 6 7")
    view = replace(view_of(game, highlights=WORTHS), labels=WORTH_LABELS)
    for width in (20, 30):
        spans = [span for line in draw_spans(game, width=width, view=view) for span in line]
        roles = {label: [span.role for span in spans if label in span.text] for label in ("+3", "-4", "=")}
        assert roles == {"+3": ["X"], "-4": ["O"] * 3, "=": [""]}


def test_tile_game_has_no_values_in_cells() -> None:
    game = new_game("fifteen")
    view = replace(view_of(game, highlights={0: "win"}), labels={0: "+3"})
    for width in (12, 79):
        assert draw_text(game, width=width, view=view) == draw_text(game, width=width)


def test_narrow_cell_cuts_label() -> None:
    view = View(labels={0: "-4"}, highlights={0: "loss hint"})
    drawn = [draw_text(new_game("4x4:4"), width=width, view=view)[0] for width in (11, 15)]
    assert drawn == [" 1<->· · ·", " 1<-4> ·  ·  ·"]


def test_canvas_ignores_negative_columns() -> None:
    canvas = Canvas()
    canvas.write(0, 0, "abc")
    canvas.write(-1, 0, "xy")
    assert [span.text for span in canvas.spans()[0]] == ["ybc"]
