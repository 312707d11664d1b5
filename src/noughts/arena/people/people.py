"""The people with keys in a database: registering, signing in, names, devices, and forgetting.

Each change is one transaction. It also notes the nonce of its signature, so that the signature works once.
Answers are equal for an unknown key, a removed device and a wrong signature.
"""

import secrets
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from noughts.arena.look_alikes import drawn_shape, shape, shapes
from noughts.arena.people.identities import (
    ASKED_BY,
    EVERYBODY,
    MAX_BLOCKS,
    MAX_DEVICES,
    MAX_LABEL,
    MAX_SESSIONS,
    PLAYED,
    REQUEST_MS,
    SEEN_MS,
    SESSION_MS,
    Device,
    DeviceRequest,
    Identity,
    NewDevice,
    NewSession,
    SignedIn,
)
from noughts.arena.people.inbox import notes_of
from noughts.arena.people.keys import (
    CHANCE_BYTES,
    SECRET_BYTES,
    SignedProof,
    check_signature,
    hash_secret,
    make_nonce,
    nonce_expires,
    signed_text,
    text_of_bytes,
)
from noughts.arena.people.names import check_claim
from noughts.arena.store.connections import Connection, DatabaseLock, Row, containing
from noughts.arena.store.database import Database
from noughts.arena.store.tables import device_digest, identity_digest, is_intact, session_digest
from noughts.errors import DamagedStore, KeyRefused, NameRefused, NotFound
from noughts.text import fit, fold_name, safe_text

MAX_NUMBER = 2**48
"""The bound of random numbers: any program can hold a smaller one exactly."""

MAX_REQUESTS = 10_000
"""The largest number of new devices that wait at once."""

FORGOTTEN = (
    ("blocks", "identity"),
    ("blocks", "blocked"),
    ("ratings", "identity"),
    ("rating_changes", "identity"),
    ("player_pauses", "identity"),
    ("reports", "reporter"),
    ("reports", "reported"),
    ("bans", "identity"),
    ("conduct", "identity"),
    ("inbox", "identity"),
    ("push_subscriptions", "identity"),
)
"""The tables, and their columns with a number, whose rows are deleted with an identity.

The rows of ``room_people`` are left, so that a server can close the seats: see
:meth:`~noughts.arena.rooms.rooms.Rooms.close_forgotten`.
"""

_SESSION = "SELECT token, device, expires, sessions.digest FROM sessions WHERE token = :token"
_IDENTITY = (
    "SELECT number, key, name, folded_name, shape, created, renamed, seen, words_checked, asked_by, is_bot,"
    " digest FROM identities WHERE "
)
_DEVICE = "SELECT number, identity, key, label, created, seen, digest FROM devices WHERE "
_WRITE_IDENTITY = (
    "UPDATE identities SET key = :key, name = :name, folded_name = :folded_name, shape = :shape,"
    " drawn = :drawn, renamed = :renamed, seen = :seen, words_checked = :words_checked, asked_by = :asked_by,"
    " is_bot = :is_bot, digest = :digest WHERE number = :number"
)
_MET = (
    "SELECT one.game_id FROM game_identities AS one"
    " JOIN game_identities AS two ON two.game_id = one.game_id AND two.identity = :two"
    " WHERE one.identity = :one LIMIT 1"
)
_OWN_REPORTS = "SELECT created, reported, reason, game_id FROM reports WHERE reporter = :number ORDER BY id"
_OWN_BANS = "SELECT scope, since, ends FROM bans WHERE identity = :number ORDER BY id"
_OWN_CONDUCT = "SELECT game_id, at, kind FROM conduct WHERE identity = :number ORDER BY at"
_OWN_PAUSES = "SELECT begun, ends FROM player_pauses WHERE identity = :number"
_OWN_ROOMS = "SELECT room FROM room_people WHERE identity = :number ORDER BY room"
_DECISIONS = "SELECT at, decision, note FROM operator_actions WHERE subject = :number ORDER BY id"
_FORGET_NOTES = "UPDATE operator_actions SET note = '', facts = '{}' WHERE subject = :number"
_CALLS = (
    "SELECT endpoint, language, created FROM push_subscriptions WHERE identity = :number ORDER BY created"
)
_RATED = "SELECT game_id FROM game_identities WHERE identity = :number AND rated LIMIT 1"
_RATED_ROOM = (
    "SELECT room FROM room_people JOIN rooms ON rooms.name = room WHERE identity = :number"
    " AND facts LIKE :rated ESCAPE '/' LIMIT 1"
)


