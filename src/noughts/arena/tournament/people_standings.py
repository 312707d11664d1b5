"""The table of a tournament of people: places, points, and tie-breaks, recounted from the pairings."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from noughts.arena.tournament.people import (
    EntryState,
    PairingSystem,
    PeopleTournament,
    RoundPairing,
)
from noughts.arena.tournament.swiss import NOBODY

ARENA_WIN, ARENA_DRAW = 2, 1
"""The points of an arena. They are doubled on a streak."""

STREAK = 2
"""The number of games won in a row after which a player has a streak, until a game is not won."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A player in the table. Equal players share a ``place``.

    ``points`` are half points, or the points of an arena. ``opponents`` is the sum of the half points of all
    opponents (Buchholz). ``beaten`` is four times the points of beaten opponents plus half of those of
    opponents with a draw (Sonneborn-Berger). ``marks`` has the half points of each round, or None for a round
    without a game or a free point. ``games`` are the opponents and half points of each game, oldest first.
    """

    place: int
    entry: int
    points: int
    opponents: int
    beaten: int
    wins: int
    draws: int
    losses: int
    marks: tuple[int | None, ...]
    games: tuple[tuple[int, int], ...]
    is_on_streak: bool = False


def table_of(tournament: PeopleTournament) -> list[TableRow]:
    """Return the rows of the table, best first. Removed players without a game are omitted."""
    points = tournament.points()
    own: dict[int, list[RoundPairing]] = {number: [] for number in tournament.entries}
    for pairing in tournament.pairings.values():
        for entry in pairing.players:
            if entry != NOBODY:
                own[entry].append(pairing)
    rows = [_row(tournament, number, own[number], points) for number in _listed(tournament, own)]
    return _placed(rows, _order_of(tournament))


def _listed(tournament: PeopleTournament, own: dict[int, list[RoundPairing]]) -> Iterable[int]:
    return (
        entry.number
        for entry in tournament.entries.values()
        if own[entry.number] or entry.state is not EntryState.REMOVED
    )


def _row(
    tournament: PeopleTournament, number: int, pairings: list[RoundPairing], points: dict[int, int]
) -> TableRow:
    is_knockout = tournament.terms.system is PairingSystem.KNOCKOUT
    # A free pass of a knockout is no win.
    counted = [one for one in pairings if one.points is not None and (one.room or not is_knockout)]
    scored = [(pairing.opponent_of(number), pairing.points_of(number)) for pairing in counted]
    # A round without a human opponent counts as one against a player with the same points.
    faced = [(points[number if other == NOBODY else other], own) for other, own in scored]
    is_arena = tournament.terms.system is PairingSystem.ARENA
    total, is_on_streak = arena_points(own for _, own in scored) if is_arena else (points[number], False)
    return TableRow(
        place=0,
        entry=number,
        points=total,
        opponents=sum(other for other, _ in faced),
        beaten=sum(other * own for other, own in faced),
        wins=sum(own == 2 for _, own in scored),
        draws=sum(own == 1 for _, own in scored),
        losses=sum(own == 0 for _, own in scored),
        marks=_marks(tournament, number, counted),
        games=tuple(scored),
        is_on_streak=is_on_streak,
    )


def _marks(tournament: PeopleTournament, number: int, counted: list[RoundPairing]) -> tuple[int | None, ...]:
    if tournament.terms.system is PairingSystem.ARENA:
        return ()
    of_round = {pairing.round: pairing.points_of(number) for pairing in counted}
    return tuple(of_round.get(round_) for round_ in range(1, tournament.rounds + 1))


def arena_points(results: Iterable[int]) -> tuple[int, bool]:
    """Return the points of an arena for *results* in half points, and if the player has a streak now.

    After two wins in a row points count double, until a game is not won.

    >>> arena_points([2, 2, 2, 1, 2]), arena_points([2, 0, 2])
    ((12, False), (4, False))
    """
    total, won = 0, 0
    for points in results:
        factor = 2 if won >= STREAK else 1
        total += factor * (0, ARENA_DRAW, ARENA_WIN)[points]
        won = won + 1 if points == 2 else 0
    return total, won >= STREAK


def _order_of(tournament: PeopleTournament) -> Callable[[TableRow], tuple[int, ...]]:
    """Return the key by which rows are ordered. Rows with equal keys share a place."""
    match tournament.terms.system:
        case PairingSystem.ARENA:
            return lambda row: (-row.points, -row.wins)
        case PairingSystem.KNOCKOUT:
            reached = _reached(tournament)
            return lambda row: (-reached.get(row.entry, 0),)
    return lambda row: (-row.points, -row.opponents, -row.beaten, -row.wins)


def _reached(tournament: PeopleTournament) -> dict[int, int]:
    """Return the last round of each player of a knockout, and one more for each winner."""
    reached: dict[int, int] = {}
    for number in range(1, tournament.rounds + 1):
        for games in tournament.tables(number).values():
            reached |= dict.fromkeys(games[-1].players, number)
            winner = tournament.winner_of(games)
            if winner is not None:
                reached[winner] = number + 1
    return reached


def _placed(rows: list[TableRow], order: Callable[[TableRow], tuple[int, ...]]) -> list[TableRow]:
    """Return *rows* in order with their places."""
    placed: list[TableRow] = []
    before: tuple[int, ...] | None = None
    place = 0
    for number, row in enumerate(sorted(rows, key=lambda row: (order(row), row.entry)), 1):
        if order(row) != before:
            place, before = number, order(row)
        placed.append(replace(row, place=place))
    return placed
