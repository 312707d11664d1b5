"""An unknown rule option: every answer about it is right, or there is none.

The option is "no overline for the first side only": the first side does not win with more than k in a row,
but the second side does. Only the rules know the option.
"""

from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import pytest

from noughts import Game, KInARow
from noughts.errors import NotationError, UnsupportedRules
from noughts.games.base import Move
from noughts.games.rules import Rules
from noughts.interfaces.presenting import hints
from noughts.interfaces.presenting.tasks import threats
from noughts.players.base import new_player
from noughts.search.analysis import UNKNOWN, Analysis, Limit
from noughts.search.analyst import Analyst
from noughts.search.engine.engine import Engine
from noughts.search.exact.canonical import canonical_key
from noughts.search.exact.retrograde import Retrograde
from noughts.search.exact.search import ExactSearch
from noughts.search.exact.strong import StrongSolution
from noughts.search.explain.dead_draw import is_dead_draw
from noughts.search.explain.immediate import losses_at_once, wins, wins_at_once
from noughts.search.explain.reasons import RESULTS, Explainer, MoveReason
from noughts.search.explain.review import review
from noughts.search.numba_backend import python_machine
from tests.search.oracle import Worth, goodness

pytestmark = pytest.mark.slow


@dataclass(frozen=True, slots=True, kw_only=True)
class MoreRules(Rules):
    """Rules with one more option."""

    first_exact: bool = False

    def __post_init__(self) -> None:
        Rules.__post_init__(self)
        if self.first_exact:
            object.__setattr__(self, "exact_for", (True, False))
            geometries = (self._made(exact=True), self._made(exact=False))
            object.__setattr__(self, "geometry_of", geometries)

    def _made(self, *, exact: bool) -> Any:
        return Rules(shape=self.shape, k=self.k, gravity=self.gravity, exact=exact).geometry


class OtherEnding(KInARow):
    """The same rule in a class of games: a longer line of the first side does not end the game."""

    __slots__ = ()

    def __init__(self, rules: Rules | None = None, **facts: Any) -> None:
        super().__init__(MoreRules(first_exact=True, **facts) if rules is None else rules)


BOARDS: tuple[dict[str, Any], ...] = (
    {"shape": (3, 4), "k": 3},
    {"shape": (2, 6), "k": 3},
    {"shape": (4, 4), "k": 3, "gravity": True},
    {"shape": (3, 4), "k": 3, "misere": True},
)
GAMES = [(KInARow, MoreRules(first_exact=True, **facts)) for facts in BOARDS]
NAMES = [rules.spec for _, rules in GAMES]


@cache
def worth_of(rules: Rules) -> dict[object, Worth]:
    """Return the known values of the positions of *rules*."""
    return {}


def worth(game: Game) -> Worth:
    """Return the value for the side to move, by trying all continuations."""
    assert game.rules is not None
    known = worth_of(game.rules)
    key = game.key()
    if key not in known:
        if game.outcome is not None:
            value = 0 if game.winner is None else 1 if game.winner == game.turn else -1
            known[key] = Worth(value, 0)
        else:
            known[key] = max(worths(game).values(), key=goodness)
    return known[key]


def worths(game: Game) -> dict[Move, Worth]:
    """Return the value of each legal move for the side that makes it."""
    values = {}
    for move in game.legal_moves():
        game.play(move)
        value, plies = worth(game)
        game.undo()
        values[move] = Worth(-value, plies + 1)
    return values


def as_analysis(value: int, plies: int) -> tuple[int, int | None]:
    return value, plies if value else None


def middle_games(game: Game, count: int) -> list[Game]:
    """Return random unfinished positions of the rules of *game* with few open cells.

    In every second position, a move wins under plain rules but not here.
    """
    positions: list[Game] = []
    chance = Random(7)
    while len(positions) < count:
        one, left = game.copy(), chance.randrange(4, 9)
        while one.outcome is None and one.cells.count(None) > left:
            one.play(chance.choice(list(one.legal_moves())))
        if one.outcome is None and (len(positions) % 2 or plain_end(one) != own_end(one)):
            positions.append(one)
    return positions


