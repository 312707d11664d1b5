"""Players in real browsers at a real server."""

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from tests.interfaces.harness import SAY
from tests.interfaces.web.visiting import PHONE, Visitors, begin, paint, play, say, wait_for
from tests.weekly import weekly

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.slow


def open_room(visitors: Visitors, name: str = "Ada", language: str = "en") -> "Page":
    """Return a page that waits for a friend at a board of 3x3."""
    page = visitors.visit(language=language)
    begin(page, name=name)
    page.wait_for_selector(".bigcode")
    return page


def take_seat(page: "Page", name: str) -> None:
    page.fill("#name", name)
    page.click("[data-key=sit]")
    page.wait_for_selector("[role=grid]")


def score(page: "Page") -> str:
    """Return the scores of the players in the order of seats."""
    return " ".join(page.locator(".player .num").all_inner_texts())


@pytest.mark.parametrize("language", [weekly("en"), "ru"])
def test_invitation_fits_phone_and_explains_link(visitors: Visitors, language: str, tmp_path: Path) -> None:
    page = visitors.visit(language=language, size=PHONE)
    begin(page, name="Ada")
    page.wait_for_selector(".bigcode")
    only_here = SAY[language]("web-only-here", command="noughts serve --lan")
    assert page.inner_text(".near") == only_here
    assert page.input_value("#link") == page.url
    page.wait_for_function("() => document.querySelector('.qr').naturalWidth > 0")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    boxes = page.evaluate(  # at once, since the panel may be rebuilt
        "all => all.map(one => document.querySelector(one).getBoundingClientRect().toJSON())",
        [".bigcode", "#link", ".near", ".qr"],
    )
    assert all(box["left"] >= 0 and box["right"] <= PHONE[0] for box in boxes)
    paint(page)
    assert len(page.screenshot(path=tmp_path / "invitation.png", full_page=True)) > 1000


def test_invitation_names_network_address(visitors: Visitors) -> None:
    network = "http://192.0.2.7:8000"
    page = visitors.begin(size=PHONE)

    def announce(route: "Route") -> None:
        answer = route.fetch()
        route.fulfill(
            response=answer, body=answer.text().replace("<html", f'<html data-network="{network}"', 1)
        )

    page.route(lambda url: "/api/" not in url and "/static/" not in url, announce)
    page.goto(visitors.address)
    begin(page, name="Ada")
    page.wait_for_selector(".bigcode")
    path = page.url.removeprefix(visitors.address)
    assert page.input_value("#link") == network + path
    assert page.locator(".near").count() == 0
    assert page.get_attribute(".qr", "src") == f"/qr.svg?link={quote(network + path, safe='')}"


def test_two_browsers_play_series_in_two_languages(visitors: Visitors) -> None:
    lev = open_room(visitors, "Лев", "ru")
    path = lev.url.removeprefix(visitors.address)
    lin = visitors.visit(path, "zh-Hant", PHONE, dark=True)
    wait_for(lin, "Лев 邀請你")
    take_seat(lin, "小林")
    wait_for(lev, "Ваш ход")
    assert "Ваш знак: X" in say(lev, "#status p")
    third = visitors.visit(path)
    wait_for(third, "You are watching.", "#status p")
    assert third.locator("#margin button").count() == 0

    # The first game ends with a row. The spectator sees each move.
    for page, cell in ((lev, 4), (lin, 0), (lev, 2), (lin, 1), (lev, 6)):
        wait_for(page, {lev: "Ваш ход", lin: "輪到你了"}[page])
        play(page, cell)
        third.wait_for_selector(f'[data-index="{cell}"] .mark')
    wait_for(lev, "Вы выиграли")
    wait_for(lin, "你輸了")
    wait_for(third, "Лев wins")
    assert third.locator(".strike").count() == 1
    assert score(lev) == score(lin) == score(third) == "1 0"

    # The second game has swapped sides and ends by resignation.
    lev.click("[data-key=web-rematch]")
    wait_for(lin, "想再來一局", ".players")
    lin.click("[data-key=web-rematch]")
    wait_for(lin, "輪到你了")
    assert "你執 X" in say(lin, "#status p")
    wait_for(lev, "Партия 2 в серии.", "#margin")
    assert lev.locator(".mark").count() == 0
    play(lin, 4)
    wait_for(lev, "Ваш ход")
    lev.click("[data-key=web-resign]")
    lev.click("[data-key=web-resign-no]")
    lev.click("[data-key=web-resign]")
    lev.click("[data-key=web-resign-yes]")
    wait_for(lin, "你贏了")
    assert score(lev) == score(lin) == "1 1"

    # The third game has swapped sides again and ends with an agreed draw.
    lin.click("[data-key=web-rematch]")
    wait_for(lev, "предлагает реванш", ".players")
    lev.click("[data-key=web-rematch]")
    wait_for(lev, "Ваш ход")
    assert "Ваш знак: X" in say(lev, "#status p")
    lev.click("[data-key=web-offer-draw]")
    lin.click("[data-key=web-accept]")
    wait_for(lev, "Ничья")
    wait_for(lin, "平局")
    wait_for(third, "Game 3 of the series.", "#margin")
    assert score(lev) == score(lin) == score(third) == "1 1"


