"""Reviews of finished games as event streams."""

import asyncio
import json
from dataclasses import replace
from math import inf
from typing import Any

import pytest

from noughts.games.catalogue import new_game
from noughts.games.notation import play_moves
from noughts.interfaces.presenting.review_texts import ReviewText
from noughts.interfaces.web import service
from noughts.interfaces.web.api import analysis
from noughts.interfaces.web.api.analysis import review_message
from noughts.interfaces.web.caches import SizedCache
from noughts.interfaces.web.live.computers import follow
from noughts.search.analysis import Progress
from noughts.search.analyst import Analyst
from noughts.search.explain.review import Review, ReviewedMove, review
from noughts.workers.messages import PendingResult, TaskFailure, TaskResult
from tests.interfaces.harness import SAY
from tests.interfaces.web.harness import Guest, House, served

LOST = "1 2 4 3 5 7 9"
"""O loses with the second move. X misses a win with the fifth and wins with the seventh."""


async def finish(house: House, moves: str = LOST, **asked: Any) -> Guest:
    one, two = await house.pair(**asked)
    for turn, move in enumerate(moves.split()):
        await (one, two)[turn % 2].do("move", move=move)
    await one.look()
    return one


async def look_back(guest: Guest, **headers: str) -> list[tuple[str, Any]]:
    """Return the events of the review of the game of *guest*."""
    answer = await guest.get(f"/api/games/{guest.state['game_id']}/review", headers=headers)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/event-stream")
    events = [event.split("\n") for event in answer.text.split("\n\n") if event]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in events]


@pytest.mark.slow
@served
async def test_review_is_streamed_in_parts(house: House) -> None:
    one = await finish(house)
    events = await look_back(one)
    assert {name for name, _ in events} == {"review"}
    result = [data for _, data in events]
    waiting = [data["waiting"] for data in result]
    assert waiting == sorted(waiting, reverse=True)
    assert waiting[-1] == 0
    moves = [move for data in result for move in data["moves"]]
    assert sorted(move["ply"] for move in moves) == [1, 2, 3, 4, 5, 6, 7]  # each once
    by_ply = {move["ply"]: move for move in moves}
    assert result[-1]["values"] == [0, 0, 1, 1, 1, 1, 1, 1]
    assert result[-1]["accuracy"] == {"X": 1.0, "O": 0.0}
    assert result[-1]["remarks"] == ["All values are proved."]
    lost, missed = by_ply[2], by_ply[5]
    assert (lost["changed"], lost["missed"], lost["leads_to"]) == (True, False, "X wins by move 7")
    assert (lost["better_leads_to"], lost["line"][0]["name"]) == ("a draw", "b2")
    assert (missed["changed"], missed["missed"]) == (False, True)
    (step,) = missed["line"]
    assert (step["side"], step["move"], step["cell"], step["changed"]) == ("X", "7", 6, {"6": "X"})
    assert step["lines"] == [[0, 3, 6]]


