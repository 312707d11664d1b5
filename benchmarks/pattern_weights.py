"""Weights of the pattern search, fitted to games of the engine against itself.

    python -m benchmarks.pattern_weights play games.jsonl --games 3000 --weights first       or a file
    python -m benchmarks.pattern_weights fit new.json games.jsonl ... --weights old.json --only value
    python -m benchmarks.pattern_weights mean weights.json one.json two.json
    python -m benchmarks.pattern_weights match one.json two.json --games 200 --nodes 20000

``play`` continues a file of games that is there already: each game depends only on the seed and its number.
``--rule`` is ``freestyle`` or ``exact``. ``--cluster ADDRESS`` plays on a Dask cluster, whose workers must
find this checkout on their path. ``match`` states the score of the first weights, with the 95 % interval of
pairs of games.

A position's target is RESULT_SHARE of the result, and for the rest the score of the search. The fit starts
with the given weights. Each weight follows its gradient by Adagrad (Duchi, Hazan and Singer 2011), so that
combinations that few positions have move quickly, and common ones come to rest.
"""

import argparse
import json
import math
import random
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import numpy as np

from benchmarks.pattern_games import (
    THREAT_MASKS,
    Board,
    first_weights,
    play_games,
    random_opening,
)
from noughts.search.patterns.alpha_beta import LIKELY
from noughts.search.patterns.fours import find_static_result
from noughts.search.patterns.line_classes import (
    FIVE_POINT,
    FOUR_POINT,
    FOURS,
    OPEN_THREE_POINT,
    combination_of_shape,
    combinations,
    point_class,
)
from noughts.search.patterns.position import count, threat_mask
from noughts.search.patterns.weights import Weights, read_weights
from noughts.workers.cluster import ClusterExecutor
from noughts.workers.executor import ProcessExecutor

LOGIT = 200
"""The difference in value that makes the odds of a win e times as great."""

MAX_SCORE = 20 * LOGIT
"""Greater scores are certain wins."""

POINT = np.array([point_class(classes) for classes in combinations()])
"""The point class of each combination."""

COMBINATION = np.array(combination_of_shape(), dtype=np.uint16)
"""The combination of each shape."""

ORDER_LOGIT = 32
"""The difference in order score that makes a move e times as likely."""

BATCH = 50
"""The games that a worker plays at once."""

EPOCHS, MINIBATCH, RATE, LAST_RATE = 8, 32, 0.02, 0.001

FIRST_SQUARE = 10.0
"""The sum of squared gradients before the first one. It limits the first steps."""

RESULT_SHARE = 0.3
"""The weight of the result of the game in the target of a position."""

QUIET_SCORE = -450
"""The mean order score of quiet moves.

The probabilities of moves do not depend on it, but the search skips futile moves by their order scores.
"""

EVEN_NODES, MAX_EVEN_SCORE = 5_000, 100
"""The search of an opening, and the greatest score of an even one."""

CHECKED_SHARE = 20
"""One position of this many, from the last games, is only used to check the fit."""


def read_weights_file(name: str) -> Weights:
    """Return the weights in a file, or the first ones."""
    return (
        first_weights() if name == "first" else Weights(**json.loads(Path(name).read_text(encoding="utf-8")))
    )


def write_weights(name: str, weights: Weights) -> None:
    """Write *weights* into a file."""
    text = json.dumps(asdict(weights), separators=(",", ":")) + "\n"
    Path(name).write_text(text, encoding="utf-8")


def play(options: argparse.Namespace) -> None:
    """Append games to the file until it has enough of them."""
    file, weights = Path(options.file), json.dumps(asdict(read_weights_file(options.weights)))
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    seed = json.loads(lines[-1])["seed"] // BATCH * BATCH + BATCH if lines else options.seed * 10_000_000
    played, pending = len(lines), list[Any]()
    with game_executor(options) as executor, file.open("a", encoding="utf-8") as out:
        while played < options.games:
            while len(pending) <= options.workers:
                seeds = list(range(seed, seed + BATCH))
                pending.append(executor.submit(play_games, options.rule, weights, seeds, options.nodes))
                seed += BATCH
            games = pending.pop(0).result()
            out.write(games)
            out.flush()
            played += games.count("\n")
            print(f"{played} games", file=sys.stderr)


