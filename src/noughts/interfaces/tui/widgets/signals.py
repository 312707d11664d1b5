"""Signals of the system: to end, to hang up, and to continue after a stop."""

import asyncio
import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

ENDING = ("SIGTERM", "SIGHUP")
"""The signals that end the program; some systems have only one of them."""

PATIENCE_SECONDS = 5.0
"""The seconds after which the program ends even if a lost terminal blocks it."""

LOOK_SECONDS = 1.0
"""The seconds between two checks of the terminal."""

HELD_UP = 1
"""The exit status of a blocked program. The moves are on disk, so nothing is lost."""


class Waiting:
    """A signal handler that records a signal to end the program, until the program can react."""

    def __init__(self) -> None:
        self.has_come = False

    def __call__(self, *_: object) -> None:
        self.has_come = True
        _end_in_any_case()


@contextmanager
def waiting() -> Iterator[None]:
    """Record signals to end the program until :func:`listening` starts.

    Textual has the terminal before that.
    """
    with _handling(Waiting()):
        yield


@contextmanager
def _handling(handler: Callable[..., object]) -> Iterator[list[Any]]:
    """Let *handler* handle the signals that end the program; yield the previous handlers."""
    if threading.current_thread() is not threading.main_thread():
        yield []
        return
    signals = [getattr(signal, name) for name in ENDING if hasattr(signal, name)]
    before = [signal.signal(number, handler) for number in signals]
    try:
        yield before
    finally:
        for number, usual in zip(signals, before, strict=True):
            signal.signal(number, usual)


def _end_in_any_case() -> None:
    last_resort = threading.Timer(PATIENCE_SECONDS, os._exit, [HELD_UP])
    last_resort.daemon = True
    last_resort.start()


@contextmanager
def listening(leave: Callable[[], object]) -> Iterator[None]:
    """Call *leave* in the running event loop at a signal that ends the program.

    If nobody reads the terminal any more, writing to it may block forever. So the program ends after a while
    in any case.
    """
    loop = asyncio.get_running_loop()

    def end(*_: object) -> None:
        _end_in_any_case()
        with suppress(RuntimeError):  # The loop has already ended.
            loop.call_soon_threadsafe(leave)

    with _handling(end) as before:
        if any(isinstance(handler, Waiting) and handler.has_come for handler in before):
            end()
        yield


def is_terminal_gone() -> bool:
    """Return True if the terminal of the keyboard was closed; False if that is unknown."""
    try:
        look = select.poll()
        look.register(sys.__stdin__, 0)  # type: ignore[arg-type] # a process may have none
    except (AttributeError, OSError, TypeError, ValueError):
        return False
    return any(events & select.POLLHUP for _, events in look.poll(0))


def end_without_terminal() -> None:
    """End the program if its terminal is gone.

    The system sends a signal only to processes that the terminal controls. Others would wait for keys
    forever.
    """
    if is_terminal_gone():
        signal.raise_signal(signal.SIGHUP)


def continue_only_after_stop() -> None:
    """Restart the terminal only after Ctrl-Z stopped the program.

    A closed terminal sends the signal to continue too, and Textual would start its threads twice.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "SIGTSTP"):
        return
    stop, resume = signal.getsignal(signal.SIGTSTP), signal.getsignal(signal.SIGCONT)
    if not callable(stop) or not callable(resume):  # There is no terminal.
        return
    is_stopped = threading.Event()

    def stop_once(*facts: Any) -> None:
        is_stopped.set()
        stop(*facts)

    def continue_once(*facts: Any) -> None:
        if is_stopped.is_set():
            is_stopped.clear()
            resume(*facts)

    signal.signal(signal.SIGTSTP, stop_once)
    signal.signal(signal.SIGCONT, continue_once)
