"""Wins by nothing but threats: each move threatens to win at once, so that there is one reply at most.

All moves are made by the game itself, which knows what is forbidden; the table of lines only tells which of
them may matter. No threat is missed where a mark stays, a line of one's own wins and whoever fills the last
cell of it stops it.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress

from noughts.core.board import coordinate_of, index_of
from noughts.core.lines import LineCounts, LineTable, line_table
from noughts.errors import BadInput, UnsupportedRules
from noughts.games.base import Game, Move
from noughts.games.moves import cells_of
from noughts.search.analysis import UNKNOWN, Analysis, Effort, Limit, LimitReachedError, handled_rules
from noughts.search.explain.immediate import wins

HANDLED = frozenset(("exact", "wrap", "hex", "renju"))
"""The facts under which a threat is stopped on its own cell alone, whatever else is played."""

MAX_MOVES = 3
"""So many moves of one's own a win has at most: one of more might be slower than another without threats."""


class ThreatSearch:
    """The wins by threats from the position of *game*, in at most ``MAX_MOVES`` moves of one's own.

    Raises :class:`~noughts.errors.UnsupportedRules` for games of other facts.

    >>> from noughts import new_game
    >>> from noughts.games.notation import parse_position
    >>> game = parse_position(new_game("5x5:4"), "O.O../.XX../...../...X./O.... X")
    >>> analysis = ThreatSearch(game).solve(Limit(nodes=100))
    >>> analysis.value, analysis.pv[0], analysis.plies
    (1, (1, 3), 3)
    """

    def __init__(self, game: Game) -> None:
        table = _table(game)
        if table is None:
            raise UnsupportedRules("search", game.name, "unknown-rules")
        self._game, self._effort = game.copy(), Effort()
        self._counts = LineCounts(table, game.cells, game.sides)

    @staticmethod
    def supports(game: Game) -> bool:
        """Whether threats can be told for the rules of *game*, and its lines are listed."""
        return _table(game) is not None

    def solve(self, limit: Limit) -> Analysis:
        """Whether the side to move wins so, or loses so after each of its moves that does not lose at once.

        Nothing is known where it does neither, or not within *limit*. A win is the quickest there is.
        """
        self._effort = Effort(limit.started())
        if self._game.outcome is not None:
            return UNKNOWN
        try:
            line = self._quickest(MAX_MOVES)
            value = 1
            if line is None:
                line, value = self._defence(MAX_MOVES), -1
        except LimitReachedError:
            return UNKNOWN
        if line is None:
            return UNKNOWN
        return Analysis(value, len(line), line[0], self._effort.nodes, line)

    def find_stop(self, moves: int, likely: Iterable[Move], limit: Limit) -> Move | None:
        """A move after which the other side does not win in so many *moves*, a *likely* one if there is any.

        None where it wins after each of them, and where *limit* ends that. Wins of up to two moves are
        all by threats, so of these none is overlooked.
        """
        self._effort = Effort(limit.started())
        with suppress(LimitReachedError):
            for move in (*likely, *self._game.legal_moves()):
                if self._play(move):
                    try:
                        if self._game.outcome is not None or self._win(moves) is None:
                            return move
                    finally:
                        self._undo(move)
        return None

    @property
    def threats(self) -> list[Move]:
        """The moves by which the other side wins next, as long as they are not stopped.

        The side to move must not win at once.
        """
        return [cell for cell in self._completing(self._other) if self._is_threat(cell)]

    def _quickest(self, max_moves: int) -> tuple[Move, ...] | None:
        """The moves of the quickest win, with the replies; None if it takes more than *max_moves*."""
        lines = (self._win(moves) for moves in range(1, max_moves + 1))
        return next((line for line in lines if line is not None), None)

    def _win(self, moves: int) -> tuple[Move, ...] | None:
        """The line by which the side to move wins in at most so many *moves* of its own."""
        side = self._game.turn
        won = next((cell for cell in self._completing(side) if wins(self._game, cell)), None)
        if won is not None or moves == 1:
            return None if won is None else (won,)
        must = self.threats
        for move in self._threatening(side):
            if not must or move in must:
                line = self._tried(move, moves)
                if line is not None:
                    return line
        return None

    def _tried(self, move: Move, moves: int) -> tuple[Move, ...] | None:
        """The line of a win that begins with *move*, and takes at most so many *moves*."""
        if not self._play(move):
            return None
        try:
            line = self._defence(moves - 1)
            return None if line is None else (move, *line)
        finally:
            self._undo(move)

    def _defence(self, moves: int) -> tuple[Move, ...] | None:
        """How the side to move loses whatever it does, to a win of *moves* at most; None if not so."""
        game, side = self._game, self._game.turn
        if game.outcome is not None or any(wins(game, cell) for cell in self._completing(side)):
            return None
        threats = self.threats
        if not threats:
            return None
        reply = next((cell for cell in threats if self._play(cell)), None)
        if reply is None:  # it is forbidden to stop it
            reply = next(iter(game.legal_moves()))
            self._play(reply)
        try:
            line = None if game.outcome is not None else self._quickest(moves)
            return None if line is None else (reply, *line)
        finally:
            self._undo(reply)

    def _is_threat(self, cell: Move) -> bool:
        """Whether the other side wins on *cell* next, as long as nothing is placed there."""
        game = self._game
        reply = next((move for move in game.legal_moves() if move != cell), None)
        if reply is None:
            return False
        game.play(reply)
        is_won = game.outcome is None and wins(game, cell)
        game.undo()
        return is_won

    # What may matter

    @property
    def _other(self) -> str:
        first, second = self._game.sides
        return second if self._game.turn == first else first

    def _completing(self, side: str) -> list[Move]:
        return [self._spot(cell) for cell in sorted(self._counts.completing(side))]

    def _threatening(self, side: str) -> Iterator[Move]:
        """The moves after which *side* may lack one mark of a line."""
        counts = self._counts
        on_lines, wanted = counts.counts[side], counts.table.k - 2
        near = {
            cell
            for line, count in enumerate(on_lines)
            if count == wanted == counts.filled[line]
            for cell in counts.table.cells_of[line]
            if counts.cells[cell] is None
        }
        return map(self._spot, sorted(near))

    def _spot(self, cell: int) -> Move:
        return coordinate_of(self._game.shape, cell)

    # Playing

    def _play(self, move: Move) -> bool:
        """Play *move*; whether that was allowed."""
        side = self._game.turn
        self._effort.add()
        try:
            self._game.play(move)
        except BadInput:
            return False
        self._counts.place(index_of(self._game.shape, cells_of(move)[0]), side)
        return True

    def _undo(self, move: Move) -> None:
        self._game.undo()
        self._counts.lift(index_of(self._game.shape, cells_of(move)[0]))


def _table(game: Game) -> LineTable | None:
    """The lines of *game*; None where they are too many, or its facts are not handled."""
    rules = handled_rules(game, HANDLED)
    return None if rules is None or len(game.sides) != 2 else line_table(rules.geometry)
