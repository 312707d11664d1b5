"""The proof that Breaker holds, as described in docs/certificates.md."""

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
"""Maximum number of nodes of the trial search after pairs stop only some of the lines.

The search proves that Breaker stops the others.

If more are needed, moves are written at once: trying both costs more time than it saves lines.
"""


class StoppingProof:
    """Proofs that one side stops all lines of the other, from the results of *search*.

    Raises :class:`~noughts.search.analysis.LimitReachedError` if *effort* ends.
    """

    def __init__(self, search: BlockingSearch, writer: Writer, maps: SymmetryMaps, effort: Effort) -> None:
        self._search, self._writer, self._effort, self._maps = search, writer, effort, maps
        self._known: dict[tuple[int, int], tuple[int, int]] = {}  # by key: position number, image
        self._depth = 0
        self._words = [" /", *(f" {cell + 1}" for cell in range(search.memory.size)), "k", "\n"]

    def write(self, game: Game, attacker: int) -> None:
        """Write the proof that the other side holds *game*, in which side number *attacker* is to move."""
        self._search.set_up(game, attacker)
        self._write_position(len(game.cells) - game.cells.count(None))

    def _write_position(self, ply: int, *, paired: bool = False) -> None:
        """Write why Breaker holds the current lines, with Maker to move and *ply* marks made.

        *paired* means that pairs were found and do not suffice.
        """
        memory, kernels = self._search.memory, self._search.kernels
        kernels.start(memory, MAKER, ply, -1)
        kernels.note_key(memory, 0)
        key, image = (memory.sign[0], memory.seal[0]), memory.frame[0]
        if self._is_known(key, image):
            return
        if not paired and kernels.cover(memory):
            self._write_pairs("p", self._pairs())
        elif not self._write_rest(ply):
            self._writer.write("#m")
            self._write_moves(ply)
            self._writer.write(".")
            self._writer.proved += 1
            self._known[key] = self._writer.proved, image
            if len(self._known) >= 2 * WINDOW:
                self._forget()

    def _forget(self) -> None:
        """Forget the positions that are too old to be referred to."""
        last = self._writer.proved - WINDOW
        self._known = {key: proved for key, proved in self._known.items() if proved[0] > last}

    def _is_known(self, key: tuple[int, int], image: int) -> bool:
        """Return True if the position of *key* was proved, and write a reference to it in that case."""
        number, other = self._known.get(key, (0, image))
        which = self._maps.between(image, other)
        if not number or which is None or self._writer.proved - number >= WINDOW:
            return False
        self._writer.write("=", number, which)
        return True

    def _pairs(self) -> list[int]:
        """Return the cells of the pairs that were found last."""
        return [*map(int, self._search.memory.pairs[: self._search.memory.paired])]

    def _write_pairs(self, sign: str, pairs: list[int]) -> None:
        """Write a line with the cells of *pairs*."""
        self._writer.write_text(f"{sign}{''.join([self._words[cell + 1] for cell in pairs])}\n")

    def _write_rest(self, ply: int) -> bool:
        """Return True if Breaker holds the lines left beside the last pairs, and write why in that case."""
        memory, kernels = self._search.memory, self._search.kernels
        if not memory.paired or 5 * memory.score >= NEARLY * memory.target:
            return False
        pairs, before = self._pairs(), memory.changes
        kernels.concede(memory)
        holds = self._holds_soon(ply + SMALLER)
        if holds:
            self._write_pairs("r", pairs)
            self._write_position(ply + SMALLER)
        self._search.kernels.take_back(self._search.memory, before)
        return holds

    def _holds_soon(self, ply: int) -> bool:
        """Return True if a few nodes prove that Breaker holds the current lines, with Maker to move."""
        answer = self._search.recall(MAKER, ply)
        if answer == RUNNING:
            with suppress(BudgetReachedError):
                return self._search.decide(MAKER, ply, self._effort, PROBE_NODES)
        return answer == HOLDS

    def _write_moves(self, ply: int) -> None:
        """Write a reply to each move of Maker, except moves that are weaker than another."""
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
                self._write_position(ply + 2, paired=True)
                self._depth -= 1
            elif answer != HOLDS:
                search.kernels.move(search.memory, MAKER, cell)
                if not search.decide(BREAKER, ply + 1, self._effort):
                    raise AssertionError("Breaker holds before a move, and not after it")
            search.kernels.take_back(search.memory, before)
