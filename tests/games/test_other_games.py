"""Tests of Ultimate, the fifteen puzzle and Reversi, and of a very short new game."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from noughts import Outcome, new_game
from noughts.errors import GameOver, IllegalMove, OccupiedCell, OutOfTurn
from noughts.games.base import PASS, Message, Move, Termination
from noughts.games.fifteen import SOLVED, Fifteen, is_solvable
from noughts.games.moves import Pass
from noughts.games.notation import format_position, parse_position, play_moves
from noughts.games.pure import PureGame
from noughts.games.reversi import Reversi
from noughts.games.ultimate import DRAWN, Ultimate

# Ultimate


def cell(field: int, place: int) -> tuple[int, int]:
    return (field // 3 * 3 + place // 3, field % 3 * 3 + place % 3)


def play_fields(game: Ultimate, *moves: tuple[int, int]) -> None:
    for field, place in moves:
        game.play(cell(field, place))


def test_ultimate_place_sends_to_its_field() -> None:
    game = Ultimate()
    assert len(game.legal_moves()) == 81
    play_fields(game, (4, 0))
    assert game.legal_moves() == [cell(0, place) for place in range(9)]
    with pytest.raises(IllegalMove):
        play_fields(game, (1, 1))
    play_fields(game, (0, 4))
    with pytest.raises(OccupiedCell):
        play_fields(game, (4, 0))
    assert game.extra == "5"


FIELDS = {"X": "XXX......", "O": "OOO......", "x": "X........", "o": "O........", ".": "........."}
FIELDS |= {"=": "XOXXOOOXX", "~": "OXOOXXXOO"}


def ultimate_of(fields: str) -> Ultimate:
    """Return a game whose fields are in reading order won (X, O), drawn (=, ~), begun (x, o) or empty."""
    cells: list[str | None] = [None] * 81
    for field, kind in enumerate(fields):
        for place, mark in enumerate(FIELDS[kind]):
            row, column = cell(field, place)
            cells[row * 9 + column] = None if mark == "." else mark
    return Ultimate().at(cells, None, "-")


@pytest.mark.parametrize("fields", ["Xoo......", "=........"])
def test_ultimate_closed_field_leaves_the_choice(fields: str) -> None:
    game = ultimate_of(fields)
    assert game.turn == "O"
    assert game.fields[0] == ("X" if fields[0] == "X" else DRAWN)
    with pytest.raises(IllegalMove):
        play_fields(game, (0, 8))
    play_fields(game, (4, 0))
    assert game.extra == "-"
    assert {(row // 3, column // 3) for row, column in game.legal_moves()} == {
        (row, column) for row in range(3) for column in range(3) if row or column
    }


def test_ultimate_three_fields_in_a_row_win() -> None:
    game = ultimate_of("XXXOOoo..")
    assert game.outcome is not None
    assert (game.winner, len(game.outcome.lines)) == ("X", 3)
    assert game.outcome.line is not None
    assert game.outcome.line.cells == ((0, 0), (0, 1), (0, 2))
    with pytest.raises(GameOver):
        game.play((8, 8))


def test_ultimate_drawn_field_counts_for_neither_side() -> None:
    game = ultimate_of("X=XO=O~XO")
    assert game.fields == ("X", DRAWN, "X", "O", DRAWN, "O", DRAWN, "X", "O")
    assert game.outcome == Outcome(None, (), "full")


@pytest.mark.slow
def test_ultimate_outcome_follows_from_fields() -> None:
    chance = Random(3)
    ends = set()
    for _ in range(60):
        game = Ultimate()
        while not game.is_over:
            game.play(chance.choice(list(game.legal_moves())))
        assert game.outcome is not None
        ends.add(game.winner)
        if game.winner:
            owners = [game.fields[line.start[0] // 3 * 3 + line.start[1] // 3] for line in game.outcome.lines]
            assert owners == [game.winner] * 3
        assert parse_position(Ultimate(), format_position(game)).outcome == game.outcome
    assert ends == {"X", "O", None}


def test_ultimate_places_have_weights() -> None:
    assert [Ultimate().weight(cell(8, place)) for place in range(9)] == [3, 2, 3, 2, 4, 2, 3, 2, 3]


# The fifteen puzzle


def test_fifteen_start_is_solvable_and_unsolved() -> None:
    for seed in range(40):
        game = new_game("fifteen", seed=seed)
        tiles = tuple(int(tile or 0) for tile in game.cells)
        assert sorted(tiles) == list(range(16))
        assert tiles != SOLVED
        assert is_solvable(tiles)
        assert not game.is_over
        assert game.start == format_position(game)


def test_fifteen_slides_preserve_solvability() -> None:
    game = Fifteen(Random(1))
    chance = Random(2)
    for _ in range(200):
        game.play(chance.choice(list(game.legal_moves())))
        assert is_solvable(game.state)
        one, two = chance.sample([index for index in range(16) if game.state[index]], 2)
        tiles = list(game.state)
        tiles[one], tiles[two] = tiles[two], tiles[one]
        assert not is_solvable(tuple(tiles))


def test_fifteen_is_solved_by_last_slide() -> None:
    game = parse_position(Fifteen(), "1,2,3,4/5,6,7,8/9,10,11,12/13,14,.,15")
    assert [game.weight(move) for move in game.legal_moves()] == [-1, -1, 1]
    with pytest.raises(IllegalMove) as refused:
        game.play((0, 0))
    assert type(refused.value) is IllegalMove  # a tile that cannot slide is not an occupied cell
    assert game.last_cells() == ()
    game[3, 3] = "X"
    assert game.last_cells() == ((3, 2),)
    assert (game.winner, game.outcome and game.outcome.termination) == ("X", "solved")
    with pytest.raises(GameOver):
        game.play((3, 2))
    assert game.undo() == (3, 3)
    assert not game.is_over


def test_ultimate_annotates_fields() -> None:
    rows = ["XXX......", "OO.......", *["." * 9] * 4, "......OXO", "......OXX", "......XOO"]
    annotations = parse_position(Ultimate(), "/".join(rows) + " X 2").annotations()
    assert annotations.fields == {0: ("won:X",), 1: ("field",), 8: ("drawn",)}
    assert len(annotations.cells_with("may")) == 9
    free = parse_position(Ultimate(), "/".join(rows) + " X -").annotations()
    assert free.fields == {0: ("won:X",), 8: ("drawn",)}


def test_fifteen_annotates_slides_and_home_tiles() -> None:
    game = parse_position(Fifteen(), "1,2,3,4/5,6,7,8/9,10,.,11/13,14,15,12")
    annotations = game.annotations().cells
    slides = {cell: codes[0] for cell, codes in annotations.items() if cell in game.legal_moves()}
    ways = {(1, 2): "slides:down", (2, 1): "slides:right", (2, 3): "slides:left", (3, 2): "slides:up"}
    assert slides == ways
    assert len(game.annotations().cells_with("home")) == 13
    assert annotations[2, 3] == ("slides:left",)
    assert annotations[3, 2] == ("slides:up", "home")
    assert game.mark_of(game.legal_moves()[0]) is None
    game.play((2, 3))
    game.play((3, 3))
    assert game.is_over
    assert set(game.annotations().cells.values()) == {("home",)}


def test_fifteen_puzzle_of_1880_is_unsolvable() -> None:
    assert is_solvable(SOLVED)
    assert not is_solvable((*range(1, 14), 15, 14, 0))


# Reversi


def test_reversi_end_text_of_draw_and_win() -> None:
    rows = ["X" * 8] * 4 + ["O" * 8] * 4
    drawn = parse_position(Reversi(), "/".join(rows) + " X")
    assert drawn.outcome == Outcome(None, (), Termination.COUNT)
    assert drawn.end_text(drawn.outcome) == Message("draw-count", {"count": 0})
    won = parse_position(Reversi(), "/".join(["X" * 8] * 5 + ["O" * 8] * 3) + " X")
    assert won.outcome is not None
    assert won.end_text(won.outcome) == Message("wins-by-count", {"own": 40, "others": 24})


def test_reversi_annotates_legal_cells_and_lead() -> None:
    game = Reversi()
    game.play((2, 3))
    annotations = game.annotations()
    assert annotations.cells == dict.fromkeys(((2, 2), (2, 4), (4, 2)), ("may", "turns:1"))
    assert annotations.sides == {"X": ("lead:4",), "O": ("lead:1",)}
    assert (
        annotations.number("X", "lead"),
        annotations.number("X", "turns"),
        annotations.number("Z", "lead"),
    ) == (4, None, None)
    assert game.with_turn("X") is None


def test_reversi_mark_turns_over_enclosed_marks() -> None:
    game = Reversi()
    assert sorted(game.legal_moves()) == [(2, 3), (3, 2), (4, 5), (5, 4)]
    game.play((2, 3))
    assert [game.cells.count(mark) for mark in "XO"] == [4, 1]
    with pytest.raises(OccupiedCell):
        game.play((3, 3))
    with pytest.raises(IllegalMove):
        game.play((0, 0))
    with pytest.raises(IllegalMove):
        game.play(PASS)
    with pytest.raises(OutOfTurn):
        game[2, 2] = "X"
    game.play([2, 2])
    assert game.moves == ((2, 3), (2, 2))


def test_reversi_side_without_a_placement_passes() -> None:
    game = parse_position(Reversi(), "XO....../" + "/".join(["........"] * 6) + "/......OX O")
    assert game.legal_moves() == [PASS]
    assert game.weight(PASS) == 0
    with pytest.raises(IllegalMove):
        game.play((4, 4))
    play_moves(game, ["pass"])
    assert game.turn == "X"
    assert game.last_cells() == ()
    assert game.moves == (PASS,)
    assert game.legal_moves() == [(0, 2), (7, 5)]
    assert game.undo() == PASS


@pytest.mark.parametrize(
    ("first_row", "winner"),
    [("XX......", "X"), ("OO......", "O"), ("XO.O..OX".replace(".", "X"), "X"), ("........", None)],
)
def test_reversi_is_won_by_more_marks(first_row: str, winner: str | None) -> None:
    game = parse_position(Reversi(), first_row + "/" + "/".join(["........"] * 7) + " X")
    assert game.outcome is not None
    assert (game.winner, game.outcome.termination) == (winner, "count")
    assert game.legal_moves() == []


def test_reversi_corners_weigh_most() -> None:
    weights = [[Reversi().weight((row, column)) for column in range(8)] for row in range(8)]
    assert weights[0] == [4, -2, 1, 1, 1, 1, -2, 4]
    assert weights[1] == [-2, -2, 0, 0, 0, 0, -2, -2]
    assert weights[3] == [1, 0, 0, 0, 0, 0, 0, 1]
    assert weights[0] == weights[7]


# A new game


class Pile(PureGame[tuple[int, int]]):
    """Marks are taken off a pile of seven, one or two at a time. The side that takes the last one wins."""

    NAME = "pile"
    SHAPE = (7,)
    __slots__ = ()

    def first_state(self) -> tuple[int, int]:
        return (7, 0)

    def find_moves(self, state: tuple[int, int]) -> Sequence[Move]:
        return [(left,) for left in range(max(0, state[0] - 2), state[0])]

    def after(self, state: tuple[int, int], move: Move) -> tuple[int, int]:
        return (move[0], 1 - state[1])

    def find_outcome(self, state: tuple[int, int]) -> Outcome | None:
        return None if state[0] else Outcome(self.SIDES[1 - state[1]], (), "count")

    def cells_of(self, state: tuple[int, int]) -> tuple[str | None, ...]:
        return ("X",) * state[0] + (None,) * (7 - state[0])

    def side_of(self, state: tuple[int, int]) -> int:
        return state[1]

    def read_state(self, cells: Sequence[str | None], side: str | None, extra: str | None) -> tuple[int, int]:
        return (list(cells).count("X"), self.SIDES.index(side or "X"))


class Unfinished(Pile):
    """A game without a first state."""

    def first_state(self) -> tuple[int, int]:
        return PureGame.first_state(self)


def test_pure_game_needs_few_functions() -> None:
    game = Pile()
    play_moves(game, ["7", "5", "4"])
    assert (game.turn, game.cells.count("X")) == ("O", 3)
    assert parse_position(Pile(), format_position(game)).key() == game.key()
    with pytest.raises(OccupiedCell):
        game.play((0,))
    play_moves(game, ["2", "1"])
    assert (game.winner, game.name, game.rule_text[0].id) == ("X", "pile", "rules-pile")
    assert game.weight((0,)) == 0


def test_pure_game_needs_first_state() -> None:
    with pytest.raises(NotImplementedError):
        Unfinished()


def test_equal_move_is_stored_as_legal_one() -> None:
    moves: list[Any] = [(0.0, 0.0), (False, True), [0, 3]]
    for move in moves:
        game = Ultimate()
        game.play(move)
        assert all(type(part) is int for part in game.moves[0])


def test_pass_is_a_singleton() -> None:
    assert repr(PASS) == "PASS"
    assert Pass() == PASS == ()
    assert sorted([(0, 0), PASS]) == [PASS, (0, 0)]
