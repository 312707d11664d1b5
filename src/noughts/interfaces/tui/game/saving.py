"""What is on the table, to take along: picture and record as files, moves or position as a text."""

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
"""How many numbers are tried for a file name that is not taken."""


def save_and_tell(session: GameSession, names: Mapping[str, str]) -> Phrase:
    """Save the picture of the position and the record of the game; what is to be said of it."""
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
    """The moves of *game*, or the position of one with a start of its own, as a person would type them."""
    if game.start is None:
        return " ".join(format_move(game, move) for move in game.moves)
    return format_position(game)


def save_game(session: GameSession, names: Mapping[str, str], folder: Path | None = None) -> list[Path]:
    """Write the two files into *folder*, the present one unless told; return where they are.

    The picture is of what is looked at, the record of the whole game, or of the trial. Both have the same new
    name: a file that is there already is never written over, and where one cannot be written neither is left
    behind. Raises
    :class:`OSError`, :class:`~noughts.errors.FileRefused` where there is no new name, and
    :class:`~noughts.errors.ShapeError` for too large a board.
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
    """A name of a game as part of a file name on every system."""
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
