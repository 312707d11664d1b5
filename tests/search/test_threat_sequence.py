"""Threat sequences: every sequence found wins, and only moves in its zone break it."""

from collections.abc import Iterator
from random import Random

import pytest

from noughts import KInARow, new_game
from noughts.core.board import coordinate_of, index_of
from noughts.games.notation import parse_position
from noughts.search.engine.incremental import memory_of
from noughts.search.engine.memory import EngineMemory
from noughts.search.engine.threat_sequence import FOUND, RUNNING, continue_sequence, start_sequence, take_back
from noughts.search.numba_backend import python_machine
from tests.search.machines import rules_of

SPECS = ("5x5:4", "6x6:4", "5x5:3,exact", "6x6:4,exact", "4x4:3,wrap", "5x5:4,exact,wrap", "4x4x4:4", "7x7:5")

MAX_PLIES = {"7x7:5": 34, "4x4:3,wrap": 5, "5x5:3,exact": 8, "4x4x4:4": 30}


def sequences(spec: str, *, own: bool) -> Iterator[tuple[KInARow, EngineMemory]]:
    """Yield random positions without a win in one move, but with a sequence of one side.

    It is the side to move if *own*, else the other side.
    """
    chance = Random(f"{spec} {own}")
    count = 1 if spec == "4x4x4:4" else 5
    for _ in range(500):
        game = new_game(spec)
        assert isinstance(game, KInARow)
        for _ in range(chance.randrange(4, MAX_PLIES.get(spec, 22))):
            if game.outcome is None:
                game.play(chance.choice(game.legal_moves()))
        memory = memory_of(game, rules_of(game), python_machine(), 2)
        if game.outcome is None and not memory.winning[0] and not memory.winning[1]:
            side = game.sides.index(game.turn)
            if has_sequence(memory, side if own else 1 - side):
                yield game, memory
                count -= 1
                if not count:
                    return
    raise AssertionError("too few positions")


def has_sequence(memory: EngineMemory, side: int) -> bool:
    key = memory.key
    start_sequence(memory, side)
    result = continue_sequence(memory, 3000)
    take_back(memory)
    assert memory.key == key
    return result == FOUND


def wins(game: KInARow) -> list[int]:
    """Return the cells on which the side to move wins at once."""
    cells = []
    for move in game.legal_moves():
        game.play(move)
        if game.winner is not None:
            cells.append(index_of(game.shape, move))
        game.undo()
    return cells


def holds(game: KInARow, line: list[int]) -> bool:
    """Return True if the side to move wins with its cells in *line*, whatever the replies are."""
    if winning := wins(game):
        return bool(winning)
    if not line:
        return False
    game.play(coordinate_of(game.shape, line[0]))
    good = True
    for reply in game.legal_moves():
        game.play(reply)
        if game.outcome is not None:
            good = False
        elif len(line) > 1 and index_of(game.shape, reply) == line[1]:
            good = holds(game, line[2:])
        else:
            good = bool(wins(game))
        game.undo()
        if not good:
            break
    game.undo()
    return good


def line_of(memory: EngineMemory) -> list[int]:
    line = []
    for at in range(memory.length):
        line += [int(memory.attack[at]), int(memory.reply[at])]
    return line[:-1]


@pytest.mark.parametrize("spec", SPECS)
def test_sequence_beats_every_reply(spec: str) -> None:
    for game, memory in sequences(spec, own=True):
        assert holds(game, line_of(memory)), game.cells


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
def test_moves_outside_zone_break_no_sequence(spec: str) -> None:
    outside = 0
    for game, memory in sequences(spec, own=False):
        zone = {int(cell) for cell in memory.zone[: memory.zone_count]}
        for move in game.legal_moves():
            if index_of(game.shape, move) not in zone:
                outside += 1
                game.play(move)
                assert holds(game, line_of(memory)), (game.cells, move)
                game.undo()
    assert outside > 0 or spec == "4x4:3,wrap"


def memory_at(spec: str, text: str) -> EngineMemory:
    game = parse_position(new_game(spec), text)
    assert isinstance(game, KInARow)
    return memory_of(game, rules_of(game), python_machine(), 2)


def test_missing_sequence_is_not_found() -> None:
    assert not has_sequence(memory_at("6x6:4", "....../....../..X.../..O.../....../......"), 0)


def test_sequence_search_can_be_interrupted() -> None:
    text = "....../.XX.../.X..../..O.O./....../...O.."
    whole = memory_at("6x6:4", text)
    start_sequence(whole, 0)
    assert continue_sequence(whole, 1000) == FOUND
    memory = memory_at("6x6:4", text)
    start_sequence(memory, 0)
    steps = 0
    while continue_sequence(memory, steps) == RUNNING:
        steps += 1
    assert steps > 0
    assert line_of(memory) == line_of(whole)
    assert memory.threat_nodes == whole.threat_nodes
