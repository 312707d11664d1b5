"""What is known of best play: each game of the catalogue, and boards of none."""

import io

import pytest

from noughts import new_game
from noughts.certificates.verify import verify
from noughts.games.catalogue import CATALOGUE
from noughts.games.known import Known, known_of
from noughts.search.analysis import Limit
from noughts.search.certifying.certify import can_certify, certify

PROVED = [
    entry.name
    for entry in CATALOGUE
    if known_of(new_game(entry.name)).basis == "proved" and can_certify(new_game(entry.name))
]


def test_each_game_says_what_is_known_and_from_where() -> None:
    for entry in CATALOGUE:
        known = known_of(new_game(entry.name))
        assert (known.value, known.source) == (entry.value, entry.source)
        assert (known.basis == "open") == (known.value is None)
        assert (known.basis == "published") == bool(known.source)
    assert known_of(new_game("connect4")) == Known("first", "published", "Allen, Allis 1988")


def test_a_spec_is_the_game_that_it_describes() -> None:
    assert known_of(new_game("3x3x3:3")) == known_of(new_game("3d"))


def test_boards_of_no_catalogue() -> None:
    assert known_of(new_game("8x8:5")).basis == "published"
    assert known_of(new_game("12x20:8")) == Known("draw", "published", "Zetters 1980")
    for spec in ("12x20:8,wrap", "9x9x9:8", "12x20:7"):
        assert (known_of(new_game(spec)).value, known_of(new_game(spec)).basis) == (None, "argument")
    for spec in ("12x20:8,misere", "12x20:8,exact", "12x20:8,gravity", "5x5:4,players=3"):
        assert known_of(new_game(spec)) == Known()


def test_there_are_games_with_certificates() -> None:
    assert set(PROVED) == {"tictactoe", "4x4", "5x5", "3d", "4d", "torus", "misere", "wild", "notakto"}


@pytest.mark.parametrize("name", PROVED)
def test_what_is_proved_here_has_a_certificate(name: str) -> None:
    game, stream = new_game(name), io.StringIO()
    value = known_of(game).value
    assert value is not None
    certify(game, value, stream, Limit(nodes=100_000))
    verdict = verify(io.BytesIO(stream.getvalue().encode()))
    assert (verdict.holds, verdict.value) == (True, value)
