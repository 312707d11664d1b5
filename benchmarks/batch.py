"""Moves per second in many games at once: batches compared with pgx, OpenSpiel and plain C.

    python -m benchmarks.batch                              installed libraries only
    python -m benchmarks.batch --both                       on both cores as well, by the clock
    uv run --group dev --with pgx python -m benchmarks.batch --write        for the documents

Random games are played to their end, and steps are made with external actions. All contenders alternate on
one core in several rounds. The result is the processor time of the fastest round, since other load only slows
a round down. With ``--both`` batches are also measured on both cores, by the clock, on a machine without
other load. pgx runs compiled by JAX: a vector of restarting games in a scan. The playouts of OpenSpiel are
those of its C++ ``RandomRolloutEvaluator``, a thousand from the empty board. A step includes the legal
actions and the observations of the next position, which pgx computes too. ``playouts.c`` is compiled by gcc.
"""

import argparse
import os
import platform
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers import optional
from benchmarks.report import machine, save_results, table
from noughts import Batch
from noughts.search.numba_backend import python_machine

GAMES = {
    "3x3": ("tic_tac_toe", "tic_tac_toe"),
    "7x6:4,gravity": ("connect_four", "connect_four"),
    "4x4x4": (None, "gomoku(size=4,dims=3,connect=4)"),
    "15x15:5": (None, "gomoku(size=15,connect=5)"),
}
"""The games, with their names in pgx and in OpenSpiel."""

SIZES = {"3x3": 200_000, "7x6:4,gravity": 100_000, "4x4x4": 10_000, "15x15:5": 4_000}
"""The number of games in a batch that is played to its end."""

AT_ONCE = 4096
"""The number of games in a batch for steps, and in the vectors of pgx."""

ROLLOUTS = 1000
"""The number of playouts in one call of OpenSpiel."""

STEPS = 50

Measuring = Callable[[], float]
"""A function that plays once, and returns the moves per second."""


def timed(play: Callable[[], Any], clock: Callable[[], float] = time.process_time) -> tuple[float, Any]:
    """Return the seconds of *play*, and its result."""
    begin = clock()
    result = play()
    return clock() - begin, result


def our_playouts(spec: str, threads: int = 1, *, plain: bool = False) -> Measuring:
    """Return the measurement of batches, compiled if numba is installed, or as Python."""
    batch = Batch(spec, 100 if plain else SIZES[spec], seed=1)
    if plain:
        batch._calls.machine = python_machine()

    def play() -> float:
        if threads == 1:
            seconds, (_, plies) = timed(batch.playouts)
        else:
            with all_cores():
                seconds, (_, plies) = timed(lambda: batch.playouts(threads), time.perf_counter)
        return float(plies.sum() / seconds)

    return play


class all_cores:  # noqa: N801 - it is used like a function
    """Allow all cores during the context."""

    def __enter__(self) -> None:
        self._before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, range(os.cpu_count() or 1))

    def __exit__(self, *_: object) -> None:
        os.sched_setaffinity(0, self._before)


def our_steps(spec: str) -> Measuring:
    """Return the measurement of steps with random legal actions, next legal actions and observations."""
    batch, chance = Batch(spec, AT_ONCE, seed=1), np.random.default_rng(1)

    def make_step(actions: Any) -> Any:
        return batch.step(actions), batch.legal, batch.observations

    def play() -> float:
        seconds = 0.0
        for _ in range(STEPS):
            actions = (batch.legal * chance.random((AT_ONCE, batch.actions))).argmax(axis=1)
            seconds += timed(partial(make_step, actions))[0]
        return STEPS * AT_ONCE / seconds

    return play


def pgx_playouts(spec: str) -> Measuring | None:
    """Return the measurement of a vector of pgx games, all played to their end in one compiled loop."""
    jax, pgx, name = optional("jax"), optional("pgx"), GAMES[spec][0]
    if pgx is None or name is None:
        return None
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def go_on(carry: Any, _: Any) -> Any:
        state, key = carry
        key, chance, again = jax.random.split(key, 3)
        weights = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(chance, weights, axis=-1)
        return (step(state, actions, jax.random.split(again, AT_ONCE)), key), None

    play_out = jax.jit(lambda state, key: jax.lax.scan(go_on, (state, key), None, length=STEPS)[0])
    start = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), AT_ONCE))
    jax.block_until_ready(play_out(start, jax.random.PRNGKey(1)))  # The first call compiles it.

    def play() -> float:
        seconds, _ = timed(lambda: jax.block_until_ready(play_out(start, jax.random.PRNGKey(2))))
        return STEPS * AT_ONCE / seconds

    return play


def pgx_steps(spec: str) -> Measuring | None:
    """Return the measurement of steps of restarting pgx games, with random legal actions."""
    jax, pgx, name = optional("jax"), optional("pgx"), GAMES[spec][0]
    if pgx is None or name is None:
        return None
    from pgx.experimental.wrappers import auto_reset

    env, chance = pgx.make(name), np.random.default_rng(1)
    step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
    keys = jax.random.split(jax.random.PRNGKey(0), AT_ONCE)
    start = jax.jit(jax.vmap(env.init))(keys)

    def make_step(state: Any, actions: Any) -> Any:
        return jax.block_until_ready(step(state, actions, keys))

    make_step(start, np.zeros(AT_ONCE, np.int32))  # The first call compiles it.

    def play() -> float:
        state, seconds = start, 0.0
        for _ in range(STEPS):
            legal = np.asarray(state.legal_action_mask)
            actions = (legal * chance.random(legal.shape)).argmax(axis=1).astype(np.int32)
            took, state = timed(partial(make_step, state, actions))
            seconds += took
        return STEPS * AT_ONCE / seconds

    return play


