"""The tree of positions below a divided question, and the choice of the next one to search.

The side to move needs one move with the answer it wants, or else all moves have failed. As in sequential
searches, the first move of a position is answered before the others, which may then be searched at the same
time. Most often it decides ("young brothers wait", Feldmann 1993).
"""

from collections.abc import Iterator

from noughts.games.base import Game, Move
from noughts.search.exact.questions import ExactQuestion


class QuestionNode:
    """A position and a question about it. ``wants`` is the answer that its side to move wants."""

    def __init__(self, game: Game, question: ExactQuestion, *, wants: bool) -> None:
        self.game, self.question, self.wants = game, question, wants
        self.answer: bool | None = None
        self.best: Move | None = None
        """The move that decides."""
        self.work = 1
        """The number of nodes that the answer took."""
        self.order: list[Move] = []
        """Some of the moves, the likeliest first. The others come last."""
        self.children: dict[QuestionNode, Move | None] | None = None
        """The nodes after each move, or the runners of a race."""
        self.parents: list[QuestionNode] = []
        self.is_running = False
        """True if a worker searches the node, with a budget of ``granted`` nodes."""
        self.granted = 0
        self.is_cut_short = False
        """True if the question was too much for a worker, and must be divided."""
        self.failures = 0
        """The number of times that workers have failed at the question."""

    def settle(self, answer: bool, best: Move | None) -> Iterator["QuestionNode"]:
        """Record the *answer* and those above that follow from it; yield all answered nodes."""
        self.answer, self.best = answer, best
        yield self
        for parent in self.parents:
            yield from parent.conclude()

    def conclude(self) -> Iterator["QuestionNode"]:
        """Answer the node if those below decide it; yield all answered nodes."""
        if self.answer is not None or self.children is None:
            return
        for child, move in self.children.items():
            if child.answer == self.wants:
                self.work = child.work
                yield from self.settle(self.wants, child.best if move is None else move)
                return
        if all(child.answer is not None for child in self.children):
            self.work = sum(child.work for child in self.children)
            yield from self.settle(not self.wants, None)


def find_open(
    node: QuestionNode, *, eager: bool, seen: set[QuestionNode] | None = None
) -> QuestionNode | None:
    """Return an open position at or below *node*; None if there is none at present.

    If *eager* is true, no move waits for the one before it.
    """
    seen = set() if seen is None else seen
    if node.answer is not None or node.is_running or node in seen:
        return None
    seen.add(node)
    if node.children is None:
        return node
    for number, child in enumerate(node.children):
        if child.answer is None:
            result = find_open(child, eager=eager, seen=seen)
            if result is not None or (number == 0 and not eager):
                return result
    return None
