"""The task of a worker and its result: a question about a position, and the answer.

A worker keeps the search of the rules of its last question, with all stored results.
"""

import threading
from array import array
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from noughts.games.base import Game, Move
from noughts.search.analysis import Effort, Limit, LimitReachedError
from noughts.search.exact.questions import ExactQuestion
from noughts.search.exact.search import ExactSearch

TASK_SECONDS = 20.0
"""The time after which a task ends with a partial result, since its caller may be gone."""


@dataclass(frozen=True, slots=True)
class Task:
    """A question about *game*, with ``nodes`` nodes and ``max_bytes`` of memory, None for the default.

    ``known`` has the results of other workers.
    """

    game: Game
    question: ExactQuestion
    nodes: int
    max_bytes: int | None = None
    known: "array[int]" = field(default_factory=partial(array, "q"))


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """The result of a task: the ``answer``, None if it was cut short, the deciding move, and the nodes.

    ``results`` has the results that other workers can reuse, and ``numbers`` are the proof numbers of an
    attack.
    """

    answer: bool | None
    best: Move | None
    nodes: int
    results: "array[int]" = field(default_factory=partial(array, "q"))
    numbers: tuple[int, int] | None = None


_worker = threading.local()
"""The search of this thread."""


def run_task(task: Task) -> QuestionResult:
    """Work on *task*. Any worker may repeat the same task."""
    search = _search_for(task)
    search.effort = effort = Effort(Limit(nodes=task.nodes, seconds=TASK_SECONDS).started())
    task.question.learn(search, task.known)
    answer, best = None, None
    with suppress(LimitReachedError):
        answer, best = task.question.ask(search, task.game)
    numbers = None if effort.question is None else effort.question.numbers
    return QuestionResult(answer, best, effort.nodes, task.question.shared_results(search), numbers)


def _search_for(task: Task) -> ExactSearch:
    rules, about = task.game.rules, getattr(_worker, "about", None)
    assert rules is not None  # noqa: S101 - only questions for the exact search are divided
    if about != (rules, task.max_bytes):
        _worker.search = search = ExactSearch(rules)
        if task.max_bytes is not None:
            search.limit_memory(task.max_bytes)
        _worker.about = rules, task.max_bytes
    results: ExactSearch = _worker.search
    return results
