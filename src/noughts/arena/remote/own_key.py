"""The key of a player in a file of a terminal or a bot, and the requests that it signs.

The file has the private key of this device, the bits of the twelve words until they are written down, and the
player at each server with the present session. Only the owner of the file can read it.
"""

import json
import os
import secrets
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from noughts.arena.people.keys import bytes_of, public_key, sign, signed_text, text_of_bytes
from noughts.arena.people.words import ENTROPY_BYTES, seed_of
from noughts.arena.remote.client import Client
from noughts.arena.remote.remote_state import shown_name
from noughts.errors import DamagedFile, FileRefused, KeyRefused, ServerFailed, system_reason
from noughts.records.files import open_to_read, write_atomically
from noughts.records.folders import config_folder
from noughts.text import safe_text

FILE = "key.json"
"""The name of the file in the folder of the settings."""

SEED_BYTES = 32

MAX_BYTES = 100_000
"""The largest file of a key, in bytes."""

FORBIDDEN = 403
"""The status for a key that the server does not know any more."""


@dataclass(frozen=True, slots=True)
class OwnPlayer:
    """The player of a key at one server: the number, the name, and the secret session."""

    number: int
    name: str
    is_bot: bool
    session: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class OwnKey:
    """A private key. ``entropy`` are the bits of the words, or None after they were written down."""

    seed: bytes = field(repr=False)
    entropy: bytes | None = field(repr=False)
    players: Mapping[str, OwnPlayer]
    """The players by the address of the server."""

    @classmethod
    def new(cls, *, entropy: bytes | None) -> "OwnKey":
        """Return a new key for this device."""
        return cls(secrets.token_bytes(SEED_BYTES), entropy, {})

    def with_player(self, origin: str, player: OwnPlayer | None) -> "OwnKey":
        """Return the key with *player*, perhaps None, in place of the one at the server *origin*."""
        others = {known: one for known, one in self.players.items() if known != origin}
        return replace(self, players=others if player is None else {**others, origin: player})


