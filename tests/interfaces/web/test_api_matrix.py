"""Every command by every caller in every phase: the response, and no change after an error."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from noughts.arena.clock import DAY
from noughts.arena.digest import digest_of
from noughts.arena.store.revisions import TABLES
from tests.interfaces.web.harness import Guest, House, served

pytestmark = pytest.mark.slow

COMMANDS: dict[str, dict[str, Any]] = {
    "move": {"move": "9"},
    "resign": {},
    "abort": {},
    "offer-draw": {},
    "take-back": {"plies": 1},
    "accept": {},
    "decline": {},
    "claim": {},
    "rematch": {},
    "choose": {"mark": "X"},
    "leave": {},
    "swap": {},
    "put": {"moves": ["9"]},  # an illegal one
}

DONE = "200"

A_LONG_TIME = 1e6
"""Seconds, more than the clock moves in any of these tests, so that no player becomes absent.

The server would write the absence at some later time, and rows would change during a test.
"""


def everything(house: House) -> str:
    """Return a digest of all rows of all tables."""
    with house.service.database.reading() as connection:
        rows = [connection.rows(f"SELECT * FROM {table}") for table in sorted(TABLES)]
        return digest_of([[{**row} for row in found] for found in rows])


# Phases


async def waiting(house: House) -> tuple[Guest, Guest]:
    """Open a room with a free seat."""
    one = await house.open()
    return one, one


async def choosing(house: House) -> tuple[Guest, Guest]:
    """Open a room in which the first player has to choose a mark."""
    return await house.pair(begins="chooser")


async def fresh(house: House) -> tuple[Guest, Guest]:
    """Open a room in which no player has moved."""
    return await house.pair()


async def playing(house: House) -> tuple[Guest, Guest]:
    """Open a room in which the first player is to move."""
    one, two = await house.pair()
    await one.do("move", move="5", key="used")
    await two.do("move", move="1", key="used")
    return one, two


async def over(house: House) -> tuple[Guest, Guest]:
    """Open a room in which the first player has resigned."""
    one, two = await playing(house)
    await one.do("resign")
    return one, two


async def closed(house: House) -> tuple[Guest, Guest]:
    """Open a room that the second player has left."""
    one, two = await over(house)
    await two.do("leave")
    return one, two


async def gone(house: House) -> tuple[Guest, Guest]:
    """Open a room that does not exist any more."""
    one, two = await closed(house)
    for place in (0, 1):
        await house.service.run(house.service.rooms.set_presence, one.room, place, here=False)
    house.clock.instant += DAY
    await house.service.run(house.service.rooms.expiry.tick)
    return one, two


async def offered(house: House) -> tuple[Guest, Guest]:
    """Open a room in which the first player has offered a draw."""
    one, two = await playing(house)
    await one.do("offer-draw")
    return one, two


async def deserted(house: House) -> tuple[Guest, Guest]:
    """Open a room whose second player is to move and has long been absent."""
    one, two = await playing(house)
    await one.do("move", move="3")
    for here in (True, False):
        await house.service.run(house.service.rooms.set_presence, one.room, 1, here=here)
    house.clock.instant += 10 * 60_000
    await house.service.run(house.service.rooms.expiry.tick)
    return one, two


async def opened(house: House) -> tuple[Guest, Guest]:
    """Open a room in which the second player may swap sides or place two more marks."""
    one, two = await house.pair(game="9x9:5", opening="swap2")
    for move in ("a1", "b2", "c3"):
        await one.do("move", move=move)
    return one, two


NOT_BEGUN = dict.fromkeys(COMMANDS, "not-begun") | {"choose": "nothing-to-choose", "leave": DONE}
ENDED = dict.fromkeys(COMMANDS, "game-over") | {"choose": "nothing-to-choose"}

FIRST: dict[Callable[[House], Awaitable[tuple[Guest, Guest]]], dict[str, str]] = {
    waiting: NOT_BEGUN,
    choosing: {**NOT_BEGUN, "choose": DONE},
    playing: {
        "move": DONE,
        "resign": DONE,
        "abort": "begun",
        "offer-draw": DONE,
        "take-back": DONE,
        "accept": "nothing-offered",
        "decline": "nothing-offered",
        "claim": "not-away",
        "rematch": "playing",
        "choose": "nothing-to-choose",
        "leave": "playing",
        "swap": "no-such-choice",
        "put": "no-such-choice",
    },
    over: {**ENDED, "rematch": DONE, "leave": DONE},
    closed: {**ENDED, "rematch": "room-closed", "leave": "room-closed"},
    gone: dict.fromkeys(COMMANDS, "not-found"),
}
"""The responses to the first player: success, or the error."""

SECOND: dict[Any, dict[str, str]] = {
    **FIRST,
    choosing: NOT_BEGUN,
    playing: {**FIRST[playing], "move": "out-of-turn"},
}
"""The responses to the other player."""


@pytest.mark.parametrize("time", FIRST, ids=lambda time: time.__name__)
@served(silent_seconds=A_LONG_TIME)
async def test_every_command_in_every_phase(house: House, time: Any) -> None:
    one, two = await time(house)
    other = await house.open("Zoe")
    stranger = house.guest("192.0.2.9")
    is_there = time is not gone
    before, version = everything(house), (await one.look())["version"] if is_there else 1

    async def asked(kind: str, proof: dict[str, str], key: str = "new", version: int = version) -> str:
        command = {"type": kind, **COMMANDS[kind]}
        body = {"version": version, "key": key, "command": command}
        answer = await stranger.post(f"/api/rooms/{one.room}/commands", body, headers=proof)
        if answer.status_code == 200:
            return DONE
        assert everything(house) == before, f"{kind} was refused and has changed something"
        error = answer.json()["error"]
        assert error["sentence"]
        assert ("state" in answer.json()) == (error["code"] == "stale")
        return f"{answer.status_code} {error.get('reason', error['code'])}"

    nobody, unknown = "401 no-seat", "403 not-your-seat"
    for kind in COMMANDS:
        for proof, expected in (
            ({}, nobody),
            ({"cookie": f"noughts-seat={'x' * 32}"}, nobody),
            ({"cookie": f"noughts-seat={other.token}"}, nobody),
            ({"authorization": f"Bearer {'x' * 32}"}, unknown),
            ({"authorization": f"Basic {one.token}"}, nobody),
            (other.proof, unknown),
        ):
            assert await asked(kind, proof) == (expected if is_there else "404 not-found"), (kind, proof)
        for seat, answers in ((one, FIRST[time]), (two, SECOND[time])):
            expected = answers[kind]
            if expected != DONE:
                status = 422 if is_there else 404
                assert await asked(kind, seat.proof) == f"{status} {expected}", (kind, seat.place)
            if not is_there:
                continue
            for stale in (0, version + 1):
                assert await asked(kind, seat.proof, version=stale) == "409 stale", (kind, seat.place)
            if time in (playing, over, closed):
                assert await asked(kind, seat.proof, "used") == "422 key-used", (kind, seat.place)


MORE_DONE: list[tuple[Any, int, str]] = [
    (fresh, 0, "abort"),
    (fresh, 1, "abort"),
    (offered, 1, "accept"),
    (offered, 1, "decline"),
    (deserted, 0, "claim"),
    (opened, 1, "swap"),
    (opened, 1, "put"),
]
"""Further phases, seats and commands that succeed."""

ALLOWED = [
    (time, place, kind)
    for place, table in enumerate((FIRST, SECOND))
    for time, answers in table.items()
    for kind, answer in answers.items()
    if answer == DONE
] + MORE_DONE


def test_every_command_succeeds_in_some_phase() -> None:
    assert {kind for _, _, kind in ALLOWED} == set(COMMANDS)


@served(silent_seconds=A_LONG_TIME)
async def test_allowed_command_is_carried_out_once(house: House) -> None:
    for time, place, kind in ALLOWED:
        seat = (await time(house))[place]
        version = (await seat.look())["version"]
        body = {"moves": ["d4", "e5"]} if kind == "put" else COMMANDS[kind]
        answer = await seat.ask(kind, key="once", version=version, **body)
        assert answer.status_code == 200, (time, kind, place, answer.text)
        before = everything(house)
        again = await seat.ask(kind, key="once", version=version, **body)
        assert (again.status_code, again.text) == (200, answer.text)
        assert everything(house) == before
