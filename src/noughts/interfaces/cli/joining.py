"""The command ``join``: playing and watching in a room of a server."""

import os
import sys

import click

from noughts.interfaces.cli.database import open_store
from noughts.interfaces.cli.localized_click import command
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.settings import choose_setting
from noughts.interfaces.presenting.terminal_capabilities import is_full_screen

SEATS_FOLDER = "seats"
"""The folder of the saved seats, among the data of the user."""


@command(epilog="help-join-more")
@click.argument("where")
@click.option("--name", metavar="NAME")
@click.option("--server", envvar="NOUGHTS_SERVER", metavar="URL")
@click.option("--watch", is_flag=True)
@click.option("--plain", is_flag=True)
@click.option("--cells", type=click.Choice(["0", "1"]), default="1")
@click.pass_obj
def join(
    say: Translator, where: str, name: str | None, server: str | None, watch: bool, plain: bool, cells: str
) -> int:
    """Take a seat in a room of a server, or watch it."""
    from noughts.arena.remote.address import DEFAULT_SERVER, parse_address
    from noughts.arena.remote.client import Client
    from noughts.arena.remote.connection import RoomConnection
    from noughts.arena.remote.entering import SavedSeats, enter
    from noughts.arena.remote.remote_table import RemoteTable
    from noughts.interfaces.console.prompts import Conversation
    from noughts.interfaces.console.remote import RemoteSession
    from noughts.interfaces.console.terminal import Alarm, Terminal
    from noughts.interfaces.presenting.game_plan import PlayOptions
    from noughts.interfaces.presenting.players import person_name
    from noughts.records.folders import data_folder

    address = parse_address(where, server or DEFAULT_SERVER)
    called = person_name(name or choose_setting("name").value or say("default-name"))
    seats = SavedSeats(data_folder(os.environ, sys.platform) / SEATS_FOLDER)
    with Client(address.origin, say.language) as client:
        entry = enter(client, address, called, seats, watches=watch)
    table = RemoteTable(entry.state, address.origin)

    def clients() -> Client:
        return Client(address.origin, say.language)

    streams = (sys.stdin, sys.stdout, sys.stderr)
    if not plain and is_full_screen(*streams, environ=os.environ, platform=sys.platform):
        from noughts.interfaces.tui.app import start as start_full_screen
        from noughts.interfaces.tui.game.remote_page import RemotePage

        options = PlayOptions(first=int(cells))
        return start_full_screen(
            options, say, open_store, lambda app: RemotePage(table, app, entry.token, clients)
        )
    alarm = Alarm()
    table.connection = RoomConnection(clients, entry.state.room, entry.token, alarm.ring)
    try:
        return RemoteSession(Conversation(Terminal(), say), table, entry.token, alarm, int(cells)).play()
    finally:
        table.close()
        alarm.close()
