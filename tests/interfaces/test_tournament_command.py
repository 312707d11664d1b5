"""The command ``tournament``: a file is read, games are played in processes, and standings printed."""

import csv
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager, nullcontext
from errno import ENOSPC
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from noughts.arena.tournament.broadcast import RunningGames
from noughts.arena.tournament.plan_file import read_plan
from noughts.arena.tournament.repository import Tournaments
from noughts.arena.tournament.tournament_runner import Tournament
from noughts.interfaces.cli import tournaments
from noughts.interfaces.console import tournament_export
from noughts.interfaces.console.standings import playing_line
from noughts.interfaces.presenting.i18n import LANGUAGES
from noughts.records.record import parse_record
from noughts.records.sgf import parse_sgf
from noughts.workers.executor import ProcessExecutor
from tests.interfaces.harness import DONE, NO, SAY, UNUSABLE, Program
from tests.interfaces.test_solve_workers import Cluster

FILE = """
[tournament]
format = "{format}"
games = ["tictactoe"]
pairs = {pairs}
concurrency = {at_once}
seed = {seed}
{more}

[[players]]
name = "Rule"
who = "rule"

[[players]]
name = "Random"
who = "random"
"""

PIE = 'openings = "pie"\nplies = 4'

LONG = "a name as long as one may be".ljust(40, "!")

THIRD = f'[[players]]\nname = "{LONG}"\nwho = "random"'


def written(
    program: Program,
    end: str = "",
    *,
    format_: str = "round-robin",
    pairs: int = 2,
    seed: int = 1,
    more: str = "",
    at_once: int = 1,
) -> str:
    path = program.folder / f"plan-{seed}.toml"
    path.write_text(FILE.format(format=format_, pairs=pairs, seed=seed, more=more, at_once=at_once) + end)
    return str(path)


@pytest.mark.slow
def test_tournament_plays_and_prints_standings(program: Program) -> None:
    file = written(program, THIRD, at_once=2)
    ran = program.run("tournament", file, "--json")
    assert (ran.status, ran.errors) == (DONE, "")
    answer = json.loads(ran.output)
    assert set(answer) == {"standings", "pairs", "sprt", "missing", "distinct", "broken"}
    assert (sum(answer["pairs"]), answer["sprt"], answer["missing"]) == (4, None, 0)
    best, *_ = answer["standings"]
    assert best["name"] == "Rule"
    assert best["wins"] + best["draws"] + best["losses"] == 8
    assert [best[fault] for fault in ("crashes", "timeouts", "illegal")] == [0, 0, 0]
    ran = program.run("tournament", file, "--resume")
    assert (ran.status, ran.errors) == (DONE, "")
    heading, _, first, *_ = ran.output.splitlines()
    assert heading.split()[0] == "Player"
    assert "Rating" in heading
    assert first.startswith("Rule")
    assert LONG in ran.output


@pytest.mark.slow
def test_finished_tournament_needs_resume(program: Program) -> None:
    file = written(program)
    assert program.run("tournament", file).status == DONE
    ran = program.run("tournament", file)
    assert (ran.status, ran.output) == (UNUSABLE, "")
    assert "--resume" in ran.errors
    assert program.run("tournament", written(program, seed=2)).status == DONE


@pytest.mark.slow
def test_stale_running_games_are_removed(program: Program) -> None:
    """The process was killed right after it had saved the last game."""
    file = written(program, pairs=1)
    assert program.run("tournament", file).status == DONE
    with program.store() as store:
        games = RunningGames(store, 1)
        games.write([(1, 1, None)], 1)
        assert len(games.read(1)) == 1
        assert program.run("tournament", file, "--resume").status == DONE
        assert games.read(1) == []


@pytest.mark.slow
def test_resume_starts_a_new_tournament(program: Program) -> None:
    file = written(program, pairs=1)
    ran = program.run("tournament", file, "--resume", "--json")
    assert (ran.status, json.loads(ran.output)["missing"]) == (DONE, 0)
    assert ran.errors == SAY["en"]("tournament-begins", file=file) + "\n"
    assert program.run("tournament", file, "--resume", "--json").errors == ""


