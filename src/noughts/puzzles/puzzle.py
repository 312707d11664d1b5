"""A puzzle: a position in which exactly one move wins, or exactly one does not lose.

Moves that lead to the same position count as one. In Pentago, for example, a mark that wins does so with any
turn.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from noughts.games.base import PASS, Game, Move
from noughts.games.catalogue import new_game
from noughts.games.notation import format_move, parse_move, parse_position

GRADES = (1, 2, 3, 4, 5)
"""The grades, from a move that most people see to one that takes a strong player a search."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A stored puzzle: ``position`` of ``game``, which the side to move is to solve.

    ``kind`` is ``win`` (only one move wins) or ``save`` (only one does not lose). ``line`` has the moves of
    best play of both sides, as text: for a win to the end of the game, else as long as only one move saves.
    ``grade``, 1 to 5, follows from two measurements: ``found_by`` is the lowest level that finds the first
    move (11: none), ``nodes`` the number of moves that a search must try to prefer it.
    """

    id: int
    game: str
    position: str
    kind: str
    grade: int
    line: str
    found_by: int = 0
    nodes: int = 0

    def as_line(self) -> str:
        """Return the puzzle as one line of JSON."""
        return json.dumps(asdict(self), separators=(",", ":"))

    def start(self) -> Game:
        """Return the game at the start of the puzzle."""
        return parse_position(new_game(self.game), self.position)

    def moves(self) -> tuple[Move, ...]:
        """Return the moves of the line, of both sides."""
        game, moves = self.start(), []
        for text in self.line.split():
            moves.append(parse_move(game, text))
            game.play(moves[-1])
        return tuple(moves)

    def solution(self) -> tuple[str, ...]:
        """Return the moves of the solver, as text. The first is the only right one in its position."""
        game, solver, texts = self.start(), self.side, []
        for move in self.moves():
            if game.turn == solver and not is_forced_pass(game):
                texts.append(format_move(game, move))
            game.play(move)
        return tuple(texts)

    @property
    def side(self) -> str:
        """The side to move, which solves the puzzle."""
        return self.start().turn


def is_forced_pass(game: Game) -> bool:
    """Return True if the only legal move is a pass, which the player need not enter."""
    moves: Sequence[Move] = game.legal_moves()
    return len(moves) == 1 and moves[0] == PASS
