"""The line console: questions, commands, and the announcement of every kind of end."""

import io
import os
import re
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from noughts import new_game
from noughts.arena.commands import Claim, Command, Leave, MakeMove
from noughts.arena.events import Event
from noughts.arena.match import Match
from noughts.arena.series import Begins
from noughts.arena.setup import Setup
from noughts.arena.stored_game import StoredGame
from noughts.errors import StoreError
from noughts.games.base import Game, Move
from noughts.games.catalogue import CATALOGUE
from noughts.games.notation import format_move, format_position
from noughts.install import install_commands
from noughts.interfaces.console import seats
from noughts.interfaces.console.prompts import Conversation, Narrator
from noughts.interfaces.console.session import DEFAULT_GAMES, Session
from noughts.interfaces.console.terminal import Terminal
from noughts.interfaces.presenting import players
from noughts.interfaces.presenting.game_plan import PlayOptions
from noughts.interfaces.presenting.i18n import LANGUAGES, Phrase
from noughts.interfaces.presenting.players import name_of_computer, player_called, strength
from noughts.players import base
from noughts.players.base import Player
from noughts.records.record import Record
from noughts.search.analysis import Limit, Progress, Report, no_report
from noughts.search.analyst import Analyst
from noughts.search.explain.review import reviews
from noughts.text import display_width
from tests.interfaces.harness import (
    DONE,
    EN,
    INTERRUPTED,
    NO,
    PEOPLE,
    SAY,
    OneLine,
    Program,
    SessionResult,
    converse,
    row,
    squeezed,
    text_of,
)
from tests.stand_ins import MemoryStore, open_series
from tests.weekly import each_week_all

NAMES = ("Ada", "Wei")
WIN = ["1", "4", "2", "5", "3"]


def ended(
    game: str, moves: str, *, language: str = "en", who: Mapping[str, str] = PEOPLE, **more: Any
) -> SessionResult:
    """Play *moves* of a game between Ada and Wei."""
    names = more.pop("names", NAMES[: len(who)])
    return converse(moves.split(), PlayOptions(game, who, names, **more), language=language)


# Questions


def test_console_asks_questions_in_order() -> None:
    say = SAY["ru"]
    yes, no = say("words-yes").split()[-1], say("words-no").split()[-1]
    typed = ["h", "99", "tictactoe", "4", "2", "nobody", "rule", "?", yes, "Ada", no, "q"]
    session = converse(typed, PlayOptions(), language="ru")
    questions = [
        say("ask-game"),
        say("ask-pairing"),
        say("ask-computer", most="10"),
        players.describe_computer(say, "rule"),
        say("ask-first"),
        say("ask-name", name=say("default-name")),
        say("ask-series"),
    ]
    places = [session.lines.index(question) for question in questions]
    assert places == sorted(places)
    for text in (
        say("help-setup"),
        say("help-setup-scores"),
        say("unknown-mark", mark="4", allowed=("1", "2", "3")),
        say("command-not-now", command="?"),
        say("person-first", mark="X"),
    ):
        assert text in session.lines
    assert session.status == 0


def test_game_question_accepts_number_name_or_spec() -> None:
    for answer, rules in (
        ("", "tictactoe"),
        ("3", "connect4"),
        (" connect4 ", "connect4"),
        ("5x4:3,wrap", "5x4:3,wrap"),
    ):
        session = converse([answer, "q"], PlayOptions())
        assert EN.messages(new_game(rules).rule_text) in session.lines
    for refused in ("0", "2000x2000", "3x3:4", "chess", "-1", "3x3:3,hot"):
        session = converse([refused, "q"], PlayOptions())
        assert session.lines.count(EN("ask-game")) == 2


def test_console_lists_every_game() -> None:
    lines = converse([], PlayOptions()).lines
    assert [line.split()[1] for line in lines[1 : len(CATALOGUE) + 1]] == [entry.name for entry in CATALOGUE]


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("computer", ["perfect", " perfect "])
def test_declining_computer_repeats_the_question(computer: str) -> None:
    session = converse(["gomoku", "2", computer, "rule", "y", "Ada", "n", "h8", "q"], PlayOptions())
    assert session.status == 0
    assert (
        EN("unsupported-not-solved", who="perfect", game="gomoku", nodes=500, instead=("level:10",))
        in session.lines
    )
    assert session.games()[0]["moves"][0] == "113"


