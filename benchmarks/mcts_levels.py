"""The strength of ``mcts``: a gauntlet in each game that ``learned`` knows, on a scale with ``rule`` at 0.

    python -m benchmarks.mcts_levels --write                       all of them, saved
    python -m benchmarks.mcts_levels --games tictactoe --pairs 3   one game, three pairs against each player

Openings are even ones made from ``--seed``, and each is played with either side. All players have a number of
nodes and no clock, so that the machine and its load do not matter. With ``--write`` the result becomes the
strength in ``noughts players GAME``.
"""

import argparse

from benchmarks.learned import Result, gauntlet_blocks, measure
from benchmarks.levels import keep_strengths
from benchmarks.report import machine, save_results, saved_results

WHO = "mcts:1000"
"""The player that ``noughts players`` lists."""

GAMES = ("tictactoe", "5x5:4", "connect4")


def report(results: Result) -> dict[str, str]:
    """Return the blocks of the documents."""
    return gauntlet_blocks(WHO, results)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--pairs", type=int, default=15, help="pairs of games against each other player (15)")
    parser.add_argument("--at-once", type=int, default=2, help="number of parallel games (2)")
    parser.add_argument("--seed", type=int, default=1, help="random seed (1)")
    parser.add_argument("--write", action="store_true", help="save the results for documents and the program")
    options = parser.parse_args()
    results = saved_results("mcts_levels") or {"games": {}}
    results["machine"] = machine()
    for game in options.games:
        results["games"][game] = measure(game, options.pairs, options.at_once, options.seed, WHO)
        if options.write:
            save_results("mcts_levels", results)
            keep_strengths()
    for block in report(results).values():
        print(block)


if __name__ == "__main__":
    main()
