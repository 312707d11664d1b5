"""The arguments of proofs by lines, against a full search."""

import io
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from noughts.certificates.by_lines import (
    LinesCheck,
    LinesPosition,
    _is_weaker,
    are_weak,
    cells_of,
    conceded,
    pairs_of,
)
from noughts.certificates.proved_positions import ProvedPositions
from noughts.certificates.text import DoesNotHold, Reader
from noughts.proofs.writer.threats import ThreatLineFinder, is_refuted

CELLS = 7


@cache
def breaker_holds(lines: frozenset[int], *, maker_moves: bool) -> bool:
    """Return True if Breaker gets a cell of each of *lines*, by full search."""
    if 0 in lines:
        return False
    live = 0
    for line in lines:
        live |= line
    moves = cells_of(live)
    if not moves:
        return True
    if maker_moves:
        after = (frozenset(line & ~(1 << cell) for line in lines) for cell in moves)
        return all(breaker_holds(left, maker_moves=False) for left in after)
    after = (frozenset(line for line in lines if not line >> cell & 1) for cell in moves)
    return any(breaker_holds(left, maker_moves=True) for left in after)


def boards(chance: Random, count: int) -> Iterator[tuple[int, ...]]:
    """Yield boards of lines of one to four cells each."""
    for _ in range(count):
        yield tuple(
            sum(1 << cell for cell in chance.sample(range(CELLS), chance.randrange(1, 5)))
            for _ in range(chance.randrange(1, 8))
        )


def test_pairs_and_potentials_stop_lines() -> None:
    chance, stopped, not_stopped = Random(1), 0, 0
    for lines in boards(chance, 2000):
        cells = chance.sample(range(CELLS), 2 * chance.randrange(0, 4))
        if are_weak(conceded(lines, pairs_of(cells))):
            assert breaker_holds(frozenset(lines), maker_moves=True), (lines, cells)
            stopped += 1
        else:
            not_stopped += 1
    assert min(stopped, not_stopped) > 100


def test_weaker_move_has_the_same_refutation() -> None:
    chance, found = Random(2), 0
    for lines in boards(chance, 4000):
        cell, than, reply = chance.sample(range(CELLS), 3)
        if not _is_weaker(lines, cell, than, reply):
            continue

        def after(move: int, lines: tuple[int, ...] = lines, reply: int = reply) -> frozenset[int]:
            return frozenset(line & ~(1 << move) for line in lines if not line >> reply & 1)

        if breaker_holds(after(than), maker_moves=True):
            assert breaker_holds(after(cell), maker_moves=True), (lines, cell, than, reply)
            found += 1
    assert found > 100


def test_threat_line_wins_after_any_move() -> None:
    chance, completed, forked = Random(3), 0, 0
    for mine in boards(chance, 2000):
        theirs = next(boards(chance, 1))
        position = LinesPosition(mine, theirs, (1 << CELLS + 1) - 1)
        line = ThreatLineFinder().find(position)
        if line is not None:
            assert is_refuted(position, CELLS, line), position  # a cell on no line
            completed += len(line) == 1
            forked += len(line) > 1
    assert min(completed, forked) > 10


def holds(steps: str, position: LinesPosition, *, wins: bool = False) -> bool:
    """Return True if *steps*, separated by strokes, prove *position*, with the Other to move."""
    text = "".join(f"{step.strip()}\n" for step in [*steps.split("|"), "sha256"])
    reader = Reader(io.BytesIO(text.encode()))
    try:
        LinesCheck(reader, CELLS, ProvedPositions([]), wins=wins).other(position)
    except DoesNotHold:
        return False
    return True


def of(mine: list[list[int]], theirs: list[list[int]]) -> LinesPosition:
    """Return a position of lines whose cells are numbered from 1."""

    def masks(lines: list[list[int]]) -> tuple[int, ...]:
        return tuple(sum(1 << cell - 1 for cell in line) for line in lines)

    return LinesPosition(masks(mine), masks(theirs), (1 << CELLS) - 1)


@cache
def is_true(mine: frozenset[int], theirs: frozenset[int], empty: int, *, prover: bool, wins: bool) -> bool:
    """Return True if the Prover wins, or holds, by full search. *prover* tells whether it is to move."""
    if not empty:
        return not wins
    for cell in cells_of(empty):
        bit = 1 << cell
        own, others = (mine, theirs) if prover else (theirs, mine)
        own = frozenset(line & ~bit for line in own)
        others = frozenset(line for line in others if not line & bit)
        after = (own, others) if prover else (others, own)
        if 0 in own or is_true(*after, empty & ~bit, prover=not prover, wins=wins) == prover:
            return prover
    return not prover


class OneStep(LinesCheck):
    """A check of a single step, whose premises are looked up."""

    is_first = True

    def prover(self, position: LinesPosition) -> None:
        if self._is_new(position, prover=True):
            super().prover(position)

    def other(self, position: LinesPosition) -> None:
        if self._is_new(position, prover=False):
            super().other(position)

    def _is_new(self, position: LinesPosition, *, prover: bool) -> bool:
        if self.is_first:
            self.is_first = False
            return True
        sets = frozenset(position.mine), frozenset(position.theirs)
        if not is_true(*sets, position.empty, prover=prover, wins=self._wins):
            raise DoesNotHold("it rests on what is false")
        return False


FEW = 5
"""The number of cells of the boards for single steps."""


