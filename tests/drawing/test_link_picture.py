"""Pictures of links: their size, their texts, and machines with few fonts or without the library."""

import struct
import sys
from xml.etree import ElementTree

import pytest

from noughts.drawing import raster
from noughts.drawing.link_picture import HEIGHT, WIDTH, LinkText, draw_link_png, draw_link_svg, drawable
from noughts.drawing.raster import draw_png, font_for, has_raster
from noughts.errors import ExtraMissing, ShapeError
from noughts.games.catalogue import finished, new_game
from noughts.text import MAX_NAME

ADA = LinkText("Ada wins", "Tic-tac-toe, 7 moves", (("X", "Ada"), ("O", "Bob")))


@pytest.fixture(autouse=True)
def one_font(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all texts be drawable, on any machine, except for characters that no font has."""
    monkeypatch.setattr(raster, "_is_installed", lambda family: family == "DejaVu Sans")
    monkeypatch.setattr(raster, "_has", lambda family, character: character < "\U0010fffe")


def texts(svg: str) -> list[str]:
    """Return the texts of *svg*, which must be well formed."""
    return [element.text or "" for element in ElementTree.fromstring(svg).iter() if element.text]


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def test_link_picture_has_the_recommended_size() -> None:
    assert size_of(draw_link_png(finished("tictactoe"), ADA)) == (WIDTH, HEIGHT)
    assert size_of(draw_link_png(finished("tictactoe"), ADA, 600)) == (600, 315)


def test_link_picture_names_result_game_and_players() -> None:
    assert texts(draw_link_svg(finished("tictactoe"), ADA)) == [
        "Ada wins",
        "Tic-tac-toe, 7 moves",
        "Ada",
        "Bob",
        "noughts",
    ]


@pytest.mark.parametrize("letter", ["i", "W", "щ"])
def test_link_picture_cuts_long_names(letter: str) -> None:
    name = letter * MAX_NAME
    title, *_, shown, _ = texts(draw_link_svg(new_game("gomoku"), LinkText(name, "", (("X", name),))))
    assert title.endswith("…") or letter == "i"
    assert len(shown) <= len(name)
    assert shown.removesuffix("…") in name


@pytest.mark.parametrize("spec", ["60x60:6", "3x3x3x3x3:3", "4x4x4:4", "11x11:5,hex", "1x20:3", "fifteen"])
def test_link_picture_board_is_inside_the_paper(spec: str) -> None:
    root = ElementTree.fromstring(draw_link_svg(new_game(spec), LinkText("")))
    board = next(part for part in root if part.tag.endswith("}g"))
    left, top = map(float, board.attrib["transform"].removeprefix("translate(").rstrip(")").split())
    assert 0 < left < 620
    assert 0 < top < HEIGHT


def test_link_picture_is_refused_for_huge_boards() -> None:
    with pytest.raises(ShapeError):
        draw_link_svg(new_game("200x200:5"), LinkText(""))


def test_undrawable_text_is_left_out() -> None:
    unknown = "Ada \U0010fffe"  # No font has it.
    assert drawable("Ada") == "Ada"
    assert drawable(unknown) == ""
    assert texts(draw_link_svg(new_game("tictactoe"), LinkText(unknown))) == ["noughts"]


def test_picture_without_fonts_has_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raster, "_is_installed", lambda family: False)
    assert font_for("Ada") is None
    assert texts(draw_link_svg(finished("tictactoe"), ADA)) == []
    assert size_of(draw_png(draw_link_svg(finished("tictactoe"), ADA))) == (WIDTH, HEIGHT)


def test_png_needs_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    assert not has_raster()
    with pytest.raises(ExtraMissing) as caught:
        draw_png("<svg/>")
    assert caught.value.extra == "meet"
