"""The commands ``solve --certificate`` and ``verify``."""

import io
import json
import os
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import BinaryIO
from unittest.mock import patch

import pytest

from noughts.certificates import text
from noughts.certificates.index import write_index
from noughts.certificates.verify import CertificateVerdict
from noughts.errors import DamagedFile, DamagedFileWarning, FileRefused
from noughts.interfaces.cli import certificates
from noughts.interfaces.cli.certificates import shown_checking
from noughts.interfaces.presenting.damage import report_damage
from noughts.interfaces.presenting.i18n import Phrase
from noughts.puzzles import shipped
from noughts.search.analysis import Limit
from noughts.search.installed_proofs import VARIABLE
from tests.certificates.test_book import SPEC, text_of
from tests.certificates.writing import body, checked, sealed
from tests.interfaces.harness import DONE, EN, INTERRUPTED, NO, SAY, UNUSABLE, Program, RunResult


def test_solve_writes_a_valid_certificate(program: Program) -> None:
    ran = program.run("solve", "4x3:3", "--certificate", "proof")
    assert ran.status == DONE
    assert ran.lines[-1] == EN.plural("certificate-written", 15, file="proof")
    ran = program.run("verify", "proof")
    assert (ran.status, ran.lines) == (
        DONE,
        [EN("verify-holds") + " " + EN("solve-first-bare", game="4x3:3", side="X")],
    )
    answer = json.loads(program.run("verify", "proof", "--json").output)
    assert answer == {"holds": True, "game": "4x3:3", "value": "first", "fault": None}


def test_verify_reports_invalid_certificate(program: Program) -> None:
    say = SAY["ru"]
    program.run("solve", "--certificate", "proof")
    file = program.folder / "proof"
    lines = file.read_text().splitlines()
    file.write_text("\n".join(lines[:-1]))
    ran = program.run("verify", "proof", "--lang", "ru")
    assert (ran.status, ran.output, ran.errors.strip()) == (NO, "", say("verify-damaged"))
    file.write_text(sealed([line for line in lines[:-1] if line != "hold 2 lines"]))
    ran = program.run("verify", "proof", "--lang", "ru")
    assert (ran.status, ran.errors.strip()) == (NO, say("verify-disagrees", line=13))
    answer = program.run("verify", "proof", "--json")
    assert json.loads(answer.output) == {
        "holds": False,
        "game": "3x3:3",
        "value": "draw",
        "fault": "disagrees",
    }
    assert answer.status == NO


