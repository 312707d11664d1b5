"""Push subscriptions in the database: the browsers that are called when the page is closed.

A subscription belongs to a device of a player with a key, and ends with it.
"""

import hashlib
import re
from base64 import urlsafe_b64decode
from binascii import Error as Base64Error
from collections.abc import Callable, Collection
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any
from urllib.parse import urlsplit

from noughts.arena.people.identities import SignedIn
from noughts.arena.store.connections import Connection
from noughts.arena.store.database import Database
from noughts.errors import KeyRefused

MAX_ENDPOINT = 1_000
"""The longest address of a push service."""

KEY_BYTES, AUTH_BYTES = 65, 16
"""The lengths of the keys of a browser."""

POINT = 4
"""The first byte of an uncompressed point of an elliptic curve."""

UNICAST, TRANSLATED = IPv6Network("2000::/3"), IPv6Network("64:ff9b::/96")
"""The IPv6 addresses of the internet, and those that a translator maps to IPv4 addresses."""

_HOST = re.compile(r"(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]")
_OF = (
    "SELECT id, identity, device, endpoint, client_key, auth, language FROM push_subscriptions"
    " WHERE identity IN (:numbers) ORDER BY created, id"
)
_DEVICE = "SELECT number FROM devices WHERE number = :device AND identity = :identity FOR UPDATE"
_OF_DEVICE = "SELECT endpoint FROM push_subscriptions WHERE device = :device"
_REPLACE = "ON CONFLICT (id) DO UPDATE SET " + ", ".join(
    f"{name} = excluded.{name}"
    for name in ("identity", "device", "client_key", "auth", "language", "created")
)
_VAPID = "SELECT secret FROM server_secrets WHERE name = 'vapid'"


@dataclass(frozen=True, slots=True)
class PushSubscription:
    """The address ``endpoint`` of a browser at its push service, and the keys of the browser in base64.

    The browser is the ``device`` of the player ``identity``.
    """

    id: str
    identity: int
    device: int
    endpoint: str
    client_key: str
    auth: str
    language: str


def check_endpoint(endpoint: str) -> str:
    """Return the host of *endpoint*, the address of a push service.

    Raises :class:`~noughts.errors.KeyRefused` if it cannot be one.

    It must have https, the usual port, and the name of a host on the internet. The sender checks the numeric
    address too.

    >>> check_endpoint("https://push.example.com/send/abc")
    'push.example.com'
    """
    try:
        parts = urlsplit(endpoint)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise KeyRefused("push-endpoint") from error
    is_plain = endpoint.isascii() and endpoint.isprintable() and " " not in endpoint
    is_safe = parts.scheme == "https" and port in (None, 443) and "@" not in parts.netloc
    if len(endpoint) > MAX_ENDPOINT or not is_plain or not is_safe or not _HOST.fullmatch(host):
        raise KeyRefused("push-endpoint")
    return host


def is_public_address(address: str) -> bool:
    """Return True if the numeric *address* belongs to the internet, and to no private network.

    >>> [is_public_address(one) for one in ("8.8.8.8", "10.0.0.1", "127.0.0.1", "::1", "::ffff:10.0.0.1")]
    [True, False, False, False, False]
    >>> [is_public_address(one) for one in ("64:ff9b::8.8.8.8", "64:ff9b::10.0.0.1", "2002:a00:1::1")]
    [True, False, False]
    """
    parsed: IPv4Address | IPv6Address = ip_address(address)
    if isinstance(parsed, IPv6Address):
        mapped = parsed.ipv4_mapped
        if parsed in TRANSLATED:
            mapped = IPv4Address(int(parsed) % 2**32)
        if mapped is None:  # An address that holds one of IPv4 in another form may lead to a private network.
            return parsed in UNICAST and parsed.is_global and parsed.sixtofour is None
        parsed = mapped
    return parsed.is_global and not parsed.is_multicast


class Subscriptions:
    """The push subscriptions in *database*. *now* returns the milliseconds since 1970."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database, self._now = database, now
        self._secret = ""

    def vapid_secret(self, make: Callable[[], str]) -> str:
        """Return the private VAPID key of the server in hexadecimal digits. The first worker makes it."""
        if not self._secret:
            row = {"name": "vapid", "secret": make(), "created": self._now()}
            with self._database.writing() as connection:
                connection.insert("server_secrets", row, unless="ON CONFLICT DO NOTHING")
                self._secret = connection.column(_VAPID)[0]
        return self._secret

    def add(self, signed: SignedIn, endpoint: str, client_key: str, auth: str, language: str) -> None:
        """Store the subscription of a device in place of its earlier one.

        Raises :class:`~noughts.errors.KeyRefused`, also if the device was removed meanwhile.
        """
        check_endpoint(endpoint)
        key = _bytes(client_key)
        if len(key) != KEY_BYTES or key[0] != POINT or len(_bytes(auth)) != AUTH_BYTES:
            raise KeyRefused("push-keys")
        row: dict[str, Any] = {
            "id": hashlib.sha256(endpoint.encode()).hexdigest(),
            "identity": signed.identity.number,
            "device": signed.device.number,
            "endpoint": endpoint,
            "client_key": client_key,
            "auth": auth,
            "language": language,
            "created": self._now(),
        }
        with self._database.writing() as connection:
            own = {"device": signed.device.number, "identity": signed.identity.number}
            if connection.row(_DEVICE, **own) is None:
                raise KeyRefused("refused")
            self._delete(connection, signed)
            connection.insert("push_subscriptions", row, unless=_REPLACE)

    def remove(self, signed: SignedIn) -> None:
        """Delete the subscription of a device."""
        with self._database.writing() as connection:
            self._delete(connection, signed)

    def _delete(self, connection: Connection, signed: SignedIn) -> None:
        row = {"device": signed.device.number}
        connection.change("DELETE FROM push_subscriptions WHERE device = :device", row)

    def endpoint_of(self, signed: SignedIn) -> str | None:
        """Return the address of the subscription of a device, or None without one."""
        with self._database.reading() as connection:
            row = connection.row(_OF_DEVICE, device=signed.device.number)
        return None if row is None else str(row["endpoint"])

    def of(self, numbers: Collection[int]) -> list[PushSubscription]:
        """Return the subscriptions of the identities *numbers*."""
        if not numbers:
            return []
        with self._database.reading() as connection:
            rows = connection.rows(_OF, numbers=tuple(numbers))
        return [PushSubscription(*(row[name] for name in PushSubscription.__slots__)) for row in rows]

    def drop(self, subscription: PushSubscription) -> None:
        """Delete *subscription*, which the push service does not know any more."""
        with self._database.writing() as connection:
            connection.change("DELETE FROM push_subscriptions WHERE id = :id", {"id": subscription.id})


def _bytes(text: str) -> bytes:
    """Return the bytes in the URL-safe base64 *text* without padding, empty if it is none."""
    try:
        return urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (Base64Error, ValueError):
        return b""
