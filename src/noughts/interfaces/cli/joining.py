"""The commands ``join`` and ``lobby``: playing and watching on a server."""

import os
import sys
from typing import TYPE_CHECKING

import click

from noughts.interfaces.cli.database import open_store
from noughts.interfaces.cli.localized_click import command
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.settings import choose_setting
from noughts.interfaces.presenting.terminal_capabilities import is_full_screen

if TYPE_CHECKING:
    from noughts.arena.remote.client import Client
    from noughts.arena.remote.entering import EnteredRoom


@command(epilog="help-join-more")
@click.argument("where")
@click.option("--name", metavar="NAME")
@click.option("--server", envvar="NOUGHTS_SERVER", metavar="URL")
@click.option("--watch", is_flag=True)
@click.option("--guest", is_flag=True)
@click.option("--plain", is_flag=True)
@click.option("--cells", type=click.Choice(["0", "1"]), default="1")
@click.pass_obj
def join(
    say: Translator,
    where: str,
    name: str | None,
    server: str | None,
    watch: bool,
    guest: bool,
    plain: bool,
    cells: str,
) -> int:
    """Take a seat in a room of a server, or watch it."""
    from noughts.arena.remote.address import DEFAULT_SERVER, parse_address
    from noughts.arena.remote.entering import enter, saved_seats
    from noughts.arena.remote.own_key import sign_in

    address, called = parse_address(where, server or DEFAULT_SERVER), _name(say, name)
    with _client(say, address.origin) as client:
        if not (guest or watch):
            sign_in(client)
        entered = enter(client, address, called, saved_seats(), watches=watch)
    return _play(say, address.origin, entered, int(cells), is_plain=plain)


@command(epilog="help-lobby-more")
@click.option("--name", metavar="NAME")
@click.option("--server", envvar="NOUGHTS_SERVER", metavar="URL")
@click.option("--guest", is_flag=True)
@click.option("--plain", is_flag=True)
@click.option("--cells", type=click.Choice(["0", "1"]), default="1")
@click.pass_obj
def lobby(say: Translator, name: str | None, server: str | None, guest: bool, plain: bool, cells: str) -> int:
    """Find an opponent in the lobby of a server, and play."""
    from noughts.arena.remote.address import DEFAULT_SERVER, RoomAddress, parse_server
    from noughts.arena.remote.entering import SavedSeat, days_keys, enter, saved_seats
    from noughts.arena.remote.own_key import sign_in
    from noughts.arena.remote.remote_lobby import RemoteLobby
    from noughts.interfaces.console.prompts import Conversation, UserQuit
    from noughts.interfaces.console.remote_lobby import LobbySession
    from noughts.interfaces.console.terminal import Alarm, Terminal

    origin, called, seats, alarm = (
        parse_server(server or DEFAULT_SERVER),
        _name(say, name),
        saved_seats(),
        Alarm(),
    )
    with _client(say, origin) as client:
        player = None if guest else sign_in(client)
        session = client.session

    def clients() -> "Client":
        return _client(say, origin, session)

    called = called if player is None else player.name
    days_key = days_keys().key_of(origin)
    found = RemoteLobby(clients, called, alarm.ring, is_signed_in=player is not None, days_key=days_key)
    try:
        visit = LobbySession(Conversation(Terminal(), say), found, alarm)
        room = visit.choose()
        if not visit.watches:
            seats.save(SavedSeat(origin, room, called, found.key_of(room)))
        with clients() as client:
            entered = enter(client, RoomAddress(origin, room=room), called, seats, watches=visit.watches)
    except UserQuit:
        return 0
    finally:
        found.close()
        alarm.close()
    return _play(say, origin, entered, int(cells), is_plain=plain)


def _name(say: Translator, name: str | None) -> str:
    """Return the checked name of the player: *name*, that of the settings, or the default."""
    from noughts.interfaces.presenting.players import person_name

    return person_name(name or choose_setting("name").value or say("default-name"))


def _client(say: Translator, origin: str, session: str = "") -> "Client":
    from noughts.arena.remote.client import Client

    return Client(origin, say.language, session)


def _play(say: Translator, origin: str, entered: "EnteredRoom", first: int, *, is_plain: bool) -> int:
    """Play in a room that was entered, in the full screen or in lines. Return the exit status."""
    from noughts.arena.remote.connection import RoomConnection
    from noughts.arena.remote.remote_table import RemoteTable
    from noughts.interfaces.console.prompts import Conversation
    from noughts.interfaces.console.remote import RemoteSession
    from noughts.interfaces.console.terminal import Alarm, Terminal
    from noughts.interfaces.presenting.game_plan import PlayOptions

    table = RemoteTable(entered.state, origin)

    def clients() -> "Client":
        return _client(say, origin)

    streams = (sys.stdin, sys.stdout, sys.stderr)
    if not is_plain and is_full_screen(*streams, environ=os.environ, platform=sys.platform):
        from noughts.interfaces.tui.app import start as start_full_screen
        from noughts.interfaces.tui.game.remote_page import RemotePage

        options = PlayOptions(first=first)
        return start_full_screen(
            options, say, open_store, lambda app: RemotePage(table, app, entered.token, clients)
        )
    alarm = Alarm()
    table.connection = RoomConnection(clients, entered.state.room, entered.token, alarm.ring)
    try:
        return RemoteSession(Conversation(Terminal(), say), table, entered.token, alarm, first).play()
    finally:
        table.close()
        alarm.close()
