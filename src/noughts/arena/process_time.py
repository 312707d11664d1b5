"""The time of this process: the wall clock when it started, and monotonic time since then.

A wall clock that is set while the process runs changes nothing here, so no player gains or loses time by it.
"""

from collections.abc import Callable
from time import monotonic_ns, time_ns


def steady_clock(
    wall: Callable[[], int] = time_ns, forward: Callable[[], int] = monotonic_ns
) -> Callable[[], int]:
    """Return a clock in milliseconds since 1970 that reads *wall* once and then only *forward*.

    >>> wall, forward = iter([5_000_000, 9_000_000_000]), iter([1_000_000, 3_000_000])
    >>> steady_clock(lambda: next(wall), lambda: next(forward))()
    7
    """
    began = wall() - forward()
    return lambda: (began + forward()) // 1_000_000


now_ms = steady_clock()
"""The time of this process in milliseconds since 1970."""
