"""Search trees to look at, by the names of their methods: small searches, and what ``mcts`` has looked at."""

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
"""The searches there are; NODES stands for a number."""

USUAL = "alpha-beta"

MCTS = "mcts:"


def search_tree(game: Game, method: str = USUAL, depth: int | None = None, seed: int | None = None) -> Tree:
    """What *method* looks at from the position of *game*, *depth* plies deep, as a tree with values.

    ``minimax`` and ``alpha-beta`` look as deep as they are told, or so deep that the tree has at most
    :data:`~noughts.search.trees.MAX_DEFAULT_POSITIONS` positions, and 1 ply at least. ``mcts:400`` plays 400
    random games, or another number, as the player of that name; its tree has the positions of the first
    *depth* plies, or so many of those it visited most. The same *seed* gives it the same games. A value is
    proved where only ends of games decided it. What alpha-beta did not look at is marked as cut.
    Raises :class:`~noughts.errors.UnsupportedRules` for games of three sides or more, for puzzles, which
    ``mcts`` does not play, and for a tree of more than :data:`~noughts.drawing.tree.MAX_POSITIONS`
    positions, and ``ValueError`` for another method or a negative depth.

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
    """The random games that *method* plays, None where it plays none; ``ValueError`` for no method."""
    nodes = count_of(method.removeprefix(MCTS)) if method.startswith(MCTS) else None
    if nodes is None and method not in METHODS[:-1]:
        known = f"there are {', '.join(METHODS)} with 1 to {MAX_NODES} nodes"
        raise ValueError(f"no method {method!r}; {known}")
    return nodes


def _mcts_tree(game: Game, nodes: int, depth: int | None, chance: Random) -> Tree:
    """The tree of a search that plays so many random games, or fewer where it has proved who wins."""
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
    """So many nodes by identity: the best line, and those that were visited most."""
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
            order += 1  # of those visited as often the first one order
            heappush(waiting, (-root.visits if id(child) in line else -child.visits, order, child))
    return shown


def _down_to(node: MctsNode, depth: int) -> Iterator[MctsNode]:
    """*node* and what is below it, down to *depth* plies."""
    yield node
    if depth:
        for child in node.children:
            yield from _down_to(child, depth - 1)


def _to_tree(node: MctsNode, move: Move | None, position: Game, shown: set[int]) -> Tree:
    """*node* and those below it that are *shown*, with what the search knows, seen from the first side."""
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
