"""Openings at the console and between computers: questions, answers and saved choices."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from noughts import TicTacToe, new_game
from noughts.arena.commands import Forfeit, MakeMove, Put, Swap
from noughts.arena.match import Match
from noughts.arena.runner import PlayerSeat, run
from noughts.errors import UnsupportedRules
from noughts.games.base import Game, Move
from noughts.games.notation import parse_position
from noughts.games.openings import PIE, SWAP2, OpeningState
from noughts.interfaces.presenting.game_plan import PlayOptions, settled_plan
from noughts.interfaces.presenting.i18n import Phrase
from noughts.interfaces.presenting.tasks import choose
from noughts.players.base import Player
from noughts.search.analysis import Limit
from noughts.search.balance import choose_side, place_evenly
from noughts.workers.messages import TaskContext
from tests.interfaces.harness import EN, PEOPLE, SAY, Program, SessionResult, converse
from tests.weekly import weekly

NAMES = ("Ada", "Wei")


def opened(
    typed: Sequence[str], opening: str, *, game: str = "gomoku", language: str = "en"
) -> SessionResult:
    return converse(list(typed), PlayOptions(game, PEOPLE, NAMES, opening=opening), language=language)


def test_console_plays_swap2() -> None:
    say = SAY["ru"]
    put, swap = say("words-put").split()[-1], say("words-swap").split()[-1]
    session = opened(["h8", "a1", "c3", f"{put} d4 e5", swap.upper(), "f6", "r"], "swap2", language="ru")
    facts = {"name": "Ada", "mark": "X", "opponent": "Wei", "other": "O"}
    question = {"name": "Wei", "mark": "O", "opponent": "Ada", "other": "X"}
    for sentence in (
        say.plural("opening-places", 3, **facts),
        say.plural("opening-places", 1, **facts),
        say("places", name="Ada", mark="O", move=Phrase("place", "a1")),
        say("opening-may-swap", **question),
        say.plural("opening-may-put", 2, **question),
        say("chose-put", name="Wei", mark="X"),
        say("places", name="Wei", mark="O", move=Phrase("place", "d4")),
        say("opening-may-swap", name="Ada", mark="O", opponent="Wei", other="X"),
        say("chose-swap", name="Ada", mark="X"),
        say("plays", player=say("player-with-mark", name="Wei", mark="O"), move=Phrase("place", "f6")),
        say("end-resignation", loser="Ada"),
    ):
        assert sentence in session.lines, sentence
    (game,) = session.games()
    assert game["players"] == {"X": "Ada", "O": "Wei"}
    assert game["opening"] == {
        "protocol": "swap2",
        "choices": [
            {"ply": 3, "by": "Wei", "choice": "put"},
            {"ply": 5, "by": "Ada", "choice": "swap"},
        ],
    }


def test_console_plays_pie_and_refuses_mistakes() -> None:
    session = opened(
        ["?", "swap", "4", "?", "put 1", "swap", "swap", "u", "1", "?", "q"], "pie", game="connect4"
    )
    assert session.lines.count(EN("no-hint-in-opening")) == 2
    refused = EN("refused-no-such-choice")
    assert session.lines.count(refused) == 3
    assert EN("chose-swap", name="Wei", mark="X") in session.lines
    assert EN("taken-back") in session.lines
    (game,) = session.games()
    assert (game["players"]["O"], game["moves"]) == ("Wei", ["4", "1"])
    assert game["opening"]["choices"] == [{"ply": 1, "by": "Wei", "choice": "stay"}]


def test_scoreboard_shows_final_marks_after_swap() -> None:
    """Wei answers Ada's first mark with a swap, and wins with the former X of Ada."""
    typed = ["5", "swap", "1", "9", "2", "3", "6", "7", "q"]
    options = PlayOptions("tictactoe", PEOPLE, NAMES, series=True, opening="pie")
    session = converse(typed, options)
    rows = [line.split() for line in session.lines if line.startswith(NAMES)]
    assert ["Ada", "O"] in [row[:2] for row in rows]
    assert ["Wei", "X"] in [row[:2] for row in rows]


def test_put_refuses_wrong_cells() -> None:
    session = opened(["h8", "a1", "c3", "put h8", "put d4 z99", "put", "d4", "e5", "f6", "q"], "swap2")
    (game,) = session.games()
    assert len(game["moves"]) == 6
    assert [made["choice"] for made in game["opening"]["choices"]] == ["put", "stay"]


def test_invalid_opening_answer_repeats_the_choices() -> None:
    session = opened(["h8", "a1", "c3", "swop", "swap", "6b", "q"], "swap2")
    question = EN("opening-may-swap", name="Wei", mark="O", opponent="Ada", other="X")
    put = EN.plural("opening-may-put", 2, opponent="Ada")
    refused = [line for line in session.lines if line.startswith("“swop”")]
    assert [line.endswith(f"{question} {put}") for line in refused] == [True]
    unread = [line for line in session.lines if line.startswith("“6b”")]
    assert [question in line for line in unread] == [False]


