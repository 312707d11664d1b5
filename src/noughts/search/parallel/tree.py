"""The positions below a question that is divided, and which of them to ask about next.

Who is to move needs one move that gets the answer wanted, or else all moves have failed. As in searches that
try one move after the other, the first move of a position is answered before the others are asked about,
which then may be done at the same time: most often it decides ("young brothers wait", Feldmann 1993).
"""

from collections.abc import Iterator

from noughts.games.base import Game, Move
from noughts.search.exact.questions import ExactQuestion


class QuestionNode:
    """A position with the question about it; ``wants`` is the answer that its side to move wants."""

    def __init__(self, game: Game, question: ExactQuestion, *, wants: bool) -> None:
        self.game, self.question, self.wants = game, question, wants
        self.answer: bool | None = None
        self.best: Move | None = None
        """The move that decides."""
        self.work = 1
        """Nodes that the answer took."""
        self.order: list[Move] = []
        """Of the moves, the likeliest first; what is missing comes last."""
        self.children: dict[QuestionNode, Move | None] | None = None
        """Those after each move, or those who race for it."""
        self.parents: list[QuestionNode] = []
        self.is_running = False
        """Whether a worker has it, which was ``granted`` so many nodes."""
        self.granted = 0
        self.is_cut_short = False
        """Whether it was too much for a worker, and is to be divided."""
        self.failures = 0
        """How often workers have failed at it."""

    def settle(self, answer: bool, best: Move | None) -> Iterator["QuestionNode"]:
        """Note the *answer*, and those above that follow from it; all nodes that are answered by that."""
        self.answer, self.best = answer, best
        yield self
        for parent in self.parents:
            yield from parent.conclude()

    def conclude(self) -> Iterator["QuestionNode"]:
        """Answer it if those below tell; all nodes that are answered by that."""
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
    """A position at or below *node* that is to be asked about or divided; None if none is at this time.

    Where it is *eager* no move waits for the one before it.
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
