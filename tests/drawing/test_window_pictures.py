"""Boards in windows: the pictures of the design, and those of other boards."""

from dataclasses import replace

import pytest

from noughts.drawing.board_text import Window, draw_window
from noughts.drawing.view import View, view_of
from noughts.drawing.viewport import Hidden
from noughts.games.base import Game
from noughts.games.catalogue import new_game, sample
from noughts.games.notation import parse_move
from tests.drawing.test_window import lines_of


def index_at(game: Game, text: str) -> int:
    row, column = parse_move(game, text)
    return int(row * game.shape[1] + column)


def assert_drawn(window: Window, picture: str) -> None:
    """Return *picture*, indented by eight blanks more than the window is drawn."""
    lines = [line.removeprefix("        ").rstrip() for line in picture.strip("\n").split("\n")]
    assert [line.rstrip() for line in lines_of(window.rows)] == lines[: len(window.rows)]
    assert not any(lines[len(window.rows) :])


def marked(game: Game, highlights: dict[str, str], labels: dict[str, str] | None = None) -> View:
    """Return a view with highlights of the cells of a flat board, by letter and number."""
    return replace(
        view_of(game, labels=False),
        highlights={index_at(game, cell): codes for cell, codes in highlights.items()},
        labels={index_at(game, cell): label for cell, label in (labels or {}).items()},
    )


def after(name: str, moves: str) -> Game:
    game = new_game(name)
    for text in moves.split():
        game.play(parse_move(game, text))
    return game


IN_PLAY = "b2 a3 c1 c2"
WON = "b2 a3 c2 a2 c3 c1 a1"


def test_three_by_three_is_drawn_large() -> None:
    game = after("tictactoe", IN_PLAY)
    window = draw_window(game, marked(game, {"a1": "cursor"}), width=68, height=24)
    assert_drawn(
        window,
        """
               ▄▄▄▄▄    │             │
             ▄█▀▀▀▀▀█▄  │             │
            ██       ██ │             │
        3   ██       ██ │             │
             ▀█▄▄▄▄▄█▀  │             │
               ▀▀▀▀▀    │             │
           ─────────────┼─────────────┼─────────────
                        │ ▄▄▄     ▄▄▄ │┌   ▄▄▄▄▄   ┐
                        │  ▀██▄ ▄██▀  ││ ▄█▀▀▀▀▀█▄ │
                        │    ▀███▀    ││██       ██│
        2               │    ▄███▄    ││██       ██│
                        │  ▄██▀ ▀██▄  ││ ▀█▄▄▄▄▄█▀ │
                        │ ▀▀▀     ▀▀▀ │└   ▀▀▀▀▀   ┘
           ─────────────┼─────────────┼─────────────
           ┏━         ━┓│             │ ▄▄▄     ▄▄▄
                        │             │  ▀██▄ ▄██▀
                        │             │    ▀███▀
        1               │             │    ▄███▄
                        │             │  ▄██▀ ▀██▄
           ┗━         ━┛│             │ ▀▀▀     ▀▀▀
                 a             b             c
        """,
    )
    assert window.boxes[6] == (3, 14, 13, 6)
    assert (window.width, window.height) == (44, 21)


def test_three_by_three_in_less_room() -> None:
    game = after("tictactoe", IN_PLAY)
    view = marked(game, {"a1": "cursor"})
    picture = """
            ▄▀▀▀▄ │       │
        3   █   █ │       │
             ▀▀▀  │       │
           ───────┼───────┼───────
                  │ ▀▄ ▄▀ │┌▄▀▀▀▄┐
        2         │  ▄▀▄  ││█   █│
                  │ ▀   ▀ │└ ▀▀▀ ┘
           ───────┼───────┼───────
           ┏     ┓│       │ ▀▄ ▄▀
        1         │       │  ▄▀▄
           ┗     ┛│       │ ▀   ▀
              a       b       c
        """
    assert_drawn(draw_window(game, view, width=26, height=16), picture)
    assert_drawn(draw_window(game, view, width=34, height=13), picture)


