"""Strategies for records, and the contract of all readers of records."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import strategies as st

from noughts.errors import NotationError
from noughts.games.base import Game, Outcome
from noughts.records.checks import MAX_CLOCK, MAX_EVALUATION
from noughts.records.record import Record
from tests.strategies import games, play_at_random

names = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=12)
texts = st.text(st.one_of(st.just("\n"), st.characters(exclude_categories=("Cc", "Cs"))), max_size=20)
clocks = st.integers(0, MAX_CLOCK)
evaluations = st.one_of(
    st.integers(-MAX_EVALUATION, MAX_EVALUATION),
    st.floats(-MAX_EVALUATION, MAX_EVALUATION),
    texts,
)


def reason_of(call: Any, *arguments: Any, **facts: Any) -> str:
    with pytest.raises(NotationError) as caught:
        call(*arguments, **facts)
    assert caught.value.what == "record"
    return caught.value.reason


@st.composite
def notes(draw: st.DrawFn, of: st.SearchStrategy[Any], count: int) -> list[Any]:
    return draw(st.one_of(st.just([]), st.lists(st.none() | of, min_size=count, max_size=count)))


@st.composite
def records(draw: st.DrawFn, played: st.SearchStrategy[Game] | None = None) -> Record:
    """Return a record of a game in the middle or at the end, with any kind of note."""
    game = draw(games(max_cells=25) if played is None else played)
    ended = None
    if game.outcome is None and draw(st.booleans()):
        why = draw(st.sampled_from(("resignation", "time", "agreement", "abandonment", "forfeit", "unknown")))
        ended = Outcome(draw(st.sampled_from((None, *game.sides))), (), why)
    return Record.of(
        game,
        {side: draw(names) for side in game.sides},
        ended=ended,
        clocks=draw(notes(clocks, game.ply)),
        evaluations=draw(notes(evaluations, game.ply)),
        comments=draw(notes(texts, game.ply)),
        headers=draw(st.dictionaries(names, texts, max_size=4)),
    )


@st.composite
def started_games(draw: st.DrawFn) -> Game:
    """Return a game that started from a position that was set up."""
    game = draw(games(max_cells=20))
    placed = game.at(game.cells, game.turn, game.extra or None)
    play_at_random(placed, draw(st.integers(0, 5)), draw(st.integers(0, 100)))
    return placed


def read_or_refused(read: Callable[[str], Record], text: str) -> Record | None:
    """Return the result of *read* for *text*, or None if it raises a valid error."""
    try:
        return read(text)
    except NotationError as error:
        refused = error
    assert refused.what == "record"
    return None
