"""Player, and the registry that makes players from their names."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from random import Random
from typing import TYPE_CHECKING

from noughts.errors import NotFound
from noughts.games.base import Game, Move
from noughts.search.analysis import Limit

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

ENTRY_POINTS = "noughts.players"
"""The entry point group in which other packages announce players."""


class Player(ABC):
    """Chooses moves. Write :meth:`choose` and it can play everywhere.

    >>> class Patient(Player):
    ...     def choose(self, game, limit):
    ...         return min(game.legal_moves())
    """

    def take_seat(self, game: Game) -> None:  # noqa: B027 - most players play anything
        """Look at *game* before the first move.

        Raises :class:`~noughts.errors.UnsupportedRules` to decline a game this player cannot play.
        """

    @abstractmethod
    def choose(self, game: Game, limit: Limit) -> Move:
        """Return one of ``game.legal_moves()``. *game* is a copy: play on it as you like."""


Maker = Callable[[str, Random], Player]
"""Makes a player from the text behind the colon of its name and a source of chance."""

_registry: dict[str, Maker] = {}


def register(name: str) -> Callable[[Maker], Maker]:
    """Enter a maker of players under *name*."""

    def enter(maker: Maker) -> Maker:
        _registry[name] = maker
        return maker

    return enter


def new_player(name: str, chance: Random | None = None) -> Player:
    """The player called *name*, such as ``rule``; *chance* decides what is left to chance.

    A name may have an argument behind a colon. Players of other packages are found by their entry point
    in the group ``noughts.players``: a :class:`Player` class, or a function of argument and chance.
    Raises :class:`~noughts.errors.NotFound`.
    """
    own, _, argument = name.partition(":")
    if own in _registry:
        return _registry[own](argument, chance or Random())
    for point in _announced():
        if point.name != own:
            continue
        made = point.load()
        if isinstance(made, type) and issubclass(made, Player):
            return made()
        return made(argument, chance or Random())  # type: ignore[no-any-return]
    raise NotFound("player", name, tuple(player_names()))


def player_names() -> Iterator[str]:
    """The names of all players, those of other packages last."""
    yield from _registry
    yield from sorted({point.name for point in _announced()} - set(_registry))


def _announced() -> "EntryPoints":
    """The entry points of all packages; imported here because it is a fifth of the time to start."""
    from importlib.metadata import entry_points

    return entry_points(group=ENTRY_POINTS)