def test_names_of_cells_precede_size() -> None:
    """Smaller cells have letters and numbers outside if larger ones leave no room for them."""
    game = after("tictactoe", IN_PLAY)
    assert lines_of(draw_window(game, width=20, height=12).rows)[0] == "3  O │   │"
    assert lines_of(draw_window(game, width=20, height=5).rows)[-1].split() == ["a", "b", "c"]


def test_three_by_three_fits_little_room() -> None:
    game = after("tictactoe", IN_PLAY)
    view = marked(game, {"a1": "cursor"})
    assert_drawn(
        draw_window(game, view, width=22, height=7),
        """
        3  O │   │
          ───┼───┼───
        2    │ X │[O]
          ───┼───┼───
        1 >·<│   │ X
           a   b   c
        """,
    )
    assert_drawn(
        draw_window(game, view, width=22, height=4, unicode=False),
        """
        3  O  .  .
        2  .  X [O]
        1 >.< .  X
           a  b  c
        """,
    )
    assert_drawn(
        draw_window(game, view, width=7, height=4),
        """
         O · ·
         · X[O]
        >·<· X
        """,
    )


def test_won_three_by_three_is_struck() -> None:
    game = after("tictactoe", WON)
    assert_drawn(
        draw_window(game, width=26, height=13),
        """
            ▄▀▀▀▄ │       │ ▀▄ ▄█▀
        3   █   █ │       │  ▄█▀
             ▀▀▀  │       │▄█▀  ▀
           ───────┼──────▄█▀──────
            ▄▀▀▀▄ │ ▀▄ ▄█▀│ ▀▄ ▄▀
        2   █   █ │  ▄█▀  │  ▄▀▄
             ▀▀▀  │▄█▀  ▀ │ ▀   ▀
           ──────▄█▀──────┼───────
           ┌▀▄ ▄█┐│       │ ▄▀▀▀▄
        1  │ ▄█▀ ││       │ █   █
           └█▀  ▀┘│       │  ▀▀▀
              a       b       c
        """,
    )
    assert lines_of(draw_window(game, width=24, height=6).rows)[4] == "1 [X*│   │ O"


@pytest.mark.parametrize(
    ("game", "width", "height", "lowest"),
    [
        ("connect4", 40, 9, "┃             - <-> +3┃"),
        ("gomoku", 36, 16, " 1 └─┴─┴─┴─┴─┴─┴─┴─┴─┴─┴─┴ -<->+"),
        ("4x4:4", 24, 8, "1    │-10│<->│ +3"),
        ("5x5:4", 60, 30, "1           │         │   -10   │  <-4>   │   +3"),
    ],
)
def test_values_keep_the_board_in_place(game: str, width: int, height: int, lowest: str) -> None:
    """A value without room in its cell is shown as its sign."""
    board = new_game(game)
    last = len(board.cells) - 1
    labels = {last - 2: "-10", last - 1: "-4", last: "+3"}
    view = View(labels=labels, highlights={last - 2: "loss", last - 1: "loss hint", last: "win"})
    before, after = (draw_window(board, shown, width=width, height=height) for shown in (View(), view))
    assert after.boxes == before.boxes
    assert lowest in lines_of(after.rows)


def test_values_are_drawn_in_cells() -> None:
    game = after("tictactoe", "c2 c1 b1 a1")
    view = marked(
        game,
        {"a3": "draw", "b3": "loss", "c3": "loss", "a2": "loss", "b2": "win hint"},
        {"a3": "=", "b3": "-4", "c3": "-4", "a2": "-4", "b2": "+3"},
    )
    assert_drawn(
        draw_window(game, view, width=26, height=13),
        """
                  │       │
        3     =   │  -4   │  -4
                  │       │
           ───────┼───────┼───────
                  │       │ ▀▄ ▄▀
        2    -4   │ <+3>  │  ▄▀▄
                  │       │ ▀   ▀
           ───────┼───────┼───────
           ┌▄▀▀▀▄┐│ ▀▄ ▄▀ │ ▄▀▀▀▄
        1  │█   █││  ▄▀▄  │ █   █
           └ ▀▀▀ ┘│ ▀   ▀ │  ▀▀▀
              a       b       c
        """,
    )
    assert_drawn(
        draw_window(game, view, width=22, height=7),
        """
        3  = │ -4│ -4
          ───┼───┼───
        2  -4│<+>│ X
          ───┼───┼───
        1 [O]│ X │ O
           a   b   c
        """,
    )


