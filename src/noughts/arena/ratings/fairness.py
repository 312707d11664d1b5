"""The rules about rated games: the openings and boards that are fair, and the games that count.

Every rule gives a reason code, for which interfaces have a sentence. The advantages of the first move were
measured by games of equal players (``players/first_moves.json``, written by ``benchmarks/first_moves.py``).
"""

import json
import warnings
from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from functools import cache
from random import Random

from noughts.arena.events import EventKind, MatchEnd
from noughts.arena.ratings.computers import computer_rating
from noughts.arena.ratings.models import RatedGame, RatedPlayer, speed_of
from noughts.arena.seat_names import seat_number
from noughts.arena.stored_game import StoredGame
from noughts.arena.table import HUMAN, Terms
from noughts.errors import DamagedFile, DamagedFileWarning, NotRated
from noughts.games.catalogue import find_entry, name_of, new_game
from noughts.games.notation import format_position, play_moves
from noughts.games.openings import openings_of
from noughts.own_files import read_own_file

MEASURED_OPENINGS = "arena/tournament/measured/{}.txt"
"""The file of the openings of a game after which both sides score alike."""

EVEN = (0.45, 0.55)
"""The scores of the first side between which the first move counts as no advantage."""

SHORT = 17.0
"""A board with a shipped proof is trivial if games on it have fewer plies than this."""


class Unrated(StrEnum):
    """The reason for which a game is not rated."""

    OTHER_BOARD = "other-board"
    """The game is not in the catalogue, so hardly anybody else plays it."""
    NOT_TWO = "not-two"
    """The game has not two players."""
    NO_PERSON = "no-person"
    """Only computers play."""
    NO_KEY = "no-key"
    """A person plays without a key."""
    SAME_PERSON = "same-person"
    """A person plays against the own key."""
    NO_CLOCK = "no-clock"
    """Without a clock a player need not finish the game."""
    DRAWN_BOARD = "drawn-board"
    """The board is a draw by a proof that everybody can read."""
    SOLVED_BOARD = "solved-board"
    """The board is small, and everybody can read the proof of its win."""
    UNEVEN_START = "uneven-start"
    """The usual start is an advantage for the first player."""
    UNMEASURED_START = "unmeasured-start"
    """The advantage of the first move was not measured."""
    CHOSEN_POSITION = "chosen-position"
    """The game begins from a position that is not a balanced opening."""
    UNMEASURED_COMPUTER = "unmeasured-computer"
    """The strength of the computer in this game was not measured."""
    TAKEN_BACK = "taken-back"
    """A move was taken back."""
    TOO_SHORT = "too-short"
    """The game ended before both players had decided something."""
    FAULT = "fault"
    """A computer or the game itself failed."""


def unrated_reason(terms: Terms) -> Unrated | None:
    """Return the reason for which games of *terms* cannot be rated, or None if they can.

    The people are not considered, since *terms* do not name them: a room checks each person with a seat.

    >>> from noughts.arena.clock import Clock
    >>> clock = Clock(base=300_000)
    >>> print(unrated_reason(Terms("gomoku", ("human", "human"), clock=clock, opening="swap2")))
    None
    >>> print(unrated_reason(Terms("tictactoe", ("human", "human"), clock=clock)))
    drawn-board
    """
    game = name_of(new_game(terms.game))
    if find_entry(game) is None:
        return Unrated.OTHER_BOARD
    if len(terms.who) != 2:
        return Unrated.NOT_TWO
    computers = [who for who in terms.who if who != HUMAN]
    if len(computers) == len(terms.who):
        return Unrated.NO_PERSON
    if speed_of(terms.clock) is None:
        return Unrated.NO_CLOCK
    if any(computer_rating(game, computer) is None for computer in computers):
        return Unrated.UNMEASURED_COMPUTER
    return _trivial_reason(game) or _opening_reason(game, terms)


def fair_terms(terms: Terms, chance: Random) -> Terms:
    """Return *terms* for rated games, with a fair opening if the usual start is not fair.

    The pie rule is the first choice, and a balanced opening the second one. Raises
    :class:`~noughts.errors.NotRated` with the reason if no opening is fair.

    >>> from noughts.arena.clock import Clock
    >>> fair_terms(Terms("gomoku", ("human", "human"), clock=Clock(base=300_000)), Random(1)).opening
    'pie'
    """
    game = new_game(terms.game)
    starts = balanced_starts(name_of(game))
    tried = [replace(terms, rated=True)]
    if terms.opening is None and terms.start is None:
        tried += [replace(tried[0], opening=name) for name in openings_of(game)]
        tried += [replace(tried[0], start=chance.choice(starts))] if starts else []
    for one in tried:
        if unrated_reason(one) is None:
            return one
    raise NotRated(unrated_reason(terms) or Unrated.UNEVEN_START)


