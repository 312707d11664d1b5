"""The 3D view of boards with three and more dimensions."""

from importlib.resources import files
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest

from noughts.games.catalogue import new_game
from tests.interfaces.web.test_browser_drawing import told
from tests.interfaces.web.visiting import PHONE, Visitors, wait_for
from tests.weekly import weekly

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

ANGLES = [{"yaw": yaw, "pitch": pitch} for yaw in (0, 37, 152, 290) for pitch in (-80, -20, 0, 20, 65)]


def sit_down(visitors: Visitors, game: str, moves: str = "", size: tuple[int, int] = (1280, 860)) -> "Page":
    """Return a page on which both sides of *game* can be played, after *moves*."""
    table = visitors.table(game, moves)
    page = visitors.visit("/healthz", size=size)
    visitors.seat_all(page, table)
    page.goto(f"{visitors.address}/r/{table.room}")
    page.wait_for_selector("[role=gridcell]")
    return page


def focused(page: "Page", attribute: str = "data-index") -> Any:
    return page.evaluate("name => document.activeElement?.getAttribute(name)", attribute)


def sight(page: "Page") -> Any:
    """Return the present angle, as the place of the first cell shows it."""
    return page.get_attribute(".looks > g", "transform")


def middle(page: "Page", cell: int) -> tuple[float, float]:
    box = page.locator(f'[role=gridcell][data-index="{cell}"]').bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_3d_board_by_keyboard(visitors: Visitors) -> None:
    page = sit_down(visitors, "qubic", "1 2")
    page.focus("[data-key=in-space]")
    page.keyboard.press("Enter")
    page.wait_for_selector(".turned")
    assert focused(page, "data-key") == "in-space"
    page.reload()
    page.wait_for_selector(".turned")
    assert page.locator("#board [tabindex='0']").count() == 1
    page.focus("#board [tabindex='0']")
    assert focused(page, "aria-label") == "1b4, O, last move"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("PageDown")
    assert focused(page) == "21"
    before = sight(page)
    for key in ("Shift+ArrowLeft", "Shift+ArrowUp"):
        page.keyboard.press(key)
        assert sight(page) != before
        assert focused(page) == "21"
    page.keyboard.press("Enter")
    page.wait_for_selector(".looks .x.mark >> nth=1")
    assert focused(page, "aria-label") == "2b3, X, last move"
    for way, back in (("left", "right"), ("up", "down")):
        before = sight(page)
        page.click(f"[data-key=web-turn-{way}]")
        assert sight(page) != before
        page.click(f"[data-key=web-turn-{back}]")
        assert sight(page) == before
    page.click("[data-key=in-space]")
    page.wait_for_selector(".turned", state="detached")
    assert page.locator("[data-key=web-turn-left]").is_hidden()
    page.wait_for_selector('[data-index="21"] .mark')


def test_pointer_turns_or_plays(visitors: Visitors) -> None:
    page = sit_down(visitors, "qubic", "1 2")
    page.click("[data-key=in-space]")
    before = sight(page)
    x, y = middle(page, 37)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 20, steps=3)
    page.mouse.up()
    assert sight(page) != before
    assert page.locator(".looks .mark").count() == 2
    x, y = middle(page, 37)
    page.mouse.move(x + 3, y - 3)
    page.wait_for_selector('.near[data-index="37"]')
    page.mouse.click(x + 3, y - 3)
    page.wait_for_selector(".looks .mark >> nth=2")
    assert page.get_attribute('[data-index="37"]', "aria-label") == "3b3, X, last move"


def test_both_views_show_lines(visitors: Visitors) -> None:
    page = sit_down(visitors, "qubic", "1 2 22 5 43 13")
    page.click("[data-key=web-lines]")
    seen = []
    for _ in range(2):
        page.mouse.move(*middle(page, 63))
        page.wait_for_selector(".aim", state="attached")
        beads = page.evaluate(
            "() => [...document.querySelectorAll('.board .bead')].map(bead => bead.getAttribute('r'))"
        )
        seen.append((beads.count("11"), beads.count("6")))
        page.click("[data-key=in-space]")
    assert seen == [(15, 2)] * 2, (
        "five open lines with three more empty cells, one with none, and a closed one"
    )
    page.click("[data-key=in-space]")
    page.mouse.click(*middle(page, 63))
    wait_for(page, "Ada wins")
    assert page.locator(".turned .strike").count() == 1
    assert page.locator(".turned .wash").count() == 4


