"""Tests of the character sets of files: unreadable letters are counted or refused."""

import io

import pytest

from noughts.records.charsets import codec_of
from noughts.records.record import Record
from noughts.records.sgf_reading import load_sgf
from tests.games.records import reason_of


def load(data: bytes) -> Record:
    return load_sgf(io.BytesIO(data))


def file(charset: str, name: str) -> str:
    stated = f"CA[{charset}]" if charset else ""
    return f"(;FF[4]GM[4]{stated}SZ[15]PB[{name}];B[hh]C[{name}];W[hg])"


@pytest.mark.parametrize(
    ("charset", "codec", "name"),
    [
        ("Shift_JIS", "cp932", "十能①"),
        ("x-sjis", "shift_jis", "表ソ"),
        ("Big5", "big5", "功許蓋"),
        ("GB2312", "gbk", "這礬"),
        ("GB18030", "gb18030", "王小明😀"),
        ("EUC-JP", "euc_jp", "連珠"),
        ("ISO-2022-JP", "iso2022_jp", "連珠"),
        ("EUC-KR", "cp949", "김철수똠"),
        ("KOI8-R", "koi8_r", "Иван"),
        ("windows-1251", "cp1251", "Иван"),
        ("iso-8859-1", "cp1252", "René “X”"),
        ("utf8", "utf-8", "René 明"),
        ("65001", "utf-8", "René"),
        ("", "utf-8", "明"),
        ("", "utf-8-sig", "明"),
        ("", "utf-16", "明"),
        ("Shift_JIS", "utf-16", "a mark comes before the name"),
        ("", "utf-16-le", "ab"),
        ("", "utf-16-be", "ab"),
        ("", "utf-32", "明"),
    ],
)
def test_letters_are_read_in_file_charset(charset: str, codec: str, name: str) -> None:
    charset = charset.replace("65001", "cp65001")
    written = load(file(charset, name).encode(codec))
    assert (written.players["X"], written.comments[0], len(written.moves)) == (name, name, 2)
    assert written.left_out == {}


@pytest.mark.parametrize(
    ("data", "name", "left_out"),
    [
        (file("", "René").encode("cp1252"), "René", {"charset": 1}),
        (file("Klingon", "明").encode(), "明", {"charset": 1}),
        (file("Klingon", "Ada").encode(), "Ada", {}),
        (file("UTF-8", "René").encode("cp1252"), "Ren\ufffd", {"letters": 2}),
        (file("punycode", "Ada").encode(), "Ada", {}),
        (b"(;C[CA[KOI8-R\\]]PB[Ren\xc3\xa9];B[hh];W[hg])", "Ren\u00e9", {}),
        (b"(;C[CA[KOI8-R\\]]CA[GBK]PB[\xcd\xf5];B[hh];W[hg])", "王", {}),
    ],
)
def test_unreadable_text_is_counted(data: bytes, name: str, left_out: dict[str, int]) -> None:
    written = load(data)
    assert (written.players["X"], len(written.moves), written.left_out) == (name, 2, left_out)


@pytest.mark.parametrize(
    "data",
    [
        file("", "十能").encode("shift_jis"),
        file("UTF-8", "十能").encode("shift_jis"),
        b"\xff\xfe(;\x00",
        b"(;CA[GBK]PB[\xfa];B[hh];W[hg])",
    ],
)
def test_bytes_that_may_hide_a_move_are_refused(data: bytes) -> None:
    assert reason_of(load, data) == "charset-unclear"


@pytest.mark.parametrize(
    "name", ["", "idna", "utf-7", "rot13", "hex", "utf-16", "cp037", "\u00e9", "a\0b", "hz"]
)
def test_codec_needs_ascii_of_sgf(name: str) -> None:
    assert codec_of(name) is None or name == "hz"