@contextmanager
def game_executor(options: argparse.Namespace) -> Iterator[Executor]:
    """Yield an executor for games: processes of this machine, or a Dask cluster if its address is given."""
    with ExitStack() as opened:
        if options.cluster:
            from distributed import Client

            executor: Executor = ClusterExecutor(opened.enter_context(Client(options.cluster)))
        else:
            executor = ProcessExecutor(options.workers)
        opened.callback(executor.shutdown, wait=False, cancel_futures=True)
        yield executor


@dataclass(frozen=True)
class Example:
    """A position of a game: the combinations of its empty cells, for the mover and for the other side.

    ``target`` is the share of the point that the mover is expected to get. ``options`` are the combinations
    of the candidate moves, and ``played`` is the number of the move among them, -1 if it is none of them.
    """

    combinations: Any
    mask: int
    target: float
    options: Any
    played: int


@dataclass(frozen=True)
class Positions:
    """The positions of games as arrays, with the fields of :class:`Example`.

    ``starts`` has the index of the first cell of each position, and that behind the last, ``option_starts``
    the same of the candidates.
    """

    combinations: Any
    starts: Any
    masks: Any
    targets: Any
    options: Any
    option_starts: Any
    played: Any


def read_positions(rule: str, files: Sequence[str]) -> Positions:
    """Return the positions of the games in *files* in which the point classes do not decide."""
    board = Board(rule, first_weights())
    lines = [line for file in files for line in Path(file).read_text(encoding="utf-8").splitlines()]
    examples = [example for line in lines for example in examples_of(board, json.loads(line))]
    return Positions(
        np.concatenate([one.combinations for one in examples], axis=1),
        starts_of([one.combinations for one in examples]),
        np.array([one.mask for one in examples]),
        np.array([one.target for one in examples]),
        np.concatenate([one.options for one in examples], axis=1),
        starts_of([one.options for one in examples]),
        np.array([one.played for one in examples]),
    )


def starts_of(parts: Sequence[Any]) -> Any:
    """Return the index of the first column of each of the *parts*, and that behind the last."""
    return np.cumsum([0, *(part.shape[1] for part in parts)])


def examples_of(board: Board, game: dict[str, Any]) -> Iterator[Example]:
    """Yield the undecided positions of *game* after its opening."""
    board.clear()
    for number, move in enumerate(game["moves"]):
        memory, side, played = board.memory, board.side, number - game["opening"]
        must_reply = count(memory, 1 - side, FIVE_POINT) > 0
        if played >= 0 and not must_reply and not find_static_result(memory, side):
            yield example_of(board, move, game["result"], game["scores"][played])
        board.play(move)


def example_of(board: Board, move: int, result: int, score: int) -> Example:
    """Return the position on *board*, from which *move* was played after a search with *score*."""
    memory, side = board.memory, board.side
    empty = np.array(board.empty_cells())
    both = [side * memory.size + empty, (1 - side) * memory.size + empty]
    pair = COMBINATION[np.asarray(memory.shapes)[both]]
    if count(memory, 1 - side, FOURS):
        is_candidate = (np.asarray(memory.point)[both] >= FOUR_POINT).any(axis=0)
    else:
        is_candidate = np.asarray(memory.neighbours)[empty] > 0
    played = np.flatnonzero(empty[is_candidate] == move)
    points = 0.5 + 0.5 * result * (1 if side == 0 else -1)
    expected = 1 / (1 + math.exp(-max(-MAX_SCORE, min(MAX_SCORE, score)) / LOGIT))
    return Example(
        pair,
        threat_mask(memory, side),
        RESULT_SHARE * points + (1 - RESULT_SHARE) * expected,
        pair[:, is_candidate],
        int(played[0]) if len(played) else -1,
    )


