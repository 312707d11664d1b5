"""Random games per second of CPU time: this library compared with python-tictactoe and OpenSpiel.

    python -m benchmarks.rules                              installed libraries only
    uv run --group dev --with python-tictactoe python -m benchmarks.rules --write      all, for the documents

Each game is created and played to its end through the public interface: get the legal moves, choose one, make
it, get the state. "OpenSpiel through Python" is the same loop over ``legal_actions``, ``apply_action`` and
``is_terminal``. "OpenSpiel in C++" are playouts inside C++, those of the first evaluation of its tree search.
Measurements alternate, so that other load affects all alike. Further rows are the whole tree of 3x3 by play
and undo, and a move on boards around the size up to which lines are looked up. ``--ends`` compares two ways
to detect complete lines at every move and its undoing: counts of the marks in each line, kept up to date, and
masks, as games use them.
"""

import argparse
import importlib
import importlib.metadata
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from statistics import median
from typing import Any

from benchmarks.report import machine, save_results, table
from noughts import new_game
from noughts.core.lines import LineCounts, line_table
from noughts.games.open_cells import sites

Playing = Callable[[Random, int], None]
"""A function that plays a number of random games."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One game, with its name in each library."""

    name: str
    spec: str
    openspiel: str
    parameters: dict[str, Any]
    dimensions: tuple[int, ...] | None
    k: int


SETTINGS = (
    Setting("3x3", "tictactoe", "gomoku", {"dims": 2, "size": 3, "connect": 3}, (3, 3), 3),
    Setting("15x15, five in a row", "gomoku", "gomoku", {"dims": 2, "size": 15, "connect": 5}, (15, 15), 5),
    Setting("4x4x4", "qubic", "gomoku", {"dims": 3, "size": 4, "connect": 4}, (4, 4, 4), 4),
    Setting("Connect Four", "connect4", "connect_four", {}, None, 4),
    Setting("3x3 against OpenSpiel's `tic_tac_toe`", "tictactoe", "tic_tac_toe", {}, (3, 3), 3),
)


def optional(module: str) -> Any:
    """Return the module, or None if it is not installed."""
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
    """Measure a tree search of one simulation, which only evaluates the start by playouts."""
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
"""Boards on both sides of 4,096 cells, and one with many directions."""


def our_tree(game: Any) -> int:
    """Count the positions of the tree from *game* by play and undo."""
    count = 1
    if game.outcome is None:
        for move in game.legal_moves():
            game.play(move)
            count += our_tree(game)
            game.undo()
    return count


def tree_by_copies(state: Any) -> int:
    """Count the positions of the tree by copies, since OpenSpiel's ``gomoku`` cannot undo a move."""
    count = 1
    if not state.is_terminal():
        for move in state.legal_actions():
            after = state.clone()
            after.apply_action(move)
            count += tree_by_copies(after)
    return count


def tree_by_undo(state: Any) -> int:
    """Count the positions of the tree by OpenSpiel's own play and undo."""
    count = 1
    if not state.is_terminal():
        side = state.current_player()
        for move in state.legal_actions():
            state.apply_action(move)
            count += tree_by_undo(state)
            state.undo_action(side, move)
    return count


def measure_trees(rounds: int) -> dict[str, float]:
    """Measure the median CPU seconds of each way through the tree of 3x3."""
    ways: dict[str, Callable[[], int]] = {"noughts": lambda: our_tree(new_game("tictactoe"))}
    if (library := optional("pyspiel")) is not None:
        copied, undone = library.load_game("gomoku", SETTINGS[0].parameters), library.load_game("tic_tac_toe")
        ways["gomoku"] = lambda: tree_by_copies(copied.new_initial_state())
        ways["tic_tac_toe"] = lambda: tree_by_undo(undone.new_initial_state())
    spent: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(rounds):
        for way, walk in ways.items():
            before = time.process_time()
            walk()
            spent[way].append(time.process_time() - before)
    return {way: median(times) for way, times in spent.items()}


def measure_moves(rounds: int) -> dict[str, float]:
    """Measure the median CPU microseconds of a random move on large boards that were used before."""
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
            if number:  # The first game computes the lines.
                spent[spec].append((time.process_time() - before) / game.ply * 1e6)
    return {spec: median(times) for spec, times in spent.items()}


def random_games(spec: str, games: int) -> list[list[tuple[int, str]]]:
    """Yield the cells and marks of random games, in turn."""
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
    """Count the games with a complete line, each played and taken back, by counts."""
    table = line_table(rules.geometry)
    assert table is not None
    counts, ended = LineCounts(table, (), rules.board_marks), 0
    for moves in games:
        for cell, mark in moves:
            counts.place(cell, mark)
            borne = counts.counts[mark]
            ended += any(borne[line] == table.k for line in table.lines_of(cell))
        for cell, _ in reversed(moves):
            counts.lift(cell)
    return ended


