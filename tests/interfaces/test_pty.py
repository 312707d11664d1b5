"""A real terminal: keys, line editing, Ctrl-C and Ctrl-D, a narrow window."""

import contextlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from noughts.interfaces.presenting.i18n import Phrase
from noughts.text import display_width
from tests.interfaces.harness import DONE, EN, NO, PATIENCE, UNUSABLE, Program, squeezed, text_of
from tests.interfaces.pseudo_terminal import PseudoTerminal

pytestmark = pytest.mark.slow

CONTROL = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[=>]|\x07")
PEOPLE = ("play", "--plain", "--x", "human", "--o", "human", "--names", "Ada,Wei")


class Screen(PseudoTerminal):
    """The terminal as lines of text."""

    @property
    def shown(self) -> str:
        """The output without control sequences."""
        return CONTROL.sub("", self.raw.decode("utf-8", "replace")).replace("\r\n", "\n")

    @property
    def lines(self) -> list[str]:
        return self.shown.splitlines()

    def wait_for(self, text: str, times: int = 1) -> None:
        """Wait until *text* has been shown the given number of times."""
        while squeezed(self.shown).count(squeezed(text)) < times:
            assert self.is_ready(PATIENCE), f"nothing more came: {self.shown}"
            assert self.read(), f"{text!r} was never shown: {self.shown}"

    def enter(self, keys: str, then: str, times: int = 1) -> None:
        """Type a line and wait for the next text."""
        self.type(keys + "\r")
        self.wait_for(then, times)

    def interrupt(self) -> int:
        """Press Ctrl-C until it has an effect, and wait for the end.

        A key between the prompt and the wait for it can be lost. After an effect the program starts a new
        line, and another Ctrl-C could end it in a different way.
        """
        lines = self.shown.count("\n")
        self.type("\x03")
        while True:
            is_heard = self.shown.count("\n") > lines
            if not self.is_ready(PATIENCE if is_heard else 1.0):
                assert not is_heard, "it does not end"
                self.type("\x03")
            elif not self.read():
                return self.process.wait(PATIENCE)


def screen(program: Program, *arguments: str, columns: int = 80) -> contextlib.AbstractContextManager[Screen]:
    return Screen.opened(program, *arguments, size=(columns, 24))


def prompt(name: str, mark: str) -> str:
    return EN("prompt-cell", player=EN("player-with-mark", name=name, mark=mark), first=1, last=9)


def games(program: Program) -> list[dict[str, Any]]:
    """Return the saved games in the order in which they were played."""
    result: list[dict[str, Any]] = json.loads(program.run("history", "--json").output)["games"]
    return result[::-1]


def test_terminal_plays_game_of_two_people(program: Program) -> None:
    with screen(program, *PEOPLE) as shown:
        shown.wait_for(prompt("Ada", "X"))
        shown.enter("1", prompt("Wei", "O"))
        shown.enter("5", prompt("Ada", "X"), 2)
        shown.enter("2", prompt("Wei", "O"), 2)
        shown.enter("9", prompt("Ada", "X"), 3)
        shown.enter("3", EN("ask-review"))
        shown.type("\r")
        assert shown.finish() == DONE
        assert EN.plural("wins-row", 5, winner="Ada", number=1, cells=Phrase("cells", "1 2 3")) in shown.shown
        assert "│" in shown.shown
    assert games(program)[0]["moves"] == ["1", "5", "2", "9", "3"]