class AdagradWeights:
    """Weights that follow their gradients by Adagrad.

    They start with the whole *numbers*, in which *unit* stands for a weight of 1.
    """

    def __init__(self, numbers: Sequence[int], unit: int) -> None:
        self.numbers, self._unit = np.array(numbers) / unit, unit
        self._squares = np.full(len(self.numbers), FIRST_SQUARE)

    def whole(self) -> list[int]:
        """Return the weights as whole numbers of the unit."""
        return [round(number) for number in self._unit * self.numbers]

    def step(self, gradient: Any, rate: float) -> None:
        """Take one step."""
        self._squares += gradient**2
        self.numbers -= rate * gradient / np.sqrt(self._squares)


def segments(starts: Any, chosen: Any) -> tuple[Any, Any]:
    """Return the indices of the cells of the *chosen* positions, and the number of cells of each."""
    sizes = starts[chosen + 1] - starts[chosen]
    ends = np.cumsum(sizes)
    offsets = np.repeat(starts[chosen] - np.concatenate([[0], ends[:-1]]), sizes)
    return np.arange(ends[-1]) + offsets, sizes


def fit_values(first: Weights, positions: Positions, chance: Any) -> tuple[list[int], list[int], list[int]]:
    """Return the weights of values: of the mover, of the other side and of threat masks."""
    size = len(POINT)
    mover, waiting, threats = (
        AdagradWeights(numbers, LOGIT) for numbers in (first.mover, first.waiting, first.threats)
    )

    def step(chosen: Any, rate: float | None) -> float:
        index, sizes = segments(positions.starts, chosen)
        own, other = positions.combinations[:, index]
        sums = mover.numbers[own] - waiting.numbers[other]
        firsts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        values = np.add.reduceat(sums, firsts) + threats.numbers[positions.masks[chosen]]
        target = positions.targets[chosen]
        guess = 1 / (1 + np.exp(-values))
        loss = -(target * np.log(guess + 1e-9) + (1 - target) * np.log(1 - guess + 1e-9)).mean()
        if rate is not None:
            error = guess - target
            spread = np.repeat(error, sizes)
            mover.step(np.bincount(own, spread, size), rate)
            waiting.step(-np.bincount(other, spread, size), rate)
            threats.step(np.bincount(positions.masks[chosen], error, THREAT_MASKS), rate)
        return float(loss)

    run_epochs(len(positions.targets), step, chance, "value")
    return mover.whole(), waiting.whole(), threats.whole()


def fit_order(first: Weights, positions: Positions, chance: Any) -> tuple[list[int], list[int]]:
    """Return the weights of the order of moves, for the mover and for the other side."""
    size = len(POINT)
    own_fit, other_fit = (AdagradWeights(part, ORDER_LOGIT) for part in (first.own, first.other))
    known = np.flatnonzero(positions.played >= 0)

    def step(numbers: Any, rate: float | None) -> float:
        chosen = known[numbers]
        index, sizes = segments(positions.option_starts, chosen)
        own, other = positions.options[:, index]
        firsts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        scores = own_fit.numbers[own] + other_fit.numbers[other]
        scores = np.exp(scores - np.repeat(np.maximum.reduceat(scores, firsts), sizes))
        shares = scores / np.repeat(np.add.reduceat(scores, firsts), sizes)
        played = firsts + positions.played[chosen]
        loss = -np.log(shares[played] + 1e-9).mean()
        if rate is not None:
            shares[played] -= 1
            own_fit.step(np.bincount(own, shares, size), rate)
            other_fit.step(np.bincount(other, shares, size), rate)
        return float(loss)

    run_epochs(len(known), step, chance, "order")
    own, other = positions.options
    is_quiet = (POINT[own] < OPEN_THREE_POINT) & (POINT[other] < OPEN_THREE_POINT)
    quiet_mean = (own_fit.numbers[own[is_quiet]] + other_fit.numbers[other[is_quiet]]).mean()
    own_fit.numbers += QUIET_SCORE / ORDER_LOGIT - quiet_mean
    return own_fit.whole(), other_fit.whole()


