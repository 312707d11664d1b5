"""``examples/learn.py`` learns, resumes after an interruption, and reports errors."""

import importlib.util
import os
import sys
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from noughts.players.ntuples import read_network

SCRIPT = Path(__file__).parent.parent / "examples" / "learn.py"

MAX_LINES = 320


@pytest.fixture(scope="module")
def learn() -> ModuleType:
    """Return the script as a module."""
    spec = importlib.util.spec_from_file_location("learn", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Here(Executor):
    """Workers in this process, for tests of a cluster or of processes; one fails *after* some tasks."""

    def __init__(self, after: int = 1_000) -> None:
        self.left = after

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.left -= 1
        if self.left < 0:
            future.set_exception(KeyboardInterrupt())
        else:
            future.set_result(fn(*args, **kwargs))
        return future


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a Dask cluster that the script cannot distinguish from a real one."""

    class Client:
        def __init__(self, address: str) -> None:
            self.address = address

        def get_executor(self) -> Executor:
            return Here(int(self.address))

    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=Client))


def run(learn: ModuleType, out: Path, *words: str) -> None:
    usual = ("--games", "20", "--workers", "2", "--cluster", "1000")
    learn.main(["3x3", "--out", str(out), *usual, *words])


@pytest.mark.slow
@pytest.mark.usefixtures("cluster")
def test_interrupted_learning_resumes_identically(
    learn: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(learn, "share", lambda network, other: 0.5)
    run(learn, tmp_path / "whole", "--rounds", "3", "--plot", str(tmp_path / "shares.svg"))
    assert "level:5" in (tmp_path / "shares.svg").read_text(encoding="utf-8")
    answer = capsys.readouterr().out.splitlines()
    assert [line.split(": ")[1].split(",")[0] for line in answer] == ["40 games", "80 games", "120 games"]
    assert answer[-1].endswith("; 0.50 against random; 0.50 against rule; 0.50 against level:5")
    run(learn, tmp_path / "part", "--rounds", "2")
    run(learn, tmp_path / "part", "--rounds", "1", "--resume", f"{tmp_path / 'part.state'}", "--workers", "7")
    assert (tmp_path / "part").read_bytes() == (tmp_path / "whole").read_bytes()
    network = read_network(tmp_path / "whole")
    assert network.form.game == "3x3:3"
    assert len({*network.weights}) > 5
    run(learn, tmp_path / "other", "--rounds", "3", "--seed", "2")
    assert (tmp_path / "other").read_bytes() != (tmp_path / "whole").read_bytes()


@pytest.mark.usefixtures("cluster")
def test_interrupted_learning_saves_its_state(
    learn: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def leave(status: int) -> None:
        raise SystemExit(status)

    monkeypatch.setattr(os, "_exit", leave)
    with pytest.raises(SystemExit) as ended:
        run(learn, tmp_path / "w", "--cluster", "3")
    assert ended.value.code == 0
    assert f"--resume {tmp_path / 'w.state'}" in capsys.readouterr().out
    assert learn.load(tmp_path / "w.state", "3x3").facts == {
        "seed": 1,
        "workers": 2,
        "games": 20,
        "rounds": 1,
    }


def test_two_hundred_games_teach_immediate_wins(learn: Any) -> None:
    """The weights know a win and a loss in one move."""
    facts = {"seed": 1, "workers": 1, "games": 200, "rounds": 0}
    state = learn.next_round(learn.begin("2x3:2", facts, 50), Here())
    weights = state.lesson[0]
    assert np.isfinite(weights).all()
    form = state.form
    first = form.read([None] * 6)  # The first side wins in any case.
    assert sum(weights[place] for place in first) >= 0
    after = [place + form.count for place in form.read(["X", *[None] * 5])]
    assert sum(weights[place] for place in after) > 0.1


def test_learning_supports_gravity(learn: Any) -> None:
    facts = {"seed": 1, "workers": 2, "games": 3, "rounds": 0}
    with ThreadPoolExecutor(1) as executor:
        state = learn.next_round(learn.begin("4x3:3,gravity", facts, 8), executor)
    assert state.facts["rounds"] == 1
    assert (state.lesson[2] > 0).any()
    assert 0 <= learn.share(learn.rounded(state.form, state.lesson[0].tolist()), "random", 2) <= 1


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--resume", "none"], "is not a saved state"),
        (["--resume", "broken"], "is not a saved state"),
        (["--resume", "pipe"], "not a file"),
        (["--resume", "other.state"], "belongs to another game, or is incomplete"),
        (["--out", "none/w"], "No such file"),
    ],
)
@pytest.mark.usefixtures("cluster")
def test_unusable_files_stop_learning(
    learn: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("broken").write_bytes(b"PK\3\4 no more")
    os.mkfifo("pipe")
    facts = {"seed": 1, "workers": 1, "games": 1, "rounds": 0}
    learn.save(learn.begin("2x2", facts, 1), Path("other.state"))
    with pytest.raises(SystemExit, match=reason):
        run(learn, tmp_path / "w", *words)


@pytest.mark.parametrize("game", ["1x1:1", "1x2:2", "2x1:1,gravity"])
def test_learning_handles_trivial_games(learn: Any, game: str) -> None:
    state = learn.begin(game, {"seed": 1, "workers": 1, "games": 1, "rounds": 0}, 1)
    assert learn.share(learn.rounded(state.form, state.lesson[0].tolist()), "rule", 2) == 0.5


@pytest.mark.parametrize(
    "words", [("--games", "0"), ("--workers", "-1"), ("--lookups", "0"), ("--plot", "shares.png")]
)
@pytest.mark.usefixtures("cluster")
def test_learning_refuses_unusable_options(learn: Any, tmp_path: Path, words: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as refused:
        run(learn, tmp_path / "w", *words)
    assert refused.value.code == 2


@pytest.mark.parametrize("game", ["misere", "reversi", "nothing"])
def test_learning_refuses_unsupported_games(learn: Any, tmp_path: Path, game: str) -> None:
    with pytest.raises(SystemExit, match=r"unknown rules|no game"):
        learn.main([game, "--out", str(tmp_path / "w")])


def test_learn_script_is_short() -> None:
    assert len(SCRIPT.read_text(encoding="utf-8").splitlines()) <= MAX_LINES
