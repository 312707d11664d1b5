"""The command ``replay --review``: values, mistakes, better moves, and the chart."""

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from noughts.games.base import PASS, Game
from noughts.games.catalogue import new_game
from noughts.games.notation import parse_position, play_moves
from noughts.interfaces.console.prompts import Conversation
from noughts.interfaces.console.replay import ask_where_to_play_on, print_review, step_through
from noughts.interfaces.console.terminal import Terminal
from noughts.interfaces.presenting.i18n import Phrase
from noughts.interfaces.presenting.review_texts import (
    MAX_SECONDS_A_MOVE,
    REVIEW_SECONDS,
    ReviewText,
    RunningReview,
    review_limit,
    sign_of,
)
from noughts.search.analysis import UNKNOWN, Analysis, MoveValue
from noughts.search.analyst import Analyst
from noughts.search.explain.reasons import MoveReason
from noughts.search.explain.review import Review, ReviewedMove, review, reviews
from noughts.search.numba_backend import python_machine
from tests.interfaces.harness import DONE, EN, NO, SAY, UNUSABLE, Program, text_of
from tests.interfaces.test_cli import PEOPLE, json_of

MOVES = ["5", "2", "1", "9", "3", "7", "8"]
"""O throws the draw away, then X the win."""

ENDED = [*MOVES, "4", "6"]


def play(program: Program, moves: list[str], game: str = "tictactoe", *who: str) -> None:
    who = who or (*PEOPLE, "--names", "Ada,Wei")
    ran = program.run("play", game, *who, typed=text_of(moves))
    assert ran.status in (DONE, NO)


@pytest.mark.slow
def test_review_transcript_is_unchanged(program: Program) -> None:
    play(program, ENDED)
    ran = program.run("replay", "1", "--review")
    assert (ran.status, ran.errors) == (DONE, "")
    assert ran.lines[0] == EN("replay-title", number=1, game="tictactoe", names=["Ada", "Wei"])
    start = ran.lines.index("No.  Player  Move  Before  After")
    assert ran.lines[start:] == [
        "No.  Player  Move  Before  After",
        "---  ------  ----  ------  -----",
        "9    Ada X   6     =       =",
        "8    Wei O   4     =       =",
        "7    Ada X   8     =       =",
        "6    Wei O   7     =       =",
        "5    Ada X   3 ?   +2      =",
        "4    Wei O   9     -2      -2",
        "3    Ada X   1     +3      +3",
        "2    Wei O   2 ?   =       -3",
        "1    Ada X   5     =       =",
        "",
        "Move 2: Wei plays cell 2 and throws away the draw; the position is now lost."
        " A winning reply: cell 1. Better: cell 1. It keeps the draw."
        " Continuation: cells 3 7 4 6 9 2 8.",
        "Move 5: Ada plays cell 3 and throws away the win; the position is now a draw. Better: cell 7."
        " A double threat at cells 3, 4: the opponent can block only one of them."
        " Continuation: cells 3 4.",
        "All values are proved.",
        "Accuracy (moves that were not mistakes): Ada 67 %, Wei 50 %.",
        EN("analysis-legend"),
        "",
        "X wins · · · ·(?)──────────┐ · · · · · · · ·",
        "               │           │",
        "  draw ────────┘ · · · · ·(?)───────────────",
        "",
        "O wins · · · · · · · · · · · · · · · · · · ·",
        "       0   1   2   3   4   5   6   7   8   9",
        "",
    ]


def test_review_row_appears_when_final() -> None:
    """An unknown position may get its value from an earlier one."""
    game, written = new_game("connect4"), io.StringIO()
    play_moves(game, ["4", "4", "1", "2"])
    shown: list[str] = []

    def ask(position: Game) -> Analysis:
        return replace(UNKNOWN, value=0) if position.ply in (0, 3) else UNKNOWN

    def found() -> Iterator[Review]:
        for known in reviews(game, ask):
            shown.append(written.getvalue().splitlines()[-1])
            yield known

    review_text = RunningReview(game, found(), {"X": "Ada", "O": "Wei"})
    print_review(Conversation(Terminal(io.StringIO(), written), EN), review_text)
    assert shown == [*2 * ["---  ------  ----  ------  -----"], *3 * ["4    Wei O   2     =       ?"]]


