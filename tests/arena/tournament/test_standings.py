"""Standings of a tournament: counts, pairs, ratings and the test, in any order of games."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from noughts.arena.events import Event, EventKind
from noughts.arena.series import Result
from noughts.arena.setup import Setup
from noughts.arena.stored_game import StoredGame
from noughts.arena.tournament import sequential
from noughts.arena.tournament.plan import Entrant, TournamentPlan
from noughts.arena.tournament.scores import Results
from noughts.arena.tournament.standings import (
    CRASHES,
    ILLEGAL,
    TIMEOUTS,
    GameResult,
    GameTally,
    _fault,
    finished,
)
from tests.arena.tournament.stand_ins import OTHER, RANDOM, RULE

WON, DRAWN, LOST = GameResult(0), GameResult(None), GameResult(1)
TWO = TournamentPlan("sprt", ("tictactoe",), (RULE, RANDOM), pairs=8, test=sequential.Test(0, 400))


def counted(plan: TournamentPlan, *games: GameResult | None) -> GameTally:
    """Return the tally of *games* in the order of their numbers; None is an unfinished game."""
    tally = GameTally(plan)
    for number, game in enumerate(games, 1):
        if game is not None:
            tally.add(number, game)
    return tally


def test_pairs_count_both_games() -> None:
    games = [*(LOST, LOST), *(LOST, DRAWN), *(WON, LOST), *(DRAWN, DRAWN), *(DRAWN, WON), *(WON, WON)]
    table = counted(replace(TWO, test=None), *games).table()
    assert table.pairs == Results((1, 1, 2, 1, 1))
    assert [one.name for one in table.players] == ["Rule", "Random"]
    assert [one.counts["wins"] for one in table.players] == [4, 4]
    assert [one.counts["draws"] for one in table.players] == [4, 4]
    assert table.missing == 4


def test_half_a_pair_is_no_evidence() -> None:
    table = counted(TWO, WON, WON, WON).table()
    assert table.players[0].counts["wins"] == 3
    assert table.players[0].results == Results((0, 0, 0, 0, 1))


def courses(text: str) -> list[GameResult | None]:
    """Return a game for each word: its result for the first player, and a name for its course."""
    winners = {"w": 0, "d": None, "l": 1}
    return [None if word == "-" else GameResult(winners[word[0]], course=word) for word in text.split()]


@pytest.mark.parametrize(
    ("games", "pairs", "distinct"),
    [
        ("w1 l1 w1 l1 w1 l1 w1 l1", (0, 0, 1, 0, 0), 2),
        ("w1 w2 l1 w2 w1 w2", (0, 0, 0, 0, 1), 3),  # a new game without a partner is no evidence
        ("w1 l1 w1 w2 w2 l1 w1 d1", (0, 0, 1, 0, 1), 5),  # two new games of two pairs are one
        ("w1 l1 w2 l1 w3 l1 w1 l2 w1 l3", (0, 0, 3, 0, 0), 6),
        ("w1 w1 w1 w1", (0, 0, 0, 0, 1), 2),  # the same moves in exchanged seats are another game
        ("w1 - w1 l1 l2 d1", (0, 1, 0, 0, 0), 4),
        ("w1 d1 l1 d1", (0, 0, 0, 1, 0), 3),
    ],
)
def test_copies_of_games_are_no_evidence(games: str, pairs: tuple[int, ...], distinct: int) -> None:
    plan = replace(TWO, pairs=5)
    played = [(number, game) for number, game in enumerate(courses(games), 1) if game is not None]
    for order in (played, played[::-1], Random(1).sample(played, len(played))):
        tally = GameTally(plan)
        for number, game in order:
            tally.add(number, game)
            tally.table()
        table = tally.table()
        assert (table.pairs, table.distinct, table.played) == (Results(pairs), distinct, len(played))
        assert [one.distinct for one in table.players] == [distinct] * 2
        assert sum(one.counts["wins"] for one in table.players) == sum(
            game.winner is not None for _, game in played
        )


def test_games_join_only_if_their_openings_agree() -> None:
    plan = replace(TWO, test=None)
    games = courses("w1 l1 w2 l2 w1 l3 w2 l2 w3 l1 d1 d2")
    by_opening = {count: GameTally(plan, {"tictactoe": count}) for count in (1, 2)}
    for tally in by_opening.values():
        for number, game in enumerate(games, 1):
            assert game is not None
            tally.add(number, game)
    assert by_opening[1].table().pairs == Results((0, 0, 4, 0, 0))
    assert by_opening[2].table().pairs.total == 4


def test_copies_never_decide_a_test() -> None:
    plan = replace(TWO, pairs=100)
    assert counted(plan, *courses("w1 w1 " * 100)).decided is None
    assert counted(plan, *courses(" ".join(f"w{number}" for number in range(200)))).decided == "elo1"
    once, often = (counted(plan, *courses("w1 l1 d1 l2 " * times)) for times in (1, 50))
    assert once.decision == often.decision


def test_ratings_use_each_different_game_once() -> None:
    plan = TournamentPlan("round-robin", ("tictactoe",), (RULE, RANDOM, OTHER), pairs=40)
    results = [["w1", "l1"], ["w2", "l2"], ["w3", "w4"]]
    often = [word for _ in range(40) for pair in results for word in pair]
    alike = [counted(plan, *courses(" ".join(words))).table() for words in (often[:6], often)]
    assert [one.rating for one in alike[0].players] == [one.rating for one in alike[1].players]
    assert [one.elo for one in alike[0].players] == [one.elo for one in alike[1].players]


def test_course_identifies_moves_and_end() -> None:
    """The same moves in other seats, and answers in an opening, give other courses."""

    def course(setup: Setup, *events: Event) -> str | None:
        plan = TournamentPlan("round-robin", ("tictactoe",), (RULE, RANDOM), pairs=2)
        counted = finished(plan, 1, StoredGame(1, setup, events))
        return None if counted is None else counted.course

    setup = Setup("tictactoe", {"X": "Rule", "O": "Random"}, opening="pie")
    move, other = (Event(1, 0, EventKind.MOVE, "X", {"move": text}) for text in ("5", "1"))
    swap = Event(2, 5, EventKind.CHOICE, "O", {"choice": "swap"})
    ends = [
        Event(3, 9, EventKind.END, "O", {"winner": winner, "termination": termination})
        for winner, termination in (("X", "resignation"), ("X", "time"), (None, "agreement"))
    ]
    result = [course(setup, *events, end) for events in ((move,), (other,), (move, swap)) for end in ends]
    assert len(set(result)) == len(result)
    later = replace(setup, created=5)
    assert course(later, replace(move, at=7), ends[0]) == result[0]


def test_fault_belongs_to_the_loser() -> None:
    games = [
        GameResult(0, CRASHES),
        GameResult(0, TIMEOUTS),
        GameResult(1, ILLEGAL),
        GameResult(0, CRASHES),
    ]
    table = counted(TWO, *games).table()
    assert {one.name: dict(one.counts) for one in table.players} == {
        "Rule": {"wins": 3, "draws": 0, "losses": 1, "crashes": 0, "timeouts": 0, "illegal": 1},
        "Random": {"wins": 1, "draws": 0, "losses": 3, "crashes": 2, "timeouts": 1, "illegal": 0},
    }


@pytest.mark.parametrize(
    ("termination", "reason", "fault"),
    [
        ("line", None, None),
        ("resignation", None, None),
        ("time", None, TIMEOUTS),
        ("forfeit", "too-slow", TIMEOUTS),
        ("forfeit", "illegal-move", ILLEGAL),
        ("forfeit", "no-move", ILLEGAL),
        ("forfeit", "flooded", ILLEGAL),
        ("forfeit", "crashed", CRASHES),
        ("forfeit", "raised", CRASHES),
        ("forfeit", "cannot-run", CRASHES),
    ],
)
def test_forfeit_reasons_are_classified(termination: str, reason: str | None, fault: str | None) -> None:
    result = Result({"X": "Rule", "O": "Random"}, "X", termination, reason=reason)
    assert _fault(result.termination, result.reason) == fault


def test_test_uses_pairs_in_order() -> None:
    """The pairs decide in their order, and none after the decision."""
    decided = counted(TWO, *[WON] * 16)
    assert decided.decided == "elo1"
    decision, table = decided.decision, decided.table()
    assert decision is not None
    assert decision.log_ratio >= decision.high > decision.low
    assert (table.missing, list(decided.missing())) == (0, [])
    pairs = next(count for count in range(1, 9) if counted(TWO, *[WON] * 2 * count).decided)
    assert counted(TWO, *[WON] * 2 * pairs, *[LOST] * (16 - 2 * pairs)).decision == decision
    assert counted(TWO, *[LOST] * 16).decided == "elo0"


def test_unfinished_pair_delays_the_test() -> None:
    waiting = counted(TWO, WON, None, *[WON] * 14)
    assert waiting.decided is None
    assert waiting.decision == counted(TWO).decision
    assert list(waiting.missing()) == [2]
    waiting.add(2, WON)
    assert waiting.decided == "elo1"


@pytest.mark.slow
def test_decision_does_not_depend_on_order() -> None:
    plan = TournamentPlan(
        "sprt", ("tictactoe",), (RULE, RANDOM), pairs=3, test=sequential.Test(0, 1_000, 0.4, 0.4)
    )
    chance = Random(1)
    for results in product((WON, LOST), repeat=3):
        games = [(number, results[(number - 1) // 2]) for number in range(1, 7)]
        expected = counted(plan, *(game for _, game in games)).decision
        for _ in range(10):
            chance.shuffle(games)
            tally = GameTally(plan)
            for number, game in games:
                tally.add(number, game)
            assert tally.decision == expected


def test_player_is_suspended_after_three_faults() -> None:
    """The order of handing out counts, not that of the ends. The games of other players continue."""
    plan = TournamentPlan("round-robin", ("tictactoe",), (RULE, RANDOM, OTHER), pairs=2)
    crashed, lost = GameResult(0, CRASHES), GameResult(0)
    faulty = [1, 2, 5]
    for games in (faulty, faulty[::-1]):
        tally = GameTally(plan)
        for number in games:
            tally.add(
                number, GameResult(plan.game(number).players[plan.game(number).players[0] == 1], CRASHES)
            )
        assert tally.suspended == {1}
        assert list(tally.missing()) == [3, 4, 9, 10]
        table = tally.table()
        assert (table.missing, [one.name for one in table.players if one.is_suspended]) == (4, ["Random"])
    assert counted(TWO, crashed, crashed, lost, crashed, crashed).suspended == set()
    assert counted(TWO, crashed, crashed, WON, crashed, None, crashed).suspended == set()
    assert counted(TWO, crashed, crashed, GameResult(1, CRASHES), crashed).suspended == set()
    assert counted(TWO, None, crashed, crashed, crashed).suspended == {1}
    assert counted(TWO, *[crashed] * 8).suspended == {1}


@pytest.mark.slow
def test_missing_games_are_counted_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After a suspension, skipping games once took hours in large tournaments."""
    players = tuple(Entrant(f"Player {number}", "rule") for number in range(40))
    tally = GameTally(TournamentPlan("round-robin", ("tictactoe",), players, pairs=1))
    tally.suspended.add(39)
    counts: list[int] = []
    count = tally._count_missing

    def counted_once() -> int:
        counts.append(count())
        return counts[-1]

    monkeypatch.setattr(tally, "_count_missing", counted_once)
    assert len(list(tally.missing())) == 39 * 38 == len(counts) - 1


def test_tally_without_a_test_decides_nothing() -> None:
    plan = TournamentPlan("round-robin", ("tictactoe",), (RULE, RANDOM, OTHER), pairs=1)
    assert counted(plan, *[WON] * 6).decision is None


def test_ratings_are_relative_to_the_first() -> None:
    plan = TournamentPlan("round-robin", ("tictactoe",), (RULE, RANDOM, OTHER), pairs=1)
    games = [WON, LOST, WON, GameResult(2), GameResult(1), GameResult(2)]
    table = counted(plan, *games).table()
    assert [one.rating is not None and round(one.rating.elo) for one in table.players] == [0, 0, 0]
    assert [one.rating for one in counted(plan, *[WON] * 4).table().players][1:] == [None, None]


def test_missing_games_are_counted_quickly() -> None:
    """If all players are suspended, no search through millions of games is needed."""
    plan = replace(TWO, pairs=10**12)
    crashed = GameResult(0, CRASHES)
    assert counted(plan, crashed, crashed).table().missing == 2 * 10**12 - 2
    suspended = counted(plan, None, crashed, crashed, crashed)
    assert suspended.suspended == {1}
    assert (list(suspended.missing()), suspended.table().missing) == ([], 0)
