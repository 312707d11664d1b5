"""A puzzle: a position in which one move alone wins, or one alone does not lose.

Moves that lead to the same position are one: in Pentago a mark that wins does so whatever is turned.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from noughts.games.base import PASS, Game, Move
from noughts.games.catalogue import new_game
from noughts.games.notation import format_move, parse_move, parse_position

GRADES = (1, 2, 3, 4, 5)
"""From what most people see to what takes a strong player a search."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """One puzzle, as it is kept: ``position`` of ``game``, in which the side to move is to solve it.

    ``kind`` is ``win`` (one move alone wins) or ``save`` (one alone does not lose). ``line`` are the moves
    of best play, those of both sides, as text: for a win to the end of the game, else as long as one move
    alone saves. ``grade``, 1 to 5, follows from what was measured: ``found_by`` is the lowest level that
    finds the first move (11: none), ``nodes`` how many moves a search must try to prefer it.
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
        """The puzzle as one line of JSON."""
        return json.dumps(asdict(self), separators=(",", ":"))

    def start(self) -> Game:
        """The game as the puzzle begins."""
        return parse_position(new_game(self.game), self.position)

    def moves(self) -> tuple[Move, ...]:
        """The moves of the line, of both sides."""
        game, moves = self.start(), []
        for text in self.line.split():
            moves.append(parse_move(game, text))
            game.play(moves[-1])
        return tuple(moves)

    def solution(self) -> tuple[str, ...]:
        """The moves of the solver, as text; of the first there is no other that is right."""
        game, solver, texts = self.start(), self.side, []
        for move in self.moves():
            if game.turn == solver and not is_forced_pass(game):
                texts.append(format_move(game, move))
            game.play(move)
        return tuple(texts)

    @property
    def side(self) -> str:
        """The side that solves it."""
        return self.start().turn


def is_forced_pass(game: Game) -> bool:
    """Whether the side to move can only pass, which nobody needs to be asked about."""
    moves: Sequence[Move] = game.legal_moves()
    return len(moves) == 1 and moves[0] == PASS
