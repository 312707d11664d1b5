"""One key for all positions that symmetries of the board make of each other."""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from noughts.core.geometry import Geometry
from noughts.core.symmetry import symmetries
from noughts.games.base import Game
from noughts.search.analysis import handled_rules

HANDLED = frozenset(("gravity", "misere", "exact", "wrap", "wild", "notakto", "hex", "place", "avoid"))
"""The facts that tell two sides' marks, which stay, alike in all images of a position."""

LEAVING = frozenset(("misere", "exact", "wrap", "hex", "vanish"))
"""The facts of two sides under which marks leave in turn, and the third repetition is a draw."""

BETWEEN = 255
"""The byte between the ages of the two sides."""

CHUNK = 8
"""How many cells of a mask are looked up at once."""

MAX_CELLS = 64
MAX_NUMBERS = 20_000
"""Larger boards, and groups of more numbers than that, are not worth their tables."""


def canonical_key(game: Game) -> Callable[[Any], object]:
    """What to call instead of ``game.key()``: a function of the game that gives one key to all positions
    of these rules that differ only by a symmetry of the board.

    Where marks leave in turn, also to those in which the sides are exchanged.

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
    """The smallest image of the cells of both sides, oldest first; those of the side to move stand first."""
    side, ages = game.key()
    own = bytes((*ages[side], BETWEEN, *ages[1 - side]))
    return min([own.translate(image) for image in images])


@lru_cache(maxsize=16)
def images_of(geometry: Geometry) -> tuple[bytes, ...]:
    """Each symmetry as a table for ``bytes.translate``."""
    group = symmetries(geometry)
    return tuple(bytes(permutation) + bytes(range(len(permutation), 256)) for permutation in group)


class CanonicalKeys:
    """The tables by which a mask is mapped by all permutations of a group at once.

    The images of a mask under the permutations stand side by side in one long int, each in ``stride``
    bytes, so that looking up and joining a few such ints maps a whole position.
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
        """The side to move, and the smallest image of the masks."""
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