def test_computers_are_chosen_one_by_one() -> None:
    session = converse(["", "3", "human", "random", ""], PlayOptions(keep=True, seed=1))
    assert session.status == 0
    # A person is not a computer.
    assert EN("no-such-player", name="human", known=("random", "rule", "perfect")) in session.lines or any(
        line.startswith("There is no player “human”") for line in session.lines
    )
    assert session.games()[0]["players"] == {"X": "random", "O": "rule"}


def test_three_seats_are_chosen_one_by_one() -> None:
    session = converse(["three", "", "nobody", "random", "human", "A", "B", "n", "q"], PlayOptions())
    for mark in "XOZ":
        assert EN("ask-seat", mark=mark) in session.lines
    assert EN("ask-name-of", number=2, name="Player 2") in session.lines
    assert EN("begins", name="A", mark="X") in session.lines


def test_single_player_gives_only_a_name() -> None:
    session = converse(["fifteen", "", "Ada", "q"], PlayOptions())
    assert EN("ask-pairing") not in session.lines
    assert EN("ask-series") not in session.lines
    assert session.status == 0


def test_options_replace_questions() -> None:
    session = converse(["", "human", "q"], PlayOptions(None, {"X": "rule"}, NAMES, series=True))
    requests = {EN("ask-pairing"), EN("ask-name", name="Player"), EN("ask-series")} & set(session.lines)
    assert requests == set()
    assert EN("ask-seat", mark="O") in session.lines


def test_name_question_repeats_until_usable() -> None:
    session = converse(["", "1", "\u200b", "A" * 41, "\udcff", "Ada", "Ada", "n", "q"], PlayOptions())
    assert EN("name-too-wide") in session.lines
    assert EN("begins", name="Ada", mark="X") in session.lines
    assert (
        EN("prompt-cell", player=EN("player-with-mark", name="Ada", mark="X"), first=1, last=9)
        in session.lines
    )


# Commands


def test_help_lists_rules_and_commands() -> None:
    say = SAY["ru"]
    session = ended("connect4", "h 4 q", language="ru")
    for text in (
        say.messages(new_game("connect4").rule_text),
        say("accepted-column", first=1, last=7),
        say("help-game"),
    ):
        assert text in session.lines
    (words,) = [line for line in session.lines if line.startswith(say("help-words", words="|").split("|")[0])]
    for command in ("help", "undo", "hint", "resign", "quit"):
        assert "/".join(say(f"words-{command}").split()) in words


@pytest.mark.parametrize(
    ("game", "moves", "free"),
    [
        ("connect4", "4 4 4 4 4 4 4 q", "123567"),
        ("connect4", "4 4 4 4 4 4 d4 q", "123567"),
        ("4x1:3,gravity,wild", "X4 O4 q", "123"),
    ],
)
def test_full_column_is_reported(game: str, moves: str, free: str) -> None:
    say = SAY["ru"]
    assert say("column-full", cell="4", free=list(free)) in ended(game, moves, language="ru").lines


def test_similar_names_get_numbers() -> None:
    session = converse([*WIN, "q"], PlayOptions("tictactoe", PEOPLE, ("Ada", "Аdа")))
    assert session.games()[0]["players"] == {"X": "Ada", "O": "Аdа (2)"}


def test_enter_accepts_defaults() -> None:
    session = converse(["", "", "", "", "", "", "5", "q"], PlayOptions())
    assert EN("person-first", mark="X") in session.lines
    assert session.games()[0]["moves"][0] == "5"
    assert session.games()[0]["players"]["X"] == EN("default-name")
    assert not session.store.all_open_series()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "moves", "hint"),
    [
        ("tictactoe", "1 5 2 9 ? ?", "cell 3"),  # The move wins at once.
        ("tictactoe", "1 5 2 ? ?", "cell 3"),  # The threat must be stopped.
        ("connect4", "1 2 1 2 1 2 ? ?", "column 1"),
        ("gomoku", "a1 b1 a2 b2 a3 b3 a4 b4 ? ?", "a5"),
        ("wild", "X1 O9 X2 ? ?", "X3"),
        ("vanishing", "1 4 2 5 ? ?", "cell 3"),
    ],
)
def test_hint_is_a_good_move(game: str, moves: str, hint: str) -> None:
    assert f"Hint: {hint}." in ended(game, moves).lines


