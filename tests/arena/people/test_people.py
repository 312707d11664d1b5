"""Registering, signing in, names, devices and forgetting, with an attacker."""

import contextlib
from collections.abc import Iterator
from dataclasses import replace

import pytest

from noughts.arena.people.identities import DAY, MAX_DEVICES, MAX_SESSIONS, NewDevice, NewSession, SignedIn
from noughts.arena.people.keys import NONCE_MS, SignedProof, check_signature
from noughts.arena.people.people import People
from noughts.arena.seat_names import seat_name
from noughts.arena.setup import ONLINE, Setup
from noughts.arena.store.database import Database, open_database
from noughts.errors import DamagedStore, KeyRefused, NameRefused, NotFound
from tests.arena.people.signing import ORIGIN, Signer, register, restore, sign_in
from tests.databases import moves

WORDS, PHONE, LAPTOP, OTHER_WORDS, OTHER = map(Signer, range(1, 6))


class Clock:
    def __init__(self) -> None:
        self.at = 1_000_000_000_000

    def __call__(self) -> int:
        return self.at


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def database() -> Iterator[Database]:
    with contextlib.closing(open_database("sqlite://")) as store:
        yield store


@pytest.fixture
def people(database: Database, clock: Clock) -> People:
    return People(database, now=clock)


def session_of(people: People, made: NewSession) -> SignedIn:
    signed = people.session(made.secret)
    assert signed is not None
    return signed


@pytest.fixture
def ada(people: People) -> SignedIn:
    return session_of(people, register(people, "Ada", WORDS, PHONE))


def reason_of(action: object) -> str:
    assert callable(action)
    with pytest.raises(KeyRefused) as refused:
        action()
    return str(refused.value.reason)


# Registering and signing in


def test_registered_key_signs_in(people: People, ada: SignedIn) -> None:
    again = session_of(people, sign_in(people, PHONE))
    assert (again.identity, again.device.key) == (ada.identity, PHONE.key)
    assert again.identity.name == "Ada"
    assert people.session("x" * 32) is None


def test_repeated_registration_signs_in(people: People, ada: SignedIn) -> None:
    assert register(people, "Ada", WORDS, PHONE).identity.number == ada.identity.number
    assert reason_of(lambda: register(people, "Bea", WORDS, PHONE)) == "key-known"
    assert reason_of(lambda: register(people, "Ada", WORDS, LAPTOP)) == "key-known"


def test_numbers_are_not_in_sequence(people: People, ada: SignedIn) -> None:
    other = register(people, "Bea", OTHER_WORDS, OTHER).identity
    assert abs(other.number - ada.identity.number) > 1000
    assert 2**48 <= other.number < 2**49


def test_signature_works_once(people: People, ada: SignedIn) -> None:
    proof = PHONE.proof(people, "sign-in", PHONE.key)
    people.sign_in(PHONE.key, proof)
    assert reason_of(lambda: people.sign_in(PHONE.key, proof)) == "nonce"


def test_signature_expires(people: People, ada: SignedIn, clock: Clock) -> None:
    proof = PHONE.proof(people, "sign-in", PHONE.key)
    clock.at += NONCE_MS
    assert reason_of(lambda: people.sign_in(PHONE.key, proof)) == "nonce"


def test_foreign_nonce_is_refused(people: People, clock: Clock) -> None:
    with contextlib.closing(open_database("sqlite://")) as other:
        foreign = People(other, now=clock).nonce()
    own = people.nonce()
    changed = own[:-1] + ("A" if own[-1] == "B" else "B")
    for nonce in (foreign, "", "A" * 48, changed):
        proof = PHONE.proof(people, "sign-in", PHONE.key, nonce=nonce or "x")
        assert reason_of(lambda proof=proof: people.sign_in(PHONE.key, replace(proof))) == "nonce"


def test_all_workers_accept_a_nonce(people: People, ada: SignedIn, database: Database, clock: Clock) -> None:
    nonce = People(database, now=clock).nonce()
    assert people.sign_in(PHONE.key, PHONE.proof(people, "sign-in", PHONE.key, nonce=nonce)).secret


