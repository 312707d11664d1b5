"""Moves of several parts, forbidden points and lit lines on the page."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.interfaces.harness import EN
from tests.interfaces.web.conftest import serving
from tests.interfaces.web.overlaps import SETTLED, overlaps
from tests.interfaces.web.visiting import PHONE, Table, Visitors, begin, play, say, wait_for
from tests.weekly import weekly

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

PROGRAM = (
    "from tests.games.pairs import announce; announce(); from noughts.interfaces.cli import main; main()"
)
BLACK_AND_WHITE = "h8 a1 h9 a3 g7 a5 f7 a7"
"""After these moves, h7 is forbidden to Black: it makes two open threes."""

AIMED = ".over .pencil.dashed"
"""The ring around the first entered cell of a move."""


@pytest.fixture(scope="module")
def pairs_address(chromium: "Browser", tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a server with a game whose moves have three parts."""
    with serving(tmp_path_factory.mktemp("pairs"), ("-c", PROGRAM)) as data:
        yield data


@pytest.fixture
def table(chromium: "Browser", pairs_address: str) -> Iterator[Table]:
    visiting = Visitors(chromium, pairs_address)
    yield visiting.table("pairs")
    visiting.leave()


def here(table: Table) -> "Page":
    """Return the page of *table* on a device that all players share."""
    page = table.visitors.visit(f"/r/{table.room}")
    table.visitors.seat_all(page, table)
    page.reload()
    page.wait_for_selector("[role=gridcell]")
    return page


def cell(index: int) -> str:
    return f'[role=gridcell][data-index="{index}"]'


def test_move_is_entered_cell_by_cell(table: Table) -> None:
    page = here(table)
    page.click(cell(4))
    wait_for(page, EN("point-next", said="b2"), "#bar")
    assert (page.locator(AIMED).count(), page.locator(".over .next").count()) == (1, 4)
    page.click(cell(1))
    wait_for(page, EN("choose-next", said="b2 b3"), "#bar")
    page.click("[data-key=pick-yours]")
    page.wait_for_selector(f"{cell(1)} .mark")
    assert table.look()["cells"] == [None, "O", None, None, "X", None, None, None, None]
    assert page.locator(".board .here").count() == 2
    assert page.locator(AIMED).count() == 0
    assert "b2\u2011b3\u2011yours" in say(page, "#margin .moves")  # on one line


def test_new_mark_settles_in_cell_centre(visitors: Visitors) -> None:
    table = visitors.table("connect4")
    page = visitors.visit(f"/r/{table.room}")
    page.emulate_media(reduced_motion="no-preference")
    session = page.context.new_cdp_session(page)
    session.send("Animation.enable")
    session.send("Animation.setPlaybackRate", {"playbackRate": 0})
    page.wait_for_selector("[role=gridcell]")
    table.command(type="move", move="6")
    page.wait_for_selector(".fresh .mark")
    assert page.evaluate("document.getAnimations().length") == 1
    assert page.evaluate(ASTRAY) < 2


ASTRAY = """() => {
  const found = [".fresh .mark", ".fresh .hit"].map(one => document.querySelector(one));
  const boxes = found.map(one => one.getBoundingClientRect());
  const [mark, cell] = boxes.map(box => [box.x + box.width / 2, box.y + box.height / 2]);
  return Math.hypot(mark[0] - cell[0], mark[1] - cell[1]);
}"""


def test_entered_part_can_be_taken_back(table: Table) -> None:
    page = here(table)
    page.click(cell(4))
    page.click(cell(5))
    page.keyboard.press("Escape")
    wait_for(page, EN("point-next", said="b2"), "#bar")
    page.click(cell(8), force=True)
    wait_for(page, EN("not-next", cell="c1", said="b2"), "#status")
    page.click(cell(4))
    page.wait_for_selector(AIMED, state="detached")
    page.click(cell(4))
    page.click("[data-key=web-cancel]")
    page.wait_for_selector(AIMED, state="detached")
    assert table.look()["ply"] == 0


