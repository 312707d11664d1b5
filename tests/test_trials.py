"""Additions that need one place, made by tests; ``docs/architecture.md`` lists them."""

import json
import re
import sys
from pathlib import Path

import pytest

from noughts.arena.stored_game import record_of
from noughts.games.openings import OPENINGS, SWAP, Opening, OpeningStep
from noughts.interfaces.presenting.game_plan import PlayOptions
from noughts.records.record import format_record, parse_record
from tests.interfaces.harness import DONE, Program, converse, forget_settings, text_of

ROOT = Path(__file__).parent.parent
PLAYING = "noughts.interfaces.cli.playing"


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    forget_settings(monkeypatch, tmp_path)
    return Program(tmp_path)


def test_new_opening_protocol_is_played_and_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The new protocol is played, saved and recorded: three marks, then the other side may swap."""
    monkeypatch.setitem(OPENINGS, "three-marks", Opening("three-marks", (OpeningStep(3, (SWAP,)),)))
    options = PlayOptions(
        game="5x5:4", who={"X": "human", "O": "human"}, names=("Ada", "Wei"), opening="three-marks"
    )
    answer = converse(["1", "2", "3", "swap", "13", "r"], options)
    (stored,) = answer.store.games()
    record = parse_record(format_record(record_of(stored)))
    assert record.players == {"X": "Wei", "O": "Ada"}
    chosen = {"ply": 3, "by": "Wei", "choice": "swap"}
    assert record.opening == {"protocol": "three-marks", "choices": [chosen]}
    assert record.replay().ply == 4


def test_new_opening_protocol_is_a_play_option(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(OPENINGS, "three-marks", Opening("three-marks", (OpeningStep(3, (SWAP,)),)))
    # Modules keep the protocols that were known when they were loaded: reload them now and afterwards.
    monkeypatch.setitem(sys.modules, PLAYING, None)
    monkeypatch.delitem(sys.modules, PLAYING)
    people = ("--x", "human", "--o", "human", "--names", "Ada,Wei")
    ran = program.run(
        *("play", "5x5:4", *people, "--opening", "three-marks"), typed=text_of(["1", "2", "3", "swap", "q"])
    )
    assert ran.status == DONE
    (game,) = json.loads(program.run("history", "--json").output)["games"]
    assert game["players"] == {"X": "Wei", "O": "Ada"}


def test_architecture_page_names_existing_tests() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    (account,) = re.findall(r"## Extension points\n(.*?)\n## ", text, re.DOTALL)
    named = set(re.findall(r"`((?:src|tests|docs|examples)/[\w./-]+)`", account))
    assert len(named) > 8
    assert sorted(name for name in named if not (ROOT / name).exists()) == []
