"""The requests and responses of the API for tournaments of people."""

from typing import Annotated, Literal

from pydantic import Field

from noughts.arena.tournament.people import (
    MAX_ROUNDS,
    MAX_TITLE,
    EntryState,
    PairingSystem,
    PeoplePhase,
    PeopleTournament,
    RoundPairing,
)
from noughts.arena.tournament.people_director import PeopleEntry
from noughts.arena.tournament.people_repository import StoredPeople
from noughts.arena.tournament.people_standings import TableRow
from noughts.arena.tournament.swiss import NOBODY
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.titles import title_of
from noughts.interfaces.web.api.requests import (
    Key,
    OpeningName,
    PerMoveClock,
    RequestModel,
    Text,
    WholeGameClock,
)
from noughts.interfaces.web.http.replies import Model

MAX_PRESENT = 100
"""The number of games of an arena that are shown, if fewer are being played."""

RESULTS: dict[str, tuple[int, int]] = {"1-0": (2, 0), "draw": (1, 1), "0-1": (0, 2)}
"""The results that an organiser can set, in half points."""


class OpenTournamentRequest(RequestModel):
    """The settings of a new tournament of people."""

    title: Annotated[str, Field(max_length=MAX_TITLE)] = ""
    """The title, such as the name of a class."""
    game: Text
    """A name of the catalogue, or a description such as `7x6:4,gravity`."""
    system: Literal["swiss", "arena", "knockout"] = "swiss"
    """The system by which players are paired."""
    rounds: int = Field(5, ge=1, le=MAX_ROUNDS)
    """The number of rounds of a Swiss tournament."""
    minutes: int = Field(30, ge=1, le=600)
    """The duration of an arena in minutes."""
    clock: WholeGameClock | PerMoveClock = WholeGameClock(base=180_000, increment=2_000)
    """The clock of each game."""
    opening: OpeningName | None = None
    """The opening protocol that settles the sides, or null for none."""
    computer: Text = ""
    """The computer that plays an odd player of a Swiss tournament, or empty for a free point.

    In an arena it plays those for whom nobody is free for 20 seconds. A knockout has no computers.
    """
    starts: int | None = Field(None, ge=0, le=10**14)
    """The planned start in milliseconds since 1970, or null if the organiser starts the tournament."""
    visibility: Literal["link", "public"] = "link"
    """The visibility: `link` for people with its link only, or `public` for the list of tournaments too."""
    key: Key | None = None
    """An idempotency key, kept secret: a repeated request with the same key gives the same tournament."""


class EnterRequest(RequestModel):
    """A request to enter a tournament."""

    name: Text
    """The name of the player. A first name is enough."""
    key: Key | None = None
    """An idempotency key, kept secret: a repeated request with the same key gives the same entry."""


class EntryChange(RequestModel):
    """A change of a player, by the player or the organiser."""

    name: Text | None = None
    """The new name, or null. Players can change theirs until the start."""
    state: Literal["in", "resting", "removed"] | None = None
    """Take part again, rest, or leave for good. Null changes nothing."""


class EmptyRequest(RequestModel):
    """A request without content: `{}`."""


class SecretRequest(RequestModel):
    """A secret that opens a tournament for its player or organiser."""

    token: Annotated[str, Field(max_length=200)]
    """The secret."""


class StartCommand(RequestModel):
    """Start the tournament, or the next round at once."""

    type: Literal["start"]
    """The kind of command."""


class PauseCommand(RequestModel):
    """Begin no more games. Running games continue."""

    type: Literal["pause"]
    """The kind of command."""


class ResumeCommand(RequestModel):
    """Begin games again after a pause."""

    type: Literal["resume"]
    """The kind of command."""


class EndCommand(RequestModel):
    """End the tournament. Games without a result do not count."""

    type: Literal["end"]
    """The kind of command."""


class OpenEntryCommand(RequestModel):
    """Let players enter by the link, or only through the organiser."""

    type: Literal["entry"]
    """The kind of command."""
    is_open: bool
    """Whether players may enter by the link."""


class CorrectCommand(RequestModel):
    """Set the result of a game. The next round gets new pairs if it has no move yet."""

    type: Literal["correct"]
    """The kind of command."""
    pairing: int = Field(ge=1, le=10**9)
    """The number of the game in the tournament."""
    result: Literal["1-0", "draw", "0-1"]
    """The result: the first player wins, a draw, or the second player wins."""


