"""Ratings of many players, compared with values from other programs."""

from itertools import pairwise

import pytest

from noughts.arena.tournament.elo import SLOPE, Meeting, rate
from noughts.arena.tournament.scores import Results, Z, elo_of

FOUR = (
    ("A", "B", 14, 6, 0),
    ("A", "C", 14, 2, 4),
    ("B", "C", 10, 6, 4),
    ("A", "D", 18, 1, 1),
    ("B", "D", 12, 2, 6),
    ("C", "D", 11, 4, 5),
)
"""Wins, losses and draws of the first of two."""

MEETINGS = [Meeting(one, two, won + lost + drawn, won + drawn / 2) for one, two, won, lost, drawn in FOUR]


def test_ratings_agree_with_ordo() -> None:
    """The intervals agree with Fisher's information."""
    result = rate(MEETINGS, "D")
    assert list(result) == ["D", "A", "B", "C"]
    received = {name: (one.elo, one.error) for name, one in result.items() if one is not None}
    assert received["D"] == (0, 0)
    for name, elo, error in (("A", 377.17, 144.3), ("B", 208.74, 127.6), ("C", 133.79, 124.0)):
        assert received[name][0] == pytest.approx(elo, abs=0.005)
        assert received[name][1] == pytest.approx(error, abs=0.05)


@pytest.mark.parametrize(("games", "points"), [(20, 19.0), (20, 10.0), (2_000_000, 0.5)])
def test_long_chain_of_players_is_rated_quickly(games: float, points: float) -> None:
    """Each player has met only the next one, so that each difference is that of a score."""
    names = [str(number) for number in range(30)]
    result = rate([Meeting(one, two, games, points) for one, two in pairwise(names)], "0")
    step = elo_of(points / games)
    for number, name in enumerate(names):
        rating = result[name]
        assert rating is not None
        assert rating.elo == pytest.approx(-number * step, abs=1e-4)


def test_meetings_can_be_split_and_reversed() -> None:
    parts = [
        *MEETINGS[1:],
        Meeting("B", "A", 4, 0),
        Meeting("A", "B", 16, 10),
        Meeting("C", "A", 0, 0),
    ]
    whole, result = rate(MEETINGS, "A"), rate(parts, "A")
    for name in "ABCD":
        one, two = whole[name], result[name]
        assert one is not None
        assert two is not None
        assert (one.elo, one.error) == pytest.approx((two.elo, two.error))


def test_incomparable_player_is_not_rated() -> None:
    """One player has won everything, one has lost everything, and one has not met the others."""
    far = [
        Meeting("strong", "A", 10, 10),
        Meeting("weak", "B", 10, 0),
        Meeting("else", "where", 10, 5),
    ]
    result = rate([*MEETINGS, *far], "D")
    assert [name for name, rating in result.items() if rating is None] == ["strong", "weak", "else", "where"]
    known = rate(MEETINGS, "D")["A"]
    assert known is not None
    assert result["A"] is not None
    assert result["A"].elo == pytest.approx(known.elo)


def test_anchor_without_games_is_alone() -> None:
    result = rate(MEETINGS, "Z")
    assert result["Z"] is not None
    assert [name for name, rating in result.items() if rating is not None] == ["Z"]


def error_of(meetings: list[Meeting], name: str, anchor: str) -> float:
    result = rate(meetings, anchor)[name]
    assert result is not None
    return result.error


def test_error_of_two_players_comes_from_pairs() -> None:
    """The error is the interval of the score, converted to Elo points at the score itself."""
    pairs = Results((10, 40, 100, 60, 15))
    games, score = pairs.games, pairs.score
    result = error_of([Meeting("A", "B", games, score * games, pairs)], "A", "B")
    assert result == pytest.approx(Z * pairs.error / (SLOPE * score * (1 - score)))
    assert result == pytest.approx(21.3, abs=0.05)
    assert error_of([Meeting("B", "A", games, games - score * games, pairs)], "A", "B") != pytest.approx(
        result
    )
    other = Results(pairs.counts[::-1])
    assert error_of([Meeting("B", "A", games, games - score * games, other)], "A", "B") == pytest.approx(
        result
    )


def test_equal_pairs_count_as_single_games() -> None:
    alike = Results((0, 0, 20, 0, 0))
    known = error_of([Meeting("A", "B", 40, 20)], "A", "B")
    assert error_of([Meeting("A", "B", 40, 20, alike)], "A", "B") == pytest.approx(known)
    assert error_of([Meeting("A", "B", 40, 20, Results((0, 0, 0, 0, 0)))], "A", "B") == pytest.approx(known)


def test_single_game_counts_as_chance() -> None:
    pairs = Results((2, 0, 16, 0, 2))
    whole = error_of([Meeting("A", "B", 40, 20, pairs)], "A", "B")
    more = error_of([Meeting("A", "B", 40, 20, pairs), Meeting("A", "B", 10, 5)], "A", "B")
    assert 0 < more < whole * 1.2


def test_draws_narrow_and_dependence_widens_errors() -> None:
    drawn, even = Results((0, 1, 18, 1, 0)), Results((10, 0, 0, 0, 10))
    fields = (("A", "B"), ("B", "C"), ("C", "A"))
    by_chance = error_of([Meeting(one, two, 40, 20) for one, two in fields], "A", "C")
    assert error_of([Meeting(one, two, 40, 20, drawn) for one, two in fields], "A", "C") < by_chance / 2
    dependent = error_of([Meeting(one, two, 40, 20, even) for one, two in fields], "A", "C")
    assert dependent == pytest.approx(by_chance * 2**0.5)
