"""A sandbox for programs that are not trusted, made by bubblewrap: no network, nothing of the user's to see.

Inside there are the system's ``/usr``, the folder of the program, and 64 MiB of ``/tmp`` to write in, which
goes with the program; its processes see one another alone, are not the superuser, and end together.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from noughts.text import safe_text
from noughts.workers.programs import launcher

BUBBLEWRAP = "bwrap"

PATH = "/usr/bin:/bin"
"""Where commands are looked for inside."""

NOBODY = "65534"
"""Who the program is inside, by number, whoever runs it."""

ROOM = 64 << 20
"""How much can be written in ``/tmp``, in bytes."""

DETECT_SECONDS = 2.0
"""How long the trial may take that finds out whether there can be a sandbox."""

MAX_REASON = 200


@dataclass(frozen=True, slots=True)
class Sandbox:
    """How bubblewrap, found at ``program``, is called; with ``proc`` what is inside has a ``/proc``."""

    program: str
    proc: bool = True

    def arguments(self, command: Sequence[str], environ: Mapping[str, str]) -> list[str]:
        """What stands before what is to run, where the paths of *command* can be seen."""
        told = [self.program, "--unshare-all", "--unshare-user", "--uid", NOBODY, "--gid", NOBODY]
        told += ["--die-with-parent", "--new-session", "--clearenv", "--hostname", "bot"]
        for name, value in {**environ, "PATH": PATH}.items():
            told += ["--setenv", name, value]
        told += ["--ro-bind", "/usr", "/usr"]
        for name in ("bin", "lib", "lib64"):
            told += ["--symlink", f"usr/{name}", f"/{name}"]
        told += ["--proc", "/proc"] if self.proc else []
        told += ["--dev", "/dev", "--size", str(ROOM), "--tmpfs", "/tmp"]  # noqa: S108 - that inside
        for path in _seen(command):
            told += ["--ro-bind-try", path, path]
        return [*told, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/tmp"]  # noqa: S108

    def wrapped(self, launch: Sequence[str], command: Sequence[str], environ: Mapping[str, str]) -> list[str]:
        """The whole call that runs *command* by *launch*, the command of the launcher."""
        python = str(Path(launch[0]).resolve())
        words = (*command, python, launcher.__file__)
        return [*self.arguments(words, environ), python, *launch[1:]]


def _seen(words: Sequence[str]) -> Iterator[str]:
    """The files and folders that must be seen so that the paths among *words* mean something.

    Of a program in a folder ``bin`` that is the folder around it, of a file the folder that it is in; but the
    folder of the user, and those around it, are never shown whole: of them the file alone.
    """
    found: dict[Path | None, None] = {}
    for word in words:
        path = Path(word)
        if path.is_absolute() and path.exists():
            for each in dict.fromkeys((path, path.resolve())):
                found[_around(each)] = None
                found.update(dict.fromkeys((*_home_of_environment(each), *_installed_in_place(each))))
    for shown in found:
        if shown is not None and not shown.is_relative_to("/usr"):
            yield str(shown)


def _around(path: Path) -> Path | None:
    """What is shown of *path*: the folder that it belongs to, if that may be shown whole; None: nothing."""
    folder = path if path.is_dir() else path.parent
    whole = folder.parent if folder.name == "bin" else folder
    for each in (whole, folder):
        if not is_too_much(each):
            return each
    return None if path.is_dir() else path


def is_too_much(folder: Path) -> bool:
    """Whether to show *folder* would show what nobody meant: the user's own, or one around it."""
    kept = (Path.home(), Path.home() / ".config", Path("/tmp"), Path("/etc"), Path("/var"))  # noqa: S108
    return any(each.is_relative_to(folder) for each in kept)


def _home_of_environment(path: Path) -> Iterator[Path | None]:
    """Where the Python comes from of whose virtual environment *path* is a program."""
    with suppress(OSError):
        text = (path.parent.parent / "pyvenv.cfg").read_text(encoding="utf-8", errors="replace")
        for line in text.splitlines():
            name, _, value = line.partition("=")
            if name.strip() == "home":
                yield _around(Path(value.strip()) / "python")


def _installed_in_place(path: Path) -> Iterator[Path | None]:
    """The folders from which the environment of whose programs *path* is one takes what is being written."""
    for file in (path.parent.parent / "lib").glob("python*/site-packages/*.pth"):
        with suppress(OSError):
            for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
                folder = Path(line.strip())
                if folder.is_absolute() and folder.is_dir():  # other lines are code
                    yield _around(folder)


@lru_cache(maxsize=8)
def find_sandbox(name: str = BUBBLEWRAP) -> Sandbox | str:
    """The sandbox that can be had here, as a trial tells; where there is none, why, in the system's words.

    Where ``/proc`` cannot be had inside, it does without.
    """
    if sys.platform != "linux":
        return f"{name}: {sys.platform}"
    program = shutil.which(name)
    if program is None:
        return f"{name}: not found"
    reason = ""
    for proc in (True, False):
        sandbox = Sandbox(program, proc)
        failed = _try(sandbox)
        if failed is None:
            return sandbox
        reason = reason or failed
    return reason


def _try(sandbox: Sandbox) -> str | None:
    """Why nothing can be run in *sandbox*; None where it can."""
    try:
        done = subprocess.run(  # noqa: S603 - it is told by its path
            [*sandbox.arguments((), {}), "true"], capture_output=True, timeout=DETECT_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return safe_text(str(error))[:MAX_REASON]
    if done.returncode == 0:
        return None
    first, *_ = done.stderr.decode(errors="replace").splitlines() or [f"exit status {done.returncode}"]
    return safe_text(first)[:MAX_REASON]
