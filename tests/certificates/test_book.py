"""Books: they are correct, damaged ones are ignored, and the analyst uses them."""

import io
import json
from contextlib import nullcontext
from pathlib import Path

import pytest
from benchmarks.book import book_of

from noughts import Game, new_game
from noughts.certificates import book as books
from noughts.certificates.book import (
    Book,
    BookVerdict,
    file_name,
    layers_of,
    name_of,
    shipped_book,
    verify_book,
    write_book,
)
from noughts.certificates.text import Reader
from noughts.errors import DamagedFileWarning
from noughts.search.analysis import Effort, Limit
from noughts.search.analyst import Analyst
from noughts.search.gravity.search import GravitySearch, searching
from tests.certificates.writing import body, sealed

SPEC, PLIES = "4x4:3,gravity", 3


def text_of(spec: str = SPEC, plies: int = PLIES) -> str:
    stream = io.StringIO()
    write_book(stream, spec, book_of(new_game(spec), plies))
    return stream.getvalue()


def checked(text: str, sample: int | None = None) -> BookVerdict:
    return verify_book(io.BytesIO(text.encode()), searching(Limit()), sample)


def read(text: str) -> Book:
    return books.BookCheck(Reader(io.BytesIO(text.encode()))).read()[0]


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "plies"), [(SPEC, PLIES), ("3x3:3,gravity", 6), ("2x3:2,gravity", 2)])
def test_book_values_match_exact_search(spec: str, plies: int) -> None:
    """Each position is compared with the search for exact values."""
    book = read(text_of(spec, plies))
    for layer in layers_of(new_game(spec), plies):
        for game in layer.values():
            exact = Analyst().solve(game)
            assert exact.value is not None
            assert book.value_of(game) == exact.value * (exact.plies or 0)
    assert len(book.values) == plies + 1


def test_name_of_unites_mirror_images() -> None:
    layers = layers_of(new_game("7x6:4,gravity"), 3)
    assert [len(layer) for layer in layers] == [1, 4, 25, 121]
    for game in layers_of(new_game(SPEC), 3)[3].values():
        mirrored = new_game(SPEC)
        for row, column in game.moves:
            mirrored.play((row, 3 - column))
        assert name_of(mirrored) == name_of(game)


def test_incomplete_book_is_refused_quickly() -> None:
    """The positions of so many plies are not listed, since there are millions."""
    head = ["noughts book 1", "game 8x8:4,gravity", f"plies {books.MAX_PLIES}"]
    assert checked(sealed([*head, "values 0", "values 0 0 0 0", "values 0", "end"])).fault == "disagrees"


@pytest.mark.slow
def test_verify_book_notices_each_changed_value() -> None:
    text = text_of()
    verdict = checked(text)
    assert (verdict.holds, verdict.game, verdict.value) == (True, SPEC, "first")
    assert verdict.searched == verdict.of == 26
    assert checked(text, 5).searched == 5
    lines = body(text)
    for at, line in enumerate(lines):
        words = line.split()
        for number in range(1, len(words)) if words[0] == "values" else ():
            changed = [*words[:number], str(int(words[number]) + 1), *words[number + 1 :]]
            wrong = sealed([*lines[:at], " ".join(changed), *lines[at + 1 :]])
            assert checked(wrong).fault == "disagrees", (at, number)


def test_verify_book_refuses_malformed_books() -> None:
    text = text_of()
    lines = body(text)
    for damaged in (text[:-5], text.replace("9", "7", 1), "", text + "more\n"):
        assert checked(damaged).fault == "damaged"
    for at in range(len(lines)):
        assert checked(sealed(lines[:at] + lines[at + 1 :])).fault == "disagrees", lines[at]
    for old, new in (
        (SPEC, "4x4:3"),
        (SPEC, "4x4:3,gravity,misere"),
        (SPEC, "4x4x4:3,gravity"),
        (SPEC, "nothing"),
        (SPEC, "30x30:4,gravity"),
        (SPEC, "4x3:3,gravity"),
        ("plies 3", "plies 2"),
        ("plies 3", "plies 13"),
        ("values 9", "values x"),
        ("values 9", "values 9 9"),
        ("values 9", "values 09"),
        ("book 1", "book 2"),
        ("end", "ends"),
    ):
        assert checked(sealed([line.replace(old, new) for line in lines])).fault == "disagrees", new


