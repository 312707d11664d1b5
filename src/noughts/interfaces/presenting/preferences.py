"""The user's preferences: the settings, and the setup of the last game.

Preferences are a convenience. An unreadable value counts as not chosen, and a value that cannot be saved is
lost.
"""

import contextlib
import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from noughts.arena.series import Begins
from noughts.errors import FileRefused, NameRefused
from noughts.games.openings import NO_OPENING, OPENINGS
from noughts.interfaces.presenting.i18n import LANGUAGES
from noughts.interfaces.presenting.players import person_name
from noughts.interfaces.presenting.settings import read_settings, settings_file
from noughts.records.files import write_atomically

MAX_NAMES = 16
"""The maximum number of saved names."""

MAX_TEXT = 200
"""The longest text that is accepted, in characters."""

MAX_DATABASE = 4_096
"""The longest path or URL of a database, in characters."""

MAX_SOLVED = 5_000
"""The maximum number of solved puzzles that are saved.

More would not fit into the file.
"""

MAX_LEVEL = 100
"""The highest level that is accepted.

The players decide which levels exist.
"""


@dataclass(frozen=True, slots=True)
class Preferences:
    """The choices of a person, or None if nothing was chosen.

    ``language`` is a code of ``LANGUAGES``, ``theme`` is ``light`` or ``dark``, ``marks`` is ``unicode`` or
    ``ascii``. ``database`` is a file or the URL of a database. ``names`` are the names of people by place,
    empty for a person without one. ``known`` are all names that were ever used, the latest first. ``game``,
    ``opponent`` (a player's name or ``human``), ``level``, ``mark``, ``begins``, ``clock`` and ``opening``
    are the setup of the last game. ``solved`` are the numbers of the solved puzzles.
    """

    language: str | None = None
    theme: str | None = None
    marks: str | None = None
    database: str | None = None
    names: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    game: str | None = None
    opponent: str | None = None
    level: int | None = None
    mark: str | None = None
    begins: str | None = None
    clock: str | None = None
    opening: str | None = None
    solved: tuple[int, ...] = ()


def load_preferences(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Preferences:
    """Return the stored preferences.

    A value that is missing or cannot be used is None. Never raises.
    """
    try:
        stored = read_settings(environ, platform)
    except FileRefused:
        return Preferences()
    return Preferences(**{key: believe(stored[key]) for key, believe in _BELIEVED.items() if key in stored})


def save_preferences(
    preferences: Preferences, environ: Mapping[str, str] = os.environ, platform: str = sys.platform
) -> bool:
    """Save *preferences*, all or nothing. Return False if they cannot be saved. Never raise errors."""
    try:
        write_preferences(preferences, environ, platform)
    except (OSError, ValueError, RuntimeError):
        return False
    return True


def write_preferences(
    preferences: Preferences, environ: Mapping[str, str] = os.environ, platform: str = sys.platform
) -> None:
    """Write *preferences* to the settings file, all or nothing. Raises :class:`OSError`.

    Keys that this version does not know stay in the file.
    """
    try:
        stored = read_settings(environ, platform)
    except FileRefused:
        stored = {}
    unknown = {key: value for key, value in stored.items() if key not in _BELIEVED}
    chosen = {key: value for key, value in asdict(preferences).items() if value not in (None, ())}
    path = settings_file(environ, platform)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, json.dumps(unknown | chosen, ensure_ascii=True, indent=2) + "\n")


# Checks of the fields


def _one_of(*choices: str) -> Callable[[object], str | None]:
    return lambda value: value if isinstance(value, str) and value in choices else None


def _text(value: object, most: int = MAX_TEXT) -> str | None:
    is_sound = isinstance(value, str) and 0 < len(value) <= most and value.isprintable()
    return value if isinstance(value, str) and is_sound else None


def _names(value: object) -> tuple[str, ...]:
    names: list[str] = []
    for text in value[:MAX_NAMES] if isinstance(value, list) else ():
        with contextlib.suppress(NameRefused):
            names.append("" if text == "" else person_name(text))
    return tuple(names)


def _level(value: object) -> int | None:
    return value if type(value) is int and 0 <= value <= MAX_LEVEL else None


def _numbers(value: object) -> tuple[int, ...]:
    numbers = value[:MAX_SOLVED] if isinstance(value, list) else ()
    return tuple(number for number in numbers if type(number) is int and 0 < number < 1_000_000)


_BELIEVED: Mapping[str, Callable[[Any], Any]] = {
    "language": _one_of(*LANGUAGES),
    "theme": _one_of("light", "dark"),
    "marks": _one_of("unicode", "ascii"),
    "database": partial(_text, most=MAX_DATABASE),
    "names": _names,
    "known": _names,
    "game": _text,
    "opponent": _text,
    "level": _level,
    "mark": _text,
    "begins": _one_of(*Begins),
    "clock": _text,
    "opening": _one_of(NO_OPENING, *OPENINGS),
    "solved": _numbers,
}
