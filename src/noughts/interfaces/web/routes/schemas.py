"""What the API answers, as models: answers are made by hand, quickly; these describe them to OpenAPI."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from noughts.games.layout import Layout
from noughts.interfaces.web.http.replies import CODES

ALL_CODES = sorted({code for codes in CODES.values() for code in codes})

Phase = Literal["waiting", "choosing", "playing", "over", "closed"]


class GameMessage(BaseModel):
    """The game that is played in a room."""

    name: str
    title: str
    about: Annotated[str, Field(description="its title, and in a few words what it is")]
    rules: str
    known: str
    shape: list[int]
    layout: Layout
    sides: list[str]
    has_lines: bool
    openings: Annotated[list[str], Field(description="the protocols by which it can be opened")]


class AnnotationsMessage(BaseModel):
    """What the rules make of a position, for everybody who looks on: codes such as `may`, `turns:3`, `no:33`.

    Cells, fields and the cells of lines that decided the game are told by their numbers from 1.
    """

    cells: dict[str, list[str]]
    fields: dict[str, list[str]]
    sides: dict[str, list[str]]
    lines: list[list[str]]


class PlayerMessage(BaseModel):
    """Who has a seat; `name` is null while it is free."""

    place: int
    name: str | None
    kind: str
    side: str | None
    here: bool
    you: bool


class LegalMessage(BaseModel):
    """A move that may be played now: its first cell, null for a pass; its mark if that is chosen.

    `parts` is what is said of it in order: the indexes of cells, and texts to choose.
    """

    move: str
    cell: int | None
    parts: list[int | str]
    mark: str | None = None


class MoveMessage(BaseModel):
    """A move that was played: as it is typed, as it is called, by whom, and its number."""

    move: str
    name: str
    side: str
    ply: int
    cell: int | None


class ClockMessage(BaseModel):
    """Milliseconds that each side has left at the instant `at`, and whose clock runs.

    A side has `per_move` for each move, or `base` for the whole game and `increment` more after each turn. No
    clock runs before each side has moved.
    """

    per_move: int | None
    base: int | None
    increment: int
    left: dict[str, int]
    running: str | None
    at: int


class OfferMessage(BaseModel):
    """What waits for an answer."""

    side: str
    what: Literal["draw", "takeback"]
    plies: int


class OpeningMessage(BaseModel):
    """How the opening stands, and what it asks of the player at `place`, null once the sides are settled.

    `placing` is how many marks that player still places, the sides moving in their turn (`mark` is the next);
    otherwise one of `answers` may be given instead of a move. `is_swapped`: each has the side that was the
    other's in the beginning.
    """

    protocol: str
    place: int | None
    placing: int
    mark: str
    answers: list[Literal["swap", "put"]]
    is_swapped: bool
    sentences: list[str]


class ResultMessage(BaseModel):
    """How the game ended, for programs and in sentences; `reason` says why a computer forfeited."""

    winner: str | None
    termination: str
    reason: str | None
    sentences: list[str]


class ScoreMessage(BaseModel):
    """What a player has won, drawn and lost."""

    name: str
    wins: int
    draws: int
    losses: int
    points: float


class SeriesMessage(BaseModel):
    """The number of the game in its series, from 1, and the score so far."""

    number: int
    scores: list[ScoreMessage]


class PositionMessage(BaseModel):
    """What stood on a board after so many moves, and who was to move."""

    ply: int
    turn: str | None
    cells: list[str | None]
    last: list[int]
    lines: list[list[int]]
    annotations: AnnotationsMessage


class ExploredMessage(PositionMessage):
    """A position reached by any moves: what is played, the moves since its start, what may be played now.

    `position` is the same as text; `sentences` say how it ended, where it has.
    """

    game: GameMessage
    mark: str | None
    legal: list[LegalMessage]
    moves: list[MoveMessage]
    position: str
    winner: str | None
    sentences: list[str]
    computers: list[str]


class State(PositionMessage):
    """Everything there is to know of a room, as who asks may know it."""

    room: str
    version: int
    phase: Phase
    game: GameMessage
    players: list[PlayerMessage]
    you: int | None
    mark: Annotated[str | None, Field(description="what the next move places, unless the mover chooses it")]
    legal: list[LegalMessage]
    start: Annotated[str | None, Field(description="the position it began from, null for the usual one")]
    moves: list[MoveMessage]
    clock: ClockMessage | None
    offer: OfferMessage | None
    opening: OpeningMessage | None
    protocol: Annotated[
        str | None, Field(description="the opening that each game starts with; null for none")
    ]
    wishes: list[int]
    result: ResultMessage | None
    series: SeriesMessage
    needs_choice: bool
    chooser: int | None
    game_id: int | None
    game_link: Annotated[
        str | None, Field(description="the path of the present game's page; whoever has it may see the game")
    ]
    visibility: Annotated[
        Literal["link", "public"],
        Field(description="whether everybody may see the present game once it has ended"),
    ]
    now: Annotated[int, Field(description="the time of the server, in milliseconds since 1970")]
    claim_at: int | None
    code: str | None
    expires: int | None
    spectators: Annotated[int, Field(description="who looks on without a seat, as far as this worker knows")]
    unproved: Annotated[
        bool,
        Field(
            description="whether the last move is one that a computer that proves its moves could not prove"
        ),
    ]
    link: str


class Brief(BaseModel):
    """How a room stands, in a few words."""

    room: Annotated[str, Field(description="the name of the room, as in its address")]
    phase: Annotated[Phase, Field(description="what the room is doing")]
    game: Annotated[str, Field(description="the name of what is played, or its description")]
    title: Annotated[str, Field(description="what that is called")]
    others: Annotated[list[str], Field(description="who else has a seat")]
    free: Annotated[int, Field(description="how many seats nobody has taken")]
    turn: Annotated[
        str | None, Field(description="who is asked for a move or a choice; null where nobody is")
    ]
    is_your_turn: Annotated[bool, Field(description="whether that is whoever asks")]


class LinesMessage(BaseModel):
    """The lines through a cell for who is to move: which can still be filled, and the empty cells on them.

    `closed` are the empty cells that are only on other lines; cells are told by their index.
    """

    cell: int
    count: int
    open_count: int
    open: list[int]
    closed: list[int]
    open_lines: list[list[int]]
    closed_lines: list[list[int]]


class Entered(BaseModel):
    """A seat that was taken; the token is told this once."""

    room: str
    place: int | None
    token: str
    code: str | None = None
    state: State


class Done(BaseModel):
    """What a command has led to."""

    version: int
    state: State


class Trouble(BaseModel):
    """A code with data for programs, and a sentence for people."""

    model_config = ConfigDict(extra="allow")

    code: Annotated[str, Field(json_schema_extra={"enum": ALL_CODES})]
    sentence: str


class Refusal(BaseModel):
    """Why a request was refused; a stale command is answered with the present state."""

    error: Trouble
    state: State | None = None