def test_threats_have_signs() -> None:
    game = after("torus", "11 6 2 3 9 12")
    codes = {0: "threat", 3: "own-threat", 6: "own-threat threat", 7: "hint threat", 9: "cursor threat"}
    view = replace(view_of(game, labels=False), highlights=codes)
    assert_drawn(
        draw_window(game, view, width=14, height=4),
        """
         !·! X  O +·+
          ·  O +·!<·>
          X >·< X [O]
          ·  ·  ·  ·
        """,
    )
    large = lines_of(draw_window(game, view, width=36, height=19).rows)[1:]
    assert large[1] == "4  !     !│  ▄▀▄  │ █   █ │+     +"
    assert large[5] == "3         │ █   █ │+     !│  < >"
    assert large[9] == "2    ▄▀▄  │!     !│  ▄▀▄  ││█   █│"


QUBIC = "26 27 23 21 16 4 1 10 39 38 41 44 52 55 53 34"
OPEN, CLOSED = (2, 5, 18, 30, 42, 43, 56, 62, 64), (6, 17, 24, 32, 54)


def qubic_with_lines() -> tuple[Game, View]:
    game = after("qubic", QUBIC)
    codes = {index - 1: "open" for index in OPEN} | {index - 1: "closed" for index in CLOSED}
    return game, replace(view_of(game, labels=False), highlights={**codes, 21: "cursor"})


def test_layers_are_drawn_side_by_side() -> None:
    game, view = qubic_with_lines()
    window = draw_window(game, view, width=66, height=20, focus=21)
    assert_drawn(
        window,
        """
           1                  >2<
        4  X │ • │   │ O       : │ • │   │
          ───┼───┼───┼───     ───┼───┼───┼───
        3  • │ : │   │         O │>·<│ X │ :
          ───┼───┼───┼───     ───┼───┼───┼───
        2    │ O │   │           │ X │ O │
          ───┼───┼───┼───     ───┼───┼───┼───
        1    │   │   │ X         │ • │   │ :

           3                   4
        4    │[O]│   │           │   │   │ X
          ───┼───┼───┼───     ───┼───┼───┼───
        3    │ O │ X │         X │ : │ O │ •
          ───┼───┼───┼───     ───┼───┼───┼───
        2  X │ • │ • │ O         │   │   │
          ───┼───┼───┼───     ───┼───┼───┼───
        1    │   │   │           │ • │   │ •
           a   b   c   d       a   b   c   d
        """,
    )
    assert window.is_whole
    assert window.cell_at(27, 3) == 21


def test_layers_move_closer_together() -> None:
    game, view = qubic_with_lines()
    assert_drawn(
        draw_window(game, view, width=58, height=10, focus=21),
        """
          1        >2<        3         4
        4 X • · O   : • · ·   ·[O]· ·   · · · X
        3 • : · ·   O>·<X :   · O X ·   X : O •
        2 · O · ·   · X O ·   X • • O   · · · ·
        1 · · · X   · • · :   · · · ·   · • · •
          a b c d   a b c d   a b c d   a b c d
        """,
    )
    tight = draw_window(game, view, width=40, height=5, focus=21)
    assert lines_of(tight.rows)[2] == " • : · ·   O>·<X :   · O X ·   X : O •"


def test_layers_in_rows() -> None:
    game, view = qubic_with_lines()
    assert_drawn(
        draw_window(game, view, width=30, height=11, focus=21),
        """
         1             >2<
         X  •  ·  O     :  •  ·  ·
         •  :  ·  ·     O >·< X  :
         ·  O  ·  ·     ·  X  O  ·
         ·  ·  ·  X     ·  •  ·  :

         3              4
         · [O] ·  ·     ·  ·  ·  X
         ·  O  X  ·     X  :  O  •
         X  •  •  O     ·  ·  ·  ·
         ·  ·  ·  ·     ·  •  ·  •
        """,
    )