@pytest.mark.slow
def test_tournament_games_are_not_in_history(program: Program) -> None:
    """The history leaves them out, but each can be viewed."""
    program.run("tournament", written(program))
    assert json.loads(program.run("history", "--json").output) == {"games": []}
    players = json.loads(program.run("replay", "1", "--json").output)["players"]
    assert sorted(players.values()) == ["Random", "Rule"]


@pytest.mark.slow
def test_sprt_decision_is_printed(program: Program) -> None:
    file = written(program, format_="sprt", pairs=3, more="elo0 = 0\nelo1 = 400")
    ran = program.run("tournament", file)
    assert ran.status == DONE
    answer = json.loads(program.run("tournament", file, "--resume", "--json").output)["sprt"]
    decided = answer["decision"]
    numbers = {"ratio": answer["llr"], "low": answer["lower"], "high": answer["upper"]}
    spelled = {name: f"{number:.2f}" for name, number in numbers.items()}
    for language in LANGUAGES:
        if language != "en":
            ran = program.run("--lang", language, "tournament", file, "--resume")
        assert SAY[language](f"sprt-{decided or 'open'}", **spelled) in ran.output


@pytest.mark.slow
def test_bad_file_is_refused(program: Program) -> None:
    say = SAY["ru"]

    def refused(sentence: str, end: str = "", **how: str) -> None:
        ran = program.run("--lang", "ru", "tournament", written(program, end, **how))  # type: ignore[arg-type]
        assert (ran.status, ran.output) == (UNUSABLE, "")
        assert ran.errors.strip() == sentence

    refused(say("tournament-unknown-key", key="[tournament] colour"), more="colour = 1")
    refused(say("tournament-not-two"), THIRD, format_="sprt")
    refused(say("name-twice"), '[[players]]\nwho = "rule"\nname = "Rule"')
    ran = program.run("--lang", "ru", "tournament", "there is none")
    assert (ran.status, ran.output) == (UNUSABLE, "")
    refused(say("tournament-means-nothing", key="[tournament] plies", setting="openings = pie"), more=PIE)
    refused(
        say("tournament-means-nothing-without", key="[limits] increment_ms", needed="match_ms"),
        "[limits]\nincrement_ms = 5",
    )
    nobody = program.run("--lang", "ru", "tournament", written(program, '[[players]]\nwho = "human"'))
    assert nobody.status == UNUSABLE
    assert nobody.errors.count("human") == 1


def test_damaged_tournament_games_are_reported(program: Program) -> None:
    file = written(program)
    program.run("tournament", file)
    with program.store() as store, store.writing() as connection:
        connection.change("UPDATE tournament_games SET digest = '' WHERE number = 2")
    ran = program.run("tournament", file, "--resume", "--json", "--export", "t.jsonl")
    assert ran.status == NO
    assert json.loads(ran.output)["missing"] == 0
    assert SAY["en"]("store-reason-pairing-altered", number=2) in ran.errors
    assert SAY["en"]("repair-offered") in ran.errors
    assert len((program.folder / "t.jsonl").read_text().splitlines()) == 3
    with program.store() as store, store.writing() as connection:
        connection.change("UPDATE tournaments SET created = 9")
    ran = program.run("tournament", file, "--resume")
    assert (ran.status, ran.output) == (NO, "")


@pytest.mark.slow
def test_terminal_shows_standings_during_play(program: Program) -> None:
    ran = program.run("tournament", written(program), is_terminal=True)
    assert ran.status == DONE
    say = SAY["en"]
    assert say("progress-tournament", done=0, count=4) in ran.errors
    assert "--resume" not in ran.errors
    assert ran.errors.endswith("\x1b[J")


