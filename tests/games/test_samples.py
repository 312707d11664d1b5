"""Tests of the samples of the catalogue: legal, in mid-game, and always the same."""

import pytest

from noughts.errors import NotFound
from noughts.games.catalogue import CATALOGUE, name_of, new_game, sample
from noughts.games.entry import Entry


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.name)
def test_sample_is_in_mid_game(entry: Entry) -> None:
    game = sample(entry.name)
    assert name_of(game) == entry.name
    assert game.ply == len(entry.sample.split()) > 0
    assert not game.is_over
    assert game.cells == sample(entry.name).cells
    assert any(cell is None for cell in game.cells)


def test_sample_of_spec_has_no_moves() -> None:
    assert sample("5x4:3").cells == new_game("5x4:3").cells


def test_sample_of_unknown_name() -> None:
    with pytest.raises(NotFound):
        sample("chess")


@pytest.mark.slow
def test_sample_overlooks_no_win() -> None:
    """The samples are plausible: no side overlooked a line that it could have completed for a win."""
    for entry in CATALOGUE:
        shown = sample(entry.name)
        game = sample(entry.name)
        while game.ply:
            game.undo()
        for move in shown.moves:
            for other in game.legal_moves():
                turn = game.turn
                game.play(other)
                won = game.winner == turn
                game.undo()
                assert not won, (entry.name, game.ply, other)
            game.play(move)
