"""Shared fixtures of the tests of faults: a process that forks servers."""

from collections.abc import Iterator

import pytest

from tests.faults.servers import Launcher, launching


@pytest.fixture(scope="session")
def launcher() -> Iterator[Launcher]:
    """The process that forks servers, one at a time."""
    with launching() as made:
        yield made
