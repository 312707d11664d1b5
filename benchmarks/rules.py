"""Random games per second of CPU time: this library beside python-tictactoe and OpenSpiel.

    python benchmarks/rules.py                              what is installed is measured, the rest is absent
    uv run --group dev --with python-tictactoe benchmarks/rules.py      with python-tictactoe

Each game is made anew and played to its end through the public interface: ask for the legal moves, choose
one, make it, ask how the game stands. "OpenSpiel, Python" is the same loop over ``legal_actions``,
``apply_action`` and ``is_terminal``; "OpenSpiel, C++" are playouts that never leave C++, those of the first
evaluation of its tree search. Measurements alternate, so that what else the machine does falls on all alike.
Beside them: the whole tree of 3x3 by play and undo, a move on boards around the size up to which lines are
looked up, and with ``--ends`` two ways to find out at every move and its undoing whether a line is complete:
by counts of the marks in each line, kept up to date, and by masks, as games do. What was measured, and where
the time goes, stands in ``docs/benchmarks.md``.
"""

import argparse
import importlib
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from statistics import median
from typing import Any

from noughts import new_game
from noughts.core.lines import LineCounts, line_table
from noughts.games.placing import sites

Playing = Callable[[Random, int], None]
"""Plays that many random games."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One game, as each library calls it."""

    name: str
    spec: str
    openspiel: str
    parameters: dict[str, Any]
    dimensions: tuple[int, ...] | None
    k: int


SETTINGS = (
    Setting("3x3", "tictactoe", "gomoku", {"dims": 2, "size": 3, "connect": 3}, (3, 3), 3),
    Setting("15x15, k=5", "gomoku", "gomoku", {"dims": 2, "size": 15, "connect": 5}, (15, 15), 5),
    Setting("4x4x4", "qubic", "gomoku", {"dims": 3, "size": 4, "connect": 4}, (4, 4, 4), 4),
    Setting("connect4", "connect4", "connect_four", {}, None, 4),
    Setting("3x3 (tic_tac_toe)", "tictactoe", "tic_tac_toe", {}, (3, 3), 3),
)


def optional(module: str) -> Any:
    """The module, None where it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError:
        return None


def ours(setting: Setting) -> Playing:
    def play(chance: Random, games: int) -> None:
        random, spec = chance.random, setting.spec
        for _ in range(games):
            game = new_game(spec)
            while game.outcome is None:
                moves = game.legal_moves()
                game.play(moves[int(random() * len(moves))])

    return play


def python_tictactoe(setting: Setting) -> Playing | None:
    library = optional("tictactoe")
    if library is None or setting.dimensions is None:
        return None

    def play(chance: Random, games: int) -> None:
        random = chance.random
        for _ in range(games):
            board = library.Board(setting.dimensions, setting.k)
            while board.result() is None:
                moves = board.possible_moves()
                board.push(moves[int(random() * len(moves))])

    return play


def openspiel_python(setting: Setting) -> Playing | None:
    library = optional("pyspiel")
    if library is None:
        return None
    game = library.load_game(setting.openspiel, setting.parameters)

    def play(chance: Random, games: int) -> None:
        random = chance.random
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                moves = state.legal_actions()
                state.apply_action(moves[int(random() * len(moves))])

    return play


def openspiel_cpp(setting: Setting) -> Playing | None:
    """A tree search of one simulation: it evaluates the start by that many playouts, and no more."""
    library = optional("pyspiel")
    if library is None:
        return None
    game = library.load_game(setting.openspiel, setting.parameters)

    def play(chance: Random, games: int) -> None:
        evaluator = library.RandomRolloutEvaluator(n_rollouts=games, seed=chance.getrandbits(30))
        bot = library.MCTSBot(game, evaluator, 2.0, 1, 100, False, 1, False)
        bot.step(game.new_initial_state())

    return play


LARGE = ("64x64:5", "65x65:5", "16x16x16:5", "17x17x17:5", "3x3x3x3x3x3x3x3:3")
"""Boards on both sides of 4,096 cells, and one of many directions."""


def our_tree(game: Any) -> int:
    """How many positions the tree from *game* has, by play and undo."""
    count = 1
    if game.outcome is None:
        for move in game.legal_moves():
            game.play(move)
            count += our_tree(game)
            game.undo()
    return count


def openspiel_tree(state: Any) -> int:
    """The same by copies, as OpenSpiel's ``gomoku`` takes no move back."""
    count = 1
    if not state.is_terminal():
        for move in state.legal_actions():
            after = state.clone()
            after.apply_action(move)
            count += openspiel_tree(after)
    return count