def test_unknown_key_and_wrong_signature_get_one_answer(people: People, ada: SignedIn) -> None:
    unknown = reason_of(lambda: sign_in(people, OTHER))
    nonce = people.nonce()
    forged = SignedProof(ORIGIN, nonce, OTHER.sign("sign-in", nonce, PHONE.key))
    assert unknown == reason_of(lambda: people.sign_in(PHONE.key, forged)) == "refused"


def test_signature_is_bound_to_origin_and_action(people: People, ada: SignedIn) -> None:
    nonce = people.nonce()
    elsewhere = PHONE.sign("sign-in", nonce, PHONE.key, origin="https://evil.example")
    assert reason_of(lambda: people.sign_in(PHONE.key, SignedProof(ORIGIN, nonce, elsewhere))) == "refused"
    other_action = PHONE.sign("forget", nonce, PHONE.key)
    assert reason_of(lambda: people.sign_in(PHONE.key, SignedProof(ORIGIN, nonce, other_action))) == "refused"


@pytest.mark.parametrize("key", ["", "A", "A" * 42, "A" * 44, "+" * 43, "A" * 42 + "B", "é" * 43])
def test_other_texts_are_no_keys(key: str) -> None:
    assert reason_of(lambda: check_signature(key, PHONE.sign("sign-in", "n"), b"")) == "refused"


def test_device_must_sign_its_registration(people: People) -> None:
    nonce = people.nonce()
    facts = ("Ada", WORDS.key, PHONE.key, "Test")
    stolen = NewDevice(PHONE.key, "Test", WORDS.sign("register", nonce, *facts))
    proof = WORDS.proof(people, "register", *facts, nonce=nonce)
    assert reason_of(lambda: people.register("Ada", WORDS.key, stolen, proof)) == "refused"


# Sessions


def test_session_ends_after_thirty_days(people: People, clock: Clock) -> None:
    made = register(people, "Ada", WORDS, PHONE)
    clock.at += 30 * DAY - 1
    assert people.session(made.secret) is not None
    clock.at += 1
    assert people.session(made.secret) is None


def test_sign_out_ends_one_session(people: People, ada: SignedIn) -> None:
    one, two = sign_in(people, PHONE).secret, sign_in(people, PHONE).secret
    people.sign_out(one)
    assert people.session(one) is None
    assert people.session(two) is not None


def test_device_has_few_sessions(people: People, ada: SignedIn, clock: Clock) -> None:
    made = []
    for _ in range(MAX_SESSIONS + 2):
        clock.at += 1
        made.append(sign_in(people, PHONE).secret)
    assert [people.session(secret) is not None for secret in made] == [False] * 2 + [True] * MAX_SESSIONS


def test_secrets_are_not_stored(people: People, database: Database) -> None:
    made = register(people, "Ada", WORDS, PHONE)
    with database.reading() as connection:
        assert made.secret not in str([dict(row) for row in connection.rows("SELECT * FROM sessions")])


def test_altered_session_is_reported(people: People, database: Database) -> None:
    made = register(people, "Ada", WORDS, PHONE)
    with database.writing() as connection:
        connection.change("UPDATE sessions SET expires = expires + 1")
    with pytest.raises(DamagedStore):
        people.session(made.secret)


# Names


def test_name_belongs_to_one_key(people: People, ada: SignedIn) -> None:
    for name in ("Ada", "ADA", "Аdа", "A d a"):
        with pytest.raises(NameRefused, match="taken"):
            register(people, name, OTHER_WORDS, OTHER)
    assert people.check_name("ada", ada.identity.number) == "ada"
    found = people.find("ADA")
    assert found is not None
    assert found.number == ada.identity.number


def test_rename_is_possible_once_a_month(people: People, ada: SignedIn, clock: Clock) -> None:
    def rename(name: str) -> str | None:
        return people.rename(ada, name, PHONE.proof(people, "rename", name)).name

    assert rename("Bea") == "Bea"
    clock.at += 30 * DAY - 1
    assert reason_of(lambda: rename("Cleo")) == "renamed-lately"
    clock.at += 1
    assert rename("Cleo") == "Cleo"
    assert register(people, "Ada", OTHER_WORDS, OTHER).identity.name == "Ada"


