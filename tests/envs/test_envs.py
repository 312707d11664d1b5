"""Tests of learning environments: the checks of their libraries, observations and rewards."""

import io
import json
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import noughts.envs
from noughts import Batch, Limit, Player, draw_svg, draw_text, game_names, new_game, play
from noughts.envs.actions import Actions, Planes
from noughts.envs.play import PlayEnv
from noughts.envs.rendering import MODES, pixels
from noughts.envs.vector import PlayVectorEnv
from noughts.errors import ExtraMissing, IllegalMove, NotFound, PlayerAtFault, UnsupportedRules
from noughts.games.base import Game, Move
from noughts.games.reversi import Reversi
from noughts.workers.programs.bot_list import Bot, save_bots
from tests.batch.test_batch import SPECS

FITS = tuple(name for name in game_names() if len(new_game(name).sides) > 1)


def played(name: str, plies: int, seed: int = 1) -> Game:
    game, chance = new_game(name), Random(seed)
    while game.outcome is None and game.ply < plies:
        game.play(chance.choice(game.legal_moves()))
    return game


class FirstLegal(Player):
    def choose(self, game: Game, limit: Limit) -> Move:
        return game.legal_moves()[0]


# Moves and planes


@pytest.mark.parametrize("name", [*FITS, *SPECS])
def test_actions_number_every_move_once(name: str) -> None:
    game, chance = new_game(name), Random(2)
    actions = Actions(game)
    assert len(set(actions.texts)) == actions.count
    while game.outcome is None and game.ply < 60:
        legal = actions.legal(game)
        assert list(legal.values()) == list(game.legal_moves())
        assert [game.notation.parse(actions.texts[number], game) for number in legal] == list(legal.values())
        assert np.flatnonzero(actions.mask(game)).tolist() == sorted(legal)
        game.play(chance.choice(game.legal_moves()))
    assert not actions.mask(game).any() or game.outcome is None


@pytest.mark.parametrize("name", SPECS)
def test_observation_agrees_with_batch(name: str) -> None:
    game, chance = new_game(name), Random(3)
    planes, actions = Planes(game), Actions(game)
    while game.ply < 15:
        batch = Batch.of([game])
        assert (planes.observe(game, game.turn) == batch.observations[0]).all()
        assert (actions.mask(game) == batch.legal[0]).all()
        if game.outcome is not None:
            break
        game.play(chance.choice(game.legal_moves()))


def test_observation_has_plane_of_legal_cells() -> None:
    game = new_game("ultimate")
    game.play((0, 2))
    seen = Planes(game).observe(game, "O")
    assert seen.shape == (3, 9, 9)
    assert np.argwhere(seen[2]).tolist() == [[row, column] for row in range(3) for column in range(6, 9)]
    assert (seen[0].sum(), np.argwhere(seen[1]).tolist()) == (0, [[0, 2]])
    assert Planes(new_game("order-and-chaos")).observe(new_game("order-and-chaos"), "O").shape == (3, 6, 6)


def test_shared_marks_look_alike_to_all_sides() -> None:
    for name in ("wild", "notakto", "order-and-chaos"):
        game = played(name, 1)
        planes = Planes(game)
        assert (planes.observe(game, "X") == planes.observe(game, "O")).all()


# Refusals


class Silent(Reversi):
    """A game that does not list its moves."""

    NAME = "silent"
    move_texts = None  # type: ignore[assignment]


class Forgetful(Reversi):
    """A game whose list of moves is incomplete."""

    NAME = "forgetful"
    move_texts = ("20", "27", "38", "45")


def test_unlisted_move_is_refused_with_reason() -> None:
    env = PlayEnv(Forgetful(), "random", side="X")
    env.reset(seed=1)
    with pytest.raises(UnsupportedRules) as refused:
        env.step(0)
    assert (refused.value.game, refused.value.reason) == ("forgetful", "moves-unknown")