class Waiting(Executor):
    """An executor whose tasks stay open until a test ends them."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        return Future()


@pytest.mark.slow
def test_terminal_shows_running_games(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, say, shown = read_plan(Path(written(program))).plan, SAY["en"], list[str]()
    looks = iter((False, False, True))

    def show(make: Callable[[int], Sequence[str]]) -> None:
        shown.append(make(80)[-1])

    monkeypatch.setattr(tournaments, "changing_lines", lambda: nullcontext(show))
    monkeypatch.setattr(tournaments, "interruptible", lambda: nullcontext(lambda: next(looks)))
    with program.store() as store:
        tournaments.play(say, Tournament.begin(plan, Tournaments(store), 1), Waiting(), 1)
    assert shown == ["", *[playing_line(say, plan, [1])] * 2]


@pytest.mark.slow
def test_tournament_exports_its_games(program: Program) -> None:
    file = written(program, more='openings = "balanced"\nplies = 2')
    Path(file).write_text(Path(file).read_text().replace('"Random"', '"=Random"'))
    ran = program.run(
        "tournament", file, "--export", "t.csv", "--export", "t.jsonl", "--export", "t.SGF", "--json"
    )
    answer = SAY["en"]("tournament-judged-by-search", games=["tictactoe"])
    assert (ran.status, " ".join(ran.errors.split())) == (DONE, answer)
    standings = json.loads(ran.output)["standings"]
    rows = list(csv.DictReader((program.folder / "t.csv").read_text().splitlines()))
    assert [row["name"] for row in rows] == [one["name"].replace("=", "'=") for one in standings]
    assert [int(row["wins"]) for row in rows] == [one["wins"] for one in standings]
    records = [parse_record(line) for line in (program.folder / "t.jsonl").read_text().splitlines()]
    assert len(records) == 4
    text = (program.folder / "t.SGF").read_text()
    assert parse_sgf(text).left_out == {"games": 3}
    assert [record.moves[:2] for record in records[::2]] == [record.moves[:2] for record in records[1::2]]


def test_unexportable_tournament_is_refused_early(program: Program) -> None:
    say = SAY["ru"]

    def refused(sentence: str, file: str, name: str) -> None:
        ran = program.run("--lang", "ru", "tournament", file, "--export", name)
        assert (ran.status, ran.output) == (UNUSABLE, "")
        assert sentence in ran.errors

    file = written(program)
    refused(say("usage-export-tournament", choices=[".csv", ".jsonl", ".sgf"]), file, "t.txt")
    refused("t.csv", file, "nowhere/t.csv")
    qubic = program.folder / "qubic.toml"
    qubic.write_text(
        FILE.format(format="round-robin", pairs=1, seed=1, more="", at_once=1).replace("tictactoe", "qubic")
    )
    refused(say("export-no-sgf", game="qubic", ending=".jsonl"), str(qubic), "t.sgf")


def test_failed_export_keeps_the_tournament(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: object, text: str) -> None:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(tournament_export, "write_atomically", full)
    file = written(program)
    ran = program.run("tournament", file, "--export", "t.csv")
    assert (ran.status, ran.output) == (UNUSABLE, "")
    assert "t.csv" in ran.errors
    monkeypatch.undo()
    assert json.loads(program.run("tournament", file, "--resume", "--json").output)["missing"] == 0


def test_cluster_plays_a_tournament(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=Cluster))
    ran = program.run("tournament", written(program), "--cluster", "tcp://there:8786", "--json")
    assert (ran.status, ran.errors) == (DONE, "")
    assert json.loads(ran.output)["missing"] == 0
    ran = program.run("tournament", written(program, seed=2), "--cluster", "nowhere")
    assert (ran.status, ran.output) == (UNUSABLE, "")
    with program.store() as store:  # No game of the other tournament has started.
        assert len(list(Tournaments(store).newest(2, print))) == 1


@pytest.mark.slow
def test_temporary_files_of_workers_are_removed() -> None:
    with tournaments.executor_for(SAY["en"], 1, None) as executor:
        assert isinstance(executor, ProcessExecutor)
        folder = Path(executor._processes[0]._folder or "")
        (folder / "left").mkdir()
    assert not folder.exists()


@pytest.mark.slow
def test_interrupted_tournament_keeps_finished_games(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The interruption is like Ctrl-C, and the rest is played later."""

    @contextmanager
    def stopped() -> Iterator[Callable[[], bool]]:
        signals = iter([False] * 3)
        yield lambda: next(signals, True)

    monkeypatch.setattr(tournaments, "interruptible", stopped)
    file = written(program, pairs=8)
    ran = program.run("tournament", file)
    assert ran.status == DONE
    assert "--resume" in ran.output
    monkeypatch.undo()
    assert json.loads(program.run("tournament", file, "--resume", "--json").output)["missing"] == 0


