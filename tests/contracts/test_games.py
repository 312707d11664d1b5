"""What every game promises: looped over the whole catalogue and over specs of every kind."""

import copy
import pickle
from collections.abc import Iterator
from itertools import count, product
from math import prod
from random import Random
from typing import Any

import pytest

from noughts import Game, KInARow, NoughtsError, new_game
from noughts.errors import CoordinateError, GameOver, MoveRefused, OutOfTurn, UnknownMark
from noughts.games.base import PASS, Placement
from noughts.games.catalogue import CATALOGUE, name_of
from noughts.games.moves import cells_of, choices_of, parts_of
from noughts.games.notation import format_move, format_position, parse_move, parse_position
from noughts.records.record import Record, format_record, parse_record
from tests.amounts import often
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
LONG = 90
"""Plies after which a random game is left as it is."""


@pytest.fixture(params=NAMES)
def game(request: pytest.FixtureRequest) -> Game:
    """A fresh game of each kind."""
    if request.param == "quixo":
        request.getfixturevalue("quixo")
    return new_game(request.param)


def state_of(game: Game) -> tuple[Any, ...]:
    """All that can be seen of a game."""
    return (
        game.key(),
        game.cells,
        game.moves,
        game.ply,
        game.turn,
        game.outcome,
        tuple(game.legal_moves()),
        game.extra,
        game.start,
    )


def playing(game: Game, seed: int, plies: int = LONG) -> Iterator[Game]:
    """*game* before each move of a random game, and at its end."""
    chance = Random(seed)
    plies = plies if prod(game.shape) < 3000 else min(plies, 12)
    yield game
    while game.ply < plies and not game.is_over:
        game.play(chance.choice(game.legal_moves()))
        yield game


def finished(game: Game) -> Game | None:
    """*game* played to its end, None where random play does not come to it."""
    chance = Random(1)
    if game.name == "fifteen":
        game = parse_position(game, "1,2,3,4/5,6,7,8/9,10,11,12/13,14,.,15")
        game.play((3, 3))
    for _ in range(2000):
        if game.is_over:
            return game
        game.play(chance.choice(game.legal_moves()))
    return None


def candidates(game: Game) -> list[Any]:
    """Every move that has the form of one, on a board too large for that those near its corners."""
    near = [
        range(side) if prod(game.shape) <= 300 else sorted({*range(min(2, side)), side - 1})
        for side in game.shape
    ]
    cells = list(product(*near))
    moves: list[Any] = list(new_game(game.name).legal_moves())
    if any(map(choices_of, moves)):
        chosen = [move for move in moves if cells_of(move) == cells_of(moves[0])]
        return [move._replace(coordinate=cell) for cell in cells for move in chosen]
    return [*cells, PASS]


def wrong_moves(game: Game) -> list[Any]:
    """Things that are no move of any game."""
    sizes: list[Any] = [(99,) * len(game.shape), game.shape, (0,) * 9, (-1,) * len(game.shape)]
    marked = [((0,) * len(game.shape), "Q"), (None, "X"), ((99, 99), "X"), ((0, 0), None), ("X", "X")]
    legal = game.legal_moves()
    return [
        *(wrong for wrong in NO_COORDINATES if wrong not in legal),
        *sizes,
        *marked,
        "X",
        "X5",
        b"",
        {"a": 1},
        (part for part in ("a", "b")),
        count(),
        float("nan"),
        ...,
        ("X",),
    ]


def is_legal(game: Game, move: Any) -> bool:
    """Whether *move* names a legal move, also in another spelling such as a bare int or a list."""
    single = len(game.shape) == 1 and isinstance(move, int) and (int(move),) in game.legal_moves()
    return single or move in game.legal_moves() or (move == [] and PASS in game.legal_moves())


@pytest.mark.many_cases
def test_exactly_the_legal_moves_are_accepted(game: Game) -> None:
    for seed in range(often(1)):
        for position in playing(game.copy(), seed, 30 if prod(game.shape) < 300 else 5):
            legal = set(position.legal_moves())
            before = state_of(position)
            assert len(legal) == len(position.legal_moves())
            for move in candidates(position)[:: 1 if position.ply < 8 else 5]:
                twin = position.copy()
                if move in legal:
                    twin.play(move)
                    assert twin.moves == (*position.moves, move)
                    assert twin.ply == position.ply + 1
                    assert twin.undo() == move
                else:
                    with pytest.raises(MoveRefused if move != PASS else NoughtsError) as refused:
                        twin.play(move)
                    assert isinstance(refused.value, ValueError)
                assert state_of(twin) == before


def test_what_is_no_move_is_refused_and_changes_nothing(game: Game) -> None:
    for position in playing(game, seed=3, plies=4):
        before = state_of(position)
        for wrong in wrong_moves(position):
            if not is_legal(position, wrong):
                with pytest.raises(NoughtsError) as refused:
                    position.play(wrong)
                assert isinstance(refused.value, ValueError)
                assert str(refused.value)
                assert position.key() == before[0]
        assert state_of(position) == before


def test_what_is_no_cell_can_neither_be_read_nor_written(game: Game) -> None:
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


def test_writing_a_mark_is_a_move(game: Game) -> None:
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


def test_after_the_end_everything_is_refused(game: Game) -> None:
    ended = finished(game)
    if ended is None:
        pytest.skip("random play does not end it")
    assert ended.outcome is not None
    before = state_of(ended)
    assert len(ended.legal_moves()) == 0
    for move in [*candidates(ended)[:100], *wrong_moves(ended)]:
        with pytest.raises(GameOver):
            ended.play(move)
    for cell in product(*map(range, ended.shape)) if prod(ended.shape) < 100 else ():
        for mark in (*ended.sides, "Q"):
            with pytest.raises(GameOver):
                ended[cell] = mark
    assert state_of(ended) == before


