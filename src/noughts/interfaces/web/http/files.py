"""Files as responses: compressed, with a hash by which clients know that they have them."""

import gzip
import re
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import Response

REVALIDATED = "no-cache"
"""The cache header with which browsers check for changes each time."""

IMMUTABLE = "public, max-age=31536000, immutable"
"""The cache header with which browsers cache a file permanently: a changed file has another address."""

LASTING = "public, max-age=604800"
"""The cache header of a file that never changes and has no hash in its address."""

PACKED = ("image/png", "image/gif")
"""The content types that are compressed already."""

MIN_COMPRESSED = 400
"""The shortest file in bytes that is compressed."""


@dataclass(frozen=True, slots=True)
class Asset:
    """A file as it is sent: its bytes, its content type, its compressed bytes and its hash."""

    body: bytes
    kind: str
    packed: bytes
    short: str

    def answer(self, request: Request, cached: str = REVALIDATED, status: int = 200, **more: str) -> Response:
        """Return the response to *request*: the file, or status 304 if the client has it.

        *more* are further headers.
        """
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
    """Return the file with the content *text*."""
    body = text.encode() if isinstance(text, str) else text
    gains = len(body) >= MIN_COMPRESSED and kind not in PACKED
    packed = gzip.compress(body, 9, mtime=0) if gains else body
    return Asset(body, kind, packed, sha256(body + kind.encode()).hexdigest()[:16])
