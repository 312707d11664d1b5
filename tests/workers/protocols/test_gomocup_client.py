"""The manager's side, line by line, with engines of every habit."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import new_game
from noughts.interfaces.engine.dialogue import EngineDialogue
from noughts.workers.protocols.gomocup import Field, Point, Rule, Stone, format_point, point_of
from noughts.workers.protocols.gomocup_client import FailureReason, GomocupClient, GomocupFailure, Swap2
from noughts.workers.protocols.gomocup_game import GomocupSetting, setting_of, stones_of
from tests.workers.protocols.engines import Answers, Clock, FakeEngine, scripted
from tests.workers.protocols.test_gomocup import mutated

OWN, OTHER = Field.OWN, Field.OTHER

GOMOKU = GomocupSetting(15, 15, Rule.FREE)


class Conversation:
    """A conversation with a fake engine, after the start, and the other lines of the engine."""

    def __init__(self, answers: Answers) -> None:
        self.clock = Clock()
        self.engine = FakeEngine(answers, self.clock)
        self.talk = GomocupClient(self.engine, self.clock)
        self.heard: list[str] = []

    def begin(self, setting: GomocupSetting = GOMOKU, **info: object) -> GomocupFailure | None:
        return self.talk.begin(setting, info, 10)

    def move(self, *stones: Stone, seconds: float = 5, **info: object) -> Point | GomocupFailure:
        return self.talk.move(stones, self.clock.now + seconds, info, self.heard.append)

    def swap2(self, *points: Point) -> Swap2 | GomocupFailure:
        return self.talk.swap2(points, self.clock.now + 5, {"time_left": 9}, self.heard.append)


def begun(**answers: list[str | float]) -> Conversation:
    conversation = Conversation(scripted(**answers))
    assert conversation.begin() is None
    conversation.engine.sent_last()
    return conversation


# Starting


@pytest.mark.parametrize("ok", ["OK", "ok", " OK ", "OK - everything is good", "Ok ready"])
def test_begin_accepts_any_ok(ok: str) -> None:
    conversation = Conversation(scripted(START=["MESSAGE hello", "a banner", 9.0, ok]))
    assert conversation.begin(timeout_turn=1000, max_memory=0) is None
    assert conversation.engine.sent == [
        "START 15",
        "INFO rule 0",
        "INFO timeout_turn 1000",
        "INFO max_memory 0",
    ]


@pytest.mark.parametrize(
    ("answers", "trouble"),
    [
        ([], GomocupFailure(FailureReason.START_TIMEOUT)),
        (["hello"], GomocupFailure(FailureReason.START_TIMEOUT, "hello")),
        ([11.0, "OK"], GomocupFailure(FailureReason.START_TIMEOUT)),
        (["ERROR too large"], GomocupFailure(FailureReason.UNABLE, "ERROR too large")),
        (["UNKNOWN RECTSTART"], GomocupFailure(FailureReason.UNABLE, "UNKNOWN RECTSTART")),
    ],
)
def test_begin_reports_a_failed_start(answers: list[str | float], trouble: GomocupFailure) -> None:
    conversation = Conversation(scripted(RECTSTART=answers))
    assert conversation.begin(GomocupSetting(7, 9, Rule.EXACT)) == trouble
    assert conversation.engine.sent == ["RECTSTART 7,9"]


def test_begin_ignores_an_earlier_complaint() -> None:
    """Some engines read word by word, and complain about each word."""
    conversation = Conversation(
        scripted(START=["ERROR Unknown command: 1", 0.4, "OK"], RESTART=["ERROR", 0.6, "OK"])
    )
    assert conversation.begin() is None
    conversation = after_two_moves(START=["ERROR", "UNKNOWN", "OK"], RESTART=["ERROR", 0.6, "OK"])
    assert conversation.move() == GomocupFailure(FailureReason.ASTRAY)


def test_ended_engine_is_not_awaited() -> None:
    conversation = Conversation(scripted())
    conversation.engine.has_gone = True
    assert conversation.begin() == GomocupFailure(FailureReason.GONE)
    assert conversation.clock.now == 100
    conversation = begun(BEGIN=["MESSAGE fare well"])
    conversation.engine.say("stale")
    conversation.engine.has_gone = True
    assert conversation.move() == GomocupFailure(FailureReason.GONE)


# Moves


def test_game_is_sent_turn_by_turn() -> None:
    conversation = begun(BEGIN=["7,7"], TURN=["MESSAGE depth 3", "DEBUG x", "3 , 4"])
    assert conversation.move(time_left=1000) == (7, 7)
    assert conversation.engine.sent_last() == ["INFO time_left 1000", "BEGIN"]
    assert conversation.move((7, 7, OWN), (8, 8, OTHER)) == (3, 4)
    assert conversation.engine.sent_last() == ["TURN 8,8"]
    assert conversation.heard == ["MESSAGE depth 3", "DEBUG x"]


def test_second_player_gets_turn_or_board() -> None:
    conversation = begun(TURN=["0,0"], DONE=["1,1"])
    assert conversation.move((7, 7, OTHER)) == (0, 0)
    assert conversation.engine.sent_last() == ["TURN 7,7"]
    conversation = begun(TURN=["0,0"], DONE=["1,1"])
    assert conversation.move((7, 7, OTHER), (8, 8, OWN), (9, 9, OTHER)) == (1, 1)
    assert conversation.engine.sent_last() == ["BOARD", "7,7,2", "8,8,1", "9,9,2", "DONE"]
    stones = (
        (7, 7, OTHER),
        (8, 8, OWN),
        (9, 9, OTHER),
        (1, 1, OWN),
        (2, 2, OTHER),
        (3, 3, OWN),
        (4, 4, OTHER),
    )
    assert conversation.move(*stones) == (1, 1)  # moves that nobody requested
    assert conversation.engine.sent_last()[0] == "BOARD"


@pytest.mark.parametrize(
    "line", ["7,7,7", "h8", "7;7", "NaN,1", "SUGGEST h8", "9" * 300 + ",0", "MESSAGE 7,7"]
)
def test_other_lines_do_not_end_a_turn(line: str) -> None:
    conversation = begun(BEGIN=[line, "7,7"])
    assert conversation.move() == (7, 7)
    assert conversation.heard == [line]


def test_missing_move_fails_at_the_deadline() -> None:
    assert begun().move() == GomocupFailure(FailureReason.TOO_SLOW)
    assert begun(BEGIN=["h8"]).move() == GomocupFailure(FailureReason.TOO_SLOW, "h8")
    assert begun(BEGIN=[5.001, "7,7"]).move() == GomocupFailure(FailureReason.TOO_SLOW)
    assert begun(BEGIN=[5.0, "7,7"]).move() == (7, 7)
    assert begun(BEGIN=["MESSAGE x"] * 3).move() == GomocupFailure(FailureReason.TOO_SLOW)


def test_client_does_not_check_legality() -> None:
    for text, point in (("-1,3", (-1, 3)), ("99,0", (99, 0)), ("7,7", (7, 7))):
        assert begun(TURN=[text]).move((7, 7, OTHER)) == point


def test_complaint_in_a_turn_is_a_failure() -> None:
    """A complaint may be about an ``INFO``: a later move counts. Without a move, the engine is unable."""
    conversation = begun(
        INFO=["MESSAGE Unknown Info Parameter: WOBBLE", "ERROR Unknown command: 3"], BEGIN=["7,7"]
    )
    assert conversation.move(wobble=3) == (7, 7)
    refusing = begun(DONE=["ERROR FREESTYLE rule is not supported on 15x15 board", "what"])
    answer = refusing.move((7, 7, OTHER), (8, 8, OWN), (9, 9, OTHER))
    assert answer == GomocupFailure(
        FailureReason.UNABLE, "ERROR FREESTYLE rule is not supported on 15x15 board"
    )
    assert begun(BEGIN=["ERROR"]).move() == GomocupFailure(FailureReason.UNABLE, "ERROR")


def test_stale_lines_are_discarded() -> None:
    """An answer with two moves, and extra lines."""
    conversation = begun(BEGIN=["7,7", "8,8"], TURN=["9,9"])
    assert conversation.move() == (7, 7)
    conversation.engine.say("1,1", "ERROR late")
    assert conversation.move((7, 7, OWN), (0, 0, OTHER)) == (9, 9)


def test_late_move_is_not_taken_later() -> None:
    conversation = begun(BEGIN=[6.0, "7,7"])
    assert conversation.move() == GomocupFailure(FailureReason.TOO_SLOW)
    conversation.engine.say("2,2")
    assert conversation.begin() is None
    assert conversation.engine.sent_last()[-2:] == ["START 15", "INFO rule 0"]


@pytest.mark.parametrize(
    ("answers", "move"),
    [
        (["3,4"], (3, 4)),
        (["MESSAGE ok", "5,5"], (5, 5)),
        ([], (3, 4)),
        ([2.0, "5,5"], (3, 4)),
        (["what"], (3, 4)),
    ],
)
def test_suggestion_is_accepted(answers: list[str | float], move: Point) -> None:
    conversation = begun(BEGIN=["SUGGEST 3,4"], PLAY=answers)
    assert conversation.move() == move
    assert conversation.engine.sent == ["BEGIN", "PLAY 3,4"]


# Takebacks


def after_two_moves(**answers: list[str | float]) -> Conversation:
    """Return a conversation in which the engine has moved twice."""
    turns = iter(("0,0", "1,1", "2,2"))
    usual = {"START": ["OK"], "DONE": ["5,5"], "BEGIN": ["6,6"]}

    def answer(line: str) -> Sequence[str | float]:
        word = line.split()[0]
        if word in answers:
            return answers[word]
        return [next(turns)] if word == "TURN" else usual.get(word, ())

    conversation = Conversation(answer)
    assert conversation.begin() is None
    assert conversation.move((7, 7, OTHER)) == (0, 0)
    assert conversation.move((7, 7, OTHER), (0, 0, OWN), (8, 8, OTHER)) == (1, 1)
    conversation.engine.sent_last()
    return conversation


ANOTHER = ((7, 7, OTHER), (0, 0, OWN), (9, 9, OTHER))


def test_moves_are_taken_back_in_reverse_order() -> None:
    conversation = after_two_moves(TAKEBACK=["OK"])
    assert conversation.move(*ANOTHER) == (2, 2)
    assert conversation.engine.sent_last() == ["TAKEBACK 1,1", "TAKEBACK 8,8", "TURN 9,9"]


@pytest.mark.parametrize("answer", [["UNKNOWN TAKEBACK"], ["ERROR"], []])
def test_unsupported_takeback_sends_the_board_again(answer: list[str | float]) -> None:
    conversation = after_two_moves(TAKEBACK=answer, RESTART=["OK"])
    assert conversation.move(*ANOTHER) == (5, 5)
    sent = conversation.engine.sent_last()
    assert sent == ["TAKEBACK 1,1", "RESTART", "BOARD", "7,7,2", "0,0,1", "9,9,2", "DONE"]


@pytest.mark.parametrize("answer", [["UNKNOWN RESTART"], []])
def test_unsupported_restart_needs_a_new_process(answer: list[str | float]) -> None:
    conversation = after_two_moves(TAKEBACK=["UNKNOWN"], RESTART=answer)
    assert conversation.move(*ANOTHER) == GomocupFailure(FailureReason.ASTRAY)
    assert conversation.engine.sent_last() == ["TAKEBACK 1,1", "RESTART"]


def test_empty_board_follows_a_restart() -> None:
    conversation = after_two_moves(RESTART=["OK"])
    assert conversation.move() == (6, 6)
    assert conversation.engine.sent_last() == ["RESTART", "BEGIN"]


def test_process_plays_another_game() -> None:
    """The known stones are not the beginning of the position, and a takeback would leave none."""
    conversation = after_two_moves(RESTART=["OK"], TAKEBACK=["OK"])
    moved = (
        (5, 1, OTHER),
        (0, 1, OWN),
        (2, 1, OTHER),
        (3, 1, OWN),
        (4, 1, OTHER),
        (6, 1, OWN),
        (8, 1, OTHER),
    )
    assert conversation.move(*moved) == (5, 5)
    assert conversation.engine.sent_last()[:2] == ["RESTART", "BOARD"]


# Optional commands


def test_stop_is_sent_once() -> None:
    conversation = begun(BEGIN=["MESSAGE hm", 1.0], YXSTOP=["7,7"])
    begin = conversation.clock.now

    def stop() -> bool:
        return conversation.clock.now > begin + 0.5

    assert conversation.talk.move((), begin + 5, {}, conversation.heard.append, stop) == (7, 7)
    assert conversation.engine.sent == ["BEGIN", "YXSTOP"]
    deaf = begun(BEGIN=[3.0, "7,7"])
    assert deaf.talk.move((), deaf.clock.now + 2, {}, deaf.heard.append, lambda: True) == TOO_SLOW
    assert deaf.engine.sent == ["BEGIN", "YXSTOP"]
    gone = begun()
    gone.engine.has_gone = True
    assert gone.talk.move((), gone.clock.now + 2, {}, gone.heard.append, lambda: True) == GomocupFailure(
        FailureReason.GONE
    )


TOO_SLOW = GomocupFailure(FailureReason.TOO_SLOW)

THREE, FIVE = ((7, 7), (8, 8), (9, 9)), ((7, 7), (8, 8), (9, 9), (1, 1), (2, 2))


@pytest.mark.parametrize(
    ("points", "line", "answer"),
    [
        ((), "7,7 8 , 8 9,9", Swap2(points=THREE)),
        (THREE, "swap", Swap2(is_swap=True)),
        (THREE, "1,1", Swap2(points=((1, 1),))),
        (THREE, "1,1 2,2", Swap2(points=((1, 1), (2, 2)))),
        (FIVE, "SWAP", Swap2(is_swap=True)),
        (FIVE, "3,3", Swap2(points=((3, 3),))),
        ((), "7,7", GomocupFailure(FailureReason.ILLEGAL_TEXT, "7,7")),
        (FIVE, "3,3 4,4", GomocupFailure(FailureReason.ILLEGAL_TEXT, "3,3 4,4")),
        ((), "SWAP", GomocupFailure(FailureReason.TOO_SLOW, "SWAP")),
        (THREE, "MESSAGE", GomocupFailure(FailureReason.TOO_SLOW)),
        (THREE, "UNKNOWN SWAP2BOARD", GomocupFailure(FailureReason.UNABLE, "UNKNOWN SWAP2BOARD")),
        (THREE, "ERROR", GomocupFailure(FailureReason.UNABLE, "ERROR")),
    ],
)
def test_swap2_answers_are_parsed(
    points: tuple[Point, ...], line: str, answer: Swap2 | GomocupFailure
) -> None:
    conversation = begun(DONE=["MESSAGE hm", line])
    assert conversation.swap2(*points) == answer
    assert conversation.engine.sent == ["INFO time_left 9", "SWAP2BOARD", *map(format_point, points), "DONE"]
    assert conversation.heard[0] == "MESSAGE hm"


# Games


def test_stones_have_the_view_of_the_mover() -> None:
    game = new_game("renju")
    for move in ((7, 7), (6, 7), (5, 5)):
        game.play(move)
    assert setting_of(game) == GomocupSetting(15, 15, Rule.RENJU)
    assert stones_of(game) == ((7, 7, OTHER), (7, 6, OWN), (5, 5, OTHER))
    assert setting_of(new_game("20x10:5")) == GomocupSetting(20, 10, Rule.FREE)
    assert GomocupSetting(20, 10, Rule.FREE).start == "RECTSTART 20,10"
    for name in ("4x4:4", "15x15:4", "5x4:5", "5x5x5:5", "15x15:5,wrap", "15x15:5,players=3"):
        assert setting_of(new_game(name)) is None


def test_stones_of_the_start_come_first() -> None:
    start = new_game("5x5:5")
    game = start.at(["X", "X", "O", None, "O", *[None] * 20])
    game.play((4, 4))
    received = ((0, 0, OTHER), (2, 0, OWN), (1, 0, OTHER), (4, 0, OWN), (4, 4, OTHER))
    assert stones_of(game) == received


# Both sides, and any lines between them


def ours() -> Answers:
    """Return our own engine, which plays the first legal move."""
    dialogue = EngineDialogue()

    def answer(line: str) -> list[str | float]:
        heard = dialogue.hear(line)
        if heard.question is None:
            return list(heard.lines)
        point = point_of(heard.question.game.legal_moves()[0])
        dialogue.answered(point, 0)
        return [format_point(point)]

    return answer


@pytest.mark.slow
@given(st.integers(0, 2**32), st.sampled_from(["5x5:5", "9x7:5,exact", "6x6:5,renju"]))
def test_client_agrees_with_our_engine(seed: int, name: str) -> None:
    """After any moves, takebacks and restarts, the engine has the position of the game."""
    chance, conversation, game = Random(seed), Conversation(ours()), new_game(name)
    setting = setting_of(game)
    assert setting is not None
    assert conversation.begin(setting) is None
    for _ in range(12):
        if game.outcome is not None or not chance.randrange(6):
            for _ in range(chance.randint(0, game.ply)):
                game.undo()
        if game.outcome is None and chance.randrange(3):
            game.play(chance.choice(list(game.legal_moves())))
        if game.outcome is None:
            result = conversation.move(*stones_of(game))
            assert result == point_of(game.legal_moves()[0])
            game.play(game.legal_moves()[0])


GOOD = ("OK", "7,7", "ERROR no", "UNKNOWN", "MESSAGE x", "SUGGEST 3,4", "SWAP", "1,1 2,2 3,3")


@given(st.integers(0, 2**32))
def test_client_survives_any_engine(seed: int) -> None:
    """With mutated lines at any moment, and with silence, the result is a move or a failure."""
    chance = Random(seed)

    def answer(line: str) -> list[str | float]:
        count = chance.randrange(4)
        return [
            mutated(chance.choice(GOOD), chance) if chance.randrange(3) else chance.choice(GOOD)
            for _ in range(count)
        ]

    conversation = Conversation(answer)
    stones: list[Stone] = []
    for _ in range(6):
        trouble = conversation.begin()
        while trouble is None and len(stones) < 8:
            stones.append((chance.randrange(15), chance.randrange(15), OTHER))
            result = conversation.move(*stones)
            trouble = result if isinstance(result, GomocupFailure) else None
            if not isinstance(result, GomocupFailure):
                stones.append((*result, OWN))
        conversation.swap2(*THREE)
        stones.clear()