def measure_trees(rounds: int) -> dict[str, float | None]:
    """The median CPU seconds of each library for the tree of 3x3."""
    spent: dict[str, list[float]] = {"noughts": [], "OpenSpiel, Python": []}
    library = optional("pyspiel")
    for _ in range(rounds):
        before = time.process_time()
        our_tree(new_game("tictactoe"))
        spent["noughts"].append(time.process_time() - before)
        if library is not None:
            before = time.process_time()
            openspiel_tree(library.load_game("gomoku", SETTINGS[0].parameters).new_initial_state())
            spent["OpenSpiel, Python"].append(time.process_time() - before)
    return {who: median(times) if times else None for who, times in spent.items()}


def measure_moves(rounds: int) -> dict[str, float]:
    """The median CPU microseconds of a move of a random game on large boards that was played on before."""
    spent: dict[str, list[float]] = {spec: [] for spec in LARGE}
    for number in range(rounds + 1):
        for spec in LARGE:
            game = new_game(spec)
            moves = list(game.legal_moves())
            Random(1).shuffle(moves)
            before = time.process_time()
            for move in moves[:1000]:
                game.play(move)
                if game.outcome is not None:
                    break
            if number:  # the first game finds out where lines are
                spent[spec].append((time.process_time() - before) / game.ply * 1e6)
    return {spec: median(times) for spec, times in spent.items()}


def random_games(spec: str, games: int) -> list[list[tuple[int, str]]]:
    """The cells and marks of random games, in turn."""
    chance, played = Random(1), []
    for _ in range(games):
        game, made = new_game(spec), []
        while game.outcome is None:
            move = chance.choice(game.legal_moves())
            side = game.turn
            game.play(move)
            made.append((game.board.index(move), side))
        played.append(made)
    return played


def ends_by_counts(rules: Any, games: list[list[tuple[int, str]]]) -> int:
    """In how many games a line is complete, each played and taken back, by counts."""
    table = line_table(rules.geometry)
    assert table is not None
    counts, ended = LineCounts(table, (), rules.placed), 0
    for moves in games:
        for cell, mark in moves:
            counts.place(cell, mark)
            borne = counts.counts[mark]
            ended += any(borne[line] == table.k for line in table.lines_of(cell))
        for cell, _ in reversed(moves):
            counts.lift(cell)
    return ended


def ends_by_masks(rules: Any, games: list[list[tuple[int, str]]]) -> int:
    """The same by masks."""
    site_of, k, ended = sites(rules.geometry, rules.gravity).at, rules.k, 0
    held = dict.fromkeys(rules.placed, 0)
    for moves in games:
        for cell, mark in moves:
            _, bit, near, axes, *_ = site_of(cell)
            held[mark] = mine = held[mark] | bit
            if (mine & near).bit_count() >= k:
                ended += any(mine & care == line for _, tests in axes for care, line in tests)
        for cell, mark in reversed(moves):
            held[mark] ^= site_of(cell)[1]
    return ended


