"""Tests of games of other packages: they are found, offered, or excluded without hiding others."""

import subprocess
import sys
from importlib.abc import MetaPathFinder
from importlib.metadata import PathDistribution
from pathlib import Path
from shutil import make_archive
from typing import Any

import pytest

from noughts import new_game
from noughts.errors import GameLeftOut, NotFound
from noughts.games.catalogue import CATALOGUE, all_entries, find_entry, game_names, name_of, sample
from noughts.games.entry_points import entry_points
from noughts.games.plugins import all_plugins, find_plugin, loaded_plugins
from noughts.players.base import player_names

MODULE = """
from dataclasses import replace
from noughts.games.entry import Entry
from noughts.games.kinarow import KInARow
from noughts.games.reversi import Reversi
from noughts.games.rules import Rules


class Small(KInARow):
    @property
    def name(self):
        return "small"


class Unfit(Reversi):
    NAME = "unfit"


def make(chance, sides):
    return Small(Rules(shape=(2, 2), k=2, marks=sides))


small = Entry("small", make=make, rank=15, sample="1 4")
other = replace(small, name="another")
called = replace(small, name="called")
unfit = Entry("unfit", make=lambda chance, sides: Unfit(), sample="38 38")
spec = Entry("spec", spec="3x3:3,gravity")
number = 5
"""

FAULTY = """
from pathlib import Path


class Faulty(KInARow):
    name = "faulty"


class Unhashable(type(Path())):
    __hash__ = None
"""

ENTRY_POINTS = """
[noughts.games]
small = announced_games:small
called = announced_games:called
other = announced_games:other
unfit = announced_games:unfit
spec = announced_games:spec
number = announced_games:number
missing = announced_games:missing
leaving = announced_leaving:game
closing = announced_closing:game
own = announced_own:game
keys = announced_keys:game
gomoku = announced_games:small
Upper = announced_games:small
3x3 = announced_games:small
"""

RAISING = {
    "leaving": "raise SystemExit(3)",
    "closing": "raise GeneratorExit",
    "own": "class Own(BaseException): pass\nraise Own('no Exception')",
    "keys": "raise KeyboardInterrupt",
    "long": "import signal\nsignal.raise_signal(signal.SIGINT)",
}
"""Modules that raise at import. The last one is interrupted by Ctrl-C."""

WHY = {
    "called": "ValueError: called 'called', 'called' and 'small'",
    "other": "ValueError: called 'other', 'another' and 'small'",
    "unfit": (
        "NotationError: not a move: '38', cannot be played "
        "(number 2, cause OccupiedCell('(4, 5) is occupied; legal m...)"
    ),
    "spec": "TypeError: make gives NoneType: no Game",
    "number": "TypeError: int: no Entry",
    "missing": "AttributeError: module 'announced_games' has no attribute 'missing'",
    "leaving": "SystemExit: 3",
    "closing": "GeneratorExit",
    "own": "Own: no Exception",
    "keys": "KeyboardInterrupt",
}


def install(folder: Path, package: str, points: str) -> None:
    """Put the package on the path of Python, as if it were installed."""
    about = folder / f"{package}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(points)