def test_narrow_window_shows_layers_around_cursor() -> None:
    game, view = qubic_with_lines()
    window = draw_window(game, view, width=22, height=7, focus=21)
    assert_drawn(
        window,
        """
          1        >2< ▸ 2
        4 X • · O   : • · ·
        3 • : · ·   O>·<X :
        2 · O · ·   · X O ·
        1 · · · X   · • · :
          a b c d   a b c d
        """,
    )
    assert (window.beyond, window.is_whole, window.is_named) == (Hidden(right=2), False, True)
    (labels, *_) = lines_of(draw_window(game, width=22, height=7).rows)  # The layers around the last move.
    assert labels == "  2         3  ◂ 1 ▸ 1"
    (labels, *_) = lines_of(draw_window(game, width=20, height=7).rows)
    assert labels == "  2         3  ◂▸"


def test_tiny_window_shows_part_of_a_layer() -> None:
    game, view = qubic_with_lines()
    window = draw_window(game, view, width=12, height=4, focus=21)
    assert_drawn(
        window,
        """
        >2< ◂ 1 ▸ 2
         :  •  ·  ·
         O >·< X  :
         ·  X  O  ·
        """,
    )
    assert (window.beyond, window.hidden) == (Hidden(left=1, right=2), Hidden(below=1))
    assert lines_of(draw_window(game, view, width=9, height=3, focus=21).rows)[0] == " : • · ·"


def test_more_dimensions_show_whole_blocks_or_rows() -> None:
    game, more = sample("4d"), new_game("3x3x3x3x3:3")
    labels = [lines_of(draw_window(game, width=width, height=12).rows)[0] for width in (60, 24, 12)]
    assert labels == [
        "   1.1         1.2         1.3  ▼ 1",
        "  1.1     1.2     1.3  ▼",
        "   1.1  ▸▼",
    ]
    low = draw_window(game, width=12, height=12, focus=80)
    assert (low.beyond, lines_of(low.rows)[0]) == (Hidden(1, 0, 2, 0), "   2.3  ◂▲")
    window = draw_window(more, width=60, height=15, focus=242)
    assert lines_of(window.rows)[0] == "  2.1.1  2.1.2  2.1.3   3.1.1  3.1.2  3.1.3  ◂ 9"
    assert lines_of(draw_window(more, width=26, height=10, focus=242).rows)[0] == "  3.2.1  3.2.2  3.2.3  ▲ 7"


def test_layer_names_stay_apart() -> None:
    labels = lines_of(draw_window(new_game("2x2x2x2x2x2:2"), width=60, height=14).rows)[0]
    assert labels.split()[:3] == ["1.1.1.1", "1.1.1.2", "1.2.1.1"]


def test_four_dimensions_form_a_grid() -> None:
    game = sample("4d")
    assert_drawn(
        draw_window(game, width=60, height=20),
        """
           1.1         1.2         1.3
        3  O  ·  X     ·  ·  ·     ·  ·  ·
        2  ·  ·  ·     ·  ·  ·     ·  ·  ·
        1 [X] ·  ·     ·  ·  ·     ·  ·  ·

           2.1         2.2         2.3
        3  ·  ·  ·     ·  ·  ·     ·  ·  ·
        2  ·  ·  ·     X  X  O     ·  ·  ·
        1  ·  ·  ·     ·  ·  ·     ·  ·  ·

           3.1         3.2         3.3
        3  ·  ·  ·     ·  ·  ·     ·  ·  ·
        2  ·  ·  ·     ·  ·  ·     ·  ·  ·
        1  ·  ·  ·     ·  ·  ·     O  ·  ·
           a  b  c     a  b  c     a  b  c
        """,
    )


GOMOKU = "h8 h9 g8 f8 i8 j8 g9 i7 i9 g7 h10 g10 f9 e9 g11 i11 h7 h6 f10 e7 d6 e10 i6"


def gomoku() -> tuple[Game, View, int]:
    game = after("gomoku", GOMOKU)
    return game, marked(game, {"j9": "cursor"}), index_at(game, "j9")


