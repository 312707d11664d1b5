"""The request bodies of the API as models, which validate and describe them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from noughts.arena import commands
from noughts.arena.clock import DAY
from noughts.arena.rooms.conditional import MAX_LINES, MAX_PLIES
from noughts.games.catalogue import MAX_SPEC
from noughts.interfaces.web.http.replies import code_of

MAX_SOLVER_MOVES, MAX_REFUTED = 60, 100
"""The largest numbers of a solver's moves, and of wrong moves of one position."""

GAME = "A name of the catalogue, or a description such as `7x6:4,gravity`."
DRAWN = "draw"

Text = Annotated[str, Field(max_length=400)]
MoveText = Annotated[str, Field(max_length=40)]
KEY_PATTERN = "^[A-Za-z0-9_-]{22,64}$"
"""The form of idempotency keys and of the keys of visitors, which are secret."""

Key = Annotated[str, Field(pattern=KEY_PATTERN)]
OpeningName = Literal["none", "pie", "swap2"]
Moves = Annotated[list[MoveText], Field(max_length=1_000)]
StartText = Annotated[str, Field(max_length=20_000)]
Ply = Annotated[int, Field(ge=0, le=1_000_000)]
Seconds = Annotated[float, Field(gt=0, le=10)]
GameNumber = Annotated[int, Field(ge=1, le=2**31 - 1)]


LONGEST = 14 * DAY
"""The longest time of a clock, in milliseconds."""


class RequestModel(BaseModel):
    """A request body. Unknown fields are errors, and values are not converted."""

    model_config = ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True)


class WholeGameClock(RequestModel):
    """A clock for the whole game."""

    base: int = Field(ge=1_000, le=LONGEST)
    """Milliseconds for the whole game. A day or more makes a game by days."""
    increment: int = Field(0, ge=0, le=3 * DAY)
    """Milliseconds that are added after each turn."""


class PerMoveClock(RequestModel):
    """A clock for each move."""

    per_move: int = Field(ge=1_000, le=LONGEST)
    """Milliseconds for each move. A day or more makes a game by days."""


class OpenRoomRequest(RequestModel):
    """The settings of a new room."""

    game: Text
    """A name of the catalogue, or a description such as `7x6:4,gravity`."""
    opponent: Text = "friend"
    """`friend`, or the name of a computer."""
    computers: Annotated[list[Text], Field(max_length=8)] = []
    """The players, if only computers play."""
    name: Text = ""
    """The name of the player who opens the room."""
    place: int = Field(0, ge=0, le=7)
    """The seat, from 0, in the order of the first game."""
    begins: Literal["chooser", "alternate", "loser", "x"] = "alternate"
    """The player who begins each further game of the series."""
    clock: WholeGameClock | PerMoveClock | None = None
    """The clock, or null for none."""
    opening: OpeningName | None = None
    """The opening protocol that settles the sides, or null for none."""
    moves: Moves = []
    """Moves played before the game starts. Such games do not count for the scoreboard."""
    position: StartText | None = None
    """The position from which the game starts. Such games do not count for the scoreboard."""
    visibility: Literal["link", "public"] = "link"
    """The readers and watchers of the games: `link` for people with their link, or `public`."""
    counts: bool = True
    """Whether the games count for the scoreboard."""
    rated: bool = False
    """True if the games change ratings. All players then need keys."""
    key: Key | None = None
    """An idempotency key, kept secret: a repeated request with the same key gives the same seat."""


class LiveGameClock(RequestModel):
    """A clock for a whole live game."""

    base: int = Field(ge=10_000, le=10_800_000)
    """Milliseconds for the whole game."""
    increment: int = Field(0, ge=0, le=180_000)
    """Milliseconds that are added after each turn."""


class LiveMoveClock(RequestModel):
    """A clock for each move of a live game."""

    per_move: int = Field(ge=5_000, le=600_000)
    """Milliseconds for each move."""


class DaysGameClock(RequestModel):
    """A clock for a whole game by days."""

    base: int = Field(ge=DAY, le=LONGEST)
    """Milliseconds for the whole game."""
    increment: int = Field(0, ge=0, le=3 * DAY)
    """Milliseconds that are added after each turn."""


class DaysMoveClock(RequestModel):
    """A clock for each move of a game by days."""

    per_move: int = Field(ge=DAY, le=LONGEST)
    """Milliseconds for each move."""


OfferClock = LiveGameClock | LiveMoveClock | DaysGameClock | DaysMoveClock


Points = Annotated[int, Field(ge=0, le=4_000)]