def test_unsupported_game_is_refused_with_reason() -> None:
    for make in (PlayEnv, PlayVectorEnv, noughts.envs.aec):
        with pytest.raises(UnsupportedRules) as refused:
            make(game="fifteen")
        assert (refused.value.who, refused.value.reason) == ("environment", "one-side")
        with pytest.raises(NotFound):
            make(game="chess")
    for make in (PlayEnv, noughts.envs.aec):
        with pytest.raises(UnsupportedRules) as refused:
            make(game=Silent())
        assert (refused.value.game, refused.value.reason) == ("silent", "moves-unknown")
    for name in ("reversi", "renju"):
        with pytest.raises(UnsupportedRules) as refused:
            PlayVectorEnv(game=name)
        assert (refused.value.who, refused.value.reason) == ("batch", "unknown-rules")
    with pytest.raises(UnsupportedRules):
        PlayEnv("three", "perfect")  # the player declines its seat
    for make in (PlayEnv, PlayVectorEnv):
        with pytest.raises(NotFound):
            make(opponent="nobody")
        with pytest.raises(ValueError, match="side is one of random, X, O, not 'Z'"):
            make(side="Z")
    for wrong in (PlayEnv, noughts.envs.aec):
        with pytest.raises(ValueError, match="render_mode is one of ansi, svg, rgb_array, not 'human'"):
            wrong(render_mode="human")
    with pytest.raises(ValueError, match="not rendered"):
        PlayVectorEnv(render_mode="ansi")


def test_missing_numpy_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "noughts.envs.policy", None)
    with pytest.raises(ExtraMissing, match="numpy needs the extra study"):
        noughts.envs.policy_player(lambda observation, mask: 0)


@pytest.mark.parametrize("missing", ["gymnasium", "pettingzoo"])
def test_missing_library_names_the_extra(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "pettingzoo.utils", raising=False)
    noughts.envs.register_gymnasium()  # a second registration is harmless
    monkeypatch.setitem(sys.modules, missing, None)
    make = noughts.envs.register_gymnasium if missing == "gymnasium" else noughts.envs.aec
    with pytest.raises(ExtraMissing, match=rf"{missing} needs the extra study"):
        make()


