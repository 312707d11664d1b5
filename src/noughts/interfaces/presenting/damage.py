"""Warnings about damaged files, as sentences in the reader's language."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from noughts.errors import DamagedFileWarning
from noughts.interfaces.presenting.i18n import Translator


@contextmanager
def report_damage(say: Translator, report: Callable[[str], None]) -> Iterator[None]:
    """Pass one sentence about each damaged file to *report*, instead of Python's warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", DamagedFileWarning)
        usual, reported = warnings.showwarning, set[str]()

        def show(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: TextIO | None = None,
            line: str | None = None,
        ) -> None:
            if not isinstance(message, DamagedFileWarning):
                usual(message, category, filename, lineno, file, line)
            elif (sentence := say.error(message.error)) not in reported:
                reported.add(sentence)
                report(sentence)

        warnings.showwarning = show
        yield
