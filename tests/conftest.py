"""The same examples in every run, and no clock: a slow machine is not a failure.

Searches run as Python, which coverage sees; tests of what is compiled ask for it by name.
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
# To look for garbage seldom, as there is room, saves a fifth of collecting and a tenth of the tests.
gc.set_threshold(20_000, 50, 100)
os.environ["NOUGHTS_PLAIN"] = "1"

# No test may read or write the files of the person who runs it; only compiled kernels are shared.
HOME = tempfile.mkdtemp(prefix="noughts-home-")
atexit.register(shutil.rmtree, HOME, ignore_errors=True)
os.environ.setdefault("XDG_CACHE_HOME", str(Path.home() / ".cache"))
os.environ["HOME"] = HOME
for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "NOUGHTS_THEME", "NOUGHTS_SIGNS", "NOUGHTS_NAME"):
    os.environ.pop(variable, None)
os.environ["NOUGHTS_CERTIFICATES"] = str(Path(__file__).with_name("no-certificates"))

# Under nohup Ctrl-C is ignored, and programs that tests start would inherit that.
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
    """Keep the garbage collector from looking at modules and tests again: they stay."""
    # The module of the program, which is imported to be tested, lets Ctrl-C end the process at once.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.collect()
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    """Keep the garbage collector from looking at what is left, again and again, at exit."""
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where everything must run, as in ``.ci/run``, a test that is skipped has failed."""
    report = yield
    if os.environ.get("CI") and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} must not be skipped: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Examples stand in the documentation of the program, not in that of tests."""
    return [one for one in (yield) if not isinstance(one, DoctestModule)]


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """The same of a whole file."""
    report = yield
    if os.environ.get("CI") and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"{collector.nodeid} must not be skipped: {report.longrepr}"
    return report


@pytest.fixture(autouse=True)
def _seats_are_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let perfect decline large games soon; ``tests/players`` tests what it plays with its own limits."""
    monkeypatch.setattr(perfect, "SEAT_NODES", 6_000)
    monkeypatch.setattr(perfect, "LARGE_NODES", 500)
    monkeypatch.setattr(perfect, "STOPPING_NODES", 500)


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches run compiled from their first node on: what they find matters, not which lines they reach.

    They take the same nodes as in Python, which ``tests/search`` asserts.
    """
    machine = machine_of("numba")
    monkeypatch.setattr(MachineSelector, "__call__", lambda ready, stop=None: machine)


@pytest.fixture(scope="session")
def quixo_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the package of ``examples/quixo`` is installed: its wheel, built and unpacked."""
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
    """The package of ``examples/quixo`` on the path, also of programs that are started."""
    monkeypatch.syspath_prepend(str(quixo_folder))
    monkeypatch.setenv("PYTHONPATH", str(quixo_folder))
    return quixo_folder
