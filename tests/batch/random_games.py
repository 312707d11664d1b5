"""Playouts of a batch, replayed as games: ``python -m tests.batch.random_games`` tries very many.

The random choices are computed here from the description in ``noughts/batch/chance.py``.
"""

import argparse
from concurrent.futures import ProcessPoolExecutor

from noughts import Batch
from noughts.games.base import Game
from noughts.games.moves import cells_of
from noughts.games.rules import Rules

BOARDS = ("3x3", "7x6:4,gravity", "4x4x4", "5x5:4,players=3", "4x4:4,wrap", "3x3:3,vanish=3", "15x15:5")

AT_ONCE = 20_000
"""The number of games of one batch."""


class Chance:
    """Random numbers below a bound, computed from a state."""

    def __init__(self, state: int) -> None:
        self.state = state

    def below(self, count: int) -> int:
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**63
        return (self.state >> 31) * count >> 32


class Picker:
    """The order of the list of open cells: a used cell is replaced by the one that opens, or by the last."""

    def __init__(self, game: Game) -> None:
        legal = [cells_of(move)[0] for move in game.legal_moves()]
        self.open = list(dict.fromkeys(legal))

    def pick(self, game: Game, chance: Chance) -> None:
        """Play a random move in *game*."""
        rules = game.rules
        assert rules is not None
        marks = rules.marks if rules.wild else ("",)
        number = chance.below(len(self.open) * len(marks))
        place, mark = number // len(marks), marks[number % len(marks)]
        cell = self.open[place]
        before = game.cells if rules.vanish else ()
        game.play((cell, mark) if mark else cell)
        above = (cell[0] - 1, *cell[1:])
        if rules.gravity and above[0] >= 0:
            self.open[place] = above
        else:
            last = self.open.pop()
            if place < len(self.open):
                self.open[place] = last
        if rules.vanish:
            left = (
                at for at, (old, new) in enumerate(zip(before, game.cells, strict=True)) if old and not new
            )
            self.open += map(game.board.coordinate, left)


def replayed(game: Game, state: int) -> tuple[int, int, int]:
    """Play *game* to its end at random; return the winner, the plies and the random state."""
    chance, picker = Chance(state), Picker(game)
    while game.outcome is None:
        picker.pick(game, chance)
    winner = -1 if game.winner is None else game.sides.index(game.winner)
    return winner, game.ply, chance.state


def first_difference(rules: str | Rules, seed: int, n: int = AT_ONCE) -> int | None:
    """Return the number of the first game whose playout differs from that of a :class:`Game`.

    Return None if there is none.
    """
    batch = Batch(rules, n, seed)
    states = batch._games.chance.tolist()
    start = batch.game(0)
    winners, plies = batch.playouts()
    found = zip(winners.tolist(), plies.tolist(), batch._games.chance.tolist(), strict=True)
    for number, ended in enumerate(found):
        if replayed(start.copy(), states[number]) != ended:
            return number
    return None


def _try(task: tuple[str, int]) -> int | None:
    return first_difference(*task)


def main() -> None:
    """Play the requested number of games on each board, on all cores."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--games", type=int, default=10_000_000)
    parser.add_argument("--boards", nargs="+", default=BOARDS)
    asked = parser.parse_args()
    with ProcessPoolExecutor() as pool:
        for board in asked.boards:
            tasks = [(board, seed) for seed in range(-(-asked.games // AT_ONCE))]
            for (_, seed), number in zip(tasks, pool.map(_try, tasks), strict=True):
                if number is not None:
                    raise SystemExit(f"{board}, seed {seed}, game {number}: the playout is not the game")
            print(f"{board}: {len(tasks) * AT_ONCE} games, all as they are played one by one", flush=True)


if __name__ == "__main__":
    main()
