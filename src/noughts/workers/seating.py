"""Players by their names, as every interface seats them: ours here, all others as programs of their own.

That a player is a plug-in of another package or a bot that the user added makes no difference to whoever
seats it: neither is ever loaded into this process.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from noughts.errors import FileRefused, NotFound, SandboxMissing, SandboxRefused
from noughts.games.entry_points import entry_points
from noughts.players import base
from noughts.players.base import ENTRY_POINTS, Player
from noughts.python import python_command
from noughts.workers.programs.bot_list import Bot, load_bots

if TYPE_CHECKING:
    from noughts.workers.programs.bot_player import BotPlayer
    from noughts.workers.programs.driver import MakeDriver

BOT = "bot:"
"""How the names of bots begin."""

PLUG_IN_MEMORY = 2_048
"""How many MiB a player of another package may use: it brings Python and whatever else it needs."""

PLUG_IN_FILES = 256
"""How many files it may have open."""

TRUSTED_PROCESSES = 256
"""Maximum number of processes of a trusted bot or a player of another package."""

PLUG_IN_SECONDS = 60.0
"""How long it may take to load."""

OWN_SEAT_SECONDS = 600.0
"""Seconds after which a process that seats a player of ours must hang, however busy the machine is."""

TOLD = ("NOUGHTS_CERTIFICATES",)
"""The variables of ours that it is told; among the others are passwords."""


def player_names(bots: Sequence[str] | None = None) -> Iterator[str]:
    """The names of all players: ours, those of other packages, and the *bots*, all that were added if None.

    None is started for that, and nothing raised.
    """
    yield from base.player_names()
    if bots is None:
        try:
            bots = tuple(load_bots())
        except FileRefused:
            bots = ()
    yield from (BOT + name for name in bots)


def is_ours(name: str) -> bool:
    """Whether the player called *name* comes with noughts, and so needs no program of its own."""
    return base.is_registered(name)


def seat_patience(name: str, seconds: float) -> float:
    """Return how many seconds the player called *name* may take for its seat: *seconds*, ours far longer.

    Whether one of ours plays a game depends on counted work, never on the load of the machine.
    """
    return OWN_SEAT_SECONDS if is_ours(name) else seconds


def new_player(name: str, chance: Random | None = None) -> Player:
    """The player called *name*; *chance* decides what is left to chance.

    One that is not ours is a program, which is started when it is first asked anything. Raises
    :class:`~noughts.errors.NotFound`, and what :func:`seat_bot` raises.
    """
    name = str(name)
    if name.startswith(BOT) and not is_ours(name):
        bots = load_bots()
        if (bot := bots.get(name.removeprefix(BOT))) is None:
            raise NotFound("player", name, tuple(player_names()))
        return seat_bot(bot)
    if is_ours(name):
        return base.new_player(name, chance)
    if name.partition(":")[0] not in {point.name for point in entry_points(ENTRY_POINTS)}:
        raise NotFound("player", name, tuple(player_names()))
    return _plug_in(name, chance or Random())


# What runs programs is imported only here: most games are played without any


def _plug_in(name: str, chance: Random) -> "BotPlayer":
    """A player of another package, in a Python of its own that finds what this one does."""
    from noughts.workers.programs.bot_player import BotPlayer
    from noughts.workers.programs.program import MEBIBYTE, ProgramLimits, ProgramStart

    environ = {key: os.environ[key] for key in TOLD if key in os.environ}
    limits = ProgramLimits(PLUG_IN_MEMORY * MEBIBYTE, open_files=PLUG_IN_FILES, processes=TRUSTED_PROCESSES)
    start = "from noughts.bots import main; main(sys.argv[1:])"
    command = python_command(start, name, str(chance.getrandbits(64)))
    return BotPlayer(
        name, ProgramStart(tuple(command), limits, environ=environ), greet_seconds=PLUG_IN_SECONDS
    )


def seat_bot(bot: Bot) -> "BotPlayer":
    """Return the player that *bot* is.

    Raises :class:`~noughts.errors.SandboxMissing`, and :class:`~noughts.errors.SandboxRefused` for a bot
    whose command names what must not be shown.
    """
    from noughts.workers.programs.auto_driver import AutoDriver
    from noughts.workers.programs.bot_player import BotPlayer
    from noughts.workers.programs.gomocup_driver import GomocupDriver
    from noughts.workers.programs.noughts_driver import NoughtsDriver
    from noughts.workers.programs.program import MEBIBYTE, ProgramLimits, ProgramStart
    from noughts.workers.programs.sandbox import find_sandbox
    from noughts.workers.programs.sandbox_contents import UnshowableError

    name = BOT + bot.name
    sandbox = None if bot.trust else find_sandbox()
    if isinstance(sandbox, str):
        raise SandboxMissing(name, sandbox)
    limits = ProgramLimits(bot.memory_mb * MEBIBYTE)
    if sandbox is None:
        limits = replace(limits, processes=TRUSTED_PROCESSES)
    else:
        try:
            sandbox.shown(bot.command)
        except UnshowableError as error:
            raise SandboxRefused(name, error.path, error.reason) from error
    memory = limits.memory
    makers: dict[str, MakeDriver] = {
        "auto": partial(AutoDriver, options=bot.options, memory=memory),
        "gomocup": partial(GomocupDriver, options=bot.options, memory=memory),
        "noughts": partial(NoughtsDriver, options=bot.options),
    }
    return BotPlayer(name, ProgramStart(bot.command, limits, sandbox), makers[bot.protocol])
