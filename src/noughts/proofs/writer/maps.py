"""The symmetries of a board, numbered as the maps of a certificate."""

from noughts.core.symmetry import Permutation


class SymmetryMaps:
    """The permutations of *group*, the identity first, numbered from 0 as in a certificate."""

    def __init__(self, group: tuple[Permutation, ...]) -> None:
        self.group = group
        self._number = {map_: number for number, map_ in enumerate(group)}
        self._found: dict[tuple[int, int], int | None] = {}

    def between(self, one: int, other: int) -> int | None:
        """Return the number of the map from one position to another, or None if the group lacks it.

        The image of the first position by map *one* equals the image of the second by map *other*.
        """
        if (one, other) not in self._found:
            back = _inverse(self.group[other])
            self._found[one, other] = self._number.get(tuple(back[cell] for cell in self.group[one]))
        return self._found[one, other]


def _inverse(permutation: Permutation) -> Permutation:
    return tuple(sorted(range(len(permutation)), key=permutation.__getitem__))