def test_review_row_uses_earlier_positions() -> None:
    """X's third move wins, so each answer loses. The fifth row was printed before that was known."""
    game = new_game("5x5:4")
    play_moves(game, ["13", "1", "7", "25", "2"])
    move = game.moves[2]
    wins = Analysis(1, 21, move, 0, (move,), (MoveValue(move, 1, 21),))
    review_text = RunningReview(
        game, reviews(game, lambda position: wins if position.ply == 2 else UNKNOWN), {"X": "Ada", "O": "Wei"}
    )
    rows = list(review_text.rows())
    text = review_text.completed()
    assert rows == [text.row(move) for move in reversed(text.review.moves)]
    assert text.review.moves[-1].before == 1


def test_better_lines_can_be_stepped_through() -> None:
    game = new_game("tictactoe")
    play_moves(game, ENDED)
    review_text = ReviewText(game, review(game, Analyst().analyse), {"X": "Ada", "O": "Wei"})
    typed, written = ["1]", "2]", "", "n", "5 ]", "", "", "5"], io.StringIO()
    talk = Conversation(Terminal(io.StringIO(text_of(typed)), written), EN)
    assert ask_where_to_play_on(talk, review_text, ["X"]) == 4
    lines = written.getvalue().splitlines()
    assert EN("better-line-about", numbers=["2]", "5]"]) in lines
    assert EN("usage-whole-number-range", first=1, last=9) in lines  # Move 1 was no mistake.
    steps = [(1, 8, "O", "1"), (2, 8, "X", "3"), (1, 3, "X", "7"), (2, 3, "O", "3"), (3, 3, "X", "4")]
    assert [line for line in lines if line.startswith("Better line")] == [
        EN("better-line-step", number=number, count=count, side=side, move=Phrase("cell", move))
        for number, count, side, move in steps
    ]


def test_pass_in_better_line_has_its_sentence() -> None:
    """The text was once "X plays a pass", which was ungrammatical in Russian."""
    ending = "XXXXXXX./OOOXXOOO/XOOXOXXX/.XOXOOXO/OOXOXXXO/OOOXOOXO/OOXXXXXO/OOOOOOOO X"
    game = parse_position(new_game("reversi"), ending)
    line = ((3, 0), PASS, (0, 7))
    play_moves(game, ["8"])
    review_text = ReviewText(game, review(game, Analyst().analyse), {"X": "Ada", "O": "Wei"})
    written = io.StringIO()
    talk = Conversation(Terminal(io.StringIO("\n\n"), written), SAY["ru"])
    step_through(talk, review_text, replace(review_text.review.moves[0], line=line))
    passes = SAY["ru"]("better-line-step-pass", number=2, count=3, side="O")
    assert passes in written.getvalue().splitlines()
    assert "2" in passes
    assert "pass" not in passes.replace("passes", "")


@pytest.mark.slow
def test_review_prints_sentences(program: Program) -> None:
    say = SAY["ru"]
    play(program, MOVES)
    ran = program.run("replay", "1", "--review", "--lang", "ru")
    assert (ran.status, ran.errors) == (DONE, "")
    two = say("review-draw-loss", number=2, player="Wei", move=Phrase("cell", "2"))
    five = say("review-win-draw", number=5, player="Ada", move=Phrase("cell", "3"))
    second, fifth = (line for line in ran.lines if line.startswith((two, five)))
    review_text = [
        say("review-reply", reply=Phrase("cell", "1")),
        say("review-better", move=Phrase("cell", "1")),
        say("reason-keeps-draw"),
    ]
    assert second.startswith(say.joined([two, *review_text]))
    threats = say("reason-double-threat", threats=Phrase("cells", ("3", "4")))
    review_text = [say("review-better", move=Phrase("cell", "7")), threats]
    assert fifth == say.joined(
        [five, *review_text, say("review-line", moves=Phrase("cells", ("3", "4"), in_order=True))]
    )
    chart = [line for line in ran.lines if "(?)" in line]
    assert [line.split()[0] for line in chart] == [say("chart-win", side="X").split()[0], say("chart-draw")]


