"""An entry of the catalogue: what there is to know of a game before anybody plays it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Literal

from noughts.games.base import Game
from noughts.games.notation import parse_position, play_moves

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

Shelf = Literal["first", "small", "large", "space"]
"""What players look for: the most played boards, other small and large ones, boards in space."""

Proof = Literal["", "search", "certificate"]
"""How this library proves a value: not at all, by a search, or by a certificate that one command writes."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A game of the catalogue: its name, and its spec or else what makes it from chance and turn order.

    It stands on ``shelf``; of two games that of the smaller ``rank`` is listed first. ``value`` says what is
    proved of best play: the ``first`` or the ``second`` player wins, or it is a ``draw``; None where nothing
    is. ``source`` is who has published that, and ``proof`` how ``noughts solve`` finds it. ``sample`` are the
    moves that lead from ``start`` (None: the usual one) to its picture, as a player types them; those of
    ``ending`` lead on from there to its end.
    ``locales`` is the folder of the sentences of a game of another package.
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
        """The game in mid-game, from a fresh *game* of this entry."""
        if self.start is not None:
            game = parse_position(game, self.start)
        play_moves(game, self.sample.split())
        return game

    def finished(self, game: Game) -> Game:
        """The same game at its end, if one is known."""
        game = self.sampled(game)
        play_moves(game, self.ending.split())
        return game


def in_order(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """*entries* as they are listed."""
    return tuple(sorted(entries, key=lambda entry: (entry.rank, entry.name)))
