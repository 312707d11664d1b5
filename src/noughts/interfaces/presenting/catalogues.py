"""Catalogues of sentences.

The build compiles our own catalogues. Those of external packages are read from their ``.po`` files.
"""

import gettext
import os
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from string import Formatter
from typing import TYPE_CHECKING, Any

import noughts

if TYPE_CHECKING:
    from noughts.games.entry import Entry

OWN = os.path.join(os.path.dirname(noughts.__file__), "locales")
"""The folder of our compiled catalogues."""

MAX_CATALOGUE = 1_000_000
"""The longest catalogue of an external package that is read, in bytes."""

_LINE = re.compile(
    r'(?:(msgid|msgid_plural|msgstr|msgstr\[\d\])\s+)?"((?:[^"\\\x00-\x08\x0a-\x1f\x7f-\x9f]|\\[nrt"\\])*)"'
)
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}

_PLURAL = re.compile(r"^plural-forms:.*?\bplural\s*=([^;\n]+)", re.MULTILINE | re.IGNORECASE)
_DIVISION = re.compile(r"[/%](?!\s*0*[1-9])")
"""A division or remainder whose right side is 0 or no number."""


class MessageCatalogue(gettext.GNUTranslations):
    """The sentences of one language."""

    plural: Callable[[int], int]
    _catalog: dict[str | tuple[str, int], str]

    def has(self, id: str, /) -> bool:  # noqa: A002
        """Return True if there is a sentence *id*."""
        return self.gettext(id) != id or self.ngettext(id, id, 1) != id

    def listed(self) -> dict[str, str | list[str]]:
        """Return the sentences by id. A sentence with a number is a list of its forms."""
        sentences: dict[str, Any] = {}
        for id_, text in sorted(self._catalog.items(), key=str):
            if isinstance(id_, str):
                sentences[id_] = text
            else:
                sentences.setdefault(id_[0], []).append(text)
        sentences.pop("", None)
        return sentences


@lru_cache(maxsize=16)
def own_catalogue(language: str) -> MessageCatalogue:
    """Return our own sentences in *language*, or an empty catalogue for other languages."""
    path = gettext.find("noughts", OWN, [language.replace("-", "_")])
    if path is None:
        return read_po("")
    with open(path, "rb") as file:
        return MessageCatalogue(file)


@lru_cache(maxsize=256)
def package_catalogue(entry: "Entry", language: str) -> MessageCatalogue:
    """Return the sentences of a game of an external package in *language*, such as those in its ``ru.po``.

    The catalogue is empty if the file is missing or unreadable.
    """
    if entry.locales is None:
        return read_po("")
    path = entry.locales / f"{language.replace('-', '_')}.po"
    try:
        if not path.is_file():  # Opening a pipe could block.
            return read_po("")
        with path.open("rb") as source:
            return read_po(source.read(MAX_CATALOGUE).decode())
    except (OSError, ValueError):
        return read_po("")


def read_po(text: str) -> MessageCatalogue:
    r"""Return the catalogue that is written in *text*. Raises ValueError if a line is unreadable.

    >>> read_po('msgid "hello"\nmsgstr "Good "\n"day"').gettext("hello")
    'Good day'
    """
    catalogue = MessageCatalogue()
    catalogue.plural = _plural("")
    sentences: dict[str | tuple[str, int], str] = {}
    for entry in _entries(text):
        forms = [form for key, form in sorted(entry.items()) if key.startswith("msgstr")]
        if not entry.get("msgid"):
            catalogue.plural = _plural("".join(forms))
        elif all(forms) and "msgid_plural" in entry:
            sentences |= {(entry["msgid"], number): _checked(form) for number, form in enumerate(forms)}
        elif all(forms):
            sentences[entry["msgid"]] = _checked("".join(forms))
    catalogue._catalog = sentences
    return catalogue


def _checked(form: str) -> str:
    """Return *form*. Raises ValueError if its placeholders cannot be parsed."""
    for _ in Formatter().parse(form):
        pass
    return form


def _plural(header: str) -> Callable[[int], int]:
    """Return the function that chooses the plural form, parsed from *header* by the standard library."""
    if "plural-forms" not in header.lower():
        return gettext.c2py("n != 1")
    match = _PLURAL.search(header)
    if match is None or _DIVISION.search(match[1]):
        raise ValueError(f"Plural-Forms: {header[:40]}")
    return gettext.c2py(match[1])


def _entries(text: str) -> Iterator[dict[str, str]]:
    """Yield each entry as a mapping of its keywords: msgid, msgid_plural, msgstr, msgstr[0] ..."""
    entry: dict[str, str] = {}
    keyword = ""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None or not (match[1] or entry):
            raise ValueError(f"line {number}: {line.strip()[:40]}")
        if match[1] == "msgid" and entry:
            yield entry
            entry = {}
        keyword = match[1] or keyword
        part = re.sub(r"\\(.)", lambda escape: _ESCAPES.get(escape[1], escape[1]), match[2])
        entry[keyword] = entry.get(keyword, "") + part
    if entry:
        yield entry
