"""The registry: players by name, those of other packages among them."""

import sys
from pathlib import Path
from random import Random

import pytest

from noughts import Player, TicTacToe
from noughts.errors import NotFound
from noughts.games.base import Game, Move
from noughts.players import base
from noughts.players.base import new_player, player_names, register
from noughts.search.analysis import Limit

PLUG_IN = """
from noughts import Player


class First(Player):
    def choose(self, game, limit):
        return min(game.legal_moves())


class Nth(Player):
    def __init__(self, number):
        self.number = number

    def choose(self, game, limit):
        return game.legal_moves()[self.number]


def make_nth(argument, chance):
    return Nth(int(argument or chance.randrange(9)))
"""

ENTRY_POINTS = """
[noughts.players]
first = plugged_in_players:First
nth = plugged_in_players:make_nth
random = plugged_in_players:First
"""


@pytest.fixture
def plug_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another package, installed as far as Python can tell."""
    (tmp_path / "plugged_in_players.py").write_text(PLUG_IN)
    about = tmp_path / "plugged_in_players-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: plugged-in-players\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "plugged_in_players", raising=False)


@pytest.mark.usefixtures("plug_in")
def test_players_of_other_packages() -> None:
    game = TicTacToe()
    assert new_player("first").choose(game, Limit()) == (0, 0)
    assert new_player("nth:4").choose(game, Limit()) == (1, 1)
    one, two = (new_player("nth", Random(3)).choose(game, Limit()) for _ in range(2))
    assert one == two
    assert new_player("nth").choose(game, Limit()) in game.legal_moves()
    names = list(player_names())
    assert names[-2:] == ["first", "nth"]
    assert len(names) == len(set(names))


@pytest.mark.usefixtures("plug_in")
def test_other_packages_cannot_take_our_names() -> None:
    assert type(new_player("random")).__name__ == "RandomPlayer"


def test_names() -> None:
    assert {"random", "rule", "perfect"} <= set(player_names())


@pytest.mark.parametrize("name", ["nobody", "", "first", "Rule", " rule", "\ud800", "nobody:1"])
def test_unknown_names(name: str) -> None:
    with pytest.raises(NotFound) as caught:
        new_player(name)
    assert caught.value.what == "player"
    assert caught.value.name == name
    assert set(caught.value.known) == set(player_names())


def test_register(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "_registry", dict(base._registry))

    class Named(Player):
        def __init__(self, argument: str) -> None:
            self.argument = argument

        def choose(self, game: Game, limit: Limit) -> Move:
            return game.legal_moves()[0]

    register("named")(lambda argument, chance: Named(argument))
    player = new_player("named:a:b")
    assert isinstance(player, Named)
    assert player.argument == "a:b"
    assert "named" in player_names()


def test_most_players_take_any_seat() -> None:
    class Patient(Player):
        def choose(self, game: Game, limit: Limit) -> Move:
            return min(game.legal_moves())

    Patient().take_seat(TicTacToe())
    with pytest.raises(TypeError):
        Player()  # type: ignore[abstract]
