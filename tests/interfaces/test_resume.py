"""Interrupted games are offered on a terminal, and continue as before."""

import json
from typing import Any

import pytest

from noughts import new_game
from noughts.arena.commands import Resign
from noughts.arena.match import Match
from noughts.arena.series import Begins
from noughts.arena.setup import SeriesSetup, Setup
from noughts.games.notation import format_move
from noughts.interfaces.presenting.players import player_called
from noughts.interfaces.presenting.titles import title_of
from tests.interfaces.harness import DONE, EN, NO, SAY, Program, RunResult, row, text_of
from tests.stand_ins import open_series

PEOPLE = ("play", "--x", "human", "--o", "human", "--names", "Ada,Wei")
WIN = ["1", "5", "2", "9", "3"]


def offer(
    ply: int, game: str = "tictactoe", names: tuple[str, ...] = ("Ada", "Wei"), language: str = "en"
) -> str:
    say = SAY[language]
    return say("ask-resume", game=title_of(say, game), names=names, ply=ply)


def resume(program: Program, *typed: str, arguments: tuple[str, ...] = ("play", "--plain")) -> RunResult:
    return program.run(*arguments, typed=text_of(typed), is_terminal=True)


def games(program: Program) -> list[dict[str, Any]]:
    """Return the saved games in the order in which they were played."""
    result: list[dict[str, Any]] = json.loads(program.run("history", "--json").output)["games"]
    return result[::-1]


@pytest.fixture
def interrupted(program: Program) -> Program:
    """Return the program after a game that was left after two moves."""
    assert program.run(*PEOPLE, typed=text_of(["1", "5", "q"])).status == DONE
    return program


def test_interrupted_game_is_resumed(interrupted: Program) -> None:
    yes = SAY["ru"]("words-yes").split()[-1]
    ran = resume(interrupted, yes, "2", "9", "3", arguments=("play", "--plain", "--lang", "ru"))
    assert (ran.status, ran.errors) == (DONE, "")
    assert ran.shows(offer(2, language="ru"))
    assert ran.shows(SAY["ru"].plural("wins-row", 5, winner="Ada", number=1, cells=row("1 2 3")))
    (game,) = games(interrupted)
    assert (game["moves"], game["winner"]) == (WIN, "X")
    assert not resume(interrupted, "q").shows(offer(5))


def test_resume_offer_labels_the_computer(program: Program) -> None:
    """The offer was once "connect4, Ada, level:3"."""
    computer = ("play", "connect4", "--x", "human", "--o", "level:1", "--names", "Ada", "--plain")
    program.run(*computer, typed="4\nq\n")
    assert resume(program, "q").shows(offer(2, "connect4", ("Ada", player_called(EN, "level:1", "level:1"))))


def test_resumed_game_can_be_left_again(interrupted: Program) -> None:
    assert resume(interrupted, "y", "2", "q").shows(prompt("Wei", "O") + EN("left-kept"))
    assert resume(interrupted, "n", "q").shows(offer(3))
    assert resume(interrupted, "y", "u", "u", "u", "u").status == NO
    assert games(interrupted)[0]["moves"] == []


def test_resumed_game_notes_joined_edges_once(program: Program) -> None:
    begun = program.run(*PEOPLE, "torus", typed=text_of(["1", "2", "u", "u", "1", "2", "q"]))
    assert begun.output.count(EN("rule-wrap")) == 1
    assert resume(program, "y", "3", "q").output.count(EN("rule-wrap")) == 1


def prompt(name: str, mark: str) -> str:
    return EN("prompt-cell", player=EN("player-with-mark", name=name, mark=mark), first=1, last=9)


def test_declined_game_stays_saved(interrupted: Program) -> None:
    ran = resume(interrupted, "maybe", "n", "tictactoe", "1", "Bo", "Cy", "n", *WIN)
    assert ran.status == DONE
    assert ran.shows(EN("answer-yes-or-no"))
    assert [(game["winner"], game["players"]["X"]) for game in games(interrupted)] == [
        (None, "Ada"),
        ("X", "Bo"),
    ]
    # The newest game has ended, so that there is no offer.
    assert not resume(interrupted, "q").shows(offer(2))


def test_quitting_at_offer_keeps_the_game(interrupted: Program) -> None:
    assert resume(interrupted, "q").status == DONE
    assert resume(interrupted).status == DONE
    assert resume(interrupted, "q").shows(offer(2))


@pytest.mark.parametrize("arguments", [("play",), ()])
def test_resume_is_not_offered_in_a_pipe(interrupted: Program, arguments: tuple[str, ...]) -> None:
    assert not interrupted.run(*arguments, typed="q\n").shows(offer(2))


@pytest.mark.parametrize("arguments", [("play", "tictactoe", "--plain"), ("play", "--x", "human", "--plain")])
def test_resume_is_not_offered_with_options(interrupted: Program, arguments: tuple[str, ...]) -> None:
    assert not resume(interrupted, "q", arguments=arguments).shows(offer(2))


