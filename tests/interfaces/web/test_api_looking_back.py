"""Earlier positions of a running game."""

import pytest

from tests.interfaces.web.harness import House, served


@served
async def test_earlier_position_can_be_requested(house: House) -> None:
    one, two = await house.pair(game="connect4")
    await one.do("move", move="4")
    await two.do("move", move="4")
    for guest in (one, two, house.guest()):
        data = (await guest.get(f"/api/rooms/{one.room}/plies/1")).json()
        assert (data["ply"], data["turn"], data["last"], data["lines"]) == (1, "O", [38], [])
        assert [index for index, mark in enumerate(data["cells"]) if mark] == [38]
    start = (await one.get(f"/api/rooms/{one.room}/plies/0")).json()
    assert (start["ply"], start["turn"], start["last"], set(start["cells"])) == (0, "X", [], {None})
    assert (await one.look())["ply"] == 2


@served
async def test_unplayed_ply_is_rejected(house: House) -> None:
    one, _ = await house.pair()
    answer = await one.get(f"/api/rooms/{one.room}/plies/1")
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "no-such-ply")
    assert (await one.get(f"/api/rooms/{one.room}/plies/-1")).status_code == 422
    assert (await one.get("/api/rooms/nobodyknowsthisroom/plies/0")).status_code == 404


@pytest.mark.slow
@served
async def test_earlier_position_restores_vanished_marks(house: House) -> None:
    one, two = await house.pair(game="vanishing")
    for guest, move in zip((one, two, one, two, one, two, one), "1245638", strict=True):
        await guest.do("move", move=move)
    cells = (await one.get(f"/api/rooms/{one.room}/plies/6")).json()["cells"]
    assert cells[0] == "X"
    assert one.state["cells"][0] is None
