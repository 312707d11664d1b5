"""Pages of tournaments: the list, a running tournament, and its games with their replays."""

import json
import re
from contextlib import closing
from dataclasses import replace
from html import unescape
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from noughts.arena.commands import MakeMove, Swap
from noughts.arena.digest import canonical_json
from noughts.arena.tournament.broadcast import STALE_MS, RunningGames
from noughts.arena.tournament.plan import Entrant, OpeningPlan, PlayLimits
from noughts.arena.tournament.repository import Tournaments
from noughts.arena.tournament.tournament_runner import Tournament
from noughts.games.base import Game
from noughts.interfaces.web.pages import tournaments
from noughts.interfaces.web.pages.tiles import draw_tile
from noughts.interfaces.web.pages.tournaments import FollowedTournament, TournamentCache
from noughts.interfaces.web.service import Service
from tests.arena.tournament.stand_ins import RANDOM, ROUND, TWO, begin, find_again, log_of, play_missing
from tests.databases import new_database
from tests.interfaces.harness import SAY
from tests.interfaces.web.harness import House, served


@pytest.mark.slow
@served
async def test_running_tournaments_are_shown(house: House) -> None:
    guest, say = house.guest(), SAY["ru"]
    body = {"accept-language": "ru"}
    empty = (await guest.get("/tournaments", headers=body)).text
    assert say("web-no-tournaments") in empty
    tournament = begin(ROUND, house.service.database)
    play_missing(tournament, most=4)
    listed = (await guest.get("/tournaments", headers=body)).text
    assert f'<a href="/tournament/{tournament.number}">' in listed
    assert say("progress-tournament", done=4, count=12) in listed
    shown = (await guest.get(f"/tournament/{tournament.number}", headers=body)).text
    assert say("progress-tournament", done=4, count=12) in shown
    assert say("column-wins") in shown
    assert not re.search(r">\s*web-[a-z-]+\s*<", shown)
    play_missing(tournament)
    shown = (await guest.get(f"/tournament/{tournament.number}", headers=body)).text
    assert say("progress-tournament", done=12, count=12) in shown
    assert re.findall(r'href="/g/(\d+)"', shown) == [str(number) for number in range(12, 0, -1)]
    game = (await guest.get("/api/games/1", headers=body)).json()
    assert [player["name"] for player in game["players"]] == ["Rule", "Random"]


@served
async def test_missing_tournaments_return_404(house: House) -> None:
    guest = house.guest()
    for number in ("1", "0", "9999999999"):
        assert (await guest.get(f"/tournament/{number}")).status_code == 404
    assert (await guest.get("/tournament/one")).status_code == 404


@served
async def test_altered_tournament_is_hidden(house: House) -> None:
    database, guest = house.service.database, house.guest()
    first, second = begin(ROUND, database), begin(TWO, database)
    play_missing(first)
    play_missing(second)
    with database.writing() as connection:
        connection.change("UPDATE tournaments SET created = 7 WHERE id = 1")
        connection.change("UPDATE tournament_games SET digest = '' WHERE tournament_id = 2 AND number = 3")
    listed = (await guest.get("/tournaments")).text
    assert "/tournament/2" in listed
    assert "/tournament/1" not in listed
    for page in ("1", "1/1"):
        answer = await guest.get(f"/tournament/{page}")
        assert answer.status_code == 500
        assert 'role="alert"' in answer.text
    answer = await guest.get("/tournament/2")
    assert answer.status_code == 200
    assert SAY["en"].plural("web-damaged", 1) in answer.text


@served
async def test_tournament_cache_is_limited(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournaments, "MAX_REMEMBERED", 1)
    database, guest = house.service.database, house.guest()
    for plan in (ROUND, TWO):
        play_missing(begin(plan, database))
    for number in (1, 2, 1, 2, 2):
        assert (await guest.get(f"/tournament/{number}")).status_code == 200


def test_tournament_reader_blocks_no_other_tournament(tmp_path: Path) -> None:
    with closing(new_database(tmp_path / "games.db")) as database:
        for plan in (ROUND, TWO):
            begin(plan, database)
        counted = TournamentCache(cast(Service, SimpleNamespace(database=database, now=lambda: 1)))
        counted.details(1, SAY["en"])
        with counted._known[1].lock:
            assert counted.details(2, SAY["en"])["number"] == 2


