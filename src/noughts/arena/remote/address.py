"""Addresses of rooms and seats on a server, as players pass them on."""

import re
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from noughts.arena.rooms.keys import parse_code
from noughts.errors import NotationError

DEFAULT_SERVER = "http://127.0.0.1:8000"
"""The address of ``noughts serve`` on this machine."""

MAX_ADDRESS = 2_000
"""The longest address that is read, in characters."""

USUAL_PORTS = {"http": 80, "https": 443}

_SEAT = "seat="
_ROOM = re.compile("[A-Za-z0-9_-]{10,64}")
_TOKEN = re.compile("[A-Za-z0-9_-]{20,128}")


@dataclass(frozen=True, slots=True)
class RoomAddress:
    """A room of the server ``origin``: its name ``room`` or its ``code``, and the ``token`` of a seat."""

    origin: str
    room: str = ""
    code: str = ""
    token: str = ""

    @property
    def link(self) -> str:
        """The link that opens the room in a browser, and its seat too if the token is known.

        A browser does not send the part after ``#``, so the token is in no log.

        >>> RoomAddress("http://127.0.0.1:8000", room="abcdefghij", token="k" * 20).link
        'http://127.0.0.1:8000/r/abcdefghij#seat=kkkkkkkkkkkkkkkkkkkk'
        """
        return f"{self.origin}/r/{self.room}" + (f"#{_SEAT}{self.token}" if self.token else "")


def parse_address(text: str, server: str = DEFAULT_SERVER) -> RoomAddress:
    """Return the room that *text* names: a code, or a link to a room or to a seat.

    A code without an address belongs to the server at *server*. Raises
    :class:`~noughts.errors.NotationError`.

    >>> parse_address("abc-def").code, parse_address("noughts.example/ABCDEF").origin
    ('ABCDEF', 'https://noughts.example')
    >>> parse_address("http://[::1]:8000/r/abcdefghij?lang=ru").room
    'abcdefghij'
    """
    text = text.strip()
    if (code := parse_code(text)) is not None:
        return RoomAddress(parse_server(server), code=code)
    origin, path, fragment = _parts(text)
    words = [unquote(word) for word in path.split("/") if word]
    token = fragment.removeprefix(_SEAT) if fragment.startswith(_SEAT) else ""
    if len(words) == 2 and words[0] == "r" and _ROOM.fullmatch(words[1]):
        if fragment.startswith(_SEAT) and not _TOKEN.fullmatch(token):
            raise NotationError("address", text)
        return RoomAddress(origin, room=words[1], token=token)
    code = parse_code(words[0]) if len(words) == 1 else None
    if code is None:
        raise NotationError("address", text)
    return RoomAddress(origin, code=code)


def parse_server(text: str) -> str:
    """Return the origin of the server at the address *text*: its scheme, host and port.

    An address without a scheme gets https, or http for this machine and for bare IP addresses. Raises
    :class:`~noughts.errors.NotationError`.

    >>> parse_server("Noughts.example:443/"), parse_server("192.168.1.5:8000")
    ('https://noughts.example', 'http://192.168.1.5:8000')
    """
    origin, path, _ = _parts(text.strip())
    if path.strip("/"):
        raise NotationError("address", text)
    return origin


def _parts(text: str) -> tuple[str, str, str]:
    """Return the origin, the path and the fragment of the address *text*."""
    if not text.isprintable() or " " in text or len(text) > MAX_ADDRESS:
        raise NotationError("address", text)
    has_scheme = re.match("https?://", text, re.IGNORECASE)
    try:
        parts = urlsplit(text if has_scheme else f"//{text}")
        host, port = parts.hostname or "", parts.port
        name = host.encode("idna").decode() if ":" not in host else f"[{host}]"
    except (ValueError, UnicodeError):
        raise NotationError("address", text) from None
    if not re.fullmatch(r"[a-z0-9.-]+|\[[0-9a-f:.%]+\]", name) or parts.username is not None:
        raise NotationError("address", text)
    scheme = parts.scheme.lower() if has_scheme else "http" if _is_plain(name) else "https"
    if port == USUAL_PORTS[scheme]:  # Browsers leave it out of an origin, and signed texts name the origin.
        port = None
    return f"{scheme}://{name}" + (f":{port}" if port is not None else ""), parts.path, parts.fragment


def _is_plain(host: str) -> bool:
    """Return True if servers at *host* rarely have a certificate: this machine, and bare IP addresses."""
    return host in ("localhost", "localhost.") or host.startswith("[") or bool(re.fullmatch("[0-9.]+", host))
