"""Every game of the catalogue is played to its end by touch and by keyboard.

Each run plays half of the games by touch, the other half by keyboard, and games with unusual input both ways.
It skips games that are entered like another one. The weekly run plays all of them both ways.
"""

from collections import deque
from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from noughts import new_game
from noughts.core.board import index_of
from noughts.games.base import Game, Move
from noughts.games.catalogue import CATALOGUE
from noughts.games.moves import parts_of
from noughts.games.notation import format_move, parse_position
from noughts.interfaces.web.boards import board_message
from noughts.players.base import new_player
from noughts.search.analysis import Limit
from tests.interfaces.web.visiting import Table, Visitors

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

GAMES = [entry.name for entry in CATALOGUE]
ALIKE = {"4x4", "5x5", "gomoku-standard", "misere", "squava", "3d"}
ALIKE |= {"4d", "connect6", "notakto", "renju", "three", "torus", "vanishing", "wild"}
"""Games that are entered like tic-tac-toe, gomoku, Qubic, or order and chaos."""

TOUCHED = {*GAMES[::2]} - ALIKE
APART = {"score4", "ultimate"}
"""Games with unusual input: falling marks, and fields."""

GREED = 5
"""The improvement of a puzzle position that is worth another move."""

FIRST, LAST = 2, 2
"""The number of moves that are made by hand at each end of a long game.

The moves in between are made through the API.
"""


def each_week_all(names: set[str]) -> list[Any]:
    """Return all games as parameters. Games that are not among *names* are weekly."""
    return [one if one in names else pytest.param(one, marks=pytest.mark.weekly) for one in GAMES]


@pytest.mark.parametrize("name", each_week_all(TOUCHED))
def test_every_game_by_touch(visitors: Visitors, name: str) -> None:
    table = visitors.table(name)
    page = at_one_device(table, touch=True)
    game = game_of(table)
    for move in moves_by_hand(table, page, game):
        for part in parts_of(move):
            tap(page, game, part)
        game.play(move)
        wait_for_ply(page, game.ply)
    assert_ended(table, game)


@pytest.mark.parametrize("name", each_week_all({*GAMES} - ALIKE - TOUCHED | APART))
def test_every_game_by_keyboard(visitors: Visitors, name: str) -> None:
    table = visitors.table(name)
    page = at_one_device(table, touch=False)
    game = game_of(table)
    page.focus("[role=gridcell][tabindex='0']")
    for move in moves_by_hand(table, page, game):
        for part in parts_of(move):
            press(page, game, part)
        game.play(move)
        wait_for_ply(page, game.ply)
    assert_ended(table, game)


def test_pass_during_request_is_not_lost(visitors: Visitors) -> None:
    game = new_game("reversi")
    moves = moves_to_the_end(game)
    first = next(at for at, move in enumerate(moves) if parts_of(move) == ("pass",))
    table = visitors.table("reversi", " ".join(format_move(game, move) for move in moves[: first - 1]))
    page = at_one_device(table, touch=False)
    held: list[Any] = []
    page.route("**/commands*", lambda route: held.append((route, route.fetch())), times=1)
    page.click(cell(index_of(game.shape, moves[first - 1])))
    wait_for_ply(page, first)  # the event may arrive before the response
    page.click(choice("pass"))
    route, answer = held.pop()
    route.fulfill(response=answer)
    wait_for_ply(page, first + 1)


# Short games


def game_of(table: Table) -> Game:
    """Return the initial game of *table*. Only the server knows a random start."""
    cells = table.state["cells"]
    if all(cell is None or cell in "XO" for cell in cells):
        return new_game(table.state["game"]["name"])
    rows = ("/".join(",".join(cell or "." for cell in cells[at : at + 4]) for at in range(0, 16, 4)),)
    return parse_position(new_game(table.state["game"]["name"]), *rows)


def moves_by_hand(table: Table, page: "Page", game: Game) -> Iterator[Move]:
    """Yield the moves of *game* that are to be made by hand on *page*, and make the others here."""
    moves = moves_to_the_end(game)
    for ply, move in enumerate(moves):
        if not FIRST <= ply < len(moves) - LAST:
            yield move
            continue
        if ply == FIRST:
            page.goto("about:blank")
            table.state = table.look()
        table.command(type="move", move=format_move(game, move))
        game.play(move)
        if ply == len(moves) - LAST - 1:
            page.goto(f"{table.visitors.address}/r/{table.room}")
            page.focus("[role=gridcell][tabindex='0']")


