"""Input for the predecessors of this program gives the same games here."""

import pytest

from noughts.arena.series import Begins
from noughts.interfaces.presenting.game_plan import PlayOptions
from noughts.interfaces.presenting.i18n import Phrase
from noughts.interfaces.presenting.players import player_called
from tests.interfaces.harness import EN, PEOPLE, SAY, Program, SessionResult, converse, text_of
from tests.stand_ins import open_series

RUSSIAN = ["8", "1", "7", "9", "3", "5"]
"""The game of the Russian article: O wins on the main diagonal."""

LUFFY_X = ["5", "1", "9", "2", "3", "7", "6"]
SANJI_O = ["5", "3", "2", "8", "1", "9", "6", "7"]
SERIES = ["1", *LUFFY_X, "2", *SANJI_O, "3"]
"""The series of the English article: Luffy wins with X, then again with X while Sanji begins with O."""


def test_russian_article_game_with_options(program: Program) -> None:
    people = ("--x", "human", "--o", "human", "--names", "Аня,Борис")
    ran = program.run("play", "tictactoe", *people, "--lang", "ru", typed=text_of(RUSSIAN))
    say = SAY["ru"]
    assert (ran.status, ran.errors) == (0, "")
    assert say.plural("wins-main-diagonal", 6, winner="Борис", cells=Phrase("cells", "1 5 9")) in ran.lines
    with program.store() as store:
        (stored,) = store.games()
    assert stored.result is not None
    assert (stored.result.winner, stored.result.termination) == ("O", "line")


def test_russian_article_game_with_questions() -> None:
    session = converse(["tictactoe", "1", "Аня", "Борис", "н", *RUSSIAN], PlayOptions(), language="ru")
    assert session.status == 0
    assert [game["moves"] for game in session.games()] == [RUSSIAN]
    assert session.games()[0]["winner"] == "O"


def scoreboards(lines: list[str]) -> list[list[tuple[str, int, int, int]]]:
    """Return the scoreboards: the wins, draws and losses of each player."""
    boards: list[list[tuple[str, int, int, int]]] = []
    for line in lines:
        words = line.split()
        if words[:2] == ["Player", "Wins"] or words[:2] == ["Player", "Mark"]:
            boards.append([])
        elif words and words[0] in ("Luffy", "Sanji") and words[-1].isdigit():
            wins, draws, losses = map(int, words[-5:-2])
            boards[-1].append((words[0], wins, draws, losses))
    return boards


def assert_the_series(lines: list[str]) -> None:
    none = [("Luffy", 0, 0, 0), ("Sanji", 0, 0, 0)]
    one = [("Luffy", 1, 0, 0), ("Sanji", 0, 0, 1)]
    two = [("Luffy", 2, 0, 0), ("Sanji", 0, 0, 2)]
    assert scoreboards(lines) == [none, one, two, two]
    assert EN.plural("wins-column", 7, winner="Luffy", number=3, cells=Phrase("cells", "3 6 9")) in lines
    assert EN.plural("wins-row", 8, winner="Luffy", number=3, cells=Phrase("cells", "7 8 9")) in lines
    begins = [line for line in lines if "goes first" in line and "choose" not in line]
    assert begins == [EN("begins", name="Luffy", mark="X"), EN("begins", name="Sanji", mark="O")]
    assert lines.index(EN("scoreboard")) < lines.index(begins[0])
    assert EN("final-scores") in lines


def test_english_article_series_with_options(program: Program) -> None:
    who = ("--x", "human", "--o", "human", "--names", "Luffy,Sanji")
    ran = program.run("play", *who, "--series", "--begins", "chooser", typed=text_of(SERIES))
    assert (ran.status, ran.errors) == (0, "")
    assert_the_series(ran.lines)
    assert program.run("scores").lines[2:] == [
        "Luffy      2      0       0       2       2",
        "Sanji      0      0       2       0       0",
    ]


def test_english_article_series_with_questions() -> None:
    session = converse(["", "1", "Luffy", "Sanji", "y", *SERIES], PlayOptions())
    assert session.status == 0
    assert_the_series(session.lines)
    assert open_series(session.store) is None
    assert [dict(game["players"]) for game in session.games()] == [
        {"X": "Luffy", "O": "Sanji"},
        {"O": "Sanji", "X": "Luffy"},
    ]


