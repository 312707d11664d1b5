"""The positions of lines that a certificate has proved, found again in each of their images."""

from noughts.certificates.by_lines import Lines, Position, cells_of, outline
from noughts.certificates.text import WINDOW, Writer
from noughts.core.symmetry import Permutation


class Known:
    """What *writer* has proved, to be referred to by the maps of *group*, the identity first."""

    def __init__(self, writer: Writer, group: tuple[Permutation, ...]) -> None:
        self._writer, self._group = writer, group
        self._found: dict[int, list[tuple[int, tuple[Lines, Lines]]]] = {}

    def add(self, position: Position) -> None:
        """Number *position*, whose proof ends here."""
        self._writer.proved += 1
        lines = position.image(None)
        self._found.setdefault(outline(lines), []).append((self._writer.proved, lines))

    def find(self, position: Position) -> tuple[int, int] | None:
        """The number of a position that *position* is an image of, and the map that takes it there."""
        for number, lines in reversed(self._found.get(outline((position.mine, position.theirs)), ())):
            if self._writer.proved - number < WINDOW:
                which = self._map_to(position, lines)
                if which is not None:
                    return number, which
        return None

    def refer(self, position: Position) -> bool:
        """Whether *position* was proved in some image; write that it was."""
        found = self.find(position)
        if found is not None:
            self._writer.write("=", *found)
        return found is not None

    def _map_to(self, position: Position, lines: tuple[Lines, Lines]) -> int | None:
        """The number of the map that makes *lines* of those of *position*."""
        mine, theirs = map(frozenset, lines)
        for number, map_ in enumerate(self._group):
            if (
                _are_taken_to(position.mine, map_, mine)
                and _are_taken_to(position.theirs, map_, theirs)
                and position.image(map_) == lines  # a line may be there twice
            ):
                return number
        return None


def _are_taken_to(lines: Lines, map_: Permutation, images: frozenset[int]) -> bool:
    return all(sum(1 << map_[cell] for cell in cells_of(line)) in images for line in lines)
