"""A stand-in for a browser: it makes keys and signs."""

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from noughts.arena.people.identities import NewDevice, NewSession
from noughts.arena.people.keys import SignedProof, signed_text, text_of_bytes
from noughts.arena.people.people import People

ORIGIN = "https://play.example"


class Signer:
    """A key made from *seed*, so that tests are repeatable."""

    def __init__(self, seed: int) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(seed.to_bytes(32, "big"))
        self.key = text_of_bytes(self._private.public_key().public_bytes_raw())

    def sign(self, action: str, nonce: str, *facts: str, origin: str = ORIGIN) -> str:
        return text_of_bytes(self._private.sign(signed_text(action, origin, nonce, *facts)))

    def proof(self, people: People, action: str, *facts: str, nonce: str = "") -> SignedProof:
        nonce = nonce or people.nonce()
        return SignedProof(ORIGIN, nonce, self.sign(action, nonce, *facts))


def register(people: People, name: str, words: Signer, device: Signer, label: str = "Test") -> NewSession:
    nonce = people.nonce()
    facts = (name, words.key, device.key, label)
    new = NewDevice(device.key, label, device.sign("register", nonce, *facts))
    return people.register(name, words.key, new, words.proof(people, "register", *facts, nonce=nonce))


def restore(people: People, words: Signer, device: Signer, label: str = "Other") -> NewSession:
    nonce = people.nonce()
    facts = (words.key, device.key, label)
    new = NewDevice(device.key, label, device.sign("restore", nonce, *facts))
    return people.restore(words.key, new, words.proof(people, "restore", *facts, nonce=nonce))


def sign_in(people: People, device: Signer) -> NewSession:
    return people.sign_in(device.key, device.proof(people, "sign-in", device.key))
