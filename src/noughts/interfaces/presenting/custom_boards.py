"""Custom boards: the next possible changes, and reasons for impossible ones, derived from the rules."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from math import inf, prod
from typing import Any

from noughts.core.lines import line_table
from noughts.errors import BadInput, RulesError, ShapeError
from noughts.games.base import Game
from noughts.games.catalogue import find_entry, name_of_spec
from noughts.games.rule_text import sizes
from noughts.games.rules import MARKS, SWITCHES, Rules
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.titles import title_of

MAX_AXES = 5
"""The maximum number of axes. Larger boards can be described, but not built step by step."""

NEW_SIDE = 3
"""The length of a new axis, in cells."""

SIDES = ("width", "height", "depth", "fourth", "fifth")
"""The names of the sides of a board.

The last axis comes first.
"""


@dataclass(frozen=True, slots=True)
class BoardParameter:
    """A number of a board, with the specs for one less and one more, None if that is impossible.

    ``why_not`` has the reasons for both. A reason is None if the number cannot exist at all.
    """

    name: str
    value: int
    less: str | None
    more: str | None
    why_not: tuple[BadInput | None, BadInput | None] = field(default=(None, None), repr=False)


@dataclass(frozen=True, slots=True)
class BoardOption:
    """An option of a board: ``spec`` describes the board with the option changed, or ``error`` the reason."""

    name: str
    is_on: bool
    spec: str | None
    error: BadInput | None


def board_parameters(rules: Rules, cells: int, moves: float = inf) -> list[BoardParameter]:
    """Return the numbers of the board of *rules*, with at most *cells* cells and *moves* first moves.

    >>> from noughts.games.catalogue import parse_spec
    >>> [step for step in board_parameters(parse_spec("3x3:3"), 100) if step.name in ("width", "line")]
    ... # doctest: +NORMALIZE_WHITESPACE
    [BoardParameter(name='width', value=3, less='2x3:3', more='4x3:3'),
     BoardParameter(name='line', value=3, less='3x3:2', more=None)]
    """

    def step(name: str, value: int, *changes: dict[str, Any] | None) -> BoardParameter:
        (less, why_no_less), (more, why_no_more) = (
            (None, None) if change is None else _spec_after(rules, cells, moves, change) for change in changes
        )
        return BoardParameter(name, value, less, more, (why_no_less, why_no_more))

    shape = rules.shape
    fewer = {"shape": shape[1:], "k": min(rules.k, max(shape[1:], default=1))} if len(shape) > 1 else None
    further = {"shape": (NEW_SIDE, *shape)} if len(shape) < MAX_AXES else None
    steps = [step("dimensions", len(shape), fewer, further)]
    for back, name in zip(range(1, len(shape) + 1), SIDES, strict=False):
        at = len(shape) - back
        sides = [(*shape[:at], shape[at] + by, *shape[at + 1 :]) for by in (-1, 1)]
        steps.append(step(name, shape[at], *({"shape": side} if min(side) else None for side in sides)))
    steps.append(step("line", rules.k, {"k": rules.k - 1} if rules.k > 1 else None, {"k": rules.k + 1}))
    less, more = rules.players - 1, rules.players + 1
    steps.append(
        step(
            "players",
            rules.players,
            {"players": less, "marks": ()} if less > 1 else None,
            {"players": more, "marks": ()} if more <= len(MARKS) else None,
        )
    )
    stay = rules.vanish
    fewer_stay = {"vanish": stay - 1 if stay > rules.k else 0} if stay else None
    return [*steps, step("vanish", stay, fewer_stay, {"vanish": stay + 1 if stay else rules.k})]


def board_options(rules: Rules, cells: int, moves: float = inf) -> list[BoardOption]:
    """Return the options of *rules* on a board with at most *cells* cells and *moves* first moves."""
    return [
        BoardOption(name, is_on, *_spec_after(rules, cells, moves, change))
        for name, is_on, change in _toggles(rules)
    ]


def _toggles(rules: Rules) -> Iterator[tuple[str, bool, dict[str, Any]]]:
    """Yield each option, True if it is on, and the change that toggles it."""
    for name in SWITCHES:
        if name != "wrap":
            yield name, bool(getattr(rules, name)), {name: not getattr(rules, name)}
        elif len(rules.shape) != 2:
            yield name, rules.wrap is True, {name: rules.wrap is not True}
        else:
            joined = dict(zip("yx", rules.geometry.joined, strict=True))
            for axis in "xy":
                axes = "".join(one for one in "xy" if joined[one] != (one == axis))
                yield f"wrap-{axis}", joined[axis], {name: axes or False}


def _spec_after(
    rules: Rules, cells: int, moves: float, change: dict[str, Any]
) -> tuple[str | None, BadInput | None]:
    """Return the spec of *rules* after *change*, or the error that forbids it."""
    shape = change.get("shape", rules.shape)
    try:
        if prod(shape) > cells:
            raise ShapeError(shape, "too-many-cells", cells)
        changed = replace(rules, **change)
        check_moves(changed, moves)
    except BadInput as error:
        return None, error
    return changed.spec, None


def check_moves(rules: Rules, moves: float) -> None:
    """Raise :class:`~noughts.errors.ShapeError` if more than *moves* first moves are legal under *rules*.

    >>> from noughts.games.catalogue import parse_spec
    >>> check_moves(parse_spec("4x4:3,wild"), 32)
    """
    choices = len(rules.marks) if rules.wild else 1
    if prod(rules.shape) * choices > moves:
        raise ShapeError(rules.shape, "too-many-cells", int(moves) // choices)


def say_refusal(say: Translator, name: str, error: BadInput) -> str:
    """Return the reason why the option *name* cannot be chosen, briefly if another option excludes it."""
    if isinstance(error, RulesError) and error.reason == "contradiction":
        one, two = str(error.data["one"]), str(error.data["two"])
        other = one if name.startswith(two) else two
        return say("own-not-with", what=say(f"own-{other}"))
    return say.error(error)


def parameter_text(say: Translator, step: BoardParameter) -> str:
    """Return the number of *step*, or a word for 0."""
    return str(step.value or say("own-all"))


def about_option(say: Translator, switch: BoardOption) -> str:
    """Return a sentence about the effect of the option *switch*, or why it cannot be changed."""
    if switch.error is not None:
        return say_refusal(say, switch.name, switch.error)
    return say(f"own-{switch.name}-about")


def counts_of(say: Translator, rules: Rules) -> list[tuple[int, str]]:
    """Return the numbers of cells, lines and players of the board of *rules*, each with its noun."""
    size, lines = prod(rules.shape), count_lines(rules)
    counts = [(size, say.plural("own-cells", size))]
    counts += [] if lines is None else [(lines, say.plural("own-lines", lines, k=rules.k))]
    return [*counts, (rules.players, say.plural("own-players-few", rules.players))]


def heading_of(say: Translator, rules: Rules) -> str:
    """Return the title of a game of the catalogue, or the size and row length of another board."""
    name = name_of_spec(rules.spec)
    if find_entry(name):
        return title_of(say, name)
    return say.listed(["×".join(map(str, sizes(rules.shape))), say("tag-row", k=rules.k)])


def count_lines(rules: Rules) -> int | None:
    """Return the number of lines of the board of *rules*, or None if counting would take long."""
    table = line_table(rules.geometry)
    return None if table is None else table.count


def is_estimated(game: Game) -> bool:
    """Return True if *game* is too large to be solved, so that a computer has to estimate.

    >>> from noughts import new_game
    >>> is_estimated(new_game("3x3:3")), is_estimated(new_game("7x6:4,gravity"))
    (False, True)
    """
    from noughts.players.perfect import is_large  # These imports load all searches.
    from noughts.search.analyst import Analyst

    return len(game.sides) != 2 or is_large(game) or not Analyst().can_solve(game)


def computers_for(game: Game, players: Iterable[str]) -> list[str]:
    """Return the computers that are offered for *game*.

    ``perfect`` is not offered for a very large game. ``learned`` plays only games with weights. A player that
    has to examine the position may still decline. Levels and ``rule`` come first, from the weakest to the
    strongest.

    >>> from noughts import new_game
    >>> [computers_for(new_game(name), ("perfect", "rule", "learned")) for name in ("tictactoe", "gomoku")]
    [['rule', 'perfect', 'learned'], ['rule']]
    """
    if len(game.sides) == 1:
        return []
    from noughts.players.learned import is_learned
    from noughts.players.strengths import in_order_of_strength
    from noughts.search.analyst import Analyst

    declining = set() if is_learned(game) else {"learned"}
    if not Analyst.is_told(game) and is_estimated(game):
        declining.add("perfect")
    return in_order_of_strength(game, (name for name in players if name not in declining))
