"""Tests of KInARow beyond the model of the rules: errors and their data, facts, other spellings."""

from random import Random
from typing import Any

import pytest

from noughts import KInARow, Placement, Rules, TicTacToe, new_game
from noughts.errors import (
    CoordinateError,
    FloatingCell,
    GameOver,
    IllegalMove,
    NotationError,
    OccupiedCell,
    OutOfTurn,
    UnknownMark,
)
from noughts.games.base import Annotations, Termination
from noughts.games.notation import parse_position, play_moves


def played(game: str, moves: str) -> Any:
    made = new_game(game)
    play_moves(made, moves.split())
    return made


def test_game_takes_rules_or_fields() -> None:
    rules = Rules(shape=(6, 7), k=4, gravity=True)
    assert KInARow(rules).rules == KInARow(shape=(6, 7), k=4, gravity=True).rules
    assert TicTacToe().shape == (3, 3)
    assert TicTacToe(shape=(4, 4, 4), k=4).name == "4x4x4:4"
    assert TicTacToe(rules).rules is rules
    assert TicTacToe(marks=("O", "X")).turn == "O"
    with pytest.raises(TypeError):
        KInARow(shape=(3, 3), colour="red")


def test_readme_example_plays_two_moves() -> None:
    game = TicTacToe()
    game[1, 1] = "X"
    game.play((0, 0))
    assert (game.turn, game.ply, game.moves) == ("X", 2, ((1, 1), (0, 0)))
    assert game[1, 1] == "X"
    assert game[2, 2] is None


@pytest.mark.parametrize(
    "spelling", [(1, 2), [1, 2], iter((1, 2)), (part for part in (1, 2)), {1: 0, 2: 0}, (1.0, 2.0)]
)
def test_move_may_be_any_iterable(spelling: Any) -> None:
    game = TicTacToe()
    game.play(spelling)
    assert game.moves == ((1, 2),)
    assert all(type(part) is int for part in game.moves[0])


def test_move_may_be_a_list_under_gravity() -> None:
    game = new_game("connect4")
    game.play([5, 3])
    with pytest.raises(FloatingCell) as refused:
        game.play([3, 3])
    assert refused.value.move == (3, 3)
    assert (4, 3) in refused.value.legal
    with pytest.raises(OccupiedCell):
        game.play([5, 3])


def test_errors_name_rejected_and_allowed_values() -> None:
    game = played("tictactoe", "5")
    with pytest.raises(OccupiedCell) as occupied:
        game.play((1, 1))
    assert (occupied.value.move, len(occupied.value.legal)) == ((1, 1), 8)
    with pytest.raises(CoordinateError) as nowhere:
        game.play((3, 0))
    assert (nowhere.value.coordinate, nowhere.value.shape) == ((3, 0), (3, 3))
    with pytest.raises(OutOfTurn) as late:
        game[0, 0] = "X"
    assert (late.value.side, late.value.turn) == ("X", "O")
    with pytest.raises(UnknownMark) as unknown:
        game[0, 0] = "Z"
    assert (unknown.value.mark, unknown.value.allowed) == ("Z", ("X", "O"))
    assert game.moves == ((1, 1),)


@pytest.mark.parametrize(
    ("move", "error"),
    [
        ((0, 0), IllegalMove),
        (((0, 0),), IllegalMove),
        (((0, 0), "X", "O"), IllegalMove),
        (((0, 0), 5), IllegalMove),
        (((0, 0), None), IllegalMove),
        (((0, 0), "Z"), UnknownMark),
        (((0, 0), "x"), UnknownMark),
        (((9, 9), "X"), CoordinateError),
        ((None, "X"), CoordinateError),
        (((1, 1), "X"), OccupiedCell),
        ([[1, 1], "O"], OccupiedCell),
        (5, IllegalMove),
        ("", IllegalMove),
    ],
    ids=repr,
)
def test_wild_move_needs_cell_and_mark(move: Any, error: type[Exception]) -> None:
    game = played("wild", "X5")
    with pytest.raises(error):
        game.play(move)
    assert game.moves == (Placement((1, 1), "X"),)


def test_wild_write_chooses_cell_and_mark() -> None:
    game = new_game("wild")
    game[0, 0] = "O"
    game.play([[1, 1], "O"])
    assert game.moves == (Placement((0, 0), "O"), Placement((1, 1), "O"))
    game[2, 2] = "O"
    assert game.winner == "X"
    assert game.undo() == Placement((2, 2), "O")


def test_notakto_sides_place_the_first_mark() -> None:
    game = new_game("notakto")
    game[0, 0] = "X"
    assert game.turn == "O"
    with pytest.raises(UnknownMark) as refused:
        game[1, 1] = "O"
    assert refused.value.allowed == ("X",)
    game[1, 1] = "X"
    game[2, 2] = "X"
    assert game.winner == "O"


def test_misere_line_loses() -> None:
    game = played("misere", "1 4 2 5 3")
    assert game.winner == "O"
    assert {game[cell] for cell in game.outcome.line.cells} == {"X"}