def _trivial_reason(game: str) -> Unrated | None:
    """Return the reason if *game* is trivial: its proof is shipped, and it is drawn or short."""
    entry = find_entry(game)
    if entry is None or not entry.proof:
        return None
    if entry.value == "draw":
        return Unrated.DRAWN_BOARD
    measured = first_moves().get(game, {})
    return Unrated.SOLVED_BOARD if any(one["plies"] < SHORT for one in measured.values()) else None


def _opening_reason(game: str, terms: Terms) -> Unrated | None:
    if terms.start is not None:
        is_balanced = terms.opening is None and format_position(terms.new_game()) in balanced_starts(game)
        return None if is_balanced else Unrated.CHOSEN_POSITION
    if terms.opening is not None:
        return None
    if not (measured := first_moves().get(game)):
        return Unrated.UNMEASURED_START
    low, high = EVEN
    is_even = all(low <= one["score"] <= high for one in measured.values())
    return None if is_even else Unrated.UNEVEN_START


@cache
def first_moves() -> Mapping[str, Mapping[str, Mapping[str, float]]]:
    """Return the measured facts about the usual start of each game, by game and level.

    ``score`` is that of the first side against an equal player, with its ``error`` (95 %), and ``plies`` the
    mean length of the ``games``.
    """
    try:
        facts: dict[str, dict[str, dict[str, float]]] = json.loads(read_own_file("players/first_moves.json"))
    except DamagedFile as error:  # games with a fair opening can be rated without it
        warnings.warn(DamagedFileWarning(error), stacklevel=2)
        return {}
    return facts


@cache
def balanced_starts(game: str) -> tuple[str, ...]:
    """Return the positions after the balanced openings of *game*, or none if they were not measured.

    Equal players score alike from them. Rated games may begin there.
    """
    try:
        text = read_own_file(MEASURED_OPENINGS.format(game))
    except FileNotFoundError:
        return ()
    except DamagedFile as error:
        warnings.warn(DamagedFileWarning(error), stacklevel=2)
        return ()
    starts: dict[str, None] = {}  # several openings lead to the same position
    for line in text.splitlines():
        if not line.startswith("#"):
            position = new_game(game)
            play_moves(position, line.split())
            starts[format_position(position)] = None
    return tuple(starts)


def rated_game_of(stored: StoredGame, at: int) -> RatedGame | None:
    """Return the finished game *stored* as a rated game, counted at the instant *at*.

    Return None if the game changes no rating.
    """
    setup, result = stored.setup, stored.result
    speed = speed_of(setup.clock)
    seats = {side: _player_of(setup.who.get(side, HUMAN), name) for side, name in setup.seats.items()}
    players = stored.by_side(seats)
    if speed is None or result is None or len(players) != 2 or uncounted_reason(stored) is not None:
        return None
    (first, one), (_, two) = players.items()
    if one is None or two is None or one == two:
        return None
    points = 0.5 if result.winner is None else float(result.winner == first)
    return RatedGame(stored.id, setup.game, speed, (one, two), points, at)


def _player_of(kind: str, name: str) -> RatedPlayer | None:
    """Return the player with *name* in a stored game, or None for a person without a key."""
    return seat_number(name) if kind == HUMAN else kind


def uncounted_reason(stored: StoredGame) -> Unrated | None:
    """Return the reason for which the finished game *stored* changes no rating, or None if it does.

    Its terms were ratable when it began.
    """
    kinds = [event.kind for event in stored.events]
    if EventKind.TAKEBACK in kinds:
        return Unrated.TAKEN_BACK
    end = stored.events[-1].data["termination"]
    if end in (MatchEnd.BROKEN, MatchEnd.FORFEIT, MatchEnd.ADJUDICATION):
        return Unrated.FAULT
    has_begun = end != MatchEnd.ABORTED and _has_begun(stored, kinds)
    return None if has_begun else Unrated.TOO_SHORT


def _has_begun(stored: StoredGame, kinds: list[EventKind]) -> bool:
    """Return True if both players have decided something: a move, or an answer in the opening."""
    plies, protocol = kinds.count(EventKind.MOVE), stored.setup.protocol
    if protocol is None:
        return plies >= len(stored.setup.seats)
    return protocol.state_at(plies, stored.answers()).is_over
