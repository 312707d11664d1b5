"""The output of ``solve`` and ``analyse`` at the console."""

from collections.abc import Mapping, Sequence

from noughts.games.base import Game, Move
from noughts.games.catalogue import name_of
from noughts.games.known_results import known_result
from noughts.interfaces.console.prompts import Conversation, show_board
from noughts.interfaces.console.tables import table_of_texts
from noughts.interfaces.console.terminal import Terminal
from noughts.interfaces.presenting.analysis_texts import (
    first_side_value,
    say_no_value,
    say_reason,
    say_value,
    value_label,
    value_view,
)
from noughts.interfaces.presenting.i18n import MAX_LISTED, Translator
from noughts.interfaces.presenting.known_result_texts import say_known
from noughts.interfaces.presenting.move_names import Names
from noughts.search.analysis import Analysis, MoveValue, own_moves
from noughts.search.analyst import cannot_lose
from noughts.search.exact.search import MAX_CELLS
from noughts.search.explain.reasons import MoveReason
from noughts.text import display_width

MAX_ROWS = 12
"""The maximum number of rows in the table of moves.

The rest is counted.
"""


def print_solution(
    say: Translator, game: Game, analysis: Analysis, seconds: float, *, can_solve: bool
) -> None:
    """Print the winner of *game* from its start. Mention more time only if a search *can_solve* it."""
    talk = Conversation(Terminal(), say)
    names = Names(game)
    talk.sentence(_solution(say, game, analysis))
    if analysis.best is not None and analysis.value is not None:
        talk.write_message("analysis-best", move=names.phrase(analysis.best))
        _print_line(talk, names, analysis)
        if analysis.is_told:
            talk.write_message("solve-kept", game=name_of(game))
    if analysis.value is None:
        if known_result(game).value is not None:
            talk.sentence(say_known(say, game))
        talk.sentence(say("analysis-unproved") if can_solve else _say_unsolved(say, game))
    talk.write_message("analysis-effort", nodes=analysis.nodes, seconds=f"{seconds:.2f}")


def _say_unsolved(say: Translator, game: Game) -> str:
    """Return the reason why no search can find the winner of *game*."""
    if len(game.cells) > MAX_CELLS:
        return say("solve-too-large", most=MAX_CELLS)
    return say_no_value(say, game)


def _solution(say: Translator, game: Game, analysis: Analysis) -> str:
    value = first_side_value(game, analysis.value)
    facts = {"game": name_of(game), "side": game.sides[-1 if value == "second" else 0]}
    if len(game.sides) == 1:
        value = "alone" if value == "first" else "unknown"
    if analysis.cannot_lose:
        return say("solve-cannot-lose" if cannot_lose(game) else "solve-cannot-lose-bare", **facts)
    if analysis.cannot_win:
        return say("solve-cannot-win", **facts)
    if value in ("draw", "unknown"):
        return say(f"solve-{value}", **facts)
    if analysis.plies is None:
        return say(f"solve-{value}-bare", **facts)
    return say.plural(f"solve-{value}", own_moves(analysis.plies, game), **facts)


def print_analysis(
    say: Translator, game: Game, analysis: Analysis, reasons: Mapping[Move, MoveReason], seconds: float
) -> None:
    """Print the board with the values of its moves, the best move with its reason, and a table of moves."""
    talk = Conversation(Terminal(), say)
    names = Names(game)
    show_board(talk, game, view=value_view(game, analysis, analysis.best))
    if game.is_over:
        result = say("nobody-wins") if game.winner is None else say("wins", winner=game.winner)
        talk.sentence(say.joined([say("game-over"), result]))
        return
    talk.sentence(say_value(say, game, analysis))
    if analysis.best is not None:
        best = say("analysis-best", move=names.phrase(analysis.best))
        talk.sentence(say.joined([best, say_reason(say, reasons[analysis.best], names)]))
        _print_line(talk, names, analysis)
    _print_moves(talk, names, analysis, reasons)
    if any(known.value is None for known in analysis.moves):
        talk.write_message("analysis-unproved")
    talk.write_message("analysis-effort", nodes=analysis.nodes, seconds=f"{seconds:.2f}")


def _print_line(talk: Conversation, names: Names, analysis: Analysis) -> None:
    """Print the principal variation if it has more than the best move."""
    if len(analysis.pv) < 2:
        return
    talk.write_message("analysis-line", moves=names.line_phrase(analysis.pv))


def _print_moves(
    talk: Conversation, names: Names, analysis: Analysis, reasons: Mapping[Move, MoveReason]
) -> None:
    """Print a row for all moves with the same value and reason, the best first."""
    say = talk.say
    rows: dict[tuple[str, str], list[Move]] = {}
    for known in sorted(analysis.moves, key=lambda known: _order(known, analysis, reasons), reverse=True):
        label = value_label(known.value, known.plies, names.game)
        reason = say_reason(say, reasons[known.move], names)
        rows.setdefault((label, reason), []).append(known.move)
    few = list(rows.items())[:MAX_ROWS]
    cells = [[label, _few(talk, names, moves), reason] for (label, reason), moves in few]
    headings = [say("column-worth"), say("column-move"), say("column-why")]
    talk.write("\n".join(["", *table_of_texts(headings, cells, talk.width), ""]))
    if hidden := sum(map(len, list(rows.values())[MAX_ROWS:])):
        talk.sentence(say.plural("analysis-more", hidden))
    talk.write_message("analysis-legend")


def _few(talk: Conversation, names: Names, moves: Sequence[Move]) -> str:
    """Return the first of *moves* for a table, as many as fit into half of a line."""
    few = MAX_LISTED if len(names.game.shape) < 3 else MAX_LISTED // 2  # In space each move has two names.
    while True:
        text = names.table_line(moves[:few]) + (" ..." if len(moves) > few else "")
        if few == 1 or display_width(text) <= talk.width // 2:
            return text
        few -= 1


def _order(known: MoveValue, analysis: Analysis, reasons: Mapping[Move, MoveReason]) -> tuple[float, ...]:
    """Return the sort key of a move: its value, the best move, threats, the number of open lines."""
    data = reasons[known.move].data
    lines = (data.get("own", 0), data.get("open_lines", 0))
    return (*known.rank, known.move == analysis.best, "threats" in data, *lines)
