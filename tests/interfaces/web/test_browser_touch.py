"""Touch: a finger scrolls the page over any board, and aims if cells are small."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from noughts.core.board import index_of
from noughts.puzzles.shipped import puzzles_of
from tests.interfaces.harness import SAY
from tests.interfaces.web.visiting import Table, Visitors, play, say, wait_for
from tests.weekly import weekly

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

EN = SAY["en"]
CELL = '[role=gridcell][data-index="{}"]'

Touching = Callable[..., "Page"]


@pytest.fixture
def touching(visitors: Visitors) -> Touching:
    """Return the page of a table on a phone."""

    def sit(
        table: Table, place: int = 0, width: int = 390, language: str = "en", height: int = 700
    ) -> "Page":
        page = visitors.begin(language, (width, height), touch=True)
        visitors.seat(page, table.room, table.tokens[place])
        page.goto(f"{visitors.address}/r/{table.room}")
        page.wait_for_selector("[role=gridcell]")
        return page

    return sit


def swipe(page: "Page", x: float, y: float, far: int) -> None:
    """Swipe upwards over the page."""
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        data = [{"x": left, "y": top} for left, top in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": data})

    touch("touchStart", (x, y))
    for moved in range(20, far + 1, 20):
        touch("touchMove", (x, y - moved))
    touch("touchEnd")
    page.wait_for_timeout(60)


@pytest.mark.parametrize(("width", "game"), [weekly(320, "gomoku"), (390, "qubic"), (320, "60x60:5")])
def test_finger_on_board_scrolls_page(visitors: Visitors, touching: Touching, game: str, width: int) -> None:
    page = touching(visitors.table(game), width=width, height=560)  # another height would redraw the board
    assert page.evaluate("document.documentElement.scrollWidth") == width
    room = page.evaluate("document.documentElement.scrollHeight - innerHeight")
    assert room > 100
    box = page.locator("svg.board").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    for _ in range(3):
        swipe(page, box["x"] + box["width"] / 2, min(480, box["y"] + box["height"] / 2), 400)
    assert page.evaluate("scrollY") > 0.9 * min(room, 400)
    assert page.evaluate("[...document.querySelectorAll('#board, #board *')].every(one => !one.scrollTop)")


def test_two_fingers_zoom_board(visitors: Visitors, touching: Touching) -> None:
    page = touching(visitors.table("19x19:5", "a1"))
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[int, int]) -> None:
        data = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": data})

    touch("touchStart", (150, 400), (170, 400))
    for apart in range(0, 75, 5):
        touch("touchMove", (150 - apart, 400), (170 + apart, 400))
    touch("touchEnd")
    page.wait_for_function("() => visualViewport.scale > 1.2")


# Aiming


def test_second_tap_plays(visitors: Visitors, touching: Touching) -> None:
    table = visitors.table("gomoku", "h8 g8")
    page = touching(table)
    page.tap(CELL.format(0))
    assert say(page, "[data-key=web-aim-play]") == "Play a15"
    assert say(page, "#status p") == EN("web-aim-about")
    assert page.get_attribute(CELL.format(0), "aria-label") == "a15, empty, aimed at, not yet played"
    assert table.look()["ply"] == 2
    assert page.locator(".loupe").is_hidden()
    page.tap(CELL.format(16))
    assert say(page, "[data-key=web-aim-play]") == "Play b14"
    page.tap(CELL.format(16))
    page.wait_for_selector(f"{CELL.format(16)} .mark")
    assert page.locator("[data-key=web-aim-play]").count() == 0
    assert table.look()["ply"] == 3


def test_tap_shows_lines_when_they_are_on(visitors: Visitors, touching: Touching) -> None:
    table = visitors.table("tictactoe", "5 1")
    page = touching(table)
    page.tap("[data-key=web-lines]")
    page.tap(CELL.format(8))
    page.wait_for_selector(".board .aim")
    assert say(page, "[data-key=web-aim-play]") == "Play c1"
    assert table.look()["ply"] == 2
    page.tap(CELL.format(8))
    page.wait_for_selector(f"{CELL.format(8)} .mark")


def test_narrow_columns_need_two_taps(visitors: Visitors, touching: Touching) -> None:
    table = visitors.table("30x2:2,gravity")
    page = touching(table)
    page.tap(CELL.format(4))
    assert say(page, "[data-key=web-aim-play]") == "Play 5"
    assert page.locator(".loupe").is_visible()
    page.tap("[data-key=web-aim-right]")
    assert say(page, "[data-key=web-aim-play]") == "Play 6"
    assert table.look()["ply"] == 0
    page.tap("[data-key=web-aim-play]")
    page.wait_for_selector(f"{CELL.format(35)} .mark")


def test_bar_moves_plays_or_cancels_aim(visitors: Visitors, touching: Touching) -> None:
    table = visitors.table("gomoku", "h8 g8")
    page = touching(table)
    page.tap(CELL.format(7 * 15 + 5))  # f8 has two marks on its right
    page.tap("[data-key=web-aim-right]")
    assert say(page, "[data-key=web-aim-play]") == "Play i8"
    for way, name in (("up", "i9"), ("left", "h9"), ("down", "h7")):
        page.tap(f"[data-key=web-aim-{way}]")
        assert say(page, "[data-key=web-aim-play]") == f"Play {name}"
    page.tap("[data-key=web-aim-cancel]")
    assert page.locator("[data-key=web-aim-play]").count() == 0
    assert page.locator(".pencil").count() == 0
    page.tap(CELL.format(0))
    page.keyboard.press("Escape")
    assert page.locator("[data-key=web-aim-play]").count() == 0
    page.tap(CELL.format(0))
    page.tap("[data-key=web-aim-play]")
    page.wait_for_selector(f"{CELL.format(0)} .mark")
    assert table.look()["cells"][0] == "X"


@pytest.mark.parametrize(("width", "language"), [(320, "ru"), (390, "en")])
def test_long_move_name_fits_button(
    visitors: Visitors, touching: Touching, width: int, language: str
) -> None:
    page = touching(visitors.table("4d"), width=width, language=language)
    page.tap(CELL.format(40))
    assert "2.2b2" in say(page, "[data-key=web-aim-play]")
    assert page.evaluate(ROOM_BESIDE) >= 2


ROOM_BESIDE = """() => {
  const button = document.querySelector("[data-key=web-aim-play]");
  const text = document.createRange();
  text.selectNodeContents(button);
  const [outer, inner] = [button.getBoundingClientRect(), text.getBoundingClientRect()];
  return Math.min(inner.left - outer.left, outer.right - inner.right, inner.top - outer.top);
}"""


def test_aim_is_dropped_after_own_turn(visitors: Visitors, touching: Touching) -> None:
    table = visitors.table("gomoku", "h8 g8")
    page = touching(table)
    page.tap(CELL.format(0))
    table.command(type="resign")
    wait_for(page, "You lost")
    assert page.locator("[data-key=web-aim-play]").count() == 0


@pytest.mark.parametrize("game", ["tictactoe", "connect4", "5x5"])
def test_tap_on_large_cell_plays(visitors: Visitors, touching: Touching, game: str) -> None:
    table = visitors.table(game)
    page = touching(table)
    page.tap(CELL.format(0))
    page.wait_for_selector("[role=gridcell] .mark")
    assert table.look()["ply"] == 1


def test_confirmation_can_be_set_on_device(visitors: Visitors, touching: Touching) -> None:
    page = touching(visitors.table("tictactoe"))
    page.tap("details[data-key=device] summary")
    confirm = page.locator("[data-key=web-confirm]")
    assert not confirm.is_checked()
    confirm.tap()
    page.tap(CELL.format(4))
    assert say(page, "[data-key=web-aim-play]") == "Play b2"
    page.reload()
    page.wait_for_selector("[role=gridcell]")
    page.tap("details[data-key=device] summary")
    assert confirm.is_checked()
    confirm.tap()
    page.tap(CELL.format(4))
    page.wait_for_selector(f"{CELL.format(4)} .mark")


def test_mouse_does_not_aim(visitors: Visitors) -> None:
    table = visitors.table("gomoku")
    page = visitors.begin()
    visitors.seat(page, table.room, table.tokens[0])
    page.goto(f"{visitors.address}/r/{table.room}")
    page.wait_for_selector("[role=gridcell]")
    play(page, 0)


def test_tiny_cells_open_loupe(visitors: Visitors, touching: Touching) -> None:
    table = visitors.table("60x60:5")
    page = touching(table, width=320)
    page.tap(CELL.format(0))
    window = page.locator(".loupe:not([hidden])")
    box, bar = window.bounding_box(), page.locator("#bar").bounding_box()
    assert box is not None
    assert bar is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 320
    assert box["y"] + box["height"] <= bar["y"] + 1
    sizes = page.evaluate(
        "[...document.querySelectorAll('.loupe .hit')].map(one => one.getBoundingClientRect().width)"
    )
    assert len(sizes) == 49
    assert min(sizes) >= 43.9
    page.tap('.loupe [data-index="63"]')
    assert say(page, "[data-key=web-aim-play]") == "Play d59"
    page.tap('.loupe [data-index="63"]')
    page.wait_for_selector(f"{CELL.format(63)} .mark")
    assert table.look()["cells"][63] == "X"


# The bar


@pytest.mark.parametrize("language", [weekly("en"), "ru", "zh-Hans", weekly("zh-Hant")])
def test_bar_is_one_row_of_five_actions(visitors: Visitors, touching: Touching, language: str) -> None:
    table = visitors.table("tictactoe", "5 1")
    page = touching(table, width=320, language=language)
    seen = page.evaluate(BAR)
    assert 3 <= len(seen["texts"]) <= 5
    assert seen["rows"] == 1
    assert seen["cut"] == []
    assert max(map(len, seen["texts"])) <= 10
    assert seen["bottom"] == 700
    assert seen["height"] == pytest.approx(66, abs=1.5)
    top = page.evaluate("document.querySelector('svg.board').getBoundingClientRect().top")
    page.tap("[data-key=web-resign]")
    page.wait_for_selector("[data-key=web-resign-no]")
    assert page.evaluate("document.querySelector('svg.board').getBoundingClientRect().top") == top
    assert say(page, "#bar p") == SAY[language]("web-resign-sure")
    page.tap("[data-key=web-resign-no]")
    assert page.locator("[data-key=web-resign]").count() == 1


@pytest.mark.parametrize(("width", "language"), [(320, "ru"), (390, "en")])
def test_long_heading_does_not_move_board(
    visitors: Visitors, touching: Touching, width: int, language: str
) -> None:
    table = visitors.table("tictactoe", names=("Ada", "Weiwithanameofexactlyfortylettersnotless"))
    page = touching(table, width=width, language=language)
    before = page.evaluate(TOP)
    page.tap(CELL.format(4))
    wait_for(page, "Weiwith")
    assert page.evaluate(TOP) == before
    table.state = table.look()
    table.command(place=1, type="offer-draw")
    page.wait_for_selector("[data-key=web-accept]")
    assert page.evaluate(TOP) == before
    assert page.evaluate("(bar => bar.scrollWidth - bar.clientWidth)(document.getElementById('bar'))") == 0


TOP = "document.querySelector('svg.board').getBoundingClientRect().top"

BAR = """() => {
  const acts = [...document.querySelectorAll("#bar .act")];
  const box = document.getElementById("bar").getBoundingClientRect();
  return {
    texts: acts.map(one => one.innerText.trim()),
    rows: new Set(acts.map(one => one.getBoundingClientRect().top)).size,
    cut: acts.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.innerText),
    bottom: box.bottom,
    height: box.height,
  };
}"""


def test_title_and_icon_show_turn(visitors: Visitors, touching: Touching) -> None:
    table = visitors.table("tictactoe")
    page = touching(table)
    assert page.title().startswith("• Your turn")
    assert "icon-turn" in (page.get_attribute("#icon", "href") or "")
    page.tap(CELL.format(4))
    wait_for(page, "Wei is to move")
    assert page.title().startswith("Wei is to move")
    assert "icon-turn" not in (page.get_attribute("#icon", "href") or "")


def test_counts_are_beside_players(visitors: Visitors, touching: Touching) -> None:
    page = touching(visitors.table("reversi", "20"))
    counts = page.locator(".seats .count")
    assert [counts.nth(place).get_attribute("aria-label") for place in (0, 1)] == ["4 marks", "1 mark"]
    assert page.get_attribute(CELL.format(18), "aria-label") == "c3, empty, may be played, flips 1"


SOUNDS = """() => {
  window.heard = [];
  const start = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (at) {
    heard.push(this.buffer.duration);
    return start.call(this, at);
  };
}"""


def test_moves_have_sounds_unless_disabled(visitors: Visitors, touching: Touching) -> None:
    table = visitors.table("tictactoe")
    page = touching(table, 1)
    page.evaluate(SOUNDS)
    table.command(type="move", move="5")
    wait_for(page, "Your turn")
    assert page.evaluate("heard") == []  # before the first touch
    page.tap(CELL.format(0))
    page.wait_for_selector(f"{CELL.format(0)} .mark")
    page.wait_for_function("() => heard.length === 1")
    table.state = table.look()
    table.command(type="move", move="3")
    page.wait_for_function("() => heard.length === 2")
    assert page.evaluate("heard.every(length => Math.abs(length - 0.06) < 0.001)")
    page.tap("details[data-key=device] summary")
    page.locator("[data-key=web-sounds]").tap()
    page.tap(CELL.format(1))
    page.wait_for_selector(f"{CELL.format(1)} .mark")
    assert page.evaluate("heard.length") == 2


def test_replay_shows_annotations(visitors: Visitors) -> None:
    table = visitors.table("vanishing", "5 1 3 7 4 6")
    table.command(type="resign")
    page = visitors.visit(f"/g/{table.state['game_id']}?ply=6")
    page.wait_for_selector(".board .leaving")
    assert page.locator(".board .leaving").count() == 2
    assert page.get_attribute(CELL.format(4), "aria-label") == "b2, X, disappears when X moves next"
    key = say(page, "#margin .key")
    assert "disappears when X moves next" in key
    assert "disappears when O moves next" in key
    page.goto(f"{visitors.address}/g/{table.state['game_id']}?ply=2")
    wait_for(page, "the last move", "#margin .key")
    assert page.locator(".leaving").count() == 0


def test_bar_does_not_cover_board_in_landscape(touching: Touching, visitors: Visitors) -> None:
    page = touching(visitors.table("connect4"), width=844, height=390)
    board = "document.querySelector('.board').getBoundingClientRect()"
    bar = "document.getElementById('bar').getBoundingClientRect()"
    assert page.evaluate(f"{board}.bottom <= {bar}.top")
    page.evaluate("document.querySelector('.board').scrollIntoView({ block: 'center' })")
    assert page.evaluate(f"{board}.top >= 0 && {board}.bottom <= innerHeight")


# Without other players


def test_tap_aims_in_analysis_and_puzzles(visitors: Visitors, touching: Touching) -> None:
    page = touching(visitors.table("tictactoe"))
    page.goto(f"{visitors.address}/analysis?game=60x60:5")
    page.tap(CELL.format(60 * 30 + 30))
    page.wait_for_selector(".loupe svg")
    assert say(page, "#status p") == EN("web-aim-about")
    page.tap("[data-key=web-aim-right]")
    page.tap("[data-key=web-aim-play]")
    wait_for(page, "O to move")
    assert page.url.endswith(f"moves={60 * 30 + 32}")
    assert page.locator(".loupe").is_hidden()
    page.tap(CELL.format(0))
    page.tap("[data-key=web-one-back]")
    wait_for(page, "X to move")
    assert page.locator("[data-key=web-aim-play]").count() == 0
    puzzle = next(one for one in puzzles_of("gomoku"))
    page.goto(f"{visitors.address}/puzzle/{puzzle.id}")
    (first, *_), game = puzzle.moves(), puzzle.start()
    page.tap(CELL.format(index_of(game.shape, first)))
    assert say(page, "#status p") == EN("web-aim-about")
    page.keyboard.press("Escape")
    assert page.locator("[data-key=web-hint]").count() == 1
    page.tap(CELL.format(index_of(game.shape, first)))
    page.tap("[data-key=web-aim-play]")
    page.wait_for_selector(".dots i.d")
