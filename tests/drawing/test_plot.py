"""Plots: courses and estimates with any numbers."""

from math import inf
from xml.etree import ElementTree

import pytest

from noughts.drawing.plot import MAX_POINTS, Courses, Estimate, Estimates, write_plot


def texts(svg: str) -> list[str]:
    return [
        element.text or "" for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("text")
    ]


def test_estimates_show_names_and_open_ends() -> None:
    rows = [
        Estimate("Ada <1>", 50.0, -20.0, 130.0),
        Estimate("Wei", inf, 12.0, inf),
        Estimate("Zoe", -inf, -inf, 3.0),
        Estimate("Nobody", None, 0.0, 0.0),
    ]
    svg = write_plot([Estimates("Elo", rows)])
    assert [text for text in texts(svg) if text in {"Ada <1>", "Wei", "Zoe", "Nobody", "-"}] == [
        *("Ada <1>", "Wei", "Zoe", "Nobody"),
        "-",
    ]
    assert svg.count("<circle") == 1  # An infinite estimate has no place.
    assert "inf" not in svg
    assert {"-50", "0", "50", "150"} <= {*texts(svg)}


@pytest.mark.parametrize("points", [[], [(0.0, 0.0)], [(1.0, 5.0), (2.0, 5.0)], [(0.0, -1e-9), (1e9, 1e12)]])
def test_courses_are_drawn_for_any_points(points: list[tuple[float, float]]) -> None:
    svg = write_plot([Courses("Course", {"A - B": points, "C": []}, {"upper: 2.94": 2.94})], "about")
    assert {"Course", "A - B", "C", "upper: 2.94"} <= {*texts(svg)}
    assert "nan" not in svg


def test_long_courses_are_thinned() -> None:
    many = [(float(x), float(x)) for x in range(10 * MAX_POINTS + 7)]
    svg, short = (write_plot([Courses("", {"": points})]) for points in (many, [many[0], many[-1]]))
    assert svg.count("L") <= MAX_POINTS
    end = short.split("h0")[0].rpartition("L")[2]
    assert f"L{end}h0" in svg
