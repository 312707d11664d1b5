"""Showing a kept game again: in words and pictures, or as one SVG picture."""

from pathlib import Path

from noughts.arena.match import Match
from noughts.arena.store import StoredGame
from noughts.errors import FileRefused, system_reason
from noughts.games.drawing.svg import draw_svg
from noughts.interfaces.console.narrator import Narrator
from noughts.interfaces.console.reviewing import tell_review
from noughts.interfaces.console.talk import Talk
from noughts.interfaces.console.terminal import Terminal
from noughts.interfaces.i18n import Translator
from noughts.interfaces.reviewing import ReviewTold


def show_replay(stored: StoredGame, say: Translator, review: ReviewTold | None = None) -> None:
    """Tell *stored* event by event, as it was told when it was played, and then its *review*."""
    setup = stored.setup
    match = Match(setup.new_game(), setup.clock, start=setup.created)
    talk = Talk(Terminal(), say)
    narrator = Narrator(talk, match, dict(setup.seats), dict(setup.who), 1)
    talk.tell("replay-title", number=stored.id, game=setup.game, names=list(setup.seats.values()))
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
    names = list(stored.setup.seats.values())
    title = say("replay-title", number=stored.id, game=stored.setup.game, names=names)
    try:
        below = None if review is None else review.sheet(say)
        path.write_text(draw_svg(match.game, title=title, below=below), encoding="utf-8")
    except OSError as error:
        raise FileRefused(str(path), system_reason(error)) from None
