"""The command ``bots``, which manages external programs as players."""

import os
from dataclasses import replace
from typing import Any

import click

from noughts.errors import (
    NotFound,
    NoughtsError,
    PlayerAtFault,
    PlayerFailed,
    SandboxRefused,
    UnsupportedRules,
    system_reason,
)
from noughts.games.catalogue import new_game
from noughts.games.notation import format_move
from noughts.interfaces.cli.localized_click import ParsedText, command, json_option, print_json, whole_number
from noughts.interfaces.console.tables import table_of_texts, table_width
from noughts.interfaces.console.terminal import print_error
from noughts.interfaces.presenting.i18n import ReadableError, SystemReason, Translator
from noughts.interfaces.presenting.titles import title_of
from noughts.search.analysis import Limit
from noughts.text import safe_text
from noughts.workers.programs.bot_list import MEMORY_MB, PROTOCOLS, Bot, load_bots, save_bots
from noughts.workers.seating import seat_bot

COMMAND = "noughts bots"

ACTIONS = ("add", "check", "remove")

TRIAL_GAMES = ("gomoku", "tictactoe", "connect4", "reversi")
"""The games in which a bot is checked: the first one that it plays is used."""

TRIAL_SECONDS = 1.0

MAX_MEMORY_MB = 1 << 24
"""The greatest memory limit that the system accepts, above the memory of any machine."""


def _parse_option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise ValueError(text)
    return name, value


@command(epilog="help-bots-more")
@click.argument("action", type=click.Choice(ACTIONS), required=False)
@click.argument("name", required=False)
@click.argument("words", nargs=-1, metavar="[-- COMMAND...]")
@click.option("--trust", is_flag=True)
@click.option("--protocol", type=click.Choice(PROTOCOLS), default=PROTOCOLS[0], metavar="NAME")
@click.option("--option", type=ParsedText(_parse_option, "usage-option-pair"), multiple=True, metavar="K=V")
@click.option(
    "--memory",
    type=whole_number(0, MAX_MEMORY_MB),
    default=MEMORY_MB,
    metavar="MB",
    help="help-option-bots-memory",
)
@json_option
@click.pass_obj
def bots(
    say: Translator,
    /,
    action: str | None,
    name: str | None,
    words: tuple[str, ...],
    as_json: bool,
    **chosen: Any,
) -> int:
    """List the bots, or add, check or remove one."""
    known_bots = load_bots()
    if action is None:
        _list(say, known_bots, as_json)
        return 0
    if name is None:
        raise ReadableError(say("usage-missing", what="NAME", command=COMMAND))
    if action == "add":
        _add(say, known_bots, name, words, **chosen)
        return 0
    if words:
        raise ReadableError(say("usage-too-many", command=COMMAND))
    if not known_bots:
        raise ReadableError(say("no-bots"))
    if name not in known_bots:
        raise NotFound("bot", name, tuple(known_bots))
    if action == "check":
        return _check(say, known_bots[name], as_json)
    save_bots({other: bot for other, bot in known_bots.items() if other != name})
    print(say("bot-removed", name=name))
    return 0


def _list(say: Translator, known_bots: dict[str, Bot], as_json: bool) -> None:
    if as_json:
        facts = ("name", "command", "protocol", "trust", "options", "memory_mb")
        print_json({"bots": [{fact: getattr(bot, fact) for fact in facts} for bot in known_bots.values()]})
    elif known_bots:
        names = ["bot", "protocol", "fence", "memory", "command"]
        columns = [say(f"column-{name}") for name in names]
        rows = [(bot.name, bot.protocol, *_limits(say, bot), _spelled(bot)) for bot in known_bots.values()]
        print("\n".join(table_of_texts(columns, rows, table_width(), [names.index("command")])))
    else:
        print(say("no-bots"))


def _limits(say: Translator, bot: Bot) -> tuple[str, str]:
    """Return two texts: if *bot* runs in a sandbox, and its memory limit."""
    memory = say("bot-memory", memory=bot.memory_mb) if bot.memory_mb else say("bot-memory-all")
    return say("bot-trusted" if bot.trust else "bot-fenced"), memory


def _spelled(bot: Bot) -> str:
    import shlex

    return safe_text(shlex.join(bot.command))


def _add(
    say: Translator,
    known_bots: dict[str, Bot],
    name: str,
    words: tuple[str, ...],
    *,
    trust: bool,
    protocol: str,
    option: tuple[tuple[str, str], ...],
    memory: int,
) -> None:
    """Save a new bot, if its program exists and can be run under its limits."""
    from noughts.workers.programs.program import find_program

    if not words:
        raise ReadableError(say("usage-missing", what="-- COMMAND...", command=COMMAND))
    if name in known_bots:
        raise ReadableError(say("bot-is-there", name=name))
    try:
        program = find_program(words)
    except OSError as error:
        raise ReadableError(
            say("bot-no-program", program=safe_text(words[0]), reason=SystemReason(system_reason(error)))
        ) from None
    # The bot runs in another folder, so file arguments must be absolute.
    rest = [os.path.abspath(word) if _is_path(word) else word for word in words[1:]]
    try:
        bot = Bot(name, (program, *rest), protocol, trust, dict(option), memory)
    except NoughtsError:
        raise
    except ValueError:
        raise ReadableError(say("bot-unprintable")) from None
    try:
        seat_bot(bot)
    except SandboxRefused as error:
        # The tools of uv and pipx are links in a folder of PATH.
        if os.path.dirname(words[0]) or error.reason != "link":
            raise
        bot = replace(bot, command=(os.path.realpath(program), *rest))
        seat_bot(bot)
    save_bots({**known_bots, name: bot})
    print(say("bot-added", name=name, who=f"bot:{name}"))


def _is_path(word: str) -> bool:
    """Return True if *word* is the path of a file, or of a folder that is more than a plain word."""
    return os.path.isfile(word) or (os.path.dirname(word) != "" and os.path.isdir(word))


def _check(say: Translator, bot: Bot, as_json: bool) -> int:
    """Check *bot*: it must answer, and play one move of a game."""
    player = f"bot:{bot.name}"
    try:
        facts = _play_trial_move(bot)
    except SandboxRefused:
        raise  # The bot was not started.
    except (PlayerFailed, UnsupportedRules) as error:
        fault = error.fault if isinstance(error, PlayerAtFault) else None
        if as_json:
            print_json({"name": bot.name, "works": False, "fault": fault, "reason": error.reason})
        elif fault == "illegal-move":
            print_error(say("bot-illegal-move", who=player, move=error.reason))
        elif fault == "too-slow":
            print_error(say("bot-too-slow", who=player, detail=error.reason))
        else:
            print_error(say.error(error))
        return 1
    if as_json:
        print_json({"name": bot.name, "works": True, **facts})
    else:
        print(say("bot-works", who=player, game=title_of(say, facts["game"]), move=facts["move"]))
    return 0


def _play_trial_move(bot: Bot) -> dict[str, str]:
    """Return the game in which *bot* was checked and its move. Raises the error of the bot."""
    player = seat_bot(bot)
    declined: UnsupportedRules | None = None
    try:
        for name in TRIAL_GAMES:
            game = new_game(name)
            try:
                player.take_seat(game)
            except UnsupportedRules as error:
                declined = error
                continue
            move = player.choose(game, Limit(seconds=TRIAL_SECONDS))
            text = format_move(game, move)
            if move not in game.legal_moves():
                raise PlayerAtFault(player.name, "illegal-move", text)
            return {"game": name, "move": text}
    finally:
        player.close()
    raise declined or AssertionError("there are games")
