"""Players by name, for every interface: built-in ones in this process, all others as external programs.

Players of other packages and bots of the user are seated in the same way: neither is ever loaded into this
process.
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
"""The prefix of the names of bots."""

EXTERNAL_MEMORY = 2_048
"""The memory limit of an external player in MiB: it loads Python and its own libraries."""

EXTERNAL_FILES = 256
"""The maximum number of open files of an external player."""

TRUSTED_PROCESSES = 256
"""The maximum number of processes of a trusted bot or an external player."""

EXTERNAL_SECONDS = 60.0
"""Seconds in which an external player must load."""

BUILT_IN_SEAT_SECONDS = 600.0
"""Seconds after which a process that seats a built-in player is assumed to hang, on any machine."""

PASSED_VARIABLES = ("NOUGHTS_CERTIFICATES",)
"""Our environment variables that an external player gets. Others may hold passwords."""


def player_names(bots: Sequence[str] | None = None) -> Iterator[str]:
    """Yield the names of all players: built-in ones, those of other packages, and *bots*.

    None means all bots in the user's list. No player is started, and no error is raised.
    """
    yield from base.player_names()
    if bots is None:
        try:
            bots = tuple(load_bots())
        except FileRefused:
            bots = ()
    yield from (BOT + name for name in bots)


def is_ours(name: str) -> bool:
    """Return True if the player *name* is built in, and needs no program of its own."""
    return base.is_registered(name)


def seat_patience(name: str, seconds: float) -> float:
    """Return the seconds for seating the player *name*: *seconds*, for built-in players far longer.

    A built-in player accepts or declines a game by counted work, never by the load of the machine.
    """
    return BUILT_IN_SEAT_SECONDS if is_ours(name) else seconds


def new_player(name: str, chance: Random | None = None) -> Player:
    """Return the player *name*. *chance* decides its random choices.

    An external player is a program, which is started with its first question. Raises
    :class:`~noughts.errors.NotFound`, and the errors of :func:`seat_bot`.
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
    return _external_player(name, chance or Random())


# Modules for programs are imported in these functions, because most games do without them.


def _external_player(name: str, chance: Random) -> "BotPlayer":
    """Return a player of another package, in its own Python process with the same module path."""
    from noughts.workers.programs.bot_player import BotPlayer
    from noughts.workers.programs.program import MEBIBYTE, ProgramLimits, ProgramStart

    environ = {key: os.environ[key] for key in PASSED_VARIABLES if key in os.environ}
    limits = ProgramLimits(EXTERNAL_MEMORY * MEBIBYTE, open_files=EXTERNAL_FILES, processes=TRUSTED_PROCESSES)
    start = "from noughts.bots import main; main(sys.argv[1:])"
    command = python_command(start, name, str(chance.getrandbits(64)))
    return BotPlayer(
        name, ProgramStart(tuple(command), limits, environ=environ), greet_seconds=EXTERNAL_SECONDS
    )


def seat_bot(bot: Bot) -> "BotPlayer":
    """Return the player for *bot*.

    Raises :class:`~noughts.errors.SandboxMissing`, or :class:`~noughts.errors.SandboxRefused` if the command
    names a path that the sandbox must not show.
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
