"""The chart of a game's values as text and as a picture: line, rings and numbers."""

from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree

import pytest

from noughts.drawing.chart import MAX_WIDTH, Chart, Value, draw_bars
from noughts.drawing.svg import draw_svg
from noughts.drawing.svg_document import DARK, LIGHT, write_svg
from noughts.games.catalogue import new_game
from noughts.text import display_width

SVG = "{http://www.w3.org/2000/svg}"
COURSE = [0, 0, 1, 1, -1, -1, None, 0, 0.3, -0.4, 0, 0, 0, 1, 1, 1]
TURNING = {2, 4, 13}
WORDS = ("X wins", "draw", "O wins")


def test_chart_is_drawn_as_text() -> None:
    assert Chart(COURSE, turning=TURNING, levels=WORDS).text() == [
        "X wins · · · ·(?)──────┐ · · · · · · · · · · · · · · · · ·(?)───────",
        "               │       │               ┌───┐               │",
        "  draw ────────┘ · · · │ · · · · · ────┘ · │ · ┌───────────┘ · · · ·",
        "                       │                   └───┘",
        "O wins · · · · · · · ·(?)─── · · · · · · · · · · · · · · · · · · · ·",
        "       0   1   2   3   4   5   6   7   8   9   10  11  12  13  14  15",
    ]


def test_narrow_chart_works_in_chinese_and_ascii() -> None:
    lines = Chart(COURSE, turning=TURNING, levels=("X 胜", "平局", "O 胜")).text(width=40, unicode=False)
    assert lines == [
        "X 胜 . . ?---+ . . . . . . . . ?----",
        "         |   |       +-+       |",
        "平局 ----+ . | . . --+ | +-----+ . .",
        "             |         +-+",
        "O 胜 . . . . ?-- . . . . . . . . . .",
        "     0   2   4   6   8   10  12  14",
    ]


@pytest.mark.parametrize(
    ("unicode", "lines"),
    [
        (
            True,
            [
                " 1 · · · · · · · · ┌────",
                "       ┌╌╌╌╌╌╌╌┐   ╎",
                " 0 ─╌╌╌┘ · · · ╎ · ╎ · ·",
                "               └╌╌╌┘",
            ],
        ),
        (
            False,
            [
                " 1 . . . . . . . . +----",
                "       +.......+   :",
                " 0 -...+ . . . : . : . .",
                "               +...+",
            ],
        ),
    ],
)
def test_guessed_values_are_dotted(unicode: bool, lines: list[str]) -> None:
    assert Chart([0, 0.45, 0.45, -0.45, 1, 1], guessed={1, 2, 3}).text(unicode=unicode)[:4] == lines


def test_long_chart_continues_below() -> None:
    lines = Chart([0, *[1] * 30], turning={1}).text(width=24)
    assert lines[:7] == [
        " 1 · ?────────────────",
        "     │",
        " 0 ──┘ · · · · · · · ·",
        "",
        "-1 · · · · · · · · · ·",
        "   0 1 2 3 4 5 6 7 8 9",
        "",
    ]
    assert lines[12].split()[0] == "10"
    assert max(map(display_width, lines)) <= 24


def test_charts_of_few_values() -> None:
    assert Chart([]).text() == [" 1 ·", "", " 0 ·", "", "-1 ·", ""]
    assert Chart([0], turning={0}).text()[2] == " 0 ?"
    assert Chart([None, 1, None], turning={2}).text()[0] == " 1 · · ─ · ·"
    # Unproved values are not on the lines of the results.
    lines = Chart([0.99, -0.99]).text()
    assert (lines[1], lines[3]) == ("   ────┐", "       └")


def test_values_spread_over_the_width() -> None:
    assert Chart([0] * 5).text(width=21)[-1] == "   0   1   2   3   4"
    assert Chart([0] * 5).text(width=20)[-1] == "   0 1 2 3 4"


@pytest.mark.parametrize(("width", "count"), [(1, 1), (10, 2), (10, 400), (30, 100), (79, 10), (200, 400)])
def test_lines_fit_the_width(width: int, count: int) -> None:
    chart = Chart([place % 3 - 1 for place in range(count)], turning=range(count))
    assert max(map(display_width, chart.text(width=width, dense=True))) <= max(width, 10)
    lines = chart.text(width=width)
    assert max(map(display_width, lines)) <= max(width, 10)
    assert sum(line.count("?") for line in lines) == count


# Pictures


def parsed(svg: str) -> ElementTree.Element:
    root = ElementTree.fromstring(svg)
    assert root.attrib["role"] == "img"
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        "svg", "title", "desc", "rect", "path", "g", "text", "circle"
    }  # fmt: skip
    return root


def chart(values: Sequence[Value], **options: Any) -> ElementTree.Element:
    return parsed(write_svg([Chart(values, **options).sheet()], LIGHT, "", ""))


