"""Indexes of certificates: their results are true, for every order of moves."""

import errno
import io
import os
import sqlite3
import warnings
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from random import Random

import pytest

from noughts import new_game
from noughts.certificates import index as indexes
from noughts.certificates.index import DIGEST, FIRST_LINE, PAGE, Index, Proof, name_of_index, write_index
from noughts.certificates.verify import CertificateVerdict
from noughts.errors import DamagedFileWarning
from noughts.search.analysis import value_of_end
from noughts.search.analyst import Analyst
from tests.certificates.writing import body, certificate, sealed

WORTH = {
    "3x3:3": "draw",
    "4x3:3": "first",
    "4x4:4": "draw",
    "2x2:2,misere": "second",
    "3x3x3:3": "first",
    "3x3:3,wild": "first",
    "3x3:3,notakto": "first",
    "3x3:3,misere": "draw",
    "3x3:3,exact": "draw",
    "4x3:3,gravity": "first",
    "4x4:4,wrap": "draw",
}


def index_for(name: str, folder: Path) -> Index:
    """Return the index of the certificate for the game called *name*."""
    assert write_index(io.BytesIO(certificate(name, WORTH[name]).encode()), folder).holds
    index = Index.of(new_game(name), folder)
    assert index is not None
    return index


@pytest.mark.slow
@pytest.mark.parametrize("name", WORTH)
def test_index_results_match_exact_values(name: str, tmp_path: Path) -> None:
    index, chance, analyst = index_for(name, tmp_path), Random(2), Analyst()
    results = 0
    for _ in range(8):
        game = new_game(name)
        while game.outcome is None:
            for side, mark in enumerate(game.sides):
                proof = index.find(game, side)
                if proof is None:
                    continue
                results += 1
                assert (proof.move is None) == (game.turn != mark)
                after = game.copy()
                if proof.move is not None:
                    after.play(proof.move)
                value = value_of_end(after) if after.outcome is not None else analyst.solve(after).value
                assert value is not None
                worth = value if after.turn == mark else -value
                assert worth == 1 if proof.goal == "win" else worth >= 0, (game.moves, proof)
            game.play(chance.choice(game.legal_moves()))
    assert results > 5, results


@pytest.mark.slow
@pytest.mark.parametrize("name", ["4x3:3", "3x3x3:3", "4x3:3,gravity", "3x3:3,wild", "3x3:3,notakto"])
def test_following_the_index_wins(name: str, tmp_path: Path) -> None:
    index, chance = index_for(name, tmp_path), Random(3)
    for _ in range(30):
        game = new_game(name)
        while game.outcome is None:
            proof = index.find(game, 0) if game.turn == game.sides[0] else None
            if game.turn == game.sides[0] and proof is None:
                break  # A threat cannot be stopped any more, or the last move was useless.
            game.play(
                chance.choice(game.legal_moves()) if proof is None or proof.move is None else proof.move
            )
        analysis = Analyst().solve(game) if game.outcome is None else None
        winner = game.winner if analysis is None else game.turn if analysis.value == 1 else None
        assert winner == game.sides[0]


def test_index_finds_symmetric_positions(tmp_path: Path) -> None:
    index = index_for("4x3:3", tmp_path)
    first = index.find(new_game("4x3:3"), 0)
    assert first is not None
    assert first.move == (1, 1)
    for move in ((1, 1), (1, 2)):
        game = new_game("4x3:3")
        game.play(move)
        assert index.find(game, 0) == Proof("win")


def test_index_omits_threat_lines(tmp_path: Path) -> None:
    index = index_for("4x3:3", tmp_path)
    game = new_game("4x3:3")
    for move in ((1, 1), (0, 0)):
        game.play(move)
    assert index.find(game, 0) is None
    assert Analyst().solve(game).value == 1


def test_invalid_certificate_writes_no_index(tmp_path: Path) -> None:
    text = certificate("4x3:3", "first")
    lines = body(text)
    for refused in (text[:-3], sealed([line.replace("value first", "value draw") for line in lines])):
        assert not write_index(io.BytesIO(refused.encode()), tmp_path).holds
    assert not list(tmp_path.iterdir())


def test_index_of_ignores_other_files(tmp_path: Path) -> None:
    game = new_game("4x3:3")
    assert Index.of(game, tmp_path / "nowhere") is None
    file = tmp_path / name_of_index("4x3:3")
    index_for("3x3:3", tmp_path)
    for data in (b"no index", (tmp_path / name_of_index("3x3:3")).read_bytes(), resealed(b"[]", tmp_path)):
        file.write_bytes(data)
        with pytest.warns(DamagedFileWarning, match=r"proof .game '4x3:3'"):
            assert Index.of(game, tmp_path) is None
    assert Index.of(new_game("reversi"), tmp_path) is None


