"""Tests of RenjuNet databases: names in the first game, the number of others, and malicious files."""

import io

import pytest

from noughts.records import rif
from noughts.records.checks import MAX_NAME_TEXT
from noughts.records.record import Record
from tests.games.records import reason_of

DATABASE = """<?xml version="1.0" encoding="UTF-8"?>
<database>
<rules><rule id="1" name="RIF"><info>Swap</info></rule><rule id="2" name="Mystery"/></rules>
<openings><opening id="3" name="Kansei" abbr="D5"/></openings>
<players><player id="7" name="Ada" surname="Lovelace"/><player id="8" name="Wei" surname=""/></players>
<tournaments><tournament id="4" name="Cup" year="1999" month="5"/></tournaments>
<games count="2">
<game id="1" rule="1" tournament="4" round="2" black="7" white="8" bresult="1" opening="3" btime="0" alt="h6">
<move>h8 i9 j10</move><info>A &lt;good&gt; game</info></game>
<game id="2" rule="1" black="8" white="7" bresult="0"><move>h8</move><info>second</info></game>
</games></database>
"""
FOUL = "h9 a15 f8 c15 g8 e15 h6 g15 h8"


def load(text: str) -> Record:
    return rif.load_rif(io.BytesIO(text.encode("latin-1" if "\xff" in text else "utf-8")))


def database(game: str) -> str:
    rules = '<rules><rule id="1" name="RIF"/><rule id="2" name="Mystery"/><rule id="3" name="Caro"/></rules>'
    return f"<database>{rules}<games>{game}</games></database>"


def test_rif_first_game_is_read() -> None:
    written = load(DATABASE)
    assert (written.game, written.moves) == ("15x15:5,renju", ("113", "99", "85"))
    assert written.players == {"X": "Ada Lovelace", "O": "Wei"}
    assert (written.winner, written.termination) == ("X", "unknown")
    assert written.left_out == {"games": 1}
    assert written.headers == {
        "alt": "h6",
        "btime": "0",
        "comment": "A <good> game",
        "date": "1999-5",
        "event": "Cup",
        "opening": "Kansei",
        "round": "2",
        "rules": "RIF",
    }


@pytest.mark.parametrize(
    ("game", "result", "left_out"),
    [
        ('<game rule="1" bresult="0.5"><move>h8i9</move></game>', (2, None, "agreement"), {}),
        ('<game rule="1" bresult="0"/>', (0, "O", "unknown"), {}),
        ('<game rule="1" bresult="x"><move/><more/></game>', (0, None, None), {"result": 1, "lines": 1}),
        ('<game rule="2"><move>h8</move></game>', (1, None, None), {"rules": 1}),
        (f'<game rule="1" bresult="0"><move>{FOUL}</move></game>', (8, "O", "forfeit"), {"forbidden": 1}),
    ],
)
def test_rif_result_is_read_or_skipped(
    game: str, result: tuple[int, str | None, str | None], left_out: dict[str, int]
) -> None:
    written = load(database(game))
    assert (len(written.moves), written.winner, written.termination) == result
    assert written.left_out == left_out


def test_rif_long_name_is_cut() -> None:
    long = load(DATABASE.replace("Wei", "a" * (MAX_NAME_TEXT + 1)))
    assert (len(long.players["O"]), long.left_out) == (MAX_NAME_TEXT, {"games": 1, "letters": 1})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not-rif"),
        ("<html/>", "not-rif"),
        ("<database>", "not-rif"),
        ("<database/>", "no-games"),
        ('<?xml version="1.0" encoding="GBK"?><database>\xff</database>', "charset-unclear"),
        ('<?xml version="1.0" encoding="zlib"?><database/>', "charset-unknown"),
        ('<?xml version="1.0" encoding="GBK"?><!DOCTYPE database><database/>', "doctype"),
        (database("<game><move>h8 <b>i9</b> j9</move></game>"), "rif-move"),
        (database("<game><move>h8</move><move>i9</move></game>"), "rif-move"),
        (database("<game><game/><move>h8</move></game>"), "rif-move"),
        ('<!DOCTYPE database [<!ENTITY a "b">]><database>&a;</database>', "doctype"),
        ("<database>" + "<a>" * 40, "too-deep"),
        (database('<game rule="3"/>'), "other-rules"),
        (database('<game rule="1"><move>h8 h8</move></game>'), "cannot-be-played"),
        (database(f'<game rule="1"><move>{FOUL} a1</move></game>'), "cannot-be-played"),
        (database(f'<game rule="1" bresult="1"><move>{FOUL}</move></game>'), "result-wrong"),
    ],
)
def test_bad_rif_file_is_refused(text: str, reason: str) -> None:
    assert reason_of(load, text) == reason


@pytest.mark.parametrize(
    ("charset", "name"),
    [("GBK", "李"), ("Big5", "李"), ("Shift_JIS", "表"), ("EUC-JP", "表"), ("utf-16", "李")],
)
def test_rif_declared_charset_is_read(charset: str, name: str) -> None:
    text = DATABASE.replace("UTF-8", charset).replace("Wei", name)
    written = rif.load_rif(io.BytesIO(text.encode(charset)))
    assert (written.players["O"], written.moves) == (name, load(DATABASE).moves)


def test_rif_missing_name_is_not_invented() -> None:
    listed = (
        '<players><player id="1" name="Ada"/><player id="3" name="A"/><player id="3" name="B"/></players>'
    )
    text = database('<game rule="1" black="1" white="2" opening="9"/>')
    written = load(text.replace("<games>", f"{listed}<games>"))
    assert (written.players, written.left_out) == ({"X": "Ada", "O": ""}, {"names": 2})
    assert "opening" not in written.headers
    doubtful = load(text.replace("<games>", f"{listed}<games>").replace('white="2"', 'white="3"'))
    assert (doubtful.players["O"], doubtful.left_out) == ("", {"names": 2})


def test_rif_sizes_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rif, "MAX_ENTRIES", 2)
    assert reason_of(load, DATABASE) == "too-many"
    monkeypatch.setattr(rif, "MAX_BYTES", 100)
    assert reason_of(load, DATABASE) == "too-long"
