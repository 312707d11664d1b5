"""Settings of all tests: the same examples in every run, and no deadlines for slow machines.

Searches run as Python, which coverage measures. Tests of compiled code ask for it by name.
"""

import atexit
import gc
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings

from noughts.players import perfect
from noughts.search.background_compile import MachineSelector
from tests.chromium import chromium as chromium
from tests.search.machines import machine_of

for name, examples in (("default", 50), ("weekly", 1_000)):
    settings.register_profile(
        name,
        derandomize=True,
        deadline=None,
        database=None,
        max_examples=examples,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
# Rare garbage collection saves a tenth of the test time, and memory suffices.
gc.set_threshold(20_000, 50, 100)
os.environ["NOUGHTS_PLAIN"] = "1"

# Tests must not read or write the files of the user. Only compiled kernels are shared.
HOME = tempfile.mkdtemp(prefix="noughts-home-")
atexit.register(shutil.rmtree, HOME, ignore_errors=True)
os.environ.setdefault("XDG_CACHE_HOME", str(Path.home() / ".cache"))
os.environ["HOME"] = HOME
for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "NOUGHTS_THEME", "NOUGHTS_SIGNS", "NOUGHTS_NAME"):
    os.environ.pop(variable, None)
os.environ["NOUGHTS_CERTIFICATES"] = str(Path(__file__).with_name("no-certificates"))

# nohup ignores Ctrl-C, and programs that tests start would inherit that.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option ``--weekly``."""
    parser.addoption("--weekly", action="store_true", help="also run the tests that take hours")


def pytest_configure(config: pytest.Config) -> None:
    """Try more random examples each week."""
    settings.load_profile("weekly" if config.getoption("weekly") else "default")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect weekly tests without ``--weekly``, whatever ``-m`` says: pytest uses only the last ``-m``.

    The slow tests come first: at the end each worker then has short tests left to take.
    """
    if not config.getoption("weekly"):
        weekly = [item for item in items if item.get_closest_marker("weekly")]
        items[:] = [item for item in items if not item.get_closest_marker("weekly")]
        config.hook.pytest_deselected(items=weekly)
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def pytest_collection_finish() -> None:
    """Exclude the loaded modules and tests from garbage collection, since they stay."""
    # The main module, which tests import, lets Ctrl-C end the process at once.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.collect()
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    """Avoid garbage collections at exit."""
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn skipped tests into failures if everything must run, as in ``.ci/run``."""
    report = yield
    if os.environ.get("CI") and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} must not be skipped: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Collect doctests of the package, but not of tests."""
    return [one for one in (yield) if not isinstance(one, DoctestModule)]


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Turn skipped files into failures if everything must run."""
    report = yield
    if os.environ.get("CI") and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"{collector.nodeid} must not be skipped: {report.longrepr}"
    return report


@pytest.fixture(autouse=True)
def _seats_are_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let perfect decline large games soon; ``tests/players`` tests its own limits."""
    monkeypatch.setattr(perfect, "SEAT_NODES", 6_000)
    monkeypatch.setattr(perfect, "LARGE_NODES", 500)
    monkeypatch.setattr(perfect, "STOPPING_NODES", 500)


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile searches from their first node on, for tests of results instead of code lines.

    Compiled searches visit the same nodes as Python, which ``tests/search`` asserts.
    """
    machine = machine_of("numba")
    monkeypatch.setattr(MachineSelector, "__call__", lambda ready, stop=None: machine)


@pytest.fixture(scope="session")
def quixo_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the package of ``examples/quixo`` from its wheel, and return the folder."""
    folder = tmp_path_factory.mktemp("quixo")
    source = Path(__file__).parent.parent / "examples" / "quixo"
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder / "wheel")]
    run = subprocess.run(build, cwd=source, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    (wheel,) = (folder / "wheel").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "installed")
    return folder / "installed"


@pytest.fixture
def quixo(quixo_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Add the package of ``examples/quixo`` to the path, also of started programs."""
    monkeypatch.syspath_prepend(str(quixo_folder))
    monkeypatch.setenv("PYTHONPATH", str(quixo_folder))
    return quixo_folder
