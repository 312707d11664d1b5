"""Boards as SVG: well formed, self-contained, reproducible and true to the game."""

import re
from collections import Counter
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import Game
from noughts.core.board import coordinate_of
from noughts.core.geometry import lines
from noughts.drawing.board_text import draw_text
from noughts.drawing.strokes import VARIANTS, arc, course, mark_path, outline, plain, smooth, variant_of
from noughts.drawing.svg import HERE, MAX_CELLS, draw_svg, stroke_paths
from noughts.drawing.svg_document import DARK, LIGHT
from noughts.drawing.svg_grid import Ruling, space_of
from noughts.drawing.view import HIGHLIGHTS, View, first_index, straight_parts, view_of
from noughts.errors import ShapeError
from noughts.games.catalogue import CATALOGUE, finished, new_game
from noughts.games.layout import Layout, grid_layout, plane_label
from noughts.games.moves import PASS
from noughts.games.notation import parse_move, parse_position
from noughts.games.rules import MARKS
from tests.strategies import games, play_at_random

SVG = "{http://www.w3.org/2000/svg}"
ALLOWED = {"svg", "title", "desc", "rect", "path", "polygon", "g", "text", "circle"}
NAMES = [entry.name for entry in CATALOGUE]
PATHS = {mark_path(mark, variant): mark for mark in MARKS for variant in range(VARIANTS)}


def played(name: str, moves: str = "") -> Game:
    game = new_game(name)
    for text in moves.split():
        game.play(parse_move(game, text))
    return game


def parsed(svg: str) -> ElementTree.Element:
    """Return *svg* as a tree, after a check for anything that a picture must not contain."""
    root = ElementTree.fromstring(svg)
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in ALLOWED
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert "href" not in name
            assert "url(" not in value
    assert root.attrib["role"] == "img"
    return root


