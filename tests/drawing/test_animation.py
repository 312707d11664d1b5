"""Animations of games: their frames, their colours, and a missing library."""

import sys
from io import BytesIO

import pytest
from PIL import Image

from noughts.drawing.animation import MAX_FRAMES, can_animate, draw_link_gif, frames_of
from noughts.drawing.link_picture import LinkText
from noughts.errors import ExtraMissing
from noughts.games.catalogue import finished, new_game
from noughts.games.notation import play_moves

NOTHING = LinkText("")


def test_animation_shows_each_position_of_a_short_game() -> None:
    game = finished("tictactoe")
    gif = Image.open(BytesIO(draw_link_gif(game, NOTHING, NOTHING)))
    assert (gif.size, getattr(gif, "n_frames", 1)) == ((800, 420), game.ply + 1)
    seen = set()
    for number in range(game.ply + 1):
        gif.seek(number)
        seen.add(gif.convert("RGB").tobytes())
        assert gif.info["duration"] == (3_000 if number == game.ply else 700)
    assert len(seen) == game.ply + 1
    assert game.is_over  # The game itself is not changed.


def test_animation_has_the_colours_of_the_pens() -> None:
    game = new_game("tictactoe")
    play_moves(game, ["5", "1"])
    gif = Image.open(BytesIO(draw_link_gif(game, NOTHING, NOTHING)))
    gif.seek(2)
    colours = {colour for _, colour in gif.convert("RGB").getcolors(1_000) or ()}
    assert {(0x3B, 0x34, 0xA8), (0xB9, 0x3A, 0x13)} <= colours
    paper = max(colours, key=sum)
    assert max(abs(part - exact) for part, exact in zip(paper, (0xFA, 0xFA, 0xF6), strict=True)) <= 3


@pytest.mark.parametrize(
    ("plies", "cells", "frames"),
    [(0, 9, 1), (9, 9, 10), (225, 225, MAX_FRAMES), (3_000, 10_000, 6), (9, 10**6, 2)],
)
def test_frames_are_limited(plies: int, cells: int, frames: int) -> None:
    assert frames_of(plies, cells) == frames


@pytest.mark.parametrize(("module", "extra"), [("PIL", "pictures"), ("resvg_py", "meet")])
def test_animation_needs_the_extras(module: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    assert not can_animate()
    with pytest.raises(ExtraMissing) as caught:
        draw_link_gif(finished("tictactoe"), NOTHING, NOTHING)
    assert caught.value.extra == extra