def test_batch_size_does_not_change_index(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    whole = index_for("4x3:3", tmp_path)
    monkeypatch.setattr(indexes, "BATCH", 1)
    bits = index_for("4x3:3", tmp_path / "bits")
    game, chance = new_game("4x3:3"), Random(4)
    while game.outcome is None:
        assert [bits.find(game, side) for side in (0, 1)] == [whole.find(game, side) for side in (0, 1)]
        game.play(chance.choice(game.legal_moves()))


def test_write_index_reports_full_disk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL

    def full(*_: object, **__: object) -> sqlite3.Connection:
        raise error

    stream = io.BytesIO(certificate("4x3:3", "first").encode())
    monkeypatch.setattr(sqlite3, "connect", full)
    with pytest.raises(OSError, match="disk is full") as raised:
        write_index(stream, tmp_path)
    assert raised.value.errno == errno.ENOSPC
    assert not list(tmp_path.iterdir())


def resealed(about: bytes, folder: Path) -> bytes:
    """Return the index of 3x3:3 with the header *about* and its digest."""
    data = (folder / name_of_index("3x3:3")).read_bytes()
    header = (FIRST_LINE + about + b"\n").ljust(PAGE - DIGEST, b"\0")
    return header + blake2b(header, digest_size=DIGEST).digest() + data[PAGE:]


def test_index_of_refuses_format_without_digests(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / name_of_index("3x3:3"))) as connection, connection:
        connection.execute("CREATE TABLE about (format INTEGER, game TEXT, value TEXT, digest TEXT)")
    with pytest.warns(DamagedFileWarning, match="old proof"):
        assert Index.of(new_game("3x3:3"), tmp_path) is None


def test_empty_index_finds_nothing(tmp_path: Path) -> None:
    verdict = CertificateVerdict("3x3:3", "draw", digest="0")
    with (tmp_path / name_of_index("3x3:3")).open("wb") as file:
        indexes._write_pages(file, [], verdict)
    index = Index.of(new_game("3x3:3"), tmp_path)
    assert index is not None
    assert index.find(new_game("3x3:3"), 0) is None


def test_index_ignores_illegal_moves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two positions may have the same key by chance."""
    index = index_for("4x3:3", tmp_path)
    monkeypatch.setattr(index, "_move_at", lambda outlined, key: "99")
    assert index.find(new_game("4x3:3"), 0) is None


@pytest.mark.parametrize("name", ["3x3:3", "4x3:3,gravity"])
def test_flipped_bits_never_change_an_answer(name: str, tmp_path: Path) -> None:
    """A flipped bit is noticed when its page is read, and the file is not used any more."""
    index, chance, file = index_for(name, tmp_path), Random(6), tmp_path / name_of_index(name)
    game, answers = new_game(name), []
    while game.outcome is None:
        answers += [(game.copy(), side, index.find(game, side)) for side in (0, 1)]
        game.play(chance.choice(game.legal_moves()))
    data = file.read_bytes()
    noticed = 0
    places = [*range(40), *chance.sample(range(len(data)), 60)]
    for place in places:
        flipped = bytearray(data)
        flipped[place] ^= 1 << chance.randrange(8)
        file.write_bytes(flipped)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            damaged = Index.of(new_game(name), tmp_path)
            for game, side, proof in answers:
                found = None if damaged is None else damaged.find(game, side)
                assert found == proof or (found is None and caught)
        assert len(caught) < 2
        noticed += bool(caught)
    assert noticed >= 40


@pytest.mark.parametrize("cut", [1, PAGE, 2 * PAGE])
def test_index_of_notices_missing_end(cut: int, tmp_path: Path) -> None:
    index_for("4x4:4", tmp_path)
    file = tmp_path / name_of_index("4x4:4")
    file.write_bytes(file.read_bytes()[:-cut])
    with pytest.warns(DamagedFileWarning):
        assert Index.of(new_game("4x4:4"), tmp_path) is None


def test_index_that_becomes_unreadable_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index, file = index_for("4x3:3", tmp_path), tmp_path / name_of_index("4x3:3")
    file.write_bytes(b"")
    with pytest.warns(DamagedFileWarning):
        assert index.find(new_game("4x3:3"), 0) is None
    assert index.find(new_game("4x3:3"), 0) is None  # There is no second warning.
    monkeypatch.setattr(os, "open", refused)
    with pytest.warns(DamagedFileWarning):
        assert Index.of(new_game("4x3:3"), tmp_path) is None


def refused(*_: object) -> int:
    """Fail like the system for an unreadable file."""
    raise PermissionError


def test_index_drops_old_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexes, "MAX_PAGES", 1)
    few, many = index_for("4x4:4", tmp_path), index_for("4x4:4", tmp_path / "many")
    monkeypatch.setattr(indexes, "MAX_PAGES", 1000)
    game, chance = new_game("4x4:4"), Random(5)
    while game.outcome is None:
        monkeypatch.setattr(indexes, "MAX_PAGES", 1)
        found = few.find(game, 1)
        monkeypatch.setattr(indexes, "MAX_PAGES", 1000)
        assert many.find(game, 1) == found
        game.play(chance.choice(game.legal_moves()))