def test_cookie_alone_changes_nothing(people: People, ada: SignedIn) -> None:
    """A thief has the session, and a device key of another identity."""
    thief = OTHER
    assert reason_of(lambda: people.rename(ada, "Eve", thief.proof(people, "rename", "Eve"))) == "refused"
    assert reason_of(lambda: people.export(ada, thief.proof(people, "export"))) == "refused"
    assert reason_of(lambda: people.forget(ada, "Ada", thief.proof(people, "forget", "Ada"))) == "refused"
    asked, _ = ask(people, thief)
    approved = thief.proof(people, "add-device", asked, thief.key)
    assert (
        reason_of(lambda: people.answer_request(ada, asked, thief.key, approved, is_approved=True))
        == "refused"
    )
    proof = thief.proof(people, "new-words", OTHER_WORDS.key)
    signed = OTHER_WORDS.sign("new-words", proof.nonce, OTHER_WORDS.key)
    assert reason_of(lambda: people.replace_words(ada, OTHER_WORDS.key, signed, proof)) == "refused"


def test_unused_name_is_released_after_a_year(people: People, ada: SignedIn, clock: Clock) -> None:
    clock.at += 365 * DAY - 1
    with pytest.raises(NameRefused, match="taken"):
        register(people, "Ada", OTHER_WORDS, OTHER)
    clock.at += 1
    assert register(people, "Ada", OTHER_WORDS, OTHER).identity.name == "Ada"
    assert people.names([ada.identity.number]) == {}
    back = session_of(people, sign_in(people, PHONE))
    assert back.identity.name is None
    assert people.rename(back, "Adah", PHONE.proof(people, "rename", "Adah")).name == "Adah"


def test_name_in_rated_games_is_not_released(
    people: People, ada: SignedIn, clock: Clock, database: Database
) -> None:
    seats = {"X": seat_name(ada.identity.number), "O": "Wei"}
    assert people.games_of(ada.identity.number) == []
    game = database.add_game(Setup("tictactoe", seats, origin=ONLINE))
    assert people.games_of(ada.identity.number) == [game]
    with database.writing() as connection:
        connection.change("UPDATE game_identities SET rated = TRUE")
    clock.at += 1000 * DAY
    with pytest.raises(NameRefused, match="taken"):
        people.check_name("Ada")


def test_visit_keeps_a_name(people: People, ada: SignedIn, clock: Clock) -> None:
    clock.at += 20 * DAY
    people.visit(ada)
    clock.at += 350 * DAY
    with pytest.raises(NameRefused, match="taken"):
        people.check_name("Ada")


# Devices


def ask(people: People, device: Signer, label: str = "Firefox on Linux") -> tuple[str, str]:
    """Return the code and the secret of a request to add *device*."""
    proof = device.proof(people, "ask-to-be-added", device.key, label)
    made, secret = people.request_device(NewDevice(device.key, label, ""), proof)
    return made.code, secret


def answer(people: People, signed: SignedIn, code: str, device: Signer, *, is_approved: bool) -> None:
    action = "add-device" if is_approved else "refuse-device"
    people.answer_request(
        signed, code, device.key, PHONE.proof(people, action, code, device.key), is_approved=is_approved
    )


def test_approved_device_signs_in(people: People, ada: SignedIn) -> None:
    code, secret = ask(people, LAPTOP)
    assert people.request_with(code).label == "Firefox on Linux"
    assert people.request_of(secret).state == "waiting"
    assert reason_of(lambda: sign_in(people, LAPTOP)) == "refused"
    answer(people, ada, code, LAPTOP, is_approved=True)
    assert people.request_of(secret).state == "added"
    assert sign_in(people, LAPTOP).identity.number == ada.identity.number
    assert reason_of(lambda: people.request_with(code)) == "code"


