"""Bytes become lines, none of them longer than a bound."""

import re
from collections.abc import Iterator

_END = re.compile(rb"[\r\n]")


class Lines:
    r"""Cuts bytes into lines as they come. Lines end with LF, CR or both; empty ones are left out.

    Of a line of more than *most* bytes the first are kept; ``cut`` counts such lines.

    >>> lines = Lines(4)
    >>> list(lines.feed(b"one\r\ntw")), list(lines.feed(b"o\nthree\n")), lines.cut, list(lines.rest())
    (['one'], ['two', 'thre'], 1, [])
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._begun = b""
        self._is_cutting = False
        self.cut = 0

    def feed(self, data: bytes) -> Iterator[str]:
        """The lines that *data* brings to their ends."""
        *pieces, begun = _END.split(data)
        for piece in pieces:
            self._take(piece)
            yield from self.rest()
        self._take(begun)

    def rest(self) -> Iterator[str]:
        """The line that has not come to its end, if there is one."""
        line, self._begun, self._is_cutting = self._begun, b"", False
        if line.strip():
            yield line.decode(errors="replace")

    def _take(self, piece: bytes) -> None:
        room = self._most - len(self._begun)
        if len(piece) > room and not self._is_cutting:
            self._is_cutting = True
            self.cut += 1
        self._begun += piece[:room]
