"""The command that serves the browser and programs: ``serve``."""

import os
from collections.abc import Iterator

import click

from noughts.interfaces.cli.building import command, option
from noughts.interfaces.cli.speaking import WholeNumber
from noughts.interfaces.i18n import Translator

MAX_WORKERS = 64


def make_serving_commands(say: Translator) -> Iterator[click.Command]:
    """The commands of this module in the order in which help lists them."""
    yield _serve(say)


def _serve(say: Translator) -> click.Command:
    def serve_command(
        host: str, port: int, workers: int, thinkers: int, origin: tuple[str, ...], unlimited: bool
    ) -> None:
        from noughts.interfaces.settings import database_url
        from noughts.interfaces.web.limits import UNLIMITED, Limits
        from noughts.interfaces.web.service import Serving
        from noughts.interfaces.web.serving import serve

        asked = click.get_current_context().find_root().meta.get("noughts.db")
        limits = UNLIMITED if unlimited else Limits()
        serve(Serving(database_url(asked, os.environ), host, port, workers, thinkers, origin, limits))

    return command(
        say,
        "serve",
        serve_command,
        option(say, "--host", default="127.0.0.1", metavar="ADDRESS"),
        option(say, "--port", type=WholeNumber(0, 65_535), default=8000, metavar="N"),
        option(say, "--workers", type=WholeNumber(1, MAX_WORKERS), default=1, metavar="N"),
        option(say, "--thinkers", type=WholeNumber(1, MAX_WORKERS), default=1, metavar="N"),
        option(say, "--origin", multiple=True, metavar="URL"),
        option(say, "--unlimited", is_flag=True),
    )