def test_put_moves_keep_chosen_marks() -> None:
    session = opened(["x22", "x23", "o24", "put x1 8", "put x1 o8", "r"], "swap2", game="7x7:6,wild")
    assert EN("places", name="Ada", mark="X", move="X23") in session.lines
    assert EN("places", name="Wei", mark="X", move="X1") in session.lines
    (game,) = session.games()
    assert game["moves"] == ["X22", "X23", "O24", "X1", "O8"]


def test_swap_is_unknown_without_an_opening() -> None:
    session = converse(["swap", "q"], PlayOptions("tictactoe", PEOPLE, NAMES))
    assert EN("refused-no-such-choice") not in session.lines
    assert session.games() == []


@pytest.mark.parametrize("game", ["wild", "three", "reversi", "3x3", "notakto", "5x5:5,wild"])
def test_unsuitable_opening_is_refused(game: str) -> None:
    with pytest.raises(UnsupportedRules):
        settled_plan(PlayOptions(game, PEOPLE, NAMES, opening="swap2"), EN)


@pytest.mark.slow
def test_opening_option_is_saved_with_game(program: Program) -> None:
    played = program.run("play", "connect4", "--x", "random", "--o", "rule", "--opening", "pie", "--keep")
    assert played.status == 0
    (game,) = json.loads(program.run("history", "--json").output)["games"]
    assert game["opening"]["protocol"] == "pie"
    assert len(game["opening"]["choices"]) == 1
    again = json.loads(program.run("replay", str(game["id"]), "--json").output)
    assert again["opening"] == game["opening"]
    assert program.run("play", "--x", "random", "--o", "random", "--opening", "none").status == 0
    assert program.run("play", "three", "--opening", "pie").status == 2
    assert program.run("play", "--opening", "swap3").status == 2


# Computers


class Scripted(Player):
    """A player with fixed answers."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def choose(self, game: Game, limit: Limit) -> Move:
        return min(game.legal_moves())

    def choose_side(self, game: Game, answers: Sequence[str], limit: Limit) -> str:
        if isinstance(self.answer, Exception):
            raise self.answer
        answer: str = self.answer
        return answer


ASKED = OpeningState(0, ("swap", "put"), is_swapped=False)


@pytest.mark.parametrize(
    ("answer", "command"),
    [
        ("swap", Swap()),
        ("put", Put()),
        ("stay", MakeMove((0, 0))),
        ("no", Forfeit("illegal-move", "'no'")),
        (None, Forfeit("no-move", "None")),
        (7, Forfeit("illegal-move", "7")),
        (ValueError("oh"), Forfeit("raised", "ValueError: oh")),
    ],
)
def test_player_answer_becomes_a_command(answer: object, command: object) -> None:
    assert PlayerSeat(Scripted(answer)).decide_in(TicTacToe(), ASKED) == command


@pytest.mark.slow
@pytest.mark.parametrize(
    ("opening", "game"),
    [
        (PIE, "tictactoe"),
        (PIE, "connect4"),
        (SWAP2, "6x6:4"),
        (PIE, "notakto"),
        weekly(SWAP2, "6x6:6,wild"),
    ],
)
@pytest.mark.usefixtures("compiled")
def test_computers_play_whole_openings(opening: Any, game: str) -> None:
    match = Match(new_game(game), opening=opening)
    swaps = Scripted("swap")
    run(match, {"X": PlayerSeat(Scripted("stay")), "O": PlayerSeat(swaps)})
    assert match.outcome is not None
    assert match.by_side({"X": "first", "O": "second"})["X"] == "second"
    played = match.game.moves
    again = Match(new_game(game), opening=opening)
    run(again, {"X": PlayerSeat(Scripted("stay")), "O": PlayerSeat(swaps)})
    assert again.game.moves == played


def test_choose_side_takes_the_better_side() -> None:
    best = parse_position(new_game("connect4"), "......./" * 5 + "...X...")
    assert choose_side(best, ("swap",), Limit()) == "swap"
    worst = parse_position(TicTacToe(), ".X./.../...")
    assert choose_side(worst, ("swap",), Limit()) == "stay"
    assert choose_side(best, (), Limit()) == "stay"


def test_place_evenly_balances_the_position() -> None:
    game = TicTacToe()
    assert place_evenly(game, 1, Limit()) in game.legal_moves()
    assert place_evenly(game, 2, Limit(stop=lambda: True)) in game.legal_moves()
    assert game.ply == 0
    sharp = parse_position(TicTacToe(), "XX./OO./X.O")
    assert place_evenly(sharp, 1, Limit()) == (1, 2)  # One side wins with (0, 2), the other with (2, 1).
    assert place_evenly(game, 1, Limit(stop=lambda: True)) == (0, 0)


def test_worker_gets_the_opening_state() -> None:
    at = TaskContext({}, lambda progress: None, lambda: False)
    game = new_game("connect4")
    game.play((5, 3))
    command = choose(at, "random", game, 1, 1.0, 5.0, OpeningState(0, ("swap",), is_swapped=False))
    assert command == Swap()
