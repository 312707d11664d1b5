"""Identities, devices and sessions as values, and the rules of time for them."""

from dataclasses import dataclass

DAY = 24 * 60 * 60 * 1000

RENAME_MS = 30 * DAY
"""The time between two changes of a name."""

RELEASE_MS = 365 * DAY
"""The time without a visit after which a name is free again, unless rated games show it."""

SESSION_MS = 30 * DAY
"""The validity of a session."""

REQUEST_MS = 2 * 60 * 1000
"""The validity of the code of a new device."""

SEEN_MS = 60 * 60 * 1000
"""The time after which another visit of a device is written."""

MAX_DEVICES, MAX_SESSIONS, MAX_LABEL = 20, 10, 60
"""The largest numbers of devices of an identity and sessions of a device, and the longest label."""

MAX_BLOCKS = 1_000

EVERYBODY, PLAYED = "everybody", "played"

ASKED_BY = (EVERYBODY, PLAYED, "nobody")
"""The possible challengers of a player: everybody, earlier opponents, or nobody."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A person or a bot with a key.

    ``key`` is the public key that the twelve words hold. ``name`` is None if it was released. Times are in
    milliseconds since 1970. ``asked_by`` is one of :data:`ASKED_BY`.
    """

    number: int
    key: str
    name: str | None
    created: int
    seen: int
    renamed: int | None = None
    words_checked: int | None = None
    asked_by: str = EVERYBODY
    is_bot: bool = False

    @property
    def can_rename_at(self) -> int:
        """The instant from which the name can be changed."""
        return self.created if self.renamed is None else self.renamed + RENAME_MS

    def is_released(self, at: int) -> bool:
        """Return True if another key may claim the name at the instant *at*, unless rated games show it."""
        return self.seen + RELEASE_MS <= at


@dataclass(frozen=True, slots=True)
class Device:
    """A device of an identity: it has a key of its own, and can be removed alone."""

    number: int
    identity: int
    key: str
    label: str
    created: int
    seen: int


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A session: the identity, and the device that has it."""

    identity: Identity
    device: Device


@dataclass(frozen=True, slots=True)
class NewSession:
    """The answer to signing in. The secret is sent once and stored as a hash."""

    identity: Identity
    device: Device
    secret: str
    expires: int


@dataclass(frozen=True, slots=True)
class NewDevice:
    """A device that wants to be added: its public key, its label, and its signature for that."""

    key: str
    label: str
    signature: str


@dataclass(frozen=True, slots=True)
class DeviceRequest:
    """A new device that waits for approval: the six digits, and the time until they expire."""

    code: str
    key: str
    label: str
    state: str
    expires: int
