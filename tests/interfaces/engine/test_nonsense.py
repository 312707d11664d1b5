"""Nonsense from managers: each answer is well formed, and the engine stays intact."""

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.interfaces.engine.dialogue import EngineDialogue
from noughts.workers.protocols.gomocup import format_point, point_of
from tests.interfaces.engine.managers import MESSAGE, feeding
from tests.workers.protocols.test_gomocup import mutated

pytestmark = pytest.mark.slow

ANSWER = re.compile(r'OK|ERROR [ -~]+|UNKNOWN [ -~]+|FORBID (\d{4})*\.|\d+,\d+|name="noughts", [ -~]+')

GOOD = (
    *("START 15", "START 5", "RECTSTART 7,5", "RESTART", "BEGIN", "TURN 3,4", "TURN 0,0", "PLAY 1,1"),
    *("BOARD", "YXBOARD", "SWAP2BOARD", "DONE", "1,2,1", "3,4,2", "2,2,3", "3,3", "TAKEBACK 3,4"),
    *("INFO rule 0", "INFO rule 1", "INFO rule 4", "INFO timeout_turn 100", "INFO time_left -5"),
    *("INFO max_node 10", "INFO folder C:\\x", "ABOUT", "YXSHOWFORBID", "YXSTOP", "SUGGEST 1,1"),
)


def check_answers(dialogue: EngineDialogue, line: str) -> None:
    """Execute *line*, and answer its question with the first legal move."""
    heard = dialogue.hear(line)
    assert not heard.is_end or line.split()[0].upper() == "END"
    for answer in heard.lines:
        assert ANSWER.fullmatch(answer), (line, answer)
    question = heard.question
    if question is not None:
        assert heard.lines == ()
        assert question.game.outcome is None
        move = question.game.legal_moves()[0]
        if question.is_swap2:
            dialogue.spent(1)
        else:
            point = point_of(move)
            dialogue.answered(point, 1)
            assert dialogue.hear(f"TAKEBACK {format_point(point)}").lines == ("OK",)
            assert dialogue.hear(f"PLAY {format_point(point)}").lines == (format_point(point),)


def test_dialogue_survives_mutated_lines() -> None:
    """``.ci/weekly`` tries ten times as many."""
    chance, dialogue = Random(3), EngineDialogue()
    for number in range(10_000):
        line = chance.choice(GOOD)
        check_answers(dialogue, mutated(line, chance) if number % 2 else line)


@given(st.lists(st.one_of(st.sampled_from(GOOD), st.text(max_size=20)), max_size=30))
def test_dialogue_survives_any_lines(lines: list[str]) -> None:
    dialogue = EngineDialogue()
    for line in lines:
        check_answers(dialogue, line)


def test_loop_survives_nonsense_bytes() -> None:
    """After long lines, binary data and broken commands the engine still answers ABOUT."""
    chance = Random(5)
    with feeding() as manager:
        for _ in range(30):
            junk = bytes(chance.randrange(256) for _ in range(chance.randrange(2000))).replace(b"END", b"")
            manager.send_bytes(junk + b"\n" + b"TURN " + b"9" * 50_000 + b",1\n")
        manager.send("START 5", "INFO max_node 5", "TURN 1,1", "ABOUT")
        lines: list[str | None] = []
        while not lines or not str(lines[-1]).startswith("name="):
            lines.append(manager.answer())
        assert [
            line for line in lines if not ANSWER.fullmatch(str(line)) and not MESSAGE.fullmatch(str(line))
        ] == []
        assert manager.close() == []
