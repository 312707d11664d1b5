"""The answers to each line, without a search."""

import pytest

from noughts.games.notation import format_position
from noughts.interfaces.engine.dialogue import NOTHING, EngineDialogue, MoveRequest
from noughts.workers.protocols.gomocup_info import TurnTime

SMALL = "START 5"


def say(dialogue: EngineDialogue, *lines: str) -> list[str]:
    """Return all answers to *lines*."""
    return [answer for line in lines for answer in dialogue.hear(line).lines]


def ask(dialogue: EngineDialogue, *lines: str) -> MoveRequest:
    """Return the question after the last of *lines*; there must be none before it."""
    *first, last = map(dialogue.hear, lines)
    assert not any(heard.question for heard in first)
    assert last.lines == ()
    assert last.question is not None
    return last.question


def position(question: MoveRequest) -> str:
    return format_position(question.game)


@pytest.mark.parametrize("size", ["5", "15", "20", "40", "15 15", "15,15", " 15 "])
def test_start_sets_up_a_board(size: str) -> None:
    assert say(EngineDialogue(), f"START {size}") == ["OK"]


@pytest.mark.parametrize(
    "size", ["", "4", "41", "15 41", "0", "-15", "x", "1 2 3", "15 16", "15.5", "99999999999999999999"]
)
def test_start_refuses_unsupported_size(size: str) -> None:
    dialogue = EngineDialogue()
    (answer,) = say(dialogue, f"START {size}")
    assert answer.startswith("ERROR boards of 5 to 40 are supported")
    assert dialogue.expected == ()


def test_rectstart_sets_up_rectangles() -> None:
    dialogue = EngineDialogue()
    assert say(dialogue, "RECTSTART 7,5") == ["OK"]
    assert ask(dialogue, "TURN 6,4").game.shape == (5, 7)
    assert say(dialogue, "TURN 4,6") == ["ERROR 4,6 is not on the board of 7x5"]
    for sizes in ("4,5", "5", "41,5", "5,6,7"):
        assert say(dialogue, f"RECTSTART {sizes}")[0].startswith("ERROR boards of 5 to 40")


@pytest.mark.parametrize("word", ["turn", "Turn", "TURN"])
def test_commands_ignore_case(word: str) -> None:
    dialogue = EngineDialogue()
    say(dialogue, "start 5")
    assert position(ask(dialogue, f"{word} 1, 0")) == ".O.../...../...../...../..... X"


def test_failed_command_changes_nothing() -> None:
    dialogue = EngineDialogue()
    for line in ("BEGIN", "TURN 1,1", "RESTART", "TAKEBACK 1,1", "PLAY 1,1"):
        assert say(dialogue, line) == ["ERROR there is no board: START comes first"]
    say(dialogue, SMALL)
    ask(dialogue, "TURN 1,1")
    for line, why in (
        ("TURN 1,1", "1,1 is not empty"),
        ("TURN 5,0", "5,0 is not on the board of 5x5"),
        ("TURN -1,0", "-1,0 is not on the board of 5x5"),
        ("TURN h8", "not a point: h8"),
        ("TURN 1,2,3", "not a point: 1,2,3"),
        ("TAKEBACK 2,2", "no stone is on 2,2"),
        ("PLAY 1,1", "1,1 is not empty"),
        ("DONE", "DONE without BOARD"),
        ("BEGIN", "the board is not empty: RESTART, START or BOARD comes first"),
    ):
        assert say(dialogue, line) == [f"ERROR {why}"]
    assert position(ask(dialogue, "TURN 2,2")) == "...../.O.../..O../...../..... X"


def test_unknown_command_is_answered_unknown() -> None:
    dialogue = EngineDialogue()
    for line in ("WOBBLE 3", "YXHASHCLEAR", "SUGGEST 1,1", "7,7", "noughts 1", "\x1b[2J\u202e"):
        (answer,) = say(dialogue, line)
        assert answer.startswith("UNKNOWN ")
        assert answer.isprintable()
        assert answer.isascii()
    assert len(say(dialogue, "x" * 8000)[0]) < 80
    assert dialogue.hear("") == NOTHING
    assert dialogue.hear("YXSTOP") == NOTHING


