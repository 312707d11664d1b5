"""The file format of certificates: lines of words, the last of them a digest of all others."""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from typing import IO

FIRST_LINE = "noughts certificate"
VERSION = 1
DIGEST = "sha256"

NUMBER = re.compile("[1-9][0-9]{0,17}")
"""The form of a number."""

REPORTED = 1024
"""The number of lines between two reports."""

MAX_LINE = 1 << 20
"""The longest line in bytes, with its line feed."""

TOGETHER = 1 << 10
"""The number of pieces of text that are written at once."""

WINDOW = 1 << 20
"""The number of the last proved positions to which a certificate may refer."""


class DoesNotHold(Exception):
    """A step of a certificate is wrong. The message is for developers."""


class Writer:
    """Writes the lines of a certificate to the text file *stream*, and their digest at the end."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream, self._digest = stream, hashlib.sha256()
        self._waiting: list[str] = []
        self.lines = 0
        """The number of lines, once the writer is closed."""
        self.proved = 0
        """The number of proved positions that may be referred to."""

    def write(self, *words: object) -> None:
        """Write a line of *words*."""
        self.write_text(" ".join(map(str, words)) + "\n")

    def write_text(self, text: str) -> None:
        """Write the whole lines of *text*, at the latest when this is closed."""
        self._waiting.append(text)
        if len(self._waiting) == TOGETHER:
            self._write_waiting()

    def _write_waiting(self) -> None:
        text = "".join(self._waiting)
        self._waiting.clear()
        self._stream.write(text)
        self._digest.update(text.encode("ascii"))
        self.lines += text.count("\n")

    def close(self) -> None:
        """Write the remaining text and the digest."""
        self._write_waiting()
        self._stream.write(f"{DIGEST} {self._digest.hexdigest()}\n")


class Reader:
    r"""Reads the lines of a certificate but the last, as lists of words, from the binary file *stream*.

    >>> import io
    >>> reader = Reader(io.BytesIO(b"one two\nthree\nsha256 0\n"))
    >>> reader.next(), reader.next(), reader.is_intact()
    (['one', 'two'], ['three'], False)
    """

    def __init__(self, stream: IO[bytes], report: Callable[[int], None] = lambda number: None) -> None:
        self._report = report
        self._lines = self._read(stream)
        self._digest = hashlib.sha256()
        self._last = b""
        self.number = 0

    def _read(self, stream: IO[bytes]) -> Iterator[bytes]:
        while line := stream.readline(MAX_LINE):
            if self._last:
                self._digest.update(self._last)
                yield self._last
            self._last = line

    def next(self) -> list[str]:
        """Return the words of the next line. An empty line has one empty word.

        Raises :class:`DoesNotHold` at the end.
        """
        for line in self._lines:
            self.number += 1
            if self.number % REPORTED == 0:
                self._report(self.number)
            if line.endswith(b"\n") and line.isascii():
                return line[:-1].decode("ascii").split(" ")
            break
        raise DoesNotHold("a line is missing, or cannot be read")

    def is_at_end(self) -> bool:
        """Return True if no line is left but the last."""
        return not any(True for _ in self._lines)

    @property
    def digest(self) -> str:
        """The digest of the lines that have been read."""
        return self._digest.hexdigest()

    def is_intact(self) -> bool:
        """Read the remaining lines; return True if the last one has the digest of all others."""
        for _ in self._lines:
            pass
        return self._last == f"{DIGEST} {self.digest}\n".encode()


def numbers(words: Iterable[str], most: int) -> list[int]:
    """Return the cells, counted from 0, that *words* name by numbers from 1 to *most*."""
    result = []
    for word in words:
        if not (NUMBER.fullmatch(word) and int(word) <= most):
            raise DoesNotHold(f"{word} is no number from 1 to {most}")
        result.append(int(word) - 1)
    return result


def split_at(words: list[str], sign: str = "/") -> tuple[list[str], list[str] | None]:
    """Split *words* at the *sign*; the second part is None if it is missing."""
    if sign not in words:
        return words, None
    place = words.index(sign)
    return words[:place], words[place + 1 :]