def test_verify_book_counts_searched_positions() -> None:
    verdict = verify_book(io.BytesIO(text_of().encode()), searching(Limit(nodes=0)), None)
    assert (verdict.holds, verdict.of) == (True, 26)
    assert verdict.searched < 26


def test_searching_skips_large_boards() -> None:
    assert searching(Limit())(new_game("20x20:4,gravity")) is None


def test_book_of_resumes_saved_work(tmp_path: Path) -> None:
    work = tmp_path / "work"
    found = book_of(new_game(SPEC), PLIES, work)
    assert len(work.read_text().splitlines()) == 26
    work.write_text("".join(line + "\n" for line in work.read_text().splitlines()[:20]))
    assert book_of(new_game(SPEC), PLIES, work) == found
    assert len({json.loads(line)[0] for line in work.read_text().splitlines()}) == 26


@pytest.fixture
def booked(monkeypatch: pytest.MonkeyPatch) -> Book:
    """Return a book that the searches find."""
    book = read(text_of())
    monkeypatch.setattr(
        "noughts.search.gravity.search.shipped_book", lambda spec: book if spec == SPEC else None
    )
    return book


def test_analyst_uses_book_without_search(booked: Book) -> None:
    for layer in layers_of(new_game(SPEC), PLIES - 1):
        for game in layer.values():
            value = booked.value_of(game)
            assert value is not None
            found = Analyst().values(game, Limit(nodes=0))
            assert (found.value, found.plies) == ((value > 0) - (value < 0), abs(value) or None)
            assert all(known.value is not None for known in found.moves)
            assert found.best is not None
            best = game.copy()
            best.play(found.best)
            then = -1 if best.outcome is not None else booked.value_of(best)
            assert then is not None
            assert (then > 0) - (then < 0) == -(value > 0) + (value < 0)


def test_analyst_searches_beyond_the_book(booked: Book) -> None:
    game = new_game(SPEC)
    for move in ((3, 0), (3, 1), (3, 2), (3, 3)):
        game.play(move)
    assert booked.value_of(game) is None
    assert game.rules is not None
    plain = GravitySearch.of(game.rules)
    assert plain is not None
    plain.book = None
    plain.set_position(game)
    found, value = Analyst().solve(game), plain.value(Effort())
    assert (found.value, found.plies) == ((value > 0) - (value < 0), abs(value) or None)


def test_shipped_book_is_valid() -> None:
    """Connect Four is won with the 41st ply, only from the middle column."""
    spec = "7x6:4,gravity"
    text = (Path(books.__file__).parent / file_name(spec)).read_bytes()

    def never(game: Game) -> None:
        """Search nothing."""

    assert verify_book(io.BytesIO(text), never).holds
    found = Analyst().values(new_game("connect4"), Limit(nodes=0))
    assert (found.value, found.plies, found.best) == (1, 41, (5, 3))
    assert [known.value for known in found.moves] == [-1, -1, 0, 1, 0, -1, -1]
    assert shipped_book("6x6:4,gravity") is None


def test_damaged_shipped_book_is_ignored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(books, "files", lambda package: tmp_path)
    text = text_of()
    for there, is_known in ((text, True), (text[:-4], False), (text.replace("9", "7", 1), False)):
        (tmp_path / file_name(SPEC)).write_text(there)
        shipped_book.cache_clear()
        with nullcontext() if is_known else pytest.warns(DamagedFileWarning, match="part"):
            assert (shipped_book(SPEC) is not None) == is_known
    shipped_book.cache_clear()
