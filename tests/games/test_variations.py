"""Tests of trees of trial moves against a plain dictionary."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import new_game
from noughts.errors import BadInput
from noughts.games.variations import MoveTree, VariationNode

GAMES = ("tictactoe", "connect4", "reversi", "wild", "vanishing", "ultimate")


def lines(node: VariationNode) -> list[tuple[object, ...]]:
    """Return the moves that lead to the end of each line of the tree, main lines first."""
    return [tuple(at.move for at in end.line) for end in node.ends()]


@pytest.mark.slow
@given(st.data())
def test_tree_stores_tried_moves(data: st.DataObject) -> None:
    start = new_game(data.draw(st.sampled_from(GAMES)))
    for _ in range(data.draw(st.integers(0, 3))):
        start.play(data.draw(st.sampled_from(start.legal_moves())))
    tree, ply = MoveTree(start), start.ply
    tried: dict[tuple[object, ...], list[object]] = {(): []}
    for _ in range(data.draw(st.integers(0, 20))):
        here = tree.moves
        match data.draw(
            st.sampled_from(["play", "play", "play", "back", "forward", "remove", "promote", "round"])
        ):
            case "play":
                if not tree.game.is_over:
                    move = data.draw(st.sampled_from(tree.game.legal_moves()))
                    tree.play(move)
                    if move not in tried[here]:
                        tried[here].append(move)
                        tried[*here, move] = []
                    assert tree.moves == (*here, move)
            case "back":
                tree.back()
                assert tree.moves == here[:-1]
            case "forward":
                tree.forward()
                assert tree.moves == (*here, *tried[here][:1])
            case "remove":
                tree.remove()
                if here:
                    tried[here[:-1]].remove(here[-1])
                    tried = {way: after for way, after in tried.items() if way[: len(here)] != here}
                assert tree.moves == here[:-1]
            case "promote":
                tree.promote()
                for place, move in enumerate(here):
                    others = tried[here[:place]]
                    others.remove(move)
                    others.insert(0, move)
                assert (tree.moves, tree.is_off_main_line) == (here, False)
            case "round":
                tree.go_round()
                assert tree.here in tree.ends
        is_off_main_line = any(tried[tree.moves[:place]][0] != move for place, move in enumerate(tree.moves))
        assert tree.is_off_main_line == is_off_main_line
        assert (tree.game.ply, start.ply) == (ply + len(tree.moves), ply)
        assert tree.game.moves[ply:] == tree.moves
    ends = {way for way, after in tried.items() if not after}
    assert set(lines(tree.root)) == ends
    assert len(tree.ends) == len(ends)


def test_go_round_visits_every_line() -> None:
    tree = MoveTree(new_game("tictactoe"))
    for moves in ([(1, 1), (0, 0)], [(1, 1), (0, 1)], [(2, 2)]):
        tree.follow(moves)
    seen = []
    for _ in range(4):
        tree.go_round()
        seen.append(tree.moves)
    first, second, third = ((1, 1), (0, 0)), ((1, 1), (0, 1)), ((2, 2),)
    assert seen == [first, second, third, first]


def test_refused_move_leaves_tree_unchanged() -> None:
    tree = MoveTree(new_game("tictactoe"))
    tree.play((1, 1))
    with pytest.raises(BadInput):
        tree.play((1, 1))
    with pytest.raises(BadInput):
        tree.follow([(1, 1), (0, 0), (0, 0)])
    assert tree.moves == ((1, 1),)
    tree.go_to(tree.root)
    tree.remove()
    tree.back()
    assert (len(tree.moves), tree.game.ply) == (0, 0)
    assert lines(tree.root) == [((1, 1),)]
