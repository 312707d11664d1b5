"""Ratings of many players, against values that other programs have computed."""

import pytest

from noughts.arena.tournament.ratings import Meeting, rate

FOUR = (
    ("A", "B", 14, 6, 0),
    ("A", "C", 14, 2, 4),
    ("B", "C", 10, 6, 4),
    ("A", "D", 18, 1, 1),
    ("B", "D", 12, 2, 6),
    ("C", "D", 11, 4, 5),
)
"""Won, lost and drawn by the first of two."""

MEETINGS = [Meeting(one, two, won + lost + drawn, won + drawn / 2) for one, two, won, lost, drawn in FOUR]


def test_four_players_have_the_ratings_that_ordo_gives_them() -> None:
    """And intervals by Fisher's information."""
    found = rate(MEETINGS, "D")
    assert list(found) == ["D", "A", "B", "C"]
    told = {name: (one.elo, one.error) for name, one in found.items() if one is not None}
    assert told["D"] == (0, 0)
    for name, elo, error in (("A", 377.17, 144.3), ("B", 208.74, 127.6), ("C", 133.79, 124.0)):
        assert told[name][0] == pytest.approx(elo, abs=0.005)
        assert told[name][1] == pytest.approx(error, abs=0.05)


def test_a_meeting_may_be_told_in_parts_and_either_way() -> None:
    parts = [
        *MEETINGS[1:],
        Meeting("B", "A", 4, 0),
        Meeting("A", "B", 16, 10),
        Meeting("C", "A", 0, 0),
    ]
    whole, found = rate(MEETINGS, "A"), rate(parts, "A")
    for name in "ABCD":
        one, two = whole[name], found[name]
        assert one is not None
        assert two is not None
        assert (one.elo, one.error) == pytest.approx((two.elo, two.error))


def test_who_cannot_be_compared_is_not_rated() -> None:
    """Who won everything, who lost everything, and who has not met the others."""
    far = [
        Meeting("strong", "A", 10, 10),
        Meeting("weak", "B", 10, 0),
        Meeting("else", "where", 10, 5),
    ]
    found = rate([*MEETINGS, *far], "D")
    assert [name for name, rating in found.items() if rating is None] == ["strong", "weak", "else", "where"]
    known = rate(MEETINGS, "D")["A"]
    assert known is not None
    assert found["A"] is not None
    assert found["A"].elo == pytest.approx(known.elo)


def test_an_anchor_that_has_not_played_is_alone() -> None:
    found = rate(MEETINGS, "Z")
    assert found["Z"] is not None
    assert [name for name, rating in found.items() if rating is not None] == ["Z"]
