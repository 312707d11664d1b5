"""What other packages announce by their entry points.

To look through all packages takes long, and is done once for a path and only when somebody asks. A package
that cannot be read hides no other.
"""

import sys
from functools import lru_cache
from typing import TYPE_CHECKING

from noughts.text import words_of

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

OURS = "noughts."
"""How the groups begin in which we look."""


def entry_points(group: str) -> list["EntryPoint"]:
    """What packages announce in *group*, in the order of its names."""
    return [point for point in _look_through(tuple(sys.path))[0] if point.group == group]


def unreadable_packages() -> dict[str, str]:
    """The packages that cannot be looked through, and why not."""
    return _look_through(tuple(sys.path))[1]


def package_of(point: "EntryPoint") -> str:
    """The package that announces *point*; empty where it says nothing of itself."""
    return _name(point.dist) if point.dist else ""


@lru_cache(maxsize=1)
def _look_through(_path: tuple[str, ...]) -> tuple[list["EntryPoint"], dict[str, str]]:
    from importlib.metadata import distributions  # a fifth of the time to start

    found: list[EntryPoint] = []
    unreadable: dict[str, str] = {}
    for package in distributions():
        try:
            # The entry points of others are not even parsed: they may be wrong, and are not our concern.
            if OURS in (package.read_text("entry_points.txt") or ""):
                found += [point for point in package.entry_points if point.group.startswith(OURS)]
        except Exception as error:
            unreadable[_name(package)] = words_of(error)
    return sorted(found, key=lambda point: (point.name, package_of(point))), unreadable


def _name(package: "Distribution") -> str:
    try:
        return package.name or ""
    except Exception:  # its own description cannot be read
        return ""
