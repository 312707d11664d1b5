"""Players by name: built-in ones are seated here, all others are external programs."""

import os
import sys
from pathlib import Path
from random import Random

import pytest

from noughts import Limit, new_game
from noughts.errors import NotFound, PlayerAtFault, SandboxMissing, SandboxRefused, UnsupportedRules
from noughts.workers import seating
from noughts.workers.programs import sandbox
from noughts.workers.programs.bot_list import Bot, save_bots
from noughts.workers.programs.bot_player import BotPlayer
from noughts.workers.seating import is_ours, new_player, player_names

PLUG_IN = """
import os
from noughts import Player

class Last(Player):
    def __init__(self, chance=None):
        self.chance = chance
    def choose(self, game, limit):
        print("not for the terminal")
        return game.legal_moves()[-1] if self.chance is None else self.chance.choice(game.legal_moves())

def leaving(argument, chance):
    os._exit(3)

def lucky(argument, chance):
    return Last(chance)
"""

ENTRIES = (
    "[noughts.players]\nlast = plugged_in:Last\nleaving = plugged_in:leaving\nlucky = plugged_in:lucky\n"
)

BOT = """
import sys
for line in sys.stdin:
    word, *rest = line.split()
    if word == "noughts": print("ready 1", flush=True)
    elif word == "go": print("move", rest[0], 5, flush=True)
    elif word == "quit": break
    else: print("ok", flush=True)
"""


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.fixture
def plug_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plugged_in.py").write_text(PLUG_IN)
    about = tmp_path / "plugged_in-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: plugged-in\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(ENTRIES)
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.slow
@pytest.mark.usefixtures("plug_in")
def test_external_players_are_programs(capfd: pytest.CaptureFixture[str]) -> None:
    game = new_game("tictactoe")
    player = new_player("last")
    assert isinstance(player, BotPlayer)
    assert player.choose(game, Limit()) == (2, 2)
    player.close()
    assert "plugged_in" not in sys.modules
    assert capfd.readouterr().out == ""
    one, two = (new_player("lucky:x", Random(7)).choose(new_game("gomoku"), Limit()) for _ in range(2))
    assert one == two
    assert new_player("lucky").choose(game, Limit()) in game.legal_moves()
    with pytest.raises(PlayerAtFault, match="exit status 3"):
        new_player("leaving").take_seat(game)
    with pytest.raises(NotFound):
        new_player("last:x").take_seat(game)
    assert {"last", "leaving"} <= set(player_names())


def test_built_in_players_are_seated_here() -> None:
    assert is_ours("level:3")
    assert not isinstance(new_player("level:3"), BotPlayer)
    assert not is_ours("bot:x")
    for name in ("nobody", "level:99", "bot:nobody", "bot:", ""):
        with pytest.raises(NotFound):
            new_player(name)


def test_bots_are_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own").mkdir()
    script = tmp_path / "own" / "bot.py"
    script.write_text(BOT)
    command = (sys.executable, str(script))
    save_bots({"a": Bot("a", command, trust=True), "b": Bot("b", command, options={"x": "1"})})
    assert list(player_names())[-2:] == ["bot:a", "bot:b"]
    assert list(player_names(["b"]))[-1:] == ["bot:b"]
    assert new_player("bot:a").choose(new_game("tictactoe"), Limit()) == (1, 1)
    fence = sandbox.find_sandbox()
    if not isinstance(fence, str):
        assert new_player("bot:b").choose(new_game("tictactoe"), Limit()) == (1, 1)
    monkeypatch.setattr(sandbox, "find_sandbox", lambda: "bwrap: barred")
    with pytest.raises(SandboxMissing) as caught:
        new_player("bot:b")
    assert caught.value.reason == "bwrap: barred"


def test_bot_with_an_unshowable_path_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot is refused at seating, and again at the start, since links may be made meanwhile."""
    monkeypatch.setattr(sandbox, "find_sandbox", lambda: sandbox.Sandbox("bwrap"))
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "book").touch()
    bot = Bot("a", (sys.executable, str(tmp_path / "own" / "book")))
    player = seating.seat_bot(bot)
    (tmp_path / "own" / "book").unlink()
    (tmp_path / "own" / "book").symlink_to(tmp_path)
    for act in (lambda: player.take_seat(new_game("tictactoe")), lambda: seating.seat_bot(bot)):
        with pytest.raises(SandboxRefused) as caught:
            act()
        facts = (caught.value.name, caught.value.path, caught.value.reason)
        assert facts == ("bot:a", str(tmp_path / "own" / "book"), "link")


def test_unreadable_list_hides_no_players(tmp_path: Path) -> None:
    (tmp_path / "noughts").mkdir()
    (tmp_path / "noughts" / "bots.toml").write_text("no toml")
    assert "rule" in player_names()
    assert not any(name.startswith("bot:") for name in player_names())


def test_passwords_are_not_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_DB", "postgresql://ada:secret@localhost/noughts")
    monkeypatch.setenv("NOUGHTS_CERTIFICATES", os.devnull)
    monkeypatch.setattr(seating, "entry_points", lambda group: [type("Point", (), {"name": "x"})])
    start = new_player("x")._start  # type: ignore[attr-defined]
    assert start.environ == {"NOUGHTS_CERTIFICATES": os.devnull}
    with pytest.raises(NotFound):
        new_player("y")
    with pytest.raises(UnsupportedRules):
        new_player("perfect").take_seat(new_game("fifteen"))
