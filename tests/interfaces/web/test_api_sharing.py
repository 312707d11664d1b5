"""Pictures of links and the descriptions of pages: content, caching, privacy, and a missing extra."""

import json
import re
import sys
from html import escape, unescape
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from noughts.drawing import raster
from noughts.drawing.link_picture import draw_link_svg
from noughts.games.catalogue import new_game
from noughts.interfaces.web import link_texts
from noughts.interfaces.web.link_texts import LinkFacts, facts_of_puzzle, link_text
from noughts.puzzles.shipped import all_puzzles, find_puzzle
from tests.interfaces.harness import SAY
from tests.interfaces.web.harness import Guest, House, served
from tests.interfaces.web.test_api_rated import pair

Json = dict[str, Any]


async def ended(house: House, **asked: Any) -> Guest:
    """Return a player who has won a game of a room by the resignation of the other player."""
    one, two = await house.pair(**asked)
    await one.do("move", move="5")
    await two.do("resign")
    await one.look()
    return one


def described(page: httpx.Response) -> dict[str, str]:
    """Return the description of a page for services that show links."""
    found = re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]*)" content="([^"]*)">', page.text)
    return {name: unescape(value) for name, value in found}


async def picture_at(guest: Guest, address: str) -> httpx.Response:
    """Return the picture at the absolute *address*, which must be one of the server."""
    assert address.startswith("http://test/")
    answer = await guest.get(address.removeprefix("http://test"))
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
    return answer


@served
async def test_page_of_public_game_links_its_picture(house: House) -> None:
    one = await ended(house)
    page = await house.guest("192.0.2.9").get(f"/g/{one.state['game_id']}?lang=ru")
    known = described(page)
    assert known["og:title"] == "Победа: Ada"
    assert known["og:description"] == "Ada – Wei. Крестики-нолики, 1 ход"
    assert known["og:url"] == f"http://test/g/{one.state['game_id']}"
    assert known["twitter:card"] == "summary_large_image"
    picture = await picture_at(one, known["og:image"])
    assert picture.headers["cache-control"] == "public, max-age=3600"
    again = await one.get(known["og:image"], headers={"if-none-match": picture.headers["etag"]})
    assert again.status_code == 304


@served
async def test_picture_of_private_game_needs_its_key(house: House) -> None:
    one = await ended(house, visibility="link")
    number, key = one.state["game_id"], one.state["game_link"].partition("key=")[2]
    stranger = house.guest("192.0.2.9")
    for query in ("", "?key=wrong", f"?key={one.room}"):
        assert (await stranger.get(f"/api/games/{number}/card.png{query}")).status_code == 404
        assert described(await stranger.get(f"/g/{number}{query}")) == {}
    known = described(await stranger.get(f"/g/{number}?key={key}"))
    assert f"key={key}" in known["og:image"]
    picture = await picture_at(stranger, known["og:image"])
    assert picture.headers["cache-control"] == "private, max-age=3600"


@served
async def test_page_of_room_follows_the_game(house: House) -> None:
    one = await house.open()
    page = f"/r/{one.room}"
    assert described(await one.get(page))["og:title"] == "Ada invites you"
    two = house.guest("192.0.2.2")
    await two.enter("/api/join", {"code": one.code, "name": "Wei"})
    await one.look()
    await one.do("move", move="5")
    known = described(await one.get(page))
    assert known["og:title"] == "Wei is to move"
    first = await picture_at(one, known["og:image"])
    assert first.headers["cache-control"] == "private, no-cache"
    await two.look()
    await two.do("resign")
    known = described(await one.get(page))
    assert known["og:title"] == "Ada wins"
    assert (await picture_at(one, known["og:image"])).headers["etag"] != first.headers["etag"]
    assert described(await one.get("/r/nosuchroom")) == {}


@served
async def test_pages_of_puzzle_and_position_are_described(house: House) -> None:
    guest = house.guest()
    known = described(await guest.get("/puzzle/3?lang=en"))
    assert known["og:description"] == "Puzzle 3: Tic-tac-toe, easy (level 1 of 5)."
    assert known["og:image"] == "http://test/api/puzzles/3/card.png?lang=en"
    known = described(await guest.get("/analysis?game=connect4&moves=4,4,3&lang=en"))
    assert (known["og:title"], known["og:description"]) == ("O is to move", "Connect Four, 3 moves")
    await picture_at(guest, known["og:image"])
    for query in ("game=nonsense", "game=tictactoe&moves=1,1", "game=99x99x99:5"):
        assert described(await guest.get(f"/analysis?{query}")) == {}
        assert (await guest.get(f"/api/card.png?{query}")).status_code == 422
    page = await guest.get("/analysis?game=tictactoe&moves=" + "1," * 1_001)
    assert (page.status_code, described(page)) == (200, {})  # more moves than a request may have
    assert described(await guest.get("/puzzle/99999")) == {}
    assert (await guest.get("/api/puzzles/99999/card.png")).status_code == 404


@served
async def test_picture_shows_an_earlier_position(house: House) -> None:
    one = await ended(house)
    path = f"/api/games/{one.state['game_id']}/card.png"
    pictures = {(await one.get(f"{path}?ply={ply}")).headers["etag"] for ply in (0, 1)}
    assert len(pictures) == 2
    assert (await one.get(f"{path}?ply=2")).json()["error"]["code"] == "no-such-ply"


@served
async def test_pages_have_no_picture_without_the_extra(house: House, monkeypatch: Any) -> None:
    one = await ended(house)
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    known = described(await one.get(f"/g/{one.state['game_id']}"))
    assert known["og:title"] == "Ada wins"
    assert "og:image" not in known
    answer = await one.get(f"/api/games/{one.state['game_id']}/card.png")
    assert answer.status_code == 501
    assert "“meet”" in answer.json()["error"]["sentence"]


def in_latin(text: str, *, is_traditional: bool) -> str:
    """Return *text*, or an empty text if it has other letters than those of a small machine."""
    return text if text.isascii() else ""


def test_name_without_a_font_becomes_the_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_texts, "drawable", in_latin)
    facts = LinkFacts("gomoku", 9, (("X", "Ada"), ("O", "小明")), winner="O", termination="line")
    text = link_text(facts, "en")
    assert (text.title, list(text.players)) == ("O wins", [("X", "Ada"), ("O", "")])


def test_picture_is_in_english_without_a_font_for_the_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_texts, "drawable", in_latin)
    facts = LinkFacts("gomoku", 9, (("X", "Ada"), ("O", "Wei")), winner="X", termination="line")
    assert link_text(facts, "zh-Hans").title == "Ada wins"


