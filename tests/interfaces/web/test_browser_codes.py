"""Accessible names of cells contain each drawn annotation, for players and spectators."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from noughts.interfaces.presenting.i18n import LANGUAGES, Translator
from tests.interfaces.harness import SAY
from tests.interfaces.web.visiting import Visitors, wait_for
from tests.weekly import weekly

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

Said = Callable[[Translator], str]
"""The labels of a cell in a language."""


def one(name: str, **data: Any) -> Said:
    return lambda say: say(name, **data)


def some(name: str, count: int, **data: Any) -> Said:
    return lambda say: say.plural(name, count, **data)


def barred(reason: str) -> Said:
    return lambda say: say("web-code-no", side="X", reason=say(f"why-forbidden-{reason}"))


def marked(cell: str, mark: str, kind: str = "mark") -> Said:
    return one(f"web-cell-{kind}", cell=cell, mark=mark)


FORBIDDING = "/".join(
    [
        *["." * 15] * 4,
        "......XOOO.....",
        ".....OX......O.",
        ".......XX...X..",
        "...X.O.OOO.X...",
        "...XO.....X....",
        ".....OXXX......",
        "...XO.....O....",
        "..OX...........",
        "...X...........",
        "...O...........",
        "." * 15,
    ]
)
"""A cell for each reason with which renju forbids it."""

DECIDED = (
    "13 47 59 24 79 73 56 23 77 58 19 66 35 22 57 7 2 20 78 "
    "70 37 38 31 3 16 46 55 11 49 18 43 28 21 61 12 34 1 10"
)
"""Moves of ultimate tic-tac-toe after which fields are won and drawn, and one field is forced."""

PLAYED: list[tuple[str, str, dict[str, Said]]] = [
    ("reversi", "d3", {"c3": some("web-code-turns", 1), "d3": marked("d3", "X", "last")}),
    (
        "vanishing",
        "5 1 3 7 4 6",
        {"b2": one("web-code-leaves", side="X"), "a3": one("web-code-leaves", side="O")},
    ),
    ("renju", "", {"g9": barred("33"), "j6": barred("44"), "d6": barred("6")}),
    (
        "ultimate",
        DECIDED,
        {
            "b9": one("web-code-drawn"),
            "e9": one("web-code-won", side="O"),
            "a3": one("web-code-won", side="X"),
            "b6": one("web-code-may"),
            "a8": marked("a8", "O", "last"),
        },
    ),
    (
        "qubic",
        "1a1 2a2 2b2 3c1 3c3 4b4 4d4",
        {"1a1": marked("1a1", "X", "won"), "4d4": marked("4d4", "X", "last-won")},
    ),
]
"""Games, moves, and the labels of some cells."""

SOME_WEEKLY = [weekly(*played) if played[0] in ("vanishing", "qubic") else played for played in PLAYED]


SIGNS = {
    "reversi": "Rings show where O may move",
    "vanishing": "A dashed mark disappears",
    "renju": "X may not play on the crossed squares.",
    "ultimate": "Play in the dashed field.",
}
"""The sentences about the signs on the board for the player to move."""


def names_of(page: "Page") -> list[str]:
    """Return the accessible names of the cells of the board."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    return [node["name"]["value"] for node in nodes if node.get("role", {}).get("value") == "gridcell"]


def in_language(page: "Page", tag: str) -> None:
    """Choose a language in the menu and wait for the board."""
    before = page.get_attribute("[role=grid]", "aria-label")
    page.evaluate("tag => document.querySelector(`#languages a[hreflang=${tag}]`).click()", tag)
    page.wait_for_function(
        "before => document.querySelector('[role=grid]')?.ariaLabel !== before", arg=before
    )


def missing(page: "Page", cells: dict[str, Said], say: Translator) -> list[str]:
    """Return the expected texts that the label of a cell lacks."""
    names, found = names_of(page), []
    for cell, said in cells.items():
        name = next(
            (name for name in names if name.startswith(say("web-cell-empty", cell=cell)[: len(cell) + 1])), ""
        )
        if said(say) not in name:
            found.append(f"{said(say)} in {name}")
    return found


@pytest.mark.parametrize(("game", "moves", "cells"), SOME_WEEKLY, ids=[game for game, _, _ in PLAYED])
def test_cell_labels_have_annotations(
    visitors: Visitors, game: str, moves: str, cells: dict[str, Said]
) -> None:
    begun = {"position": FORBIDDING} if game == "renju" else {}
    table = visitors.table(game, moves, ("Ada", "Wei"), **begun)
    page = visitors.begin()
    for place in (0, 1, None):
        page.context.clear_cookies()
        if place is not None:
            visitors.seat(page, table.room, table.tokens[place])
        page.goto(f"{visitors.address}/r/{table.room}")
        page.wait_for_selector("[role=gridcell]")
        assert missing(page, cells, SAY["en"]) == [], place
        if place == table.place_to_move and game in SIGNS:
            assert SIGNS[game] in page.inner_text("#status p")
    for language in ("ru", "zh-Hans", "zh-Hant"):
        in_language(page, language)
        assert missing(page, cells, SAY[language]) == [], language


def test_column_label_names_landing_cell(visitors: Visitors) -> None:
    for game, moves, cell, said in (
        ("connect4", "4 3", "5.6", one("web-code-falls", column=5, row=1)),
        ("score4", "6", "6.1", one("web-code-falls-layer", column=6, layer=3)),
    ):
        table = visitors.table(game, moves)
        page = visitors.begin()
        visitors.seat(page, table.room, table.tokens[len(moves.split()) % 2])
        page.goto(f"{visitors.address}/r/{table.room}")
        page.wait_for_selector("[role=gridcell]")
        assert missing(page, {cell: said}, SAY["en"]) == []
    page.context.clear_cookies()
    page.reload()  # spectators read the column numbers too
    page.wait_for_selector("[role=gridcell]")
    assert page.locator("[role=gridcell] .coord").all_text_contents() == [
        str(number) for number in range(1, 17)
    ]


VALUED = {
    "b3": one("web-code-draw"),
    "b2": some("web-code-wins", 2, side="X"),
    "c1": some("web-code-loses", 2, side="X"),
}


def test_cell_labels_have_values_and_lines(visitors: Visitors) -> None:
    page = visitors.visit("/analysis?game=tictactoe&moves=7,8,1,4")
    page.click("[data-key=web-values]")
    page.wait_for_selector(".val")
    for language in ("en", *(tag for tag in LANGUAGES if tag != "en")):
        if language != "en":
            in_language(page, language)
            page.wait_for_selector(".val")
        assert missing(page, VALUED, SAY[language]) == [], language
    page.click("[data-key=web-lines]")
    page.focus("[role=gridcell][tabindex='0']")  # a2
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".through", state="attached")
    assert missing(page, {"b2": some("web-code-line", 2)}, SAY[language]) == []


def test_cell_label_names_better_move(visitors: Visitors) -> None:
    game = visitors.table("tictactoe", "1 2 4 3 5 7 9").state["game_id"]
    page = visitors.visit(f"/g/{game}?review")
    wait_for(page, "Move 2: b3")
    assert missing(page, {"b2": one("web-code-better")}, SAY["en"]) == []
    assert "better move" in page.inner_text("#margin .key")