def test_code_shows_terms_before_joining(visitors: Visitors) -> None:
    ada = visitors.visit()
    begin(ada, name="Ada", clock="3+2", opening="pie")
    ada.wait_for_selector(".bigcode")
    code = "".join(ada.inner_text(".bigcode").split())
    wei = visitors.visit("/", "zh-Hant")
    wei.wait_for_selector(".pick")
    wei.fill("#code", "ABC")
    wei.click("#join button")
    wait_for(wei, "六個字母", "#code-about")
    wei.fill("#code", code.lower())
    wei.click("#join button")
    wait_for(wei, "Ada 邀請你")
    terms = say(wei, "#status p")
    assert "3:00" in terms
    assert "pie" in terms
    assert ada.locator(".bigcode").count() == 1
    take_seat(wei, "小林")
    wait_for(ada, "小林", ".players")
    late = visitors.visit()
    late.wait_for_selector(".pick")
    late.fill("#code", code)
    late.click("#join button")
    late.wait_for_selector("#code[aria-invalid]")
    assert late.url.rstrip("/") == visitors.address


def test_player_can_share_private_game(visitors: Visitors) -> None:
    ada = open_room(visitors)
    wei = visitors.visit(ada.url.removeprefix(visitors.address))
    take_seat(wei, "Wei")
    play(ada, 4)
    wei.click("[data-key=web-resign]")
    wei.click("[data-key=web-resign-yes]")
    wait_for(ada, "Only people who have its link", ".publish")
    room = ada.url
    ada.goto(visitors.address + "/history")
    wait_for(ada, "Tic-tac-toe private", "tbody tr .main")
    ada.click("tbody tr .main a")
    wait_for(ada, "Only people who have its link", "#margin")
    path = ada.url.removeprefix(visitors.address).partition("?")[0]
    stranger = visitors.visit(path)
    wait_for(stranger, "Game not found")
    ada.goto(room)
    ada.click("[data-key=web-share-game]")
    wait_for(wei, SAY["en"]("web-public-game"), "#margin")
    stranger.reload()
    wait_for(stranger, "Ada wins")


def test_double_press_takes_one_seat(visitors: Visitors) -> None:
    ada = visitors.visit()
    ada.check("input[value=three]", force=True)
    begin(ada, name="Ada")
    ada.wait_for_selector(".bigcode")
    code = "".join(ada.inner_text(".bigcode").split())
    twice = "selector => { for (const _ of [1, 2]) document.querySelector(selector).click(); }"
    wei = visitors.visit(ada.url.removeprefix(visitors.address))
    wei.fill("#name", "Wei")
    wei.evaluate(twice, "[data-key=sit]")
    wait_for(ada, "Wei", ".players")
    early = visitors.visit(f"/?code={code}")  # the button was pressed before the scripts were loaded
    early.wait_for_url("**/r/*")
    lin = visitors.visit()
    lin.fill("#code", code)
    lin.evaluate(twice, "#join button")
    lin.wait_for_url("**/r/*")
    take_seat(lin, "Lin")
    assert ada.inner_text(".players").count("Wei") == 1
    for page in (wei, lin):
        page.wait_for_selector("[data-key=web-resign]")


