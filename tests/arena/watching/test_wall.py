"""The choice of the boards on the wall."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from noughts.arena.watching.wall import (
    COMPUTERS,
    ENDED_MS,
    QUIET_MS,
    SMALL,
    STILL_MS,
    PublicGame,
    Wall,
    next_wall,
)


def game(room: str, **facts: int) -> PublicGame:
    """Return a game of two people that has just moved."""
    return PublicGame(**{"room": room, "people": 2, "moved": 0, **facts})  # type: ignore[arg-type]


def chosen(*games: PublicGame, wall: Wall | None = None, at: int = 0) -> Wall:
    return next_wall(wall or Wall(), {one.room: one for one in games}, at)


def test_rated_games_come_before_high_ratings_and_people() -> None:
    order = (
        game("e", is_rated=True, rating=1500),
        game("d", is_rated=True, rating=1400),
        game("c", is_rated=True, people=1, rating=2000),
        game("b"),
        game("a", people=0),
    )
    assert tuple(chosen(*order[::-1])) == ("e", "d", "c", "b", "a")


def test_featured_game_stays_until_ten_seconds_after_its_end() -> None:
    wall, better = chosen(game("a")), game("b", is_rated=True)
    assert chosen(game("a"), better, wall=wall).featured == "a"
    ended = game("a", ended=5_000)
    assert chosen(ended, better, wall=wall, at=5_000 + ENDED_MS - 1).featured == "a"
    assert chosen(ended, better, wall=wall, at=5_000 + ENDED_MS) == Wall("b")


def test_game_that_is_public_no_more_leaves_at_once() -> None:
    wall = chosen(game("a"), game("b"), game("c"))
    assert chosen(game("c"), wall=wall) == Wall("c")
    assert chosen(wall=wall) == Wall()


def test_still_game_gives_way_to_one_with_moves() -> None:
    wall = chosen(game("a"), game("b"))
    still = (game("a"), game("b"))
    assert chosen(*still, wall=wall, at=STILL_MS) == wall
    lively = game("c", moved=STILL_MS, people=0)
    assert chosen(*still, lively, wall=wall, at=STILL_MS) == Wall("c", ("b", "a"))


def test_small_boards_keep_their_places() -> None:
    games = [game(room) for room in "abcdefg"]
    wall = chosen(*games)
    assert wall == Wall("a", tuple("bcdefg"))
    ended = [one if one.room != "d" else replace(one, ended=0) for one in games]
    better = game("z", is_rated=True)
    assert chosen(*ended, better, wall=wall, at=ENDED_MS - 1) == wall
    assert chosen(*ended, better, wall=wall, at=ENDED_MS) == Wall("a", tuple("bczefg"))
    quiet = [one if one.room != "d" else replace(one, moved=-QUIET_MS) for one in games]
    assert chosen(*quiet, better, wall=wall) == Wall("a", tuple("bczefg"))


GAMES = st.builds(
    PublicGame,
    room=st.sampled_from("abcdefghij"),
    people=st.integers(0, 2),
    moved=st.integers(0, 2 * STILL_MS),
    is_rated=st.booleans(),
    rating=st.integers(0, 2_000),
    ended=st.none() | st.integers(0, 2 * STILL_MS),
)


@settings(max_examples=60)
@given(st.lists(st.lists(GAMES, unique_by=lambda one: one.room), max_size=4))
def test_wall_has_each_running_game_once_while_there_is_space(steps: list[list[PublicGame]]) -> None:
    wall, at = Wall(), 2 * STILL_MS
    for listed in steps:
        games = {one.room: one for one in listed}
        wall = next_wall(wall, games, at)
        shown = [*wall]
        assert len(shown) == len(set(shown)) <= SMALL + 1
        running = [one for one in listed if one.ended is None]
        assert len(shown) >= min(len(running), SMALL + 1)
        for one in (games[room] for room in shown):
            assert one.ended is None or at - one.ended < ENDED_MS
        at += 3_000


def test_wall_of_a_choice_has_its_games_only() -> None:
    games = (replace(game("a"), game="gomoku"), replace(game("b", people=0), game="renju"), game("c"))
    assert [[one.room for one in games if one.is_among(show)] for show in ("", "gomoku", COMPUTERS)] == [
        ["a", "b", "c"],
        ["a"],
        ["b"],
    ]
