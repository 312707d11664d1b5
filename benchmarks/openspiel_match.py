"""Games of level 10 against OpenSpiel's MCTS bot on gomoku 15x15, with the same seconds per move.

    python -m benchmarks.openspiel_match --games 100 --seconds 1
    python -m benchmarks.openspiel_match --games 10 --seconds 1 --json

Games come in pairs: each side starts once from the same opening, some marks near the middle that *seed*
chooses. The bot is OpenSpiel's compiled one, with random playouts, UCT and its solver, stopped by its own
clock. Both run one after the other on one core. Rules are checked move by move: both libraries must agree.
"""

import argparse
import json
import math
import time
from collections import Counter
from dataclasses import dataclass, field
from importlib.util import find_spec
from random import Random
from typing import Any

import pyspiel

from benchmarks.report import save_results
from noughts import new_game
from noughts.games.base import Game, Move
from noughts.games.notation import format_move
from noughts.players.base import new_player
from noughts.search.analysis import Limit
from noughts.search.background_compile import MachineSelector
from noughts.search.engine.deepening import KERNELS
from noughts.search.numba_backend import python_machine

UCT_C = 2.0
MEMORY_MB = 1000
OPENING_PLIES = (0, 1, 2, 3, 4)
NEAR = 3
"""The maximum distance of openings from the middle."""


@dataclass
class Clock:
    """The time and nodes of one player."""

    seconds: float = 0.0
    moves: int = 0
    longest: float = 0.0

    def add(self, seconds: float) -> None:
        self.seconds += seconds
        self.moves += 1
        self.longest = max(self.longest, seconds)


@dataclass
class Played:
    """One game: the player of X, the result for level 10, and the moves."""

    seat: str
    result: str
    opening: int
    moves: list[str]


@dataclass
class Tally:
    """All games so far, and the clocks of both players."""

    games: list[Played] = field(default_factory=list)
    level10: Clock = field(default_factory=Clock)
    bot: Clock = field(default_factory=Clock)

    def count(self, result: str, seat: str = "") -> int:
        return sum(game.result == result and game.seat in (seat or game.seat) for game in self.games)

    def summary(self) -> dict[str, Any]:
        seats = {
            seat: {result: self.count(result, seat) for result in ("win", "draw", "loss")}
            for seat in ("X", "O")
        }
        points = self.count("win") + self.count("draw") / 2
        low, high = interval(points, len(self.games))
        return {
            "games": len(self.games),
            "distinct": len({tuple(game.moves) for game in self.games}),
            "level10": {result: self.count(result) for result in ("win", "draw", "loss")},
            "by_seat": seats,
            "score": points / len(self.games),
            "interval95": [round(low, 3), round(high, 3)],
            "mean_moves": sum(len(game.moves) for game in self.games) / len(self.games),
            "level10_seconds_a_move": self.level10.seconds / max(1, self.level10.moves),
            "level10_longest": self.level10.longest,
            "bot_seconds_a_move": self.bot.seconds / max(1, self.bot.moves),
            "not_won": [vars(game) for game in self.games if game.result != "win"],
        }


def interval(points: float, games: int, z: float = 1.96) -> tuple[float, float]:
    """Return the Wilson interval of a score of *points* out of *games*."""
    share = points / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return max(0.0, middle - half), min(1.0, middle + half)


def open_game(pair: int, seed: int) -> tuple[Game, Any]:
    """Return the opening of the given *pair* of games in both libraries."""
    chance = Random(seed * 100_003 + pair)
    game, state = new_game("gomoku"), pyspiel.load_game("gomoku").new_initial_state()
    near = [(row, column) for row in range(7 - NEAR, 8 + NEAR) for column in range(7 - NEAR, 8 + NEAR)]
    for move in chance.sample(near, OPENING_PLIES[pair % len(OPENING_PLIES)]):
        make(game, state, move)
    return game, state


def make(game: Game, state: Any, move: Move) -> None:
    game.play(move)
    state.apply_action(move[0] * 15 + move[1])
    if state.is_terminal() != game.is_over:
        raise SystemExit(f"the libraries do not agree after {game.moves}")


def play(number: int, seconds: float, seed: int, tally: Tally) -> Played:
    """Play game *number*.

    Level 10 has X in even games.
    """
    game, state = open_game(number // 2, seed)
    opening = game.ply
    seat = "XO"[number % 2]
    player = new_player("level:10", Random(seed + number))
    player.take_seat(game.copy())
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed + number)
    bot = pyspiel.MCTSBot(
        state.get_game(), evaluator, UCT_C, 1 << 30, MEMORY_MB, True, seed + number, False,
        max_wall_clock_time=seconds,
    )  # fmt: skip
    while not game.is_over:
        begun = time.perf_counter()
        if game.turn == seat:
            move = player.choose(game.copy(), Limit(seconds=seconds))
            tally.level10.add(time.perf_counter() - begun)
        else:
            move = divmod(bot.step(state), 15)
            tally.bot.add(time.perf_counter() - begun)
        make(game, state, move)
    result = "draw" if game.winner is None else "win" if game.winner == seat else "loss"
    return Played(seat, result, opening, [format_move(game, move) for move in game.moves])


def report(summary: dict[str, Any]) -> dict[str, str]:
    """Return the blocks of the documents for a match."""
    results, (low, high) = summary["level10"], summary["interval95"]
    return {
        "match": (
            f"{results['win']} wins, {results['draw']} draws and {results['loss']} losses in "
            f"{summary['distinct']} different games, {summary['seconds']:g} s a move for each\n"
            f"(95 % interval of the score: {low:g} to {high:g}), {summary['mean_moves']:.1f} moves a game.\n"
            f"Level 10 used {summary['level10_seconds_a_move']:.2f} s a move on average, at the longest "
            f"{summary['level10_longest']:.2f} s; the bot {summary['bot_seconds_a_move']:.2f} s.\n"
        )
    }


def wait_for_kernels() -> None:
    """Compile and load the kernels of level 10, outside the measured time."""
    ready = MachineSelector(*KERNELS, machine=None)
    while find_spec("numba") is not None and ready() is python_machine():
        time.sleep(0.1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=100, help="number of games (100)")
    parser.add_argument("--seconds", type=float, default=1.0, help="seconds a move for each side (1)")
    parser.add_argument(
        "--seed", type=int, default=1, help="seed of the openings and the playouts of the bot (1)"
    )
    parser.add_argument("--json", action="store_true", help="one object on one line")
    parser.add_argument("--write", action="store_true", help="save the results and write them into documents")
    options = parser.parse_args()
    tally = Tally()
    wait_for_kernels()
    for number in range(options.games):
        game = play(number, options.seconds, options.seed, tally)
        tally.games.append(game)
        if not options.json:
            counts = Counter(game.result for game in tally.games)
            print(
                f"{number + 1:4} {game.seat} {game.result:5} {len(game.moves):4} moves  {dict(counts)}",
                flush=True,
            )
    summary = {"seconds": options.seconds, "seed": options.seed, **tally.summary()}
    if options.json:
        print(json.dumps(summary))
    else:
        for name, value in summary.items():
            print(f"{name:22} {value}")
    if options.write:
        save_results("openspiel_match", summary)


if __name__ == "__main__":
    main()