def test_computer_games_are_not_offered(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    assert program.run("play", "--x", "random", "--o", "random", "--keep").status == DONE
    assert "random" not in resume(program, "q").output


def test_game_against_computer_is_resumed(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    computer = ("play", "--x", "human", "--o", "rule", "--names", "Ada,Rule")
    assert program.run(*computer, typed=text_of(["2", "q"])).status == DONE
    before = games(program)[0]["moves"]
    assert len(before) == 2
    ran = resume(program, "y", *map(str, range(1, 10)))
    assert ran.status == DONE
    (game,) = games(program)
    assert game["moves"][:2] == before
    assert game["termination"] in ("line", "full")
    assert (
        EN("remark-computer") in ran.lines
        or EN("remark-draw") in ran.lines
        or EN("remark-person") in ran.lines
    )


@pytest.mark.parametrize("game", ["fifteen", "connect4", "three"])
def test_games_of_other_sides_are_resumed(program: Program, game: str) -> None:
    seats = {"fifteen": ["--x", "human"], "three": ["--x", "human", "--o", "human", "--z", "human"]}
    arguments = ("play", game, *seats.get(game, ["--x", "human", "--o", "human"]), "--seed", "3")
    started, moves = new_game(game, seed=3), list[str]()
    for _ in range(2):
        moves.append(format_move(started, started.legal_moves()[0]))
        started.play(started.legal_moves()[0])
    assert program.run(*arguments, typed=text_of([*moves, "q"])).status == DONE
    ran = resume(program, "y", "r")
    assert ran.status == DONE
    assert [(result["moves"], result["termination"]) for result in games(program)] == [(moves, "resignation")]


def test_game_of_one_move_is_not_offered(program: Program) -> None:
    assert program.run(*PEOPLE, "--series", typed=text_of(["5", "q"])).status == DONE
    assert not resume(program, "q").shows(offer(1))
    assert program.run(*PEOPLE, "--series", typed=text_of([*WIN, "5", "q"])).status == DONE
    assert resume(program, "q").shows(offer(1, names=("Wei", "Ada")))


def test_series_resumes_with_score_and_rule(program: Program) -> None:
    series = (*PEOPLE, "--series", "--begins", "loser")
    assert program.run(*series, typed=text_of([*WIN, "5", "q"])).status == DONE
    ran = resume(program, "y", "1", "2", "4", "8", "n", "q")
    assert (ran.status, ran.errors) == (DONE, "")
    assert ran.shows(offer(1, names=("Wei", "Ada")))
    rows = [line.split()[:5] for line in ran.lines if line.startswith(("Ada ", "Wei "))]
    assert rows[:2] == [["Ada", "1", "0", "0", "1"], ["Wei", "0", "0", "1", "0"]]
    # Wei, who lost and started, has won with 5 2 8. Now the loser, Ada, starts.
    assert ran.shows(EN("begins", name="Ada", mark="X"))
    assert [game["winner"] for game in games(program)] == ["X", "X"]
    with program.store() as store:
        assert open_series(store) is None


def test_declined_series_is_ended(program: Program) -> None:
    program.run(*PEOPLE, "--series", "--begins", "x", typed=text_of(["5", "1", "q"]))
    with program.store() as store:
        assert open_series(store) is not None
    resume(program, "n", "q")
    with program.store() as store:
        assert open_series(store) is None


def test_series_resumes_between_games(program: Program) -> None:
    with program.store() as store:
        number = store.add_series(SeriesSetup("tictactoe", ("Ada", "Wei"), Begins.CHOOSER))
        match = Match(new_game())
        setup = Setup("tictactoe", {"X": "Ada", "O": "Wei"}, series=number, who={"X": "human", "O": "human"})
        store.append(store.add_game(setup), match.apply("O", Resign(), 1))
    question = EN("ask-resume-series", game=EN("title-tictactoe"), names=("Ada", "Wei"))
    assert not program.run(typed="q\n").shows(question)
    ran = resume(program, "y", "2", *WIN, "3")
    assert (ran.status, ran.errors) == (DONE, "")
    assert ran.shows(question)
    # Wei chooses and starts.
    assert ran.shows(EN("begins", name="Wei", mark="O"))
    assert [game["winner"] for game in games(program)] == ["X", "O"]
    rows = [line.split()[:4] for line in ran.lines if line.startswith(("Ada ", "Wei "))]
    assert rows[-2:] == [["Ada", "1", "0", "1"], ["Wei", "1", "0", "1"]]
    assert not resume(program, "q").shows(question)


def test_pending_draw_offer_is_resumed(program: Program) -> None:
    assert program.run(*PEOPLE, typed=text_of(["5", "d"])).status == NO
    ran = resume(program, "y", "1", "y")
    assert ran.shows(EN("accept-draw", player=EN("player-with-mark", name="Ada", mark="X")))
    assert ran.shows(EN.plural("draw-agreement", 2))


def test_scores_are_available_before_computer_games(program: Program) -> None:
    program.run(*PEOPLE, typed=text_of(WIN))
    typed = ("s", "tictactoe", "3", "random", "random", "s")
    ran = program.run(typed=text_of(typed))
    assert ran.status == DONE
    assert "Ada" in ran.output
    assert len(games(program)) == 1
