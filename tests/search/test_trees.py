"""Search trees: values match the analyst, and cuts match alpha-beta."""

from random import Random

import pytest

from noughts import Game, Tree, new_game, search_tree
from noughts.drawing.tree import AT_LEAST, AT_MOST, MAX_POSITIONS
from noughts.errors import UnsupportedRules
from noughts.games.base import Move
from noughts.games.notation import play_moves
from noughts.search.analyst import Analyst
from noughts.search.trees import MAX_DEFAULT_POSITIONS

Path = tuple[Move, ...]

METHODS = ("minimax", "alpha-beta")

SMALL = (
    "3x2:2",
    "3x3",
    "3x3:3,misere",
    "3x3:3,wild",
    "3x3:3,notakto",
    "3x3:3,gravity",
    "4x3:3",
    "vanishing",
)


def late(name: str, seed: int, left: int) -> Game:
    """Return a random unfinished position with at most *left* empty cells."""
    chance = Random(f"{name} {seed}")
    for _ in range(100):
        game = new_game(name)
        while not game.is_over and (game.cells.count(None) > left or game.ply < 5 * game.can_repeat):
            game.play(chance.choice(game.legal_moves()))
        if not game.is_over:
            return game
    raise AssertionError(f"{name} always ends earlier")


def by_path(tree: Tree, path: Path = ()) -> dict[Path, Tree]:
    found = {path: tree}
    for child in tree.children:
        assert child.move is not None
        found |= by_path(child, (*path, child.move))
    return found


def for_first(game: Game, value: int | None) -> int | None:
    """Return *value*, which is for the side to move, for the first side."""
    return value if value is None or game.turn == game.sides[0] else -value


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_tree_values_match_the_analyst(name: str) -> None:
    analyst = Analyst()
    for seed in range(3):
        game = late(name, seed, 3 if "wild" in name else 4)
        depth = 3 if game.can_repeat else 9
        for method in METHODS:
            tree = search_tree(game, method, depth)
            known = analyst.solve(game)
            if tree.value is not None:
                assert (tree.value, tree.plies if tree.value else None) == (
                    for_first(game, known.value),
                    known.plies,
                )
            else:
                assert known.plies is None or known.plies > depth
            if tree.value is not None and tree.best is not None and known.value is not None:
                (best,) = (one for one in analyst.analyse(game).moves if one.move == tree.best)
                assert (best.value, best.plies) == (known.value, known.plies)


def test_depth_limit_gives_scores_not_values() -> None:
    """Beyond the depth limit there is an evaluation, and values based on it are scores."""
    tree = search_tree(new_game(), "minimax", 2)
    assert (tree.value, tree.plies) == (None, None)
    assert isinstance(tree.score, int)
    assert all(leaf.score is not None for child in tree.children for leaf in child.children)
    deep = search_tree(late("3x3", 0, 3), "minimax", 9)
    assert all(node.score is None and node.value is not None for node in deep.walk())


def negamax(
    game: Game, depth: int, alpha: int, beta: int, path: Path, cut: set[Path], leaves: dict[Path, int]
) -> int:
    """Search by textbook alpha-beta in negamax form; add the cut moves to *cut*."""
    if game.is_over:
        won = 0 if game.winner is None else 1 if game.winner == game.turn else -1
        return won * (10**6 - len(path))
    if depth == 0:
        score = leaves[path]
        return score if game.turn == game.sides[0] else -score
    best = -(10**9)
    for move in game.legal_moves():
        if best >= beta:
            cut.add((*path, move))
            continue
        game.play(move)
        score = -negamax(game, depth - 1, -beta, -max(alpha, best), (*path, move), cut, leaves)
        game.undo()
        best = max(best, score)
    return best


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "left", "depth"),
    [
        *((name, 3 if "wild" in name else 4, 9) for name in SMALL if name != "vanishing"),
        ("3x3", 9, 2),
        ("7x6:4,gravity", 20, 2),
        ("wild", 8, 2),
    ],
)
def test_tree_cuts_match_alpha_beta(name: str, left: int, depth: int) -> None:
    cuts = 0
    for seed in range(3):
        game = late(name, seed, left)
        whole = by_path(search_tree(game, "minimax", depth))
        leaves = {path: int(node.score or 0) for path, node in whole.items()}
        cut: set[Path] = set()
        negamax(game.copy(), depth, -(10**9), 10**9, (), cut, leaves)
        tree = by_path(search_tree(game, "alpha-beta", depth))
        assert {path for path, node in tree.items() if node.is_cut} == cut
        assert set(tree) <= set(whole)
        cuts += len(cut)
        assert (tree[()].value, tree[()].score, tree[()].bound) == (whole[()].value, whole[()].score, "")
        for path, node in tree.items():
            assert_bound(node, whole[path])
    assert cuts or name == "3x3:3,notakto"


