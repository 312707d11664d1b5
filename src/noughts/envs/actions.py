"""Moves as numbers, and the observation of a side as planes of bits."""

from typing import Any

import numpy as np

from noughts.errors import UnsupportedRules
from noughts.games.base import Game, Move
from noughts.games.catalogue import new_game
from noughts.games.moves import cells_of

Array = np.ndarray[tuple[int, ...], np.dtype[Any]]


class Actions:
    """The numbers of the moves of a game: their places in its ``move_texts``.

    >>> from noughts import new_game
    >>> actions = Actions(new_game("connect4"))
    >>> actions.count, actions.legal(new_game("connect4"))[3]
    (7, (5, 3))
    """

    def __init__(self, game: Game) -> None:
        texts = game.move_texts
        if texts is None:
            raise UnsupportedRules("environment", game.name, "moves-unknown")
        self.texts = texts
        self.count = len(texts)
        self._number_of_text = {text: number for number, text in enumerate(texts)}
        self._numbers: dict[Move, int] = {}

    def number(self, game: Game, move: Move) -> int:
        """Return the number of *move*."""
        number = self._numbers.get(move)
        if number is None:
            number = self._number_of_text.get(game.notation.format(move))
            if number is None:  # the game has moves that it does not list
                raise UnsupportedRules("environment", game.name, "moves-unknown")
            self._numbers[move] = number
        return number

    def legal(self, game: Game) -> dict[int, Move]:
        """Return the legal moves by number."""
        return {self.number(game, move): move for move in game.legal_moves()}

    def mask(self, game: Game) -> Array:
        """Return the legal actions, a byte each."""
        mask = np.zeros(self.count, np.int8)
        mask[list(self.legal(game))] = 1
        return mask


class Planes:
    """The observation of a game by one side: as :attr:`noughts.Batch.observations`, for any game.

    In games that are not k in a row one more plane has the cells of the legal moves.
    """

    def __init__(self, game: Game) -> None:
        rules = game.rules
        self._vanish = 0 if rules is None else rules.vanish
        self._has_legal = rules is None
        self._marks = game.sides if rules is None else rules.board_marks
        self._is_owned = _has_own_marks(game)
        planes = len(self._marks) * max(1, self._vanish) + self._has_legal
        self.shape = (planes, *game.shape)

    def observe(self, game: Game, side: str) -> Array:
        """Return the observation of *game* by *side*: planes of bytes 0 and 1."""
        cells = game.cells
        own = game.sides.index(side) if self._is_owned else 0
        marks = self._marks[own:] + self._marks[:own]
        seen = np.zeros((self.shape[0], len(cells)), np.int8)
        if self._vanish:
            ages = [[int(cell) - 1 for cell in group.split(",") if cell] for group in game.extra.split(";")]
            for plane, held in enumerate(ages[own:] + ages[:own] if any(ages) else ()):
                first = (plane + 1) * self._vanish - len(held)
                seen[range(first, first + len(held)), held] = 1
        else:
            for plane, mark in enumerate(marks):
                seen[plane] = [cell == mark for cell in cells]
        if self._has_legal:
            touched = [cell for move in game.legal_moves() for cell in cells_of(move)[:1]]
            seen[-1, [game.board.index(cell) for cell in set(touched)]] = 1
        return seen.reshape(self.shape)


def _has_own_marks(game: Game) -> bool:
    """Return True if each side places its own mark."""
    position = rewound(game)
    for _ in position.sides:
        moves = position.legal_moves()
        if any(position.mark_of(move) not in (None, position.turn) for move in moves):
            return False
        if not moves:
            return True
        position.play(moves[0])
    return True


def rewound(game: Game) -> Game:
    """Return *game* before its first move."""
    start = game.copy()
    while start.ply:
        start.undo()
    return start


def environment_game(game: str | Game) -> Game:
    """Return the game to play in an environment, at its start.

    Raises :class:`~noughts.errors.UnsupportedRules` for a game of one side, and for one that is over at the
    start.
    """
    start = rewound(game) if isinstance(game, Game) else new_game(game)
    if len(start.sides) == 1:
        raise UnsupportedRules("environment", start.name, "one-side")
    if start.is_over:
        raise UnsupportedRules("environment", start.name, "over-at-once")
    return start


def payoffs(game: Game) -> dict[str, float]:
    """Return the reward of each side at the end: 1 to win, a share of -1 to lose, 0 for a draw."""
    winner, lost = game.winner, loss(game)
    if winner is None:
        return dict.fromkeys(game.sides, 0.0)
    return {side: 1.0 if side == winner else lost for side in game.sides}


def loss(game: Game) -> float:
    """Return the reward for a loss or an illegal action: a side's share of -1."""
    return -1 / (len(game.sides) - 1)
