"""The pages of tournaments of people: for players, for the organiser, and for a projector."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

from starlette.requests import Request

from noughts.arena.clock import Clock
from noughts.arena.rooms.keys import CODE_LENGTH, key_of_game
from noughts.arena.rooms.models import Phase, RoomView
from noughts.arena.stored_game import PUBLIC
from noughts.arena.tournament.people import (
    DRAW,
    EntryState,
    PairingSystem,
    PeopleEvent,
    PeoplePhase,
    RoundPairing,
)
from noughts.arena.tournament.people_repository import StoredPeople
from noughts.arena.tournament.people_standings import TableRow, table_of
from noughts.arena.tournament.swiss import NOBODY
from noughts.drawing.svg import MAX_CELLS
from noughts.errors import NotFound, NoughtsError
from noughts.games.catalogue import new_game
from noughts.interfaces.presenting.choices import CLOCKS
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.titles import title_of
from noughts.interfaces.web.api.people import TournamentVisitor, find_tournament, visitor_of
from noughts.interfaces.web.api.people_models import PublicTournament, player_name, present_games
from noughts.interfaces.web.caches import SizedCache
from noughts.interfaces.web.http.middleware import address_of
from noughts.interfaces.web.http.replies import ApiError, translator_for
from noughts.interfaces.web.pages.tiles import draw_tile, symbols
from noughts.interfaces.web.service import Service

ON_SCREEN = 10
"""The number of places, and of tables, that a projector shows at once."""

SHOWN_IN_MARGIN = 10
"""The number of places beside a player's page."""

LOGGED = 30
"""The number of entries in the organiser's log."""

MAX_CACHED = 64
"""The largest number of tournaments with cached tables."""

FIRST_PLACES = (2, 1, 3)
"""The order of the steps of the podium."""

_tables = SizedCache[tuple[str, int], list[TableRow]](MAX_CACHED)


def rows_of(stored: StoredPeople) -> list[TableRow]:
    """Return the table of *stored*, which is counted once for each version."""
    key = (stored.code, stored.version)
    rows = _tables.get(key)
    if rows is None:
        rows = table_of(stored.tournament)
        _tables.put(key, rows)
    return rows


def halves(points: int) -> str:
    """Return half points as a number with a fraction.

    >>> halves(9), halves(1), halves(0)
    ('4½', '½', '0')
    """
    whole, half = divmod(points, 2)
    return (str(whole) if whole or not half else "") + ("½" if half else "")


def result_text(points: tuple[int, int]) -> str:
    """Return the result of a game.

    >>> result_text((2, 0)), result_text((1, 1))
    ('1 : 0', '½ : ½')
    """
    return f"{halves(points[0])} : {halves(points[1])}"


def clock_text(clock: Clock, say: Translator) -> str:
    """Return *clock* in a few words."""
    for name, known in CLOCKS.items():
        if known == clock:
            return say(f"clock-{name}")
    if clock.per_move is not None:
        return say("people-clock-move", seconds=f"{clock.per_move / 1000:g}")
    minutes = f"{(clock.base or 0) / 60_000:g}"
    return say("people-clock-game", minutes=minutes, seconds=f"{clock.increment / 1000:g}")


