"""Codes for joining a room, and keys: entering again under the same key leads to the same seat.

A key is a random secret of at least :data:`MIN_KEY` characters that the client makes. The name of a room
opened under it and the token of a seat taken under it are derived from it. They are as secret as random ones:
only a hash of the token is stored, and nothing of the key. A client that has lost an answer repeats its
request at any worker, also after a restart, and gets the seat that was taken then. Under another name it
requests another seat.

>>> token_of_key("k" * 22, "room", "Ada") == token_of_key("k" * 22, "room", "Ada")
True
>>> token_of_key("k" * 22, "room", "Ada") == token_of_key("k" * 22, "room", "Wei")
False
"""

import base64
import hashlib
import hmac

from noughts.arena.digest import canonical_json

MIN_KEY = 22
"""The minimum length of a key: 22 letters and digits hold 128 random bits."""

ROOM_BYTES, TOKEN_BYTES = 15, 24
"""The lengths of room names and tokens in bytes, whether they are derived or random."""

CODE_LETTERS = "ABCDEFGHJKMNPRSTUVWXYZ"
"""The letters of codes: none looks like another letter or like a digit."""

CODE_LENGTH = 6

CODE_LASTS_MS = 15 * 60 * 1000
"""The validity of a code in milliseconds."""


def room_of_key(key: str) -> str:
    """Return the name of the room that is opened under *key*."""
    return text_of(_derive(key, "room")[:ROOM_BYTES])


def token_of_key(key: str, room: str, name: str) -> str:
    """Return the token of the seat that *name* takes in *room* under *key*."""
    return text_of(_derive(key, "seat", room, name)[:TOKEN_BYTES])


def token_of_visitor(key: str) -> str:
    """Return the token of the seats that a lobby gives to the visitor with *key*, in any room."""
    return text_of(_derive(key, "visitor")[:TOKEN_BYTES])


def key_of_game(room: str, game: int) -> str:
    """Return the secret in the link of the *game* with that number, which was played in *room*.

    It can be derived from the name of the room, but not the name from it: a link opens no other game.
    """
    return text_of(_derive(room, "game", str(game))[:ROOM_BYTES])


def link_of_game(key: str) -> str:
    """Return the hash of *key*, the secret in the link of a game. Only the hash is stored."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def text_of(chance: bytes) -> str:
    """Return *chance*, random bytes, as letters, digits, hyphens and underscores."""
    return base64.urlsafe_b64encode(chance).decode().rstrip("=")


def _derive(key: str, *words: str) -> bytes:
    return hmac.new(key.encode(), canonical_json(words).encode(), hashlib.sha256).digest()


# Codes: six letters that a person can pass on, and that open a room


def make_code(chance: bytes) -> str:
    """Return a code from at least eight bytes of *chance*.

    >>> make_code(bytes(8))
    'AAAAAA'
    """
    number, letters = int.from_bytes(chance, "big"), ""
    for _ in range(CODE_LENGTH):
        number, letter = divmod(number, len(CODE_LETTERS))
        letters += CODE_LETTERS[letter]
    return letters


def parse_code(text: str) -> str | None:
    """Return *text* as a code, or None if it is not one. Lower case, blanks and hyphens are accepted.

    >>> parse_code("abc-d ef"), parse_code("ABCDE0")
    ('ABCDEF', None)
    """
    code = "".join(text[: 4 * CODE_LENGTH].replace("-", "").split()).upper()
    return code if len(code) == CODE_LENGTH and set(code) <= set(CODE_LETTERS) else None
