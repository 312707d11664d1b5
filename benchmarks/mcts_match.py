"""Games of ``mcts`` against OpenSpiel's MCTS bot with the same number of nodes, or the same time per move.

    python -m benchmarks.mcts_match --games 100 --nodes 1000
    python -m benchmarks.mcts_match --games 30 --ms 50
    python -m benchmarks.mcts_match --games 30 --ms 50 --write        for the documents

Games come in pairs: each side starts once from the same opening of random moves. The bot is OpenSpiel's
compiled one, with its usual constant 2 and its solver. Both play a random game for each node. Time is
processor time, so that other load does not matter. ``mcts`` checks the time after each node. OpenSpiel's bot
has no such clock: it gets as many nodes as it searched in that time at its last move. Both libraries must
agree about every position.
"""

import argparse
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pyspiel

from benchmarks.openspiel_match import interval
from benchmarks.report import save_results, saved_results, table
from noughts import Limit, new_game, new_player
from noughts.batch.falling import play_out_falling
from noughts.batch.kernels import play_out
from noughts.games.base import Game, Move
from noughts.players.mcts import MAX_NODES
from noughts.search.background_compile import MachineSelector

GAMES = {
    "connect4": "connect_four",
    "4x4x4": "gomoku(size=4,dims=3,connect=4)",
    "7x7:4": "gomoku(size=7,connect=4)",
}
"""The games, with their names in OpenSpiel, whose actions are the columns and cells of noughts."""

UCT_C = 2.0
MEMORY_MB = 1000
OPENING_PLIES = 4
TRIED = 200
"""The number of nodes that first measures the rate of OpenSpiel's bot."""


@dataclass
class Used:
    """The effort of one player in all games."""

    moves: int = 0
    nodes: int = 0
    seconds: float = 0.0

    def add(self, nodes: int, seconds: float) -> None:
        self.moves += 1
        self.nodes += nodes
        self.seconds += seconds

    def facts(self, who: str) -> dict[str, float]:
        moves = max(1, self.moves)
        return {f"{who}_ms": 1000 * self.seconds / moves, f"{who}_nodes": self.nodes / moves}


def action_of(game: Game, move: Any) -> int:
    """Return the number of *move*."""
    text = game.notation.format(move)
    return int(text) - 1


@dataclass
class Ours:
    """``mcts`` with a number of *nodes* or *seconds* per move."""

    nodes: int | None
    seconds: float | None
    used: Used = field(default_factory=Used)

    def player(self, number: int) -> Callable[[Game], Move]:
        """Return the player of game *number*."""
        player = new_player(f"mcts:{self.nodes or MAX_NODES}", Random(number))

        def choose(game: Game) -> Move:
            begun, asked = time.thread_time(), 0

            def stop() -> bool:  # The player calls this before each node.
                nonlocal asked
                asked += 1
                return self.seconds is not None and time.thread_time() - begun >= self.seconds

            move = player.choose(game, Limit(stop=stop))
            self.used.add(asked, time.thread_time() - begun)
            return move

        return choose


@dataclass
class Theirs:
    """OpenSpiel's bot on *game*, with a number of *nodes* or *seconds* per move."""

    game: Any
    nodes: int | None
    seconds: float | None
    used: Used = field(default_factory=Used)
    rate: float = 0.0
    """Nodes per second."""

    def choose(self, state: Any, seed: int) -> int:
        if self.seconds is not None and not self.rate:
            _, nodes, seconds = self._search(self.game.new_initial_state(), TRIED, 0)
            self.rate = nodes / seconds
        wanted = self.nodes or max(TRIED, round(self.rate * (self.seconds or 0)))
        action, nodes, seconds = self._search(state, wanted, seed)
        if nodes == wanted:  # Otherwise it has proved the winner.
            self.rate = nodes / seconds
        self.used.add(nodes, seconds)
        return action

    def _search(self, state: Any, nodes: int, seed: int) -> tuple[int, int, float]:
        """Return the bot's move, the number of nodes, and the seconds."""
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(self.game, evaluator, UCT_C, nodes, MEMORY_MB, True, seed, False)
        begun = time.thread_time()
        root = bot.mcts_search(state)
        return root.best_child().action, root.explore_count, time.thread_time() - begun


