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
    """Chooses moves. Write :meth:`choose` and it can play everywhere.

    >>> class Patient(Player):
    ...     def choose(self, game, limit):
    ...         return min(game.legal_moves())
    """

    def take_seat(self, game: Game) -> None:  # noqa: B027 - most players play anything
        """Look at *game* before the first move.

        Raises :class:`~noughts.errors.UnsupportedRules` to decline a game this player cannot play.
        """

    def prepare(self, game: Game) -> None:  # noqa: B027 - most players have nothing to load
        """Get ready to choose in *game* at once: a clock will run, and what is loaded now takes none of it.

        Whoever seats a player may call this after :meth:`take_seat`, and need not.
        """

    def report_to(self, report: Report) -> None:  # noqa: B027 - most players are done before that is of use
        """Tell *report*, instead of whom it was told before, how far one is while getting ready or choosing.

        A player need not; whoever seats one may call this, and must not rely on being told.
        """

    @abstractmethod
    def choose(self, game: Game, limit: Limit) -> Move:
        """Return one of ``game.legal_moves()``. *game* is a copy: play on it as you like."""

    def choose_side(self, game: Game, answers: Sequence[str], limit: Limit) -> str:
        """In an opening, return one of *answers* (``swap``, ``put``), or ``stay`` to keep the side to move.

        Unless a player knows better, it takes the side that a search thinks better of.
        """
        from noughts.search.balance import choose_side

        return choose_side(game, answers, limit)

    def place_evenly(self, game: Game, marks: int, limit: Limit) -> Move:
        """In an opening, return the first of so many *marks* that one places for both sides.

        Unless a player knows better, they leave both sides nearly equal, as far as a search sees.
        """
        from noughts.search.balance import place_evenly

        return place_evenly(game, marks, limit)

    def give_up(self) -> None:  # noqa: B027 - most players stop when ``limit.stop`` says so
        """Stop working on the last question: nobody waits for the answer any more. Any thread may call."""


Maker = Callable[[str, Random], Player]
"""Makes a player from the text behind the colon of its name and a source of chance."""

_registry: dict[str, tuple[Maker, tuple[str, ...]]] = {}

_open: set[str] = set()
"""Names that may be followed by other arguments than those that are listed."""


def register(name: str, maker: Maker, arguments: tuple[str, ...] = (), *, is_open: bool = False) -> None:
    """Enter a *maker* of players under *name*, which is followed by one of *arguments* if there are any.

    Then each of them is listed as a player, and the name alone is none. If it *is_open* the maker is asked
    for any argument, and raises :class:`~noughts.errors.NotFound` for one that it does not know.
    """
    _registry[name] = maker, arguments
    if is_open:
        _open.add(name)


def is_registered(name: str) -> bool:
    """Whether the player called *name* was entered here: one of ours, or a name that is kept for ours."""
    return str(name).partition(":")[0] in _registry


def new_player(name: str, chance: Random | None = None) -> Player:
    """The player called *name*, such as ``rule``; *chance* decides what is left to chance.

    A name may have an argument behind a colon. Players of other packages are found by their entry point
    in the group ``noughts.players``: a :class:`Player` class, or a function of argument and chance.
    Raises :class:`~noughts.errors.NotFound`, and :class:`~noughts.errors.PlayerFailed` where a player of
    another package cannot be made.
    """
    own, colon, argument = str(name).partition(":")
    maker, arguments = _registry.get(own, (None, ()))
    is_known = argument in arguments if arguments else not colon
    if maker is not None and (is_known or (own in _open and argument)):
        return maker(argument, chance or Random())
    for point in entry_points(ENTRY_POINTS):
        if point.name == own and maker is None:
            return _made_elsewhere(point, name, argument, chance or Random())
    raise NotFound("player", name, tuple(player_names()))


def _made_elsewhere(point: "EntryPoint", name: str, argument: str, chance: Random) -> Player:
    """The player of another package that *point* names."""
    with _failing_as(name):
        maker = point.load()
        is_class = isinstance(maker, type) and issubclass(maker, Player)
        if is_class and ":" in name:
            raise NotFound("player", name, tuple(player_names()))
        made = maker() if is_class else maker(argument, chance)
    if not isinstance(made, Player):
        raise PlayerFailed(name, f"{type(made).__name__}: no Player")
    return made


def check_player(player: object) -> None:
    """Raise ``TypeError`` for what is no player, such as the name of one, or its class."""
    if not isinstance(player, Player):
        raise TypeError(f"{player!r}: no Player; new_player makes one of a name")


def decline_puzzle(who: str, game: Game) -> None:
    """Raise :class:`~noughts.errors.UnsupportedRules` where *game* is a puzzle: *who* solves none."""
    if len(game.sides) == 1:
        raise UnsupportedRules(who, game.name, "one-side", instead=("human",))


def offer_seat(player: Player, name: str, game: Game) -> None:
    """Let *player*, called *name*, look at a copy of *game* before the first move.

    Raises what the player raises that declines its seat (:class:`~noughts.errors.UnsupportedRules`), and
    :class:`~noughts.errors.PlayerFailed` where it raises anything that is not an error of this library.
    """
    with _failing_as(name):
        player.take_seat(game.copy())


@contextmanager
def _failing_as(name: str) -> Iterator[None]:
    """Whatever the code of another package raises becomes the failure of the player *name*."""
    try:
        yield
    except BaseException as error:  # a module may want to leave, and it is not its program
        if isinstance(error, NoughtsError) or is_stop(error):
            raise
        raise PlayerFailed(name, words_of(error)) from error


def player_names() -> Iterator[str]:
    """The names of all players, those of other packages last. None is loaded for that, and nothing raised."""
    for name, (_, arguments) in _registry.items():
        yield from (f"{name}:{argument}" for argument in arguments) if arguments else (name,)
    yield from sorted({point.name for point in entry_points(ENTRY_POINTS)} - set(_registry))
