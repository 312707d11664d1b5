"""Reports, operators and bans over HTTP: what each person may see and do, and what nobody may find out."""

import re
from typing import Any

from noughts.arena.clock import Clock
from noughts.arena.commands import Resign, WrittenMove
from noughts.arena.people.conduct import Conduct
from noughts.arena.people.moderation import MAX_REPORTS, CaseDecision
from noughts.arena.seat_names import seat_name
from noughts.arena.table import HUMAN, Terms
from noughts.arena.tournament.people_repository import PeopleStore
from noughts.interfaces.web.http.replies import SESSION_COOKIE
from noughts.interfaces.web.live.resignations import examine_resignations
from tests.arena.people.signing import Signer
from tests.interfaces.web.harness import ORIGIN, Guest, House, Json, served
from tests.interfaces.web.test_api_identities import Browser, code_of
from tests.interfaces.web.test_api_rated import RATED

OPERATOR = Signer(61)
ROOM: Json = {"game": "tictactoe", "opponent": "friend", "visibility": "link"}
OPERATED = {"operators": (OPERATOR.key,)}


class Person(Browser):
    """A browser with a key, and the number of its player."""

    number = 0


async def person(house: House, name: str, number: int, words: Signer | None = None) -> Person:
    """Return a browser with the key of *name*."""
    made = Person(house.guest(f"192.0.2.{number}"), Signer(20 + number))
    answer = await made.register(name, words or Signer(40 + number))
    assert answer.status_code == 201, answer.text
    made.number = answer.json()["identity"]["number"]
    return made


async def played(house: House, one: Person, two: Person, **room: Any) -> int:
    """Let two players finish a private game, and return its number."""
    await one.guest.enter("/api/rooms", {**ROOM, **room, "name": "x"})
    await two.guest.enter("/api/join", {"code": one.guest.code, "name": "x"})
    await one.guest.do("move", move="5")
    await two.guest.do("move", move="1")
    state = await two.guest.do("resign")
    return int(state["game_id"])


async def report(sender: Person, reported: Person, reason: str = "leaving", **more: Any) -> Any:
    return await sender.guest.post("/api/reports", {"identity": reported.number, "reason": reason, **more})


async def decide(operator: Person, about: Person, decision: str, note: str = "") -> Any:
    path = f"/api/reports/cases/{about.number}/decision"
    facts = (str(about.number), decision, note)
    return await operator.signed(path, "decide", facts, decision=decision, note=note)


@served(**OPERATED)
async def test_report_is_seen_decided_and_logged(house: House) -> None:
    ada, bob, olga = (
        await person(house, "Ada", 1),
        await person(house, "Bob", 2),
        await person(house, "Olga", 3, OPERATOR),
    )
    game = await played(house, ada, bob)
    assert (await report(ada, bob, game=game)).status_code == 201
    (case,) = (await olga.guest.get("/api/reports/cases")).json()["cases"]
    assert (case["identity"], case["name"], case["reason"], case["reports"]) == (
        bob.number,
        "Bob",
        "leaving",
        1,
    )
    shown = (await olga.guest.get(f"/api/reports/cases/{bob.number}")).json()
    (evidence,) = shown["evidence"]
    assert (evidence["reporter"], evidence["game"], evidence["moves"]) == ("Ada", game, ["5", "1"])
    assert evidence["sentence"] == "Resigned after 2 moves. Lost."
    answer = await olga.guest.get("/operator")
    page = answer.text
    assert answer.headers["cache-control"] == "no-store"
    assert "1 case waits" in page
    decided = await decide(olga, bob, "no-rated", "Third case")
    assert decided.status_code == 200, decided.text
    assert decided.json()["sentence"] == "Olga kept “Bob” from rated games"
    assert (await olga.guest.get("/api/reports/cases")).json() == {"cases": [], "titles": []}
    (row,) = (await olga.guest.get("/api/reports/log")).json()["actions"]
    assert (row["decision"], row["note"]) == ("no-rated", "Third case")
    (own,) = (await ada.guest.get("/api/reports")).json()["reports"]
    assert own["is_decided"]
    (ban,) = (await bob.guest.get("/api/reports")).json()["bans"]
    assert (ban["scope"], ban["ends"] - ban["since"]) == ("rated", 2 * 86_400_000)


@served
async def test_operator_pages_do_not_exist_without_operators(house: House) -> None:
    olga = await person(house, "Olga", 3, OPERATOR)
    for path in OPERATOR_PATHS:
        assert (await olga.guest.get(path)).status_code == 404


OPERATOR_PATHS = ("/operator", "/api/reports/cases", "/api/reports/cases/5", "/api/reports/log")