def test_refused_or_late_device_gets_nothing(people: People, ada: SignedIn, clock: Clock) -> None:
    code, secret = ask(people, LAPTOP)
    answer(people, ada, code, LAPTOP, is_approved=False)
    assert people.request_of(secret).state == "refused"
    assert reason_of(lambda: sign_in(people, LAPTOP)) == "refused"
    late, late_secret = ask(people, OTHER)
    clock.at += 2 * 60 * 1000
    assert reason_of(lambda: answer(people, ada, late, OTHER, is_approved=True)) == "code"
    assert reason_of(lambda: people.request_of(late_secret)) == "code"


def test_approval_names_the_key_that_was_seen(people: People, ada: SignedIn) -> None:
    code, _ = ask(people, LAPTOP)
    assert reason_of(lambda: answer(people, ada, code, OTHER, is_approved=True)) == "code"
    assert reason_of(lambda: sign_in(people, OTHER)) == "refused"


def test_words_add_a_device(people: People, ada: SignedIn) -> None:
    made = restore(people, WORDS, LAPTOP, "Laptop")
    assert made.identity.number == ada.identity.number
    assert {device.label for device in people.devices(ada)} == {"Laptop", "Test"}
    assert reason_of(lambda: restore(people, OTHER_WORDS, OTHER)) == "words-unknown"


def test_key_of_another_identity_cannot_be_added(people: People, ada: SignedIn) -> None:
    register(people, "Bea", OTHER_WORDS, OTHER)
    assert reason_of(lambda: restore(people, WORDS, OTHER)) == "key-known"


def test_removed_device_loses_its_sessions_and_its_key(people: People, ada: SignedIn) -> None:
    made = restore(people, WORDS, LAPTOP)
    laptop = session_of(people, made)
    number = str(laptop.device.number)
    people.remove_devices(ada, [laptop.device.number], PHONE.proof(people, "remove-devices", number))
    assert people.session(made.secret) is None
    assert reason_of(lambda: sign_in(people, LAPTOP)) == "refused"
    assert reason_of(lambda: people.rename(laptop, "Eve", LAPTOP.proof(people, "rename", "Eve"))) == "refused"


def test_device_of_another_identity_cannot_be_removed(people: People, ada: SignedIn) -> None:
    other = register(people, "Bea", OTHER_WORDS, OTHER)
    numbers = [ada.device.number, other.device.number]
    with pytest.raises(NotFound):
        people.remove_devices(ada, numbers, PHONE.proof(people, "remove-devices", *map(str, numbers)))
    assert people.session(other.secret) is not None
    assert len(people.devices(ada)) == 1  # a refused action changes nothing


def test_devices_are_limited(people: People, ada: SignedIn) -> None:
    for seed in range(100, 99 + MAX_DEVICES):
        restore(people, WORDS, Signer(seed))
    assert reason_of(lambda: restore(people, WORDS, Signer(200))) == "too-many-devices"


def test_label_cannot_control_a_terminal(people: People, ada: SignedIn) -> None:
    restore(people, WORDS, LAPTOP, "\x1b[31mred\u202e" + "x" * 500)
    assert next(d.label for d in people.devices(ada) if d.key == LAPTOP.key).startswith(
        "\\x1b[31mred\\u202exxx"
    )


# Words, blocks, export, forgetting


def test_new_words_replace_the_old_ones(people: People, ada: SignedIn) -> None:
    people.note_checked_words(ada)
    new = Signer(50)
    proof = PHONE.proof(people, "new-words", new.key)
    changed = people.replace_words(ada, new.key, new.sign("new-words", proof.nonce, new.key), proof)
    assert (changed.key, changed.words_checked) == (new.key, None)
    assert reason_of(lambda: restore(people, WORDS, LAPTOP)) == "words-unknown"
    assert restore(people, new, LAPTOP).identity.number == ada.identity.number


