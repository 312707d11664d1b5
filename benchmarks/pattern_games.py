"""Games of the pattern search against itself, from random openings, to fit its weights."""

import json
import math
import random
from collections.abc import Sequence
from typing import Any

from noughts.games.rules import Rules
from noughts.search.analysis import Limit
from noughts.search.numba_backend import best_machine
from noughts.search.patterns.alpha_beta import LIKELY
from noughts.search.patterns.fours import find_static_result, order_score
from noughts.search.patterns.line_classes import FOURS, combinations, point_class
from noughts.search.patterns.search import PatternBoard, PatternSearch
from noughts.search.patterns.weights import Weights

SIDE = 15
ENTRIES = 1 << 16

MAX_RANDOM, MAX_LIKELY = 6, 8
"""The most random marks of an opening, and the most moves drawn by their order scores after them."""

FIRST_VALUES = (0, 1, 2, 4, 6, 7, 10, 18, 22, 26, 28, 50, 60, 62, 200, 400)
"""The value of each line class before weights were fitted."""

FIRST_BONUSES = (0, 0, 15, 20, 40, 120, 20, 60, 300, 500, 1000)
"""The bonus of each point class in the order of moves before weights were fitted."""

THREAT_MASKS = 1 << 10

TEMPERATURE = 40


class Board(PatternBoard):
    """A board for many games between sides that place marks in turn."""

    def __init__(self, rule: str, weights: Weights) -> None:
        super().__init__(rules_of(rule), ENTRIES, best_machine(), weights)

    @property
    def side(self) -> int:
        return len(self.marks) & 1

    def play(self, cell: int) -> None:
        self.place(cell, self.side)

    def search(self, nodes: int) -> tuple[int, int]:
        """Return the best move and its score."""
        self.memory.count = self.memory.sequence_count = 0
        search = PatternSearch(self, self.side, Limit(nodes=nodes))
        search.search()
        return search.result.best, search.result.score

    def empty_cells(self) -> list[int]:
        return [cell for cell in self.cells if not self.memory.board[cell]]


def first_weights() -> Weights:
    """Return weights chosen by hand, for the games of the first fit."""
    mover, own = [], []
    for classes in combinations():
        value, point = sum(FIRST_VALUES[line_class] for line_class in classes), point_class(classes)
        mover.append(0 if point >= FOURS else value)
        own.append(value + FIRST_BONUSES[point])
    return Weights(
        [value // 2 for value in mover],
        [value // 3 for value in mover],
        own,
        [3 * value // 4 for value in own],
        [0] * THREAT_MASKS,
    )


def rules_of(rule: str) -> Rules:
    """Return the rules called ``freestyle`` or ``exact``."""
    return Rules(shape=(SIDE, SIDE), k=5, exact=rule == "exact")


def random_opening(board: Board, chance: random.Random, marks: int) -> list[int]:
    """Place *marks* clustered random marks near the middle, and return their cells."""
    width, reach = board.memory.width, board.memory.reach
    cells: list[int] = []
    row = column = 0
    while len(cells) < marks:
        if cells:
            row, column = divmod(chance.choice(cells), width)
            distance = chance.choice((2, 2, 3))
            row += chance.randint(-distance, distance) - reach
            column += chance.randint(-distance, distance) - reach
        else:
            row, column = (SIDE // 2 + chance.randint(-2, 2) for _ in range(2))
        cell = (row + reach) * width + column + reach
        if 2 <= row < SIDE - 2 and 2 <= column < SIDE - 2 and cell not in cells:
            cells.append(cell)
            board.play(cell)
    return cells


def likely_move(board: Board, chance: random.Random) -> int:
    """Return a move drawn by the order scores."""
    memory = board.memory

    def drawn(cell: int) -> float:
        noise = -math.log(-math.log(chance.uniform(1e-6, 1 - 1e-6)))
        return float(order_score(memory, board.side, cell)) + TEMPERATURE * noise

    return max((cell for cell in board.empty_cells() if memory.neighbours[cell]), key=drawn)


def play_game(board: Board, seed: int, nodes: int) -> dict[str, Any] | None:
    """Return a game of the engine against itself, None if its opening decides it."""
    chance = random.Random(seed)
    board.clear()
    moves = random_opening(board, chance, chance.randint(1, MAX_RANDOM))
    for _ in range(chance.randint(0, MAX_LIKELY)):
        if find_static_result(board.memory, board.side):
            break
        moves.append(likely_move(board, chance))
        board.play(moves[-1])
    if find_static_result(board.memory, board.side):
        return None
    opening, scores, result = len(moves), list[int](), 0
    while board.memory.free:
        cell, score = board.search(nodes // 2 + chance.randrange(nodes))
        moves.append(cell)
        scores.append(score)
        if abs(score) > LIKELY:
            result = 1 if (score > 0) == (board.side == 0) else -1
            break
        board.play(cell)
    return {"seed": seed, "opening": opening, "moves": moves, "scores": scores, "result": result}


def play_games(rule: str, weights: str, seeds: Sequence[int], nodes: int) -> str:
    """Return the games of *seeds* whose openings decide nothing, one JSON object a line."""
    board = Board(rule, Weights(**json.loads(weights)))
    games = [play_game(board, seed, nodes) for seed in seeds]
    return "".join(json.dumps(game, separators=(",", ":")) + "\n" for game in games if game)
