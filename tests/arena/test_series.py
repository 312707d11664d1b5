"""Series: marks, the first move, and a scoreboard that is computed from the results."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.arena.series import Begins, Result, Score, Series, between, recount
from noughts.errors import NameRefused, UnknownMark

NAMES = ("Luffy", "Sanji")


def finished(series: Series, winner: str | None, choice: str | None = None) -> Result:
    """Play the next game of *series* so that the player *winner* wins it."""
    seats = series.next_seats(choice)
    mark = next((mark for mark, name in seats.items() if name == winner), None)
    result = Result(dict(seats), mark, "full" if mark is None else "line")
    series.results.append(result)
    return result


def table(series: Series) -> list[tuple[str, int, int, int]]:
    return [(score.name, score.wins, score.draws, score.losses) for score in series.scores()]


def beginners(begins: str, winners: Sequence[str | None], names: tuple[str, ...] = NAMES) -> list[str]:
    """Return the beginner of each game when *winners* win them in turn."""
    series = Series(names, Begins(begins), ("X", "O", "Z")[: len(names)])
    result = []
    for winner in (*winners, None):
        result.append(next(iter(series.next_seats("X").values())))
        finished(series, winner, "X")
    return result


# The four kinds of beginning


def test_chooser_rotates_and_begins() -> None:
    """A3-07, the tutorial's rule: the chooser of a mark begins, and the players choose in turn."""
    series = Series(NAMES, Begins.CHOOSER)
    assert series.needs_choice
    assert series.chooser == "Luffy"
    assert list(series.next_seats("O").items()) == [("O", "Luffy"), ("X", "Sanji")]
    finished(series, "Sanji", "O")
    assert series.chooser == "Sanji"
    assert list(series.next_seats("X").items()) == [("X", "Sanji"), ("O", "Luffy")]
    assert list(series.next_seats("O").items()) == [("O", "Sanji"), ("X", "Luffy")]


@pytest.mark.parametrize("choice", [None, "", "Z", "x", 4])
def test_chooser_needs_a_choice(choice: str | None) -> None:
    """A3-01, A3-02, A3-03: without a valid choice no game begins, and no choice is left from the last."""
    series = Series(NAMES, Begins.CHOOSER)
    finished(series, "Luffy", "X")
    before = (series.chooser, list(series.results), table(series))
    with pytest.raises(UnknownMark) as caught:
        series.next_seats(choice)
    assert caught.value.allowed == ("X", "O")
    assert (series.chooser, series.results, table(series)) == before


def test_alternate_rotates_the_beginner() -> None:
    assert beginners("alternate", ["Luffy", "Luffy", None]) == ["Luffy", "Sanji", "Luffy", "Sanji"]
    series = Series(NAMES, Begins.ALTERNATE)
    assert not series.needs_choice
    finished(series, "Luffy")
    assert list(series.next_seats().items()) == [("X", "Sanji"), ("O", "Luffy")]


def test_loser_begins_the_next_game() -> None:
    winners = ["Luffy", "Luffy", "Sanji", None, None]
    assert beginners("loser", winners) == ["Luffy", "Sanji", "Sanji", "Luffy", "Sanji", "Luffy"]


def test_x_lets_the_first_player_begin() -> None:
    assert beginners("x", ["Luffy", "Sanji", None]) == ["Luffy"] * 4


def test_three_players_rotate() -> None:
    names = ("A", "B", "C")
    assert beginners("alternate", ["A", "B", None, "C"], names) == ["A", "B", "C", "A", "B"]
    assert beginners("loser", ["A", None, "C"], names) == ["A", "B", "C", "A"]
    assert beginners("x", ["A", "B"], names) == ["A", "A", "A"]
    series = Series(names, Begins.CHOOSER, ("X", "O", "Z"))
    assert list(series.next_seats("Z").items()) == [("Z", "A"), ("X", "B"), ("O", "C")]


def test_only_loser_of_three_begins() -> None:
    series = Series(("A", "B", "C"), Begins.LOSER, ("X", "O", "Z"))
    for mark, beginner in (("X", "A"), ("Z", "C"), (None, "A")):
        seats = series.next_seats()
        series.results.append(Result(dict(seats), None, "resignation", loser=mark))
        assert next(iter(series.next_seats().values())) == beginner


def test_series_supports_one_player() -> None:
    series = Series(("Ada",), Begins.CHOOSER, ("X",))
    assert not series.needs_choice
    assert dict(series.next_seats()) == {"X": "Ada"}


def test_begins_accepts_its_text() -> None:
    assert Series(NAMES, "loser").begins is Begins.LOSER  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="nobody"):
        Series(NAMES, "nobody")  # type: ignore[arg-type]


# The scoreboard


def test_scores_match_the_tutorial() -> None:
    """The transcript of seed 003: no games, then one win each, and a draw (A3-05)."""
    series = Series(NAMES, Begins.CHOOSER)
    assert table(series) == [("Luffy", 0, 0, 0), ("Sanji", 0, 0, 0)]
    finished(series, "Luffy", "X")
    assert table(series) == [("Luffy", 1, 0, 0), ("Sanji", 0, 0, 1)]
    finished(series, "Sanji", "O")
    assert table(series) == [("Luffy", 1, 0, 1), ("Sanji", 1, 0, 1)]
    finished(series, None, "X")
    assert table(series) == [("Luffy", 1, 1, 1), ("Sanji", 1, 1, 1)]
    assert [score.points for score in series.scores()] == [1.5, 1.5]
    assert [score.games for score in series.scores()] == [3, 3]


