"""Ed25519 keys and signed texts. The library is loaded when a signature is checked.

A signed text names the action, the origin of the server, a login text of the server (a nonce) and all facts
of the action. A signature is therefore of no use for another action, another server, or a second time.
"""

import base64
import hashlib
import hmac
import json
import re
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from noughts.errors import ExtraMissing, KeyRefused

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

KEY = re.compile("[A-Za-z0-9_-]{43}")
"""A public key: 32 bytes in the URL-safe form of base64."""

NONCE_MS = 2 * 60 * 1000
"""The validity of a nonce in milliseconds."""

CHANCE_BYTES, MAC_BYTES = 12, 16

SECRET_BYTES = 32
"""The length of the secret of a session or a request in bytes."""


@dataclass(frozen=True, slots=True)
class SignedProof:
    """A signature for an action: the origin and the nonce in the signed text, and the signature in base64."""

    origin: str
    nonce: str
    signature: str


def keys_are_available() -> bool:
    """Return True if the libraries of the extra ``meet`` are installed."""
    return find_spec("cryptography") is not None and find_spec("mnemonic") is not None


def signed_text(action: str, origin: str, nonce: str, *facts: str) -> bytes:
    """Return the text to sign for *action*: a JSON array without blanks.

    >>> signed_text("sign-in", "https://example.org", "abc", "key").decode()
    '["noughts","sign-in","https://example.org","abc","key"]'
    """
    content = ["noughts", action, origin, nonce, *facts]
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def check_signature(key: str, signature: str, text: bytes) -> None:
    """Raise :class:`~noughts.errors.KeyRefused` unless *signature* is that of *key* for *text*."""
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ModuleNotFoundError:
        raise ExtraMissing("cryptography", "meet") from None
    public, signed = bytes_of(key, 32), bytes_of(signature, 64)
    if public is None or signed is None:
        raise KeyRefused("refused")
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signed, text)
    except (InvalidSignature, ValueError):
        raise KeyRefused("refused") from None


def public_key(seed: bytes) -> str:
    """Return the public key, in base64, of the private key *seed*."""
    return text_of_bytes(_private_key(seed).public_key().public_bytes_raw())


def sign(seed: bytes, text: bytes) -> str:
    """Return the signature, in base64, of the private key *seed* for *text*."""
    return text_of_bytes(_private_key(seed).sign(text))


def _private_key(seed: bytes) -> "Ed25519PrivateKey":
    try:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    except ModuleNotFoundError:
        raise ExtraMissing("cryptography", "meet") from None
    return Ed25519PrivateKey.from_private_bytes(seed)


def bytes_of(text: str, length: int) -> bytes | None:
    """Return the *length* bytes that *text* holds in the only valid form, or None.

    >>> bytes_of("YWI", 2), bytes_of("YWJ", 2)
    (b'ab', None)
    """
    if not re.fullmatch("[A-Za-z0-9_-]*", text) or len(text) != -(-length * 4 // 3):
        return None
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    return data if text_of_bytes(data) == text else None


def text_of_bytes(data: bytes) -> str:
    """Return *data* in the URL-safe form of base64, without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def hash_secret(secret: str) -> str:
    """Return the hash of a *secret*. Only the hash is stored."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


# Nonces: the server recognises its own ones, so that it stores none before it was used


def make_nonce(secret: bytes, at: int, chance: bytes) -> str:
    """Return a nonce that was made at the instant *at* with *chance* and the *secret* of the server."""
    content = at.to_bytes(8, "big") + chance
    return text_of_bytes(content + _mac(secret, content))


def nonce_expires(secret: bytes, nonce: str, at: int) -> int:
    """Return the instant at which *nonce* expires.

    Raises :class:`~noughts.errors.KeyRefused` if it has expired at the instant *at*, or was made without
    *secret*.
    """
    data = bytes_of(nonce, 8 + CHANCE_BYTES + MAC_BYTES) or bytes(8 + CHANCE_BYTES + MAC_BYTES)
    content, mac = data[:-MAC_BYTES], data[-MAC_BYTES:]
    expires = int.from_bytes(content[:8], "big") + NONCE_MS
    if not hmac.compare_digest(mac, _mac(secret, content)) or not at < expires <= at + 2 * NONCE_MS:
        raise KeyRefused("nonce")
    return expires


def _mac(secret: bytes, content: bytes) -> bytes:
    return hmac.new(secret, content, hashlib.sha256).digest()[:MAC_BYTES]