def moves_to_the_end(game: Game) -> list[Move]:
    """Yield the moves of a game that the first player wins, or of a solution."""
    if len(game.sides) == 1:
        return solution(game)
    game, players = game.copy(), [new_player("rule", Random(1))]
    players += [new_player("random", Random(seed)) for seed in range(1, len(game.sides))]
    while not game.is_over:
        game.play(players[game.sides.index(game.turn)].choose(game, Limit()))
    return list(game.moves)


def solution(game: Game) -> list[Move]:
    """Return moves that solve a sliding puzzle, found by a greedy search."""
    tie = count()
    waiting: list[Any] = [(0, next(tie), game.copy())]
    seen = {game.key()}
    while True:
        _, _, here = heappop(waiting)
        for move in here.legal_moves():
            after = here.copy()
            after.play(move)
            if after.is_over:
                return list(after.moves)
            if after.key() not in seen:
                seen.add(after.key())
                heappush(waiting, (after.ply + GREED * away(after), next(tie), after))


def away(game: Game) -> int:
    """Return the total distance of the tiles from their places."""
    total, width = 0, game.shape[1]
    for index, tile in enumerate(game.cells):
        if tile is not None:
            home = int(tile) - 1
            total += abs(home // width - index // width) + abs(home % width - index % width)
    return total


# Touch and keyboard


def phone_at(visitors: Visitors, path: str) -> "Page":
    """Return a page of a phone, which has only touch input."""
    return visitors.visit(path, size=(390, 844), touch=True)


def at_one_device(table: Table, *, touch: bool) -> "Page":
    """Return the page of *table* on a device that all players share."""
    visitors, quick = table.visitors, "/healthz"  # seats are taken before a board is drawn
    page = phone_at(visitors, quick) if touch else visitors.visit(quick)
    visitors.seat_all(page, table)
    page.goto(f"{visitors.address}/r/{table.room}")
    page.wait_for_selector("[role=gridcell]")
    return page


def cell(index: int) -> str:
    return f'[role=gridcell][data-index="{index}"]'


def choice(part: str) -> str:
    return "[data-key=web-pass]" if part == "pass" else f"[data-key='pick-{part}']"


def tap(page: "Page", game: Game, part: Any) -> None:
    """Tap a cell or a choice. If that only aims, tap again or use the bar."""
    if isinstance(part, str):
        page.tap(choice(part))
        return
    touch(page, cell(index_of(game.shape, part)))
    if page.is_visible(".loupe"):  # it may cover the cell
        page.tap("[data-key=web-aim-play]")
    elif page.locator("[data-key=web-aim-play]").count():
        touch(page, cell(index_of(game.shape, part)))


def touch(page: "Page", selector: str) -> None:
    """Tap the middle of a cell without the delay of Playwright, which waits for frames."""
    page.touchscreen.tap(*page.evaluate(MIDDLE, selector))
    page.evaluate("() => touched")


MIDDLE = """selector => {
  const cell = document.querySelector(selector);
  const bar = document.querySelector(".bar").getBoundingClientRect();
  if (cell.getBoundingClientRect().bottom > bar.top) cell.scrollIntoView({ block: "center" });
  const { x, y, width, height } = cell.getBoundingClientRect();
  window.touched = new Promise(see => addEventListener("click", () => see(null), { once: true }));
  return [x + width / 2, y + height / 2];
}"""


def press(page: "Page", game: Game, part: Any) -> None:
    """Go to a cell with the arrow keys and choose it, or press a choice."""
    if isinstance(part, str):
        page.focus(choice(part))
        page.keyboard.press("Enter")
        page.focus("[role=gridcell][tabindex='0']")
        return
    here = int(page.get_attribute("[role=gridcell][tabindex='0']", "data-index") or 0)
    for key in way(game, here, index_of(game.shape, part)):
        page.keyboard.press(key)
    page.keyboard.press("Enter")


def way(game: Game, start: int, end: int) -> list[str]:
    """Return the keys that lead from one cell to another."""
    steps = board_message(game).steps
    known: dict[int, list[str]] = {start: []}
    waiting = deque([start])
    while end not in known:
        here = waiting.popleft()
        for key, leads in steps.items():
            if leads[here] not in known:
                known[leads[here]] = [*known[here], key]
                waiting.append(leads[here])
    return known[end]


def wait_for_ply(page: "Page", ply: int) -> None:
    page.wait_for_function("ply => document.querySelectorAll('.moves li').length >= ply", arg=ply)


def assert_ended(table: Table, game: Game) -> None:
    data = table.look()
    assert game.is_over
    assert data["phase"] != "playing"
    assert (data["cells"], data["ply"]) == (list(game.cells), game.ply)
