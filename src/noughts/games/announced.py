"""Games of other packages, found by their entry points in the group ``noughts.games``.

An entry point gives an :class:`~noughts.games.entry.Entry` with a ``make``, under the name of the game. To
look through the entry points of all packages takes long, and to load them more so: it is done when somebody
asks for a name that is not ours, or for all games, and once for a path.
"""

import re
import sys
from random import Random
from typing import TYPE_CHECKING, Any, get_args

from noughts.errors import GameLeftOut
from noughts.games.base import Game
from noughts.games.entries import CATALOGUE
from noughts.games.entry import Entry, Shelf
from noughts.text import safe_text, words_of

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "noughts.games"
"""The entry point group in which other packages announce games."""

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_OURS = {entry.name for entry in CATALOGUE}


class _Announced:
    """The games announced by the packages of a path, each loaded when first asked for."""

    def __init__(self, path: tuple[str, ...]) -> None:
        from importlib.metadata import entry_points  # a fifth of the time to start

        self.path = path
        self.points: dict[str, EntryPoint] = {}
        self.loaded: dict[str, Entry] = {}
        self.left_out: dict[str, GameLeftOut] = {}
        self.without_place: list[GameLeftOut] = []
        for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda one: (one.name, _package(one))):
            if point.name in _OURS or point.name in self.points:
                self.without_place.append(GameLeftOut(point.name, _package(point), "name-taken"))
            elif _NAME.fullmatch(point.name) is None:
                shown = safe_text(point.name)
                self.without_place.append(GameLeftOut(shown, _package(point), "name-unusable"))
            else:
                self.points[point.name] = point

    def find(self, name: str) -> Entry | None:
        """The entry called *name*; None where no package announces it.

        Raises :class:`~noughts.errors.GameLeftOut` where it cannot be offered.
        """
        point = self.points.get(name)
        if point is None:
            return None
        if name not in self.loaded and name not in self.left_out:
            try:
                self.loaded[name] = _load(point)
            except BaseException as error:  # a module may want to leave, and it is not its program
                if type(error) is KeyboardInterrupt and not _raises(point, error):
                    raise  # whoever sits at the keyboard wants to leave
                self.left_out[name] = GameLeftOut(name, _package(point), "failed", words_of(error))
        if name in self.left_out:
            raise self.left_out[name]
        return self.loaded[name]


def find_announced(name: str) -> Entry | None:
    """The game of another package called *name*; None where there is none.

    Raises :class:`~noughts.errors.GameLeftOut` where it cannot be offered.
    """
    return _announced().find(name) if _NAME.fullmatch(name) else None


def all_announced() -> tuple[list[Entry], list[GameLeftOut]]:
    """The games of all other packages, and those that cannot be offered."""
    here = _announced()
    entries, left_out = [], [*here.without_place]
    for name in here.points:
        try:
            entries += [entry] if (entry := here.find(name)) else []
        except GameLeftOut as error:
            left_out.append(error)
    return entries, left_out


def loaded_entries() -> tuple[Entry, ...]:
    """The games of other packages that somebody has asked for until now."""
    return () if _latest is None else tuple(_latest.loaded.values())


_latest: _Announced | None = None


def _announced() -> _Announced:
    global _latest
    path = tuple(sys.path)
    if _latest is None or _latest.path != path:
        _latest = _Announced(path)
    return _latest


def _load(point: "EntryPoint") -> Entry:
    """The entry that *point* gives, after its sample has been played."""
    entry = point.load()
    if not isinstance(entry, Entry):
        raise TypeError(f"{type(entry).__name__}: no Entry")
    _check_fields(entry)
    game = None if entry.make is None else entry.make(Random(0), ())
    if not isinstance(game, Game):
        raise TypeError(f"make gives {type(game).__name__}: no Game")
    if not point.name == entry.name == game.name:
        raise ValueError(f"called {point.name!r}, {entry.name!r} and {game.name!r}")
    entry.sampled(game)
    return entry


def _check_fields(entry: Entry) -> None:
    """Raise what says which field of *entry* is of no use to who lists games."""
    from importlib.resources.abc import Traversable

    fits = {
        "spec": isinstance(entry.spec, str | None),
        "shelf": entry.shelf in get_args(Shelf),
        "rank": isinstance(entry.rank, int),
        "value": entry.value in (None, "first", "draw"),
        "start": isinstance(entry.start, str | None),
        "sample": isinstance(entry.sample, str),
        "locales": isinstance(entry.locales, Traversable | None),
    }
    for field, is_fit in fits.items():
        if not is_fit:
            raise TypeError(f"{field}={getattr(entry, field)!r}")
    hash(entry)  # lists are kept for the entries in them


def _raises(point: "EntryPoint", error: BaseException) -> bool:
    """Whether a ``raise`` in the package of *point* made *error*; the keyboard breaks in at other places."""
    from dis import opname

    trace: Any = error.__traceback__
    while trace.tb_next is not None:
        trace = trace.tb_next
    frame = trace.tb_frame
    is_of_package = _top(str(frame.f_globals.get("__name__"))) == _top(point.module)
    return is_of_package and opname[frame.f_code.co_code[trace.tb_lasti]] == "RAISE_VARARGS"


def _top(module: str) -> str:
    return module.partition(".")[0]


def _package(point: "EntryPoint") -> str:
    return point.dist.name or "" if point.dist else ""  # None where it says nothing of itself