@pytest.mark.slow
def test_running_tournament_is_refused(program: Program) -> None:
    file = written(program)
    with program.store() as store:
        plan = read_plan(Path(file)).plan
        with Tournament.begin(plan, Tournaments(store), 1).claimed():
            for language in LANGUAGES:
                ran = program.run("--lang", language, "tournament", file, "--resume")
                assert (ran.status, ran.output) == (UNUSABLE, "")
                assert ran.errors.strip() == SAY[language]("tournament-is-played", file=file)
    assert json.loads(program.run("tournament", file, "--resume", "--json").output)["missing"] == 0


@pytest.mark.slow
def test_tournament_bots_play_and_stop(program: Program) -> None:
    script = program.folder / "bot.py"
    script.write_text("from noughts.bots import run; from noughts import new_player; run(new_player('rule'))")
    added = program.run("bots", "add", "ada", "--trust", "--", sys.executable, str(script))
    assert added.status == DONE, added.errors
    ran = program.run("tournament", written(program, '[[players]]\nwho = "bot:ada"', pairs=1), "--json")
    assert (ran.status, ran.errors) == (DONE, "")
    standings = {one["name"]: one for one in json.loads(ran.output)["standings"]}
    assert standings["bot:ada"]["losses"] == 0
    assert standings["bot:ada"]["crashes"] == 0


@pytest.mark.slow
def test_broken_bot_is_suspended(program: Program) -> None:
    script = program.folder / "bot.py"
    script.write_text(
        "import sys\nfor line in sys.stdin:\n"
        "    if line.startswith('go'): sys.exit(3)\n"
        "    print('ready 1' if line.startswith('noughts') else 'ok', flush=True)"
    )
    assert program.run("bots", "add", "eve", "--trust", "--", sys.executable, str(script)).status == DONE
    file = written(program, pairs=4)
    plan = program.folder / "plan-1.toml"
    plan.write_text(plan.read_text().replace('"random"', '"bot:eve"'))
    ran = program.run("tournament", file)
    assert ran.shows(SAY["en"].plural("tournament-suspended", 3, names=["Random"]))
    assert "Crashes" in ran.output
    assert "Late" not in ran.output
    answer = json.loads(program.run("tournament", file, "--resume", "--json").output)
    last = answer["standings"][-1]
    assert (last["crashes"], last["losses"], last["suspended"], answer["missing"]) == (3, 3, True, 0)


def test_unsuitable_player_is_refused_before_start(program: Program) -> None:
    ran = program.run("tournament", written(program, '[[players]]\nwho = "level:11"'))
    assert (ran.status, ran.output) == (UNUSABLE, "")
    with program.store() as store, store.reading() as connection:
        assert connection.rows("SELECT id FROM tournaments") == []


def test_plot_shows_players_and_test(program: Program) -> None:
    file = written(program, format_="sprt", pairs=3)
    assert program.run("tournament", file, "--plot", "elo.svg").status == DONE
    picture = (program.folder / "elo.svg").read_text(encoding="utf-8")
    assert all(text in picture for text in ("Rule", "Random", "elo0: -2.94", "elo1: 2.94"))
    assert program.run("tournament", file, "--resume", "--plot", "none/elo.svg").status == UNUSABLE
    assert program.run("tournament", file, "--resume", "--plot", "elo.png").status == UNUSABLE
    (program.folder / "elo.svg").unlink()
    rated = written(program, THIRD, pairs=1)
    assert program.run("tournament", rated, "--plot", "elo.svg").status == DONE
    assert LONG.split()[0] in (program.folder / "elo.svg").read_text(encoding="utf-8")
