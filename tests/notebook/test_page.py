"""Tests of the script of the board in a plain page, with a real board behind it."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import noughts.notebook
from noughts.notebook import Board

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow


STATIC = Path(noughts.notebook.__file__).parent
TRAITS = ("svg", "places", "names", "moves", "may", "status", "words", "values", "is_busy")

MODEL = """
async (code) => {
  const hearers = new Map();
  window.model = {
    traits: {},
    get: (name) => model.traits[name],
    set: (name, value) => { model.traits[name] = value; },
    save_changes: () => told({ values: model.traits.values }),
    send: (content) => told(content),
    on: (event, hear) => hearers.set(event, [...(hearers.get(event) ?? []), hear]),
    off: (event) => hearers.delete(event),
    take: (traits) => {
      Object.assign(model.traits, traits);
      for (const name of Object.keys(traits)) for (const hear of hearers.get(`change:${name}`) ?? []) hear();
    },
    hearers,
  };
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  window.widget = (await import(url)).default;
}
"""


class Shown:
    """A board, and a page that shows it."""

    def __init__(self, page: "Page", board: Board) -> None:
        self.page, self.board = page, board
        self.heard: list[dict[str, Any]] = []
        page.evaluate("traits => { model.traits = traits }", self.traits())
        page.evaluate("() => document.body.replaceChildren()")
        page.evaluate("() => { window.end = widget.render({ model, el: document.body }) }")

    def traits(self) -> dict[str, Any]:
        return {name: getattr(self.board, name) for name in TRAITS}

    def pass_on(self) -> None:
        """Send the messages of the page to the board, and its changes to the page."""
        messages = self.page.evaluate("() => window.said.splice(0)")
        for content in messages:
            if "values" in content:
                self.board.values = content["values"]
            else:
                self.board._handle_custom_msg(content, [])
        self.heard += messages
        self.page.evaluate("traits => model.take(traits)", self.traits())

    def cell(self, index: int) -> Any:
        return self.page.locator(f'[data-cell="{index}"]')

    def focused(self) -> str | None:
        cell: str | None = self.page.evaluate("() => document.activeElement.dataset.cell ?? null")
        return cell


@pytest.fixture(scope="module")
def page(chromium: "Browser") -> Iterator["Page"]:
    page = chromium.new_page()
    page.add_style_tag(path=STATIC / "board.css")
    page.evaluate("() => { window.said = []; window.told = (content) => window.said.push(content) }")
    page.evaluate(MODEL, (STATIC / "board.js").read_text(encoding="utf-8"))
    yield page
    page.close()


def test_clicks_play_and_buttons_undo(page: "Page") -> None:
    shown = Shown(page, Board("tictactoe", lang="en"))
    shown.cell(4).click()
    shown.pass_on()
    assert shown.board.game.moves == ((1, 1),)
    assert page.get_by_role("status").inner_text() == "O is to move"
    assert shown.cell(4).get_attribute("aria-label") == "b2 X"
    assert shown.cell(4).get_attribute("aria-disabled") == "true"
    shown.cell(4).click(force=True)
    assert page.evaluate("() => window.said.length") == 0
    page.get_by_role("button", name="Take back").click()
    shown.pass_on()
    assert shown.board.game.ply == 0
    page.get_by_role("button", name="values").click()
    shown.pass_on()
    assert shown.board.values
    assert page.get_by_role("button", name="values").get_attribute("aria-pressed") == "true"


def test_buttons_cover_the_cells(page: "Page") -> None:
    """A drawn mark is within the button of its cell."""
    shown = Shown(page, Board("connect4", lang="en"))
    shown.cell(3).click()
    shown.pass_on()
    assert shown.board.game.moves == ((5, 3),)
    box, mark = shown.cell(38).bounding_box(), page.locator("svg path[transform]").first.bounding_box()
    assert box is not None
    assert mark is not None
    assert box["x"] < mark["x"] + mark["width"] / 2 < box["x"] + box["width"]
    assert box["y"] < mark["y"] + mark["height"] / 2 < box["y"] + box["height"]


def test_arrows_move_and_enter_plays(page: "Page") -> None:
    shown = Shown(page, Board("tictactoe", lang="en"))
    shown.cell(0).focus()
    for key, cell in (
        ("Right", "1"),
        ("Down", "4"),
        ("Left", "3"),
        ("Left", "3"),
        ("Up", "0"),
        ("Down", "3"),
    ):
        page.keyboard.press(f"Arrow{key}")
        assert shown.focused() == cell
    page.keyboard.press("Enter")
    shown.pass_on()
    assert shown.board.game.moves == ((1, 0),)
    assert shown.focused() == "3"
    assert page.locator('.noughts-board [tabindex="0"]').count() == 1


def test_cell_with_several_moves_offers_them(page: "Page") -> None:
    shown = Shown(page, Board("wild", lang="en"))
    shown.cell(4).click()
    assert page.evaluate("() => document.activeElement.textContent") == "X5"
    page.get_by_role("button", name="O5").click()
    shown.pass_on()
    assert shown.board.game.cells[4] == "O"
    assert page.get_by_role("button", name="O5").count() == 0


def test_clicks_wait_for_the_opponent(page: "Page") -> None:
    shown = Shown(page, Board("tictactoe", lang="en"))
    page.evaluate("() => model.take({ is_busy: true })")
    shown.cell(0).click()
    page.get_by_role("button", name="new game").click()
    assert page.evaluate("() => window.said.length") == 0


def test_legal_cells_are_marked(page: "Page") -> None:
    shown = Shown(page, Board("reversi", lang="en"))
    assert page.locator(".noughts-legal").count() == len(shown.board.moves) == 4
    page.locator(".noughts-legal").first.click()
    shown.pass_on()
    assert shown.board.game.ply == 1
    assert page.locator(".noughts-legal").count() == len(shown.board.moves)
    Shown(page, Board("tictactoe", lang="en"))
    assert page.locator(".noughts-legal").count() == 0


def test_closed_widget_ignores_messages(page: "Page") -> None:
    Shown(page, Board("tictactoe", lang="en"))
    page.evaluate("() => window.end()")
    assert page.evaluate("() => model.hearers.size") == 0
