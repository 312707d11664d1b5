"""The command ``serve``, for browsers and programs."""

import errno
import os
import socket
import sys
from collections.abc import Callable
from itertools import chain
from typing import Any
from urllib.parse import urlsplit

import click

from noughts.arena.people.keys import KEY, keys_are_available
from noughts.errors import NotFound
from noughts.install import install_commands
from noughts.interfaces.cli.database import chosen_database
from noughts.interfaces.cli.localized_click import ParsedText, command, whole_number
from noughts.interfaces.console.terminal import print_error
from noughts.interfaces.presenting.i18n import ReadableError, Translator
from noughts.interfaces.presenting.qr import qr_picture
from noughts.workers.programs.bot_list import load_bots

MAX_WORKERS = 64

ALL_ADDRESSES = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - only what is asked for is listened at
"""The wildcard addresses of this machine, with the address for a browser on it."""


def _parse_proxy(text: str) -> tuple[str, ...]:
    from noughts.interfaces.web.network import trusted

    return trusted(text)


def _parse_origin(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise ValueError(text)
    return text


def _parse_operator(text: str) -> str:
    if not (KEY.fullmatch(text) or (text.isascii() and text.isdecimal())):
        raise ValueError(text)
    return text


def _parse_limit(text: str) -> str:
    from noughts.interfaces.web.http.limits import ServerLimits, with_limit

    with_limit(ServerLimits(), text)
    return text


def _option(name: str, **facts: Any) -> Callable[..., Any]:
    """Return an option that can also be set in the environment."""
    return click.option(name, envvar=f"NOUGHTS_{name.lstrip('-').upper()}", **facts)


@command(epilog="help-serve-more")
@_option("--host", default="127.0.0.1", metavar="ADDRESS")
@_option("--lan", is_flag=True)
@_option("--port", type=whole_number(0, 65_535), default=8000, metavar="N")
@_option("--workers", type=whole_number(1, MAX_WORKERS), default=1, metavar="N")
@_option("--thinkers", type=whole_number(1, MAX_WORKERS), default=1, metavar="N")
@_option("--bot", multiple=True, metavar="NAME")
@_option("--proxy", type=ParsedText(_parse_proxy, "usage-proxy"), multiple=True, metavar="ADDRESS")
@_option(
    "--origin",
    type=ParsedText(_parse_origin, "usage-origin"),
    multiple=True,
    metavar="URL",
    help="help-option-serve-origin",
)
@_option(
    "--operator",
    type=ParsedText(_parse_operator, "usage-operator"),
    multiple=True,
    metavar="KEY",
)
@_option(
    "--limit",
    help="help-option-serve-limit",
    type=ParsedText(_parse_limit, "usage-limit"),
    multiple=True,
    metavar="NAME=N",
)
@click.option("--unlimited", is_flag=True)
@_option("--log", is_flag=True)
@click.pass_context
def serve(context: click.Context, /, host: str, lan: bool, port: int, unlimited: bool, **options: Any) -> int:
    """Serve the browser until the process is stopped."""
    say: Translator = context.obj
    _check_bots(options["bot"])
    addresses = _network_addresses(context) if lan else []
    if addresses:
        host = "::" if ":" in addresses[0] else "0.0.0.0"  # noqa: S104 - the user asks for the network
    with _open_listener(say, host, port) as listener:
        print_error(say("serve-starting"))  # Loading the rest takes seconds.
        from noughts.interfaces.web import network
        from noughts.interfaces.web import serving as web
        from noughts.interfaces.web.http.limits import UNLIMITED, ServerLimits, with_limit
        from noughts.interfaces.web.service import ServerOptions

        bound, taken = listener.getsockname()[:2]
        limits = UNLIMITED if unlimited else ServerLimits()
        for text in options["limit"]:
            limits = with_limit(limits, text)
        if bound in ALL_ADDRESSES and not addresses:
            shared = network.addresses_in_network(bound)[:1]
        else:
            shared = addresses[:1]
        urls = [network.url_of(address, taken).rstrip("/") for address in shared]
        serving = ServerOptions(
            chosen_database(),
            workers=options["workers"],
            thinkers=options["thinkers"],
            hosts=tuple(addresses) or (host, bound),
            origins=(*options["origin"], *(urls if lan else ())),
            proxies=tuple(chain.from_iterable(options["proxy"])),
            limits=limits,
            bots=options["bot"],
            network="".join(urls),
            operators=options["operator"],
            log=options["log"],
        )
        is_served = web.serve(
            serving, listener, lambda: _print_addresses(say, host, (bound, taken), *urls, is_lan=lan)
        )
    return 0 if is_served else 1


def _network_addresses(context: click.Context) -> list[str]:
    """Return the addresses of this machine in the local network. Raises ReadableError if ``--lan`` fails."""
    from noughts.interfaces.web.network import addresses_in_network

    say: Translator = context.obj
    if context.get_parameter_source("host") is not click.core.ParameterSource.DEFAULT:
        raise ReadableError(say("serve-lan-or-host"))
    if not (addresses := addresses_in_network()):
        raise ReadableError(say("serve-no-network"))
    return addresses


def _check_bots(names: tuple[str, ...]) -> None:
    """Check that bots with these *names* exist and can be run. Raises an error otherwise."""
    from noughts.workers.seating import seat_bot

    bots = load_bots() if names else {}
    for name in names:
        if name not in bots:
            raise NotFound("bot", name, tuple(bots))
        seat_bot(bots[name])


def _open_listener(say: Translator, host: str, port: int) -> socket.socket:
    """Return the socket of the server. Raises ReadableError with the reason for a failure."""
    from noughts.interfaces.web.network import listening_socket

    try:
        return listening_socket(host, port)
    except (OSError, UnicodeError) as error:
        match getattr(error, "errno", None):
            case errno.EADDRINUSE:
                raise ReadableError(say("serve-port-taken", port=str(port))) from None
            case errno.EACCES:
                raise ReadableError(say("serve-port-forbidden", port=str(port))) from None
        raise ReadableError(say("serve-no-such-address", host=host)) from None


def _print_addresses(
    say: Translator, host: str, at: tuple[str, int], shared: str = "", *, is_lan: bool
) -> None:
    """Print the address to open, then on standard error how to open it and how to stop the server.

    *at* is the address and the port of *host*, *shared* the address for other devices. With ``--lan`` a
    terminal also shows a QR code of the address.
    """
    from noughts.interfaces.web.network import is_loopback, url_of

    bound, port = at
    is_only_here = is_loopback(bound)  # A host name may also lead to this machine.
    own = url_of(bound if is_only_here else ALL_ADDRESSES.get(bound, host), port)
    print(f"{shared}/" if is_lan else own, flush=True)
    if is_lan:
        if picture := qr_picture(f"{shared}/", sys.stderr, os.environ):
            print(picture, file=sys.stderr, flush=True)
        print_error(say("serve-open-in-network"))
    elif is_only_here or bound in ALL_ADDRESSES:
        print_error(say("serve-open"))
        if is_only_here:
            print_error(say("serve-only-here", command="noughts serve --lan"))
        elif shared:
            print_error(say("serve-in-network", address=f"{shared}/"))
    else:
        print_error(say("serve-open-in-network"))
    if not keys_are_available():
        print_error(say("serve-without-meet", **install_commands("meet")))
    print_error(say("serve-stop"))
