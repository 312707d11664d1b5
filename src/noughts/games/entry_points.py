"""The entry points of other packages.

To search all packages takes long, so it is done once for a path and only on demand. A package that cannot be
read does not hide others.
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
"""The prefix of the groups that are searched."""


def entry_points(group: str) -> list["EntryPoint"]:
    """Return the entry points of all packages in *group*, in the order of their names."""
    return [point for point in _search_packages(tuple(sys.path))[0] if point.group == group]


def unreadable_packages() -> dict[str, str]:
    """Return the unreadable packages, each with the reason."""
    return _search_packages(tuple(sys.path))[1]


def package_of(point: "EntryPoint") -> str:
    """Return the name of the package that announces *point*. Empty if the package has no name."""
    return _name(point.dist) if point.dist else ""


@lru_cache(maxsize=1)
def _search_packages(path: tuple[str, ...]) -> tuple[list["EntryPoint"], dict[str, str]]:
    others = [finder for finder in sys.meta_path if finder is not PathFinder]
    if all(map(_has_no_entry_points, path)) and not any(
        hasattr(finder, "find_distributions") for finder in others
    ):
        return [], {}
    from importlib.metadata import distributions  # This import takes as long as this whole package.

    points: list[EntryPoint] = []
    unreadable: dict[str, str] = {}
    for package in distributions():
        try:
            # Foreign entry points are not parsed: they may be wrong, and are not our concern.
            if OURS in (package.read_text("entry_points.txt") or ""):
                points += [point for point in package.entry_points if point.group.startswith(OURS)]
        except Exception as error:
            unreadable[_name(package)] = words_of(error)
    return sorted(points, key=lambda point: (point.name, package_of(point))), unreadable


def _has_no_entry_points(folder: str) -> bool:
    """Return True if no package in *folder* has entry points for us and each is readable."""
    try:
        names = os.listdir(folder or os.curdir)
        for name in names:
            if name.lower().endswith((".dist-info", "egg-info")):
                with suppress(FileNotFoundError, NotADirectoryError):
                    text = Path(folder, name, "entry_points.txt").read_text(encoding="utf-8")
                    if f"[{OURS}" in text:
                        return False
    except FileNotFoundError:  # a typical path names an archive of Python itself that does not exist
        return True
    except (OSError, ValueError):  # an archive of packages, or a damaged entry
        return False
    return True


def _name(package: "Distribution") -> str:
    try:
        return package.name or ""
    except Exception:  # its own metadata cannot be read
        return ""
