"""The program in a real terminal: it writes only known sequences and visible text."""

import os
import re
from time import monotonic, sleep
from typing import Any
from unittest.mock import patch

import pytest

from noughts.arena.events import Event, EventKind
from noughts.arena.series import Begins
from noughts.arena.setup import SeriesSetup, Setup
from noughts.interfaces.tui.widgets.signals import end_without_terminal
from noughts.text import display_width, safe_text
from tests.interfaces.harness import DONE, EN, PATIENCE, UNUSABLE, Program
from tests.interfaces.pseudo_terminal import PseudoTerminal, pty, termios
from tests.stand_ins import open_series

pytestmark = pytest.mark.slow

HOSTILE = (
    "A\x1b[31mred\x1b[2J",
    "B\x1b]52;c;aGFja2Vk\x07",
    "C\u202egnp.exe\u2066",
    "D\x9b5m\x9d0;title\x9c",
    "E\x1bP+q544e\x1b\\\x07",
    "F\r\n\x08\x00G",
)
"""Hostile names that a database file may contain."""

CLICKABLE = "G[@click=app.quit]H[/]"

SEQUENCE = re.compile(
    r"\x1b\[(?P<csi>[0-?]*[ -/]*[@-~])"
    r"|\x1b\](?P<osc>[^\x07\x1b]*)(?:\x07|\x1b\\)"
    r"|\x1b(?P<string>[P_^X])[^\x1b]*\x1b\\"
    r"|\x1b(?P<other>[ -/]*[0-~])"
)

ALLOWED_CSI = re.compile(
    r"\d*m|[\d;]+m"  # The look of characters.
    r"|\d+;\d+H|H"  # Positions.
    r"|\?(?:1000|1003|1004|1006|1015|1016|1049|2004|2026|2027|2031|2048|25|7|996)[hl]"  # Modes.
    r"|\?(?:2026|2048)\$p|\?996n|>1u|<u|>[\d;]*u|=[\d;]*u|\?u|c|>q|14t|16t|18t"  # Requests to the terminal.
    r"|\d* q|\d*[ABCDJKG]"
)
ALLOWED_OSC = ("22;default", "22;pointer", "22;text")
"""Shapes of the mouse pointer."""

COLOUR = re.compile(r"(?:^|;)(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;|$)")


class Captured(PseudoTerminal):
    """A terminal that records every byte."""

    @property
    def text(self) -> str:
        """The output as the terminal decodes it."""
        return self.raw.decode("utf-8", "replace")

    @property
    def shown(self) -> str:
        """All written characters without sequences."""
        return SEQUENCE.sub("", self.text)

    @property
    def picture(self) -> str:
        """The content of the screen, made of partial updates."""
        rows: dict[int, dict[int, str]] = {}
        x = y = at = 0
        for match in [*SEQUENCE.finditer(self.text), None]:
            for character in self.text[at : match.start() if match else None]:
                x, y = (0, y + 1) if character == "\n" else (x, y)
                if character not in "\r\n":
                    rows.setdefault(y, {})[x] = character
                    x += display_width(character)
            if match is not None:
                at = match.end()
                if match["csi"] and match["csi"].endswith("H"):
                    y, x = (int(part) - 1 for part in (match["csi"][:-1] or "1;1").split(";"))
        return "\n".join("".join(row[x] for x in sorted(row)) for _, row in sorted(rows.items()))

    def wait_for(self, text: str) -> None:
        """Wait until *text* is visible."""
        while text not in self.shown and text not in self.picture:
            assert self.is_ready(PATIENCE), f"{text!r} was never shown: {self.shown!r}"
            assert self.read(), f"it ended without {text!r}: {self.shown!r}"

    def wait_until_calm(self) -> None:
        """Wait until nothing more is written."""
        deadline = monotonic() + PATIENCE
        while self.is_ready(0.6) and self.read():
            assert monotonic() < deadline, f"it never comes to rest: {self.raw[-2000:]!r}"


def assert_clean(captured: Captured) -> None:
    """Check that there are only Textual's own sequences and visible characters."""
    for match in SEQUENCE.finditer(captured.text):
        csi = match["csi"]
        if match["osc"] in ALLOWED_OSC:
            continue
        assert csi is not None, f"not of ours: {match[0]!r}"
        assert ALLOWED_CSI.fullmatch(csi), f"not of ours: {match[0]!r}"
    strange = [c for c in captured.shown if c not in "\r\n" and safe_text(c) != c]
    assert strange == [], captured.shown


def assert_restored(captured: Captured) -> None:
    """Check that the terminal is restored: usual screen, cursor, no mouse, line editing."""
    for mode, off in (("1049", "l"), ("25", "h"), ("1000", "l"), ("1003", "l"), ("1006", "l"), ("2004", "l")):
        switched = re.findall(rf"\x1b\[\?{mode}([hl])", captured.text)
        assert not switched or switched[-1] == off, mode
    assert "\x1b[?1049h" in captured.text
    assert captured.modes_now()[3] & (termios.ECHO | termios.ICANON) == captured.modes[3] & (
        termios.ECHO | termios.ICANON
    )


