"""Saving a picture and a record as files, and copying moves or a position."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from noughts.drawing.svg import draw_svg
from noughts.errors import FileRefused, NoughtsError, system_reason
from noughts.games.base import Game
from noughts.games.catalogue import name_of
from noughts.games.notation import format_move, format_position
from noughts.interfaces.presenting.i18n import SystemReason
from noughts.interfaces.tui.game.questions import Phrase
from noughts.interfaces.tui.game.session import GameSession
from noughts.records.record import format_record

MAX_FILES = 1000
"""The highest number that is tried in a new file name."""


def save_with_message(session: GameSession, names: Mapping[str, str]) -> Phrase:
    """Save a picture of the position and the record of the game; return the message about it."""
    try:
        files = save_game(session, names)
    except OSError as error:
        reason = SystemReason(system_reason(error))
        return lambda wording: wording.say("not-saved", reason=reason)
    except NoughtsError as refusal:
        why = refusal
        return lambda wording: wording.say("not-saved", reason=wording.say.error(why).rstrip(".。"))
    written, folder = [path.name for path in files], str(files[0].parent)
    return lambda wording: wording.say("saved", files=written, folder=folder)


def moves_or_position(game: Game) -> str:
    """Return the moves of *game* as typed text; the position if it has a start of its own."""
    if game.start is None:
        return " ".join(format_move(game, move) for move in game.moves)
    return format_position(game)


def save_game(session: GameSession, names: Mapping[str, str], folder: Path | None = None) -> list[Path]:
    """Write the two files into *folder* (default: the current one) and return their paths.

    The picture shows the viewed position. The record holds the whole game, or the trial. Both files have the
    same new name. Existing files are never overwritten. If one file cannot be written, the other is removed.
    Raises :class:`OSError`, :class:`~noughts.errors.FileRefused` if no new name is left, and
    :class:`~noughts.errors.ShapeError` if the board is too large.
    """
    folder = folder or Path.cwd()
    game = session.game
    texts = {
        ".svg": draw_svg(game, title=" - ".join(names.values())),
        ".json": format_record(session.record) + "\n",
    }
    for number in range(1, MAX_FILES):
        name = f"noughts-{_plain(name_of(game))}-{number}"
        with suppress(FileExistsError):
            return _write({folder / f"{name}{ending}": text for ending, text in texts.items()})
    raise FileRefused(str(folder), "names-taken")


def _plain(name: str) -> str:
    """Return the name of a game as part of a file name that every system allows."""
    return "".join(character if character.isalnum() else "-" for character in name)


def _write(texts: Mapping[Path, str]) -> list[Path]:
    """Write *texts* as new files: all of them or none."""
    written: list[Path] = []
    try:
        for path, text in texts.items():
            with path.open("x", encoding="utf-8") as file:
                written.append(path)
                file.write(text)
    except OSError:
        for path in written:
            path.unlink()
        raise
    return written
