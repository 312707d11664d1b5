"""The values in the catalogue match the search, if it finds them quickly."""

import pytest

from noughts.games.catalogue import CATALOGUE, new_game
from noughts.games.entry import Entry
from noughts.search.analysis import Limit
from noughts.search.analyst import Analyst

pytestmark = pytest.mark.slow

VALUES = {"first": 1, "draw": 0}
FOUND = [entry for entry in CATALOGUE if entry.value and not entry.source]


@pytest.mark.parametrize("entry", FOUND, ids=lambda entry: entry.name)
def test_catalogue_values_match_the_search(entry: Entry) -> None:
    found = Analyst().solve(new_game(entry.name), Limit(nodes=200_000))
    assert entry.value is not None
    assert found.value == VALUES[entry.value]


def test_unproved_catalogue_games_have_no_value() -> None:
    unknown = {entry.name for entry in CATALOGUE if entry.value is None}
    assert unknown == {"score4", "three", "ultimate", "fifteen", "order-and-chaos", "connect6", "squava"}
