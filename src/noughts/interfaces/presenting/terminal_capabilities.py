"""The capabilities of the terminal."""

import os
from collections.abc import Mapping
from contextlib import suppress
from typing import TextIO

from noughts.interfaces.presenting.settings import choose_setting

LOCALES = ("LC_ALL", "LC_CTYPE", "LANG")
"""The variables that choose the encoding, the strongest first."""

PLAIN_TERMINALS = ("linux", "dumb")
"""Terminals, by ``TERM``, without line drawing characters."""


def has_unicode(target: TextIO, environ: Mapping[str, str]) -> bool:
    """Return True if *target* can show line drawing characters, or if the settings say so.

    In the C locale Python writes UTF-8 too, but its terminals may not be able to read it.
    """
    if (signs := choose_setting("signs", environ=environ).value) is not None:
        return signs == "unicode"
    chosen = next((environ[name] for name in LOCALES if environ.get(name)), "")
    if chosen in ("C", "POSIX"):
        return False
    encoding = (getattr(target, "encoding", None) or "ascii").lower().replace("-", "")
    return encoding == "utf8" and environ.get("TERM") not in PLAIN_TERMINALS


def is_full_screen(*streams: TextIO | None, environ: Mapping[str, str], platform: str) -> bool:
    """Return True if all *streams* of the program are one terminal that can be drawn on."""
    is_terminal = all(stream is not None and stream.isatty() for stream in streams)
    return is_terminal and (platform == "win32" or environ.get("TERM", "dumb") != "dumb")


def columns_of(target: TextIO | None, environ: Mapping[str, str]) -> int | None:
    """Return the number of columns in a line of *target*, or None if it is not known."""
    if (columns := environ.get("COLUMNS", "")).isdecimal() and int(columns):
        return int(columns)
    with suppress(OSError, ValueError, AttributeError):  # The target is a file, a pipe, or no stream at all.
        return os.get_terminal_size(target.fileno()).columns or None  # type: ignore[union-attr]
    return None
