"""The requests and responses about players with keys."""

from typing import Annotated, Literal

from pydantic import Field

from noughts.arena.people.identities import ASKED_BY, MAX_LABEL, Device, Identity
from noughts.interfaces.web.api.requests import RequestModel, Text
from noughts.interfaces.web.http.replies import Model

PublicKey = Annotated[str, Field(pattern="^[A-Za-z0-9_-]{43}$")]
Signature = Annotated[str, Field(pattern="^[A-Za-z0-9_-]{86}$")]
Nonce = Annotated[str, Field(max_length=100)]
Code = Annotated[str, Field(pattern="^[0-9]{6}$")]
Number = Annotated[int, Field(ge=1, le=2**53)]
AskedBy = Literal["everybody", "played", "nobody"]


class SignedRequest(RequestModel):
    """A request with a signature."""

    nonce: Nonce
    """A login text of the server, which works for two minutes and once."""
    signature: Signature
    """The Ed25519 signature of the text of the action, in the URL-safe form of base64."""


class DeviceOfRequest(RequestModel):
    """A device with its signature."""

    key: PublicKey
    """The public key of the device."""
    label: str = Field(max_length=4 * MAX_LABEL)
    """A text by which the player recognises the device."""
    signature: Signature
    """The signature of the same text with the key of the device."""


class RegisterRequest(SignedRequest):
    """A registration: the key of the twelve words has signed it."""

    name: Text
    """The name to claim."""
    key: PublicKey
    """The public key that the twelve words hold."""
    device: DeviceOfRequest
    """The first device."""
    is_bot: bool = False
    """True for a program that plays by itself."""


class RestoreRequest(SignedRequest):
    """A new device of a player with the twelve words: their key has signed it."""

    key: PublicKey
    """The public key that the twelve words hold."""
    device: DeviceOfRequest
    """The new device."""


class SignInRequest(SignedRequest):
    """A request for a session, which the key of a device has signed."""

    key: PublicKey
    """The public key of the device."""


class AskToBeAdded(SignedRequest):
    """The request of a new device to be added, which its key has signed."""

    key: PublicKey
    """The public key of the new device."""
    label: str = Field(max_length=4 * MAX_LABEL)
    """A text by which the player recognises the device."""


class FollowRequest(RequestModel):
    """A question of a new device about its request."""

    secret: str = Field(max_length=100)
    """The secret that the device got with its code."""


class AnswerRequest(SignedRequest):
    """The answer to a new device, which a device of the player has signed."""

    key: PublicKey
    """The public key of the new device, as it was shown."""
    is_approved: bool
    """True to add the device, false to refuse it."""


class RenameRequest(SignedRequest):
    """A new name, which a device of the player has signed."""

    name: Text
    """The name to claim."""


class RemoveDevices(SignedRequest):
    """Devices to remove, which a device of the player has signed."""

    devices: Annotated[list[Number], Field(min_length=1, max_length=100)]
    """The numbers of the devices."""


class NewWords(SignedRequest):
    """New words, which a device of the player has signed."""

    key: PublicKey
    """The public key that the new words hold."""
    words_signature: Signature
    """The signature of the same text with that key."""


class FinalRequest(SignedRequest):
    """A request that cannot be undone, which a device of the player has signed."""

    name: Text
    """The name of the player, typed again."""


class PlainRequest(RequestModel):
    """A request without data."""


class WishesRequest(RequestModel):
    """The wishes of a player."""

    asked_by: AskedBy
    """The possible challengers of the player."""


class BlockRequest(RequestModel):
    """A player to block, or not to block any more."""

    identity: Number
    """The number of the other player."""
    is_blocked: bool = True
    """False to end it."""


class NonceMessage(Model):
    """A login text to sign."""

    nonce: str
    """The text, which works for two minutes and once."""


class NameMessage(Model):
    """The result of checking a name."""

    name: str
    """The name as it was typed."""
    is_free: bool
    """True if it can be claimed now."""
    sentence: str
    """The reason if it cannot, else an empty text."""


class IdentityMessage(Model):
    """A player with a key, as the player sees it."""

    number: int
    """The number of the player."""
    name: str | None
    """The name, or null if it was released after a year."""
    created: int
    """The time of the registration in milliseconds since 1970."""
    can_rename_at: int
    """The time from which the name can be changed."""
    words_checked: int | None
    """The time at which the words were checked, or null."""
    asked_by: AskedBy = Field(json_schema_extra={"enum": list(ASKED_BY)})
    """The possible challengers of the player."""
    is_bot: bool
    """True for a program that plays by itself."""


class SessionMessage(Model):
    """The sender of the request."""

    identity: IdentityMessage | None
    """The player, or null for a guest."""
    device: int | None
    """The number of the device, or null for a guest."""

    @classmethod
    def of(cls, identity: Identity, device: Device) -> "SessionMessage":
        """Return the message about a session."""
        return cls(identity=IdentityMessage.model_validate(identity), device=device.number)


class DeviceMessage(Model):
    """A device of a player."""

    number: int
    """The number of the device."""
    label: str
    """The text by which the player recognises the device."""
    created: int
    """The time at which it was added, in milliseconds since 1970."""
    seen: int
    """The time of its last visit, about to the hour."""


class DeviceList(Model):
    """The devices of a player."""

    devices: list[DeviceMessage]
    """The devices, the newest visit first."""


class WaitingDevice(Model):
    """The answer to a new device."""

    code: str
    """Six digits to type at another device."""
    secret: str
    """A secret to follow the request."""
    expires: int
    """The time at which the code expires, in milliseconds since 1970."""


class RequestState(Model):
    """The state of the request of a new device."""

    state: Literal["waiting", "added", "refused"]
    """The state."""


class AskingDevice(Model):
    """A new device that asks to be added."""

    label: str
    """The text by which the player recognises it."""
    key: str
    """Its public key."""


class BlockedPlayer(Model):
    """A blocked player."""

    number: int
    """The number of the player."""
    name: str | None
    """The name, or null for a former player."""
    created: int
    """The time of blocking in milliseconds since 1970."""


class BlockedPlayers(Model):
    """The players whom a player has blocked."""

    blocked: list[BlockedPlayer]
    """The blocked players, the first ones first."""


class StoredData(Model):
    """All data that are stored about a player."""

    identity: dict[str, str | int | bool | None]
    """The name, the public key, times and wishes."""
    devices: list[dict[str, str | int]]
    """The devices with their public keys."""
    sessions: list[dict[str, str | int]]
    """The sessions, each with its device and its end."""
    blocks: list[dict[str, str | int]]
    """The blocked players by number."""
    games: list[int]
    """The numbers of the games of the player."""
    rooms: list[str]
    """The names of the rooms in which the player has a seat."""
    pauses: list[dict[str, str | int]]
    """The last pause of the player's games by days."""
    reports: list[dict[str, str | int | None]]
    """The reports by the player."""
    bans: list[dict[str, str | int | None]]
    """The bans of the player."""
    conduct: list[dict[str, str | int]]
    """The conduct of the player in live games with strangers, for 30 days."""
    decisions: list[dict[str, str | int]]
    """The decisions of operators about the player."""
    inbox: list[dict[str, str | int | bool]]
    """The notes in the inbox. Their `facts` are JSON."""
    calls: list[dict[str, str | int]]
    """The browsers that are called when the page is closed."""


class Done(Model):
    """The answer to a request without further data."""
