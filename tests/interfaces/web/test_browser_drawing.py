"""What the page draws and counts by itself is what the library draws and counts."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from noughts.core.board import index_of
from noughts.drawing.pen import LEARNED, VARIANTS, mark_path, variant_of
from noughts.drawing.space import space_of, straight_parts
from noughts.drawing.steps import step
from noughts.drawing.svg import draw_svg
from noughts.drawing.view import choosable_cells, field_owners
from noughts.games.base import Game
from noughts.games.catalogue import CATALOGUE, new_game, sample
from noughts.games.layout import plane_label, star_points
from noughts.interfaces.presenting.naming import Names
from noughts.interfaces.web.boards import board_as_json
from noughts.interfaces.web.live.state import annotations_as_json, game_as_json
from tests.drawing.test_hexagons import hexagonal
from tests.interfaces.harness import SAY
from tests.interfaces.web.visiting import PHONE, Visitors

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = [entry.name for entry in CATALOGUE]
HEXAGONS = "hexagons"
KEYS = {
    "ArrowLeft": "left",
    "ArrowRight": "right",
    "ArrowUp": "up",
    "ArrowDown": "down",
    "PageDown": "next-plane",
    "PageUp": "previous-plane",
}


@pytest.fixture(scope="module")
def page(chromium: "Browser", address: str) -> Iterator["Page"]:
    """One page for all tests that only ask what its modules work out."""
    visitors = Visitors(chromium, address)
    yield visitors.visit("/nothing-here")
    visitors.leave()


def told(game: Game) -> dict[str, Any]:
    return {**game_as_json(game, SAY["en"]), "board": board_as_json(game)}


def test_marks_are_written_by_the_same_pen(page: "Page") -> None:
    drawn = page.evaluate(
        """async () => {
          const { markAt, variantOf } = await import("/static/drawing.js");
          const { PEN } = await import("/static/pen.js");
          const letter = markAt("Q", 0, [0, 0]).textContent;
          return [PEN, letter, Array.from({ length: 30 }, (_, index) => variantOf(index))];
        }"""
    )
    pen, letter, variants = drawn
    assert pen["marks"] == {
        mark: [mark_path(mark, variant) for variant in range(VARIANTS)] for mark in LEARNED
    }
    assert len(pen["five"]) == len(pen["zheng"]) == 5
    assert letter == "Q"
    assert variants == [variant_of(index) for index in range(30)]


@pytest.mark.parametrize("name", [*NAMES, "7:3", "2x3x4x2x2:2", "19x19:5", HEXAGONS])
def test_cells_stand_and_steps_lead_where_the_library_says(page: "Page", name: str) -> None:
    game = hexagonal(4, 7, 3) if name == HEXAGONS else new_game(name)
    space, count = space_of(game.shape, game.layout), len(game.cells)
    found = page.evaluate(
        """async ([game, count, keys]) => {
          const { Space } = await import("/static/space.js");
          const space = new Space(game);
          const cells = Array.from({ length: count }, (_, index) => index);
          return {
            size: [space.width, space.height],
            centres: cells.map(index => space.centre(index)),
            patches: cells.map(index => space.patch(index, 1)),
            labels: game.board.planes.map(plane => plane.label),
            stars: game.board.stars,
            steps: keys.map(key => cells.map(index => space.step(index, key))),
          };
        }""",
        [told(game), count, list(KEYS)],
    )
    assert found["size"] == [space.width, space.height]
    assert found["centres"] == [list(space.centre(index)) for index in range(count)]
    assert [re.findall(r"[\d.-]+", patch) for patch in found["patches"]] == [
        [f"{part:g}" for corner in space.outline(index) for part in corner] for index in range(count)
    ]
    assert found["labels"] == [plane_label(space.above, plane) for plane in range(game.layout.planes)]
    assert found["stars"] == sorted(game.layout.index(0, *place) for place in star_points(game.layout))
    assert found["steps"] == [
        [step(game.layout, game.shape, index, way) for index in range(count)] for way in KEYS.values()
    ]


def test_hexagons_are_drawn_where_the_library_draws_them(page: "Page") -> None:
    game = hexagonal(5, 6, 4, "a1 b2 f5 c3")
    found = page.evaluate(
        """async game => {
          const { labelsOf, rulingOf } = await import("/static/drawing.js");
          const { Space } = await import("/static/space.js");
          const space = new Space(game);
          const at = (label, name) => Number(label.getAttribute(name));
          const told = label => [label.textContent, at(label, "x"), at(label, "y")];
          return {
            sides: rulingOf(space)[0].querySelector(".thin").getAttribute("d").split("M").slice(1),
            labels: labelsOf(space, 0.44).map(told),
            below: labelsOf(space, 0.44, true).map(told),
            edge: space.edge,
          };
        }""",
        told(game),
    )
    (path,) = re.findall(r'<path d="M([^"]*)" fill="none" stroke="#76808f"', draw_svg(game))
    wanted = {frozenset(side.split("L")) for side in path.split("M")}
    assert {frozenset(side.split("L")) for side in found["sides"]} == wanted
    assert len(found["sides"]) == len(wanted)
    names, numbers = found["labels"][:6], found["labels"][6:]
    assert [name for name, _, _ in names] == [*"abcdef"]
    assert [number for number, _, _ in numbers] == [*"54321"]
    assert [round(two[1] - one[1]) for one, two in pairwise(numbers)] == [66] * 4
    assert [round(two[1] - one[1]) for one, two in pairwise(found["below"][6:])] == [0] * 4
    assert found["edge"] == "M0 0H792L1056 608h-792Z"


@pytest.mark.parametrize("name", NAMES)
def test_cells_are_called_as_the_library_calls_them(page: "Page", name: str) -> None:
    game = sample(name)
    names, cells = Names(game, letters=True), sorted(choosable_cells(game))
    called = page.evaluate(
        """async ([game, cells]) => {
          const { Space } = await import("/static/space.js");
          const space = new Space(game);
          return cells.map(cell => space.moveName(cell));
        }""",
        [told(game), [index_of(game.shape, cell) for cell in cells]],
    )
    assert called == [names.cell(cell) for cell in cells]


def test_lines_leave_the_board_and_come_back(page: "Page") -> None:
    game = new_game("torus")
    lines = [[3, 0, 1, 2], [2, 7, 8, 13], [0, 4, 8, 12]]
    runs = page.evaluate(
        """async ([game, lines]) => {
          const { Space } = await import("/static/space.js");
          const space = new Space(game);
          return lines.map(line => space.runs(line));
        }""",
        [told(game), lines],
    )
    assert runs == [straight_parts(game.shape, line) for line in lines]


def test_fields_are_drawn_as_the_server_tells_of_them(page: "Page") -> None:
    game = sample("ultimate")
    owners = field_owners(game)
    drawn = page.evaluate(
        """async ([game, cells, annotations]) => {
          const { washesOf } = await import("/static/drawing.js");
          const { forcedField, valuesOf } = await import("/static/position.js");
          const { Space } = await import("/static/space.js");
          const found = washesOf(new Space(game), { cells, annotations });
          const owners = found.filter(part => part.classList.contains("owner"));
          const shades = found.filter(part => part.classList.contains("shade"));
          const won = [...valuesOf(annotations.fields, "won")];
          return [won, forcedField(annotations), owners.length, shades.length];
        }""",
        [told(game), list(game.cells), annotations_as_json(game)],
    )
    won = [[number, owner] for number, owner in enumerate(owners) if owner in game.sides]
    forced = next((n for n, codes in game.annotations().fields.items() if "field" in codes), None)
    shades = owners.count("=") if forced is None else len(owners) - 1
    assert drawn == [won, forced, len(won), shades]
    assert won


def test_a_move_on_the_largest_board_changes_two_cells(visitors: Visitors) -> None:
    page = visitors.visit("/nothing-here", size=PHONE)
    found = page.evaluate(
        """async ([game, at]) => {
          const { Board } = await import("/static/board.js");
          const { begin } = await import("/static/i18n.js");
          await begin();
          const box = document.createElement("div");
          document.getElementById("sheet").replaceChildren(box);
          const board = new Board(box, { choose: () => undefined });
          const cells = new Array(10000).fill(null);
          const show = index => {
            cells[index] = "X";
            const open = new Set(cells.flatMap((mark, cell) => mark === null ? [cell] : []));
            board.show(game, { cells: [...cells], last: [index], lines: [], turn: "O", open });
          };
          show(at[0]);
          const group = index => box.querySelector(`[role=gridcell][data-index="${index}"]`);
          group(at[0]).focus();
          const watch = new MutationObserver(() => undefined);
          watch.observe(box.querySelector(".board"), { subtree: true, childList: true, attributes: true });
          show(at[1]);
          const touched = watch.takeRecords().map(one => one.target.closest("[data-index]")?.dataset.index);
          const scroller = box.querySelector(".scroll");
          const seen = index => {
            const [a, b] = [group(index), scroller].map(one => one.getBoundingClientRect());
            return a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;
          };
          const start = seen(at[1]);
          const picture = box.querySelector(".overview svg");
          const { left, top } = picture.getBoundingClientRect();
          const press = { buttons: 1, clientX: left + 1, clientY: top + 1 };
          picture.dispatchEvent(new PointerEvent("pointerdown", press));
          return {
            touched: [...new Set(touched.filter(index => index !== undefined))].map(Number),
            start,
            jumped: [seen(0), seen(at[1])],
            size: group(at[0]).getBoundingClientRect().width,
            focused: document.activeElement.dataset.index,
            stops: box.querySelectorAll(".board [tabindex='0']").length,
            wide: document.documentElement.scrollWidth,
          };
        }""",
        [told(new_game("100x100:5")), [5050, 9999]],
    )
    assert sorted(found.pop("touched")) == [5050, 9999]
    assert found == {
        "start": True,
        "jumped": [True, False],
        "size": 44,
        "focused": "5050",
        "stops": 1,
        "wide": PHONE[0],
    }


def test_two_fingers_enlarge_a_large_board(visitors: Visitors) -> None:
    table = visitors.table("19x19:5", "a1")
    context = visitors.browser.new_context(
        viewport={"width": PHONE[0], "height": PHONE[1]}, has_touch=True, is_mobile=True
    )
    visitors.contexts.append(context)
    page = context.new_page()
    page.goto(f"{visitors.address}/r/{table.room}")
    page.wait_for_selector(".scroll")
    session = context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[int, int]) -> None:
        told = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": told})

    touch("touchStart", (150, 400), (170, 400))
    for apart in range(0, 75, 5):
        touch("touchMove", (150 - apart, 400), (170 + apart, 400))
    touch("touchEnd")
    page.wait_for_function("() => visualViewport.scale > 1.2")
