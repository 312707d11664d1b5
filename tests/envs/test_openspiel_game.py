"""Tests of our games in OpenSpiel: its own checks, and the meaning of its parameters."""

import pickle
import sys
from functools import partial
from random import Random
from typing import Any

import pytest

import noughts.envs
from noughts import game_names, new_game
from noughts.envs.actions import Planes
from noughts.errors import ExtraMissing, IllegalMove, NotationError, UnsupportedRules
from noughts.games.notation import format_position
from tests.weekly import each_week_all, weekly

pyspiel = pytest.importorskip("pyspiel", reason="open-spiel is not installed", exc_type=ImportError)

pytestmark = pytest.mark.filterwarnings("ignore")

FITS = tuple(name for name in game_names() if len((game := new_game(name)).sides) > 1 and not game.can_repeat)


@pytest.fixture(autouse=True)
def _registered() -> None:
    noughts.envs.register_openspiel()
    noughts.envs.register_openspiel()  # a second registration is harmless


def load(spec: str) -> Any:
    return pyspiel.load_game("python_noughts", {"spec": spec})


@pytest.mark.slow
@pytest.mark.parametrize("name", each_week_all(FITS, 2))
def test_openspiel_random_games(name: str) -> None:
    """OpenSpiel's simulation also writes positions of small games and reads them back."""
    game = load(name)
    is_small = game.num_distinct_actions() < 20
    pyspiel.random_sim_test(game, num_sims=1, serialize=is_small, verbose=False)
    assert str(pickle.loads(pickle.dumps(game))) == str(game)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [weekly("tictactoe"), "three", weekly("wild"), "reversi", weekly("ultimate"), "connect4"]
)
def test_openspiel_own_tests_pass(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenSpiel's own checks of ``integration_tests/api_test.py``, on all positions of a sample."""
    from absl import flags
    from open_spiel.integration_tests import api_test

    monkeypatch.setattr(sys, "argv", ["test"])
    flags.FLAGS(sys.argv)
    sampling = api_test.sample_some_states
    few = partial(sampling.sample_some_states, max_states=15)
    monkeypatch.setattr(sampling, "sample_some_states", lambda game, max_states: few(game))

    class Case(api_test.EnforceAPIOnPartialTreeBase):  # type: ignore[misc]
        game_name = "python_noughts"
        game = load(name)

    Case.setUpClass()
    names = [test for test in dir(Case) if test.startswith("test_")]
    assert len(names) > 3
    for test in names:
        getattr(Case(test), test)()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tictactoe", "reversi", "three", "wild", "connect4"])
def test_openspiel_games_agree_with_ours(name: str) -> None:
    game, ours, chance = load(name), new_game(name), Random(4)
    state = game.new_initial_state()
    while ours.outcome is None:
        assert state.current_player() == ours.sides.index(ours.turn)
        texts = [state.action_to_string(action) for action in state.legal_actions()]
        assert sorted(texts) == sorted(map(ours.notation.format, ours.legal_moves()))
        for player, side in enumerate(ours.sides):
            seen = Planes(ours).observe(ours, side)
            assert state.observation_tensor(player) == seen.reshape(-1).tolist()
            assert state.observation_string(player) == format_position(ours)
        assert state.information_state_string() == ", ".join(map(str, state.history()))
        action = chance.choice(state.legal_actions())
        ours.play(ours.notation.parse(state.action_to_string(action), ours))
        state.apply_action(action)
    assert state.is_terminal()
    assert state.current_player() == pyspiel.PlayerId.TERMINAL
    remembering = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    assert remembering.string_from(state, 0) == state.history_str()
    assert state.legal_actions() == []
    winner = ours.winner
    assert [value > 0 for value in state.returns()] == [side == winner for side in ours.sides]
    assert sum(state.returns()) == pytest.approx(0)


@pytest.mark.parametrize(
    ("text", "spec", "written"),
    [
        ("python_noughts", "3x3:3", "tictactoe"),
        ("python_noughts(spec=connect4)", "7x6:4,gravity", "connect4"),
        ("python_noughts(spec=7x6:4,gravity)", "7x6:4,gravity", "7x6:4;gravity"),
        ("python_noughts(spec=7x6:4;gravity)", "7x6:4,gravity", "7x6:4;gravity"),
        ("python_noughts(spec=5x5:4,players=3)", "5x5:4,players=3", "5x5:4;players:3"),
        (
            "python_noughts(spec=4x4:3;gravity;players:3)",
            "4x4:3,gravity,players=3",
            "4x4:3;gravity;players:3",
        ),
        ("python_noughts(spec=5x4:4;wrap:x;misere)", "5x4:4,misere,wrap=x", "5x4:4;wrap:x;misere"),
        ("python_noughts(spec=5x5:4,wrap=x)", "5x5:4,wrap=x", "5x5:4;wrap:x"),
    ],
)
def test_openspiel_text_names_a_game(text: str, spec: str, written: str) -> None:
    """OpenSpiel may split the spec at its comma."""
    game = pyspiel.load_game(text)
    assert game.start.name == spec
    assert str(game) in (f"python_noughts(spec={written})", "python_noughts()")
    assert str(pyspiel.load_game(str(game))) == str(game)
    assert pyspiel.load_game("python_noughts", {"spec": spec}).start.name == spec


@pytest.mark.parametrize("option", ["players=0", "vanish=0"])
def test_openspiel_refuses_meaningless_options(option: str) -> None:
    for load_it in (
        lambda: pyspiel.load_game(f"python_noughts(spec=5x5:4,{option})"),
        lambda: new_game(f"5x5:4,{option}"),
    ):
        with pytest.raises(NotationError) as refused:
            load_it()
        assert refused.value.reason == "unknown-option"


def test_openspiel_refuses_illegal_actions() -> None:
    """An illegal action, or a number without an action, does not change the state."""
    state = load("connect4").new_initial_state()
    for _ in range(6):
        state.apply_action(3)
    for action in (3, 7):
        with pytest.raises(IllegalMove) as refused:
            state.apply_action(action)
        assert refused.value.move == action
    assert state.history() == [3] * 6
    assert state.game.ply == 6


@pytest.mark.parametrize("known", [True, False])
def test_openspiel_registration_happens_once(known: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    entered: list[object] = []
    monkeypatch.setattr(pyspiel, "registered_names", lambda: ["python_noughts"] if known else [])
    monkeypatch.setattr(pyspiel, "register_game", lambda kind, game: entered.append(game.__name__))
    noughts.envs.register_openspiel()
    assert entered == ([] if known else ["SpielGame"])


def test_openspiel_observers_share_the_text() -> None:
    game = load("tictactoe")
    state = game.new_initial_state()
    state.apply_action(4)
    assert game.make_py_observer().string_from(state, 1) == str(state) == ".../.X./... O"


def test_openspiel_refuses_unsupported_games() -> None:
    for name, reason in {"fifteen": "one-side", "vanishing": "no-longest-game"}.items():
        with pytest.raises(UnsupportedRules) as refused:
            load(name)
        assert refused.value.reason == reason


def test_openspiel_longest_game_includes_passes() -> None:
    lengths = [load(name).max_game_length() for name in ("tictactoe", "reversi", "order-and-chaos")]
    assert lengths == [9, 128, 36]


def test_missing_openspiel_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(ExtraMissing, match="pyspiel needs the extra openspiel"):
        noughts.envs.register_openspiel()
