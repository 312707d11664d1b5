"""The responses of the API as models, which describe their fields."""

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from itertools import compress
from operator import ne
from typing import Annotated, Any, Literal, Self

from pydantic import PlainSerializer

from noughts.arena.events import Event, EventKind, MatchEnd
from noughts.arena.people.inbox import InboxNote, NoteKind
from noughts.arena.rooms.conditional import Line
from noughts.arena.rooms.keys import key_of_game
from noughts.arena.rooms.models import Phase, RoomView
from noughts.arena.rooms.phrases import SaidPhrase
from noughts.arena.seat_names import present_names, seat_number
from noughts.arena.stored_game import BY_LINK, PUBLIC
from noughts.arena.table import HUMAN
from noughts.core.board import coordinate_of, index_of
from noughts.drawing.view import first_index, view_of
from noughts.games.base import Game, Move, Outcome
from noughts.games.catalogue import name_of, new_game
from noughts.games.layout import Layout
from noughts.games.moves import choices_of, parts_of
from noughts.games.notation import format_move, parse_move
from noughts.games.openings import openings_of
from noughts.interfaces.presenting.analysis_texts import ValueWord
from noughts.interfaces.presenting.custom_boards import computers_for
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.known_result_texts import say_known
from noughts.interfaces.presenting.match_texts import Wording
from noughts.interfaces.presenting.move_names import Names
from noughts.interfaces.presenting.players import levels_without_fast, player_called, strongest_level
from noughts.interfaces.presenting.titles import rule_in_short, title_of
from noughts.interfaces.web.http.replies import ApiError, ErrorResponse, Model
from noughts.interfaces.web.lobby_models import LobbyOfferMessage

MAX_SMALL = 1_000
"""The largest number of cells of a board in a list."""

PhaseName = Literal["waiting", "choosing", "playing", "over", "closed"]
Visibility = Literal["link", "public"]
Hundredths = Annotated[float, PlainSerializer(lambda value: int(value) if value == int(value) else value)]
"""A length in hundredths of a cell, written without a fraction if possible."""

Point = tuple[Hundredths, Hundredths]
Label = tuple[Hundredths, Hundredths, Hundredths, Hundredths, str, str, bool]
Cells = tuple[str | None, ...]


# Games


class GameMessage(Model):
    """A game: its rules, and the layout of its board."""

    name: str
    """The name in the catalogue, or a description such as `7x6:4,gravity`."""
    title: str
    """The title of the game."""
    about: str
    """The title and a short description."""
    rules: str
    """The rules, in sentences."""
    known: str
    """The known result of best play with its source, empty if none is known."""
    shape: list[int]
    """The side lengths in the order of coordinates: rows before columns."""
    layout: Layout
    """The layout of the board on paper."""
    has_lines: bool
    """Whether the lines through a cell can be requested."""
    openings: list[str]
    """The opening protocols that the game allows."""
    sides: list[str]
    """The marks of the sides, in the order of turns."""

    @classmethod
    def of(cls, game: Game, say: Translator) -> "GameMessage":
        return GameMessage(**_description(name_of(game), say), sides=list(game.sides))


@lru_cache(maxsize=1_000)
def _description(name: str, say: Translator) -> dict[str, Any]:
    game, title = new_game(name), title_of(say, name)
    return {
        "name": name,
        "title": title,
        "about": rule_in_short(say, game, "web-game-is", shows_edges=True) or title,
        "rules": say.messages(game.rule_text),
        "known": say_known(say, game),
        "shape": list(game.shape),
        "layout": game.layout,
        "has_lines": game.lines_through((0,) * len(game.shape)) is not None,
        "openings": openings_of(game),
    }


class PlayableGame(GameMessage):
    """A game that can be played, and the computers for it."""

    computers: list[str]
    """The computers that are offered for the game. A computer that has to search may still decline."""
    cautions: dict[str, str]
    """A warning, by computer, about each computer that plays this game less well on this server."""

    @classmethod
    def facts(cls, game: Game, say: Translator, players: Iterable[str]) -> dict[str, Any]:
        """Return the fields of *game*, which the computers among *players* can play."""
        caution = levels_without_fast(say, game)
        return {
            **_description(name_of(game), say),
            "sides": list(game.sides),
            "computers": computers_for(game, players),
            "cautions": {} if caution is None else {f"level:{strongest_level()}": caution},
        }


class CatalogueEntry(PlayableGame):
    """A game of the catalogue, and its place in the list."""

    tag: str
    """A short description."""
    spec: str | None
    """The description of the rules, or null for a game that is not k in a row."""
    shelf: str
    """The shelf on which it is listed."""
    rank: int
    """The place among all games: smaller ranks are listed first."""


class GameCatalogue(Model):
    """The games of the catalogue, and the languages of the server."""

    games: list[CatalogueEntry]
    """The games."""
    languages: dict[str, str]
    """The names of the languages in the languages themselves, by tag."""


class BoardNumber(Model):
    """A number of a custom board."""

    name: str
    """The name of the number."""
    label: str
    """The label, in the language of the caller."""
    value: int
    """The number."""
    text: str
    """The number as it is shown."""
    less: str | None
    """The description with one less, or null if that is not possible."""
    more: str | None
    """The description with one more, or null if that is not possible."""


class BoardSwitch(Model):
    """An option of a custom board."""

    name: str
    """The name of the option."""
    label: str
    """The label, in the language of the caller."""
    about: str
    """The effect of the option, or the reason why it cannot be changed."""
    is_on: bool
    """Whether the option is chosen."""
    spec: str | None
    """The description with the option changed, or null if that is not possible."""


class BoardCount(Model):
    """A count of something on a custom board."""

    count: int
    """The count."""
    label: str
    """The label of the count."""


