"""The strength of ``mcts``: a gauntlet in each game that ``learned`` knows, on a scale with ``rule`` at 0.

    python -m benchmarks.mcts_levels --write                       all of them, saved
    python -m benchmarks.mcts_levels --games tictactoe --pairs 3   one game, three pairs against each player

Openings are even ones made from ``--seed``, and each is played with either side. All players have a number of
nodes and no clock, so that the machine and its load do not matter. With ``--write`` the result becomes the
strength in ``noughts players GAME``.
"""

import argparse

from benchmarks.learned import Found, measure, told_of
from benchmarks.levels import keep_strengths
from benchmarks.report import keep, kept, machine

WHO = "mcts:1000"
"""The player that ``noughts players`` lists."""

GAMES = ("tictactoe", "5x5:4", "connect4")


def report(found: Found) -> dict[str, str]:
    """Return the blocks of the documents."""
    return told_of(WHO, found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--pairs", type=int, default=15, help="pairs of games against each other player (15)")
    parser.add_argument("--at-once", type=int, default=2, help="how many games are played at once (2)")
    parser.add_argument("--seed", type=int, default=1, help="decides what is left to chance (1)")
    parser.add_argument("--write", action="store_true", help="keep it, for documents and for the program")
    asked = parser.parse_args()
    found = kept("mcts_levels") or {"games": {}}
    found["machine"] = machine()
    for game in asked.games:
        found["games"][game] = measure(game, asked.pairs, asked.at_once, asked.seed, WHO)
        if asked.write:
            keep("mcts_levels", found)
            keep_strengths()
    for block in report(found).values():
        print(block)


if __name__ == "__main__":
    main()
