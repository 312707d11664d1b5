"""The inbox over the API: sentences in the reader's language, read marks, export and forgetting."""

from noughts.arena.people.inbox import InboxChanges, InboxNote, NoteKind
from noughts.arena.seat_names import seat_name
from tests.interfaces.web.harness import House, served
from tests.interfaces.web.test_api_identities import OTHER, OTHER_WORDS, browser, code_of


def _note(house: House, *notes: InboxNote) -> None:
    changes = InboxChanges()
    for note in notes:
        changes.add(note)
    with house.service.database.writing() as connection:
        changes.write(connection)


@served()
async def test_inbox_has_sentences_and_links(house: House) -> None:
    phone, other = browser(house), browser(house, OTHER, "192.0.2.2")
    assert code_of(await phone.guest.get("/api/inbox")) == (401, "no-key")
    ada = (await phone.register()).json()["identity"]["number"]
    bea = (await other.register("Bea", OTHER_WORDS)).json()["identity"]["number"]
    game = {"room": "abcdefghijklmnopqrst", "game": "reversi", "others": [seat_name(bea)]}
    _note(
        house,
        InboxNote(ada, NoteKind.TURN, "abcdefghijklmnopqrst", 5, {**game, "move": "27"}),
        InboxNote(ada, NoteKind.ENDED, "7", 4, {**game, "number": 7, "points": 1}),
        InboxNote(ada, NoteKind.REMINDER, "one", 3, {**game, "ends": 9}),
        InboxNote(ada, NoteKind.CHALLENGE, "1", 2, {"by": "Wei", "games": ["gomoku"], "is_gone": True}),
        InboxNote(ada, NoteKind.TOURNAMENT, "KQMABC", 1, {"code": "KQMABC", "game": "gomoku"}),
    )
    inbox = (await phone.guest.get("/api/inbox")).json()
    assert [note["sentence"] for note in inbox["notes"]] == [
        "Bea played c4. It is your turn.",
        "You won against Bea.",
        "Less than 12 hours are left for your move against Bea.",
        "Wei asked you for a game.",
        "The tournament KQMABC has begun.",
    ]
    assert [note["about"] for note in inbox["notes"]] == ["Reversi"] * 3 + ["Gomoku"] * 2
    links = [note["link"].partition("?")[0] for note in inbox["notes"]]
    assert links == [f"/r/{game['room']}", "/g/7", f"/r/{game['room']}", "/", "/t/KQMABC"]
    assert inbox["new"] == 5
    russian = (await phone.guest.get("/api/inbox?lang=ru")).json()["notes"][0]["sentence"]
    assert russian == "Bea: ход c4. Теперь ваш ход."
    read = (await phone.guest.post("/api/inbox/read", {"until": 3})).json()
    assert (read["new"], [note["is_new"] for note in read["notes"]]) == (2, [True, True, False, False, False])
    assert (await other.guest.get("/api/inbox")).json() == {"notes": [], "new": 0}
    data = (await phone.signed("/api/identities/me/export", "export")).json()
    assert data["inbox"][0]["kind"] == "turn"
    await phone.signed("/api/identities/me/forget", "forget", ("Ada",), name="Ada")
    assert house.service.inbox.notes(ada) == []