def test_the_outcome_is_the_one_truth(game: Game) -> None:
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


def test_undo_goes_back_to_the_start(game: Game) -> None:
    states = [state_of(position) for position in playing(game, seed=7)]
    moves = list(game.moves)
    for expected in reversed(states[:-1]):
        assert game.undo() == moves.pop()
        assert state_of(game) == expected
    with pytest.raises(IndexError):
        game.undo()
    assert state_of(game) == states[0]


def test_copies_are_independent(game: Game) -> None:
    for position in playing(game, seed=8, plies=20):
        if not position.is_over:
            before = state_of(position)
            for twin in (
                position.copy(),
                copy.copy(position),
                copy.deepcopy(position),
                pickle.loads(pickle.dumps(position)),
            ):
                assert type(twin) is type(position)
                assert state_of(twin) == before
                twin.play(twin.legal_moves()[-1])
                assert state_of(position) == before
                assert twin.key() != position.key()
                twin.undo()
                assert state_of(twin) == before


def test_moves_are_values_with_an_order(game: Game) -> None:
    for position in playing(game, seed=9, plies=10):
        moves = position.legal_moves()
        assert sorted(moves)[:1] == ([min(moves)] if moves else [])
        assert len(set(moves)) == len(moves)
        assert all(isinstance(move, tuple) for move in moves)


@pytest.mark.many_cases
@pytest.mark.parametrize("first", [0, 1])
def test_the_text_of_a_move_is_read_back(game: Game, first: int) -> None:
    for position in playing(game, seed=10, plies=10 if first else 30):
        texts = [format_move(position, move, first) for move in position.legal_moves()]
        assert len(set(texts)) == len(texts)
        for move, text in list(zip(position.legal_moves(), texts, strict=True))[:500]:
            assert parse_move(position, text, first) == move
            assert parse_move(position, f" {text.lower()}\n", first) == move


def test_the_text_of_a_position_is_read_back(game: Game) -> None:
    for seed in range(3):
        for position in playing(game.copy(), seed, 25 if prod(game.shape) < 3000 else 3):
            text = format_position(position)
            again = parse_position(game, text)
            assert format_position(again) == text
            assert again.start == text
            assert (again.moves, again.ply) == ((), 0)
            assert (again.cells, again.turn, again.key()) == (position.cells, position.turn, position.key())
            if position.winner or not position.is_over:
                assert again.winner == position.winner
                assert again.legal_moves() == position.legal_moves()


def test_facts_fit_one_another(game: Game) -> None:
    assert game.ply == 0
    assert game.turn == game.sides[0]
    assert not game.is_over
    assert len(game.cells) == prod(game.shape)
    assert game.board.shape == game.shape
    assert game.board.cells == game.cells
    layout = game.layout
    assert layout.planes * layout.rows * layout.columns == prod(game.shape)
    places = [layout.place(index) for index in range(prod(game.shape))]
    assert len(set(places)) == len(places)
    assert all(0 <= row < layout.rows and 0 <= column < layout.columns for _, row, column in places)
    assert game.rule_text
    assert all(message.id for message in game.rule_text)
    assert type(game).__name__ in repr(game)
    assert new_game(game.name).name == game.name
    assert new_game(game.name).name == game.name
    assert new_game(name_of(game)).name == game.name


def test_the_last_cells_and_weights(game: Game) -> None:
    assert game.last_cells() == ()
    for position in playing(game, seed=11, plies=10):
        if position.moves:
            cells = position.last_cells()
            assert (not cells) == (position.moves[-1] == PASS)
            assert not cells or position[cells[0]] is not None
        for move in position.legal_moves()[:20]:
            assert isinstance(position.weight(move), int)


def test_what_a_game_says_of_itself(game: Game) -> None:
    """Codes that stand on cells, fields and sides there are; moves are told by their parts."""
    assert (game.rules is None) == (not isinstance(game, KInARow))
    assert isinstance(game, KInARow) or game.facts
    for position in playing(game, seed=13, plies=12):
        told = position.annotations()
        assert all(position[cell] in (None, *position.cells) and codes for cell, codes in told.cells.items())
        assert set(told.sides) <= set(position.sides)
        fields = position.layout.fields
        assert not told.fields or max(told.fields) < prod(position.shape) // prod(fields)
        twin = position.with_turn(position.turn)
        assert twin is not None
        assert twin.key() == position.key()
        for move in position.legal_moves()[:20]:
            assert parts_of(move)
            assert set(cells_of(move)) <= set(product(*map(range, position.shape)))
            assert position.mark_of(move) in (None, *position.sides)
            purpose = position.purpose_of(move)
            assert purpose is None or purpose.code


def test_random_play_is_the_same_each_time(game: Game) -> None:
    one = [position.key() for position in playing(game.copy(), 12, 20)]
    assert one == [position.key() for position in playing(game.copy(), 12, 20)]


@pytest.mark.parametrize("name", [entry.name for entry in CATALOGUE])
def test_either_side_can_begin_and_the_record_says_so(name: str) -> None:
    """The turn order that was asked for is that of the game, and what is recorded of it is played again."""
    usual = new_game(name).sides
    game = new_game(name, marks=usual[::-1])
    assert game.sides == usual[::-1]
    assert game.turn == usual[-1]
    game.play(game.legal_moves()[0])
    record = Record.of(game, {side: side for side in game.sides})
    assert parse_record(format_record(record)).replay().key() == game.key()
    assert game.at(game.cells, game.turn, game.extra or None).sides == game.sides