@pytest.mark.slow
@pytest.mark.parametrize(
    "game", each_week_all((entry.name for entry in CATALOGUE if entry.name != "gomoku-standard"), 2)
)
def test_every_game_has_playable_hints(game: str) -> None:
    who = dict.fromkeys(new_game(game).sides, "human")
    session = converse(["?", "?", "q"], PlayOptions(game, who, seed=1))
    (hint,) = [line for line in session.lines if line.startswith("Hint: ")]
    move = hint.removeprefix("Hint: ").removesuffix(".").split(" (")[0].split()[-1]
    assert len(converse([move, "q"], PlayOptions(game, who, seed=1)).games()[0]["moves"]) == 1


@pytest.mark.slow
def test_moves_in_space_show_number_and_place() -> None:
    session = converse(
        ["1a1", "52", "?", "?", "q"], PlayOptions(game="qubic", who=PEOPLE, names=("Ada", "Wei"))
    )
    assert EN("plays", player="Ada (X)", move=Phrase("cell", "13 (1a1)")) in session.lines
    assert EN("plays", player="Wei (O)", move=Phrase("cell", "52 (4d4)")) in session.lines
    assert re.search(r"^Hint: cell \d+ \([1-4][a-d][1-4]\)\.", session.output, re.MULTILINE)


def test_command_lists_moves_so_far() -> None:
    lines = ended("tictactoe", "m 5 1 9 m").lines
    ada, wei = (EN("player-with-mark", name=name, mark=mark) for name, mark in zip(NAMES, "XO", strict=True))
    assert EN("no-moves-so-far", player=ada) in lines
    assert EN("moves-so-far", player=ada, moves=Phrase("cells", ("5", "9"))) in lines
    assert EN("moves-so-far", player=wei, moves=Phrase("cell", "1")) in lines
    # The list leaves out moves that were taken back.
    assert EN("moves-so-far", player=ada, moves=Phrase("cell", "5")) in ended("tictactoe", "5 1 9 u m").lines
    assert EN("moves-so-far", player=ada, moves=["h8", "a1"]) in ended("gomoku", "h8 h9 a1 m").lines
    assert (
        EN("moves-so-far", player=ada, moves=Phrase("columns", ("4", "4")))
        in ended("connect4", "4 4 4 m").lines
    )


def test_take_back_returns_to_own_decision() -> None:
    for first, who in ((True, {"X": "human", "O": "rule"}), (False, {"X": "rule", "O": "human"})):
        session = ended("tictactoe", "u 1 u 2 q" if first else "u 1 u 3 q", who=who)
        assert EN("refused-nothing-to-take-back") in session.lines
        assert session.lines.count(EN("taken-back")) == 1
        moves = session.games()[0]["moves"]
        assert moves[not first] == ("2" if first else "3")


def test_draw_offer_can_be_accepted_or_declined() -> None:
    agreed = ended("tictactoe", "d y")
    assert EN("draw-offered", player=EN("player-with-mark", name="Ada", mark="X")) in agreed.lines
    assert EN.plural("draw-agreement", 0) in agreed.lines
    assert agreed.games()[0]["termination"] == "agreement"
    declined = ended("tictactoe", "5 d perhaps u n d no q")
    assert declined.lines.count(EN("offer-declined")) == 2
    assert EN("answer-yes-or-no") in declined.lines
    assert EN("command-not-now", command="u") in declined.lines
    computer = ended("tictactoe", "d q", who={"X": "human", "O": "rule"})
    assert EN("offer-declined") in computer.lines


def test_scores_command_shows_series_or_all() -> None:
    store = MemoryStore()
    assert EN("no-scores") in converse(["s", "q"], store=store).lines
    converse(WIN, PlayOptions(who=PEOPLE, names=("Old", "Older")), store=store)
    assert any(line.startswith("Older ") for line in converse(["s", "q"], store=store).lines)
    series = converse([*WIN, "s", "q"], PlayOptions(who=PEOPLE, names=NAMES, series=True), store=store)
    assert not any(line.startswith("Older ") for line in series.lines)


# Ends


