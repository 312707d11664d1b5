"""Small searches to look at: minimax, and alpha-beta as it is taught, which leave their trees.

Nothing is remembered and no move is put first: moves are tried in their order, so that a tree is what paper
and pencil give. A score is seen from the first side, which plays for the greatest: WIN less the plies from
the root where it wins, the opposite where it loses, 0 for a draw; where the depth ends, a static evaluation.
"""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import NamedTuple

from noughts.drawing.tree import AT_LEAST, AT_MOST, MAX_POSITIONS, Tree
from noughts.errors import UnsupportedRules
from noughts.games.base import Game, Move
from noughts.games.notation import format_position
from noughts.search.analysis import moves_of, value_of_end
from noughts.search.general.alphabeta import PROVED, WIN
from noughts.search.general.static_evaluation import evaluation_of

MAX_DEFAULT_POSITIONS = 120
"""So many positions a tree has at most of which nobody said how deep it is to be."""


def minimax_tree(game: Game, depth: int | None = None, *, cuts: bool) -> Tree:
    """What minimax looks at from the position of *game*, *depth* plies deep; with *cuts*, alpha-beta.

    Without a *depth* it is the greatest with which the tree has at most :data:`MAX_DEFAULT_POSITIONS`
    positions, 1 at least.
    Raises :class:`~noughts.errors.UnsupportedRules` for a tree of more than
    :data:`~noughts.drawing.tree.MAX_POSITIONS` positions.
    """
    if depth is not None:
        return _TreeBuilder(game, MAX_POSITIONS, cuts=cuts).grow(depth)
    tree = _TreeBuilder(game, MAX_POSITIONS, cuts=cuts).grow(1)
    for deeper in range(2, MAX_DEFAULT_POSITIONS):
        try:
            grown = _TreeBuilder(game, MAX_DEFAULT_POSITIONS, cuts=cuts).grow(deeper)
        except UnsupportedRules:
            break
        if all(node.score is None for node in grown.walk()):
            return grown
        tree = grown
    return tree


class _ScoredNode(NamedTuple):
    """A node with what is known of its score: it lies between ``low`` and ``high``, and ``score`` is told.

    ``is_guess`` says that an evaluation had a say in it.
    """

    tree: Tree
    score: int
    low: int
    high: int
    is_guess: bool


class _TreeBuilder:
    """A tree of at most so many positions being grown."""

    def __init__(self, game: Game, most: int, *, cuts: bool) -> None:
        self.game, self.left, self.most, self.cuts = game.copy(), most, most, cuts
        self.chance = Random()
        self.evaluate: Callable[[], int] = evaluation_of(self.game, self.chance)

    def grow(self, depth: int) -> Tree:
        return self._look(None, depth, 0, -WIN, WIN).tree

    def _look(self, move: Move | None, depth: int, ply: int, low: int, high: int) -> _ScoredNode:
        """Look at the position, *ply* plies below the root, *depth* plies deep with a window of scores."""
        here = self._here(move)
        game = self.game
        if game.outcome is not None:
            value = value_of_end(game) * self._sign()
            return _node_of(here, value * (WIN - ply), ply, is_guess=False)
        if depth <= 0:
            return _node_of(here, self._evaluation(), ply, is_guess=True)
        is_max = game.turn == game.sides[0]
        scored: list[_ScoredNode] = []
        unseen: list[Tree] = []
        for tried in moves_of(game):
            game.play(tried)
            if self.cuts and low >= high:
                unseen.append(replace(self._here(tried), is_cut=True))
            else:
                scored.append(self._look(tried, depth - 1, ply + 1, low, high))
                low, high = (
                    (max(low, scored[-1].score), high) if is_max else (low, min(high, scored[-1].score))
                )
            game.undo()
        return _combined(here, ply, scored, unseen, is_max=is_max)

    def _here(self, move: Move | None) -> Tree:
        """The position as it stands, nothing known of it. One more than there may be is refused."""
        self.left -= 1
        if self.left < 0:
            raise UnsupportedRules("search_tree", self.game.name, "tree-too-large", most=self.most)
        return Tree(self.game.copy(), move)

    def _sign(self) -> int:
        """1 where the first side is to move, else -1."""
        return 1 if self.game.turn == self.game.sides[0] else -1

    def _evaluation(self) -> int:
        """How the position looks, seen from the first side; the same however one came here."""
        self.chance.seed(format_position(self.game))
        return self.evaluate() * self._sign()


def _combined(
    here: Tree, ply: int, scored: list[_ScoredNode], unseen: list[Tree], *, is_max: bool
) -> _ScoredNode:
    """What the children that were *found* make of the position *here*, where others may be *unseen*."""
    best = (max if is_max else min)(scored, key=lambda child: child.score)  # the first of equals
    lows, highs = [child.low for child in scored], [child.high for child in scored]
    low, high = (max(lows), max(highs)) if is_max else (min(lows), min(highs))
    if unseen:
        low, high = (low, WIN) if is_max else (-WIN, high)
    is_guess = any(child.is_guess for child in scored)
    children = (*(child.tree for child in scored), *unseen)
    here = replace(here, best=best.tree.move, children=children)
    node = _node_of(here, best.score, ply, is_guess=is_guess)
    bound = "" if low == high else AT_LEAST if low == best.score else AT_MOST
    return node._replace(tree=replace(node.tree, bound=bound), low=low, high=high)


def _node_of(here: Tree, score: int, ply: int, *, is_guess: bool) -> _ScoredNode:
    """*here* with a *score* that is no bound: a value with its distance, or where it is a guess a score."""
    if abs(score) > PROVED:
        here = replace(here, value=1 if score > 0 else -1, plies=WIN - abs(score) - ply)
    elif is_guess:
        here = replace(here, score=score)
    else:
        here = replace(here, value=0)
    return _ScoredNode(here, score, score, score, is_guess)
