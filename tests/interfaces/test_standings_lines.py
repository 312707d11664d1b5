"""Standings of a tournament, for people and for scripts."""

from dataclasses import replace

import pytest

from noughts.arena.tournament.plan import Entrant, TournamentPlan
from noughts.arena.tournament.standings import CRASHES, GameResult, GameTally
from noughts.interfaces.console.standings import playing_line, standings_lines
from noughts.interfaces.presenting.standings_texts import standings_as_json
from noughts.interfaces.presenting.titles import title_of
from tests.interfaces.harness import EN

PLAN = TournamentPlan(
    "round-robin", ("tictactoe",), (Entrant("Ada", "rule"), Entrant("Wei", "random")), pairs=2
)


def counted(*games: GameResult) -> GameTally:
    tally = GameTally(PLAN)
    for number, game in enumerate(games, 1):
        tally.add(number, game)
    return tally


def test_standings_can_be_empty() -> None:
    standings = counted().table()
    assert standings_as_json(standings)["standings"][0]["elo"] is None
    assert standings_as_json(standings)["standings"][0]["los"] is None
    lines = standings_lines(EN, standings, 200)
    assert lines[2].split() == ["Ada", "-", "-", "-", "0", "0", "0"]
    assert EN("ranking-too-few", column="Stronger") in lines


def test_playing_line_names_running_games() -> None:
    answer = [
        EN("tournament-pairing", first=first, second=second, game=title_of(EN, "tictactoe"))
        for first, second in (("Ada", "Wei"), ("Wei", "Ada"))
    ]
    assert playing_line(EN, PLAN, [2, 1]) == EN("tournament-playing", games=EN.listed(answer))
    assert playing_line(EN, PLAN, []) == ""


def test_standings_show_differences() -> None:
    lines = standings_lines(
        EN, counted(GameResult(0), GameResult(0), GameResult(None), GameResult(0)).table(), 80
    )
    assert lines[2].split()[3].endswith("%")
    assert EN("ranking-too-few", column="Stronger") not in lines


def test_copied_games_have_column_and_remark() -> None:
    standings = counted(*[GameResult(0, course="a"), GameResult(1, course="b")] * 2).table()
    heading, _, ada, *_ = lines = standings_lines(EN, standings, 80)
    assert (heading.split()[-1], ada.split()[-4:]) == ("Different", ["2", "0", "2", "2"])
    assert EN.plural("tournament-copies", 4, distinct=2) in lines
    answer = standings_as_json(standings)
    assert (answer["distinct"], [one["distinct"] for one in answer["standings"]]) == (2, [2, 2])
    assert "Different" not in standings_lines(EN, counted(GameResult(0), GameResult(0)).table(), 80)[0]


@pytest.mark.parametrize("games", [[GameResult(None)] * 2, [GameResult(0), GameResult(1)]])
def test_even_players_have_no_sign(games: list[GameResult]) -> None:
    standings = counted(*games).table()
    answer = standings_as_json(standings)
    assert [str(one["elo"]) for one in answer["standings"]] == ["0.0", "0.0"]
    assert answer["pairs"] == [0, 0, 1, 0, 0]
    assert standings_lines(EN, standings, 80)[2].split()[:2] == ["Ada", "+0"]


def test_faults_have_a_column() -> None:
    standings = counted(GameResult(0, CRASHES), GameResult(0)).table()
    heading, _, ada, wei, *_ = standings_lines(EN, standings, 80)
    assert heading.split()[-1] == "Crashes"
    assert (ada.split()[-1], wei.split()[-1]) == ("0", "1")
    assert ada.split()[1] == "∞"


def test_narrow_standings_drop_ratings_before_names() -> None:
    """Three bots were once all named “bot:f…”."""
    names = [f"bot:{number}-of-three" for number in range(3)]
    plan = replace(PLAN, players=tuple(Entrant(name, "rule") for name in names))
    answer = {width: standings_lines(EN, GameTally(plan).table(), width) for width in (60, 80)}
    assert [lines[0].split()[-1] for lines in answer.values()] == ["Losses", "Rating"]
    assert all(name in "\n".join(answer[60]) for name in names)
