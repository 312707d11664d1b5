"""Values that take long to find: found once for all who ask, and not again too soon."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

TIMES_AS_LONG = 20
"""A value is remembered for at least so many times as long as it took to find it."""


class Remembered:
    """A value that takes long to find, found anew when it is older than *seconds*, or than many times as
    long as it takes: however much there is to count, hardly any of the time goes into it. With 0 seconds
    nothing is remembered.
    """

    def __init__(self, run: Callable[..., Any], seconds: float) -> None:
        self._run, self._seconds = run, seconds
        self._value: Any = None
        self._until = 0.0
        self._finding = asyncio.Lock()

    async def value(self, find: Callable[[], Any]) -> Any:
        """The value; where several ask at once, it is found once."""
        async with self._finding:
            if time.monotonic() >= self._until:
                began = time.monotonic()
                self._value = await self._run(find)
                now = time.monotonic()
                self._until = now + (self._seconds and max(self._seconds, TIMES_AS_LONG * (now - began)))
            return self._value
