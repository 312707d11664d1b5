"""How a tournament stands, in a table."""

from noughts.arena.tournament.standings import Standings
from noughts.interfaces.console.tables import table
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.ranking import ranking, remarks


def standings_lines(say: Translator, standings: Standings, width: int, *, is_over: bool = True) -> list[str]:
    """The lines of the table, and under it what else there is to say; if it *is_over*, how to go on."""
    headings, rows = ranking(say, standings)
    lines = [*table(headings, rows, width), *remarks(say, standings)]
    if standings.missing and is_over:
        lines.append(say.plural("tournament-missing", standings.missing))
    return lines