class PeoplePage:
    """The content of the pages of one tournament, for one visitor in one language."""

    def __init__(
        self, service: Service, stored: StoredPeople, visitor: TournamentVisitor, say: Translator
    ) -> None:
        self.service, self.stored, self.visitor, self.say = service, stored, visitor, say
        self.tournament, self.at = stored.tournament, service.now()
        self.terms = stored.tournament.terms
        self.is_arena = self.terms.system is PairingSystem.ARENA
        self.is_knockout = self.terms.system is PairingSystem.KNOCKOUT

    def name(self, number: int) -> str:
        """Return the name of a player."""
        return player_name(self.stored, number, self.say)

    def common(self) -> dict[str, Any]:
        """Return the facts that all pages show."""
        say, tournament = self.say, self.tournament
        return {
            "code": self.stored.code,
            "title": self.terms.title,
            "game": self.terms.game,
            "is_public": self.terms.visibility == PUBLIC,
            "facts": self._facts(),
            "about": self._about(),
            "between": say("between-sentences").strip("|"),
            "phase": tournament.phase.value,
            "system": self.terms.system.value,
            "version": self.stored.version,
            "is_paused": tournament.is_paused,
            "may_enter": tournament.admits(self.at),
            "starts": self.terms.starts if tournament.phase is PeoplePhase.OPEN else None,
            "ends": tournament.ends if tournament.phase is PeoplePhase.PLAYING else None,
            "now": self.at,
            "heading": self._heading(),
            "here": say.plural("people-here", len(self._players())),
            "players": self._players(),
            "how": self._how(),
            "has_points": not self.is_knockout,
            "tie": say(f"people-tie-{self.terms.system}"),
            "symbols": symbols(),
            "is_organiser": self.visitor.is_organiser,
            "you": self.visitor.entry,
        }

    def _facts(self) -> str:
        say, terms = self.say, self.terms
        data = {"game": title_of(say, terms.game), "clock": clock_text(terms.clock, say)}
        match terms.system:
            case PairingSystem.SWISS:
                return say.plural("people-facts-swiss", terms.rounds, **data)
            case PairingSystem.ARENA:
                return say.plural("people-facts-arena", terms.minutes, **data)
        return say("people-facts-knockout", **data)

    def _about(self) -> str:
        """Return the title and the facts, or only the facts if the title is the heading."""
        if self.tournament.phase is PeoplePhase.OPEN:
            return self._facts()
        return self.say("people-about-title", title=self.terms.title, facts=self._facts())

    def row(self, at: int) -> dict[str, Any]:
        """Return the facts for the list of tournaments at the instant *at*."""
        say, entry = self.say, PublicTournament.of(self.stored, self.say, at)
        state = say("people-list-open") if self.tournament.phase is PeoplePhase.OPEN else self._heading()
        if self.tournament.phase is PeoplePhase.PLAYING and entry.may_enter:
            state = say("people-list-enter", stage=state)
        return {**entry.model_dump(), "system": say(f"people-system-{entry.system}"), "state": state}

    def _heading(self) -> str:
        say, tournament = self.say, self.tournament
        if tournament.phase is PeoplePhase.OVER:
            return self._winner()
        if tournament.phase is PeoplePhase.OPEN:
            return self.terms.title
        if self.is_arena:
            return say("people-arena-runs")
        return say("people-round-of", round=max(1, tournament.rounds), rounds=tournament.count)

    def _winner(self) -> str:
        winners = [self.name(row.entry) for row in rows_of(self.stored) if row.place == 1]
        if not self.tournament.has_result or len(winners) > len(FIRST_PLACES):
            return self.say("people-over")
        if len(winners) == 1:
            return self.say("people-winner", name=winners[0])
        return self.say("people-winners", names=self.say.listed(winners))

    def _players(self) -> list[dict[str, Any]]:
        return [
            {"number": entry.number, "name": self.name(entry.number), "state": entry.state.value}
            for entry in self.tournament.entries.values()
            if entry.state is not EntryState.REMOVED
        ]

    def _how(self) -> list[str]:
        say, system = self.say, self.terms.system
        rules = [say(f"people-about-{system}")]
        if self.is_knockout:
            rules.append(say("people-how-odd-knockout"))
        else:
            odd = f"{system}-computer" if self.terms.computer else f"{system}-none"
            rules.append(say("people-how-points-arena" if self.is_arena else "people-how-points"))
            rules.append(say(f"people-how-odd-{odd}"))
        return [*rules, say("people-how-lost")]

    # Tables

    def tables(self) -> list[dict[str, Any]]:
        """Return the games of the present round. In an arena, return the running ones and then the newest."""
        return [self._table(pairing) for pairing in present_games(self.tournament)]

    def _earlier(self) -> list[dict[str, Any]]:
        """Return the games of the round before the present one, whose results can still be corrected."""
        last = 0 if self.is_arena else self.tournament.rounds - 1
        return [self._table(pairing) for pairing in self.tournament.round(last)]

    def _table(self, pairing: RoundPairing) -> dict[str, Any]:
        first, second = pairing.players
        points = pairing.points
        sides = self.marks()
        return {
            "number": pairing.number,
            "table": pairing.table,
            "marks": sides,
            "first": self.name(first),
            "second": self.name(second) if pairing.room else "",
            "is_pass": not pairing.room,
            "won": 0 if points is None or points == DRAW else (1 if points[0] else 2),
            "is_open": points is None,
            "result": self._result(pairing),
            "value": "" if points is None else ("0-1", "draw", "1-0")[points[0]],
            "is_yours": self.visitor.entry is not None and self.visitor.entry in pairing.players,
            "again": self.tournament.can_pair_again(pairing),
        }

    def marks(self) -> tuple[str, str]:
        """Return the marks of the first and the second player."""
        first, second = new_game(self.terms.game).sides
        return first, second

    def _result(self, pairing: RoundPairing) -> str:
        if not pairing.room:
            return self.say("people-free-pass" if self.is_knockout else "people-free-point")
        if pairing.points is not None:
            return result_text(pairing.points)
        return "–" if self.tournament.phase is PeoplePhase.OVER else self.say("people-playing")

    def standings(self, most: int | None = None) -> list[dict[str, Any]]:
        """Return the first *most* rows of the table."""
        return [self._standing(row) for row in rows_of(self.stored)[:most]]

    def _standing(self, row: TableRow) -> dict[str, Any]:
        return {
            "place": row.place,
            "name": self.name(row.entry),
            "points": str(row.points) if self.is_arena else halves(row.points),
            "rounds": " ".join("–" if mark is None else halves(mark) for mark in row.marks),
            "opponents": halves(row.opponents),
            "wins": row.wins,
            "draws": row.draws,
            "losses": row.losses,
            "is_yours": row.entry == self.visitor.entry,
            "is_on_streak": row.is_on_streak,
        }

    # The page of a player

    def player(self) -> dict[str, Any]:
        """Return the context of the page of a player, or of a possible player."""
        shown = self.common()
        begun = self.tournament.phase is not PeoplePhase.OPEN
        own = None if self.visitor.entry is None else self._own(self.visitor.entry)
        return {
            **shown,
            "own": own,
            "tables": self.tables() if self.tournament.phase is PeoplePhase.PLAYING else [],
            "rows": self.standings(None if self.tournament.phase is PeoplePhase.OVER else SHOWN_IN_MARGIN)
            if begun
            else [],
            "podium": self.podium(),
            "next": self._next() if self.tournament.phase is PeoplePhase.PLAYING else "",
            "lead": self._lead(),
            "has_rounds": not self.is_arena,
            "has_opponents": self.terms.system is PairingSystem.SWISS,
        }

    def _lead(self) -> str:
        """Return the heading for a visitor without a game."""
        say, phase, entry = self.say, self.tournament.phase, self.visitor.entry
        if entry is None:
            return self._heading()
        state = self.tournament.entries[entry].state
        if state is EntryState.REMOVED:
            return say("people-you-are-out")
        if phase is PeoplePhase.OVER:
            return self._heading()
        if state is EntryState.RESTING:
            return say("people-you-rest")
        if phase is PeoplePhase.OPEN:
            return say("people-in")
        if lost := self._lost_in(entry):
            return say("people-knocked-out", round=lost)
        return say("people-you-wait-arena" if self.is_arena else "people-you-wait")

    def _lost_in(self, entry: int) -> int:
        """Return the round of a knockout in which *entry* went out, or 0."""
        if not self.is_knockout or not (own := self.tournament.of(entry)):
            return 0
        games = self.tournament.tables(own[-1].round)[own[-1].table]
        return own[-1].round if self.tournament.winner_of(games) not in (None, entry) else 0

    def _next(self) -> str:
        say, tournament = self.say, self.tournament
        if tournament.is_paused:
            return say("people-is-paused")
        if self.is_arena:
            waits = say("people-arena-wait")
            return say.joined([waits, say("people-how-odd-arena-computer")]) if self.terms.computer else waits
        if tournament.rounds >= tournament.count:
            return say("people-last-round")
        return say("people-next-when-done" if tournament.open_pairings else "people-next-soon")

    def _own(self, entry: int) -> dict[str, Any]:
        """Return the facts about the visitor: the present game, the place, and the own games."""
        row = next((row for row in rows_of(self.stored) if row.entry == entry), None)
        state = self.tournament.entries[entry].state
        return {
            "name": self.name(entry),
            "state": state.value,
            "may_leave": self._is_taking_part(entry),
            "may_rest": self.tournament.phase is PeoplePhase.PLAYING and self._may_rest(state),
            "row": None if row is None else self._standing(row),
            "count": self.say.plural("people-of-count", len(self._players())),
            "game": self._own_game(entry),
            "games": self._own_games(entry) if self.tournament.phase is PeoplePhase.OVER else [],
        }

    def _is_taking_part(self, entry: int) -> bool:
        """Return True if *entry* can have further games."""
        if self.tournament.phase is PeoplePhase.OVER or self._lost_in(entry):
            return False
        return self.tournament.entries[entry].state is not EntryState.REMOVED

    def _may_rest(self, state: EntryState) -> bool:
        """Return True if a player can begin or end a rest. A rest in a knockout loses the next round."""
        return state is EntryState.RESTING or (state is EntryState.IN and not self.is_knockout)

    def _own_game(self, entry: int) -> dict[str, Any] | None:
        """Return the game of *entry* in the present round, or the last one of an arena.

        The text of the table is empty if the player has a free point or a free pass.
        """
        games = [
            pairing
            for pairing in self.tournament.of(entry)
            if self.is_arena or pairing.round == self.tournament.rounds
        ]
        if not games or self.tournament.phase is not PeoplePhase.PLAYING:
            return None
        pairing, say = games[-1], self.say
        opponent, place = pairing.opponent_of(entry), pairing.players.index(entry)
        mark = self.marks()[place]
        head = say("people-you-play", mark=mark)
        if not pairing.room:
            head = say("people-you-pass-knockout" if self.is_knockout else "people-you-pass")
        elif pairing.points is not None:
            head = say(("people-you-lost", "people-you-drew", "people-you-won")[pairing.points[place]])
        return {
            "mark": mark,
            "head": head,
            "against": self._against(opponent) if pairing.room else "",
            "table": say("people-table", number=pairing.table) if pairing.room else "",
            "is_open": pairing.is_open,
            "about": self._presence(pairing, opponent) if pairing.is_open else self._after(pairing, entry),
        }

    def _after(self, pairing: RoundPairing, entry: int) -> str:
        """Return the sentences about the time after the game of *entry* in the present round."""
        if not self.is_knockout or not pairing.room:
            return self._next()
        say, is_out = self.say, bool(self._lost_in(entry))
        games = self.tournament.tables(pairing.round)[pairing.table]
        if pairing.points != DRAW:
            return say("people-knocked-out-now") if is_out else self._next()
        if self.tournament.winner_of(games) is None:
            return say("people-drawn-again")
        lot = say("people-lot-against" if is_out else "people-lot-for")
        return say.joined([lot, say("people-knocked-out-now") if is_out else self._next()])

    def _against(self, opponent: int) -> str:
        if opponent == NOBODY:
            return self.say("people-against-computer")
        return self.say("people-against", name=self.name(opponent))

    def _presence(self, pairing: RoundPairing, opponent: int) -> str:
        if pairing.has_begun:
            return self.say("people-game-runs")
        if opponent == NOBODY:
            return self.say("people-opponent-computer")
        view = self.service.rooms.known(pairing.room, 0)
        is_here = view is not None and pairing.players.index(opponent) in view.present
        about = "people-opponent-here" if is_here else "people-opponent-away"
        return self.say(about, name=self.name(opponent))

    def _own_games(self, entry: int) -> list[dict[str, Any]]:
        return [
            {
                "round": self.say("people-round-number", number=pairing.round),
                "players": f"{self.name(pairing.players[0])} – {self.name(pairing.players[1])}",
                "result": self._result(pairing),
                "link": f"/g/{pairing.game}?key={key_of_game(pairing.room, pairing.game)}",
            }
            for pairing in self.tournament.of(entry)
            if pairing.game is not None and not pairing.is_open
        ]

    def podium(self) -> list[dict[str, Any]]:
        """Return the steps of the podium from left to right. Equal places share a step."""
        if self.tournament.phase is not PeoplePhase.OVER or not self.tournament.has_result:
            return []
        steps = []
        for place in FIRST_PLACES:
            rows = [row for row in rows_of(self.stored) if row.place == place]
            if rows and len(rows) <= len(FIRST_PLACES):
                shown = self._standing(rows[0])
                names = [self.name(row.entry) for row in rows]
                points = "" if self.terms.system is PairingSystem.KNOCKOUT else shown["points"]
                steps.append({"place": place, "names": names, "points": points})
        return steps

    # The projector

    def screen(self) -> dict[str, Any]:
        """Return the context of the projector: the link, then rounds and a board, and the podium."""
        tables = self.tables() if self.tournament.phase is PeoplePhase.PLAYING else []
        playing = [table for table in tables if table["is_open"]]
        rows = self.standings()
        pages = [tables[at : at + ON_SCREEN] for at in range(0, len(tables), ON_SCREEN)]
        places = [rows[at : at + ON_SCREEN] for at in range(0, len(rows), ON_SCREEN)]
        games = [table for table in tables if not table["is_pass"]]
        still = self.say.plural("people-still", len(playing), total=len(games)) if games else ""
        return {
            **self.common(),
            "pages": pages or [[]],
            "places": places or [[]],
            "still": still,
            "featured": self.featured(),
            "left": self._time_left(),
            "podium": self.podium(),
            "spelled": list(self.stored.code),
        }

    def _open_views(self) -> list[tuple[RoundPairing, RoomView]]:
        views = []
        for pairing in self.tournament.open_pairings:
            view = self.service.rooms.known(pairing.room, 0)
            if view is not None and view.phase is Phase.PLAYING:
                views.append((pairing, view))
        return views

    def _time_left(self) -> int | None:
        """Return the longest time in milliseconds that the games can still take, without increments."""
        if self.tournament.phase is not PeoplePhase.PLAYING:
            return None
        if self.tournament.ends is not None:
            return max(0, self.tournament.ends - self.at)
        lefts = [
            sum(view.match.time_left(side, view.instant(self.at)) or 0 for side in view.match.game.sides)
            for _, view in self._open_views()
            if view.match.clock.base is not None
        ]
        return max(lefts, default=None)

    def featured(self) -> dict[str, Any] | None:
        """Return the running game at the first table that has moves, or of the first table."""
        views = self._open_views()
        if not views:
            return None
        pairing, view = next((one for one in views if one[1].match.game.ply), views[0])
        match = view.match
        is_small = len(match.game.cells) <= MAX_CELLS
        return {
            "table": self.say("people-table", number=pairing.table),
            "move": self.say("people-move-number", number=match.game.ply),
            "picture": draw_tile(match.game, f"table-{pairing.number}", shows_last=True) if is_small else "",
            "players": [
                self._featured_player(view, self.name(pairing.players[place]), side)
                for place, side in view.sides.items()
            ],
        }

    def _featured_player(self, view: RoomView, name: str, side: str) -> dict[str, Any]:
        match = view.match
        return {
            "side": side,
            "name": name,
            "left": match.time_left(side, view.instant(self.at)),
            "is_running": match.running == side,
            "is_to_move": match.turn == side,
        }

    # The organiser

    def organiser(self) -> dict[str, Any]:
        """Return the context of the page of the organiser. It has no content for other visitors."""
        if not self.visitor.is_organiser:
            return {**self.common(), "may_organise": False}
        tournament = self.tournament
        is_round_open = bool(tournament.open_pairings)
        return {
            **self.common(),
            "may_organise": True,
            "tables": self.tables() if tournament.phase is not PeoplePhase.OPEN else [],
            "earlier": self._earlier(),
            "is_round_open": is_round_open,
            "next_round": tournament.rounds + 1,
            "is_last": tournament.rounds >= tournament.count and not self.is_arena,
            "has_rounds": not self.is_arena,
            "absent": self._absent(),
            "log": self._log(),
            "is_open_to_all": tournament.is_open_to_all,
            "late_about": self.say(f"people-late-about-{self.terms.system}"),
            "may_add": tournament.admits(self.at, by_organiser=True),
            "left": self._time_left(),
            "rows": self.standings(),
        }

    def _absent(self) -> list[dict[str, Any]]:
        """Return the resting players, and those without a phone at their running games."""
        away = set()
        for pairing, view in self._open_views():
            away |= {entry for place, entry in enumerate(pairing.players) if place not in view.present}
        states = {EntryState.RESTING: "people-rests", EntryState.REMOVED: "people-is-out"}
        absent = []
        for entry in self.tournament.entries.values():
            about = states.get(entry.state, "people-away" if entry.number in away else "")
            if about:
                named = {"number": entry.number, "name": self.name(entry.number)}
                facts = {"state": entry.state.value, "may_rest": self._may_rest(entry.state)}
                absent.append({**named, **facts, "about": self.say(about)})
        return absent

    def _log(self) -> list[dict[str, Any]]:
        lines: list[dict[str, Any]] = []
        for event in reversed(self.stored.log):
            text = self._logged(event)
            if text and len(lines) < LOGGED:
                lines.append({"at": event.at, "iso": _iso(event.at), "text": text})
        return lines

    def _logged(self, event: PeopleEvent) -> str:
        data, say = event.data, self.say
        match event.kind:
            case "started" | "paused" | "resumed" | "ended" | "retitled" | "unlisted":
                return say(f"people-log-{event.kind}")
            case "paired" | "withdrawn" if not self.is_arena:
                return say(f"people-log-{event.kind}", number=data["round"])
            case "corrected":
                first, second = data["points"]
                pairing = self.tournament.pairings.get(data["pairing"])
                table = pairing.table if pairing is not None else data["pairing"]
                return say("people-log-corrected", number=table, result=result_text((first, second)))
            case "removed" | "rested" | "returned":
                return say(f"people-log-{event.kind}", name=self.name(data["entry"]))
        return ""


def _iso(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).isoformat()


def _shower(make: Callable[[PeoplePage], dict[str, Any]]) -> Callable[[Request], Awaitable[dict[str, Any]]]:
    async def context(request: Request) -> dict[str, Any]:
        service: Service = request.app.state.service
        try:
            stored = await find_tournament(request, service, request.path_params["code"])
        except NotFound:
            raise ApiError(404, "no-such-path") from None
        except ApiError:
            raise
        except NoughtsError:
            raise ApiError(503, "server-busy", seconds=5) from None
        page = PeoplePage(service, stored, visitor_of(request, stored), translator_for(request))
        return await service.work.write(address_of(request), partial(make, page))

    return context


context_of_player = _shower(PeoplePage.player)
context_of_screen = _shower(PeoplePage.screen)
context_of_organiser = _shower(PeoplePage.organiser)


def is_code(text: str) -> bool:
    """Return True if *text* can be the code of a tournament in an address."""
    return len(text) == CODE_LENGTH and text.isascii() and text.isalpha() and text.isupper()