@pytest.mark.slow
def test_envs_import_registers_and_loads_nothing_else() -> None:
    code = (
        "import sys, json, noughts.envs, gymnasium; "
        "print(json.dumps(['noughts/Play-v0' in gymnasium.registry, 'pettingzoo' in sys.modules]))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(run.stdout) == [True, False]


WON = ("X", "X", "X", "O", "O", None, None, None, None)
NEARLY_WON = ("X", "X", None, "O", "O", None, None, None, None)


def test_game_over_at_start_is_refused() -> None:
    over = new_game("tictactoe").at(WON, "O")
    for make in (PlayEnv, PlayVectorEnv, noughts.envs.aec):
        with pytest.raises(UnsupportedRules) as refused:
            make(game=over)
        assert (refused.value.who, refused.value.reason) == ("environment", "over-at-once")


@pytest.mark.parametrize("opponent", ["random", "rule"])
def test_game_without_learner_moves_is_refused(opponent: str) -> None:
    one, many = PlayEnv("3x3:1", opponent, side="O"), PlayVectorEnv(2, "3x3:1", opponent, side="O")
    envs: list[tuple[Any, Any]] = [(one, 0), (many, np.zeros(2, int))]
    for env, action in envs:
        for _ in range(2):
            with pytest.raises(UnsupportedRules) as refused:
                env.reset(seed=1)
            assert (refused.value.game, refused.value.reason) == ("3x3:1", "over-at-once")
            with pytest.raises(ResetNeeded):
                env.step(action)


def test_game_over_before_learner_is_restarted() -> None:
    """The opponent wins at once in one of five games. If one mark is a line, X wins at once."""
    start = new_game("tictactoe").at(NEARLY_WON, "X")
    one, many = PlayEnv(start, side="O"), PlayVectorEnv(64, start, side="O")
    for seed in range(20):
        assert one.reset(seed=seed)[1]["action_mask"].sum() == 4
    assert (many.reset(seed=1)[1]["action_mask"].sum(axis=1) == 4).all()
    assert PlayEnv("3x3:1", "rule").reset(seed=1)[1]["side"] == "X"
    sides = PlayVectorEnv(9, "3x3:1").reset(seed=1)[1]["side"]
    assert sides.tolist() == [0] * 9


@pytest.mark.parametrize("opponent", ["random", "rule"])
def test_limit_must_be_a_limit(opponent: str) -> None:
    nodes: Any = 0
    for make in (PlayEnv, PlayVectorEnv):
        with pytest.raises(TypeError, match=r"limit is a noughts\.Limit, not 0"):
            make(opponent=opponent, limit=nodes)


# Policies as players


@pytest.mark.parametrize("name", ["3x3", "7x6:4,gravity", "3x3,wild", "reversi"])
def test_policy_player_sees_environment_observation(name: str) -> None:
    seen: list[tuple[str, str]] = []

    def last(observation: Any, mask: Any) -> int:
        seen.append((observation.tobytes(), mask.tobytes()))
        return int(np.flatnonzero(mask)[-1])

    first = noughts.envs.policy_player(lambda observation, mask: mask.argmax())
    env = PlayEnv(name, first, side="O")
    observation, info = env.reset()
    over = False
    while not over:
        observation, _, over, _, info = env.step(last(observation, info["action_mask"]))
    learned, seen = seen, []
    game = new_game(name)
    play(game, x=first, o=noughts.envs.policy_player(last))
    assert (list(game.moves), seen) == (list(env.game.moves), learned)


def test_policy_player_plays_several_games() -> None:
    player = noughts.envs.policy_player(lambda observation, mask: mask.argmax())
    assert player.choose(new_game("3x3"), Limit()) == (0, 0)
    assert player.choose(new_game("connect4"), Limit()) == (5, 0)


def test_policy_player_declines_unlearned_games() -> None:
    player = noughts.envs.policy_player(lambda observation, mask: mask.argmax(), "tictactoe")
    player.take_seat(new_game("3x3"))
    with pytest.raises(UnsupportedRules) as refused:
        player.take_seat(new_game("4x4"))
    assert (refused.value.game, refused.value.reason) == ("4x4:4", "bot-declines")


def test_illegal_policy_move_is_refused() -> None:
    player = noughts.envs.policy_player(lambda observation, mask: 9)
    with pytest.raises(IllegalMove, match="9 is no legal move"):
        player.choose(new_game("3x3"), Limit())


# Gymnasium


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", FITS)
def test_gymnasium_checks_pass(name: str) -> None:
    env = gymnasium.make("noughts/Play-v0", game=name, opponent="random", render_mode="ansi")
    check_env(env.unwrapped)
    env.close()


def episode(env: Any, seed: int | None = None) -> tuple[list[Any], float]:
    """Return the marks seen in an episode of random actions, and its reward."""
    chance = Random(7)
    observation, info = env.reset(seed=seed)
    seen, reward, over = [observation.tolist()], 0.0, False
    while not over:
        assert reward == 0
        action = chance.choice(np.flatnonzero(info["action_mask"]).tolist())
        observation, reward, over, truncated, info = env.step(action)
        assert not truncated
        seen.append(observation.tolist())
    return seen, reward


@pytest.mark.parametrize("opponent", ["random", "level:2", "rule"])
def test_env_seed_repeats_games(opponent: str) -> None:
    one, other = (gymnasium.make("noughts/Play-v0", opponent=opponent) for _ in range(2))
    assert [episode(one, 5), episode(one), episode(one)] == [
        episode(other, 5),
        episode(other),
        episode(other),
    ]
    assert episode(one, 5) == episode(other, 5)
    sides = {one.reset(seed=seed)[1]["side"] for seed in range(9)}
    assert sides == {"X", "O"}


@pytest.mark.parametrize(("name", "shares"), [("tictactoe", {-1.0, 0.0, 1.0}), ("three", {-0.5, 0.0, 1.0})])
def test_reward_follows_winner(name: str, shares: set[float]) -> None:
    env = PlayEnv(name, "random", side="O")
    results = set()
    for seed in range(60 if name == "tictactoe" else 25):
        reward = episode(env, seed)[1]
        game = env.game
        assert game.is_over
        won = -1 / (len(game.sides) - 1) if game.winner else 0.0
        assert reward == (1.0 if game.winner == "O" else won)
        results.add(reward)
    assert results == shares


def test_illegal_action_loses() -> None:
    env = PlayEnv(opponent="rule", side="X")
    with pytest.raises(ResetNeeded):
        env.step(0)
    env.reset(seed=1)
    env.step(0)
    observation, reward, over, _, info = env.step(0)
    assert (reward, over, info["illegal"]) == (-1.0, True, True)
    assert observation.sum() == 2
    with pytest.raises(ResetNeeded):
        env.step(1)
    env.reset()
    assert "illegal" not in env.step(0)[4]


def test_action_masks_suit_sb3_contrib() -> None:
    env = gymnasium.make(noughts.envs.PLAY, game="3x3", side="X")
    masks = env.get_wrapper_attr("action_masks")
    assert masks().tolist() == [True] * 9
    over, info = False, env.reset(seed=1)[1]
    while not over:
        assert masks().dtype == bool
        assert masks().tolist() == info["action_mask"].tolist()
        _, _, over, _, info = env.step(int(masks().argmax()))


def test_illegal_action_leaves_observation_unchanged() -> None:
    one, many = (
        PlayEnv(opponent=FirstLegal(), side="X", render_mode="ansi"),
        PlayVectorEnv(2, opponent=FirstLegal(), side="X"),
    )
    one.reset(seed=1)
    many.reset(seed=1)
    before, _, _, _, known = one.step(4)
    many.step(np.array([4, 4]))
    rendered = one.render()
    seen, _, _, _, info = one.step(4)
    assert (seen == before).all()
    assert (info["action_mask"] == known["action_mask"]).all()
    assert one.render() == rendered
    assert one.game.ply == 2
    infos = many.step(np.array([4, 8]))[4]
    assert (infos["final_obs"][0] == before).all()
    assert (infos["final_info"]["action_mask"][0] == known["action_mask"]).all()
    assert infos["_final_info"].tolist() == infos["final_info"]["_action_mask"].tolist() == [True, False]


@pytest.mark.parametrize("action", [0.5, "0", None, np.float64(1)])
def test_bad_action_type_raises(action: Any) -> None:
    env = PlayEnv(side="X")
    env.reset()
    with pytest.raises(TypeError):
        env.step(action)
    assert env.step(np.int64(0))[1] == 0


def test_illegal_action_costs_share_with_three_sides() -> None:
    one, many = PlayEnv("three", side="X"), PlayVectorEnv(2, "three", side="X")
    one.reset()
    many.reset()
    assert one.step(-1)[1] == -0.5
    assert many.step(np.array([25, 0]))[1].tolist() == [-0.5, 0]
    agents = noughts.envs.aec("three")
    agents.reset()
    agents.step(4)
    agents.step(4)
    assert agents.rewards == {"X": 0, "O": -0.5, "Z": 0}


class Cheat(Player):
    def choose(self, game: Game, limit: Limit) -> Move:
        return (0, 0)


class Patient(Player):
    def __init__(self) -> None:
        self.limits: list[Limit] = []

    def choose(self, game: Game, limit: Limit) -> Move:
        self.limits.append(limit)
        return min(game.legal_moves())


def test_opponent_may_be_a_player() -> None:
    player = Patient()
    env = PlayEnv(opponent=player, side="O", limit=Limit(nodes=5))
    env.reset()
    assert list(env.game.moves) == [(0, 0)]
    env.step(8)
    assert list(env.game.moves) == [(0, 0), (2, 2), (0, 1)]
    assert player.limits == [Limit(nodes=5)] * 2
    env.close()


@pytest.mark.parametrize("make", [PlayEnv, PlayVectorEnv])
def test_opponent_class_is_refused(make: Any) -> None:
    with pytest.raises(TypeError, match="no Player"):
        make(opponent=Patient)


@pytest.mark.parametrize(("make", "action"), [(PlayEnv, 0), (PlayVectorEnv, np.array([0]))])
def test_failing_opponent_is_named(make: Any, action: Any) -> None:
    env = make(opponent=Cheat(), side="X")
    env.reset()
    with pytest.raises(PlayerAtFault) as fault:
        env.step(action)
    assert (fault.value.name, fault.value.fault) == ("Cheat", "illegal-move")
    with pytest.raises(ResetNeeded):
        env.step(action + 1)


@pytest.mark.slow
def test_opponent_may_be_a_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    command = (sys.executable, "-m", "noughts.bots", "random", "7")
    save_bots({"dice": Bot("dice", command, protocol="noughts", trust=True, memory_mb=0)})
    for kind in (PlayEnv, PlayVectorEnv):
        env: Any = kind(opponent="bot:dice", side="O")
        env.reset(seed=1)
        game = env.game if kind is PlayEnv else env._batch.game(0)
        assert (game.ply, game.turn) == (1, "O")
        env.close()


# Vector environments


def test_vector_env_plays_many_games() -> None:
    envs: Any = gymnasium.make_vec("noughts/Play-v0", num_envs=64, game="connect4", side="X")
    assert isinstance(envs.unwrapped, PlayVectorEnv)
    observations, info = envs.reset(seed=1)
    assert observations.shape == (64, 2, 6, 7)
    assert envs.observation_space.contains(observations)
    chance, over_in_all = np.random.default_rng(1), 0
    for _ in range(40):
        mask = info["action_mask"]
        assert mask.shape == (64, 7)
        actions = (mask * (1 + chance.random(mask.shape))).argmax(axis=1)
        observations, rewards, over, truncated, info = envs.step(actions)
        assert not truncated.any()
        assert not info["illegal"].any()
        assert (rewards[~over] == 0).all()
        # At the start of a learner's turn each side has the same number of marks.
        assert (observations[:, 0].sum(axis=(1, 2)) == observations[:, 1].sum(axis=(1, 2))).all()
        if over.any():
            assert (info["_final_obs"] == over).all()
            ended = info["final_obs"][over]
            assert (ended.sum(axis=(1, 2, 3)) >= 7).all()
            assert (observations[over].sum(axis=(1, 2, 3)) == 0).all()
        over_in_all += over.sum()
    assert over_in_all > 64
    envs.close()


@pytest.mark.parametrize("name", ["tictactoe", "three", "wild"])
def test_vector_env_rewards_agree_with_env(name: str) -> None:
    """Each game gives the same result as a single environment with the same player."""
    envs, alone = PlayVectorEnv(6, name, Patient(), side="O"), PlayEnv(name, Patient(), side="O")
    chance = Random(1)
    script = [[chance.randrange(envs._batch.actions) for _ in range(6)] for _ in range(12)]
    envs.reset()
    rows = [envs.step(np.array(actions)) for actions in script]
    for number in range(6):
        alone.reset()
        for actions, (observations, rewards, over, _, info) in zip(script, rows, strict=True):
            observation, reward, is_over, _, alone_info = alone.step(actions[number])
            assert (reward, is_over) == (rewards[number], over[number])
            assert info["illegal"][number] == alone_info.get("illegal", False)
            if is_over:
                observation, alone_info = alone.reset()
            assert (observation == observations[number]).all()
            assert (alone_info["action_mask"] == info["action_mask"][number]).all()
            assert alone_info["side"] == envs._start.sides[info["side"][number]]


def test_vector_env_seed_decides_sides_and_moves() -> None:
    one, other = (PlayVectorEnv(32, opponent=name) for name in ("random", "random"))
    assert set(one.reset(seed=3)[1]["side"].tolist()) == {0, 1}
    assert (one.reset(seed=3)[0] == other.reset(seed=3)[0]).all()
    levels = [PlayVectorEnv(4, opponent="level:1", side="O") for _ in range(2)]
    assert (levels[0].reset(seed=3)[0] == levels[1].reset(seed=3)[0]).all()


# PettingZoo


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", FITS)
def test_pettingzoo_checks_pass(name: str) -> None:
    with redirect_stdout(io.StringIO()):
        api_test(noughts.envs.aec(name), num_cycles=30)
        seed_test(lambda: noughts.envs.aec(name), num_cycles=15)


def test_agents_alternate_until_a_win() -> None:
    env = noughts.envs.aec("5x5:4,players=3", render_mode="ansi")
    env.reset(seed=1)
    assert env.possible_agents == ["X", "O", "Z"]
    rewards: dict[str, float] = {}
    cells = iter([0, 5, 10, 1, 6, 11, 2, 7, 12, 3])
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        assert not truncated
        rewards[agent] = rewards.get(agent, 0) + reward
        assert env.observation_space(agent).contains(observation)
        mask = observation["action_mask"]
        assert mask.any() != terminated
        env.step(None if terminated else next(cells))
    assert rewards == {"X": 1.0, "O": -0.5, "Z": -0.5}
    assert next(cells, None) is None


def test_waiting_agent_has_empty_mask() -> None:
    env = noughts.envs.aec(new_game("tictactoe"), render_mode="ansi")
    env.reset()
    env.step(4)
    assert not env.observe("X")["action_mask"].any()
    assert env.observe("O")["action_mask"].sum() == 8
    assert np.argwhere(env.observe("X")["observation"]).tolist() == [[0, 1, 1]]
    game = new_game("tictactoe")
    game.play((1, 1))
    assert env.render() == "\n".join(draw_text(game)) + "\n"
    env.close()


def test_agent_loses_by_illegal_move() -> None:
    env = noughts.envs.aec()
    env.reset()
    env.step(4)
    env.step(4)
    assert env.rewards == {"X": 0, "O": -1}
    assert all(env.terminations.values())
    bare = env.unwrapped
    bare.reset()
    bare.step(4)
    with pytest.raises(ValueError, match="4 is no legal move"):
        bare.step(4)


# Pictures


def test_env_renders_in_each_mode() -> None:
    for mode in (*MODES, None):
        env = PlayEnv(render_mode=mode, side="X", opponent="rule")
        before = env.render()
        env.reset()
        assert np.array_equal(env.render(), before)
        env.step(4)
        game = env.game
        drawn: dict[str | None, Any] = {
            "ansi": "\n".join(draw_text(game)) + "\n",
            "svg": draw_svg(game),
            None: None,
        }
        wanted = drawn.get(mode, pixels(game))
        assert np.array_equal(env.render(), wanted)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tictactoe", "qubic", "5x5:4,hex", "4d", "20x20:5", "100x1:5"])
def test_rendered_marks_are_in_place(name: str) -> None:
    game = new_game(name)
    empty = pixels(game)
    assert empty.dtype == np.uint8
    assert max(empty.shape) <= 2048 + 64
    colours = {"X": (0x3B, 0x34, 0xA8), "O": (0xB9, 0x3A, 0x13)}
    for mark in ("X", "O"):
        assert not (empty == colours[mark]).all(axis=2).any()
        game.play(game.legal_moves()[-1])
        results = np.argwhere((pixels(game) == colours[mark]).all(axis=2))
        assert len(results) > 4
        # A mark covers at least the middle half of its cell, and nothing else.
        extent = results.max(axis=0) - results.min(axis=0)
        assert extent.max() <= 32


def test_rendered_marks_match_drawing() -> None:
    game = new_game("tictactoe")
    for cell in ((0, 0), (1, 1)):
        game.play(cell)
    picture = pixels(game)
    one, other = (0x3B, 0x34, 0xA8), (0xB9, 0x3A, 0x13)
    middle_x, middle_o = picture[6 + 16, 6 + 16].tolist(), picture[6 + 48, 6 + 48].tolist()
    assert middle_x == list(one)  # strokes cross in the middle
    assert middle_o != list(other)  # a ring is empty there
    assert picture[6 + 48, 6 + 32 + 6].tolist() == list(other)


def test_final_observation_has_own_marks_first() -> None:
    one = PlayEnv("tictactoe", FirstLegal(), side="X")
    many = PlayVectorEnv(2, "tictactoe", FirstLegal(), side="X")
    one.reset(seed=1)
    many.reset(seed=1)
    for action in (8, 4, 6):
        seen, reward, over, _, _ = one.step(action)
        _, rewards, overs, _, info = many.step(np.array([action, action]))
        assert (rewards.tolist(), overs.tolist()) == ([reward] * 2, [over] * 2)
        if over:
            assert (info["final_obs"] == seen).all()
            assert info["final_info"]["side"].tolist() == [0, 0]
            return
    raise AssertionError("the game has not ended")


def test_vector_env_starts_from_given_position() -> None:
    start = new_game("tictactoe").at(("X", "O", None, None, "X", None, None, None, None), "O")
    one, many = PlayEnv(start, FirstLegal(), side="O"), PlayVectorEnv(2, start, FirstLegal(), side="O")
    expected, info = one.reset(seed=1)
    for _ in range(2):
        seen, infos = many.reset(seed=1)
        assert (seen == expected).all()
        assert (infos["action_mask"] == info["action_mask"]).all()


@pytest.mark.parametrize("actions", [[0.5, 1.0], [0, 1, 2], 3])
def test_bad_vector_actions_raise(actions: Any) -> None:
    many = PlayVectorEnv(2)
    many.reset(seed=1)
    with pytest.raises(ValueError, match="2 whole numbers"):
        many.step(actions)