def test_installed_certificate_answers_solve(
    program: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The commands solve and analyse then need no search. An invalid certificate is not installed."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "kept"))
    monkeypatch.setattr("noughts.search.analyst.QUICK_NODES", 0)
    assert program.run("solve", "4x3:3", "--certificate", "proof").status == DONE
    file = program.folder / "proof"
    whole = file.read_text()
    file.write_text(whole.replace("first", "draw"))
    assert program.run("verify", "proof", "--install").status == NO
    answer = json.loads(program.run("solve", "4x3:3", "--limit-seconds", "0", "--json").output)
    assert (answer["value"], answer["best"]) == ("unknown", None)
    file.write_text(whole)
    ran = program.run("verify", "proof", "--install")
    assert (ran.status, ran.lines[1:]) == (DONE, [EN("verify-installed", game="4x3:3")])
    answer = json.loads(program.run("solve", "4x3:3", "--limit-seconds", "0", "--json").output)
    assert (answer["value"], answer["plies"], answer["nodes"]) == ("first", None, 0)
    best = answer["best"]
    answer = json.loads(program.run("analyse", "4x3:3", "--limit-seconds", "0", "--json").output)
    assert (answer["value"], answer["best"]) == ("win", best)
    assert {known["value"] for known in answer["moves"] if known["move"] == best} == {"win"}
    replies = ("analyse", "4x3:3", "--moves", best, "--limit-seconds", "0", "--json")
    answer = json.loads(program.run(*replies).output)
    assert answer["value"] == "loss"
    assert {known["value"] for known in answer["moves"]} == {"loss"}


def test_damaged_proof_is_reported_and_ignored(program: Program, tmp_path: Path) -> None:
    program = program.under(**{VARIABLE: str(tmp_path)})
    assert program.run("solve", "3x3:3", "--install").status == DONE
    file = tmp_path / "3x3-3.proof"
    data = bytearray(file.read_bytes())
    data[5000] ^= 1
    file.write_bytes(data)
    ran = program.run("analyse", "3x3:3", "--json", "--lang", "ru")
    assert (ran.status, json.loads(ran.output)["value"]) == (DONE, "draw")
    assert ran.errors.strip() == SAY["ru"]("file-damaged-proof", name=str(file), game="3x3:3")
    file.write_bytes(b"SQLite format 3\0" + bytes(1000))
    ran = program.run("solve", "3x3:3", "--lang", "ru")
    assert ran.errors.strip() == SAY["ru"]("file-damaged-old-proof", name=str(file), game="3x3:3")


def test_damaged_puzzles_stop_the_command(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str) -> str:
        raise DamagedFile(name, "part")

    monkeypatch.setattr(shipped, "read_own_file", refuse)
    shipped.all_puzzles.cache_clear()
    ran = program.run("puzzle", "--daily")
    assert (ran.status, ran.output) == (NO, "")
    assert ran.errors.strip() == EN("file-damaged-part", name="puzzles/puzzles.jsonl")
    shipped.all_puzzles.cache_clear()


def test_other_warnings_are_shown_normally() -> None:
    sentences: list[str] = []
    with warnings.catch_warnings(record=True) as caught, report_damage(EN, sentences.append):
        warnings.simplefilter("always")
        warnings.warn("something else", stacklevel=1)
        for _ in range(2):
            warnings.warn(DamagedFileWarning(DamagedFile("a", "part")), stacklevel=1)
    assert [str(one.message) for one in caught] == ["something else"]
    assert sentences == [EN("file-damaged-part", name="a")]


def test_certificate_and_work_need_different_files(program: Program) -> None:
    ran = program.run("solve", "4x3:3", "--certificate", "file", "--resume", "./file")
    assert (ran.status, ran.errors.strip()) == (UNUSABLE, EN("certificate-is-work", file="file"))


def no_folder(path: Path) -> str:
    return EN("file-unusable", name=str(path), reason=EN("store-reason-not-a-folder")) + "\n"


@pytest.mark.slow
def test_solve_installs_its_proof(program: Program) -> None:
    """One command solves, writes, checks and installs, with or without a file."""
    stored = program.folder / "kept"
    program = program.under(**{VARIABLE: str(stored)})
    ran = program.run("solve", "4x3:3", "--install", "--limit-seconds", "60")
    assert (ran.status, ran.lines[-1]) == (DONE, EN("verify-installed", game="4x3:3"))
    assert [file.name for file in stored.iterdir()] == ["4x3-3.proof"]
    ran = program.run("solve", "4x4", "--install")
    # Both runs search, since the value is found quickly.
    assert EN("solve-kept", game="4x4") not in ran.lines
    assert EN("solve-kept", game="4x4") not in program.run("solve", "4x4").lines
    ran = program.run("solve", "2x2:2", "--install", "--certificate", "proof")
    written = EN.plural("certificate-written", 14, file="proof")
    assert ran.lines[-2:] == [written, EN("verify-installed", game="2x2:2")]
    answer = json.loads(program.run("solve", "4x4", "--install", "--json").output)
    assert (answer["value"], answer["installed"]) == ("draw", True)
    assert "certificate" not in answer
    answer = json.loads(program.run("solve", "9x9:5", "--install", "--limit-seconds", "0", "--json").output)
    assert answer["installed"] is False
    assert program.run("solve", "reversi", "--install").status == UNUSABLE
    (stored / "file").write_text("no folder")
    ran = program.under(**{VARIABLE: str(stored / "file")}).run("solve", "2x2:2", "--install")
    assert (ran.status, ran.errors) == (UNUSABLE, no_folder(stored / "file"))
    ran = program.under(**{VARIABLE: str(stored / "file")}).run("verify", "proof", "--install")
    assert (ran.status, ran.errors) == (UNUSABLE, no_folder(stored / "file"))


@pytest.mark.slow
def test_solve_copies_shipped_certificate(program: Program) -> None:
    ran = program.run("solve", "qubic", "--certificate", "proof")
    assert ran.lines[:3] == [
        EN("solve-first-bare", game="qubic", side="X"),
        EN("analysis-best", move=Phrase("cell", "1 (1a4)")),
        EN("solve-kept", game="qubic"),
    ]
    text = (program.folder / "proof").read_text()
    assert ran.lines[-1] == EN.plural("certificate-written", text.count("\n") - 1, file="proof")
    assert text == sealed(body(text))


def test_search_option_ignores_stored_proofs(program: Program) -> None:
    """An installed proof would answer at once."""
    answer = json.loads(program.run("solve", "qubic", "--search", "--limit-seconds", "0", "--json").output)
    assert answer["value"] == "unknown"
    ran = program.run("solve", "4x3:3", "--search", "--certificate", "proof")
    assert ran.lines[0] == EN.plural("solve-first", 4, game="4x3:3", side="X")
    assert checked((program.folder / "proof").read_text()).holds


def test_limited_check_installs_nothing(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    program = program.under(**{VARIABLE: str(program.folder / "kept")})
    is_over = list[bool]()
    monkeypatch.setattr(text, "REPORTED", 1)
    monkeypatch.setattr(Limit, "started", lambda limit: Limit(stop=lambda: bool(is_over)))

    def go_on(stream: BinaryIO, folder: Path, report: Callable[[int], None]) -> CertificateVerdict:
        report(1)
        is_over.append(True)
        return write_index(stream, folder, lambda _: report(1))

    monkeypatch.setattr(certificates, "write_index", go_on)
    ran = program.run("solve", "4x3:3", "--install")
    assert (ran.status, ran.lines[-1]) == (DONE, EN("certificate-unchecked"))


@pytest.mark.slow
def test_verify_checks_a_book(program: Program) -> None:
    file = program.folder / "book"
    file.write_text(text_of())
    ran = program.run("verify", "book")
    claim = EN("verify-book-holds") + " " + EN("solve-first-bare", game=SPEC, side="X")
    assert (ran.status, ran.lines) == (DONE, [claim, EN("verify-book-searched", count=8, of=26)])
    answer = json.loads(program.run("verify", "book", "--all", "--json").output)
    assert answer == {
        "holds": True,
        "game": SPEC,
        "value": "first",
        "fault": None,
        "searched": 26,
        "of": 26,
    }
    lines = body(text_of())
    file.write_text(sealed([line.replace("0/0/0/0 C", "0/0/0/0 B") for line in lines]))
    ran = program.run("verify", "book")
    assert (ran.status, ran.errors.strip()) == (NO, EN("verify-disagrees", line=len(lines)))


def test_unfinished_proof_is_not_written(program: Program) -> None:
    file = program.folder / "proof"
    file.write_text("kept")
    ran = program.run("solve", "9x9:5", "--limit-seconds", "0", "--certificate", "proof", "--json")
    answer = json.loads(ran.output)
    assert (ran.status, answer["value"], answer["certificate"]) == (DONE, "unknown", None)
    ran = program.run("solve", "9x9:5", "--limit-seconds", "0", "--certificate", "proof")
    assert ran.lines[-1] == EN("certificate-none")
    assert file.read_text() == "kept"
    assert [one.name for one in program.folder.iterdir() if "noughts-" in one.name] == []


def test_limited_proof_keeps_previous_file(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    from noughts.search.analysis import LimitReachedError

    def cut_short(*_: object, **__: object) -> int:
        raise LimitReachedError

    monkeypatch.setattr(certificates, "certify", cut_short)
    (program.folder / "proof").write_text("kept")
    ran = program.run("solve", "--certificate", "proof")
    assert (ran.status, ran.lines[-1]) == (DONE, EN("certificate-none"))
    assert (program.folder / "proof").read_text() == "kept"


def test_solve_json_names_certificate_file(program: Program) -> None:
    answer = json.loads(program.run("solve", "4x4", "--certificate", "proof", "--json").output)
    assert (answer["value"], answer["certificate"]) == ("draw", "proof")


@pytest.mark.parametrize("file", ["nowhere/proof", ".", "x" * 300])
def test_unwritable_certificate_is_refused_before_search(
    program: Program, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    from noughts.search.analyst import Analyst

    def never(*_: object) -> None:
        raise AssertionError("nobody waits for a search in vain")

    monkeypatch.setattr(Analyst, "solve", never)
    ran = program.run("solve", "--certificate", file)
    assert (ran.status, ran.output) == (UNUSABLE, "")
    assert file in ran.errors


def test_folder_as_certificate_is_refused(program: Program) -> None:
    for option in ("--certificate", "--resume"):
        ran = program.run("--lang", "ru", "solve", option, ".")
        assert (ran.status, ran.output) == (UNUSABLE, "")
        assert SAY["ru"].error(FileRefused(".", "is-a-folder")) in " ".join(ran.errors.split())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["proof", "book"])
def test_verify_reads_a_pipe(program: Program, name: str) -> None:
    """A pipe can be read only once."""
    program.run("solve", "4x3:3", "--certificate", "proof")
    (program.folder / "book").write_text(text_of())
    pipe, content = program.folder / "pipe", (program.folder / name).read_bytes()
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_bytes, args=(content,))
    writer.start()
    ran = program.run("verify", "pipe", "--json")
    writer.join()
    assert (ran.status, json.loads(ran.output)["fault"], ran.errors) == (DONE, None, "")


@pytest.mark.parametrize("name", ["proof", "book"])
def test_interrupted_check_installs_nothing(
    program: Program, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """After Ctrl-C there is no traceback, no claim, and no installed proof."""
    program = program.under(**{VARIABLE: str(program.folder / "kept")})
    program.run("solve", "4x3:3", "--certificate", "proof")
    (program.folder / "book").write_text(text_of())

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    for work in ("check", "write_index", "verify_book"):
        monkeypatch.setattr(certificates, work, interrupt)
    for options in ((), ("--install",), ("--json",)):
        ran = program.run("verify", name, *options)
        assert (ran.status, ran.output, ran.errors.strip()) == (INTERRUPTED, "", EN("verify-interrupted"))
    assert not list(program.folder.glob("kept/*"))


def test_check_shows_progress_on_terminal(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    program.run("solve", "4x3:3", "--certificate", "proof")
    monkeypatch.setattr(text, "REPORTED", 4)
    monkeypatch.setattr(certificates, "UPDATE_SECONDS", 1e9)
    assert shown(program.run("verify", "proof", is_terminal=True)) == [EN("progress-verify", done=4, rate=0)]
    assert program.run("verify", "proof").errors == ""
    (program.folder / "book").write_text(text_of())
    ran = program.run("verify", "book", is_terminal=True)
    assert shown(ran) == [EN("progress-verify-book", done=1, rate=0)]


def test_check_shows_its_rate() -> None:
    clock = iter([10.0, 10.0, 10.1, 12.0, 14.0])
    screen = io.StringIO()
    with (
        patch.object(sys, "stderr", screen),
        patch.object(screen, "isatty", lambda: True),
        shown_checking(EN, "progress-verify", clock.__next__) as report,
    ):
        for done in (1024, 2048, 3072, 4096):
            report(done)
    rates = ((1024, 5120), (3072, 1536), (4096, 1024))
    answer = [EN("progress-verify", done=done, rate=rate) for done, rate in rates]
    assert [line.strip() for line in screen.getvalue().split("\r") if line.strip()] == answer


def shown(ran: RunResult) -> list[str]:
    """Return the progress that was shown and erased."""
    return [line for line in ran.errors.split("\r") if line.strip()]
