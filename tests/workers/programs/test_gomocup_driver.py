"""Gomocup engines as players: the lines that they get, and the effects of their answers."""

from collections.abc import Sequence

import pytest

from noughts import Limit, new_game
from noughts.errors import PlayerAtFault, UnsupportedRules
from noughts.games.base import Game, Move
from noughts.search.analysis import Progress
from noughts.workers.programs.driver import NeedsNewProcessError
from noughts.workers.programs.gomocup_driver import GomocupDriver
from tests.workers.protocols.engines import Clock, FakeEngine, scripted

UNLIMITED = Limit()

MIDDLE, CORNER = (7, 7), (0, 0)

START = [
    "START 15",
    "INFO rule 0",
    "INFO timeout_match 0",
    "INFO max_memory 200",
    "INFO thread_num 2",
]


class Conversation:
    """An engine with scripted answers, and its driver."""

    def __init__(self, **answers: Sequence[str | float]) -> None:
        self.clock = Clock()
        self.engine = FakeEngine(scripted(**answers), self.clock)
        self.driver = GomocupDriver("bot:x", self.engine, {"thread_num": "2"}, 300, self.clock)
        self.driver.begin(10)
        self.heard: list[Progress] = []

    def choose(self, game: Game, limit: Limit = UNLIMITED) -> Move:
        return self.driver.choose(game, limit, 60, self.heard.append)


def played(*moves: Move, name: str = "gomoku") -> Game:
    game = new_game(name)
    for move in moves:
        game.play(move)
    return game


def test_driver_sends_the_game_and_limits() -> None:
    conversation = Conversation(BEGIN=["7,7"], TURN=["9,8"])
    conversation.driver.seat(played())
    assert conversation.engine.sent_last() == START
    assert conversation.choose(played(), Limit(seconds=1, nodes=5, depth=3)) == MIDDLE
    assert conversation.engine.sent_last() == [
        "INFO timeout_turn 900",
        "INFO time_left 2147483647",
        "INFO max_node 5",
        "INFO max_depth 3",
        "BEGIN",
    ]
    assert conversation.choose(played(MIDDLE, (6, 8))) == (8, 9)
    assert conversation.engine.sent_last() == [
        "INFO timeout_turn 5000",
        "INFO time_left 2147483647",
        "TURN 8,6",
    ]


def test_choose_seats_the_game_if_needed() -> None:
    conversation = Conversation(BEGIN=["7,7"])
    conversation.choose(played())
    assert conversation.engine.sent_last()[:5] == START
    conversation.choose(played(name="renju"))
    assert conversation.engine.sent_last()[:2] == ["START 15", "INFO rule 4"]


def test_progress_of_the_engine_is_reported() -> None:
    conversation = Conversation(
        TURN=["MESSAGE depth 4 nodes 9 score -3 pv 7,6 7,7 1,1", "MESSAGE pv 7,7", "DEBUG", "7,6"]
    )
    assert conversation.choose(played(MIDDLE)) == (6, 7)
    assert conversation.heard == [
        Progress("searching", 9, 4, (6, 7), ((6, 7),), -3),
        Progress("searching", 9, 4, None, (), -3),
    ]


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "15x15:5,misere", "reversi", "qubic"])
def test_unsupported_games_are_declined(name: str) -> None:
    conversation = Conversation()
    with pytest.raises(UnsupportedRules):
        conversation.driver.seat(new_game(name))
    assert conversation.driver.place_evenly(new_game(name), 3, Limit(), 60) is None
    assert not conversation.engine.sent


def test_engine_can_decline_a_game() -> None:
    conversation = Conversation(START=["ERROR too \x1b large"])
    with pytest.raises(UnsupportedRules) as caught:
        conversation.driver.seat(played())
    assert caught.value.data == {"text": "ERROR too \\x1b large"}


@pytest.mark.parametrize(
    ("answers", "fault", "reason"),
    [
        ({"START": ["MESSAGE loading", 11.0, "OK"]}, "too-slow", "MESSAGE loading"),
        ({"START": []}, "too-slow", "start timeout"),
        ({}, "too-slow", "too slow"),
        ({"TURN": ["h8"]}, "too-slow", "h8"),
        ({"TURN": ["15,0"]}, "illegal-move", "15,0"),
        ({"TURN": ["-1,3"]}, "illegal-move", "-1,3"),
        ({"TURN": ["ERROR FREESTYLE rule"]}, "raised", "ERROR FREESTYLE rule"),
    ],
)
def test_failures_are_player_faults(
    answers: dict[str, Sequence[str | float]], fault: str, reason: str
) -> None:
    with pytest.raises(PlayerAtFault) as caught:
        Conversation(**answers).choose(played(MIDDLE))
    assert (caught.value.fault, caught.value.reason) == (fault, reason)


