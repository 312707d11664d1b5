"""An entry of the catalogue: the facts about a game that are known before it is played."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Literal

from noughts.games.base import Game
from noughts.games.notation import parse_position, play_moves

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

Shelf = Literal["first", "small", "large", "space"]
"""The groups of games: the most played boards, other small and large ones, boards in space."""

Proof = Literal["", "search", "certificate"]
"""The proof of a value by this library: none, a search, or a certificate that one command writes."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A game of the catalogue: its name, and its spec or its maker.

    The maker takes the source of chance and the turn order. The game belongs to ``shelf``, and games of
    smaller ``rank`` are listed first. ``value`` is the proved result of best play: the ``first`` or the
    ``second`` player wins, or it is a ``draw``. It is None if nothing is proved. ``source`` names the authors
    who published the value, and ``proof`` is the way in which ``noughts solve`` finds it. ``sample`` holds
    the moves from ``start`` (None: the usual one) to the game's picture, as a player types them. ``ending``
    holds the moves from there to the end. ``locales`` is the folder of the sentences of a game of another
    package.
    """

    name: str
    spec: str | None = None
    make: Callable[[Random, tuple[str, ...]], Game] | None = None
    shelf: Shelf = "small"
    rank: int = 1000
    value: Literal["first", "second", "draw"] | None = None
    source: str = ""
    proof: Proof = ""
    start: str | None = None
    sample: str = ""
    ending: str = ""
    locales: "Traversable | None" = None

    def sampled(self, game: Game) -> Game:
        """Return the game in mid-game, from a new *game* of this entry."""
        if self.start is not None:
            game = parse_position(game, self.start)
        play_moves(game, self.sample.split())
        return game

    def finished(self, game: Game) -> Game:
        """Return the same game at its end, if one is known."""
        game = self.sampled(game)
        play_moves(game, self.ending.split())
        return game


def in_order(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return *entries* in the order of lists."""
    return tuple(sorted(entries, key=lambda entry: (entry.rank, entry.name)))
