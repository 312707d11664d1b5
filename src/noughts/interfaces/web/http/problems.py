"""Why the server refuses: each error becomes a status, a code with data, and a sentence."""

import re
from typing import Any

from noughts import errors
from noughts.interfaces.presenting.i18n import FEW, Translator

SHOWN = ("reason", "what", "side", "turn", "limit", "allowed", "known", "instead")
"""What of an error's data is told to programs."""

CODES: dict[int, tuple[str, ...]] = {
    400: ("unreadable",),
    401: ("no-seat",),
    403: ("foreign-origin", "not-your-seat", "game-goes-on"),
    404: ("not-found", "no-such-path", "unknown-game", "unknown-opening"),
    405: ("no-such-method",),
    408: ("body-too-slow",),
    409: ("stale", "seat-taken"),
    413: ("body-too-large",),
    415: ("not-json",),
    421: ("foreign-host",),
    422: (
        *("invalid", "no-such-seat", "plays-alone", "no-such-ply", "not-found", "game-too-long"),
        *("no-such-cell", "no-lines"),
        *("shape-error", "rules-error", "notation-error", "coordinate-error", "unknown-mark", "name-refused"),
        *("out-of-turn", "illegal-move", "occupied-cell", "floating-cell", "game-over", "command-refused"),
        *("unsupported-rules", "player-failed", "forbidden-move"),
    ),
    429: ("too-often", "too-many-rooms", "too-many-streams", "thinking-for-you"),
    500: ("failed", "damaged-store"),
    503: ("server-busy", "server-full", "thinking-busy", "thinking-failed", "store-error", "stale-version"),
}
"""With which codes requests are refused, by status."""

SEAT_COOKIE = "noughts-seat"
"""The cookie of a seat; it goes back to the one room only."""

HIDDEN = ("room", "code")
"""What is not named again when it was not found: whoever reads the answer should not learn from it."""


class Refused(errors.NoughtsError):
    """The server refuses a request with the HTTP *status*; ``code`` says why, ``data`` is for programs."""

    def __init__(self, status: int, code: str, **data: Any) -> None:
        super().__init__(f"{status} {code}")
        self.status, self.code, self.data = status, code, data


def status_of(error: errors.NoughtsError) -> int:
    """The HTTP status that tells of *error*."""
    if isinstance(error, Refused):
        return error.status
    if isinstance(error, errors.NotFound) and error.what in ("room", "code", "record", "series"):
        return 404
    if isinstance(error, errors.SeatTaken):
        return 409
    if isinstance(error, errors.UnknownGame):
        return 404
    if isinstance(error, errors.DamagedStore):
        return 500
    if isinstance(error, errors.StoreError):
        return 503
    return 422


def error_as_json(error: errors.NoughtsError, say: Translator, sentence: str | None = None) -> dict[str, Any]:
    """The code of *error* with its data, and the *sentence* that a person reads."""
    if isinstance(error, Refused):
        told = sentence or say(f"refusal-{error.code}", **error.data)
        return {"code": error.code, **error.data, "sentence": told}
    if isinstance(error, errors.NotFound) and error.what in HIDDEN:
        return {"code": "not-found", "what": error.what, "sentence": sentence or say.error(error)}
    if isinstance(error, errors.StoreError) and not isinstance(
        error, errors.UnknownGame
    ):  # where the database is is nobody's business
        return {"code": code_of(error), "sentence": sentence or say("refusal-failed")}
    data = {name: _plain(getattr(error, name)) for name in SHOWN if getattr(error, name, None) is not None}
    return {"code": code_of(error), **data, "sentence": sentence or say.error(error)}


def code_of(error: errors.NoughtsError) -> str:
    """The code of an error of the library: its name in small letters.

    >>> code_of(errors.OutOfTurn("X", "O"))
    'out-of-turn'
    """
    return re.sub("(?<=[a-z])(?=[A-Z])", "-", type(error).__name__).lower()


def _plain(value: Any) -> Any:
    """A value that JSON can hold."""
    if isinstance(value, tuple | list):
        return [str(item) for item in value[:FEW]]
    return value if isinstance(value, int | float | bool) else str(value)[:100]