@pytest.mark.slow
def test_opening_moves_have_no_value_or_player(program: Program) -> None:
    play(program, ["5", "swap", *MOVES[1:]], "tictactoe", *PEOPLE, "--names", "Ada,Wei", "--opening", "pie")
    ran = program.run("replay", "1", "--review")
    start = ran.lines.index("1    X       5     ?       ?")
    assert ran.lines[start - 1] == "2    Ada O   2 ?   =       -3"
    answer = json_of(program.run("replay", "1", "--review", "--json"))
    assert (answer["review"][0]["reason"], answer["values"][:2]) == ({"code": "opening"}, ["unknown", "draw"])


def test_review_prints_json(program: Program) -> None:
    play(program, MOVES)
    plain: dict[str, Any] = json_of(program.run("replay", "1", "--json"))
    answer: dict[str, Any] = json_of(program.run("replay", "1", "--review", "--json"))
    assert {key: answer[key] for key in plain} == plain
    assert list(answer) == [*plain, "values", "proved_from", "accuracy", "review"]
    assert (answer["proved_from"], answer["accuracy"]) == (0, {"X": 2 / 3, "O": 0.5})
    assert answer["values"] == ["draw", "draw", "first", "first", "first", "draw", "draw", "draw"]
    keys = [
        "ply",
        "side",
        "move",
        "before",
        "after",
        "changed",
        "missed",
        "plies",
        "best",
        "best_plies",
        "reason",
        "better",
        "line",
    ]
    assert [list(move) for move in answer["review"]] == [keys] * 7
    assert [move["move"] for move in answer["review"]] == MOVES
    assert [move["ply"] for move in answer["review"] if move["changed"]] == [2, 5]
    fifth = answer["review"][4]
    assert [fifth[key] for key in ("side", "before", "after", "best", "best_plies")] == [
        "X",
        "win",
        "draw",
        "7",
        3,
    ]
    assert fifth["better"] == {"code": "double-threat", "threats": ["3", "4"]}
    assert (fifth["missed"], fifth["line"]) == (False, ["7", "3", "4"])
    assert (answer["review"][0]["better"], answer["review"][0]["line"]) == (None, [])


def test_review_reports_missed_win(program: Program) -> None:
    """X passes by 7 and wins with 9 two moves later."""
    play(program, ["1", "2", "4", "3", "5", "7", "9"])
    lines = program.run("replay", "1", "--review").lines
    assert "5    Ada X   5 ?!  +1      +2" in lines
    missed = EN("review-missed", number=5, player="Ada", move=Phrase("cell", "5"))
    review_text = [
        missed,
        EN("review-better", move=Phrase("cell", "7")),
        EN("reason-wins-now", cells=Phrase("cells", "1 4 7")),
    ]
    assert EN.joined(review_text) in lines
    assert EN("review-proved") in lines
    assert EN("review-accuracy", players=["Ada 100 %", "Wei 0 %"]) in lines


def test_review_names_proved_values() -> None:
    game = new_game("tictactoe")
    for values, review_text in (
        ((None, None, 0, 0), EN("review-proved-from", number=3)),
        ((None, 0, None, 0), None),
        ((None,) * 4, EN("review-unproved")),
        ((0, 0), EN("review-proved")),
    ):
        text = ReviewText(game, Review("X", (), values, (None,) * len(values)), {"X": "Ada", "O": "Wei"})
        assert (text.proof(EN), text.accuracy(EN)) == (review_text, None)


def test_review_adds_chart_to_picture(program: Program) -> None:
    play(program, MOVES)
    plain, reviewed = program.folder / "plain.svg", program.folder / "reviewed.svg"
    assert program.run("replay", "1", "--svg", str(plain)).output == ""
    ran = program.run("replay", "1", "--review", "--svg", str(reviewed), "--lang", "ru")
    assert (ran.status, ran.output, ran.errors) == (DONE, "", "")
    both = ElementTree.fromstring(reviewed.read_text(encoding="utf-8"))
    board = ElementTree.fromstring(plain.read_text(encoding="utf-8"))
    assert int(both.attrib["height"]) > int(board.attrib["height"])
    sentence = [text.text for text in both.iter("{http://www.w3.org/2000/svg}text")]
    assert sentence.count("?") == 2
    assert SAY["ru"]("chart-draw") in sentence
    assert both[0].text == SAY["ru"]("replay-title", number=1, game="tictactoe", names=["Ada", "Wei"])