def test_gomoku_is_drawn_whole() -> None:
    game, view, focus = gomoku()
    assert_drawn(
        draw_window(game, view, width=66, height=24, focus=focus),
        """
        15  ┌──┬──┬──┬──┬──┬──┬──┬──┬──┬──┬──┬──┬──┬──┐
        14  ├──┼──┼──┼──┼──┼──┼──┼──┼──┼──┼──┼──┼──┼──┤
        13  ├──┼──┼──┼──┼──┼──┼──┼──┼──┼──┼──┼──┼──┼──┤
        12  ├──┼──┼──╋──┼──┼──┼──┼──┼──┼──┼──╋──┼──┼──┤
        11  ├──┼──┼──┼──┼──┼─ X ─┼─ O ─┼──┼──┼──┼──┼──┤
        10  ├──┼──┼──┼─ O  X  O  X ─┼──┼──┼──┼──┼──┼──┤
         9  ├──┼──┼──┼─ O  X  X  O  X >·<─┼──┼──┼──┼──┤
         8  ├──┼──┼──┼──┼─ O  X  X  X  O ─┼──┼──┼──┼──┤
         7  ├──┼──┼──┼─ O ─┼─ O  X  O ─┼──┼──┼──┼──┼──┤
         6  ├──┼──┼─ X ─┼──┼──┼─ O [X]─┼──┼──┼──┼──┼──┤
         5  ├──┼──┼──┼──┼──┼──┼──┼──┼──┼──┼──┼──┼──┼──┤
         4  ├──┼──┼──╋──┼──┼──┼──┼──┼──┼──┼──╋──┼──┼──┤
         3  ├──┼──┼──┼──┼──┼──┼──┼──┼──┼──┼──┼──┼──┼──┤
         2  ├──┼──┼──┼──┼──┼──┼──┼──┼──┼──┼──┼──┼──┼──┤
         1  └──┴──┴──┴──┴──┴──┴──┴──┴──┴──┴──┴──┴──┴──┘
            a  b  c  d  e  f  g  h  i  j  k  l  m  n  o
        """,
    )


def test_scrolled_gomoku_shows_part_of_board() -> None:
    game, view, focus = gomoku()
    window = draw_window(game, view, width=45, height=13, focus=focus, origin=(3, 2))
    assert_drawn(
        window,
        """
        12 ├─┼─┼─╋─┼─┼─┼─┼─┼─┼─┼─╋─┼─┼─┤  ▲ 3
        11 ├─┼─┼─┼─┼─┼ X─┼ O─┼─┼─┼─┼─┼─┤
        10 ├─┼─┼─┼ O X O X─┼─┼─┼─┼─┼─┼─┤
         9 ├─┼─┼─┼ O X X O X>·<┼─┼─┼─┼─┤
         8 ├─┼─┼─┼─┼ O X X X O─┼─┼─┼─┼─┤
         7 ├─┼─┼─┼ O─┼ O X O─┼─┼─┼─┼─┼─┤
         6 ├─┼─┼ X─┼─┼─┼ O[X]┼─┼─┼─┼─┼─┤
         5 ├─┼─┼─┼─┼─┼─┼─┼─┼─┼─┼─┼─┼─┼─┤
         4 ├─┼─┼─╋─┼─┼─┼─┼─┼─┼─┼─╋─┼─┼─┤
         3 ├─┼─┼─┼─┼─┼─┼─┼─┼─┼─┼─┼─┼─┼─┤
         2 ├─┼─┼─┼─┼─┼─┼─┼─┼─┼─┼─┼─┼─┼─┤
         1 └─┴─┴─┴─┴─┴─┴─┴─┴─┴─┴─┴─┴─┴─┘
           a b c d e f g h i j k l m n o
        """,
    )
    assert window.hidden == Hidden(3, 0, 0, 0)
    assert (window.is_named, window.height) == (True, 13)
    assert (window.width, window.reach) == (33, 37)
    low = draw_window(game, view, width=45, height=13, unicode=False, focus=0)
    assert lines_of(low.rows)[9:12] == [
        " 6 . . . X . . . O[X]. . . . . .",
        " 5 . . . . . . . . . . . . . . .",
        " 4 . . . + . . . . . . . + . . .  v 3",
    ]