class CustomBoard(PlayableGame):
    """A custom board, and its possible changes."""

    spec: str
    """The description of the rules."""
    tag: str
    """A short description."""
    steps: list[BoardNumber]
    """The numbers of the board."""
    switches: list[BoardSwitch]
    """The options, each on or off."""
    counts: list[BoardCount]
    """The numbers of cells, lines and players."""
    is_estimated: bool
    """Whether the game is too large to be solved. Computers then estimate."""


class ComputerMessage(Model):
    """A computer that can play."""

    name: str
    """The name in requests."""
    title: str
    """The name in the language of the caller."""
    about: str
    """A short description."""


class ComputerList(Model):
    """The computers that can play."""

    players: list[ComputerMessage]
    """The computers."""


# Boards


class BoardPlane(Model):
    """A plane of a board."""

    label: str
    """The number of the plane, empty if there is only one."""
    origin: Point
    """The upper left corner."""
    floor: str
    """The path of the floor below the plane, empty if there is none."""


class BoardArrangement(Model):
    """One way to arrange the planes of a board.

    An arrangement may have fewer planes than the board. It then shows one group of planes at a time.
    """

    size: Point
    """The width and height of the whole arrangement."""
    origins: list[Point]
    """The upper left corner of each plane."""
    labels: list[Label]
    """The labels at the edges; see `BoardMessage`."""


class TilingMessage(Model):
    """The positions of the cells of a plane."""

    across: Point
    """The step from column to column."""
    down: Point
    """The step from row to row."""
    corners: list[Point]
    """The corners of a cell, seen from its centre."""


class AnnotationSign(Model):
    """The sign of an annotation on the board."""

    sign: str
    """The character on the cell."""
    data: str
    """The name of the data after the colon in sentences, empty if there is no data."""


class BoardMessage(Model):
    """The drawing of a board, in hundredths of a cell. Cells are given by their index.

    A label consists of its place (x, y), its shift for each unit of letter height (x, y), its anchor, its
    text, and whether it is bold. An empty text means the number of the plane.
    """

    size: Point
    """The width and height of the whole board."""
    views: list[BoardArrangement]
    """The ways to arrange the planes, the usual one first."""
    planes: list[BoardPlane]
    """The planes of the board."""
    tiling: TilingMessage
    """The steps between the cells of a plane, and the corners of a cell."""
    centres: list[Point]
    """The centre of each cell."""
    names: list[str]
    """The name of each cell."""
    steps: dict[str, list[int]]
    """For each arrow key, the cell that it leads to from each cell."""
    thin: str
    """The path of the thin lines of one plane."""
    pen: str
    """The path of the filled strokes of one plane."""
    squares: Point
    """The smallest and the largest number of paper squares for a cell."""
    labels: list[Label]
    """The labels of a plane, from its upper left corner."""
    stars: list[int]
    """The indexes of the cells with a star point."""
    fields: list[tuple[Hundredths, Hundredths, Hundredths, Hundredths]]
    """The boxes of the fields: left, top, width and height."""
    wraps: tuple[bool, ...]
    """Whether lines continue across the left and right, then the top and bottom edges, then further axes."""
    drops: int
    """The number of columns in which marks fall, or 0 if marks do not fall."""
    codes: dict[str, AnnotationSign]
    """The annotations of cells that have a sign, by word."""


# Positions


class AnnotationsMessage(Model):
    """The annotations of a position as codes, such as `may`, `turns:3` and `no:33`, in any language."""

    cells: dict[str, list[str]]
    """The codes of cells, by the number of the cell from 1, or `beyond` at joined edges."""
    fields: dict[str, list[str]]
    """The codes of fields, by the number of the field from 1."""
    sides: dict[str, list[str]]
    """The codes of sides, by the mark of the side."""
    lines: list[list[str]]
    """The lines that decided the game, as numbers of cells from 1."""

    @classmethod
    def of(cls, game: Game) -> Self:
        """Return the annotations of the position of *game*.

        >>> from noughts import TicTacToe
        >>> game = TicTacToe()
        >>> for number in (1, 4, 2, 5, 3):
        ...     game.play(divmod(number - 1, 3))
        >>> AnnotationsMessage.of(game).lines
        [['1', '2', '3']]
        """
        annotations, shape = game.annotations(), game.shape
        cells = sorted((index_of(shape, cell) + 1, list(codes)) for cell, codes in annotations.cells.items())
        lines = () if game.outcome is None else game.outcome.lines
        return cls(
            cells={str(number): codes for number, codes in cells},
            fields={str(number + 1): list(codes) for number, codes in annotations.fields.items()},
            sides={side: list(codes) for side, codes in annotations.sides.items()},
            lines=[[str(index_of(shape, cell) + 1) for cell in line.cells] for line in lines],
        )


class PositionMessage(Model):
    """A position of a game."""

    ply: int
    """The number of moves made."""
    turn: str | None
    """The side to move, or null if no side is."""
    cells: list[str | None]
    """The mark on each cell, in reading order, or null for an empty cell."""
    last: list[int]
    """The indexes of the cells of the last move."""
    lines: list[list[int]]
    """The lines that decided the game, as indexes of cells."""
    annotations: AnnotationsMessage
    """The annotations of the position."""

    @classmethod
    def of(cls, game: Game) -> "PositionMessage":
        """Return the position of *game*.

        >>> PositionMessage.of(new_game("3x3")).turn
        'X'
        """
        return PositionMessage(**position_facts(game))


def position_facts(game: Game) -> dict[str, Any]:
    """Return the fields that describe the position of *game*."""
    shown = view_of(game, labels=False)
    return {
        "ply": game.ply,
        "turn": None if game.is_over else game.turn,
        "cells": list(game.cells),
        "last": sorted(shown.last),
        "lines": [list(line) for line in shown.lines],
        "annotations": AnnotationsMessage.of(game),
    }