def tab_to(page: "Page", selector: str) -> None:
    """Press Tab until the element of *selector* has the focus."""
    for _ in range(60):
        if page.evaluate("selector => document.activeElement?.matches(selector) ?? false", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {selector}")


def test_game_by_keyboard_alone(visitors: Visitors) -> None:
    page = visitors.visit()
    page.wait_for_selector(".pick")
    tab_to(page, "input[name=game]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    tab_to(page, "#options summary")
    page.keyboard.press("Enter")
    tab_to(page, "#name")
    page.keyboard.type("Ada")
    tab_to(page, "#name2")
    page.keyboard.type("Wei")
    page.focus("body")
    tab_to(page, "[data-key=with-here]")
    page.keyboard.press("Enter")
    page.wait_for_url("**/r/*")
    wait_for(page, "Ada is to move")
    tab_to(page, "[role=gridcell]")
    labels = []
    for keys in (
        "Enter",
        "ArrowLeft Enter",
        "ArrowUp Enter",
        "Home ArrowDown ArrowDown Space",
        "End ArrowUp ArrowUp Enter",
    ):
        for key in keys.split():
            page.keyboard.press(key)
        labels.append(page.evaluate("document.activeElement.getAttribute('data-index')"))
        page.wait_for_selector(f'[role=gridcell][data-index="{labels[-1]}"] .mark')
    assert labels == ["4", "3", "0", "6", "2"]
    assert page.get_attribute(":focus", "aria-label") == "c3, X, last move"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    page.wait_for_selector('[data-index="1"] .mark')
    tab_to(page, "[data-key=web-resign]")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.getAttribute('data-key')") == "web-resign-no"
    tab_to(page, "[data-key=web-resign-yes]")
    page.keyboard.press("Enter")
    wait_for(page, "Wei wins")
    tab_to(page, "#bar a[href$=review]")
    page.keyboard.press("Enter")
    page.wait_for_url("**/g/*")
    page.wait_for_selector(".points button:not([aria-expanded=true])")
    tab_to(page, ".points button:not([aria-expanded=true])")
    page.keyboard.press("Enter")
    wait_for(page, "Better:", "#status p")
    page.go_back()
    tab_to(page, "[data-key=web-rematch]")
    page.keyboard.press("Enter")
    wait_for(page, "Game 2 of the series", "#margin")


def test_reload_and_lost_connection_keep_seat(visitors: Visitors) -> None:
    ada = open_room(visitors)
    lev = visitors.visit(ada.url.removeprefix(visitors.address))
    take_seat(lev, "Lev")
    play(ada, 4)
    ada.reload()
    wait_for(ada, "Lev is to move")
    assert "you" in ada.inner_text(".player:first-child")
    ada.context.set_offline(True)
    wait_for(ada, "Connection lost")
    assert "1 move is saved" in ada.inner_text(".lost")
    assert ada.locator(".holder.off").count() == 1
    ada.click('[data-index="8"]')
    # Meanwhile the other side moves.
    lev.reload()
    play(lev, 0)
    ada.context.set_offline(False)
    wait_for(ada, "Your turn")
    ada.wait_for_selector('[data-index="0"] .mark')
    assert ada.locator("[role=gridcell] .mark").count() == 2
    play(ada, 8)
    wait_for(lev, "Your turn")


def test_second_tab_shares_seat(visitors: Visitors) -> None:
    ada = open_room(visitors)
    lev = visitors.visit(ada.url.removeprefix(visitors.address))
    take_seat(lev, "Lev")
    tab = ada.context.new_page()
    tab.goto(ada.url)
    wait_for(tab, "Your turn")
    play(tab, 4)
    ada.wait_for_selector('[data-index="4"] .mark')
    play(lev, 0)
    ada.close()
    play(tab, 8)
    wait_for(lev, "Your turn")
    assert "here" in lev.inner_text(".player:first-child")


def test_offers_can_be_answered(visitors: Visitors) -> None:
    ada = open_room(visitors)
    lev = visitors.visit(ada.url.removeprefix(visitors.address))
    take_seat(lev, "Lev")
    play(ada, 4)
    lev.wait_for_selector('[data-index="4"] .mark')
    ada.click("[data-key=web-take-back-ask]")
    wait_for(lev, "Ada asks to take back 1 move.", "#status p")
    lev.click("[data-key=web-accept]")
    ada.wait_for_selector('[data-index="4"] .mark', state="detached")
    ada.click("[data-key=web-offer-draw]")
    wait_for(lev, "Ada offers a draw.", "#status p")
    lev.click("[data-key=web-decline]")
    ada.click("[data-key=web-offer-draw]")
    lev.click("[data-key=web-accept]")
    wait_for(ada, "A draw")
    lev.click("[data-key=web-close-room]")
    wait_for(ada, "The room is closed")


def test_unplayable_cell_is_explained(visitors: Visitors) -> None:
    ada = open_room(visitors)
    lev = visitors.visit(ada.url.removeprefix(visitors.address))
    take_seat(lev, "Lev")
    wait_for(lev, "Ada is to move")
    lev.click('[data-index="0"]')
    wait_for(lev, "Your next move is ready: a3.", "#status p")
    lev.click('[data-index="0"]')
    play(ada, 4)
    wait_for(lev, "Your turn")
    lev.click('[data-index="4"]')
    wait_for(lev, "Cell b2 is taken.", "#status p")


def test_blocked_tile_is_not_called_taken(visitors: Visitors) -> None:
    table = visitors.table("fifteen")
    page = visitors.visit(f"/r/{table.room}")
    visitors.seat(page, table.room, table.tokens[0])
    page.reload()
    page.wait_for_selector("[role=gridcell]")
    movable = {legal["cell"] for legal in table.state["legal"]}
    stuck = next(at for at, tile in enumerate(table.state["cells"]) if tile and at not in movable)
    page.click(f'[data-index="{stuck}"]')
    wait_for(page, "cannot be played now", "#status p")


def test_computer_moves_and_values_are_shown(visitors: Visitors) -> None:
    page = visitors.visit()
    begin(page, "computer", level="perfect", name="Ada")
    page.set_default_timeout(60_000)
    play(page, 0)
    page.wait_for_selector(".mark.o")
    page.click("[data-key=web-values]")
    page.wait_for_selector(".val")
    assert page.locator(".vdraw").count() >= 1
    assert page.locator(".vwin").count() == 0
    page.click("[data-key=web-hint]")
    page.wait_for_selector(".hintring")
    assert page.inner_text(".note")
    page.click("[data-key=web-take-back]")
    page.wait_for_selector(".mark", state="detached")
    wait_for(page, "Your turn")


def test_unsuitable_computers_are_not_offered(visitors: Visitors) -> None:
    page = visitors.visit()
    page.click("#options summary")
    page.select_option("#level", "perfect")
    perfect = page.locator("#level option[value=perfect]")
    page.check("input[value=gomoku]", force=True)
    page.wait_for_selector("#level option[value=perfect]", state="detached")
    assert page.input_value("#level") == "level:10"
    page.check("input[value=tictactoe]", force=True)
    perfect.wait_for(state="attached")
    assert page.input_value("#level") == "perfect"  # the selection stays
    page.click("#options summary")
    page.check("input[value=gomoku]", force=True)
    held: list[Any] = []
    page.route("**/api/rooms?**", lambda route: held.append(route))
    page.click("[data-key=with-computer]")
    wait_for(page, "20 seconds", "#form-error.fact")  # while the computer decides
    held.pop().continue_()
    page.wait_for_url("**/r/*")
    wait_for(page, "level\u00a010, master", ".players, #margin")


def test_language_changes_during_game(visitors: Visitors) -> None:
    page = visitors.visit(f"/r/{visitors.table('tictactoe', '5 1').room}")
    wait_for(page, "Ada is to move")
    for language, text in (
        ("ru", "Ходит: Ada"),
        ("zh-Hans", "轮到Ada"),
        ("zh-Hant", "輪到Ada"),
        ("en", "Ada is to move"),
    ):
        page.click("#languages summary")
        page.click(f"#languages a[hreflang={language}]")
        page.wait_for_function("language => document.documentElement.lang === language", arg=language)
        page.wait_for_function(
            "text => document.querySelector('#status h1').innerText.replaceAll(' ', '') === text",
            arg=text.replace(" ", ""),
        )
        assert page.get_attribute(".brand", "aria-label")
    page.click("#languages summary")
    page.click("#languages a[hreflang=ru]")
    page.goto(visitors.address + "/history")
    wait_for(page, "История партий", "h1")


@pytest.mark.parametrize("mark", [weekly("X"), "O"])
def test_page_asks_for_mark(visitors: Visitors, mark: str) -> None:
    table = visitors.table("wild")
    page = visitors.visit(f"/r/{table.room}")
    page.evaluate(
        "([room, tokens]) => localStorage.setItem(`noughts-here-${room}`, JSON.stringify(tokens))",
        [table.room, [table.tokens[0], table.tokens[1]]],
    )
    page.reload()
    wait_for(page, "Ada is to move")
    page.click('[role=gridcell][data-index="4"]')
    page.click(f"[data-key=pick-{mark}]")
    page.wait_for_selector(f'[data-index="4"] .mark.{mark.lower()}')
    wait_for(page, "Wei is to move")
    page.wait_for_selector('[role=gridcell][data-index="4"]:focus')  # the pressed button is gone
    page.click("[data-key=web-resign]")
    page.click("[data-key=web-resign-yes]")
    wait_for(page, "Ada wins")
    page.wait_for_selector("[role=gridcell]:focus")


def test_losing_row_is_not_called_winning(visitors: Visitors) -> None:
    page = visitors.visit(f"/r/{visitors.table('misere', '5 1 2 3 8').room}")
    wait_for(page, "Wei wins")
    page.wait_for_selector("[role=gridcell][aria-label='b3, X, deciding row']")
    data = page.inner_text("#margin .key")
    assert "the deciding row" in data
    assert "won" not in data


def test_column_number_drops_mark(visitors: Visitors) -> None:
    table = visitors.table("connect4", "4 4")
    page = visitors.visit(f"/r/{table.room}")
    page.evaluate(
        "([room, tokens]) => localStorage.setItem(`noughts-here-${room}`, JSON.stringify(tokens))",
        [table.room, [table.tokens[0], table.tokens[1]]],
    )
    page.reload()
    wait_for(page, "Ada is to move")
    page.hover(".drop >> nth=2")
    page.wait_for_selector(".ghost .dash", state="attached")
    page.click(".drop >> nth=2")
    page.wait_for_selector('[data-index="37"] .mark')
    assert page.get_attribute('[data-index="37"]', "aria-label") == "3.1, X, last move"


def test_replay_address_has_ply(visitors: Visitors) -> None:
    table = visitors.table("tictactoe", "5 1 3 2 7")
    number = table.state["game_id"]
    page = visitors.visit(f"/g/{number}?ply=3")
    wait_for(page, "3 of 5", ".ply")
    assert page.locator(".mark").count() == 3
    assert page.locator(".strike").count() == 0
    page.click("[data-key=web-one-forward]")
    assert page.url.endswith("?ply=4")
    page.click("[data-key=web-end]")
    page.wait_for_selector(".strike")
    page.keyboard.press("ArrowLeft")
    wait_for(page, "4 of 5", ".ply")
    page.click("[data-key=ply-1]")
    assert page.locator(".mark").count() == 1
    page.goto(f"{visitors.address}/g/{number}?ply=nonsense")
    wait_for(page, "5 of 5", ".ply")
    page.goto(visitors.address + "/history")
    page.click(f"a[href='/g/{number}']")
    wait_for(page, "Ada wins")


def test_missing_pages_link_elsewhere(visitors: Visitors) -> None:
    page = visitors.visit("/r/nobodyknowsthisroom")
    wait_for(page, "Room not found")
    page.goto(visitors.address + "/g/999999")
    wait_for(page, "Game not found")
    page.goto(visitors.address + "/nowhere")
    assert say(page, "h1") == "Page not found"
    page.click("#sheet a[href='/']")
    page.wait_for_selector(".pick")
