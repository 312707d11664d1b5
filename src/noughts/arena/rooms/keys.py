"""Codes to join by, and keys: entering again under the same key leads to the same seat.

The key is a secret that the one who enters has made by chance, of at least :data:`MIN_KEY` characters. The
name of a room opened under it and the token of a seat taken under it follow from it, and no less is secret
than without: a hash of the token is kept as ever, of the key nothing. So whoever has lost an answer asks
again, of any worker and also after a restart, and gets the seat that was taken then. Under another name it
is another seat that is asked for.

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
"""The shortest key: so many letters and digits hold 128 bits of chance."""

ROOM_BYTES, TOKEN_BYTES = 15, 24
"""How long the names of rooms and tokens are, whether they follow from a key or from chance."""

CODE_LETTERS = "ABCDEFGHJKMNPRSTUVWXYZ"
"""What codes are made of: no letter that looks like another or like a digit."""

CODE_LENGTH = 6

CODE_LASTS_MS = 15 * 60 * 1000
"""How long a code can be used."""


def room_of_key(key: str) -> str:
    """The name of the room that is opened under *key*."""
    return text_of(_derive(key, "room")[:ROOM_BYTES])


def token_of_key(key: str, room: str, name: str) -> str:
    """The token of the seat that *name* takes in *room* under *key*."""
    return text_of(_derive(key, "seat", room, name)[:TOKEN_BYTES])


def key_of_game(room: str, game: int) -> str:
    """Return the secret in the link of the *game* with that number, which was played in *room*.

    Anyone who knows the room can derive it. The room cannot be found from it, so a link opens no other game.
    """
    return text_of(_derive(room, "game", str(game))[:ROOM_BYTES])


def link_of_game(key: str) -> str:
    """Return what is stored of the secret in the link of a game."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def text_of(chance: bytes) -> str:
    """Bytes as letters, digits, hyphens and underscores."""
    return base64.urlsafe_b64encode(chance).decode().rstrip("=")


def _derive(key: str, *what: str) -> bytes:
    return hmac.new(key.encode(), canonical_json(what).encode(), hashlib.sha256).digest()


# Codes: six letters that one person can tell another, to be let into a room


def make_code(chance: bytes) -> str:
    """A code from at least eight bytes of *chance*.

    >>> make_code(bytes(8))
    'AAAAAA'
    """
    number, letters = int.from_bytes(chance, "big"), ""
    for _ in range(CODE_LENGTH):
        number, letter = divmod(number, len(CODE_LETTERS))
        letters += CODE_LETTERS[letter]
    return letters


def parse_code(text: str) -> str | None:
    """*text* as a code: people write small letters, blanks and hyphens. None for what is none.

    >>> parse_code("abc-d ef"), parse_code("ABCDE0")
    ('ABCDEF', None)
    """
    code = "".join(text[: 4 * CODE_LENGTH].replace("-", "").split()).upper()
    return code if len(code) == CODE_LENGTH and set(code) <= set(CODE_LETTERS) else None