def play(name: str, number: int, ours: Ours, theirs: Theirs) -> str:
    """Play game *number* of *name* and return the result for noughts, which has X in even games."""
    game, state = new_game(name), theirs.game.new_initial_state()
    opening, seat = Random(number // 2), "XO"[number % 2]
    choose = ours.player(number)
    while not game.is_over:
        if game.ply < OPENING_PLIES:
            move = opening.choice(game.legal_moves())
        elif game.turn == seat:
            move = choose(game.copy())
        else:
            action = theirs.choose(state, 1000 * number + game.ply)
            move = next(move for move in game.legal_moves() if action_of(game, move) == action)
        state.apply_action(action_of(game, move))
        game.play(move)
        if state.is_terminal() != game.is_over:
            raise SystemExit(f"the libraries do not agree after {game.moves}")
    return "draw" if game.winner is None else "win" if game.winner == seat else "loss"


def match(name: str, games: int, nodes: int | None, seconds: float | None) -> dict[str, Any]:
    """Return the result of a number of games."""
    ours, theirs = Ours(nodes, seconds), Theirs(pyspiel.load_game(GAMES[name]), nodes, seconds)
    results = Counter(play(name, number, ours, theirs) for number in range(games))
    points = results["win"] + results["draw"] / 2
    low, high = interval(points, games)
    return {
        "games": games,
        **({"nodes": nodes} if nodes else {"ms": 1000 * (seconds or 0)}),
        **{result: results[result] for result in ("win", "draw", "loss")},
        "score": points / games,
        "low": low,
        "high": high,
        **ours.used.facts("ours"),
        **theirs.used.facts("theirs"),
    }


def report(matches: dict[str, Any]) -> dict[str, str]:
    """Return the blocks of the documents."""
    counted, timed = matches.get("nodes", {}), matches.get("time", {})
    results = ["games", "won", "drawn", "lost", "score"]
    blocks = {}
    if counted:
        rows = [[name, str(one["nodes"]), *_told(one, "ms")] for name, one in counted.items()]
        blocks["match"] = table(["game", "nodes", *results, "ms a move", "of OpenSpiel's"], rows)
    if timed:
        rows = [
            [name, f"{one['ours_ms']:.0f}", f"{one['theirs_ms']:.0f}", *_told(one, "nodes")]
            for name, one in timed.items()
        ]
        columns = ["game", "ms a move", "of OpenSpiel's", *results, "nodes a move", "of OpenSpiel's"]
        blocks["time"] = table(columns, rows)
    return blocks


def _told(one: dict[str, Any], unit: str) -> list[str]:
    """Return the ends of the games of a row, and the effort of both players that was not fixed."""
    return [
        *(str(one[name]) for name in ("games", "win", "draw", "loss")),
        f"{one['score']:.2f} [{one['low']:.2f}, {one['high']:.2f}]",
        *(f"{one[f'{who}_{unit}']:,.0f}" for who in ("ours", "theirs")),
    ]


def main() -> None:
    """Play and print the result."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--games", type=int, default=100)
    budget = parser.add_mutually_exclusive_group()
    budget.add_argument("--nodes", type=int)
    budget.add_argument("--ms", type=float, help="milliseconds of the processor for each move")
    parser.add_argument("--only", nargs="+", choices=GAMES, default=list(GAMES))
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    for kernel in (play_out, play_out_falling):
        MachineSelector(kernel, machine=None).prepare(60)
    seconds = None if options.ms is None else options.ms / 1000
    nodes = (options.nodes or 1000) if seconds is None else None
    kind = "time" if nodes is None else "nodes"
    matches = {kind: {name: match(name, options.games, nodes, seconds) for name in options.only}}
    print(*report(matches).values())
    if options.write:
        save_results("mcts_match", saved_results("mcts_match") | matches)


if __name__ == "__main__":
    main()
