"""Text without room ends with an ellipsis; the first line still names the opponent."""

import pytest

from noughts.interfaces.tui.lobby.start_page import message_lines
from noughts.interfaces.tui.widgets.keys import footer
from noughts.interfaces.tui.widgets.spans import Bit, cut, width_of
from tests.interfaces.harness import SAY, squeezed
from tests.interfaces.tui.gallery import interrupted
from tests.interfaces.tui.screens import open_app, press, resize, seen, spoken
from tests.interfaces.tui.table import lines_left_of, make_a_move, plan_of
from tests.running import run
from tests.stand_ins import MemoryStore

pytestmark = pytest.mark.slow

ADA = "Ada Augusta Byron Countess of Lovelace"
LIN = "林黛玉与薛宝钗在大观园里下一盘五子棋"
WINDOWS = ((80, 24), (60, 20), (40, 14))


@pytest.mark.parametrize(
    ("texts", "width", "shown"),
    [
        (("abc", "def"), 6, "abcdef"),
        (("abc", "def"), 5, "abcd…"),
        (("abc", "def"), 3, "ab…"),
        (("abc", "  ", "d"), 5, "abc …"),
        (("abc", "   "), 4, "abc"),
        (("井字", "棋"), 4, "井…"),
        (("abc",), 1, "…"),
        (("abc",), 0, ""),
    ],
)
def test_cut_line_ends_with_ellipsis(texts: tuple[str, ...], width: int, shown: str) -> None:
    line = cut([Bit(text) for text in texts], width)
    assert "".join(bit.text for bit in line) == shown
    assert width_of(line) <= width


def test_long_message_ends_with_ellipsis() -> None:
    assert [len(message_lines("word " * 40, 30, height)) for height in (9, 2)] == [4, 2]
    assert message_lines("word " * 40, 30, 9)[-1][-1].text.endswith("…")
    assert [bit.text for line in message_lines("word", 30, 9) for bit in line] == ["", "word"]


def test_footer_shows_that_keys_are_missing() -> None:
    ids = ("move", "place", "cell", "hint", "values", "lines", "help", "leave")
    for say in SAY.values():
        whole, short = (footer(say, ids, width) for width in (200, 60))
        assert all(bit.text != "…" for bit in whole)
        signs = [bit for bit in short if bit.text == "…"]
        assert [bit.action for bit in signs] == ["app.help"]
        assert width_of(short) <= 60


def test_long_unfinished_game_ends_with_ellipsis() -> None:
    async def test() -> None:
        store: MemoryStore = interrupted("gomoku", (ADA, LIN))
        async with open_app((80, 24), store=store) as (app, _):
            async for say in spoken(app):
                lines = [line for line in seen(app).splitlines() if "Augusta" in line or "Byron" in line]
                assert lines[-1].endswith("…"), say.language

    run(test())


@pytest.mark.parametrize("who", [("human", "level:4"), ("level:1", "human"), ("human", "human")])
def test_first_line_names_the_opponent(who: tuple[str, str]) -> None:
    async def test() -> None:
        plan = plan_of(
            "connect4",
            *who,
            names=[ADA if who[0] == "human" else who[0], LIN if who[1] == "human" else who[1]],
        )
        async with open_app(WINDOWS[0], plan=plan) as (app, _):
            for size in WINDOWS:
                await resize(app, *size)
                async for say in spoken(app):
                    first = lines_left_of(app)[0]
                    name = say("strength-level", level=who[1][-1]) if who[1] != "human" else LIN[:2]
                    if who[0] != "human":
                        name = say("strength-level", level=who[0][-1])
                    assert name in first or name in first.casefold(), (size, first)
            await make_a_move(app)
            await press(app, "enter")
            assert "against" not in seen(app)

    run(test())


def test_first_line_names_all_opponents() -> None:
    async def test() -> None:
        plan = plan_of("three", "human", "level:4", "level:2", names=[ADA, "level:4", "level:2"])
        async with open_app((80, 24), "ru", plan=plan) as (app, _):
            assert "Соперники: уровень 4, уровень 2" in lines_left_of(app)[0]

    run(test())


@pytest.mark.parametrize("size", WINDOWS)
def test_named_game_shows_its_whole_rule(size: tuple[int, int]) -> None:
    async def test() -> None:
        plan = plan_of("connect4", "human", "level:4", names=["Ada", "level:4"])
        async with open_app(size, plan=plan) as (app, _):
            async for say in spoken(app):
                end = squeezed(say("rule-in-short", title="", tag=say("tag-connect4"))).lstrip(":：")
                assert squeezed(lines_left_of(app)[1]).endswith(end)

    run(test())
