"""Games of other packages, found by their entry points in the group ``noughts.games``.

An entry point gives an :class:`~noughts.games.entry.Entry` with a ``make``, under the name of the game. To
load one takes long. It is loaded when its name or the list of all games is first needed, once for a path.
"""

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any, get_args

from noughts.errors import BadInput, GameBroken, GameLeftOut
from noughts.games.base import Game
from noughts.games.contract import check_move, check_position, guard, is_stop
from noughts.games.entries import CATALOGUE
from noughts.games.entry import Entry, Shelf
from noughts.games.entry_points import entry_points, package_of, unreadable_packages
from noughts.text import safe_text, words_of

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "noughts.games"
"""The entry point group in which other packages announce games."""

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_OURS = {entry.name for entry in CATALOGUE}


class _Plugins:
    """The games announced by the packages of a path, each loaded on first use."""

    def __init__(self, path: tuple[str, ...]) -> None:
        self.path = path
        self.points: dict[str, EntryPoint] = {}
        self.loaded: dict[str, Entry] = {}
        self.left_out: dict[str, GameLeftOut] = {}
        self.without_place = [
            GameLeftOut("", package, "unreadable", words) for package, words in unreadable_packages().items()
        ]
        for point in entry_points(ENTRY_POINTS):
            if point.name in _OURS or point.name in self.points:
                self.without_place.append(GameLeftOut(point.name, package_of(point), "name-taken"))
            elif _NAME.fullmatch(point.name) is None:
                shown = safe_text(point.name)
                self.without_place.append(GameLeftOut(shown, package_of(point), "name-unusable"))
            else:
                self.points[point.name] = point

    def find(self, name: str) -> Entry | None:
        """Return the entry called *name*, or None if no package announces it.

        Raises :class:`~noughts.errors.GameLeftOut` if it cannot be offered.
        """
        point = self.points.get(name)
        if point is None:
            return None
        if name not in self.loaded and name not in self.left_out:
            try:
                self.loaded[name] = _load(point)
            except BaseException as error:  # a module must not end the program, for example by SystemExit
                if is_stop(error, [point.module]):
                    raise
                words = error.words if isinstance(error, GameBroken) else words_of(error)
                self.left_out[name] = GameLeftOut(name, package_of(point), "failed", words)
        if name in self.left_out:
            raise self.left_out[name]
        return self.loaded[name]


def find_plugin(name: str) -> Entry | None:
    """Return the game of another package called *name*, or None if there is none.

    Raises :class:`~noughts.errors.GameLeftOut` if it cannot be offered.
    """
    return _plugins().find(name) if _NAME.fullmatch(name) else None


def all_plugins() -> tuple[list[Entry], list[GameLeftOut]]:
    """Return the games of all other packages, and those that cannot be offered."""
    here = _plugins()
    entries, left_out = [], [*here.without_place]
    for name in here.points:
        try:
            entries += [entry] if (entry := here.find(name)) else []
        except GameLeftOut as error:
            left_out.append(error)
    return entries, left_out


def loaded_plugins() -> tuple[Entry, ...]:
    """Return the games of other packages that have been loaded so far."""
    return () if _latest is None else tuple(_latest.loaded.values())


_latest: _Plugins | None = None


def _plugins() -> _Plugins:
    global _latest
    path = tuple(sys.path)
    if _latest is None or _latest.path != path:
        _latest = _Plugins(path)
    return _latest


@dataclass(frozen=True)
class _Guarded:
    """The guarded maker of a game of another package. Its games report the faults of the package."""

    name: str
    package: str
    make: Callable[[Random, tuple[str, ...]], Game]

    def __call__(self, chance: Random, sides: tuple[str, ...]) -> Game:
        try:
            game = self.make(chance, sides)
        except BaseException as error:
            # Bad input is, for example, marks that this game cannot have.
            if isinstance(error, BadInput) or is_stop(error, [str(getattr(self.make, "__module__", ""))]):
                raise
            raise GameBroken(self.name, self.package, f"make: {words_of(error)}") from error
        if not isinstance(game, Game):
            raise GameBroken(self.name, self.package, f"make gives {type(game).__name__}: no Game")
        return guard(game, self.name, self.package)


TRIED_PLIES = 6
"""The number of moves that are made in a game when it is loaded."""


def _load(point: "EntryPoint") -> Entry:
    """Return the entry of *point*, after a test of its sample."""
    entry = point.load()
    if not isinstance(entry, Entry):
        raise TypeError(f"{type(entry).__name__}: no Entry")
    _check_fields(entry)
    if entry.make is None:
        raise TypeError("make gives NoneType: no Game")
    make = _Guarded(point.name, package_of(point), entry.make)
    entry, game = replace(entry, make=make), make(Random(0), ())
    if not point.name == entry.name == game.name:
        raise ValueError(f"called {point.name!r}, {entry.name!r} and {game.name!r}")
    check_position(game)
    for finished in (entry.sampled, entry.finished):
        check_position(finished(make(Random(0), ())))
    chance = Random(0)
    while game.ply < TRIED_PLIES and not game.is_over:
        game.play(check_move(game, chance.choice(game.legal_moves()), drawn=False))
    return entry


def _check_fields(entry: Entry) -> None:
    """Raise an error that names the first field of *entry* that cannot be listed."""
    from importlib.resources.abc import Traversable

    text = str | None
    kinds: dict[str, Any] = {"spec": text, "rank": int, "start": text, "sample": str, "ending": str}
    kinds["source"] = str
    kinds["locales"] = Traversable | None
    fits = {field: isinstance(getattr(entry, field), kind) for field, kind in kinds.items()}
    fits |= {
        "shelf": entry.shelf in get_args(Shelf),
        "value": entry.value in (None, "first", "second", "draw"),
    }
    if unfit := [field for field, is_fit in fits.items() if not is_fit]:
        raise TypeError(f"{unfit[0]}={getattr(entry, unfit[0])!r}")
    hash(entry)  # lists of games are cached by their entries
