"""A bot that tries to break each guarantee of the sandbox, and the result.

``python guarantees.py FOLDER`` runs it as the current user, and prints a report.
"""

import json
import os
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
from contextlib import ExitStack, chdir
from pathlib import Path
from time import monotonic
from typing import Any

import noughts
from noughts.workers.programs.program import Program, ProgramStart
from noughts.workers.programs.sandbox import find_sandbox

PATIENCE = 60.0

ORDINARY = 54_321
"""A user number that no machine has."""

BOT = """
import ctypes, json, os, socket
KEY, SOCKET, PORT, HOST, ABSTRACT = json.load(open(os.path.dirname(__file__) + "/facts"))
HOME, OWN = os.path.dirname(os.path.dirname(KEY)), os.path.dirname(__file__)
library = ctypes.CDLL(None)

def fill():
    for name in "ab":
        with open("/tmp/" + name, "wb") as file:
            file.write(bytes(40 << 20))

def connect(family, address):
    with socket.socket(family) as made:
        made.settimeout(1)
        made.connect(address)

def call(name, *arguments):
    if getattr(library, name)(*arguments) < 0:
        raise OSError(name)

def number(name):
    return int(next(line for line in open("/proc/self/status") if line.startswith(name)).split()[1], 16)

def refuse(is_wrong):
    if not is_wrong:
        raise OSError

tries = {
    f"read {path}": lambda path=path: open(path).read()
    for path in (KEY, "/opt/.." + KEY, "/proc/1/root" + KEY, OWN + "/link/key", "/etc/passwd", "/etc/shadow")
}
folders = (HOME, OWN + "/link", "/home", "/var/log")
tries |= {f"list {path}": lambda path=path: os.listdir(path) for path in folders}
places = (OWN, HOME, "/", "/usr", "/dev", "/dev/shm", "/proc", "/var")
tries |= {f"write in {path}": lambda path=path: open(path + "/new", "w") for path in places}
files = ("/proc/sys/kernel/core_pattern", "/proc/self/oom_score_adj", "/proc/sysrq-trigger", OWN + "/facts")
tries |= {f"open {path}": lambda path=path: open(path, "r+") for path in files}
tries |= {
    "fill /tmp": fill,
    "connect to the machine": lambda: connect(socket.AF_INET, ("127.0.0.1", PORT)),
    "connect to the network": lambda: connect(socket.AF_INET, ("192.0.2.1", 80)),
    "connect to a socket": lambda: connect(socket.AF_UNIX, SOCKET),
    "connect to a nameless socket": lambda: connect(socket.AF_UNIX, "\\0" + ABSTRACT),
    "signal": lambda: os.kill(HOST, 0),
    "be the superuser": lambda: os.setuid(0),
    "have capabilities": lambda: refuse(number("CapEff")),
    "gain rights": lambda: refuse(number("NoNewPrivs") == 0),
    "make a namespace": lambda: call("unshare", 0x10000000),
    "mount": lambda: call("mount", b"none", b"/tmp", b"tmpfs", 0, None),
    "trace": lambda: call("ptrace", 16, 1, 0, 0),
    "have memory that nobody is charged for": lambda: os.memfd_create("x"),
    "have memory that stays": lambda: call("shmget", 0, 4096, 0o1600),
    "see variables": lambda: refuse("SECRET" in os.environ),
}
succeeded = []
for name, act in tries.items():
    try:
        act()
    except OSError:
        continue
    succeeded.append(name)
_, outside, _ = open("/proc/self/uid_map").read().split()
user = int(outside) if int(outside) else os.getuid()
seen = len([name for name in os.listdir("/proc") if name.isdigit()])
print(json.dumps({"succeeded": succeeded, "is_superuser": user == 0, "seen": seen}))
"""


def attack(folder: Path) -> dict[str, Any]:
    """Return the successes of a bot in the sandbox of this user, with a home in *folder*."""
    sandbox = find_sandbox()
    if isinstance(sandbox, str):
        return {"none": sandbox}
    key, bot = folder / "home/keys/key", folder / "bots/bot.py"
    for path in (key, bot):
        path.parent.mkdir(parents=True)
        path.write_text(BOT)
    (bot.parent / "link").symlink_to(key.parent)
    with ExitStack() as stack:
        listening, named, nameless = (
            stack.enter_context(socket.socket(family))
            for family in (socket.AF_INET, socket.AF_UNIX, socket.AF_UNIX)
        )
        listening.bind(("127.0.0.1", 0))
        with chdir(key.parent):  # names of sockets must be short
            named.bind("sock")
        (key.parent / "sock").chmod(0o777)
        abstract = f"noughts-{os.getpid()}"
        nameless.bind(f"\0{abstract}")
        for made in (listening, named, nameless):
            made.listen()
        facts = (str(key), str(key.parent / "sock"), listening.getsockname()[1], os.getpid(), abstract)
        (bot.parent / "facts").write_text(json.dumps(facts))
        os.environ["SECRET"] = "x"
        program = Program(ProgramStart((os.path.realpath(sys.executable), str(bot)), sandbox=sandbox))
        line = program.receive(monotonic() + PATIENCE)
        report = json.loads(line) if line is not None else {"fault": str(program.fault)}
        program.end()
    del os.environ["SECRET"]
    return dict(report)


def attack_as_ordinary_user() -> dict[str, Any]:
    """Return the successes of a bot in the sandbox of an ordinary user, or a reason for having none."""
    if os.geteuid() != 0:
        return {"none": "this is an ordinary user"}
    python = next(filter(is_open, map(Path, (os.path.realpath(sys.executable), "/usr/bin/python3"))), None)
    if python is None:
        return {"none": "no Python is there for everybody"}
    folder = Path(tempfile.mkdtemp(dir="/var/tmp", prefix="noughts-"))
    try:
        package = Path(noughts.__file__).parent
        ignored = shutil.ignore_patterns("*.po", "*.mo", "*.pyc", "static", "templates")
        shutil.copytree(package, folder / "src/noughts", ignore=ignored)
        (folder / "mine").mkdir()
        for path in (folder, folder / "mine"):
            os.chown(path, ORDINARY, ORDINARY)
            path.chmod(0o755)
        ran = subprocess.run(
            [python, "-B", "-c", Path(__file__).read_text(), folder / "mine"],
            env={"PATH": "/usr/bin:/bin", "HOME": f"{folder}/mine/home", "PYTHONPATH": f"{folder}/src"},
            cwd="/",
            user=ORDINARY,
            group=ORDINARY,
            extra_groups=(),
            capture_output=True,
            text=True,
            check=False,
        )
        return dict(json.loads(ran.stdout)) if ran.returncode == 0 else {"fault": ran.stderr}
    finally:
        shutil.rmtree(folder)


def is_open(program: Path) -> bool:
    """Return True if all users can run *program*."""
    return all(path.exists() and path.stat().st_mode & stat.S_IXOTH for path in (program, *program.parents))


if __name__ == "__main__":
    print(json.dumps(attack(Path(sys.argv[1]))))
