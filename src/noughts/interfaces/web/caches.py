"""Caches of limited size or age."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any, Generic, TypeVar

TIMES_AS_LONG = 20
"""A value does not expire before this many times the time that it took to compute it."""

Key = TypeVar("Key")
Value = TypeVar("Value")


class SizedCache(Generic[Key, Value]):
    """A thread-safe cache of the last used values, whose sizes add up to at most *max_size*."""

    def __init__(self, max_size: int, size: Callable[[Value], int] = lambda value: 1) -> None:
        self._max_size, self._size_of, self._size = max_size, size, 0
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key) -> Value | None:
        """Return the value of *key*, or None if it is not cached."""
        with self._lock:
            if (value := self._values.get(key)) is not None:
                self._values.move_to_end(key)
            return value

    def put(self, key: Key, value: Value) -> None:
        """Store *value* for *key*."""
        with self._lock:
            if (before := self._values.pop(key, None)) is not None:
                self._size -= self._size_of(before)
            self._values[key] = value
            self._size += self._size_of(value)
            while self._size > self._max_size:
                self._size -= self._size_of(self._values.popitem(last=False)[1])


class TimedCache:
    """A cache of one value that takes long to compute.

    The value expires after *seconds*, and not before TIMES_AS_LONG times its computing time. With 0 seconds
    it is never cached.
    """

    def __init__(self, run: Callable[..., Any], seconds: float) -> None:
        self._run, self._seconds = run, seconds
        self._value: Any = None
        self._until = 0.0
        self._finding = asyncio.Lock()

    async def value(self, find: Callable[[], Any]) -> Any:
        """Return the value. Concurrent callers share one call of *find*."""
        async with self._finding:
            if time.monotonic() >= self._until:
                began = time.monotonic()
                self._value = await self._run(find)
                now = time.monotonic()
                self._until = now + (self._seconds and max(self._seconds, TIMES_AS_LONG * (now - began)))
            return self._value
