"""Claims of the pattern search: wins are played out by the rules, and values compared with exact ones.

Only the rules of the games and the exact search decide here, so the tests hold for any evaluation.
"""

from random import Random

import pytest

from noughts import new_game
from noughts.games.base import Move
from noughts.games.kinarow import KInARow
from noughts.search.analysis import Limit
from noughts.search.analyst import Analyst
from noughts.search.numba_backend import Machine
from noughts.search.patterns.fours import (
    begin_sequence,
    continue_sequence,
    find_static_result,
    find_winning_move,
)
from noughts.search.patterns.memory import MAX_FOURS
from noughts.search.patterns.search import PatternBoard, PatternSearch
from tests.search.machines import machine_of, rules_of

LARGE = ("15x15:5", "15x15:5,exact", "15x15:5,renju", "9x12:4", "10x8:4,exact", "12x12:6", "22x6:5")
"""Boards on which sequences of fours are long."""

MEDIUM = ("7x7:4", "7x7:4,exact", "9x9:5", "9x8:5,exact", "9x9:5,renju", "9x9:6")
"""Boards on which all replies to a static win can be tried."""

SMALL = ("5x5:4", "6x6:4", "5x5:4,exact", "6x6:4,exact", "7x6:4", "6x6:5", "7x7:5", "7x7:5,exact", "7x7:6")
"""Boards on which the exact search is quick."""

SEQUENCE_POSITIONS = 3_000
"""The limit of a search for a sequence of fours."""

EXACT_NODES = 300_000
"""The limit of the exact search that checks a claim. If it is reached, the claim is not checked."""


def often(quick: int, thorough: int) -> pytest.MarkDecorator:
    """Run a test with *quick* positions of each game, and each week with *thorough* ones."""
    return pytest.mark.parametrize("positions", [quick, pytest.param(thorough, marks=pytest.mark.weekly)])


def winning_move(game: KInARow, hints: list[Move]) -> Move | None:
    """Return a move that wins at once, or None. *hints* are tried first."""
    legal = game.legal_moves()
    for move in (*(hint for hint in hints if hint in legal), *legal):
        game.play(move)
        is_won = game.winner is not None and game.winner != game.turn
        game.undo()
        if is_won:
            return move
    return None