def measure_ends(rounds: int) -> dict[str, float]:
    """How many times as long counts take as masks, the median of alternating rounds."""
    ratios: dict[str, list[float]] = {}
    for setting in SETTINGS[:4]:
        rules, games = new_game(setting.spec).rules, random_games(setting.spec, 200)
        for _ in range(rounds):
            spent = []
            for way in (ends_by_counts, ends_by_masks):
                before = time.process_time()
                ended = way(rules, games)
                spent.append(time.process_time() - before)
            if ended != ends_by_counts(rules, games):
                raise SystemExit(f"{setting.name}: the two ways differ")
            ratios.setdefault(setting.name, []).append(spent[0] / spent[1])
    return {name: median(found) for name, found in ratios.items()}


CONTENDERS: dict[str, Callable[[Setting], Playing | None]] = {
    "noughts": ours,
    "python-tictactoe": python_tictactoe,
    "OpenSpiel, Python": openspiel_python,
    "OpenSpiel, C++": openspiel_cpp,
}


def measure(playing: Playing, chance: Random, seconds: float) -> float:
    """Games per CPU second, over at least *seconds* of them and at least one game."""
    games, spent, batch = 0, 0.0, 1
    while spent < seconds:
        before = time.process_time()
        playing(chance, batch)
        spent += time.process_time() - before
        games += batch
        batch = max(1, min(batch * 2, int(games / max(spent, 1e-6) * (seconds - spent)) + 1))
    return games / spent


def measure_all(seconds: float, rounds: int) -> dict[str, dict[str, float | None]]:
    """The median rate of each contender in each setting; None where it is absent."""
    made = {(s.name, who): make(s) for s in SETTINGS for who, make in CONTENDERS.items()}
    rates: dict[tuple[str, str], list[float]] = {key: [] for key in made}
    for number in range(rounds):
        for key, playing in made.items():
            if playing is not None:
                rates[key].append(measure(playing, Random(number), seconds))
    return {
        s.name: {who: median(rates[s.name, who]) if rates[s.name, who] else None for who in CONTENDERS}
        for s in SETTINGS
    }


def table(results: dict[str, dict[str, float | None]]) -> str:
    """The rates, and in brackets how many times as fast this library is."""
    width = max(map(len, CONTENDERS)) + 8
    rows = ["games per CPU second".ljust(22) + "".join(who.rjust(width) for who in CONTENDERS)]
    for name, rates in results.items():
        own = rates["noughts"] or 0.0
        cells = []
        for who, rate in rates.items():
            text = "absent" if rate is None else f"{rate:,.0f}" if rate >= 10 else f"{rate:.2f}"
            cells.append(text if rate is None or who == "noughts" else f"{text} ({own / rate:.3g}x)")
        rows.append(name.ljust(22) + "".join(cell.rjust(width) for cell in cells))
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--json", action="store_true", help="one object on one line")
    parser.add_argument("--seconds", type=float, default=0.5, help="CPU seconds for each measurement")
    parser.add_argument("--rounds", type=int, default=7, help="how often all are measured")
    parser.add_argument("--ends", action="store_true", help="counts of marks in lines beside masks of lines")
    arguments = parser.parse_args()
    rounds = max(1, arguments.rounds)
    if arguments.ends:
        ratios = measure_ends(rounds)
        print(json.dumps(ratios) if arguments.json else ", ".join(f"{n}: {r:.1f}" for n, r in ratios.items()))
        return
    results, trees, moves = (
        measure_all(arguments.seconds, rounds),
        measure_trees(rounds),
        measure_moves(rounds),
    )
    if arguments.json:
        measured = {"games_per_second": results, "tree_seconds": trees, "move_microseconds": moves}
        print(json.dumps({"python": sys.version.split()[0], **measured}))
        return
    print(table(results))
    print("\nCPU seconds for the tree of 3x3")
    print(
        "\n".join(f"{who:22}{'absent' if spent is None else f'{spent:.2f}'}" for who, spent in trees.items())
    )
    print("\nCPU microseconds for a move")
    print("\n".join(f"{spec:22}{microseconds:.1f}" for spec, microseconds in moves.items()))


if __name__ == "__main__":
    main()
