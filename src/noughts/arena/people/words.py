"""Twelve words that hold the key of an identity, in four languages.

The words are those of BIP-39: 128 random bits and four bits of a checksum, as twelve numbers of eleven bits.
The key is derived from the bits, not from the letters. The words of any language therefore give the same key,
and a list may be shown in another language at any time. Official lists exist for English and Chinese. The
Russian list is the one of the package ``mnemonic``.
"""

import hashlib
import re
import unicodedata
from functools import cache
from itertools import takewhile
from operator import eq

from noughts.errors import DamagedFile, ExtraMissing, WordsRefused

LISTS = {"en": "english", "ru": "russian", "zh-Hans": "chinese_simplified", "zh-Hant": "chinese_traditional"}
"""The word lists of the package by language."""

DIGESTS = {
    "en": "187db04a869dd9bc7be80d21a86497d692c0db6abd3aa8cb6be5d618ff757fae",
    "ru": "2439333f64847a2c60c7d0cdcdcad20ca3cb546ac108f0fe8b0b8bcaa0947443",
    "zh-Hans": "106cc8387ac3fc7d44ca1072e30a0b27ed017b1d377501bb909c2833ef60c186",
    "zh-Hant": "407312f9014543242bd157c255125a753ac60128fc15883a33b8685a9328b0cc",
}
"""The SHA-256 of each list. Another list would turn written words into another key."""

DAMAGED = {1572: "снова"}
"""Words that the Russian list of version 0.21 has with damaged letters, by their numbers."""

COUNT, BITS, CHECKED_BITS = 12, 11, 4

ENTROPY_BYTES = 16
"""The length of the random bits in bytes."""

INFO = b"noughts identity 1"
"""The purpose in the derivation of a key. Browsers use the same text."""


@cache
def word_list(language: str) -> tuple[str, ...]:
    """Return the 2,048 words of *language*.

    Raises :class:`~noughts.errors.DamagedFile` for a list that differs from the expected one.
    """
    try:
        from mnemonic import Mnemonic
    except ModuleNotFoundError:
        raise ExtraMissing("mnemonic", "meet") from None
    words = list(map(_normal, Mnemonic(LISTS[language]).wordlist))
    if language == "ru":
        words = [DAMAGED.get(number, word) for number, word in enumerate(words)]
    if hashlib.sha256("\n".join(words).encode()).hexdigest() != DIGESTS[language]:
        raise DamagedFile(f"{LISTS[language]}.txt", "part")
    return tuple(words)


def words_of(entropy: bytes, language: str) -> tuple[str, ...]:
    """Return the twelve words in *language* for 16 bytes of *entropy*.

    >>> words_of(bytes(16), "en")[0], words_of(bytes(16), "en")[-1]
    ('abandon', 'about')
    """
    number = int.from_bytes(entropy, "big") << CHECKED_BITS | _checksum(entropy)
    words = word_list(language)
    return tuple(words[number >> BITS * place & 2**BITS - 1] for place in reversed(range(COUNT)))


def entropy_of(text: str) -> bytes:
    """Return the bytes that twelve words in one of the languages hold.

    Words are separated by blanks or punctuation. Chinese words may stand together. Raises
    :class:`~noughts.errors.WordsRefused` for the reasons ``count``, ``unknown`` and ``checksum``.

    >>> entropy_of("abandon " * 11 + "about") == bytes(16)
    True
    """
    words = split_words(text)
    if len(words) != COUNT:
        raise WordsRefused("count", count=len(words))
    known = _numbers()
    for word in words:
        if word not in known:
            raise WordsRefused("unknown", word=word[:40], near=nearest_word(word))
    number = 0
    for word in words:
        number = number << BITS | known[word]
    entropy = (number >> CHECKED_BITS).to_bytes(ENTROPY_BYTES, "big")
    if number & 2**CHECKED_BITS - 1 != _checksum(entropy):
        raise WordsRefused("checksum")
    return entropy


def split_words(text: str) -> list[str]:
    """Return the words in *text* in small letters, each Chinese character as a word.

    >>> split_words("River, orange 的一")
    ['river', 'orange', '的', '一']
    """
    return re.findall(r"[\u3400-\u9fff]|[^\W\d_\u3400-\u9fff]+", _normal(text.casefold()).replace("ё", "е"))


def nearest_word(word: str) -> str:
    """Return the word of the lists that is most like *word*.

    >>> nearest_word("buter")
    'butter'
    """
    return min(_numbers(), key=lambda known: (_distance(word, known), -_shared(word, known), known))


def seed_of(entropy: bytes) -> bytes:
    """Return the seed of the Ed25519 key that *entropy* stands for: HKDF with SHA-256."""
    try:
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF
    except ModuleNotFoundError:
        raise ExtraMissing("cryptography", "meet") from None
    return HKDF(SHA256(), 32, None, INFO).derive(entropy)


@cache
def _numbers() -> dict[str, int]:
    """Return the number of each word of all lists.

    A character that both Chinese lists have has the same number in both.
    """
    return {word: number for code in LISTS for number, word in enumerate(word_list(code))}


def _checksum(entropy: bytes) -> int:
    return hashlib.sha256(entropy).digest()[0] >> 8 - CHECKED_BITS


def _normal(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _distance(one: str, two: str) -> int:
    """Return the number of letters to add, remove or exchange to get from *one* to *two*."""
    row = list(range(len(two) + 1))
    for place, letter in enumerate(one, 1):
        before, row[0] = row[0], place
        for at, other in enumerate(two, 1):
            before, row[at] = row[at], min(row[at] + 1, row[at - 1] + 1, before + (letter != other))
    return row[-1]


def _shared(one: str, two: str) -> int:
    """Return the number of first letters that *one* and *two* share."""
    return sum(1 for _ in takewhile(bool, map(eq, one, two)))