def test_about_names_the_engine() -> None:
    (answer,) = say(EngineDialogue(), "about")
    assert answer.startswith('name="noughts", version="')


def test_info_is_never_answered() -> None:
    dialogue = EngineDialogue()
    for line in (
        "INFO",
        "INFO timeout_turn",
        "info RULE 1",
        "INFO folder C:\\x y",
        "INFO evaluate 3,3",
        "INFO a b",
    ):
        assert dialogue.hear(line) == NOTHING
    say(dialogue, SMALL)
    for line in (
        "INFO timeout_turn 1000",
        "INFO max_node 50",
        "INFO max_depth 3",
        "INFO max_memory 1000",
        "INFO thread_num 4",
    ):
        assert dialogue.hear(line) == NOTHING
    request = ask(dialogue, "BEGIN")
    assert (request.time, request.max_node, request.max_depth, request.max_memory) == (
        TurnTime(950, 50),
        50,
        3,
        1000,
    )
    assert request.game.facts == {"exact"}


@pytest.mark.parametrize("rule", [2, 3, 5, 8, 9, 12, 100])
def test_unknown_rule_is_refused(rule: int) -> None:
    dialogue = EngineDialogue()
    assert say(dialogue, SMALL, f"INFO rule {rule}") == ["OK"]
    why = f"ERROR rule {rule} is not supported: 0 (five or more), 1 (exactly five), 4 (renju) are"
    for lines in (["BEGIN"], ["TURN 1,1"], ["BOARD", "DONE"], ["SWAP2BOARD", "DONE"], ["YXBOARD", "DONE"]):
        assert say(dialogue, *lines) == [why]
    assert dialogue.expected == ()
    assert say(dialogue, "INFO rule 0") == []
    ask(dialogue, "BEGIN")


def test_expected_lists_possible_rules() -> None:
    """The engine prepares for these rules before ``START`` is answered."""
    dialogue = EngineDialogue()
    say(dialogue, "START 5")
    assert [rules.facts for rules in dialogue.expected] == [frozenset(), {"exact"}, {"renju"}]
    say(dialogue, "INFO rule 4", "INFO max_memory 1000")
    assert [rules.facts for rules in dialogue.expected] == [{"renju"}]
    assert dialogue.max_memory == 1000


def test_dialogue_plays_turns_and_take_backs() -> None:
    """The test covers both orders of play, a take-back, and a move chosen by the manager."""
    dialogue = EngineDialogue()
    say(dialogue, SMALL)
    ask(dialogue, "BEGIN")
    dialogue.answered((2, 2), 10)
    assert position(ask(dialogue, "TURN 1,1")) == "...../.O.../..X../...../..... X"
    dialogue.answered((3, 3), 10)
    assert say(dialogue, "TAKEBACK 3,3", "TAKEBACK 1,1") == ["OK", "OK"]
    assert position(ask(dialogue, "TURN 0,0")) == "O..../...../..X../...../..... X"
    assert say(dialogue, "PLAY 4,4") == ["4,4"]
    assert position(ask(dialogue, "TURN 0,1")) == "O..../O..../..X../...../....X X"
    assert say(dialogue, "RESTART") == ["OK"]
    assert position(ask(dialogue, "BEGIN")) == "...../...../...../...../..... X"
    assert say(dialogue, "START 6") == ["OK"]
    assert ask(dialogue, "TURN 5,5").game.shape == (6, 6)


