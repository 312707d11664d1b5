"""One thread that writes for all: what is asked for at the same time is committed at once.

A commit that reaches the disk takes as long for a hundred changes as for one. Whoever hands in a job
waits until the transaction that it was part of is committed.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import partial
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any

from noughts.arena.rooms.room_repository import Key, RoomBatch
from noughts.errors import BadInput, DamagedStore, StaleVersion, StoreError, as_exception

MAX_JOBS = 256
"""How many jobs one transaction takes."""


@dataclass(slots=True)
class Job:
    """Something to be done within a transaction; ``order`` is what it locks, ``key`` what else it reads."""

    order: str
    work: Callable[[RoomBatch], Any]
    key: Key | None = None
    future: Future[Any] = field(default_factory=Future)

    def attempt(self, batch: RoomBatch) -> Callable[[], None]:
        """Do the work and return what tells whoever waits; what it refuses, before it has written anything,
        is an answer too.
        """
        try:
            return partial(self.future.set_result, self.work(batch))
        except (BadInput, DamagedStore) as refusal:
            return partial(self.future.set_exception, refusal)


class GroupCommit:
    """The thread; *transaction* makes of jobs what each of them gets, and commits at its end.

    *on_committed* is called with each batch that was, after those who wait have their answers.
    """

    def __init__(
        self,
        transaction: Callable[[Sequence[Job]], AbstractContextManager[RoomBatch]],
        on_committed: Callable[[RoomBatch], None],
        where: str,
    ) -> None:
        self._transaction, self._on_committed, self._where = transaction, on_committed, where
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._lock, self._is_closed = Lock(), False
        self._thread = Thread(target=self._serve, name="noughts-writer", daemon=True)
        self._thread.start()

    def submit(self, order: str, work: Callable[[RoomBatch], Any], key: Key | None = None) -> Future[Any]:
        """Hand in *work*, which may be done more than once until it is committed."""
        job = Job(order, work, key)
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
            while jobs[-1] is not None and len(jobs) < MAX_JOBS and not self._jobs.empty():
                jobs.append(self._jobs.get())
            goes_on = jobs[-1] is not None
            # From now on it is too late to say that nobody wants it any more.
            if asked := [job for job in jobs if job and job.future.set_running_or_notify_cancel()]:
                # In the same order everywhere, so that two workers never wait for one another.
                self._do(sorted(asked, key=lambda job: job.order))

    def _do(self, jobs: list[Job], *, is_again: bool = False) -> None:
        is_at_work = False
        try:
            with self._transaction(jobs) as batch:
                is_at_work = True
                answers = [job.attempt(batch) for job in jobs]
                batch.write()
                is_at_work = False
        except BaseException as error:  # the thread writes for all, and must not end by one job
            # So that nobody suffers for another; and who was overtaken by another worker sees what it did.
            if is_at_work and (len(jobs) > 1 or (isinstance(error, StaleVersion) and not is_again)):
                for job in jobs:
                    self._do([job], is_again=len(jobs) == 1)
                return
            for job in jobs:
                job.future.set_exception(as_exception(error))
            return
        for tell in answers:
            tell()
        self._on_committed(batch)
