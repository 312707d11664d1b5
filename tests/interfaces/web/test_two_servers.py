"""The scenarios of one process with SQLite at two servers with one PostgreSQL database."""

import asyncio
import inspect
from collections.abc import Callable, Iterator

import pytest

from tests.interfaces.web import (
    test_api,
    test_api_bot_players,
    test_api_computers,
    test_api_events,
    test_api_named_seats,
)
from tests.interfaces.web.clocked import SharedClock
from tests.interfaces.web.harness import House, served
from tests.interfaces.web.two_servers import at_two_servers, two_servers
from tests.postgres import new_database, postgres
from tests.running import run

pytestmark = pytest.mark.slow

__all__ = ["postgres"]  # a fixture

Servers = tuple[list[str], SharedClock]


@served
async def test_finished_game_is_listed_on_both_servers(house: House) -> None:
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
        data = (await guest.get(f"/api/games/{number}")).json()
        assert [move["move"] for move in data["moves"]] == ["5", "1", "4", "2", "6"]
        assert (await guest.get(f"/api/rooms/{one.room}/plies/3")).status_code == 200


@served
async def test_joining_player_is_seen_by_all(house: House) -> None:
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
    test_finished_game_is_listed_on_both_servers,
    test_joining_player_is_seen_by_all,
    test_api.test_players_see_every_move,
    test_api.test_new_room_has_initial_state,
    test_api.test_state_hides_moves_and_code_from_others,
    test_api.test_cookie_restores_seat,
    test_api.test_state_describes_every_kind_of_game,
    test_api.test_rematch_continues_series,
    test_api.test_draw_and_takeback_offers,
    test_api.test_chooser_takes_mark,
    test_api.test_clock_ends_game,
    test_api.test_absent_player_loses_claimed_game,
    test_api.test_leaving_closes_room,
    test_api.test_join_takes_free_seat,
    test_api.test_private_room_looks_like_missing_room,
    test_api.test_illegal_move_error_names_legal_moves,
    test_api.test_stale_command_returns_state,
    test_api.test_repeated_command_returns_same_response,
    test_api.test_one_of_two_concurrent_commands_wins,
    test_api_events.test_two_streams_send_same_states,
    test_api_events.test_stream_resumes_from_last_event,
    test_api_events.test_up_to_date_stream_sends_nothing,
    test_api_events.test_presence_follows_streams,
    test_api_computers.test_computer_plays_to_end,
    test_api_computers.test_computer_can_move_first,
    test_api_computers.test_computer_accepts_takeback_and_declines_draw,
    test_api_computers.test_two_computers_play_with_one_human,
    test_api_computers.test_computers_play_only_with_spectators,
    test_api_bot_players.test_bot_hears_of_games_that_closed_without_it,
    test_api_named_seats.test_removed_device_loses_streams_and_seats,
]


@pytest.fixture(scope="module")
def servers(postgres: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    """Return both servers, which all scenarios share."""
    with two_servers(new_database(postgres), tmp_path_factory.mktemp("servers")) as made:
        yield made


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.__name__.removeprefix("test_"))
def test_players_on_two_servers(servers: Servers, scenario: Callable[[], None]) -> None:
    async def go() -> None:
        async with asyncio.timeout(60), at_two_servers(*servers) as house:
            await inspect.unwrap(scenario)(house)

    run(go())
