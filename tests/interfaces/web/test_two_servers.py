"""What holds in one process on SQLite holds at two servers of one PostgreSQL: the same scenarios."""

import asyncio
import inspect
from collections.abc import Callable, Iterator

import pytest

from tests.interfaces.web import test_api, test_api_computers, test_api_events
from tests.interfaces.web.clocked import SharedClock
from tests.interfaces.web.harness import House, served
from tests.interfaces.web.two_servers import at_two_servers, two_servers
from tests.postgres import new_database, postgres
from tests.running import run

pytestmark = pytest.mark.slow

__all__ = ["postgres"]  # a fixture

Servers = tuple[list[str], SharedClock]


@served
async def test_what_was_played_is_told(house: House) -> None:
    one, two = await house.pair(name="Lou")
    for number, move in enumerate(["5", "1", "4", "2", "6"]):
        await (one, two)[number % 2].do("move", move=move)
    scores = [await guest.get("/api/scores") for guest in (one, two)]
    assert scores[0].json() == scores[1].json()
    (line,) = [player for player in scores[0].json()["players"] if player["name"] == "Lou"]
    assert (line["wins"], line["losses"]) == (1, 0)
    number = one.state["game_id"]
    for guest in (one, two):
        assert (await guest.get("/api/games?count=1")).json()["games"][0]["id"] == number
        told = (await guest.get(f"/api/games/{number}")).json()
        assert [move["move"] for move in told["moves"]] == ["5", "1", "4", "2", "6"]
        assert (await guest.get(f"/api/rooms/{one.room}/plies/3")).status_code == 200


@served
async def test_who_sits_down_is_seen_by_all(house: House) -> None:
    one = await house.open(name="Ada")
    watcher = house.guest("192.0.2.3")
    watcher.room = one.room
    async with one.listening() as seat, watcher.listening() as onlooker:
        two = house.guest("192.0.2.2")
        await two.enter("/api/join", {"room": one.room, "name": "Wei"})
        for listener in (seat, onlooker):
            state = await listener.until(lambda state: state["phase"] == "playing")
            assert [player["name"] for player in state["players"]] == ["Ada", "Wei"]


SCENARIOS = [
    test_what_was_played_is_told,
    test_who_sits_down_is_seen_by_all,
    test_api.test_two_play_a_game_and_both_see_every_move,
    test_api.test_the_state_of_a_new_room,
    test_api.test_only_the_seat_knows_its_moves_and_the_code,
    test_api.test_a_seat_comes_back_by_its_cookie,
    test_api.test_games_of_other_kinds_are_told,
    test_api.test_a_rematch_is_the_next_game_of_the_series,
    test_api.test_offers_and_moves_taken_back,
    test_api.test_the_chooser_takes_a_mark,
    test_api.test_time_runs_out,
    test_api.test_a_leaver_can_be_claimed_against,
    test_api.test_who_leaves_closes_the_room,
    test_api.test_joining,
    test_api.test_a_room_that_is_private_and_one_that_is_missing_look_the_same,
    test_api.test_moves_that_are_refused_say_what_is_accepted,
    test_api.test_a_stale_command_is_answered_with_the_state,
    test_api.test_a_repeated_command_is_answered_as_before,
    test_api.test_one_of_two_at_the_same_time,
    test_api_events.test_two_streams_see_the_same,
    test_api_events.test_a_stream_is_resumed_where_it_broke_off,
    test_api_events.test_who_has_seen_everything_is_told_nothing,
    test_api_events.test_presence_follows_the_streams,
    test_api_computers.test_a_computer_plays_to_the_end,
    test_api_computers.test_a_computer_may_begin,
    test_api_computers.test_a_computer_takes_moves_back_and_declines_draws,
    test_api_computers.test_three_sides_with_two_computers,
    test_api_computers.test_computers_play_while_somebody_watches,
]


@pytest.fixture(scope="module")
def servers(postgres: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    """Both servers, which all scenarios share."""
    with two_servers(new_database(postgres), tmp_path_factory.mktemp("servers")) as made:
        yield made


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.__name__.removeprefix("test_"))
def test_at_two_servers(servers: Servers, scenario: Callable[[], None]) -> None:
    async def go() -> None:
        async with asyncio.timeout(60), at_two_servers(*servers) as house:
            await inspect.unwrap(scenario)(house)

    run(go())
