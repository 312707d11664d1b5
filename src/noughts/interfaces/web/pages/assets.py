"""What pages are made of, as it is sent: read once, scripts joined, under addresses that change with it.

A browser keeps what has such an address for ever; whatever can change under its address it asks for again.
"""

import gzip
import mimetypes
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from noughts.interfaces.web.boards import pen_as_json
from noughts.interfaces.web.http.replies import ApiError, compact

FOLDER = Path(str(files("noughts.interfaces.web")))

STATIC = "/static/"
"""Addresses of files begin so; then comes their name, or what they hold in short, a slash, and their name."""

ASKED_AGAIN = "no-cache"
"""A browser asks each time whether what it has kept has changed."""

FOR_EVER = "public, max-age=31536000, immutable"
"""A browser keeps it and never asks again: a change has another address."""

MIN_COMPRESSED = 400
"""In so many bytes there is nothing to gain by packing them."""

_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([a-z0-9_]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
_REMARK = re.compile(r"^[ \t]*(?://[^\n]*\n|/\*\*(?:(?!\*/)[\s\S])*\*/[ \t]*\n?)", re.MULTILINE)
_NAMED = re.compile(rf'(?<=["(]){STATIC}([\w.-]+)(?=[")])')


@dataclass(frozen=True, slots=True)
class Asset:
    """Bytes of a kind as they are sent: plain, packed, and in short, to know them again."""

    body: bytes
    kind: str
    packed: bytes
    short: str

    def answer(self, request: Request, cached: str = ASKED_AGAIN, status: int = 200, **more: str) -> Response:
        """What *request* is answered, with *more* headers: that it has this already, or all of it."""
        headers = {"cache-control": cached, "etag": f'"{self.short}"'}
        headers |= {name.replace("_", "-"): value for name, value in more.items()}
        known = request.headers.get("if-none-match", "")
        if status == 200 and self.short in re.findall(r'"([^"]*)"', known):
            return Response(status_code=304, headers=headers)
        is_packed = self.packed is not self.body and "gzip" in request.headers.get("accept-encoding", "")
        headers["vary"] = ", ".join(filter(None, (headers.get("vary"), "accept-encoding")))
        if is_packed:
            headers["content-encoding"] = "gzip"
        return Response(self.packed if is_packed else self.body, status, headers, self.kind)


@lru_cache(maxsize=64)
def asset_of(text: str | bytes, kind: str) -> Asset:
    """*text* as it is sent."""
    body = text.encode() if isinstance(text, str) else text
    gains = len(body) >= MIN_COMPRESSED and not kind.startswith("image/png")
    packed = gzip.compress(body, 9, mtime=0) if gains else body
    return Asset(body, kind, packed, sha256(body + kind.encode()).hexdigest()[:16])


@cache
def assets() -> dict[str, Asset]:
    """The files by their names; scripts as they are written."""
    assets_by_name = {path.name: asset_of(path.read_bytes(), _kind(path.name)) for path in _paths()}
    assets_by_name["pen.js"] = asset_of(pen_script(), _kind("pen.js"))
    return assets_by_name


@cache
def joined_scripts() -> dict[str, Asset]:
    """The scripts by their names, each with all that it imports: one request instead of many."""
    return {name: asset_of(joined(name), _kind(name)) for name in assets() if name.endswith(".js")}


def _paths() -> list[Path]:
    return sorted(path for path in (FOLDER / "static").iterdir() if path.is_file())


def _kind(name: str) -> str:
    if name.endswith(".webmanifest"):
        return "application/manifest+json"
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return "text/javascript" if name.endswith(".js") else kind


def pen_script() -> str:
    """The module that holds what is written with a pen."""
    return f"export const PEN = {compact(pen_as_json())};\n"


def joined(name: str) -> str:
    """The module *name* with all modules that it imports, each once and after those that it imports itself.

    Each stays a world of its own: a function, of which others are handed what it exports; remarks are left
    out. What modules of ours may not say, so that this is enough, a test says.
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
    """The address of the file called *name*, of a script with all that it imports; it changes with it."""
    asset = joined_scripts().get(name) or assets()[name]
    return f"{STATIC}{asset.short}/{name}"


def with_addresses(html: str) -> str:
    """*html* with addresses that change with the files in place of plain ones."""
    return _NAMED.sub(lambda found: address_of(found[1]) if found[1] in assets() else found[0], html)


async def send_asset(request: Request) -> Response:
    """A file under its name, or under an address that changes with it."""
    name, short = request.path_params["name"], request.path_params.get("short")
    whole = joined_scripts() if short is not None and name in joined_scripts() else assets()
    if name not in whole:
        raise ApiError(404, "no-such-path")
    # An address of yesterday has what is there today, but nobody keeps it.
    return whole[name].answer(request, FOR_EVER if whole[name].short == short else ASKED_AGAIN)
