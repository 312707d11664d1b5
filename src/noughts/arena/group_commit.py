"""One thread that writes for all: what is asked for at the same time is committed at once.

A commit that reaches the disk takes as long for a hundred changes as for one. Whoever hands in a job
waits until the transaction that it was part of is committed.
"""

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, Generic, TypeVar

from noughts.errors import BadInput, DamagedStore, StoreError

Batch = TypeVar("Batch")

MOST = 256
"""How many jobs one transaction takes."""


@dataclass(slots=True)
class Job(Generic[Batch]):
    """Something to be done within a transaction; ``order`` is what it locks."""

    order: str
    work: Callable[[Batch], Any]
    future: Future[Any] = field(default_factory=Future)
    answer: Any = None
    refusal: Exception | None = None

    def begin(self) -> bool:
        """Whether somebody still wants it; from now on it is too late to say that nobody does."""
        return self.future.set_running_or_notify_cancel()

    def attempt(self, batch: Batch) -> None:
        """Do the work; what it refuses, before it has written anything, is an answer too."""
        self.answer = self.refusal = None
        try:
            self.answer = self.work(batch)
        except (BadInput, DamagedStore) as refusal:
            self.refusal = refusal

    def tell(self) -> None:
        """Let whoever waits know."""
        if self.refusal is None:
            self.future.set_result(self.answer)
        else:
            self.future.set_exception(self.refusal)


class GroupCommit(Generic[Batch]):
    """The thread; *transaction* makes what each job gets and commits at its end.

    *committed* is told of each batch that was, after those who wait.
    """

    def __init__(
        self,
        transaction: Callable[[], AbstractContextManager[Batch]],
        committed: Callable[[Batch], None],
        told: Callable[[Batch], None],
        where: str,
    ) -> None:
        self._transaction, self._committed, self._told, self._where = transaction, committed, told, where
        self._jobs: SimpleQueue[Job[Batch] | None] = SimpleQueue()
        self._lock, self._is_closed = Lock(), False
        self._thread = Thread(target=self._serve, name="noughts-writer", daemon=True)
        self._thread.start()

    def submit(self, order: str, work: Callable[[Batch], Any]) -> Future[Any]:
        """Hand in *work*, which may be done more than once until it is committed."""
        job = Job(order, work)
        with self._lock:
            if self._is_closed:
                raise StoreError(self._where, "closed")
            self._jobs.put(job)
        return job.future

    def close(self) -> None:
        """Do what was handed in and stop."""
        with self._lock:
            if not self._is_closed:
                self._is_closed = True
                self._jobs.put(None)
        self._thread.join()

    def _serve(self) -> None:
        goes_on = True
        while goes_on:
            jobs = [self._jobs.get()]
            while jobs[-1] is not None and len(jobs) < MOST and not self._jobs.empty():
                jobs.append(self._jobs.get())
            goes_on = jobs[-1] is not None
            if asked := [job for job in jobs if job is not None and job.begin()]:
                # In the same order everywhere, so that two workers never wait for one another.
                self._do(sorted(asked, key=lambda job: job.order))

    def _do(self, jobs: list[Job[Batch]]) -> None:
        is_in_job = False
        try:
            with self._transaction() as batch:
                for job in jobs:
                    is_in_job = True
                    job.attempt(batch)
                is_in_job = False
        except Exception as error:
            if is_in_job and len(jobs) > 1:  # so that nobody suffers for another
                for job in jobs:
                    self._do([job])
                return
            for job in jobs:
                job.future.set_exception(error)
            return
        self._committed(batch)
        for job in jobs:
            job.tell()
        self._told(batch)
