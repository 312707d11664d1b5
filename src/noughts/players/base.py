"""Player, and the registry that makes players from their names."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import TYPE_CHECKING

from noughts.errors import NotFound, NoughtsError, PlayerFailed, UnsupportedRules
from noughts.games.base import Game, Move
from noughts.games.contract import is_stop
from noughts.games.entry_points import entry_points
from noughts.search.analysis import Limit, Report
from noughts.text import words_of

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "noughts.players"
"""The entry point group in which other packages announce players."""


class Player(ABC):
    """A player of games. A subclass needs only :meth:`choose`.

    >>> class Patient(Player):
    ...     def choose(self, game, limit):
    ...         return min(game.legal_moves())
    """

    def take_seat(self, game: Game) -> None:  # noqa: B027 - most players play anything
        """Look at *game* before the first move.

        Raises :class:`~noughts.errors.UnsupportedRules` to decline a game this player cannot play.
        """

    def prepare(self, game: Game) -> None:  # noqa: B027 - most players have nothing to load
        """Load all that is needed to choose in *game*, before the clock runs.

        A caller may call this after :meth:`take_seat`. It is optional.
        """

    def report_to(self, report: Report) -> None:  # noqa: B027 - most players are done before that is of use
        """Use *report* for the progress of preparing and choosing, instead of any earlier receiver.

        Callers may call this, and must not rely on reports.
        """

    @abstractmethod
    def choose(self, game: Game, limit: Limit) -> Move:
        """Return one of ``game.legal_moves()``. *game* is a copy, on which you may play."""

    def choose_side(self, game: Game, answers: Sequence[str], limit: Limit) -> str:
        """In an opening, return one of *answers* (``swap``, ``put``), or ``stay`` to keep the side to move.

        By default, a search chooses the side with the better prospects.
        """
        from noughts.search.balance import choose_side

        return choose_side(game, answers, limit)

    def place_evenly(self, game: Game, marks: int, limit: Limit) -> Move:
        """In an opening, return the first of *marks* marks that one player places for both sides.

        By default, a search chooses marks that leave both sides nearly equal.
        """
        from noughts.search.balance import place_evenly

        return place_evenly(game, marks, limit)

    def give_up(self) -> None:  # noqa: B027 - most players stop when ``limit.stop`` says so
        """Stop working on the last call, because the answer is no longer needed. Any thread may call this."""


Maker = Callable[[str, Random], Player]
"""A function that makes a player, from the text behind the colon of its name and a source of chance."""

_registry: dict[str, tuple[Maker, tuple[str, ...]]] = {}

_open: set[str] = set()
"""The names that accept arguments other than the listed ones."""


def register(name: str, maker: Maker, arguments: tuple[str, ...] = (), *, is_open: bool = False) -> None:
    """Register a *maker* of players under *name*, followed by one of *arguments* if there are any.

    With *arguments*, each ``name:argument`` is listed as a player and the bare name is not one. If it
    *is_open*, the maker is called for any argument, and raises :class:`~noughts.errors.NotFound` for an
    unknown one.
    """
    _registry[name] = maker, arguments
    if is_open:
        _open.add(name)


def is_registered(name: str) -> bool:
    """Return True if *name* belongs to one of our players, or is reserved for ours."""
    return str(name).partition(":")[0] in _registry


def new_player(name: str, chance: Random | None = None) -> Player:
    """Return the player called *name*, such as ``rule``, with *chance* as its source of random choices.

    A name may have an argument behind a colon. Players of other packages are found by their entry point in
    the group ``noughts.players``: a :class:`Player` class, or a function of argument and chance. Raises
    :class:`~noughts.errors.NotFound`, and :class:`~noughts.errors.PlayerFailed` if a player of another
    package cannot be made.
    """
    own, colon, argument = str(name).partition(":")
    maker, arguments = _registry.get(own, (None, ()))
    is_known = argument in arguments if arguments else not colon
    if maker is not None and (is_known or (own in _open and argument)):
        return maker(argument, chance or Random())
    for point in entry_points(ENTRY_POINTS):
        if point.name == own and maker is None:
            return _plugin_player(point, name, argument, chance or Random())
    raise NotFound("player", name, tuple(player_names()))


def _plugin_player(point: "EntryPoint", name: str, argument: str, chance: Random) -> Player:
    """Return the player of another package that *point* names."""
    with _reporting_failures(name):
        maker = point.load()
        is_class = isinstance(maker, type) and issubclass(maker, Player)
        if is_class and ":" in name:
            raise NotFound("player", name, tuple(player_names()))
        made = maker() if is_class else maker(argument, chance)
    if not isinstance(made, Player):
        raise PlayerFailed(name, f"{type(made).__name__}: no Player")
    return made


def check_player(player: object) -> None:
    """Raise ``TypeError`` unless *player* is a player. A name or a class is not one."""
    if not isinstance(player, Player):
        raise TypeError(f"{player!r}: no Player; new_player makes one of a name")


def decline_puzzle(name: str, game: Game) -> None:
    """Raise :class:`~noughts.errors.UnsupportedRules` for a puzzle, as *name* solves none."""
    if len(game.sides) == 1:
        raise UnsupportedRules(name, game.name, "one-side", instead=("human",))


def offer_seat(player: Player, name: str, game: Game) -> None:
    """Let *player*, called *name*, look at a copy of *game* before the first move.

    Raises the player's own error if it declines (:class:`~noughts.errors.UnsupportedRules`). Raises
    :class:`~noughts.errors.PlayerFailed` for any error that is not one of this library.
    """
    with _reporting_failures(name):
        player.take_seat(game.copy())


@contextmanager
def _reporting_failures(name: str) -> Iterator[None]:
    """Turn any exception of another package's code into a failure of the player *name*."""
    try:
        yield
    except BaseException as error:  # a module must not end the program, for example by SystemExit
        if isinstance(error, NoughtsError) or is_stop(error):
            raise
        raise PlayerFailed(name, words_of(error)) from error


def player_names() -> Iterator[str]:
    """Yield the names of all players, those of other packages last.

    None of them is loaded, and nothing is raised.
    """
    for name, (_, arguments) in _registry.items():
        yield from (f"{name}:{argument}" for argument in arguments) if arguments else (name,)
    yield from sorted({point.name for point in entry_points(ENTRY_POINTS)} - set(_registry))
