"""Tests of search trees of mcts: visits, means, proofs, and the limit of positions."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from noughts import Game, Tree, draw_tree, new_game, search_tree, solve
from noughts.batch.playouts import DRAWN
from noughts.errors import UnsupportedRules
from noughts.games.notation import play_moves
from noughts.players import trees
from noughts.players.mcts import MAX_NODES, MctsNode, TreeSearch
from noughts.search.trees import MAX_DEFAULT_POSITIONS

PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "trees" / "mcts.svg"


def played(moves: str, name: str = "tictactoe") -> Game:
    game = new_game(name)
    play_moves(game, moves.split())
    return game


def searched(game: Game, nodes: int, seed: int) -> TreeSearch:
    """Return the search of the mcts player with *nodes* nodes."""
    search = TreeSearch(game, Random(seed))
    while search.nodes < nodes and search.root.winner is None:
        search.grow()
    return search


def pairs(tree: Tree, node: MctsNode) -> Iterator[tuple[Tree, MctsNode]]:
    """Yield each position of the tree with its node."""
    yield tree, node
    known = {child.move: child for child in node.children}
    for shown in tree.children:
        assert shown.move is not None
        yield from pairs(shown, known[shown.move])


def test_tree_picture_in_documentation() -> None:
    """The picture is that of the code beside it."""
    tree = search_tree(played("5 1 9 3"), "mcts:30", depth=2, seed=1)
    assert PICTURE.read_text(encoding="utf-8") == draw_tree(tree)


@pytest.mark.parametrize(
    ("name", "moves"), [("tictactoe", "5 1 9"), ("connect4", "4 4 4"), ("wild", "X5 O1 X2")]
)
def test_tree_shows_search_results(name: str, moves: str) -> None:
    game = played(moves, name)
    tree, search = search_tree(game, "mcts:90", seed=3), searched(game, 90, 3)
    assert len(list(tree.walk())) == search.nodes + 1
    assert (tree.move, tree.best) == (None, search.best())
    for shown, node in pairs(tree, search.root):
        first = node.mover == 0
        assert shown.visits == node.visits
        if node.winner is None:
            assert shown.score == pytest.approx((1 if first else -1) * node.total / node.visits)
            assert shown.value is None
        else:
            assert shown.value == (0 if node.winner == DRAWN else 1 if node.winner == 0 else -1)
            assert shown.score is None
        assert shown.plies == (0 if shown.position.is_over else None)
        assert [child.move for child in shown.children] == [child.move for child in node.children]
        assert (shown.best is None) == (not shown.children)
        if shown.move is not None:
            assert shown.position.moves[-1] == shown.move
    assert game.ply == len(moves.split())


def test_tree_value_is_proved() -> None:
    game = played("5 1 9 3 2 8")
    tree = search_tree(game, "mcts:400", seed=1)
    assert (tree.value, tree.plies, tree.score) == (solve(game).value, None, None)
    assert tree.visits is not None
    assert tree.visits < 400  # a search with a proof stops


def test_tree_shows_most_visited_positions() -> None:
    """The best line is shown, too, down to its last visited node."""
    game = new_game("connect4")
    tree, search = search_tree(game, "mcts:400", seed=1), searched(game, 400, 1)
    shown = list(pairs(tree, search.root))
    assert len(shown) == MAX_DEFAULT_POSITIONS
    seen = {id(node) for _, node in shown}
    line = {tree.line[:plies] for plies in range(len(tree.line) + 1)}
    others = [node for one, node in shown if one.position.moves not in line]
    left = [child for _, node in shown for child in node.children if id(child) not in seen]
    assert min(node.visits for node in others) >= max(child.visits for child in left)
    *_, last = (node for one, node in shown if one.position.moves == tree.line)
    assert (last.visits, last.children) == (1, [])
    assert all(one.best is None or one.chosen is not None for one in tree.walk())


def test_tree_has_requested_depth() -> None:
    tree = search_tree(new_game(), "mcts:100", depth=1, seed=1)
    assert len(tree.children) == 9
    assert not any(child.children for child in tree.children)
    assert tree.visits == sum(child.visits or 0 for child in tree.children) == 100
    assert search_tree(new_game(), "mcts:10", depth=0, seed=1).children == ()
    with pytest.raises(UnsupportedRules, match=r"tree too large \(most 500\)"):
        search_tree(new_game(), "mcts:700", depth=9, seed=1)


def test_too_large_tree_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    root = last = MctsNode((), 0)
    for _ in range(3000):  # a game with one column in which marks fall has such a tree
        last.children.append(MctsNode((0, 0), 0))
        last = last.children[0]
    root.winner = 0
    monkeypatch.setattr(trees, "TreeSearch", lambda game, chance: SimpleNamespace(root=root, nodes=0))
    with pytest.raises(UnsupportedRules, match=r"tree too large \(most 500\)"):
        search_tree(new_game("3x3"), "mcts:9", depth=5000)


def test_tree_of_very_short_games() -> None:
    for moves, value in (("1 4 2 5 3", 1), ("1 2 4 5 9 8", -1), ("1 2 3 5 4 6 8 7 9", 0)):
        tree = search_tree(played(moves), "mcts:10")
        assert (tree.value, tree.plies, tree.visits, tree.children) == (value, 0, 0, ())
        assert draw_tree(tree).startswith("<svg")
    tiny = search_tree(new_game("2x1:1"), "mcts:10", seed=1)
    assert (tiny.value, tiny.visits) == (1, 1)


@pytest.mark.slow
def test_tree_seed_repeats_the_search() -> None:
    first, again = (search_tree(new_game(), "mcts:40", seed=5) for _ in range(2))
    assert draw_tree(first) == draw_tree(again)
    assert draw_tree(search_tree(new_game(), "mcts:40", seed=6)) != draw_tree(first)


def test_unusable_search_is_refused() -> None:
    for method in ("mcts", "mcts:", "mcts:0", "mcts:x", f"mcts:{MAX_NODES + 1}", "mcts:NODES", "minimax:3"):
        with pytest.raises(
            ValueError, match=rf"no method '{method}'; there are minimax, .* 1 to {MAX_NODES} nodes"
        ):
            search_tree(new_game(), method)
    with pytest.raises(ValueError, match="a depth is 0 or more"):
        search_tree(new_game(), "mcts:5", depth=-1)
    with pytest.raises(UnsupportedRules, match="tree of three sides"):
        search_tree(new_game("three"), "mcts:5")
    with pytest.raises(UnsupportedRules, match="one side"):
        search_tree(new_game("fifteen"), "mcts:5")
    with pytest.raises(TypeError, match="no Game"):
        search_tree("tictactoe", "mcts:5")  # type: ignore[arg-type]
