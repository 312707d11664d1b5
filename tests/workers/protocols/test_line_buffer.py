"""Bytes become lines, however they are split."""

import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from noughts.workers.protocols.line_buffer import MAX_LINE, LineBuffer


@given(st.lists(st.binary(max_size=12)))
def test_splits_of_bytes_do_not_matter(parts: list[bytes]) -> None:
    """Any split gives the same lines, none of them empty and none with a line ending inside."""
    whole, cut = LineBuffer(8), LineBuffer(8)
    result = [line for part in parts for line in cut.feed(part)]
    data = b"".join(parts)
    assert (*result, *cut.rest()) == (*whole.feed(data), *whole.rest())
    assert cut.cut == whole.cut
    assert all(line.strip() and not {"\r", "\n"} & set(line) for line in result)


def test_all_line_endings_are_accepted() -> None:
    assert LineBuffer().feed(b"a\r\nb\nc\rd\n\r\n  \n\n\re") == ("a", "b", "c", "d")


def test_long_line_is_cut() -> None:
    lines = LineBuffer()
    result = [line for _ in range(100) for line in lines.feed(b"x" * 1000)]
    assert result == []
    assert lines.feed(b"tail\nnext\n") == ("x" * MAX_LINE, "next")
    assert lines.cut == 1


def test_endless_line_takes_limited_memory() -> None:
    lines = LineBuffer(1000)
    tracemalloc.start()
    for _ in range(100):
        assert lines.feed(b"x" * 100_000) == ()
    assert tracemalloc.get_traced_memory()[1] < 500_000
    tracemalloc.stop()
    assert lines.rest() == ("x" * 1000,)


def test_invalid_text_is_replaced() -> None:
    assert LineBuffer().feed(b"MESSAGE \xff\x00\n") == ("MESSAGE \ufffd\x00",)
