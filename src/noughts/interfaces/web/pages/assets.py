"""The files of the pages: scripts with their imports joined, compressed, with addresses that contain a hash.

Browsers cache a file with such an address permanently. They check other addresses with each request.
"""

import mimetypes
import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from noughts.games.catalogue import CATALOGUE
from noughts.interfaces.web.boards import offline_games, pen_as_json
from noughts.interfaces.web.http.files import IMMUTABLE, REVALIDATED, Asset, asset_of
from noughts.interfaces.web.http.replies import ApiError, compact

FOLDER = Path(str(files("noughts.interfaces.web")))

STATIC = "/static/"
"""The prefix of the addresses of files. The name of the file follows, or its hash and its name."""

_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([a-z0-9_]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
_REMARK = re.compile(r"^[ \t]*(?://[^\n]*\n|/\*\*(?:(?!\*/)[\s\S])*\*/[ \t]*\n?)", re.MULTILINE)
_NAMED = re.compile(rf'(?<=["(]){STATIC}([\w.-]+)(?=[")])')


@cache
def assets() -> dict[str, Asset]:
    """Return the files by name. Scripts are not joined."""
    assets_by_name = {path.name: asset_of(path.read_bytes(), _kind(path.name)) for path in _paths()}
    for name, text in (("pen.js", pen_script()), ("offline_games.js", games_script())):
        assets_by_name[name] = asset_of(text, _kind(name))
    return assets_by_name


@cache
def joined_scripts() -> dict[str, Asset]:
    """Return the scripts by name, each joined with its imports, so that one request loads them all."""
    return {name: asset_of(join_script(name), _kind(name)) for name in assets() if name.endswith(".js")}


def _paths() -> list[Path]:
    return sorted(path for path in (FOLDER / "static").iterdir() if path.is_file())


def _kind(name: str) -> str:
    if name.endswith(".webmanifest"):
        return "application/manifest+json"
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return "text/javascript" if name.endswith(".js") else kind


def pen_script() -> str:
    """Return the module with the drawings of marks and strokes."""
    return f"export const PEN = {compact(pen_as_json())};\n"


def games_script() -> str:
    """Return the module with the games that the browser plays by data, and the names of the others.

    Many games share a board, so each board is written once.
    """
    offered, boards = offline_games(), list[Any]()
    for game in offered.values():
        if game["board"] not in boards:
            boards.append(game["board"])
    games = [{**game, "board": boards.index(game["board"])} for game in offered.values()]
    others = [entry.name for entry in CATALOGUE if entry.name not in offered]
    parts = {"BOARDS": boards, "GAMES": games, "OTHERS": others}
    return "".join(f"export const {name} = {compact(value)};\n" for name, value in parts.items())


def join_script(name: str) -> str:
    """Return the module *name* joined with all modules that it imports.

    Each module is included once, after its own imports. It becomes a function that returns its exports,
    without comments. This works for the import and export statements that a test allows.
    """
    texts: dict[str, str] = {}

    def add(module: str) -> None:
        if module in texts:
            return
        text = assets()[module].body.decode()
        for _, other in _IMPORT.findall(text):
            add(other)
        texts[module] = _as_function(module, text)

    add(name)
    return "".join(texts.values())


def _as_function(module: str, text: str) -> str:
    exported = ", ".join(name for _, name in _EXPORT.findall(text))
    text = _IMPORT.sub(lambda found: f"const {{{_renamed(found[1])}}} = {_handle(found[2])};\n", text)
    text = _REMARK.sub("", _EXPORT.sub(r"\1", text))
    begins = f"// {module}\nconst {_handle(module)} = await (async () => {{\n"
    return f"{begins}{text}return {{ {exported} }};\n}})();\n"


def _renamed(names: str) -> str:
    return re.sub(r"(\w+) as (\w+)", r"\1: \2", names)


def _handle(module: str) -> str:
    return f"${module.removesuffix('.js')}"


def address_of(name: str) -> str:
    """Return the address of the file called *name*, with its hash. A script includes its imports."""
    asset = joined_scripts().get(name) or assets()[name]
    return f"{STATIC}{asset.short}/{name}"


def with_addresses(html: str) -> str:
    """Return *html* with the addresses of files replaced by those with a hash."""
    return _NAMED.sub(lambda found: address_of(found[1]) if found[1] in assets() else found[0], html)


async def send_asset(request: Request) -> Response:
    """Send a file, addressed by its name, with or without its hash."""
    name, short = request.path_params["name"], request.path_params.get("short")
    whole = joined_scripts() if short is not None and name in joined_scripts() else assets()
    if name not in whole:
        raise ApiError(404, "no-such-path")
    # An outdated hash gets the present file, which is not cached.
    return whole[name].answer(request, IMMUTABLE if whole[name].short == short else REVALIDATED)
