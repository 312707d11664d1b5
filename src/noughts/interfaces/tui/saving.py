"""Saving what is on the table as files: the picture of the position and the record of the game."""

import os
from collections.abc import Mapping
from pathlib import Path

from noughts.games.catalogue import name_of
from noughts.games.drawing.svg import draw_svg
from noughts.games.record import format_record, record_of
from noughts.interfaces.tui.playing import Playing

MOST_FILES = 1000
"""How many numbers are tried for a file name that is not taken."""


def save_game(playing: Playing, names: Mapping[str, str], folder: Path | None = None) -> list[str]:
    """Write the two files into *folder*, the present one unless told; return their names.

    The picture is of what is looked at, the record of the real game. A file that is there already is never
    written over. Raises :class:`OSError`, and :class:`~noughts.errors.ShapeError` for too large a board.
    """
    folder = folder or Path.cwd()
    match, game = playing.sitting.match or playing.match, playing.game
    title = " - ".join(names.values())
    record = record_of(match.game, playing.sitting.names, ended=match.outcome)
    stem = f"noughts-{_plain(name_of(game))}"
    picture = _write_new(folder, stem, ".svg", draw_svg(game, title=title))
    text = _write_new(folder, stem, ".json", format_record(record) + "\n")
    return [picture, text]


def _plain(name: str) -> str:
    """A name of a game as part of a file name on every system."""
    return "".join(character if character.isalnum() else "-" for character in name)


def _write_new(folder: Path, stem: str, ending: str, text: str) -> str:
    for number in range(1, MOST_FILES):
        path = folder / f"{stem}-{number}{ending}"
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        except FileExistsError:
            continue
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
        return path.name
    raise FileExistsError(None, "too many files", f"{stem}{ending}")