@pytest.mark.parametrize(
    ("game", "moves", "winner", "kind", "facts"),
    [
        ("3d", "1 10 2 11 3", "Ada", "row-in-layer",
         {"layer": 1, "number": 3, "cells": row("1 2 3", "1a3 1b3 1c3")}),
        ("3d", "10 1 13 2 16", "Ada", "column-in-layer",
         {"layer": 2, "number": "a", "cells": row("10 13 16", "2a3 2a2 2a1")}),
        ("3d", "1 2 5 3 9", "Ada", "main-diagonal-in-layer",
         {"layer": 1, "cells": row("1 5 9", "1a3 1b2 1c1")}),
        ("3d", "21 2 23 1 25", "Ada", "anti-diagonal-in-layer",
         {"layer": 3, "cells": row("25 23 21", "3a1 3b2 3c3")}),
        ("3d", "1 2 14 3 27", "Ada", "space-line", {"cells": row("1 14 27", "1a3 2b2 3c1")}),
        ("3x3x3:2", "2 27 4", "Ada", "diagonal-in-layer",
         {"layer": 1, "cells": row("4 2", "1a2 1b3")}),
        ("5x4:3", "1 2 7 3 13", "Ada", "diagonal", {"cells": row("1 7 13")}),
        ("gomoku", "a1 o1 a2 o2 a3 o3 a4 o4 a5", "Ada", "column", {"number": "a", "cells": "a5 a4 a3 a2 a1"}),
        ("gomoku", "a2 o1 b2 o3 c2 o5 d2 o7 e2", "Ada", "row", {"number": 2, "cells": "a2 b2 c2 d2 e2"}),
        ("4x1:2", "2 4 3", "Ada", "row", {"number": 1, "cells": row("2 3")}),
        ("wild", "X1 X2 O9 X3", "Wei", "row", {"number": 1, "cells": row("1 2 3")}),
    ],
)  # fmt: skip
def test_win_by_one_line_is_announced(
    game: str, moves: str, winner: str, kind: str, facts: dict[str, Any]
) -> None:
    session = ended(game, moves, language="ru")
    data = {"layer": None, "number": None, **facts}
    assert SAY["ru"].plural(f"wins-{kind}", len(moves.split()), winner=winner, **data) in session.lines


def test_win_by_two_lines_is_announced() -> None:
    say = SAY["ru"]
    lines = ended("tictactoe", "1 2 3 4 7 6 9 8 5", language="ru").lines
    assert lines[-4] == say.plural("wins-after", 9, winner="Ada")
    assert set(lines[-3:-1]) == {
        say("line-anti-diagonal", cells=row("7 5 3")),
        say("line-main-diagonal", cells=row("1 5 9")),
    }


@pytest.mark.parametrize(("game", "moves"), [("misere", "1 4 2 5 3"), ("notakto", "1 2 3")])
def test_win_by_line_of_opponent_is_announced(game: str, moves: str) -> None:
    say = SAY["ru"]
    lines = ended(game, moves, language="ru").lines
    count = len(moves.split())
    assert lines[-3:-1] == [
        say.plural("wins-by-others-line", count, winner="Wei", loser="Ada"),
        say("line-row", number=1, cells=row("1 2 3")),
    ]


def test_draw_and_resignation_are_announced() -> None:
    say = SAY["ru"]
    drawn = ended("tictactoe", "5 1 9 3 2 8 4 6 7", language="ru").lines
    assert drawn[-2:] == [say.plural("draw-full", 9), say("remark-draw")]
    session = ended("4x4:3,vanish=3", "1 16 2 15 7 10 8 9 " * 4, language="ru")
    (game,) = session.games()
    assert game["termination"] == "repetition"
    assert say.plural("draw-repetition", len(game["moves"])) in session.lines
    resigned = ended("tictactoe", "5 r", language="ru").lines
    assert resigned[-3:-1] == [say("end-resignation", loser="Wei"), say("wins", winner="Ada")]


@pytest.mark.slow
def test_reversi_result_counts_marks() -> None:
    who = {"X": "random", "O": "random"}
    seen = set()
    for seed in range(6):
        session = ended("reversi", "", who=who, seed=seed)
        last = session.lines[-1]
        winner = next((name for name in NAMES if last.startswith(f"{name} wins by ")), None)
        assert winner is not None or last == EN.plural("draw-count", 60)
        seen.add(winner)
    assert {"Ada", "Wei"} <= seen


