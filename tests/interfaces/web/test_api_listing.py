"""The catalogue, the history, analyses and pages."""

import json
import logging
import re
import threading
from random import Random
from typing import Any

import pytest

from noughts.arena.commands import Resign
from noughts.arena.match import Match
from noughts.arena.rooms.room_repository import RoomStore
from noughts.arena.setup import Setup
from noughts.errors import StoreError
from noughts.games.catalogue import CATALOGUE, new_game
from noughts.install import install_commands
from noughts.interfaces.presenting import players
from noughts.interfaces.presenting.i18n import LANGUAGES
from noughts.interfaces.web import app, service
from noughts.interfaces.web.api import games
from noughts.interfaces.web.api.games import DAY_MS
from noughts.interfaces.web.http.limits import Buckets, Rate, neighbourhood
from noughts.interfaces.web.http.metrics import JsonLines, Metrics
from noughts.interfaces.web.http.replies import ApiError
from noughts.interfaces.web.models import boards_of
from noughts.interfaces.web.pages.pages import sentences
from noughts.players.base import player_names
from noughts.records.record import parse_record
from noughts.workers.messages import PendingResult, TaskFailure
from tests.interfaces.harness import EN, SAY
from tests.interfaces.web.harness import Guest, House, served


async def finish(house: House) -> Guest:
    """Finish a game that X wins in the middle row."""
    one, two = await house.pair()
    for number, move in enumerate(["5", "1", "4", "2", "6"]):
        await (one, two)[number % 2].do("move", move=move)
    return one


@pytest.mark.slow
@served
async def test_catalogue_lists_games(house: House) -> None:
    data = (await house.guest().get("/api/catalogue?lang=zh-Hant")).json()
    assert [game["name"] for game in data["games"]] == [entry.name for entry in CATALOGUE]
    assert data["languages"] == LANGUAGES
    for game in data["games"]:
        assert game["layout"]["planes"] * game["layout"]["rows"] * game["layout"]["columns"]
        assert game["rules"]
        assert game["tag"]


@served
async def test_rules_describe_custom_game(house: House) -> None:
    guest = house.guest()
    data = (await guest.get("/api/rules?game=5x4:3,players=3")).json()
    assert data["shape"] == [4, 5]
    assert data["sides"] == ["X", "O", "Z"]
    for wrong, code in (("3x3:9", "rules-error"), ("101x100:5", "shape-error"), ("<b>", "not-found")):
        answer = await guest.get("/api/rules", params={"game": wrong})
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, code)


@pytest.mark.parametrize(("is_installed", "names"), [(True, []), (False, ["level:10"])])
@served
async def test_rules_warn_of_weaker_computers(
    house: House, monkeypatch: pytest.MonkeyPatch, is_installed: bool, names: list[str]
) -> None:
    monkeypatch.setattr(players, "find_spec", lambda name: is_installed or None)
    guest = house.guest()
    data = [(await guest.get("/api/rules", params={"game": name})).json() for name in ("4x4", "reversi")]
    assert [list(game["cautions"]) for game in data] == [names, []]
    assert is_installed or install_commands("fast")["clone"] in data[0]["cautions"]["level:10"]


@served
async def test_board_can_be_cached(house: House) -> None:
    answer = await house.guest().get("/api/board", params={"game": "7X6:4, gravity"})
    board = answer.json()
    assert answer.headers["cache-control"] == "max-age=3600"
    assert (board["size"], board["drops"], len(board["centres"])) == ([700, 600], 7, 42)
    assert (board["names"][0], board["steps"]["ArrowDown"][0], board["labels"]) == ("1.6", 7, [])
    assert (await house.guest().get("/api/board?game=101x100:5")).status_code == 422


@served
async def test_players_lists_computers(house: House) -> None:
    data = (await house.guest().get("/api/players")).json()["players"]
    assert [player["name"] for player in data] == list(player_names())
    assert all(player["title"] and player["about"] for player in data)


@served
async def test_history_lists_newest_games_first(house: House) -> None:
    guest = house.guest()
    assert (await guest.get("/api/games")).json() == {"games": [], "before": None, "damaged": 0}
    first, second = await finish(house), await finish(house)
    await house.pair()  # running, so not listed
    listed = (await guest.get("/api/games?count=1")).json()
    assert [game["id"] for game in listed["games"]] == [second.state["game_id"]]
    older = (await guest.get(f"/api/games?before={listed['before']}")).json()
    assert [game["id"] for game in older["games"]] == [first.state["game_id"]]
    game = older["games"][0]
    assert (game["plies"], game["winner"], game["termination"]) == (5, "X", "line")
    assert [player["name"] for player in game["players"]] == ["Ada", "Wei"]
    for query in ("before=0", "count=1000", "before=x", f"before={10**30}"):
        assert (await guest.get(f"/api/games?{query}")).status_code == 422


