"""Questions that are divided among workers: the values are the same, whatever becomes of the workers."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

import pytest

from noughts import new_game
from noughts.search.analyst import Analyst
from noughts.search.compiled import python_machine
from noughts.search.dividing import division
from noughts.search.dividing.division import Workers


class Here(Executor):
    """Works on everything at once, in this thread; *raises* may spoil the task of a number."""

    def __init__(self, raises: Callable[[int], Exception | None] = lambda number: None) -> None:
        self.tasks, self._raises = 0, raises

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.tasks += 1
        future: Future[Any] = Future()
        if (error := self._raises(self.tasks)) is not None:
            future.set_exception(error)
        else:
            future.set_result(fn(*args, **kwargs))
        return future


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is divided, into tasks as small as may be."""
    monkeypatch.setattr(division, "MIN_BUDGETS", {False: 64, True: 4})
    monkeypatch.setattr(division, "MIN_TASKS", {False: 16, True: 2})
    monkeypatch.setattr(division, "TRIED_HERE", 2)


def analyst_of(executor: Executor, count: int = 2) -> Analyst:
    return Analyst(machine=python_machine(), workers=Workers(executor, count))


BOARDS = (
    *("tictactoe", "4x3:3", "5x4:4", "3x3x3:3", "torus", "4x4:3,hex", "4x3:3,exact", "4x3:3,gravity,wrap"),
    *("4x4:3,gravity", "4x4:4,gravity", "misere", "notakto", "wild"),
)


@pytest.mark.parametrize("name", BOARDS)
def test_the_value_is_the_same(name: str) -> None:
    game, workers = new_game(name), Here()
    alone = Analyst(machine=python_machine()).solve(game)
    found = analyst_of(workers).solve(game)
    assert (found.value, found.plies) == (alone.value, alone.plies)
    assert workers.tasks > 0