class OrganiserRequest(RequestModel):
    """A command of the organiser."""

    command: Annotated[
        StartCommand | PauseCommand | ResumeCommand | EndCommand | OpenEntryCommand | CorrectCommand,
        Field(discriminator="type"),
    ]
    """The command."""


class OpenedTournament(Model):
    """A tournament that the caller has opened, with the secret of its organiser."""

    code: str
    """The code of the tournament: six letters."""
    token: str
    """The secret of the organiser, which is sent only once."""
    link: str
    """The path of the page for players."""
    organiser_link: str
    """The path of the organiser's page, with the secret."""


class PublicTournament(Model):
    """A tournament of people in the list of tournaments."""

    code: str
    """The code of the tournament."""
    link: str
    """The path of the page for players."""
    title: str
    """The title."""
    game: str
    """The title of the game."""
    system: Literal["swiss", "arena", "knockout"]
    """The system by which players are paired."""
    phase: Literal["open", "playing", "over"]
    """The phase: `open` before the start, `playing` or `over`."""
    players: int
    """The number of players."""
    may_enter: bool
    """Whether players can enter now."""
    starts: int | None
    """The planned start in milliseconds since 1970, or null if the organiser starts the tournament."""

    @classmethod
    def of(cls, stored: StoredPeople, say: Translator, at: int) -> "PublicTournament":
        """Return the entry about *stored* at the instant *at*."""
        tournament = stored.tournament
        terms = tournament.terms
        present = [one for one in tournament.entries.values() if one.state is not EntryState.REMOVED]
        return cls(
            code=stored.code,
            link=f"/t/{stored.code}",
            title=terms.title,
            game=title_of(say, terms.game),
            system=terms.system.value,
            phase=tournament.phase.value,
            players=len(present),
            may_enter=tournament.admits(at),
            starts=terms.starts,
        )


class PublicTournaments(Model):
    """The public tournaments of people."""

    tournaments: list[PublicTournament]
    """Those of the last 30 days: first the ones that have not ended."""


class EnteredTournament(Model):
    """An entry in a tournament, with the secret of the player."""

    number: int
    """The number of the player."""
    name: str
    """The name of the player. A number distinguishes players with one name."""
    token: str
    """The secret of the player, which is sent only once. It also is the token of the player's seats."""


class SeatOfRound(Model):
    """The seat of a player in the present game."""

    room: str
    """The name of the room, empty before the first game."""
    place: int
    """The seat, from 0."""
    token: str
    """The token of the seat."""
    game: str
    """The name of the game."""


class PlayerOfTournament(Model):
    """A player of a tournament."""

    number: int
    """The number of the player, from 1."""
    name: str
    """The name of the player. Names are deleted 30 days after the tournament was opened."""
    state: Literal["in", "resting", "removed"]
    """The state of the player."""
    since: int
    """The number of rounds before the player entered."""


class PairingMessage(Model):
    """A game of a tournament."""

    number: int
    """The number of the game in the tournament."""
    round: int
    """The number of the round, or 1 in an arena."""
    table: int
    """The number of the table."""
    first: int
    """The number of the player with the first move, or 0 for a computer."""
    second: int
    """The number of the other player, or 0 for a computer, a free point or a free pass."""
    points: tuple[float, float] | None
    """The points of both players, or null until the game has ended."""
    has_begun: bool
    """Whether the first move was made."""
    is_corrected: bool
    """Whether the organiser has set the result."""
    room: str
    """The name of the room, empty for a free point or a free pass."""

    @classmethod
    def of(cls, pairing: RoundPairing) -> "PairingMessage":
        """Return the message about *pairing*."""
        first, second = pairing.players
        points = pairing.points
        return cls(
            number=pairing.number,
            round=pairing.round,
            table=pairing.table,
            first=first,
            second=second,
            points=None if points is None else (points[0] / 2, points[1] / 2),
            has_begun=pairing.has_begun,
            is_corrected=pairing.is_corrected,
            room=pairing.room,
        )


class TableRowMessage(Model):
    """A player in the table of a tournament. Equal players share a place."""

    place: int
    """The place, from 1."""
    number: int
    """The number of the player."""
    points: float
    """The points. In an arena, they include the bonus of streaks."""
    opponents: float
    """The sum of the points of all opponents, the first tie-break (Buchholz)."""
    beaten: float
    """The points of beaten opponents and half of those of drawn ones (Sonneborn-Berger)."""
    wins: int
    """The number of wins."""
    draws: int
    """The number of draws."""
    losses: int
    """The number of losses."""
    rounds: list[float | None]
    """The points of each round, or null for a round without a game. Empty in an arena."""

    @classmethod
    def of(cls, row: TableRow, *, is_arena: bool) -> "TableRowMessage":
        """Return the message about *row*."""
        return cls(
            place=row.place,
            number=row.entry,
            points=float(row.points) if is_arena else row.points / 2,
            opponents=row.opponents / 2,
            beaten=row.beaten / 4,
            wins=row.wins,
            draws=row.draws,
            losses=row.losses,
            rounds=[None if mark is None else mark / 2 for mark in row.marks],
        )


