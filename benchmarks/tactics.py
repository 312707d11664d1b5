"""Tactical problems of gomoku with one right move, and the rate that the engine solves.

    python -m benchmarks.tactics find GAMES.jsonl --game gomoku --count 50
    python -m benchmarks.tactics solve --write

``find`` takes positions from games of ``benchmarks.pattern_weights play``, and adds problems to
``benchmarks/tactics.jsonl``. It continues after the last game that gave a problem. There are two kinds:

- *win*: No sequence of fours is found, but the answer is a proved win. No other move near a mark is one
  within 20,000 nodes.
- *defend*: All moves but the answer are proved losses, and the answer is not one within 100,000 nodes.

``solve`` searches each problem with 1,000 and 10,000 nodes, so the rate does not depend on the machine. It
also shows the rate of the search for all other games, which played gomoku before.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.report import save_results, table
from noughts import new_game
from noughts.games.base import Game, Move
from noughts.games.kinarow import KInARow
from noughts.games.notation import format_move, parse_move, play_moves
from noughts.search.analysis import Limit
from noughts.search.engine.deepening import Deepening
from noughts.search.engine.incremental import memory_of
from noughts.search.numba_backend import best_machine
from noughts.search.patterns.alpha_beta import LIKELY, WIN
from noughts.search.patterns.fours import begin_sequence, continue_sequence
from noughts.search.patterns.memory import MAX_FOURS
from noughts.search.patterns.search import PatternBoard, PatternSearch

PROBLEMS = Path(__file__).with_name("tactics.jsonl")

NODES = (1_000, 10_000)
"""The limits of a search that should solve a problem."""

EASY_NODES = 100
"""A position that is decided within this limit is no problem."""

WIN_NODES, OTHER_WIN_NODES = (20_000, 200_000), (500, 20_000)
"""The limits for the proof of the answer that wins, and for other moves."""

HOPEFUL = 400
"""The score after the first limit below which no win is expected."""

SEQUENCE_POSITIONS = 20_000
"""The limit of the search for a sequence of fours."""

LOSS_NODES, DEFENCE_NODES = (300, 3_000, 20_000), 100_000
"""The limits for the proofs that moves lose, and for the answer that does not."""

MAX_DEFENCES = 6
"""A position with more moves that do not lose within the first limit is not searched further."""

MIN_PLIES = 7
"""The fewest plies of a win to find."""

NEAR = 2
"""The distance of a move to a mark beyond which it is not tried as another win."""

ENTRIES = 1 << 16

KINDS = ("win", "defend")


class Problem(NamedTuple):
    """A position of ``game`` after ``moves``, the right ``answer``, and the ``kind`` of the problem.

    ``source`` is the number of the game that it is from.
    """

    game: str
    kind: str
    moves: str
    answer: str
    source: int

    def position(self) -> Game:
        """Return the game with the solver to move."""
        game = new_game(self.game)
        play_moves(game, self.moves.split())
        return game


def read_problems() -> list[Problem]:
    """Return all problems."""
    if not PROBLEMS.exists():
        return []
    return [Problem(**json.loads(line)) for line in PROBLEMS.read_text(encoding="utf-8").splitlines()]


# Problems from games


class Prover:
    """Proves positions of one game by the pattern search, on one board."""

    def __init__(self, name: str) -> None:
        game = new_game(name)
        assert isinstance(game, KInARow)
        self.board = PatternBoard(game.rules, ENTRIES, best_machine())

    def search(self, game: Game, nodes: int) -> PatternSearch:
        """Return the search of *game* with a limit of *nodes*."""
        self.board.set_up(game)
        side, limit = game.sides.index(game.turn), Limit(nodes=nodes)
        search = PatternSearch(self.board, side, limit)
        search.search()
        return search

    def value(self, game: Game, nodes: int) -> int | None:
        """Return the value of *game* if it is proved within *nodes*, or None."""
        return self.search(game, nodes).result.value

    def has_sequence(self, game: Game) -> bool:
        """Return True if a sequence of fours wins *game*."""
        self.board.set_up(game)
        memory = self.board.memory
        begin_sequence(memory, game.sides.index(game.turn), SEQUENCE_POSITIONS, MAX_FOURS)
        self.board.machine.function(continue_sequence)(memory, SEQUENCE_POSITIONS)
        return bool(memory.sequence_plies)

    def value_after(self, game: Game, move: Move, nodes: int) -> int | None:
        """Return the proved value after *move* for the side that answers it, or None."""
        game.play(move)
        value = self.value(game, nodes) if game.outcome is None else 0
        game.undo()
        return value

    def only_win(self, game: Game) -> Move | None:
        """Return the only move that wins, or None."""
        if self.value(game, EASY_NODES) is not None or self.has_sequence(game):
            return None
        for nodes in WIN_NODES:
            search = self.search(game, nodes)
            if search.result.value == 1:
                break
            if search.result.value == -1 or search.result.score < HOPEFUL:
                return None
        if search.result.value != 1:
            return None
        best: Move = divmod(search.line[0], game.shape[1])
        others = [move for move in near_moves(game) if move != best]
        for nodes in OTHER_WIN_NODES:
            if any(self.value_after(game, move, nodes) == -1 for move in others):
                return None
        return best

    def only_defence(self, game: Game) -> Move | None:
        """Return the only move that does not lose, or None."""
        passed = game.with_turn(game.sides[1 - game.sides.index(game.turn)])
        assert passed is not None
        if self.value(game, EASY_NODES) is not None or self.value(passed, LOSS_NODES[1]) != 1:
            return None
        moves = list(game.legal_moves())
        for nodes in LOSS_NODES:
            left = []
            for move in moves:
                if self.value_after(game, move, nodes) != 1:
                    left.append(move)
                    if len(left) > MAX_DEFENCES:
                        return None
            moves = left
        if len(moves) != 1 or self.value_after(game, moves[0], DEFENCE_NODES) == 1:
            return None
        return moves[0]


def near_moves(game: Game) -> list[Move]:
    """Return the legal moves near a mark."""
    marks = game.moves
    return [
        move
        for move in game.legal_moves()
        if any(max(abs(move[0] - mark[0]), abs(move[1] - mark[1])) <= NEAR for mark in marks)
    ]


def find_problem(
    prover: Prover, name: str, saved: dict[str, Any], kinds: Sequence[str], number: int
) -> Problem | None:
    """Return a problem of one of *kinds* from a *saved* game, or None."""
    cells, score = saved["moves"], saved["scores"][-1]
    if not LIKELY < abs(score) <= WIN - MIN_PLIES:
        return None
    last = len(cells) - 1
    loser = last - 1 if score > 0 else last - 2
    for kind, count in (
        *(("win", loser + 1), ("win", loser - 1), ("win", loser - 3)),
        *(("defend", loser), ("defend", loser - 2)),
    ):
        if kind not in kinds or count < max(4, saved["opening"]):
            continue
        game = new_game(name)
        for cell in cells[:count]:
            game.play(divmod(prover.board.cells.index(cell), game.shape[1]))
        answer = prover.only_win(game) if kind == "win" else prover.only_defence(game)
        if answer is not None:
            start = new_game(name)
            texts = [format_move(start, move) for move in game.moves]
            return Problem(name, kind, " ".join(texts), format_move(game, answer), number)
    return None


def find(options: argparse.Namespace) -> None:
    """Add problems until there are as many of each kind as wanted."""
    prover = Prover(options.game)
    found = [problem for problem in read_problems() if problem.game == options.game]
    first = max((problem.source for problem in found), default=-1) + 1
    for number, line in enumerate(lines_of(options.games)):
        missing = [kind for kind in KINDS if sum(problem.kind == kind for problem in found) < options.count]
        if not missing:
            return
        if number < first:
            continue
        problem = find_problem(prover, options.game, json.loads(line), missing, number)
        if problem is not None:
            found.append(problem)
            with PROBLEMS.open("a", encoding="utf-8") as file:
                file.write(json.dumps(problem._asdict(), separators=(",", ":")) + "\n")
            print(len(found), problem.kind, problem.answer, problem.source, flush=True)


def lines_of(files: Sequence[Path]) -> Iterator[str]:
    """Yield the lines of *files*."""
    for file in files:
        yield from file.read_text(encoding="utf-8").splitlines()


# Solving


def answer_of_patterns(game: KInARow, nodes: int) -> Move:
    """Return the move of the pattern search."""
    return divmod(Prover(game.name).search(game, nodes).line[0], game.shape[1])


def answer_of_lines(game: KInARow, nodes: int) -> Move:
    """Return the move of the search for other games."""
    machine = best_machine()
    memory, side = memory_of(game, game.rules, machine, ENTRIES), game.sides.index(game.turn)
    search = Deepening(memory, side, machine, Limit(nodes=nodes))
    search.search()
    return divmod(search.line[0], game.shape[1])


def solve(problems: Sequence[Problem]) -> dict[str, Any]:
    """Return the number of solved problems of each game and kind, by both searches."""
    rows: dict[tuple[str, str], list[int]] = {}
    for problem in problems:
        game = problem.position()
        assert isinstance(game, KInARow)
        answer = parse_move(game, problem.answer)
        row = rows.setdefault((problem.game, problem.kind), [0] * (1 + 2 * len(NODES)))
        row[0] += 1
        for number, nodes in enumerate(NODES):
            row[2 * number + 1] += answer_of_lines(game, nodes) == answer
            row[2 * number + 2] += answer_of_patterns(game, nodes) == answer
    return {"rows": [[*kind, *rows[kind]] for kind in sorted(rows)]}


def report(results: dict[str, Any]) -> dict[str, str]:
    """Return the blocks of the documents for these *results*."""
    if not results:
        return {}
    rows = [
        [game, kind, str(count), *(f"{solved} ({100 * solved / count:.0f} %)" for solved in by_search)]
        for game, kind, count, *by_search in results["rows"]
    ]
    columns = ["game", "kind", "problems"]
    for nodes in NODES:
        columns += [f"before, {nodes:,} nodes", f"by patterns, {nodes:,}"]
    return {"solved": table(columns, rows, texts=2)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    finding = commands.add_parser("find", help="add problems from games")
    finding.add_argument("games", type=Path, nargs="+", help="files of games")
    finding.add_argument("--game", required=True, help="name of the game, such as gomoku")
    finding.add_argument("--count", type=int, default=50, help="number of problems of each kind (50)")
    solving = commands.add_parser("solve", help="count solved problems")
    solving.add_argument(
        "--write", action="store_true", help="save the results and write them into documents"
    )
    options = parser.parse_args()
    if options.command == "find":
        find(options)
        return
    results = solve(read_problems())
    print(report(results)["solved"])
    if options.write:
        save_results("tactics", results)


if __name__ == "__main__":
    main()
