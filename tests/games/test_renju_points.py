"""Tests of the forbidden points of renju: difficult positions, and random ones against a slow model."""

from random import Random

import pytest

from noughts.games.notation import column_number
from noughts.games.renju import BLACK, EMPTY, OTHER, RenjuPoints
from tests.games.renju_model import RenjuModel

SIZE = 15
CHAIN = "c8 f8 h8 f7 i7 j7 e6 l6 m6 i5 k5 l5 k4"
TABLE = (
    ("e8 f8 g8 i8 j8", "", "h8", "6"),
    ("d8 e8 f8 g8 h9 h10 h11 h12 h13", "", "h8", "wins"),
    ("d8 e8 f8 g8 h9 h10 i9 j10", "", "h8", "wins"),
    ("e8 f8 g8 h9 h10 h11", "d8 h12", "h8", "44"),
    ("d8 f8 g8 j8", "", "h8", "44"),
    ("d8 e8 f8 j8 k8 l8", "", "h8", "44"),
    ("d8 e8 g8 j8 k8", "", "h8", "44"),
    ("e8 f8 g8", "", "h8", "free"),
    ("e8 f8 g8 h9 h10", "d8", "h8", "free"),
    ("e8 f8 g8 j8 h9 h10 h11", "d8 h12", "h8", "free"),
    ("f8 g8 h9 h10", "", "h8", "33"),
    ("e8 f8 h9 h11", "", "h8", "33"),
    ("f8 g8 h9 h10", "d8 j8", "h8", "free"),
    ("f8 g8 c8 k8 h9 h10", "", "h8", "free"),
    ("b1 c1 a2 a3", "", "a1", "free"),
    ("c2 d2 b3 b4", "", "b2", "33"),
    ("f8 g8 h9 h10 i9 i10 i11", "d8 i12", "h8", "free"),
    ("f8 g8 h9 h10 i6 i9 j9 k10", "d8", "h8", "free"),
    ("f8 g8 h9 h10 i6 i9 j9 k10", "d8 l11", "h8", "33"),
    ("f8 g8 h9 h10 i5 i6 i7 i9 i10", "d8", "h8", "free"),
    ("f8 g8 h9 h10 i9 i10 i11 i12", "d8 i13", "h8", "free"),
    (CHAIN, "g9 j5 o6", "g8", "free"),
    (CHAIN, "g9 j5", "g8", "33"),
)
"""Stones of Black, stones of White, a point, and the verdict on a move of Black there."""


def index_of(name: str) -> int:
    return (SIZE - int(name[1:])) * SIZE + column_number(name[0])


def stones_of(black: str, white: str) -> RenjuPoints:
    stones = RenjuPoints((SIZE, SIZE), (), "X")
    for names, stone in ((black, BLACK), (white, OTHER)):
        for name in names.split():
            stones.place(index_of(name), stone)
    return stones


@pytest.mark.parametrize(("black", "white", "point", "verdict"), TABLE, ids=range(1, len(TABLE) + 1))
def test_judge_handles_difficult_positions(black: str, white: str, point: str, verdict: str) -> None:
    stones = stones_of(black, white)
    assert stones.judge(index_of(point)) == verdict
    assert stones.forbidden_to_black().get(index_of(point)) == (
        verdict if verdict not in ("free", "wins") else None
    )


@pytest.mark.parametrize(
    ("white", "forbidden"), [("g9 j5 o6", "f5 i8 k6 k7 l7"), ("g9 j5", "f5 g8 i8 k6 l7")]
)
def test_judge_follows_chain_of_forbidden_points(white: str, forbidden: str) -> None:
    result = stones_of(CHAIN, white).forbidden_to_black()
    assert set(result) == {index_of(name) for name in forbidden.split()}


def test_lifted_stone_forbids_nothing() -> None:
    stones = stones_of("f8 g8 h9 h10", "")
    twin = stones.copy()
    stones.place(index_of("g8"), EMPTY)
    assert (stones.forbidden_to_black(), set(twin.forbidden_to_black())) == ({}, {index_of("h8")})
    for stone in (OTHER, EMPTY, BLACK):
        stones.place(index_of("g8"), stone)
    assert stones.forbidden_to_black() == twin.forbidden_to_black()


@pytest.mark.slow
@pytest.mark.parametrize("positions", [150, pytest.param(10_000, marks=pytest.mark.weekly)])
def test_judge_agrees_with_slow_definition(positions: int) -> None:
    """All empty points of several boards are judged, from sparse to crowded ones."""
    chance = Random(22)
    seen = set()
    for _ in range(positions):
        rows, columns = chance.choice(((SIZE, SIZE), (9, 9), (11, 7), (6, 13), (5, 5), (1, 12), (12, 3)))
        cells = list(range(rows * columns))
        taken = chance.sample(cells, int(len(cells) * chance.uniform(0.1, 0.7)))
        share = chance.uniform(0.4, 1)
        black = {cell for cell in taken if chance.random() < share}
        stones = RenjuPoints((rows, columns), (), "X")
        for cell in taken:
            stones.place(cell, BLACK if cell in black else OTHER)
        model = RenjuModel(
            rows,
            columns,
            frozenset(divmod(cell, columns) for cell in black),
            frozenset(divmod(cell, columns) for cell in taken if cell not in black),
        )
        verdicts = {cell: model.verdict(divmod(cell, columns)) for cell in cells if cell not in taken}
        seen |= set(verdicts.values())
        assert {cell: stones.judge(cell) for cell in verdicts} == verdicts
        forbidden = {cell: verdict for cell, verdict in verdicts.items() if verdict in ("6", "44", "33")}
        assert stones.forbidden_to_black() == forbidden
    assert seen == {"free", "wins", "6", "44", "33"}
