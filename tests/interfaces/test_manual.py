"""Shell completion and the manual page."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from noughts.interfaces.cli.main import MODULES
from tests.interfaces.harness import DONE, EN, SAY, UNUSABLE, Program


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path)


@pytest.mark.parametrize(
    ("words", "completions"),
    [
        ("play con", ["connect4", "connect6"]),
        ("play connect4 --o mc", ["mcts:1000"]),
        ("analyse --lang zh", ["zh-Hans", "zh-Hant"]),
        ("per", ["perft"]),
        ("play --ser", ["--series"]),
        ("completion f", ["fish"]),
        ("config th", ["theme"]),
        ("history --ga", ["--game"]),
        ("config theme l", ["light"]),
        ("config language z", ["zh-Hans", "zh-Hant"]),
        ("export --all ga", ["ga"]),  # The shell completes files.
        ("--db ga", ["ga"]),
    ],
)
def test_shell_completes_words(program: Program, words: str, completions: list[str]) -> None:
    ran = program.under(
        _NOUGHTS_COMPLETE="bash_complete", COMP_WORDS=f"noughts {words}", COMP_CWORD=str(len(words.split()))
    ).run()
    assert [line.partition(",")[2] for line in ran.lines] == completions


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "pieces"),
    [
        ("noughts pla", "play players"),
        ("noughts play --x level : 1", "1 10"),  # bash breaks words at ":" and "=".
        ("noughts play --x level :", "1 2 3 4 5 6 7 8 9 10"),
        ("noughts play --x = mcts : 1", "1000"),
        ("noughts --lang = r", "ru"),
        ("noughts --lang =", "en ru zh-Hans zh-Hant"),
    ],
)
def test_completion_script_works_in_bash(tmp_path: Path, words: str, pieces: str) -> None:
    script = (
        f'eval "$(noughts completion bash)"; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); '
        '_noughts_completion noughts; echo "${COMPREPLY[@]}"'
    )
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    run = subprocess.run(
        ["bash", "--norc", "-c", script],
        env={**os.environ, "PATH": path, "NOUGHTS_LANG": "en"},
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert run.stdout.split() == pieces.split()
    assert run.stderr == ""


def test_zsh_and_fish_complete_whole_words(program: Program) -> None:
    fish = program.run("completion", "fish").output
    assert 'string split ","' not in fish  # A comma would end the help.
    assert 'echo "$option"$metadata[2]' in fish
    assert '"${words[CURRENT]%%=*}="' in program.run("completion", "zsh").output


@pytest.mark.parametrize(
    ("shell", "line"), [("zsh", "#compdef noughts"), ("fish", "function _noughts_completion;")]
)
def test_completion_prints_script_of_each_shell(program: Program, shell: str, line: str) -> None:
    assert program.run("completion", shell).lines[0] == line


def test_completion_refuses_unknown_shell(program: Program) -> None:
    ran = program.run("completion", "ksh")
    assert (ran.status, "bash, zsh, fish" in ran.errors) == (UNUSABLE, True)


@pytest.mark.parametrize("language", SAY)
def test_manual_page_describes_every_command(program: Program, language: str) -> None:
    ran = program.run("--lang", language, "man")
    assert ran.status == DONE
    assert [line.removeprefix(".SS noughts ") for line in ran.lines if line.startswith(".SS")] == list(
        MODULES
    )
    assert ran.output.count(".TP") > 100
    assert SAY[language]("man-exit-status") in ran.output
    assert not [line for line in ran.lines if line.startswith("'")]


@pytest.mark.parametrize(
    ("arguments", "nearest"),
    [
        (("plya",), "play"),
        (("games", "--jsno"), "--json"),
        (("play", "gomuko"), "gomoku"),
        (("play", "7x6:4,gravty"), "gravity"),
        (("play", "3x3", "--x", "levle:3"), "level:3"),
    ],
)
def test_mistyped_word_gets_suggestion(program: Program, arguments: tuple[str, ...], nearest: str) -> None:
    ran = program.run(*arguments)
    assert ran.status == UNUSABLE
    assert EN("did-you-mean", nearest=nearest) in " ".join(ran.errors.split())
