"""Lines of threats, each with one reply, that win: what ends a proof without a tree of its own."""

from noughts.certificates.by_lines import LinesPosition, cells_of, singles
from noughts.core.board import coordinate_of
from noughts.games.base import Game

MAX_NODES = 2000
"""So many positions are looked at for one line."""

MAX_MOVES = 12


class ThreatLineFinder:
    """Finds the shortest line of threats that wins a position, within a few thousand nodes."""

    def __init__(self, max_nodes: int = MAX_NODES) -> None:
        self._max_nodes, self._nodes = max_nodes, 0

    def find(self, position: LinesPosition) -> list[int] | None:
        """The cells that the Prover, who is to move, takes one after another; None where no line is found."""
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
        """The cells that make a threat, those of most lines first; where the Other threatens one only."""
        loads: dict[int, int] = {}
        for line in position.mine:
            if line.bit_count() == 2:
                for cell in cells_of(line):
                    loads[cell] = loads.get(cell, 0) + 1
        cells = sorted(loads, key=lambda cell: (-loads[cell], cell))
        return [cell for cell in cells if not dangers or dangers == {1 << cell}]

    def _after(self, position: LinesPosition, cell: int, depth: int) -> list[int] | None:
        """The line after the threat on *cell*; empty where that is two at once."""
        after = position.after_prover(cell)
        threats = singles(after.mine)
        if len(threats) > 1:
            return []
        return self._search(after.after_other(threats.pop().bit_length() - 1), depth - 1)


def is_refuted(position: LinesPosition, cell: int, line: list[int]) -> bool:
    """Whether *line* wins after the Other has taken *cell*, as a certificate's check plays it."""
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
    """Play what the Prover takes, the cells of *line*, in *game*, and the replies that threats force.

    Each cell but the last makes a threat. Returns how it stands then, and whether it is the Prover's turn;
    None where the Prover has won.
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
    """Play on the cell of that number in *game*."""
    game.play(coordinate_of(game.shape, cell))
