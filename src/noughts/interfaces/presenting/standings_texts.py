"""The standings of a tournament: columns and rows for people, an object for scripts."""

from math import inf, isfinite
from typing import Any

from noughts.arena.tournament.scores import Interval
from noughts.arena.tournament.standings import (
    FAULTS,
    MAX_FAULTS,
    RESULTS,
    Decision,
    PlayerStanding,
    Standings,
)
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.titles import title_of

COUNTS = (*reversed(RESULTS), *FAULTS)
"""The counts of each player, in the order in which they are shown."""

MAX_PAIR = 2
"""The maximum number of players that are only compared.

More players also get ratings.
"""


def standings_as_json(standings: Standings) -> dict[str, Any]:
    """Return *standings* for scripts. Infinite and missing numbers are null."""
    decision = standings.decision
    return {
        "standings": [_standing_as_json(standing) for standing in standings.players],
        "pairs": list(standings.pairs.counts),
        "sprt": None if decision is None else _decision_as_json(decision),
        "missing": standings.missing,
        "distinct": standings.distinct,
        "broken": sum(count for _, count in standings.broken),
    }


def _standing_as_json(standing: PlayerStanding) -> dict[str, Any]:
    elo, rating = standing.elo, standing.rating
    numbers = {"elo": elo.middle if standing.results.total else inf, "low": elo.low, "high": elo.high}
    return {
        "name": standing.name,
        **{name: number if isfinite(number) else None for name, number in numbers.items()},
        "los": standing.results.superiority(),
        **{name: standing.counts[name] for name in COUNTS},
        "rating": None if rating is None else rating.elo,
        "rating_error": None if rating is None else rating.error,
        "suspended": standing.is_suspended,
        "distinct": standing.distinct,
    }


def _decision_as_json(decision: Decision) -> dict[str, Any]:
    return {
        "llr": decision.log_ratio,
        "lower": decision.low,
        "upper": decision.high,
        "decision": decision.decided,
    }


def ranking(
    say: Translator, standings: Standings, *, is_rated: bool = True
) -> tuple[list[str], list[list[str | int]]]:
    """Return the headings of the columns in use and the rows, the best player first.

    Ratings are left out unless *is_rated*. The number of different games is shown if it is smaller than the
    number of games.
    """
    names = [
        *("player", "elo", "interval", "los", "wins", "draws", "losses", "distinct"),
        *("crashes", "timeouts", "illegal", "rating"),
    ]
    left_out = {fault for fault in FAULTS if not any(one.counts[fault] for one in standings.players)}
    if all(one.distinct == one.played for one in standings.players):
        left_out.add("distinct")
    if len(standings.players) <= MAX_PAIR or not is_rated:
        left_out.add("rating")
    shown = [place for place, name in enumerate(names) if name not in left_out]
    rows = [[row[place] for place in shown] for row in map(_row, standings.players)]
    return [say(f"column-{names[place]}") for place in shown], rows


def remarks(say: Translator, standings: Standings) -> list[str]:
    """Return remarks: copies of games, too little evidence, faulty packages, stopped players, the test."""
    too_few = any(standing.results.superiority() is None for standing in standings.players)
    sentences = [say("ranking-too-few", column=say("column-los"))] if too_few else []
    if standings.distinct < standings.played:
        sentences.insert(0, say.plural("tournament-copies", standings.played, distinct=standings.distinct))
    sentences += [
        say.plural("tournament-broken", count, game=title_of(say, game)) for game, count in standings.broken
    ]
    if suspended := [standing.name for standing in standings.players if standing.is_suspended]:
        sentences.append(say.plural("tournament-suspended", MAX_FAULTS, names=suspended))
    if (decision := standings.decision) is not None:
        facts = {"ratio": decision.log_ratio, "low": decision.low, "high": decision.high}
        spelled = {name: f"{number:.2f}" for name, number in facts.items()}
        sentences.append(say(f"sprt-{decision.decided or 'open'}", **spelled))
    return sentences


def _row(standing: PlayerStanding) -> list[str | int]:
    elo, superiority = standing.elo, standing.results.superiority()
    los = "-" if superiority is None else f"{superiority:.1%}"
    results, faults = ([standing.counts[name] for name in names] for names in (reversed(RESULTS), FAULTS))
    spelled = (_signed(elo.middle), _spelled_interval(elo)) if standing.results.total else ("-", "-")
    return [standing.name, *spelled, los, *results, standing.distinct, *faults, _spelled_rating(standing)]


def _signed(number: float) -> str:
    return f"{round(number):+d}" if isfinite(number) else "∞" if number > 0 else "-∞"


def _spelled_interval(elo: Interval) -> str:
    return f"{_signed(elo.low)}..{_signed(elo.high)}"


def _spelled_rating(standing: PlayerStanding) -> str:
    rating = standing.rating
    return "-" if rating is None else f"{round(rating.elo):+d} ±{rating.error:.0f}"