class OfferRequest(RequestModel):
    """An offer to play one of some games with one of some clocks."""

    games: Annotated[list[Text], Field(min_length=1, max_length=10)]
    """Names of the catalogue, or descriptions such as `7x6:4,gravity`."""
    clocks: Annotated[list[OfferClock], Field(min_length=1, max_length=6)]
    """The clocks."""
    name: Text
    """The name of the player."""
    rated: bool = False
    """Whether the game is rated, for players with a key."""
    lowest: Points | None = None
    """The lowest rating of the opponent, or null. If it is above `highest`, the server swaps them."""
    highest: Points | None = None
    """The highest rating of the opponent, or null."""
    visibility: Literal["link", "public"] = "link"
    """The readers and watchers of the game: `link` for people with its link, or `public`."""
    strength: Points | None = None
    """For bots: the rating that their author expects, or null."""
    lasts: bool = False
    """Whether the offer stays open without a page, for clocks by days: for 7 days, and 5 offers at a time."""


class ChallengeRequest(OfferRequest):
    """A challenge to one player."""

    to: Text
    """The name of the other player."""


class TakeOfferRequest(RequestModel):
    """The answer to an offer or a challenge."""

    name: Text
    """The name of the answering player."""
    game: Text | None = None
    """The game, or null for the first one of the offer."""
    clock: OfferClock | None = None
    """The clock, or null for the first one of the offer."""
    visibility: Literal["link", "public"] = "link"
    """The readers and watchers that the player wants: `public` only counts if both players want it."""


class GiveBackRequest(RequestModel):
    """A game that is called off, so that the opponent waits again."""

    room: str = Field(max_length=64)
    """The name of the room."""


class JoinByCode(RequestModel):
    """A request for the free seat of the room that a code opens."""

    code: str = Field(max_length=20)
    """The code of the room: six letters."""
    name: Text
    """The name of the player."""
    key: Key | None = None
    """An idempotency key, kept secret: a repeated request with the same key gives the same seat."""


class JoinByRoom(RequestModel):
    """A request for the free seat of a room, given by its name."""

    room: str = Field(max_length=64)
    """The name of the room, as in its address."""
    name: Text
    """The name of the player."""
    key: Key | None = None
    """An idempotency key, kept secret: a repeated request with the same key gives the same seat."""


class MoveSeat(RequestModel):
    """A request to use the seat of the token or the cookie on a further device."""


class MoveCommand(RequestModel):
    """Play a move."""

    type: Literal["move"]
    """The kind of command."""
    move: MoveText
    """The move as a player types it: `5`, `b2`, `X5`, `pass`."""


class PutCommand(RequestModel):
    """Place the next marks of an opening, and let the other player choose a side afterwards."""

    type: Literal["put"]
    """The kind of command."""
    moves: Annotated[list[MoveText], Field(max_length=8)] = []
    """The marks to place. Missing ones follow as moves."""


class TakeBackCommand(RequestModel):
    """Offer to take moves back."""

    type: Literal["take-back"]
    """The kind of command."""
    plies: Ply | None = None
    """The number of moves of both sides; null to return to the caller's own last decision.

    0 takes back a choice in the opening since the last move.
    """


class ChooseCommand(RequestModel):
    """Choose the mark for the next game."""

    type: Literal["choose"]
    """The kind of command."""
    mark: str = Field(max_length=8)
    """The mark, such as `X`."""


_OWN_NAMES = {
    "move": commands.WrittenMove,
    "put": commands.WrittenPut,
    "leave": commands.LeaveSeat,
    "say": commands.SayPhrase,
    "prepare": commands.Prepare,
}
_AGREEING = (commands.OfferDraw, commands.Accept, commands.Decline, commands.TakeBack, commands.Rematch)
_ENDING = (commands.Resign, commands.Abort, commands.Claim)
_DECIDING = (commands.Swap, commands.Choose, *_ENDING, commands.Share)
COMMANDS: dict[str, type[commands.Command]] = {
    **_OWN_NAMES,
    **{code_of(kind): kind for kind in _AGREEING + _DECIDING},
}
"""The commands of a room by type. Their fields are those of the requests."""


class ShareCommand(RequestModel):
    """Make a finished game of the room public permanently."""

    type: Literal["share"]
    """The kind of command."""
    game: GameNumber | None = None
    """The number of the game, or null for the present one."""


class SayCommand(RequestModel):
    """Say a preset phrase to the other players, each at most once in a game."""

    type: Literal["say"]
    """The kind of command."""
    phrase: str = Field(max_length=40)
    """The code of the phrase, one of the `phrases` of the state."""


class PauseRequest(RequestModel):
    """A pause of the clocks of all games by days of a person with a key."""

    days: int = Field(ge=0, le=14)
    """The length of the pause in days, or 0 to end it now."""


class StopClocksCommand(RequestModel):
    """Stop the clocks of this game by days, for a guest once a year. With 0 days, end the pause now."""

    type: Literal["pause"]
    """The kind of command."""
    days: int = Field(ge=0, le=14)
    """The length of the pause in days."""


class PrepareCommand(RequestModel):
    """Replace the caller's conditional moves in a game by days. The lines form a tree."""

    type: Literal["prepare"]
    """The kind of command."""
    lines: Annotated[
        list[Annotated[list[MoveText], Field(max_length=MAX_PLIES)]], Field(max_length=MAX_LINES)
    ]
    """The lines: moves of both players in turn, from a move of the opponent to an answer."""


