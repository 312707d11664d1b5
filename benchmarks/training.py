"""The strength of a learner against a level, before and after training in ``noughts/Play-v0``.

    uv run --group dev --with sb3-contrib python -m benchmarks.training --steps 20000 --only tictactoe
    uv run --group dev --with sb3-contrib python -m benchmarks.training --write        for the documents

The learner is ``MaskablePPO`` of sb3-contrib with two layers of 256, which knows only the mask of legal
moves. In the tests it plays its likeliest move. Its side is drawn for each game. Seconds are processor time
on one thread.
"""

import argparse
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

from benchmarks.report import machine, save_results, saved_results, table
from noughts.envs import PLAY

STEPS = {"tictactoe": 100_000, "5x5:4": 150_000, "connect4": 100_000}
"""The games to learn, and the number of moves of the learner."""

ANSWERED = ("tictactoe", "5x5:4", "connect4", "gomoku")
OPPONENTS = ("random", "rule", "level:1", "level:3", "level:5", "mcts:100")
ANSWERING_SECONDS = 1.5

AT_ONCE = 16
RESULTS = {1: "won", 0: "drawn", -1: "lost"}

Policy = Callable[[Any, Any], Any]


def tried(policy: Policy, game: str, opponent: str, games: int) -> dict[str, float]:
    """Return the shares of *games* that *policy* wins, draws and loses."""
    env = gymnasium.make(PLAY, game=game, opponent=opponent)
    counts: Counter[str] = Counter()
    observation, info = env.reset(seed=1)
    while counts.total() < games:
        action = policy(observation, info["action_mask"])
        observation, reward, over, _, info = env.step(action)
        if over:
            counts[RESULTS[round(float(reward))]] += 1
            observation, info = env.reset()
    env.close()
    return {result: counts[result] / games for result in RESULTS.values()}


def new_learner(game: str, opponent: str) -> Any:
    """Return a new learner."""
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.env_util import make_vec_env

    torch.set_num_threads(1)
    return MaskablePPO(
        "MlpPolicy",
        make_vec_env(PLAY, AT_ONCE, seed=1, env_kwargs={"game": game, "opponent": opponent}),
        n_steps=128,
        batch_size=512,
        n_epochs=6,
        learning_rate=1e-3,
        gamma=1.0,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [256, 256]},
        seed=1,
        device="cpu",
    )


def trained(game: str, opponent: str, steps: int, games: int) -> dict[str, Any]:
    """Return the results before and after *steps* steps, and those of a random player."""
    learner, chance = new_learner(game, opponent), np.random.default_rng(1)

    def likeliest(observation: Any, mask: Any) -> int:
        return int(learner.predict(observation, action_masks=mask, deterministic=True)[0])

    def any_allowed(_: Any, mask: Any) -> int:
        return int(chance.choice(np.flatnonzero(mask)))

    found: dict[str, Any] = {"opponent": opponent, "games": games}
    found["chance"] = tried(any_allowed, game, opponent, games)
    found["before"] = tried(likeliest, game, opponent, games)
    begun = time.process_time()
    learner.learn(steps)
    found |= {"steps": learner.num_timesteps, "seconds": time.process_time() - begun}
    found["after"] = tried(likeliest, game, opponent, games)
    return found


def answers(game: str, opponent: str) -> float:
    """Return the number of answers of *opponent* to a random move per second of processor time."""
    env, chance = gymnasium.make(PLAY, game=game, opponent=opponent), np.random.default_rng(1)
    _, info = env.reset(seed=1)
    begun, steps = time.process_time(), 0
    while (used := time.process_time() - begun) < ANSWERING_SECONDS:
        _, _, over, _, info = env.step(chance.choice(np.flatnonzero(info["action_mask"])))
        steps += 1
        if over:
            _, info = env.reset()
    env.close()
    return steps / used


def report(results: dict[str, Any]) -> dict[str, str]:
    """Return the blocks of the documents."""
    if not results:
        return {}
    columns = ["game", "opponent", "by chance", "before", "steps", "seconds", "won", "drawn", "lost"]
    rows = [
        [
            f"`{game}`",
            f"`{one['opponent']}`",
            *(f"{one[when]['won']:.0%}" for when in ("chance", "before")),
            f"{one['steps']:,}",
            f"{one['seconds']:.0f}",
            *(f"{one['after'][result]:.0%}" for result in RESULTS.values()),
        ]
        for game, one in results["games"].items()
    ]
    quick = [
        [f"`{game}`", *(f"{one[who]:,.0f}" for who in OPPONENTS)] for game, one in results["answers"].items()
    ]
    return {
        "machine": f"{results['machine']}; {results['with']}.\n",
        "learned": table(columns, rows, texts=2),
        "answers": table(["game", *(f"`{who}`" for who in OPPONENTS)], quick),
    }


def main() -> None:
    """Train and print the results."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--only", nargs="*", default=list(STEPS))
    parser.add_argument("--opponent", default="level:3")
    parser.add_argument("--steps", type=int)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    from importlib.metadata import version

    libraries = ", ".join(f"{name} {version(name)}" for name in ("torch", "sb3-contrib"))
    results: dict[str, Any] = {
        "machine": machine(),
        "with": libraries,
        "games": dict(saved_results("training").get("games", {})),
    }
    results["answers"] = {game: {who: answers(game, who) for who in OPPONENTS} for game in ANSWERED}
    for game in options.only:
        steps = options.steps or STEPS.get(game, 100_000)
        results["games"][game] = trained(game, options.opponent, steps, options.games)
        print(*report(results).values(), sep="\n", flush=True)
    if options.write:
        save_results("training", results)


if __name__ == "__main__":
    main()