@served(**OPERATED)
async def test_operator_pages_answer_strangers_like_unknown_addresses(house: House) -> None:
    ada = await person(house, "Ada", 1)
    olga = await person(house, "Olga", 3, OPERATOR)
    for guest in (house.guest(), ada.guest):
        for path in OPERATOR_PATHS:
            answer = await guest.get(path, headers={"accept": "application/json"})
            unknown = await guest.get("/api/unknown", headers={"accept": "application/json"})
            assert (answer.status_code, answer.content) == (404, unknown.content)
        page, nowhere = [
            (await guest.get(path, headers={"accept": "text/html"})) for path in ("/operator", "/x")
        ]
        assert (page.status_code, page.text) == (404, nowhere.text)
    refused = await decide(ada, olga, "ban")
    assert code_of(refused) == (404, "no-such-path")
    assert (await olga.guest.get("/api/reports/log")).json()["actions"] == []


@served(**OPERATED)
async def test_stolen_cookie_of_an_operator_decides_nothing(house: House) -> None:
    bob, olga = await person(house, "Bob", 2), await person(house, "Olga", 3, OPERATOR)
    thief = Person(house.guest("198.51.100.7"), Signer(71))
    thief.guest.client.cookies.set(SESSION_COOKIE, olga.guest.client.cookies[SESSION_COOKIE])
    assert (await thief.guest.get("/api/reports/cases")).status_code == 200
    assert code_of(await decide(thief, bob, "ban")) == (403, "key-refused")
    assert code_of(await decide(olga, olga, "nothing")) == (
        403,
        "key-refused",
    )  # nor does the operator about herself
    nonce = await olga.nonce()
    facts = (str(bob.number), "warn", "")
    body = {
        "decision": "ban",
        "nonce": nonce,
        "signature": olga.device.sign("decide", nonce, *facts, origin=ORIGIN),
    }
    other = await olga.guest.post(f"/api/reports/cases/{bob.number}/decision", body)
    assert code_of(other) == (403, "key-refused")  # the signature is for another decision
    assert (await olga.guest.get("/api/reports/log")).json()["actions"] == []


@served
async def test_report_reveals_no_game_and_no_player(house: House) -> None:
    ada, bob, wei = [
        await person(house, name, number) for number, name in enumerate(("Ada", "Bob", "Wei"), 1)
    ]
    private = await played(house, bob, wei)
    hidden, missing = await report(ada, bob, game=private), await report(ada, bob, game=private + 99)
    assert code_of(hidden) == code_of(missing) == (404, "not-found")
    assert code_of(await report(ada, ada, "name")) == (404, "not-found")
    ada.number += 1
    assert code_of(await report(bob, ada, "name")) == (404, "not-found")
    assert code_of(await report(ada, bob)) == (403, "key-refused")  # this reason needs a game
    assert (
        await house.guest().post("/api/reports", {"identity": bob.number, "reason": "name"})
    ).status_code == 401
    public = await played(house, bob, wei, visibility="public")
    assert (await report(ada, bob, game=public)).status_code == 201
    assert (await report(ada, bob, game=public)).json() == {"number": 1}  # a repeated one


@served
async def test_reports_of_a_key_and_of_an_address_are_limited(house: House) -> None:
    ada, eve = await person(house, "Ada", 1), Person(house.guest("192.0.2.1"), Signer(81))
    assert (await eve.register("Eve", Signer(82))).status_code == 201  # at the same address
    others = [await person(house, f"Player{letter}", 10 + n) for n, letter in enumerate("abcdefg")]
    sent = [await report(ada, other, "name") for other in others[: MAX_REPORTS + 1]]
    assert [answer.status_code for answer in sent] == [201] * MAX_REPORTS + [403]
    assert sent[-1].json()["error"]["reason"] == "too-many-reports"
    assert code_of(await report(eve, others[6], "name")) == (403, "key-refused")
    stored = house.service.database
    with stored.reading() as connection:
        addresses = set(connection.column("SELECT address FROM reports"))
        (first,) = connection.column(
            "SELECT secret FROM server_secrets WHERE name LIKE :like", like="address%"
        )
    assert all(len(address) == 64 for address in addresses)
    house.clock.instant += 8 * 86_400_000
    assert (await report(ada, others[6], "name")).status_code == 201
    with stored.reading() as connection:
        assert len([one for one in connection.column("SELECT address FROM reports") if one]) == 1
        assert first not in connection.column("SELECT secret FROM server_secrets")


