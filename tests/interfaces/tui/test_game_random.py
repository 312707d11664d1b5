"""Random bursts of keys: the table always matches the model."""

from itertools import cycle, islice
from math import inf
from random import Random
from typing import Any

import pytest
from textual.events import MouseDown, MouseUp, Resize
from textual.geometry import Size

from noughts.arena.clock import Clock
from noughts.arena.events import Event
from noughts.arena.series import Begins
from noughts.games.base import Game
from noughts.games.catalogue import new_game
from noughts.interfaces.presenting.preferences import Preferences
from noughts.interfaces.presenting.tasks import choose, take_seat
from noughts.interfaces.tui.app import NoughtsApp
from noughts.interfaces.tui.game.game_page import GamePage
from noughts.interfaces.tui.game.review import ReviewPage
from noughts.interfaces.tui.lobby.start_page import StartPage
from noughts.interfaces.tui.widgets.help import KeyHelpPage
from noughts.interfaces.tui.widgets.keys import CHOOSING, EVERYWHERE, HELPING, PLAYING, REVIEWING
from noughts.interfaces.tui.widgets.picking import Picker
from noughts.workers.messages import PendingResult, Task
from tests.interfaces.tui.screens import NOW, open_app, seen, send, settle, start_of
from tests.interfaces.tui.table import SlowThinker, assert_fits, assert_is_model, make_a_move, plan_of
from tests.running import run
from tests.stand_ins import MemoryStore
from tests.weekly import each_week_all

pytestmark = pytest.mark.slow


TABLES = (PLAYING, EVERYWHERE, REVIEWING, HELPING, CHOOSING)
OTHERS = {"Q", "в", "В", "ctrl+q"}
"""Keys that leave the program, which other keys do often enough."""
KNOWN = sorted({key for table in TABLES for row in table for key in row.keys.split(",") if key} - OTHERS)
MOVING = ["enter", "space", *"123456789", "up", "down", "left", "right", "y", "n", "x", "o"]
ODD = ["delete", "insert", "backspace", "f5", "f12", "ctrl+a", "ctrl+z", "ctrl+l", "alt+x", "shift+left"]
ODD += ["0", "٣", "é", "中", "👍", "\u202e", "%", "@", "'", '"', "\\", "{", "$", "ctrl+@", "shift+tab"]

PURPOSES = (
    *("r y v", "r y v L 2", "r y v n enter", "escape r y v f1 q", "y v right enter", "r y n x", "d y", "u y"),
    *("[ b 5 escape", "g a 1 enter enter", "g enter"),
    *("q c", "q enter", "escape escape c", "q tab down right escape enter", "q slash 4 x 4 enter enter"),
    *("f1 pagedown q", "ctrl+p r e v enter", "ctrl+p escape", "L 2", "L 1", "L q", "? ? ?", "v v", "t !"),
)
"""Sequences of keys: to the review, through the gallery, into a list and out again."""

OPENERS = {"r y v": ReviewPage, "q c": StartPage, "f1 pagedown": KeyHelpPage, "ctrl+p": Picker, "L": Picker}
"""The first keys of each sitting, after a move, and the page that they open."""

BURSTS = 2
"""The bursts of a sitting; all sittings together begin with each of the purposes."""

LENGTH = 10
SMALL = 9

# Quick games and computers that answer at once, since this test is about keys.
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


class QuickThinker(SlowThinker):
    """A thinker with random moves that answers all tasks about small boards.

    It does not answer tasks about other boards or puzzles, which the keys may open.
    """

    def ask(self, task: Task, *arguments: Any, on_message: Any, patience: float = inf) -> PendingResult:
        if task in (choose, take_seat):
            return self._here.ask(task, "random", *arguments[1:], on_message=on_message, patience=patience)
        if isinstance(arguments[0], Game) and len(arguments[0].cells) <= SMALL:
            return self._here.ask(task, *arguments, on_message=on_message, patience=patience)
        return super().ask(task, *arguments, on_message=on_message, patience=patience)


def burst(chance: Random, beginning: str) -> list[str]:
    """A burst of keys, clicks and window sizes without a pause."""
    keys = beginning.split()
    while len(keys) < LENGTH:
        kinds = (MOVING, MOVING, MOVING, KNOWN, KNOWN, ODD, PURPOSES, PURPOSES, ["escape", "click", "resize"])
        keys += chance.choice(chance.choice(kinds)).split()
    return keys[:LENGTH]