def test_nineteen_rows_scroll_in_smallest_window() -> None:
    window = draw_window(new_game("19x19:5"), width=60, height=17, focus=180)
    assert (window.boxes[0].width, window.boxes[19].y, window.hidden) == (2, 1, Hidden(0, 3, 0, 0))


@pytest.mark.parametrize(
    ("height", "focus", "lines"),
    [
        (
            6,
            21,
            [
                ">1<2 3 4 5 6 7",
                "┃             ┃ ▲",
                "┃             ┃",
                "> <           ┃",
                "┃             ┃ ▼",
            ],
        ),
        (4, 41, [" 1 2 3 4 5 6>7<", " · · · · · · ·  ▲", " · · · · · · ·", " · · · · · ·>·<"]),
        (2, 41, ["  ·  ·  ·  ·  ·  ·  ·", "  ·  ·  ·  ·  ·  · >·<"]),
    ],
)
def test_falling_marks_show_hidden_rows(height: int, focus: int, lines: list[str]) -> None:
    game = new_game("connect4")
    window = draw_window(game, View(highlights={focus: "cursor"}), width=24, height=height, focus=focus)
    assert lines_of(window.rows) == lines
    assert window.hidden.above


def test_gomoku_scrolls_in_little_room() -> None:
    game, view, focus = gomoku()
    window = draw_window(game, view, width=22, height=9, focus=focus, origin=(5, 4))
    assert_drawn(
        window,
        """
        11 ┼─┼ X─┼ O─┼─┼─┼  ▲
        10 O X O X─┼─┼─┼─┼
         9 O X X O X>·<┼─┼
         8 ┼ O X X X O─┼─┼
         7 O─┼ O X O─┼─┼─┼
         6 ┼─┼─┼ O[X]┼─┼─┼
         5 ┼─┼─┼─┼─┼─┼─┼─┼
         4 ┼─┼─┼─┼─┼─┼─┼─╋  ▼
        ◂  e f g h i j k l  ▸
        """,
    )
    assert window.hidden == Hidden(4, 3, 4, 3)
    assert window.origin == (4, 4)


# Other boards


def test_walls_and_column_numbers() -> None:
    game = after("connect4", "4 4 3")
    view = replace(view_of(game, labels=False), highlights={1: "cursor"})
    window = draw_window(game, view, width=60, height=8)
    assert_drawn(
        window,
        """
          1 >2< 3  4  5  6  7
        ┃   > <               ┃
        ┃                     ┃
        ┃                     ┃
        ┃                     ┃
        ┃          O          ┃
        ┃      [X] X          ┃
        ┗━━━━━━━━━━━━━━━━━━━━━┛
        """,
    )
    assert [window.cell_at(x, 0) for x in (0, 1, 3, 4, 21, 22)] == [None, 0, 0, 1, 6, None]


def test_joined_sides_have_no_walls() -> None:
    assert_drawn(
        draw_window(after("5x2:4,gravity,wrap=x", "5 3"), width=40, height=4),
        """
          1  2  3  4  5
        ╎               ╎
        ╎      [O]    X ╎
        ━━━━━━━━━━━━━━━━━
        """,
    )


def test_scrolled_board_with_walls() -> None:
    game = after("12x9:4,gravity", "12 12")
    window = draw_window(game, width=30, height=8, focus=9 * 12 - 1)
    assert_drawn(
        window,
        """
        ◂ 5  6  7  8  9 10 11 12
                                 ┃ ▲
                                 ┃
                                 ┃
                                 ┃
                              [O]┃
                               X ┃
        ━━━━━━━━━━━━━━━━━━━━━━━━━┛
        """,
    )
    assert (window.cell_at(23, 0), window.cell_at(27, 0)) == (3 * 12 + 11, None)


def test_floor_is_below_the_lowest_layer() -> None:
    lines = lines_of(draw_window(sample("score4"), width=70, height=14).rows)
    assert lines[-1].strip() == "━" * 12
    assert sum("━" in line for line in lines) == 1
    one = draw_window(sample("score4"), width=12, height=6, focus=63)
    assert (one.beyond, lines_of(one.rows)[-1]) == (Hidden(left=3), "━" * 12)
    assert "━" not in "".join(lines_of(draw_window(sample("score4"), width=12, height=6, focus=0).rows))