def texts(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("dark", [False, True])
def test_chart_as_picture(dark: bool) -> None:
    sheet = Chart(COURSE, turning=TURNING, levels=("<X>", "draw", "O\x00")).sheet(dark=dark)
    svg = write_svg([sheet], DARK if dark else LIGHT, "A & B", "a < b")
    root = parsed(svg)
    assert (root[0].text, root[1].text) == ("A & B", "a < b")
    assert texts(root)[:3] == ["<X>", "draw", "O\ufffd"]
    assert texts(root).count("?") == len(list(root.iter(f"{SVG}circle"))) == len(TURNING)
    assert ("0" in texts(root), "14" in texts(root)) == (True, True)
    assert ((DARK if dark else LIGHT).paper in svg, (LIGHT if dark else DARK).paper in svg) == (True, False)
    (course,) = [path for path in root.iter(f"{SVG}path") if path.attrib.get("stroke-width") == "2.5"]
    assert course.attrib["d"].count("M") == 2  # The gap at unknown values.
    assert course.attrib["d"].startswith("M110 110h0L132 110L154 44")


def test_picture_dots_guessed_values() -> None:
    paths = [
        path
        for path in chart([0, 0, 0.5, 1, 1, None, 0.5], guessed={2, 6}).iter(f"{SVG}path")
        if path.attrib.get("stroke-width") == "2.5"
    ]
    proved, dotted = [path.attrib["d"] for path in paths]
    assert ["stroke-dasharray" in path.attrib for path in paths] == [False, True]
    assert proved == "M110 110h0L132 110M176 44L198 44"
    assert dotted == "M132 110L154 77L176 44M242 77h0"


def test_picture_of_no_values_and_of_long_game() -> None:
    assert not [path for path in chart([]).iter(f"{SVG}path") if "stroke-linejoin" in path.attrib]
    assert Chart([0] * 400).sheet().width < MAX_WIDTH * 2
    assert Chart([0] * 40).sheet().width == 40 * 22 + 7 * 22 - 22
    assert len(texts(chart([0] * 400))) < 3 + 60
    assert texts(chart([1], turning={0, 5})) == ["1", "0", "-1", "?", "0"]


def test_chart_is_added_below_board() -> None:
    board = ElementTree.fromstring(draw_svg(new_game("tictactoe")))
    sheet = Chart(COURSE, turning=TURNING, levels=WORDS).sheet()
    both = parsed(draw_svg(new_game("tictactoe"), below=sheet))
    assert int(both.attrib["height"]) == int(board.attrib["height"]) + sheet.height
    assert int(both.attrib["width"]) == max(int(board.attrib["width"]), sheet.width)
    assert set(WORDS) < set(texts(both))
    assert {"a", "b", "c"} < set(texts(both))


def test_dense_chart_prefers_one_piece() -> None:
    chart = Chart([0, *[1] * 30, 0, 0], turning={1, 31})
    assert chart.text(width=80, dense=True) == chart.text(width=80)
    lines = chart.text(width=40, dense=True, unicode=False)
    assert lines == [
        " 1 .?-----------------------------+.",
        "    |                             |",
        " 0 -+. . . . . . . . . . . . . . .?-",
        "",
        "-1 . . . . . . . . . . . . . . . . .",
        "   0    5    10   15   20   25   30",
    ]
    assert chart.text(width=38, dense=True) == chart.text(width=38)


# Bars


def bars(values: Sequence[Value], width: int, *, unicode: bool = True) -> list[str]:
    rows = draw_bars(values, ("X", "O"), width, unicode=unicode)
    return ["".join(span.text for span in row) for row in rows]


def test_bars_go_up_and_down_in_colours() -> None:
    values: list[Value] = [0.1, None, 1, 0, -1, -0.5, 0.5]
    assert bars(values, 12) == [
        "  █",
        "  █   ▄",
        "▄ █   █",
        "─" * 12,
        "    ██",
        "    █▀",
        "    █",
        "1        10",
    ]
    roles = {span.text: span.role for row in draw_bars(values, ("X", "O"), 12) for span in row}
    assert (roles["▄"], roles["██"], roles["─" * 12]) == ("X", "O", "line")
    assert bars(values, 12, unicode=False)[2:5] == ["# #   #", "-" * 12, "    --"]
    assert bars([], 4) == ["", "", "", "────", "", "", "", "1"]


def test_bars_of_long_game_combine_moves() -> None:
    values: list[Value] = [0.0] * 25 + [1.0, None] + [-0.2] * 10
    assert bars(values, 20)[:5] == [" " * 12 + "█"] * 3 + ["─" * 20, " " * 13 + "▀▀▀▀▀▀"]
    assert bars(values, 20)[-1] == "1        20"
    assert bars([0.0] * 220, 11)[-1] == "1"  # There is no room for 200.
