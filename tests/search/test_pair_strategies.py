"""Strategies of pairs: the pairs stop all lines, and nobody wins against them."""

import io
from random import Random

import pytest

from noughts import new_game
from noughts.certificates.verify import verify
from noughts.core.board import coordinate_of, index_of
from noughts.core.symmetry import symmetries
from noughts.errors import UnsupportedRules
from noughts.proofs.writer.pairs import write_strategy
from noughts.search.strategies.pair_strategy import PairStrategy, find_strategy, lines_of
from noughts.search.strategies.pairing import Line, Pairs, pattern_pairs

BY_PAIRS = ["5x5:5", "7x6:6", "6x6:6,exact", "12x4:5", "9x9:9,wrap", "6x6:6,hex", "8x8x8:8"]
BY_CASES = ["4x4:4", "6x5:5", "6x6:5,hex"]


def strategy_of(spec: str) -> PairStrategy:
    found = find_strategy(new_game(spec))
    assert found is not None
    return found


def are_stopped(lines: list[Line], pairs: Pairs) -> bool:
    """Return True if no cell is in two of *pairs*, and each line contains a pair."""
    cells = [cell for pair in pairs for cell in pair]
    return len(cells) == len(set(cells)) and all(
        any(line.issuperset(pair) for pair in pairs) for line in lines
    )


@pytest.mark.parametrize("spec", BY_PAIRS)
def test_pairs_stop_all_lines(spec: str) -> None:
    found = strategy_of(spec)
    assert not found.cases
    assert are_stopped(lines_of(found.rules), found.pairs)


@pytest.mark.parametrize("spec", BY_CASES)
def test_cases_stop_lines_after_each_first_mark(spec: str) -> None:
    found = strategy_of(spec)
    lines = lines_of(found.rules)
    for first in range(found.rules.geometry.size):
        case = found.case_after(first)
        assert case is not None
        left = [line - {first} for line in lines if case.reply not in line]
        assert are_stopped(left, tuple(pair for pair in case.pairs if first not in pair))


def test_turned_and_reflected_first_marks_share_a_case() -> None:
    """Corners, cells of the edges and inner cells are three cases, although 32 maps keep lines."""
    found = strategy_of("4x4:4")
    assert [sorted(case.firsts) for case in found.cases] == [[0], [1], [5]]
    assert found.case_after(10) is not None
    assert len(symmetries(found.rules.geometry)) == 32


@pytest.mark.parametrize("spec", ["13x11:9", "10x10:10", "20x9:9", "24x24:11"])
def test_pattern_stops_lines_of_nine_cells(spec: str) -> None:
    game = new_game(spec)
    assert game.rules is not None
    lines = lines_of(game.rules)
    assert are_stopped(lines, pattern_pairs(lines, *game.shape))


@pytest.mark.parametrize("spec", [*BY_PAIRS[:4], *BY_CASES])
def test_certificate_of_a_strategy_holds(spec: str) -> None:
    stream = io.StringIO()
    write_strategy(strategy_of(spec), stream)
    verdict = verify(io.BytesIO(stream.getvalue().encode()))
    assert (verdict.holds, verdict.value) == (True, "draw")


def test_certificate_of_a_damaged_strategy_fails() -> None:
    found, stream = strategy_of("12x4:5"), io.StringIO()
    write_strategy(PairStrategy(found.rules, found.pairs[:1]), stream)
    assert not verify(io.BytesIO(stream.getvalue().encode())).holds


@pytest.mark.parametrize("spec", ["5x5:5", "4x4:4", "6x5:5"])
def test_nobody_wins_against_a_strategy(spec: str) -> None:
    """The second side follows the rule, and otherwise plays at random."""
    found, chance = strategy_of(spec), Random(1)
    for _ in range(300):
        game = new_game(spec)
        while game.outcome is None:
            move = chance.choice(list(game.legal_moves()))
            if game.turn == game.sides[1] and (cell := found.reply(game)) is not None:
                move = coordinate_of(game.shape, cell)
            game.play(move)
        assert game.outcome.winner != game.sides[0]


def test_reply_is_the_other_cell_of_the_pair() -> None:
    found, game = strategy_of("5x5:5"), new_game("5x5:5")
    cell, mate = found.pairs[0]
    game.play(coordinate_of(game.shape, cell))
    assert found.reply(game) == mate
    game.play(coordinate_of(game.shape, mate))
    free = ({index_of(game.shape, move) for move in game.legal_moves()}).difference(*found.pairs).pop()
    game.play(coordinate_of(game.shape, free))
    assert found.reply(game) is None


@pytest.mark.parametrize("name", ["tictactoe", "5x4:4", "gomoku", "qubic", "1x1:1", "3x1:2", "4x1:2"])
def test_no_strategy_is_found_for_other_boards(name: str) -> None:
    assert find_strategy(new_game(name)) is None


@pytest.mark.parametrize("name", ["connect4", "misere", "three", "reversi", "19x19:6,place=2"])
def test_other_games_are_refused(name: str) -> None:
    with pytest.raises(UnsupportedRules):
        find_strategy(new_game(name))
