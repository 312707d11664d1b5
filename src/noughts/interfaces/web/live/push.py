"""Calls to browsers whose pages are closed: Web Push, encrypted for each browser (RFC 8030, 8291, 8292).

Calls are sent by threads of their own. A slow push service delays no move, and nothing waits for a call. An
address is connected to only if it belongs to the internet, so that a subscription cannot reach machines in
the network of the server.
"""

import hashlib
import http.client
import json
import re
import socket
import ssl
from base64 import urlsafe_b64encode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib.util import find_spec
from threading import Lock
from time import monotonic
from urllib.parse import urlsplit

from noughts.arena.people.inbox import InboxNote, NoteKind
from noughts.arena.people.subscriptions import PushSubscription, Subscriptions, is_public_address
from noughts.arena.store.database import Database
from noughts.interfaces.presenting.inbox_texts import names_in, note_about, note_sentence
from noughts.interfaces.web.http.limits import Buckets, Rate, neighbourhood
from noughts.interfaces.web.http.replies import ApiError, compact, translator
from noughts.interfaces.web.models import link_of_note

THREADS, SECONDS = 6, 5.0
"""The number of threads that send calls, and the longest wait for each step of a push service."""

MAX_LINE = 1_000
"""The longest first line of a response."""

MAX_WAITING = 1_000
"""The largest number of calls that wait. Further ones are dropped: the inbox has the notes."""

CALLS = Rate(1 / 30, 20)
"""The rate of the notes of one kind about which one player is called, on all devices."""

FAILURES = Rate(1 / 60, 3)
"""The rate of failed calls to one device, and to one push service. After more of them calls are skipped."""

LIFETIME = {NoteKind.CHALLENGE: 120}
"""The seconds for which a push service stores a call, by kind."""

USUAL_LIFETIME = 12 * 60 * 60

GONE = (404, 410)
"""The statuses with which a push service says that a subscription has ended."""

TOKEN_SECONDS = 12 * 60 * 60
"""The lifetime of the token with which the server proves its key."""


def push_is_available() -> bool:
    """Return True if the library of the extra ``push`` is installed."""
    return find_spec("pywebpush") is not None


def make_secret() -> str:
    """Return a new private VAPID key in hexadecimal digits."""
    from cryptography.hazmat.primitives.asymmetric import ec

    return f"{ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value:064x}"