def hostile_games(program: Program) -> None:
    """Save an interrupted series between two hostile names, and finished games of others."""
    with program.store() as store, patch("noughts.arena.series.check_name", lambda name: name):
        for one, two in zip(HOSTILE, reversed(HOSTILE), strict=True):
            ended = store.add_game(Setup("tictactoe", {"X": one, "O": two}, who={"X": "human", "O": "human"}))
            data = {"winner": "O", "termination": "resignation"}
            store.append(ended, [Event(1, 1, EventKind.END, "X", data)])
        names = (HOSTILE[0], HOSTILE[1])
        series = store.add_series(SeriesSetup("tictactoe", names, Begins.ALTERNATE, 1))
        setup = Setup(
            "tictactoe",
            {"X": names[0], "O": names[1]},
            series=series,
            created=1,
            who={"X": "human", "O": "human"},
        )
        number = store.add_game(setup)
        store.append(number, [Event(1, 1, EventKind.MOVE, "X", {"move": "5"})])


def hostile_single(program: Program, one: str, two: str) -> None:
    """Save a single interrupted game of players with these names."""
    with program.store() as store:
        setup = Setup("tictactoe", {"X": one, "O": two}, created=1, who={"X": "human", "O": "human"})
        number = store.add_game(setup)
        store.append(number, [Event(1, 1, EventKind.MOVE, "X", {"move": "5"})])


PLAY = ("play", "tictactoe", "--x", "human", "--o", "human", "--names", "Ada,Wei")


@pytest.mark.parametrize("is_series", [True, False])
def test_hostile_names_in_the_database_reach_no_terminal(program: Program, is_series: bool) -> None:
    if is_series:
        hostile_games(program)
    else:
        hostile_single(program, HOSTILE[1], CLICKABLE + HOSTILE[2])
    with Captured.opened(program, size=(100, 30)) as captured:
        captured.wait_for("F1")
        captured.type("c")  # Continue the game if that is possible.
        captured.wait_until_calm()
        captured.type("1")
        captured.wait_until_calm()
        captured.type("q")
        captured.wait_until_calm()
        captured.type("q")
        assert captured.finish() == DONE
        assert_clean(captured)
        assert_restored(captured)
        assert "aGFja2Vk" not in captured.text or "\\x1b]52" in captured.shown


@pytest.mark.parametrize("name", HOSTILE[:5:2])
def test_hostile_names_on_the_command_line_are_refused(program: Program, name: str) -> None:
    with Captured.opened(program, *PLAY[:-1], f"{name},Wei") as captured:
        assert captured.finish() == UNUSABLE
        assert "\x1b" not in captured.text
        assert all(safe_text(c) == c for c in captured.text if c not in "\r\n")


def test_real_terminal_gets_colours(program: Program) -> None:
    with Captured.opened(program.under(TERM="xterm-256color", COLORTERM="truecolor"), *PLAY) as captured:
        captured.wait_for(EN("is-to-move", player="Ada"))
        captured.type("14253")
        captured.wait_for(EN("wins", winner="Ada").rstrip("."))
        captured.type("q")
        assert captured.finish() == DONE
        assert_clean(captured)
        assert_restored(captured)
        assert captured.text.rstrip().endswith(EN("left"))
        assert "\x1b[38;2;" in captured.text or ";38;2;" in captured.text
    with program.store() as store:
        (stored,) = store.games()
        assert stored.result is not None
        assert stored.result.winner == "X"


def test_no_color_disables_colours(program: Program) -> None:
    with Captured.opened(
        program.under(NO_COLOR="1", TERM="xterm-256color", COLORTERM="truecolor"), *PLAY
    ) as captured:
        captured.wait_for(EN("is-to-move", player="Ada"))
        for keys in (
            "51?tv",
            "gb",
            "\x1b",
            "\x10hi",
            "\x1b",
            "q",
        ):  # Fields and lists, which Textual draws, have none either.
            captured.type(keys)
            captured.wait_until_calm()
        assert captured.finish() == DONE
        looks = [match["csi"] for match in SEQUENCE.finditer(captured.text) if match["csi"]]
        coloured = {csi for csi in looks if csi.endswith("m") and COLOUR.search(csi[:-1])}
        assert coloured == set()
        assert {csi for csi in looks if csi.endswith("m")} > {"0m"}  # Bold and reverse remain.
        assert captured.text.rstrip().endswith(EN("left-kept"))
        assert_clean(captured)


@pytest.mark.parametrize("size", [(1, 1), (300, 100)])
def test_windows_of_any_size(program: Program, size: tuple[int, int]) -> None:
    with Captured.opened(program, *PLAY, size=size) as captured:
        while "\x1b[?1049h" not in captured.text:
            assert captured.is_ready(PATIENCE)
            assert captured.read()
        for keys in ("5", "q"):
            captured.wait_until_calm()  # A tiny window shows no text when it is ready.
            captured.type(keys)
        assert captured.finish() == DONE
        assert "Traceback" not in captured.text
        assert_restored(captured)
    with program.store() as store:
        assert [stored.replay().game.ply for stored in store.games()] == [1]


