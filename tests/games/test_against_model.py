"""Tests of the library against the slow model, for any rules, shape and moves."""

from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from noughts.core.board import Shape
from noughts.core.lines import MAX_ENUMERATED
from noughts.games.base import Outcome
from noughts.games.kinarow import KInARow
from noughts.games.rules import NUMBERS, SWITCHES, Rules
from tests.games.model import End, Model
from tests.strategies import rules
from tests.weekly import weekly

pytestmark = pytest.mark.slow


def model_of(facts: Rules) -> Model:
    options = frozenset(name for name in SWITCHES if getattr(facts, name))
    axes = "xyzwvuts"[: len(facts.shape)] if facts.wrap is True else facts.wrap or ""
    return Model(facts.shape, facts.k, facts.marks, options, facts.vanish, axes, facts.place, facts.avoid)


def as_end(outcome: Outcome | None) -> End | None:
    if outcome is None:
        return None
    lines = frozenset(frozenset(line.cells) for line in outcome.lines)
    assert len(lines) == len(outcome.lines)
    return End(outcome.winner, lines, outcome.termination)


def assert_same(game: KInARow, model: Model) -> None:
    assert list(game.legal_moves()) == model.legal()
    assert as_end(game.outcome) == model.end
    assert game.turn == model.turn()
    assert game.cells == tuple(map(model.board.get, model.all_cells))
    assert list(game.moves) == model.moves
    assert game.ply == len(model.moves)


def play_both(facts: Rules, seed: int, plies: int) -> None:
    """Play at random in both, check copies from time to time, then undo all moves."""
    chance = Random(seed)
    game, model = KInARow(facts), model_of(facts)
    assert_same(game, model)
    keys = [game.key()]
    while (legal := model.legal()) and model.end is None and game.ply < plies:
        move = chance.choice(legal)
        twin = game.copy()
        game.play(move)
        model.play(move)
        assert_same(game, model)
        assert (twin.ply, twin.key()) == (game.ply - 1, keys[-1])
        twin.play(move)
        assert twin.key() == game.key()
        assert_same(twin, model)
        keys.append(game.key())
    for ply in reversed(range(game.ply)):
        assert game.undo() == model.moves[ply]
        assert game.key() == keys[ply]
        if ply % 13 == 0:
            assert_same(game, model.after(model.moves[:ply]))
    with pytest.raises(IndexError):
        game.undo()
    for move in model.moves:  # Replay all moves: undo must have left no trace.
        game.play(move)
    assert_same(game, model)


@given(rules(), st.integers(0, 2**32))
@example(Rules(shape=(5, 5), k=4, wrap=True, exact=True), 1)
@example(Rules(shape=(5, 4), k=4, wrap="x", exact=True), 1)
@example(Rules(shape=(4, 4), k=4, wrap="x", gravity=True), 1)
@example(Rules(shape=(3, 3, 3), k=3, wrap="xz", wild=True), 1)
@example(Rules(shape=(5, 5), k=3, hex=True), 1)
@example(Rules(shape=(5, 5), k=2, hex=True, exact=True), 1)
@example(Rules(shape=(3, 3), vanish=3), 1)
@example(Rules(shape=(4, 5), k=3, vanish=4, exact=True, players=3), 1)
@example(Rules(shape=(5, 5), k=4, avoid=3), 1)
@example(Rules(shape=(4, 4), k=3, avoid=2, place=3, wrap=True), 1)
@example(Rules(shape=(3, 4, 3), k=3, place=2, gravity=True, wild=True), 1)
@example(Rules(shape=(5, 5), k=3, place=2, notakto=True), 1)
def test_game_agrees_with_model_in_random_games(facts: Rules, seed: int) -> None:
    play_both(facts, seed, plies=60)


@pytest.mark.parametrize("option", [*(name for name in SWITCHES if name != "renju"), *NUMBERS])
@given(data=st.data(), seed=st.integers(0, 2**32))
@settings(max_examples=settings().max_examples // 2)
def test_each_option_agrees_with_model(option: str, data: st.DataObject, seed: int) -> None:
    """The boards are chosen so that games end by lines before they are full."""
    play_both(data.draw(rules(max_cells=20, max_dimensions=3, option=option)), seed, plies=60)


@pytest.mark.parametrize(
    ("shape", "marks"),
    [((5, 5), "XO"), ((6, 7), "OX"), ((6, 8), "XO"), ((10, 11), "OX"), ((1, 12), "XO"), ((12, 3), "OX")],
)
def test_renju_agrees_with_model(shape: Shape, marks: str) -> None:
    for seed in range(1 if shape == (10, 11) else 2):
        play_both(Rules(shape=shape, k=5, renju=True, marks=tuple(marks)), seed, plies=70)


@pytest.mark.parametrize(
    "facts",
    [
        Rules(shape=(65, 64), k=3),
        Rules(shape=(65, 64), k=3, exact=True, wrap=True),
        Rules(shape=(65, 64), k=3, wrap="y"),
        Rules(shape=(17, 17, 17), k=3, wrap="xz", exact=True),
        Rules(shape=(65, 64), k=3, hex=True),
        Rules(shape=(4097,), k=1, exact=True),
        Rules(shape=(2, 2049), k=3, gravity=True),
        Rules(shape=(9, 9, 9, 9), k=2),
        Rules(shape=(5000,), k=2, wild=True),
        Rules(shape=(71, 70), k=3, vanish=5, exact=True),
    ],
    ids=lambda facts: facts.spec,
)
@pytest.mark.parametrize("seed", [0, weekly(1)])
def test_walked_boards_agree_with_model(facts: Rules, seed: int) -> None:
    """All moves are in one corner or across the seam, so that lines occur."""
    game, model = KInARow(facts), model_of(facts)
    assert len(model.all_cells) > MAX_ENUMERATED
    chance = Random(seed)
    ends = {0, 1, 2, 3}
    while model.end is None and game.ply < 60:
        near = [
            move
            for move in model.legal()
            if all(
                part in ends or side - 1 - part in ends
                for part, side in zip(move[0] if facts.wild else move, facts.shape, strict=True)
            )
        ]
        if not near:
            break
        move = chance.choice(near)
        game.play(move)
        model.play(move)
        assert as_end(game.outcome) == model.end
        assert (game.turn, game.ply) == (model.turn(), len(model.moves))
    assert_same(game, model)
    for move in reversed(model.moves):
        assert game.undo() == move
    assert_same(game, model.after([]))


@given(rules(max_cells=12), st.integers(0, 2**32))
def test_key_ignores_order_of_moves(facts: Rules, seed: int) -> None:
    """Two games in the same position after different moves have the same key, and only such games."""
    chance = Random(seed)
    seen: dict[object, object] = {}
    for _ in range(12):
        game, model = KInARow(facts), model_of(facts)
        while not game.is_over and game.ply < 4:
            move = chance.choice(game.legal_moves())
            game.play(move)
            model.play(move)
            position = model.position() if facts.vanish else (model.turn(), frozenset(model.board.items()))
            assert seen.setdefault(position, game.key()) == game.key()
    assert len(set(seen.values())) == len(seen)