def texts(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def marks_drawn(root: ElementTree.Element) -> Counter[str]:
    marks = (
        PATHS.get(element.attrib["d"])
        for element in root.iter(f"{SVG}path")
        if "opacity" not in element.attrib
    )
    return Counter(mark for mark in marks if mark)


def brackets(root: ElementTree.Element) -> list[str]:
    return [path.attrib["transform"] for path in root.iter(f"{SVG}path") if path.attrib["d"] == HERE]


def strikes(game: Game) -> int:
    """Return the number of strokes through winning lines in the picture of *game*."""
    with_lines = draw_svg(game)
    without = draw_svg(game, view=View(last=view_of(game).last))
    return with_lines.count("<path") - without.count("<path")


# Every game


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dark", [False, True])
def test_every_picture_is_well_formed(name: str, dark: bool) -> None:
    for plies in (0, 5, 500):
        game = new_game(name, seed=plies)
        play_at_random(game, plies, plies)
        svg = draw_svg(game, title=name, dark=dark)
        root = parsed(svg)
        assert svg == draw_svg(game.copy(), title=name, dark=dark)
        assert (root[0].tag, root[0].text) == (f"{SVG}title", name)
        palette, other = (DARK, LIGHT) if dark else (LIGHT, DARK)
        assert palette.paper in svg
        assert other.paper not in svg
        if not game.layout.tiles:
            assert marks_drawn(root) == Counter(cell for cell in game.cells if cell)


@pytest.mark.slow
@given(games(), st.booleans())
def test_pictures_show_marks_and_last_move(game: Game, numbered: bool) -> None:
    root = parsed(draw_svg(game, numbered=numbered))
    assert marks_drawn(root) == Counter(cell for cell in game.cells if cell)
    assert len(brackets(root)) == len(game.last_cells())
    lines = view_of(game).lines
    pieces = sum(len(straight_parts(game.shape, line)) for line in lines)
    assert strikes(game) == pieces


# Titles and labels


def test_titles_and_descriptions_are_escaped() -> None:
    game = played("tictactoe")
    root = parsed(draw_svg(game, title="<script>Ada & O</script>", description='"]]>\x00\x1b\ud800'))
    assert root[0].text == "<script>Ada & O</script>"
    assert root[1].text == '"]]>\ufffd\ufffd\ufffd'


def test_default_title_is_game_and_position() -> None:
    root = parsed(draw_svg(played("tictactoe", "5")))
    assert (root[0].text, root[1].text) == ("3x3:3", ".../.X./... O")


def test_labels_are_escaped_and_only_in_empty_cells() -> None:
    game = played("tictactoe", "5")
    root = parsed(draw_svg(game, view=View(labels={0: "<&>", 4: "hidden"})))
    assert "<&>" in texts(root)
    assert "hidden" not in texts(root)
    assert set("12346789") <= set(texts(parsed(draw_svg(game, numbered=True))))
    assert "0" in texts(parsed(draw_svg(game, numbered=True, first=0)))


# Boards


def test_flat_boards_have_row_and_column_names() -> None:
    assert texts(parsed(draw_svg(played("tictactoe")))) == ["a", "b", "c", "3", "2", "1"]
    gomoku = parsed(draw_svg(played("gomoku")))
    assert texts(gomoku)[14:16] == ["o", "15"]
    assert len(list(gomoku.iter(f"{SVG}circle"))) == 5


def test_star_points_are_hidden_by_marks() -> None:
    assert len(list(parsed(draw_svg(played("gomoku", "h8"))).iter(f"{SVG}circle"))) == 4


def test_falling_marks_have_column_numbers() -> None:
    assert texts(parsed(draw_svg(played("connect4")))) == list("1234567")
    assert texts(parsed(draw_svg(played("1x4:4,gravity")))) == ["1"]


def test_planes_have_numbers() -> None:
    assert texts(parsed(draw_svg(played("qubic")))) == [
        text for plane in "1234" for text in (*"abcd", *"4321", plane)
    ]
    assert texts(parsed(draw_svg(played("4d"))))[:6] == ["1", "2", "3", "1", "2", "3"]
    assert texts(parsed(draw_svg(new_game("3x3x3x3x3:3"))))[6] == "1"


def test_tiles_have_numbers_and_gap_is_shaded() -> None:
    game = new_game("fifteen")
    svg = draw_svg(game)
    assert [text for text in texts(parsed(svg)) if text.isdigit()][4:] == [
        cell for cell in game.cells if cell
    ]
    assert svg.count(LIGHT.shade) == 1


def test_decided_fields_have_mark_or_shade() -> None:
    rows = ["XXX......", "OO.......", ".........", "...XOXO..", "...XOOX..", "...OXX...", "O........"]
    game = parse_position(new_game("ultimate"), "/".join([*rows, *["." * 9] * 2]) + " O 3")
    root = parsed(draw_svg(game))
    (pale,) = [path for path in root.iter(f"{SVG}path") if "opacity" in path.attrib]
    assert pale.attrib["transform"] == "translate(0 0) scale(3)"
    assert PATHS[pale.attrib["d"]] == "X"
    (shade,) = [rect for rect in root.iter(f"{SVG}rect") if rect.attrib["fill"] == LIGHT.shade]
    assert (shade.attrib["x"], shade.attrib["y"], shade.attrib["width"]) == ("302", "302", "296")


def test_floor_is_below_the_landing_plane() -> None:
    falling, free = draw_svg(played("score4")), draw_svg(played("qubic"))
    assert falling.count("<path") == free.count("<path") + 1


def test_boards_that_are_too_large_are_refused() -> None:
    assert parsed(draw_svg(new_game("100x100:5"))) is not None
    with pytest.raises(ShapeError) as refused:
        draw_svg(new_game("101x100:5"))
    assert (refused.value.reason, refused.value.limit) == ("too-large-to-draw", MAX_CELLS)
    assert refused.value.shape == (100, 101)


def test_notebooks_show_the_picture() -> None:
    game = played("tictactoe", "5")
    assert game._repr_svg_() == draw_svg(game)
    assert new_game("101x100:5")._repr_svg_() is None


def test_print_shows_the_board() -> None:
    game = played("tictactoe", "5")
    assert str(game) == "\n".join(draw_text(game))


def test_board_with_short_sides_has_no_lines() -> None:
    for name in ("1x1:1", "1x1:1,gravity", "1x1x1:1", "1:1", "6:2", "1x1x1x1x1:1"):
        game = new_game(name)
        parsed(draw_svg(game))
        game.play(game.legal_moves()[0])
        parsed(draw_svg(game))


# Winning lines


def test_winning_cells_are_tinted_and_struck() -> None:
    game = played("tictactoe", "5 1 3 4 6 9 7")
    svg = draw_svg(game)
    assert svg.count(f'fill="{LIGHT.washes[0]}"') == 3
    assert strikes(game) == 1
    assert brackets(parsed(svg)) == ["translate(0 200)"]


def test_wrapping_line_is_struck_in_pieces() -> None:
    assert strikes(played("torus", "3 1 6 2 9 4 16")) == 2


def test_row_of_fields_has_one_stroke() -> None:
    game = finished("ultimate")
    assert len(view_of(game).lines) == 3
    assert strikes(game) == 1
    (stroke,) = stroke_paths(game, space_of(game.shape, game.layout), view_of(game).lines)
    points = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", stroke)]
    # The stroke goes from the lowest field to the highest.
    assert (min(points) < 80, max(points) > 820) == (True, True)


def test_stroke_runs_from_first_to_last_cell() -> None:
    game = played("tictactoe", "1 4 2 5 3")
    root = parsed(draw_svg(game))
    stroke = list(root.iter(f"{SVG}path"))[-1].attrib["d"]
    numbers = [float(number) for number in re.findall(r"-?[0-9.]+", stroke)]
    across, down = numbers[0::2], numbers[1::2]
    assert min(across) < 20
    assert max(across) > 280
    assert all(40 < y < 60 for y in down)


def test_unknown_marks_are_letters() -> None:
    game = new_game("tictactoe", marks=("Q", "X"))
    game.play((0, 0))
    svg = draw_svg(game)
    assert "Q" in texts(parsed(svg))
    assert LIGHT.pen("Q") == LIGHT.ink
    assert LIGHT.wash("Q") == LIGHT.shade


def test_each_highlight_changes_the_picture() -> None:
    game = played("tictactoe", "5")
    plain_picture = draw_svg(game)
    for code in HIGHLIGHTS:
        picture = draw_svg(game, view=view_of(game, highlights={0: code}))
        assert parsed(picture) is not None
        assert picture != plain_picture
    assert draw_svg(game, view=View(highlights={0: "hint"})).count("stroke-dasharray") == 1
    for code, signs in (("own-threat", "++"), ("threat", "!!"), ("threat own-threat", "+!")):
        words = texts(parsed(draw_svg(game, view=View(highlights={0: code}))))
        assert "".join(word for word in words if word in "+!") == signs


# Pen and space


def test_every_mark_has_three_variants() -> None:
    for mark in MARKS:
        paths = {mark_path(mark, variant) for variant in range(VARIANTS)}
        assert len(paths) == VARIANTS
        for path in paths:
            numbers = [float(number) for number in re.findall(r"-?[0-9.]+", path)]
            assert min(numbers) > 4
            assert max(numbers) < 96
    assert {variant_of(index) for index in range(9)} == set(range(VARIANTS))


def test_outlines_are_closed_without_loops() -> None:
    path = outline(course((0, 0), (900, 0), 1.0), 5.0, (0.9, 0.5))
    assert path.startswith("M")
    assert path.endswith("Z")
    numbers = [float(number) for number in re.findall(r"-?[0-9.]+", path)]
    assert min(numbers[0::2]) > -5
    assert max(numbers[0::2]) < 905
    assert outline(course((5, 5), (5, 5)), 5.0, (1, 1)).endswith("Z")
    assert smooth([(0, 0), (0, 0), (0, 0)]) == "M0 0C0 0 0 0 0 0C0 0 0 0 0 0C0 0 0 0 0 0Z"
    assert len(arc((0, 0), (1, 1), 0, 360, parts=4)) == 5
    assert [plain(number) for number in (0.04, -0.04, 1.25, 100)] == ["0", "0", "1.2", "100"]


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(3, 3), (4, 4, 4), (3, 3, 3, 3), (2, 2, 2, 2, 2), (2, 3, 4, 2, 3, 2)])
def test_space_lines_are_straight(shape: tuple[int, ...]) -> None:
    space = space_of(shape, grid_layout(shape))
    board = new_game("x".join(map(str, shape)) + ":2").board
    corners = {space.corner(index) for index in range(len(board))}
    assert len(corners) == len(board)
    for x, y in corners:
        assert 0 <= x <= space.width - 100
        assert 0 <= y <= space.height - 100
    for line in lines(shape, min(shape)):
        places = [space.centre(board.index(cell)) for cell in line.cells]
        steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(places)}
        assert len(steps) == 1


