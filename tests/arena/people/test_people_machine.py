"""People against a model: any order of actions of three people and a thief, with time passing."""

from dataclasses import dataclass, field

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from noughts.arena.look_alikes import shape
from noughts.arena.people.identities import DAY, NewDevice, NewSession
from noughts.arena.people.keys import SignedProof
from noughts.arena.people.people import People
from noughts.arena.store.database import open_database
from noughts.errors import KeyRefused, NameRefused, NotFound
from tests.arena.people.signing import Signer, register, restore, sign_in

WORDS = [Signer(seed) for seed in range(1, 4)]
DEVICES = [Signer(seed) for seed in range(11, 16)]
NAMES = ["Ada", "АDА", "Bea", "Bernd", "Bemd", "admin"]
MONTH, YEAR = 30 * DAY, 365 * DAY

words, devices, names = st.sampled_from(range(3)), st.sampled_from(range(5)), st.sampled_from(NAMES)


@dataclass
class Person:
    """The model of an identity."""

    number: int
    name: str | None
    seen: int
    renamed: int | None = None
    devices: set[int] = field(default_factory=set)


class Machine(RuleBasedStateMachine):
    """Sessions are (secret, end, device) in the model; ``used`` are signatures that were accepted."""

    def __init__(self) -> None:
        super().__init__()
        self.at = 1_000_000_000_000
        self.database = open_database("sqlite://")
        self.people = People(self.database, now=lambda: self.at)
        self.known: dict[int, Person] = {}
        self.sessions: dict[str, tuple[int, int]] = {}
        self.used: list[tuple[int, SignedProof]] = []

    def teardown(self) -> None:
        self.database.close()

    def owner(self, device: int) -> Person | None:
        return next((person for person in self.known.values() if device in person.devices), None)

    def is_free(self, name: str, mine: Person | None) -> bool:
        if name == "admin":
            return False
        holders = [p for p in self.known.values() if p.name is not None and shape(p.name) == shape(name)]
        return all(p is mine or p.seen + YEAR <= self.at for p in holders)

    def take(self, name: str, mine: Person | None) -> None:
        for person in self.known.values():
            if person is not mine and person.name is not None and shape(person.name) == shape(name):
                person.name = None

    def entered(self, made: NewSession, device: int) -> None:
        self.sessions[made.secret] = (device, self.at + MONTH)
        owner = self.owner(device)
        assert owner is not None
        assert owner.number == made.identity.number
        owner.seen = self.at

    def secret_of(self, device: int) -> str | None:
        valid = [s for s, (owned, end) in self.sessions.items() if owned == device and self.at < end]
        return valid[-1] if valid else None

    @rule(by=words, device=devices, name=names)
    def registers(self, by: int, device: int, name: str) -> None:
        known = self.known.get(by)
        is_again = known is not None and device in known.devices and known.name == name
        is_new = known is None and self.owner(device) is None and self.is_free(name, None)
        try:
            made = register(self.people, name, WORDS[by], DEVICES[device])
        except (KeyRefused, NameRefused):
            assert not is_again
            assert not is_new
            return
        assert is_again or is_new
        if is_new:
            self.take(name, None)
            self.known[by] = Person(made.identity.number, name, self.at, devices={device})
        self.entered(made, device)

    @rule(device=devices)
    def signs_in(self, device: int) -> None:
        if self.owner(device) is not None:
            self.entered(sign_in(self.people, DEVICES[device]), device)
            return
        with pytest.raises(KeyRefused, match="refused: refused"):
            sign_in(self.people, DEVICES[device])

    @rule(device=devices, steps=st.sampled_from([0, 1, 200_000]))
    def thief_repeats_a_signature(self, device: int, steps: int) -> None:
        proof = DEVICES[device].proof(self.people, "sign-in", DEVICES[device].key)
        if self.owner(device) is not None:
            self.entered(self.people.sign_in(DEVICES[device].key, proof), device)
            self.at += steps
            with pytest.raises(KeyRefused, match="nonce"):
                self.people.sign_in(DEVICES[device].key, proof)

    @rule(by=words, device=devices)
    def types_words(self, by: int, device: int) -> None:
        known, owner = self.known.get(by), self.owner(device)
        try:
            made = restore(self.people, WORDS[by], DEVICES[device])
        except KeyRefused:
            assert known is None or (owner is not None and owner is not known)
            return
        assert known is not None
        known.devices.add(device)
        self.entered(made, device)

    @rule(device=devices, new=devices, is_approved=st.booleans(), wait=st.sampled_from([0, 119_999, 120_000]))
    def adds_device(self, device: int, new: int, is_approved: bool, wait: int) -> None:
        signer, other = DEVICES[device], DEVICES[new]
        proof = other.proof(self.people, "ask-to-be-added", other.key, "New")
        asked, secret = self.people.request_device(NewDevice(other.key, "New", ""), proof)
        self.at += wait
        mine, owner, session = self.owner(device), self.owner(new), self.secret_of(device)
        signed = None if session is None else self.people.session(session)
        if signed is None or mine is None:
            return
        action = "add-device" if is_approved else "refuse-device"
        signature = signer.proof(self.people, action, asked.code, other.key)
        try:
            self.people.answer_request(signed, asked.code, other.key, signature, is_approved=is_approved)
        except KeyRefused:
            assert wait >= 120_000 or (is_approved and owner not in (None, mine))
            return
        assert wait < 120_000
        assert self.people.request_of(secret).state == ("added" if is_approved else "refused")
        if is_approved:
            mine.devices.add(new)

    @rule(device=devices, removed=devices)
    def removes_device(self, device: int, removed: int) -> None:
        mine, session = self.owner(device), self.secret_of(device)
        signed = None if session is None else self.people.session(session)
        if signed is None or mine is None:
            return
        keys = {known.key: known.number for known in self.people.devices(signed)}
        assert set(keys) == {DEVICES[owned].key for owned in mine.devices}
        number = keys.get(DEVICES[removed].key, 7)
        proof = DEVICES[device].proof(self.people, "remove-devices", str(number))
        try:
            self.people.remove_devices(signed, [number], proof)
        except NotFound:
            assert removed not in mine.devices
            return
        mine.devices.remove(removed)
        self.sessions = {s: facts for s, facts in self.sessions.items() if facts[0] != removed}

    @rule(device=devices, name=names)
    def renames(self, device: int, name: str) -> None:
        mine, session = self.owner(device), self.secret_of(device)
        signed = None if session is None else self.people.session(session)
        if signed is None or mine is None:
            return
        is_time = mine.name is None or mine.renamed is None or mine.renamed + MONTH <= self.at
        is_allowed = is_time and self.is_free(name, mine)
        try:
            self.people.rename(signed, name, DEVICES[device].proof(self.people, "rename", name))
        except (KeyRefused, NameRefused):
            assert not is_allowed
            return
        assert is_allowed
        self.take(name, mine)
        mine.name, mine.renamed = name, self.at

    @rule(device=devices)
    def forgets(self, device: int) -> None:
        mine, session = self.owner(device), self.secret_of(device)
        signed = None if session is None else self.people.session(session)
        if signed is None or mine is None or mine.name is None:
            return
        self.people.forget(signed, mine.name, DEVICES[device].proof(self.people, "forget", mine.name))
        self.sessions = {s: facts for s, facts in self.sessions.items() if facts[0] not in mine.devices}
        self.known = {by: person for by, person in self.known.items() if person is not mine}

    @rule(passed=st.sampled_from([1, 3_600_000, MONTH - 1, MONTH, YEAR]))
    def time_passes(self, passed: int) -> None:
        self.at += passed

    @invariant()
    def sessions_and_names_agree(self) -> None:
        for secret, (device, end) in list(self.sessions.items())[-12:]:
            signed, owner = self.people.session(secret), self.owner(device)
            if self.at < end and owner is not None and secret == self.secret_of(device):
                assert signed is not None
                assert (signed.identity.number, signed.identity.name) == (owner.number, owner.name)
            elif self.at >= end or owner is None:
                assert signed is None
        numbers = [person.number for person in self.known.values()]
        expected = {p.number: p.name for p in self.known.values() if p.name is not None}
        assert self.people.names(numbers) == expected


Machine.TestCase.settings = settings(max_examples=12, stateful_step_count=25, deadline=None)
TestPeople = Machine.TestCase
