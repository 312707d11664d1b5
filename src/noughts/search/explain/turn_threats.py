"""Lines that can be filled within one turn, if a turn has several marks."""

from collections.abc import Sequence
from itertools import count, takewhile

from noughts.core.board import coordinate_of, index_of
from noughts.core.geometry import TILINGS
from noughts.core.lines import LineCounts, line_table
from noughts.games.base import Game, Move
from noughts.search.analysis import handled_rules

HANDLED = frozenset(("place", "wrap", *TILINGS, "players"))
"""The facts under which marks fill a line in any order, and no own mark spoils it."""

MAX_PLACE = 4
"""Maximum number of marks in a turn: with more, there are too many ways to stop all threats."""


class TurnThreats:
    """The lines that the marks of one turn can complete in *game*, and those that they must stop.

    Nothing is found if the rules are not handled, if a turn has one mark, and on boards of more than 4,096
    cells.

    >>> from noughts import new_game
    >>> from noughts.games.notation import parse_position
    >>> game = parse_position(new_game("6x6:4,place=2"), "X...../....../OO..../....../XX..../OO....")
    >>> TurnThreats(game).find_win(), TurnThreats(game).holds((2, 2)), TurnThreats(game).holds((4, 2))
    ((4, 2), True, False)
    """

    def __init__(self, game: Game) -> None:
        self._shape = game.shape
        self._wins: list[tuple[int, ...]] = []
        self._threats: list[tuple[int, ...]] = []
        self._left = 1
        rules = handled_rules(game, HANDLED)
        table = None if rules is None or not 1 < rules.place <= MAX_PLACE else line_table(rules.geometry)
        if rules is None or table is None:
            return
        ply = len(game.cells) - game.cells.count(None)
        side = rules.side_at(ply)
        self._left = sum(1 for _ in takewhile(lambda later: rules.side_at(later) == side, count(ply)))
        counts = LineCounts(table, game.cells, rules.board_marks)
        for mark, on_lines in counts.counts.items():
            lacking, marks = (self._wins, self._left) if mark == game.turn else (self._threats, rules.place)
            lacking += [
                tuple(cell for cell in table.cells_of[line] if counts.cells[cell] is None)
                for line, own in enumerate(on_lines)
                if own >= rules.k - marks and counts.is_open(line, mark)
            ]

    def find_win(self) -> Move | None:
        """Return the first move of a turn that completes a line, or None."""
        lacking = min(self._wins, key=len, default=None)
        return None if lacking is None else coordinate_of(self._shape, lacking[0])

    def holds(self, move: Move) -> bool:
        """Return True if *move* and the other marks of the turn can stop all lines that others threaten."""
        if not self._threats:
            return True  # *move* may be no cell.
        cell = index_of(self._shape, move)
        return _can_stop([threat for threat in self._threats if cell not in threat], self._left - 1)


def _can_stop(threats: Sequence[tuple[int, ...]], marks: int) -> bool:
    """Return True if *marks* marks are enough to put one into each of *threats*."""
    if not threats or not marks:
        return not threats
    return any(_can_stop([one for one in threats if cell not in one], marks - 1) for cell in threats[0])
