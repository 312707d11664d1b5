"""The choice of the proof to write for a game."""

from typing import IO

from noughts.certificates.by_play import HANDLED, keeps_rules
from noughts.certificates.index import Index
from noughts.certificates.text import FIRST_LINE, VERSION, Writer
from noughts.certificates.verify import MAX_CELLS, PARTS, own_lines
from noughts.core.lines import LineTable, line_table
from noughts.core.symmetry import symmetries
from noughts.errors import UnsupportedRules
from noughts.games.base import Game
from noughts.games.rules import EXTRA_MARK_HELPS, Rules
from noughts.proofs.writer.attack import AttackProof
from noughts.proofs.writer.lines import LinesProof
from noughts.proofs.writer.maps import SymmetryMaps
from noughts.proofs.writer.play import PlayProof
from noughts.proofs.writer.strategy import PATIENCE, Strategy
from noughts.search.analysis import Effort, Limit, Report, no_report
from noughts.search.exact.search import ExactSearch
from noughts.search.numba_backend import Machine


def can_certify(game: Game) -> bool:
    """Return True if there is a kind of proof for the rules of *game* and its board size.

    >>> from noughts import new_game
    >>> [can_certify(new_game(name)) for name in ("qubic", "misere", "connect4", "renju", "reversi", "three")]
    [True, True, True, False, False, False]
    """
    rules = game.rules
    return (
        rules is not None
        and game.facts <= HANDLED
        and len(game.sides) == 2
        and len(game.cells) <= MAX_CELLS
        and line_table(rules.geometry) is not None
        and ExactSearch.supports(game)
    )


def certify(
    game: Game,
    value: str,
    stream: IO[str],
    limit: Limit = Limit(),  # noqa: B008
    report: Report = no_report,
    machine: Machine | None = None,
    exact: ExactSearch | None = None,
    patience: int = PATIENCE,
    index: Index | None = None,
) -> int:
    """Write to *stream* the proof that *game*, at its start, has *value*: first, second or draw.

    Return the number of lines. *exact* is the search that found the value; its stored results save time. The
    proof of an attack starts with the moves of *index*, the index of another proof. With more *patience*, it
    has
    fewer quiet moves. Raises :class:`~noughts.errors.UnsupportedRules` for other rules, and
    :class:`~noughts.search.analysis.LimitReachedError` if *limit* ends the search.
    """
    rules = game.rules
    table = None if rules is None else line_table(rules.geometry)
    if rules is None or table is None or not can_certify(game):
        raise UnsupportedRules("certificate", game.name, "unknown-rules")
    writer = Writer(stream)
    writer.write(FIRST_LINE, VERSION)
    writer.write("game", rules.spec)
    writer.write("value", value)
    maps = _maps(rules)
    writer.write("maps", len(maps.group) - 1)
    for map_ in maps.group[1:]:
        writer.write("map", *(cell + 1 for cell in map_))
    exact = exact or ExactSearch(rules, machine)
    exact.effort = Effort(limit.started(), report)
    for goal, side in PARTS[value]:
        _write_part(game.copy(), table, side, exact, writer, maps, patience, index, wins=goal == "win")
    writer.write("end")
    writer.close()
    return writer.lines


def _maps(rules: Rules) -> SymmetryMaps:
    """Return the symmetries that preserve the rules."""
    group = symmetries(rules.geometry, rules.gravity)
    return SymmetryMaps(group if all(keeps_rules(map_, rules) for map_ in group[1:]) else group[:1])


def _write_part(
    game: Game,
    table: LineTable,
    side: int,
    exact: ExactSearch,
    writer: Writer,
    maps: SymmetryMaps,
    patience: int,
    index: Index | None,
    *,
    wins: bool,
) -> None:
    """Write the proof that side number *side* of *game* wins, or holds."""
    goal = "win" if wins else "hold"
    writer.proved = 0
    if game.facts <= EXTRA_MARK_HELPS and not (side or wins):
        writer.write(goal, side + 1, "steal")
    elif game.facts <= EXTRA_MARK_HELPS or (not wins and _is_stopped(game, 1 - side, exact)):
        writer.write(goal, side + 1, "lines")
        lines = own_lines(game, table), table.masks
        attacking = exact.attacking
        if wins and attacking is not None and attacking.finds_win(game, side, exact.effort):
            strategy = Strategy(attacking, game, side, exact.effort, patience, index)
            AttackProof(game, attacking, strategy, writer, maps, exact.effort).write(*lines)
        else:
            LinesProof(game, side, exact, writer, maps, wins=wins).write(*lines)
    else:
        writer.write(goal, side + 1, "play")
        PlayProof(game, side, exact, writer, maps, wins=wins).write()


def _is_stopped(game: Game, attacker: int, exact: ExactSearch) -> bool:
    """Return True if a search proves that all lines of side number *attacker* can be stopped."""
    return exact.blocking is not None and exact.blocking.holds(game, attacker, exact.effort)
