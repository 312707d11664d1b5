"""The analysis of any position, and rooms that start from a position."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts import new_game
from noughts.games.catalogue import CATALOGUE
from noughts.games.notation import format_move
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.web.api.analysis import explored
from noughts.interfaces.web.models import PositionMessage
from tests.interfaces.web.harness import House, served

ROW = ["1", "4", "2", "5", "3"]

LATE = "...OX.O/OO.XX.X/XX.XO.X/OX.XOXX/OO.OOXO/OXOXXOO X"
"""Connect Four with ten empty cells."""


@served
async def test_explore_returns_position_after_moves(house: House) -> None:
    data = (await house.guest().post("/api/explore", {"game": "connect4", "moves": ["4", "4"]})).json()
    assert (data["ply"], data["turn"], data["mark"], data["last"], data["winner"]) == (
        2,
        "X",
        "X",
        [31],
        None,
    )
    assert [move["move"] for move in data["legal"]] == [str(column) for column in range(1, 8)]
    assert [(move["side"], move["name"]) for move in data["moves"]] == [("X", "4"), ("O", "4")]
    again = {"game": "connect4", "position": data["position"], "moves": ["1"]}
    later = (await house.guest().post("/api/explore", again)).json()
    assert (later["ply"], later["turn"], later["cells"][31]) == (1, "O", "O")


@served
async def test_explore_returns_lines_through_cell(house: House) -> None:
    guest, body = house.guest(), {"game": "tictactoe", "moves": ["5", "2"]}
    data = (await guest.post("/api/explore/lines/0", body)).json()
    assert (data["count"], data["open_count"], data["open_lines"]) == (3, 2, [[0, 3, 6], [0, 4, 8]])
    assert (await guest.post("/api/explore/lines/9", body)).json()["error"]["code"] == "no-such-cell"
    other = await guest.post("/api/explore/lines/0", {"game": "fifteen", "moves": []})
    assert other.json()["error"]["code"] == "no-lines"


@served
async def test_explored_end_has_sentence(house: House) -> None:
    data = (await house.guest().post("/api/explore", {"game": "tictactoe", "moves": ROW})).json()
    assert (data["turn"], data["winner"], data["legal"], data["lines"]) == (None, "X", [], [[0, 1, 2]])
    assert data["sentences"] == ["X wins: row 3, a3 b3 c3, after 5 moves."]


@served
async def test_unplayable_moves_are_rejected(house: House) -> None:
    for body in (
        {"game": "tictactoe", "moves": ["1", "1"]},
        {"game": "tictactoe", "moves": [*ROW, "9"]},
        {"game": "tictactoe", "position": "XXX/.../..."},
        {"game": "chess"},
        {"game": "fifteen", "moves": ["1"] * 4_000},
    ):
        for path in ("/api/explore", "/api/analyse", "/api/rooms"):
            more = {"name": "Ada"} if path == "/api/rooms" else {}
            answer = await house.guest().post(path, {**body, **more})
            assert answer.status_code in (404, 422), (path, body)
            assert answer.json()["error"]["sentence"]


@served
async def test_analyse_values_explored_position(house: House) -> None:
    data = (await house.guest().post("/api/analyse", {"game": "tictactoe", "moves": ["5", "2"]})).json()
    assert (data["value"], data["plies"], data["sentence"]) == ("win", 5, "X to move: a win in 3 moves.")
    assert {move["label"] for move in data["moves"]} == {"+3", "="}


@pytest.mark.slow
@served
async def test_analyse_takes_values_from_book(house: House) -> None:
    data = (await house.guest().post("/api/analyse", {"game": "connect4", "moves": ["4"]})).json()
    assert (data["value"], data["plies"]) == ("loss", 40)
    assert [move["label"] for move in data["moves"]] == ["-17", "-19", "-19", "-20", "-19", "-19", "-17"]


@served
async def test_game_from_position_is_not_counted(house: House) -> None:
    one, two = await house.pair(moves=["1", "4", "2", "5"], begins="x")
    assert (one.state["turn"], one.state["cells"][:5]) == ("X", ["X", "X", None, "O", "O"])
    assert one.state["moves"] == []
    await one.do("move", move="3")
    assert one.state["result"]["winner"] == "X"
    (game,) = (await one.get("/api/games")).json()["games"]
    data = (await one.get(f"/api/games/{game['id']}")).json()
    assert (data["start"], data["plies"]) == ("XX./OO./... X", 1)
    assert data["boards"][0]["changed"] == {"0": "X", "1": "X", "3": "O", "4": "O"}
    assert (await one.get("/api/scores")).json()["players"] == []
    assert house.service.database.results() == []
    await one.do("rematch")
    await two.do("rematch")
    assert two.state["phase"] == "playing"
    assert two.state["cells"].count(None) == 5


@served
async def test_computer_accepts_or_declines_start_position(house: House) -> None:
    guest, late = house.guest(), {"game": "7x6:5,gravity", "position": LATE}
    for body, is_offered, status in (({"game": "7x6:5,gravity"}, False, 422), (late, True, 201)):
        data = (await guest.post("/api/explore", body)).json()
        assert ("perfect" in data["computers"]) is is_offered
        answer = await guest.post("/api/rooms", {**body, "opponent": "perfect", "name": "Ada"})
        assert answer.status_code == status


@served
async def test_game_from_position_waits_for_friend(house: House) -> None:
    one = await house.open(moves=["1"])
    assert (one.state["phase"], one.state["cells"][0]) == ("waiting", "X")


@served
async def test_start_position_excludes_openings_and_ended_games(house: House) -> None:
    for body, code in (
        ({"moves": ["1"], "opening": "pie", "game": "gomoku"}, "from-a-position"),
        ({"moves": ["1"], "begins": "chooser"}, "from-a-position"),
        ({"moves": ROW}, "game-over"),
    ):
        answer = await house.guest().post("/api/rooms", {"game": "tictactoe", "name": "Ada", **body})
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, code)


@pytest.mark.slow
@settings(max_examples=60)
@given(st.data())
def test_every_game_can_be_explored(data: st.DataObject) -> None:
    game = new_game(data.draw(st.sampled_from([entry.name for entry in CATALOGUE])))
    for _ in range(data.draw(st.integers(0, 12))):
        if game.is_over:
            break
        game.play(data.draw(st.sampled_from(game.legal_moves())))
    message = explored(game, Translator("en"), ("rule",))
    position = PositionMessage.of(game).model_dump()
    result = message.model_dump()
    assert {key: result[key] for key in position} == position
    assert [move["move"] for move in result["legal"]] == (
        [] if game.is_over else [format_move(game, move) for move in game.legal_moves()]
    )
    assert bool(result["sentences"]) == game.is_over
