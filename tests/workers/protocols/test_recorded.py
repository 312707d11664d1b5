"""Games managed by c-gomoku-cli: we send the same lines as it did, and understand the answers."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from noughts.interfaces.engine.dialogue import EngineDialogue
from noughts.search.analysis import Progress
from noughts.workers.protocols.gomocup import (
    Field,
    Point,
    Rule,
    Stone,
    coordinate_of,
    parse_point,
    parse_reply,
)
from noughts.workers.protocols.gomocup_client import GomocupClient
from noughts.workers.protocols.gomocup_game import GomocupSetting
from noughts.workers.protocols.gomocup_progress import ProgressParser
from tests.workers.protocols.engines import Clock, FakeEngine

RECORDED = sorted((Path(__file__).parent / "recorded").glob("*.txt"))

EACH = pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)


def lines_of(path: Path) -> list[tuple[bool, str]]:
    """Return the lines of a game, each after True if the manager sent it."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [(line.startswith("> "), line[2:]) for line in lines]


def positions(sent: Sequence[str], answers: Sequence[Point]) -> list[tuple[Stone, ...]]:
    """Yield the stones at each request for a move."""
    result: list[tuple[Stone, ...]] = []
    stones: list[Stone] = []
    moves = iter(answers)
    for line in sent:
        word, _, rest = line.partition(" ")
        if word == "TURN":
            point = parse_point(rest)
            assert point is not None
            stones.append((*point, Field.OTHER))
        elif line[0].isdigit():
            x, y, owner = map(int, line.split(","))
            stones.append((x, y, owner))
        if word in ("BEGIN", "TURN", "DONE"):
            result.append(tuple(stones))
            if (answer := next(moves, None)) is not None:
                stones.append((*answer, Field.OWN))
    return result


@EACH
def test_manager_sends_the_recorded_lines(path: Path) -> None:
    lines = [
        (is_sent, line)
        for is_sent, line in lines_of(path)
        if line != "ABOUT" and not line.startswith("name=")
    ]
    sent = [line for is_sent, line in lines if is_sent]
    waiting = list(lines)

    def answer(line: str) -> list[str | float]:
        assert waiting.pop(0) == (True, line)
        result: list[str | float] = []
        while waiting and not waiting[0][0]:
            result.append(waiting.pop(0)[1])
        return result

    clock = Clock()
    talk = GomocupClient(FakeEngine(answer, clock), clock)
    rule = Rule(int(sent[1].split()[-1]))
    info = {line.split()[1]: line.split()[2] for line in sent[2:5]}
    assert talk.begin(GomocupSetting(15, 15, rule), info, 3) is None
    answers = [point for is_sent, line in lines if not is_sent and (point := parse_reply(line).point)]
    heard: list[str] = []
    asked = positions(sent, answers)
    for stones, expected in zip(asked, answers, strict=False):
        assert talk.move(stones, clock.now + 1, {"time_left": 2147483647}, heard.append) == expected
    assert len(asked) - len(answers) in (0, 1)
    pending = ProgressParser(GomocupSetting(15, 15, rule))
    received = [progress for line in heard if (progress := pending.read(line)) is not None]
    assert received
    assert all(isinstance(progress, Progress) and progress.depth for progress in received)


@EACH
def test_engine_understands_the_recorded_lines(path: Path) -> None:
    """Each recorded move is legal, and our engine complains about no line."""
    dialogue = EngineDialogue()
    asked = None
    for is_sent, line in lines_of(path):
        if is_sent:
            heard = dialogue.hear(line)
            assert not [answer for answer in heard.lines if answer.startswith(("ERROR", "UNKNOWN"))]
            asked = heard.question or asked
        elif (point := parse_reply(line).point) is not None:
            assert asked is not None
            assert coordinate_of(point) in asked.game.legal_moves()
            dialogue.answered(point, 0)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("MESSAGE depth 4 nodes 2317 score -11 pv 7,6 8,8", (4, 2317, -11, ((6, 7), (8, 8)))),
        ("MESSAGE best: [10,12] val=-557", (0, 0, -557, ((12, 10),))),
        ("DEBUG depth=8 nodes 12K pv h8 i9 what j10", (8, 12_000, None, ((7, 7), (8, 8)))),
        ("MESSAGE pv 7,7 15,3 2,2", (0, 0, None, ((7, 7),))),
        ("MESSAGE Bestline A15 A16", (0, 0, None, ((14, 0),))),
        ("MESSAGE Bestline M8", (0, 0, None, ((7, 12),))),
        ("MESSAGE pv A0", None),
        ("MESSAGE the best of all", None),
        ("MESSAGE depth 3", None),
        ("MESSAGE", None),
    ],
)
def test_recorded_progress_is_parsed(line: str, expected: object) -> None:
    received = ProgressParser(GomocupSetting(15, 15, Rule.FREE)).read(line)
    assert (
        None if received is None else (received.depth, received.nodes, received.score, received.pv)
    ) == expected
