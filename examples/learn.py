"""Learn a game of k in a row only by games against itself, for the player ``learned``.

    python learn.py connect4 --minutes 30 --out my.weights          continue with --resume my.weights.state
    noughts play connect4 --x learned:my.weights

The value of a position is the sum of weights, one for the content of each part of the board (n-tuples). After
a game the value of each position is moved towards that of the next ones, TD(lambda). The steps are shorter
for a weight whose errors contradict each other (temporal coherence): Thill, Koch, Konen, "Reinforcement
learning with n-tuples on the game Connect-4", 2012. In a round all workers start with the same weights, and
their results are then merged. The result depends on the seed, the games and the workers. Needs the extra
``study``. The extra ``fast`` makes it fifty times as fast, and --cluster needs ``cluster``.
"""

import argparse
import json
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from multiprocessing import get_context, parent_process
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, cast

import numpy as np

import noughts
from noughts.core.lines import line_table
from noughts.drawing.plot import Courses, write_plot
from noughts.errors import NoughtsError
from noughts.players.learned import LearnedPlayer
from noughts.players.ntuples import Network, TupleLayout, network_bytes, random_layout, rounded
from noughts.records.files import atomic_writer, check_can_write, open_to_read, write_atomically

STEP = 0.5  # the part of the error that a step removes at first
LAMBDA = 0.8  # the weight of later positions, against the next one alone
CURIOSITY = 0.1  # the probability of a random move
OPENING = 6  # the maximum number of random moves at the start
COHERENCE = 2.7  # the speed at which steps become shorter

