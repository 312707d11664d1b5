"""Programs of bots are ended after each test: any test may follow in the same process."""

import threading
from collections.abc import Iterator
from weakref import WeakSet

import pytest

from noughts.workers.programs.bot_player import BotPlayer


@pytest.fixture(autouse=True)
def _bots_are_closed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Close the players that the test has made, and cancel the timers that would close others."""
    made, init = WeakSet[BotPlayer](), BotPlayer.__init__

    def note(player: BotPlayer, *arguments: object, **options: object) -> None:
        init(player, *arguments, **options)  # type: ignore[arg-type]
        made.add(player)

    monkeypatch.setattr(BotPlayer, "__init__", note)
    yield
    for player in list(made):
        player._kill()  # without its lock, which a hanging question may hold
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.cancel()  # of a player that was garbage-collected