class PeopleState(Model):
    """The state of a tournament of people."""

    code: str
    """The code of the tournament: six letters."""
    version: int
    """The version of the state, which grows with each change."""
    title: str
    """The title, such as the name of a class."""
    game: str
    """The name of the game in the catalogue, or a description."""
    game_title: str
    """The title of the game."""
    system: Literal["swiss", "arena", "knockout"]
    """The system by which players are paired."""
    phase: Literal["open", "playing", "over"]
    """The phase of the tournament."""
    is_paused: bool
    """Whether no further games begin until the organiser continues."""
    may_enter: bool
    """Whether players can enter by the link now."""
    round: int
    """The number of the present round, 0 before the first one."""
    rounds: int
    """The number of rounds, or 0 in an arena."""
    starts: int | None
    """The planned start in milliseconds since 1970, or null."""
    ends: int | None
    """The end of a running arena in milliseconds since 1970, or null."""
    now: int
    """The time of the server in milliseconds since 1970."""
    you: int | None
    """The number of the caller's entry, or null."""
    is_organiser: bool
    """Whether the caller is the organiser."""
    players: list[PlayerOfTournament]
    """The players, in the order of their entries."""
    pairings: list[PairingMessage]
    """The games of the present round. Of an arena, the running games and then the newest ones."""

    @classmethod
    def of(
        cls, stored: StoredPeople, say: Translator, at: int, you: int | None, *, is_organiser: bool
    ) -> "PeopleState":
        """Return the state of *stored* at the instant *at* for the entry *you*."""
        tournament = stored.tournament
        terms = tournament.terms
        return cls(
            code=stored.code,
            version=stored.version,
            title=terms.title,
            game=terms.game,
            game_title=title_of(say, terms.game),
            system=terms.system.value,
            phase=tournament.phase.value,
            is_paused=tournament.is_paused,
            may_enter=tournament.admits(at),
            round=tournament.rounds,
            rounds=tournament.count,
            starts=terms.starts,
            ends=None if tournament.phase is PeoplePhase.OVER else tournament.ends,
            now=at,
            you=you,
            is_organiser=is_organiser,
            players=players_of_tournament(stored, say),
            pairings=[PairingMessage.of(pairing) for pairing in present_games(tournament)],
        )


class PeopleResults(Model):
    """The table and all games of a tournament of people."""

    code: str
    """The code of the tournament: six letters."""
    title: str
    """The title of the tournament."""
    is_over: bool
    """Whether the tournament has ended."""
    players: list[PlayerOfTournament]
    """The players, in the order of their entries."""
    table: list[TableRowMessage]
    """The table, best first."""
    pairings: list[PairingMessage]
    """All games, oldest first."""


def present_games(tournament: PeopleTournament) -> list[RoundPairing]:
    """Return the games of the present round, in the order of tables.

    Of an arena, return the running games and then the newest ones.
    """
    if tournament.terms.system is not PairingSystem.ARENA:
        return tournament.round(tournament.rounds)
    games = sorted(tournament.pairings.values(), key=lambda pairing: (not pairing.is_open, -pairing.number))
    return games[: max(MAX_PRESENT, len(tournament.open_pairings))]


def player_name(stored: StoredPeople, number: int, say: Translator) -> str:
    """Return the name of a player, of a computer, or a number for a deleted name."""
    if number == NOBODY:
        return say("people-computer")
    name = stored.people[number].name
    return name or say("people-player", number=number)


def players_of_tournament(stored: StoredPeople, say: Translator) -> list[PlayerOfTournament]:
    """Return the players of *stored*."""
    return [
        PlayerOfTournament(
            number=entry.number,
            name=player_name(stored, entry.number, say),
            state=entry.state.value,
            since=entry.since,
        )
        for entry in stored.tournament.entries.values()
    ]


def opened_tournament(entry: PeopleEntry) -> OpenedTournament:
    """Return the message about a tournament that was opened."""
    link = f"/t/{entry.code}"
    return OpenedTournament(
        code=entry.code, token=entry.token, link=link, organiser_link=f"{link}/organiser#{entry.token}"
    )
