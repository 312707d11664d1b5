"""The signs on single cells: the last move, lines, values, the hint and the cursor."""

from collections.abc import Iterable
from dataclasses import replace

from noughts.core.board import coordinate_of, index_of
from noughts.drawing.signs import SLIDES
from noughts.drawing.view import View, view_of
from noughts.games.annotations import data_of
from noughts.games.base import Game
from noughts.games.moves import Move, cells_of
from noughts.interfaces.presenting.analysis_texts import value_view
from noughts.interfaces.tui.game.analysis import Answers
from noughts.interfaces.tui.game.session import GameSession


def view_on(session: GameSession, answers: Answers) -> View:
    """Return the labels and signs of the cells of the viewed position."""
    game = session.game
    if worth := answers.worth:
        best = worth.analysis.best if answers.shown_hint is None else answers.shown_hint.move
        if best is not None and session.cursor in _cells(game, [best]):
            best = None  # The cursor has signs of its own there.
        view = value_view(game, worth.analysis, best)
        if not any(map(view.worth, view.highlights)):
            view = replace(view, labels={})
    else:
        view = view_of(game, labels=_has_digits(session))
    return highlighted(view, [*_pointed(session), *_answers(session, answers)])


def highlighted(view: View, marked: Iterable[tuple[str, Iterable[int]]]) -> View:
    """Return *view* with more codes; *marked* pairs each code with its cells."""
    codes: dict[int, list[str]] = {index: [text] for index, text in view.highlights.items() if text}
    for code, cells in marked:
        for index in cells:
            codes.setdefault(index, []).append(code)
    return replace(view, highlights={index: " ".join(names) for index, names in codes.items()})


def chosen_parts(session: GameSession) -> Iterable[tuple[str, Iterable[int]]]:
    """Yield the chosen cells of a partial move, and the cells that can come next."""
    if session.parts:
        shape = session.latest.shape
        yield "said", [index_of(shape, part) for part in session.parts if not isinstance(part, str)]
        yield "next", [index_of(shape, cell) for cell in session.step.cells]


def _has_digits(session: GameSession) -> bool:
    """Return True if the keys 1-9 place in all cells, so that the cells show them."""
    places = not (session.is_over or session.is_looking_back)
    return places and 0 < len(session.game.cells) <= session.last_digit


def _pointed(session: GameSession) -> Iterable[tuple[str, Iterable[int]]]:
    """Yield the cell of the cursor, or the tiles that can slide."""
    if session.is_sliding:
        annotations = session.game.annotations()
        for code in ("home", *SLIDES) if not session.is_looking_back else ("home",):
            yield code, _cells(session.game, annotations.cells_with(code))
    else:
        yield "cursor", (session.cursor,)


def _answers(session: GameSession, answers: Answers) -> Iterable[tuple[str, Iterable[int]]]:
    """Yield the cells of the answers and of the move at the cursor."""
    game = session.game
    if answers.shown_hint is not None and answers.worth is None:
        yield "hint", _cells(game, [answers.shown_hint.move])
    yield from chosen_parts(session)
    yield "turning", _turned_over(game, session.cursor)
    if lines := answers.lines_here():
        yield "open", lines.open
        yield "closed", lines.closed
    if threats := answers.threats_here():
        yield "threat" if threats.lose else "own-threat", _cells(game, threats.own or ())
        yield "threat", _cells(game, threats.others or ())


def _turned_over(game: Game, cursor: int) -> Iterable[int]:
    """Return the marks that a move at the cursor would turn over."""
    cell = coordinate_of(game.shape, cursor)
    if not data_of("turns", game.annotations().cells.get(cell, ())):
        return []
    after = game.copy()
    after.play(cell)
    pairs = enumerate(zip(game.cells, after.cells, strict=True))
    return [index for index, (old, new) in pairs if old is not None and old != new]


def _cells(game: Game, moves: Iterable[Move]) -> list[int]:
    return [index_of(game.shape, cell) for move in moves for cell in cells_of(move)]
