"""What other packages announce by their entry points.

To look through all packages takes long, and is done once for a path and only when somebody asks. A package
that cannot be read hides no other.
"""

import os
import sys
from contextlib import suppress
from functools import lru_cache
from importlib.machinery import PathFinder
from pathlib import Path
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
def _look_through(path: tuple[str, ...]) -> tuple[list["EntryPoint"], dict[str, str]]:
    others = [finder for finder in sys.meta_path if finder is not PathFinder]
    if all(map(_is_silent, path)) and not any(hasattr(finder, "find_distributions") for finder in others):
        return [], {}
    from importlib.metadata import distributions  # takes as long as all that is ours

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


def _is_silent(folder: str) -> bool:
    """Whether no package in *folder* announces anything to us, nor can there be one that is not readable."""
    try:
        names = os.listdir(folder or os.curdir)
        for name in names:
            if name.lower().endswith((".dist-info", "egg-info")):
                with suppress(FileNotFoundError, NotADirectoryError):
                    text = Path(folder, name, "entry_points.txt").read_text(encoding="utf-8")
                    if f"[{OURS}" in text:
                        return False
    except FileNotFoundError:  # most paths name an archive of Python itself that is not there
        return True
    except (OSError, ValueError):  # an archive of packages, or something that is wrong
        return False
    return True


def _name(package: "Distribution") -> str:
    try:
        return package.name or ""
    except Exception:  # its own description cannot be read
        return ""