@served
async def test_review_is_cached_for_all_languages(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    one = await finish(house)
    found = (await look_back(one))[-1][1]
    monkeypatch.setattr(house.service, "analyst", Telling(TaskFailure("gone")))  # no further search
    ((_, data),) = await look_back(one, **{"accept-language": "ru"})
    assert data["values"] == found["values"]
    assert data["moves"][1]["better_leads_to"] == "ничья"


@pytest.mark.slow
@served
async def test_concurrent_readers_share_review(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    one = await finish(house)
    body: list[int] = []

    def count(*what: Any, **how: Any) -> Any:
        body.append(1)
        return follow(*what, **how)

    monkeypatch.setattr("noughts.interfaces.web.api.analysis.follow", count)
    monkeypatch.setattr(analysis, "BUSY_SECONDS", inf)
    first, second = await asyncio.gather(look_back(one), look_back(one))
    assert len(body) == 1
    assert first[-1][1]["values"] == second[-1][1]["values"] == [0, 0, 1, 1, 1, 1, 1, 1]
    assert [len(data["moves"]) for _, data in second] == [7]


def test_cache_keeps_last_used_values() -> None:
    cache = SizedCache[int, str](5, len)
    for number, text in enumerate(("ab", "cd", "e")):
        cache.put(number, text)
    assert cache.get(0) == "ab"
    cache.put(3, "f")
    assert [cache.get(number) for number in range(4)] == ["ab", None, "e", "f"]


@served
async def test_review_of_three_players_has_no_values(house: House) -> None:
    entry = await house.open(game="three")
    two, three = house.guest("192.0.2.2"), house.guest("192.0.2.3")
    for guest, name in ((two, "Wei"), (three, "Lin")):
        await guest.enter("/api/join", {"room": entry.room, "name": name})
    await entry.do("move", move="1")
    await two.do("resign")
    await entry.look()
    events = [data for _, data in await look_back(entry)]
    result, moves = events[-1], [move for data in events for move in data["moves"]]
    assert (result["waiting"], result["values"], result["accuracy"]) == (
        0,
        None,
        {"X": None, "O": None, "Z": None},
    )
    assert moves[0]["leads_to"] == "not proved"


class Telling:
    """A worker that sends given messages one after another."""

    def __init__(self, *messages: Any) -> None:
        self.messages = messages
        self.thoughts: list[PendingResult] = []

    def ask(self, task: Any, *arguments: Any, on_message: Any, patience: float) -> PendingResult:
        thought = PendingResult(on_message)
        self.thoughts.append(thought)
        for message in self.messages:
            thought.deliver(message)
        return thought

    def close(self) -> None:
        pass


FOUND = Review("X", (), (None,) * 7 + (1,), (None,) * 8, waiting=7)


@pytest.mark.slow
@served
async def test_failed_review_sends_failed_event(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    one = await finish(house)
    thinker = Telling(Progress("reviewing", result=FOUND), Progress("searching"), TaskFailure("gone"))
    monkeypatch.setattr(house.service, "analyst", thinker)
    events = await look_back(one)
    assert [name for name, _ in events] == ["review", "failed"]
    assert events[1][1]
    assert not house.service.reviews._values
    assert house.service.thoughts.awaited == 0


@served
async def test_review_finishes_early_when_others_wait(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    one = await finish(house)
    whole = Review("X", (), (None,) * 8, (None,) * 8)
    thinker = Telling(Progress("reviewing", result=FOUND), TaskResult(whole))
    monkeypatch.setattr(house.service, "analyst", thinker)
    monkeypatch.setattr(analysis, "BUSY_SECONDS", -1.0)
    monkeypatch.setattr(type(house.service.turns), "is_awaited", True)
    await look_back(one)
    assert thinker.thoughts[0].should_end
    assert not house.service.reviews._values  # more time would give more values


@pytest.mark.slow
@served
async def test_impossible_reviews_are_rejected(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    one = await finish(house)
    path = f"/api/games/{one.state['game_id']}/review"
    monkeypatch.setattr(service, "MAX_QUESTIONS", 0)
    answer = await one.get(path)
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "thinking-busy")
    assert (await one.get("/api/games/99/review")).status_code == 404
    large = await house.open(game="70x70:5", opponent="level:1")
    await large.do("resign")
    await large.look()
    answer = await large.get(f"/api/games/{large.state['game_id']}/review")
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "unsupported-rules")


@pytest.mark.slow
def test_updated_move_is_sent_again() -> None:
    game = new_game("tictactoe")
    play_moves(game, ["5", "2", "7", "3", "1", "9", "4"])
    found = review(game, Analyst().analyse)
    text = ReviewText(game, found, {"X": "Ada", "O": "Wei"}, letters=True)
    known = {move.ply: move for move in found.moves}

    def plies(known: dict[int, ReviewedMove]) -> list[int]:
        return [move.ply for move in review_message(text, SAY["en"], known).moves]

    assert plies({}) == [1, 2, 3, 4, 5, 6, 7]
    assert plies(known) == []
    assert plies(known | {4: replace(known[4], before=None)}) == [4]
