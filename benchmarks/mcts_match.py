"""Games of ``mcts`` against OpenSpiel's MCTS bot with as many nodes, a random game for each of them.

    python -m benchmarks.mcts_match --games 100 --nodes 1000
    python -m benchmarks.mcts_match --games 100 --nodes 1000 --write        for the documents

Games come in pairs: both sides begin once from the same opening, some random moves. The bot is OpenSpiel's
compiled one, with its usual constant 2 and its solver. Both libraries must agree about every position.
"""

import argparse
import time
from collections import Counter
from random import Random
from typing import Any

import pyspiel

from benchmarks.openspiel_match import interval
from benchmarks.report import keep, table
from noughts import Limit, new_game, new_player
from noughts.games.base import Game

GAMES = {
    "connect4": "connect_four",
    "4x4x4": "gomoku(size=4,dims=3,connect=4)",
    "7x7:4": "gomoku(size=7,connect=4)",
}
"""What is played, and what OpenSpiel calls it; its actions are our columns and cells."""

UCT_C = 2.0
MEMORY_MB = 1000
OPENING_PLIES = 4


def action_of(game: Game, move: Any) -> int:
    """The number of *move*."""
    text = game.notation.format(move)
    return int(text) - 1


def play(name: str, number: int, nodes: int, seconds: dict[str, float]) -> str:
    """Game *number* of *name*: even ones give X to ours; how it ended for it."""
    game, state = new_game(name), pyspiel.load_game(GAMES[name]).new_initial_state()
    opening, seat = Random(number // 2), "XO"[number % 2]
    player = new_player(f"mcts:{nodes}", Random(number))
    evaluator = pyspiel.RandomRolloutEvaluator(1, number)
    bot = pyspiel.MCTSBot(state.get_game(), evaluator, UCT_C, nodes, MEMORY_MB, True, number, False)
    while not game.is_over:
        begun = time.process_time()
        if game.ply < OPENING_PLIES:
            move = opening.choice(game.legal_moves())
        elif game.turn == seat:
            move = player.choose(game.copy(), Limit())
            seconds["ours"] += time.process_time() - begun
            seconds["our moves"] += 1
        else:
            action = bot.step(state)
            move = next(move for move in game.legal_moves() if action_of(game, move) == action)
            seconds["theirs"] += time.process_time() - begun
            seconds["their moves"] += 1
        state.apply_action(action_of(game, move))
        game.play(move)
        if state.is_terminal() != game.is_over:
            raise SystemExit(f"the libraries do not agree after {game.moves}")
    return "draw" if game.winner is None else "win" if game.winner == seat else "loss"


def match(name: str, games: int, nodes: int) -> dict[str, Any]:
    """What came of so many games."""
    seconds = dict.fromkeys(("ours", "our moves", "theirs", "their moves"), 0.0)
    results = Counter(play(name, number, nodes, seconds) for number in range(games))
    points = results["win"] + results["draw"] / 2
    low, high = interval(points, games)
    return {
        "games": games,
        "nodes": nodes,
        **{result: results[result] for result in ("win", "draw", "loss")},
        "score": points / games,
        "low": low,
        "high": high,
        "ours_ms": 1000 * seconds["ours"] / max(1, seconds["our moves"]),
        "theirs_ms": 1000 * seconds["theirs"] / max(1, seconds["their moves"]),
    }


def report(found: dict[str, Any]) -> dict[str, str]:
    """The block of the documents."""
    rows = [
        [
            *(name, str(one["nodes"]), str(one["games"])),
            *(str(one[result]) for result in ("win", "draw", "loss")),
            f"{one['score']:.2f} [{one['low']:.2f}, {one['high']:.2f}]",
            *(f"{one[who]:.0f}" for who in ("ours_ms", "theirs_ms")),
        ]
        for name, one in found.items()
    ]
    columns = ["game", "nodes", "games", "won", "drawn", "lost", "score", "ms a move", "of OpenSpiel's"]
    return {"match": table(columns, rows)} if found else {}


def main() -> None:
    """Play and tell."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=1000)
    parser.add_argument("--only", nargs="+", choices=GAMES, default=list(GAMES))
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    found = {name: match(name, asked.games, asked.nodes) for name in asked.only}
    print(report(found)["match"])
    if asked.write:
        keep("mcts_match", found)


if __name__ == "__main__":
    main()
