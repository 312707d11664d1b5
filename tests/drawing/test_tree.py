"""Search trees as pictures: they show every position, value and way without overlaps."""

import re
from pathlib import Path
from typing import Any

import pytest

from noughts import Game, Tree, draw_tree, new_game, search_tree
from noughts.drawing.strokes import mark_course
from noughts.drawing.svg_document import DARK, LIGHT, SQUARE
from noughts.errors import UnsupportedRules
from noughts.games.catalogue import CATALOGUE
from noughts.games.notation import play_moves
from tests.drawing.test_svg import SVG, parsed, texts
from tests.weekly import each_week_all

PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "trees" / "alpha-beta.svg"
PLACED = re.compile(r'<g transform="translate\((\S+) (\S+)\)"( opacity)?')


def played(moves: str, name: str = "tictactoe") -> Game:
    game = new_game(name)
    play_moves(game, moves.split())
    return game


def test_documented_picture_matches_its_code() -> None:
    """The picture matches the code beside it."""
    assert PICTURE.read_text(encoding="utf-8") == draw_tree(search_tree(played("5 1 9 3 2 8"), "alpha-beta"))


def test_picture_shows_boards_values_and_cuts() -> None:
    tree = search_tree(played("5 1 9 3 2 8"), "alpha-beta")
    svg = draw_tree(tree)
    root = parsed(svg)
    shown = PLACED.findall(svg)
    assert len(shown) == len(set(shown)) == 14
    assert len([pale for *_, pale in shown if pale]) == 2
    words = texts(root)
    assert [words.count(sign) for sign in ("0", "+1", "≤ 0", "max", "min")] == [8, 2, 2, 2, 1]
    assert len(re.findall('stroke-dasharray="3 4"', svg)) == 2
    assert len([rect for rect in root.iter(f"{SVG}rect") if "rx" in rect.attrib]) == 1 + len(tree.line)
    assert f'stroke="{LIGHT.ink}" stroke-width="3"' in svg
    assert (root[0].text, root[1].text) == ("3x3:3", "OXO/.X./.OX X 0 a2 c2 a1")


def test_picture_has_title_and_paper() -> None:
    svg = draw_tree(search_tree(new_game(), depth=1), title="a < b", description="so", dark=True)
    root = parsed(svg)
    assert (root[0].text, root[1].text) == ("a < b", "so")
    assert DARK.paper in svg
    assert LIGHT.paper not in svg
    assert {int(root.attrib[side]) % SQUARE for side in ("width", "height")} == {0}


def test_best_line_is_straight() -> None:
    tree = search_tree(played("4 4 4 3 5", "connect4"), "alpha-beta", 2)
    bold = re.findall(
        r'd="M\S+ (\S+?)(H\S+|\S+ .*?)" fill="none" stroke="\S+" stroke-width="3"', draw_tree(tree)
    )
    assert len(bold) == len(tree.line) == 2
    assert len({height for height, _ in bold}) == 1
    assert all(way.startswith("H") for _, way in bold)


def test_cut_moves_share_one_drawing() -> None:
    words = texts(parsed(draw_tree(search_tree(new_game(), "alpha-beta", 2))))
    assert "c3 … (7)" in words
    assert "c2 a1 b1 c1" in words


def test_picture_shows_means_and_visits() -> None:
    """A search that plays games has means and visits."""
    game = played("5 1 9 3 2 8")
    after = game.copy()
    after.play((1, 0))
    leaves = (Tree(after, (1, 0), score=0.25, visits=30), Tree(after, (1, 2), score=-0.5, visits=9))
    svg = draw_tree(Tree(game, score=0.125, visits=40, best=(1, 0), children=leaves))
    words = texts(parsed(svg))
    assert {"+0.12", "40×", "+0.25", "30×", "−0.50", "9×", "a2", "c2"} <= set(words)
    assert f'fill="{LIGHT.pens[1]}">−0.50' in svg


def test_single_position_and_missing_best_move() -> None:
    game = played("5 1 9 3 2 8")
    assert texts(parsed(draw_tree(Tree(game)))) == ["max"]
    tree = Tree(game, children=(Tree(game, (1, 0)), Tree(game)))
    assert tree.line == ()
    assert texts(parsed(draw_tree(tree))) == ["max", "max", "a2", ""]


def test_scores_of_any_size() -> None:
    game = new_game()
    words_of_scores = {
        score: texts(parsed(draw_tree(Tree(game, score=score)))) for score in (0, -7, 9_999, 123_456)
    }
    assert {score: words[1] for score, words in words_of_scores.items()} == {
        0: "≈0",
        -7: "≈−7",
        9_999: "≈9999",
        123_456: "≈123k",
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", each_week_all((entry.name for entry in CATALOGUE if len(new_game(entry.name).sides) < 3), 2)
)
def test_tree_of_every_game(name: str) -> None:
    """Games of one or two sides: no two boards are at the same place."""
    tree = search_tree(new_game(name), depth=1)
    svg = draw_tree(tree)
    parsed(svg)
    shown = PLACED.findall(svg)
    assert len(shown) == len(set(shown)) == 1 + len(tree.children)


def test_side_with_letter_mark() -> None:
    def heads(side: str) -> list[str]:
        class Named:  # This object is a game in all respects that matter here.
            def __getattr__(self, attribute: str) -> Any:
                return {"turn": side, "sides": (side,)}.get(attribute, getattr(game, attribute))

        game = new_game()
        named: Any = Named()
        named.copy = game.copy
        return texts(parsed(draw_tree(Tree(named))))

    assert heads("X") == ["max"]
    assert heads("S") == ["S", "max"]


def test_large_tree_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.drawing.tree.MAX_POSITIONS", 5)
    tree = search_tree(new_game("2x2:2"), depth=1)
    assert tree._repr_svg_() == draw_tree(tree)
    larger = search_tree(new_game("5x1:3"), depth=1)
    with pytest.raises(UnsupportedRules, match=r"tree too large \(most 5\)"):
        draw_tree(larger)
    assert larger._repr_svg_() is None


def test_non_tree_is_refused() -> None:
    with pytest.raises(TypeError, match="no Tree; search_tree makes one"):
        draw_tree(new_game())  # type: ignore[arg-type]


def test_marks_are_stroked() -> None:
    assert all(map(mark_course, "XOZYVWTU"))
    assert "A30 30" in mark_course("U")