def test_mark_may_complete_several_lines() -> None:
    game = played("tictactoe", "2 5 3 6 4 8 7 9 1")
    assert game.winner == "X"
    assert len(game.outcome.lines) == 2
    assert game.outcome.line == game.outcome.lines[0]


def test_overline_counts_unless_exact() -> None:
    moves = "1 16 2 17 3 18 5 19 6 32 4"
    assert played("gomoku", moves).winner == "X"
    assert played("gomoku-standard", moves).outcome is None
    assert played("gomoku-standard", "1 16 2 17 3 18 4 19 5").winner == "X"


def test_oldest_mark_leaves_before_lines_count() -> None:
    game = played("vanishing", "1 4 2 5 9 7")
    with pytest.raises(OccupiedCell):
        game.play((0, 0))  # X's oldest mark: its cell is not open to the move that makes it leave
    game.play((0, 2))  # 1 left: 2 and 3 are not a line
    assert game.outcome is None
    assert game[0, 0] is None
    assert (0, 0) in game.legal_moves()


def test_vanishing_cells_are_annotated_for_both_sides() -> None:
    game = new_game("vanishing")
    assert game.annotations() == Annotations()
    of_x, of_o = ("leaves:X",), ("leaves:O",)
    for move, leaving in (
        *(((0, 0), {}), ((1, 0), {}), ((0, 1), {}), ((1, 1), {}), ((2, 2), {(0, 0): of_x})),
        ((2, 0), {(0, 0): of_x, (1, 0): of_o}),
        ((0, 2), {(0, 1): of_x, (1, 0): of_o}),
        ((2, 1), {(0, 1): of_x, (1, 1): of_o}),
    ):
        game.play(move)
        assert game.annotations().cells == leaving
    game.undo()
    assert game.annotations().cells_with("leaves:O") == ((1, 0),)
    won = played("vanishing", "1 4 2 5 3")
    assert won.winner == "X"
    assert won.annotations() == Annotations()
    assert played("tictactoe", "1 4 2 5 9 7").annotations() == Annotations()


def test_cells_at_joined_edges_are_annotated() -> None:
    game = new_game("4x3:3,wrap=x,vanish=3")
    aside = {(row, column): ("beyond",) for row in range(3) for column in (0, 3)}
    assert game.annotations().cells == aside
    for move in ((1, 0), (1, 1), (0, 0), (0, 1), (2, 1), (2, 2)):
        game.play(move)
    assert game.annotations().cells == aside | {(1, 0): ("beyond", "leaves:X"), (1, 1): ("leaves:O",)}
    won = played("4x3:3,wrap=x", "1 5 4 6 2")
    assert won.winner == "X"
    assert won.annotations().cells == aside
    assert len(new_game("3x3x3:3,wrap").annotations().cells) == 26


def test_leaving_mark_ends_nothing() -> None:
    """If longer lines do not count, a line that becomes shorter was not just completed."""
    game = new_game("4x4:3,exact,vanish=4")
    play_moves(game, ["1", "8", "2", "12", "4", "14", "3", "15"])
    assert game.outcome is None  # 1 2 3 4 are four in a row, which does not count
    play_moves(game, ["9"])  # X's 1 leaves: 2 3 4 are three, but 9 did not complete them
    assert game.outcome is None
    again = parse_position(new_game(game.name), ".XXX/...O/X..O/.OO. O 2,4,3,9;8,12,14,15")
    assert again.key() == game.key()
    assert again.outcome is None


@pytest.mark.slow
def test_third_repetition_is_a_draw() -> None:
    chance = Random(4)
    ends = set()
    for _ in range(300):
        game = new_game("vanishing")
        while not game.is_over:
            moves = [move for move in game.legal_moves() if not wins(game, move)]
            game.play(chance.choice(moves or game.legal_moves()))
        assert game.outcome is not None
        ends.add(game.outcome.termination)
        if game.outcome.termination == Termination.REPETITION:
            assert game.winner is None
            assert game.outcome.line is None
            times = 0
            end = game.key()
            while game.ply:
                times += game.key() == end
                game.undo()
            assert times == 3
            break
    assert Termination.REPETITION in ends


def wins(game: Any, move: Any) -> bool:
    game.play(move)
    won = game.winner is not None
    game.undo()
    return won


