"""Names, display width, and safe output of foreign text."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from noughts.errors import NameRefused
from noughts.text import (
    MAX_CHARACTERS,
    MAX_NAME,
    check_name,
    display_width,
    distinct_names,
    fit,
    look_alike,
    safe_text,
    same_name,
)

anything = st.text(st.characters(codec=None, categories=None), max_size=30)
steering = st.text(
    st.sampled_from("ab\x1b\x07\n\r\t\x9b\u202e\u2066\u200b\ufeff\ud800\u0301井é\\"), max_size=50
)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ada", "Ada"),
        ("  Ada \t", "Ada"),
        ("Ada Lovelace", "Ada Lovelace"),
        ("e\u0301", "é"),
        ("\u212b", "Å"),
        ("Аня", "Аня"),
        ("井字棋", "井字棋"),
        ("o'Neil <b> & \\ % \"", "o'Neil <b> & \\ % \""),
        ("a" * 40, "a" * 40),
        ("井" * 20, "井" * 20),
        ("🎲", "🎲"),
        ("x\u0323\u0301", "x\u0323\u0301"),
        ("-", "-"),
        ("0", "0"),
    ],
)
def test_check_name_accepts_names(text: str, name: str) -> None:
    assert check_name(text) == name


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        (" \t\u3000", "empty"),
        (None, "empty"),
        (5, "empty"),
        (b"Ada", "empty"),
        ("a\nb", "control"),
        ("a\x00b", "control"),
        ("\x1b[31mA", "control"),
        ("\x9b31mA", "control"),
        ("\x7f", "control"),
        ("a\u2028b", "control"),
        ("a\u2029b", "control"),
        ("a\u202eb", "invisible"),
        ("a\u2066b", "invisible"),
        ("a\u200bb", "invisible"),
        ("a\u200db", "invisible"),
        ("a\ufeffb", "invisible"),
        ("a\u00adb", "invisible"),
        ("a\u3164b", "invisible"),
        ("\u2800", "invisible"),
        ("\u115f", "invisible"),
        ("a\ufe0f", "invisible"),
        ("a\U000e0100", "invisible"),
        ("\U000e0041", "invisible"),
        ("\u0301", "invisible"),
        ("a\ud800", "surrogate"),
        ("\udfff", "surrogate"),
        ("a\ue000", "private"),
        ("a\U000f0000", "private"),
        ("a\uffff", "unassigned"),
        ("a" * 41, "too-wide"),
        ("井" * 20 + "a", "too-wide"),
        ("a" + "\u0301\u0323" * MAX_CHARACTERS, "too-wide"),
        ("a" * 20_000, "too-wide"),
    ],
)
def test_check_name_refuses_unusable_text(text: str, reason: str) -> None:
    with pytest.raises(NameRefused) as caught:
        check_name(text)
    assert (caught.value.reason, caught.value.name) == (reason, text)


@pytest.mark.slow
@given(anything | steering)
@example("\u0f73" * 60)
def test_accepted_name_is_clean_and_stable(text: str) -> None:
    """An accepted name fits, is printable, and is accepted again unchanged."""
    try:
        name = check_name(text)
    except NameRefused:
        return
    assert check_name(name) == name
    assert unicodedata.is_normalized("NFC", name)
    assert name == name.strip()
    assert 1 <= display_width(name) <= MAX_NAME
    assert safe_text(name) == name
    name.encode()


def test_same_name_ignores_spelling() -> None:
    assert same_name("Ada", "aDA")
    assert same_name("Straße", "STRASSE")
    assert same_name("ﬁn", "fin")
    assert same_name("Ａda", "Ada")
    assert same_name("é", "e\u0301")
    assert not same_name("Ada", "Adam")


def test_distinct_names_numbers_duplicates() -> None:
    assert distinct_names(()) == ()
    assert distinct_names(("Ada", "Wei")) == ("Ada", "Wei")
    assert distinct_names(("A", "a", "A")) == ("A", "a (2)", "A (3)")
    assert distinct_names(("A (2)", "A", "A")) == ("A (2)", "A", "A (3)")
    alike = ("Ada Roe", "АDА  ROE", "Αda roe")
    assert distinct_names(alike) == alike
    assert distinct_names(alike, look_alike) == ("Ada Roe", "АDА  ROE (2)", "Αda roe (3)")
    apart = ("Li Na", "Lina", "Ann Marie", "Annmarie", "Наиля", "Һаиля")
    assert distinct_names(apart, look_alike) == apart
    assert distinct_names(("Harry", "Нarry", "Һarry"), look_alike) == ("Harry", "Нarry (2)", "Һarry (2)")


@given(st.lists(st.sampled_from(("A", "a", "A (2)", "a (3)", "B", "A (2) (2)")), max_size=8))
def test_distinct_names_are_all_different(names: list[str]) -> None:
    distinct = distinct_names(tuple(names))
    assert len(distinct) == len(names)
    for place, name in enumerate(distinct):
        assert name.startswith(names[place])
        assert not any(same_name(name, other) for other in distinct[:place])


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("", 0),
        ("Ada", 3),
        ("井字棋", 6),
        ("Ａ", 2),
        ("ｱ", 1),
        ("e\u0301", 1),
        ("\u20dd", 0),
        ("\u200b\u202e\x1b", 0),
        ("한", 2),
        ("Ж", 1),
        ("🎲", 2),
        ("×", 1),
    ],
)
def test_display_width_counts_columns(text: str, width: int) -> None:
    assert display_width(text) == width


@pytest.mark.parametrize(
    ("text", "columns", "shown"),
    [
        ("Ada", 3, "Ada"),
        ("Ada", 2, "A…"),
        ("Ada", 1, "…"),
        ("Ada", 0, ""),
        ("", 2, "  "),
        ("井字棋", 5, "井字…"),
        ("井字棋", 4, "井… "),
        ("井字棋", 2, "… "),
        ("e\u0301e\u0301e\u0301", 2, "e\u0301…"),
    ],
)
def test_fit_pads_and_cuts(text: str, columns: int, shown: str) -> None:
    assert fit(text, columns) == shown


@given(anything, st.integers(0, 20), st.booleans())
def test_fit_has_exact_width(text: str, columns: int, right: bool) -> None:
    """A column of a table keeps its width with any name."""
    shown = fit(text, columns, right=right)
    assert display_width(shown) == columns
    if display_width(text) <= columns:
        assert text in shown
        assert shown.endswith(text) if right else shown.startswith(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ada 井 é", "Ada 井 é"),
        ("a\nb", "a\\x0ab"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\x9b", "\\x9b"),
        ("\u202e", "\\u202e"),
        ("\ud800", "\\ud800"),
        ("\U000e0041", "\\U000e0041"),
        ("\\x1b", "\\x1b"),
    ],
)
def test_safe_text_escapes_control_characters(text: str, shown: str) -> None:
    assert safe_text(text) == shown


@given(anything | steering)
def test_safe_text_is_printable_for_any_input(text: str) -> None:
    """No output can control a terminal, reorder a line or fail to be encoded."""
    shown = safe_text(text)
    shown.encode()
    categories = {unicodedata.category(character) for character in shown}
    assert not categories & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert safe_text(shown) == shown
    assert len(shown) >= len(text)