class BoardChange(Model):
    """The cells that one move changed, and the annotations after it."""

    changed: dict[str, str | None]
    """The cells that changed, by index: the new mark, or null for an emptied cell."""
    last: list[int]
    """The indexes of the cells of the last move."""
    annotations: AnnotationsMessage
    """The annotations after the move."""

    @classmethod
    def facts(cls, before: Cells, position: Game) -> dict[str, Any]:
        """Return the fields: the changes since *before* on the board of *position*."""
        after = position.cells
        changed = compress(range(len(after)), map(ne, before, after))
        return {
            "changed": {str(index): after[index] for index in changed},
            "last": sorted(index_of(position.shape, cell) for cell in position.last_cells()),
            "annotations": AnnotationsMessage.of(position),
        }


def boards_of(game: Game) -> list[BoardChange]:
    """Return the changes of the board with each ply, the start position first."""
    position, boards = game.copy(), []
    while position.ply:
        after = position.copy()
        position.undo()
        boards.append(BoardChange(**BoardChange.facts(position.cells, after)))
    boards.append(BoardChange(**BoardChange.facts((None,) * len(position.cells), position)))
    return boards[::-1]


class LinesMessage(Model):
    """The lines through a cell, for the side to move."""

    cell: int
    """The index of the cell, from 0, in reading order."""
    count: int
    """The number of lines."""
    open_count: int
    """The number of lines that can still be filled."""
    open: list[int]
    """The empty cells on lines that can still be filled."""
    closed: list[int]
    """The empty cells that are only on other lines."""
    open_lines: list[list[int]]
    """The lines that can still be filled, as indexes of cells."""
    closed_lines: list[list[int]]
    """The lines that can no longer be filled, as indexes of cells."""

    @classmethod
    def of(cls, game: Game, index: int, ply: int | None = None) -> Self:
        """Return the lines through the cell of *index* after *ply* moves.

        Raises :class:`ApiError` if there is no such cell, position or line.

        >>> lines = LinesMessage.of(new_game("tictactoe"), 1)
        >>> lines.count, lines.open_lines
        (2, [[0, 1, 2], [1, 4, 7]])
        """
        if index >= len(game.cells):
            raise ApiError(422, "no-such-cell", last=len(game.cells) - 1)
        position = position_at(game, ply)
        lines = position.lines_through(coordinate_of(position.shape, index))
        if lines is None:
            raise ApiError(422, "no-lines")
        return cls(
            cell=index,
            count=lines.count,
            open_count=lines.open_count,
            open=sorted(lines.open),
            closed=sorted(lines.closed),
            open_lines=[list(line) for line, is_open in lines.lines if is_open],
            closed_lines=[list(line) for line, is_open in lines.lines if not is_open],
        )


def position_at(game: Game, ply: int | None) -> Game:
    """Return a copy of *game* after *ply* moves (None: all). Raises :class:`ApiError` if it has fewer."""
    last = game.ply if ply is None else ply
    if last > game.ply:
        raise ApiError(422, "no-such-ply", plies=game.ply)
    position = game.copy()
    while position.ply > last:
        position.undo()
    return position


# Moves


class LegalMoveMessage(Model):
    """A legal move."""

    move: str
    """The move as it is typed."""
    cell: int | None
    """The index of the first cell of the move, or null for a pass."""
    parts: list[int | str]
    """The parts of the move in order: indexes of cells, and texts to choose."""
    mark: str | None = None
    """The mark, if the mover chooses it."""

    @classmethod
    def facts(cls, game: Game, move: Move) -> dict[str, Any]:
        """Return the fields of *move*, which is legal in *game*."""
        parts = [part if isinstance(part, str) else index_of(game.shape, part) for part in parts_of(move)]
        mark = game.mark_of(move)
        chosen = {"mark": mark} if mark in choices_of(move) else {}
        return {"move": format_move(game, move), "cell": first_index(game, move), "parts": parts, **chosen}

    @classmethod
    def all(cls, game: Game) -> list[Self]:
        """Return the legal moves of *game*; none if it is over."""
        return [] if game.is_over else [cls(**cls.facts(game, move)) for move in game.legal_moves()]


def mark_to_place(game: Game) -> str | None:
    """Return the mark that the next move places, or None if the mover chooses it, or no mark is placed.

    >>> mark_to_place(new_game("tictactoe")), mark_to_place(new_game("wild"))
    ('X', None)
    """
    move = next(iter(game.legal_moves()), None)
    mark = None if move is None else game.mark_of(move)
    return None if move is None or mark in choices_of(move) else mark


class NamedMove(Model):
    """A move of either side."""

    move: str
    """The move as it is typed."""
    name: str
    """The move in the names of cells that the board shows."""
    side: str
    """The side that moves."""

    @classmethod
    def of(cls, game: Game, move: Move, side: str) -> Self:
        """Return *move* of *side* in *game*."""
        return cls(move=format_move(game, move), name=names_of(game).move(move), side=side)


class MoveMessage(NamedMove):
    """A move that was played."""

    ply: int
    """The number of the move, from 1."""
    cell: int | None
    """The index of the first cell of the move, or null for a pass."""

    @classmethod
    def all(cls, game: Game, known: int = 0) -> list[Self]:
        """Return the moves played in *game*, without the first *known*."""
        played: list[Self] = []
        position = game.copy()
        names = names_of(position)
        while position.ply > known:
            move = position.undo()
            played.append(
                cls(
                    move=format_move(position, move),
                    name=names.move(move),
                    side=position.turn,
                    ply=position.ply + 1,
                    cell=first_index(position, move),
                )
            )
        return played[::-1]


