"""Tournaments of people through the API: entries, rounds, corrections, results, and lost networks."""

import asyncio
import csv
import io
import re
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from noughts.arena.tournament.people import BREAK_MS, PeopleTournament
from noughts.arena.tournament.people_repository import KEPT_MS
from noughts.arena.tournament.people_standings import table_of
from noughts.interfaces.presenting.i18n import LANGUAGES
from noughts.interfaces.web.http.limits import UNLIMITED, Rate
from tests.arena.people.signing import Signer
from tests.interfaces.harness import SAY
from tests.interfaces.web.harness import SECONDS, Guest, House, Listener, served
from tests.interfaces.web.test_api_identities import Browser

KEY = "key_" * 6
SETTINGS = {"title": " Class  6b ", "game": "tictactoe", "clock": {"base": 60_000}, "rounds": 3}


class Class:
    """A tournament with its organiser and guests."""

    def __init__(self, house: House, organiser: Guest, code: str) -> None:
        self.house, self.organiser, self.code = house, organiser, code
        self.path = f"/api/tournaments/{code}"
        self.pupils: dict[int, Guest] = {}
        self.tokens: dict[int, str] = {}

    @classmethod
    async def open(cls, house: House, *names: str, **settings: Any) -> "Class":
        organiser = house.guest()
        answer = await organiser.post("/api/tournaments", {**SETTINGS, **settings})
        assert answer.status_code == 201, answer.text
        opened = answer.json()
        organiser.token = opened["token"]
        made = cls(house, organiser, opened["code"])
        for name in names:
            await made.enter(name)
        return made

    async def enter(self, name: str) -> dict[str, Any]:
        pupil = self.house.guest(f"192.0.2.{10 + len(self.pupils)}")
        answer = await pupil.post(f"{self.path}/entries", {"name": name})
        assert answer.status_code == 201, answer.text
        entry: dict[str, Any] = answer.json()
        self.pupils[entry["number"]], self.tokens[entry["number"]] = pupil, entry["token"]
        return entry

    async def order(self, kind: str, status: int = 200, **more: Any) -> dict[str, Any]:
        body = {"command": {"type": kind, **more}}
        answer = await self.organiser.post(f"{self.path}/commands", body, headers=self.organiser.proof)
        assert answer.status_code == status, answer.text
        state: dict[str, Any] = answer.json()
        return state

    async def state(self, by: Guest | None = None) -> dict[str, Any]:
        guest = by or self.organiser
        state: dict[str, Any] = (await guest.get(self.path)).json()
        return state

    async def results(self) -> dict[str, Any]:
        results: dict[str, Any] = (await self.organiser.get(f"{self.path}/results")).json()
        return results

    async def pass_by(self, milliseconds: int) -> None:
        self.house.clock.instant += milliseconds
        await self.house.service.run(self.house.service.rooms.expiry.tick)
        await self.house.service.run(self.house.service.tournaments.tick)

    async def sit(self, number: int) -> dict[str, Any]:
        answer = await self.pupils[number].post(f"{self.path}/seat", {})
        assert answer.status_code == 200, answer.text
        seat: dict[str, Any] = answer.json()
        return seat

    async def resign(self, number: int) -> None:
        seat, pupil = await self.sit(number), self.pupils[number]
        pupil.room, pupil.token, pupil.place = seat["room"], seat["token"], seat["place"]
        if (await pupil.look())["ply"] == 0 and pupil.state["turn"] == ("X", "O")[seat["place"]]:
            await pupil.do("move", move="5")
        await pupil.do("resign")


