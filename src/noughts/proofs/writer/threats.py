"""Winning lines of threats, each with one reply, which end a proof without a tree of their own."""

from noughts.certificates.by_lines import LinesPosition, cells_of, singles
from noughts.core.board import coordinate_of
from noughts.games.base import Game

MAX_NODES = 2000
"""Maximum number of positions in the search for one line."""

MAX_MOVES = 12


class ThreatLineFinder:
    """A search for the shortest winning line of threats, with a limit in nodes."""

    def __init__(self, max_nodes: int = MAX_NODES) -> None:
        self._max_nodes, self._nodes = max_nodes, 0

    def find(self, position: LinesPosition) -> list[int] | None:
        """Return the cells that the Prover, to move, takes in turn, or None if no line is found."""
        self._nodes = 0
        for depth in range(1, MAX_MOVES + 1):
            line = self._search(position, depth)
            if line is not None or self._nodes >= self._max_nodes:
                return line
        return None

    def _search(self, position: LinesPosition, depth: int) -> list[int] | None:
        self._nodes += 1
        own = singles(position.mine)
        if own:
            return [own.pop().bit_length() - 1]
        if depth == 1 or self._nodes >= self._max_nodes:
            return None
        dangers = singles(position.theirs)
        for cell in self._candidates(position, dangers):
            line = self._after(position, cell, depth)
            if line is not None:
                return [cell, *line]
        return None

    @staticmethod
    def _candidates(position: LinesPosition, dangers: set[int]) -> list[int]:
        """Return the cells that make a threat, those of most lines first.

        If the Other threatens one cell, only that cell is possible.
        """
        loads: dict[int, int] = {}
        for line in position.mine:
            if line.bit_count() == 2:
                for cell in cells_of(line):
                    loads[cell] = loads.get(cell, 0) + 1
        cells = sorted(loads, key=lambda cell: (-loads[cell], cell))
        return [cell for cell in cells if not dangers or dangers == {1 << cell}]

    def _after(self, position: LinesPosition, cell: int, depth: int) -> list[int] | None:
        """Return the winning line after the threat on *cell*, or an empty list if it makes two threats."""
        after = position.after_prover(cell)
        threats = singles(after.mine)
        if len(threats) > 1:
            return []
        return self._search(after.after_other(threats.pop().bit_length() - 1), depth - 1)


def is_refuted(position: LinesPosition, cell: int, line: list[int]) -> bool:
    """Return True if *line* still wins after the Other has taken *cell*, as the checker plays it."""
    position = position.after_other(cell)
    for number, move in enumerate(line, 1):
        if not position.empty >> move & 1:
            return False
        position = position.after_prover(move)
        threats, is_last = singles(position.mine), number == len(line)
        if 0 in position.mine:
            return is_last
        if singles(position.theirs) or not threats:
            return False
        if len(threats) > 1:
            return is_last
        position = position.after_other(threats.pop().bit_length() - 1)
    return False


def play_line(game: Game, position: LinesPosition, line: list[int]) -> tuple[LinesPosition, bool] | None:
    """Play in *game* the cells of *line* for the Prover, and the replies that its threats force.

    All cells but the last make a threat. Return the new position, and True if the Prover is to move. Return
    None if the Prover has won.
    """
    threats = set[int]()
    for cell in line:
        play_cell(game, cell)
        position = position.after_prover(cell)
        threats = singles(position.mine)
        if 0 in position.mine or len(threats) > 1:
            return None
        if threats:
            (forced,) = threats
            play_cell(game, forced.bit_length() - 1)
            position = position.after_other(forced.bit_length() - 1)
    return position, bool(threats)


def play_cell(game: Game, cell: int) -> None:
    """Play on cell number *cell* in *game*."""
    game.play(coordinate_of(game.shape, cell))