@pytest.mark.parametrize(
    ("stones", "expected"),
    [
        ([], "...../...../...../...../..... X"),
        (["1,0,1", "0,0,2"], "OX.../...../...../...../..... X"),
        (["0 , 0 , 2"], "O..../...../...../...../..... X"),
        (["0,0,1", "1,1,1"], "X..../.X.../...../...../..... X"),  # The other side has passed.
        (["0,0,2", "1,1,2", "2,2,2"], "O..../.O.../..O../...../..... X"),
        (["0,0,1", "2,0,1", "1,1,2", "3,0,1"], "X.XX./.O.../...../...../..... X"),
    ],
)
def test_board_accepts_any_number_of_stones(stones: list[str], expected: str) -> None:
    dialogue = EngineDialogue()
    say(dialogue, SMALL)
    ask(dialogue, "TURN 4,4")  # The previous board is gone.
    request = ask(dialogue, "BOARD", *stones, "DONE")
    cells = expected.split()[0].replace("/", "")
    assert "".join(mark or "." for mark in request.game.cells) == cells
    assert request.game.turn == "X"


@pytest.mark.parametrize(
    ("stones", "why"),
    [
        (["0,0,1", "0,0,2"], "0,0 is not empty"),
        (["0,5,1"], "0,5 is not on the board of 5x5"),
        (["0,0"], "not a stone: 0,0"),
        (["0,0,4"], "not a stone: 0,0,4"),
        (["0,0,0", "NaN"], "not a stone: 0,0,0"),
        (["garbage", "0,0,1"], "not a stone: garbage"),
        (["0,0,3"], "0,0 is closed: continuous games are not supported"),
        ([f"{x},0,2" for x in range(5)], "the game is over"),
        ([f"{x},0,1" for x in range(5)], "the game is over"),
        (
            [f"{x},0,{x % 2 + 1}" for x in range(5)] + [f"{x},1,1" for x in range(5)] + ["0,2,2"],
            "the game is over",
        ),
        (
            [f"{x},0,1" for x in range(5)] + [f"{x},2,2" for x in range(5)],
            "no game can come to this position, or it is over",
        ),
        ([f"{x},0,1" for x in range(5)] + [f"{x},2,2" for x in (0, 1, 2, 4)], "the game is over"),
        (["0,2,1", *(f"{x},0,1" for x in range(5)), "1,2,1"], "the game is over"),
        (["0,0,1"] * 5000, "0,0 is not empty"),
    ],
)
def test_invalid_board_is_refused_at_done(stones: list[str], why: str) -> None:
    dialogue = EngineDialogue()
    say(dialogue, SMALL)
    ask(dialogue, "TURN 4,4")
    assert say(dialogue, "BOARD", *stones, "DONE") == [f"ERROR {why}"]
    assert position(ask(dialogue, "TURN 0,0")) == "O..../...../...../...../....O X"


def test_full_board_is_over() -> None:
    dialogue = EngineDialogue()
    say(dialogue, SMALL)
    stones = [f"{x},{y},{1 + (x + y // 2) % 2}" for x in range(5) for y in range(5)]
    assert say(dialogue, "BOARD", *stones, "DONE") == ["ERROR the game is over"]


def test_other_command_cancels_board() -> None:
    dialogue = EngineDialogue()
    assert say(dialogue, SMALL, "BOARD", "0,0,1", "INFO rule 1", "START 6") == ["OK", "OK"]
    assert say(dialogue, "DONE") == ["ERROR DONE without BOARD"]
    assert position(ask(dialogue, "TURN 5,5")).startswith("....../")
    say(dialogue, "BOARD")
    assert dialogue.hear("END").is_end


def test_yxboard_sets_board_without_answer() -> None:
    dialogue = EngineDialogue()
    say(dialogue, SMALL)
    assert say(dialogue, "YXBOARD", "0,0,2", "DONE") == []
    assert position(ask(dialogue, "TURN 1,1")) == "O..../.O.../...../...../..... X"
    assert say(dialogue, "YXBOARD", "0,0,2", "0,0,1", "DONE") == ["ERROR 0,0 is not empty"]


