"""A key in real browsers: claim a name, move it by words and by digits, and leave."""

from typing import Any

import pytest

pytestmark = pytest.mark.slow

WORDS = "#key .twelve b"


def texts(page: Any, selector: str) -> list[str]:
    return [str(text) for text in page.locator(selector).all_inner_texts()]


def new_key(page: Any, name: str) -> None:
    """Claim *name* in the browser of *page*, and wait for the words."""
    page.fill("#key-name", name)
    page.wait_for_selector("#key .fact.ok")
    page.click("#key form button.primary")
    page.wait_for_selector(WORDS)


def type_words(page: Any, words: str) -> None:
    """Add the browser of *page* with twelve words, and wait for the page of the player."""
    page.click("#key section button >> nth=1")
    page.fill("#key-words", words)
    page.wait_for_selector("#key .two button.primary:enabled")
    page.click("#key .two button.primary")
    page.wait_for_selector("#key .rows")


def check_forms(visitors: Any, page: Any) -> None:
    """Check that the forms of games show the name of the key, and that a seat has it."""
    page.goto(visitors.address)
    page.wait_for_selector("#name[readonly]", state="attached")
    assert page.input_value("#name") == "Mina"
    room = visitors.post("/api/rooms", {"game": "tictactoe", "opponent": "friend", "name": "Ada"})["room"]
    page.goto(f"{visitors.address}/r/{room}")
    page.wait_for_selector("#name[readonly]")
    assert page.input_value("#name") == "Mina"
    page.click("[data-key=sit]")
    page.wait_for_selector("#players:has-text('Mina')")


def test_key_moves_by_words_and_by_digits(visitors: Any) -> None:
    phone = visitors.visit("/key", size=(390, 844), touch=True)
    phone.fill("#key-name", "Adrnin")
    phone.wait_for_selector("#key .fact.bad")
    assert phone.inner_text("#key-name-note") == "Too like “admin”. Choose another name."
    assert phone.is_visible("#key-without")
    new_key(phone, "Mina")
    assert not phone.is_visible("#key-without")
    phone.select_option("#key-margin select", "ru")
    phone.wait_for_selector("#key .twelve[lang=ru]")
    words = texts(phone, WORDS)
    phone.click("#key button.primary")
    phone.wait_for_selector("#key input")
    for field in phone.locator("#key input").all():
        place = int(str(field.get_attribute("id")).rpartition("-")[2])
        field.fill(words[place])
    phone.click("#key button.primary")
    phone.wait_for_selector("#key .rows")
    assert not any(f">{word}<" in phone.content() for word in words)
    tablet = visitors.visit("/key")
    type_words(tablet, " ".join(words).upper())
    check_forms(visitors, tablet)
    tablet.goto(visitors.address + "/key")
    tablet.wait_for_selector("#key .rows")
    laptop = visitors.visit("/key")
    laptop.click("#key section button >> nth=0")
    code = laptop.inner_text("#key .digits").replace(" ", "")
    tablet.fill("#key-digits", code)
    tablet.click("#key form button >> nth=0")
    tablet.click("#key-question button.primary")
    laptop.wait_for_selector("#key .rows")
    assert laptop.inner_text("#key-about").startswith("Mina, ")
    laptop.fill("#key-forget", "mina")
    laptop.click("#key .danger button:enabled")
    laptop.wait_for_selector("#key a.button")
    phone.reload()
    phone.wait_for_selector("#key-name")


def test_words_of_each_language_move_a_key(visitors: Any) -> None:
    """Chinese words may be typed without blanks."""
    first = visitors.visit("/key")
    new_key(first, "Yara")
    words = {}
    for language in ("en", "ru", "zh-Hans", "zh-Hant"):
        first.select_option("#key-margin select", language)
        first.wait_for_selector(f"#key .twelve[lang={language}]")
        words[language] = texts(first, WORDS)
    assert len({tuple(known) for known in words.values()}) == 4
    for language, known in words.items():
        phone = visitors.visit("/key", language, size=(390, 844), touch=True)
        type_words(phone, ("" if language.startswith("zh") else " ").join(known))
        assert phone.inner_text("#key-about").startswith("Yara")


def test_server_without_keys_says_so_and_asks_for_no_name(visitors: Any) -> None:
    """The server has the libraries for keys, so the test changes the page on its way."""
    page = visitors.begin()

    def switch_off(route: Any) -> None:
        answer = route.fetch()
        assert answer.text().count('<div id="key">') == 1
        route.fulfill(response=answer, body=answer.text().replace('id="key"', 'id="key" data-off'))

    page.route("**/key", switch_off)
    page.goto(visitors.address + "/key")
    page.wait_for_selector("#key a.button")
    assert page.inner_text("#key-title") == "No keys on this server"
    assert page.locator("#key input").count() == 0