def test_rule_text_is_messages() -> None:
    def ids(spec: str) -> list[str]:
        return [message.id for message in new_game(spec).rule_text]

    assert ids("tictactoe")[1:] == []
    for option in ("gravity", "exact", "wrap", "wild", "notakto"):
        assert f"rule-{option}" in ids(f"5x5:4,{option}")
    assert "rule-vanish" in ids("vanishing")
    assert ids("5x5:4,place=2,avoid=3")[2:] == ["rule-place", "rule-avoid"]
    assert "rule-hex" in ids("5x5:4,hex")
    assert "rule-wrap-x" in ids("5x5:4,wrap=x")
    assert "rule-wrap-y" in ids("5x5:4,wrap=y")
    assert "rule-wrap-axes" in ids("5x5x5:4,wrap=xz")
    assert "rule-overline" in ids("gomoku")
    assert "rule-overline" in ids("4x3:4,wrap")
    for other in ("gomoku-standard", "tictactoe", "torus", "5x5:1", "15x15:5,renju"):
        assert "rule-overline" not in ids(other)
    assert "rule-players" in ids("three")
    assert ids("misere") != ids("tictactoe")
    assert new_game("connect4").rule_text[0].data == {"board": "7×6", "k": 4}
    assert new_game("4x3x2:2").rule_text[0].data == {"board": "4×3×2", "k": 2}


def test_weight_counts_lines() -> None:
    weights = [new_game().weight((row, column)) for row in range(3) for column in range(3)]
    assert weights == [3, 2, 3, 2, 4, 2, 3, 2, 3]
    assert new_game("wild").weight(Placement((1, 1), "O")) == 4
    assert new_game("100x100:5").weight((50, 50)) == 20
    assert new_game("15x15:5").weight((7, 7)) == 20
    assert new_game("100x100:5").weight((0, 0)) == 3


def test_only_vanishing_marks_can_repeat() -> None:
    assert new_game("vanishing").can_repeat
    assert new_game("fifteen").can_repeat
    assert not any(new_game(name).can_repeat for name in ("tictactoe", "connect4", "reversi", "ultimate"))


def test_large_board_is_walked() -> None:
    rows = ["XXXXX" + "." * 65, "OOOO" + "." * 66, *["." * 70] * 68]
    game = parse_position(new_game("70x70:5"), "/".join(rows))
    assert game.outcome is not None
    assert (game.winner, len(game.outcome.lines)) == ("X", 1)
    with pytest.raises(GameOver):
        game.play((5, 5))
    with pytest.raises(NotationError):
        parse_position(new_game("70x70:5"), "/".join([rows[0], rows[1].replace("OOOO.", "OOOOO"), *rows[2:]]))


def test_board_with_long_lines_fills_up() -> None:
    game = new_game("400:330")
    while not game.is_over:
        game.play(game.legal_moves()[0])
    assert game.outcome is not None
    assert (game.ply, game.winner, game.outcome.termination) == (400, None, "full")


def test_full_position_is_a_draw() -> None:
    game = parse_position(new_game(), "XOX/XOO/OXX")
    assert game.outcome is not None
    assert (game.winner, game.outcome.termination) == (None, "full")
    assert game.legal_moves() == []


@pytest.mark.slow
def test_weight_of_long_lines_is_fast() -> None:
    """On boards that wrap all cells have equal weight, so a large board counts nothing."""
    assert new_game("20x21:420,wrap").weight((3, 3)) == 0
    long = new_game("1000x1000:1000")
    assert [long.weight(cell) for cell in ((0, 0), (0, 5), (5, 5), (500, 500))] == [3, 2, 3, 3]
    assert new_game("300x300:5").weight((150, 150)) == 20


def test_options_and_subclasses_are_particular_facts() -> None:
    """A new option, and a subclass that may have other rules, are facts that no code handles."""

    class Otherwise(KInARow):
        """A game of unknown rules."""

    class Same(Otherwise, same_rules=True):
        """A game of the same rules as its parent."""

    shape = (4, 4)
    assert TicTacToe().facts == KInARow(shape=shape).facts == frozenset()
    assert KInARow(shape=shape, gravity=True, exact=True).facts == {"gravity", "exact"}
    assert KInARow(shape=shape, players=3, vanish=4).facts == {"players", "vanish"}
    assert KInARow(shape=shape, players=2, marks=("A", "B")).facts == frozenset()
    assert Otherwise(shape=shape, wild=True).facts == {"wild", "Otherwise"}
    assert Same(shape=shape).facts == {"Otherwise"}
    assert Same(shape=shape).lines_through((0, 0)) is None


def test_mark_of_returns_the_placed_mark() -> None:
    assert new_game("notakto").mark_of((0, 0)) == "X"
    assert new_game("wild").mark_of(Placement((0, 0), "O")) == "O"
    game = played("tictactoe", "5")
    assert game.mark_of((0, 0)) == "O"


def test_terminations_with_vanishing_marks() -> None:
    assert new_game("vanishing").terminations == ("line", "repetition")
    assert new_game("tictactoe").terminations == ("line", "full")


@pytest.mark.parametrize("spec", ["9x9:5,vanish=6", "15x15:5,renju", "9x9:5,misere"])
def test_play_does_not_list_all_moves(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a large board the list would take longer than the rest of a move."""
    game = new_game(spec)
    cells = game.legal_moves()[:12]
    monkeypatch.delattr(KInARow, "legal_moves")
    for cell in cells:
        game.play(cell)
    assert game.ply == len(cells)