def test_blocked_players_stay_apart(people: People, ada: SignedIn) -> None:
    bea = session_of(people, register(people, "Bea", OTHER_WORDS, OTHER))
    one, two = ada.identity.number, bea.identity.number
    people.block(ada, two)
    people.block(ada, two)
    assert people.are_apart(one, two)
    assert people.are_apart(two, one)
    assert list(people.blocked_by(one)) == [two]
    assert people.blocked_by(two) == {}
    people.block(bea, one, is_blocked=False)
    assert people.are_apart(one, two)
    people.block(ada, two, is_blocked=False)
    assert not people.are_apart(one, two)
    for nobody in (one, 17):
        with pytest.raises(NotFound):
            people.block(ada, nobody)


def test_export_has_everything_but_secrets(people: People, ada: SignedIn) -> None:
    people.set_asked_by(ada, "played")
    data = people.export(ada, PHONE.proof(people, "export"))
    assert data["identity"]["name"] == "Ada"
    assert data["identity"]["asked_by"] == "played"
    assert [device["label"] for device in data["devices"]] == ["Test"]
    assert len(data["sessions"]) == 1
    assert set(data) == {
        *("identity", "devices", "sessions", "blocks", "games"),
        *("reports", "bans", "conduct", "decisions"),
        *("inbox", "calls", "rooms", "pauses"),
    }


def test_forgetting_deletes_every_row_of_an_identity(
    people: People, ada: SignedIn, database: Database
) -> None:
    bea = session_of(people, register(people, "Bea", OTHER_WORDS, OTHER))
    people.block(ada, bea.identity.number)
    people.block(bea, ada.identity.number)
    assert reason_of(lambda: people.forget(ada, "Bea", PHONE.proof(people, "forget", "Bea"))) == "other-name"
    people.forget(ada, "ada", PHONE.proof(people, "forget", "ada"))
    number, secrets = str(ada.identity.number), [WORDS.key, PHONE.key]
    with database.reading() as connection:
        for table in ("identities", "devices", "sessions", "blocks", "device_requests"):
            rows = str([dict(row) for row in connection.rows(f"SELECT * FROM {table}")])
            assert number not in rows
            assert not any(secret in rows for secret in secrets)
    assert reason_of(lambda: sign_in(people, PHONE)) == "refused"
    assert people.names([ada.identity.number]) == {}
    assert register(people, "Ada", WORDS, PHONE).identity.number != ada.identity.number


def test_games_keep_the_number_of_a_forgotten_player(
    people: People, ada: SignedIn, database: Database
) -> None:
    seats = {"X": seat_name(ada.identity.number), "O": "Wei"}
    game = database.add_game(Setup("tictactoe", seats, origin=ONLINE))
    database.append(game, moves(3))
    before = database.load(game)
    people.forget(ada, "Ada", PHONE.proof(people, "forget", "Ada"))
    after = database.load(game)
    assert (before, before.digest) == (after, after.digest)


# Refusals


def test_unknown_people_and_choices_are_refused(people: People, ada: SignedIn) -> None:
    for number in (0, -1, 2**60, ada.identity.number + 1):
        assert people.get(number) is None
    for act in (
        lambda: people.block(ada, ada.identity.number, is_blocked=True),
        lambda: people.block(ada, 7, is_blocked=True),
        lambda: people.set_asked_by(ada, "friends"),
    ):
        with pytest.raises(NotFound):
            act()


def test_devices_and_blocks_have_limits(
    people: People, ada: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = session_of(people, restore(people, WORDS, PHONE))
    assert again.device == ada.device
    other = register(people, "Bea", OTHER_WORDS, OTHER).identity
    monkeypatch.setattr("noughts.arena.people.people.MAX_BLOCKS", 0)
    assert reason_of(lambda: people.block(ada, other.number, is_blocked=True)) == "too-many-blocks"
    monkeypatch.setattr("noughts.arena.people.people.MAX_REQUESTS", 0)
    proof = LAPTOP.proof(people, "ask-to-be-added", LAPTOP.key, "Test")
    device = NewDevice(LAPTOP.key, "Test", proof.signature)
    assert reason_of(lambda: people.request_device(device, proof)) == "too-many-requests"
