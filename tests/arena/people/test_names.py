"""Names that a key may claim."""

import pytest

from noughts.arena.look_alikes import shape, shapes
from noughts.arena.people.names import MAX_WIDTH, STAFF, check_claim
from noughts.arena.seat_names import seat_name, seat_number
from noughts.errors import NameRefused


@pytest.mark.parametrize(
    "name", ["Ada", "Li", "井字棋", "Жанна", "O'Neil", "Ada 7", "x" * MAX_WIDTH, "井" * 10]
)
def test_ordinary_names_can_be_claimed(name: str) -> None:
    assert check_claim(f"  {name} ") == name


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "empty"),
        ("A", "narrow"),
        ("x" * 21, "wide"),
        ("井" * 11, "wide"),
        ("12345", "no-letter"),
        ("⚫⚪", "no-letter"),
        ("Ada\u202e", "invisible"),
        ("A\x00da", "control"),
        ("Admin", "reserved"),
        ("аdmіn", "reserved"),
        ("Ada the Moderator", "reserved"),
        ("adm1n 7", "reserved"),
        ("Администратор", "reserved"),
        ("管理员", "reserved"),
        ("Former player", "reserved"),
        ("Cornputer 3", "reserved"),
        ("C0MPUTER", "reserved"),
        ("key:482190", "reserved"),
        ("KEY:482190 x", "reserved"),
    ],
)
def test_other_names_are_refused(name: str, reason: str) -> None:
    with pytest.raises(NameRefused) as refused:
        check_claim(name, ["Computer 3"])
    assert refused.value.reason == reason


@pytest.mark.parametrize("word", STAFF)
def test_no_staff_word_can_be_claimed(word: str) -> None:
    with pytest.raises(NameRefused):
        check_claim(word.title())


@pytest.mark.parametrize(
    ("one", "two"),
    [
        *(("Ada", "АDА"), ("Bernd", "Bemd"), ("Lisa", "L1sa"), ("Bo b", "b0b"), ("Bernd", "ʙᴇʀɴᴅ")),
        *(("Bernd", "ꓐernd"), ("Bernd", "ᏴᎬrnd"), ("Anna", "Ꭺnnɑ"), ("Lima", "ꓡꓲꓟꓮ")),
        *(("cope", "сорe"), ("Gregor", "Gгеgог"), ("Bob", "ЬоЬ"), ("Ron", "гоп"), ("Wu", "шu")),
        *(("Blum", "Ыum"), ("Lou", "ӏоս")),
        *(("Yoko", "γоκо"), ("Owen", "σωεn")),
    ],
)
def test_look_alikes_have_one_shape(one: str, two: str) -> None:
    assert shape(one) == shape(two)


@pytest.mark.parametrize(
    ("latin", "greek"),
    [("Eva", "Eνa"), ("Nina", "Νina"), ("Nina", "ηina"), ("Julia", "Jυlia"), ("Isaac", "Isaaς")],
)
def test_small_greek_letters_look_otherwise_than_capitals(latin: str, greek: str) -> None:
    assert shape(latin) in shapes(greek)
    assert shapes("Νίκος") & shapes("ΝΊΚΟΣ")


@pytest.mark.parametrize(
    ("one", "two"),
    [
        *(("Ada", "Ade"), ("Clara", "Dara"), ("Ольга", "Олька"), ("李", "季"), ("Нина", "Нана")),
        *(("Паша", "Саша"), ("Гена", "Лена"), ("Νίκος", "Νίνος"), ("Юля", "Оля"), ("Иван", "Игнат")),
    ],
)
def test_different_names_have_different_shapes(one: str, two: str) -> None:
    assert shape(one) != shape(two)


@pytest.mark.parametrize(
    "text", ["key:", "key:0", "key:01", "key:-1", "Key:1", "key:1 ", "key:" + "1" * 17, "key:１"]
)
def test_other_texts_stand_for_no_identity(text: str) -> None:
    assert seat_number(text) is None


def test_seat_name_reads_back() -> None:
    assert seat_number(seat_name(2**49 - 1)) == 2**49 - 1