def names_of(game: Game) -> Names:
    """Return the names of moves and cells of *game*, as the board of the page is labelled.

    >>> names_of(new_game("tictactoe")).move((1, 1)), names_of(new_game("3x3x3")).move((1, 1, 1))
    ('b2', '2b2')
    """
    return Names(game, letters=True)


class ExploredMessage(PositionMessage):
    """A position reached by a list of moves."""

    game: GameMessage
    """The game."""
    mark: str | None
    """The mark that the next move places, or null if the mover chooses it."""
    legal: list[LegalMoveMessage]
    """The legal moves."""
    moves: list[MoveMessage]
    """The moves since the start."""
    position: str
    """The position as text."""
    winner: str | None
    """The side that won, or null if none has."""
    sentences: list[str]
    """The result in sentences, empty before the end of the game."""
    computers: list[str]
    """The computers that are offered for a game from this position."""


class ValueMessage(Model):
    """The value of a position or a move."""

    value: ValueWord
    """The value for the side to move."""
    plies: int | None
    """The number of moves of both sides to the end, or null if unknown."""


class MoveValueMessage(ValueMessage, LegalMoveMessage):
    """The value of a move."""

    name: str
    """The move in the names of cells that the board shows."""
    label: str
    """The value as a short label."""
    reason: str | None
    """The reason, in a sentence, or null if none is known."""


class PositionValueMessage(ValueMessage):
    """The value of a position for the side to move, and of each of its moves."""

    ply: int
    """The number of moves made."""
    turn: str | None
    """The side to move, or null if no side is."""
    best: str | None
    """The best move, as it is typed, or null if unknown."""
    sentence: str | None
    """The value in a sentence, or null if the game is over."""
    moves: list[MoveValueMessage]
    """The legal moves."""


# Rooms


class PlayerMessage(Model):
    """A seat of a room, and its player."""

    place: int
    """The seat, from 0, in the order of the first game."""
    name: str | None
    """The name of the player, or null while the seat is free."""
    identity: int | None
    """The number of a player with a key, or null for any other player."""
    kind: str
    """`human`, or the name of a computer."""
    side: str | None
    """The mark of the side, or null if the player has none yet."""
    here: bool
    """Whether the player is present."""
    you: bool
    """Whether this is the seat of the caller."""
    rating: int | None
    """The rating in a rated game, after the game once it has ended, or null."""
    deviation: int | None
    """The standard error of the rating, or null."""
    is_provisional: bool
    """Whether the rating may still move a lot."""
    rating_change: int | None
    """The change of the rating by the present game, or null before its end."""


class ClockMessage(Model):
    """A clock. It starts once each side has moved."""

    per_move: int | None
    """Milliseconds for each move, or null for a clock that counts the whole game."""
    base: int | None
    """Milliseconds for the whole game, or null for a clock that counts each move."""
    increment: int
    """Milliseconds that are added after each turn."""
    left: dict[str, int]
    """Milliseconds that each side has left."""
    running: str | None
    """The side whose clock runs, or null if none does."""
    paused_until: int | None
    """The instant at which a pause of the clocks ends, in milliseconds since 1970, or null without one."""
    at: int
    """The instant of these times, in milliseconds since 1970."""

    @classmethod
    def of(cls, view: RoomView, at: int) -> Self | None:
        """Return the clock of the room of *view* at the instant *at*, or None if there is no clock."""
        match, clock = view.match, view.match.clock
        if not clock.is_timed:
            return None
        is_shown = view.phase is Phase.PLAYING and not view.delay
        paused = match.paused_until(view.instant(at)) if is_shown else None
        return cls(
            per_move=clock.per_move,
            base=clock.base,
            increment=clock.increment,
            left={side: match.time_left(side, view.instant(at)) or 0 for side in match.game.sides},
            running=match.running if is_shown and paused is None else None,
            paused_until=None if paused is None else paused + view.paused,
            at=at,
        )


class OfferMessage(Model):
    """An offer that waits for an answer."""

    side: str
    """The side that offers."""
    what: Literal["draw", "takeback"]
    """The kind of offer."""
    plies: int
    """The number of moves of both sides to take back."""


class OpeningMessage(Model):
    """The state of an opening protocol."""

    protocol: str
    """The name of the protocol."""
    place: int | None
    """The seat that has to choose, or null once the sides are settled."""
    placing: int
    """The number of marks that the player at `place` still places, for both sides in turn."""
    mark: str
    """The next mark to place."""
    answers: list[Literal["swap", "put"]]
    """The commands that are allowed instead of a move."""
    is_swapped: bool
    """Whether the players have exchanged their sides."""
    sentences: list[str]
    """The next step of the opening, in sentences."""

    @classmethod
    def of(cls, view: RoomView, say: Translator) -> Self | None:
        """Return the opening of the room of *view*, or None if its game has none."""
        match = view.match
        if match.opening is None:
            return None
        standing, is_open = match.standing, view.phase is Phase.PLAYING and not match.standing.is_over
        return cls(
            protocol=match.opening.name,
            place=view.turn if is_open else None,
            placing=standing.placing,
            mark=match.game.turn,
            answers=list(standing.answers),
            is_swapped=standing.is_swapped,
            sentences=wording_of(view, say).opening() if is_open else [],
        )


class ResultMessage(Model):
    """The result of a game."""

    winner: str | None
    """The side that won, or null if none has."""
    termination: str
    """The kind of ending, as a code."""
    reason: str | None
    """The reason of a computer's forfeit as a code, or null in other games."""
    sentences: list[str]
    """The result, in sentences."""

    @classmethod
    def of(cls, view: RoomView, say: Translator) -> Self | None:
        """Return the result of the game in the room of *view*, or None while it goes on."""
        outcome = view.match.outcome
        if outcome is None or not view.results:
            return None
        result = view.results[-1]
        others = (side for side in view.match.game.sides if side != result.winner)
        loser = result.loser or (next(others, None) if result.winner is not None else None)
        reason, termination = result.reason, str(outcome.termination)
        ended: dict[str, Any] = {"winner": outcome.winner, "termination": termination, "reason": reason}
        last = view.match.end
        of_package = {"package": last.data["package"]} if last is not None and "package" in last.data else {}
        end = Event(view.match.version, 0, EventKind.END, loser, {**ended, **of_package})
        return cls(**ended, sentences=end_sentences(wording_of(view, say), outcome, end))