@pytest.mark.slow
def test_pass_is_announced_and_typed() -> None:
    moves = next(moves for seed in range(99) if "pass" in (moves := _moves_of_reversi(seed)))
    session = ended("reversi", " ".join(moves))
    assert any(line == EN("plays-pass", player=EN("player-with-mark", name=name, mark=mark))
               for line in session.lines for name, mark in zip(NAMES, "XO", strict=True))  # fmt: skip
    assert session.games()[0]["moves"] == moves
    refused = ended("reversi", "pass q")
    assert (refused.status, refused.games()) == (0, [])
    text = EN("move-illegal", cell=Phrase("pass", "pass"), free=["|"]).partition("|")[0]
    assert any(line.startswith(text) for line in refused.lines)


def _moves_of_reversi(seed: int) -> list[str]:
    """Return the moves of a random game up to its end."""
    game, chance, moves = new_game("reversi"), Random(seed), []
    while game.outcome is None:
        move = chance.choice(game.legal_moves())
        moves.append(format_move(game, move))
        game.play(move)
    return moves


def test_fifteen_puzzle_can_be_solved() -> None:
    puzzle = new_game("fifteen")
    nearly = puzzle.at([*map(str, range(1, 13)), None, "13", "14", "15"])
    store, setup = MemoryStore(), Setup("fifteen", {"X": "Ada"}, _text(nearly), who={"X": "human"})
    match = setup.replay(())
    moves = [event for cell in ((3, 1), (3, 2)) for event in match.apply("X", MakeMove(cell), 0)]
    store.append(store.add_game(setup), moves)
    session = Session(Conversation(_Interactive(["y", "16"]), EN), lambda: store)
    assert session.play(PlayOptions()) == 0
    (stored,) = store.games()
    assert stored.result is not None
    assert (stored.result.winner, stored.result.termination) == ("X", "solved")


def _text(game: Game) -> str:
    return format_position(game)


class _Interactive(Terminal):
    """A terminal at which *lines* are typed."""

    def __init__(self, lines: list[str], target: io.StringIO | None = None) -> None:
        super().__init__(io.StringIO(), target or io.StringIO())
        self.is_interactive, self._lines = True, lines

    def read(self, prompt: str) -> str:
        return self._lines.pop(0)


def test_reviewed_game_is_played_on() -> None:
    """X overlooks a win, and takes it in a second game from that position."""
    typed = ["1", "2", "5", "3", "4", "r", "y", "5", "9", "n"]
    target, store = io.StringIO(), MemoryStore()
    talk = Conversation(_Interactive(typed, target), EN)
    session = Session(talk, lambda: store, review=lambda match: reviews(match.game, Analyst().analyse))
    assert session.play(PlayOptions("tictactoe", PEOPLE, NAMES)) == DONE
    assert not typed
    assert squeezed(EN("web-play-on-about")) in squeezed(target.getvalue())


# Computers that break the contract


class Broken(Player):
    """A player that fails instead of choosing a move."""

    def __init__(self, does: Any) -> None:
        self.does = does

    def choose(self, game: Game, limit: Limit) -> Move:
        return self.does(game)  # type: ignore[no-any-return]


def fail(game: Game) -> Move:
    raise ZeroDivisionError("by\x1b[2J zero")


@pytest.mark.parametrize(
    ("does", "reason"),
    [(fail, "raised"), (lambda game: None, "no-move"), (lambda game: (9, 9), "illegal-move")],
)
def test_broken_computer_forfeits_with_reason(does: Any, reason: str) -> None:
    say = SAY["ru"]
    with patch.dict(base._registry, {"broken": (lambda argument, chance: Broken(does), ())}):
        session = ended("tictactoe", "5", who={"X": "human", "O": "broken"}, language="ru")
    whole = say(f"forfeit-{reason}", loser="Wei", detail="|").partition("|")[0]
    assert any(line.startswith(whole) for line in session.lines)
    assert say("wins", winner="Ada") in session.lines
    assert "\x1b" not in session.output
    assert session.games()[0]["termination"] == "forfeit"


def test_slow_computer_forfeits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "MOVE_SECONDS", 0.01)

    def sleep(game: Game) -> Move:
        for _ in range(6000):
            time.sleep(0.01)
        return min(game.legal_moves())

    with patch.dict(base._registry, {"slow": (lambda argument, chance: Broken(sleep), ())}):
        session = ended("tictactoe", "5", who={"X": "human", "O": "slow"})
    assert session.games()[0]["termination"] == "forfeit"
    assert session.games()[0]["winner"] == "X"


