"""Why Breaker holds, written down so that it can be checked: see docs/certificates.md."""

from noughts.certificates.text import WINDOW, Writer
from noughts.games.base import Game
from noughts.search.analysis import Effort
from noughts.search.blocking import layout as at
from noughts.search.blocking.kernels import NEARLY, SMALLER
from noughts.search.blocking.search import BlockingSearch
from noughts.search.certifying.maps import Maps


class StoppingProof:
    """Writes proofs that one side stops all lines of the other, which *search* finds.

    Within *effort*: raises :class:`~noughts.search.analysis.LimitReachedError`.
    """

    def __init__(self, search: BlockingSearch, writer: Writer, maps: Maps, effort: Effort) -> None:
        self._search, self._writer, self._effort, self._maps = search, writer, effort, maps
        self._known: dict[tuple[int, int], tuple[int, int]] = {}  # by its key, a position and its image

    def write(self, game: Game, attacker: int) -> None:
        """Write why the other side holds *game*, in which side number *attacker* is to move."""
        self._search.set_up(game, attacker)
        self._maker(len(game.cells) - game.cells.count(None))

    def _maker(self, ply: int) -> None:
        """Write why Breaker holds the lines as they stand, with Maker to move and *ply* marks made."""
        memory, kernels = self._search.memory, self._search.kernels
        if memory[at.SUM] + kernels.greatest_load(memory) < memory[at.TARGET]:
            self._writer.write("p")
            return
        kernels.start(memory, at.MAKER, ply)
        kernels.note_key(memory, 0)
        key = int(memory[memory[at.SIGN]]), int(memory[memory[at.SEAL]])
        image = int(memory[memory[at.FRAME]])
        if self._is_known(key, image):
            return
        if kernels.cover(memory):
            self._writer.write("p", *self._pairs())
        elif not self._concedes(ply):
            self._writer.write("#m")
            self._moves(ply)
            self._writer.write(".")
            self._writer.proved += 1
            self._known[key] = self._writer.proved, image

    def _is_known(self, key: tuple[int, int], image: int) -> bool:
        """Whether a reference to the position of that *key* was written."""
        if key not in self._known:
            return False
        number, other = self._known[key]
        which = self._maps.between(image, other)
        if which is None or self._writer.proved - number >= WINDOW:
            return False
        self._writer.write("=", number, which)
        return True

    def _pairs(self) -> list[int]:
        """The cells of the pairs that were found last, counted from 1."""
        memory = self._search.memory
        return [int(memory[memory[at.PAIRS] + place]) + 1 for place in range(memory[at.PAIRED])]

    def _concedes(self, ply: int) -> bool:
        """Whether Breaker holds what is left beside the pairs that were found last; write why."""
        memory, kernels = self._search.memory, self._search.kernels
        if not memory[at.PAIRED] or 5 * memory[at.SCORE] >= NEARLY * memory[at.TARGET]:
            return False
        pairs, before = self._pairs(), int(memory[at.CHANGES])
        kernels.concede(memory, memory[at.PAIRS], memory[at.PAIRED])
        holds = self._search.decide(at.MAKER, ply + SMALLER, self._effort)
        if holds:
            self._writer.write("r", *pairs)
            self._maker(ply + SMALLER)
        self._search.kernels.take_back(self._search.memory, before)
        return holds

    def _moves(self, ply: int) -> None:
        """Write what answers each move of Maker, but for those that are weaker than another."""
        search = self._search
        loads = search.memory[search.memory[at.LOAD] : search.memory[at.LOAD] + search.memory[at.SIZE]]
        left = [cell for _, cell in sorted((-int(load), cell) for cell, load in enumerate(loads) if load)]
        while left:
            cell = left[0]
            reply = self._answer(cell, ply, left)
            memory = search.memory
            left = [
                other
                for other in left
                if other == reply or not search.kernels.is_weaker(memory, other, cell, reply)
            ]

    def _answer(self, cell: int, ply: int, left: list[int]) -> int:
        """Write the reply to *cell* and why it holds, and what else of *left* it answers; return it.

        What is answered is taken from *left*.
        """
        search, before = self._search, int(self._search.memory[at.CHANGES])
        search.kernels.move(search.memory, at.MAKER, cell)
        if not search.decide(at.BREAKER, ply + 1, self._effort):
            raise AssertionError("Breaker holds before a move, and not after it")
        reply = search.reply if search.reply >= 0 else self._heaviest()
        search.kernels.move(search.memory, at.BREAKER, reply)
        memory, kernels = search.memory, search.kernels
        left.remove(cell)
        if kernels.cover(memory):
            pairs = self._pairs()
            kernels.take_back(memory, before)
            same = self._answered_alike(reply, pairs, left)
            left[:] = [other for other in left if other not in same]
            self._writer.write("k", reply + 1, *pairs, "/", *(other + 1 for other in [cell, *same]))
        else:
            self._writer.write("x", cell + 1, reply + 1)
            self._maker(ply + 2)
            search.kernels.take_back(search.memory, before)
        return reply

    def _heaviest(self) -> int:
        """The cell of the greatest load, by which Breaker keeps what the potentials promise."""
        memory = self._search.memory
        return max(range(memory[at.SIZE]), key=lambda cell: int(memory[memory[at.LOAD] + cell]))

    def _answered_alike(self, reply: int, pairs: list[int], moves: list[int]) -> list[int]:
        """Which of *moves* the same *reply* with the same *pairs* answers too."""
        memory = self._search.memory
        proof = memory[at.PROOFS]
        for place, number in enumerate((reply, len(pairs), *(cell - 1 for cell in pairs))):
            memory[proof + place] = number
        return [cell for cell in moves if self._search.kernels.holds_again(memory, proof, cell)]