@pytest.mark.parametrize("answer", ["y", "", "q"])
def test_terminal_offers_review_after_game(program: Program, answer: str) -> None:
    """The review equals that of ``replay --review``; leaving it leaves a saved game."""
    with screen(program, *PEOPLE) as shown:
        shown.wait_for(prompt("Ada", "X"))
        for number, cell in enumerate("1253"):
            name, mark = (("Wei", "O"), ("Ada", "X"))[number % 2]
            shown.enter(cell, prompt(name, mark), (number + 1) // 2 + 1)
        shown.enter("9", EN("ask-review"))
        shown.type(f"{answer}\r\r")
        assert shown.finish() == DONE
        text = program.run("replay", "1", "--review").output.split("\n")
        points = [line for line in text if line.startswith("Move ")]
        assert points
        assert [squeezed(point) in squeezed(shown.shown) for point in points] == [answer == "y"] * len(points)
    assert [game["winner"] for game in games(program)] == ["X"]


def test_review_allows_playing_on(program: Program) -> None:
    """X missed a win. Continued from that move, X wins at once, and the game does not count."""
    with screen(program, *PEOPLE) as shown:
        shown.wait_for(prompt("Ada", "X"))
        for number, cell in enumerate("12534"):
            name, mark = (("Wei", "O"), ("Ada", "X"))[number % 2]
            shown.enter(cell, prompt(name, mark), (number + 1) // 2 + 1)
        shown.enter("r", EN("ask-review"))
        shown.enter("y", EN("ask-play-on-named", numbers=["2", "5"]))
        shown.enter("12", EN("usage-whole-number-range", first=1, last=5))
        shown.enter("5", EN("begins", name="Ada", mark="X"), 2)
        shown.enter("9", EN("ask-review"), 2)
        shown.type("\r")
        assert shown.finish() == DONE
        assert squeezed(EN("web-play-on-about")) in squeezed(shown.shown)
    first, second = games(program)
    assert (first["winner"], second["winner"]) == ("X", "X")
    assert second["moves"] == ["9"]
    with screen(program, "replay", "1", "--review") as shown:
        shown.wait_for(EN("ask-play-on-named", numbers=["2", "5"]))
        shown.type("\r")
        assert shown.finish() == DONE
    scores = json.loads(program.run("scores", "--json").output)["players"]
    assert [(one["name"], one["wins"]) for one in scores] == [("Ada", 1), ("Wei", 0)]


def test_saved_game_continues_against_computer(program: Program) -> None:
    typed = text_of(["1", "5", "2", "9", "3"])
    assert program.run(*PEOPLE, typed=typed).status == DONE
    with screen(program, "replay", "1", "--from", "3") as shown:
        shown.wait_for(EN("ask-pairing"))
        shown.enter("2", EN("ask-computer", most=10))
        shown.enter("random", EN("ask-first"))
        shown.enter("", EN("person-first", mark="O"))
        shown.enter("Bo", EN("ask-series"))
        shown.enter("", EN("begins", name="Bo", mark="O"))
        shown.enter("3", prompt("Bo", "O"), 2)
        shown.type("q\r")
        assert shown.finish() == DONE
    stored = games(program)[1]
    assert stored["moves"][0] == "3"
    assert stored["players"] == {"X": "random", "O": "Bo"}


def test_line_can_be_edited(program: Program) -> None:
    with screen(program, *PEOPLE) as shown:
        shown.wait_for(prompt("Ada", "X"))
        shown.enter("99\x7f\x7f5", prompt("Wei", "O"))
        shown.type("q\r")
        assert shown.finish() == DONE
    assert games(program)[0]["moves"] == ["5"]


def test_enter_skips_pause_of_computer(program: Program) -> None:
    computers = ("play", "--plain", "--x", "random", "--o", "random", "--seed", "1", "--keep")
    with screen(program, *computers) as shown:
        for _ in range(9):
            shown.type("\r")  # Each key skips one pause; an early one waits for the next.
        assert shown.finish() == DONE
        assert "Traceback" not in shown.shown
    assert games(program)[0]["termination"] in ("line", "full")


def test_ctrl_c_keeps_the_game(program: Program) -> None:
    with screen(program, *PEOPLE) as shown:
        shown.wait_for(prompt("Ada", "X"))
        shown.enter("5", prompt("Wei", "O"))
        assert shown.interrupt() == DONE
        assert shown.lines[-1] == EN("left-kept")
        assert "Traceback" not in shown.shown
    assert [(game["moves"], game["termination"]) for game in games(program)] == [(["5"], None)]


def test_ctrl_c_before_computer_move_keeps_game(program: Program) -> None:
    with screen(program, "play", "--plain", "--x", "human", "--o", "random") as shown:
        shown.wait_for("your move")
        shown.enter(
            "5",
            EN(
                "plays",
                player=EN("player-with-mark", name=EN("default-name"), mark="X"),
                move=Phrase("cell", "5"),
            ),
        )
        assert shown.interrupt() == DONE
        assert shown.lines[-1] == EN("left-kept")
        assert "Traceback" not in shown.shown
    assert games(program)[0]["moves"][0] == "5"


def test_ctrl_d_keeps_the_game(program: Program) -> None:
    with screen(program, *PEOPLE) as shown:
        shown.wait_for(prompt("Ada", "X"))
        shown.enter("5", prompt("Wei", "O"))
        shown.type("\x04")
        assert shown.finish() == NO
        assert shown.lines[-1] == EN("left-kept")
    assert games(program)[0]["moves"] == ["5"]


def test_undecodable_input_is_refused(program: Program) -> None:
    with screen(program, *PEOPLE) as shown:
        shown.wait_for(prompt("Ada", "X"))
        for times, keys in enumerate((b"\xff\xfe", b"\xc3", b"\x00", b"5\xff", b"\x80\x9b2J"), 2):
            shown.type(keys + b"\r")
            shown.wait_for("your move", times)
        shown.type("q\r")
        assert shown.finish() == DONE
        assert "Traceback" not in shown.shown


def test_interrupted_game_can_be_resumed(program: Program) -> None:
    with screen(program, *PEOPLE) as shown:
        shown.wait_for(prompt("Ada", "X"))
        shown.enter("1", prompt("Wei", "O"))
        shown.enter("5", prompt("Ada", "X"), 2)
        assert shown.interrupt() == DONE
    with screen(program, "play", "--plain") as shown:
        shown.wait_for(EN("ask-resume", game="Tic-tac-toe", names=("Ada", "Wei"), ply=2))
        shown.enter("y", prompt("Ada", "X"))
        shown.enter("2", prompt("Wei", "O"))
        shown.enter("9", prompt("Ada", "X"), 2)
        shown.enter("3", EN("ask-review"))
        shown.type("\r")
        assert shown.finish() == DONE
        assert EN.plural("wins-row", 5, winner="Ada", number=1, cells=Phrase("cells", "1 2 3")) in shown.shown
    assert [(game["moves"], game["winner"]) for game in games(program)] == [(["1", "5", "2", "9", "3"], "X")]


def test_pipe_gets_no_offer_to_resume(program: Program) -> None:
    with screen(program, *PEOPLE) as shown:
        shown.wait_for(prompt("Ada", "X"))
        shown.enter("1", prompt("Wei", "O"))
        shown.type("q\r")
        assert shown.finish() == DONE
    piped = program.process("play", typed=b"q\n")
    assert (piped.status, piped.errors) == (DONE, "")
    assert EN("ask-resume", game="Tic-tac-toe", names=("Ada", "Wei"), ply=1) not in piped.output


@pytest.mark.parametrize("game", ["gomoku", "fifteen"])
def test_boards_fit_20_columns(program: Program, game: str) -> None:
    other = [] if game == "fifteen" else ["--o", "human"]
    with screen(program, "play", game, "--plain", "--x", "human", *other, columns=20) as shown:
        shown.wait_for("q to leave")
        shown.type("q\r")
        assert shown.finish() == DONE
    before = shown.shown.partition("your")[0].split("\n")[:-1]
    board = [line.rstrip() for line in before if "begins" not in line]
    assert sum(map(bool, board)) >= 3
    assert max(map(display_width, board)) <= 20


def test_unusable_database_gives_no_traceback(program: Program, tmp_path: Path) -> None:
    with screen(program.under(NOUGHTS_DB=str(tmp_path)), *PEOPLE) as shown:
        shown.type("5\r")
        assert shown.finish() == UNUSABLE
        assert "Traceback" not in shown.shown
        shown.wait_for(EN("store-reason-is-a-folder"))