@served
async def test_tournament_is_played_to_the_end(house: House) -> None:
    room = await Class.open(house, "Ada", "Wei", "Bob", "Olga")
    state = await room.order("start")
    assert (state["title"], state["game_title"], state["phase"]) == ("Class 6b", "Tic-tac-toe", "playing")
    assert (state["round"], state["rounds"], state["is_organiser"], state["you"]) == (1, 3, True, None)
    assert (await room.state(room.pupils[2]))["you"] == 2
    for _ in range(3):
        for pairing in (await room.state())["pairings"]:
            await room.resign(pairing["second"])
        await room.pass_by(0)
        await room.pass_by(BREAK_MS)
    results = await room.results()
    assert results["is_over"]
    assert len(results["pairings"]) == 6
    assert {tuple(pairing["points"]) for pairing in results["pairings"]} == {(1.0, 0.0)}
    assert sum(row["points"] for row in results["table"]) == 6
    assert all(pairing["has_begun"] for pairing in results["pairings"])
    text = (await room.organiser.get(f"{room.path}/results.csv", params={"lang": "ru"})).text
    rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))
    assert rows[0][:2] == [SAY["ru"]("people-place"), SAY["ru"]("people-player-head")]
    assert {row[1] for row in rows[1:]} == {"Ada", "Wei", "Bob", "Olga"}
    scores = (await room.organiser.get("/api/scores", params={"game": "tictactoe"})).json()
    assert "Ada" not in str(scores)


@served
async def test_tournament_without_a_result_has_no_winner(house: House) -> None:
    for system, names in (
        ("swiss", ("Ada", "Wei", "Bob")),
        ("arena", ("Ada", "Wei")),
        ("knockout", ("Ada", "Wei")),
    ):
        room = await Class.open(house, *names, system=system, computer="")
        await room.order("start")
        await room.order("end")
        for path in (f"/t/{room.code}", f"/t/{room.code}/screen"):
            page = (await house.guest().get(path)).text
            assert SAY["en"]("people-over") in page
            assert 'class="podium"' not in page


@served
async def test_seat_token_opens_each_game_of_the_player(house: House) -> None:
    room = await Class.open(house, "Ada", "Wei")
    early = await room.pupils[1].post(f"{room.path}/seat", {})
    assert early.json() == {"room": "", "place": 0, "token": "", "game": "tictactoe"}
    await room.order("start")
    seat = await room.sit(1)
    assert seat["token"] == room.tokens[1]
    state = (await room.pupils[1].get(f"/api/rooms/{seat['room']}")).json()
    assert (state["you"], state["counts"], state["may_abort"]) == (seat["place"], False, False)
    nobody = await house.guest("192.0.2.99").post(f"{room.path}/seat", {})
    assert (nobody.status_code, nobody.json()["error"]["code"]) == (401, "no-seat")


@served
async def test_player_cannot_publish_a_game(house: House) -> None:
    room = await Class.open(house, "Ada", "Wei")
    await room.order("start")
    await room.resign(1)
    refused = await room.pupils[1].ask("share")
    assert refused.json()["error"]["reason"] == "tournament-is-private"
    assert (await room.organiser.get("/api/games")).json()["games"] == []


@served
async def test_ended_tournament_replays_finished_games_alone(house: House) -> None:
    room = await Class.open(house, "Ada", "Wei", "Bob", "Olga")
    await room.order("start")
    ended, open_ = (await room.state())["pairings"]
    await room.resign(ended["second"])
    seat, pupil = await room.sit(open_["first"]), room.pupils[open_["first"]]
    pupil.room, pupil.token, pupil.place = seat["room"], seat["token"], seat["place"]
    await pupil.do("move", move="5")
    await room.pass_by(0)
    await room.order("end")
    for number, count in ((ended["first"], 1), (open_["first"], 0)):
        page = await room.pupils[number].get(f"/t/{room.code}")
        assert page.text.count('href="/g/') == count


@served
async def test_only_the_organiser_may_command(house: House) -> None:
    room = await Class.open(house, "Ada", "Wei")
    stranger = house.guest("192.0.2.99")
    for path, body in (
        ("commands", {"command": {"type": "start"}}),
        ("entries/1", {"state": "removed"}),
        ("entries/1/token", {}),
        ("late", {"name": "Zoe"}),
        ("token", {"token": "x" * 32}),
    ):
        for guest in (stranger, room.pupils[2]):
            answer = await guest.post(f"{room.path}/{path}", body)
            assert (answer.status_code, answer.json()["error"]["code"]) == (403, "not-organiser"), path
    assert (await room.state())["phase"] == "open"
    assert not (await room.state(stranger))["is_organiser"]


