"""External programs in rooms, each in a process of its own."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from noughts.interfaces.web.live import computers
from noughts.workers.programs.bot_list import Bot, save_bots
from tests.interfaces.web.harness import House, served

BOT = """
import sys
from pathlib import Path
mood, *_ = sys.argv[1:]
for line in sys.stdin:
    word, *rest = line.split()
    if word == "noughts":
        if mood == "ill" and not Path({well!r}).exists(): sys.exit("secret")
        print("ready 1", flush=True)
    elif word == "game" and rest[0] != "tictactoe": print("error unsupported", flush=True)
    elif word == "go" and mood == "bad": sys.exit("secret")
    elif word == "go" and mood == "hangs": pass
    elif word == "go": print("move", rest[0], 9 - moves, flush=True)
    elif word == "position": moves = line.split("moves")[-1].count(" "); print("ok", flush=True)
    elif word == "quit": break
    else: print("ok", flush=True)
"""

OFFERED = ("good", "bad", "ill", "hangs")


@pytest.fixture(autouse=True)
def well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the bots, and the file without which one of them fails."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    well, script = tmp_path / "well", tmp_path / "bot.py"
    script.write_text(BOT.format(well=str(well)))
    names = (*OFFERED, "other")
    save_bots({name: Bot(name, (sys.executable, str(script), name), trust=True) for name in names})
    return well


async def refused(house: House, opponent: str, game: str = "tictactoe") -> tuple[int, str]:
    """Return the status and the text of the error for a room."""
    body = {"game": game, "opponent": opponent, "name": "Ada"}
    answer = await house.guest().post("/api/rooms", body)
    return answer.status_code, answer.text


@pytest.mark.slow
@served(bots=OFFERED)
async def test_named_bots_are_offered(house: House) -> None:
    data = (await house.guest().get("/api/players")).json()["players"]
    bots = [player for player in data if player["name"].startswith("bot:")]
    assert [bot["name"] for bot in bots] == [f"bot:{name}" for name in OFFERED]
    assert bots[0]["title"] == "bot good"
    assert bots[0]["about"] == "a program that was added as a bot"
    assert "bot:good" in (await house.guest().get("/api/rules?game=tictactoe")).json()["computers"]
    assert "bot:good" in (await house.guest().get("/")).text
    assert (await refused(house, "bot:other"))[0] == 422
    assert (await refused(house, "bot:good", "connect4"))[0] == 422


@pytest.mark.slow
@served
async def test_no_bot_is_offered_by_default(house: House) -> None:
    assert "bot:" not in (await house.guest().get("/api/players")).text
    assert (await refused(house, "bot:good"))[0] == 422


@pytest.mark.slow
@served(bots=OFFERED)
async def test_bot_plays_game(house: House) -> None:
    one = await house.open(opponent="bot:good")
    async with one.listening() as listener:
        state = await listener.next()
        for move in ("1", "2", "3"):
            state = await one.do("move", move=move)
            if state["phase"] == "playing":
                state = await listener.until(lambda state: state["phase"] != "playing" or state["legal"])
    assert state["result"]["winner"] == "X"
    found = (await house.guest().get("/api/games?player=Computer (bot good)")).json()["games"]
    assert len(found) == 1


@pytest.mark.slow
@served(bots=OFFERED)
async def test_failing_bot_loses_without_its_output_shown(house: House) -> None:
    one = await house.open(opponent="bot:bad")
    async with one.listening() as listener:
        await one.do("move", move="1")
        state = await listener.until(lambda state: state["phase"] == "over")
    assert (state["result"]["winner"], state["result"]["reason"]) == ("X", "crashed")
    assert "secret" not in str(state)


@served(bots=OFFERED)
async def test_bot_can_be_seated_after_failure(house: House, well: Path) -> None:
    status, text = await refused(house, "bot:ill")
    assert (status, "secret" in text) == (503, False)
    well.touch()
    await house.open(opponent="bot:ill")


@pytest.mark.slow
@served(bots=OFFERED)
async def test_hanging_bot_loses(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computers, "MAX_SECONDS", 0.2)
    monkeypatch.setattr(computers, "MOVE_SECONDS", 0.5)
    hanging, other = await house.open(opponent="bot:hangs"), await house.open(opponent="bot:good")
    async with hanging.listening() as listener, other.listening() as nearby:
        await hanging.do("move", move="1")
        await other.do("move", move="1")
        await nearby.until(lambda state: state["ply"] == 2)
        assert house.service.computers.is_asked(hanging.room)
        state = await listener.until(lambda state: state["phase"] == "over")
    assert state["result"]["reason"] == "too-slow"
    assert not house.service.computers.is_asked(hanging.room)


@pytest.mark.slow
@served(bots=OFFERED)
async def test_withdrawn_bot_is_not_started(house: House) -> None:
    one = await house.open(opponent="bot:good")
    house.service.serving = replace(house.service.serving, bots=())
    async with one.listening() as listener:
        await one.do("move", move="1")
        state = await listener.until(lambda state: state["phase"] == "over")
    assert state["result"]["reason"] == "raised"