def test_fields_show_choice_and_owners() -> None:
    game = sample("ultimate")
    view = replace(view_of(game, labels=False), highlights={40: "cursor"})
    assert_drawn(
        draw_window(game, view, width=40, height=20),
        """
        9   ·  O  X  ┃  ·  O  ·  ┃  ·  ·  ·
        8   ·  ·  ·  ┃  X  X [O] ┃  ·  ·  X
        7   ·  O  ·  ┃  ·  O  ·  ┃  O  X  X
           ━━━━━━━━━━╋━━━━━━━━━━━╋━━━━━━━━━━
        6   ·  ·  ·  ┃  O  X  O  ┃┏ X  X  O ┓
        5   ·  ·  O  ┃  · >X< ·  ┃  •  •  •
        4   ·  X  ·  ┃  ·  ·  ·  ┃┗ •  •  • ┛
           ━━━━━━━━━━╋━━━━━━━━━━━╋━━━━━━━━━━
        3   X  X  ·  ┃   ▄▀▀▀▄   ┃  ·  ·  O
        2   ·  ·  ·  ┃   █   █   ┃  ·  ·  ·
        1   ·  ·  ·  ┃   ▀▄▄▄▀   ┃  O  ·  ·
            a  b  c     d  e  f     g  h  i
        """,
    )
    assert_drawn(
        draw_window(game, view, width=20, height=9, focus=40),
        """
        8 · · ┃ X X[O]┃ ·  ▲
        7 O · ┃ · O · ┃ O
          ━━━━╋━━━━━━━╋━━
        6 · · ┃ O X O ┃┏X┓
        5 · O ┃ ·>X<· ┃ •
        4 X · ┃ · · · ┃┗•┛
          ━━━━╋━━━━━━━╋━━
        3 X · ┃ · · · ┃ ·  ▼
        ◂ b c   d e f   g  ▸
        """,
    )
    low = draw_window(game, view, width=26, height=9, focus=60)
    assert lines_of(low.rows)[4] == "3 X X · ┃ ▄▀▀▀▄ ┃ · · O"  # The won field is completely visible.
    part = draw_window(game, view, width=20, height=9, focus=40)
    washed = [background.box for background in part.backgrounds if background.kind == "wash"]
    assert [(box.width, box.height) for box in washed] == [(7, 1)]


def test_tiles_are_drawn() -> None:
    game = sample("fifteen")
    view = replace(view_of(game, labels=False), highlights={8: "cursor", 10: "hint"})
    assert_drawn(
        draw_window(game, view, width=30, height=11),
        """
        4    1 │  2 │  3 │  4
           ────┼────┼────┼────
        3    5 │  6 │  7 │  8
           ────┼────┼────┼────
        2  > 9<│[10]│< ·>│ 11
           ────┼────┼────┼────
        1   13 │ 14 │ 15 │ 12
             a    b    c    d
        """,
    )
    large = draw_window(game, view, width=60, height=22)
    assert lines_of(large.rows)[10].startswith("   ┏━     ━┓│")
    assert lines_of(large.rows)[-1].split() == list("abcd")
    assert (large.boxes[15].width, large.boxes[15].height) == (9, 4)
    sliding = View(highlights={11: "slides:down", 14: "home slides:right"})
    small = lines_of(draw_window(game, sliding, width=24, height=12).rows)
    assert "11↓" in "".join(small)
    assert "15→" in "".join(small)
    assert_drawn(
        draw_window(game, view, width=16, height=4),
        """
          1   2   3   4
          5   6   7   8
        > 9<[10]< ·> 11
         13  14  15  12
        """,
    )
    tight = lines_of(draw_window(game, sliding, width=13, height=4).rows)
    assert tight[2:] == ["  9 10  · 11↓", " 13 14 15→12"]


def test_row_is_numbered_below() -> None:
    assert lines_of(draw_window(new_game("7:3"), width=30, height=4).rows) == [
        "   │   │   │   │   │   │",
        " 1   2   3   4   5   6   7",
    ]
    counted_from_0 = draw_window(new_game("4:3"), width=20, height=2, first=0)
    assert lines_of(counted_from_0.rows)[1] == " 0   1   2   3"


