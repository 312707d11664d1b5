"""Tests of notation: text is read exactly, or refused with a code, never with an error of Python."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from noughts import Game, KInARow, TicTacToe, new_game
from noughts.core.geometry import coordinates
from noughts.errors import BadInput, FloatingCell, IllegalMove, NotationError
from noughts.games.base import PASS, Placement
from noughts.games.notation import (
    MAX_TEXT,
    column_letters,
    column_number,
    format_cell,
    format_move,
    format_position,
    parse_move,
    parse_position,
    play_moves,
    split_moves,
)
from tests.strategies import games

MOVE_TEXT = st.text("0123456789abcxoXO- ٣²\n", max_size=6)
POSITION_TEXT = st.text("XO./ 123,;-=Q\n", max_size=40)


# Moves


@pytest.mark.parametrize(
    ("game", "text", "move"),
    [
        ("tictactoe", "1", (0, 0)),
        ("tictactoe", " 5 ", (1, 1)),
        ("tictactoe", "009", (2, 2)),
        ("tictactoe", "b2", (1, 1)),
        ("tictactoe", "A3", (0, 0)),
        ("tictactoe", "c1", (2, 2)),
        ("30x2", "ad1", (1, 29)),
        ("3d", "14", (1, 1, 1)),
        ("5:3", "5", (4,)),
        ("connect4", "4", (5, 3)),
        ("connect4", "d1", (5, 3)),
        ("connect4", "d6", (0, 3)),
        ("score4", "16", (3, 3, 3)),
        ("9:3,gravity", "1", (8,)),
        ("wild", "X5", Placement((1, 1), "X")),
        ("wild", "o 5", Placement((1, 1), "O")),
        ("wild", "ob2", Placement((1, 1), "O")),
        ("7x6:4,gravity,wild", "O4", Placement((5, 3), "O")),
        ("reversi", "pass", PASS),
        ("reversi", " PASS", PASS),
        ("reversi", "d3", (2, 3)),
        ("ultimate", "81", (8, 8)),
        ("fifteen", "16", (3, 3)),
    ],
)
def test_move_text_is_parsed(game: str, text: str, move: Any) -> None:
    assert parse_move(new_game(game), text) == move


def test_cell_numbers_may_start_at_0() -> None:
    assert parse_move(new_game(), "0", first=0) == (0, 0)
    assert format_move(new_game(), (2, 2), first=0) == "8"
    assert parse_move(new_game("connect4"), "1", first=0) == (5, 0)
    assert format_move(new_game("connect4"), (5, 0), first=0) == "1"
    for first in (0, 1):
        with pytest.raises(NotationError) as refused:
            parse_move(new_game(), str(9 + first), first=first)
        assert refused.value.data == {"first": first, "last": 8 + first}


@pytest.mark.parametrize(
    ("game", "text", "reason"),
    [
        *(
            ("tictactoe", text, "no-such-cell")
            for text in ("0", "10", "99", "9999999", "d1", "a0", "a4", "zzzz1", "b123")
        ),
        *(
            ("tictactoe", text, "unreadable")
            for text in (
                "",
                " ",
                "x",
                "-1",
                "+5",
                "5.0",
                "1.5",
                "0_4",
                "٣",
                "²",
                "５",
                "5 5",
                "b 2",
                "2b",
                "5X",
                "ä1",
            )
        ),
        *(
            ("tictactoe", text, "unreadable")
            for text in ("12345678", "b12345678", "abcde1", "\ud800", "5\x00", "1" * 99)
        ),
        ("3d", "b2", "unreadable"),
        ("connect4", "0", "no-such-column"),
        ("connect4", "8", "no-such-column"),
        ("connect4", "", "unreadable"),
        ("connect4", "h1", "no-such-cell"),
        ("score4", "17", "no-such-column"),
        ("score4", "a1", "unreadable"),
        ("wild", "", "mark-missing"),
        ("wild", "5", "mark-missing"),
        ("wild", "Z5", "mark-missing"),
        ("wild", "X", "unreadable"),
        ("wild", "X0", "no-such-cell"),
        ("reversi", "passs", "unreadable"),
        ("tictactoe", "pass", "unreadable"),
        ("tictactoe", None, "unreadable"),
        ("tictactoe", 5, "unreadable"),
        ("tictactoe", b"5", "unreadable"),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_bad_move_text_is_refused(game: str, text: Any, reason: str) -> None:
    with pytest.raises(NotationError) as refused:
        parse_move(new_game(game), text)
    assert (refused.value.what, refused.value.reason) == ("move", reason)


def test_full_column_has_no_move() -> None:
    game = new_game("connect4")
    play_moves(game, ["4"] * 6)
    with pytest.raises(IllegalMove):
        parse_move(game, "4")


@pytest.mark.slow
@given(games(), MOVE_TEXT)
def test_any_move_text_is_handled(game: KInARow, text: str) -> None:
    before = game.key()
    try:
        move = parse_move(game, text)
        assert parse_move(game, format_move(game, move)) == move
        game.copy().play(move)
    except BadInput:
        pass
    assert game.key() == before


@given(st.integers(0, 10**6))
def test_column_letters_are_numbers(column: int) -> None:
    letters = column_letters(column)
    assert column_number(letters) == column_number(letters.upper()) == column
    assert (len(column_letters(column + 1)), column_letters(column + 1)) > (len(letters), letters)


def test_column_letters_skip_none() -> None:
    assert "".join(map(column_letters, range(26))) == "abcdefghijklmnopqrstuvwxyz"
    assert [column_letters(column) for column in (26, 51, 52, 701, 702)] == ["aa", "az", "ba", "zz", "aaa"]


@pytest.mark.parametrize("shape", [(3, 3), (15, 15), (2, 30), (1, 1)])
def test_letters_name_every_flat_cell(shape: tuple[int, int]) -> None:
    game = KInARow(shape=shape, k=1)
    cells = coordinates(shape)
    names = [format_cell(shape, cell) for cell in cells]
    assert len(set(names)) == len(cells)
    assert [parse_move(game, name) for name in names] == list(cells)
    assert names[-shape[1]] == "a1"


def test_single_row_cells_have_numbers() -> None:
    assert format_cell((5,), (4,)) == "5"


@pytest.mark.parametrize("shape", [(4, 4, 4), (3, 3, 3, 3), (2, 12, 2, 3), (2, 2, 2, 2, 2)])
def test_space_cell_name_has_layer_letter_row(shape: tuple[int, ...]) -> None:
    game = KInARow(shape=shape, k=2)
    cells = coordinates(shape)
    names = [format_cell(shape, cell) for cell in cells]
    assert len(set(names)) == len(cells)
    assert [parse_move(game, name) for name in names] == list(cells)


def test_qubic_cell_names() -> None:
    game = new_game("qubic")
    assert [parse_move(game, name) for name in ("1a4", "2b3", "4D1")] == [(0, 0, 0), (1, 1, 1), (3, 3, 3)]
    assert format_cell(game.shape, (0, 0, 0)) == "1a4"


def test_dots_between_layers_may_be_omitted() -> None:
    assert parse_move(new_game("4d"), "21b3") == parse_move(new_game("4d"), "2.1b3") == (1, 0, 0, 1)
    with pytest.raises(NotationError):
        parse_move(new_game("2x12x2x2:2"), "21b2")


@pytest.mark.parametrize("text", ["b3", "5b3", "0b3", "2e1", "2b5", "2.1b3", "2.b3", ".2b3", "2b", "²b3"])
def test_missing_space_cell_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_move(new_game("qubic"), text)


def test_space_name_means_landing_cell_under_gravity() -> None:
    game = new_game("score4")
    game.play(parse_move(game, "4b3"))
    assert game[3, 1, 1] == "X"
    assert parse_move(game, "6") == parse_move(game, "3b3") == (2, 1, 1)
    with pytest.raises(FloatingCell):
        game.play(parse_move(game, "1b3"))


def test_play_moves_stops_at_first_bad_text() -> None:
    game = TicTacToe()
    with pytest.raises(NotationError) as refused:
        play_moves(game, ["5", "1", "5"])
    assert (refused.value.reason, refused.value.data["number"]) == ("cannot-be-played", 3)
    assert game.ply == 2
    with pytest.raises(NotationError):
        play_moves(game, ["x"])


# Positions


@pytest.mark.parametrize(
    ("game", "moves", "text"),
    [
        ("tictactoe", "", ".../.../... X"),
        ("tictactoe", "5 1", "O../.X./... X"),
        ("connect4", "4", "......./......./......./......./......./...X... O"),
        ("5:3", "1 5", "X...O X"),
        ("2x2x2:2", "1 8", "X./..//../.O X"),
        ("2x2x2x2:2", "1", "X./..//../..///../..//../.. O"),
        ("wild", "X5 X1", "X../.X./... X"),
        ("notakto", "5 1", "X../.X./... X"),
        ("three", "1 2 3", "XOZ../...../...../...../..... X"),
        ("vanishing", "", ".../.../... X"),
        ("vanishing", "5", ".../.X./... O 5;"),
        ("vanishing", "5 1 9 2 3 6", "OOX/.XO/..X X 5,9,3;1,2,6"),
        ("ultimate", "1", "X......../" + "/".join(["........."] * 8) + " O 1"),
    ],
)
def test_position_text_round_trip(game: str, moves: str, text: str) -> None:
    played = new_game(game)
    play_moves(played, moves.split())
    assert format_position(played) == text
    again = parse_position(new_game(game), text)
    assert again.key() == played.key()
    assert again.start == text
    assert again.legal_moves() == played.legal_moves()


@pytest.mark.parametrize(
    ("game", "text", "turn"),
    [
        ("tictactoe", "XO./.X./..O", "X"),
        ("tictactoe", "  XO./.X./...  \n", "O"),
        ("tictactoe", "X,O,./.,X,./.,.,O", "X"),
        ("tictactoe", "XO./.X./..O X", "X"),
        ("three", "XOZ../X..../...../...../.....", "O"),
        ("wild", "OO./X../...", "O"),
        ("notakto", "X../.../...", "O"),
        ("vanishing", "X../.O./...", "X"),
        ("vanishing", "XXX/OO./...", "O"),
        ("misere", "XXX/OO./...", "O"),
        ("3x3:3,place=2", "XO./.../...", "O"),
        ("3x3:3,place=2", "XO./.O./..X", "X"),
        ("4x4:4,wild,place=2", "XX../...O/..../....", "X"),
        ("4x4:4,avoid=3", "XXX./OO../..../....", "O"),
        ("4x4:4,avoid=3", "XXXX/OO.O/..../....", "O"),
        ("connect4", "......./......./......./......./...O.../...X...", "X"),
        ("ultimate", "/".join(["........."] * 9), "X"),
        ("fifteen", "1,2,3,4/5,6,7,8/9,10,11,12/13,14,.,15", "X"),
    ],
)
def test_side_to_move_is_derived_from_counts(game: str, text: str, turn: str) -> None:
    if text == "XXX/OO./...":
        text += " O 1,2,3;4,5" if game == "vanishing" else ""
    assert parse_position(new_game(game), text).turn == turn


EMPTY_ULTIMATE = "/".join(["........."] * 9)


@pytest.mark.parametrize(
    ("game", "text", "reason"),
    [
        *(("tictactoe", text, "unreadable") for text in (None, 5, b"...", "." * (MAX_TEXT + 1))),
        *(("tictactoe", text, "parts") for text in ("", "  ", ".../.../... X - -", "a " * 1000)),
        *(
            ("tictactoe", text, "row-count")
            for text in ("...", ".../...", ".../.../.../...", "." * 9, "/" * 10**6)
        ),
        *(
            ("tictactoe", text, "row-length")
            for text in ("../.../...", "..../.../...", "//", "X,O/.../...", ".,.,.,./.../...")
        ),
        *(
            ("tictactoe", text, "unknown-mark")
            for text in ("x../.../...", "Z../.../...", "X,,O/.../...", "\ud800../.../...")
        ),
        *(
            ("tictactoe", text, "unknown-side")
            for text in (".../.../... x", ".../.../... Z", ".../.../... XO")
        ),
        *(
            ("tictactoe", text, "counts")
            for text in ("XX./.../...", "O../.../...", "XX./.../... O", ".../.../... O")
        ),
        ("tictactoe", ".../.../... X 5", "extra-not-used"),
        ("tictactoe", "XXX/OOO/...", "line-of-both"),
        ("tictactoe", "XXX/OO./O..", "line-of-mover"),
        ("4x4:3", "XXX./OO.O/XXX./OO..", "lines-apart"),
        ("misere", "XXX/OO./O..", "line-of-mover"),
        ("wild", "XXX/OOO/...", "line-of-both"),
        ("wild", "XXX/O../...", None),
        ("notakto", "OX./.../...", "unknown-mark"),
        ("connect4", "......./......./......./......./...X.../.......", "floating"),
        ("4x4:3,gravity", "XO../..../XO../XO..", "floating"),
        ("2x2x2:2", "X./../../..", "row-count"),
        ("2x2x2:2", "X.//..", "row-count"),
        ("2x2x2:2", "X./..//../..//../..", "row-count"),
        ("5:3", "X/..O", "unknown-mark"),
        ("5:3", "X..O", "row-length"),
        ("three", "OXZ../ZZ.../...../...../.....", "counts"),
        ("three", "X..../...../...../...../..... Z", "counts"),
        ("3x3:3,place=2", "X../.../... X", "counts"),
        ("3x3:3,place=2", "XX./O../...", "counts"),
        ("4x4:4,avoid=3", "XXX./OO.O/..../....", "line-of-mover"),
        ("4x4:4,avoid=3", "XXX./OO.O/XXX./O..O", "lines-apart"),
        ("5x5:4,avoid=3", "XXXX./OO.../.O.../XXX../OO.O.", "lines-apart"),
        ("vanishing", "XX./OO./...", "ages-missing"),
        ("vanishing", "XXX/OOO/...", "side-unclear"),
        ("vanishing", "XOX/OXO/... ", "side-unclear"),
        ("vanishing", "XXX/X../OOO O", "counts"),
        ("vanishing", "XXX/X../OOO", "counts"),
        *(
            ("vanishing", f"XX./OO./... X {extra}", "ages-wrong")
            for extra in (
                "1,2",
                "1,2;4",
                "1,2;4,4",
                "1,2;4,6",
                "1,2;4,5;",
                "a;b",
                "1,2;4,٥",
                ";",
                "1,2,;4,5",
                "1," + "9" * 5000,
            )
        ),
        ("vanishing", "XX./XOO/O.. X 1,2,4;5,6,7", None),
        ("vanishing", "XXX/OO./O.. X 1,2,3;4,5,7", "line-of-mover"),
        ("vanishing", "OOO/XX./X.. X 4,5,7;1,2,3", None),
        ("ultimate", "X" + EMPTY_ULTIMATE[1:], "field-missing"),
        ("ultimate", "X" + EMPTY_ULTIMATE[1:] + " O 0", "field-wrong"),
        ("ultimate", "X" + EMPTY_ULTIMATE[1:] + " O 10", "field-wrong"),
        ("ultimate", "X" + EMPTY_ULTIMATE[1:] + " O x", "field-wrong"),
        ("ultimate", "X" + EMPTY_ULTIMATE[1:] + " X 1", "counts"),
        ("ultimate", "O" + EMPTY_ULTIMATE[1:] + " X 1", "counts"),
        ("ultimate", "Q" + EMPTY_ULTIMATE[1:], "unknown-mark"),
        ("reversi", "/".join(["........"] * 8), "side-unclear"),
        ("reversi", "/".join(["........"] * 8) + " Z", "unknown-side"),
        ("reversi", "/".join(["........"] * 8) + " X 1", "extra-not-used"),
        ("reversi", "/".join(["Q......."] * 8) + " X", "unknown-mark"),
        ("fifteen", "1,2,3,4/5,6,7,8/9,10,11,12/13,15,14,.", "unsolvable"),
        ("fifteen", "1,2,3,4/5,6,7,8/9,10,11,12/13,14,14,.", "tiles"),
        ("fifteen", "1,2,3,4/5,6,7,8/9,10,11,12/13,14,15,16", "tiles"),
        ("fifteen", "1,2,3,4/5,6,7,8/9,10,11,12/13,14,15,. O", "unknown-side"),
        ("fifteen", "1,2,3,4/5,6,7,8/9,10,11,12/13,14,15,. X 1", "extra-not-used"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_bad_position_is_refused_with_reason(game: str, text: Any, reason: str | None) -> None:
    if reason is None:
        assert format_position(parse_position(new_game(game), text)).startswith(text)
        return
    with pytest.raises(NotationError) as refused:
        parse_position(new_game(game), text)
    assert (refused.value.what, refused.value.reason) == ("position", reason)


@pytest.mark.parametrize("game", ["tictactoe", "ultimate", "reversi", "fifteen", "3d"])
def test_position_needs_cell_count_of_board(game: str) -> None:
    for cells in ([], ["X"], [None] * 1000):
        with pytest.raises(NotationError) as refused:
            new_game(game).at(cells)
        assert refused.value.reason == "cell-count"


@pytest.mark.parametrize("game", ["tictactoe", "ultimate", "reversi", "fifteen", "wild"])
@pytest.mark.parametrize("junk", [5, ["X"], "XX", ""])
def test_position_without_marks_is_refused(game: str, junk: Any) -> None:
    fresh = new_game(game)
    with pytest.raises(NotationError):
        fresh.at([junk, None, *fresh.cells[2:]])


@pytest.mark.slow
@given(games())
def test_played_position_is_read_back_exactly(game: KInARow) -> None:
    text = format_position(game)
    again = parse_position(KInARow(game.rules), text)
    assert format_position(again) == text
    assert (again.cells, again.turn, again.key()) == (game.cells, game.turn, game.key())
    if game.outcome is None:
        assert again.outcome is None
        assert again.legal_moves() == game.legal_moves()
    elif game.outcome.lines:
        assert again.outcome is not None
        assert again.winner == game.winner
        assert {frozenset(line.cells) for line in again.outcome.lines} == {
            frozenset(line.cells) for line in game.outcome.lines
        }


@pytest.mark.slow
@given(
    st.sampled_from(
        ["tictactoe", "wild", "vanishing", "notakto", "three", "5:2,gravity", "2x2x2:2", "4x1:4"]
    ),
    POSITION_TEXT,
)
@example("tictactoe", "XO./.X./..O X 1")
def test_any_position_text_is_handled(name: str, text: str) -> None:
    fresh = new_game(name)
    before = fresh.key()
    try:
        game = parse_position(fresh, text)
    except NotationError:
        return
    finally:
        assert fresh.key() == before
    again = parse_position(new_game(name), format_position(game))
    assert again.key() == game.key()
    for move in game.legal_moves():
        game.play(move)
        game.undo()


@pytest.mark.slow
@given(
    st.sampled_from(["tictactoe", "misere", "4x3:3,exact", "vanishing"]),
    st.text("XO..", min_size=12, max_size=12),
    st.sampled_from(["", " X", " O", " X 1,2;3", " O 1;2"]),
)
def test_random_position_is_handled(name: str, marks: str, rest: str) -> None:
    fresh: Game = new_game(name)
    rows, columns = fresh.shape
    text = "/".join(marks[row * columns : (row + 1) * columns] for row in range(rows)) + rest
    try:
        game = parse_position(fresh, text)
    except NotationError:
        return
    assert format_position(parse_position(fresh, format_position(game))) == format_position(game)
    assert game.is_over == (not game.legal_moves())
    counts = [game.cells.count(mark) for mark in "XO"]
    assert 0 <= counts[0] - counts[1] <= 1


# Moves run together


@pytest.mark.parametrize(
    ("game", "text", "moves"),
    [
        ("reversi", "f5d6c3 d3", ["f5", "d6", "c3", "d3"]),
        ("gomoku", "h8h9i8, a15", ["h8", "h9", "i8", "a15"]),
        ("30x30:5", "aa1b30", ["aa1", "b30"]),
        ("wild", "X5Ob2 O1", ["X5", "Ob2", "O1"]),
        ("connect4", "4455554", ["4", "4", "5", "5", "5", "5", "4"]),
        ("connect4", "d1d2", ["d1", "d2"]),
        ("connect4", "48", ["48"]),
        ("tictactoe", "519", ["5", "1", "9"]),
        ("tictactoe", "55", ["55"]),
        ("tictactoe", "10", ["10"]),
        ("gomoku", "113 98", ["113", "98"]),
        ("score4", "16 4", ["16", "4"]),
        ("qubic", "2b31b4 1A1", ["2b3", "1b4", "1A1"]),
        ("score4", "1a11b1", ["1a1", "1b1"]),
        ("4d", "21b311a1", ["21b3", "11a1"]),
        ("pentago", "8/2r 1/1l", ["8/2r", "1/1l"]),
        ("order-and-chaos", "X5O6", ["X5", "O6"]),
        ("tictactoe", "", []),
    ],
)
def test_moves_may_run_together(game: str, text: str, moves: list[str]) -> None:
    assert split_moves(new_game(game), text) == moves


@pytest.mark.parametrize(("game", "text"), [("11x4x4:4", "2b33a1"), ("4d", "2.1b31.1a1"), ("3d", "2b33a")])
def test_ambiguous_space_moves_may_not_run_together(game: str, text: str) -> None:
    with pytest.raises(NotationError):
        play_moves(new_game(game), split_moves(new_game(game), text))


def test_moves_counted_from_0_may_run_together() -> None:
    assert split_moves(new_game("tictactoe"), "048", 0) == ["0", "4", "8"]
    assert split_moves(new_game("tictactoe"), "019", 0) == ["019"]


def test_forced_pass_may_be_missing() -> None:
    start = "..XXXXOX/XXXXXOOX/XOXOOOOX/XOXOOOOX/XOOOXOOX/XOXOOXOX/XOOOOOXX/XOOXXXXX X"
    game, explicit = (parse_position(new_game("reversi"), start) for _ in range(2))
    play_moves(game, split_moves(game, "b1a1"))
    play_moves(explicit, ["pass", "b1", "a1"])
    assert game.moves == explicit.moves


# Uneven positions


def test_uneven_position_is_a_particular_fact() -> None:
    game = parse_position(TicTacToe(), "XX./.../... O uneven")
    assert (game.turn, game.extra, format_position(game)) == ("O", "uneven", "XX./.../... O uneven")
    assert game.facts == {"UnevenGame"}
    assert game.copy().facts == game.facts
    game.play((0, 2))
    assert format_position(game) == "XXO/.../... X uneven"
    assert game.at(game.cells, "X", "uneven").facts == game.facts
    assert type(game.at([None] * 9)).__name__ == "KInARow"


def test_uneven_renju_position_keeps_black_rules() -> None:
    rows = ["." * 15] * 15
    rows[7] = ".XX.XX........."
    game = parse_position(new_game("renju"), "/".join(rows) + " O uneven")
    assert (7, 3) in game.legal_moves()
    game.play((0, 0))
    assert game.turn == "X"
    rows[7] = ".XXX.XX........"
    game = parse_position(new_game("renju"), "/".join(rows) + " X uneven")
    assert (7, 4) not in game.legal_moves()
    game.play((0, 0))
    assert (7, 4) in game.legal_moves()


@pytest.mark.parametrize(
    ("game", "text", "reason"),
    [
        ("tictactoe", "X../.../... O uneven", "extra-not-used"),
        ("tictactoe", "XX./.../... uneven", "unknown-side"),
        ("tictactoe", "XXX/.../... X uneven", "line-of-mover"),
        ("vanishing", "XX./.../... O uneven", "extra-not-used"),
        ("wild", "XX./.../... O uneven", "extra-not-used"),
        ("reversi", "XX....../" + "......../" * 6 + "........ O uneven", "extra-not-used"),
    ],
)
def test_bad_uneven_position_is_refused(game: str, text: str, reason: str) -> None:
    with pytest.raises(NotationError) as refused:
        parse_position(new_game(game), text)
    assert refused.value.reason == reason


def test_foreign_rules_have_no_uneven_positions() -> None:
    class Counting(KInARow):
        __slots__ = ()

    with pytest.raises(NotationError) as refused:
        Counting(shape=(3, 3)).at(["X", "X", *[None] * 7], "O", "uneven")
    assert refused.value.reason == "extra-not-used"
    with pytest.raises(NotationError) as refused:
        TicTacToe().at(["X", "X", *[None] * 7], None, "uneven")
    assert refused.value.reason == "extra-not-used"
