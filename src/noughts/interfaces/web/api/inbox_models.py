"""The requests and responses about the inbox of a player."""

from typing import Literal

from pydantic import Field

from noughts.interfaces.web.api.identity_models import SignedRequest
from noughts.interfaces.web.api.requests import RequestModel
from noughts.interfaces.web.http.replies import Model


class ReadRequest(RequestModel):
    """Notes that the player has read."""

    until: int = Field(ge=0, le=2**53)
    """The instant of the newest of them, in milliseconds since 1970."""


class NoteMessage(Model):
    """A note about something that happened."""

    kind: Literal["challenge", "turn", "ended", "reminder", "began", "tournament"]
    """The kind of the note."""
    at: int
    """The instant, in milliseconds since 1970."""
    sentence: str
    """The sentence about it."""
    about: str
    """The title of the game, or of several."""
    link: str
    """The path of the page about it."""
    is_new: bool
    """Whether the player has not read it."""


class InboxMessage(Model):
    """The inbox of a player."""

    notes: list[NoteMessage]
    """The notes, the newest first."""
    new: int
    """The number of new notes."""


class PushKey(Model):
    """The public VAPID key of the server, and the subscription of this device."""

    key: str
    """The key in the URL-safe form of base64, for `applicationServerKey`."""
    endpoint: str | None
    """The address to which the server sends the calls of this device, null without a subscription."""


class SubscribeRequest(SignedRequest):
    """The push subscription of a browser, which the device has signed."""

    endpoint: str = Field(max_length=1_000)
    """The address at the push service, which must have https."""
    key: str = Field(max_length=100)
    """The public key of the browser, `p256dh`, in the URL-safe form of base64."""
    auth: str = Field(max_length=32)
    """The secret of the browser, `auth`, in the URL-safe form of base64."""