@served
async def test_game_keeps_player_names_after_end(house: House) -> None:
    guest, level = house.guest(), Entrant("level:1", "level:1")
    tournament = begin(replace(TWO, players=(level, RANDOM)), house.service.database)
    play_on(house, tournament, g1=1)
    data = live_data((await guest.get("/tournament/1/1")).text)
    running = [player["name"] for player in data["players"]]
    assert data["heading"] == SAY["en"]("is-to-move", player=running[1])
    play_missing(tournament, most=1)
    ended = (await guest.get("/api/games/1")).json()["players"]
    assert running == [player["name"] for player in ended]
    assert "level:1" not in running


def test_slow_standings_are_updated_less_often(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Standings of hundreds of players take seconds, which would delay all other pages."""
    clock, works = [100.0], count(0, 5)
    monkeypatch.setattr(tournaments, "thread_time", lambda: next(works))
    monkeypatch.setattr(tournaments, "monotonic", lambda: clock[0])
    with closing(new_database(tmp_path / "games.db")) as database:
        tournament = begin(ROUND, database)
        followed, missing = FollowedTournament(find_again(ROUND, database)), []
        for now in (150.0, 199.9, 200.0, 201.0):
            play_missing(tournament, most=1)
            clock[0] = now
            followed.catch_up(len(tournament.ids))
            missing.append(followed.standings.missing)
    assert missing == [12, 12, 9, 9]


def play_on(house: House, tournament: Tournament, **moves: int | None) -> None:
    """Report running games, ``g1`` and others, with their numbers of events."""
    now = house.clock.instant
    numbers = {int(name.removeprefix("g")): count for name, count in moves.items()}
    games = [(number, now, log_of(tournament, number, count)) for number, count in numbers.items()]
    RunningGames(house.service.database, tournament.number).write(games, now)


def cards(text: str) -> list[tuple[str, int, str]]:
    """Return the running games on a page: their addresses, numbers of marks, and sentences."""
    found = re.findall(r'<li data-key="running-\d+"><a href="([^"]+)".*?</a></li>', text)
    parts = re.findall(r'<li data-key="running-\d+">(.*?)</li>', text)
    marks = [part.split('class="cap"')[0].count('href="#mark-') for part in parts]
    said = [re.findall(r"<small>(.*?)</small>", part)[0] for part in parts]
    return list(zip(found, marks, said, strict=True))


def live_data(text: str) -> Any:
    """Return the data of the page of a running game for its script."""
    return json.loads(unescape(re.findall(r"data-live='([^']*)'", text)[0]))


@served
async def test_running_games_are_shown_until_end(house: House) -> None:
    guest, say, body = house.guest(), SAY["ru"], {"accept-language": "ru"}
    tournament = begin(ROUND, house.service.database)

    async def shown(page: str = "/tournament/1") -> str:
        return (await guest.get(page, headers=body)).text

    play_on(house, tournament, g1=3, g2=0, g4=None)
    assert cards(await shown()) == [
        ("/tournament/1/1", 3, say("web-running-move", number=4)),
        ("/tournament/1/2", 0, say("web-running-move", number=1)),
        ("/tournament/1/4", 0, say("web-running-soon")),
    ]
    assert say("web-now-playing") in await shown()
    house.clock.instant += tournaments.SOON_MS
    assert say("web-running-unseen") in await shown()
    data = live_data(await shown("/tournament/1/1"))
    assert data["heading"] == say("is-to-move", player=tournament.assignment(1, 1).players[1].name)
    assert (len(data["moves"]), len(data["boards"]), data["turn"], data["clock"]) == (3, 4, "O", None)
    assert live_data(await shown("/tournament/1/4"))["about"] == say("web-running-unseen")
    assert live_data(await shown("/tournament/1/3"))["heading"] == say("web-running-none")
    play_missing(tournament, most=1)
    assert cards(await shown())[0] == ("/tournament/1/1", 3, say("web-over"))
    ended = await guest.get("/tournament/1/1")
    assert (ended.status_code, ended.headers["location"]) == (303, "/g/1")
    assert (await guest.get("/api/games/1")).json()["tournament"] == 1
    house.clock.instant += STALE_MS
    assert cards(await shown()) == []
    for path in ("/tournament/1/13", "/tournament/1/0", "/tournament/2/1", "/tournament/1/one"):
        assert (await guest.get(path)).status_code == 404


@served
async def test_running_game_has_clocks_and_swapped_sides(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest, now = house.guest(), house.clock.instant
    plan = replace(TWO, limits=PlayLimits(match_ms=60_000), openings=OpeningPlan("pie"))
    tournament = begin(plan, house.service.database)
    match = tournament.assignment(1, now).setup.replay(())
    events = [*match.apply("X", MakeMove((1, 1)), now + 1_000), *match.apply("O", Swap(), now + 3_000)]
    log = "".join(f"{canonical_json(event.values)}\n" for event in events)
    began = now + 20_000  # before that, programs were starting
    RunningGames(house.service.database, 1).write([(1, now, "")], began)
    house.clock.instant = began
    data = live_data((await guest.get("/tournament/1/1")).text)
    assert data["clock"] == {"left": {"X": 60_000, "O": 60_000}, "running": None}
    RunningGames(house.service.database, 1).write([(1, now, f"1\n{log}{began - now}\n")], began + 4_000)
    house.clock.instant = began + 5_000
    data = live_data((await guest.get("/tournament/1/1")).text)
    assert data["clock"] == {"left": {"X": 60_000, "O": 58_000}, "running": "O"}
    assert [(player["name"], player["is_to_move"]) for player in data["players"]] == [
        ("Random", False),
        ("Rule", True),
    ]
    monkeypatch.setattr(tournaments, "MAX_CELLS", 8)
    RunningGames(house.service.database, 1).write([(1, now + 1, log)], began + 4_000)
    assert live_data((await guest.get("/tournament/1/1")).text)["game"] is None


@served
async def test_invalid_live_logs_are_tolerated(house: House) -> None:
    guest, now = house.guest(), house.clock.instant
    tournament = begin(ROUND, house.service.database)
    over = log_of(tournament, 1, 100)
    logs = [over, "?", "[]\n", '[1,1,"move","X",{}]\n', '[1,1,"move","X",{"move":"77"}]\n']
    logs.append("[" * 100_000)
    games = [*enumerate(logs, 1), (0, over), (99, over)]
    RunningGames(house.service.database, 1).write([(number, now, log) for number, log in games], now)
    say = SAY["en"]
    shown = cards((await guest.get("/tournament/1")).text)
    assert [said for *_, said in shown] == [say("web-over"), *[say("web-running-soon")] * 5]
    data = live_data((await guest.get("/tournament/1/1")).text)
    assert (data["heading"], data["about"]) == ("Tic-tac-toe", say("web-over"))
    assert [len(line) for line in data["lines"]] == [3]


@served
async def test_tournament_of_unknown_game_has_page(
    house: House,
) -> None:
    """The page used to be missing until the end of the tournament."""
    guest, database, now = house.guest(), house.service.database, house.clock.instant
    plan = replace(ROUND, games=("elsewhere",))
    number = Tournaments(database).begin("elsewhere", plan.facts(), {}, now).number
    RunningGames(database, number).write([(1, now, None), (2, now, "[]")], now)
    answer = await guest.get(f"/tournament/{number}")
    assert (answer.status_code, cards(answer.text)) == (200, [])
    assert live_data((await guest.get(f"/tournament/{number}/1")).text)["game"] is None


@served
async def test_unchanged_running_game_is_not_redrawn(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    guest, drawn = house.guest(), list[str]()

    def note(game: Game, name: str, *, shows_last: bool) -> str:
        drawn.append(name)
        return draw_tile(game, name, shows_last=shows_last)

    monkeypatch.setattr(tournaments, "draw_tile", note)
    tournament = begin(ROUND, house.service.database)
    for moves in (1, 1, 2):
        play_on(house, tournament, g1=moves, g2=1)
        await guest.get("/tournament/1")
    assert drawn == ["running-1", "running-2", "running-1"]
