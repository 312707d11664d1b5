"""What the API takes, as models: they check requests and make the OpenAPI description."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from noughts.arena import commands
from noughts.interfaces.web.http.replies import code_of

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
    visibility: Annotated[
        Literal["link", "public"],
        Field(description="who may see its finished games: people who have their link, or everybody"),
    ] = "link"
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


_OWN_NAMES = {"move": commands.WrittenMove, "put": commands.WrittenPut, "leave": commands.LeaveSeat}
_AGREEING = (commands.OfferDraw, commands.Accept, commands.Decline, commands.TakeBack, commands.Rematch)
_DECIDING = (commands.Swap, commands.Choose, commands.Resign, commands.Claim, commands.Share)
COMMANDS: dict[str, type[commands.Command]] = {
    **_OWN_NAMES,
    **{code_of(kind): kind for kind in _AGREEING + _DECIDING},
}
"""What can be asked for in a room; requests have the fields of these."""


class ShareAsked(Asked):
    """Make a finished game of the room public, for good; without a number the present one."""

    type: Literal["share"]
    game: Annotated[int | None, Field(ge=1, le=2**31 - 1, description="the number of the game")] = None


class PlainCommand(Asked):
    """A command of which there is nothing more to say."""

    type: Literal["resign", "offer-draw", "accept", "decline", "claim", "rematch", "leave", "swap"]


class CommandAsked(Asked):
    """A command, the version of the state that it answers, and a key by which a repetition is known."""

    version: Annotated[int, Field(ge=0, le=2**53)]
    key: Annotated[str, Field(pattern="^[A-Za-z0-9_-]{1,64}$")]
    command: Annotated[
        MoveAsked | PutAsked | TakeBackAsked | MarkChosen | ShareAsked | PlainCommand,
        Field(discriminator="type"),
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
    key: Annotated[
        str | None, Field(max_length=100, description="the secret in the link of a private game")
    ] = None


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
