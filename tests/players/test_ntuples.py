"""Tests of n-tuple networks: the parts that they read, and their files."""

import json
import os
import zlib
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from noughts import TicTacToe, new_game
from noughts.core.symmetry import symmetries
from noughts.errors import DamagedFileWarning, FileRefused, UnsupportedRules
from noughts.players import ntuples
from noughts.players.ntuples import (
    FIRST_LINE,
    OLD_FIRST_LINE,
    Network,
    TupleLayout,
    network_bytes,
    network_of,
    random_layout,
    read_network,
    rounded,
)

ROWS = TupleLayout("3x3:3", ((0, 1, 2), (4,)))


def total(network: Network, cells: list[str | None]) -> int:
    return sum(network.weights[place] for place in network.form.read(cells))


@pytest.mark.slow
def test_symmetric_positions_have_equal_value() -> None:
    chance = Random(5)
    for game in ("3x3:3", "4x4:3,gravity", "3x3x3:3"):
        form = random_layout(game, 20, chance)
        network = Network(form, [chance.randrange(-99, 99) for _ in range(2 * form.count)], 1.0)
        played = new_game(game)
        while played.ply < 5:
            played.play(chance.choice(played.legal_moves()))
        worths = set()
        for one in symmetries(form.rules.geometry, form.rules.gravity):
            cells: list[str | None] = [None] * len(played.cells)
            for cell, mark in enumerate(played.cells):
                cells[one[cell]] = mark
            worths.add(total(network, cells))
        assert len(worths) == 1


def test_cells_within_reach_have_own_state() -> None:
    form = TupleLayout("4x4:4,gravity", ((0,), (4,), (8,), (12,)))
    empty = form.read([None] * 16)
    assert [at - first for at, (first, _) in zip(empty, form.lookups, strict=True)] == [
        0,
        0,
        0,
        0,
        0,
        0,
        1,
        1,
    ]
    game = new_game("4x4:4,gravity")
    for _ in range(3):
        game.play(game.legal_moves()[0])
    at = [at - first for at, (first, _) in zip(form.read(game.cells), form.lookups, strict=True)]
    assert at[::2] == [1, 2, 3, 2]  # within reach, X, O, X
    assert form.read(game.cells, "OX")[-2] - form.lookups[-2][0] == 3


def test_layouts_are_random_walks() -> None:
    form = random_layout("connect4", 30, Random(1))
    assert form == random_layout("7x6:4,gravity", 30, Random(1)) != random_layout("connect4", 30, Random(2))
    assert len(form.lookups) in (30, 31)
    assert {len(cells) for cells in form.tuples} == {7}
    assert random_layout("2x2", 30, Random(1)).tuples == ((0, 1, 2, 3),)
    assert {len(cells) for cells in random_layout("5x4:4", 5, Random(1)).tuples} == {8}


@pytest.mark.parametrize("game", ["misere", "three", "reversi", "connect4", "3x3:3,wild"])
def test_other_rules_have_no_layout(game: str) -> None:
    with pytest.raises(UnsupportedRules):
        TupleLayout(game, ())


@pytest.mark.parametrize(
    "tuples", [((),), ((0, 0),), ((9,),), ((-1,),), (tuple(range(9)),) * 4097, (tuple(range(9)),) * 600]
)
def test_invalid_tuples_are_refused(tuples: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ntuples, "MAX_WEIGHTS", 1 << 40)
    with pytest.raises(ValueError, match="tuple"):
        TupleLayout("3x3:3", tuples)


def test_too_many_weights_are_refused() -> None:
    with pytest.raises(ValueError, match="too many"):
        TupleLayout("15x15:5", (tuple(range(225)),))


def test_weights_are_rounded() -> None:
    exact = [0.0] * (2 * ROWS.count)
    exact[:3] = 0.5, -0.25, 0.001
    network = rounded(ROWS, exact)
    assert list(network.weights[:4]) == [127, -64, 0, 0]
    assert network.scale * 127 == 0.5
    assert rounded(ROWS, [0.0] * (2 * ROWS.count)).scale == 1
    assert [len(half) for half in network.halves] == [ROWS.count] * 2


