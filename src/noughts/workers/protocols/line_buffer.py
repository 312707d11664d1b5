"""A buffer that splits the output of a program into complete lines of limited length."""

MAX_LINE = 8_000
"""The number of bytes of a line that are kept. The rest of the line is dropped."""


class LineBuffer:
    """Splits bytes into lines, however the bytes arrive.

    CR, LF and CR LF end a line. Empty lines are skipped. Only the first *longest* bytes of a line are kept,
    and ``cut`` counts longer lines. Invalid UTF-8 is replaced.

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
        """Add *data* and return the lines that it completes."""
        *ended, last = data.replace(b"\r", b"\n").split(b"\n")
        complete = []
        for part in ended:
            self._add(part)
            complete.append(self._begun)
            self._begun, self._is_cut = bytearray(), False
        self._add(last)
        return tuple(line.decode(errors="replace") for line in complete if line.strip())

    def rest(self) -> tuple[str, ...]:
        """Return the incomplete last line, if there is one. No more bytes may follow."""
        return self.feed(b"\n")

    def _add(self, part: bytes) -> None:
        """Add *part* to the current line, up to the limit."""
        room = self._longest - len(self._begun)
        if len(part) > room and not self._is_cut:
            self._is_cut = True
            self.cut += 1
        self._begun += part[:room]
