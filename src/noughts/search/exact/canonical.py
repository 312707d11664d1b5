"""One key for all positions that symmetries of the board make of each other."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from noughts.core.geometry import Geometry
from noughts.core.symmetry import symmetries
from noughts.games.base import Game
from noughts.search.handling import handled_rules

HANDLED = frozenset(("gravity", "misere", "exact", "wrap", "wild", "notakto", "hex"))
"""The facts that tell two sides' marks, which stay, alike in all images of a position."""

CHUNK = 8
"""How many cells of a mask are looked up at once."""

MAX_CELLS = 64
MAX_NUMBERS = 20_000
"""Larger boards, and groups of more numbers than that, are not worth their tables."""


def canonical_key(game: Game) -> Callable[[Any], object]:
    """What to call instead of ``game.key()``: a function of the game that gives one key to all positions
    of these rules that differ only by a symmetry of the board.

    >>> from noughts import TicTacToe
    >>> one, two = TicTacToe(), TicTacToe()
    >>> one[0, 0] = two[2, 0] = "X"
    >>> key = canonical_key(one)
    >>> key(one) == key(two), key(one) == key(TicTacToe())
    (True, False)
    """
    rules = handled_rules(game, HANDLED)
    if rules is None or len(game.cells) > MAX_CELLS:
        return type(game).key
    keys = _canonical_keys(rules.geometry, rules.gravity)
    return type(game).key if keys is None else keys.key


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
