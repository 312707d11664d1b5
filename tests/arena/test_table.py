"""Tables without a store or a room: seats, pending decisions, and changes."""

import pytest

from noughts.arena.commands import Command, MakeMove, Rematch, Resign
from noughts.arena.series import Begins, Series
from noughts.arena.table import Table, Terms
from noughts.errors import CommandRefused, UnknownMark

NAMES = ("Ada", "Wei")
PEOPLE = ("human", "human")


def table(who: tuple[str, ...] = PEOPLE, begins: Begins = Begins.ALTERNATE, game: str = "tictactoe") -> Table:
    return Table(Terms(game, who, begins), Series(NAMES, begins))


def reason_of(act: object) -> str:
    with pytest.raises(CommandRefused) as caught:
        act()  # type: ignore[operator]
    return caught.value.reason


def test_table_is_empty_before_the_first_game() -> None:
    at = table()
    assert (at.names, at.sides, at.who_of, at.is_playing, at.is_choosing) == ({}, {}, {}, False, True)
    assert reason_of(lambda: at.apply("X", Resign(), 0)) == "not-begun"
    assert reason_of(lambda: at.request_rematch(0, Rematch())) == "not-begun"
    assert reason_of(lambda: at.apply("X", Command(), 0)) == "not-begun"


def test_sides_change_from_game_to_game() -> None:
    at = table(("human", "rule"))
    at.begin(0)
    assert (at.names, at.sides) == ({"X": "Ada", "O": "Wei"}, {0: "X", 1: "O"})
    assert (at.who_of, at.awaited) == ({"X": "human", "O": "rule"}, frozenset({0}))
    assert reason_of(lambda: at.request_rematch(0, Rematch())) == "playing"
    at.apply("X", MakeMove((1, 1)), 1)
    assert at.awaited == {1}
    at.apply("O", Resign(), 2)
    assert (at.awaited, at.is_choosing) == (frozenset(), False)
    assert not at.request_rematch(0, Rematch())
    assert at.awaited == {1}
    assert reason_of(lambda: at.request_rematch(0, Rematch())) == "wished-already"
    assert at.request_rematch(1, Rematch())
    assert at.is_choosing
    at.begin(3)
    assert (at.sides, at.who_of, at.wishes) == ({1: "X", 0: "O"}, {"X": "rule", "O": "human"}, frozenset())
    assert [score.wins for score in at.series.scores()] == [1, 0]


def test_only_people_choose_a_mark() -> None:
    at = table(("human", "rule"), Begins.CHOOSER)
    assert (at.needs_choice, at.chooser, at.awaited) == (True, 0, frozenset({0}))
    with pytest.raises(UnknownMark):
        at.begin(0)
    assert at.match is None
    assert dict(at.begin(0, "O").seats) == {"O": "Ada", "X": "Wei"}
    at.apply("O", Resign(), 1)
    assert (at.needs_choice, at.chooser) == (False, 1)
    assert dict(at.begin(2).seats) == {"X": "Wei", "O": "Ada"}


def test_draft_is_independent() -> None:
    at = table()
    at.begin(0)
    draft = at.draft()
    draft.apply("X", Resign(), 1)
    draft.request_rematch(0, Rematch())
    assert (at.is_playing, at.series.results, at.wishes) == (True, [], frozenset())
    assert len(draft.series.results) == 1