@served(**OPERATED)
async def test_name_that_was_taken_away_is_free_for_nobody(house: House) -> None:
    bob, olga, eve = await person(house, "Rude", 2), await person(house, "Olga", 3, OPERATOR), Signer(90)
    decided = await decide(olga, bob, "new-name")
    assert decided.json()["sentence"] == "Olga took the name of “Rude” away"
    me = await bob.me()
    assert me is not None
    assert me["name"] is None
    assert code_of(await bob.signed("/api/identities/me/name", "rename", ("rude",), name="rude")) == (
        422,
        "name-refused",
    )
    thief = Person(house.guest("192.0.2.9"), Signer(91))
    assert code_of(await thief.register("Rude", eve)) == (422, "name-refused")
    assert (
        await bob.signed("/api/identities/me/name", "rename", ("Robert",), name="Robert")
    ).status_code == 200
    assert "taken your name away" in (await bob.guest.get("/api/reports")).json()["decisions"][0]


@served(**OPERATED)
async def test_forgotten_player_leaves_only_numbers_in_the_log(house: House) -> None:
    ada, bob, olga = (
        await person(house, "Ada", 1),
        await person(house, "Bob", 2),
        await person(house, "Olga", 3, OPERATOR),
    )
    await report(ada, bob, "name")
    await report(bob, ada, "name")
    await decide(olga, bob, "ban", "Bob is a liar")
    data = (await bob.signed("/api/identities/me/export", "export")).json()
    assert [len(data[name]) for name in ("reports", "bans", "conduct", "decisions")] == [1, 1, 0, 1]
    assert (await bob.signed("/api/identities/me/forget", "forget", ("Bob",), name="Bob")).status_code == 200
    (row,) = (await olga.guest.get("/api/reports/log")).json()["actions"]
    assert (row["note"], row["sentence"]) == ("", f"Olga banned “Player {bob.number}”")
    with house.service.database.reading() as connection:
        left = [
            connection.column(f"SELECT COUNT(*) AS n FROM {table}")[0]
            for table in ("reports", "bans", "conduct")
        ]
    assert left == [0, 0, 0]


@served
async def test_resignation_in_a_proved_win_is_noted(house: House) -> None:
    ada, bob = await person(house, "Ada", 1), await person(house, "Bob", 2)
    service = house.service
    terms = Terms("tictactoe", (HUMAN, HUMAN), clock=Clock(base=60_000), first_move=30_000)
    for moves, loser, kind in (
        ("1425", 0, Conduct.SANDBAGGED),
        ("1425", 1, Conduct.GOOD),
        ("5", 0, Conduct.GOOD),
    ):
        room = service.rooms.open(terms, seat_name(ada.number), 0).room
        service.rooms.join(seat_name(bob.number), room=room)
        for number, command in enumerate([*map(WrittenMove, moves), Resign()]):
            place = loser if isinstance(command, Resign) else number % 2
            version = service.rooms.look(room).version
            service.rooms.submit(room, place, command, version=version, key=str(number)).result()
        needed = (service.moderation, service.database, service.run, service.turns, service.analyst)
        assert await examine_resignations(*needed) == 1
        newest = max(service.moderation.conduct((ada, bob)[loser].number))
        assert newest[2] is kind
    assert await examine_resignations(*needed) == 0


async def opened_tournament(
    house: House, title: str, visibility: str = "public", by: Guest | None = None
) -> str:
    """Open a tournament as a guest, and return its code."""
    settings = {"title": title, "game": "connect4", "visibility": visibility}
    opened = await (by or house.guest()).post("/api/tournaments", settings)
    assert opened.status_code == 201, opened.text
    return str(opened.json()["code"])


async def decide_title(operator: Person, code: str, decision: str, title: str = "", note: str = "") -> Any:
    path, facts = f"/api/reports/titles/{code}/decision", (code, decision, title, note)
    return await operator.signed(path, "decide-title", facts, decision=decision, title=title, note=note)


async def listed(house: House) -> list[str]:
    return [one["title"] for one in (await house.guest().get("/api/tournaments")).json()["tournaments"]]