def some_step(chance: Random, live: int, *, prover: bool) -> list[str]:
    """Return a random step, with answers to moves on the cells *live* in the right form."""

    def some(most: int) -> str:
        return " ".join(str(cell + 1) for cell in chance.sample(range(FEW), chance.randrange(most)))

    if prover:
        return [f"s {some(4)}"]
    kind = chance.choice(("p {}", "r {}", "f", "m", "m", "m", "m", "m"))
    if kind != "m":
        return [kind.format(some(6))]
    moves = chance.sample(cells_of(live), live.bit_count() - chance.choice((0, 0, live.bit_count() // 2)))
    forms = ("x {0}", "x {0}", "x {0} {1}", "x {0} {1}", "k {1} {2} / {0}", "d {2} / {0}", "d {2}")
    answers = (chance.choice(forms).format(move + 1, some(3), some(5)) for move in moves)
    return ["m", *answers, "."]


def some_lines(chance: Random, longest: int) -> tuple[int, ...]:
    """Return up to four random lines of cells."""
    lengths = [chance.randrange(1, longest) for _ in range(chance.randrange(5))]
    return tuple(sum(1 << cell for cell in chance.sample(range(FEW), length)) for length in lengths)


@pytest.mark.slow
def test_no_step_proves_false_positions() -> None:
    """If all premises of a step are true, so is its conclusion."""
    chance, proved = Random(3), {(wins, prover): 0 for wins in (False, True) for prover in (False, True)}
    for _ in range(12_000):
        wins, prover = chance.random() < 0.6, chance.random() < 0.2
        mine, theirs = some_lines(chance, 3 if wins else 5), some_lines(chance, 5)
        live = 0
        for line in mine + theirs:
            live |= line
        position = LinesPosition(mine, theirs, live | chance.randrange(1 << FEW))
        lines = [" ".join(step.split()) for step in (*some_step(chance, live, prover=prover), "sha256")]
        reader = Reader(io.BytesIO("".join(f"{line}\n" for line in lines).encode()))
        check = OneStep(reader, FEW, ProvedPositions([]), wins=wins)
        try:
            (check.prover if prover else check.other)(position)
        except DoesNotHold:
            continue
        sets = frozenset(mine), frozenset(theirs)
        assert is_true(*sets, position.empty, prover=prover, wins=wins), (position, wins, lines)
        proved[wins, prover] += 1
    assert min(proved.values()) > 10, proved


def test_pairs_need_distinct_empty_cells() -> None:
    position = of([], [[1, 2, 3], [3, 4, 5]])
    assert holds("p 1 2 4 5", position)
    assert not holds("p 1 2 4", position)
    assert not holds("p 1 2 1 2", position)
    assert not holds("p 1 1", position)
    assert not holds("p 1 8", position)
    assert not holds("p 1 2 4 5", LinesPosition((), position.theirs, 0b1011111 & ~1))


def test_every_move_must_be_answered() -> None:
    position = of([], [[1, 2], [2, 3]])
    assert holds("m|x 1 2|x 2 1|.", position) is False  # cell 3 completes the other line
    triangle = of([], [[1, 2, 3], [3, 4, 5], [5, 6, 1]])
    assert holds("p", triangle) is True
    assert holds("m|k 3 / 1|k 1 / 3 5|k 1 / 2 4 6|.", triangle) is True
    assert holds("m|k 3 / 1|k 1 / 3 5|.", triangle) is True  # the others are weaker
    assert holds("m|k 3 / 1|.", triangle) is False
    assert holds("m|.", triangle) is False


def test_weaker_moves_are_skipped_without_prover_lines() -> None:
    theirs = [[1, 2, 3], [3, 4, 5], [5, 6, 1]]
    assert not holds("m|k 3 / 1|k 1 / 3 5|.", of([[6, 7]], theirs))
    assert holds("f|m|k 3 / 1|k 1 / 3 5|.", of([[6, 7]], theirs))
    assert not holds("f|f|p", of([[6, 7]], theirs))


def test_threat_line_must_end_with_win() -> None:
    forked = of([[1, 2], [1, 3]], [])
    assert holds("m|d 1 / 4 5 6|d 1 / 3|x 2 3 1|x 3 2 1|x 1 2|.", forked, wins=True) is False
    row = of([[1, 2], [1, 3], [4, 5], [4, 6]], [])
    assert holds("m|d 4 / 1 2 3|d 1|.", row, wins=True) is True
    assert holds("m|d 4 / 1 2 3|d 4|.", row, wins=True) is False
    assert holds("m|d 4 5 / 1 2 3|d 1|.", row, wins=True) is False
    assert holds("m|d 7 4 / 1 2 3|d 1|.", row, wins=True) is False


def test_open_win_of_other_is_refused() -> None:
    assert not holds("p", of([], [[1]]))
    assert not holds("m|d 4|.", of([[4, 5], [4, 6]], [[1]]), wins=True)
    race = of([[4, 5], [4, 6]], [[1, 2]])
    assert not holds("m|d 4|.", race, wins=True)  # A threat does not answer the one that cell 1 or 2 makes.
    assert not holds("r 1 2", of([], [[1, 3], [2, 3]]))


def test_references_need_proved_positions() -> None:
    position = of([], [[1, 2, 3], [1, 4, 5], [2, 4, 6], [3, 5, 6]])
    proof = "#m|x 1 2|p 4 5|x 2 1|p 4 6|x 4 1|p 2 6|.".replace("p 4 5", "p").replace("p 4 6", "p")
    assert not holds("= 1 0", position)
    assert not holds(proof.replace("p 2 6", "= 1 0"), position)
