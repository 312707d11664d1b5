"""The same examples in every run, and no clock: a slow machine is not a failure.

Searches run as Python, which coverage sees; tests of what is compiled ask for it by name.
"""

import os
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "steady",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("steady")
os.environ["NOUGHTS_PLAIN"] = "1"

# Under nohup Ctrl-C is ignored, and programs that tests start would inherit that.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Measure no coverage in tests of a great many cases: it would more than double their time.

    Others run the same code, so that nothing is missed. What pytest-cov has for it fails with ``--no-cov``.
    """
    measuring = coverage.Coverage.current() if item.get_closest_marker("many_cases") else None
    if measuring is None:
        return (yield)
    measuring.stop()
    try:
        return (yield)
    finally:
        measuring.start()


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