@served
async def test_picture_of_rated_game_is_three_moves_late(house: House) -> None:
    ada, wei = await pair(house)
    page = f"/r/{ada.room}?lang=en"
    seen = []
    for player, move in ((ada, "h8"), (wei, "i9"), (ada, "g7"), (wei, "f6")):
        await player.do("move", move=move)
        seen.append(described(await ada.get(page))["og:description"])
    assert [text.partition(". ")[2] for text in seen] == ["Gomoku", "Gomoku", "Gomoku", "Gomoku, 1 move"]
    await ada.do("resign")
    assert described(await ada.get(page))["og:title"] == "Wei wins"


def ancestors(answer: httpx.Response) -> str:
    """Return the sites that may show *answer* in a frame."""
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "unsafe" not in policy
    return str(policy.rpartition("frame-ancestors ")[2])


@served
async def test_only_embedded_pages_may_be_framed(house: House) -> None:
    one = await ended(house)
    number, guest = one.state["game_id"], house.guest("192.0.2.9")
    shown = await guest.get(f"/embed/g/{number}?lang=ru")
    assert (shown.status_code, ancestors(shown)) == (200, "*")
    assert "x-frame-options" not in shown.headers
    assert "set-cookie" not in shown.headers
    assert "Победа: Ada" in shown.text
    assert f'href="http://test/g/{number}" target="_blank" rel="noopener"' in shown.text
    for path in (
        "/",
        f"/g/{number}",
        f"/r/{one.room}",
        f"/api/games/{number}",
        "/embedded",
        "/static/embed.js",
    ):
        answer = await guest.get(path)
        assert (ancestors(answer), answer.headers["x-frame-options"]) == ("'none'", "DENY"), path