def act(app: NoughtsApp, chance: Random, keys: list[str]) -> None:
    """Do everything in *keys* without waiting."""
    for key in keys:
        if key == "click":
            x, y = chance.randrange(app.size.width), chance.randrange(app.size.height)
            for kind in (MouseDown, MouseUp):
                app.post_message(kind(None, x, y, 0, 0, 1, False, False, False, x, y))
        elif key == "resize":
            size = Size(*chance.choice(((60, 20), (60, 20), (100, 30), (24, 12), (7, 3), (1, 1))))
            app._driver._size = size  # type: ignore[union-attr]
            app.post_message(Resize(size, size))
            app.call_later(app._check_resize)
        else:
            send(app, key)


class Kept:
    """Check the store: games only grow, and each matches its events."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self._before: dict[int, tuple[Event, ...]] = {}

    def check(self) -> None:
        """Compare the current games with the earlier ones."""
        games = {stored.id: stored for stored in self._store.games()}
        for number, events in self._before.items():
            assert tuple(games[number].events)[: len(events)] == events
        for number, stored in games.items():
            if tuple(stored.events) != self._before.get(number):
                outcome = stored.replay().outcome
                assert (outcome and outcome.winner) == (stored.result and stored.result.winner)
        self._before = {number: tuple(stored.events) for number, stored in games.items()}


@pytest.mark.parametrize(
    "table", each_week_all(TABLES_SET, 2), ids=lambda table: f"{table['game']}-{table['who'][-1]}"
)
def test_random_keys_keep_the_game_valid(
    table: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(NoughtsApp, "CLICK_CHAIN_TIME_THRESHOLD", -1.0)  # No two clicks are a double click.
    chance, time, store = Random(repr(table)), [NOW], MemoryStore()
    kept, opened, push = Kept(store), set[type](), NoughtsApp.push_screen
    who = table["who"]
    plan = plan_of(table["game"], *who, **{k: v for k, v in table.items() if k not in ("game", "who")})
    around: dict[str, Any] = {"store": store, "thinker": QuickThinker(), "now": lambda: time[0]}

    def push_screen(app: NoughtsApp, screen: Any, *arguments: Any, **more: Any) -> Any:
        opened.add(type(screen))
        return push(app, screen, *arguments, **more)

    monkeypatch.setattr(NoughtsApp, "push_screen", push_screen)

    place = TABLES_SET.index(table)
    openers = list(islice(cycle(OPENERS), place, place + 3))
    first = place * len(openers) * (BURSTS - 1)  # The next sitting continues at the same table.
    purposes = islice(cycle(PURPOSES), first, None)

    async def sitting(bursts: int, opener: str, *, is_only: bool) -> int:
        """Make a move and *bursts* bursts, or fewer if the program is left; return their number."""
        around["preferences"] = Preferences(opponent="human", names=("Ada", "Wei"), game=table["game"])
        async with open_app((60, 20), plan=plan if is_only else None, **around) as (app, _):
            opened.add(type(app.screen))
            app.copy_to_clipboard = lambda text: None  # type: ignore[method-assign]
            if not is_only:
                start_of(app).play(plan)
                await settle(app)
            await make_a_move(app)
            for number in range(bursts):
                keys = burst(chance, next(purposes) if number else opener)
                time[0] += chance.randrange(9_000)
                try:
                    act(app, chance, keys)
                    await settle(app)
                    if not app.is_running:
                        return number + 1
                    if any(isinstance(screen, GamePage) for screen in app.screen_stack):
                        assert_is_model(app, store)
                    kept.check()
                    assert_fits(app)
                except BaseException:
                    print(keys, seen(app) if app.is_running else "left", sep="\n")
                    raise
        return bursts

    async def test() -> None:
        for opener in openers:
            left = BURSTS
            while left:
                left -= await sitting(left, opener, is_only=chance.random() < 0.2)

    run(test())
    assert len(list(store.games())) > 2
    is_small = len(new_game(plan.game).cells) <= SMALL  # Otherwise there is no review.
    assert opened >= {GamePage, *(OPENERS[one] for one in openers if is_small or OPENERS[one] != ReviewPage)}