def pgx_bytes(spec: str) -> float | None:
    """Return the size of one pgx game in a vector, in bytes."""
    jax, pgx, name = optional("jax"), optional("pgx"), GAMES[spec][0]
    if pgx is None or name is None:
        return None
    state = jax.vmap(pgx.make(name).init)(jax.random.split(jax.random.PRNGKey(0), 64))
    return float(sum(leaf.nbytes for leaf in jax.tree_util.tree_leaves(state)) / 64)


def openspiel_playouts(spec: str) -> Measuring | None:
    """Return the measurement of playouts in OpenSpiel's tree search, which evaluates only the start."""
    pyspiel = optional("pyspiel")
    if pyspiel is None:
        return None
    game = pyspiel.load_game(GAMES[spec][1])
    plies = Batch(spec, 2000, seed=1).playouts()[1].mean()
    seeds = iter(range(1000))

    def play() -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, next(seeds))
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 1000, False, 1, False)
        seconds, _ = timed(lambda: bot.step(game.new_initial_state()))
        return float(ROLLOUTS * plies / seconds)

    return play


def c_playouts(spec: str, folder: str) -> Measuring | None:
    """Return the measurement of the games of ``playouts.c``."""
    compiler, source = shutil.which("gcc"), Path(__file__).with_name("playouts.c")
    if compiler is None or GAMES[spec][0] is None:
        return None
    program = f"{folder}/playouts"
    subprocess.run([compiler, "-O3", "-march=native", "-o", program, str(source)], check=True)

    def play() -> float:
        run = subprocess.run([program], capture_output=True, text=True, check=True)
        output = {line.split()[0]: line.split()[1:] for line in run.stdout.splitlines()}
        moves, seconds, *_ = output[spec]
        return int(moves) / float(seconds)

    return play


def measured(rounds: int, *, both: bool) -> dict[str, Any]:
    """Measure everything, in turns."""
    rates: dict[str, Any] = {
        "machine": machine(),
        "with": versions(),
        "playouts": {},
        "steps": {},
        "bytes": {},
    }
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:
        for spec in GAMES:
            batch = Batch(spec, 1000)
            rates["bytes"][spec] = {"noughts": batch.nbytes / batch.n, "pgx": pgx_bytes(spec)}
            rates["steps"][spec] = quickest({"noughts": our_steps(spec), "pgx": pgx_steps(spec)}, rounds)
            ways = {
                "noughts": our_playouts(spec),
                "two threads": our_playouts(spec, threads=2) if both else None,
                "plain": our_playouts(spec, plain=True),
                "C": c_playouts(spec, folder),
                "pgx": pgx_playouts(spec),
                "OpenSpiel": openspiel_playouts(spec),
            }
            rates["playouts"][spec] = quickest(ways, rounds)
    return rates


def quickest(ways: dict[str, Measuring | None], rounds: int) -> dict[str, float | None]:
    """Return the most moves per second of each contender.

    The first round is a warm-up.
    """
    best: dict[str, float | None] = dict.fromkeys(ways)
    for number in range(rounds + 1):
        for name, way in ways.items():
            if way is not None and (speed := way()) and number:
                best[name] = max(best[name] or 0.0, speed)
    return best


def versions() -> list[str]:
    """Return the versions of the installed libraries."""
    names = ("numpy", "numba", "pgx", "jax", "open-spiel")
    modules = ("numpy", "numba", "pgx", "jax", "pyspiel")
    there = [name for name, module in zip(names, modules, strict=True) if optional(module)]
    return [f"{name} {version(name)}" for name in there]


def millions(speed: float | None) -> str:
    """Return moves per second in millions, to three figures."""
    return "" if speed is None else f"{speed / 1e6:.3g}"


def times(speed: float | None, other: float | None) -> str:
    """Return the ratio of two rates."""
    return "" if speed is None or other is None else f"{speed / other:.3g}"


def report(results: dict[str, Any]) -> dict[str, str]:
    """Return the blocks of the documents."""
    if not results:
        return {}
    ways = ("noughts", "two threads", "plain", "C", "pgx", "OpenSpiel")
    playouts = [
        [f"`{spec}`", *(millions(speeds[way]) for way in ways)]
        + [times(speeds["noughts"], speeds[way]) for way in ("C", "pgx", "OpenSpiel")]
        for spec, speeds in results["playouts"].items()
    ]
    steps = [
        [f"`{spec}`", *map(millions, speeds.values()), times(*speeds.values())]
        + ["" if size is None else f"{size:.0f}" for size in results["bytes"][spec].values()]
        for spec, speeds in results["steps"].items()
    ]
    return {
        "machine": f"{results['machine']}; {', '.join(results['with'])}.\n",
        "playouts": table(["game", *ways, "of C", "pgx's, times", "OpenSpiel's, times"], playouts),
        "steps": table(["game", "noughts", "pgx", "times", "bytes a game", "of pgx"], steps),
    }


def main() -> None:
    """Measure and print, or write into the documents."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--both", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if platform.system() != "Linux":
        parser.error("a program is kept on one core only by Linux")
    results = measured(options.rounds, both=options.both)
    for text in report(results).values():
        print(text)
    if options.write:
        save_results("batch", results)


if __name__ == "__main__":
    main()
