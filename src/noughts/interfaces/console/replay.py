"""Replays of saved games in words and pictures, and games in files."""

from collections.abc import Container, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

from noughts.arena.stored_game import StoredGame, record_of, stored_of
from noughts.drawing.svg import draw_svg
from noughts.errors import FileRefused, UnsupportedRules, system_reason
from noughts.games.base import Game
from noughts.games.moves import is_pass
from noughts.games.notation import format_position
from noughts.interfaces.console.prompts import Conversation, Narrator, UserQuit, show_board
from noughts.interfaces.console.tables import table_by_pages
from noughts.interfaces.console.terminal import Terminal, print_error
from noughts.interfaces.presenting.game_plan import HUMAN
from noughts.interfaces.presenting.i18n import ReadableError, Translator
from noughts.interfaces.presenting.move_names import Names
from noughts.interfaces.presenting.players import player_called
from noughts.interfaces.presenting.review_texts import ReviewText, RunningReview, sign_of
from noughts.interfaces.presenting.titles import title_of as title_of_game
from noughts.records.files import atomic_writer, write_atomically
from noughts.records.formats import RECORD_FORMATS, Record
from noughts.search.explain.review import ReviewedMove

COUNTED = frozenset(
    f"left-out-{what}" for what in ("variations", "games", "numbers", "values", "letters", "lines", "names")
)
"""The sentences that count the ignored parts of a file."""

PICTURE = ".svg"
"""The ending of the name of a picture."""

IMAGE, ANIMATION = ".png", ".gif"
"""The endings of the names of a picture and an animation in pixels."""

STEP = "]"
"""The character after the number of a move that shows its better line, as in the full screen."""


@contextmanager
def reporting_file_errors(path: Path) -> Iterator[None]:
    """Raise FileRefused with the reason of the system if *path* cannot be used."""
    try:
        yield
    except OSError as error:
        raise FileRefused(str(path), system_reason(error)) from None


def read_game(path: Path, say: Translator) -> StoredGame:
    """Read the game in the file *path*, in any format of records.

    The ignored parts are reported on standard error. Raises :class:`~noughts.errors.FileRefused` for an
    unreadable file and :class:`~noughts.errors.NotationError` if it contains no record.
    """
    with reporting_file_errors(path):
        record = Record.load(path)
    for sentence in _left_out(record, say):
        print_error(sentence)
    return stored_of(record)


def _left_out(record: Record, say: Translator) -> Iterator[str]:
    """Yield a sentence for each kind of content that *record* leaves out."""
    properties = []
    for kind, count in record.left_out.items():
        if f"left-out-{kind}" in COUNTED:
            yield say.plural(f"left-out-{kind}", count)
        elif say.has(f"left-out-{kind}"):
            yield say(f"left-out-{kind}")
        else:
            properties.append(kind if count == 1 else f"{kind} ({count})")
    if properties:
        yield say("left-out-properties", names=properties)


def write_game(stored: StoredGame, path: Path, say: Translator) -> None:
    """Write *stored* to *path*, in the format of its ending: a record, SGF, a picture or an animation."""
    ending = path.suffix.lower()
    if ending == PICTURE:
        return write_picture(stored, path, say)
    if ending in (IMAGE, ANIMATION):
        return _write_image(stored, path, say)
    form = RECORD_FORMATS.get(ending)
    if form is None or form.format is None:
        raise ReadableError(say("usage-export"))
    game = stored.replay().game
    try:
        with reporting_file_errors(path):
            record_of(stored).save(path)
    except UnsupportedRules:
        raise ReadableError(say("export-no-sgf", game=game.name, ending=".json")) from None


def _write_image(stored: StoredGame, path: Path, say: Translator) -> None:
    """Write the last position of *stored* to *path* as PNG, or its moves as GIF.

    Raises :class:`~noughts.errors.ExtraMissing` if a library for pictures is not installed.
    """
    from noughts.drawing.animation import draw_link_gif
    from noughts.drawing.link_picture import LinkText, drawable
    from noughts.drawing.raster import draw_png

    game = stored.replay().game
    if path.suffix.lower() == IMAGE:
        content = draw_png(draw_svg(game))
    else:
        is_traditional = say.language == "zh-Hant"
        title, *players = (
            drawable(text, is_traditional=is_traditional)
            for text in (title_of_game(say, stored.setup.game), *stored.players.values())
        )
        text = LinkText(title, "", tuple(zip(stored.players, players, strict=True)), is_traditional)
        content = draw_link_gif(game, text, text)
    with reporting_file_errors(path), atomic_writer(path) as stream:
        stream.buffer.write(content)


def player_labels(stored: StoredGame, say: Translator) -> dict[str, str]:
    """Return the labels of the players of a saved game, by their marks at the end."""
    setup = stored.setup
    kinds = {name: setup.who.get(mark, HUMAN) for mark, name in setup.seats.items()}
    return {side: player_called(say, name, kinds.get(name, HUMAN)) for side, name in stored.players.items()}