def test_custom_labels_are_written() -> None:
    game = new_game("4x4")
    rows = lines_of(draw_window(game, view_of(game), width=20, height=4).rows)
    assert rows == [" 1  2  3  4", " 5  6  7  8", " 9  10 11 12", " 13 14 15 16"]


def test_wide_letters_widen_cells() -> None:
    window = draw_window(new_game("800x5:3"), width=30, height=7, focus=799)
    assert lines_of(window.rows)[5] == "◂ ado adp adq adr ads adt"


def test_every_window_notes_hidden_columns() -> None:
    wide = new_game("60x60:5")
    edge = lines_of(draw_window(wide, width=25, height=9, focus=1800).rows)
    assert (edge[0], edge[-1]) == ("35  ├──┼──┼──┼──┼──┼  ▲", "    a  b  c  d  e  f  ▸")
    middle = lines_of(draw_window(wide, width=32, height=9, focus=1840).rows)
    assert (middle[0], middle[-1]) == ("35  ┼──┼──┼──┼──┼──┼──┼──┼  ▲ 25", "◂   aj ak al am an ao ap aq ▸ 17")
    layer = draw_window(new_game("9x9x9:4"), width=20, height=9, focus=4 * 81 + 40)
    drawn = lines_of(layer.rows)
    assert (drawn[0], drawn[-1]) == ("  5  ◂ 4 ▸ 4", "  a b c d e f g h  ▸")


def test_names_of_cells_precede_walls_and_lines() -> None:
    falling = draw_window(new_game("connect4"), width=20, height=7)
    assert lines_of(falling.rows)[0] == " 1 2 3 4 5 6 7"
    assert (falling.is_named, falling.is_whole, falling.height) == (True, True, 7)
    assert lines_of(draw_window(new_game("5x5"), width=24, height=9).rows)[5] == "   a  b  c  d  e"
    assert not draw_window(new_game("9x9:5"), width=60, height=9).is_named
    assert not draw_window(new_game("9x9:5"), width=60, height=8).is_whole


FIELDS_WON = "31 3 9 17 49 57 7 10 28 19 66 54 70 38 40 46 64 30 8 14 65"
"""X has three fields of Ultimate on a diagonal."""


def test_three_fields_in_a_row_are_struck() -> None:
    game = after("ultimate", FIELDS_WON)
    view = replace(view_of(game, labels=False), last=frozenset())
    assert_drawn(
        draw_window(game, view, width=40, height=17),
        """
        9   ·  ·  O  ┃  ·  ·  ·  ┃   ▀▄ ▄▄█▀
        8   O  ·  ·  ┃  ·  O  ·  ┃    ▄█▀
        7   O  ·  ·  ┃  ·  ·  ·  ┃ ▄█▀▀ ▀▄
           ━━━━━━━━━━╋━━━━━━━━━━▄█▀━━━━━━━━━
        6    ▄▀▀▀▄   ┃   ▀▄ ▄▄█▀ ┃  ·  ·  ·
        5    █   █   ┃    ▄█▀    ┃  ·  ·  ·
        4    ▀▄▄▄▀   ┃ ▄█▀▀ ▀▄   ┃  ·  ·  O
           ━━━━━━━━━▄█▀━━━━━━━━━━╋━━━━━━━━━━
        3    ▀▄ ▄▄█▀ ┃  ·  ·  ·  ┃  ·  ·  ·
        2     ▄█▀    ┃  ·  ·  ·  ┃  X  ·  ·
        1  ▄█▀▀ ▀▄   ┃  ·  ·  ·  ┃  ·  ·  ·
            a  b  c     d  e  f     g  h  i
        """,
    )


def test_partly_visible_fields_are_not_struck() -> None:
    game = after("ultimate", FIELDS_WON)
    window = draw_window(game, view_of(game, labels=False), width=24, height=9, focus=80)
    assert not window.is_whole
    assert "▄█▀" not in "".join(lines_of(window.rows))
