"""Tables on terminals of all widths: no loss without a sign, and no ambiguous value."""

import io
import sys

import pytest

from noughts.interfaces.console.tables import table, table_by_pages, table_of_texts
from noughts.text import display_width

COMMAND = "python3 -c 'print(\"a  b\")'   #  x\u3000y /opt/a/very/long/path/to/a/program"


def test_texts_that_fit_are_unchanged() -> None:
    assert table_of_texts(["One"], [["a  b"], [COMMAND]])[2:] == ["a  b", COMMAND]
    assert table_of_texts(["N", "Command"], [["one", COMMAND]])[2] == f"one  {COMMAND}"


def test_narrow_tables_of_texts_keep_all_characters() -> None:
    for width in range(5, 120):
        lines = table_of_texts(["Bot", "Elo", "Command"], [["level:4", "-740 ±15", COMMAND]], width, [2])
        assert max(map(display_width, lines)) <= width
        assert "-740" in "".join(lines)
        if len(lines[0].split()) == 3:  # The columns are side by side.
            begin = lines[0].index("Command")
            assert "".join(line[begin:] for line in lines[2:]) == COMMAND
            assert "-740 ±15" in lines[2]
        else:
            assert COMMAND in "".join(lines)


def test_narrow_tables_never_cut_numbers() -> None:
    row = ("Konstantin", 12345, "gomoku", 67890)
    for width in range(9, 40):
        lines = table(["Player", "Moves", "Game", "Points"], [row], width, (2, 0))
        assert max(map(display_width, lines)) <= width
        assert {number for number in lines[2].split() if number[0].isdigit()} <= {"12345", "67890"}
        assert ("67890" in lines[2]) is (lines[2].split()[-1] != "…")


def test_columns_only_grow_between_pages() -> None:
    pages = [[("Ada", "a long sentence about the end", 5)], [("司马相如与卓文君与李白", "short", 7)]]
    (heading, *_, first), (last,) = table_by_pages(["Player", "End", "Moves"], pages, 36, yielding=(1, 0))
    assert max(map(display_width, (heading, first, last))) <= 36
    assert {display_width(line) for line in (heading, first, last)} == {36}
    assert display_width(last[: last.index("short")]) == heading.index("End")


def test_ascii_terminals_mark_cut_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    assert table(["Player", "Wins"], [("Konstantin", 3)], 12)[2] == "Konst.     3"