@served
async def test_secret_link_opens_the_tournament_elsewhere(house: House) -> None:
    room = await Class.open(house, "Ada", "Wei")
    elsewhere = house.guest("192.0.2.98")
    proof = await elsewhere.post(f"{room.path}/token", {"token": room.organiser.token})
    assert proof.json()["is_organiser"]
    assert (await elsewhere.post(f"{room.path}/commands", {"command": {"type": "pause"}})).status_code == 200
    phone = house.guest("192.0.2.97")
    assert (await phone.post(f"{room.path}/token", {"token": room.tokens[2]})).json()["you"] == 2
    fresh = await elsewhere.post(f"{room.path}/entries/2/token", {})
    assert fresh.json()["name"] == "Wei"
    assert (await room.state(phone))["you"] is None
    missing = await elsewhere.post(f"{room.path}/entries/9/token", {})
    assert missing.status_code == 404


@served
async def test_players_and_the_organiser_change_entries(house: House) -> None:
    room = await Class.open(house, "Ada", "Wei")
    assert (await room.enter("ada"))["name"] == "ada (2)"
    pupil = room.pupils[3]
    state = (await pupil.post(f"{room.path}/entries/3", {"name": "Zoe"})).json()
    assert state["players"][2]["name"] == "Zoe"
    await room.order("start")
    refused = await pupil.post(f"{room.path}/entries/3", {"name": "Eve"})
    assert refused.json()["error"]["reason"] == "tournament-begun"
    for status in ("resting", "in", "removed"):
        state = (await pupil.post(f"{room.path}/entries/3", {"state": status})).json()
        assert state["players"][2]["state"] == status
    organiser = room.organiser
    renamed = await organiser.post(f"{room.path}/entries/1", {"name": "Ann"}, headers=organiser.proof)
    assert renamed.json()["players"][0]["name"] == "Ann"
    unknown = await organiser.post(f"{room.path}/entries/9", {"name": "Ann"}, headers=organiser.proof)
    assert unknown.status_code == 404


@served
async def test_new_device_goes_on_with_the_running_game(house: House) -> None:
    room = await Class.open(house, "Ada", "Wei")
    await room.order("start")
    seat, lost = await room.sit(1), room.pupils[1]
    lost.room, lost.token = seat["room"], seat["token"]
    fresh = await room.organiser.post(f"{room.path}/entries/1/token", {}, headers=room.organiser.proof)
    phone = house.guest("192.0.2.77")
    phone.token = fresh.json()["token"]
    seat = (await phone.post(f"{room.path}/seat", {}, headers=phone.proof)).json()
    phone.room, phone.place = seat["room"], seat["place"]
    assert (seat["room"], seat["token"]) == (lost.room, phone.token)
    assert (await phone.look())["you"] == seat["place"]
    await phone.do("say", phrase="hello")
    gone = await lost.get(f"/api/rooms/{lost.room}", headers=lost.proof)
    assert (gone.status_code, gone.json()["error"]["code"]) == (403, "not-your-seat")


