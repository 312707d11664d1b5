"""The command ``people`` lists people with keys and carries out decisions of operators."""

import json
from contextlib import closing
from typing import Any

import pytest

from noughts.arena.clock import Clock
from noughts.arena.people.moderation import Moderation, ReportReason
from noughts.arena.people.people import People
from noughts.arena.store.database import open_database
from noughts.arena.stored_game import BY_LINK, PUBLIC
from noughts.arena.tournament.people import PeopleTerms
from noughts.arena.tournament.people_repository import PeopleStore
from tests.arena.people.signing import Signer, register
from tests.databases import url_of
from tests.interfaces.harness import EN, Program


def fill(program: Program) -> list[int]:
    """Add two people and a report, and return the numbers of the people."""
    with closing(open_database(url_of(program.database))) as database:
        people = People(database, now=lambda: 1_000_000_000_000)
        numbers = [
            register(people, name, Signer(place), Signer(10 + place)).identity.number
            for place, name in enumerate(("Ada", "Bob"), 1)
        ]
        moderation = Moderation(database, people, now=lambda: 1_000_000_000_000)
        moderation.report(numbers[0], numbers[1], ReportReason.NAME, None, "192.0.2.1")
    return numbers


def answer(program: Program, *arguments: str) -> Any:
    ran = program.run("people", *arguments, "--json")
    assert ran.status == 0, ran.errors
    return json.loads(ran.output)


def test_operator_lists_decides_and_reads_the_log(program: Program) -> None:
    assert program.run("people", "reports").lines == [EN("operator-none")]
    assert program.run("people", "log").lines == [EN("operator-no-log")]
    _, bob = fill(program)
    assert program.run("people", "reports").lines[-1].split() == [
        str(bob),
        "1",
        "2001-09-09",
        "01:46",
        "name",
        "Bob",
    ]
    assert [one["player"] for one in answer(program, "list")["people"]] != []
    assert EN("report-name") in program.run("people", "show", "bob").output
    done = program.run("people", "decide", str(bob), "no-rated", "--note", "Again")
    assert done.lines == ["The command line kept “Bob” from rated games"]
    shown = answer(program, "show", "Bob")["person"]
    assert (len(shown["bans"]), shown["reports"], shown["log"][0]["note"]) == (1, [], "Again")
    assert program.run("people", "log").lines[-1].endswith("Again")
    assert EN("decision-ban") in program.run("people", "show", "Bob").output
    assert answer(program, "decide", "Bob", "undo-ratings")["done"]["decision"] == "undo-ratings"


def test_note_that_is_too_long_names_the_limit(program: Program) -> None:
    fill(program)
    refused = program.run("people", "decide", "Bob", "warn", "--note", "x" * 201)
    assert refused.status == 2
    assert EN("identity-note", limit="200") in refused.errors
    assert program.run("people", "decide", "Bob", "warn", "--note", "x" * 200).status == 0


def test_operator_bans_renames_and_deletes(program: Program) -> None:
    _, bob = fill(program)
    assert answer(program, "ban", "Bob", "--hours", "24")["done"]["decision"] == "ban"
    assert answer(program, "show", "Bob")["person"]["bans"][0]["ends"] is not None
    assert answer(program, "unban", "Bob")["done"]["operator"] is None
    assert program.run("people", "rename", "Bob", "Robert").status == 0
    assert answer(program, "show", "Robert")["person"]["number"] == bob
    assert program.run("people", "forget", "Robert").status == 0
    assert program.run("people", "show", str(bob)).status == 2


def test_operator_decides_about_titles(program: Program) -> None:
    ada, _ = fill(program)
    with closing(open_database(url_of(program.database))) as database:
        store = PeopleStore(database)
        terms = PeopleTerms("Rude\x1bcup", "connect4", Clock(base=60_000), visibility=PUBLIC)
        with database.writing() as connection:
            made = store.add(connection, terms, "BCDFGH", "0" * 64)
        assert made is not None
        people = People(database, now=lambda: 1_000_000_000_000)
        moderation = Moderation(database, people, now=lambda: 1_000_000_000_000)
        moderation.report_title(ada, made.number, "192.0.2.1")
        reported = program.run("people", "reports").lines[-1].split()
        assert (reported[0], reported[-2:]) == ("BCDFGH", ["tournament", "Rude\\x1bcup"])
        done = program.run("people", "retitle", "bcd-fgh", "Kind  cup")
        assert done.lines == ["The command line renamed the tournament “Rude\\x1bcup” to “Kind cup”"]
        assert moderation.titles() == []
        assert program.run("people", "decide-title", "BCDFGH", "unlist").status == 0
        with database.reading() as connection:
            kept = store.read(connection, "BCDFGH").tournament.terms
        assert (kept.title, kept.visibility, store.public(0, 9)) == ("Kind cup", BY_LINK, {})
        for arguments in (
            ("retitle", "BCDFGJ", "Cup"),
            ("retitle", "Bob", "Cup"),
            ("retitle", "BCDFGH", "\udcff"),
            ("retitle", "BCDFGH", "x" * 61),
            ("decide-title", "BCDFGH", "ban"),
            ("decide-title",),
        ):
            assert program.run("people", *arguments).status == 2
        moderation.report_title(ada, made.number, "192.0.2.1")
        with database.writing() as connection:
            connection.change("UPDATE people_tournaments SET digest = 'no'")
        listed = program.run("people", "reports")
        assert (listed.status, listed.lines[-1].split()[-1]) == (1, "Bob")
        assert EN("repair-offered") in listed.errors


def test_unusable_arguments_are_refused(program: Program) -> None:
    fill(program)
    for arguments in (
        ("show",),
        ("show", "7"),
        ("show", "7" * 5_000),  # more digits than Python converts
        ("show", "\udcff"),
        ("decide", "Bob", "shout"),
        ("rename", "Bob"),
        ("rename", "Bob", "admin"),
    ):
        assert program.run("people", *arguments).status == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("rename", "Bob"), EN("name-empty")),
        (("retitle", "Nope", "Cup"), EN("no-such-tournament", name="Nope")),
        (("decide-title", "BCDFGH", "nothing"), EN("no-such-tournament", name="BCDFGH")),
    ],
)
def test_refusal_names_the_typed_value(program: Program, arguments: tuple[str, ...], sentence: str) -> None:
    fill(program)
    assert sentence in program.run("people", *arguments).errors
