"""Speed and node signature of the pattern search on fixed positions.

    python -m benchmarks.pattern_bench

The signature changes with any number of nodes, move or score. It is the same without the extra ``fast``. The
speed is by processor time, after the kernels are compiled.
"""

import argparse
from random import Random
from time import process_time
from typing import NamedTuple
from zlib import crc32

from noughts.games.kinarow import KInARow
from noughts.games.rules import Rules
from noughts.search.analysis import Limit
from noughts.search.numba_backend import Machine, best_machine
from noughts.search.patterns.search import PatternBoard, PatternSearch

POSITIONS, NODES = 20, 20_000

RULES = (
    *(Rules(shape=(15, 15), k=5), Rules(shape=(15, 15), k=5, exact=True), Rules(shape=(19, 19), k=5)),
    *(Rules(shape=(12, 10), k=4, exact=True), Rules(shape=(22, 22), k=6)),
)
"""The rules of the positions, in turn."""

ENTRIES = 1 << 16

DISTANCE = 3
"""The largest distance of a mark from the middle."""


class Bench(NamedTuple):
    """The results of all positions: their ``nodes``, their ``signature`` and the processor time."""

    nodes: int
    signature: int
    seconds: float


def position(number: int) -> KInARow:
    """Return the position with this *number*: random marks near the middle."""
    chance, game = Random(number), KInARow(RULES[number % len(RULES)])
    middle = [side // 2 for side in game.shape]
    while game.ply < 3 + number // 2:
        moves = [
            move
            for move in game.legal_moves()
            if all(abs(cell - near) <= DISTANCE for cell, near in zip(move, middle, strict=True))
        ]
        game.play(chance.choice(moves))
        if game.outcome is not None:
            game.undo()
            break
    return game


def bench(machine: Machine, nodes: int) -> Bench:
    """Search each position with a limit of *nodes*."""
    total = Bench(0, 0, 0)
    for number in range(POSITIONS):
        game = position(number)
        board = PatternBoard(game.rules, ENTRIES, machine)
        board.set_up(game)
        limit = Limit(nodes=nodes)
        search = PatternSearch(board, game.sides.index(game.turn), limit)
        begun = process_time()
        search.search()
        seconds = process_time() - begun
        result = search.result
        facts = repr((search.nodes, result.depth, result.score, result.value, search.line))
        total = Bench(
            total.nodes + search.nodes, crc32(facts.encode(), total.signature), total.seconds + seconds
        )
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--nodes", type=int, default=NODES, help=f"nodes for each position ({NODES})")
    options = parser.parse_args()
    result = bench(best_machine(), options.nodes)
    speed = result.nodes / result.seconds
    print(f"{result.nodes} nodes, signature {result.signature}, {speed:,.0f} nodes/s")


if __name__ == "__main__":
    main()