@pytest.fixture(params=["qubic", "2x3x4x2x2:2", "score4", weekly("4d"), weekly("8x8x8:8")])
def seen(request: pytest.FixtureRequest, visitors: Visitors) -> Any:
    """Return the places, sizes and drawing order of cells at several angles."""
    page = visitors.visit("/nothing-here")
    game = new_game(request.param)
    found = page.evaluate(
        """async ([game, angles]) => {
          const { View3D } = await import("/static/view_3d.js");
          const space = new View3D(game, game.shape.at(-4) ?? 1, angles[0]);
          return [space.width, space.height, angles.map(angle => {
            space.turn(angle);
            const cells = space.seen.map((_, index) => index);
            return {
              centres: cells.map(index => space.centre(index)),
              sizes: space.seen.map(seen => seen.f),
              firm: cells.map(index => Number(space.firmness(index))),
              nearest: cells.map(index => space.nearest(space.centre(index))),
              order: space.order(),
            };
          })];
        }""",
        [told(game), ANGLES],
    )
    return game, found


def test_3d_cells_stay_in_picture(seen: Any) -> None:
    game, (width, height, sights) = seen
    columns = game.layout.columns
    for sight in sights:
        centres, sizes = sight["centres"], sight["sizes"]
        assert all(0 < x < width and 0 < y < height for x, y in centres)
        for start in range(0, len(centres), columns):
            (ax, ay), (bx, by) = centres[start], centres[start + columns - 1]
            for x, y in centres[start : start + columns]:
                assert abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) < 1e-6 * width * height
        assert sorted(sight["order"]) == list(range(len(centres)))
        cube = len(centres) // max(1, _cubes(game))
        drawn = [index for index in sight["order"] if index < cube]
        assert drawn.index(sizes.index(min(sizes[:cube]))) < drawn.index(sizes.index(max(sizes[:cube])))
        assert min(sight["firm"]) >= 0.8
        for index, nearest in enumerate(sight["nearest"]):
            assert centres[nearest] == pytest.approx(centres[index], abs=1e-6)


def _cubes(game: Any) -> int:
    product = 1
    for side in game.shape[:-3]:
        product *= side
    return product


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_distant_marks_keep_contrast(visitors: Visitors, dark: bool) -> None:
    page = visitors.visit("/nothing-here", dark=dark)
    colours = page.evaluate(
        """() => {
          const style = getComputedStyle(document.documentElement);
          const names = ["paper", "shade", "x", "x-wash", "o", "o-wash", "z", "z-wash", "ink-2"];
          return Object.fromEntries(names.map(name => [name, style.getPropertyValue(`--${name}`).trim()]));
        }"""
    )
    for ink, ground in combinations(colours, 2):
        pair = {ink, ground}
        if pair & {"x", "o", "z", "ink-2"} and pair & {"paper", "shade", f"{ink}-wash", f"{ground}-wash"}:
            mark, under = (ink, ground) if ink in ("x", "o", "z", "ink-2") else (ground, ink)
            assert _contrast(colours[mark], colours[under], 0.8) >= 3, (mark, under)


def _contrast(ink: str, ground: str, firmness: float) -> float:
    """Return the WCAG 2 contrast of a translucent ink."""

    def light(parts: list[float]) -> float:
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    over, under = ([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)] for colour in (ink, ground))
    mixed = [firmness * one + (1 - firmness) * two for one, two in zip(over, under, strict=True)]
    low, high = sorted((light(mixed), light(under)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", [weekly("3d"), "4d", weekly("score4")])
def test_3d_board_fits_phone(visitors: Visitors, name: str) -> None:
    pytest.importorskip("axe_playwright_python", reason="axe is not installed")
    page = sit_down(visitors, name, "1 2 5", PHONE)
    page.click("[data-key=in-space]")
    page.wait_for_selector(".turned")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    assert page.evaluate("document.getAnimations().length") == 0
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    assert [one["id"] for one in page.evaluate("axe.run()")["violations"]] == []


def test_only_boards_with_planes_have_3d_view(visitors: Visitors) -> None:
    page = sit_down(visitors, "connect4")
    page.evaluate("localStorage.setItem('noughts-in-space', 'yes')")
    page.reload()
    page.wait_for_selector("[role=gridcell]")
    assert page.locator("[data-key=in-space]").is_hidden()
    assert page.locator(".turned").count() == 0
