"""Keys pressed without sense: whatever they are, what is on the table is what the model says."""

from random import Random
from typing import Any

import pytest

from noughts.arena.clock import Clock
from noughts.arena.series import Begins
from noughts.arena.store import MemoryStore
from noughts.arena.thinking import ThinkingHere
from noughts.interfaces.tui.game import GamePage
from noughts.interfaces.tui.keys import CHOOSING, EVERYWHERE, HELPING, PLAYING, REVIEWING
from tests.interfaces.tui.screens import NOW, click, open_app, press, seen
from tests.interfaces.tui.table import SlowThinker, assert_fits, assert_is_model, page_of, plan_of
from tests.running import run

pytestmark = pytest.mark.many_cases

TABLES = (PLAYING, EVERYWHERE, REVIEWING, HELPING, CHOOSING)
LEAVING = {key for row in PLAYING if row.action in ("leave", "step_back") for key in row.keys.split(",")}
KNOWN = sorted({key for table in TABLES for row in table for key in row.keys.split(",") if key} - LEAVING)
MOVING = ["enter", "space", *"123456789", "up", "down", "left", "right", "y", "n", "x", "o"]
ODD = ["delete", "insert", "backspace", "f5", "f12", "ctrl+a", "ctrl+z", "ctrl+l", "alt+x", "shift+left"]
ODD += ["0", "٣", "é", "中", "👍", "\u202e", "%", "@", "'", '"', "\\", "{", "$", "ctrl+@", "shift+tab"]

SMALL = ("tictactoe", "wild", "3x3:3,vanish=3")

SEQUENCES = 500
LENGTH = 10

# Quick games, and computers that answer at once: it is the keys that are tried here.
TABLES_SET: tuple[dict[str, Any], ...] = (
    {"game": "tictactoe", "who": ("human", "human"), "begins": Begins.CHOOSER},
    {"game": "tictactoe", "who": ("human", "random"), "begins": Begins.LOSER},
    {"game": "wild", "who": ("random", "human")},
    {"game": "3x3:3,vanish=3", "who": ("human", "human"), "clock": Clock(base=60_000, increment=1_000)},
    {"game": "connect4", "who": ("human", "random"), "begins": Begins.X},
    {"game": "3d", "who": ("human", "human")},
    {"game": "reversi", "who": ("human", "random")},
    {"game": "three", "who": ("human", "random", "human")},
    {"game": "fifteen", "who": ("human",)},
    {"game": "ultimate", "who": ("human", "random"), "clock": Clock(per_move=30_000)},
)


@pytest.mark.parametrize("table", TABLES_SET, ids=lambda table: f"{table['game']}-{table['who'][-1]}")
def test_random_keys(table: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.chdir(tmp_path)
    chance = Random(repr(table))
    store, time = MemoryStore(), [NOW]
    who = table["who"]
    plan = plan_of(table["game"], *who, **{k: v for k, v in table.items() if k not in ("game", "who")})

    async def test() -> None:
        # Boards of nine cells are searched in no time; of larger ones only moves are answered.
        thinker = ThinkingHere() if plan.game in SMALL else SlowThinker(answers_moves=True)
        around: dict[str, Any] = {"store": store, "thinker": thinker, "now": lambda: time[0]}
        async with open_app((60, 20), plan=plan, **around) as (app, _):
            app.copy_to_clipboard = lambda text: None  # type: ignore[method-assign]
            done: list[str] = []
            for _ in range(SEQUENCES // len(TABLES_SET)):
                for _ in range(LENGTH):
                    keys = chance.choice((MOVING, MOVING, MOVING, KNOWN, KNOWN, ODD, ["escape"], ["click"]))
                    key = chance.choice(keys)
                    if key == "escape" and app.screen is page_of(app) and not _is_busy(page_of(app)):
                        key = "enter"  # leaving is tried elsewhere
                    time[0] += chance.randrange(900)
                    done.append(key)
                    try:
                        if key == "click":
                            await click(app, chance.randrange(60), chance.randrange(19))
                        else:
                            await press(app, key)
                        assert_is_model(app, store)
                    except BaseException:
                        print(done[-40:], seen(app), sep="\n")
                        raise
                assert_fits(app)

    run(test())
    assert len(list(store.games())) > 0


def _is_busy(page: GamePage) -> bool:
    """Whether Escape would withdraw something rather than leave the game."""
    is_first_choice = page.playing.sitting.match is not None and page.playing.sitting.match.version == 0
    if page.question is not None:
        return not is_first_choice
    return page.is_typing or page.playing.trial is not None