# Renju


def renju(*stones: str) -> EngineDialogue:
    dialogue = EngineDialogue()
    say(dialogue, "START 15", "INFO rule 4", "YXBOARD", *stones, "DONE")
    return dialogue


def test_renju_gives_first_stone_to_black() -> None:
    dialogue = EngineDialogue()
    say(dialogue, "START 15", "INFO rule 4")
    assert ask(dialogue, "BEGIN").game.turn == "X"
    assert ask(dialogue, "BOARD", "7,7,2", "DONE").game.turn == "O"
    assert ask(dialogue, "BOARD", "7,7,1", "7,8,2", "DONE").game.turn == "X"
    assert ask(dialogue, "BOARD", "7,7,2", "7,8,1", "8,8,2", "DONE").game.turn == "O"
    for stones in (["7,7,1"], ["7,7,2", "8,8,2"], ["7,7,2", "8,8,1"]):
        why = "ERROR no game can come to this position, or it is over"
        assert say(dialogue, "BOARD", *stones, "DONE") == [why]


THREES = ("5,7,1", "0,0,2", "6,7,1", "2,0,2", "7,5,1", "4,0,2", "7,6,1", "6,0,2")
"""Black may not play 7,7, which would be a double three."""


def test_yxshowforbid_lists_forbidden_points() -> None:
    dialogue = renju(*THREES)
    assert say(dialogue, "YXSHOWFORBID") == ["FORBID 0707."]
    assert say(dialogue, "TURN 14,14") == ["ERROR no game can come to this position, or it is over"]
    assert say(dialogue, "INFO rule 0", "YXSHOWFORBID") == ["FORBID ."]


def test_renju_accepts_only_forbidden_closed_cells() -> None:
    dialogue = renju()
    game = ask(dialogue, "BOARD", *THREES, "7,7,3", "DONE").game
    assert (7, 7) not in game.legal_moves()
    answer = say(dialogue, "BOARD", *THREES, "8,8,3", "DONE")
    assert answer == ["ERROR 8,8 is closed, but renju does not forbid it"]


def test_double_three_of_opponent_is_accepted() -> None:
    """Managers judge differently, so that the game continues after a move they accepted."""
    swapped = [stone[:-1] + "21"[int(stone[-1]) - 1] for stone in THREES]
    assert ask(renju(*swapped), "TURN 7,7").game.turn == "O"


# Swap2


@pytest.mark.parametrize(
    ("stones", "turn"), [([], "X"), (["7,7", "8,8", "6,6"], "O"), (["7,7", "8,8", "6,6", "1,1", "2,2"], "O")]
)
def test_swap2board_asks_for_an_answer(stones: list[str], turn: str) -> None:
    dialogue = EngineDialogue()
    say(dialogue, "START 15")
    request = ask(dialogue, "SWAP2BOARD", *stones, "DONE")
    assert request.is_swap2
    assert (request.game.turn, sum(mark is not None for mark in request.game.cells)) == (turn, len(stones))
    dialogue.spent(100)
    ask(dialogue, "BEGIN")  # The board is empty.


@pytest.mark.parametrize(
    ("stones", "why"),
    [
        (["7,7"], "in swap2 0, 3 or 5 stones are told, not 1"),
        (["7,7", "7,7", "8,8"], "7,7 is not empty"),
        (["7,7", "15,7", "8,8"], "15,7 is not on the board of 15x15"),
        (["7,7,1", "7,8,2", "8,8,1"], "not a stone: 7,7,1"),
    ],
)
def test_swap2board_refuses_invalid_stones(stones: list[str], why: str) -> None:
    dialogue = EngineDialogue()
    assert say(dialogue, "SWAP2BOARD", "DONE") == ["ERROR there is no board: START comes first"]
    say(dialogue, "START 15")
    assert say(dialogue, "SWAP2BOARD", *stones, "DONE") == [f"ERROR {why}"]
