"""Bad bots, each on both seats: one game ends with its reason, and nothing else happens.

Bots that cannot be run at all, the first of them, are refused before a game: see test_bots_command.
``.ci/weekly`` measures the delays of other games.
"""

import os
import threading
from time import monotonic, sleep

import pytest

from noughts import new_game
from noughts.arena.events import MatchEnd
from noughts.errors import UnsupportedRules
from noughts.workers.programs import program as programs
from tests.interfaces.harness import SAY
from tests.workers.programs.bad_bots import (
    BOTS,
    LEFT_SECONDS,
    MAX_GROWTH,
    OUT_OF_TURN,
    Bad,
    fence,
    play_with,
    player_of,
)

pytestmark = pytest.mark.slow

SEATED = [
    (bot, seat)
    for bot in BOTS
    for seat in ("XO" if bot.number in OUT_OF_TURN else "O")
    if bot.comes != "declines"
]
"""Each bot and its side. Both sides matter only to bots that write during the opponent's turn."""


@pytest.mark.parametrize(("bot", "seat"), SEATED, ids=lambda one: getattr(one, "name", one))
def test_bad_bot_is_at_fault(bot: Bad, seat: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if bot.is_fenced_only and fence() is None:
        return  # such a bot is refused: see test_seating
    monkeypatch.setenv("SECRET", "x")
    monkeypatch.setattr(programs, "STATUS_SECONDS", 0.1)
    monkeypatch.setattr(programs, "END_SECONDS", 0.2)
    before = open_files()
    came = play_with(bot, seat)
    end = came.events[-1].data
    fault = end.get("reason") if end["termination"] == MatchEnd.FORFEIT else "plays"
    assert fault in (bot.comes, bot.or_else), end
    detail = end.get("detail", "")
    assert bot.told in detail
    for say in SAY.values():
        sentence = say(f"forfeit-{fault}", loser="Ada", detail=detail) if detail else "x"
        assert sentence.isprintable()
        assert detail in sentence
    assert end["winner"] != seat or fault == "plays"
    if bot.number in OUT_OF_TURN:  # an extra line is not a move
        own = came.moves["XO".index(seat) :: 2]
        assert own == tuple(sorted(own))[: len(own)]
        assert (4, 4) not in own
    if came.another:
        assert came.another[-1].data["termination"] != MatchEnd.FORFEIT, came.another[-1].data
    assert came.left == []
    assert came.grown < MAX_GROWTH
    end_of_patience = monotonic() + LEFT_SECONDS
    while open_files() > before and monotonic() < end_of_patience:  # the watcher may be reading /proc
        sleep(0.02)
    assert open_files() <= before
    assert not [thread for thread in threading.enumerate() if thread.name == "noughts-program"]


def open_files() -> int:
    """Return the number of open files of this process."""
    return len(os.listdir("/proc/self/fd"))


def test_declining_bot_is_not_a_failure() -> None:
    bot = next(bot for bot in BOTS if bot.comes == "declines")
    player = player_of(bot, "any")
    for _ in range(2):
        with pytest.raises(UnsupportedRules, match=bot.told):
            player.take_seat(new_game("gomoku"))
    player.close()