def test_forbidden_point_shows_reason(visitors: Visitors) -> None:
    page = here(visitors.table("15x15:5,renju", BLACK_AND_WHITE))
    data = EN("cell-forbidden-33", cell="h7")
    assert page.locator(".board .forbidden").count() == 1
    assert page.text_content(".board .reason") == "3·3"
    label = page.get_attribute(cell(127), "aria-label")
    assert label == "h7, empty, not allowed for X: two open threes"
    assert "not allowed for X: two open threes" in say(page, ".key")
    page.hover(cell(127))
    wait_for(page, data, "#panel")
    page.click(cell(127), force=True)
    wait_for(page, data, "#status")
    play(page, 7)
    page.wait_for_selector(".forbidden", state="detached")


WIDTHS = """() => ["reason", "hit"].map(kind =>
  document.querySelector(`.cell:has(.forbidden) .${kind}`)?.getBoundingClientRect().width ?? null)"""
"""Returns the widths of a reason and its cell."""
PAPER = 2
"""Pixels of paper on both sides of a reason together."""


def test_reason_fits_cell_on_phone(visitors: Visitors) -> None:
    page = here(visitors.table("15x15:5,renju", BLACK_AND_WHITE))
    for width in (1440, 430, 390, 360):
        page.set_viewport_size({"width": width, "height": 844})
        page.evaluate(SETTLED)
        reason, cell = page.evaluate(WIDTHS)
        assert reason is None or reason + PAPER < cell, width
        assert reason or width == 360  # smaller letters would be unreadable


def test_lit_lines_come_from_server(visitors: Visitors) -> None:
    page = here(visitors.table("tictactoe", "5"))
    page.click("[data-key=web-lines]")
    page.hover(cell(0))
    page.wait_for_selector(".board .aim")
    wait_for(page, EN.plural("lines-through", 3, cell="a3", side="O", open=2), "#panel")
    assert page.locator(".board .bead").count() == 5


def test_game_without_lines_has_no_lines_button(visitors: Visitors) -> None:
    page = here(visitors.table("reversi"))
    assert page.locator("[data-key=web-lines]").count() == 0


def test_mark_count_has_no_other_number(visitors: Visitors) -> None:
    table = visitors.table("reversi")
    table.command(0, type="resign")
    page = visitors.visit(table.state["link"], size=PHONE)
    page.wait_for_selector(".player .count")
    assert page.locator(".player .right").all_inner_texts() == ["2", "2"]
    wait_for(page, "Games won: \u2068Ada\u2069 0, \u2068Wei\u2069 1.", "#margin")
    other = visitors.table("tictactoe", "1 4 2 5 3")
    page.goto(visitors.address + other.state["link"])
    page.get_by_role("img", name="1 game won").wait_for()


def test_long_names_keep_count_and_clock_visible(visitors: Visitors) -> None:
    table = visitors.table("reversi", "d3 c3 c4", names=("W" * 40, "囧" * 20), clock={"base": 3_600_000})
    page = visitors.visit(f"/r/{table.room}", size=PHONE)
    wait_for(page, "囧囧囧囧囧囧囧…")
    page.wait_for_selector(".clock:text('59:')")
    assert overlaps(page) == {}
    seen = "all => all.map(one => one.clientWidth >= 24 && getComputedStyle(one).textOverflow === 'ellipsis')"
    assert page.eval_on_selector_all(".seats .called", seen) == [True, True]


def test_right_to_left_name_keeps_direction(visitors: Visitors) -> None:
    table = visitors.table("tictactoe", names=("\u05e2" * 40, "W" * 40))
    page = visitors.visit(table.state["link"], size=PHONE)
    page.wait_for_selector(".player .called")
    # One script finds the names and reads them, since the panel may be rebuilt.
    data = "[...document.querySelectorAll('.player .called')].map(name => getComputedStyle(name).direction)"
    assert page.evaluate(data) == ["rtl", "ltr"]


def test_sentence_isolates_right_to_left_name(visitors: Visitors) -> None:
    name = "\u05e2\u05d3\u05d4"
    table = visitors.table("tictactoe", "1 4 2 5 3", names=(name, "Bob"))
    page = visitors.visit(f"/g/{table.state['game_id']}")
    wait_for(page, f"\u2068{name}\u2069 wins")