class KeyFile:
    """The file of a key at *path*, by default that of the user of this computer."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or config_folder(os.environ, sys.platform) / FILE

    def read(self) -> OwnKey | None:
        """Return the key, or None if there is none.

        Raises :class:`~noughts.errors.FileRefused` and :class:`~noughts.errors.DamagedFile`.
        """
        with self._refusals():
            if not self.path.exists():
                return None
            with open_to_read(self.path) as stream:
                text = stream.read(MAX_BYTES)
        if not text:  # The program was stopped before it wrote the key.
            return None
        try:
            return _key_of(json.loads(text))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise DamagedFile(os.fspath(self.path), "key") from None

    def save(self, key: OwnKey) -> None:
        """Save *key*. Raises :class:`~noughts.errors.FileRefused`."""
        with self._refusals():
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # The new content gets the mode of the file, so no other user can read it at any moment.
            os.close(os.open(self.path, os.O_CREAT | os.O_WRONLY, 0o600))
            self.path.chmod(0o600)
            write_atomically(self.path, json.dumps(_facts_of(key)) + "\n")

    def delete(self) -> None:
        """Delete the file. Raises :class:`~noughts.errors.FileRefused`."""
        with self._refusals():
            self.path.unlink(missing_ok=True)

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise FileRefused(os.fspath(self.path), system_reason(error)) from error


def _facts_of(key: OwnKey) -> dict[str, Any]:
    return {
        "device": text_of_bytes(key.seed),
        "words": None if key.entropy is None else text_of_bytes(key.entropy),
        "servers": {
            origin: {"number": one.number, "name": one.name, "is_bot": one.is_bot, "session": one.session}
            for origin, one in key.players.items()
        },
    }


def _key_of(facts: Any) -> OwnKey:
    seed = bytes_of(facts["device"], SEED_BYTES)
    entropy = None if facts["words"] is None else bytes_of(facts["words"], ENTROPY_BYTES)
    if seed is None or (entropy is None) is not (facts["words"] is None):
        raise ValueError("no key")
    players = {str(origin): OwnPlayer(**one) for origin, one in facts["servers"].items()}
    return OwnKey(seed, entropy, players)


def sign_in(client: Client) -> OwnPlayer | None:
    """Let *client* send the session of the user of this computer at its server, and return the player.

    Return None if the user has no key there.
    """
    return KeyHolder(client, KeyFile()).enter()


class KeyHolder:
    """The owner of the key in *file* at the server of *client*, whose later requests are those of the player.

    Methods raise the errors of the client and of the file.
    """

    def __init__(self, client: Client, file: KeyFile, label: str = "") -> None:
        self._client, self._file, self._label = client, file, label

    def enter(self) -> OwnPlayer | None:
        """Let the client send the session of the player. A session that has ended is renewed with the key.

        Return the player, or None if the file has none at this server.
        """
        key = self._file.read()
        known = None if key is None else key.players.get(self._client.origin)
        if key is None or known is None:
            return None
        self._client.session = known.session
        answer = self._client.ask("/api/identities/me")
        return self.sign_in(key) if self._has_no_player(answer) else self._note(key, answer)

    def sign_in(self, key: OwnKey) -> OwnPlayer:
        """Return the player of *key* with a new session, and save them."""
        self._client.session = ""
        device = public_key(key.seed)
        signed = self._signed(key, "sign-in", device)
        return self._note(key, self._client.ask("/api/identities/session", {"key": device, **signed}))

    def register(self, name: str, entropy: bytes, *, is_bot: bool = False) -> OwnPlayer:
        """Claim *name* for the key of *entropy* and this device, and sign in."""
        old = self._file.read()
        key = old or OwnKey.new(entropy=entropy)
        self._file.save(key)  # If the answer is lost, the same request works again.
        body = {"name": name, "is_bot": is_bot, **self._signed_twice(key, "register", entropy, name)}
        try:
            return self._note(key, self._client.ask("/api/identities", body))
        except ServerFailed as error:
            if old is None and not error.may_pass:
                self._file.delete()
            raise

    def restore(self, entropy: bytes) -> OwnPlayer:
        """Add this device to the player of the words, whose bits are *entropy*, and sign in."""
        key = self._file.read() or OwnKey.new(entropy=None)
        body = self._signed_twice(key, "restore", entropy)
        return self._note(key, self._client.ask("/api/identities/devices", body))

    def ask_to_be_added(self) -> tuple[OwnKey, str, str]:
        """Ask to be added to a player as a new device.

        Return the key of this device, the six digits to type at another device, and the secret to follow.
        """
        key = self._file.read() or OwnKey.new(entropy=None)
        device = public_key(key.seed)
        signed = self._signed(key, "ask-to-be-added", device, self._label)
        answer = self._client.ask("/api/identities/requests", {"key": device, "label": self._label, **signed})
        return key, safe_text(str(self._fact(answer, "code"))[:10]), str(self._fact(answer, "secret"))

    def state_of_request(self, secret: str) -> str:
        """Return ``waiting``, ``added``, ``refused`` or ``expired``."""
        try:
            answer = self._client.ask("/api/identities/requests/state", {"secret": secret})
        except ServerFailed as error:
            if error.status != FORBIDDEN:
                raise
            return "expired"
        return str(self._fact(answer, "state"))

    def drop_words(self) -> None:
        """Forget the words, which are written down, and tell this server."""
        key = self._file.read()
        if key is not None:
            if self.enter() is not None:
                self._client.ask("/api/identities/me/words/checked", {})
            self._file.save(replace(self._file.read() or key, entropy=None))

    def sign_out(self) -> None:
        """Remove this device from the player at this server."""
        key = self._known_key()
        number = self._fact(self._client.ask("/api/identities/me"), "device")
        signed = self._signed(key, "remove-devices", str(number))
        self._client.ask("/api/identities/me/devices/remove", {"devices": [number], **signed})
        self._leave(key)

    def become_bot(self, name: str) -> OwnPlayer:
        """Make the player called *name* at this server a bot, for ever."""
        key = self._known_key()
        body = {"name": name, **self._signed(key, "become-bot", name)}
        return self._note(key, self._client.ask("/api/identities/me/bot", body))

    def forget(self, name: str) -> None:
        """Delete the player called *name* at this server."""
        key = self._known_key()
        self._client.ask("/api/identities/me/forget", {"name": name, **self._signed(key, "forget", name)})
        self._leave(key)

    def _known_key(self) -> OwnKey:
        """Return the key after signing in. Raises :class:`~noughts.errors.KeyRefused` without a player."""
        key = None if self.enter() is None else self._file.read()
        if key is None:
            raise KeyRefused("no-player", server=self._client.origin)
        return key

    def _leave(self, key: OwnKey) -> None:
        """Forget the player at this server, and the key too if it has no other player."""
        self._client.session = ""
        left = key.with_player(self._client.origin, None)
        if left.players:
            self._file.save(left)
        else:
            self._file.delete()

    # Answers and signatures

    def _has_no_player(self, answer: Any) -> bool:
        return isinstance(answer, dict) and "identity" in answer and answer["identity"] is None

    def _note(self, key: OwnKey, answer: Any) -> OwnPlayer:
        """Save the player in *answer* with the present session."""
        try:
            facts = answer["identity"]
            name = shown_name(facts["name"])
            player = OwnPlayer(int(facts["number"]), name, facts["is_bot"] is True, self._client.session)
        except (TypeError, KeyError, ValueError):
            raise ServerFailed(self._client.origin, "not-ours") from None
        if key.players.get(self._client.origin) != player:
            self._file.save(key.with_player(self._client.origin, player))
        return player

    def _fact(self, answer: Any, name: str) -> Any:
        """Return the field *name* of *answer*. Raises :class:`~noughts.errors.ServerFailed` without it."""
        if not isinstance(answer, dict) or name not in answer:
            raise ServerFailed(self._client.origin, "not-ours")
        return answer[name]

    def _signed(self, key: OwnKey, action: str, *facts: str) -> dict[str, str]:
        """Return the signed fields of a request that this device signs."""
        nonce = self._nonce()
        text = signed_text(action, self._client.origin, nonce, *facts)
        return {"nonce": nonce, "signature": sign(key.seed, text)}

    def _signed_twice(self, key: OwnKey, action: str, entropy: bytes, *first: str) -> dict[str, Any]:
        """Return the fields of a request that the key of the words and this device sign."""
        nonce, device, words = self._nonce(), public_key(key.seed), seed_of(entropy)
        facts = (*first, public_key(words), device, self._label)
        text = signed_text(action, self._client.origin, nonce, *facts)
        return {
            "key": public_key(words),
            "nonce": nonce,
            "signature": sign(words, text),
            "device": {"key": device, "label": self._label, "signature": sign(key.seed, text)},
        }

    def _nonce(self) -> str:
        return str(self._fact(self._client.ask("/api/identities/nonce"), "nonce"))
