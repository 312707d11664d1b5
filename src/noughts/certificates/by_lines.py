"""The check of proofs by lines alone: the cells that each side still needs to fill a line.

The rules must have two sides and marks that stay and never hurt. A position is the lines that either side can
still fill, each as the set of its empty cells, a bit for each cell. The Prover has to win, or to hold off the
Other.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from noughts.certificates.proved_positions import Permutation, ProvedPositions
from noughts.certificates.text import DoesNotHold, Reader, numbers, split_at

Lines = tuple[int, ...]

WORD = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class LinesPosition:
    """A position of a proof by lines: the open lines of both sides, and the empty cells."""

    mine: Lines
    """The lines of the Prover; none if they are ignored."""
    theirs: Lines
    empty: int

    def after_prover(self, cell: int) -> "LinesPosition":
        """Return the position after the Prover has taken *cell*.

        Raises :class:`DoesNotHold` if it is taken.
        """
        bit = self.bit(cell)
        return LinesPosition(
            tuple(line & ~bit for line in self.mine),
            tuple(line for line in self.theirs if not line & bit),
            self.empty & ~bit,
        )

    def after_other(self, cell: int) -> "LinesPosition":
        """Return the position after the Other has taken *cell*.

        Raises :class:`DoesNotHold` if it is taken.
        """
        bit = self.bit(cell)
        return LinesPosition(
            tuple(line for line in self.mine if not line & bit),
            tuple(line & ~bit for line in self.theirs),
            self.empty & ~bit,
        )

    def bit(self, cell: int) -> int:
        """Return the bit of *cell*. Raises :class:`DoesNotHold` if it is taken."""
        bit = 1 << cell
        if not self.empty & bit:
            raise DoesNotHold(f"cell {cell + 1} is taken")
        return bit

    def image(self, map_: Permutation | None) -> tuple[Lines, Lines]:
        """Return the lines of both sides with each cell mapped by *map_*."""
        if map_ is None:
            return tuple(sorted(self.mine)), tuple(sorted(self.theirs))
        return _mapped(self.mine, map_), _mapped(self.theirs, map_)


def outline(lines: tuple[Lines, Lines]) -> int:
    """Return a number of 64 bits that symmetric positions with these *lines* share, and few others have.

    It depends on how lines meet in cells.

    >>> LinesPosition((0b011,), (0b110,), 0).image(None)
    ((3,), (6,))
    >>> outline(((3,), (6,))) == outline(((6,), (3,))) != outline(((3,), (3,)))
    True
    """
    result = [(side, cells_of(line)) for side in (0, 1) for line in lines[side]]
    loads: dict[int, int] = {}
    for side, cells in result:
        weight = _mixed(2 * len(cells) + side)
        for cell in cells:
            loads[cell] = loads.get(cell, 0) + weight
    return sum(_mixed(side + sum(loads[cell] for cell in cells)) for side, cells in result) & WORD


def _mixed(number: int) -> int:
    """Return a pseudo-random *number* made of this one (the finalizer of splitmix64)."""
    number = (number + 1) * 0x9E3779B97F4A7C15 & WORD
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 & WORD
    number = (number ^ number >> 27) * 0x94D049BB133111EB & WORD
    return number ^ number >> 31


def _mapped(lines: Lines, map_: Permutation) -> Lines:
    bits = [1 << cell for cell in map_]
    return tuple(sorted(sum(map(bits.__getitem__, _known_cells_of(line))) for line in lines))


def cells_of(line: int) -> list[int]:
    """Return the cells of the bits that are set.

    >>> cells_of(0b10110)
    [1, 2, 4]
    """
    result = []
    while line:
        low = line & -line
        result.append(low.bit_length() - 1)
        line -= low
    return result


# The same lines are mapped by one symmetry after another.
_known_cells_of = lru_cache(maxsize=1 << 12)(cells_of)


def singles(lines: Lines) -> set[int]:
    """Return the lines that lack one cell."""
    return {line for line in lines if not line & line - 1}


def pairs_of(cells: list[int]) -> list[int]:
    """Group *cells* two by two into pairs; return each as the bits of its cells."""
    return [1 << one | 1 << two for one, two in zip(cells[::2], cells[1::2], strict=True)]


def unpaired(lines: Iterable[int], pairs: list[int]) -> list[int]:
    """Return the *lines* that do not go through both cells of any of *pairs*.

    The other lines are stopped: a move on one cell of a pair is answered on the other.
    """
    left = list(lines)
    for both in pairs:
        left = [line for line in left if line & both != both]
    return left


def conceded(lines: Lines, pairs: list[int]) -> list[int]:
    """Return the *lines* that *pairs* do not stop, without the cells of the pairs.

    These cells are given to the side that fills lines.
    """
    paired = sum(pairs)
    return [line & ~paired for line in unpaired(lines, pairs)]


def are_weak(lines: list[int]) -> bool:
    """Return True if the side not to move stops all *lines* by potentials.

    The potential of a line that lacks n cells is 2 ** -n. The sum over all lines, plus the greatest such sum
    over the lines through one cell, must stay below 1 (Erdos and Selfridge 1973).
    """
    if 0 in lines:
        return False
    longest = max(map(int.bit_count, lines), default=0)
    loads: dict[int, int] = {}
    total = 0
    for line in lines:
        potential = 1 << longest - line.bit_count()
        total += potential
        while line:
            low = line & -line
            loads[low] = loads.get(low, 0) + potential
            line -= low
    return total + max(loads.values(), default=0) < 1 << longest


class LinesCheck:
    """Checks the steps of a proof that *reader* reads, for a board of *size* cells.

    *wins* is true if the Prover has to win. *note* is called with the positions of the proof and the cell
    that the Prover takes there, None if the Other is to move. Lines of threats that win are not noted. The
    notes are proved only if the whole part is. Methods raise :class:`DoesNotHold` if a step fails.
    """

    def __init__(
        self,
        reader: Reader,
        size: int,
        proved: ProvedPositions,
        *,
        wins: bool,
        note: Callable[[LinesPosition, int | None], None] = lambda position, cell: None,
    ) -> None:
        self._reader, self._size, self._proved, self._wins = reader, size, proved, wins
        self._note = note

    def prover(self, position: LinesPosition) -> None:
        """Check the proof of a *position* in which the Prover is to move."""
        if not (self._wins or position.theirs):
            return
        word, *rest = self._reader.next()
        if word != "s":
            raise DoesNotHold(f"{word} is no move of the Prover")
        self._go_on(position, self._cells(rest))

    def other(self, position: LinesPosition) -> None:
        """Check the proof of a *position* in which the Other is to move and is not forced."""
        if singles(position.theirs):
            raise DoesNotHold("the Other completes a line")
        if self._wins and not position.mine:
            # This fails even if no move is left to answer.
            raise DoesNotHold("the Prover cannot win any more")
        if not (self._wins or position.theirs):
            return
        self._note(position, None)
        word, *rest = self._reader.next()
        if word == "=":
            self._proved.check(rest, position.image)
        elif word in ("m", "#m") and not rest:
            self._answers(position)
            if word == "#m":
                self._proved.add(position.image(None))
        elif self._wins:
            raise DoesNotHold(f"{word} wins nothing")
        elif word == "p":
            if not are_weak(conceded(position.theirs, self._pairs(rest, position.empty))):
                raise DoesNotHold("the pairs do not stop all lines")
        elif word == "r" and rest:
            pairs = self._pairs(rest, position.empty)
            if 0 in (left := conceded(position.theirs, pairs)):
                raise DoesNotHold("the pairs give a line away")
            self.other(LinesPosition((), tuple(left), position.empty & ~sum(pairs)))
        elif word == "f" and position.mine and not rest:
            self.other(LinesPosition((), position.theirs, position.empty))
        else:
            raise DoesNotHold(f"{word} is no step")

    def _cells(self, words: list[str]) -> list[int]:
        return numbers(words, self._size)

    def _pairs(self, words: list[str], empty: int) -> list[int]:
        """Return the pairs that *words* name. Each cell must be *empty* and in one pair."""
        cells = self._cells(words)
        if len(cells) % 2 or len(set(cells)) < len(cells) or not all(empty >> cell & 1 for cell in cells):
            raise DoesNotHold("these are no pairs of empty cells")
        return pairs_of(cells)

    def _go_on(self, position: LinesPosition, cells: list[int], *, ends: bool = False) -> None:
        """Let the Prover take *cells* one after another, each but the last a threat; then read on.

        The Other answers each threat on the one cell that stops it. If *ends* is true, the line must end the
        game, so that nothing is read. The positions of such a win are not noted, since a line of threats is
        found at once.
        """
        is_forced, played = False, []
        for number, cell in enumerate(cells, 1):
            played.append((position, cell))
            position = position.after_prover(cell)
            is_last = number == len(cells)
            threats = singles(position.mine)
            if 0 in position.mine or (len(threats) > 1 and not singles(position.theirs)):
                if not is_last:
                    raise DoesNotHold("moves follow the win")
                return
            if singles(position.theirs):
                raise DoesNotHold("the Other completes a line")
            is_forced = bool(threats)
            if is_forced:
                position = position.after_other(threats.pop().bit_length() - 1)
            elif not is_last:
                raise DoesNotHold("a move in a line of threats is none")
        if ends or not cells:
            raise DoesNotHold("the line of threats wins nothing")
        for before, cell in played:
            self._note(before, cell)
        if is_forced:
            self.prover(position)
        else:
            self.other(position)

    def _answers(self, position: LinesPosition) -> None:
        """Check that each move of the Other is answered, up to the line with a full stop."""
        live = 0
        for line in position.mine + position.theirs:
            live |= line
        covered = 0
        replies: set[tuple[int, int]] = set()  # pairs of a move of the Other and the reply that holds
        while (answer := self._reader.next()) != ["."]:
            word, *rest = answer
            if word == "x" and rest:
                cell, *moves = self._cells(rest)
                covered = _with(covered, [cell])
                after = position.after_other(cell)
                if moves:
                    self._go_on(after, moves)
                else:
                    self.prover(after)
                if len(moves) == 1:
                    replies.add((cell, moves[0]))
            elif word == "d":
                covered = self._refuted(position, rest, live, covered)
            elif word == "k" and not self._wins:
                covered = self._stopped(position, rest, covered, replies)
            else:
                raise DoesNotHold(f"{word} is no answer")
        left = live & ~covered
        if left and (position.mine or self._wins):
            raise DoesNotHold("a move of the Other is not answered")
        for cell in cells_of(left):
            if not any(_is_weaker(position.theirs, cell, than, reply) for than, reply in replies):
                raise DoesNotHold("a move of the Other is not answered")

    def _refuted(self, position: LinesPosition, words: list[str], live: int, covered: int) -> int:
        """Return *covered* with the moves that threats refute: those named, or else all that are left."""
        line, named = split_at(words)
        moves = self._cells(line)
        if not moves or named == []:
            raise DoesNotHold("an answer names cells")
        cells = cells_of(live & ~covered) if named is None else self._cells(named)
        covered = _with(covered, cells)
        for cell in cells:
            self._go_on(position.after_other(cell), moves, ends=True)
        return covered

    def _stopped(
        self, position: LinesPosition, words: list[str], covered: int, replies: set[tuple[int, int]]
    ) -> int:
        """Return *covered* with the moves after which one reply, pairs and potentials stop all lines.

        A pair that has lost a cell is left out.
        """
        about, named = split_at(words)
        if not about or not named:
            raise DoesNotHold("an answer names cells")
        [reply], cells = self._cells(about[:1]), self._cells(named)
        pairs = [pair for pair in self._pairs(about[1:], position.empty) if not pair >> reply & 1]
        covered, paired = _with(covered, cells), sum(pairs)
        unstopped = [line for line in position.theirs if not line >> reply & 1]
        left = unpaired(unstopped, pairs)
        for cell in cells:
            answered = position.after_other(cell)
            answered.bit(reply)
            self._note(answered, reply)
            taken, lines = paired | 1 << cell, left
            if paired >> cell & 1:  # Lines that its pair alone has stopped are open again.
                [broken] = (pair for pair in pairs if pair >> cell & 1)
                others = [pair for pair in pairs if pair != broken]
                lines = left + unpaired((line for line in unstopped if line & broken == broken), others)
                taken = paired & ~broken | 1 << cell
            if not are_weak([line & ~taken for line in lines]):
                raise DoesNotHold("the reply and its pairs do not stop all lines")
            replies.add((cell, reply))
        return covered


def _with(covered: int, cells: list[int]) -> int:
    """Return the bits of *covered* and *cells*. Raises :class:`DoesNotHold` if they overlap."""
    for cell in cells:
        if covered >> cell & 1:
            raise DoesNotHold("a move is answered twice")
        covered |= 1 << cell
    return covered


def _is_weaker(lines: Lines, cell: int, than: int, reply: int) -> bool:
    """Return True if *reply* stops all *lines* through *cell* that do not go through *than* too.

    *reply* must be another cell. Then *cell* is no better for the Other than *than*, which *reply* holds off.
    """
    bit, others = 1 << cell, 1 << than | 1 << reply
    return cell != reply and all(line & others for line in lines if line & bit)