class PlainCommand(RequestModel):
    """A command without further data."""

    type: Literal["resign", "abort", "offer-draw", "accept", "decline", "claim", "rematch", "leave", "swap"]
    """The kind of command."""


class CommandRequest(RequestModel):
    """A command in a room."""

    version: int = Field(ge=0, le=2**53)
    """The version of the state that the command refers to."""
    key: str = Field(pattern="^[A-Za-z0-9_-]{1,64}$")
    """An idempotency key: a repeated request with the same key has no further effect."""
    command: Annotated[
        MoveCommand
        | PutCommand
        | TakeBackCommand
        | ChooseCommand
        | ShareCommand
        | SayCommand
        | StopClocksCommand
        | PrepareCommand
        | PlainCommand,
        Field(discriminator="type"),
    ]
    """The command."""

    def to_command(self) -> commands.Command:
        """Return the command that a room carries out."""
        if isinstance(self.command, StopClocksCommand):
            return commands.Pause(self.command.days * DAY) if self.command.days else commands.Resume()
        fields = self.command.model_dump()
        kind = COMMANDS[fields.pop("type")]
        return kind(**{name: _frozen(value) for name, value in fields.items()})


def _frozen(value: Any) -> Any:
    """Return *value* with tuples in place of lists."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


class PlyAnalysisRequest(RequestModel):
    """A request to analyse a position of a game."""

    ply: Ply | None = None
    """The number of moves made, or null for all."""
    seconds: Seconds = 2.0
    """The longest time to think, in seconds."""


class GameAnalysisRequest(PlyAnalysisRequest):
    """A request to analyse a position of a finished game."""

    game: GameNumber
    """The number of the game."""
    key: Annotated[str, Field(max_length=100)] | None = None
    """The key in the link of a private game."""


class LineRequest(RequestModel):
    """A position reached by a list of moves."""

    game: Text
    """A name of the catalogue, or a description such as `7x6:4,gravity`."""
    position: StartText | None = None
    """The position from which the game starts, or null for the usual one."""
    moves: Moves = []
    """The moves since the start."""


class LineAnalysisRequest(LineRequest):
    """A request to analyse a position that is reached by a list of moves."""

    seconds: Seconds = 2.0
    """The longest time to think, in seconds."""


class RoomAnalysisRequest(PlyAnalysisRequest):
    """A request to analyse a position of the game in a room."""

    tokens: Annotated[list[Annotated[str, Field(min_length=20, max_length=128)]], Field(max_length=8)] = []
    """The tokens of further seats on this device."""


class AttemptRequest(RequestModel):
    """An attempt at a puzzle."""

    moves: Annotated[list[Text], Field(max_length=MAX_SOLVER_MOVES)]
    """The moves of the solver so far, as they are typed. The last one is judged."""


class HintRequest(AttemptRequest):
    """A request for a hint. All moves of the solver so far must be right."""

    step: int = Field(0, ge=0, le=1)
    """The kind of hint: 0 for an area, 1 for the move."""
    refuted: list[Text] = Field([], max_length=MAX_REFUTED)
    """Wrong moves that were tried in this position. The hint skips them."""


GameFilter = Annotated[str | None, Field(max_length=MAX_SPEC, description=GAME)]


class HistoryQuery(BaseModel):
    """The filters of the history of finished games."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    before: GameNumber | None = None
    """Only games before this number."""
    count: int = Field(30, ge=1, le=100)
    """The largest number of games on a page."""
    game: GameFilter = None
    player: str | None = Field(None, max_length=100)
    """Only games of this player, in any spelling."""
    result: str | None = Field(None, pattern=f"^([A-Z]|{DRAWN})?$")
    """Only games that this side has won, or with `draw` only draws."""
    days: int | None = Field(None, ge=1, le=36_500)
    """Only games that started in this number of days."""
    own: str = Field("", pattern=r"^([1-9][0-9]{0,9}[.][A-Za-z0-9_-]{1,40}(,|$)){0,50}$")
    """Private games to include, each as its number and the key of its link: `12.KEY,15.KEY`."""


PEOPLE, COMPUTERS = "people", "computers"
"""The kinds of opponents in rated games."""

RESULTS = {"won": 1.0, DRAWN: 0.5, "lost": 0.0}
"""The results of a game for one player, with the points."""


class RatingsQuery(BaseModel):
    """The filters of the rated games of a player. The game and speed also select the history."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    before: GameNumber | None = None
    """Only games before this one, which is the `before` of an earlier answer."""
    game: GameFilter = None
    speed: str | None = Field(None, pattern="^(live|days)?$")
    """Only games at this speed."""
    result: str | None = Field(None, pattern=f"^({'|'.join(RESULTS)})?$")
    """Only games with this result for the player."""
    against: str | None = Field(None, pattern=f"^({PEOPLE}|{COMPUTERS})?$")
    """Only games against people, or against computers."""
    days: int | None = Field(None, ge=1, le=36_500)
    """Only games that ended in this number of days."""
