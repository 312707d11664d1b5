"""The canonical form of a position in a plain implementation."""

from collections.abc import Sequence

from noughts.core.symmetry import Permutation


def canonical(cells: Sequence[object], group: Sequence[Permutation]) -> tuple[object, ...]:
    """Return the smallest image of *cells* under *group*, compared as text."""
    images = []
    for permutation in group:
        image: list[object] = [None] * len(cells)
        for source, target in enumerate(permutation):
            image[target] = cells[source]
        images.append(tuple(image))
    return min(images, key=repr)
