"""Tests of the contract of games, over the whole catalogue and specs of every kind."""

from itertools import product
from math import prod

import pytest

from noughts import Game, KInARow, NoughtsError, new_game
from noughts.arena.game_trials import is_legal, playing, try_game, wrong_moves
from noughts.errors import CoordinateError, GameOver, MoveRefused, OutOfTurn, UnknownMark
from noughts.games.base import Placement
from noughts.games.catalogue import CATALOGUE, name_of
from noughts.games.contract import visible_facts
from noughts.games.moves import cells_of, parts_of
from noughts.games.notation import parse_position
from noughts.records.record import Record, format_record, parse_record
from tests.core.test_board import NO_COORDINATES

SPECS = (
    "5:3",
    "1x1:1",
    "4x3:3,misere,wrap",
    "5x4:3,exact,gravity",
    "4x4:3,wild,misere",
    "4x3:3,wild,gravity,players=3",
    "3x3x2:3,notakto,gravity",
    "4x4:3,vanish=4,exact",
    "5x5:3,vanish=3,players=3,wrap",
    "2x2x2x2:2,misere,exact",
    "6x1:2,players=4",
    "7x6:5,renju",
    "5x4:3,wrap=x,gravity",
    "4x3x3:3,wrap=xz,exact",
    "5x4:3,hex",
    "70x70:5",
    "2x3000:3,gravity",
    "70x70:2,vanish=3",
    "1400x3:3,wild,exact,gravity",
)
NAMES = (*(entry.name for entry in CATALOGUE), "quixo", *SPECS)
state_of = visible_facts


@pytest.fixture(params=NAMES)
def game(request: pytest.FixtureRequest) -> Game:
    """Return a new game of each kind."""
    if request.param == "quixo":
        request.getfixturevalue("quixo")
    return new_game(request.param)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_game_satisfies_contract(name: str, request: pytest.FixtureRequest) -> None:
    if name == "quixo":
        request.getfixturevalue("quixo")
    assert try_game(lambda sides: new_game(name, marks=sides)) == {}


@pytest.mark.slow
def test_game_name_leads_to_its_game(game: Game) -> None:
    assert new_game(game.name).name == game.name
    assert new_game(name_of(game)).name == game.name


def test_fifteen_refuses_moves_after_end() -> None:
    game = parse_position(new_game("fifteen"), "1,2,3,4/5,6,7,8/9,10,11,12/13,14,.,15")
    game.play((3, 3))
    for move in wrong_moves(game):
        with pytest.raises(GameOver):
            game.play(move)


@pytest.mark.slow
def test_bad_move_leaves_game_unchanged(game: Game) -> None:
    for position in playing(game, seed=3, plies=4):
        before = state_of(position)
        wrongs = [*wrong_moves(position), *NO_COORDINATES]
        for wrong in wrongs:
            if not is_legal(position, wrong):
                with pytest.raises(NoughtsError) as refused:
                    position.play(wrong)
                assert isinstance(refused.value, ValueError)
                assert str(refused.value)
                assert position.key() == before[0]
        assert state_of(position) == before


def test_bad_cell_is_refused(game: Game) -> None:
    before = state_of(game)
    for wrong in NO_COORDINATES:
        if len(game.shape) == 1 and isinstance(wrong, int | tuple):
            continue
        if game.is_over or not (
            isinstance(wrong, tuple) and wrong in set(product(*map(range, game.shape[:8])))
        ):
            with pytest.raises(CoordinateError):
                game[wrong]
            with pytest.raises(CoordinateError):
                game[wrong] = game.turn
    assert state_of(game) == before


def test_mark_assignment_is_a_move(game: Game) -> None:
    move = game.legal_moves()[0]
    if parts_of(move)[1:] not in ((), (game.mark_of(move),)):
        with pytest.raises(MoveRefused):  # a move is more than a mark on a cell
            game[cells_of(move)[0]] = game.turn
        return
    wild = isinstance(move, Placement)
    cell = move.coordinate if isinstance(move, Placement) else move
    before = state_of(game)
    for wrong in ("Q", "x", "", None, 5, ["X"], " "):
        with pytest.raises(UnknownMark):
            game[cell] = wrong  # type: ignore[assignment]
    notakto = isinstance(game, KInARow) and game.rules.notakto
    if len(game.sides) > 1 and not wild and not notakto:
        with pytest.raises(OutOfTurn) as refused:
            game[cell] = game.sides[1]
        assert (refused.value.side, refused.value.turn) == (game.sides[1], game.sides[0])
    assert state_of(game) == before
    twin = game.copy()
    game[list(cell)] = game.turn
    twin.play(move)
    assert state_of(game) == state_of(twin)


@pytest.mark.slow
def test_end_facts_follow_from_outcome(game: Game) -> None:
    for seed in range(5):
        for position in playing(game.copy(), seed):
            outcome = position.outcome
            assert position.is_over == (outcome is not None) == (not position.legal_moves())
            assert position.winner == (outcome.winner if outcome else None)
            if outcome is not None:
                assert outcome.winner in (*position.sides, None)
                assert outcome.termination in position.terminations
                assert position.end_text(outcome).id
                assert bool(outcome.lines) == (outcome.termination == "line")
                assert outcome.line == (outcome.lines[0] if outcome.lines else None)
                for line in outcome.lines:
                    assert len({position[cell] for cell in line.cells}) == 1
                    assert position[line.start] is not None


def test_moves_are_ordered_values(game: Game) -> None:
    for position in playing(game, seed=9, plies=10):
        moves = position.legal_moves()
        assert sorted(moves)[:1] == ([min(moves)] if moves else [])
        assert len(set(moves)) == len(moves)
        assert all(isinstance(move, tuple) for move in moves)


def test_game_metadata_is_consistent(game: Game) -> None:
    """Codes belong to existing cells, fields and sides. Moves are described by their parts."""
    assert (game.rules is None) == (not isinstance(game, KInARow))
    assert isinstance(game, KInARow) or game.facts
    for position in playing(game, seed=13, plies=12):
        annotations = position.annotations()
        assert all(
            position[cell] in (None, *position.cells) and codes for cell, codes in annotations.cells.items()
        )
        assert set(annotations.sides) <= set(position.sides)
        fields = position.layout.fields
        assert not annotations.fields or max(annotations.fields) < prod(position.shape) // prod(fields)
        twin = position.with_turn(position.turn)
        assert twin is not None
        assert twin.key() == position.key()
        for move in position.legal_moves()[:20]:
            assert parts_of(move)
            assert set(cells_of(move)) <= set(product(*map(range, position.shape)))
            assert position.mark_of(move) in (None, *position.sides)
            purpose = position.purpose_of(move)
            assert purpose is None or purpose.code


@pytest.mark.parametrize("name", [entry.name for entry in CATALOGUE])
def test_either_side_can_begin(name: str) -> None:
    """The game has the requested turn order, and its record can be replayed."""
    usual = new_game(name).sides
    game = new_game(name, marks=usual[::-1])
    assert game.sides == usual[::-1]
    assert game.turn == usual[-1]
    game.play(game.legal_moves()[0])
    record = Record.of(game, {side: side for side in game.sides})
    assert parse_record(format_record(record)).replay().key() == game.key()
    assert game.at(game.cells, game.turn, game.extra or None).sides == game.sides
