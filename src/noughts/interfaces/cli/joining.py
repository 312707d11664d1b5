"""The command ``join``: playing and watching in a room of a server."""

import os
import sys

import click

from noughts.interfaces.cli.localized_click import command
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.settings import choose_setting

SEATS_FOLDER = "seats"
"""The folder of the saved seats, among the data of the user."""


@command(epilog="help-join-more")
@click.argument("where")
@click.option("--name", metavar="NAME")
@click.option("--server", envvar="NOUGHTS_SERVER", metavar="URL")
@click.option("--watch", is_flag=True)
@click.option("--cells", type=click.Choice(["0", "1"]), default="1")
@click.pass_obj
def join(say: Translator, where: str, name: str | None, server: str | None, watch: bool, cells: str) -> int:
    """Take a seat in a room of a server, or watch it."""
    from noughts.arena.remote.address import DEFAULT_SERVER, parse_address
    from noughts.arena.remote.client import Client
    from noughts.arena.remote.connection import RoomConnection
    from noughts.arena.remote.entering import SavedSeats, enter
    from noughts.arena.remote.remote_table import RemoteTable
    from noughts.interfaces.console.prompts import Conversation
    from noughts.interfaces.console.remote import RemoteSession
    from noughts.interfaces.console.terminal import Alarm, Terminal
    from noughts.interfaces.presenting.players import person_name
    from noughts.records.folders import data_folder

    address = parse_address(where, server or DEFAULT_SERVER)
    called = person_name(name or choose_setting("name").value or say("default-name"))
    seats = SavedSeats(data_folder(os.environ, sys.platform) / SEATS_FOLDER)
    with Client(address.origin, say.language) as client:
        entry = enter(client, address, called, seats, watches=watch)
    table, alarm = RemoteTable(entry.state, address.origin), Alarm()
    table.connection = RoomConnection(
        lambda: Client(address.origin, say.language), entry.state.room, entry.token, alarm.ring
    )
    try:
        return RemoteSession(Conversation(Terminal(), say), table, entry.token, alarm, int(cells)).play()
    finally:
        table.close()
        alarm.close()
