"""The command ``solve --resume``, after any kind of interruption."""

import json
import os
import subprocess
import sys
import time
from errno import ENOSPC
from pathlib import Path

import pytest

from noughts import new_game
from noughts.errors import FileRefused
from noughts.interfaces.cli import certificates, resume
from noughts.interfaces.cli.resume import SAVE_SECONDS, SolveCheckpoint
from noughts.search.analysis import Limit, Progress
from noughts.search.analyst import Analyst
from noughts.search.numba_backend import python_machine
from tests.interfaces.harness import DONE, EN, NO, PATIENCE, SAY, UNUSABLE, Program
from tests.interfaces.test_cli import json_of
from tests.search.test_checkpoint import resealed

QUICKLY = """
import sys
from noughts.interfaces.cli import resume
from noughts.interfaces.cli.main import main
resume.SAVE_SECONDS = 0.01
main(["solve", "5x5:4,exact", "--resume", sys.argv[1], "--limit-seconds", "1000"])
"""


def test_solve_resumes_stored_work(program: Program) -> None:
    first = json_of(program.run("solve", "4x4:4,gravity", "--resume", "work", "--json"))
    again = json_of(program.run("solve", "4x4:4,gravity", "--resume", "work", "--json"))
    assert (first["value"], again["value"]) == ("draw", "draw")
    assert again["nodes"] < first["nodes"] // 4


def test_resumed_solve_writes_same_certificate(program: Program) -> None:
    program.run("solve", "4x3:3", "--limit-seconds", "0.01", "--resume", "work")
    program.run("solve", "4x3:3", "--resume", "work", "--certificate", "one")
    program.run("solve", "4x3:3", "--certificate", "two")
    assert (program.folder / "one").read_bytes() == (program.folder / "two").read_bytes()


@pytest.mark.slow
def test_killed_solve_loses_only_last_seconds(tmp_path: Path) -> None:
    file = tmp_path / "work"
    for moment in (0.0, 0.3, 0.7):
        with subprocess.Popen([sys.executable, "-c", QUICKLY, str(file)]) as process:
            end = time.monotonic() + PATIENCE
            while not file.exists() and time.monotonic() < end:
                time.sleep(0.01)
            time.sleep(moment)
            process.kill()
        analyst = Analyst(machine=python_machine())
        SolveCheckpoint(EN, analyst, new_game("5x5:4,exact"), file)  # The run reads or refuses the file.
        search = analyst.exact_search(new_game("5x5:4,exact"))
        assert search is not None
        assert sum(nodes for _, _, nodes in search.tables()) > 0


def test_solve_saves_work_regularly(tmp_path: Path) -> None:
    file, times = tmp_path / "work", [0.0]
    game = new_game("4x3:3")
    answer: list[Progress] = []
    work = SolveCheckpoint(EN, Analyst(answer.append, python_machine()), game, file, lambda: times[0])
    work.report(Progress("searching"))
    times[0] = SAVE_SECONDS - 1
    work.report(Progress("searching"))
    assert not file.exists()
    times[0] = SAVE_SECONDS
    work.report(Progress("searching"))
    assert file.exists()
    file.unlink()
    times[0] = 2 * SAVE_SECONDS - 1
    work.report(Progress("searching"))
    assert (len(answer), file.exists()) == (4, False)


def no_room(*_: object, **__: object) -> int:
    raise OSError(ENOSPC, "No space left on device")