@pytest.mark.parametrize("signal_name", ["SIGTERM"])
def test_signal_to_end_loses_nothing(program: Program, signal_name: str) -> None:
    import signal

    with Captured.opened(program, *PLAY) as captured:
        captured.wait_for(EN("is-to-move", player="Ada"))
        captured.type("5")
        captured.wait_for(EN("is-to-move", player="Wei"))
        captured.process.send_signal(getattr(signal, signal_name))
        captured.finish()
        assert "Traceback" not in captured.text
    with program.store() as store:
        assert [stored.replay().game.ply for stored in store.games()] == [1]


@pytest.mark.parametrize("signal_name", ["SIGHUP"])
def test_lost_connection_keeps_the_series(program: Program, signal_name: str) -> None:
    import signal

    with Captured.opened(program, *PLAY, "--series") as captured:
        captured.wait_for(EN("is-to-move", player="Ada"))
        captured.type("14253")
        captured.wait_for(EN("wins", winner="Ada").rstrip("."))
        captured.process.send_signal(getattr(signal, signal_name))
        captured.finish()
    with program.store() as store:
        assert open_series(store) is not None


def test_blocked_terminal_does_not_hold_the_program(program: Program) -> None:
    import signal

    with Captured.opened(program, *PLAY, size=(200, 60)) as captured:
        captured.wait_for(EN("is-to-move", player="Ada"))
        captured.type("5" + "\x1bOQ" * 200)  # F2 repaints everything until the pipe is full.
        sleep(1.0)
        captured.process.send_signal(signal.SIGHUP)
        captured.process.wait(PATIENCE)
    with program.store() as store:
        assert [stored.replay().game.ply for stored in store.games()] == [1]


@pytest.mark.parametrize("is_controlling", [False])
def test_closed_window_ends_the_program(program: Program, is_controlling: bool) -> None:
    """The program also ends if the system sends no signal. It used to wait for keys forever."""
    with Captured.opened(program, *PLAY, is_controlling=is_controlling) as captured:
        captured.wait_for(EN("is-to-move", player="Ada"))
        captured.type("5")
        captured.wait_for(EN("is-to-move", player="Wei"))
        captured.hang_up()
        captured.process.wait(PATIENCE)
    with program.store() as store:
        assert [stored.replay().game.ply for stored in store.games()] == [1]


def test_terminal_gone_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    signals_sent: list[int] = []
    monkeypatch.setattr("signal.raise_signal", signals_sent.append)
    ours, theirs = pty.openpty()
    with os.fdopen(theirs) as keys:
        for stream, is_gone in ((None, False), (keys, False), (keys, True)):
            monkeypatch.setattr("sys.__stdin__", stream)
            if is_gone:
                os.close(ours)
            end_without_terminal()
            assert bool(signals_sent) is is_gone


def test_continue_signal_without_stop_does_nothing(program: Program) -> None:
    import signal

    with Captured.opened(program, *PLAY) as captured:
        captured.wait_for(EN("is-to-move", player="Ada"))
        captured.wait_until_calm()
        before = captured.raw
        captured.process.send_signal(signal.SIGCONT)
        captured.wait_until_calm()
        assert captured.raw == before
        captured.type("q")
        assert captured.finish() == DONE


@pytest.mark.parametrize("arguments", [(), PLAY])
def test_unusable_database_is_reported_outside(program: Program, arguments: tuple[str, ...]) -> None:
    """The gallery is left with this message, and no game starts."""
    program.database.write_bytes(b"no database " * 99)
    usual = program.run("scores")
    with Captured.opened(program, *arguments) as captured:
        assert captured.finish() == usual.status
        assert captured.text.rstrip().endswith(usual.errors.splitlines()[-1])
        if arguments:
            assert "\x1b[?1049h" not in captured.text
        else:
            assert_restored(captured)


def test_dumb_terminal_gets_plain_lines(program: Program) -> None:
    with Captured.opened(program.under(TERM="dumb"), *PLAY) as captured:
        captured.wait_for("your move")
        captured.type("q\r")
        assert captured.finish() == DONE
        assert "\x1b" not in captured.text


def test_output_without_terminal_is_plain(program: Program) -> None:
    ran = program.process(*PLAY, typed=b"5\nq\n")
    assert (ran.status, ran.errors) == (DONE, "")
    assert "\x1b" not in ran.output
    assert EN("left-kept") in ran.lines


def test_sequence_parser_knows_foreign_sequences() -> None:
    """The checks above can fail."""
    captured: Any = type("Fake", (), {})()
    for raw in ("\x1b]52;c;aGFja2Vk\x07", "\x1bP1\x1b\\", "\x1b[5n", "\u202e", "\x9b1m", "\x1bc"):
        captured.text, captured.shown = raw, SEQUENCE.sub("", raw)
        with pytest.raises(AssertionError):
            assert_clean(captured)
    captured.text = captured.shown = "A╳○ 小林\r\n"
    assert_clean(captured)
