"""Books: they are correct, damaged ones are ignored, and the analyst uses them."""

import io
import lzma
from collections import Counter
from contextlib import nullcontext, redirect_stdout
from math import comb
from pathlib import Path

import pytest
from benchmarks import book as book_script
from benchmarks.book import book_of

from noughts import new_game
from noughts.certificates import book as books
from noughts.certificates.book import (
    Book,
    BookVerdict,
    file_name,
    name_of,
    place_of,
    positions,
    shipped_book,
    verify_book,
    write_book,
)
from noughts.certificates.shipped import open_compressed, shipped_folder
from noughts.certificates.text import Reader
from noughts.errors import DamagedFileWarning
from noughts.search.analysis import Effort, Limit
from noughts.search.analyst import Analyst
from noughts.search.gravity.search import GravitySearch, searching
from tests.certificates.writing import body, sealed

SPEC, PLIES = "4x4:3,gravity", 3


def text_of(spec: str = SPEC, plies: int = PLIES) -> str:
    stream = io.StringIO()
    write_book(stream, spec, plies, book_of(new_game(spec), plies))
    return stream.getvalue()


def checked(text: str, sample: int | None = None) -> BookVerdict:
    return verify_book(io.BytesIO(text.encode()), searching(Limit()), sample)


def read(text: str) -> Book:
    return books.BookCheck(Reader(io.BytesIO(text.encode()))).read()


def values_of(book: Book) -> books.Values:
    """Return the values of all positions of *book*."""
    found = {name: book.value_at(name) for name, _ in positions(new_game(SPEC), PLIES)}
    return {name: value for name, value in found.items() if value is not None}


def listed() -> list[str]:
    """Return the lines of the same book in version 1: the values of each ply in the order of the names."""
    values, known = [books.Values() for _ in range(PLIES + 1)], values_of(read(text_of()))
    for name, ply in positions(new_game(SPEC), PLIES):
        values[ply][name] = known[name]
    rows = [" ".join(["values", *(str(row[name]) for name in sorted(row))]) for row in values]
    return ["noughts book 1", f"game {SPEC}", f"plies {PLIES}", *rows, "end"]


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "plies"), [(SPEC, PLIES), ("3x3:3,gravity", 6), ("2x3:2,gravity", 2)])
def test_book_values_match_exact_search(spec: str, plies: int) -> None:
    """Each position is compared with the search for exact values."""
    book, game, seen = read(text_of(spec, plies)), new_game(spec), set()
    for name, ply in positions(game, plies):
        exact = Analyst().solve(game)
        assert exact.value is not None
        assert book.value_of(game) == exact.value * (exact.plies or 0)
        assert books.name_of(books.position_of(game, name)) == name
        seen.add(ply)
    assert seen == {*range(plies + 1)}


def test_positions_unite_mirror_images() -> None:
    counts = Counter(ply for _, ply in positions(new_game("7x6:4,gravity"), 4))
    assert counts == {0: 1, 1: 4, 2: 25, 3: 121, 4: 568}
    game = new_game(SPEC)
    for name, _ in positions(game, 3):
        mirrored = new_game(SPEC)
        for row, column in game.moves:
            mirrored.play((row, 3 - column))
        assert name_of(mirrored) == name
        assert place_of("/".join(reversed(name.split("/")))) == place_of(name)


def test_place_of_differs_for_each_position() -> None:
    names = [name for name, _ in positions(new_game("5x4:4,gravity"), 6)]
    places = {place_of(name) for name in names}
    assert len(places) == len(names)
    assert all(index < comb(6, 3) for _, index in places)


def test_book_has_no_value_of_an_unreachable_position() -> None:
    """A mark of the second side cannot be the lowest one of the only column with marks."""
    book = read(text_of())
    assert book.value_at("///XO") is not None
    assert book.value_at("///OX") is None


def test_incomplete_book_is_refused_quickly() -> None:
    """The positions of so many plies are not listed, since there are millions."""
    head = ["game 8x8:4,gravity", f"plies {books.MAX_PLIES}"]
    for lines in (
        ["noughts book 1", *head, *["values 0"] * (books.MAX_PLIES + 1), "end"],
        ["noughts book 2", *head, "0/0/0/0/0/0/0/0 =", "end"],
    ):
        assert checked(sealed(lines)).fault == "disagrees"


@pytest.mark.slow
def test_verify_book_notices_each_changed_value() -> None:
    text = text_of()
    verdict = checked(text)
    assert (verdict.holds, verdict.game, verdict.value) == (True, SPEC, "first")
    assert verdict.searched == verdict.of == 26
    assert checked(text, 5).searched == 5
    lines = body(text)
    for at, line in enumerate(lines):
        heights, codes = line.split()[0], line.split()[-1] if line[0].isdigit() else ""
        for number, code in enumerate(codes):
            for other in {books.ABSENT, books.DRAW, "?", "_"} - {code}:
                row = f"{heights} {codes[:number]}{other}{codes[number + 1 :]}"
                wrong = sealed([*lines[:at], row, *lines[at + 1 :]])
                assert checked(wrong).fault == "disagrees", row