def test_review_reports_game_without_mistakes(program: Program) -> None:
    play(program, ["5", "1", "q"])
    lines = program.run("replay", "1", "--review").lines
    assert EN("review-nothing") in lines
    assert EN("replay-unfinished") in lines


def test_review_handles_game_without_moves(program: Program) -> None:
    play(program, ["r"])
    ran = program.run("replay", "1", "--review")
    assert (ran.status, ran.errors) == (DONE, "")
    assert EN("review-nothing") in ran.lines
    assert json_of(program.run("replay", "1", "--review", "--json"))["review"] == []


def test_review_of_three_sides_has_only_reasons(program: Program) -> None:
    play(program, ["1", "2", "3", "4", "q"], "three", *PEOPLE, "--z", "human", "--names", "Ada,Wei,Zoe")
    ran = program.run("replay", "1", "--review")
    assert (ran.status, ran.errors) == (DONE, "")
    assert EN("review-nothing-known") not in ran.lines
    assert EN("review-unproved") not in ran.lines
    assert EN("no-value-not-two-sides") in ran.lines
    assert not any(EN("chart-win", side="X") in line for line in ran.lines)
    answer = json_of(program.run("replay", "1", "--review", "--json"))
    assert answer["values"] == ["unknown"] * 5
    assert {(move["before"], move["after"]) for move in answer["review"]} == {("unknown", "unknown")}
    picture = program.folder / "three.svg"
    assert program.run("replay", "1", "--review", "--svg", str(picture)).status == DONE
    assert "?</text>" not in picture.read_text(encoding="utf-8")


def test_review_refuses_huge_boards(program: Program) -> None:
    play(program, ["1", "q"], "100x100:5")
    ran = program.run("replay", "1", "--review")
    assert (ran.status, ran.output) == (UNUSABLE, "")
    assert ran.errors == EN("no-value-too-large", most=4096) + "\n"


@pytest.mark.parametrize("id_", ["2", "x", "0", "-1"])
def test_review_refuses_unknown_game(program: Program, id_: str) -> None:
    ran = program.run("replay", "--review", "--", id_)
    assert (ran.status, ran.output) == (UNUSABLE, "")
    assert ran.errors == EN("no-such-record", name=id_) + "\n"


def test_chart_shows_scores_without_proof() -> None:
    game = new_game("tictactoe")
    review_text = ReviewText(
        game, Review("X", (), (None, 1, None, None), (50, 7, -200, None)), {"X": "Ada", "O": "Wei"}
    )
    chart = review_text.chart(EN)
    assert chart is not None
    assert list(chart.values) == [pytest.approx(0.225), 1, pytest.approx(-0.9), None]
    assert chart.guessed == {0, 2}
    assert review_text.caution(EN) == EN("chart-guessed")
    certain = ReviewText(
        game, review(new_game("gomoku"), lambda game: replace(UNKNOWN, cannot_lose=True)), {}
    )
    assert certain.caution(EN) == EN("review-cannot-lose", side="X")
    nothing = ReviewText(game, Review("X", (), (None,), (None,)), {})
    assert (nothing.chart(EN), nothing.caution(EN)) == (None, None)
    even = ReviewText(game, Review("X", (), (None,), (0,)), {}).chart(EN)
    assert even is not None
    assert even.values == [0.0]


def test_chart_estimates_keep_proved_levels() -> None:
    values, scores = (0, None, 1, None, None, 1, None, -1), (5, 9, 9, -9, None, 9, 9, -9)
    review_text = ReviewText(new_game("tictactoe"), Review("X", (), values, scores), {"X": "Ada", "O": "Wei"})
    chart = review_text.chart(EN)
    assert chart is not None
    assert list(chart.values) == [0, pytest.approx(0.9), 1, 1, None, 1, pytest.approx(0.9), -1]
    assert chart.guessed == {1, 3, 6}


