"""Calls with the page closed: a test endpoint receives and decrypts them, and private networks get none."""

import datetime
import http.server
import json
import socket
import ssl
import threading
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import http_ece
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02

from noughts.arena.people.identities import SignedIn
from noughts.arena.people.inbox import InboxNote, NoteKind
from noughts.arena.people.people import People
from noughts.arena.people.subscriptions import Subscriptions, check_endpoint
from noughts.arena.store.database import open_database
from noughts.errors import KeyRefused
from noughts.interfaces.web.http.replies import SESSION_COOKIE
from noughts.interfaces.web.live import push
from noughts.interfaces.web.live.push import Pusher, make_secret, public_key
from tests.arena.people.signing import Signer, register, restore
from tests.arena.rooms.tables import Time
from tests.interfaces.web.harness import ORIGIN, House, served
from tests.interfaces.web.remote_server import wait_until
from tests.interfaces.web.test_api_identities import Browser, browser, code_of

HOST = "push.example.com"
AUTH = bytes(range(16))
BROWSER = ec.derive_private_key(7, ec.SECP256R1())
POINT = BROWSER.public_key().public_bytes(
    serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
)


def _base64(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()


class PushService:
    """A push service at this machine, with a certificate for :data:`HOST`."""

    def __init__(self, folder: Path) -> None:
        self.status, self.heard = 201, list[tuple[dict[str, str], bytes]]()
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                service.heard.append((dict(self.headers.items()), body))
                self.send_response(service.status)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                pass

        key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
        now = datetime.datetime.now(datetime.UTC)
        made = (
            x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=1))
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=True)
            .sign(key, hashes.SHA256())
        )
        certificate, private = folder / "certificate.pem", folder / "key.pem"
        certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
        private.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        own = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        own.load_cert_chain(certificate, private)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.socket = own.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_address[1]
        self.trust = ssl.create_default_context(cafile=certificate)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


class Caller:
    """A sender of calls to the one browser of Ada."""

    def __init__(self, service: PushService) -> None:
        self.database, self.now = open_database("sqlite://"), Time(1_800_000_000_000)
        self.subscriptions = Subscriptions(self.database, self.now)
        self.people = People(self.database, now=self.now)
        self.session = register(self.people, "Ada", Signer(1), Signer(2))
        self.signed = self.people.session(self.session.secret)
        assert self.signed is not None
        self.subscribe("ru")
        self.allowed = {"127.0.0.1"}
        self.pusher = Pusher(
            self.database,
            self.subscriptions,
            self.now,
            "https://play.example",
            is_allowed=lambda address: address in self.allowed,
            context=service.trust,
        )

    def subscribe(self, language: str, by: SignedIn | None = None, path: str = "/send/abc?x=1") -> None:
        device = by or self.signed
        assert device is not None
        self.subscriptions.add(device, f"https://{HOST}{path}", _base64(POINT), _base64(AUTH), language)

    def other_device(self) -> SignedIn:
        """Return the session of a second device."""
        signed = self.people.session(restore(self.people, Signer(1), Signer(3)).secret)
        assert signed is not None
        return signed

    def remove(self, device: SignedIn) -> None:
        """Remove *device* by the first one."""
        assert self.signed is not None
        number = device.device.number
        proof = Signer(2).proof(self.people, "remove-devices", str(number))
        self.people.remove_devices(self.signed, [number], proof)

    def note(self, at: int = 1) -> InboxNote:
        facts = {"room": "abc", "game": "reversi", "others": ["Wei"], "move": "c4"}
        return InboxNote(self.session.identity.number, NoteKind.TURN, f"abc{at}", at, facts)

    def close(self) -> None:
        self.pusher.close()
        self.database.close()


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PushService]:
    made = PushService(tmp_path)
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)

    def connect(address: tuple[str, int], seconds: float) -> socket.socket:
        plain = socket.socket()
        plain.settimeout(seconds)
        plain.connect((address[0], made.port))
        return plain

    monkeypatch.setattr(socket, "create_connection", connect)
    yield made
    made.server.shutdown()
    made.server.server_close()


@pytest.fixture
def caller(service: PushService) -> Iterator[Caller]:
    made = Caller(service)
    yield made
    made.close()