@served
async def test_custom_board_counts_use_plural_forms(house: House) -> None:
    guest = house.guest()
    for game, label in (("3x3x3x3:3,gravity", "ряда по 3"), ("3x3", "рядов по 3"), ("3x1:3", "ряд по 3")):
        data = (await guest.get("/api/build", params={"game": game, "lang": "ru"})).json()
        assert data["counts"][1]["label"] == label


@served
async def test_history_leaves_out_games_that_were_called_off(house: House) -> None:
    one, _ = await house.pair()
    await one.do("abort")
    assert one.state["result"]["termination"] == "aborted"
    briefs = [(await one.get(f"/api/rooms/{one.room}/brief")).json()]
    for query in ("", "?result=draw"):
        assert (await one.get(f"/api/games{query}")).json()["games"] == []
    ended = await finish(house)
    (listed,) = (await one.get("/api/games")).json()["games"]
    assert listed["id"] == ended.state["game_id"]
    briefs.append((await ended.get(f"/api/rooms/{ended.room}/brief")).json())
    assert [(brief["phase"], brief["is_called_off"]) for brief in briefs] == [("over", True), ("over", False)]


@pytest.mark.slow
@served
async def test_history_filters_by_game_and_player(house: House) -> None:
    one = await finish(house)
    number = one.state["game_id"]
    guest = house.guest()
    house.clock.instant += 3 * DAY_MS + 1
    for query, found in (
        ("game=tictactoe", [number]),
        ("game=3x3:3", [number]),
        ("game=gomoku", []),
        ("player=ADA", [number]),
        ("player=Lin", []),
        ("game=3x3&player=wei", [number]),
        ("game=&player=&result=", [number]),
        ("result=X", [number]),
        ("result=O", []),
        ("result=draw", []),
        ("days=4", [number]),
        ("days=3", []),
    ):
        data = (await guest.get(f"/api/games?{query}")).json()
        assert [game["id"] for game in data["games"]] == found, query
    answer = await guest.get("/api/games?game=gomuko")
    assert answer.status_code == 422
    assert "gomoku" in answer.json()["error"]["sentence"]
    for query in ("result=x", "result=drawn", "days=0", "days=x"):
        assert (await guest.get(f"/api/games?{query}")).status_code == 422