Array = Any
Lesson = tuple[Array, Array, Array]  # the weights, the sums of errors and of absolute errors


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the *function* compiled by numba, if numba is installed and not switched off."""
    if find_spec("numba") is None or os.environ.get("NOUGHTS_PLAIN"):
        return function
    return cast(Callable[..., Any], import_module("numba").njit(cache=True, error_model="numpy")(function))


# A board for compiled code, as arrays of whole numbers. Cell c is in PARTS[FIRST[c] : FIRST[c + 1]], and
# POWERS has the factor of its state there. START has the numbers of the weights on the empty board. A cell
# brings the one ABOVE within reach (-1: none), and IS_OPEN holds at the start. OTHERS has the other cells of
# the lines through a cell, from line LINE_FIRST[c] on. FACTS: cells of a line in OTHERS, a side's weights.
FIRST, PARTS, POWERS, START, ABOVE, IS_OPEN, LINE_FIRST, OTHERS, FACTS = range(9)
Board = tuple[Any, ...]


def board_of(form: TupleLayout) -> Board:
    """Return the board of *form*."""
    size, fall, table = form.rules.geometry.size, form.fall, line_table(form.rules.geometry)
    if table is None:
        raise SystemExit(f"{form.game} is too large")
    lines = [[table.cells_of[line] for line in table.lines_of(cell)] for cell in range(size)]
    numbers: list[Any] = [
        np.cumsum([0, *map(len, form.touching)]),
        *zip(*chain.from_iterable(form.touching), strict=True),
        form.read([None] * size),
        [cell - fall if 0 < fall <= cell else -1 for cell in range(size)],
        [not fall or cell + fall >= size for cell in range(size)],
        np.cumsum([0, *map(len, lines)]),
        [one for cell in range(size) for line in lines[cell] for one in line if one != cell],
        [table.k - 1, form.count],
    ]
    return tuple(np.array(one, np.int64) for one in numbers)


@compiled
def place(board: Board, at: Array, cell: int, side: int, sign: int) -> None:
    """Put a mark of *side* on *cell*, or lift it with the *sign* -1. *at* has the weights of the parts."""
    for where, change in ((cell, sign * (side + 1)), (board[ABOVE][cell], sign)):
        if where >= 0:
            for number in range(board[FIRST][where], board[FIRST][where + 1]):
                at[board[PARTS][number]] += change * board[POWERS][number]


@compiled
def wins(board: Board, cells: Array, cell: int, side: int) -> bool:
    """Return True if a mark of *side* on *cell* completes a line."""
    count = board[FACTS][0]
    for line in range(board[LINE_FIRST][cell], board[LINE_FIRST][cell + 1]):
        missing = count
        while missing > 0 and cells[board[OTHERS][line * count + missing - 1]] == side:
            missing -= 1
        if missing == 0:
            return True
    return False


@compiled
def value_of(weights: Array, at: Array, first: int) -> float:
    """Return the value of a position for the first side, from -1 to 1."""
    total = 0.0
    for number in at:
        total += weights[first + number]
    return float(np.tanh(total))


@compiled
def play(board: Board, weights: Array, past: Array, values: Array, goals: Array) -> int:
    """Play a game, and return the number of moves to learn from.

    *past* gets the weights after each, *values* their values, *goals* the best next ones (NaN if played).
    """
    size = len(board[ABOVE])
    cells, is_open, at = np.full(size, -1), board[IS_OPEN].copy(), board[START].copy()
    opening = int(np.random.random() * (OPENING + 1))
    for ply in range(size):
        side, best, best_cell, any_cell, count = ply % 2, -2.0, -1, -1, 0
        sign, first = 1 - 2 * side, (1 - side) * board[FACTS][1]
        for cell in range(size):
            if is_open[cell] == 0:
                continue
            if wins(board, cells, cell, side):
                goals[ply - 1] = sign
                return ply
            place(board, at, cell, side, 1)
            value = 0.0 if ply == size - 1 else sign * value_of(weights, at, first)
            place(board, at, cell, side, -1)
            if value > best:
                best, best_cell = value, cell
            count += 1
            if np.random.random() * count < 1:
                any_cell = cell
        chosen = any_cell if ply < opening or np.random.random() < CURIOSITY else best_cell
        goals[ply - 1] = np.nan if chosen == best_cell and ply < size - 1 else sign * best
        place(board, at, chosen, side, 1)
        cells[chosen], is_open[chosen] = side, 0
        if board[ABOVE][chosen] >= 0:
            is_open[board[ABOVE][chosen]] = 1
        past[ply], values[ply] = at + first, value_of(weights, at, first)
    return size - 1


@compiled
def learn(board: Board, lesson: Lesson, games: int, seed: int) -> None:
    """Play *games* games, and learn after each."""
    np.random.seed(seed)
    (weights, sums, spans), size = lesson, len(board[ABOVE])
    past, values, goals = np.empty((size, len(board[START])), np.int64), np.zeros(size), np.zeros(size)
    for _ in range(games):
        goal = 0.0
        for ply in range(play(board, weights, past, values, goals) - 1, -1, -1):
            goal = (1 - LAMBDA) * values[ply + 1] + LAMBDA * goal if np.isnan(goals[ply]) else goals[ply]
            value = value_of(weights, past[ply], 0)
            error = (goal - value) * (1 - value * value)
            for number in past[ply]:
                step = error * STEP / len(board[START])
                if spans[number] > 0:
                    step *= np.exp(COHERENCE * (abs(sums[number]) / spans[number] - 1))
                weights[number] += step
                sums[number] += error
                spans[number] += abs(error)


class State(NamedTuple):
    """The learned weights, and all that is needed to continue as if the program had not stopped."""

    form: TupleLayout
    lesson: Lesson
    facts: dict[str, int]  # seed, workers, their games in a round, and finished rounds


def save(state: State, path: Path) -> None:
    """Write the *state* to *path*, completely or not at all."""
    about = json.dumps([state.form.game, state.form.tuples, state.facts]).encode()
    arrays = dict(zip("wes", state.lesson, strict=True), about=np.frombuffer(about, np.uint8))
    with atomic_writer(path) as stream:
        np.savez(cast(Any, stream.buffer), **arrays)


def load(path: Path, name: str) -> State:
    """Return the state from the file *path*, for the game called *name*."""
    try:
        with open_to_read(path) as stream, np.load(stream, allow_pickle=False) as archive:
            game, tuples, facts = json.loads(archive["about"].tobytes())
            form, lesson = TupleLayout(game, tuple(map(tuple, tuples))), tuple(map(archive.get, "wes"))
        fits = [one.shape == (2 * form.count,) and one.dtype.kind == "f" for one in lesson]
        if noughts.new_game(name).name != form.game or not all(fits):
            raise ValueError("it belongs to another game, or is incomplete")
        known = {name: int(facts[name]) for name in ("seed", "workers", "games", "rounds")}
        return State(form, cast(Lesson, lesson), known)
    except Exception as error:  # any error of a damaged or foreign file
        raise SystemExit(f"{path} is not a saved state: {error}") from None


def begin(game: str, facts: dict[str, int], lookups: int) -> State:
    """Return the state before the first game."""
    form = random_layout(game, lookups, Random(facts["seed"]))
    lesson = (np.zeros(2 * form.count, kind) for kind in ("f4", "f8", "f8"))
    return State(form, cast(Lesson, tuple(lesson)), facts)


def train(form: TupleLayout, lesson: Lesson, games: int, seed: str) -> Lesson:
    """Return a copy of *lesson* after *games* more games, played by a worker."""
    copy = cast(Lesson, tuple(one.copy() for one in lesson))
    learn(board_of(form), copy, games, Random(seed).getrandbits(31))
    return copy


def next_round(state: State, executor: Executor) -> State:
    """Return the *state* after one more round, in which each worker of *executor* plays its games."""
    form, before, facts = state
    seeds = [f"{facts['seed']} {facts['rounds']} {one}" for one in range(facts["workers"])]
    tasks = [executor.submit(train, form, before, facts["games"], seed) for seed in seeds]
    after = [task.result() for task in tasks]
    # A weight becomes the mean over the workers that changed it. Errors are added up.
    changes, errors, spans = (sum(one[kind] - before[kind] for one in after) for kind in range(3))
    count = np.maximum(1, sum((one[0] != before[0]).astype("f4") for one in after))
    lesson = before[0] + changes / count, before[1] + errors, before[2] + spans
    return State(form, lesson, {**facts, "rounds": facts["rounds"] + 1})


def share(network: Network, other: str, games: int = 40) -> float:
    """Return the share of points against *other*, from each opening of two random moves with either side."""
    points = 0.0
    for number in range(games):
        game, chance, side = noughts.new_game(network.form.game), Random(number // 2), number % 2
        while game.ply < 2 and game.outcome is None:
            game.play(chance.choice(game.legal_moves()))
        players = LearnedPlayer(chance, network), noughts.new_player(other, chance)
        winner = game.winner if game.is_over else noughts.play(game, x=players[side], o=players[1 - side])
        points += 0.5 if winner is None else winner == game.sides[side]
    return points / games


def prepare_worker() -> None:
    """Prepare a worker: leave Ctrl-C to the parent process, and exit with it in any case."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = cast(Any, parent_process())
    threading.Thread(target=lambda: (parent.join(), os._exit(1)), daemon=True).start()