def title_of(stored: StoredGame, say: Translator) -> str:
    """Return the title of a saved game.

    One from a file has no number.
    """
    names = list(player_labels(stored, say).values())
    if not stored.id:
        return say("replay-title-of-file", game=stored.setup.game, names=names)
    return say("replay-title", number=stored.id, game=stored.setup.game, names=names)


def show_replay(stored: StoredGame, say: Translator, review: RunningReview | None = None) -> int | None:
    """Show *stored* event by event, and then its *review*.

    After a review, a player at a terminal can continue the game from one of its moves. Return the number of
    moves before it, or None.
    """
    setup = stored.setup
    match = setup.replay(())
    talk = Conversation(Terminal(), say)
    narrator = Narrator(talk, match, dict(setup.seats), dict(setup.who), 1)
    talk.sentence(title_of(stored, say))
    narrator.board()
    for event in stored.events:
        match.apply_event(event)
        narrator.event(event)
    if match.outcome is None:
        talk.write_message("replay-unfinished")
    if review is None:
        return None
    review_text = print_review(talk, review)
    if not (talk.terminal.is_interactive and review_text.review.moves):
        return None
    people = [side for side, kind in match.by_side(setup.who).items() if kind == HUMAN]
    try:
        return ask_where_to_play_on(talk, review_text, people)
    except UserQuit:
        return None


def write_picture(stored: StoredGame, path: Path, say: Translator, review: ReviewText | None = None) -> None:
    """Write the last position of *stored* to *path* as SVG, with the chart of *review* below it."""
    game = stored.replay().game
    chart = None if review is None else review.chart(say)
    below = None if chart is None else chart.sheet()
    with reporting_file_errors(path):
        write_atomically(path, draw_svg(game, title=title_of(stored, say), below=below))


def position_after(game: Game, ply: int) -> str:
    """Return the position of *game* after its first *ply* moves."""
    position = game.copy()
    while position.ply > ply:
        position.undo()
    return format_position(position)


def ask_where_to_play_on(talk: Conversation, review_text: ReviewText, people: Container[str]) -> int | None:
    """Ask from which move of a reviewed game to continue. Return the number of moves before it, or None.

    Mistakes of the *people*, by side, are suggested. Better lines can be shown any number of times.
    """
    say, count = talk.say, len(review_text.review.moves)
    named = [str(move.ply) for move in review_text.review.moves if sign_of(move) and move.side in people]
    better = {str(move.ply): move for move in review_text.review.moves if sign_of(move) and move.line}

    def read(text: str) -> int | ReviewedMove | None:
        word = text.strip()
        if word.endswith(STEP) and (move := better.get(word.removesuffix(STEP).strip())):
            return move
        if word in ("", *say("words-no").split()):
            return None
        if word.isdecimal() and 1 <= int(word) <= count:
            return int(word) - 1
        raise ReadableError(say("usage-whole-number-range", first=1, last=count))

    prompt = say("ask-play-on-named", numbers=named) if named else say("ask-play-on")
    if better:
        talk.write_message("better-line-about", numbers=[f"{ply}{STEP}" for ply in better])
    while isinstance(answer := talk.ask(prompt, read), ReviewedMove):
        step_through(talk, review_text, answer)
    return answer


def step_through(talk: Conversation, review_text: ReviewText, move: ReviewedMove) -> None:
    """Show the better line instead of *move*, one position each time Enter is pressed."""
    say, count = talk.say, len(move.line)
    before, *after = review_text.positions(move)
    show_board(talk, before)
    for number, (better, position) in enumerate(zip(move.line, after, strict=True), 1):
        id_ = "better-line-step-pass" if is_pass(better) else "better-line-step"
        talk.write_message(
            id_, number=number, count=count, side=before.turn, move=Names(before).phrase(better)
        )
        show_board(talk, position)
        before = position
        if number < count and not talk.ask_yes_no(say("ask-better-line-on"), default=True):
            return


def print_review(talk: Conversation, review: RunningReview) -> ReviewText:
    """Print a table of all moves, each as soon as its row is final, from the last to the first.

    A comment on each mistake and missed win, and the chart follow.
    """
    say = talk.say
    names = ["id", "player", "move", "before", "after"]
    headings = [say(f"column-{name}") for name in names]
    talk.write()
    talk.write_message("review-from-the-end")
    pages = chain([[]], ([row] for row in review.rows()))
    for lines in table_by_pages(headings, pages, talk.width, review.widest_rows(), (1, 4, 3)):
        talk.write("\n".join(lines))
    talk.write()
    review_text = review.completed()
    for move in review_text.review.moves:
        if sign_of(move):
            talk.sentence(review_text.sentence(say, move))
    for remark in (review_text.nothing(say), review_text.proof(say), review_text.accuracy(say)):
        if remark is not None:
            talk.sentence(remark)
    talk.write_message("analysis-legend")
    if (chart := review_text.chart(say)) is not None:
        lines = chart.text(width=talk.terminal.width, unicode=talk.terminal.has_unicode)
        talk.write("\n".join(["", *lines, ""]))
    if (caution := review_text.caution(say)) is not None:
        talk.sentence(caution)
    return review_text
