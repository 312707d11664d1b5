"""The system calls that a program in the sandbox cannot make, as a filter for the kernel (seccomp).

Some are for memory that no process is charged for. Others are for namespaces, in which a program could be
another user and mount any file system. The rest are for access to other processes or the kernel.
"""

import platform
import struct
from dataclasses import dataclass

MEMORY = {"memfd_create": (319, 279, 356), "memfd_secret": (447, 447, 447), "shmget": (29, 194, 395)}
"""Calls for memory that belongs to no process, with their numbers on x86-64, AArch64 and i386."""

SPACES = {"unshare": (272, 97, 310), "setns": (308, 268, 346), "clone3": (435, 435, 435)}
"""Calls for namespaces.

A filter cannot see the arguments of ``clone3``. Libraries then use ``clone``.
"""

REACH = {
    "ptrace": (101, 117, 26),
    "process_vm_readv": (310, 270, 347),
    "process_vm_writev": (311, 271, 348),
    "pidfd_getfd": (438, 438, 438),
    "kcmp": (312, 272, 349),
    "bpf": (321, 280, 357),
    "perf_event_open": (298, 241, 336),
    "userfaultfd": (323, 282, 374),
    "io_uring_setup": (425, 425, 425),
    "add_key": (248, 217, 286),
    "request_key": (249, 218, 287),
    "keyctl": (250, 219, 288),
}
"""Calls for access to other processes, and to rarely used parts of the kernel."""

CLONE = (56, 220, 120)
IPC, IPC_SHMGET = 117, 23
"""The older call for all memory that is shared between processes, on i386."""

NEW_USER = 0x1000_0000
"""The flag of ``clone`` for a namespace of users, which all other namespaces need."""

X32 = 0x4000_0000
"""The first number of the calls of x32, which would be a second way to make each call."""

_LOAD, _EQUAL, _AT_LEAST, _BITS, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_ALLOW, _REFUSE, _KILL = 0x7FFF_0000, 0x0005_0000, 0x8000_0000
_ENOSYS = 38
_NUMBER, _ARCHITECTURE, _FIRST = 0, 4, 16
"""The offsets of a call's number, its architecture, and its first argument (the lower half)."""

_X86_64, _AARCH64, _I386 = 0xC000_003E, 0xC000_00B7, 0x4000_0003
_ARCHITECTURES = {"x86_64": ((_X86_64, 0), (_I386, 2)), "aarch64": ((_AARCH64, 1),)}


@dataclass(frozen=True, slots=True)
class _Step:
    """A step of the filter: *code* with *value*, and the numbers of steps to skip if it is true or false."""

    code: int
    value: int
    if_true: int = 0
    if_false: int = 0

    @property
    def packed(self) -> bytes:
        return struct.pack("=HBBI", self.code, self.if_true, self.if_false, self.value)


def call_filter(machine: str | None = None) -> bytes | None:
    """Return the filter for *machine*, by default this one, or None if its calls are not known."""
    known = _ARCHITECTURES.get(platform.machine() if machine is None else machine)
    if known is None:
        return None
    steps: list[_Step] = []
    for architecture, column in known:
        body = _of_architecture(column)
        steps += [_Step(_LOAD, _ARCHITECTURE), _Step(_EQUAL, architecture, 0, len(body)), *body]
    return b"".join(step.packed for step in [*steps, _Step(_RETURN, _KILL)])


def _of_architecture(column: int) -> list[_Step]:
    """Return the steps for calls of one architecture, which end with a verdict."""
    refuse, load = _Step(_RETURN, _REFUSE | _ENOSYS), _Step(_LOAD, _NUMBER)
    steps = [load]
    for numbers in (MEMORY | SPACES | REACH).values():
        steps += [_Step(_EQUAL, numbers[column], 0, 1), refuse]
    if column == 0:
        steps += [_Step(_AT_LEAST, X32, 0, 1), refuse]
    if column == 2:
        kind = [_Step(_LOAD, _FIRST), _Step(_AND, 0xFFFF)]  # the upper half is a version
        is_shared = [*kind, _Step(_EQUAL, IPC_SHMGET, 0, 1), refuse, load]
        steps += [_Step(_EQUAL, IPC, 0, len(is_shared)), *is_shared]
    allow = _Step(_RETURN, _ALLOW)
    has_flag = [_Step(_LOAD, _FIRST), _Step(_BITS, NEW_USER, 0, 1), refuse, allow]
    return [*steps, _Step(_EQUAL, CLONE[column], 0, len(has_flag)), *has_flag, allow]