def ends_by_masks(rules: Any, games: list[list[tuple[int, str]]]) -> int:
    """Count the games with a complete line by masks."""
    site_of, k, ended = sites(rules.geometry, rules.gravity).at, rules.k, 0
    held = dict.fromkeys(rules.board_marks, 0)
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
    """Return the time of counts relative to masks, the median of alternating rounds."""
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
    "OpenSpiel through Python": openspiel_python,
    "OpenSpiel in C++": openspiel_cpp,
}


def measure(playing: Playing, chance: Random, seconds: float) -> float:
    """Return the games per CPU second, over at least *seconds* of them and at least one game."""
    games, spent, batch = 0, 0.0, 1
    while spent < seconds:
        before = time.process_time()
        playing(chance, batch)
        spent += time.process_time() - before
        games += batch
        batch = max(1, min(batch * 2, int(games / max(spent, 1e-6) * (seconds - spent)) + 1))
    return games / spent


def measure_all(seconds: float, rounds: int) -> dict[str, dict[str, float | None]]:
    """Return the median rate of each contender in each setting, or None if it is missing."""
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


def rates_table(rates_of: dict[str, dict[str, float | None]]) -> str:
    """Return games per CPU second, and in brackets the speed of this library relative to them."""
    rows = []
    for name, rates in rates_of.items():
        own, cells = rates["noughts"] or 0.0, []
        for who, rate in rates.items():
            text = "-" if rate is None else f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"
            times = "" if rate is None or who == "noughts" else f" ({_times(own / rate)})"
            cells.append(text + times)
        rows.append([name, *cells])
    return table(["board", *CONTENDERS], rows)


def _times(ratio: float) -> str:
    return f"{ratio:,.0f}x" if ratio >= 10 else f"{ratio:.2f}x"


def report(measured: dict[str, Any]) -> dict[str, str]:
    """Return the blocks of the documents for *measured*."""
    trees, moves = measured["tree_seconds"], measured["move_microseconds"]
    versions = "".join(f", {name} {version}" for name, version in measured["libraries"].items())
    flat, flat_above, space, space_above, many = (f"{moves[spec]:.1f}" for spec in LARGE)
    positions = f"The whole tree of 3x3, 549,946 positions, takes {trees['noughts']:.2f} s by play and undo"
    beside = ""
    if "gomoku" in trees:
        beside = (
            f", and {trees['gomoku']:.2f} s by copies of OpenSpiel's\n`gomoku`, which takes no move back; "
            f"its `tic_tac_toe` does, in {trees['tic_tac_toe']:.2f} s"
        )
    return {
        "machine": f"One core of {measured['machine']}{versions}:\n",
        "games": rates_table(measured["games_per_second"]),
        "tree": f"{positions}{beside}.\n",
        "moves": (
            f"A move costs {flat} microseconds on 64x64 and {flat_above} on 65x65, {space} on 16x16x16 and "
            f"{space_above} on 17x17x17,\nand {many} on 3x3x3x3x3x3x3x3, where 3,280 directions run through "
            "the middle.\n"
        ),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--json", action="store_true", help="one object on one line")
    parser.add_argument("--seconds", type=float, default=0.5, help="CPU seconds for each measurement")
    parser.add_argument("--rounds", type=int, default=7, help="number of rounds")
    parser.add_argument(
        "--ends", action="store_true", help="compare counts of marks in lines with masks of lines"
    )
    parser.add_argument("--write", action="store_true", help="save the results and write them into documents")
    arguments = parser.parse_args()
    rounds = max(1, arguments.rounds)
    if arguments.ends:
        ratios = measure_ends(rounds)
        print(json.dumps(ratios) if arguments.json else ", ".join(f"{n}: {r:.1f}" for n, r in ratios.items()))
        return
    peers = {"OpenSpiel": "open_spiel", "python-tictactoe": "python-tictactoe"}
    measured = {
        "machine": machine(),
        "libraries": {name: version for name, package in peers.items() if (version := version_of(package))},
        "games_per_second": measure_all(arguments.seconds, rounds),
        "tree_seconds": measure_trees(rounds),
        "move_microseconds": measure_moves(rounds),
    }
    print(json.dumps(measured) if arguments.json else "\n".join(report(measured).values()))
    if arguments.write:
        save_results("rules", measured)


def version_of(package: str) -> str | None:
    """Return the version of a package, or None if it is not installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


if __name__ == "__main__":
    main()
