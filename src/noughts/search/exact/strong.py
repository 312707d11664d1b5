"""Strong solutions: the values of all positions of a small game."""

from math import prod

from noughts.core.geometry import TILINGS
from noughts.errors import UnsupportedRules
from noughts.games.base import Game
from noughts.games.rules import Rules
from noughts.search.exact.memory import EITHER_MARK, ONE_MARK, ExactMemory, new_memory
from noughts.search.exact.position import is_open, lift, place
from noughts.search.numba_backend import Ints, Machine, best_machine, kernel

HANDLED = frozenset(("gravity", "misere", "exact", "wrap", "wild", "notakto", *TILINGS))
"""The facts that are handled: those of the memory of the exact search."""

MAX_CELLS = 12
"""The maximum number of cells of a board. The table has ``3 ** cells`` entries."""

WON = 100
"""The score of a finished win. It is one less for each ply before the end. 0 is a draw."""

KNOWN = 2 * WON
"""The offset of scores in the table, in which 0 means a position that cannot be reached."""

NONE = -KNOWN


class StrongSolution:
    """The values of all positions that can be reached from the empty board of *rules*.

    >>> from noughts import KInARow, Rules
    >>> solution = StrongSolution(Rules(shape=(3, 3)))
    >>> solution.count, solution.worth(KInARow(shape=(3, 3)))
    (5478, (0, 0))

    ``count`` is their number, including the empty board and finished games. Raises
    :class:`~noughts.errors.UnsupportedRules` for boards of more than ``MAX_CELLS`` cells, and for rules with
    facts that are not handled, such as more than two sides or marks that vanish.
    """

    def __init__(self, rules: Rules, machine: Machine | None = None) -> None:
        size = prod(rules.shape)
        if size > MAX_CELLS:
            raise UnsupportedRules("strong solution", rules.spec, "too-large", cells=MAX_CELLS)
        if not rules.facts <= HANDLED:
            raise UnsupportedRules("strong solution", rules.spec, "unknown-rules")
        machine = machine or best_machine()
        self.rules = rules
        self._powers = [3**cell for cell in range(size)]
        self._table = machine.zeros(3**size)
        self.count = int(
            machine.function(fill)(
                machine.memory(new_memory(rules)),
                self._table,
                machine.array(self._powers),
                machine.zeros(size + 1),
                machine.zeros(size + 1),
            )
        )

    def worth(self, game: Game) -> tuple[int, int]:
        """Return the value for the side to move, 1, 0 or -1, and the plies to the end, 0 for a draw.

        Raises ``KeyError`` unless *game* has these rules and started with an empty board.
        """
        code = sum(
            power * (1 + self.rules.board_marks.index(mark))
            for power, mark in zip(self._powers, game.cells, strict=True)
            if mark is not None
        )
        score = int(self._table[code]) - KNOWN
        if score == NONE or game.turn != self.rules.marks[sum(mark is not None for mark in game.cells) % 2]:
            raise KeyError(game)
        return (score > 0) - (score < 0), WON - abs(score) if score else 0


@kernel
def fill(m: ExactMemory, table: Ints, powers: Ints, following: Ints, best: Ints) -> int:
    """Score all positions, depth first, and return their number.

    The number of a position is the sum of ``powers[cell] * (1 + mark)``. ``following[depth]`` is the next
    move to try, cell * 2 + mark, and ``best[depth]`` the best score so far.
    """
    moves = 2 * m.size
    depth = 0
    code = 0
    count = 1
    best[0] = NONE
    while True:
        move = following[depth]
        if move == moves:
            table[code] = best[depth] + KNOWN
            if depth == 0:
                return count
            depth -= 1
            move = following[depth] - 1
            score = table[code]
            code -= powers[move // 2] * (1 + move % 2)
            lift(m, move // 2)
            m.side = 1 - m.side
        else:
            following[depth] = move + 1
            own = 0 if m.marking == ONE_MARK else m.side
            if (m.marking != EITHER_MARK and move % 2 != own) or not is_open(m, move // 2):
                continue
            after = code + powers[move // 2] * (1 + move % 2)
            score = table[after]
            if score == 0:
                count += 1
                if place(m, move // 2, move % 2):
                    score = KNOWN + WON if m.line_loses else KNOWN - WON
                elif m.placed == m.size:
                    score = KNOWN
                else:
                    code = after
                    depth += 1
                    following[depth] = 0
                    best[depth] = NONE
                    m.side = 1 - m.side
                    continue
                table[after] = score
                lift(m, move // 2)
        score = KNOWN - score
        if score > 0:
            score -= 1
        elif score < 0:
            score += 1
        best[depth] = max(best[depth], score)
