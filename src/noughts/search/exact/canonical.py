"""Canonical keys: one key for all positions that are symmetric to each other."""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from noughts.core.geometry import TILINGS, Geometry
from noughts.core.symmetry import symmetries
from noughts.games.base import Game
from noughts.search.analysis import handled_rules

HANDLED = frozenset(("gravity", "misere", "exact", "wrap", "wild", "notakto", *TILINGS, "place", "avoid"))
"""The facts under which a position is the marks of two sides, and symmetric positions are equal."""

LEAVING = frozenset(("misere", "exact", "wrap", *TILINGS, "vanish"))
"""The facts of two sides under which marks leave in turn, and the third repetition is a draw."""

BETWEEN = 255
"""The byte between the ages of the two sides."""

CHUNK = 8
"""The number of cells of a mask that are looked up at once."""

MAX_CELLS = 64
MAX_NUMBERS = 20_000
"""The largest board, and the largest table of a symmetry group, for which canonical keys pay off."""


def canonical_key(game: Game) -> Callable[[Any], object]:
    """Return a function that gives all symmetric positions of the rules of *game* one key.

    Call it with a game instead of ``game.key()``. If marks leave in turn, positions with the two sides
    exchanged share a key too.

    >>> from noughts import new_game
    >>> for name in ("tictactoe", "vanishing"):
    ...     one, two = new_game(name), new_game(name)
    ...     one[0, 0] = two[2, 0] = "X"
    ...     key = canonical_key(one)
    ...     print(key(one) == key(two), key(one) == key(new_game(name)))
    True False
    True False
    """
    if len(game.cells) > MAX_CELLS:
        return type(game).key
    if (rules := handled_rules(game, HANDLED)) is not None:
        keys = _canonical_keys(rules.geometry, rules.gravity)
        return type(game).key if keys is None else keys.key
    if (rules := handled_rules(game, LEAVING)) is not None:
        return partial(_key_of_ages, images_of(rules.geometry))
    return type(game).key


def _key_of_ages(images: tuple[bytes, ...], game: Any) -> object:
    """Return the smallest image of the cells of both sides, oldest first, the side to move first."""
    side, ages = game.key()
    own = bytes((*ages[side], BETWEEN, *ages[1 - side]))
    return min([own.translate(image) for image in images])


@lru_cache(maxsize=16)
def images_of(geometry: Geometry) -> tuple[bytes, ...]:
    """Return the symmetries of a board, each as a table for ``bytes.translate``."""
    group = symmetries(geometry)
    return tuple(bytes(permutation) + bytes(range(len(permutation), 256)) for permutation in group)


class CanonicalKeys:
    """Tables that map a mask by all permutations of a group at once.

    The images of a mask under the permutations are joined in one long int, ``stride`` bytes each. So a few
    lookups and joins of such ints map a whole position.
    """

    def __init__(self, group: tuple[tuple[int, ...], ...]) -> None:
        self.width = len(group[0])
        self.stride = (2 * self.width + 7) // 8  # two masks, one for each mark
        self.size = self.stride * len(group)
        self._tables: list[list[int]] = []
        for start in range(0, self.width, CHUNK):
            table = [0]
            for cell in range(start, min(start + CHUNK, self.width)):
                images = sum(
                    1 << number * self.stride * 8 + permutation[cell]
                    for number, permutation in enumerate(group)
                )
                table += [joined | images for joined in table]
            self._tables.append(table)

    def key(self, game: Any) -> object:
        """Return the side to move and the smallest image of the masks."""
        side, masks = game.key()
        joined = 0
        for slot, mask in enumerate(masks):
            images = 0
            for table in self._tables:
                images |= table[mask & 255]
                mask >>= CHUNK
            joined |= images << slot * self.width
        images_in_turn = joined.to_bytes(self.size, "little")
        stride = self.stride
        return side, min([images_in_turn[at : at + stride] for at in range(0, self.size, stride)])


@lru_cache(maxsize=16)
def _canonical_keys(geometry: Geometry, gravity: bool) -> CanonicalKeys | None:
    group = symmetries(geometry, gravity)
    return CanonicalKeys(group) if 1 < len(group) <= MAX_NUMBERS // len(group[0]) else None
