"""Why Breaker holds, written down so that it can be checked: see docs/certificates.md."""

from contextlib import suppress

from noughts.certificates.text import WINDOW, Writer
from noughts.games.base import Game
from noughts.proofs.writer.maps import SymmetryMaps
from noughts.search.analysis import BudgetReachedError, Effort
from noughts.search.maker_breaker.answers import OPEN
from noughts.search.maker_breaker.kernels import NEARLY, SMALLER
from noughts.search.maker_breaker.memory import BREAKER, HOLDS, MAKER
from noughts.search.maker_breaker.search import BlockingSearch
from noughts.search.maker_breaker.table import RUNNING

PROBE_NODES = 16
"""So many nodes may tell that Breaker holds what pairs leave. Where it takes more, moves are written at once:
to try both costs more time than it saves lines."""


class StoppingProof:
    """Writes proofs that one side stops all lines of the other, which *search* finds.

    Within *effort*: raises :class:`~noughts.search.analysis.LimitReachedError`.
    """

    def __init__(self, search: BlockingSearch, writer: Writer, maps: SymmetryMaps, effort: Effort) -> None:
        self._search, self._writer, self._effort, self._maps = search, writer, effort, maps
        self._known: dict[tuple[int, int], tuple[int, int]] = {}  # by its key, a position and its image
        self._depth = 0
        self._words = [" /", *(f" {cell + 1}" for cell in range(search.memory.size)), "k", "\n"]

    def write(self, game: Game, attacker: int) -> None:
        """Write why the other side holds *game*, in which side number *attacker* is to move."""
        self._search.set_up(game, attacker)
        self._maker(len(game.cells) - game.cells.count(None))

    def _maker(self, ply: int, *, paired: bool = False) -> None:
        """Write why Breaker holds the lines as they stand, with Maker to move and *ply* marks made.

        Where it is *paired*, pairs were found and do not suffice.
        """
        memory, kernels = self._search.memory, self._search.kernels
        kernels.start(memory, MAKER, ply, -1)
        kernels.note_key(memory, 0)
        key, image = (memory.sign[0], memory.seal[0]), memory.frame[0]
        if self._is_known(key, image):
            return
        if not paired and kernels.cover(memory):
            self._write_pairs("p", self._pairs())
        elif not self._concedes(ply):
            self._writer.write("#m")
            self._moves(ply)
            self._writer.write(".")
            self._writer.proved += 1
            self._known[key] = self._writer.proved, image
            if len(self._known) >= 2 * WINDOW:
                self._forget()

    def _forget(self) -> None:
        """Forget the positions that are referred to no more."""
        last = self._writer.proved - WINDOW
        self._known = {key: proved for key, proved in self._known.items() if proved[0] > last}

    def _is_known(self, key: tuple[int, int], image: int) -> bool:
        """Whether a reference to the position of that *key* was written."""
        number, other = self._known.get(key, (0, image))
        which = self._maps.between(image, other)
        if not number or which is None or self._writer.proved - number >= WINDOW:
            return False
        self._writer.write("=", number, which)
        return True

    def _pairs(self) -> list[int]:
        """The cells of the pairs that were found last."""
        return [*map(int, self._search.memory.pairs[: self._search.memory.paired])]

    def _write_pairs(self, sign: str, pairs: list[int]) -> None:
        """Write a line of the cells of *pairs*."""
        self._writer.write_text(f"{sign}{''.join([self._words[cell + 1] for cell in pairs])}\n")

    def _concedes(self, ply: int) -> bool:
        """Whether Breaker holds what is left beside the pairs that were found last; write why."""
        memory, kernels = self._search.memory, self._search.kernels
        if not memory.paired or 5 * memory.score >= NEARLY * memory.target:
            return False
        pairs, before = self._pairs(), memory.changes
        kernels.concede(memory)
        holds = self._holds_soon(ply + SMALLER)
        if holds:
            self._write_pairs("r", pairs)
            self._maker(ply + SMALLER)
        self._search.kernels.take_back(self._search.memory, before)
        return holds

    def _holds_soon(self, ply: int) -> bool:
        """Whether a few nodes tell that Breaker holds the lines as they stand, with Maker to move."""
        answer = self._search.recall(MAKER, ply)
        if answer == RUNNING:
            with suppress(BudgetReachedError):
                return self._search.decide(MAKER, ply, self._effort, PROBE_NODES)
        return answer == HOLDS

    def _moves(self, ply: int) -> None:
        """Write what answers each move of Maker, but for those that are weaker than another."""
        search = self._search
        search.kernels.list_left(search.memory, self._depth)
        answer = RUNNING
        while answer != HOLDS:
            before = search.memory.changes
            answer, words = search.answer(self._depth, ply, self._effort)
            self._writer.write_text("".join([self._words[word] for word in words]))
            cell, reply = search.memory.moved, search.memory.replied
            if answer == OPEN:
                self._writer.write("x", cell + 1, reply + 1)
                self._depth += 1
                self._maker(ply + 2, paired=True)
                self._depth -= 1
            elif answer != HOLDS:
                search.kernels.move(search.memory, MAKER, cell)
                if not search.decide(BREAKER, ply + 1, self._effort):
                    raise AssertionError("Breaker holds before a move, and not after it")
            search.kernels.take_back(search.memory, before)
