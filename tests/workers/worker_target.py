"""Programs with workers, to be run and killed by tests: their name, then their arguments."""

import atexit
import sys
import threading
from queue import SimpleQueue
from typing import Any

from noughts.workers.supervisor import ProcessWorker
from tests.workers import sample_tasks as tasks


def compute_for_ever(path: str) -> None:
    """Start an endless computation that is connected to the socket at *path*."""
    ProcessWorker().ask(tasks.for_ever_connected, path, on_message=print)
    sys.stdin.read()


def make_noise() -> None:
    """Make noise in a worker. Only the result may appear, even if this process exits without closing it.

    The remaining threads are stopped at the very end.
    """
    atexit.register(lambda: print([thread.name for thread in threading.enumerate()]))
    received: SimpleQueue[Any] = SimpleQueue()
    ProcessWorker().ask(tasks.make_noise, on_message=received.put)
    print(received.get(timeout=60))


if __name__ == "__main__":
    if sys.argv[1] == "for-ever":
        compute_for_ever(sys.argv[2])
    else:
        make_noise()