@served
async def test_earlier_token_does_not_get_the_seat_back(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker may not have heard of the new token yet."""
    room = await Class.open(house, "Ada", "Wei")
    await room.order("start")
    lost = room.pupils[1]
    stale = house.service.tournaments.look(room.code)
    fresh = await room.organiser.post(f"{room.path}/entries/1/token", {}, headers=room.organiser.proof)
    phone = house.guest("192.0.2.77")
    phone.token = fresh.json()["token"]
    seat = (await phone.post(f"{room.path}/seat", {}, headers=phone.proof)).json()
    with monkeypatch.context() as patched:
        patched.setattr(house.service.tournaments, "newest", lambda _: stale)
        gone = await lost.post(f"{room.path}/seat", {})
    assert (gone.status_code, gone.json()["error"]["code"]) == (401, "no-seat")
    phone.room, phone.place = seat["room"], seat["place"]
    assert (await phone.look())["you"] == seat["place"]


@served
async def test_late_entry_is_the_organisers_after_half(house: House) -> None:
    room = await Class.open(house, "Ada", "Wei", rounds=1)
    await room.order("entry", is_open=False)
    closed = await house.guest().post(f"{room.path}/entries", {"name": "Zoe"})
    assert closed.json()["error"]["reason"] == "entry-closed"
    late = await room.organiser.post(
        f"{room.path}/late", {"name": "Zoe", "key": KEY}, headers=room.organiser.proof
    )
    again = await room.organiser.post(
        f"{room.path}/late", {"name": "Zoe", "key": KEY}, headers=room.organiser.proof
    )
    assert late.json() == again.json()
    await room.order("entry", is_open=True)
    await room.enter("Bob")
    assert (await room.order("pause"))["phase"] != "over"
    await room.order("resume")
    await room.order("start")
    await room.order("end")
    await room.order("pause", status=422)


@served
async def test_correction_pairs_the_next_round_again(house: House) -> None:
    room = await Class.open(house, "Ada", "Wei", "Bob", "Olga")
    await room.order("start")
    first = (await room.state())["pairings"]
    for pairing in first:
        await room.order("correct", pairing=pairing["number"], result="1-0")
    state = await room.order("start")
    second = state["pairings"]
    page = (await room.organiser.get(f"/t/{room.code}/organiser", params={"lang": "en"})).text
    assert re.findall(r'data-pairing="(\d+)" .*?data-again="(\d)"', page) == [
        (str(one["number"]), again) for again, games in (("0", second), ("1", first)) for one in games
    ]
    assert "<h2>Round 1</h2>" in page
    state = await room.order("correct", pairing=first[0]["number"], result="draw")
    await room.pass_by(BREAK_MS)
    assert not {one["number"] for one in second} & {one["number"] for one in (await room.state())["pairings"]}
    missing = await room.order("correct", status=404, pairing=99, result="draw")
    assert missing["error"]["code"] == "not-found"


@served
async def test_unplayable_tournament_is_refused(house: House) -> None:
    guest = house.guest()
    for wrong, code in (
        ({"game": "three"}, "two-sides-only"),
        ({"game": "nonsense"}, "not-found"),
        ({"computer": "nobody"}, "not-found"),
        ({"rounds": 16}, "invalid"),
        ({"opening": "swap2", "game": "tictactoe"}, None),
    ):
        answer = await guest.post("/api/tournaments", {**SETTINGS, **wrong})
        assert answer.status_code in (404, 422), wrong
        assert code is None or answer.json()["error"]["code"] == code
    one = (await guest.post("/api/tournaments", {**SETTINGS, "title": "", "key": KEY})).json()
    two = (await guest.post("/api/tournaments", {**SETTINGS, "title": "", "key": KEY})).json()
    assert one == two
    state = (await guest.get(f"/api/tournaments/{one['code']}")).json()
    assert state["title"] == SAY["en"]("people-untitled")


@served(limits=replace(UNLIMITED, commands=Rate(0.001, 3)))
async def test_changes_of_one_entry_are_limited(house: House) -> None:
    room = await Class.open(house, "Ada", "Wei")
    names = [f"Ada {number}" for number in range(4)]
    answers = [await room.pupils[1].post(f"{room.path}/entries/1", {"name": name}) for name in names]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert (await room.pupils[2].post(f"{room.path}/entries/2", {"name": "Wei 2"})).status_code == 200


@served(limits=replace(UNLIMITED, joins=Rate(0.001, 4)))
async def test_unknown_code_is_not_found_and_guessing_is_limited(house: House) -> None:
    room, guest = await Class.open(house), house.guest()
    for code in ("AAAAAA", "12", "aaaaaa"):
        answer = await guest.get(f"/api/tournaments/{code}")
        assert (answer.status_code, answer.json()["error"]["what"]) == (404, "tournament"), answer.text
    page = await guest.get("/t/AAAAAA", headers={"accept": "text/html"})
    assert page.status_code == 404
    statuses = [(await guest.get("/api/tournaments/BBBBBB")).status_code for _ in range(2)]
    assert statuses == [404, 429]
    assert (await guest.get(room.path)).status_code == 200


class Texts(Listener):
    """A reader of a stream whose events are not the states of a room."""

    def _take_in(self, text: str) -> None:
        self.texts += text.split("\n\n")

    async def wait_for(self, part: str) -> None:
        async with asyncio.timeout(SECONDS):
            while not any(part in text for text in self.texts):
                await asyncio.sleep(0.01)


@served
async def test_stream_sends_each_new_version(house: House) -> None:
    room = await Class.open(house)
    listener = Texts(house.app, "192.0.2.1", {}, f"{room.path}/events", "")
    listener.start()
    await listener.wait_for("event: change\ndata: 0")
    await room.enter("Ada")
    await listener.wait_for("event: change\ndata: 1")
    house.service.end_streams()
    await listener.stop()
    assert listener.status == 200
    assert house.service.people_streams.count == 0
    late = Texts(house.app, "192.0.2.1", {"last-event-id": "1"}, f"{room.path}/events", "")
    late.start()
    await late.stop()
    assert not any("change" in text for text in late.texts)


@served
async def test_game_with_a_computer_has_no_help(house: House) -> None:
    room = await Class.open(house, "Ada", "Wei", "Bob", computer="random")
    await room.order("start")
    [odd] = [one["first"] for one in (await room.state())["pairings"] if not one["second"]]
    seat, pupil = await room.sit(odd), room.pupils[odd]
    pupil.room, pupil.token, pupil.place = seat["room"], seat["token"], seat["place"]
    assert (await pupil.look())["unaided"]
    refused = await pupil.post(f"/api/rooms/{pupil.room}/analyse", {"seconds": 1}, headers=pupil.proof)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "game-goes-on")
    answer = await pupil.ask("take-back")
    assert answer.json()["error"]["reason"] == "tournament"
    page = await pupil.get(f"/t/{room.code}", params={"lang": "en"})
    assert "The computer is here." in page.text
    [pair] = [one for one in (await room.state())["pairings"] if one["second"]]
    await room.order("correct", pairing=pair["number"], result="draw")
    screen = await room.organiser.get(f"/t/{room.code}/screen", params={"lang": "en"})
    assert '<span class="cut" dir="auto">computer</span>' in screen.text


@pytest.mark.parametrize("language", LANGUAGES)
@served
async def test_pages_are_complete_in_each_language(house: House, language: str) -> None:
    room = await Class.open(house, "Ada", "Wei", "Bob", computer="random")
    pages = [("", room.pupils[1]), ("", house.guest("192.0.2.9")), ("/screen", room.organiser)]
    pages += [("/organiser", room.organiser), ("/organiser", room.pupils[1])]

    async def check() -> str:
        texts = ""
        for path, guest in pages:
            answer = await guest.get(f"/t/{room.code}{path}", params={"lang": language})
            assert answer.status_code == 200, answer.text
            assert not re.search(r">\s*people-[a-z-]+\s*<", answer.text), path
            texts += answer.text
        return texts

    say = SAY[language]
    assert say("people-in") in await check()
    await room.order("start")
    assert say("people-to-board") in await check()
    await room.order("pause")
    assert say("people-is-paused") in await check()
    for pairing in (await room.state())["pairings"]:
        await room.order("correct", pairing=pairing["number"], result="draw")
    await room.order("start")
    rest = await room.pupils[1].post(f"{room.path}/entries/1", {"state": "resting"})
    assert rest.status_code == 200
    assert say("people-you-rest") in await check() or say("people-rests") in await check()
    await room.order("end")
    assert say("people-tie-swiss") in await check()
    for path in ("/t", "/t/new"):
        answer = await room.organiser.get(path, params={"lang": language})
        assert not re.search(r">\s*people-[a-z-]+\s*<", answer.text)


@served
async def test_pages_show_the_other_systems(house: House) -> None:
    for system, clock in (("arena", {"per_move": 7_000}), ("knockout", {"base": 90_000, "increment": 1_000})):
        room = await Class.open(house, "Ada", "Wei", "Bob", system=system, clock=clock)
        await room.order("start")
        for path in ("", "/screen", "/organiser"):
            answer = await room.organiser.get(f"/t/{room.code}{path}")
            assert SAY["en"]("people-standings") in answer.text
        for pairing in (await room.state())["pairings"]:
            if pairing["points"] is None:
                await room.order("correct", pairing=pairing["number"], result="1-0")
        await room.order("end")
        assert (await room.organiser.get(f"/t/{room.code}")).status_code == 200
        rows = (await room.organiser.get(f"{room.path}/results.csv")).text.removeprefix("\ufeff").splitlines()
        head, *table = csv.reader(rows)
        scores = [SAY["en"]("people-points")] if system == "arena" else []
        assert head[2 : -4 if system == "knockout" else -3] == scores
        assert len(table) == 3
        if system == "knockout":
            points = {row["number"]: row["points"] for row in (await room.results())["table"]}
            assert sorted(points.values()) == [0, 0, 1]


@served
async def test_deleted_names_are_replaced_by_numbers(house: House) -> None:
    room = await Class.open(house, "Ada", "=Wei")
    assert "'=Wei" in (await room.organiser.get(f"{room.path}/results.csv")).text
    await room.order("start")
    await room.resign((await room.state())["pairings"][0]["second"])
    await room.pass_by(0)
    await room.pass_by(KEPT_MS)
    names = [player["name"] for player in (await room.state())["players"]]
    assert names == ["Player 1", "Player 2"]
    text = (await house.guest().get(f"/t/{room.code}", headers={"accept-language": "en"})).text
    assert "Player 1" in text
    assert "Wei" not in text


@served
async def test_qr_picture_of_a_tournament(house: House) -> None:
    guest = house.guest()
    good = await guest.get("/qr.svg", params={"link": "http://192.0.2.1:8000/t/ABCDEF"})
    assert good.headers["content-type"] == "image/svg+xml"
    assert (await guest.get("/qr.svg", params={"link": "http://x/t/abc"})).status_code == 404
    room = await guest.get("/r/somewhere", params={"t": "ABCDEF"})
    assert "/t/ABCDEF" in room.text
    assert "people-back" not in (await guest.get("/r/somewhere", params={"t": '"><b>'})).text


# Lost networks


async def play_with_lost_networks(house: House, pupils: int, rounds: int, seed: int) -> None:
    """Play a Swiss tournament. Each minute another fifth of the pupils has no network."""
    chance = Random(seed)
    names = [f"Pupil {number}" for number in range(pupils)]
    room = await Class.open(house, *names, rounds=rounds, computer="random")
    await room.order("start")
    offline: set[int] = set()
    lost = 0
    for step in range(40 * rounds):
        if step % 6 == 0:
            offline = set(chance.sample(list(room.pupils), pupils // 5))
        stored = house.service.tournaments.look(room.code)
        for pairing in stored.tournament.open_pairings:
            for number in pairing.players:
                if number and number not in offline:
                    await _play_if_on_turn(room, number, chance)
            lost += bool(offline & set(pairing.players))
        await room.pass_by(10_000)
        if house.service.tournaments.look(room.code).tournament.ended is not None:
            break
    stored = house.service.tournaments.look(room.code)
    tournament = stored.tournament
    assert lost > 0
    assert tournament.ended is not None
    assert tournament.rounds == rounds
    assert {entry.state.value for entry in tournament.entries.values()} == {"in"}
    for number in range(1, rounds + 1):
        playing = Counter(entry for pairing in tournament.round(number) for entry in pairing.players if entry)
        assert playing == dict.fromkeys(tournament.entries, 1)
    pairs = Counter(frozenset(p.players) for p in tournament.pairings.values() if p.is_between_people)
    assert set(pairs.values()) == {1}
    again = PeopleTournament.replay(tournament.terms, stored.log)
    assert table_of(again) == table_of(tournament)
    kinds = Counter(event.kind for event in stored.log)
    assert kinds["result"] == len(tournament.pairings)
    results = (await room.organiser.get(f"{room.path}/results")).json()
    assert [row["points"] for row in results["table"]] == [row.points / 2 for row in table_of(again)]


async def _play_if_on_turn(room: Class, number: int, chance: Random) -> None:
    """Let a pupil with a network play a random move, as the page of the game does."""
    seat, pupil = await room.sit(number), room.pupils[number]
    pupil.room, pupil.token, pupil.place = seat["room"], seat["token"], seat["place"]
    state = await pupil.look()
    if state["phase"] == "playing" and state["legal"]:
        await pupil.ask("move", move=chance.choice(state["legal"])["move"])


@pytest.mark.slow
@served
async def test_pupils_lose_only_clock_time_without_a_network(house: House) -> None:
    await play_with_lost_networks(house, 7, 2, 1)


@pytest.mark.weekly
@served
async def test_41_pupils_play_with_lost_networks(house: House) -> None:
    await play_with_lost_networks(house, 41, 5, 2)


@served
async def test_keys_enter_once_and_blocked_players_never_meet(house: House) -> None:
    room = await Class.open(house)
    made = [Browser(house.guest(f"192.0.2.{60 + one}"), Signer(60 + one)) for one in range(3)]
    people: list[dict[str, Any]] = []
    for browser, name in zip(made, ("Ada", "Wei", "Bob"), strict=True):
        people.append((await browser.register(name, Signer(80 + len(people)))).json()["identity"])
        entered = await browser.guest.post(f"{room.path}/entries", {"name": "anything"})
        assert entered.json()["name"] == name
    again = await made[0].guest.post(f"{room.path}/entries", {"name": "anything"})
    assert again.json()["number"] == 1
    blocked = await made[0].guest.post("/api/identities/me/block", {"identity": people[1]["number"]})
    assert blocked.status_code < 300, blocked.text
    await room.order("start")
    stored = house.service.tournaments.look(room.code)
    pairs = {frozenset(pairing.players) for pairing in stored.tournament.open_pairings}
    assert frozenset({1, 2}) not in pairs


@served()
async def test_list_has_public_tournaments_of_a_month(house: House) -> None:
    async def listed() -> list[tuple[Any, ...]]:
        found = (await house.guest().get("/api/tournaments")).json()["tournaments"]
        return [tuple(one[name] for name in ("title", "phase", "players", "may_enter")) for one in found]

    cheat = 'x","visibility":"public"'
    await Class.open(house, "Eve", title=cheat)
    assert await listed() == []
    over = await Class.open(house, "Ada", "Wei", title="Over", visibility="public")
    await over.order("start")
    await over.order("end")
    open_ = await Class.open(house, "Ada", title="Open", visibility="public")
    running = await Class.open(house, "Ada", "Wei", title="Running", visibility="public")
    await running.order("start")
    entries = [
        ("Running", "playing", 2, True),
        ("Open", "open", 1, True),
        ("Over", "over", 2, False),
    ]
    assert await listed() == entries
    for language, say in SAY.items():
        page = (await house.guest().get(f"/tournaments?lang={language}")).text
        late = say("people-list-enter", stage=say("people-round-of", round=1, rounds=3))
        assert f'href="/t/{open_.code}"' in page
        assert all(words in page for words in (say("people-list-open"), late))
        assert "Eve" not in page
    house.clock.instant += KEPT_MS + 1
    assert await listed() == []


@served()
async def test_title_of_public_tournament_imitates_no_staff(house: House) -> None:
    for visibility, status in (("public", 422), ("link", 201)):
        body = {**SETTINGS, "title": "Cup of the Adm1n", "visibility": visibility}
        answer = await house.guest().post("/api/tournaments", body)
        assert answer.status_code == status


@served
async def test_title_has_no_invisible_characters(house: House) -> None:
    for title in ("\u200b", "Cup \u202e6b", "Cup\x07"):
        refused = await house.guest().post("/api/tournaments", {**SETTINGS, "title": title})
        assert (refused.status_code, refused.json()["error"]["code"]) == (422, "name-refused")


@served
async def test_fault_of_tournaments_stops_nothing_else(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    calls = Counter[str]()

    def fail() -> dict[str, int]:
        calls["tournaments"] += 1
        raise KeyError("version")

    def due(*_: object) -> list[str]:
        calls["rooms"] += 1
        return []

    monkeypatch.setattr(house.service.tournaments.store, "running", fail)
    monkeypatch.setattr(house.service.rooms.store, "due", due)
    async with asyncio.timeout(SECONDS):
        while min(calls["tournaments"], calls["rooms"]) < 3:
            await asyncio.sleep(0.02)
    assert [record.message for record in caplog.records if record.name == "noughts.web"].count(
        "tournaments"
    ) == 1
