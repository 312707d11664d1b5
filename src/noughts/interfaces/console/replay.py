"""Showing a kept game again: in words and pictures, or as one SVG picture."""

from pathlib import Path

from noughts.arena.store.store import StoredGame, stored_of
from noughts.drawing.svg import draw_svg
from noughts.errors import FileRefused, system_reason
from noughts.interfaces.console.narrator import Narrator
from noughts.interfaces.console.reviewing import tell_review
from noughts.interfaces.console.talk import Talk
from noughts.interfaces.console.terminal import Terminal
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.reviewing import ReviewTold
from noughts.records.record import MAX_LINE, parse_record
from noughts.records.sgf import parse_sgf


def read_game(path: Path) -> StoredGame:
    """The game that is written in a file: a record as one JSON object, or SGF.

    Raises :class:`~noughts.errors.FileRefused` for what cannot be read and
    :class:`~noughts.errors.NotationError` for what is no record.
    """
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            text = file.read(MAX_LINE + 1)
    except OSError as error:
        raise FileRefused(str(path), system_reason(error)) from None
    parse = parse_sgf if text.lstrip().startswith("(") else parse_record
    return stored_of(parse(text.strip()))


def title_of(stored: StoredGame, say: Translator) -> str:
    """What game it is; one from a file has no number."""
    names = list(stored.players.values())
    if not stored.id:
        return say("replay-title-of-file", game=stored.setup.game, names=names)
    return say("replay-title", number=stored.id, game=stored.setup.game, names=names)


def show_replay(stored: StoredGame, say: Translator, review: ReviewTold | None = None) -> None:
    """Tell *stored* event by event, as it was told when it was played, and then its *review*."""
    setup = stored.setup
    match = setup.replay(())
    talk = Talk(Terminal(), say)
    narrator = Narrator(talk, match, dict(setup.seats), dict(setup.who), 1)
    talk.sentence(title_of(stored, say))
    narrator.board()
    for event in stored.events:
        match.take_in(event)
        narrator.event(event)
    if match.outcome is None:
        talk.tell("replay-unfinished")
    if review is not None:
        tell_review(talk, review)


def write_picture(stored: StoredGame, path: Path, say: Translator, review: ReviewTold | None = None) -> None:
    """Write the last position of *stored* to *path* as SVG, with the chart of a *review* below it."""
    match = stored.replay()
    title = title_of(stored, say)
    try:
        below = None if review is None else review.sheet(say)
        path.write_text(draw_svg(match.game, title=title, below=below), encoding="utf-8")
    except OSError as error:
        raise FileRefused(str(path), system_reason(error)) from None
