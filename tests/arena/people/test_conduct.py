"""Conduct in stored games, and the bans that follow from it, over a clock that stands still."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.arena.clock import Clock
from noughts.arena.events import Event, EventKind
from noughts.arena.people.conduct import (
    BAD_SHARE,
    FIRST_BAN_MS,
    LONGEST_BAN_MS,
    MAX_COUNTED,
    MIN_BAD,
    MINUTE,
    REMEMBERED_MS,
    Ban,
    BanScope,
    Conduct,
    conduct_in,
    next_ban,
)
from noughts.arena.setup import Setup
from noughts.arena.stored_game import StoredGame

GOOD, LEFT = Conduct.GOOD, Conduct.LEFT
CLOCK = Clock(base=300_000, increment=3_000)  # a tenth of the estimated game is 42 s
AT = 1_000_000_000_000


def ended(termination: str, loser: str, at: int, *more: tuple[int, str, str]) -> StoredGame:
    """Return a game with one move of each side, in which *loser* ended it at the instant *at*."""
    rows = [(10, "move", "X"), (20, "move", "O"), *more]
    data = {"winner": "X" if loser == "O" else "O", "termination": termination}
    events = [Event.of(1 + number, when, kind, side, {}) for number, (when, kind, side) in enumerate(rows)]
    events.append(Event(len(events) + 1, at, EventKind.END, loser, data))
    return StoredGame(1, Setup("gomoku", {"X": "key:1", "O": "key:2"}, clock=CLOCK), tuple(events))


@pytest.mark.parametrize(
    ("stored", "conduct"),
    [
        (ended("resignation", "O", 30), Conduct.RESIGNED),
        (ended("abandonment", "O", 30), LEFT),
        (ended("time", "O", 42_019), GOOD),
        (ended("time", "O", 42_020), Conduct.STALLED),
        (ended("time", "O", 99_000, (30, "away", "O")), LEFT),
        (ended("time", "O", 30, (22, "away", "O"), (25, "back", "O")), GOOD),
        (ended("time", "O", 30, (22, "away", "X")), GOOD),
        (ended("aborted", "O", 30), GOOD),
        (ended("aborted", "O", 30_020), Conduct.NO_FIRST_MOVE),
    ],
)
def test_conduct_of_the_loser_is_read_from_the_record(stored: StoredGame, conduct: Conduct) -> None:
    assert conduct_in(stored, first_move=30_000) == {"X": GOOD, "O": conduct}


def test_calling_off_is_good_conduct_without_a_limit() -> None:
    assert conduct_in(ended("aborted", "O", 99_000)) == {"X": GOOD, "O": GOOD}


def games(*kinds: Conduct, after: int = AT) -> list[tuple[int, Conduct]]:
    """Return games that end one after another."""
    return [(after + number, kind) for number, kind in enumerate(kinds)]


def test_third_bad_game_leads_to_a_short_ban() -> None:
    now = AT + MINUTE
    assert next_ban(games(LEFT, LEFT), [], now) is None
    assert next_ban(games(LEFT, Conduct.STALLED, Conduct.SANDBAGGED), [], now) == Ban(now, now + FIRST_BAN_MS)
    assert next_ban(games(LEFT, LEFT, LEFT, *[GOOD] * 6), [], now) is not None
    assert next_ban(games(LEFT, LEFT, LEFT, *[GOOD] * 7), [], now) is None
    assert next_ban(games(LEFT, LEFT, Conduct.RESIGNED), [], now) is None


def test_conduct_counts_once_and_for_a_week() -> None:
    bad = games(LEFT, LEFT, LEFT)
    assert next_ban(bad, [], AT + REMEMBERED_MS) is not None
    assert next_ban(bad, [], AT + REMEMBERED_MS + 1) is None
    assert next_ban(bad, [Ban(AT, AT + 10)], AT + 20) is None
    assert next_ban(bad, [Ban(AT - 1, None, action=3)], AT + 20) is None


def test_bans_grow_up_to_two_days_and_are_forgotten() -> None:
    bans: list[Ban] = []
    at, lengths = AT, list[int]()
    for _ in range(8):
        ban = next_ban(games(LEFT, LEFT, LEFT, after=at), bans, at + 10)
        assert ban is not None
        assert ban.ends is not None
        bans.append(ban)
        lengths.append((ban.ends - ban.since) // MINUTE)
        at = ban.ends
    assert lengths == [10, 30, 90, 270, 810, 2430, 2880, 2880]
    at += REMEMBERED_MS + 100
    assert next_ban(games(LEFT, LEFT, LEFT, after=at), bans, at + 10) == Ban(at + 10, at + 10 + FIRST_BAN_MS)


def test_ban_stops_the_games_of_its_scope() -> None:
    rated, everything = Ban(AT, AT + 5, BanScope.RATED), Ban(AT, None)
    assert (rated.stops(rated=True), rated.stops(rated=False)) == (True, False)
    assert everything.stops(rated=False)
    assert [rated.is_running(AT + late) for late in (-1, 0, 4, 5)] == [False, True, True, False]
    assert everything.is_running(AT + REMEMBERED_MS)


@given(st.lists(st.sampled_from(Conduct), max_size=40), st.integers(0, 3))
def test_ban_needs_enough_bad_games(kinds: Sequence[Conduct], earlier: int) -> None:
    bans = [Ban(AT - 3 * number, AT - 3 * number + 1) for number in range(earlier, 0, -1)]
    now = AT + len(kinds)
    ban = next_ban(games(*kinds), bans, now)
    newest = kinds[-MAX_COUNTED:]
    bad = sum(kind.is_bad for kind in newest)
    assert (ban is not None) == (bad >= MIN_BAD and BAD_SHARE * bad >= len(newest))
    if ban is not None:
        assert ban.since == now
        assert FIRST_BAN_MS <= (ban.ends or 0) - now <= LONGEST_BAN_MS