RIVALS = "random", "rule", "level:5"


def train_rounds(
    state: State, executor: Executor, out: Path, rounds: int, minutes: float, plot: Path | None = None
) -> None:
    """Learn for *rounds* or *minutes* more, save the result, and report its strength each minute.

    The shares of points over games, from the start of this run, are drawn into *plot*.
    """
    shares: dict[str, list[tuple[float, float]]] = {one: [] for one in RIVALS}
    began, reported, first = time.monotonic(), 0.0, state.facts["rounds"]
    while state.facts["rounds"] < first + rounds and (time.monotonic() - began) / 60 < minutes:
        state = next_round(state, executor)
        save(state, Path(f"{out}.state"))
        done, spent = state.facts["rounds"], (time.monotonic() - began) / 60
        games = state.facts["games"] * state.facts["workers"] * np.array([done, done - first])
        line = f"{spent:.1f} of {minutes:g} minutes: {games[0]} games, {games[1] / spent / 60:.0f} a second"
        if spent >= reported + 1 or done == first + rounds or spent >= minutes:
            reported, net = spent, rounded(state.form, state.lesson[0].tolist())
            with atomic_writer(out) as stream:
                stream.buffer.write(network_bytes(net))
            for one in RIVALS:
                shares[one].append((float(games[0]), share(net, one)))
                line += f"; {shares[one][-1][1]:.2f} against {one}"
            if plot is not None:
                title = f"{state.form.game}: share of points after so many games"
                write_atomically(plot, write_plot([Courses(title, shares, {"0.5": 0.5, "1": 1.0})]))
        print(line, flush=True)


def main(words: list[str] | None = None) -> None:
    """Parse the arguments, and learn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    add = parser.add_argument
    add("game", help="name or spec of a game of two sides in which a line wins; marks may fall")
    add("--out", type=Path, required=True, help="the file of weights; the state is stored as FILE.state")
    add("--resume", type=Path, metavar="STATE", help="continue from this state and its args")
    add("--minutes", type=float, default=30.0, help="maximum running time (default: 30)")
    add("--rounds", type=int, default=1_000_000_000, help="maximum number of further rounds")
    add("--games", type=int, default=20_000, help="games of each worker in a round (default: 20000)")
    add("--workers", type=int, default=2, help="number of parallel workers (default: 2)")
    add("--seed", type=int, default=1, help="seed of all random choices (default: 1)")
    add("--lookups", type=int, default=140, help="number of weights in the sum of a position (default: 140)")
    add("--plot", type=Path, metavar="FILE.svg", help="draw the shares of points after each round")
    add("--cluster", metavar="ADDRESS", help="play on the workers of a Dask cluster")
    args = parser.parse_args(words)
    if min(args.games, args.workers, args.lookups) < 1:
        parser.error("--games, --workers and --lookups must be at least 1")
    if args.plot is not None and args.plot.suffix.lower() != ".svg":
        parser.error("the name of the plot must end with .svg")
    try:
        for file in filter(None, (args.out, args.plot)):
            check_can_write(file)
        facts = {"seed": args.seed, "workers": args.workers, "games": args.games, "rounds": 0}
        state = load(args.resume, args.game) if args.resume else begin(args.game, facts, args.lookups)
        cluster = args.cluster and import_module("distributed").Client(args.cluster)
        how = state.facts["workers"], get_context("spawn"), prepare_worker
        executor = cluster.get_executor() if cluster else ProcessPoolExecutor(*how)
        train_rounds(state, executor, args.out, args.rounds, args.minutes, args.plot)
        executor.shutdown()
    except (NoughtsError, ValueError, OSError, ImportError, BrokenExecutor) as error:
        raise SystemExit(str(error)) from None
    except KeyboardInterrupt:
        print(f"Stopped. To continue after the last finished round: --resume {args.out}.state", flush=True)
        os._exit(0)  # this also ends the workers, without their round


if __name__ == "__main__":
    main()
