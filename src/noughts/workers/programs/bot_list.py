"""The bots of the user, stored in ``bots.toml`` in the user's configuration folder."""

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from noughts.errors import FileRefused, NameRefused, system_reason
from noughts.records.files import open_to_read, write_atomically
from noughts.records.folders import config_folder

FILE = "bots.toml"

MAX_BYTES = 1 << 20
"""The maximum size of the file in bytes."""

MAX_TEXT = 4_096
"""The maximum length of a word of a command, in characters."""

MEMORY_MB = 512
"""The default memory limit of a bot in MB."""

PROTOCOLS = ("auto", "gomocup", "noughts")
"""The protocols of bots. ``auto`` detects it."""

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")
"""The pattern of names of bots, which follow ``bot:`` on command lines."""


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot: its ``command``, its ``protocol``, its own ``options``. ``trust`` runs it without a sandbox.

    Raises :class:`~noughts.errors.NameRefused` for an invalid name, and ``ValueError`` for any other invalid
    field.
    """

    name: str
    command: tuple[str, ...]
    protocol: str = "auto"
    trust: bool = False
    options: Mapping[str, str] = field(default_factory=dict)
    memory_mb: int = MEMORY_MB

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise NameRefused(self.name, "bot")
        words = [*self.command, *self.options, *self.options.values()]
        is_sound = all(map(is_word, words))
        is_known = self.protocol in PROTOCOLS and isinstance(self.trust, bool)
        is_number = type(self.memory_mb) is int and self.memory_mb >= 0
        if not (self.command and self.command[0] and is_sound and is_known and is_number):
            raise ValueError(self.name)


def is_word(value: object) -> bool:
    """Return True if *value* is a text that fits in a line to a program."""
    return isinstance(value, str) and len(value) <= MAX_TEXT and value.isprintable()


def bots_file(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Return the path of the list of bots on *platform*."""
    return config_folder(environ, platform) / FILE


def load_bots(path: Path | None = None) -> dict[str, Bot]:
    """Return the bots by name.

    Raises :class:`~noughts.errors.FileRefused` if the file cannot be used.
    """
    path = bots_file() if path is None else path
    try:
        if not path.exists():
            return {}
        import tomllib  # most users have no bots

        with open_to_read(path) as file:
            content = file.read(MAX_BYTES + 1)
        tables = tomllib.loads(content.decode("utf-8")) if len(content) <= MAX_BYTES else None
        return {name: _read(name, facts) for name, facts in (tables or {})["bots"].items()}
    except OSError as error:
        raise FileRefused(str(path), system_reason(error)) from None
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise FileRefused(str(path), "no-bots") from None


def _read(name: str, facts: dict[str, Any]) -> Bot:
    known = {"protocol", "trust", "options", "memory_mb"}
    return Bot(name, tuple(facts["command"]), **{key: facts[key] for key in facts if key in known})


def save_bots(bots: Mapping[str, Bot], path: Path | None = None) -> None:
    """Save *bots*, all or nothing. Raises :class:`~noughts.errors.FileRefused`."""
    path = bots_file() if path is None else path
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, "\n".join(["[bots]", *map(_written, bots.values())]))
    except OSError as error:
        raise FileRefused(str(path), system_reason(error)) from None


def _written(bot: Bot) -> str:
    """Return the TOML table of *bot*. Its values have the same form in TOML as in JSON."""
    import json

    def text(value: object) -> str:
        return json.dumps(value, ensure_ascii=False)

    options = ", ".join(f"{text(key)} = {text(value)}" for key, value in bot.options.items())
    rows = [
        f"[bots.{text(bot.name)}]",
        f"command = {text(list(bot.command))}",
        f"protocol = {text(bot.protocol)}",
        f"trust = {text(bot.trust)}",
        f"memory_mb = {bot.memory_mb}",
        f"options = {{ {options} }}" if options else "options = {}",
    ]
    return "\n".join(rows) + "\n"