def order(node: Tree) -> float:
    """Return a sort key for the first side."""
    if node.value:
        return node.value * (10**7 - (node.plies or 0))
    return float(node.score or 0)


def assert_bound(node: Tree, true: Tree) -> None:
    """Check that the bound at a node of alpha-beta holds for the value of minimax."""
    if node.is_cut:
        assert (node.value, node.score, node.children) == (None, None, ())
    elif node.bound == AT_LEAST:
        assert order(true) >= order(node)
    elif node.bound == AT_MOST:
        assert order(true) <= order(node)
    else:
        assert (node.value, node.plies, node.score) == (true.value, true.plies, true.score)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["tictactoe", "connect4", "gomoku", "reversi", "fifteen", "pentago", "ultimate"]
)
def test_every_kind_of_game_has_a_tree(name: str) -> None:
    """Moves may be any values. A game for one player has only a maximizing side."""
    game = new_game(name)
    tree = search_tree(game, depth=1)
    assert tuple(child.move for child in tree.children) == tuple(game.legal_moves())
    assert tree.best in game.legal_moves()
    assert order(tree) == max(map(order, tree.children))
    assert search_tree(game, depth=1).score == tree.score


def test_default_depth_fits_the_limit() -> None:
    for name, depth in (("tictactoe", 2), ("gomoku", 1)):
        tree = search_tree(new_game(name), "minimax")
        assert max(map(len, by_path(tree))) == depth
    assert len(by_path(search_tree(new_game(), "alpha-beta"))) <= MAX_DEFAULT_POSITIONS
    ended = new_game()
    play_moves(ended, ["1", "4", "2", "5", "3"])
    assert search_tree(ended).value == 1
    tiny = search_tree(new_game("2x1:1"))
    assert (tiny.value, tiny.plies, len(by_path(tiny))) == (1, 1, 3)


def test_deep_tree_reaches_the_end() -> None:
    """The depth limit is as large as possible."""
    chain = new_game("1x400:2,gravity")
    tree = search_tree(chain, depth=MAX_POSITIONS)
    assert tree.value == 0
    assert len(tree.line) == 400
    assert "children" not in repr(tree)


def test_default_tree_respects_position_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.search.trees.MAX_DEFAULT_POSITIONS", 3)
    assert len(by_path(search_tree(new_game("1x5:2,gravity")))) == 3


@pytest.mark.slow
def test_unusable_search_is_refused() -> None:
    with pytest.raises(UnsupportedRules, match=r"tree too large \(most 500\)"):
        search_tree(new_game(), "minimax", 4)
    with pytest.raises(UnsupportedRules, match="tree too large"):
        search_tree(new_game("30x30:5"))
    with pytest.raises(UnsupportedRules, match="tree of three sides"):
        search_tree(new_game("three"))
    with pytest.raises(ValueError, match="no method 'best-first'; there are minimax, alpha-beta, mcts:NODES"):
        search_tree(new_game(), "best-first")
    with pytest.raises(ValueError, match="a depth is 0 or more"):
        search_tree(new_game(), depth=-1)
    game = new_game()
    assert search_tree(game, depth=0).score == 0
    assert game.ply == 0
