"""The twelve words of a key."""

import unicodedata
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts.arena.people import words
from noughts.arena.people.words import (
    LISTS,
    entropy_of,
    nearest_word,
    seed_of,
    split_words,
    word_list,
    words_of,
)
from noughts.errors import DamagedFile, WordsRefused

ZERO = "abandon " * 11 + "about"


@pytest.mark.parametrize("language", LISTS)
def test_word_lists_are_complete(language: str) -> None:
    known = word_list(language)
    assert len(known) == len(set(known)) == 2048
    assert "".join(known).isalpha()


def test_shared_chinese_words_have_one_number() -> None:
    simplified, traditional = word_list("zh-Hans"), word_list("zh-Hant")
    shared = set(simplified) & set(traditional)
    assert len(shared) == 1275
    assert all(simplified.index(word) == traditional.index(word) for word in shared)


@given(
    st.binary(min_size=16, max_size=16), st.sampled_from(sorted(LISTS)), st.sampled_from([" ", "  \n", ", "])
)
@settings(max_examples=30, deadline=None)
def test_words_of_any_language_give_the_same_bits(entropy: bytes, language: str, between: str) -> None:
    written = between.join(words_of(entropy, language))
    for text in (written, written.upper(), unicodedata.normalize("NFD", written)):
        assert entropy_of(text) == entropy


def test_words_agree_with_published_vector() -> None:
    """Compare with a vector of the BIP-39 reference implementation."""
    entropy = bytes.fromhex("9e885d952ad362caeb4efe34a8e91bd2")
    expected = "ozone drill grab fiber curtain grace pudding thank cruise elder eight picnic"
    assert " ".join(words_of(entropy, "en")) == expected


def test_chinese_words_may_stand_together() -> None:
    assert entropy_of("".join(words_of(bytes(16), "zh-Hant"))) == bytes(16)


def test_russian_words_accept_both_letters_e() -> None:
    entropy = next(
        bytes([n]) * 16 for n in range(256) if any("е" in w for w in words_of(bytes([n]) * 16, "ru"))
    )
    assert entropy_of(" ".join(words_of(entropy, "ru")).replace("е", "ё")) == entropy


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "count"),
        (ZERO + " about", "count"),
        ("abandon " * 12, "checksum"),
        (ZERO[:-5] + "abuot", "unknown"),
    ],
)
def test_wrong_words_are_refused(text: str, reason: str) -> None:
    with pytest.raises(WordsRefused) as refused:
        entropy_of(text)
    assert refused.value.reason == reason


def test_unknown_word_is_named_with_nearest_one() -> None:
    with pytest.raises(WordsRefused) as refused:
        entropy_of(ZERO.replace("about", "aboat"))
    assert refused.value.data == {"word": "aboat", "near": "about"}
    assert nearest_word("снго") == "снег"


def test_order_of_words_matters_to_checksum_or_key() -> None:
    ordered = words_of(bytes(range(16)), "en")
    swapped = (ordered[1], ordered[0], *ordered[2:])
    with suppress(WordsRefused):
        assert entropy_of(" ".join(swapped)) != bytes(range(16))


def test_changed_list_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(words.DAMAGED, 1572, "сноха")
    word_list.cache_clear()
    with pytest.raises(DamagedFile):
        word_list("ru")


def test_seed_is_the_one_that_browsers_derive() -> None:
    """The value comes from WebCrypto in Chromium 156: HKDF of 16 zero bytes."""
    assert seed_of(bytes(16)).hex() == "b0e1cc7425de5d4b360f28785dcea03498704e01692ce0a5fc8f6aa78b91e434"


def test_words_are_split_at_any_punctuation() -> None:
    assert split_words("1. River\n2. ORANGE、的一") == ["river", "orange", "的", "一"]
