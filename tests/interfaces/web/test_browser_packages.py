"""A game of an external package on the pages: it is listed, started and played."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.interfaces.web.conftest import serving
from tests.interfaces.web.visiting import Visitors, say

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow


@pytest.mark.usefixtures("quixo")
def test_external_game_can_be_played(chromium: "Browser", tmp_path: Path) -> None:
    with serving(tmp_path) as address:
        visitors = Visitors(chromium, address)
        page = visitors.visit("/")
        shelf = "label.pick:has(input[value=quixo])"
        assert "push cubes" in say(page, shelf)
        assert page.locator(f"{shelf} svg use").count() > 4
        page.click(shelf)
        assert say(page, "#title") == "Quixo"
        page.click("[data-key=with-computer]")
        page.wait_for_url("**/r/*")
        page.click("[role=gridcell][data-index='0']")
        page.click("[role=gridcell][data-index='4']")
        page.wait_for_selector("#margin .moves :text('a5\u2011e5')")
        page.wait_for_selector("[role=gridcell] .mark >> nth=1")  # the computer's move
        visitors.leave()
