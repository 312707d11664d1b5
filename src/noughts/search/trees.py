"""Small search trees to show: minimax, and alpha-beta as it is taught.

There is no transposition table and no move ordering, so a tree is the same as with paper and pencil. A score
is seen from the first side, which maximizes. It is WIN less the plies from the root if that side wins, the
opposite if it loses, and 0 for a draw. At the depth limit it is a static evaluation.
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
"""The largest number of positions of a tree of unspecified depth."""


def minimax_tree(game: Game, depth: int | None = None, *, cuts: bool) -> Tree:
    """Return the tree that minimax searches from the position of *game*, *depth* plies deep.

    With *cuts* the search is alpha-beta. Without a *depth*, the tree is as deep as possible with at most
    :data:`MAX_DEFAULT_POSITIONS` positions, and at least 1 ply. Raises
    :class:`~noughts.errors.UnsupportedRules` for a tree of more than
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
    """A node with its ``score``, and the bounds ``low`` and ``high`` of its exact score.

    ``is_guess`` is true if a static evaluation contributed to the score.
    """

    tree: Tree
    score: int
    low: int
    high: int
    is_guess: bool


class _TreeBuilder:
    """Builds the tree of a search of *game*, of at most *most* positions."""

    def __init__(self, game: Game, most: int, *, cuts: bool) -> None:
        self.game, self.left, self.most, self.cuts = game.copy(), most, most, cuts
        self.chance = Random()
        self.evaluate: Callable[[], int] = evaluation_of(self.game, self.chance)

    def grow(self, depth: int) -> Tree:
        return self._look(None, depth, 0, -WIN, WIN).tree

    def _look(self, move: Move | None, depth: int, ply: int, low: int, high: int) -> _ScoredNode:
        """Search the position, *ply* plies below the root, *depth* plies deep, with a window of scores."""
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
        """Return a node of the current position without a score.

        Raises :class:`~noughts.errors.UnsupportedRules` if the tree has too many positions.
        """
        self.left -= 1
        if self.left < 0:
            raise UnsupportedRules("search_tree", self.game.name, "tree-too-large", most=self.most)
        return Tree(self.game.copy(), move)

    def _sign(self) -> int:
        """Return 1 if the first side is to move, else -1."""
        return 1 if self.game.turn == self.game.sides[0] else -1

    def _evaluation(self) -> int:
        """Return the static evaluation for the first side, the same after any order of moves."""
        self.chance.seed(format_position(self.game))
        return self.evaluate() * self._sign()


def _combined(
    here: Tree, ply: int, scored: list[_ScoredNode], unseen: list[Tree], *, is_max: bool
) -> _ScoredNode:
    """Combine the *scored* children of the position *here* with the *unseen* ones that were cut."""
    best = (max if is_max else min)(scored, key=lambda child: child.score)  # The first of equals is the best.
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
    """Return *here* with an exact *score*: a value with its distance, or the score if it is a guess."""
    if abs(score) > PROVED:
        here = replace(here, value=1 if score > 0 else -1, plies=WIN - abs(score) - ply)
    elif is_guess:
        here = replace(here, score=score)
    else:
        here = replace(here, value=0)
    return _ScoredNode(here, score, score, score, is_guess)