@pytest.fixture
def announced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install two packages with games, most of which cannot be offered."""
    (tmp_path / "announced_games.py").write_text(MODULE)
    for module, text in RAISING.items():
        (tmp_path / f"announced_{module}.py").write_text(text)
    install(tmp_path, "announced-games", ENTRY_POINTS)
    install(tmp_path, "more-games", "[noughts.games]\nsmall = announced_games:other\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "announced_games", raising=False)


@pytest.mark.usefixtures("announced")
def test_plugin_game_is_like_ours() -> None:
    game = new_game("small", marks=("O", "X"))
    assert (game.name, game.sides, name_of(game)) == ("small", ("O", "X"), "small")
    assert [message.ply for message in (sample("small"), new_game("small"))] == [2, 0]
    entry = find_entry("small")
    assert entry is not None
    assert loaded_plugins() == (entry,)
    assert [other.name for other in all_entries()[2:4]] == ["connect4", "small"]  # by its rank
    assert len(all_entries()) == len(CATALOGUE) + 1


@pytest.mark.usefixtures("announced")
def test_unusable_plugin_is_reported_and_hides_nothing() -> None:
    entries, left_out = all_plugins()
    assert [entry.name for entry in entries] == ["small"]
    reports = {(error.name, error.package): (error.reason, error.words) for error in left_out}
    assert reports == {
        ("gomoku", "announced-games"): ("name-taken", ""),
        ("small", "more-games"): ("name-taken", ""),
        ("Upper", "announced-games"): ("name-unusable", ""),
        ("3x3", "announced-games"): ("name-unusable", ""),
        **{(name, "announced-games"): ("failed", why) for name, why in WHY.items()},
    }


@pytest.mark.usefixtures("announced")
@pytest.mark.parametrize("name", WHY)
def test_unusable_plugin_is_refused_with_reason(name: str) -> None:
    for _ in range(2):
        with pytest.raises(GameLeftOut) as refused:
            new_game(name)
        assert refused.value.words == WHY[name]
    assert find_entry(name) is None


@pytest.mark.parametrize(
    ("field", "why"),
    [
        ("spec=3", "spec=3"),
        ("shelf='nowhere'", "shelf='nowhere'"),
        ("rank='a'", "rank='a'"),
        ("rank=None", "rank=None"),
        ("value=1", "value=1"),
        ("start=b''", "start=b''"),
        ("sample=('1', '4')", "sample=('1', '4')"),
        ("locales='locales'", "locales='locales'"),
        ("locales=Unhashable()", "unhashable type: 'Unhashable'"),
    ],
)
@pytest.mark.usefixtures("announced")
def test_plugin_with_unusable_field_is_excluded(tmp_path: Path, field: str, why: str) -> None:
    module = tmp_path / "announced_games.py"
    entry = f"faulty = Entry('faulty', make=lambda chance, sides: Faulty(Rules(shape=(2, 2), k=2)), {field})"
    module.write_text(f"{MODULE}\n{FAULTY}\n{entry}")
    install(tmp_path, "faulty-games", "[noughts.games]\nfaulty = announced_games:faulty\n")
    with pytest.raises(GameLeftOut) as refused:
        new_game("faulty")
    assert refused.value.words == f"TypeError: {why}"
    assert "small" in [entry.name for entry in all_entries()]


@pytest.mark.parametrize(
    ("says", "why"),
    [
        ("layout = property(lambda self: 1 / 0)", "layout: ZeroDivisionError: division by zero"),
        ("layout = None", "layout: None is not a Layout"),
        ("annotations = lambda self: {}", "annotations: {} is not an Annotations"),
        ("rule_text = ('rules',)", "rule_text: 'rules' is not a Message"),
        ("terminations = (1,)", "terminations: (1,) is not a tuple of str"),
        ("end_text = lambda self, outcome: 'won'", "end_text: 'won' is not a Message"),
        (
            "legal_moves = lambda self: self.nothing",
            "legal_moves: AttributeError: 'Faulty' object has no attribute 'nothing'",
        ),
        (
            "weight = lambda self, move: move.nothing",
            "weight: AttributeError: 'tuple' object has no attribute 'nothing'",
        ),
        ("key = lambda self: []", "key: [] is not a Hashable"),
    ],
)
@pytest.mark.usefixtures("announced")
def test_plugin_that_cannot_be_drawn_is_excluded(tmp_path: Path, says: str, why: str) -> None:
    module = tmp_path / "announced_games.py"
    game = f"class Faulty(KInARow):\n    name = 'faulty'\n    {says}"
    make = "lambda chance, sides: Faulty(Rules(shape=(2, 2), k=2))"
    module.write_text(f"{MODULE}\n{game}\nfaulty = Entry('faulty', make={make}, sample='1 2 3')")
    install(tmp_path, "faulty-games", "[noughts.games]\nfaulty = announced_games:faulty\n")
    with pytest.raises(GameLeftOut) as refused:
        new_game("faulty")
    assert (refused.value.words, refused.value.package) == (why, "faulty-games")
    assert "small" in [entry.name for entry in all_entries()]


@pytest.mark.usefixtures("announced")
def test_unreadable_package_hides_nothing(tmp_path: Path) -> None:
    install(tmp_path, "wrong", "[noughts.games]\nno equals sign\n")
    install(tmp_path, "unheard", "[games.of.others]\nno equals sign\n")
    for package in ("undecodable", "nameless"):
        install(tmp_path, package, "")
        (tmp_path / f"{package}-1.0.dist-info" / "entry_points.txt").write_bytes(
            b"[noughts.games]\n\xff=a:b\n"
        )
    (tmp_path / "nameless-1.0.dist-info" / "METADATA").write_bytes(b"\xff")
    entries, left_out = all_plugins()
    assert [entry.name for entry in entries] == ["small"]
    reports = {
        error.package: error.words.partition(":")[0] for error in left_out if error.reason == "unreadable"
    }
    assert reports == {"wrong": "TypeError", "undecodable": "UnicodeDecodeError", "": "UnicodeDecodeError"}
    assert "small" in list(game_names())
    assert list(player_names())


def test_packages_in_archive_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "inside").mkdir()
    install(tmp_path / "inside", "packed-games", "[noughts.games]\nsmall = packed_games:other\n")
    monkeypatch.syspath_prepend(make_archive(str(tmp_path / "packed"), "zip", tmp_path / "inside"))
    assert "small" in [point.name for point in entry_points("noughts.games")]


def test_packages_of_other_finders_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, "hidden-games", "[noughts.games]\nhidden = hidden_games:other\n")

    class Finder(MetaPathFinder):
        """A finder of one package that is not on any path."""

        def find_distributions(self, context: Any = None) -> list[PathDistribution]:
            return [PathDistribution(tmp_path / "hidden-games-1.0.dist-info")]

    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Finder()])
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "nowhere")])
    assert "hidden" in [point.name for point in entry_points("noughts.games")]


@pytest.mark.usefixtures("announced")
def test_ctrl_c_during_import_ends_the_program(tmp_path: Path) -> None:
    install(tmp_path, "long-games", "[noughts.games]\nlong = announced_long:game\n")
    with pytest.raises(KeyboardInterrupt):
        find_plugin("long")


@pytest.mark.usefixtures("announced")
def test_package_may_be_nameless(tmp_path: Path) -> None:
    install(tmp_path, "nameless", "[noughts.games]\nsmall = announced_games:other\n")
    (tmp_path / "nameless-1.0.dist-info" / "METADATA").write_text("")
    assert ("small", "") in [(error.name, error.package) for error in all_plugins()[1]]


@pytest.mark.usefixtures("announced")
def test_plugin_cannot_take_our_names() -> None:
    assert new_game("gomoku").shape == (15, 15)
    assert new_game("3x3").shape == (3, 3)
    assert (find_plugin("3x3"), find_plugin("unheard-of")) == (None, None)
    with pytest.raises(NotFound) as refused:
        new_game("unheard-of")
    assert "small" in refused.value.known


def test_own_names_need_no_package_search() -> None:
    code = (
        "import sys, noughts; from noughts.games.plugins import loaded_plugins\n"
        "noughts.new_game('gomoku'), noughts.new_game('5x5:4,wrap')\n"
        "assert loaded_plugins() == (); assert 'importlib.metadata' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-I", "-S", "-c", _with_path(code)], check=False).returncode == 0


def _with_path(code: str) -> str:
    """Return *code* for a Python that has loaded only the standard modules."""
    return f"import sys; sys.path[:] = {sys.path!r}\n{code}"
