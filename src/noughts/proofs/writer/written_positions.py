"""The positions of lines that a certificate has proved, recognised in each of their images."""

from noughts.certificates.by_lines import Lines, LinesPosition, cells_of, outline, singles
from noughts.certificates.text import WINDOW, Writer
from noughts.core.symmetry import Permutation

_WEIGHTS = [[1 << 20 * length + 10 * side for length in range(64)] for side in (0, 1)]
"""The weight of a line in a tally, by its side and by the number of cells that it lacks."""


class WrittenPositions:
    """The positions that *writer* has proved, referred to by the maps of *group*, the identity first."""

    def __init__(self, writer: Writer, group: tuple[Permutation, ...]) -> None:
        self._writer, self._group = writer, group
        self._numbered: dict[int, list[tuple[int, tuple[Lines, Lines]]]] = {}
        self._tallies = set[int]()

    def add(self, position: LinesPosition) -> None:
        """Give a number to *position* after its proof is written."""
        self._writer.proved += 1
        lines = position.image(None)
        self._numbered.setdefault(outline(lines), []).append((self._writer.proved, lines))
        self._tallies.add(_tally(position))

    def find(self, position: LinesPosition) -> tuple[int, int] | None:
        """Return the number of a proved position that is an image of *position*, and the map between them.

        Return None if there is none in the window.
        """
        for number, lines in reversed(self._numbered.get(outline((position.mine, position.theirs)), ())):
            if self._writer.proved - number < WINDOW:
                which = self._map_to(position, lines)
                if which is not None:
                    return number, which
        return None

    def leading_to(self, position: LinesPosition) -> int:
        """Return a cell by which the Prover reaches a proved position without a threat, or -1."""
        tally, changes = _tally(position), dict.fromkeys(cells_of(position.empty), 0)
        for line in position.mine:
            change = _WEIGHTS[0][line.bit_count() - 1] - _WEIGHTS[0][line.bit_count()]
            for cell in cells_of(line):
                changes[cell] += change
        for line in position.theirs:
            for cell in cells_of(line):
                changes[cell] -= _WEIGHTS[1][line.bit_count()]
        for cell, change in changes.items():
            if tally + change in self._tallies:
                after = position.after_prover(cell)
                if not singles(after.mine) and self.find(after):
                    return cell
        return -1

    def refer(self, position: LinesPosition) -> bool:
        """Return True if an image of *position* was proved, and write a reference to it in that case."""
        reference = self.find(position)
        if reference is not None:
            self._writer.write("=", *reference)
        return reference is not None

    def _map_to(self, position: LinesPosition, lines: tuple[Lines, Lines]) -> int | None:
        """Return the number of the map from the lines of *position* to *lines*, or None."""
        mine, theirs = map(frozenset, lines)
        for number, map_ in enumerate(self._group):
            if (
                _are_taken_to(position.mine, map_, mine)
                and _are_taken_to(position.theirs, map_, theirs)
                and position.image(map_) == lines  # a line may occur twice
            ):
                return number
        return None


def _are_taken_to(lines: Lines, map_: Permutation, images: frozenset[int]) -> bool:
    return all(sum(1 << map_[cell] for cell in cells_of(line)) in images for line in lines)


def _tally(position: LinesPosition) -> int:
    """Return a symmetry-invariant number: for each side, how many lines lack how many cells.

    It is cheap to compute after a move.
    """
    return sum(_WEIGHTS[0][line.bit_count()] for line in position.mine) + sum(
        _WEIGHTS[1][line.bit_count()] for line in position.theirs
    )