@served(**OPERATED)
async def test_reported_title_is_changed_and_then_unlisted(house: House) -> None:
    ada, bob = await person(house, "Ada", 1), await person(house, "Bob", 2)
    olga = await person(house, "Olga", 3, OPERATOR)
    organiser = house.guest()
    code = await opened_tournament(house, "Rude cup", by=organiser)
    for one, number in ((ada, 1), (bob, 2), (ada, 1)):  # a repeated report is the same one
        sent = await one.guest.post(f"/api/tournaments/{code}/report", {})
        assert (sent.status_code, sent.json()) == (201, {"number": number})
    queue = (await olga.guest.get("/api/reports/cases")).json()
    (case,) = queue["titles"]
    assert (queue["cases"], case["code"], case["title"], case["reports"]) == ([], code, "Rude cup", 2)
    assert (case["reporters"], case["is_public"]) == (["Bob", "Ada"], True)
    assert "Reported by: Bob, Ada." in (await olga.guest.get("/operator")).text
    decided = await decide_title(olga, code, "retitle", "Kind  cup", "Rude word")
    assert decided.json()["sentence"] == "Olga renamed the tournament “Rude cup” to “Kind cup”"
    assert await listed(house) == ["Kind cup"]
    assert (await olga.guest.get("/api/reports/cases")).json() == {"cases": [], "titles": []}
    (own,) = (await ada.guest.get("/api/reports")).json()["reports"]
    assert (own["identity"], own["name"], own["reason"]) == (None, "Kind cup", "tournament")
    assert own["is_decided"]
    assert (await bob.guest.get("/api/reports")).json()["decisions"] == []
    assert (await decide_title(olga, code, "retitle", "\u200b")).status_code == 422
    decided = await decide_title(olga, code, "unlist")
    assert decided.json()["sentence"] == "Olga took the tournament “Kind cup” out of the list"
    assert await listed(house) == []
    state = (await house.guest().get(f"/api/tournaments/{code}")).json()
    assert (state["title"], state["may_enter"]) == ("Kind cup", True)
    log = (await olga.guest.get("/api/reports/log")).json()["actions"]
    assert [(one["decision"], one["note"]) for one in log] == [("unlist", ""), ("retitle", "Rude word")]
    page = (await olga.guest.get(f"/operator?title={code}")).text
    assert "The tournament is not in the list." in page
    assert "Olga renamed the tournament" in page
    page = (await organiser.get(f"/t/{code}/organiser")).text
    assert "An operator changed the title" in page
    assert "An operator took the tournament out of the list" in page


@served
async def test_list_has_titles_that_another_program_changed(house: House) -> None:
    """The command line changes a tournament in the database, and the server hears nothing of it."""
    code, store = await opened_tournament(house, "Rude cup"), PeopleStore(house.service.database)
    assert await listed(house) == ["Rude cup"]
    with house.service.database.writing() as connection:
        before = store.read(connection, code, to_change=True)
        after = before.draft()
        after.events += after.tournament.retitle("Kind cup", house.clock.instant)
        store.save(connection, before, after)
    assert await listed(house) == ["Kind cup"]


@served(**OPERATED)
async def test_only_titles_of_public_tournaments_are_reported(house: House) -> None:
    ada, olga = await person(house, "Ada", 1), await person(house, "Olga", 3, OPERATOR)
    public = await opened_tournament(house, "Cup")
    private = await opened_tournament(house, "Class", "link")
    for code in (private, "BCDFGH"):
        assert code_of(await ada.guest.post(f"/api/tournaments/{code}/report", {})) == (404, "not-found")
        assert (await ada.guest.get(f"/t/{code}/report")).status_code == 404
    assert code_of(await house.guest().post(f"/api/tournaments/{public}/report", {})) == (401, "no-key")
    assert "Only players with a key" in (await house.guest().get(f"/t/{public}/report")).text
    assert "Report the title “Cup”" in (await ada.guest.get(f"/t/{public}/report")).text
    assert f"/t/{public}/report" in (await ada.guest.get(f"/t/{public}")).text
    assert "/report" not in (await ada.guest.get(f"/t/{private}")).text
    assert (await olga.guest.get("/operator?title=BCDFGH")).status_code == 404
    assert code_of(await decide_title(ada, public, "unlist")) == (404, "no-such-path")
    olga.device = Signer(71)
    assert code_of(await decide_title(olga, public, "unlist")) == (403, "key-refused")
    assert await listed(house) == ["Cup"]


@served
async def test_banned_player_enters_no_tournament(house: House) -> None:
    ada, bob = await person(house, "Ada", 1), await person(house, "Bob", 2)
    clock = {"base": 180_000, "increment": 2_000}
    opened = await house.guest().post(
        "/api/tournaments", {"title": "Club", "game": "connect4", "clock": clock}
    )
    assert opened.status_code == 201, opened.text
    path = f"/api/tournaments/{opened.json()['code']}/entries"
    house.service.moderation.decide(None, ada.number, CaseDecision.BAN)
    assert code_of(await ada.guest.post(path, {"name": "Ada"})) == (403, "key-refused")
    assert (await bob.guest.post(path, {"name": "Bob"})).status_code == 201
    stored = house.service.tournaments.look(opened.json()["code"])
    assert [one.identity for one in stored.people.values()] == [bob.number]
    assert (await bob.signed("/api/identities/me/forget", "forget", ("Bob",), name="Bob")).status_code == 200
    with house.service.database.reading() as connection:
        assert connection.column("SELECT identity FROM people_entries") == [None]


