"""The drawings and counts of the page match those of the library."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from noughts.core.board import index_of
from noughts.drawing.steps import step
from noughts.drawing.strokes import LEARNED, VARIANTS, mark_path, variant_of
from noughts.drawing.svg import draw_svg
from noughts.drawing.svg_grid import space_of
from noughts.drawing.view import cells_of_owners, choosable_cells, field_owners, straight_parts
from noughts.games.base import Game
from noughts.games.catalogue import CATALOGUE, finished, new_game, sample
from noughts.games.layout import plane_label, star_points
from noughts.games.notation import play_moves
from noughts.interfaces.presenting.i18n import LANGUAGES
from noughts.interfaces.presenting.move_names import Names
from noughts.interfaces.web.boards import board_message
from noughts.interfaces.web.models import AnnotationsMessage, GameMessage
from tests.drawing.test_hexagons import hexagonal
from tests.interfaces.harness import SAY
from tests.interfaces.web.visiting import PHONE, Visitors

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

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
    """Return a page for all tests that only call its modules."""
    visitors = Visitors(chromium, address)
    yield visitors.visit("/nothing-here")
    visitors.leave()


def told(game: Game) -> dict[str, Any]:
    return {**GameMessage.of(game, SAY["en"]).model_dump(), "board": board_message(game).model_dump()}


def test_marks_match_library_strokes(page: "Page") -> None:
    drawn = page.evaluate(
        """async () => {
          const { markAt, variantOf } = await import("/static/board_drawing.js");
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
def test_cells_and_steps_match_library(page: "Page", name: str) -> None:
    game = hexagonal(4, 7, 3) if name == HEXAGONS else new_game(name)
    space, count = space_of(game.shape, game.layout), len(game.cells)
    found = page.evaluate(
        """async ([game, count, keys]) => {
          const { Space } = await import("/static/board_geometry.js");
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


def test_hexagons_match_library(page: "Page") -> None:
    game = hexagonal(5, 6, 4, "a1 b2 f5 c3")
    found = page.evaluate(
        """async game => {
          const { labelsOf, rulingOf } = await import("/static/board_drawing.js");
          const { Space } = await import("/static/board_geometry.js");
          const space = new Space(game);
          const at = (label, name) => Number(label.getAttribute(name));
          const told = label => [label.textContent, at(label, "x"), at(label, "y")];
          return {
            sides: rulingOf(space)[0].querySelector(".thin").getAttribute("d").split("M").slice(1),
            labels: labelsOf(space, 0.44).map(told),
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


@pytest.mark.parametrize("name", NAMES)
def test_cell_names_match_library(page: "Page", name: str) -> None:
    game = sample(name)
    names, cells = Names(game, letters=True), sorted(choosable_cells(game))
    called = page.evaluate(
        """async ([game, cells]) => {
          const { Space } = await import("/static/board_geometry.js");
          const space = new Space(game);
          return cells.map(cell => space.moveName(cell));
        }""",
        [told(game), [index_of(game.shape, cell) for cell in cells]],
    )
    assert called == [names.cell(cell) for cell in cells]


def test_lines_cross_joined_edges(page: "Page") -> None:
    game = new_game("torus")
    lines = [[3, 0, 1, 2], [2, 7, 8, 13], [0, 4, 8, 12]]
    runs = page.evaluate(
        """async ([game, lines]) => {
          const { Space } = await import("/static/board_geometry.js");
          const space = new Space(game);
          return lines.map(line => space.runs(line));
        }""",
        [told(game), lines],
    )
    assert runs == [straight_parts(game.shape, line) for line in lines]


def test_fields_match_annotations(page: "Page") -> None:
    game = sample("ultimate")
    owners = field_owners(game)
    drawn = page.evaluate(
        """async ([game, cells, annotations]) => {
          const { fieldsOf, pictureOf, washesOf } = await import("/static/board_drawing.js");
          const { annotationData, forcedField } = await import("/static/annotations.js");
          const { Space } = await import("/static/board_geometry.js");
          const [space, facts] = [new Space(game), { cells, turn: "X", annotations }];
          const count = (found, name) => found.filter(part => part.classList.contains(name)).length;
          const over = fieldsOf(space, facts);
          const won = [...annotationData(annotations.fields, "won")];
          const picture = pictureOf(game, facts);
          return [won, forcedField(annotations), count(over, "owner"), count(over, "frame"),
            count(washesOf(space, facts), "x-wash"), picture.querySelectorAll(".old").length];
        }""",
        [told(game), list(game.cells), AnnotationsMessage.of(game).model_dump()],
    )
    won = [[number, owner] for number, owner in enumerate(owners) if owner in game.sides]
    forced = next((n for n, codes in game.annotations().fields.items() if "field" in codes), None)
    old = sum(game.cells[cell] is not None for cell in cells_of_owners(game))
    assert forced is not None
    assert drawn == [won, forced, len(won), 1, 1, old]
    assert won


@pytest.mark.parametrize(
    ("annotations", "frames", "nobody"),
    [
        ({}, 0, 0),
        ({"fields": {"1": ["drawn"]}, "cells": {"5": ["may"]}}, 1, 1),
        ({"fields": {"1": ["won:X"]}, "cells": {"4": ["may"], "5": ["may"], "7": ["may"]}}, 2, 0),
        ({"fields": {"1": ["strange"]}, "cells": {"4": ["may"]}}, 0, 0),
    ],
)
def test_playable_fields_are_framed(page: "Page", annotations: Any, frames: int, nobody: int) -> None:
    found = page.evaluate(
        """async ([game, annotations]) => {
          const { fieldsOf } = await import("/static/board_drawing.js");
          const { Space } = await import("/static/board_geometry.js");
          const told = { cells: {}, fields: {}, sides: {}, lines: [], ...annotations };
          const over = fieldsOf(new Space(game), { cells: [], turn: "X", annotations: told });
          return ["frame", "nobody"].map(name => over.filter(part => part.classList.contains(name)).length);
        }""",
        [told(new_game("ultimate")), annotations],
    )
    assert found == [frames, nobody]


SHOW = """async ([game, shown]) => {
  const { Board } = await import("/static/board.js");
  const { begin } = await import("/static/i18n.js");
  await begin();
  const box = document.createElement("div");
  document.getElementById("sheet").replaceChildren(box);
  new Board(box, { choose: () => undefined }).show(game, shown);
  const count = kind => box.querySelectorAll(`.board .${kind}`).length;
  const kinds = ["may", "leaving", "forbidden", "owner", "nobody", "frame", "here"];
  const cells = [...box.querySelectorAll("[role=gridcell]")];
  const labels = cells.map(cell => [Number(cell.dataset.index), cell.getAttribute("aria-label")]);
  const found = Object.fromEntries(kinds.map(kind => [kind, count(kind)]));
  return { kinds: found, strikes: count("strike"), labels };
}"""
"""Shows a position on a separate board, and returns its drawing and labels."""


def at_random(name: str) -> Game:
    """Return the game called *name* after some random moves."""
    chance, game = Random(name), new_game(name)
    for _ in range(chance.randrange(5, 30)):
        if game.outcome is None:
            game.play(chance.choice(game.legal_moves()))
    return game


def said_of(game: Game, codes: list[str]) -> list[str]:
    """Return the label of a cell with *codes*, without those of legal moves."""
    say, found = SAY["en"], []
    for kind, _, data in (code.partition(":") for code in codes):
        if kind == "turns":
            found.append(say.plural("web-code-turns", int(data)))
        elif kind == "no":
            found.append(say("web-code-no", side=game.turn, reason=say(f"why-forbidden-{data}")))
        elif kind in ("leaves", "won", "drawn"):
            found.append(say(f"web-code-{kind}", side=data))
    return found


@pytest.mark.parametrize("make", [sample, at_random, finished])
def test_annotations_are_drawn_and_labelled(page: "Page", make: Callable[[str], Game]) -> None:
    for name in NAMES:
        game = make(name)
        annotations, layout = AnnotationsMessage.of(game).model_dump(), game.layout
        cells, fields = annotations["cells"], annotations["fields"]
        ended = game.outcome is not None
        last = [index_of(game.shape, cell) for cell in game.last_cells()]
        lines = [[int(number) - 1 for number in line] for line in annotations["lines"]]
        shown = {"cells": list(game.cells), "last": last, "lines": lines, "annotations": annotations}
        found = page.evaluate(SHOW, [told(game), {**shown, "turn": None if ended else game.turn}])
        codes = [code for held in (cells, fields) for told_codes in held.values() for code in told_codes]
        kinds = Counter(code.partition(":")[0] for code in codes)
        is_anywhere = kinds["may"] == game.cells.count(None) and not kinds["turns"]
        open_fields = {
            field_of(game, int(number) - 1) for number, told_codes in cells.items() if "may" in told_codes
        }
        frames = 1 if kinds["field"] else len(open_fields) if kinds["won"] + kinds["drawn"] else 0
        assert found["kinds"] == {
            "may": 0 if is_anywhere or any(layout.fields) else kinds["may"],
            "leaving": kinds["leaves"],
            "forbidden": kinds["no"],
            "owner": kinds["won"],
            "nobody": kinds["drawn"],
            "frame": frames if any(layout.fields) and kinds["may"] else 0,
            "here": len(last) + kinds["turned"],
        }, name
        assert bool(found["strikes"]) == bool(lines), name
        assert not layout.owned or found["strikes"] <= 1, name
        labels = dict(found["labels"])
        for number, told_codes in cells.items():
            assert all(note in labels[int(number) - 1] for note in said_of(game, told_codes)), name
        for index in labels if fields else ():
            told_codes = fields.get(str(field_of(game, index) + 1), [])
            assert all(note in labels[index] for note in said_of(game, told_codes)), name


def field_of(game: Game, index: int) -> int:
    """Return the number of the field of a cell, from 0."""
    down, across = game.layout.fields
    _, row, column = game.layout.place(index)
    return row // down * (game.layout.columns // across) + column // across if down else 0


SIZES = [("qubic", 800, 2), ("qubic", 880, 4), ("qubic", 320, 2), ("10x10x10:5", 390, 1), ("gomoku", 320, 1)]


@pytest.mark.parametrize(("name", "width", "beside"), SIZES)
def test_planes_are_adjacent_when_cells_fit(page: "Page", name: str, width: int, beside: int) -> None:
    found = page.evaluate(
        """async ([game, width]) => {
          const { sizeOf } = await import("/static/board_size.js");
          const { Space } = await import("/static/board_geometry.js");
          const size = sizeOf(game, 0, width, 600);
          const space = new Space(game, size.only, game.board.views[size.view]);
          const lefts = new Set(space.planes.map(plane => space.origin(plane)[0]));
          return [lefts.size, size.squares * 22, space.width / 100];
        }""",
        [told(new_game(name)), width],
    )
    assert found[0] == beside
    assert found[1] * found[2] + 40 <= width
    assert found[1] >= (18 if name == "gomoku" else 27)


@pytest.mark.parametrize(("width", "tabs"), [(1004, 0), (960, 3), (346, 3), (280, 3)])
def test_five_dimensions_have_at_most_three_tabs(page: "Page", width: int, tabs: int) -> None:
    game = new_game("3x3x3x3x3:3")
    found = page.evaluate(
        """async ([game, width]) => {
          const { sizeOf } = await import("/static/board_size.js");
          const size = sizeOf(game, 14, width, 600);
          return [size.only, game.board.views[size.view].origins.length];
        }""",
        [told(game), width],
    )
    assert found == ([9, 9] if tabs else [None, 27]) or (width == 280 and found == [14, 1])


def test_line_through_layers_has_strokes_and_dots(page: "Page") -> None:
    found = page.evaluate(
        """async game => {
          const { strikesOf } = await import("/static/board_drawing.js");
          const { Space } = await import("/static/board_geometry.js");
          const lines = [[12, 25, 38, 51], [0, 1, 2, 3]];
          const count = (space, line, name) =>
            strikesOf(space, [line]).filter(part => part.classList.contains(name)).length;
          const kinds = ["strike", "joint"];
          const counts = space => lines.map(line => kinds.map(name => count(space, line, name)));
          const views = [new Space(game), new Space(game, null, game.board.views[1]), new Space(game, 1)];
          return views.map(counts);
        }""",
        told(new_game("qubic")),
    )
    assert found == [[[4, 1], [1, 0]], [[4, 0], [1, 0]], [[1, 0], [0, 0]]]


@pytest.mark.parametrize(
    ("name", "moves", "marks"),
    [
        *[("torus", "1", 3), ("4x4:3,wrap=x", "1", 1), ("4x4", "1", 0), ("torus", "6", 0)],
        *[("7:3,wrap", "1", 1), ("5:3,gravity,wrap", "1", 1)],
    ],
)
def test_cells_beyond_joined_edges_are_shown(page: "Page", name: str, moves: str, marks: int) -> None:
    game = new_game(name)
    play_moves(game, moves.split())
    found = page.evaluate(
        """async ([game, cells]) => {
          const { beyondOf } = await import("/static/board_drawing.js");
          const { Space } = await import("/static/board_geometry.js");
          const parts = beyondOf(new Space(game), cells);
          return [parts.length, parts.flatMap(part => [...part.querySelectorAll("use")]).length];
        }""",
        [told(game), list(game.cells)],
    )
    assert found == [0 if name == "4x4" else 2, marks]


def test_move_on_largest_board_redraws_two_cells(visitors: Visitors) -> None:
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
          const { left, right } = group(at[1]).getBoundingClientRect();
          return {
            touched: [...new Set(touched.filter(index => index !== undefined))].map(Number),
            isSeen: left >= 0 && right <= innerWidth,
            focused: document.activeElement.dataset.index,
            stops: box.querySelectorAll(".board [tabindex='0']").length,
            wide: document.documentElement.scrollWidth,
          };
        }""",
        [told(new_game("100x100:5")), [5050, 9999]],
    )
    assert sorted(found.pop("touched")) == [5050, 9999]
    assert found == {"isSeen": True, "focused": "5050", "stops": 1, "wide": PHONE[0]}


def test_numbers_use_plural_forms(visitors: Visitors) -> None:
    counts = [0, 1, 2, 5, 11, 21, 22, 111]
    for language in LANGUAGES:
        said = visitors.visit("/nothing-here", language=language).evaluate(
            """async counts => {
              const { begin, say } = await import("/static/i18n.js");
              await begin();
              return counts.map(count => say("web-damaged", { count }));
            }""",
            counts,
        )
        assert said == [SAY[language].plural("web-damaged", count) for count in counts]
