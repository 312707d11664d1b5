"""Export of a tournament to a file: its table, its games, or a plot."""

import csv
import io
from pathlib import Path

from noughts.arena.stored_game import record_of
from noughts.arena.tournament.plan import TournamentPlan
from noughts.arena.tournament.standings import PlayerStanding
from noughts.arena.tournament.tournament_runner import Tournament
from noughts.drawing.plot import Courses, Estimate, Estimates, write_plot
from noughts.errors import FileRefused, UnsupportedRules, system_reason
from noughts.games.catalogue import new_game
from noughts.interfaces.presenting.i18n import ReadableError, Translator
from noughts.interfaces.presenting.standings_texts import MAX_PAIR, standings_as_json
from noughts.records.files import check_can_write, write_atomically
from noughts.records.record import Record, format_record
from noughts.records.sgf import format_sgf

TABLE, GAMES, SGF = ENDINGS = (".csv", ".jsonl", ".sgf")
"""The endings for the standings, the games with one record per line, and the games in SGF."""

PLOT = ".svg"

FORMULA = ("=", "+", "-", "@")
"""The first characters of a formula in a spreadsheet (OWASP, CSV injection)."""


def check_can_export(say: Translator, path: Path, plan: TournamentPlan) -> None:
    """Check that *path* can be written, and that all games of *plan* fit its format."""
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise ReadableError(say("usage-export-tournament", choices=list(ENDINGS)))
    for name in plan.games if ending == SGF else ():
        try:
            format_sgf(Record(game=name, players=dict.fromkeys(new_game(name).sides, "")))
        except UnsupportedRules:
            raise ReadableError(say("export-no-sgf", game=name, ending=GAMES)) from None
    try:
        check_can_write(path)
    except OSError as error:
        raise FileRefused(str(path), system_reason(error)) from None


def export_tournament(tournament: Tournament, path: Path) -> None:
    """Write the table or the games of *tournament* to *path*, depending on its ending. Raises FileRefused."""
    texts = {TABLE: _table, GAMES: _games, SGF: _sgf}
    try:
        write_atomically(path, texts[path.suffix.lower()](tournament))
    except OSError as error:
        raise FileRefused(str(path), system_reason(error)) from None


def _table(tournament: Tournament) -> str:
    rows = standings_as_json(tournament.tally.table())["standings"]
    for row in rows:
        row["name"] = harmless(row["name"])
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


def harmless(name: str) -> str:
    """Return *name* with an apostrophe if a spreadsheet would read it as a formula.

    >>> harmless("=1+1"), harmless("Ada")
    ("'=1+1", 'Ada')
    """
    return f"'{name}" if name.startswith(FORMULA) else name


def _records(tournament: Tournament) -> list[Record]:
    """Return the records of the games that count."""
    games = tournament.tournaments.games(tournament.number, tournament.ids)
    return [record_of(stored) for _, stored in games]


def _games(tournament: Tournament) -> str:
    return "".join(f"{format_record(record)}\n" for record in _records(tournament))


def _sgf(tournament: Tournament) -> str:
    return "".join(map(format_sgf, _records(tournament)))


def check_can_plot(say: Translator, path: Path) -> None:
    """Check that a plot can be written to *path*."""
    if path.suffix.lower() != PLOT:
        raise ReadableError(say("usage-plot"))
    try:
        check_can_write(path)
    except OSError as error:
        raise FileRefused(str(path), system_reason(error)) from None


def plot_tournament(say: Translator, tournament: Tournament, path: Path) -> None:
    """Write a picture of the ratings, with intervals, and of the course of the test to *path*.

    Raises FileRefused.
    """
    standings, tally = tournament.tally.table(), tournament.tally
    is_rated = len(standings.players) > MAX_PAIR
    rows = [_rated(player) if is_rated else _compared(player) for player in standings.players]
    plots: list[Courses | Estimates] = [Estimates(say("column-rating" if is_rated else "column-elo"), rows)]
    if (decision := standings.decision) is not None:
        course = [(0.0, 0.0), *((float(pair), ratio) for pair, ratio in enumerate(tally.course, 1))]
        rules = {f"elo0: {decision.low:.2f}": decision.low, f"elo1: {decision.high:.2f}": decision.high}
        plots.append(Courses(say("plot-test"), {standings_pair(tournament): course}, rules))
    try:
        write_atomically(path, write_plot(plots))
    except OSError as error:
        raise FileRefused(str(path), system_reason(error)) from None


def standings_pair(tournament: Tournament) -> str:
    """Return the names of the two players of a test."""
    return " - ".join(player.name for player in tournament.plan.players)


def _rated(player: PlayerStanding) -> Estimate:
    if (rating := player.rating) is None:
        return Estimate(player.name, None, 0.0, 0.0)
    return Estimate(player.name, rating.elo, rating.elo - rating.error, rating.elo + rating.error)


def _compared(player: PlayerStanding) -> Estimate:
    elo = player.elo
    return Estimate(player.name, elo.middle if player.results.total else None, elo.low, elo.high)
