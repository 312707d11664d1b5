"""Bytes become lines."""

import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from noughts.workers.programs.lines import Lines


@given(st.lists(st.binary(max_size=20)))
def test_however_bytes_come_the_lines_are_the_same(pieces: list[bytes]) -> None:
    at_once, bit_by_bit = Lines(8), Lines(8)
    whole = list(at_once.feed(b"".join(pieces))) + list(at_once.rest())
    parts = [line for piece in pieces for line in bit_by_bit.feed(piece)] + list(bit_by_bit.rest())
    assert parts == whole
    assert bit_by_bit.cut == at_once.cut
    assert all(line.strip() for line in whole)


def test_ends_of_lines() -> None:
    lines = Lines(100)
    assert list(lines.feed(b"a\nb\rc\r\n\r\n  \nd\xff\x00")) == ["a", "b", "c"]
    assert list(lines.rest()) == ["d\ufffd\x00"]


def test_a_line_without_an_end_takes_no_room() -> None:
    lines = Lines(1000)
    tracemalloc.start()
    for _ in range(100):
        assert not list(lines.feed(b"x" * 100_000))
    assert tracemalloc.get_traced_memory()[1] < 500_000
    tracemalloc.stop()
    assert list(lines.rest()) == ["x" * 1000]
    assert lines.cut == 1
