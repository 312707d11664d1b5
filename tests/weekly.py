"""Parameters of tests that run each week only."""

from collections.abc import Iterable
from typing import Any

import pytest


def weekly(*values: object) -> Any:
    """Return the *values* of a case that runs each week only."""
    return pytest.param(*values, marks=pytest.mark.weekly)


def each_week_all(values: Iterable[Any], every: int) -> list[Any]:
    """Return *values* as cases: each *every*-th one runs always, the others each week only."""
    return [
        value if at % every == 0 else weekly(*(value if type(value) is tuple else (value,)))
        for at, value in enumerate(values)
    ]
