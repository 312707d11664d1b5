"""Puzzles in the API: the list, the puzzle of the day, and judged moves."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from itertools import chain

import pytest

from noughts.games.notation import format_move
from noughts.interfaces.presenting.puzzle_texts import puzzle_as_json
from noughts.interfaces.web.http.limits import UNLIMITED, Rate
from noughts.puzzles.shipped import all_puzzles, daily, find_puzzle, puzzles_of
from noughts.workers.messages import TaskFailure
from tests.interfaces.web.harness import House, served
from tests.puzzles.test_attempt import SLOWER

LONG = next(puzzle for puzzle in puzzles_of("connect4") if len(puzzle.solution()) == 3)
OTHER_WAY = next(puzzle for puzzle in all_puzzles() if puzzle.position == SLOWER.position)


def wrong(number: int) -> str:
    """Return a legal first move that is wrong."""
    puzzle, game = find_puzzle(number), find_puzzle(number).start()
    texts = (game.notation.format(move) for move in game.legal_moves())
    return next(text for text in texts if text != puzzle.solution()[0])


@served
async def test_puzzles_are_listed_by_game(house: House) -> None:
    data = (await house.guest().get("/api/puzzles?lang=ru")).json()
    listed = {game["name"]: [one["id"] for one in game["puzzles"]] for game in data["games"]}
    facts = [(one["id"], one["kind"], one["grade"]) for game in data["games"] for one in game["puzzles"]]
    assert sorted(facts) == [(puzzle.id, puzzle.kind, puzzle.grade) for puzzle in all_puzzles()]
    assert sorted(chain.from_iterable(listed.values())) == [puzzle.id for puzzle in all_puzzles()]
    assert listed["connect4"] == [puzzle.id for puzzle in puzzles_of("connect4")]
    assert next(game for game in data["games"] if game["name"] == "connect4")["title"] == "Четыре в ряд"


@served
async def test_page_of_missing_puzzle_returns_404(house: House) -> None:
    reader = {"accept": "text/html", "accept-language": "ru"}
    found = {
        number: (await house.guest().get(f"/puzzle/{number}", headers=reader)).status_code
        for number in (0, 1, len(all_puzzles()), len(all_puzzles()) + 1)
    }
    assert list(found.values()) == [404, 200, 200, 404]


@served
async def test_daily_puzzle_matches_command(house: House) -> None:
    days = [datetime.now(UTC).date()]
    data = (await house.guest().get("/api/puzzles/daily")).json()
    days.append(datetime.now(UTC).date())
    assert data in [puzzle_as_json(daily(day)) for day in days]
    assert list(data) == ["id", "game", "position", "side", "kind", "grade"]


@served
async def test_puzzle_hides_solution(house: House) -> None:
    data = (await house.guest().get(f"/api/puzzles/{LONG.id}")).json()
    assert {key: data[key] for key in puzzle_as_json(LONG)} == puzzle_as_json(LONG)
    assert (data["attempt"]["verdict"], data["attempt"]["left"], data["attempt"]["made"]) == (None, 3, 0)
    assert not {"solution", "line"} & {*data, *data["attempt"]}
    assert data["task"] == f"{LONG.side} to move and win in 3"


@served
async def test_right_moves_solve_puzzle(house: House) -> None:
    guest, line = house.guest(), LONG.line.split()
    for made in (1, 2, 3):
        moves = list(LONG.solution()[:made])
        data = (await guest.post(f"/api/puzzles/{LONG.id}/tries", {"moves": moves})).json()
        assert (data["verdict"], data["moves"]) == ("solved" if made == 3 else "right", moves)
        assert (data["made"], data["left"], data["is_solved"]) == (made, 3 - made, made == 3)
        assert [answer["move"] for answer in data["answers"]] == line[2 * made - 1 : 2 * made]
        assert data["position"]["ply"] == len(line[: 2 * made])
    assert data["sentence"] == f"Solved: {LONG.side} wins."
    assert data["legal"] == []
    assert data["position"]["lines"]


@served
async def test_wrong_move_is_refuted_and_not_played(house: House) -> None:
    body = {"moves": [wrong(LONG.id)]}
    data = (await house.guest().post(f"/api/puzzles/{LONG.id}/tries", body)).json()
    assert (data["verdict"], data["moves"], data["position"]["ply"]) == ("wrong", [], 0)
    assert [answer["side"] for answer in data["answers"]] == ["X" if LONG.side == "O" else "O"]
    assert "The move is taken back." in data["sentence"]


@served
async def test_alternative_winning_move_is_right(house: House) -> None:
    guest = house.guest()
    data = (await guest.post(f"/api/puzzles/{OTHER_WAY.id}/tries", {"moves": ["5", "1"]})).json()
    assert (data["verdict"], data["made"], data["left"]) == ("right", 2, 2)
    hint = (await guest.post(f"/api/puzzles/{OTHER_WAY.id}/hint", {"moves": ["5", "1"], "step": 1})).json()
    shown = (await guest.post(f"/api/puzzles/{OTHER_WAY.id}/solution", {"moves": ["5", "1"]})).json()
    assert hint["sentence"] == f"Hint: column {shown['moves'][0]['name']}."
    assert shown["position"]["lines"]


@served
async def test_hints_show_area_then_move(house: House) -> None:
    guest = house.guest()
    first = (await guest.post(f"/api/puzzles/{LONG.id}/hint", {"moves": []})).json()
    assert first["sentence"].startswith("Look at")
    assert first["cell"] is None
    second = (await guest.post(f"/api/puzzles/{LONG.id}/hint", {"moves": [], "step": 1})).json()
    assert second["sentence"] == f"Hint: column {LONG.solution()[0]}."
    assert isinstance(second["cell"], int)


@served
async def test_hint_skips_refuted_moves(house: House) -> None:
    columns = {format_move(LONG.start(), move) for move in LONG.start().legal_moves()}
    other = wrong(LONG.id)
    refuted = sorted(columns - {other})  # the right move stays
    data = (
        await house.guest().post(f"/api/puzzles/{LONG.id}/hint", {"moves": [], "refuted": refuted})
    ).json()
    named = set(re.findall(r"\d", data["sentence"]))
    assert named == {other, LONG.solution()[0]}
    answer = await house.guest().post(f"/api/puzzles/{LONG.id}/hint", {"moves": [], "refuted": ["no"]})
    assert answer.status_code == 422


@served
async def test_solution_is_sent_on_request(house: House) -> None:
    data = (await house.guest().post(f"/api/puzzles/{LONG.id}/solution", {"moves": []})).json()
    assert [move["move"] for move in data["moves"]] == LONG.line.split()
    assert data["sentence"] == f"Solution: columns {LONG.line}"


@pytest.mark.parametrize(
    ("moves", "code"),
    [(["no"], "notation-error"), (["9"], "notation-error"), (["WRONG", "1"], "illegal-move")],
)
@served
async def test_invalid_attempts_are_rejected(house: House, moves: list[str], code: str) -> None:
    moves = [wrong(LONG.id) if move == "WRONG" else move for move in moves]
    answer = await house.guest().post(f"/api/puzzles/{LONG.id}/tries", {"moves": moves})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, code)


@served
async def test_no_help_after_solution_or_wrong_move(house: House) -> None:
    guest = house.guest()
    for moves in (list(LONG.solution()), [wrong(LONG.id)]):
        answer = await guest.post(f"/api/puzzles/{LONG.id}/hint", {"moves": moves})
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "illegal-move")


@served
async def test_missing_puzzle_returns_404(house: House) -> None:
    guest = house.guest()
    assert (await guest.get("/api/puzzles/99999")).status_code == 404
    assert (await guest.post("/api/puzzles/99999/tries", {"moves": []})).status_code == 404
    assert (await guest.get("/api/puzzles/0")).status_code == 422


@served
async def test_attempt_without_moves_is_initial(house: House) -> None:
    data = (await house.guest().post(f"/api/puzzles/{LONG.id}/tries", {"moves": []})).json()
    assert (data["verdict"], data["made"]) == (None, 0)


@served(limits=replace(UNLIMITED, commands=Rate(0.001, 2)))
async def test_attempts_are_limited_by_address(house: House) -> None:
    guest = house.guest()
    statuses = [(await guest.post("/api/puzzles/1/tries", {"moves": []})).status_code for _ in range(3)]
    assert statuses == [200, 200, 429]


class _Broken:
    """A worker that never finds an answer."""

    def ask(self, task: object, *arguments: object, on_message: object, patience: float) -> object:
        on_message(TaskFailure("gone"))  # type: ignore[operator]
        return type("Thought", (), {"stop": lambda self: None})()

    def close(self) -> None:
        pass


@served(thinkers=lambda: [_Broken()])
async def test_failed_judgement_returns_503(house: House) -> None:
    answer = await house.guest().post(f"/api/puzzles/{LONG.id}/tries", {"moves": [wrong(LONG.id)]})
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "thinking-failed")
