"""The command ``strategy``."""

import json

import pytest

from noughts.interfaces.presenting.i18n import LANGUAGES
from tests.interfaces.harness import DONE, EN, NO, SAY, UNUSABLE, Program


def test_strategy_prints_pairs_as_letters(program: Program) -> None:
    ran = program.run("strategy", "5x5:5")
    assert ran.status == DONE
    assert ran.lines[0] == EN.plural("strategy-pairs", 12, game="5x5", first="X", second="O")
    letters = "".join(ran.lines[2:]).split()
    assert all(letters.count(letter) == 2 for letter in "abcdefghijkl")


def test_strategy_prints_each_case_with_its_reply(program: Program) -> None:
    facts = json.loads(program.run("strategy", "4x4", "--json").output)
    for language in LANGUAGES:
        say = SAY[language]
        text = program.run("strategy", "4x4", "--lang", language).output
        for number, case in enumerate(facts["cases"], 1):
            cells = say.listed(case["first"])
            sides = {"first": "X", "second": "O"}
            assert say("strategy-case", number=number, cells=cells, reply=case["reply"], **sides) in text


def test_strategy_names_boards_that_are_the_same_case(program: Program) -> None:
    for game, id_ in (("4x4", "strategy-turned"), ("6x6:6,wrap", "strategy-shifted")):
        assert EN(id_) in program.run("strategy", game).lines[0]


def test_strategy_shows_pairs_on_large_boards(program: Program) -> None:
    facts = json.loads(program.run("strategy", "12x12:10", "--json").output)
    text = program.run("strategy", "12x12:10").output
    assert text.split().count("ab") == 2
    assert len(facts["pairs"]) > 28


def test_strategy_writes_picture_and_certificate(program: Program) -> None:
    ran = program.run("strategy", "6x5:5", "--svg", "pairs.svg", "--certificate", "proof")
    assert ran.status == DONE
    picture = (program.folder / "pairs.svg").read_text()
    assert picture.count("<svg") == 1
    assert program.run("verify", "proof").status == DONE


def test_strategy_reports_boards_without_pairs(program: Program) -> None:
    ran = program.run("strategy", "tictactoe")
    assert (ran.status, ran.output.strip()) == (NO, EN("strategy-none", game="tictactoe"))
    facts = json.loads(program.run("strategy", "tictactoe", "--json").output)
    assert facts == {"game": "tictactoe", "side": "O", "value": None}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("connect4",), EN("unsupported-no-line-game", game="connect4")),
        (("5x5:5", "--svg", "a.png"), EN("usage-strategy-svg")),
        (("8x8x8:8", "--certificate", "a"), EN("certificate-unsupported", game="8x8x8:8")),
    ],
)
def test_strategy_refuses(program: Program, arguments: tuple[str, ...], sentence: str) -> None:
    ran = program.run("strategy", *arguments)
    assert (ran.status, ran.errors.strip()) == (UNUSABLE, sentence)


def test_strategy_reports_unwritable_files(program: Program) -> None:
    for option in ("--svg", "--certificate"):
        assert program.run("strategy", "5x5:5", option, "missing/file.svg").status == UNUSABLE
