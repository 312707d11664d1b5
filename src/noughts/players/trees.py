"""Search trees for display, by the names of their methods: small searches, and the tree of ``mcts``."""

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import islice
from random import Random

from noughts.batch.playouts import DRAWN
from noughts.drawing.tree import MAX_POSITIONS, Tree
from noughts.errors import UnsupportedRules
from noughts.games.base import Game, Move, check_game
from noughts.players.base import decline_puzzle
from noughts.players.mcts import MAX_NODES, MctsNode, TreeSearch, best_child, count_of
from noughts.search.trees import MAX_DEFAULT_POSITIONS, minimax_tree

METHODS = ("minimax", "alpha-beta", "mcts:NODES")
"""The available searches. NODES is a number."""

USUAL = "alpha-beta"

MCTS = "mcts:"


def search_tree(game: Game, method: str = USUAL, depth: int | None = None, seed: int | None = None) -> Tree:
    """Return the tree of the search *method* from the position of *game*, *depth* plies deep, with values.

    ``minimax`` and ``alpha-beta`` search *depth* plies. By default the depth is the greatest at which the
    tree has at most :data:`~noughts.search.trees.MAX_DEFAULT_POSITIONS` positions, and at least 1 ply.
    ``mcts:400`` plays 400 random games, or another number, like the player of that name. Its tree has the
    positions of the first *depth* plies, or by default the same number of most visited positions. The same
    *seed* gives the same games. A value is proved if only ends of games decided it. Positions that alpha-beta
    skipped are marked as cut.

    Raises :class:`~noughts.errors.UnsupportedRules` for games of three sides or more, for puzzles, which
    ``mcts`` does not play, and for a tree of more than :data:`~noughts.drawing.tree.MAX_POSITIONS` positions.
    Raises ``ValueError`` for another method or a negative depth.

    >>> from noughts import new_game
    >>> tree = search_tree(new_game("3x2:2"), "minimax", depth=3)
    >>> tree.value, tree.plies, len(list(tree.walk()))
    (1, 3, 157)
    >>> tree = search_tree(new_game("connect4"), "mcts:100", depth=1, seed=1)
    >>> tree.visits, sum(child.visits for child in tree.children), tree.best
    (100, 100, (5, 2))
    """
    check_game(game)
    nodes = nodes_of(method)
    if depth is not None and depth < 0:
        raise ValueError("a depth is 0 or more")
    if len(game.sides) > 2:
        raise UnsupportedRules("search_tree", game.name, "tree-of-three-sides")
    if nodes is None:
        return minimax_tree(game, depth, cuts=method == USUAL)
    decline_puzzle("mcts", game)
    return _mcts_tree(game, nodes, depth, Random(seed))


def nodes_of(method: str) -> int | None:
    """Return the number of random games of *method*, or None if it plays none.

    Raises ``ValueError`` for an unknown method.
    """
    nodes = count_of(method.removeprefix(MCTS)) if method.startswith(MCTS) else None
    if nodes is None and method not in METHODS[:-1]:
        known = f"there are {', '.join(METHODS)} with 1 to {MAX_NODES} nodes"
        raise ValueError(f"no method {method!r}; {known}")
    return nodes


def _mcts_tree(game: Game, nodes: int, depth: int | None, chance: Random) -> Tree:
    """Return the tree of a search of *nodes* random games, or fewer if it has proved the winner."""
    search = TreeSearch(game, chance)
    while search.nodes < nodes and search.root.winner is None:
        search.grow()
    if depth is None:
        shown = _most_visited(search.root, MAX_DEFAULT_POSITIONS)
    else:
        shown = {id(node) for node in islice(_down_to(search.root, depth), MAX_POSITIONS + 1)}
    if len(shown) > MAX_POSITIONS:
        raise UnsupportedRules("search_tree", game.name, "tree-too-large", most=MAX_POSITIONS)
    return _to_tree(search.root, None, game.copy(), shown)


def _most_visited(root: MctsNode, most: int) -> set[int]:
    """Return the ids of up to *most* nodes: the best line, then the most visited."""
    line, node = set[int](), best_child(root)
    while node is not None:
        line.add(id(node))
        node = best_child(node)
    shown = set[int]()
    waiting, order = [(0, 0, root)], 0
    while waiting and len(shown) < most:
        _, _, node = heappop(waiting)
        shown.add(id(node))
        for child in node.children:
            order += 1  # the first of equally visited nodes comes first
            heappush(waiting, (-root.visits if id(child) in line else -child.visits, order, child))
    return shown


def _down_to(node: MctsNode, depth: int) -> Iterator[MctsNode]:
    """Yield *node* and all nodes below it, down to *depth* plies."""
    yield node
    if depth:
        for child in node.children:
            yield from _down_to(child, depth - 1)


def _to_tree(node: MctsNode, move: Move | None, position: Game, shown: set[int]) -> Tree:
    """Return *node* and the *shown* nodes below it as a tree, with values for the first side."""
    children = []
    for child in node.children:
        if id(child) in shown:
            after = position.copy()
            after.play(child.move)
            children.append(_to_tree(child, child.move, after, shown))
    best = best_child(node)
    value = None if node.winner is None else 0 if node.winner == DRAWN else 1 if node.winner == 0 else -1
    mean = node.total / node.visits if node.visits else 0.0
    return Tree(
        position,
        move,
        value=value,
        plies=0 if position.outcome is not None else None,
        score=None if value is not None else mean if node.mover == 0 else 0.0 - mean,
        visits=node.visits,
        best=best.move if best is not None and id(best) in shown else None,
        children=tuple(children),
    )