def test_computer_name_is_unbroken_on_phone(visitors: Visitors) -> None:
    page = visitors.visit(size=(390, 844))
    begin(page, "computer", level="level:3", name="Ada")
    page.wait_for_selector(".player .called >> nth=1")
    torn = """() => {
      const text = document.querySelectorAll(".player .called")[1].firstChild;
      const range = document.createRange();
      range.setStart(text, text.data.indexOf("("));
      range.setEnd(text, text.length);
      return range.getClientRects().length;
    }"""
    assert page.evaluate(torn) == 1
    page.click("[data-key=web-resign]")
    page.click("[data-key=web-resign-yes]")
    address = page.get_attribute("[data-key=web-replay]", "href") or ""
    page.goto(visitors.address + address)
    wait_for(page, "Computer (level 3, hobbyist) wins")


@pytest.mark.parametrize("game", ["gomoku", weekly("19x19:5"), "4d", weekly("torus"), weekly("ultimate")])
def test_board_and_actions_fit_desktop_window(visitors: Visitors, game: str) -> None:
    page = visitors.visit(f"/r/{visitors.table(game).room}", size=(1440, 900))
    page.wait_for_selector("[role=gridcell]")
    assert page.evaluate("document.getElementById('bar').getBoundingClientRect().bottom") <= 900


@pytest.mark.parametrize(("size", "is_phone"), [((1280, 800), False), ((375, 667), True)])
def test_falling_marks_land_in_the_window(
    visitors: Visitors, size: tuple[int, int], *, is_phone: bool
) -> None:
    table = visitors.table("connect4")
    page = visitors.begin("en", size, touch=is_phone)
    visitors.seat(page, table.room, table.tokens[0])
    page.goto(f"{visitors.address}/r/{table.room}")
    page.wait_for_selector("#bar button")
    floor, top, bottom = page.evaluate(
        """() => {
          const cells = [...document.querySelectorAll("[role=gridcell]")];
          const bar = document.getElementById("bar").getBoundingClientRect();
          return [Math.max(...cells.map((cell) => cell.getBoundingClientRect().bottom)), bar.top, bar.bottom];
        }"""
    )
    assert floor <= top
    assert bottom <= size[1]


def test_legend_names_joined_axes(visitors: Visitors) -> None:
    page = visitors.visit(f"/r/{visitors.table('3x3x3:3,wrap=xz').room}")
    page.wait_for_selector("[role=gridcell]")
    assert "↔⤢" in say(page, ".key")
    assert EN("web-key-beyond") in say(page, ".key")


def test_quarter_turns_are_drawn_and_named(chromium: "Browser", address: str) -> None:
    visiting = Visitors(chromium, address)
    table = visiting.table("pentago")
    page = here(table)
    page.click(cell(7))  # in the middle of its quarter
    page.wait_for_selector("[data-key=pick-1l]")
    assert page.locator(".over .faintly use.x").count() == page.locator(AIMED).count() == 1
    assert page.get_attribute(cell(7), "aria-label") == f"b5, empty, {EN('web-code-aim')}"
    turns = page.locator("#bar .turn")
    named = [button.get_attribute("aria-label") for button in turns.all()]
    assert named == [EN(f"turn-{quarter}{way}") for quarter in (1, 2, 3, 4) for way in ("l", "r")]
    drawn = turns.evaluate_all("all => all.map(one => one.querySelector('span').innerHTML)")
    assert len(set(drawn)) == len(drawn)
    page.set_viewport_size({"width": 390, "height": 844})
    boxes = [box for button in turns.all() if (box := button.bounding_box())]
    assert len({box["y"] for box in boxes}) == 1
    assert min(min(box["width"], box["height"]) for box in boxes) >= 44
    assert page.evaluate("(bar => bar.scrollHeight <= bar.clientHeight)(document.querySelector('#bar'))")
    page.get_by_role("button", name=EN("turn-1r")).click()
    page.wait_for_selector(f"{cell(7)} .mark")
    assert table.look()["cells"][7] == "X"
    visiting.leave()
