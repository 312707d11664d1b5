"""A sandbox for untrusted programs, made by bubblewrap: no network, and none of the user's files.

It has the system's ``/usr``, the folder of the program (see `sandbox_contents`), and 64 MiB of ``/tmp`` to
write in, which is deleted with the program. Its processes see only one another, do not have the rights of the
superuser, and end together. ``docs/bots.md`` lists the guarantees.
"""

import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from noughts.text import safe_text
from noughts.workers.programs import launcher
from noughts.workers.programs.call_filter import call_filter
from noughts.workers.programs.sandbox_contents import SandboxContents, sandbox_contents

Result = TypeVar("Result")

BUBBLEWRAP = "bwrap"

PATH = "/usr/bin:/bin"
"""The path for commands inside."""

NOBODY = "65534"
"""The number of the program's user in a sandbox that an ordinary user starts."""

FIRST_USER, USERS = 0x7000_0000, 1 << 24
"""The first of the user numbers that no real user has, and their count.

The superuser starts each program as one of these users.
"""

ROOM = 64 << 20
"""The size of ``/tmp`` in bytes."""

PROCESSES = 2
"""The number of processes of the sandbox itself."""

DETECT_SECONDS = 2.0
"""The maximum number of seconds for testing if a sandbox can be used."""

MAX_REASON = 200

_PRESENT = tuple(map(Path, ("/", "/usr", "/tmp", "/proc", "/dev")))  # noqa: S108 - those inside


@dataclass(frozen=True, slots=True)
class Sandbox:
    """The call of bubblewrap at the path ``program``. With ``proc`` the sandbox has a ``/proc``.

    If the superuser starts it (``is_superuser``), there is no namespace of users: the program becomes another
    user of the machine. In a namespace the system would still treat it as the superuser, and many limits do
    not bind it.
    """

    program: str
    proc: bool = True
    is_superuser: bool = False

    def arguments(
        self, contents: SandboxContents, environ: Mapping[str, str], calls: int | None = None
    ) -> list[str]:
        """Return the call of bubblewrap without the command inside.

        *calls* is the file of the call filter.
        """
        call = [self.program, "--die-with-parent", "--new-session", "--clearenv"]
        if self.is_superuser:
            call += [f"--unshare-{space}" for space in ("ipc", "pid", "net", "uts", "cgroup-try")]
            call += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
        else:
            call += ["--unshare-all", "--unshare-user", "--uid", NOBODY, "--gid", NOBODY]
        call += ["--hostname", "bot"] if calls is None else ["--hostname", "bot", "--seccomp", str(calls)]
        for name, value in {**environ, "PATH": PATH}.items():
            call += ["--setenv", name, value]
        call += ["--ro-bind", "/usr", "/usr"]
        for name in ("bin", "lib", "lib64"):
            call += ["--symlink", f"usr/{name}", f"/{name}"]
        call += ["--proc", "/proc", "--remount-ro", "/proc"] if self.proc else []
        call += ["--dev", "/dev", "--perms", "1777", "--size", str(ROOM), "--tmpfs", "/tmp"]  # noqa: S108
        for place in sorted(contents.places):
            for folder in reversed(place.parents):
                call += [] if folder in _PRESENT else ["--dir", str(folder)]
            call += ["--ro-bind", str(contents.places[place]), str(place)]
        return [*call, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/tmp"]  # noqa: S108

    def shown(self, command: Sequence[str]) -> SandboxContents:
        """Return the sandbox contents for *command*, with the launcher and its Python.

        Raises :class:`~noughts.workers.programs.sandbox_contents.UnshowableError`.
        """
        places = (sys.base_prefix, os.path.dirname(os.__file__), os.path.realpath(sys.executable))
        own = [*map(os.path.realpath, places), launcher.__file__]
        return sandbox_contents(command, own, is_superuser=self.is_superuser)

    def start(
        self,
        launch: Sequence[str],
        command: Sequence[str],
        environ: Mapping[str, str],
        begin: Callable[[list[str], tuple[int, ...]], Result],
    ) -> Result:
        """Start *command* in the sandbox, and return the result of *begin*.

        *launch* is the launcher's command. *begin* is called with the complete command and the files that it
        needs open. Raises the errors of :meth:`shown`.
        """
        python = os.path.realpath(launch[0])
        contents = self.shown(command)
        user = str(FIRST_USER + secrets.randbelow(USERS))
        rest = [user, *contents.identities(), launcher.END, *contents.command]
        with _filter() as calls:
            files = () if calls is None else (calls,)
            return begin([*self.arguments(contents, environ, calls), python, *launch[1:], *rest], files)


@contextmanager
def _filter() -> Iterator[int | None]:
    """Yield the number of a file with the filter of system calls, or None without a filter."""
    code = call_filter()
    if code is None:
        yield None
        return
    read, write = os.pipe()
    os.write(write, code)
    os.close(write)
    try:
        yield read
    finally:
        os.close(read)


@lru_cache(maxsize=8)
def find_sandbox(name: str = BUBBLEWRAP) -> Sandbox | str:
    """Return a sandbox that works on this system, as a trial shows, or the system's reason against it.

    If ``/proc`` is not available inside, the sandbox has none.
    """
    if sys.platform != "linux":
        return f"{name}: {sys.platform}"
    program = shutil.which(name)
    if program is None:
        return f"{name}: not found"
    reason = ""
    is_superuser = os.geteuid() == 0
    for proc in (True, False):
        sandbox = Sandbox(program, proc, is_superuser)
        failed = _try(sandbox)
        if failed is None:
            return sandbox
        reason = reason or failed
    return reason


def _try(sandbox: Sandbox) -> str | None:
    """Return the reason why no program can run in *sandbox*, or None."""
    try:
        with _filter() as calls:
            done = subprocess.run(  # noqa: S603 - the path of the program is known
                [*sandbox.arguments(SandboxContents(()), {}, calls), "true"],
                capture_output=True,
                timeout=DETECT_SECONDS,
                check=False,
                pass_fds=() if calls is None else (calls,),
            )
    except (OSError, subprocess.TimeoutExpired) as error:
        return safe_text(str(error))[:MAX_REASON]
    if done.returncode == 0:
        return None
    first, *_ = done.stderr.decode(errors="replace").splitlines() or [f"exit status {done.returncode}"]
    return safe_text(first)[:MAX_REASON]
