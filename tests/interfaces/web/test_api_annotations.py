"""Annotations in the API: codes of cells, fields and sides, and lines."""

import pytest

from noughts.games.catalogue import BY_NAME, CATALOGUE, sample
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.web.models import GameMessage, LinesMessage
from tests.games.pairs import ENTRY
from tests.interfaces.web.harness import House, served


@pytest.fixture
def _pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BY_NAME, "pairs", ENTRY)


NOTHING: dict[str, object] = {"cells": {}, "fields": {}, "sides": {}, "lines": []}


@served
async def test_spectator_gets_annotations(house: House) -> None:
    one, two = await house.pair(game="reversi")
    data = one.state["annotations"]
    assert data["cells"]["20"] == ["may", "turns:1"]
    assert data["sides"] == {"X": ["lead:2"], "O": ["lead:2"]}
    assert (await house.guest().get(f"/api/rooms/{one.room}")).json()["annotations"] == data
    await one.do("move", move="20")
    assert (await two.look())["annotations"]["sides"] == {"X": ["lead:4"], "O": ["lead:1"]}
    assert (await two.get(f"/api/rooms/{one.room}/plies/0")).json()["annotations"] == data


@served
async def test_field_has_number_in_annotations(house: House) -> None:
    one, _ = await house.pair(game="ultimate")
    await one.do("move", move="41")
    assert one.state["annotations"]["fields"] == {"5": ["field"]}


@pytest.mark.slow
@served
async def test_forbidden_points_have_reasons(house: House) -> None:
    one, two = await house.pair(game="15x15:5,renju")
    for guest, move in zip((one, two) * 4, ("h8", "a1", "h9", "a3", "g7", "a5", "f7", "a7"), strict=True):
        await guest.do("move", move=move)
    assert (await one.look())["annotations"]["cells"]["128"] == ["no:33"]
    refused = await one.ask("move", move="h7")
    assert refused.status_code == 422
    assert refused.json()["error"]["code"] == "forbidden-move"


@served
async def test_joined_edges_are_annotated(house: House) -> None:
    one, _ = await house.pair(game="4x3:3,wrap=y")
    data = (await house.guest().get(f"/api/rooms/{one.room}")).json()["annotations"]["cells"]
    assert data == {str(cell): ["beyond"] for cell in (1, 2, 3, 4, 9, 10, 11, 12)}


@served
async def test_state_has_deciding_line(house: House) -> None:
    one, two = await house.pair()
    for guest, move in zip((one, two, one, two, one), "14253", strict=True):
        await guest.do("move", move=move)
    assert one.state["annotations"] == {**NOTHING, "lines": [["1", "2", "3"]]}


@pytest.mark.usefixtures("_pairs")
@served
async def test_multi_part_moves_are_listed_and_played(house: House) -> None:
    one, two = await house.pair(game="pairs")
    assert one.state["legal"][0] == {"move": "1-2-mine", "cell": 0, "parts": [0, 1, "mine"]}
    await one.do("move", move="1-2-yours")
    assert (one.state["cells"][:3], one.state["last"]) == (["X", "O", None], [0, 1])
    played = {"move": "1-2-yours", "name": "a3-b3-yours", "side": "X", "ply": 1, "cell": 0}
    assert one.state["moves"] == [played]
    await two.look()
    refused = await two.ask("move", move="1-4-mine")
    assert refused.json()["error"]["code"] == "illegal-move"
    assert (await two.ask("move", move="1")).json()["error"]["code"] == "notation-error"


# Lines


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.name)
def test_lines_through_cell_match_library(entry: object) -> None:
    game = sample(entry.name)  # type: ignore[attr-defined]
    found = game.lines_through((0,) * len(game.shape))
    assert GameMessage.of(game, Translator("en")).has_lines is (found is not None)
    if found is not None:
        data = LinesMessage.of(game, 0).model_dump()
        assert (data["count"], data["open_count"]) == (found.count, found.open_count)
        assert len(data["open_lines"]) == found.open_count
        assert len(data["open_lines"] + data["closed_lines"]) == found.count
        on_open = {cell for line in data["open_lines"] for cell in line if game.cells[cell] is None}
        on_closed = {cell for line in data["closed_lines"] for cell in line if game.cells[cell] is None}
        assert (set(data["open"]), set(data["closed"])) == (on_open, on_closed - on_open)


@served
async def test_spectator_can_request_lines(house: House) -> None:
    one, _ = await house.pair()
    await one.do("move", move="5")
    address = f"/api/rooms/{one.room}/lines/0"
    now = (await house.guest().get(address)).json()
    assert now == {
        "cell": 0,
        "count": 3,
        "open_count": 2,
        "open": [0, 1, 2, 3, 6],
        "closed": [8],
        "open_lines": [[0, 1, 2], [0, 3, 6]],
        "closed_lines": [[0, 4, 8]],
    }
    assert (await one.get(f"{address}?ply=0")).json()["open_count"] == 3


@served
async def test_missing_lines_are_rejected(house: House) -> None:
    one, _ = await house.pair()
    reversi, _ = await house.pair(game="reversi")
    for address, code in (
        (f"{one.room}/lines/9", "no-such-cell"),
        (f"{one.room}/lines/0?ply=1", "no-such-ply"),
        (f"{reversi.room}/lines/0", "no-lines"),
    ):
        answer = await one.get(f"/api/rooms/{address}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, code)
