"""Tests of moves of several parts as text, with cells by number or letter."""

import pytest

from noughts.errors import IllegalMove, NotationError
from noughts.games.parts_notation import PartsNotation
from tests.games.pairs import Pair, Pairs

NOTATION = PartsNotation((3, 3))


@pytest.mark.parametrize("text", ["5-8-mine", " 5 8 mine ", "b2-b1-MINE", "B2 8-mine"])
def test_parts_text_is_parsed(text: str) -> None:
    assert NOTATION.parse(text, Pairs()) == Pair((1, 1), (2, 1), "mine")


def test_every_parts_move_is_read_back() -> None:
    game = Pairs()
    for first in (0, 1):
        for move in game.legal_moves():
            assert NOTATION.parse(NOTATION.format(move, first), game, first) == move
    move = Pair((1, 1), (2, 1), "yours")
    assert NOTATION.format(move) == "5-8-yours"
    assert NOTATION.spell(move, lambda cell: f"{cell[0]}{cell[1]}") == "11-21-yours"


@pytest.mark.parametrize(
    ("text", "reason"),
    [("", "unreadable"), ("5", "unreadable"), ("5-8-his", "unreadable"), ("5-10-mine", "no-such-cell")],
)
def test_bad_parts_text_is_refused(text: str, reason: str) -> None:
    with pytest.raises(NotationError) as refused:
        NOTATION.parse(text, Pairs())
    assert refused.value.reason == reason


def test_illegal_parts_move_is_refused() -> None:
    with pytest.raises(IllegalMove):
        NOTATION.parse("5-5-mine", Pairs())