class People:
    """The people with keys in *database*. *now* returns milliseconds since 1970, *chance* random bytes.

    *check* returns a text as a name that may be claimed, or raises :class:`~noughts.errors.NameRefused`.
    """

    def __init__(
        self,
        database: Database,
        *,
        now: Callable[[], int],
        check: Callable[[str], str] = check_claim,
        chance: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self._database, self._now, self._check, self._chance = database, now, check, chance
        self._secret: bytes | None = None

    # Signatures

    def nonce(self) -> str:
        """Return a new login text, which is valid for two minutes and one signature."""
        return make_nonce(self._login_secret(), self._now(), self._chance(CHANCE_BYTES))

    def _login_secret(self) -> bytes:
        """Return the secret of nonces, which all workers share."""
        if self._secret is None:
            row = {"name": "login", "secret": self._chance(32).hex(), "created": self._now()}
            with self._database.writing() as connection:
                connection.insert("server_secrets", row, unless="ON CONFLICT DO NOTHING")
                query = "SELECT secret FROM server_secrets WHERE name = 'login'"
                self._secret = bytes.fromhex(connection.column(query)[0])
        return self._secret

    def _accept(
        self, action: str, proof: SignedProof, facts: tuple[str, ...], signers: Mapping[str, str]
    ) -> int:
        """Check the signatures of an action: *signers* are signatures by key. Return the end of its nonce."""
        expires = nonce_expires(self._login_secret(), proof.nonce, self._now())
        for key, signature in signers.items():
            check_signature(key, signature, signed_text(action, proof.origin, proof.nonce, *facts))
        return expires

    def _use(self, connection: Connection, proof: SignedProof, expires: int) -> None:
        """Note that the nonce of *proof* was used. Raise :class:`KeyRefused` if it was used before."""
        connection.change("DELETE FROM used_nonces WHERE expires < :now", {"now": self._now()})
        row = {"nonce": hash_secret(proof.nonce), "expires": expires}
        if not connection.insert("used_nonces", row, unless="ON CONFLICT DO NOTHING"):
            raise KeyRefused("nonce")

    # Registering and signing in

    def register(
        self, name: str, key: str, device: NewDevice, proof: SignedProof, *, is_bot: bool = False
    ) -> NewSession:
        """Make an identity with *name* for *key*, with its first *device*, and sign in.

        The key and the device have signed the action ``register`` with the name, the key, and the key and the
        label of the device. A repeated registration by the same device signs in.
        """
        facts = (name, key, device.key, device.label)
        signers = {key: proof.signature, device.key: device.signature}
        expires, at = self._accept("register", proof, facts, signers), self._now()
        with self._database.writing() as connection:
            self._use(connection, proof, expires)
            if (known := self._find(connection, "key = :key", key=key)) is not None:
                owned = self._find_device(connection, "key = :key", key=device.key)
                if owned is None or owned.identity != known.number or known.name != name.strip():
                    raise KeyRefused("key-known")
                return self._sign_in(connection, known, owned)
            claimed = self._claim(connection, name, None)
            identity = Identity(self._number(), key, claimed, at, at, is_bot=is_bot)
            row = _identity_row(identity)
            if not connection.insert("identities", row, unless="ON CONFLICT DO NOTHING"):
                raise NameRefused(claimed, "taken")  # another worker was faster
            return self._sign_in(connection, identity, self._add_device(connection, identity, device))

    def restore(self, key: str, device: NewDevice, proof: SignedProof) -> NewSession:
        """Add *device* to the identity of *key*, which the twelve words hold, and sign in.

        Both have signed the action ``restore`` with the key, and the key and the label of the device.
        """
        signers = {key: proof.signature, device.key: device.signature}
        expires = self._accept("restore", proof, (key, device.key, device.label), signers)
        with self._database.writing() as connection:
            self._use(connection, proof, expires)
            if (identity := self._find(connection, "key = :key", key=key)) is None:
                raise KeyRefused("words-unknown")
            return self._sign_in(connection, identity, self._add_device(connection, identity, device))

    def sign_in(self, key: str, proof: SignedProof) -> NewSession:
        """Return a session for the device with *key*, which has signed ``sign-in`` with its key."""
        expires = self._accept("sign-in", proof, (key,), {key: proof.signature})
        with self._database.writing() as connection:
            self._use(connection, proof, expires)
            device = self._find_device(connection, "key = :key", key=key)
            if device is None:
                raise KeyRefused("refused")
            return self._sign_in(connection, self._owner(connection, device), device)

    def _sign_in(self, connection: Connection, identity: Identity, device: Device) -> NewSession:
        """Add a session, and note the visit."""
        at = self._now()
        secret = text_of_bytes(self._chance(SECRET_BYTES))
        row = {"token": hash_secret(secret), "device": device.number, "expires": at + SESSION_MS}
        connection.insert("sessions", {**row, "digest": session_digest(row)})
        connection.change("DELETE FROM sessions WHERE expires <= :now", {"now": at})
        query = "SELECT token FROM sessions WHERE device = :device ORDER BY expires DESC, token"
        old = connection.column(query, device=device.number)[MAX_SESSIONS:]
        if old:
            connection.change("DELETE FROM sessions WHERE token = :token", *[{"token": text} for text in old])
        device = self._see(connection, device, at)
        identity = replace(identity, seen=at)
        self._save(connection, identity)
        return NewSession(identity, device, secret, at + SESSION_MS)

    def _see(self, connection: Connection, device: Device, at: int) -> Device:
        device = replace(device, seen=at)
        change = "UPDATE devices SET seen = :seen, digest = :digest WHERE number = :number"
        connection.change(change, _device_row(device))
        return device

    def session(self, secret: str) -> SignedIn | None:
        """Return the identity and the device of the session with *secret*, or None."""
        with self._database.reading() as connection:
            row = connection.row(_SESSION, token=hash_secret(secret))
            if row is None or row["expires"] <= self._now():
                return None
            self._intact(row, session_digest)
            device = self._find_device(connection, "number = :number", number=row["device"])
            return None if device is None else SignedIn(self._owner(connection, device), device)

    def visit(self, signed: SignedIn) -> None:
        """Note a visit of a device, at most once an hour."""
        at = self._now()
        if at - signed.device.seen < SEEN_MS:
            return
        with self._database.writing() as connection, suppress(KeyRefused):
            current = self._again(connection, signed)
            self._see(connection, current.device, at)
            self._save(connection, replace(current.identity, seen=at))

    def sign_out(self, secret: str) -> None:
        """End the session with *secret*."""
        with self._database.writing() as connection:
            connection.change("DELETE FROM sessions WHERE token = :token", {"token": hash_secret(secret)})

    # Names

    def check_name(self, text: str, mine: int | None = None) -> str:
        """Return *text* as a name that the identity *mine*, or a new one, can claim now.

        Raises :class:`~noughts.errors.NameRefused` with the reasons of *check*, or ``taken``.
        """
        name = self._check(text)
        with self._database.reading() as connection:
            self._check_free(connection, name, mine)
        return name

    def _claim(self, connection: Connection, text: str, mine: int | None) -> str:
        """Return *text* as a name that is free now, and take it from an owner after too long an absence."""
        name = self._check(text)
        connection.lock(DatabaseLock.NAMES)  # Two workers may claim one name at once.
        for owner in self._check_free(connection, name, mine):
            self._save(connection, replace(owner, name=None))
        return name

    def _check_free(self, connection: Connection, name: str, mine: int | None) -> list[Identity]:
        """Return the owners that lose *name*. Raise :class:`NameRefused` if it is not free."""
        seen = {"shapes": tuple(shapes(name))}
        if connection.row("SELECT shape FROM taken_names WHERE shape IN (:shapes)", **seen) is not None:
            raise NameRefused(name, "taken")
        rows = connection.rows(_IDENTITY + "shape IN (:shapes) OR drawn IN (:shapes)", **seen)
        owners = [owner for owner in map(self._identity, rows) if owner.number != mine]
        for owner in owners:
            if not owner.is_released(self._now()) or connection.row(_RATED, number=owner.number) is not None:
                raise NameRefused(name, "taken")
        return owners

    def rename(self, signed: SignedIn, name: str, proof: SignedProof) -> Identity:
        """Change the name of an identity. Its device has signed ``rename`` with the name."""
        expires, at = (
            self._accept("rename", proof, (name,), {signed.device.key: proof.signature}),
            self._now(),
        )
        with self._database.writing() as connection:
            identity = self._again(connection, signed).identity
            self._use(connection, proof, expires)
            if identity.name is not None and at < identity.can_rename_at:
                raise KeyRefused("renamed-lately", until=identity.can_rename_at)
            renamed = replace(identity, name=self._claim(connection, name, identity.number), renamed=at)
            self._save(connection, renamed)
        return renamed

    def set_name(self, connection: Connection, number: int, name: str | None) -> str | None:
        """Let an operator give the identity *number* a free *name*, or none, and return the name before.

        The player can choose another one at once after the loss of a name.
        """
        identity = self._find(connection, "number = :number FOR UPDATE", number=number)
        if identity is None:
            raise NotFound("identity", number)
        claimed = None if name is None else self._claim(connection, name, number)
        self._save(connection, replace(identity, name=claimed))
        return identity.name

    def names(self, numbers: Collection[int]) -> dict[int, str]:
        """Return the names of those of the identities *numbers* that have one."""
        if not numbers:
            return {}
        query = _IDENTITY + "number IN (:numbers)"
        with self._database.reading() as connection:
            found = [self._identity(row) for row in connection.rows(query, numbers=tuple(numbers))]
        return {identity.number: identity.name for identity in found if identity.name is not None}

    def known(self, numbers: Collection[int]) -> set[int]:
        """Return those of the identities *numbers* that exist."""
        if not numbers:
            return set()
        query = "SELECT number FROM identities WHERE number IN (:numbers)"
        with self._database.reading() as connection:
            return set(connection.column(query, numbers=tuple(numbers)))

    def newest(self, count: int) -> list[Identity]:
        """Return the identities with the latest visits, at most *count*."""
        with self._database.reading() as connection:
            rows = connection.rows(
                _IDENTITY + "number > 0 ORDER BY seen DESC, number LIMIT :count", count=count
            )
            return [self._identity(row) for row in rows]

    def find(self, name: str) -> Identity | None:
        """Return the identity with a name that reads as *name*, or None."""
        with self._database.reading() as connection:
            return self._find(connection, "folded_name = :name", name=fold_name(name))

    def get(self, number: int) -> Identity | None:
        """Return the identity *number*, or None."""
        if not 0 < number < 2 * MAX_NUMBER:
            return None
        with self._database.reading() as connection:
            return self._find(connection, "number = :number", number=number)

    # Devices

    def devices(self, signed: SignedIn) -> list[Device]:
        """Return the devices of an identity, the newest visit first."""
        with self._database.reading() as connection:
            return self._devices(connection, signed.identity.number)

    def request_device(self, device: NewDevice, proof: SignedProof) -> tuple[DeviceRequest, str]:
        """Note that a new *device* wants to be added. Return its request, and the secret to follow it.

        The device has signed ``ask-to-be-added`` with its key and its label. It gets nothing before a device
        of the identity approves.
        """
        facts, signers = (device.key, device.label), {device.key: proof.signature}
        expires, at = self._accept("ask-to-be-added", proof, facts, signers), self._now()
        secret = text_of_bytes(self._chance(SECRET_BYTES))
        with self._database.writing() as connection:
            self._use(connection, proof, expires)
            connection.change("DELETE FROM device_requests WHERE expires <= :now", {"now": at})
            if connection.column("SELECT COUNT(*) AS count FROM device_requests")[0] >= MAX_REQUESTS:
                raise KeyRefused("too-many-requests")
            while True:
                code = f"{int.from_bytes(self._chance(8), 'big') % 10**6:06}"
                made = DeviceRequest(code, device.key, _label(device.label), "waiting", at + REQUEST_MS)
                row = {
                    "code": code,
                    "secret": hash_secret(secret),
                    "key": made.key,
                    "label": made.label,
                    "state": made.state,
                    "expires": made.expires,
                }
                if connection.insert("device_requests", row, unless="ON CONFLICT (code) DO NOTHING"):
                    return made, secret

    def request_of(self, secret: str) -> DeviceRequest:
        """Return the request of a new device with *secret*. Raises :class:`KeyRefused` later."""
        return self._request("secret = :secret", secret=hash_secret(secret))

    def request_with(self, code: str) -> DeviceRequest:
        """Return the request with the six digits *code*. Raises :class:`KeyRefused` if there is none."""
        return self._request("code = :code AND state = 'waiting'", code="".join(code.split()))

    def _request(self, condition: str, within: Connection | None = None, **values: Any) -> DeviceRequest:
        query = f"SELECT code, key, label, state, expires FROM device_requests WHERE {condition}"  # noqa: S608
        with self._database.reading(within) as connection:
            row = connection.row(query, **values)
        if row is None or row["expires"] <= self._now():
            raise KeyRefused("code")
        return DeviceRequest(row["code"], row["key"], row["label"], row["state"], row["expires"])

    def answer_request(
        self, signed: SignedIn, code: str, key: str, proof: SignedProof, *, is_approved: bool
    ) -> None:
        """Add the device with *key* that waits under *code*, or refuse it.

        The device of the session has signed ``add-device`` or ``refuse-device`` with the code and the key.
        """
        action = "add-device" if is_approved else "refuse-device"
        expires = self._accept(action, proof, (code, key), {signed.device.key: proof.signature})
        with self._database.writing() as connection:
            identity = self._again(connection, signed).identity
            self._use(connection, proof, expires)
            waiting = self._request("code = :code AND state = 'waiting'", connection, code=code)
            if waiting.key != key:
                raise KeyRefused("code")
            if is_approved:
                self._add_device(connection, identity, NewDevice(key, waiting.label, ""))
            change = "UPDATE device_requests SET state = :state WHERE code = :code"
            connection.change(change, {"state": "added" if is_approved else "refused", "code": code})

    def remove_devices(
        self,
        signed: SignedIn,
        numbers: Collection[int],
        proof: SignedProof,
        within: Callable[[Callable[[Connection], None]], None] | None = None,
    ) -> None:
        """Remove devices of the identity: their keys and their sessions end.

        The device of the session has signed ``remove-devices`` with the *numbers*. *within* calls a function
        in a transaction that changes more, by default in one of its own. Raises
        :class:`~noughts.errors.NotFound` if one of the numbers is no device of the identity.
        """
        facts = tuple(map(str, numbers))
        expires = self._accept("remove-devices", proof, facts, {signed.device.key: proof.signature})

        def work(connection: Connection) -> None:
            identity = self._again(connection, signed).identity
            known = {device.number for device in self._devices(connection, identity.number)}
            for number in numbers:
                if number not in known:
                    raise NotFound("device", number)
            self._use(connection, proof, expires)
            for number in numbers:
                self._remove_device(connection, number)

        if within is not None:
            within(work)
            return
        with self._database.writing() as connection:
            work(connection)

    def _add_device(self, connection: Connection, identity: Identity, device: NewDevice) -> Device:
        """Add *device*, or return it if the identity has it already."""
        known = self._find_device(connection, "key = :key", key=device.key)
        if known is not None and known.identity == identity.number:
            return known
        if known is not None or device.key == identity.key:
            raise KeyRefused("key-known")
        if len(self._devices(connection, identity.number)) >= MAX_DEVICES:
            raise KeyRefused("too-many-devices", limit=MAX_DEVICES)
        at = self._now()
        made = Device(self._number(), identity.number, device.key, _label(device.label), at, at)
        if not connection.insert("devices", _device_row(made), unless="ON CONFLICT DO NOTHING"):
            raise KeyRefused("key-known")
        return made

    def _remove_device(self, connection: Connection, number: int) -> None:
        connection.change("DELETE FROM push_subscriptions WHERE device = :number", {"number": number})
        connection.change("DELETE FROM sessions WHERE device = :number", {"number": number})
        connection.change("DELETE FROM devices WHERE number = :number", {"number": number})

    # Words

    def note_checked_words(self, signed: SignedIn) -> Identity:
        """Note that the player has written the twelve words down."""
        return self._change(signed, words_checked=self._now())

    def replace_words(self, signed: SignedIn, key: str, words_signature: str, proof: SignedProof) -> Identity:
        """Give the identity new words with *key*; the old words stop working.

        The device and the new key have signed ``new-words`` with the key.
        """
        signers = {signed.device.key: proof.signature, key: words_signature}
        expires = self._accept("new-words", proof, (key,), signers)
        with self._database.writing() as connection:
            identity = self._again(connection, signed).identity
            self._use(connection, proof, expires)
            if self._find(connection, "key = :key", key=key) is not None:
                raise KeyRefused("key-known")
            changed = replace(identity, key=key, words_checked=None)
            self._save(connection, changed)
        return changed

    # Wishes, blocks, export, forgetting

    def set_asked_by(self, signed: SignedIn, people: str) -> Identity:
        """Set the possible challengers of the player, one of :data:`ASKED_BY`."""
        if people not in ASKED_BY:
            raise NotFound("choice", people, ASKED_BY)
        return self._change(signed, asked_by=people)

    def may_ask(self, asker: int | None, asked: Identity) -> bool:
        """Return True if *asked* wants challenges of the identity *asker*, or of a guest (None).

        A block of either refuses them, and the answer is the same as for other wishes.
        """
        if asker is not None and self.are_apart(asker, asked.number):
            return False
        if asked.asked_by != PLAYED:
            return asked.asked_by == EVERYBODY
        if asker is None:
            return False
        with self._database.reading() as connection:
            return connection.row(_MET, one=asker, two=asked.number) is not None

    def prove(self, signed: SignedIn, action: str, facts: tuple[str, ...], proof: SignedProof) -> None:
        """Check that the device of the session has signed *action* with *facts*, which works once."""
        expires = self._accept(action, proof, facts, {signed.device.key: proof.signature})
        with self._database.writing() as connection:
            self._again(connection, signed)
            self._use(connection, proof, expires)

    def block(self, signed: SignedIn, other: int, *, is_blocked: bool = True) -> None:
        """Block the identity *other*, or end that."""
        mine = signed.identity.number
        row = {"identity": mine, "blocked": other}
        with self._database.writing() as connection:
            self._again(connection, signed)
            if not is_blocked:
                connection.change("DELETE FROM blocks WHERE identity = :identity AND blocked = :blocked", row)
                return
            if other == mine or self._find(connection, "number = :number", number=other) is None:
                raise NotFound("identity", other)
            if len(self._blocked(connection, mine)) >= MAX_BLOCKS:
                raise KeyRefused("too-many-blocks", limit=MAX_BLOCKS)
            connection.insert("blocks", {**row, "created": self._now()}, unless="ON CONFLICT DO NOTHING")

    def blocked_by(self, number: int) -> dict[int, int]:
        """Return the identities that the identity *number* has blocked, each with the time of that."""
        with self._database.reading() as connection:
            return self._blocked(connection, number)

    def are_apart(self, one: int, two: int) -> bool:
        """Return True if one of two identities has blocked the other, so that they never meet."""
        query = (
            "SELECT identity FROM blocks WHERE (identity = :one AND blocked = :two)"
            " OR (identity = :two AND blocked = :one) LIMIT 1"
        )
        with self._database.reading() as connection:
            return connection.row(query, one=one, two=two) is not None

    def games_of(self, number: int) -> list[int]:
        """Return the numbers of the games of the identity *number*, the newest first."""
        query = "SELECT DISTINCT game_id FROM game_identities WHERE identity = :number ORDER BY game_id DESC"
        with self._database.reading() as connection:
            return connection.column(query, number=number)

    def export(self, signed: SignedIn, proof: SignedProof) -> dict[str, Any]:
        """Return all data that are stored about the identity. Its device has signed ``export``."""
        expires = self._accept("export", proof, (), {signed.device.key: proof.signature})
        with self._database.writing() as connection:
            current = self._again(connection, signed)
            self._use(connection, proof, expires)
            identity, number = current.identity, current.identity.number
            devices = self._devices(connection, number)
            sessions = connection.rows(
                "SELECT device, expires FROM sessions WHERE device IN (:devices) ORDER BY device, expires",
                devices=tuple(device.number for device in devices),
            )
            blocked = self._blocked(connection, number)
            reports = connection.rows(_OWN_REPORTS, number=number)
            bans = connection.rows(_OWN_BANS, number=number)
            pauses = connection.rows(_OWN_PAUSES, number=number)
            rooms = connection.column(_OWN_ROOMS, number=number)
            conduct = connection.rows(_OWN_CONDUCT, number=number)
            decisions = connection.rows(_DECISIONS, number=number)
            notes = notes_of(connection, number)
            calls = connection.rows(_CALLS, number=number)
        facts = ("number", "name", "key", "created", "seen", "renamed", "words_checked", "asked_by", "is_bot")
        return {
            "identity": {name: getattr(identity, name) for name in facts},
            "devices": [
                {name: getattr(device, name) for name in ("number", "key", "label", "created", "seen")}
                for device in devices
            ],
            "sessions": [{"device": row["device"], "expires": row["expires"]} for row in sessions],
            "blocks": [{"identity": other, "created": at} for other, at in blocked.items()],
            "games": self.games_of(number),
            "rooms": rooms,
            "pauses": _plain(pauses, "begun", "ends"),
            "reports": _plain(reports, "created", "reported", "reason", "game_id"),
            "bans": _plain(bans, "scope", "since", "ends"),
            "conduct": _plain(conduct, "game_id", "at", "kind"),
            "decisions": _plain(decisions, "at", "decision", "note"),
            "inbox": [note.exported for note in notes],
            "calls": [{name: row[name] for name in ("endpoint", "language", "created")} for row in calls],
        }

    def become_bot(self, signed: SignedIn, name: str, proof: SignedProof) -> Identity:
        """Make an identity a bot, for ever, and return it. Raise :class:`KeyRefused` if it has rated games.

        A seat in a room of rated games is enough.
        The device has signed ``become-bot`` with the *name*, which must be that of the identity.
        """
        expires = self._accept("become-bot", proof, (name,), {signed.device.key: proof.signature})
        with self._database.writing() as connection:
            identity = self._confirmed(connection, signed, name, proof, expires)
            if not identity.is_bot:
                room = {"number": identity.number, "rated": containing('"rated":true')}
                if connection.row(_RATED, number=identity.number) or connection.row(_RATED_ROOM, **room):
                    raise KeyRefused("rated-games")
                identity = replace(identity, is_bot=True)
                self._save(connection, identity)
        return identity

    def forget(self, signed: SignedIn, name: str, proof: SignedProof) -> None:
        """Delete an identity with its name, devices, sessions and blocks. Its games stay.

        The device has signed ``forget`` with the *name*, which must be that of the identity.
        """
        expires = self._accept("forget", proof, (name,), {signed.device.key: proof.signature})
        with self._database.writing() as connection:
            self.delete(connection, self._confirmed(connection, signed, name, proof, expires).number)

    def _confirmed(
        self, connection: Connection, signed: SignedIn, name: str, proof: SignedProof, expires: int
    ) -> Identity:
        """Use *proof*, and return the identity if its *name* was typed again."""
        identity = self._again(connection, signed).identity
        self._use(connection, proof, expires)
        if fold_name(name.strip()) != fold_name(identity.name or ""):
            raise KeyRefused("other-name")
        return identity

    def delete(self, connection: Connection, number: int) -> None:
        """Delete the identity *number* with everything that belongs to it. Its games stay."""
        for device in self._devices(connection, number):
            self._remove_device(connection, device.number)
        row = {"number": number}
        for table, column in FORGOTTEN:
            connection.change(f"DELETE FROM {table} WHERE {column} = :number", row)  # noqa: S608 - names of ours
        connection.change(_FORGET_NOTES, row)
        connection.change("UPDATE people_entries SET identity = NULL WHERE identity = :number", row)
        connection.change("DELETE FROM identities WHERE number = :number", row)

    # Rows

    def _number(self) -> int:
        return int.from_bytes(self._chance(8), "big") % MAX_NUMBER + MAX_NUMBER

    def _again(self, connection: Connection, signed: SignedIn) -> SignedIn:
        """Return *signed* as it is in this transaction. Raise :class:`KeyRefused` if the device is gone."""
        condition = "number = :number FOR UPDATE"
        # The identity is locked first, as in every transaction.
        identity = self._find(connection, condition, number=signed.identity.number)
        device = self._find_device(connection, "number = :number", number=signed.device.number)
        if identity is None or device is None:
            raise KeyRefused("refused")
        return SignedIn(identity, device)

    def _change(self, signed: SignedIn, **facts: Any) -> Identity:
        with self._database.writing() as connection:
            changed = replace(self._again(connection, signed).identity, **facts)
            self._save(connection, changed)
        return changed

    def _save(self, connection: Connection, identity: Identity) -> None:
        connection.change(_WRITE_IDENTITY, _identity_row(identity))

    def _find(self, connection: Connection, condition: str, **values: Any) -> Identity | None:
        row = connection.row(_IDENTITY + condition, **values)
        return None if row is None else self._identity(row)

    def _identity(self, row: Row) -> Identity:
        self._intact(row, identity_digest)
        hidden = ("folded_name", "shape", "digest")
        facts = {name: row[name] for name in row.keys() if name not in hidden}  # noqa: SIM118 - not a dict
        return Identity(**{**facts, "is_bot": bool(facts["is_bot"])})

    def _find_device(self, connection: Connection, condition: str, **values: Any) -> Device | None:
        row = connection.row(_DEVICE + condition, **values)
        return None if row is None else self._device(row)

    def _devices(self, connection: Connection, identity: int) -> list[Device]:
        query = _DEVICE + "identity = :identity ORDER BY seen DESC, number"
        return [self._device(row) for row in connection.rows(query, identity=identity)]

    def _owner(self, connection: Connection, device: Device) -> Identity:
        identity = self._find(connection, "number = :number", number=device.identity)
        if identity is None:
            raise DamagedStore(self._database.where, "people-altered")
        return identity

    def _device(self, row: Row) -> Device:
        self._intact(row, device_digest)
        return Device(*(row[name] for name in ("number", "identity", "key", "label", "created", "seen")))

    def _blocked(self, connection: Connection, number: int) -> dict[int, int]:
        query = "SELECT blocked, created FROM blocks WHERE identity = :number ORDER BY created, blocked"
        return {row["blocked"]: row["created"] for row in connection.rows(query, number=number)}

    def _intact(self, row: Row, digest: Callable[[Any], str]) -> None:
        if not is_intact(row, digest):
            raise DamagedStore(self._database.where, "people-altered")


def _identity_row(identity: Identity) -> dict[str, Any]:
    name = identity.name
    row = {
        "number": identity.number,
        "key": identity.key,
        "name": name,
        "folded_name": None if name is None else fold_name(name),
        "shape": None if name is None else shape(name),
        "drawn": None if name is None else drawn_shape(name),
        "created": identity.created,
        "renamed": identity.renamed,
        "seen": identity.seen,
        "words_checked": identity.words_checked,
        "asked_by": identity.asked_by,
        "is_bot": identity.is_bot,
    }
    return {**row, "digest": identity_digest(row)}


def _device_row(device: Device) -> dict[str, Any]:
    facts = ("number", "identity", "key", "label", "created", "seen")
    row = {name: getattr(device, name) for name in facts}
    return {**row, "digest": device_digest(row)}


def _plain(rows: Collection[Row], *columns: str) -> list[dict[str, Any]]:
    """Return *columns* of *rows* as values that JSON can hold."""
    return [{column: row[column] for column in columns} for row in rows]


def _label(text: str) -> str:
    """Return the label of a device as text that is safe to show, cut to :data:`MAX_LABEL` columns."""
    return fit(safe_text(" ".join(text.split())[: 4 * MAX_LABEL]), MAX_LABEL).rstrip() or "?"
