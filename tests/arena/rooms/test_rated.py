"""Rated games in rooms: fair terms, no taking back, and a result that counts once."""

from dataclasses import replace

import pytest

from noughts.arena.clock import Clock
from noughts.arena.commands import Rematch, Resign, TakeBack, WrittenMove
from noughts.arena.ratings.models import Speed
from noughts.arena.ratings.rating_repository import RatingStore
from noughts.arena.seat_names import seat_name
from noughts.arena.table import Terms
from noughts.errors import CommandRefused, NotRated
from tests.arena.ratings.rated_games import ADA, WEI, add_identity
from tests.arena.rooms.tables import Table, table

RATED = Terms("gomoku", ("human", "human"), clock=Clock(base=60_000), opening="pie", rated=True)
MOVES = (WrittenMove("h8"), WrittenMove("i9"))


def open_game(here: Table, terms: Terms = RATED) -> str:
    """Open a room of Ada and Wei, who play with keys, and make the first moves."""
    for number, name in ((ADA, "Ada"), (WEI, "Wei")):
        add_identity(here.database, number, name)
    entries = here.open_full(terms, (seat_name(ADA), seat_name(WEI)))
    for place, move in enumerate(MOVES):
        here.do(entries[0].room, place, move)
    return entries[0].room


def test_finished_rated_game_counts() -> None:
    with table() as here:
        room = open_game(here)
        ended = here.do(room, 1, Resign()).view
        ratings = RatingStore(here.database).ratings_of((ADA, WEI), "gomoku", Speed.LIVE)
        assert (ratings[ADA].wins, ratings[WEI].losses) == (1, 1)
        assert ended.game_id is not None
        assert set(RatingStore(here.database).changes_in(ended.game_id)) == {ADA, WEI}
        here.do(room, 0, Rematch())
        here.do(room, 1, Rematch())
        for place, move in zip((1, 0), MOVES, strict=True):
            here.do(room, place, move)
        here.do(room, 0, Resign())
        assert RatingStore(here.database).ratings_of((ADA,), "gomoku", Speed.LIVE)[ADA].games == 2


def test_lost_time_counts() -> None:
    with table() as here:
        open_game(here)
        here.time.pass_by(61_000)
        here.rooms.expiry.tick()
        assert RatingStore(here.database).ratings_of((ADA,), "gomoku", Speed.LIVE)[ADA].losses == 1


def test_casual_game_changes_no_rating() -> None:
    with table() as here:
        here.do(open_game(here, replace(RATED, rated=False)), 1, Resign())
        assert RatingStore(here.database).played() == []


def test_rated_game_has_no_taking_back() -> None:
    with table() as here:
        room = open_game(here)
        with pytest.raises(CommandRefused, match="rated"):
            here.do(room, 1, TakeBack())


@pytest.mark.parametrize("more", [{"clock": Clock()}, {"opening": None}, {"game": "tictactoe"}])
def test_unfair_terms_open_no_rated_room(more: dict[str, object]) -> None:
    with table() as here, pytest.raises(NotRated):
        here.rooms.open(replace(RATED, **more), "Ada", 0)  # type: ignore[arg-type]