@served
async def test_embedded_page_shows_no_other_page(house: House) -> None:
    guest = house.guest()
    missing = await guest.get("/embed/g/99", headers={"accept": "text/html"})
    assert missing.status_code == 404
    assert "<form" not in missing.text
    wrong = await guest.get("/embed/x/99", headers={"accept": "text/html"})
    assert (wrong.status_code, wrong.headers["content-type"]) == (404, "application/json")


@served
async def test_private_game_is_embedded_with_its_key_only(house: House) -> None:
    one = await ended(house, visibility="link")
    number, link, stranger = one.state["game_id"], one.state["game_link"], house.guest("192.0.2.9")
    nothing = await stranger.get("/embed/g/99")
    for query in ("", "?key=wrong"):
        hidden = await stranger.get(f"/embed/g/{number}{query}")
        assert (hidden.status_code, hidden.text) == (nothing.status_code, nothing.text)
        url = quote(f"http://test/g/{number}{query}")
        assert (await stranger.get(f"/api/oembed?url={url}")).status_code == 404
    assert "Ada wins" in (await stranger.get(f"/embed{link}")).text
    told = (await stranger.get(f"/api/oembed?url={quote('http://test' + link)}")).json()
    assert f'src="http://test/embed{link}"' in told["html"]


@served
async def test_files_of_embedded_page_load_without_an_origin(house: House) -> None:
    guest = house.guest()
    for path in ("/static/embed.js", "/i18n/en.json", "/api/board?game=gomoku", "/embed/puzzle/1"):
        headers = (await guest.get(path)).headers
        assert headers["access-control-allow-origin"] == "*", path
        assert headers["cross-origin-resource-policy"] == "cross-origin", path
    for path in ("/", "/api/games", "/api/catalogue"):
        assert "access-control-allow-origin" not in (await guest.get(path)).headers


@served
async def test_oembed_describes_pages_of_this_server(house: House) -> None:
    one = await ended(house)
    page = await one.get(f"/g/{one.state['game_id']}?lang=en")
    found = re.search(r'type="application/json\+oembed" href="http://test([^"]*)"', page.text)
    assert found is not None
    told = (await one.get(unescape(found[1]))).json()
    assert (told["type"], told["version"], told["title"]) == ("rich", "1.0", "Ada wins")
    assert (told["width"], told["height"], told["thumbnail_width"]) == (480, 640, 1200)
    await picture_at(one, told["thumbnail_url"])
    small = (await one.get(f"{unescape(found[1])}&maxwidth=300&maxheight=200&format=json")).json()
    assert (small["width"], small["height"]) == (300, 200)
    assert 'width="300" height="200"' in small["html"]
    assert "thumbnail_url" not in small


@served
async def test_oembed_refuses_other_addresses_and_formats(house: House) -> None:
    one = await ended(house)
    number, guest = one.state["game_id"], house.guest("192.0.2.9")
    for url in (
        *(f"http://evil.example/g/{number}", f"//test/g/{number}", f"ftp://test/g/{number}", "http://[/g/1"),
        *(f"http://test@evil.example/g/{number}", f"http://test/g/{number}/", "http://test/history"),
        *("http://test/g/99", "http://test/g/9999999999", "", "http://test/r/nobody", "http://test/r/%00"),
        *("http://test/puzzle/999999", "http://test/puzzle/0"),
    ):
        assert (await guest.get(f"/api/oembed?url={quote(url)}")).status_code == 404, url
    impossible = await guest.get(f"/api/oembed?url={quote('http://test/analysis?moves=9,9')}")
    assert impossible.status_code == 422
    refused = await guest.get(f"/api/oembed?format=xml&url=http://test/g/{number}")
    assert (refused.status_code, refused.json()["error"]["code"]) == (501, "no-such-format")
    hostile = quote(f'http://test/g/{number}?key="><script>&ply=1')
    told = (await guest.get(f"/api/oembed?url={hostile}")).json()["html"]
    assert f'src="http://test/embed/g/{number}?ply=1"' in told


