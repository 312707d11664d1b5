"""Conditional moves: answers that a player prepares for moves of the opponent in a game by days.

They form a tree, which is stored as its lines. A line begins with a move of the opponent and ends with an
answer. Lines with the same begin have the same answers there. After an expected move the room plays the
answer at once. Any other move removes the lines that it does not fit.
"""

from collections.abc import Sequence

from noughts.arena.commands import Command, MakeMove
from noughts.arena.events import EventKind
from noughts.arena.match import Match
from noughts.errors import CommandRefused
from noughts.games.notation import parse_move

MAX_LINES, MAX_ANSWERS, MAX_PLIES = 5, 5, 20
"""The largest numbers of lines, of answers in a line, and of all moves in a line."""

Line = tuple[str, ...]
"""The moves of a line as text, those of both players."""


def checked_lines(
    match: Match, side: str, lines: Sequence[Sequence[str]], command: Command
) -> tuple[Line, ...]:
    """Return the *lines* of *side* as the game writes their moves.

    Raises :class:`~noughts.errors.CommandRefused` for lines that *command* cannot have, and the error of the
    game for a move that it refuses.
    """
    if match.turn == side or not match.standing.is_over:
        raise CommandRefused(command, "lines-not-now")
    if len(lines) > MAX_LINES:
        raise CommandRefused(command, "too-many-lines")
    checked: dict[Line, None] = {}
    answers: dict[Line, str] = {}
    for line in lines:
        moves = _checked(match, side, line, command)
        texts = tuple(text for text, _ in moves)
        for place, (text, is_own) in enumerate(moves):
            if is_own and answers.setdefault(texts[:place], text) != text:
                raise CommandRefused(command, "two-answers")
        checked[texts] = None
    # A line with which a longer one begins says nothing more.
    return tuple(one for one in checked if not any(one == other[: len(one)] != other for other in checked))


def _checked(match: Match, side: str, line: Sequence[str], command: Command) -> list[tuple[str, bool]]:
    """Return the moves of *line* as text, each with True for a move of *side*."""
    if len(line) > MAX_PLIES:
        raise CommandRefused(command, "line-too-long")
    trial, moves = match.copy(), list[tuple[str, bool]]()
    for text in line:
        mover = trial.turn
        event = trial.apply(mover, MakeMove(parse_move(trial.game, text)), trial.turn_began)[0]
        if event.kind is not EventKind.MOVE:
            raise CommandRefused(command, "lines-not-now")
        moves.append((str(event.data["move"]), mover == side))
    if not moves or not moves[-1][1]:
        raise CommandRefused(command, "line-without-answer")
    if sum(is_own for _, is_own in moves) > MAX_ANSWERS:
        raise CommandRefused(command, "line-too-long")
    return moves


def followed(lines: Sequence[Line], text: str) -> tuple[Line, ...]:
    """Return the rest of those *lines* that begin with the move *text*.

    >>> followed([("1", "2"), ("1", "2", "3", "4"), ("5", "6")], "1")
    (('2',), ('2', '3', '4'))
    """
    return tuple(line[1:] for line in lines if line[0] == text and len(line) > 1)