class ScoreMessage(Model):
    """The score of a player."""

    name: str
    """The name of the player."""
    wins: int
    """The number of games won."""
    draws: int
    """The number of games drawn."""
    losses: int
    """The number of games lost."""
    points: float
    """The points: 1 for a win, 1/2 for a draw."""


class SeriesMessage(Model):
    """The series of games in a room."""

    number: int
    """The number of the present game, from 1."""
    scores: list[ScoreMessage]
    """The score of each player so far."""


class PhraseMessage(Model):
    """A preset phrase that a player has said."""

    place: int
    """The seat of the player."""
    phrase: str
    """The code of the phrase, such as `good-game`."""
    sentence: str
    """The phrase in the language of the reader."""
    at: int
    """The instant, in milliseconds since 1970."""

    @classmethod
    def of(cls, said: SaidPhrase, say: Translator) -> Self:
        sentence = say(f"phrase-{said.phrase}")
        return cls(place=said.place, phrase=said.phrase, sentence=sentence, at=said.at)


class SharedState(PositionMessage):
    """The part of a room's state that is the same for all readers of a version, without the moves."""

    room: str
    """The name of the room, as in its address."""
    version: int
    """The version of the state, a number that grows with every change."""
    phase: PhaseName
    """The phase of the room."""
    game: GameMessage
    """The game."""
    mark: str | None
    """The mark that the next move places, or null if the mover chooses it."""
    start: str | None
    """The position from which the game started, or null for the usual one."""
    offer: OfferMessage | None
    """The offer that waits for an answer, or null if there is none."""
    unproved: bool
    """Whether the last move is by a computer that proves its moves, and could not prove this one."""
    opening: OpeningMessage | None
    """The state of the opening protocol, or null without one."""
    wishes: list[int]
    """The seats that want another game."""
    result: ResultMessage | None
    """The result of the game, or null while it goes on."""
    series: SeriesMessage
    """The number of the game and the score."""
    protocol: str | None
    """The opening protocol of each game of the series, or null for none."""
    needs_choice: bool
    """Whether a player has to choose a mark before the game starts."""
    chooser: int | None
    """The seat that has to choose a mark, or null if none has."""
    game_id: int | None
    """The number of the present game in the history, or null before its first move."""
    game_link: str | None
    """The path of the present game's page, or null before the first move. It opens a private game, too."""
    visibility: Visibility
    """The readers and watchers of the present game: `link` for people with its link, or `public`."""
    claim_at: int | None
    """The instant from which the win may be claimed against an absent player, or null if all are present."""
    first_move_at: int | None
    """The instant at which the game is called off without a first move, or null if it cannot be."""
    counts: bool
    """Whether games of the room count for the scoreboard."""
    rated: bool
    """Whether games of the room change ratings."""
    unaided: bool
    """Whether running games of the room allow no hints, no values and no moves taken back."""
    link: str
    """The path of the room's page."""
    said: list[PhraseMessage]
    """The phrases that players have said in the present game. They are not part of its record."""

    @classmethod
    def of_room(cls, view: RoomView, say: Translator) -> "SharedState":
        match, game, number = view.match, view.match.game, view.game_id
        is_next = view.phase in (Phase.WAITING, Phase.CHOOSING, Phase.PLAYING)
        called = {name: player_called(say, shown, HUMAN) for name, shown in view.called.items()}
        scores = [
            ScoreMessage.model_validate(replace(score, name=called.get(score.name, score.name)))
            for score in view.scores
        ]
        return SharedState(
            **{**position_facts(game), "turn": match.turn if view.phase is Phase.PLAYING else None},
            room=view.room,
            version=view.version,
            phase=view.phase.value,
            game=GameMessage.of(game, say),
            mark=mark_to_place(game),
            start=game.start,
            offer=None if match.offer is None else OfferMessage.model_validate(match.offer),
            unproved=match.is_unproved,
            opening=OpeningMessage.of(view, say),
            wishes=sorted(view.wishes),
            result=ResultMessage.of(view, say),
            series=SeriesMessage(number=len(view.results) + is_next, scores=scores),
            protocol=view.setup.opening,
            needs_choice=view.chooser is not None,
            chooser=view.chooser,
            game_id=number,
            game_link=None if number is None else link_to(number, key_of_game(view.room, number)),
            visibility=PUBLIC if view.is_public else BY_LINK,
            claim_at=claim_at(view),
            first_move_at=first_move_at(view),
            counts=view.setup.is_counted and view.setup.start is None,
            rated=view.setup.rated,
            unaided=view.setup.is_unaided,
            link=f"/r/{view.room}",
            said=[PhraseMessage.of(one, say) for one in view.said],
        )


def rating_facts(view: RoomView, place: int) -> dict[str, Any]:
    """Return the fields about the rating of the player at *place*."""
    if (known := view.ratings.get(place)) is None:
        return {"rating": None, "deviation": None, "is_provisional": False, "rating_change": None}
    return {
        "rating": round(known.rating.value),
        "deviation": round(known.rating.deviation),
        "is_provisional": known.rating.is_provisional,
        "rating_change": known.change,
    }