def test_game_checks_legality() -> None:
    assert Conversation(TURN=["7,7"]).choose(played(MIDDLE)) == MIDDLE


def test_ended_engine_is_at_fault() -> None:
    conversation = Conversation()
    conversation.driver.seat(played())
    conversation.engine.has_gone = True
    for ask in (conversation.choose, conversation.driver.seat):
        with pytest.raises(PlayerAtFault, match="exit status 0") as caught:
            ask(played(MIDDLE))
        assert caught.value.fault == "crashed"


def used(**answers: Sequence[str | float]) -> Conversation:
    """Return an engine that has answered twice."""
    replies = iter(("0,0", "1,1"))
    conversation = Conversation(**answers)
    usual = conversation.engine._answers
    conversation.engine._answers = lambda line: [next(replies)] if line.startswith("TURN") else usual(line)
    assert conversation.choose(played(MIDDLE)) == CORNER
    assert conversation.choose(played(MIDDLE, CORNER, (5, 5))) == (1, 1)
    return conversation


def test_astray_engine_needs_a_new_process() -> None:
    conversation = used(RESTART=["UNKNOWN"])
    with pytest.raises(NeedsNewProcessError):
        conversation.choose(played((3, 3)))
    conversation = used()
    conversation.engine._answers = scripted(
        START=["ERROR Unknown command: 15"]
    )  # some engines miss a part of it
    with pytest.raises(NeedsNewProcessError):
        conversation.driver.seat(played())
    conversation.engine.has_gone = True  # some engines exit after a game
    with pytest.raises(NeedsNewProcessError):
        conversation.driver.seat(played())


# Openings

THREE: tuple[Move, ...] = ((7, 7), (8, 8), (9, 9))
FIVE = (*THREE, (1, 1), (2, 2))


def test_engine_places_three_stones() -> None:
    conversation = Conversation(DONE=["7,7 8,8 9,8"])
    game = played()
    for left, move in zip((3, 2, 1), ((7, 7), (8, 8), (8, 9)), strict=True):
        assert conversation.driver.place_evenly(game, left, Limit(seconds=1), 60) == move
        game.play(move)
    assert conversation.engine.sent == [*START, *TIMES, "SWAP2BOARD", "DONE"]


TIMES = ["INFO timeout_turn 900", "INFO time_left 2147483647"]


@pytest.mark.parametrize(
    ("marks", "answers", "said", "answer", "kept"),
    [
        (THREE, ("swap", "put"), "SWAP", "swap", []),
        (THREE, ("swap", "put"), "1,1", "stay", [(1, 1)]),
        (THREE, ("swap", "put"), "1,1 2,2", "put", [(1, 1), (2, 2)]),
        (FIVE, ("swap",), "SWAP", "swap", []),
        (FIVE, ("swap",), "3,3", "stay", [(3, 3)]),
    ],
)
def test_engine_answers_in_swap2(
    marks: Sequence[Move], answers: Sequence[str], said: str, answer: str, kept: list[Move]
) -> None:
    conversation, game = Conversation(DONE=["MESSAGE hm", said]), played(*marks)
    assert conversation.driver.choose_side(game, answers, Limit(), 60) == answer
    for number, move in enumerate(kept):
        if len(kept) > 1:
            assert conversation.driver.place_evenly(game, len(kept) - number, Limit(), 60) == move
        else:
            assert conversation.choose(game) == move
        game.play(move)
    assert conversation.driver.place_evenly(game, 1, Limit(), 60) is None


def test_other_openings_are_not_sent() -> None:
    conversation = Conversation()
    assert conversation.driver.choose_side(played(MIDDLE), ("swap",), Limit(), 60) is None
    assert conversation.driver.place_evenly(played(), 1, Limit(), 60) is None
    assert not conversation.engine.sent


@pytest.mark.parametrize("said", [["UNKNOWN SWAP2BOARD"], ["ERROR"], [], [11.0, "7,7 8,8 9,9"]])
def test_engine_without_swap2_is_asked_once(said: Sequence[str | float]) -> None:
    conversation = Conversation(DONE=said)
    assert conversation.driver.place_evenly(played(), 3, Limit(), 60) is None
    assert conversation.engine.sent[-5:] == START
    conversation.engine.sent_last()
    assert conversation.driver.choose_side(played(*THREE), ("swap", "put"), Limit(), 60) is None
    assert not conversation.engine.sent


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ("7,7", "illegal-move"),
        ("7,7 7,7 8,8", "illegal-move"),
        ("7,7 8,8 15,0", "illegal-move"),
        ("no", "too-slow"),
    ],
)
def test_illegal_placement_is_a_fault(said: str, fault: str) -> None:
    with pytest.raises(PlayerAtFault) as caught:
        Conversation(DONE=[said]).driver.place_evenly(played(), 3, Limit(), 60)
    assert caught.value.fault == fault