def own_end(game: Game) -> list[str | None]:
    """Return the winner after each legal move."""
    ends = []
    for move in game.legal_moves():
        game.play(move)
        ends.append(game.winner)
        game.undo()
    return ends


def plain_end(game: Game) -> list[str | None]:
    """Return the winner after each move under plain rules; empty if the game would have ended earlier."""
    assert game.rules is not None
    facts = {name: getattr(game.rules, name) for name in ("shape", "k", "gravity", "misere")}
    try:
        return own_end(KInARow(Rules(**facts)).at(game.cells, game.turn))
    except NotationError:
        return []


def new(kind: tuple[type[KInARow], Rules]) -> KInARow:
    return kind[0](kind[1])


def test_overline_wins_for_second_side_only() -> None:
    """Four marks of the first side are no line, but four marks of the other side are."""
    row = KInARow(MoreRules(shape=(2, 6), k=3, first_exact=True))
    for move in [(0, 0), (1, 0), (0, 1), (1, 1), (0, 3), (1, 3), (0, 2)]:
        row.play(move)
    assert row.outcome is None
    row.play((1, 2))
    assert row.winner == "O"
    full = KInARow(MoreRules(shape=(1, 7), k=3, first_exact=True))
    for column in (2, 0, 4, 1, 5, 6, 3):  # the last mark makes four, which is no line, and fills the board
        full.play((0, column))
    assert (full.is_over, full.winner) == (True, None)


@pytest.mark.parametrize("kind", GAMES, ids=NAMES)
def test_made_up_rule_values_are_exact(kind: tuple[type[KInARow], Rules]) -> None:
    analyst = Analyst()
    for game in middle_games(new(kind), 16):
        truth = worths(game)
        best = max(truth.values(), key=goodness)
        result, solved = analyst.analyse(game), Analyst().solve(game)
        assert (result.value, result.plies) == (solved.value, solved.plies) == as_analysis(*best)
        assert {known.move: (known.value, known.plies) for known in result.moves} == {
            move: as_analysis(*worth) for move, worth in truth.items()
        }
        for answer in (result, solved):
            assert answer.best is not None
            assert goodness(truth[answer.best]) == goodness(best)
        for nodes in (0, 5, 30, 200):
            assert_true(Analyst().analyse(game, Limit(nodes=nodes)), truth)


def assert_true(result: Analysis, truth: dict[Move, Worth]) -> None:
    """Check that all values in *result* are true."""
    best = max(truth.values(), key=goodness)
    assert result.value in (None, best.value)
    assert result.plies in (None, best.plies)
    assert all(known.value in (None, truth[known.move].value) for known in result.moves)
    assert all(known.plies in (None, truth[known.move].plies) for known in result.moves)
    if result.value is not None and result.best is not None:
        assert truth[result.best].value == result.value


@pytest.mark.parametrize("kind", GAMES, ids=NAMES)
def test_made_up_rule_explanations_are_true(
    kind: tuple[type[KInARow], Rules], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints, "HINT_LIMIT", Limit(nodes=50_000))
    analyst = Analyst()
    for game in middle_games(new(kind), 4):
        truth = worths(game)
        for analysis in (UNKNOWN, analyst.analyse(game)):
            explainer = Explainer(game, analysis, None if analysis is UNKNOWN else analyst.analyse)
            for move in game.legal_moves():
                assert explainer.worth(move).value in (None, truth[move].value)
                assert explainer.worth(move).plies in (None, truth[move].plies)
                assert_reason(explainer.explain(move), game, move, truth)
        hint = hints.find_hint(game, Analyst(machine=python_machine()))
        assert truth[hint.move].value == max(truth.values(), key=goodness).value
        assert_reason(hint.reason, game, hint.move, truth)
        start = game.ply - 2  # reviews of earlier positions are not checked
        result = review(game, lambda one: analyst.analyse(one) if one.ply >= start else UNKNOWN)  # noqa: B023
        position = game.copy()
        for value in reversed(result.values[-3:]):
            own = worth(position.copy()).value
            assert value == (own if position.turn == result.first else -own)
            if position.ply:
                position.undo()


