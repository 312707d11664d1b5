"""Lines out of the bytes that a program writes: whole, in their order, and never too long."""

MAX_LINE = 8_000
"""Bytes of a line that are kept; what comes after them in the line is dropped."""


class Lines:
    """Puts lines together from bytes as they come, however they are cut.

    CR, LF and CR LF end a line; empty lines are left out. What is no UTF-8 is replaced.

    >>> lines = Lines()
    >>> lines.feed(b"START 15" + bytes([13, 10]) + b"BEG"), lines.feed(b"IN" + bytes([13])), lines.rest()
    (('START 15',), ('BEGIN',), ())
    """

    def __init__(self, longest: int = MAX_LINE) -> None:
        self._longest = longest
        self._begun = b""

    def feed(self, data: bytes) -> tuple[str, ...]:
        """The lines that *data* ends."""
        *ended, last = data.replace(b"\r", b"\n").split(b"\n")
        found = []
        for part in ended:
            found.append(self._kept(part))
            self._begun = b""
        self._begun = self._kept(last)
        return tuple(line.decode(errors="replace") for line in found if line)

    def rest(self) -> tuple[str, ...]:
        """The line that was begun and never ended, if there is one: no more bytes come."""
        return self.feed(b"\n")

    def _kept(self, part: bytes) -> bytes:
        """What is kept of the line that was begun, with *part* after it."""
        return self._begun + part[: self._longest - len(self._begun)]