@served
async def test_history_page_reads_limited_games(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    one, _ = await finish(house), await finish(house)
    monkeypatch.setattr(games, "MAX_EXAMINED", 1)
    data = (await one.get("/api/games?result=O")).json()
    assert (data["games"], data["before"]) == ([], one.state["game_id"] + 1)


@served
async def test_scores_filter_by_game(house: House) -> None:
    guest = (await finish(house)).get
    for query, names in (("", ["Ada", "Wei"]), ("?game=3x3", ["Ada", "Wei"]), ("?game=gomoku", [])):
        data = (await guest(f"/api/scores{query}")).json()["players"]
        assert [player["name"] for player in data] == names
    assert (await guest("/api/scores?game=gomuko")).status_code == 422


@served
async def test_local_games_are_private(house: House) -> None:
    """Local games are in the same database, but no request returns them."""
    online = await finish(house)
    match = Match(new_game("tictactoe"))
    number = house.service.database.add_game(Setup("tictactoe", {"X": "At home", "O": "Guest"}))
    house.service.database.append(number, match.apply("X", Resign(), 0))
    assert house.service.database.load(number).result is not None
    listed = (await online.get("/api/games")).json()
    assert [game["id"] for game in listed["games"]] == [online.state["game_id"]]
    for path in ("", "/record", "/picture"):
        assert (await online.get(f"/api/games/{number}{path}")).status_code == 404
    assert (await online.post("/api/analyse", {"game": number})).status_code == 404
    scores = (await online.get("/api/scores")).json()["players"]
    assert [player["name"] for player in scores] == ["Ada", "Wei"]


@served
async def test_finished_game_lists_moves(house: House) -> None:
    one = await finish(house)
    number = one.state["game_id"]
    data = (await one.get(f"/api/games/{number}?lang=en")).json()
    assert [board["changed"] for board in data["boards"]] == [
        {},
        {"4": "X"},
        {"0": "O"},
        {"3": "X"},
        {"1": "O"},
        {"5": "X"},
    ]
    assert [board["last"] for board in data["boards"]] == [[], [4], [0], [3], [1], [5]]
    assert data["boards"][-1]["annotations"]["lines"] == [["4", "5", "6"]]
    assert data["lines"] == [[3, 4, 5]]
    assert "Ada" in data["sentences"][0]
    assert len(data["sentences"]) == 1  # without a sentence about a rematch
    assert [move["move"] for move in data["moves"]] == ["5", "1", "4", "2", "6"]
    record = await one.get(f"/api/games/{number}/record")
    assert parse_record(record.text.strip()).moves == ("5", "1", "4", "2", "6")
    picture = await one.get(f"/api/games/{number}/picture?dark=true")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.text.startswith("<svg")


@served
async def test_running_and_missing_games_return_404(house: House) -> None:
    one, _ = await house.pair()
    await one.do("move", move="5")
    going_on = one.state["game_id"]
    for number in (going_on, 999, 2**31 - 1):
        for more in ("", "/record", "/picture"):
            answer = await one.get(f"/api/games/{number}{more}")
            assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not-found")
    assert (await one.get(f"/api/games/{10**40}")).status_code == 422


@served
async def test_scoreboard_counts_results(house: House) -> None:
    await finish(house)
    data = (await house.guest().get("/api/scores")).json()["players"]
    counts = {"wins": 1, "draws": 0, "losses": 0, "points": 1.0, "longest_streak": 1}
    assert data[0] == {"name": "Ada", "called": "Ada", **counts}
    assert (data[1]["name"], data[1]["losses"]) == ("Wei", 1)


# Analyses


@served
async def test_damaged_game_is_skipped_and_counted(house: House) -> None:
    await finish(house)
    await finish(house)
    with house.service.database.writing() as connection:
        connection.change("UPDATE games SET created = 1 WHERE id = 1")
    guest = house.guest()
    history = (await guest.get("/api/games")).json()
    assert ([game["id"] for game in history["games"]], history["damaged"]) == ([2], 1)
    scores = (await guest.get("/api/scores")).json()
    assert ([player["wins"] + player["losses"] for player in scores["players"]], scores["damaged"]) == (
        [1, 1],
        1,
    )
    assert (await guest.get("/api/games/1")).status_code == 500


@served
async def test_history_without_scripts_shows_error(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    await finish(house)
    guest = house.guest()
    with house.service.database.writing() as connection:
        connection.change("UPDATE games SET created = 1 WHERE id = 1")
    assert EN.plural("web-damaged", 1) in (await guest.get("/history")).text
    unknown = await guest.get("/history?game=not-a-game")
    assert (unknown.status_code, "There is no game “not-a-game”" in unknown.text) == (422, True)
    monkeypatch.setattr(type(house.service.database), "newest_games", refuse_to_write)
    failed = await guest.get("/history?lang=ru")
    assert (failed.status_code, SAY["ru"]("refusal-failed") in failed.text) == (503, True)
    assert SAY["ru"]("web-no-games") not in failed.text


@served
async def test_history_filter_ignores_spelling(house: House) -> None:
    guest = house.guest()
    for typed in ("7×7:5", "7х7: 5", " 7X7:5"):
        data = (await guest.get("/api/rules", params={"game": typed})).json()
        assert (data["name"], data["shape"]) == ("7x7:5", [7, 7])
    opened = await house.open(game="3×3:3")
    assert opened.state["game"]["name"] == "tictactoe"


@served
async def test_computers_of_one_kind_have_different_names(house: House) -> None:
    opened = await house.open(game="three", opponent="level:2")
    assert [player["name"] for player in opened.state["players"]] == [
        "Ada",
        "Computer (level 2, learner)",
        "Computer 2 (level 2, learner)",
    ]


@pytest.mark.parametrize("name", ["vanishing", "reversi", "15x15:5"])
def test_boards_list_changes_of_each_move(name: str) -> None:
    game, chance = new_game(name), Random(5)
    expected = [list(game.cells)]
    while not game.is_over and game.ply < 40:
        game.play(chance.choice(list(game.legal_moves())))
        expected.append(list(game.cells))
    cells: list[str | None] = [None] * len(game.cells)
    for board, shown in zip(boards_of(game), expected, strict=True):
        for index, mark in board.changed.items():
            assert cells[int(index)] != mark
            cells[int(index)] = mark
        assert cells == shown


@served
async def test_finished_game_can_be_analysed(house: House) -> None:
    one = await finish(house)
    body = {"game": one.state["game_id"], "ply": 4, "seconds": 5}
    data = (await one.post("/api/analyse", body)).json()
    assert (data["ply"], data["turn"], data["value"], data["plies"], data["best"]) == (4, "X", "win", 1, "6")
    winning = [move for move in data["moves"] if move["label"] == "+1"]
    assert [(move["move"], move["cell"]) for move in winning] == [("6", 5)]
    assert winning[0]["reason"]
    assert "X" in data["sentence"]
    end = (await one.post("/api/analyse", {"game": one.state["game_id"]})).json()
    assert (end["ply"], end["turn"], end["sentence"], end["moves"]) == (5, None, None, [])
    answer = await one.post("/api/analyse", {**body, "ply": 6})
    assert answer.json()["error"]["code"] == "no-such-ply"


@pytest.mark.slow
@served
async def test_human_game_can_be_analysed_after_end(house: House) -> None:
    one, _ = await house.pair()
    path = f"/api/rooms/{one.room}/analyse"
    answer = await one.post(path, {}, headers=one.proof)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "game-goes-on")
    answer = await one.post("/api/analyse", {"game": 1})
    assert answer.status_code == 404
    await one.do("resign")
    assert (await one.post(path, {"ply": 0, "seconds": 5})).json()["value"] == "draw"


@served
async def test_computer_game_can_always_be_analysed(house: House) -> None:
    one = await house.open(opponent="rule")
    path = f"/api/rooms/{one.room}/analyse"
    assert (await one.post(path, {}, headers=one.proof)).status_code == 200
    stranger = house.guest()
    assert (await stranger.post(path, {})).status_code == 403


@served
async def test_impossible_analyses_are_rejected(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    one = await finish(house)
    body = {"game": one.state["game_id"]}
    with monkeypatch.context() as patched:
        patched.setattr(service, "MAX_QUESTIONS", 0)
        answer = await one.post("/api/analyse", body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "thinking-busy")

    class Broken:
        def ask(self, task: Any, *arguments: Any, on_message: Any, patience: float) -> PendingResult:
            thought = PendingResult(on_message)
            thought.deliver(TaskFailure("gone"))
            return thought

        def close(self) -> None:
            pass

    monkeypatch.setattr(house.service, "analyst", Broken())
    answer = await one.post("/api/analyse", body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "thinking-failed")
    assert house.service.thoughts.awaited == 0


# Pages


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@served
async def test_pages_exist_in_every_language(house: House, language: str) -> None:
    guest = house.guest()
    for path in ("/", "/r/abc", "/g/1", "/analysis", "/history", "/scores", "/tournaments", "/strategy"):
        answer = await guest.get(path, headers={"accept-language": language})
        assert answer.status_code == 200, path
        assert answer.headers["content-language"] == language
        assert f'<html lang="{language}"' in answer.text
        # All messages of the page exist, so it shows no ids.
        assert not re.search(r">\s*web-[a-z-]+\s*<", answer.text)
    data = (await guest.get(f"/i18n/{language}.json")).json()
    assert data["title-tictactoe"]
    assert all(isinstance(said, str | list) for said in data.values())


def test_languages_have_same_sentences() -> None:
    data = {language: json.loads(sentences(language, CATALOGUE).body) for language in LANGUAGES}
    assert len({frozenset(each) for each in data.values()}) == 1
    forms = {
        language: {len(said) for said in each.values() if isinstance(said, list)}
        for language, each in data.items()
    }
    assert (forms["en"] or {2}, forms["ru"] or {3}, forms["zh-Hans"] or {1}) == ({2}, {3}, {1})


def refuse_to_write(*_: Any, **__: Any) -> None:
    raise StoreError("rooms", "disk full")


@served
async def test_health_and_metrics(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    one, _ = await house.pair()
    await one.do("move", move="5")
    assert (await one.get("/healthz")).json() == {"status": "ok"}
    with monkeypatch.context() as full:
        full.setattr(RoomStore, "seen", refuse_to_write)
        assert (await one.get("/healthz")).status_code == 503
    goes_on = threading.Event()
    with monkeypatch.context() as held:
        held.setattr(app, "HEALTH_SECONDS", 0.01)
        held.setattr(RoomStore, "seen", lambda *_: goes_on.wait())
        assert (await one.get("/healthz")).status_code == 503
        goes_on.set()
    assert (await one.get("/healthz")).status_code == 200
    await one.get("/r/secret-room")
    await one.get("/nothing/secret")
    text = (await one.get("/metrics")).text
    assert 'noughts_requests_total{method="POST",route="/api/rooms/{room}/commands",status="200"} 1' in text
    assert 'route="/r"' in text
    assert 'route="other"' in text
    assert "noughts_commands_total 1" in text
    assert "noughts_rooms_total 1" in text
    assert "noughts_streams 0" in text
    assert "secret" not in text
    buckets = [int(number) for number in re.findall(r'bucket\{le="[^"]+"\} (\d+)', text)]
    assert buckets == sorted(buckets)


# The log


class Asset(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(JsonLines().format(record))


@served
async def test_log_line_contains_no_secrets(house: House) -> None:
    kept, log = Asset(), logging.getLogger("noughts.web")
    log.addHandler(kept)
    log.setLevel(logging.INFO)
    try:
        one, two = await house.pair()
        await one.post("/api/rooms", {"game": "a\r\nb\x1b[31m", "opponent": "friend", "name": "A\r\nB"})
        await one.get("/r/%0d%0aforged", headers={"user-agent": "x\x1b]0;y"})
        await one.do("move", move="5")
        await two.get(f"/api/rooms/{two.room}?token={two.token}")
    finally:
        log.removeHandler(kept)
        log.setLevel(logging.NOTSET)
    assert len(kept.lines) == 8
    for line in kept.lines:
        assert line.isprintable()
        assert json.loads(line)["what"] == "request"
    whole = "".join(kept.lines)
    for secret in (one.token, two.token, one.room, one.code):
        assert secret not in whole


def test_log_record_with_trace_is_one_line() -> None:
    try:
        raise RuntimeError("a\nb")
    except RuntimeError as error:
        trace = (type(error), error, error.__traceback__)
    record = logging.LogRecord("noughts", logging.ERROR, "", 0, "failed\nhere", (), trace)
    line = JsonLines().format(record)
    assert "\n" not in line
    assert "RuntimeError" in json.loads(line)["trace"]


# Unit tests


def test_bucket_refills_with_time() -> None:
    now = 0.0
    buckets = Buckets(Rate(2, 3), lambda: now)
    for _ in range(3):
        buckets.take("a")
    with pytest.raises(ApiError) as refused:
        buckets.take("a")
    assert (refused.value.status, refused.value.data) == (429, {"seconds": 1})
    buckets.take("b")
    now = 0.5
    buckets.take("a")
    with pytest.raises(ApiError):
        buckets.take("a")


def test_number_of_buckets_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    from noughts.interfaces.web.http import limits

    monkeypatch.setattr(limits, "MAX_BUCKETS", 2)
    buckets = Buckets(Rate(1, 1), lambda: 0.0)
    for key in "abc":
        buckets.take(key)
    buckets.take("a")  # forgotten, and therefore full
    with pytest.raises(ApiError):
        buckets.take("c")


def test_neighbourhood_groups_ipv6_addresses() -> None:
    assert neighbourhood("2001:db8::1") == neighbourhood("2001:db8::ffff:1")
    assert neighbourhood("2001:db8:0:1::1") != neighbourhood("2001:db8::1")
    assert neighbourhood("nowhere") == neighbourhood("") == "unknown"


def test_metrics_count_long_requests() -> None:
    metrics = Metrics()
    metrics.count_request({"type": "http", "method": "PROPFIND", "path": "/x"}, 405, 60.0)
    assert 'method="other",route="other",status="405"' in metrics.text()
    assert 'le="5.0"} 0' in metrics.text()
    assert 'le="+Inf"} 1' in metrics.text()


@served
async def test_shared_device_analyses_with_all_tokens(house: House) -> None:
    one, two = await house.pair()
    path = f"/api/rooms/{one.room}/analyse"
    assert (await one.post(path, {"tokens": [one.token]}, headers=one.proof)).status_code == 403
    assert (await one.post(path, {"tokens": ["x" * 32]}, headers=one.proof)).status_code == 403
    data = await one.post(path, {"tokens": [two.token], "seconds": 5}, headers=one.proof)
    assert data.json()["value"] == "draw"
