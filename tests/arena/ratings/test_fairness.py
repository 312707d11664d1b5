"""Games are rated only on fair terms, and count only if both players played without help."""

from dataclasses import replace
from random import Random

import pytest

from noughts.arena.clock import Clock
from noughts.arena.commands import (
    Abort,
    Accept,
    Break,
    Command,
    Forfeit,
    MakeMove,
    OfferDraw,
    Resign,
    Swap,
    TakeBack,
    WrittenMove,
)
from noughts.arena.events import Event
from noughts.arena.ratings import fairness
from noughts.arena.ratings.fairness import (
    EVEN,
    Unrated,
    balanced_starts,
    fair_terms,
    first_moves,
    uncounted_reason,
    unrated_reason,
)
from noughts.arena.setup import Setup
from noughts.arena.stored_game import StoredGame
from noughts.arena.table import Terms
from noughts.errors import DamagedFile, DamagedFileWarning, NotRated
from noughts.games.catalogue import new_game
from noughts.games.notation import format_position, parse_move

PEOPLE = ("human", "human")
CLOCK = Clock(base=300_000, increment=3_000)


def terms(game: str, **more: object) -> Terms:
    return replace(Terms(game, PEOPLE, clock=CLOCK), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("game", ["gomoku", "15x15:5", "renju", "connect4", "qubic", "squava"])
def test_games_with_the_pie_rule_are_rated(game: str) -> None:
    assert unrated_reason(terms(game, opening="pie")) is None


@pytest.mark.parametrize(
    ("terms", "reason"),
    [
        (terms("9x9:5", opening="pie"), Unrated.OTHER_BOARD),
        (terms("three", who=("human",) * 3), Unrated.NOT_TWO),
        (terms("fifteen", who=("human",)), Unrated.NOT_TWO),
        (terms("gomoku", who=("rule", "level:4"), opening="pie"), Unrated.NO_PERSON),
        (Terms("gomoku", PEOPLE, opening="pie"), Unrated.NO_CLOCK),
        (terms("gomoku", who=("human", "mcts:1000"), opening="pie"), Unrated.UNMEASURED_COMPUTER),
        *((terms(game, opening="pie"), Unrated.DRAWN_BOARD) for game in ("tictactoe", "4x4", "5x5", "torus")),
        *((terms(game, opening="pie"), Unrated.SOLVED_BOARD) for game in ("wild", "notakto", "3d", "4d")),
        *((terms(game), Unrated.UNEVEN_START) for game in ("qubic", "connect4", "ultimate")),
    ],
)
def test_unfair_terms_have_a_reason(terms: Terms, reason: Unrated) -> None:
    assert unrated_reason(terms) is reason


def test_measured_computers_are_rated_opponents() -> None:
    assert unrated_reason(terms("connect4", who=("human", "level:5"), opening="pie")) is None


def test_usual_start_is_rated_if_both_measured_scores_are_even(monkeypatch: pytest.MonkeyPatch) -> None:
    low, high = EVEN
    for one, two, reason in ((low, high, None), (0.5, high + 0.01, Unrated.UNEVEN_START)):
        scores = {"level:4": {"score": one, "plies": 60.0}, "level:7": {"score": two, "plies": 60.0}}
        monkeypatch.setattr(fairness, "first_moves", lambda scores=scores: {"reversi": scores})
        assert unrated_reason(terms("reversi")) is reason
    monkeypatch.setattr(fairness, "first_moves", dict)
    assert unrated_reason(terms("reversi")) is Unrated.UNMEASURED_START


def test_first_moves_are_measured_for_games_without_a_protocol() -> None:
    for levels in first_moves().values():
        assert all(0 <= one["score"] <= 1 and one["games"] >= 100 for one in levels.values())


def test_balanced_openings_are_rated() -> None:
    starts = balanced_starts("connect4")
    assert len(set(starts)) == len(starts) > 15
    assert unrated_reason(terms("connect4", start=starts[0])) is None
    assert unrated_reason(terms("connect4", start=starts[0], opening="pie")) is Unrated.CHOSEN_POSITION
    game = new_game("connect4")
    game.play(new_game("connect4").legal_moves()[0])
    assert unrated_reason(terms("connect4", start=format_position(game))) is Unrated.CHOSEN_POSITION
    assert balanced_starts("qubic") == ()


def test_fair_terms_have_an_opening_if_the_start_is_uneven(monkeypatch: pytest.MonkeyPatch) -> None:
    assert fair_terms(terms("qubic"), Random(1)) == terms("qubic", opening="pie", rated=True)
    assert fair_terms(terms("gomoku", opening="swap2"), Random(1)).opening == "swap2"
    monkeypatch.setattr(fairness, "openings_of", lambda game: [])
    assert fair_terms(terms("connect4"), Random(1)).start in balanced_starts("connect4")
    for game in ("tictactoe", "qubic"):
        with pytest.raises(NotRated):
            fair_terms(terms(game), Random(1))


def test_damaged_files_leave_fair_openings(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> str:
        raise DamagedFile(name, "part")

    monkeypatch.setattr(fairness, "read_own_file", fail)
    with pytest.warns(DamagedFileWarning):
        assert fairness.first_moves.__wrapped__() == {}
    with pytest.warns(DamagedFileWarning):
        assert fairness.balanced_starts.__wrapped__("connect4") == ()


def played(game: str, *commands: tuple[str, Command], opening: str | None = None) -> StoredGame:
    setup = Setup(game, dict(zip(new_game(game).sides, ("Ada", "Wei"), strict=True)), opening=opening)
    match = setup.replay(())
    events: list[Event] = []
    for side, command in commands:
        if isinstance(command, WrittenMove):
            command = MakeMove(parse_move(match.game, command.move))
        events += match.apply(side, command, 0)
    return StoredGame(1, setup, events)


ONE, TWO = ("X", WrittenMove("1")), ("O", WrittenMove("2"))


@pytest.mark.parametrize(
    ("commands", "reason"),
    [
        ((ONE, TWO, ("X", Resign())), None),
        ((ONE, TWO, ("O", OfferDraw()), ("X", Accept())), None),
        ((ONE, ("O", Resign())), Unrated.TOO_SHORT),
        ((("X", Resign()),), Unrated.TOO_SHORT),
        ((("X", Abort()),), Unrated.TOO_SHORT),
        ((ONE, TWO, ("O", TakeBack()), ("X", Accept()), TWO, ("X", Resign())), Unrated.TAKEN_BACK),
        ((ONE, TWO, ("X", Forfeit("no-move", ""))), Unrated.FAULT),
        ((ONE, TWO, ("X", Break("package", "detail"))), Unrated.FAULT),
    ],
)
def test_finished_games_count_unless_a_reason_is_given(
    commands: tuple[tuple[str, Command], ...], reason: Unrated | None
) -> None:
    assert uncounted_reason(played("gomoku", *commands)) is reason


def test_answer_in_the_opening_is_a_decision() -> None:
    swapped = played("gomoku", ONE, ("O", Swap()), ("O", Resign()), opening="pie")
    assert uncounted_reason(swapped) is None
    placed = [("X", WrittenMove("1")), ("X", WrittenMove("2"))]
    assert uncounted_reason(played("gomoku", *placed, ("X", Resign()), opening="swap2")) is Unrated.TOO_SHORT