@pytest.mark.slow
def test_verify_book_checks_books_of_version_1() -> None:
    lines, stream = listed(), io.StringIO()
    assert lines[3:5] == ["values 9", "values -14 -8"]
    verdict = checked(sealed(lines))
    assert (verdict.holds, verdict.value, verdict.searched) == (True, "first", 26)
    write_book(stream, SPEC, PLIES, values_of(read(sealed(lines))))
    assert stream.getvalue() == text_of()
    for at, line in enumerate(lines):
        words = line.split()
        for number in range(1, len(words)) if words[0] == "values" else ():
            for change in (1, 2):
                changed = [*words[:number], str(int(words[number]) + change), *words[number + 1 :]]
                wrong = sealed([*lines[:at], " ".join(changed), *lines[at + 1 :]])
                assert checked(wrong).fault == "disagrees", (at, number)
    for old, new in (("values 9", "values x"), ("values 9", "values 9 9"), ("values 9", "values 09")):
        assert checked(sealed([line.replace(old, new) for line in lines])).fault == "disagrees"


def test_verify_book_refuses_malformed_books() -> None:
    text = text_of()
    lines = body(text)
    for damaged in (text[:-5], text.replace(" C", " D", 1), "", text + "more\n"):
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
        ("0/0/0/0 C", "0/0/0/0"),
        ("0/0/0/0 C", "0/0/0/0 C C"),
        ("0/0/0/0 C", "0/0/0/0 !"),
        ("0/0/0/0 C", "0/0/0/0 CC"),
        ("0/0/0/1 e", "0/0/0/0 e"),
        ("0/0/0/1 e", "1/0/0/0 e"),
        ("book 2", "book 3"),
        ("end", "ends"),
    ):
        assert checked(sealed([line.replace(old, new) for line in lines])).fault == "disagrees", new


def test_verify_book_counts_searched_positions() -> None:
    verdict = verify_book(io.BytesIO(text_of().encode()), searching(Limit(nodes=0)), None)
    assert (verdict.holds, verdict.of) == (True, 26)
    assert verdict.searched < 26


def test_searching_skips_large_boards() -> None:
    assert searching(Limit())(new_game("20x20:4,gravity")) is None


def test_book_script_resumes_and_divides_its_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ["book", "--game", SPEC, "--plies", "3", "--work", str(tmp_path)]
    monkeypatch.setattr(book_script, "TOGETHER", 4)
    text = run_script(monkeypatch, command)
    (file,) = tmp_path.iterdir()
    lines = file.read_text().splitlines()
    file.write_text("\n".join(lines[:20])[:-3])
    for number in (1, 2):
        assert run_script(monkeypatch, [*command, "--part", str(number), "2"]) == ""
    assert run_script(monkeypatch, command) == text
    saved = [line for file in tmp_path.iterdir() for line in file.read_text().splitlines()]
    assert {*lines} <= {*saved}
    assert len(saved) == len(lines) + 1


def run_script(monkeypatch: pytest.MonkeyPatch, command: list[str]) -> str:
    """Run the script and return its output."""
    output = io.StringIO()
    monkeypatch.setattr("sys.argv", command)
    with redirect_stdout(output):
        book_script.main()
    return output.getvalue()


@pytest.fixture
def booked(monkeypatch: pytest.MonkeyPatch) -> Book:
    """Return a book that the searches find."""
    book = read(text_of())
    monkeypatch.setattr(
        "noughts.search.gravity.search.shipped_book", lambda spec: book if spec == SPEC else None
    )
    return book


def test_analyst_uses_book_without_search(booked: Book) -> None:
    game = new_game(SPEC)
    for _ in positions(game, PLIES - 1):
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


def test_shipped_book_values_follow_from_later_ones() -> None:
    """Connect Four is won with the 41st ply, only from the middle column."""
    book, game = shipped_book("7x6:4,gravity"), new_game("connect4")
    assert book is not None
    for _ in positions(game, 2):
        assert book.value_of(game) == books.value_by(game, lambda then: book.value_of(then) or 0)
    found = Analyst().values(game, Limit(nodes=0))
    assert (found.value, found.plies, found.best) == (1, 41, (5, 3))
    assert [known.value for known in found.moves] == [-1, -1, 0, 1, 0, -1, -1]
    assert shipped_book("6x6:4,gravity") is None


@pytest.mark.slow
@pytest.mark.weekly
def test_shipped_book_is_valid() -> None:
    stream = open_compressed(shipped_folder() / (file_name("7x6:4,gravity") + books.COMPRESSED))
    assert stream is not None
    verdict = verify_book(stream, searching(Limit(seconds=60)))
    assert (verdict.holds, verdict.value) == (True, "first")


def test_damaged_shipped_book_is_ignored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(books, "shipped_folder", lambda: tmp_path)
    text = text_of()
    for there, is_known in ((text, True), (text[:-4], False), (text.replace(" C", " D", 1), False)):
        (tmp_path / (file_name(SPEC) + books.COMPRESSED)).write_bytes(lzma.compress(there.encode()))
        shipped_book.cache_clear()
        with nullcontext() if is_known else pytest.warns(DamagedFileWarning, match="part"):
            assert (shipped_book(SPEC) is not None) == is_known
    shipped_book.cache_clear()