class SeatState(Model):
    """The part of a room's state that depends on the seat of the caller and on the time."""

    players: list[PlayerMessage]
    """The players, in the order of the seats."""
    you: int | None
    """The seat of the caller, or null for a spectator."""
    unrated: str | None
    """The code of the reason for which the ended rated game changed no rating, or null."""
    code: str | None
    """The code for a further player, or null for a spectator and if no seat is free."""
    expires: int | None
    """The instant at which the code expires, in milliseconds since 1970, or null without a code."""
    may_abort: bool
    """Whether the caller may call the game off, so that it does not count."""
    phrases: list[str]
    """The codes of the phrases that the caller may say now, empty for a spectator."""
    prepared: list[list[NamedMove]]
    """The caller's conditional moves in a game by days, as lines of moves of both players."""
    clock: ClockMessage | None
    """The clock, or null if there is none."""
    now: int
    """The time of the server, in milliseconds since 1970."""
    spectators: int
    """The number of spectators."""
    delay: int
    """The number of moves by which the caller sees a running rated game late, or 0 for a player."""

    @classmethod
    def of_seat(
        cls, view: RoomView, called: Iterable[str | None], place: int | None, at: int, spectators: int
    ) -> Self:
        """Return the state for the seat *place* at the instant *at*.

        *called* are the shown names of the players.
        """
        return cls(
            players=[
                PlayerMessage(
                    place=seat,
                    name=name,
                    identity=seat_number(view.names[seat] or ""),
                    kind=view.setup.who[seat],
                    side=view.sides.get(seat),
                    here=seat in view.present,
                    you=seat == place,
                    **rating_facts(view, seat),
                )
                for seat, name in enumerate(called)
            ],
            you=place,
            unrated=view.unrated,
            code=None if place is None else view.code,
            expires=None if place is None else view.expires,
            may_abort=may_abort(view, place),
            phrases=[] if place is None else list(view.phrases.get(place, ())),
            prepared=[] if place is None else [_line_of(view, line) for line in view.lines.get(place, ())],
            clock=ClockMessage.of(view, at),
            now=at,
            spectators=spectators,
            delay=view.delay,
        )


def _line_of(view: RoomView, line: Line) -> list[NamedMove]:
    """Return the conditional moves of *line* with their sides and names."""
    position, moves = view.match.game.copy(), list[NamedMove]()
    for text in line:
        move = parse_move(position, text)
        moves.append(NamedMove.of(position, move, position.turn))
        position.play(move)
    return moves


class RoomState(SeatState, SharedState):
    """The state of a room for the caller."""

    moves: list[MoveMessage]
    """The moves made."""
    legal: list[LegalMoveMessage]
    """The legal moves, empty unless it is the caller's turn."""


class SmallBoard(PositionMessage):
    """A position with the facts that a small picture needs."""

    shape: list[int]
    """The side lengths in the order of coordinates: rows before columns."""
    layout: Layout
    """The layout of the board on paper."""
    sides: list[str]
    """The marks of the sides, in the order of turns."""

    @classmethod
    def small(cls, game: Game) -> "SmallBoard | None":
        """Return the position of *game*, or None if the board is too large for a small picture."""
        if len(game.cells) > MAX_SMALL:
            return None
        return cls(**position_facts(game), shape=list(game.shape), layout=game.layout, sides=list(game.sides))


class RoomSummary(Model):
    """A summary of a room for lists."""

    room: str
    """The name of the room, as in its address."""
    version: int
    """The version of the room, a number that grows with every change."""
    phase: PhaseName
    """The phase of the room."""
    is_called_off: bool
    """Whether the last game was called off before it counted."""
    game: str
    """A name of the catalogue, or a description such as `7x6:4,gravity`."""
    title: str
    """The title of the game."""
    others: list[str]
    """The names of the other players."""
    rating: int | None
    """The rating of the only other player in a rated game, or null."""
    is_provisional: bool
    """Whether this rating may still move a lot."""
    free: int
    """The number of free seats."""
    turn: str | None
    """The name of the player to move or to choose, or null if there is none."""
    is_your_turn: bool
    """Whether the caller has to move or to choose."""
    prepared: int
    """The number of lines of the caller's conditional moves."""
    is_practice: bool
    """Whether all other players are computers."""
    rated: bool
    """Whether the games change ratings."""
    clock: ClockMessage | None
    """The clock, or null for none."""
    left: int | None
    """Milliseconds until time ends the running game, or null if it cannot."""
    board: SmallBoard | None
    """The present position, or null if the board is too large for a small picture."""

    @classmethod
    def of(cls, view: RoomView, say: Translator, place: int | None, at: int) -> Self:
        """Return the summary of the room of *view* for the seat *place* (None: a spectator)."""
        name, called = name_of(view.match.game), shown_names(view, say)
        rivals = [seat for seat in range(len(called)) if seat != place]
        rating = rating_facts(view, rivals[0] if len(rivals) == 1 else -1)
        expected, ended = view.chooser if view.phase is Phase.CHOOSING else view.turn, view.match.outcome
        return cls(
            room=view.room,
            version=view.version,
            phase=view.phase.value,
            is_called_off=ended is not None and ended.termination == MatchEnd.ABORTED,
            game=name,
            title=title_of(say, name),
            others=[known for seat, known in enumerate(called) if known and seat != place],
            rating=rating["rating"],
            is_provisional=rating["is_provisional"],
            free=called.count(None),
            turn=None if expected is None else called[expected],
            is_your_turn=expected is not None and expected == place,
            prepared=0 if place is None else len(view.lines.get(place, ())),
            is_practice=all(who != HUMAN for seat, who in enumerate(view.setup.who) if seat != place),
            rated=view.setup.rated,
            clock=ClockMessage.of(view, at),
            left=None if view.time_ends is None else max(0, view.time_ends - at),
            board=SmallBoard.small(view.match.game),
        )