def test_push_is_received_and_decrypted(service: PushService, caller: Caller) -> None:
    caller.pusher.call([caller.note()])
    wait_until(lambda: service.heard)
    headers, body = service.heard[0]
    text = http_ece.decrypt(body, private_key=BROWSER, auth_secret=AUTH, version="aes128gcm")
    message = json.loads(text)
    assert (message["title"], message["body"]) == ("Wei: ход c4. Теперь ваш ход.", "Реверси")
    assert (message["link"], headers["Topic"]) == ("/r/abc", message["tag"])
    assert b"Wei" not in body
    assert (headers["TTL"], headers["Content-Encoding"]) == ("43200", "aes128gcm")
    assert Vapid02.verify(headers["Authorization"])
    own = public_key(caller.subscriptions.vapid_secret(make_secret))
    assert headers["Authorization"].endswith(f"k={own}")
    token = headers["Authorization"].partition("t=")[2].split(".")[1]
    claims = json.loads(urlsafe_b64decode(token + "=="))
    assert (claims["aud"], claims["sub"]) == (f"https://{HOST}", "https://play.example")


@pytest.mark.parametrize(("status", "left"), [(410, 0), (404, 0), (429, 1), (500, 1)])
def test_ended_subscription_is_deleted(service: PushService, caller: Caller, status: int, left: int) -> None:
    service.status = status
    (subscription,) = caller.subscriptions.of([caller.session.identity.number])
    assert caller.pusher.send(subscription, "{}", caller.note()) == status
    assert len(caller.subscriptions.of([subscription.identity])) == left


def test_private_addresses_get_no_call(service: PushService, caller: Caller) -> None:
    caller.allowed.clear()
    (subscription,) = caller.subscriptions.of([caller.session.identity.number])
    with pytest.raises(OSError, match="no address of the internet"):
        caller.pusher.send(subscription, "{}", caller.note())
    assert service.heard == []


class _Dripping:
    """A connection on which one byte after the other arrives for ever."""

    def settimeout(self, seconds: float) -> None:
        assert 0 < seconds <= push.SECONDS

    def recv(self, _: int) -> bytes:
        return b"H"


def test_endless_response_is_not_read_on() -> None:
    with pytest.raises(ConnectionError):
        push._status(_Dripping())  # type: ignore[arg-type]


@pytest.mark.parametrize("is_allowed", [False, True])
def test_failing_calls_are_skipped_later(service: PushService, caller: Caller, is_allowed: bool) -> None:
    (subscription,) = caller.subscriptions.of([caller.session.identity.number])
    trust = caller.pusher._context
    if is_allowed:
        caller.pusher._context = ssl.create_default_context()  # it does not trust the service
    else:
        caller.allowed.clear()
    for _ in range(push.FAILURES.burst + 1):
        caller.pusher._try(subscription, "{}", caller.note())
    caller.pusher._context = trust
    caller.allowed = {"127.0.0.1"}
    caller.pusher._try(subscription, "{}", caller.note())
    assert service.heard == []
    other = replace(subscription, device=1)
    caller.pusher._try(other, "{}", caller.note())  # to another device, by the same service
    assert len(service.heard) == (0 if is_allowed else 1)


def test_calls_to_one_player_are_limited(service: PushService, caller: Caller) -> None:
    caller.pusher.call([caller.note(at) for at in range(push.CALLS.burst + 5)])
    wait_until(lambda: len(service.heard) == push.CALLS.burst)
    caller.pusher._pool.shutdown(wait=True)
    assert len(service.heard) == push.CALLS.burst


def test_device_has_one_subscription(caller: Caller) -> None:
    caller.subscribe("zh-Hans")
    (subscription,) = caller.subscriptions.of([caller.session.identity.number])
    assert subscription.language == "zh-Hans"


def test_each_device_is_switched_and_called_on_its_own(service: PushService, caller: Caller) -> None:
    laptop = caller.other_device()
    caller.subscribe("en", laptop, "/laptop")
    calls = push.CALLS.burst
    caller.pusher.call([caller.note(at) for at in range(calls)])
    wait_until(lambda: len(service.heard) == 2 * calls)
    assert caller.signed is not None
    caller.subscriptions.remove(caller.signed)
    assert [one.device for one in caller.subscriptions.of([laptop.identity.number])] == [laptop.device.number]
    caller.subscribe("en")
    caller.subscriptions.remove(laptop)
    assert caller.subscriptions.endpoint_of(laptop) is None
    assert caller.subscriptions.endpoint_of(caller.signed) is not None


