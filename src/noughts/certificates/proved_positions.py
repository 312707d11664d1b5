"""The positions that were proved already, to which a certificate may refer."""

from collections import deque
from collections.abc import Callable
from hashlib import blake2b

from noughts.certificates.text import WINDOW, DoesNotHold, numbers

Permutation = tuple[int, ...]


class ProvedPositions:
    """The digests of the positions that were proved, the last ``WINDOW`` of them.

    They are numbered from 1 in the order in which their proofs ended. *maps* are the permutations of cells
    that map a position to one that was proved. Map 0 leaves all cells unchanged.
    """

    def __init__(self, maps: list[Permutation]) -> None:
        self._maps = maps
        self._known: deque[bytes] = deque(maxlen=WINDOW)
        self._count = 0

    def add(self, position: object) -> None:
        """Add *position* to the proved ones. Equal positions must have equal representations."""
        self._known.append(_digest(position))
        self._count += 1

    def check(self, words: list[str], image: Callable[[Permutation | None], object]) -> None:
        """Check that the *image* is the proved position to which *words* refer by a number and a map.

        Raises :class:`DoesNotHold`.
        """
        if len(words) != 2:
            raise DoesNotHold("a reference has a number and a map")
        (number,) = numbers(words[:1], self._count)
        (which,) = (-1,) if words[1] == "0" else numbers(words[1:], len(self._maps))
        place = number - self._count + len(self._known)
        if place < 0:
            raise DoesNotHold("a position that is referred to is too far back")
        if self._known[place] != _digest(image(None if which < 0 else self._maps[which])):
            raise DoesNotHold("a position is not the one that was proved")


def _digest(position: object) -> bytes:
    return blake2b(repr(position).encode(), digest_size=16).digest()
