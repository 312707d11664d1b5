"""The command that serves the browser and programs: ``serve``."""

import errno
import socket
from collections.abc import Callable
from itertools import chain
from typing import Any
from urllib.parse import urlsplit

import click

from noughts.errors import NotFound
from noughts.interfaces.cli.database import chosen_database
from noughts.interfaces.cli.speaking import Parsed, command, whole_number
from noughts.interfaces.presenting.i18n import Said, Translator
from noughts.workers.programs.bot_list import load_bots

MAX_WORKERS = 64

ALL_ADDRESSES = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - only what is asked for is listened at
"""What stands for all addresses of this machine, and how a browser on it finds the server then."""


def _parse_proxy(text: str) -> tuple[str, ...]:
    from noughts.interfaces.web.serving import trusted

    return trusted(text)


def _parse_origin(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise ValueError(text)
    return text


def _parse_limit(text: str) -> str:
    from noughts.interfaces.web.http.limits import Limits, changed

    changed(Limits(), text)
    return text


def _option(name: str, **facts: Any) -> Callable[..., Any]:
    """An option that can also be given in the environment."""
    return click.option(name, envvar=f"NOUGHTS_{name.lstrip('-').upper()}", **facts)


@command(epilog="help-serve-more")
@_option("--host", default="127.0.0.1", metavar="ADDRESS")
@_option("--port", type=whole_number(0, 65_535), default=8000, metavar="N")
@_option("--workers", type=whole_number(1, MAX_WORKERS), default=1, metavar="N")
@_option("--thinkers", type=whole_number(1, MAX_WORKERS), default=1, metavar="N")
@_option("--bot", multiple=True, metavar="NAME")
@_option("--proxy", type=Parsed(_parse_proxy, "usage-proxy"), multiple=True, metavar="ADDRESS")
@_option("--origin", type=Parsed(_parse_origin, "usage-origin"), multiple=True, metavar="URL")
@_option(
    "--limit",
    help="help-option-serve-limit",
    type=Parsed(_parse_limit, "usage-limit"),
    multiple=True,
    metavar="NAME=N",
)
@click.option("--unlimited", is_flag=True)
@click.pass_obj
def serve(say: Translator, /, host: str, port: int, unlimited: bool, **options: Any) -> int:
    """Serve the browser until told to stop."""
    from noughts.interfaces.web import serving as web
    from noughts.interfaces.web.http.limits import UNLIMITED, Limits, changed
    from noughts.interfaces.web.service import Serving

    _check_bots(options["bot"])
    limits = UNLIMITED if unlimited else Limits()
    for text in options["limit"]:
        limits = changed(limits, text)
    with _listening(say, host, port) as listener:
        bound, taken = listener.getsockname()[:2]
        serving = Serving(
            chosen_database(),
            workers=options["workers"],
            thinkers=options["thinkers"],
            hosts=(host, bound),
            origins=options["origin"],
            proxies=tuple(chain.from_iterable(options["proxy"])),
            limits=limits,
            bots=options["bot"],
        )
        is_served = web.serve(serving, listener, lambda: _tell_where(say, host, taken))
    return 0 if is_served else 1


def _check_bots(names: tuple[str, ...]) -> None:
    """See to it that there are bots of these *names*, and that they can be run; raises where not."""
    from noughts.workers.seating import seat_bot

    known = load_bots() if names else {}
    for name in names:
        if name not in known:
            raise NotFound("bot", name, tuple(known))
        seat_bot(known[name])


def _listening(say: Translator, host: str, port: int) -> socket.socket:
    """The socket to serve at, or why there is none, in a sentence."""
    from noughts.interfaces.web.serving import listening_socket

    try:
        return listening_socket(host, port)
    except (OSError, UnicodeError) as error:
        match getattr(error, "errno", None):
            case errno.EADDRINUSE:
                raise Said(say("serve-port-taken", port=str(port))) from None
            case errno.EACCES:
                raise Said(say("serve-port-forbidden", port=str(port))) from None
        raise Said(say("serve-no-such-address", host=host)) from None


def _tell_where(say: Translator, host: str, port: int) -> None:
    """Print the address to open on this machine; where others can come, also that for them."""
    from noughts.interfaces.web.serving import address_in_network

    print(_url(ALL_ADDRESSES.get(host, host), port), flush=True)
    if host in ALL_ADDRESSES and (address := address_in_network()) is not None:
        print(say("serve-in-network", address=_url(address, port)), flush=True)


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
