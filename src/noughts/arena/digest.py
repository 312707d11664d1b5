"""The digest of a game: SHA-256 over its number and setup, then over the digest so far and each event."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from noughts.arena.events import Event
from noughts.arena.setup import Setup


def digest_setup(setup: Setup) -> str:
    """Return the digest of a game without events."""
    facts = {**asdict(setup), "seats": list(setup.seats.items())}
    old_who = facts.pop("old_who")
    if old_who is not None:  # games of earlier versions have this digest
        del facts["origin"], facts["is_counted"]
        facts["who"] = old_who
        if setup.opening is None:
            del facts["opening"]
    return digest_of(facts)


def first_digest(number: int, setup: Setup) -> str:
    """Return the digest of the game *number* before its events.

    The number is part of it, so that games cannot change places.
    """
    return digest_of([number, digest_setup(setup)])


def digest_events(digest: str, events: Iterable[Event]) -> str:
    """Return the digest of a game after *events*. *digest* is the digest before them."""
    for event in events:
        digest = _sha256(digest + canonical_json(event.values))
    return digest


def canonical_json(value: Any) -> str:
    """Return *value* as JSON that is the same for equal values: sorted keys, no blanks, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def digest_of(value: Any) -> str:
    """Return the SHA-256 of *value* as canonical JSON."""
    return _sha256(canonical_json(value))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("ascii")).hexdigest()
