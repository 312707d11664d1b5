"""Search for wins by threats alone: each move threatens to win at once, so there is at most one reply.

The game itself makes all moves, so forbidden moves are respected. The line table only gives the candidates.
No threat is missed if marks stay, an own line wins, and any mark on the last cell of a line stops it.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress

from noughts.core.board import coordinate_of, index_of
from noughts.core.geometry import TILINGS
from noughts.core.lines import LineCounts, LineTable, line_table
from noughts.errors import BadInput, UnsupportedRules
from noughts.games.base import Game, Move
from noughts.games.moves import cells_of
from noughts.search.analysis import UNKNOWN, Analysis, Effort, Limit, LimitReachedError, handled_rules
from noughts.search.explain.immediate import wins

HANDLED = frozenset(("exact", "wrap", *TILINGS, "renju"))
"""The facts under which a mark on the winning cell is the only way to stop a threat."""

MAX_MOVES = 3
"""Maximum number of own moves in a win. A longer one might be slower than a win without threats."""


class ThreatSearch:
    """A search for wins by threats from the position of *game*, in at most ``MAX_MOVES`` own moves.

    Raises :class:`~noughts.errors.UnsupportedRules` for games with other facts.

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
        """Return True if the rules of *game* are handled and its lines are listed."""
        return _table(game) is not None

    def solve(self, limit: Limit) -> Analysis:
        """Return a proved win by threats of the side to move, or a proved loss to threats.

        A loss means that the side to move loses after each of its moves. The result is unknown if neither is
        found within *limit*. A win is the quickest one.
        """
        self._effort = Effort(limit.started())
        if self._game.outcome is not None:
            return UNKNOWN
        try:
            line = self._quickest(MAX_MOVES)
            value = 1
            if line is None:
                line, value = self._loss(MAX_MOVES), -1
        except LimitReachedError:
            return UNKNOWN
        if line is None:
            return UNKNOWN
        return Analysis(value, len(line), line[0], self._effort.nodes, line)

    def find_stop(self, moves: int, likely: Iterable[Move], limit: Limit) -> Move | None:
        """Return a move after which the other side does not win in *moves* moves, a *likely* one if possible.

        Return None if the other side wins after each move, or if *limit* ends the search. All wins of up to
        two moves are by threats, so none of these is missed.
        """
        self._effort = Effort(limit.started())
        with suppress(LimitReachedError):
            for move in (*likely, *self._game.legal_moves()):
                if self._play(move):
                    try:
                        if self._game.outcome is not None or self._win(moves) is None:
                            return move
                    finally:
                        self._take_back(move)
        return None

    @property
    def threats(self) -> list[Move]:
        """The moves by which the other side wins next if they are not stopped.

        The side to move must not be able to win at once.
        """
        return [cell for cell in self._completing_moves(self._other_side) if self._is_threat(cell)]

    def _quickest(self, max_moves: int) -> tuple[Move, ...] | None:
        """Return the moves of the quickest win, with the replies.

        Return None if it takes more than *max_moves*.
        """
        lines = (self._win(moves) for moves in range(1, max_moves + 1))
        return next((line for line in lines if line is not None), None)

    def _win(self, moves: int) -> tuple[Move, ...] | None:
        """Return the line by which the side to move wins in at most *moves* own moves, or None."""
        side = self._game.turn
        won = next((cell for cell in self._completing_moves(side) if wins(self._game, cell)), None)
        if won is not None or moves == 1:
            return None if won is None else (won,)
        must = self.threats
        for move in self._threatening_moves(side):
            if not must or move in must:
                line = self._win_after(move, moves)
                if line is not None:
                    return line
        return None

    def _win_after(self, move: Move, moves: int) -> tuple[Move, ...] | None:
        """Return the line of a win that starts with *move* and takes at most *moves* moves, or None."""
        if not self._play(move):
            return None
        try:
            line = self._loss(moves - 1)
            return None if line is None else (move, *line)
        finally:
            self._take_back(move)

    def _loss(self, moves: int) -> tuple[Move, ...] | None:
        """Return the line by which the side to move loses to a win of at most *moves* moves.

        Return None if it does not lose that way.
        """
        game, side = self._game, self._game.turn
        if game.outcome is not None or any(wins(game, cell) for cell in self._completing_moves(side)):
            return None
        threats = self.threats
        if not threats:
            return None
        reply = next((cell for cell in threats if self._play(cell)), None)
        if reply is None:  # it is forbidden to stop the threat
            reply = next(iter(game.legal_moves()))
            self._play(reply)
        try:
            line = None if game.outcome is not None else self._quickest(moves)
            return None if line is None else (reply, *line)
        finally:
            self._take_back(reply)

    def _is_threat(self, cell: Move) -> bool:
        """Return True if the other side wins on *cell* next unless a mark is placed there."""
        game = self._game
        reply = next((move for move in game.legal_moves() if move != cell), None)
        if reply is None:
            return False
        game.play(reply)
        is_won = game.outcome is None and wins(game, cell)
        game.undo()
        return is_won

    # Candidates

    @property
    def _other_side(self) -> str:
        first, second = self._game.sides
        return second if self._game.turn == first else first

    def _completing_moves(self, side: str) -> list[Move]:
        return [self._move_at(cell) for cell in sorted(self._counts.completing(side))]

    def _threatening_moves(self, side: str) -> Iterator[Move]:
        """Return the moves after which a line of *side* may lack only one mark."""
        counts = self._counts
        on_lines, wanted = counts.counts[side], counts.table.k - 2
        near = {
            cell
            for line, count in enumerate(on_lines)
            if count == wanted == counts.filled[line]
            for cell in counts.table.cells_of[line]
            if counts.cells[cell] is None
        }
        return map(self._move_at, sorted(near))

    def _move_at(self, cell: int) -> Move:
        return coordinate_of(self._game.shape, cell)

    # Moves

    def _play(self, move: Move) -> bool:
        """Play *move*, and return True if it was allowed."""
        side = self._game.turn
        self._effort.add()
        try:
            self._game.play(move)
        except BadInput:
            return False
        self._counts.place(index_of(self._game.shape, cells_of(move)[0]), side)
        return True

    def _take_back(self, move: Move) -> None:
        self._game.undo()
        self._counts.lift(index_of(self._game.shape, cells_of(move)[0]))


def _table(game: Game) -> LineTable | None:
    """Return the lines of *game*, or None if there are too many or its facts are not handled."""
    rules = handled_rules(game, HANDLED)
    return None if rules is None or len(game.sides) != 2 else line_table(rules.geometry)
