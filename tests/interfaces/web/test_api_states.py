"""States as JSON: known moves are not written again, and long states delay nobody."""

import threading
from typing import Any

import pytest

from noughts.interfaces.web import service
from noughts.interfaces.web.models import MoveMessage
from tests.interfaces.web.harness import House, served


def note_known(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Note the number of known moves for each written list."""
    noted: list[int] = []
    plain = MoveMessage.all

    def note(game: Any, known: int = 0) -> Any:
        noted.append(known)
        return plain(game, known)

    monkeypatch.setattr(MoveMessage, "all", note)
    return noted


@served
async def test_moves_are_not_written_twice(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    known = note_known(monkeypatch)
    one, two = await house.pair()
    known.clear()
    for number, move in enumerate(["5", "1", "4"]):
        state = await (one, two)[number % 2].do("move", move=move)
    assert known == [0, 1, 2]
    assert [move["ply"] for move in state["moves"]] == [1, 2, 3]
    await one.do("take-back", plies=2)
    await two.do("accept")
    known.clear()
    state = await two.do("move", move="9")
    assert known == [1]
    assert [(move["move"], move["side"]) for move in state["moves"]] == [("5", "X"), ("9", "O")]


@served
async def test_new_game_is_written_from_scratch(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = await house.pair()
    for number, move in enumerate(["5", "1", "4"]):
        await (one, two)[number % 2].do("move", move=move)
    await two.do("resign")
    for guest in (one, two):
        await guest.do("rematch")
    known = note_known(monkeypatch)
    state = await two.do("move", move="5")
    assert known == [0]
    assert [(move["move"], move["name"], move["side"]) for move in state["moves"]] == [("5", "b2", "X")]


@served
async def test_long_games_are_written_in_thread(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_QUICK", 10)
    threads: list[int] = []
    written = house.service.states.text

    def note(*arguments: Any) -> str:
        threads.append(threading.get_ident())
        return written(*arguments)

    monkeypatch.setattr(house.service.states, "text", note)
    one, two = await house.pair()
    await one.do("move", move="5")
    assert set(threads) == {threading.get_ident()}
    threads.clear()
    await two.do("move", move="1")
    assert threading.get_ident() not in {threads[-1]}
    threads.clear()
    await one.look()
    await one.ask("move", move="4", version=0)
    assert threads
    assert threading.get_ident() not in threads