# Series


@pytest.mark.slow
def test_computer_series_has_default_length() -> None:
    session = ended("tictactoe", "", who={"X": "random", "O": "random"}, series=True, seed=1, keep=True)
    assert len(session.games()) == DEFAULT_GAMES
    begun = [game["players"]["X"] for game in session.games()]
    assert begun == list(NAMES) * (DEFAULT_GAMES // 2)


def test_quitting_between_games_ends_series() -> None:

    options = PlayOptions("tictactoe", PEOPLE, NAMES, series=True, begins=Begins.CHOOSER)
    for typed in (["1", *WIN], ["1", *WIN, "q"]):
        session = converse(typed, options)
        assert session.status == 0
        assert session.lines[-6:][0] in ("", EN("final-scores")) or EN("final-scores") in session.lines
        assert open_series(session.store) is None
    stored = converse(["1", *WIN, "1", "5", "q"], options)
    assert open_series(stored.store) is not None


def test_narrow_scoreboard_drops_columns() -> None:
    from noughts.arena.series import Score
    from noughts.interfaces.console.tables import scoreboard

    scores = [Score("Ada", 1, 2, 3), Score("司马相如与卓文君", 10, 0, 0)]
    wide, narrow = (scoreboard(EN, scores, width, ["X", "O"]) for width in (79, 34))
    assert EN("column-points") in wide[0]
    assert EN("column-points") not in narrow[0]
    assert EN("column-mark") in narrow[0]
    assert max(map(len, narrow)) <= 34
    assert scoreboard(EN, scores, 79)[0].split()[:2] == ["Player", "Wins"]


# Interruptions


@pytest.mark.parametrize("typed", [[], ["5"], ["5", "1", "9"]])
def test_ctrl_c_leaves_at_any_question(typed: list[str]) -> None:
    session = converse(OneLine(text_of(typed), KeyboardInterrupt))
    assert session.status == 0
    assert session.lines[-1] == EN("left-kept" if typed else "left")


def test_quitting_reports_missing_game(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = StoreError("games.db", "replaced")

    def load(store: MemoryStore, game: int) -> None:
        raise gone

    monkeypatch.setattr(MemoryStore, "load", load)
    session = converse(["5", "q"])
    assert session.status == NO
    assert session.lines[-2:] == [EN("left-in-game"), EN.error(gone)]
    over = converse(WIN)
    assert over.status == NO
    assert over.lines[-1] == EN.error(gone)
    left = converse([*WIN, "3"], PlayOptions(who=PEOPLE, names=NAMES, series=True, begins=Begins.CHOOSER))
    assert left.status == NO
    assert EN.error(gone) in left.lines


def test_interrupted_command_is_quiet(program: Program) -> None:
    with patch("noughts.games.perft.perft", side_effect=KeyboardInterrupt):
        ran = program.run("perft", "3")
    assert (ran.status, ran.output, ran.errors.strip()) == (INTERRUPTED, "", "")


def test_scores_command_compares_two_players(program: Program) -> None:
    people = ("play", "--x", "human", "--o", "human")
    for names in ("Ada,Wei", "Wei,Ada", "Ada,Bo"):
        program.run(*people, "--names", names, typed=text_of(WIN))
    rows = [line.split()[:4] for line in program.run("scores", "--versus", "Ada,Wei").lines[2:]]
    assert sorted(rows) == [["Ada", "1", "0", "1"], ["Wei", "1", "0", "1"]]
    assert (
        program.run("scores", "--versus", "Wei,Bo").output
        == EN("no-games-between", names=("Wei", "Bo")) + "\n"
    )
    assert program.run("scores", "--versus", "Ada").status == 2


def test_computer_game_leaves_no_file(program: Program) -> None:
    before = sorted(os.listdir(program.folder))
    program.run("play", "--x", "rule", "--o", "random")
    assert sorted(os.listdir(program.folder)) == before


def test_replay_announces_external_end() -> None:
    from noughts.arena.clock import Clock

    for language in LANGUAGES:
        say = SAY[language]
        timed = Match(new_game(), Clock(1000))
        timed.apply("X", MakeMove((1, 1)), 0)
        timed.apply("O", MakeMove((2, 2)), 0)
        ends: list[tuple[Match, tuple[str, Command], int, str]] = [
            (timed, ("X", MakeMove((0, 0))), 2000, "end-time")
        ]
        away = Match(new_game(), claim_after=10)
        away.apply("X", Leave(), 0)
        ends.append((away, ("O", Claim()), 99, "end-abandonment"))
        for match, command, at, id_ in ends:
            (event,) = match.apply(*command, at)
            lines = _narrated(match, event, language)
            assert lines[:2] == [say(id_, loser="Ada"), say("wins", winner="Wei")]


def _narrated(match: Match, event: Any, language: str) -> list[str]:

    target = io.StringIO()
    talk = Conversation(Terminal(io.StringIO(), target), SAY[language])
    Narrator(talk, match, {"X": "Ada", "O": "Wei"}, {"X": "human", "O": "human"}, 1).event(event)
    return target.getvalue().splitlines()


@pytest.mark.parametrize("language", LANGUAGES)
def test_commands_have_words(language: str) -> None:
    say = SAY[language]
    last = {name: say(f"words-{name}").split()[-1] for name in ("help", "hint", "undo", "resign", "quit")}
    session = converse(
        [last["help"].upper(), last["hint"], "5", last["undo"], last["resign"]],
        PlayOptions("tictactoe", PEOPLE),
        language=language,
    )
    assert say("help-game") in session.lines
    assert say("taken-back") in session.lines
    assert session.games()[0]["termination"] == "resignation"
    assert converse([last["quit"]], PlayOptions("tictactoe", PEOPLE), language=language).status == 0


def test_level_is_chosen_by_number(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = ["2", "2", EN("words-yes").split()[0], "Ada", EN("words-no").split()[0], "5", "q"]
    for game, is_installed in (("5x5:4", True), ("5x5:4", False), ("tictactoe", False)):
        monkeypatch.setattr(players, "find_spec", lambda name, result=is_installed: result or None)
        session = converse([game, *typed], PlayOptions())
        assert session.games()[0]["players"] == {"X": "Ada", "O": "level:2"}
        caution = EN("levels-without-fast", level="10", **install_commands("fast"))
        is_weaker = game != "tictactoe" and not is_installed
        assert (caution in session.lines) is is_weaker


# A store that fails


class Locked(MemoryStore):
    """A store that fails to read and write while ``refusals`` are left."""

    refusals = 0

    def append(self, game: int, events: Sequence[Event]) -> None:
        self._check()
        super().append(game, events)

    def games(self, series: int | None = None, **_: object) -> Iterator[StoredGame]:
        self._check()
        return super().games(series)

    def _check(self) -> None:
        self.refusals -= 1
        if self.refusals >= 0:
            raise StoreError("games.db", "locked")


def test_unsaved_move_waits_for_the_player(tmp_path: Path) -> None:
    store, path = Locked(), tmp_path / "saved.json"
    store.refusals = 3
    session = converse(["5", "", "game.txt", str(path), "", "1", "q"], store=store)
    refused = EN.error(StoreError("games.db", "locked"))
    assert session.lines.count(refused) == 3
    assert session.lines.count(EN("ask-refused")) == 4
    assert [line for line in session.lines if line in (EN("usage-export"), EN("game-saved", name=path))] == [
        EN("usage-export"),
        EN("game-saved", name=path),
    ]
    assert session.games()[0]["moves"] == ["5", "1"]
    assert Record.load(path).replay().moves == ((1, 1),)


@pytest.mark.parametrize(("typed", "status"), [(["q"], DONE), ([], NO)])
def test_quitting_drops_the_unsaved_move(typed: list[str], status: int) -> None:
    store = Locked()
    store.refusals = 1
    session = converse(["5", *typed], store=store)
    assert (session.status, session.lines[-1]) == (status, EN("left"))
    assert [game["moves"] for game in session.games()] == [[]]


def test_unreadable_scores_end_no_game() -> None:
    store = Locked()
    store.refusals = 1
    session = converse(["s", "5", "q"], store=store)
    assert EN.error(StoreError("games.db", "locked")) in session.lines
    assert session.games()[0]["moves"] == ["5"]


class Unproved(Player):
    """A player that reports every other move as unproved."""

    def __init__(self) -> None:
        self._report: Report = no_report

    def report_to(self, report: Report) -> None:
        self._report = report

    def choose(self, game: Game, limit: Limit) -> Move:
        if game.ply == 1:
            self._report(Progress("unproved"))
        return game.legal_moves()[0]


def test_unproved_move_is_reported() -> None:
    target, text = io.StringIO(), SAY["ru"]("thinking-unproved")
    talk = Conversation(Terminal(io.StringIO(), target), SAY["ru"])
    player, match = Unproved(), Match(new_game("tictactoe"))
    both = {"X": seats.ComputerSeat(player, talk), "O": seats.ComputerSeat(player, talk)}
    for ply in range(4):
        command = both[match.turn].decide(match)
        assert isinstance(command, MakeMove)
        match.apply(match.turn, command, 0)
        assert (text in target.getvalue()) == (ply >= 1)
    assert target.getvalue().count(text) == 1


class Late(Player):
    """A player that moves only after its move is overdue."""

    def __init__(self) -> None:
        self.may_move = threading.Event()

    def choose(self, game: Game, limit: Limit) -> Move:
        self.may_move.wait()
        return game.legal_moves()[0]


def test_overdue_move_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "THINK_SECONDS", 0.01)
    target, player = io.StringIO(), Late()
    talk = Conversation(Terminal(io.StringIO(), target), SAY["ru"])
    write = talk.write_message

    def hear(id_: str) -> None:
        write(id_)
        player.may_move.set()

    monkeypatch.setattr(talk, "write_message", hear)
    seats.ComputerSeat(player, talk).decide(Match(new_game("tictactoe")))
    assert target.getvalue().count(SAY["ru"]("thinking-late")) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_narrow_terminal_wraps_game_list(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Titles were once broken within words, and continued below the numbers."""
    monkeypatch.setenv("COLUMNS", "40")
    target = io.StringIO()
    Session(Conversation(_Interactive(["q"], target), SAY[language]), MemoryStore).play(PlayOptions())
    lines = target.getvalue().splitlines()
    assert max(map(display_width, lines)) <= 40
    listed = [line for line in lines if re.match(r" {0,2}\d+  |  {20}", line)]
    assert len(listed) > len(CATALOGUE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_narrow_terminal_wraps_board_notes(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list of possible cells in reversi once extended beyond the edge."""
    monkeypatch.setenv("COLUMNS", "40")
    target = io.StringIO()
    terminal = _Interactive([], target)
    Narrator(Conversation(terminal, SAY[language]), Match(new_game("reversi")), {}, {}, 1).board()
    lines = target.getvalue().splitlines()
    assert "e6" in squeezed("".join(lines))
    assert max(map(display_width, lines)) <= 40


@pytest.mark.slow
@pytest.mark.parametrize("is_terminal", [True, False])
def test_named_game_starts_without_questions(program: Program, is_terminal: bool) -> None:
    say, game = SAY["ru"], ("play", "connect4", "--plain", "--lang", "ru")
    computer = player_called(say, name_of_computer("level:4"), "level:4")
    session = say(
        "playing-between",
        game=say("title-connect4"),
        names=[say("default-name"), computer],
        options=["--x", "--o"],
    )
    for options in ((), ("--moves", "1 1 2 2")):
        ran = program.run(*game, *options, typed="4\nq\n", is_terminal=is_terminal)
        assert ran.status == DONE
        assert squeezed(ran.output).startswith(squeezed(session))
    ran = program.run(*game, "--names", "Ada,Wei", typed="4\nq\n", is_terminal=is_terminal)
    named = say("player-with-mark", name="Wei", mark=strength(say, "level:4"))
    assert squeezed(named) in squeezed(ran.output)
    ran = program.run(*game, "--x", "rule", typed="4\nq\n", is_terminal=is_terminal)
    assert say("ask-seat", mark="O") not in ran.output
    assert program.run("play", "fifteen", "--lang", "ru", typed="q\n").lines[0] == say(
        "playing-alone", game=say("title-fifteen"), names=[say("default-name")]
    )


def test_first_line_numbers_computers(program: Program) -> None:
    session = program.run("play", "three", "--plain", typed="q\n").lines[0]
    assert "Computer (level 4, watchful), Computer 2 (level 4, watchful)." in session
    assert session.endswith("--x, --o, --z.")