def test_removed_device_is_called_no_more(caller: Caller) -> None:
    laptop, number = caller.other_device(), caller.session.identity.number
    caller.subscribe("en", laptop, "/laptop")
    caller.remove(laptop)
    with pytest.raises(KeyRefused):
        caller.subscribe("en", laptop, "/laptop")  # its request was on the way
    assert [one.device for one in caller.subscriptions.of([number])] == [caller.session.device.number]


def test_workers_share_one_vapid_key(caller: Caller) -> None:
    other = Subscriptions(caller.database, caller.now)
    assert other.vapid_secret(make_secret) == caller.subscriptions.vapid_secret(make_secret)


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.com/a",
        "https://127.0.0.1/a",
        "https://[::1]/a",
        "https://localhost/a",
        "https://2130706433/a",
        "https://push.example.com:8443/a",
        "https://user@push.example.com/a",
        "https://push.example.com/a b",
        "https://push.example.com/" + "a" * 1_000,
        "https://[broken/a",
        "file:///etc/passwd",
    ],
)
def test_address_without_push_service_is_refused(endpoint: str) -> None:
    with pytest.raises(KeyRefused):
        check_endpoint(endpoint)


KEYS = {"key": _base64(POINT), "auth": _base64(AUTH)}


async def subscribe(browser: Browser, endpoint: str, language: str = "en", **fault: str) -> Any:
    """Subscribe *browser*, whose device signs the address and the keys."""
    body = {"endpoint": endpoint, **KEYS, **fault}
    return await browser.signed(f"/api/push?lang={language}", "subscribe", tuple(body.values()), **body)


@served()
async def test_player_subscribes_over_the_api(house: House) -> None:
    phone = browser(house)
    endpoint = f"https://{HOST}/a"
    assert code_of(await subscribe(phone, endpoint)) == (401, "no-key")
    number = (await phone.register()).json()["identity"]["number"]
    key = (await phone.guest.get("/api/push")).json()["key"]
    assert len(urlsafe_b64decode(key + "=")) == 65
    for fault in ({"key": "AAAA"}, {"auth": "????"}, {"endpoint": "https://10.0.0.1/a"}):
        assert code_of(await subscribe(phone, **{"endpoint": endpoint, **fault})) == (403, "key-refused")
    assert (await subscribe(phone, endpoint, "ru")).status_code == 200
    (subscription,) = house.service.subscriptions.of([number])
    assert (subscription.endpoint, subscription.language) == (endpoint, "ru")
    assert (await phone.guest.get("/api/push")).json() == {"key": key, "endpoint": endpoint}
    assert (await house.guest().get("/api/push")).json() == {"key": key, "endpoint": None}
    data = (await phone.signed("/api/identities/me/export", "export")).json()
    assert [call["endpoint"] for call in data["calls"]] == [endpoint]
    await phone.guest.post("/api/push/remove", {})
    assert house.service.subscriptions.of([number]) == []


@served()
async def test_stolen_cookie_redirects_no_calls(house: House) -> None:
    phone, thief = browser(house), browser(house, Signer(71), "198.51.100.7")
    number = (await phone.register()).json()["identity"]["number"]
    own = f"https://{HOST}/own"
    assert (await subscribe(phone, own)).status_code == 200
    thief.guest.client.cookies.set(SESSION_COOKIE, phone.guest.client.cookies[SESSION_COOKIE])
    assert code_of(await subscribe(thief, f"https://{HOST}/thief")) == (403, "key-refused")
    nonce = await phone.nonce()  # a signature for another address
    signature = phone.device.sign("subscribe", nonce, own, *KEYS.values(), origin=ORIGIN)
    body = {"endpoint": f"https://{HOST}/thief", **KEYS, "nonce": nonce, "signature": signature}
    assert code_of(await thief.guest.post("/api/push", body)) == (403, "key-refused")
    assert [one.endpoint for one in house.service.subscriptions.of([number])] == [own]


@served()
async def test_server_without_extra_offers_no_calls(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    off = '<section id="calls" data-off hidden>'
    assert off not in (await house.guest().get("/games")).text
    for module in ("api.push", "pages.pages"):
        monkeypatch.setattr(f"noughts.interfaces.web.{module}.push_is_available", lambda: False)
    assert code_of(await house.guest().get("/api/push")) == (501, "extra-missing")
    assert off in (await house.guest().get("/games")).text  # the page does not ask for the key