def test_full_disk_stops_no_search(program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Saving is tried again later, and the result is printed even if it cannot be saved."""
    times = [0.0]
    work = SolveCheckpoint(
        EN, Analyst(machine=python_machine()), new_game("4x3:3"), tmp_path / "work", lambda: times[0]
    )
    with monkeypatch.context() as patch:
        patch.setattr(resume, "write_checkpoint", no_room)
        times[0] = SAVE_SECONDS
        work.report(Progress("searching"))
        ran = program.run("solve", "4x3:3", "--resume", "work")
    error = EN.error(FileRefused("work", "no-room"))
    assert (ran.status, " ".join(ran.errors.split())) == (UNUSABLE, error)
    assert EN.plural("solve-first", 4, game="4x3:3", side="X") in ran.output
    times[0] = 2 * SAVE_SECONDS - 1
    work.report(Progress("searching"))
    assert not (tmp_path / "work").exists()
    times[0] = 2 * SAVE_SECONDS
    work.report(Progress("searching"))
    assert (tmp_path / "work").exists()


def test_result_is_printed_without_writable_proof(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificates, "certify", no_room)
    error = EN.error(FileRefused("proof", "no-room"))
    ran = program.run("solve", "4x3:3", "--certificate", "proof")
    assert (ran.status, " ".join(ran.errors.split())) == (UNUSABLE, error)
    assert ran.lines[0] == EN.plural("solve-first", 4, game="4x3:3", side="X")
    assert EN("certificate-none") not in ran.output
    answer = json.loads(program.run("solve", "4x3:3", "--certificate", "proof", "--json").output)
    assert (answer["value"], answer["certificate"]) == ("first", None)
    assert not (program.folder / "proof").exists()


def test_bad_file_is_refused(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    say = SAY["ru"]
    assert program.run("solve", "4x3:3", "--resume", "work").status == DONE
    file = program.folder / "work"
    text = file.read_bytes()

    def never(*_: object) -> None:
        raise AssertionError("nobody waits for a search in vain")

    monkeypatch.setattr(Analyst, "solve", never)
    other = resealed(text, b'"search": "', b'"search": "x')
    for game, content, status, message in (
        ("4x3:3", text[:-1], NO, "resume-damaged"),
        ("4x4:3", text, UNUSABLE, "resume-other-game"),
        ("4x3:3", other, UNUSABLE, "resume-other-version"),
        ("pentago", text, UNUSABLE, "resume-unsupported"),
    ):
        file.write_bytes(content)
        ran = program.run("--lang", "ru", "solve", game, "--resume", "work")
        answer = " ".join(ran.errors.split())
        assert (ran.status, ran.output) == (status, "")
        assert say(message, file="work", game=game) in answer
        assert file.read_bytes() == content
    os.mkfifo(program.folder / "pipe")  # Opening it would block forever.
    ran = program.run("--lang", "ru", "solve", "4x3:3", "--resume", "pipe")
    assert ran.status == UNUSABLE
    assert " ".join(ran.errors.split()) == say.error(FileRefused("pipe", "not-a-file"))
    ran = program.run("solve", "4x3:3", "--resume", "nowhere/work")
    assert (ran.status, ran.output) == (UNUSABLE, "")
    assert "nowhere/work" in ran.errors


def test_stored_work_is_read_by_library(tmp_path: Path) -> None:
    game, file = new_game("4x4:4,gravity"), tmp_path / "work"
    analyst = Analyst(machine=python_machine())
    work = SolveCheckpoint(EN, analyst, game, file)
    assert analyst.solve(game, Limit(nodes=1_000)).value is None
    work.save()
    after = Analyst(machine=python_machine())
    SolveCheckpoint(EN, after, game, file)
    assert after.solve(game, Limit(nodes=1_000)).value == 0


def test_memory_option_limits_or_refuses(program: Program) -> None:
    say = SAY["ru"]
    assert json_of(program.run("solve", "4x3:3", "--memory", "8", "--json"))["value"] == "first"
    for game, memory, answer in (
        ("10x5:4,gravity", "1", say("memory-too-small", game="10x5:4,gravity", least=9)),
        ("pentago", "100", say("memory-unsupported", game="pentago")),
    ):
        ran = program.run("--lang", "ru", "solve", game, "--memory", memory)
        assert (ran.status, ran.output, " ".join(ran.errors.split())) == (UNUSABLE, "", answer)