class PauseMessage(Model):
    """The last pause of a person with a key."""

    begun: int
    """The instant at which it began, in milliseconds since 1970."""
    ends: int
    """The instant at which it ends or has ended."""
    another: int
    """The instant from which another pause can begin."""


class GamesChange(Model):
    """A change in a list of games: the data of `event: games`."""

    rooms: list[str]
    """The rooms that have changed."""
    is_new: bool
    """Whether a game of the caller has begun, so that the list has to be read again."""


class GameGone(Model):
    """A game of a bot that is not there any more: the data of `event: gone`."""

    room: str
    """The room, which does not exist, or in which the bot has no seat."""


class OwnRooms(Model):
    """The rooms and the lasting offers of a person with a key, or of a guest with a key of the lobby."""

    rooms: list[RoomSummary]
    """The summaries of the rooms, in no order."""
    visits: list[str]
    """The rooms to which lasting offers of the key of the lobby have led. Join them with this key."""
    offers: list[LobbyOfferMessage]
    """The open offers of the caller that last, oldest first."""
    pause: PauseMessage | None
    """The last pause of the person, or null without one."""


def shown_names(view: RoomView, say: Translator) -> list[str | None]:
    """Return the shown names of the players in the order of seats. A free seat has None."""
    names = iter(present_names([name for name in view.names if name is not None], view.called))
    return [
        None if name is None else player_called(say, next(names), view.setup.who[place])
        for place, name in enumerate(view.names)
    ]


class JoinedRoom(Model):
    """A room that the caller has opened or joined, with the seat token."""

    room: str
    """The name of the room, as in its address."""
    place: int | None
    """The seat, from 0, in the order of the first game, or null for a spectator."""
    token: str
    """The seat token, which is sent only once. Empty for a spectator."""
    code: str | None = None
    """The code for a further player, or null if no seat is free."""
    state: RoomState
    """The state of the room."""


class CommandResult(Model):
    """The result of a command."""

    version: int
    """The version of the state after the command."""
    state: RoomState
    """The state of the room."""


class StaleErrorResponse(ErrorResponse):
    """An error response, with the present state if a command was stale."""

    state: RoomState | None = None
    """The present state of the room, if a command was stale."""


def link_to(game: int, key: str | None = None) -> str:
    """Return the path of the page of a finished *game*. The *key* opens a private one.

    >>> link_to(7), link_to(7, "abc")
    ('/g/7', '/g/7?key=abc')
    """
    return f"/g/{game}" if key is None else f"/g/{game}?key={key}"


def link_of_note(note: InboxNote) -> str:
    """Return the path of the page that *note* is about."""
    facts = note.facts
    match note.kind:
        case NoteKind.ENDED:
            return link_to(facts["number"], key_of_game(facts["room"], facts["number"]))
        case NoteKind.CHALLENGE:
            return "/"
        case NoteKind.TOURNAMENT:
            return f"/t/{facts['code']}"
    return f"/r/{facts['room']}"


def claim_at(view: RoomView) -> int | None:
    """Return the instant from which the win may be claimed against an absent player.

    Return None if all players are present.
    """
    match = view.match
    if match.outcome is not None or match.claim_after is None:
        return None
    away = [since for side in match.game.sides if (since := match.away_since(side)) is not None]
    return min(away) + match.claim_after + view.paused if away else None


def first_move_at(view: RoomView) -> int | None:
    """Return the instant at which the game is called off without a first move, or None."""
    ends = view.match.first_move_ends if view.phase is Phase.PLAYING else None
    return None if ends is None else ends + view.paused


def may_abort(view: RoomView, place: int | None) -> bool:
    """Return True if the person at *place* may call the game against people off."""
    if place is None or view.phase is not Phase.PLAYING or set(view.setup.who) != {HUMAN}:
        return False
    return view.match.may_abort(view.sides[place])


def wording_of(view: RoomView, say: Translator) -> Wording:
    """Return the sentences about the room of *view*."""
    called = shown_names(view, say)
    seats = {side: called[place] or "" for place, side in view.sides.items()}
    kinds = {side: view.setup.who[place] for place, side in view.sides.items()}
    return Wording(say, view.match, seats, kinds, names_of(view.match.game))


def end_sentences(wording: Wording, outcome: Outcome, end: Event) -> list[str]:
    """Return the sentences about the end of a game. Error messages of programs and packages are left out."""
    if outcome.termination == MatchEnd.BROKEN:
        end = replace(end, data={fact: value for fact, value in end.data.items() if fact != "detail"})
    if outcome.termination != MatchEnd.FORFEIT:
        return wording.result(outcome, end)
    say, winner = wording.say, end.data["winner"]
    sentence = say(f"forfeited-{end.data['reason']}", loser=wording.names.get(end.side or "", ""))
    return [sentence, say("wins", winner=wording.names[winner]) if winner else say("nobody-wins")]


# Finished games


class GamePlayer(Model):
    """A player of a finished game."""

    side: str
    """The mark of the side."""
    name: str
    """The name of the player."""
    identity: int | None
    """The number of a player with a key, or null for any other player."""
    kind: str | None
    """`human`, or the name of a computer, or null if unknown."""


class FinishedGame(Model):
    """A summary of a finished game."""

    id: int
    """The number of the game."""
    title: str
    """The title of the game."""
    created: int
    """The start of the game, in milliseconds since 1970."""
    players: list[GamePlayer]
    """The players, in the order of turns."""
    plies: int
    """The number of moves of both sides."""
    winner: str | None
    """The side that won, or null if none has."""
    termination: str | None
    """The kind of ending, as a code."""
    reason: str | None
    """The reason of a computer's forfeit as a code, or null in other games."""
    ended: str
    """The kind of ending, in a few words."""
    visibility: Visibility
    """`public`, or `link` for a game that only people with its link can see."""
    link: str
    """The path of the game's page."""