def test_planes_form_a_stair() -> None:
    space = space_of((4, 4, 4), grid_layout((4, 4, 4)))
    assert [space.origin(plane) for plane in range(4)] == [(0, 0), (500, 150), (1000, 300), (1500, 450)]
    assert (space.width, space.height) == (1900, 850)
    flat = space_of((9, 9), Layout(1, 9, 9, fields=(3, 3)))
    assert (flat.origin(0), plane_label(flat.above, 0)) == ((0, 0), "")


def test_line_is_cut_at_the_edge() -> None:
    assert straight_parts((4, 4), [2, 5, 8, 15]) == [[2, 5, 8], [15]]
    assert straight_parts((3, 3), [0, 4, 8]) == [[0, 4, 8]]
    assert coordinate_of((4, 4), 15) == (3, 3)


def test_values_differ_in_shape() -> None:
    game = played("tictactoe", "8 9 6 7")
    labels = {0: "=", 1: "-4", 4: "+3"}
    highlights = {0: "draw", 1: "loss", 4: "win hint"}
    root = parsed(draw_svg(game, view=View(labels=labels, highlights=highlights)))
    ring, disc, hint = root.iter(f"{SVG}circle")
    assert (ring.attrib["fill"], ring.attrib["stroke"]) == ("none", LIGHT.second)
    assert (disc.attrib["fill"], "stroke" in disc.attrib) == (LIGHT.pen("X"), False)
    assert float(hint.attrib["r"]) > float(disc.attrib["r"])
    (square,) = [path for path in root.iter(f"{SVG}path") if "stroke-dasharray" in path.attrib]
    assert square.attrib["stroke"] == LIGHT.pen("O")
    colours = {
        text.text: text.attrib["fill"] for text in root.iter(f"{SVG}text") if text.text in labels.values()
    }
    assert colours == {"=": LIGHT.second, "-4": LIGHT.pen("O"), "+3": LIGHT.paper}


