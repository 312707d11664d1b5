"""Tests of the registry of players, including those of other packages."""

import sys
from pathlib import Path
from random import Random

import pytest

from noughts import Player, TicTacToe, play
from noughts.errors import NotFound, PlayerFailed, UnsupportedRules
from noughts.games.base import Game, Move
from noughts.players import base
from noughts.players.base import new_player, offer_seat, player_names, register
from noughts.search.analysis import Limit
from noughts.text import safe_text

PLUG_IN = """
from noughts import Player
from noughts.errors import NotFound


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


class Moody(First):
    def __init__(self):
        raise RuntimeError("not \\x1b[31mtoday")


class Silent(Exception):
    def __str__(self):
        raise RuntimeError


def make_nothing(argument, chance):
    return None


def make_silence(argument, chance):
    raise Silent


def make_error_of_ours(argument, chance):
    raise NotFound("level", argument)
"""

ENTRY_POINTS = """
[noughts.players]
first = plugged_in_players:First
nth = plugged_in_players:make_nth
random = plugged_in_players:First
broken = plugged_in_broken:First
leaving = plugged_in_leaving:First
closing = plugged_in_closing:First
missing = plugged_in_players:Missing
moody = plugged_in_players:Moody
nothing = plugged_in_players:make_nothing
number = plugged_in_players:__name__
silent = plugged_in_players:make_silence
unknown = plugged_in_players:make_error_of_ours
"""


@pytest.fixture
def plug_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install another package, as far as Python can see."""
    (tmp_path / "plugged_in_players.py").write_text(PLUG_IN)
    about = tmp_path / "plugged_in_players-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: plugged-in-players\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "plugged_in_broken.py").write_text("1 / 0")
    (tmp_path / "plugged_in_leaving.py").write_text("raise SystemExit(3)")
    (tmp_path / "plugged_in_closing.py").write_text("raise GeneratorExit('here')")
    monkeypatch.delitem(sys.modules, "plugged_in_players", raising=False)


@pytest.mark.usefixtures("plug_in")
def test_plugin_players_are_found_and_play() -> None:
    game = TicTacToe()
    assert new_player("first").choose(game, Limit()) == (0, 0)
    assert new_player("nth:4").choose(game, Limit()) == (1, 1)
    one, two = (new_player("nth", Random(3)).choose(game, Limit()) for _ in range(2))
    assert one == two
    assert new_player("nth").choose(game, Limit()) in game.legal_moves()
    names = list(player_names())
    assert {"first", "nth"} <= set(names)
    theirs = names[names.index("learned") + 1 :]
    assert theirs == sorted(theirs)
    assert len(names) == len(set(names))


@pytest.mark.usefixtures("plug_in")
def test_plugin_player_cannot_take_our_names() -> None:
    assert type(new_player("random")).__name__ == "RandomPlayer"


@pytest.mark.usefixtures("plug_in")
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("broken", "ZeroDivisionError: division by zero"),
        ("leaving:now", "SystemExit: 3"),
        ("closing:now", "GeneratorExit: here"),
        ("missing", "AttributeError: module 'plugged_in_players' has no attribute 'Missing'"),
        ("moody", safe_text("RuntimeError: not \x1b[31mtoday")),
        ("nth:x", "ValueError: invalid literal for int() with base 10: 'x'"),
        ("nothing", "NoneType: no Player"),
        ("number", "TypeError: 'str' object is not callable"),
        ("silent", "Silent"),
    ],
)
def test_failing_plugin_player_is_reported(name: str, reason: str) -> None:
    with pytest.raises(PlayerFailed) as caught:
        new_player(name)
    assert (caught.value.name, caught.value.reason) == (name, reason)


@pytest.mark.usefixtures("plug_in")
def test_own_errors_pass_through() -> None:
    with pytest.raises(NotFound) as caught:
        new_player("unknown:7")
    assert (caught.value.what, caught.value.name) == ("level", "7")


class Fussy(Player):
    """A player that raises when it takes its seat."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def take_seat(self, game: Game) -> None:
        game.play(game.legal_moves()[0])
        raise self.error

    def choose(self, game: Game, limit: Limit) -> Move:
        raise AssertionError


def test_failing_take_seat_is_reported() -> None:
    game = TicTacToe()
    with pytest.raises(PlayerFailed) as caught:
        offer_seat(Fussy(KeyError("what")), "fussy", game)
    assert (caught.value.name, caught.value.reason) == ("fussy", "KeyError: 'what'")
    with pytest.raises(UnsupportedRules):
        offer_seat(Fussy(UnsupportedRules("fussy", "3x3:3", "too-large")), "fussy", game)
    with pytest.raises(KeyboardInterrupt):
        offer_seat(Fussy(KeyboardInterrupt()), "fussy", game)
    with pytest.raises(PlayerFailed, match="Fussy"):
        play(game, x=Fussy(OSError()), o=Fussy(OSError()))
    assert game.ply == 0
    offer_seat(new_player("rule"), "rule", game)


def test_player_names_are_listed() -> None:
    levels = [f"level:{number}" for number in range(1, 11)]
    assert list(player_names())[:13] == ["random", "rule", "perfect", *levels]


@pytest.mark.parametrize("name", ["nobody", "", "first", "Rule", " rule", "\ud800", "nobody:1"])
def test_unknown_player_is_not_found(name: str) -> None:
    with pytest.raises(NotFound) as caught:
        new_player(name)
    assert caught.value.what == "player"
    assert caught.value.name == name
    assert set(caught.value.known) == set(player_names())


def test_register_with_known_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    """The listed names are those that can be typed."""
    monkeypatch.setattr(base, "_registry", base._registry.copy())
    register("size", lambda argument, chance: new_player("rule"), arguments=("s", "xl"))
    assert list(player_names())[-2:] == ["size:s", "size:xl"]
    assert type(new_player("size:xl")).__name__ == "RulePlayer"
    for name in ("size", "size:", "size:m", "size:s:s"):
        with pytest.raises(NotFound):
            new_player(name)


def test_default_player_takes_any_seat() -> None:
    class Patient(Player):
        def choose(self, game: Game, limit: Limit) -> Move:
            return min(game.legal_moves())

    Patient().take_seat(TicTacToe())
    with pytest.raises(TypeError):
        Player()  # type: ignore[abstract]


@pytest.mark.usefixtures("plug_in")
@pytest.mark.parametrize(
    "name",
    [
        "rule:7",
        "random:",
        "perfect:x",
        "first:z",
        "level",
        "level:",
        "level:0",
        "level:11",
        "level:01",
        "level:x",
    ],
)
def test_meaningless_player_argument_is_refused(name: str) -> None:
    with pytest.raises(NotFound):
        new_player(name)