class HistoryEntry(FinishedGame):
    """A finished game of the history."""

    game: str
    """A name of the catalogue, or a description such as `7x6:4,gravity`."""


class HistoryPage(Model):
    """Finished games, newest first."""

    games: list[HistoryEntry]
    """The games."""
    before: int | None
    """The value of `before` for the next page, or null at the end."""
    damaged: int
    """The number of damaged games, which are skipped."""


class Replay(FinishedGame):
    """A finished game with all its moves."""

    game: GameMessage
    """The game."""
    start: str | None
    """The position from which the game started, or null for the usual one."""
    moves: list[MoveMessage]
    """The moves."""
    boards: list[BoardChange]
    """The start position, and the changes of the board with each move."""
    lines: list[list[int]]
    """The lines that decided the game, as indexes of cells."""
    sentences: list[str]
    """The result, in sentences."""
    tournament: int | None
    """The number of the tournament in which it was played, or null for other games."""


class ScoreRow(ScoreMessage):
    """A row of the scoreboard."""

    longest_streak: int
    """The largest number of wins in a row."""
    called: str
    """The shown name. The `name` of a computer is for programs."""


class Scoreboard(Model):
    """The scores of all players with a finished game, best first."""

    players: list[ScoreRow]
    """The players."""
    damaged: int
    """The number of damaged games, which are not counted."""


# Reviews


class ReviewLineMove(NamedMove, BoardChange):
    """A move of a better line, and the changes of the board with it."""

    cell: int | None
    """The index of the first cell of the move, or null for a pass."""
    lines: list[list[int]]
    """The lines that decided the game, as indexes of cells."""


class ReviewedMoveMessage(Model):
    """The judgement of a move of a finished game."""

    ply: int
    """The number of the move, from 1."""
    before: ValueWord
    """The value before the move, for the side that made it."""
    after: ValueWord
    """The value after the move, for the side that made it."""
    changed: bool
    """Whether the move changed the value."""
    missed: bool
    """Whether the move missed a quicker win."""
    sentence: str | None
    """The judgement in a sentence, or null if the move needs none."""
    leads_to: str | None
    """The consequence of the move, in words."""
    better_leads_to: str | None
    """The consequence of the better move, in words."""
    line: list[ReviewLineMove]
    """The better line, move by move."""


class ReviewMessage(Model):
    """The part of a review that is new since the last event."""

    waiting: int
    """The number of positions that are still to be judged."""
    values: list[float | None] | None
    """The value of each position from 1 to -1, as the first side sees it, or null if unknown."""
    guessed: list[int]
    """The positions whose value is an estimate."""
    moves: list[ReviewedMoveMessage]
    """The moves that were judged since the last event."""
    accuracy: dict[str, float | None]
    """The accuracy of each side, or null if unknown."""
    remarks: list[str]
    """Remarks about the whole game, at the end."""


# Puzzles

PuzzleKind = Literal["win", "save"]


class GradedPuzzle(Model):
    """A puzzle of the list."""

    id: int
    """The number of the puzzle, from 1, which never changes."""
    kind: PuzzleKind
    """The task: find the only move that wins, or the only one that does not lose."""
    grade: int
    """The difficulty, from 1 to 5."""


class GamePuzzles(Model):
    """The puzzles of one game."""

    name: str
    """The name of the game."""
    title: str
    """The title of the game."""
    puzzles: list[GradedPuzzle]
    """The puzzles, in the order of their numbers."""


class PuzzleList(Model):
    """All puzzles by game, and the puzzle of the day."""

    daily: int
    """The number of the puzzle of the day (UTC)."""
    games: list[GamePuzzles]
    """The games that have puzzles."""


class PuzzleMessage(Model):
    """A puzzle without its solution."""

    id: int
    """The number of the puzzle, from 1, which never changes."""
    game: str
    """The name of the game."""
    position: str
    """The position, as text."""
    side: str
    """The side to move, which solves the puzzle."""
    kind: PuzzleKind
    """The task: find the only move that wins, or the only one that does not lose."""
    grade: int
    """The difficulty, from 1 to 5."""


class AttemptMessage(Model):
    """An attempt at a puzzle, and the judgement of the last move."""

    verdict: Literal["right", "solved", "wrong", "unknown"] | None
    """The verdict on the last move, or null if no move was tried. A wrong move is not played."""
    sentence: str
    """The verdict in words."""
    moves: list[str]
    """The right moves of the solver."""
    answers: list[NamedMove]
    """The moves that reply to the last move, or refute it."""
    made: int
    """The number of moves that the solver has made."""
    left: int
    """The number of moves that the solver still needs against best play."""
    is_solved: bool
    """Whether the puzzle is solved."""
    position: PositionMessage
    """The present position."""
    mark: str | None
    """The mark that the next move places, or null if the mover chooses it."""
    legal: list[LegalMoveMessage]
    """The moves that can be tried."""


class PuzzlePage(PuzzleMessage):
    """A puzzle and its initial attempt, for its page."""

    title: str
    """The number, the game and the difficulty, in words."""
    task: str
    """The task, in words."""
    drawn: GameMessage
    """The game: its rules, and the layout of its board."""
    attempt: AttemptMessage
    """The attempt at its start."""


class PuzzleHint(Model):
    """A hint at the next move."""

    sentence: str
    """The hint, in a sentence."""
    cell: int | None
    """The index of the cell of the move, if the hint gives the move."""


class PuzzleSolution(Model):
    """The best play of both sides to the end of a puzzle."""

    sentence: str
    """The moves, in words."""
    moves: list[NamedMove]
    """The moves of both sides."""
    position: PositionMessage
    """The position after them."""