def assert_reason(reason: MoveReason, game: Game, move: Move, truth: dict[Move, Worth]) -> None:
    """Check that all claims of *reason* about *move* are true."""
    value, plies = truth[move]
    data = reason.data
    claimed = {
        **dict.fromkeys(("wins-now", "double-threat", "forces-win", "slower-win"), 1),
        **dict.fromkeys(("loses-now", "lets-win", "lost-anyway", "longest-defence"), -1),
        **dict.fromkeys(("ends-draw", "gives-up-win", "keeps-draw", "sure-draw"), 0),
    }
    assert claimed.get(reason.code, value) == value
    if "plies" in data and reason.code not in ("gives-up-win", "other-wins"):
        assert data["plies"] == plies
    if reason.code not in ("lets-win", "lost-anyway", "sets-trap") and "result" in data:
        assert data["result"] == RESULTS[value]
    if reason.code in ("wins-now", "loses-now"):
        assert plies == 1
    if "best" in data:
        assert truth[data["best"]].value == 1
    if "reply" in data:
        after = game.copy()
        after.play(move)
        replies = worths(after)
        assert goodness(replies[data["reply"]])[0] == max(worth.value for worth in replies.values())
    if reason.code == "threatens":
        after = game.copy()
        after.play(move)
        for threat in data["threats"]:
            failed = 0
            for reply in after.legal_moves():
                after.play(reply)
                failed += after.outcome is not None or not wins(after, threat)
                after.undo()
            assert failed <= 1


@pytest.mark.parametrize("kind", GAMES, ids=NAMES)
def test_immediate_facts_of_the_rule(kind: tuple[type[KInARow], Rules]) -> None:
    for game in middle_games(new(kind), 30):
        truth = {move: (wins(game, move), loses(game, move)) for move in game.legal_moves()}
        own = tuple(move for move, (won, _) in truth.items() if won)
        other = next(side for side in game.sides if side != game.turn)
        lost = tuple(move for move, (_, gone) in truth.items() if gone)
        assert wins_at_once(game, game.turn) == own
        assert wins_at_once(game, other) is None
        assert losses_at_once(game) == lost
        assert threats(game).own == (lost if kind[1].misere else own)
        assert not is_dead_draw(game)
        assert game.lines_through((0, 0)) is None


def loses(game: Game, move: Move) -> bool:
    after = game.copy()
    after.play(move)
    return after.winner not in (None, game.turn)


@pytest.mark.parametrize("kind", GAMES, ids=NAMES)
def test_players_follow_the_rule(kind: tuple[type[KInARow], Rules]) -> None:
    perfect, strongest = new_player("perfect", Random(1)), new_player("level:10", Random(1))
    for game in middle_games(new(kind), 12):
        truth = worths(game)
        best = max(truth.values(), key=goodness)
        assert goodness(truth[perfect.choose(game.copy(), Limit())]) == goodness(best)
        assert truth[strongest.choose(game.copy(), Limit(nodes=20_000))].value == best.value
        for name in ("rule", "level:4"):
            chosen = truth[new_player(name, Random(1)).choose(game.copy(), Limit())]
            assert chosen == (1, 1) or (1, 1) not in truth.values()
            assert chosen not in ((-1, 1), (-1, 2)) or set(truth.values()) <= {(-1, 1), (-1, 2)}


@pytest.mark.parametrize("game", [KInARow(GAMES[0][1]), OtherEnding(shape=(3, 4), k=3)])
def test_searches_refuse_the_rule(game: KInARow) -> None:
    assert not Engine.supports(game)
    assert not ExactSearch.supports(game)
    assert not Retrograde.supports(game)
    assert canonical_key(game) is type(game).key
    for ask in (Engine().search, Retrograde):
        with pytest.raises(UnsupportedRules):
            ask(game)
    with pytest.raises(UnsupportedRules):
        StrongSolution(game.rules)