def test_scores_include_new_results() -> None:
    series = Series(NAMES)
    assert table(series) == table(series) == [("Luffy", 0, 0, 0), ("Sanji", 0, 0, 0)]
    for wins in range(1, 5):
        series.results.append(Result({"X": "Luffy", "O": "Sanji"}, "X", "line"))
        assert series.scores() == series.scores() == recount(series.results, map(Score, NAMES))
        assert table(series) == [("Luffy", wins, 0, 0), ("Sanji", 0, 0, wins)]
        assert series.scores()[0].longest_streak == wins
    begun_anew = Series(NAMES, results=list(series.results))
    assert begun_anew.scores() == series.scores()
    assert begun_anew == series


def test_seats_use_the_marks_of_the_game() -> None:
    """A3-03: a win counts for the player in that game, not for the present owner of the seat."""
    result = Result({"O": "Sanji", "X": "Luffy"}, "O", "line")
    assert [(score.name, score.wins) for score in recount([result], map(Score, NAMES))] == [
        ("Luffy", 0),
        ("Sanji", 1),
    ]


def test_equal_names_get_numbers() -> None:
    """A3-04."""
    series = Series(("A", "A"), Begins.ALTERNATE)
    assert series.players == ("A", "A (2)")
    finished(series, "A (2)")
    assert table(series) == [("A", 0, 0, 1), ("A (2)", 1, 0, 0)]
    assert Series((" ada", "ADA ", "Ada")).players == ("ada", "ADA (2)", "Ada (3)")


@pytest.mark.parametrize("name", ["", " ", "\x1b[31m", "a\nb", "a\u200bb", "\ud800", "a" * 41])
def test_invalid_names_are_refused(name: str) -> None:
    """A3-04, A3-08."""
    with pytest.raises(NameRefused):
        Series(("Ada", name))


def test_scores_count_streaks() -> None:
    series = Series(NAMES)
    for winner in ("Luffy", "Luffy", "Sanji", "Luffy", "Luffy", "Luffy", None, "Luffy"):
        finished(series, winner)
    luffy, sanji = series.scores()
    assert (luffy.streak, luffy.longest_streak) == (1, 3)
    assert (sanji.streak, sanji.longest_streak) == (0, 1)


def test_resigned_puzzle_is_a_loss() -> None:
    results = [Result({"X": "Ada"}, None, "resignation", "X"), Result({"X": "Ada"}, "X", "solved")]
    assert recount(results) == (Score("Ada", wins=1, losses=1, streak=1, longest_streak=1),)


def test_only_the_resigning_player_of_three_loses() -> None:
    result = Result({"X": "A", "O": "B", "Z": "C"}, None, "resignation", "O")
    assert [(score.draws, score.losses) for score in recount([result])] == [(1, 0), (0, 1), (1, 0)]


def test_scores_list_players_without_games() -> None:
    result = Result({"X": "B", "O": "C"}, "X", "line")
    assert [score.name for score in recount([result], map(Score, ("A", "C")))] == ["A", "C", "B"]


def test_between_finds_the_head_to_head() -> None:
    results = [
        Result({"X": "A", "O": "B"}, "X", "line"),
        Result({"X": "A", "O": "C"}, "X", "line"),
        Result({"X": "B", "O": "A"}, "X", "line"),
        Result({"X": "B", "O": "C"}, "X", "line"),
        Result({"X": "A", "O": "C", "Z": "B"}, "O", "line"),
    ]
    assert between(results, "A", "B") == between(results, "B", "A") == [results[0], results[2], results[4]]
    (score,) = (score for score in recount(between(results, "A", "B")) if score.name == "A")
    assert (score.wins, score.draws, score.losses) == (1, 0, 2)
    assert between(results, "A", "D") == []


results = st.builds(
    lambda names, winner: Result(dict(zip("XO", names, strict=True)), winner, "line"),
    st.permutations("ABC").map(lambda names: names[:2]),
    st.sampled_from(("X", "O", None)),
)


@pytest.mark.slow
@given(st.lists(results, max_size=20))
def test_every_win_is_another_players_loss(played: list[Result]) -> None:
    scores = recount(played, map(Score, "ABC"))
    assert sum(score.wins for score in scores) == sum(score.losses for score in scores)
    assert sum(score.points for score in scores) == len(played)
    assert sum(score.games for score in scores) == 2 * len(played)
    for score in scores:
        assert 0 <= score.streak <= score.longest_streak <= score.wins


@pytest.mark.slow
@given(st.lists(results, max_size=12), st.integers(0, 12))
def test_recount_can_be_split(played: list[Result], place: int) -> None:
    series = Series(("A", "B"))
    for result in played[:place]:
        series.results.append(result)
    series.scores()
    series.results += played[place:]
    assert series.scores() == recount(played, map(Score, ("A", "B")))


def test_spellings_of_one_name_are_one_player() -> None:
    results = [Result({"X": "Ada", "O": "Wei"}, "X", "line"), Result({"X": "ADA", "O": "Nami"}, "O", "line")]
    assert recount(results)[0] == Score("Ada", wins=1, losses=1, longest_streak=1)
    assert between(results, "ada", "NAMI") == [results[1]]


def test_long_equal_names_stay_valid() -> None:
    series = Series(("A" * 40, "A" * 40))
    assert Series(series.players).players == series.players
    assert series.players[1].endswith("… (2)")
