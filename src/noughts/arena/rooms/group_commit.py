"""One thread that writes for all others and commits simultaneous changes together.

A commit that reaches the disk takes as long for a hundred changes as for one. The sender of a job waits until
the job's transaction is committed.
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
"""The maximum number of jobs in one transaction."""

MAX_ATTEMPTS = 5
"""The maximum number of attempts at a job that other workers overtake."""


@dataclass(slots=True)
class Job:
    """A piece of work within a transaction.

    ``order`` is the room that it locks, ``key`` another row that it reads.
    """

    order: str
    work: Callable[[RoomBatch], Any]
    key: Key | None = None
    future: Future[Any] = field(default_factory=Future)

    def attempt(self, batch: RoomBatch) -> Callable[[], None]:
        """Do the work and return a function that delivers the answer to the sender.

        A refusal before anything was written is an answer too.
        """
        try:
            return partial(self.future.set_result, self.work(batch))
        except (BadInput, DamagedStore) as refusal:
            return partial(self.future.set_exception, refusal)


class GroupCommit:
    """The thread that commits jobs together.

    *transaction* turns jobs into the batch that each of them gets, and commits at its end. *on_committed* is
    called with each committed batch, after the senders have their answers.
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
        """Hand in *work*, which may run more than once until it is committed."""
        job = Job(order, work, key)
        with self._lock:
            if self._is_closed:
                raise StoreError(self._where, "closed")
            self._jobs.put(job)
        return job.future

    def close(self) -> None:
        """Finish the jobs that were handed in and stop."""
        with self._lock:
            if not self._is_closed:
                self._is_closed = True
                self._jobs.put(None)
        self._thread.join()

    def _serve(self) -> None:
        is_running = True
        while is_running:
            jobs = [self._jobs.get()]
            while jobs[-1] is not None and len(jobs) < MAX_JOBS and not self._jobs.empty():
                jobs.append(self._jobs.get())
            is_running = jobs[-1] is not None
            # From here on the jobs cannot be cancelled any more.
            if wanted := [job for job in jobs if job and job.future.set_running_or_notify_cancel()]:
                # All workers use the same order, so that no two of them wait for each other.
                self._do(sorted(wanted, key=lambda job: job.order))

    def _do(self, jobs: list[Job], attempts: int = MAX_ATTEMPTS) -> None:
        is_at_work = False
        try:
            with self._transaction(jobs) as batch:
                is_at_work = True
                answers = [job.attempt(batch) for job in jobs]
                batch.write()
                is_at_work = False
        except BaseException as error:  # no job may end the thread that writes for all
            # Retry each job alone: a bad job must not fail the others, and a job that another worker has
            # overtaken must read the newest state.
            if is_at_work and (len(jobs) > 1 or (isinstance(error, StaleVersion) and attempts > 1)):
                for job in jobs:
                    self._do([job], MAX_ATTEMPTS if len(jobs) > 1 else attempts - 1)
                return
            for job in jobs:
                job.future.set_exception(as_exception(error))
            return
        for tell in answers:
            tell()
        self._on_committed(batch)
