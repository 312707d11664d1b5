"""The standings of a tournament as a table."""

from collections.abc import Sequence
from itertools import chain

from noughts.arena.tournament.plan import TournamentPlan
from noughts.arena.tournament.standings import Standings
from noughts.interfaces.console.tables import table
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.standings_texts import ranking, remarks
from noughts.interfaces.presenting.titles import title_of
from noughts.text import wrap


def standings_lines(say: Translator, standings: Standings, width: int, *, is_over: bool = True) -> list[str]:
    """Return the lines of the table and the remarks, and how to resume if it *is_over*.

    The ratings are left out if names would be cut otherwise, since players must stay distinct.
    """
    headings, rows = ranking(say, standings)
    if table(headings, rows, width) != table(headings, rows):
        headings, rows = ranking(say, standings, is_rated=False)
    lines = [
        *table(headings, rows, width),
        *chain.from_iterable(wrap(one, width) for one in remarks(say, standings)),
    ]
    if standings.missing and is_over:
        lines.append(say.plural("tournament-missing", standings.missing))
    return lines


def playing_line(say: Translator, plan: TournamentPlan, numbers: Sequence[int]) -> str:
    """Return the line about the running games: those of *plan* with the *numbers*."""
    games = []
    for planned in map(plan.game, sorted(numbers)):
        first, second = (plan.players[place].name for place in planned.players)
        games.append(say("tournament-pairing", first=first, second=second, game=title_of(say, planned.game)))
    return say("tournament-playing", games=say.listed(games)) if games else ""
