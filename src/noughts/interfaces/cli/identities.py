"""The command ``identity``: the key of this terminal, its words, and the player at each server."""

import platform
import random
import time
from contextlib import suppress
from secrets import token_bytes
from typing import TYPE_CHECKING

import click

from noughts.arena.people.keys import keys_are_available
from noughts.errors import ExtraMissing
from noughts.interfaces.cli.localized_click import command, json_option, print_json
from noughts.interfaces.console.terminal import InputEndedError
from noughts.interfaces.presenting.i18n import ReadableError, Translator

if TYPE_CHECKING:
    from noughts.arena.remote.own_key import KeyFile, KeyHolder, OwnPlayer
    from noughts.interfaces.console.prompts import Conversation

COMMAND = "noughts identity"

ACTIONS = ("claim", "words", "restore", "add", "bot", "sign-out", "forget")

NAMED = ("claim", "bot", "forget")
"""The actions that need a name."""

CHECKED = 2
"""The number of words that are typed again."""

FOLLOW_SECONDS = 2.0
"""The time between two questions if another device has answered."""


@command(epilog="help-identity-more")
@click.argument("action", type=click.Choice(ACTIONS), required=False)
@click.argument("player", required=False, metavar="[NAME]")
@click.option("--server", envvar="NOUGHTS_SERVER", metavar="URL", help="help-option-identity-server")
@click.option("--key", type=click.Path(), metavar="FILE")
@click.option("--bot", is_flag=True, help="help-option-identity-bot")
@json_option
@click.pass_obj
def identity(
    say: Translator,
    action: str | None,
    player: str | None,
    server: str | None,
    key: str | None,
    bot: bool,
    as_json: bool,
) -> int:
    """Show the player of this terminal, or make, move and forget the key."""
    from pathlib import Path

    from noughts.arena.remote.address import DEFAULT_SERVER, parse_server
    from noughts.arena.remote.client import Client
    from noughts.arena.remote.own_key import KeyFile, KeyHolder
    from noughts.interfaces.console.prompts import Conversation, UserQuit
    from noughts.interfaces.console.terminal import Terminal

    if not keys_are_available():
        raise ExtraMissing("keys of players", "meet")
    if action in NAMED and player is None:
        raise ReadableError(say("usage-missing", what="NAME", command=COMMAND))
    if action not in NAMED and player is not None:
        raise ReadableError(say("usage-too-many", command=COMMAND))
    file = KeyFile(Path(key) if key else None)
    if action is None:
        _show(say, file, as_json=as_json)
        return 0
    talk = Conversation(Terminal(), say)
    with Client(parse_server(server or DEFAULT_SERVER), say.language) as client:
        holder = KeyHolder(client, file, f"noughts, {platform.node() or platform.system()}")
        visit = Visit(talk, file, holder, client.origin)
        try:
            match action:
                case "claim":
                    visit.claim(player or "", is_bot=bot)
                case "words":
                    visit.write_words_down()
                case "restore":
                    visit.restore()
                case "add":
                    return visit.add()
                case "bot":
                    made = holder.become_bot(player or "")
                    talk.write_message("identity-is-bot", name=made.name, server=client.origin)
                case "sign-out":
                    visit.sign_out()
                case _:
                    holder.forget(player or "")
                    talk.write_message("identity-forgotten", name=player, server=client.origin)
        except UserQuit:
            return 1
    return 0


def _show(say: Translator, file: "KeyFile", *, as_json: bool) -> None:
    """Print the players of the key, but no secret."""
    known = file.read()
    players = {} if known is None else known.players
    is_waiting = known is not None and known.entropy is not None
    if as_json:
        facts = [
            {"server": server, "number": one.number, "name": one.name, "is_bot": one.is_bot}
            for server, one in players.items()
        ]
        print_json({"file": str(file.path), "players": facts, "words_unchecked": is_waiting})
        return
    if known is None:
        print(say("identity-none"))
        return
    for server, one in players.items():
        id_ = "identity-line-bot" if one.is_bot else "identity-line"
        print(say(id_, name=one.name, number=str(one.number), server=server))
    print(say("identity-file", file=str(file.path)))
    if is_waiting:
        print(say("identity-words-wait"))


class Visit:
    """A visit of the holder of the key in *file* to *server*."""

    def __init__(self, talk: "Conversation", file: "KeyFile", holder: "KeyHolder", server: str) -> None:
        self._talk, self._say, self._file, self._holder, self._server = talk, talk.say, file, holder, server

    def claim(self, name: str, *, is_bot: bool) -> None:
        """Claim *name*, with a new key if there is none."""
        from noughts.arena.people.words import ENTROPY_BYTES

        key = self._file.read()
        entropy = token_bytes(ENTROPY_BYTES) if key is None else key.entropy or self._ask_for_words()
        self._greet(self._holder.register(name, entropy, is_bot=is_bot))
        if key is None:
            self._talk.write_message("identity-words-wait")

    def write_words_down(self) -> None:
        """Show the words, and forget them after two of them were typed again."""
        from noughts.arena.people.words import split_words, words_of

        key = self._file.read()
        if key is None or key.entropy is None:
            raise ReadableError(self._say("identity-none" if key is None else "identity-no-words"))
        words = words_of(key.entropy, self._say.language)
        self._talk.write_message("identity-words-about")
        for number, word in enumerate(words, 1):
            self._talk.write(f"{number:4}  {word}")
        for place in sorted(random.SystemRandom().sample(range(len(words)), CHECKED)):
            while True:
                typed = self._type(place + 1)
                if not typed.strip():
                    self._talk.write_message("identity-words-wait")
                    return
                if split_words(typed) == split_words(words[place]):
                    break
                self._talk.write_message("web-identity-different", number=place + 1)
        self._holder.drop_words()
        self._talk.write_message("identity-words-done")

    def restore(self) -> None:
        """Add this terminal to the player of the words."""
        self._greet(self._holder.restore(self._ask_for_words()))

    def add(self) -> int:
        """Add this terminal to the player of another device by six digits. Return the exit status."""
        key, code, secret = self._holder.ask_to_be_added()
        self._talk.write_message("identity-digits", code=f"{code[:3]} {code[3:]}")
        while (state := self._holder.state_of_request(secret)) == "waiting":
            time.sleep(FOLLOW_SECONDS)
        if state != "added":
            self._talk.write_message("web-identity-refused" if state == "refused" else "web-identity-expired")
            return 1
        self._greet(self._holder.sign_in(key))
        return 0

    def sign_out(self) -> None:
        """Remove this terminal from the player, after a question if the words were not checked."""
        key = self._file.read()
        is_unchecked = key is not None and key.entropy is not None
        if is_unchecked and not self._talk.ask_yes_no(self._say("identity-unchecked"), default=False):
            return
        self._holder.sign_out()
        self._talk.write_message("identity-signed-out", server=self._server)

    def _greet(self, player: "OwnPlayer") -> None:
        self._talk.write_message(
            "identity-welcome", name=player.name, number=str(player.number), server=self._server
        )

    def _type(self, number: int) -> str:
        """Return what is typed as the word *number*. Some words, such as "help", are commands elsewhere."""
        with suppress(InputEndedError):
            return self._talk.read_line(self._say("identity-word", number=number))
        return ""

    def _ask_for_words(self) -> bytes:
        from noughts.arena.people.words import entropy_of

        return self._talk.ask(self._say("identity-type-words"), entropy_of, is_name=True)