@pytest.mark.parametrize(
    ("code", "drawn"),
    [
        ("forbidden", 'd="M35 35H65V65H35ZM35 65L65 35" fill="none"'),
        ("said", 'r="38" fill="none"'),
        ("next", "stroke-dasharray"),
    ],
)
def test_forbidden_and_chosen_cells_are_drawn(code: str, drawn: str) -> None:
    game = new_game("tictactoe")
    plain = draw_svg(game, view=View())
    assert drawn not in plain
    assert drawn in draw_svg(game, view=View(highlights={0: code}))


def test_forbidden_cell_has_sign_instead_of_number() -> None:
    view = View(labels={0: "1", 1: "2"}, highlights={0: "forbidden"})
    text = "".join(draw_text(new_game("tictactoe"), view=view, unicode=False))
    assert "#" in text
    assert "1" not in text
    assert "2" in text


def test_joined_sides_are_dashed() -> None:
    def sides(spec: str) -> tuple[int, int]:
        game = new_game(spec)
        ruling = Ruling(game, space_of(game.shape, game.layout))
        assert draw_svg(game).count("stroke-dasharray") == bool(ruling.joined_sides())
        return len(ruling.joined_sides()), len(ruling.pen())

    assert sides("5x4:4,gravity") == (0, 3)
    assert sides("5x4:4,gravity,wrap=x") == (2, 1)
    assert sides("5x4:4,wrap")[0] == 4
    assert (sides("15:3,wrap")[0], sides("15:3")[0], sides("15x1:3,wrap")[0]) == (2, 0, 4)
    assert sides("5:3,gravity,wrap") == (2, 3), "top and bottom, and walls beside them"
    assert sides("7x7:5,hex")[0] == sides("4x4x4:4,wrap")[0] == sides("fifteen")[0] == 0


def test_single_row_has_edges() -> None:
    for spec in ("1x1:1", "5x1:3", "1x5:3"):
        game = new_game(spec)
        ruling = Ruling(game, space_of(game.shape, game.layout))
        columns, rows = game.layout.columns, game.layout.rows
        assert len(ruling.thin()) == columns + rows + 2
        assert ruling.pen() == []


def test_planes_are_side_by_side_on_request() -> None:
    layout = grid_layout((4, 4, 4))
    assert space_of((4, 4, 4), layout, 2).origin(3) == (500.0, 530.0)


def test_first_index_is_the_first_cell() -> None:
    assert first_index(new_game("tictactoe"), (1, 1)) == 4
    assert first_index(new_game("reversi"), PASS) is None