@served
async def test_positions_puzzles_and_public_rooms_are_embedded(house: House) -> None:
    one, _ = await house.pair()
    await one.do("move", move="5")
    guest = house.guest("192.0.2.9")
    for path, title in (
        (f"/r/{one.room}", "Wei is to move"),
        ("/analysis?game=connect4&moves=4%2C4%2C3", "O is to move"),
        ("/puzzle/1", facts_of_puzzle(find_puzzle(1)).title(SAY["en"], lambda _, name: name)),
    ):
        page = await guest.get(f"{path}{'&' if '?' in path else '?'}lang=en")
        found = re.search(r'type="application/json\+oembed" href="http://test([^"]*)"', page.text)
        assert found is not None, path
        told = (await guest.get(unescape(found[1]))).json()
        assert told["title"] == title
        assert f'src="http://test/embed{escape(path)}"' in told["html"]
        await picture_at(guest, told["thumbnail_url"])
        shown = await guest.get(f"/embed{path}")
        assert (shown.status_code, ancestors(shown)) == (200, "*")
        line = json.loads(unescape(re.findall('data-game="([^"]*)"', shown.text)[0]))
        assert len(line["boards"]) == len(line["moves"]) + 1
        assert title in shown.text
        assert f'href="http://test{escape(path)}" target="_blank"' in shown.text


@served
async def test_private_and_waiting_rooms_are_not_embedded(house: House) -> None:
    private, _ = await house.pair(visibility="link")
    await private.do("move", move="5")
    waiting, guest = house.guest("192.0.2.8"), house.guest("192.0.2.9")
    await waiting.enter(
        "/api/rooms", {"game": "tictactoe", "name": "Ada", "opponent": "friend", "visibility": "public"}
    )
    for room in (private.room, waiting.room, "nobody"):
        assert (await guest.get(f"/embed/r/{room}")).status_code == 404
        assert (await guest.get(f"/api/oembed?url={quote(f'http://test/r/{room}')}")).status_code == 404
        assert "oembed" not in (await guest.get(f"/r/{room}")).text
    assert (await guest.get("/embed/analysis?moves=1,1")).status_code == 422
    assert (await guest.get("/embed/puzzle/999999")).status_code == 404


@served
async def test_animation_of_private_game_needs_its_key(house: House, monkeypatch: Any) -> None:
    one = await ended(house, visibility="link")
    number, link, stranger = one.state["game_id"], one.state["game_link"], house.guest("192.0.2.9")
    page = await stranger.get(f"{link}&lang=en")
    found = re.search(r'type="image/gif" href="http://test([^"]*)"', page.text)
    assert found is not None
    moving = await stranger.get(unescape(found[1]))
    assert (moving.status_code, moving.headers["content-type"]) == (200, "image/gif")
    assert moving.content.startswith(b"GIF89a")
    assert moving.headers["cache-control"] == "private, max-age=3600"
    path = f"/api/games/{number}/animation.gif"
    assert (await stranger.get(path)).status_code == 404
    monkeypatch.setitem(sys.modules, "PIL", None)
    assert "image/gif" not in (await stranger.get(link)).text
    refused = await stranger.get(path)
    assert refused.status_code == 501
    assert "“pictures”" in refused.json()["error"]["sentence"]


@pytest.mark.parametrize("language", SAY)
def test_pictures_of_puzzles_show_the_whole_grade(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raster, "_is_installed", lambda family: family == "DejaVu Sans")
    monkeypatch.setattr(raster, "_has", lambda *_: True)
    board = new_game("tictactoe")
    for puzzle in all_puzzles():
        facts = facts_of_puzzle(puzzle)
        shown = "".join(re.findall("<text[^>]*>([^<]*)", draw_link_svg(board, link_text(facts, language))))
        assert facts.detail(SAY[language]).replace(" ", "") in unescape(shown).replace(" ", "")