def random_position(spec: str, chance: Random) -> KInARow:
    """Return an unfinished game of clustered marks, in which most rows of k - 1 were completed or stopped."""
    while True:
        game = new_game(spec)
        assert isinstance(game, KInARow)
        rows, columns = game.shape
        marks = chance.randint(4, min(60, rows * columns - 2))
        while game.outcome is None and game.ply < marks:
            move = None
            if game.ply >= 6 and chance.random() < 0.8:
                other = game.with_turn(game.sides[1 - game.sides.index(game.turn)])
                if isinstance(other, KInARow):  # Renju has no passes.
                    move = winning_move(other, [])
            while move is None or move not in game.legal_moves():
                row, column = chance.choice(game.moves) if game.moves else (rows // 2, columns // 2)
                move = (row + chance.randint(-2, 2), column + chance.randint(-2, 2))
                if chance.random() < 0.02:
                    move = chance.choice(game.legal_moves())
            game.play(move)
        if game.outcome is None:
            return game


class Replay:
    """A board of the search and the game on it."""

    def __init__(self, spec: str, machine: Machine) -> None:
        self.board = PatternBoard(rules_of(new_game(spec)), 1 << 12, machine)
        self._continue_sequence = machine.function(continue_sequence)

    def set_up(self, game: KInARow) -> int:
        """Set up the position of *game*; return the side to move."""
        self.board.set_up(game)
        return game.sides.index(game.turn)

    def static_result(self, game: KInARow) -> int:
        """Return the static result of the position of *game*."""
        return find_static_result(self.board.memory, self.set_up(game))

    def find_sequence(self, game: KInARow) -> int:
        """Return the plies to the win of the sequence that is found from the position of *game*, or 0."""
        memory, side = self.board.memory, self.set_up(game)
        begin_sequence(memory, side, SEQUENCE_POSITIONS, MAX_FOURS)
        self._continue_sequence(memory, SEQUENCE_POSITIONS)
        return int(memory.sequence_plies)

    def move_of(self, game: KInARow, cell: int) -> Move:
        """Return the move on a *cell* of the memory."""
        return divmod(self.board.cells.index(cell), game.shape[1])

    def check_static(self, game: KInARow, plies: int) -> None:
        """Play out the static result, a win in *plies* or a loss in minus *plies*, against every reply."""
        if plies < 0:
            assert loses(game, -plies, [])
        else:
            side = self.set_up(game)
            move = self.move_of(game, find_winning_move(self.board.memory, side, plies))
            assert move in game.legal_moves()
            assert wins(game, plies, [], first=move), (game.cells, move, plies)

    def check_sequence(self, game: KInARow, plies: int) -> None:
        """Play the sequence that wins in *plies*. A reply to a four elsewhere loses at once."""
        static = self.static_result(game)
        if static > 0:
            assert plies == static
            self.check_static(game, plies)
            return
        assert 0 < self.find_sequence(game) <= plies
        move = self.move_of(game, self.board.memory.sequence_move)
        assert move in game.legal_moves()
        game.play(move)
        assert game.outcome is None
        forced, won = [], list[Move]()
        for reply in game.legal_moves():
            game.play(reply)
            if game.outcome is not None:
                assert game.winner is None
                forced.append(reply)
            elif (five := winning_move(game, won)) is None:
                forced.append(reply)
            else:
                won = [five]
            game.undo()
        assert len(forced) <= 1, (game.cells, move, forced)
        for reply in forced:
            game.play(reply)
            assert game.outcome is None
            self.check_sequence(game, plies - 2)
            game.undo()
        game.undo()


def wins(game: KInARow, plies: int, hints: list[Move], first: Move | None = None) -> bool:
    """Return True if the side to move wins within *plies* against every reply, with the move *first*."""
    if first is None:
        move = winning_move(game, hints)
        if move is not None:
            hints[:0] = [move]
            del hints[4:]
            return True
    if plies == 1:
        return first is not None and winning_move(game, [first]) == first
    legal = game.legal_moves()
    moves = [first] if first is not None else [*(hint for hint in hints if hint in legal), *legal]
    for move in moves:
        game.play(move)
        is_won = game.outcome is None and loses(game, plies - 1, hints)
        game.undo()
        if is_won:
            hints[:0] = [move]
            del hints[4:]
            return True
    return False


def loses(game: KInARow, plies: int, hints: list[Move]) -> bool:
    """Return True if the side to move loses within *plies* with every move."""
    threats = [hint for hint in hints if hint in game.legal_moves()]
    for reply in (*threats, *game.legal_moves()):
        game.play(reply)
        is_lost = game.outcome is None and wins(game, plies - 1, hints)
        game.undo()
        if not is_lost:
            return False
    return True


@pytest.mark.slow
@often(6, 4_000)
@pytest.mark.parametrize("spec", LARGE)
def test_sequences_of_fours_beat_every_reply(spec: str, positions: int) -> None:
    chance, replay = Random(f"{spec} {positions}"), Replay(spec, machine_of("numba"))
    checked = 0
    for _ in range(positions):
        game = random_position(spec, chance)
        if replay.static_result(game) == 0 and (plies := replay.find_sequence(game)):
            replay.check_sequence(game, plies)
            checked += 1
    assert checked or positions < 1_000, "no sequence was found"


@pytest.mark.slow
@often(6, 400)
@pytest.mark.parametrize("spec", MEDIUM)
def test_static_results_hold_against_every_reply(spec: str, positions: int) -> None:
    chance, replay = Random(f"{spec} {positions}"), Replay(spec, machine_of("numba"))
    for _ in range(positions):
        game = random_position(spec, chance)
        if plies := replay.static_result(game):
            replay.check_static(game, plies)


@often(20, 6_000)
@pytest.mark.parametrize("spec", SMALL)
def test_claimed_values_are_exact(spec: str, positions: int) -> None:
    """The board is used again, so that its table has positions of other games."""
    chance, machine = Random(f"{spec} {positions}"), machine_of("numba")
    board, analyst = PatternBoard(rules_of(new_game(spec)), 1 << 10, machine), Analyst(machine=machine)
    claims = checked = 0
    for _ in range(positions):
        game = random_position(spec, chance)
        board.set_up(game)
        limit = chance.choice(
            (Limit(nodes=int(2 ** chance.uniform(0, 13))), Limit(depth=chance.randint(1, 8)))
        )
        search = PatternSearch(board, game.sides.index(game.turn), limit)
        search.search()
        best = divmod(search.line[0], game.shape[1])
        assert best in game.legal_moves()
        claim = search.result
        if claim.value is None:
            continue
        claims += 1
        exact = analyst.solve(game, Limit(nodes=EXACT_NODES))
        if exact.value is None:
            continue
        checked += 1
        assert claim.value == exact.value, (game.cells, limit)
        assert claim.plies is None or claim.plies == exact.plies, (game.cells, limit)
        if claim.value == 1:
            game.play(best)
            assert analyst.solve(game).value == -1 or game.winner is not None, (game.cells, limit)
    assert checked >= claims * 0.9
