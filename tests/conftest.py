"""The same examples in every run, and no clock: a slow machine is not a failure.

Searches run as Python, which coverage sees; tests of what is compiled ask for it by name.
"""

import os
import signal
from collections.abc import Iterator

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
