"""Rated games change the ratings of their players, in any order of counting in batches alike."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.arena.clock import UNTIMED, Clock
from noughts.arena.ratings.computers import computer_rating
from noughts.arena.ratings.glicko import DAY, NEW, GlickoRating
from noughts.arena.ratings.models import (
    UNRATED,
    PersonRating,
    RatedGame,
    RatedPlayer,
    RatingKey,
    Speed,
    changes_of,
    keys_of,
    recount,
    speed_of,
)


def rated(one: RatedPlayer, two: RatedPlayer, points: float, at: int = 0, game: str = "gomoku") -> RatedGame:
    return RatedGame(1, game, Speed.LIVE, (one, two), points, at)


def test_speed_of_clock_is_by_days_from_a_day_on() -> None:
    assert speed_of(UNTIMED) is None
    assert speed_of(Clock(per_move=30_000)) is Speed.LIVE
    assert speed_of(Clock(base=DAY - 1)) is Speed.LIVE
    assert speed_of(Clock(base=3 * DAY, increment=DAY)) is Speed.DAYS


def test_game_of_new_players_changes_both_alike() -> None:
    game = rated(1, 2, 1.0, at=50)
    winner, loser = changes_of(game, {})
    assert (winner.key, winner.opponent, winner.points) == ((1, "gomoku", Speed.LIVE), 2, 1.0)
    assert winner.after.rating.value - 1500 == 1500 - loser.after.rating.value > 100
    assert (winner.after.wins, loser.after.losses, winner.after.at) == (1, 1, 50)
    assert winner.before == loser.before == NEW


def test_draw_of_new_players_makes_them_surer() -> None:
    one, two = changes_of(rated(1, 2, 0.5), {})
    assert one.after.rating == two.after.rating
    assert one.after.rating.value == 1500
    assert one.after.rating.deviation < NEW.deviation
    assert (one.after.draws, one.after.games) == (1, 1)


def test_computer_keeps_its_rating() -> None:
    game = rated("level:4", 7, 0.0)
    assert keys_of(game) == ((7, "gomoku", Speed.LIVE),)
    (change,) = changes_of(game, {})
    assert change.after.rating.value > 1600
    assert change.after.wins == 1


def test_computer_without_measured_strength_changes_nothing() -> None:
    assert changes_of(rated("level:4", 7, 0.0, game="connect6"), {}) == ()


def test_ten_games_with_a_computer_place_a_newcomer() -> None:
    ratings: dict[RatingKey, PersonRating] = {}
    games = [rated(7, "level:4", float(number % 2), at=number) for number in range(12)]
    changes = recount(games, ratings)
    assert [change.after.rating.is_provisional for change in changes[:3]] == [True] * 3
    placed = ratings[7, "gomoku", Speed.LIVE].rating
    assert not placed.is_provisional
    assert abs(placed.value - 1500) < placed.deviation


def test_old_rating_is_less_sure_in_the_next_game() -> None:
    old = PersonRating(GlickoRating(1700, 60, 0.06), at=0, wins=9)
    key: RatingKey = (1, "gomoku", Speed.LIVE)
    soon, late = (changes_of(rated(1, 2, 1.0, at=at), {key: old})[0] for at in (1, 1000 * DAY))
    assert soon.before.deviation < late.before.deviation
    assert soon.after.rating.value < late.after.rating.value
    assert UNRATED.now(1000 * DAY) == NEW


def test_computer_ratings_have_level_4_at_1500() -> None:
    weak, anchor, strong = (computer_rating("connect4", f"level:{n}") for n in (1, 4, 10))
    assert weak is not None
    assert anchor == GlickoRating(1500, 0.0, 0.0)
    assert strong is not None
    assert weak.value < 1500 < strong.value
    assert 0 < strong.deviation < 50
    assert computer_rating("5x5:4", "level:1") is None  # no level 4, and a great error
    assert computer_rating("reversi", "perfect") is None


GAMES = st.lists(
    st.builds(
        rated,
        st.integers(1, 4),
        st.one_of(st.integers(5, 8), st.sampled_from(("level:1", "level:4", "level:10"))),
        st.sampled_from((0.0, 0.5, 1.0)),
        st.integers(0, 400 * DAY),
        st.sampled_from(("gomoku", "connect4")),
    ),
    max_size=20,
)


@pytest.mark.slow
@given(GAMES, st.lists(st.integers(0, 20), max_size=3))
def test_recount_in_batches_gives_the_same_table(games: list[RatedGame], cuts: list[int]) -> None:
    whole: dict[RatingKey, PersonRating] = {}
    changes = recount(games, whole)
    parts: dict[RatingKey, PersonRating] = {}
    bounds = [0, *sorted(cuts), len(games)]
    batches = [recount(games[low:high], parts) for low, high in pairwise(bounds)]
    assert parts == whole
    assert [change for batch in batches for change in batch] == changes
    assert sum(rating.games for rating in whole.values()) == len(changes)
