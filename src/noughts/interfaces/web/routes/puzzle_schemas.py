"""What is asked and told of puzzles; see :mod:`noughts.interfaces.web.routes.schemas`."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from noughts.interfaces.web.routes.request_schemas import Asked, Text
from noughts.interfaces.web.routes.schemas import GameMessage, LegalMessage, PositionMessage

MAX_MOVES = 60
"""More moves a solver never makes."""

MAX_REFUTED = 100
"""So many wrong moves of one position are taken note of."""

Moves = Annotated[
    list[Text], Field(max_length=MAX_MOVES, description="the solver's moves so far, as they are typed")
]


Kind = Annotated[
    Literal["win", "save"], Field(description="what it asks for: the one move that wins, or does not lose")
]


class PuzzleTried(Asked):
    """An attempt at a puzzle: all of the solver's moves, of which the last is tried."""

    moves: Moves


class HintAsked(PuzzleTried):
    """Where help is wanted: after these moves of the solver, all of which were right."""

    step: Annotated[int, Field(ge=0, le=1, description="0: where to look; 1: which move")] = 0
    refuted: list[Text] = Field(
        default_factory=list,
        max_length=MAX_REFUTED,
        description="moves that were tried there and are wrong: not hinted at",
    )


class PuzzleMessage(BaseModel):
    """A puzzle without its solution."""

    id: Annotated[int, Field(description="its number, from 1, which never changes")]
    game: Annotated[str, Field(description="the name of its game")]
    position: Annotated[str, Field(description="the position, as text")]
    side: Annotated[str, Field(description="the side that is to move and to solve it")]
    kind: Kind
    grade: Annotated[int, Field(description="how hard it is, from 1 to 5")]


class AnswerMessage(BaseModel):
    """A move of the other side, or of both."""

    move: Annotated[str, Field(description="the move as it is typed")]
    name: Annotated[str, Field(description="the move as people read it")]
    side: Annotated[str, Field(description="who makes it")]


class AttemptMessage(BaseModel):
    """How far an attempt at a puzzle has come, and what came of the move that was tried last."""

    verdict: Annotated[
        Literal["right", "solved", "wrong", "unknown"] | None,
        Field(description="what the last move is: a wrong one is not played; null where none was tried"),
    ]
    sentence: Annotated[str, Field(description="the same in words")]
    moves: Annotated[list[str], Field(description="the solver's moves that are right")]
    answers: Annotated[list[AnswerMessage], Field(description="what answers the last move, or refutes it")]
    made: Annotated[int, Field(description="how many moves the solver has made")]
    left: Annotated[int, Field(description="how many the solver still needs against best play")]
    is_solved: Annotated[bool, Field(description="whether nothing is left to be found")]
    position: Annotated[PositionMessage, Field(description="what stands on the board now")]
    mark: Annotated[str | None, Field(description="what the next move places, unless the mover chooses it")]
    legal: Annotated[list[LegalMessage], Field(description="the moves that can be tried now")]


class PuzzlePage(PuzzleMessage):
    """A puzzle as a page shows it, as it begins."""

    title: Annotated[str, Field(description="number, game and grade in words")]
    task: Annotated[str, Field(description="what is to be found, in words")]
    drawn: Annotated[GameMessage, Field(description="the game: its rules, and how its board is drawn")]
    attempt: Annotated[AttemptMessage, Field(description="the attempt at its beginning")]


class PuzzleHint(BaseModel):
    """What helps with the next move."""

    sentence: Annotated[str, Field(description="where to look, or which move it is")]
    cell: Annotated[int | None, Field(description="the index of the cell of the move, where that is told")]


class PuzzleSolution(BaseModel):
    """Best play of both sides to the end of the puzzle."""

    sentence: Annotated[str, Field(description="the moves in words")]
    moves: Annotated[list[AnswerMessage], Field(description="the moves of both sides")]
    position: Annotated[PositionMessage, Field(description="what stands on the board after them")]


class Graded(BaseModel):
    """The number of a puzzle, what it asks for and how hard it is."""

    id: Annotated[int, Field(description="its number")]
    kind: Kind
    grade: Annotated[int, Field(description="from 1 to 5")]


class PuzzlesOfGame(BaseModel):
    """The puzzles of one game."""

    name: Annotated[str, Field(description="the name of the game")]
    title: Annotated[str, Field(description="what it is called")]
    puzzles: Annotated[list[Graded], Field(description="in the order of their numbers")]


class Puzzles(BaseModel):
    """All puzzles by games, and the one of the day."""

    daily: Annotated[int, Field(description="the number of the puzzle of the day (UTC)")]
    games: Annotated[list[PuzzlesOfGame], Field(description="the games that have puzzles")]