def test_network_file_round_trip(tmp_path: Path) -> None:
    network = rounded(ROWS, [Random(3).uniform(-1, 1) for _ in range(2 * ROWS.count)])
    (tmp_path / "w").write_bytes(network_bytes(network))
    assert read_network(tmp_path / "w") == network


def altered(**facts: Any) -> bytes:
    """Return a file of weights with a changed description."""
    body = bytes(2 * ROWS.count)
    header = {"game": "3x3:3", "tuples": ROWS.tuples, "scale": 1.0, "sha256": sha256(body).hexdigest()}
    head = {
        name: value for name, value in {**header, **facts}.items() if value is not None and name != "body"
    }
    return sealed(FIRST_LINE + json.dumps(head).encode() + b"\n" + zlib.compress(facts.get("body", body)))


def sealed(data: bytes) -> bytes:
    """Return a file of *data* and its digest."""
    return data + sha256(data).digest()


def test_network_file_is_intact() -> None:
    assert network_of(altered()) is not None
    assert network_of(altered(body=b"short")) is None


@pytest.mark.parametrize(
    "data",
    [
        b"PK\3\4",
        altered(sha256="0"),
        altered(tuples=[["0"]]),
        b"",
        FIRST_LINE,
        sealed(FIRST_LINE.replace(b"2", b"3") + altered()[len(FIRST_LINE) : -32]),
        sealed(altered()[:-35]),
        sealed(altered()[:-32] + b"x"),
        sealed(altered()[:-41] + b"123456789"),
        altered(game="2x2:2"),
        altered(game="nothing"),
        altered(game="reversi"),
        altered(game=None),
        altered(tuples=None),
        altered(tuples=7),
        altered(tuples=[[0, 1, 99]]),
        altered(scale=float("inf")),
        altered(scale=-1),
        altered(scale="much"),
        altered(scale=10**400),
        altered(body=bytes(100_000)),
        sealed(FIRST_LINE + b"[" * 100_000 + b"\n"),
        sealed(FIRST_LINE + b"7\n"),
    ],
    ids=range(23),
)
def test_damaged_network_file_is_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "w").write_bytes(data)
    with pytest.raises(FileRefused) as caught:
        read_network(tmp_path / "w")
    assert caught.value.reason == "no-weights"


@pytest.mark.parametrize("old", [False, True])
def test_network_of_refuses_each_flipped_bit(old: bool) -> None:
    data = altered(scale=0.25)
    whole = network_of(data)
    start = 0
    if old:  # in the first format only the weights are protected
        data = data[:-32].replace(FIRST_LINE, OLD_FIRST_LINE)
        assert network_of(data) == whole
        start = data.index(b"\n", len(FIRST_LINE)) + 1
    for at in range(start, len(data)):
        for bit in range(8):
            flipped = data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]
            assert network_of(flipped) in ((None, whole) if old else (None,))


def test_read_network_warns_of_old_format(tmp_path: Path) -> None:
    (tmp_path / "w").write_bytes(altered()[:-32].replace(FIRST_LINE, OLD_FIRST_LINE))
    with pytest.warns(DamagedFileWarning, match="old weights"):
        read_network(tmp_path / "w")


def test_unreadable_network_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, reason in {
        tmp_path / "pipe": "not-a-file",
        tmp_path: "is-a-folder",
        tmp_path / "none": "not-there",
        Path("a\0b"): "not-there",
    }.items():
        with pytest.raises(FileRefused) as caught:
            read_network(path)
        assert caught.value.reason == reason
    for most in ("MAX_FILE_BYTES", "MAX_HEAD_BYTES"):
        with monkeypatch.context() as one:
            one.setattr(ntuples, most, 100)
            assert network_of(altered()) is None


def test_network_accepts_other_marks() -> None:
    game = TicTacToe(marks=("O", "X"))
    game.play((0, 0))
    assert ROWS.read(game.cells, game.sides) == ROWS.read(["X", *[None] * 8])
