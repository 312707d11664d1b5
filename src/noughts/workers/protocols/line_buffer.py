"""Lines out of the bytes that a program writes: whole, in their order, and never too long."""

MAX_LINE = 8_000
"""Bytes of a line that are kept; what comes after them in the line is dropped."""


class LineBuffer:
    """Puts lines together from bytes as they come, however they are cut.

    CR, LF and CR LF end a line; empty lines are left out. Of a line of more than *longest* bytes the first
    are kept, and ``cut`` counts such lines. What is no UTF-8 is replaced.

    >>> lines = LineBuffer()
    >>> lines.feed(b"START 15" + bytes([13, 10]) + b"BEG"), lines.feed(b"IN" + bytes([13])), lines.rest()
    (('START 15',), ('BEGIN',), ())
    """

    def __init__(self, longest: int = MAX_LINE) -> None:
        self._longest = longest
        self._begun = bytearray()
        self._is_cut = False
        self.cut = 0

    def feed(self, data: bytes) -> tuple[str, ...]:
        """The lines that *data* ends."""
        *ended, last = data.replace(b"\r", b"\n").split(b"\n")
        found = []
        for part in ended:
            self._add(part)
            found.append(self._begun)
            self._begun, self._is_cut = bytearray(), False
        self._add(last)
        return tuple(line.decode(errors="replace") for line in found if line.strip())

    def rest(self) -> tuple[str, ...]:
        """The line that was begun and never ended, if there is one: no more bytes come."""
        return self.feed(b"\n")

    def _add(self, part: bytes) -> None:
        """Keep what there is room for of *part*, which the line goes on with."""
        room = self._longest - len(self._begun)
        if len(part) > room and not self._is_cut:
            self._is_cut = True
            self.cut += 1
        self._begun += part[:room]