def public_key(secret: str) -> str:
    """Return the public VAPID key that belongs to *secret*, in the form for browsers."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    key = ec.derive_private_key(int(secret, 16), ec.SECP256R1()).public_key()
    return _base64(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


class PinnedConnection(http.client.HTTPSConnection):
    """A connection to *host* at the numeric *address*, which was checked before."""

    def __init__(self, host: str, port: int, address: str, context: ssl.SSLContext) -> None:
        super().__init__(host, port, timeout=SECONDS, context=context)
        self._address, self._tls = address, context

    def connect(self) -> None:
        """Connect to the checked address, and prove the name of the host by its certificate."""
        plain = socket.create_connection((self._address, self.port), SECONDS)
        try:
            self.sock = self._tls.wrap_socket(plain, server_hostname=self.host)
        except BaseException:
            plain.close()
            raise


class Pusher:
    """The sender of calls about notes to the *subscriptions*. *now* returns the milliseconds since 1970.

    *contact* is an address of the operator for push services. *is_allowed* checks numeric addresses, and
    *context* the certificates of push services.
    """

    def __init__(
        self,
        database: Database,
        subscriptions: Subscriptions,
        now: Callable[[], int],
        contact: str,
        *,
        is_allowed: Callable[[str], bool] = is_public_address,
        context: ssl.SSLContext | None = None,
    ) -> None:
        self._database, self._subscriptions, self._now = database, subscriptions, now
        self._contact, self._is_allowed = contact, is_allowed
        self._context = context
        self._pool = ThreadPoolExecutor(THREADS, "noughts-push")
        self._rates, self._failures = Buckets(CALLS), Buckets(FAILURES)
        self._waiting, self._lock = 0, Lock()

    def call(self, notes: list[InboxNote]) -> None:
        """Call the people of *notes* soon. Any thread may call this, and it returns at once."""
        with self._lock:
            if self._waiting >= MAX_WAITING:
                return
            self._waiting += 1
        with suppress(RuntimeError):  # the server stops
            self._pool.submit(self._work, notes)

    def close(self) -> None:
        """Drop the waiting calls, and stop."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _work(self, notes: list[InboxNote]) -> None:
        with self._lock:
            self._waiting -= 1
        subscriptions = self._subscriptions.of({note.identity for note in notes})
        if not subscriptions:
            return
        called = self._database.called(names_in(notes))
        for note in notes:
            own = [one for one in subscriptions if one.identity == note.identity]
            try:
                self._rates.take((note.identity, note.kind), 1)
            except ApiError:
                continue  # the note is in the inbox
            for subscription in own:
                say = translator(subscription.language)
                message = {
                    "title": note_sentence(say, note, called),
                    "body": note_about(say, note),
                    "link": link_of_note(note),
                    "tag": _topic(note),
                }
                self._try(subscription, compact(message), note)

    def _try(self, subscription: PushSubscription, message: str, note: InboxNote) -> None:
        """Send *message*, unless too many earlier calls to the device or to the push service have failed."""
        device = (subscription.identity, subscription.device)
        try:
            self._failures.take(device, 0)
            self.send(subscription, message, note)
        except (OSError, http.client.HTTPException):
            self._failures.owe(device, 1)
        except (ApiError, ValueError):  # the note is in the inbox
            return

    def send(self, subscription: PushSubscription, message: str, note: InboxNote) -> int:
        """Send *message* about *note* to one browser, and return the status of the push service.

        An ended subscription is deleted. Raises ``OSError`` and ``http.client.HTTPException``, and
        :class:`ApiError` if too many earlier calls to the push service have failed.
        """
        parts = urlsplit(subscription.endpoint)
        host, port = parts.hostname or "", parts.port or 443
        headers = {
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(LIFETIME.get(note.kind, USUAL_LIFETIME)),
            "Urgency": "high" if note.kind is NoteKind.CHALLENGE else "normal",
            "Topic": _topic(note),
            **self._proof(f"https://{parts.netloc}"),
        }
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        address, body = self._address_of(host, port), _encrypted(subscription, message)
        self._failures.take(neighbourhood(address), 0)
        connection = PinnedConnection(host, port, address, self._tls())
        try:
            connection.request("POST", path or "/", body, headers)
            status = _status(connection.sock)
        except OSError:
            self._failures.owe(neighbourhood(address), 1)
            raise
        finally:
            connection.close()
        if status in GONE:
            self._subscriptions.drop(subscription)
        return status

    def _tls(self) -> ssl.SSLContext:
        if self._context is None:
            self._context = ssl.create_default_context()
        return self._context

    def _address_of(self, host: str, port: int) -> str:
        """Return a numeric address of *host*. Raise ``OSError`` unless all are allowed."""
        found = {str(one[4][0]) for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)}
        if not found or not all(map(self._is_allowed, found)):
            raise OSError(f"{host} is no address of the internet")
        return sorted(found)[0]

    def _proof(self, audience: str) -> dict[str, str]:
        """Return the header that proves to the push service at *audience* that this server sends the call."""
        from py_vapid import Vapid02

        secret = bytes.fromhex(self._subscriptions.vapid_secret(make_secret))
        claims = {"aud": audience, "exp": self._now() // 1000 + TOKEN_SECONDS, "sub": self._contact}
        header: dict[str, str] = Vapid02.from_raw(_base64(secret).encode()).sign(claims)
        return header


def _status(sock: socket.socket) -> int:
    """Return the status in the first line of the response, which must be here in time.

    The rest is not read, so that no push service holds a thread for long. Raises ``OSError``.
    """
    ends, line = monotonic() + SECONDS, b""
    while b"\n" not in line and len(line) < MAX_LINE:
        sock.settimeout(max(0.001, ends - monotonic()))
        if not (part := sock.recv(MAX_LINE)):
            break
        line += part
    found = re.match(rb"HTTP/1\.[01] ([0-9]{3})\b", line)
    if found is None:
        raise ConnectionError("no response of HTTP")
    return int(found[1])


def _encrypted(subscription: PushSubscription, message: str) -> bytes:
    """Return *message*, encrypted for the browser of *subscription*."""
    from pywebpush import WebPusher

    keys = {"p256dh": subscription.client_key, "auth": subscription.auth}
    pusher = WebPusher({"endpoint": subscription.endpoint, "keys": keys})
    body: bytes = pusher.encode(message.encode())["body"]
    return body


def _topic(note: InboxNote) -> str:
    """Return the name under which a newer call replaces an older one. It reveals nothing."""
    text = json.dumps([note.identity, note.kind, note.subject])
    return _base64(hashlib.sha256(text.encode()).digest())[:32]


def _base64(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()