@served(**OPERATED)
async def test_undone_ratings_are_counted_again(house: House) -> None:
    ada, bob = await person(house, "Ada", 1), await person(house, "Bob", 2)
    olga = await person(house, "Olga", 3, OPERATOR)
    games = []
    for moves in (("h8", "i9"), ("h8", "g7")):
        await ada.guest.enter("/api/rooms", RATED)
        await bob.guest.enter("/api/join", {"code": ada.guest.code, "name": "x"})
        await ada.guest.do("move", move=moves[0])
        await bob.guest.do("move", move=moves[1])
        games.append(int((await bob.guest.do("resign"))["game_id"]))

    async def counted() -> list[int]:
        answers = [(await house.guest().get(f"/api/ratings/{one.number}")).json() for one in (ada, bob)]
        return [sum(rating["games"] for rating in answer["ratings"]) for answer in answers]

    assert await counted() == [2, 2]
    for game in games[1:]:
        assert (await report(ada, bob, "losing", game=game)).status_code == 201
    page = (await olga.guest.get(f"/operator?case={bob.number}")).text
    assert "1 rated game is in these reports." in page
    decided = await decide(olga, bob, "undo-ratings")
    assert decided.json()["sentence"] == "Olga undid ratings of “Bob”, games: 1"
    assert await counted() == [1, 1]
    with house.service.database.reading() as connection:
        assert connection.column("SELECT game_id FROM rated_games") == games[:1]


@served
async def test_report_page_lists_common_games_and_hides_others(house: House) -> None:
    ada, bob, wei = [
        await person(house, name, number) for number, name in enumerate(("Ada", "Bob", "Wei"), 1)
    ]
    game, other = await played(house, ada, bob), await played(house, bob, wei)
    page = (await ada.guest.get(f"/person/{bob.number}/report")).text
    assert f'<option value="{game}">' in page
    assert f'<option value="{other}">' not in page
    assert "Only players with a key" in (await house.guest().get(f"/person/{bob.number}/report")).text
    for path in (f"/person/{ada.number}/report", "/person/7/report", "/person/x/report"):
        assert (await ada.guest.get(path)).status_code == 404


@served(**OPERATED)
async def test_pages_of_reports_are_for_their_readers(house: House) -> None:
    ada, bob = await person(house, "Ada", 1), await person(house, "Bob", 2)
    olga = await person(house, "Olga", 3, OPERATOR)
    game = await played(house, ada, bob)
    assert (await report(ada, bob, game=game)).status_code == 201
    form = await ada.guest.get(f"/person/{bob.number}/report")
    assert form.status_code == 200
    assert f"{game}, Tic-tac-toe" in form.text
    assert (await bob.guest.get("/person/nobody/report")).status_code == 404
    assert (await bob.guest.get(f"/person/{bob.number}/report")).status_code == 404
    assert (await ada.guest.get("/operator")).status_code == 404
    assert (await olga.guest.get("/operator?case=7")).status_code == 404
    queue = await olga.guest.get(f"/operator?case={bob.number}&log=all")
    assert queue.status_code == 200
    assert "Bob" in queue.text
    for page, name, sent in ((form, "report", "Send"), (queue, "decide", "")):
        (inside,) = re.findall(
            rf'<form[^>]* id="{name}" data-identity="{bob.number}"[^>]*>(.*)</form>', page.text, re.DOTALL
        )
        assert f'id="{name}-error" class="error-text" role="alert"' in inside
        (button,) = re.findall('<button type="submit" class="primary">(.+?)</button>', inside)
        assert sent in button
        assert inside.count("<fieldset") == 1


@served
async def test_pages_without_scripts_have_their_content(house: House) -> None:
    ada = await person(house, "Ada", 1)
    for path in ("/games", "/tv", "/puzzles", "/key", "/ratings", "/words/ru.json", f"/person/{ada.number}"):
        assert (await ada.guest.get(path)).status_code == 200, path
    assert (await ada.guest.get("/api/rooms")).json()["pause"] is None
    assert (await ada.guest.post("/api/pause", {"days": 3})).status_code == 200
    assert (await ada.guest.get("/api/rooms")).json()["pause"]["ends"] > 0
    assert (await ada.guest.post("/api/pause", {"days": 0})).status_code == 200
    assert (await ada.guest.post("/api/pause", {"days": 1})).status_code == 422