@pytest.mark.parametrize("spoken", ["X", "x", " 1 "])
def test_mark_is_chosen_by_number_or_name(spoken: str) -> None:
    options = PlayOptions("tictactoe", PEOPLE, ("Luffy", "Sanji"), series=True, begins=Begins.CHOOSER)
    session = converse([spoken, *LUFFY_X, "3"], options)
    assert session.status == 0
    assert session.games()[0]["players"] == {"X": "Luffy", "O": "Sanji"}


# The course: a person or random computer in each seat, cells numbered from 0


def test_person_plays_random_computer() -> None:
    session = converse(
        [str(cell) for cell in range(9)],
        PlayOptions("tictactoe", {"X": "human", "O": "random"}, first=0, seed=3),
    )
    assert_ran_to_an_end(session)


def test_people_count_cells_from_0() -> None:
    session = converse(["4", "0", "8", "1", "2", "6", "5"], PlayOptions("tictactoe", PEOPLE, first=0))
    assert_ran_to_an_end(session)
    assert (
        EN.plural("wins-column", 7, winner="Player 1", number=3, cells=Phrase("cells", "2 5 8"))
        in session.lines
    )
    assert [line for line in session.lines if line.split() == ["0", "|", "1", "|", "2"]]


def test_random_computers_play_repeatably() -> None:
    options = PlayOptions("tictactoe", {"X": "random", "O": "random"}, seed=1, keep=True)
    session = converse([], options)
    assert_ran_to_an_end(session)
    assert converse([], options).output == session.output


def assert_ran_to_an_end(told: SessionResult) -> None:
    assert told.status == 0
    (game,) = told.games()
    assert game["termination"] in ("line", "full")
    name = game["players"].get(game["winner"])
    if name and name.startswith("random"):
        name = player_called(EN, name, "random")
    end = [line for line in told.lines if line.startswith(f"{name} wins" if name else "A draw")]
    assert len(end) == 1
    # Each move is announced in a whole sentence.
    assert sum(" plays " in line and "goes first" not in line for line in told.lines) == len(game["moves"])


# The Chinese program: a question for the first player, against the player rule


@pytest.mark.parametrize("answer", ["y", "n"])
@pytest.mark.parametrize("language", ["zh-Hans", "en"])
def test_first_side_is_chosen_and_announced(answer: str, language: str) -> None:
    say = SAY[language]
    cells = [str(cell) for cell in range(1, 10)]
    session = converse(["", "2", "rule", answer, "小林", "n", *cells], PlayOptions(), language=language)
    assert session.status == 0
    announced = say("person-first" if answer == "y" else "computer-first", mark="X")
    assert announced in session.lines
    (game,) = session.games()
    person = "X" if answer == "y" else "O"
    assert game["players"][person] == "小林"
    assert game["termination"] in ("line", "full")
    # The computer takes the centre and announces it.
    if answer == "n":
        computer = player_called(say, "rule", "rule")
        assert (
            say("plays", player=say("player-with-mark", name=computer, mark="X"), move=Phrase("cell", "5"))
            in session.lines
        )
    remarks = {None: "remark-draw", person: "remark-person"}
    assert session.lines[-1] == say(remarks.get(game["winner"], "remark-computer"))


@pytest.mark.parametrize(
    ("moves", "remark"),
    [
        (["1", "9", "7", "8"], "remark-person"),  # This is the line by which a person beats the three rules.
        (["2", "3", "4", "6", "7", "8", "9"], "remark-computer"),
    ],
)
def test_closing_remark_depends_on_winner(moves: list[str], remark: str) -> None:
    session = converse(moves, PlayOptions("tictactoe", {"X": "human", "O": "rule"}))
    winner = session.games()[0]["winner"]
    assert (winner == "X") == (remark == "remark-person")
    assert session.lines[-1] == EN(remark)


def test_closing_remarks_exist_for_draws_and_people() -> None:
    drawn = converse(["5", "1", "9", "3", "2", "8", "4", "6", "7"])
    assert drawn.lines[-2:] == [EN.plural("draw-full", 9), EN("remark-draw")]
    assert converse(LUFFY_X).lines[-1] == EN("remark-people")
