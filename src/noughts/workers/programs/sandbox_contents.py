"""The part of this machine that a sandbox shows: the folder of the program, and the Python that it needs.

Folders are compared by identity, not by name: links are resolved first, and a folder is compared with the
protected ones by device and inode, so that ``..`` and bind mounts make no difference. No file that the author
of a program may have written, such as a link, ``pyvenv.cfg`` or a ``.pth``, adds to the contents.
"""

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from noughts.records.files import open_to_read
from noughts.records.folders import config_folder, data_folder

SYSTEM = tuple(map(Path, ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")))
"""Folders of the system that the sandbox always shows. Links in them belong to the system."""

VIRTUAL = tuple(map(Path, ("/dev", "/proc", "/sys")))
"""Folders that the sandbox has itself, or not at all. Those of the machine are never shown."""

MEMORY = Path("/dev/shm")  # noqa: S108
"""An exception among the virtual folders, since it may hold files of users."""

PRIVATE = tuple(map(Path, ("/boot", "/etc", "/run")))
"""Folders of the system of which at most single files are shown."""

SHARED = (
    *map(Path, ("/home", "/media", "/mnt", "/opt", "/root", "/srv", "/tmp", "/var/lib", "/var/tmp")),  # noqa: S108
    MEMORY,
)
"""Folders that hold the data of many users or programs, and so are never shown whole."""

IN_HOME = (
    *(".cache", ".config", ".gnupg", ".local/share", ".local/state", ".ssh"),
    *("Desktop", "Documents", "Downloads", "Music", "Pictures", "Videos"),
)
"""Folders of a user that hold all kinds of files, or the data of many programs: never shown whole."""

HOMES = Path("/home")
"""The parent folder of the users' homes."""

HOME_PARTS = len(HOMES.parts) + 1

MAX_LINKS = 40

MAX_FILES = 200_000
"""The maximum number of files in a folder. A larger one is not shown."""

PYTHON = re.compile(r"(python|pypy)[0-9.]*t?")
"""The pattern of the names of Python's programs."""

MOUNTS = Path("/proc/self/mountinfo")

_USER_FOLDER = re.compile(r'XDG_[A-Z]+_DIR="\$HOME/([^"]+)"')


class UnshowableError(Exception):
    """The sandbox cannot show *path*. ``reason`` is a code.

    ``folder``: it contains a home, a folder of the system or a shared one. ``link``: a link leads out of its
    folder. ``special``: it is a socket, a pipe or a device. ``mount``: another file system is mounted in it.
    ``large``: it has too many files. ``private``: only the superuser may read it.
    """

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path, self.reason = str(path), reason


@dataclass(slots=True)
class SandboxContents:
    """The contents of a sandbox: the *command* with its paths resolved, and the ``places``.

    Each place is a path inside, and has the file or folder of the machine that is shown there.
    """

    command: tuple[str, ...]
    places: dict[Path, Path] = field(default_factory=dict)

    def add(self, place: Path, source: Path) -> None:
        """Show *source* at *place*, unless a folder that is shown already contains it."""
        if not (_is_virtual(place) or _is_in(place, (*SYSTEM, *self.places))):
            self.places[place] = source

    def identities(self) -> list[str]:
        """Return the places, each after the expected device and inode."""
        facts = ((place, source.lstat()) for place, source in self.places.items())
        return [f"{about.st_dev}:{about.st_ino}:{place}" for place, about in facts]


def sandbox_contents(
    command: Sequence[str], own: Sequence[str] = (), *, is_superuser: bool = False
) -> SandboxContents:
    """Return the sandbox contents for *command*: the paths in its words, and our files *own*.

    With *is_superuser* the program runs without the rights of its starter. Raises :class:`UnshowableError` if
    a word names a path that must not be shown.
    """
    _protected.cache_clear()  # a protected folder may have been replaced
    words = [_Word(text) for text in command]
    named = [word for word in words if word.is_named]
    contents = SandboxContents(tuple(word.text for word in words))
    for word in named:
        is_trusted = _is_trusted(word, named)
        if not is_trusted:
            _search(word.shown)
        if is_superuser:
            _examine_rights(word)
        contents.add(word.shown, word.shown)
        for place, source in _pythons(word, is_trusted=is_trusted):
            contents.add(place, source)
    for path in map(Path, own):
        if path.is_file() or not is_protected(path):
            contents.add(path, path.resolve())
    _examine_mounts(list(contents.places.values()))
    return contents


class _Word:
    """A word of a command, and its path, if it names one that has to be shown."""

    def __init__(self, text: str) -> None:
        self.text, self.is_named = text, False
        if not (os.path.isabs(text) and os.path.exists(text)):
            return
        self.path, links, _ = _resolved(Path(text))
        self.target = self.path.resolve()
        for link, is_last in links.items():
            _examine_link(link, is_last=is_last)
        if _is_virtual(self.target):
            return
        if ".." in Path(text).parts or not _is_in(Path(text), SYSTEM):
            self.text = str(self.path)
        if _is_in(self.path, SYSTEM):
            return
        if not (self.target.is_file() or self.target.is_dir()):
            raise UnshowableError(self.path, "special")
        self.text, self.is_named = str(self.path), True
        self.shown = _around(self.path)

    @property
    def environment(self) -> Path | None:
        """The virtual environment that the program belongs to, or None."""
        folder = self.path.parent
        return folder.parent if folder.name == "bin" and (folder.parent / "pyvenv.cfg").is_file() else None


def _resolved(path: Path) -> tuple[Path, dict[Path, bool], list[Path]]:
    """Return *path* without links among its folders, the followed links, and the other names of the path.

    A link at the end of the path stays if its folder may be shown, because Python finds its environment by
    that name. The value of a link is True if *path* itself names it, and False for a link in the folders
    above.
    """
    links: dict[Path, bool] = {}
    names: list[Path] = []
    last_link: Path | None = None
    done, left = Path("/"), list(reversed(path.parts[1:]))
    while left and len(links) < MAX_LINKS:
        part = left.pop()
        if part == "..":
            done = done.parent
        elif (done / part).is_symlink():
            link = done / part
            is_last = not left and last_link is None and link.is_file()
            if is_last and not _is_in(done, SYSTEM) and not is_protected(done):
                last_link = link
            links[link] = not left
            goal = done / os.readlink(link)
            names.append(Path(os.path.normpath(goal.joinpath(*reversed(left)))))
            left += reversed(goal.parts[1:])
            done = Path("/")
        else:
            done /= part
    return last_link or done, links, [*names, done]


def _examine_link(link: Path, *, is_last: bool) -> None:
    """Raise :class:`UnshowableError` if *link* leads out of the folder that it belongs to.

    In a folder that is never shown whole, such as the home folder, links to folders were made by the user,
    but a link that *is_last* may have come with the bot: it must lead to a file of the same folder. If all
    users may write in that folder, only links of this user and of the superuser are followed.
    """
    target, folder = link.resolve(), _folder_around(link.parent)
    is_of_system = _is_virtual(link) or _is_in(link, SYSTEM) or _is_in(target, SYSTEM)
    if is_of_system or _installation(target) is not None:
        return
    if folder is not None:
        is_followed = _is_in(target, (folder,))
    else:
        is_foreign = link.parent.stat().st_mode & 0o002 and link.lstat().st_uid not in (0, os.getuid())
        is_alone = target.is_file() and target.parent == link.parent.resolve()
        is_followed = not is_foreign and (not is_last or is_alone)
    if not is_followed:
        raise UnshowableError(link, "link")


def _around(path: Path) -> Path:
    """Return the folder around *path*, or the file alone if the folder must not be shown."""
    if path.is_dir():
        if is_protected(path):
            raise UnshowableError(path, "folder")
        return path
    return _folder_around(path.parent) or path


def _folder_around(folder: Path) -> Path | None:
    """Return the folder to show for files in *folder*, or None if it must not be shown.

    For a folder ``bin`` it is the folder above, if possible.
    """
    whole = folder.parent if folder.name == "bin" else folder
    return next((each for each in (whole, folder) if not is_protected(each)), None)


def is_protected(folder: Path) -> bool:
    """Return True if *folder* is, or contains, a home, a folder of the system, or a shared folder."""
    real = folder.resolve()
    if _is_virtual(real) or _is_in(real, PRIVATE):
        return True
    others = HOMES.joinpath(*real.parts[:HOME_PARTS]) if _is_in(real, (HOMES,)) else HOMES
    homes = (os.path.expanduser("~"), _home_of_user(), str(others))
    ours = [place(os.environ, sys.platform) for place in (config_folder, data_folder)]
    identity = _identity(folder)
    return identity is None or identity in _protected(*map(Path, homes), *ours)


@lru_cache(maxsize=4)
def _protected(*folders: Path) -> set[tuple[int, int] | None]:
    """Return the identities of the folders that are never shown whole, and of all folders around them.

    The first three of *folders* are homes, the others folders of the user.
    """
    places = [
        *folders,
        *(home / name for home in folders[:3] for name in (*IN_HOME, *_user_folders(home))),
        *SYSTEM,
        *PRIVATE,
        *SHARED,
    ]
    names = {name for place in places for name in (place, place.resolve())}
    return {_identity(each) for each in {*names, *(around for name in names for around in name.parents)}}


def _user_folders(home: Path) -> Iterator[str]:
    """Yield the names, in the user's language, of folders such as Downloads."""
    with suppress(OSError):
        for match in _USER_FOLDER.finditer(_text_of(home / ".config/user-dirs.dirs")):
            yield match[1]


def _text_of(path: Path) -> str:
    """Return the text of the file *path*, which another user may have written.

    Raises :class:`OSError` for a pipe or a device.
    """
    with open_to_read(path) as file:
        return file.read().decode("utf-8", "replace")


def _home_of_user() -> str:
    """Return the home folder from the user database. Environment variables are ignored."""
    with suppress(ImportError, KeyError):
        import pwd

        return pwd.getpwuid(os.getuid()).pw_dir
    return "/"


def _identity(path: Path) -> tuple[int, int] | None:
    """Return the device and the inode of *path*, or None if there is no such file."""
    with suppress(OSError):
        about = path.stat()
        return about.st_dev, about.st_ino
    return None


def _is_virtual(path: Path) -> bool:
    return _is_in(path, VIRTUAL) and not _is_in(path, (MEMORY,))


def _is_in(path: Path, folders: Sequence[Path]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


def _search(place: Path) -> None:
    """Raise :class:`UnshowableError` if *place* contains anything except files, folders and links."""
    left, count = [str(place)] if place.is_dir() else [], 0
    while left:
        # A folder may be unreadable for this user, or vanish meanwhile.
        with suppress(PermissionError, FileNotFoundError), os.scandir(left.pop()) as entries:
            for entry in entries:
                count += 1
                if count > MAX_FILES:
                    raise UnshowableError(place, "large")
                if entry.is_dir(follow_symlinks=False):
                    left.append(entry.path)
                elif not (entry.is_file(follow_symlinks=False) or entry.is_symlink()):
                    raise UnshowableError(Path(entry.path), "special")


def _examine_rights(word: _Word) -> None:
    """Raise :class:`UnshowableError` if the path of *word* is readable for its owner alone."""
    path = word.target
    while path.is_relative_to(word.shown):
        if not path.stat().st_mode & (0o001 if path.is_dir() else 0o004):
            raise UnshowableError(path, "private")
        path = path.parent


def _examine_mounts(sources: Sequence[Path]) -> None:
    """Raise :class:`UnshowableError` if a file system is mounted inside one of *sources*."""
    for line in MOUNTS.read_text(errors="replace").splitlines():
        name = re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), line.split()[4])
        for source in sources:
            if Path(name) != source and Path(name).is_relative_to(source):
                raise UnshowableError(Path(name), "mount")


def _is_trusted(word: _Word, named: Sequence[_Word]) -> bool:
    """Return True if *word* is the Python of an environment of the user, not one that came with a bot.

    It is the environment of this process, or one with no folder in common with the other named paths. Then
    its Python must be a link to one that is installed elsewhere. Another program in it may be the bot.
    """
    place = word.environment
    if place is None:
        return False
    others = [other.shown for other in named if not other.shown.is_relative_to(place)]
    are_apart = all(is_protected(Path(os.path.commonpath((place, other)))) for other in others)
    is_elsewhere = not word.target.is_relative_to(place) and (
        _is_in(word.target, SYSTEM) or _installation(word.target) is not None
    )
    is_python = PYTHON.fullmatch(word.path.name) is not None and is_elsewhere
    return place == Path(sys.prefix).resolve() or (is_python and bool(others) and are_apart)


def _pythons(word: _Word, *, is_trusted: bool) -> Iterator[tuple[Path, Path]]:
    """Yield the places of the Python for *word*, and of editable packages of its environment.

    The files of the environment are only read if it *is_trusted*.
    """
    place = word.environment
    programs = [word.path] if place is None else [word.path, place / "bin" / "python"]
    for program in programs:
        for name in _resolved(program)[2]:
            if (prefix := _installation(name)) is not None:
                yield prefix, prefix.resolve()
    if place is not None and is_trusted:
        for folder in (*_home(place), *_installed_in_place(place)):
            if not is_protected(folder):
                yield folder, folder.resolve()


def _installation(program: Path) -> Path | None:
    """Return the folder of the installation of Python that *program* belongs to, or None."""
    target, prefix = program.resolve(), program.parent.parent
    real = prefix.resolve()
    is_python = PYTHON.fullmatch(target.name) and target.is_file() and target.parent == real / "bin"
    return prefix if is_python and any(real.glob("lib*/py*/os.py")) and not is_protected(prefix) else None


def _home(environment: Path) -> Iterator[Path]:
    """Yield the folder of the Python from which *environment* was made."""
    with suppress(OSError):
        for line in _text_of(environment / "pyvenv.cfg").splitlines():
            name, _, value = line.partition("=")
            if name.strip() == "home" and os.path.isabs(value.strip()):
                folder = _folder_around(Path(os.path.normpath(value.strip())))
                yield from () if folder is None else (folder,)


def _installed_in_place(environment: Path) -> Iterator[Path]:
    """Yield the source folders of editable packages in *environment*."""
    for file in (environment / "lib").glob("python*/site-packages/*.pth"):
        with suppress(OSError):
            for line in _text_of(file).splitlines():
                folder = Path(os.path.normpath(line.strip()))
                if folder.is_absolute() and folder.is_dir():  # other lines are code
                    yield folder