def run_epochs(size: int, step: Any, chance: Any, name: str) -> None:
    """Call *step* for all minibatches of *size* positions, and print the losses."""
    fitted = size - size // CHECKED_SHARE
    for epoch in range(EPOCHS):
        rate = RATE * (1 - epoch / EPOCHS) + LAST_RATE
        order = chance.permutation(fitted)
        losses = [step(order[i : i + MINIBATCH], rate) for i in range(0, fitted, MINIBATCH)]
        checked = step(np.arange(fitted, size), None)
        print(f"{name}: epoch {epoch + 1}, loss {fmean(losses):.4f}, checked {checked:.4f}", file=sys.stderr)


def fit(options: argparse.Namespace) -> None:
    """Fit weights to the games of the files, and write them."""
    positions = read_positions(options.rule, options.files)
    print(f"{len(positions.targets)} positions", file=sys.stderr)
    chance, weights = np.random.default_rng(options.seed), read_weights_file(options.weights)
    if options.only != "order":
        mover, waiting, threats = fit_values(weights, positions, chance)
        weights = replace(weights, mover=mover, waiting=waiting, threats=threats)
    if options.only != "value":
        own, other = fit_order(weights, positions, chance)
        weights = replace(weights, own=own, other=other)
    write_weights(options.file, weights)


def mean(options: argparse.Namespace) -> None:
    """Write the mean of the weights of the files."""
    sets = [read_weights_file(name) for name in options.files]
    means = {
        name: [round(fmean(numbers)) for numbers in zip(*(getattr(one, name) for one in sets), strict=True)]
        for name in ("mover", "waiting", "own", "other", "threats")
    }
    write_weights(options.file, Weights(**means))


def even_openings(board: Board, number: int) -> Iterator[list[int]]:
    """Yield *number* openings of 4 to 7 marks that a search on *board* finds even.

    The scale of its weights must be that of the fitted ones.
    """
    chance = random.Random(7)
    while number:
        board.clear()
        cells = random_opening(board, chance, chance.randint(4, 7))
        if (
            not find_static_result(board.memory, board.side)
            and abs(board.search(EVEN_NODES)[1]) <= MAX_EVEN_SCORE
        ):
            yield cells
            number -= 1


def match(options: argparse.Namespace) -> None:
    """Play pairs of games between two sets of weights, and print the score of the first one."""
    boards = [Board(options.rule, read_weights_file(name)) for name in (options.file, *options.files[:1])]
    judge, pairs = Board(options.rule, read_weights()), list[float]()
    for opening in even_openings(judge, options.games // 2):
        points = 0.0
        for first in (0, 1):
            for board in boards:
                board.clear()
                for cell in opening:
                    board.play(cell)
            while True:
                turn = boards[0].side ^ first
                cell, score = boards[turn].search(options.nodes)
                if abs(score) > LIKELY:
                    points += (score > 0) == (turn == 0)
                    break
                for board in boards:
                    board.play(cell)
                if not boards[0].memory.free:
                    points += 0.5
                    break
        pairs.append(points / 2)
        if len(pairs) > 1:
            error = 1.96 * stdev(pairs) / math.sqrt(len(pairs))
            print(f"{2 * len(pairs)} games: {fmean(pairs):.3f} ± {error:.3f}", file=sys.stderr)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one step."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("step", choices=["play", "fit", "mean", "match"])
    parser.add_argument("file")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--rule", choices=["freestyle", "exact"], default="freestyle")
    parser.add_argument("--weights", default="first", help="a file of the weights to start with (first)")
    parser.add_argument("--only", choices=["value", "order"], help="the weights to fit (both)")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--cluster")
    options = parser.parse_args(arguments)
    {"play": play, "fit": fit, "mean": mean, "match": match}[options.step](options)


if __name__ == "__main__":
    main()
