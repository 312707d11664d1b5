"""The filter of system calls, executed as the kernel does it."""

import struct
from collections.abc import Sequence

import pytest

from noughts.workers.programs.call_filter import call_filter

X86_64, I386, AARCH64 = 0xC000_003E, 0x4000_0003, 0xC000_00B7
ALLOWED, REFUSED, KILLED = 0x7FFF_0000, 0x0005_0000 | 38, 0x8000_0000


def verdict(code: bytes, architecture: int, number: int, first: int = 0) -> int:
    """Return the filter's verdict on a call."""
    facts = struct.pack("=IIQQ", number, architecture, 0, first)  # the third field is the address of the call
    steps: Sequence[tuple[int, int, int, int]] = list(struct.iter_unpack("=HBBI", code))
    place = held = 0
    while True:
        kind, if_true, if_false, value = steps[place]
        place += 1
        match kind:
            case 0x20:
                (held,) = struct.unpack_from("=I", facts, value)
            case 0x54:
                held &= value
            case 0x06:
                return value
            case _:
                is_true = {0x15: held == value, 0x35: held >= value, 0x45: bool(held & value)}[kind]
                place += if_true if is_true else if_false


@pytest.mark.parametrize(
    ("machine", "architecture", "number", "first", "expected"),
    [
        ("x86_64", X86_64, 0, 0, ALLOWED),
        ("x86_64", X86_64, 319, 0, REFUSED),  # memfd_create
        ("x86_64", X86_64, 272, 0, REFUSED),  # unshare
        ("x86_64", X86_64, 0x4000_0000, 0, REFUSED),
        ("x86_64", X86_64, 56, 17, ALLOWED),  # clone
        ("x86_64", X86_64, 56, 0x1000_0011, REFUSED),
        ("x86_64", I386, 319, 0, ALLOWED),
        ("x86_64", I386, 356, 0, REFUSED),
        ("x86_64", I386, 117, 2, ALLOWED),  # ipc
        ("x86_64", I386, 117, 23, REFUSED),
        ("x86_64", I386, 117, 0x1_0017, REFUSED),
        ("x86_64", I386, 120, 0x1000_0000, REFUSED),
        ("x86_64", AARCH64, 0, 0, KILLED),
        ("aarch64", AARCH64, 279, 0, REFUSED),
        ("aarch64", AARCH64, 220, 0x1000_0000, REFUSED),
        ("aarch64", AARCH64, 56, 0x1000_0000, ALLOWED),
    ],
)
def test_calls_are_allowed_or_refused(
    machine: str, architecture: int, number: int, first: int, expected: int
) -> None:
    code = call_filter(machine)
    assert code is not None
    assert verdict(code, architecture, number, first) == expected


def test_unknown_machines_have_no_filter() -> None:
    assert call_filter("pdp11") is None
    call_filter()
