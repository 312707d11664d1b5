"""What is told of games, players and positions; see :mod:`noughts.interfaces.web.routes.schemas`."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from noughts.drawing.space import Tiling
from noughts.interfaces.web.routes.schemas import (
    AnnotationsMessage,
    GameMessage,
    LegalMessage,
    MoveMessage,
    ScoreMessage,
)

Value = Literal["win", "draw", "loss", "unknown"]
Point = tuple[float, float]


class Offered(GameMessage):
    """A game that can be played; `cautions` has a sentence for each computer that is weaker in it here."""

    computers: list[str]
    cautions: dict[str, str]


class Entry(Offered):
    """A game of the catalogue: how it is described, in a few words what it is, and where it is listed."""

    spec: str | None
    tag: str
    shelf: str
    rank: int


class NumberOfBoard(BaseModel):
    """A number of a board of one's own: `less` and `more` are null where it cannot be changed so."""

    name: str
    label: str
    value: int
    text: str
    less: str | None
    more: str | None


class SwitchOfBoard(BaseModel):
    """An option of a board of one's own: `spec` is null where it cannot be changed; `about` says why."""

    name: str
    label: str
    about: str
    is_on: bool
    spec: str | None


class CountOfBoard(BaseModel):
    """How many a board has of something."""

    count: int
    label: str


class Built(Offered):
    """A board of one's own, and what can be changed of it next."""

    spec: str
    tag: str
    steps: list[NumberOfBoard]
    switches: list[SwitchOfBoard]
    counts: list[CountOfBoard]
    is_estimated: bool


class Catalogue(BaseModel):
    """The games, and the languages by their own names."""

    games: list[Entry]
    languages: dict[str, str]


class Plane(BaseModel):
    """A plane of a board: its number, its upper left corner, and the path of a floor below it."""

    label: str
    origin: Point
    floor: str


class Standing(BaseModel):
    """How planes of a board can stand: the size of all, their upper left corners, labels at the edges."""

    size: Point
    origins: list[Point]
    labels: list[tuple[float, float, float, float, str, str, bool]]


class Board(BaseModel):
    """How a board is drawn, in hundredths of what a cell holds; cells are told by their index.

    `steps` are those of the arrow keys. `thin` and `pen` are the paths of a plane: lines to draw, and strokes
    to fill. A cell takes `squares` of paper, at least and at most. Each of `labels` stands at a place, which
    moves for each unit that letters are high; then come its anchor, its text and whether it is strong: those
    of the board are seen from the corner of each plane, and an empty text stands for its number. `views` are
    ways for planes to stand; where one has fewer planes than the board, it shows so many after one another.
    `fields` are boxes: left, top, width, height. `wraps`: whether left and right are joined, then
    top and bottom, then the layers of each further axis.
    `drops`: in how many columns marks fall.
    """

    size: Point
    views: list[Standing]
    planes: list[Plane]
    tiling: Tiling
    centres: list[Point]
    names: list[str]
    steps: dict[str, list[int]]
    thin: str
    pen: str
    squares: tuple[float, float]
    labels: list[tuple[float, float, float, float, str, str, bool]]
    stars: list[int]
    fields: list[tuple[float, float, float, float]]
    wraps: tuple[bool, ...]
    drops: int


class Computer(BaseModel):
    """A computer that can take a seat."""

    name: str
    title: str
    about: str


class Computers(BaseModel):
    """The computers that can take a seat."""

    players: list[Computer]


class PlayedBy(BaseModel):
    """Who had a mark."""

    side: str
    name: str
    kind: str | None


class Played(BaseModel):
    """A game of the history in a few words; `reason` says why a computer forfeited."""

    id: int
    title: str
    created: int
    players: list[PlayedBy]
    plies: int
    winner: str | None
    termination: str | None
    reason: str | None
    ended: str
    visibility: Annotated[str, Field(description="`public`, or `link` for people who have the link")]
    link: str


class PlayedShort(Played):
    """A game of the history, with the name of what was played."""

    game: str


class History(BaseModel):
    """Finished games, newest first; `before` asks for the next page, null at the end.

    `damaged` games could not be read and are left out.
    """

    games: list[PlayedShort]
    before: int | None
    damaged: int


class Changed(BaseModel):
    """The cells that changed, by index: a mark, or null where one was taken away.

    With the cells where the last move is seen, and what the rules make of the position.
    """

    changed: dict[str, str | None]
    last: list[int]
    annotations: AnnotationsMessage


class Replay(Played):
    """A finished game, move by move; `boards` has one more than there are moves."""

    game: GameMessage
    start: Annotated[str | None, Field(description="the position it began from, None for the usual one")]
    moves: list[MoveMessage]
    boards: list[Changed]
    lines: list[list[int]]
    sentences: list[str]
    tournament: Annotated[int | None, Field(description="the number of the one in which it was played")]


class Row(ScoreMessage):
    """A row of the scoreboard; what a computer is `called` is not its name."""

    longest_streak: int
    called: str


class Scoreboard(BaseModel):
    """Everybody who has finished a game, best first; `damaged` games could not be read and do not count."""

    players: list[Row]
    damaged: int


class WorthOfMove(LegalMessage):
    """What a move is worth, in how many plies, and why."""

    name: str
    value: Value
    plies: int | None
    label: str
    reason: str | None


class Worth(BaseModel):
    """What a position is worth for the side to move, and each of its moves."""

    ply: int
    turn: str | None
    value: Value
    plies: int | None
    best: str | None
    sentence: str | None
    moves: list[WorthOfMove]
