"""What the API takes and answers, as models: they check requests and make the OpenAPI description."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from noughts.arena import commands
from noughts.games.layout import Layout
from noughts.interfaces.web.http.replies import CODES, code_of

ALL_CODES = sorted({code for codes in CODES.values() for code in codes})

Phase = Literal["waiting", "choosing", "playing", "over", "closed"]
Text = Annotated[str, Field(max_length=400)]
Side = Annotated[str, Field(max_length=8)]
Key = Annotated[
    str,
    Field(
        pattern="^[A-Za-z0-9_-]{22,64}$",
        description="a secret made by chance: under it, when an answer was lost, the same seat is given",
    ),
]


OpeningName = Literal["none", "pie", "swap2"]
Moves = Annotated[list[Annotated[str, Field(max_length=40)]], Field(max_length=1_000)]
StartText = Annotated[str, Field(max_length=20_000)]
Token = Annotated[str, Field(min_length=20, max_length=128)]


class Asked(BaseModel):
    """What a request may hold: nothing else, and nothing turned into something else."""

    model_config = ConfigDict(extra="forbid", strict=True)


class WholeGameClock(Asked):
    """So many milliseconds for the whole game, and as many more after each move."""

    base: Annotated[int, Field(ge=1_000, le=86_400_000)]
    increment: Annotated[int, Field(ge=0, le=3_600_000)] = 0


class PerMoveClock(Asked):
    """So many milliseconds for each move."""

    per_move: Annotated[int, Field(ge=1_000, le=1_209_600_000)]


class OpenRoom(Asked):
    """A room to open: the game, who is played with, and the name of who opens it."""

    game: Text
    opponent: Annotated[Text, Field(description="`friend`, or the name of a computer player")] = "friend"
    computers: Annotated[list[Text], Field(max_length=8, description="who plays if only computers do")] = []
    name: Annotated[Text, Field(description="what the one who opens the room is called")] = ""
    place: Annotated[int, Field(ge=0, le=7, description="the seat, in the order of the first game")] = 0
    begins: Literal["chooser", "alternate", "loser", "x"] = "alternate"
    clock: WholeGameClock | PerMoveClock | None = None
    opening: Annotated[OpeningName | None, Field(description="how the sides are settled")] = None
    moves: Annotated[Moves, Field(description="what was played before; such games do not count")] = []
    position: Annotated[StartText | None, Field(description="where it begins; such games do not count")] = (
        None
    )
    key: Key | None = None


class JoinByCode(Asked):
    """Take the free seat of the room that a code stands for."""

    code: Annotated[str, Field(max_length=20)]
    name: Text
    key: Key | None = None


class JoinByRoom(Asked):
    """Take the free seat of a room whose address is known."""

    room: Annotated[str, Field(max_length=64)]
    name: Text
    key: Key | None = None


class MoveAsked(Asked):
    """Play a move, written as a player types it: `5`, `b2`, `X5`, `pass`."""

    type: Literal["move"]
    move: Annotated[str, Field(max_length=40)]


class PutAsked(Asked):
    """In an opening, place the next marks oneself, and let the other choose then.

    `moves` are those of them that are known already; the others follow as moves.
    """

    type: Literal["put"]
    moves: Annotated[list[Annotated[str, Field(max_length=40)]], Field(max_length=8)] = []


class TakeBackAsked(Asked):
    """Ask to take moves back; without a number as many as it takes to have the last own one back.

    0 takes back what was chosen in the opening since the last move.
    """

    type: Literal["take-back"]
    plies: Annotated[int, Field(ge=0, le=1_000_000)] | None = None


class MarkChosen(Asked):
    """Choose the mark for the next game."""

    type: Literal["choose"]
    mark: Side


_OWN_NAMES = {"move": commands.MakeMove, "leave": commands.LeaveSeat}
_AGREEING = (commands.OfferDraw, commands.Accept, commands.Decline, commands.TakeBack, commands.Rematch)
_DECIDING = (commands.Put, commands.Swap, commands.Choose, commands.Resign, commands.Claim)
COMMANDS: dict[str, type[commands.Command]] = {
    **_OWN_NAMES,
    **{code_of(kind): kind for kind in _AGREEING + _DECIDING},
}
"""What can be asked for in a room; requests have the fields of these."""


class PlainCommand(Asked):
    """A command of which there is nothing more to say."""

    type: Literal["resign", "offer-draw", "accept", "decline", "claim", "rematch", "leave", "swap"]


class CommandAsked(Asked):
    """A command, the version of the state that it answers, and a key by which a repetition is known."""

    version: Annotated[int, Field(ge=0, le=2**53)]
    key: Annotated[str, Field(pattern="^[A-Za-z0-9_-]{1,64}$")]
    command: Annotated[
        MoveAsked | PutAsked | TakeBackAsked | MarkChosen | PlainCommand, Field(discriminator="type")
    ]

    def meant(self) -> commands.Command:
        """What is asked for."""
        asked = self.command.model_dump()
        kind = COMMANDS[asked.pop("type")]
        return kind(**{name: tuple(of) if isinstance(of, list) else of for name, of in asked.items()})


class ThoughtAsked(Asked):
    """The ply at which to think about a game, None for the last, and for how many seconds."""

    ply: Annotated[int, Field(ge=0, le=1_000_000)] | None = None
    seconds: Annotated[float, Field(gt=0, le=10)] = 2.0


class AnalysisAsked(ThoughtAsked):
    """A finished game to think about."""

    game: Annotated[int, Field(ge=1, le=2**31 - 1)]


class LineAsked(Asked):
    """A position to look at: a game, where it starts if elsewhere than usual, and the moves played since."""

    game: Text
    position: StartText | None = None
    moves: Moves = []


class LineToAnalyse(LineAsked):
    """A position to think about, reached by any moves."""

    seconds: Annotated[float, Field(gt=0, le=10)] = 2.0


class PositionAsked(ThoughtAsked):
    """The game in this room, to think about."""

    tokens: Annotated[list[Token], Field(max_length=8, description="of other seats at this device")] = []


# Answers. They are made by hand, quickly; these models describe them.


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
    """Milliseconds that each side has left at the instant `at`, and whose clock runs."""

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
    wishes: list[int]
    result: ResultMessage | None
    series: SeriesMessage
    needs_choice: bool
    chooser: int | None
    game_id: int | None
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
