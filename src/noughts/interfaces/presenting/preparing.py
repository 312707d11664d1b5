"""What takes long at first is got ready in a thread of its own, so that an answer need not wait for it."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from time import monotonic
from typing import Generic, TypeVar

from noughts.search.analysis import Progress, Report, no_report
from noughts.workers.messages import Desk

T = TypeVar("T")

LOOK_SECONDS = 0.05
"""After so long it is looked again whether the answer is wanted now."""

STACK_BYTES = 16 << 20
"""Compilers go deep: threads have too little room for that on some systems."""


class _Preparation(Generic[T]):
    """Has *prepare*, which reports to what it is given, make something in a thread of its own."""

    def __init__(self, prepare: Callable[[Report], T]) -> None:
        self.made: Future[T] = Future()
        self.is_compiling = False
        self.report: Report = no_report

        def work() -> None:
            try:
                self.made.set_result(prepare(self._tell))
            except BaseException as error:
                self.made.set_exception(error)

        usual = threading.stack_size(STACK_BYTES)
        try:
            threading.Thread(target=work, name="noughts-preparing", daemon=True).start()
        finally:
            threading.stack_size(usual)

    def _tell(self, progress: Progress) -> None:
        self.is_compiling = self.is_compiling or progress.stage == "compiling"
        self.report(progress)


def prepared(desk: Desk, key: object, prepare: Callable[[Report], T], seconds: float) -> T | None:
    """What *prepare* makes, once, under *key*; None where it is being compiled and that takes too long.

    That is longer than *seconds*, or longer than whoever asked is willing to wait. It goes on nevertheless,
    and who asks for it again at the same *desk* later finds it further on, or done.
    """
    going_on: dict[object, _Preparation[T]] = desk.memory.setdefault("preparing", {})
    preparation = going_on.get(key)
    if preparation is None:
        preparation = going_on[key] = _Preparation(prepare)
    preparation.report, end = desk.report, monotonic() + seconds
    while not preparation.made.done():
        if preparation.is_compiling:
            desk.report(Progress("compiling"))
            if desk.stop() or monotonic() >= end:
                preparation.report = no_report
                return None
        wait((preparation.made,), LOOK_SECONDS)
    del going_on[key]
    return preparation.made.result()