def test_review_uses_letters_on_request() -> None:
    game = new_game("tictactoe")
    play_moves(game, MOVES)
    result = review(game, Analyst(machine=python_machine()).analyse)
    review_text = ReviewText(game, result, {"X": "Ada", "O": "Wei"}, letters=True)
    assert [review_text.row(move)[2] for move in review_text.review.moves] == [
        "b2",
        "b3 ?",
        "a3",
        "c1",
        "c3 ?",
        "a1",
        "b1",
    ]
    (second, fifth) = [review_text.sentence(EN, move) for move in result.turning_points]
    told_so = EN.joined(
        [
            EN("review-draw-loss", number=2, player="Wei", move="b3"),
            EN("review-reply", reply="a3"),
            EN("review-better", move="a3"),
            EN("reason-keeps-draw"),
        ]
    )
    assert second.startswith(told_so)
    assert fifth.startswith(EN("review-win-draw", number=5, player="Ada", move="c3"))
    text = [review_text.sentence(EN, move) for move in result.moves]
    assert (text[1], text[4]) == (second, fifth)
    assert text[0].startswith(EN("review-move", number=1, player="Ada", move="b2"))


def test_review_limit_bounds_total_time() -> None:
    game = new_game("gomoku")
    assert review_limit(game) == MAX_SECONDS_A_MOVE
    play_moves(game, [str(number) for number in range(1, 40, 2)])
    assert review_limit(game) * (game.ply + 1) == pytest.approx(REVIEW_SECONDS)


def test_review_refuses_unwritable_picture(program: Program, tmp_path: Path) -> None:
    play(program, MOVES)
    ran = program.run("replay", "1", "--review", "--svg", str(tmp_path / "no" / "x.svg"))
    assert ran.status == UNUSABLE
    assert len(ran.errors.splitlines()) == 1


def test_review_moves_in_space_show_places() -> None:
    game = new_game("3d")
    play_moves(game, ["1", "2", "3"])
    best, reply = (1, 1, 1), (0, 0, 1)
    move = ReviewedMove(
        *(1, "X", (0, 0, 0), 1, -1, True, 5, best, 7),
        reason=MoveReason("lets-win", {"reply": reply}),
        better=MoveReason("only-move", {"result": "win"}),
        line=(best, reply),
    )
    text = ReviewText(game, Review("X", (move,), (None,) * 4, (None,) * 4), {"X": "Ada", "O": "Wei"})
    assert text.sentence(EN, move) == EN.joined(
        [
            EN("review-win-loss", number=1, player="Ada", move=Phrase("cell", "1 (1a3)")),
            EN("review-reply", reply=Phrase("cell", "2 (1b3)")),
            EN("review-better", move=Phrase("cell", "14 (2b2)")),
            EN("reason-only-move-win"),
            EN("review-line", moves=Phrase("cell", "2 (1b3)")),
        ]
    )
    assert text.line(move) == ["14 (2b2)", "2 (1b3)"]
    bare = replace(move, reason=MoveReason("lets-win"), line=())
    assert text.sentence(EN, bare) == EN(
        "review-win-loss", number=1, player="Ada", move=Phrase("cell", "1 (1a3)")
    )


def test_review_compares_unproved_move_with_win() -> None:
    game = new_game("tictactoe")
    play_moves(game, ["1", "2", "3"])
    move = ReviewedMove(
        *(3, "X", (0, 2), 1, None, False, None, (1, 1), 5),
        reason=MoveReason("other-wins", {"best": (1, 1)}),
        better=MoveReason("forces-win", {"moves": 3, "plies": 5}),
        line=((1, 1),),
    )
    text = ReviewText(game, Review("X", (move,), (None,) * 4, (None,) * 4), {"X": "Ada", "O": "Wei"})
    assert (move.missed, sign_of(move)) == (True, "?!")
    assert text.sentence(EN, move) == EN.joined(
        [
            EN("review-unsure", number=3, player="Ada", move=Phrase("cell", "3")),
            EN("review-better", move=Phrase("cell", "5")),
            EN.plural("reason-forces-win", 3, moves=3, plies=5),
        ]
    )
