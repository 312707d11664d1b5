"""Certificates: valid ones are accepted, changed or wrong ones are refused."""

import io
from random import Random

import pytest

from noughts import new_game
from noughts.certificates.text import MAX_LINE, DoesNotHold, numbers
from noughts.certificates.verify import MAX_CELLS, VALUES
from noughts.errors import UnsupportedRules
from noughts.proofs.writer.certify import can_certify, certify
from noughts.search.analysis import Limit, LimitReachedError
from noughts.search.analyst import Analyst, solve
from noughts.search.numba_backend import python_machine
from tests.certificates.writing import body, certificate, checked, sealed

WORTH = {
    "3x3:3": "draw",  # by threats of the defender
    "4x3:3": "first",
    "1x1:1": "first",
    "2x2:2": "first",
    "2x1:2": "draw",
    "4x4:4": "draw",  # by potentials alone
    "6x6:5": "draw",
    "4x4:4,wrap": "draw",
    "3x3x3:3": "first",
    "4x3:3,hex": "first",
    "5x5:5,exact": "draw",
    "3x3:3,misere": "draw",
    "3x3:3,wild": "first",
    "3x3:3,notakto": "first",
    "2x2:2,misere": "second",
    "3x3:3,misere,wild": "draw",
    "4x4:4,gravity": "draw",
    "4x4:3,gravity": "first",
    "3x3:3,gravity,misere": "first",
    "3x3:2,exact": "first",
    "3x3:3,exact": "draw",
    "12x1:12": "draw",  # by a line too long for the Maker-Breaker search
    "3x4:4,wrap": "first",
    "6x2:3": "draw",
    "5x2:4,wrap": "draw",
}

NAMES = {1: "first", 0: "draw", -1: "second"}


def value_of(name: str) -> str:
    """Return the value of a game according to the exact search."""
    value = solve(new_game(name)).value
    assert value is not None
    return NAMES[value]


def test_certificate_handles_very_long_lines() -> None:
    assert checked(certificate("12x1:12", "draw")).holds


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("name", WORTH)
def test_certificate_proves_the_searched_value(name: str) -> None:
    text = certificate(name, WORTH[name])
    verdict = checked(text)
    assert (verdict.holds, verdict.game, verdict.value, verdict.fault) == (True, name, WORTH[name], None)
    assert value_of(name) == WORTH[name]


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("name", WORTH)
def test_certificate_with_other_value_fails(name: str) -> None:
    lines = body(certificate(name, WORTH[name]))
    for value in VALUES:
        if value != WORTH[name]:
            claims = [line.replace(f"value {WORTH[name]}", f"value {value}") for line in lines]
            assert checked(sealed(claims)).fault == "disagrees"


def test_certificate_for_other_game_fails() -> None:
    lines = body(certificate("4x3:3", "first"))
    for other in ("3x4:3", "4x3:4", "4x3:3,misere", "4x3:3,gravity", "4x3:3,exact", "nothing"):
        changed = [f"game {other}" if line.startswith("game") else line for line in lines]
        assert checked(sealed(changed)).fault == "disagrees", other


def test_changed_certificate_is_damaged() -> None:
    text = certificate("4x3:3", "first")
    for damaged in (
        text.replace("first", "second"),
        text.replace("s ", "s  "),
        text[:-10],
        text[: len(text) // 2],
        text + "\n",
        "",
        "\n",
        "sha256 0\n",
        text.replace("sha256", "sha1"),
        "x" * (MAX_LINE + 10),
    ):
        assert checked(damaged).fault == "damaged", damaged[-100:]


def test_certificate_without_a_line_fails() -> None:
    """Two kinds of lines are optional: "f", and "d" as a last answer to all moves left."""
    for name in ("3x3:3", "4x3:3", "3x3:3,notakto", "2x2:2,misere"):
        lines = body(certificate(name, WORTH.get(name, "draw")))
        for at, line in enumerate(lines):
            if line.split()[0] not in ("f", "d"):
                shorter = sealed(lines[:at] + lines[at + 1 :])
                assert checked(shorter).fault == "disagrees", (name, at, line)


@pytest.mark.slow
def test_changed_steps_prove_nothing_false() -> None:
    """An accepted claim is true after any change of words."""
    chance = Random(5)
    known: dict[str, str] = {}
    for name in ("3x3:3", "4x3:3", "3x3:3,misere", "2x2:2,misere"):
        lines = body(certificate(name, WORTH[name]))
        words = sorted({word for line in lines for word in line.split()} | set(VALUES))
        for _ in range(100):
            changed = [line.split() for line in lines]
            for _ in range(chance.randrange(1, 4)):
                line = chance.choice(changed)
                if line:
                    line[chance.randrange(len(line))] = chance.choice(words)
            verdict = checked(sealed([" ".join(line) for line in changed]))
            assert verdict.fault in (None, "disagrees")
            if verdict.holds and verdict.game is not None:
                known.setdefault(verdict.game, value_of(verdict.game))
                assert verdict.value == known[verdict.game]


def test_prover_without_lines_cannot_win() -> None:
    """Without lines no move has to be answered, and yet nothing is won."""
    head = ["noughts certificate 1", "game 2x1:2", "value second", "maps 0", "win 2 lines"]
    verdict = checked(sealed([*head, "m", "x 1 2", "m", ".", "x 2 1", "m", ".", ".", "end"]))
    assert (verdict.fault, verdict.reason) == ("disagrees", "the Prover cannot win any more")


def falling(cells: int) -> list[str]:
    """Return a proof that a single column with gravity is a draw, which has only one game."""
    parts = []
    for side in (0, 1):
        moves = [
            f"s {cell}" if (cells - cell) % 2 == side else f"m\nx {cell}" for cell in range(cells, 0, -1)
        ]
        others = cells // 2 if side == 0 else cells - cells // 2
        parts += [f"hold {side + 1} play", *moves, *["."] * others]
    head = ["noughts certificate 1", f"game 1x{cells}:3,gravity", "value draw", "maps 0"]
    return "\n".join([*head, *parts, "end"]).split("\n")


def test_verify_handles_the_longest_games() -> None:
    assert checked(sealed(falling(MAX_CELLS))).holds


def test_verify_refuses_alternative_spellings() -> None:
    lines = body(certificate("4x3:3", "first"))
    assert "x 5 5" not in lines
    assert "d 7 / 1 2 3 4 9 10 11 12" in lines
    for old, new in (
        ("end", "end 1"),
        ("end", "end\nend"),
        ("end", "end\nsha256 0"),
        ("#m", "#m 1"),
        (".", ". 1"),
        (".", "."[:0]),
        ("s 6", "s 06"),
        ("s 6", "s  6"),
        ("s 6", "s 6 "),
        ("s 6", "s\t6"),
        ("s 6", "s 6\r"),
        ("s 6", "s"),
        ("maps 3", "maps 03"),
        ("maps 3", "maps 900000"),
        ("value first", "value first first"),
        ("game 4x3:3", "game 4x3"),
        ("game 4x3:3", "game 04x3:3"),
        ("d 7 / 1 2 3 4 9 10 11 12", "d 7 / 1 2 3 4 9 10 11 12\nd 7 /"),
        ("d 7 / 1 2 3 4 9 10 11 12", "d 7 / 1 2 3 4 9 10 11 12\nd / 7"),
        ("d 7 / 1 2 3 4 9 10 11 12", "d 7 / 1 2 3 4 9 10 11 12 12"),
        ("d 7 / 1 2 3 4 9 10 11 12", "d 7 / 1 2 3 4 9 10 11 12\nd 7 / 12"),
        ("d 7 / 1 2 3 4 9 10 11 12", "d 7 / 1 2 3 4 9 10 11 12\nx 12 7"),
        ("d 7 / 1 2 3 4 9 10 11 12", "d 7 / 1 2 3 4 9 10 11 12" + " " * MAX_LINE),
    ):
        at = lines.index(old)
        assert checked(sealed([*lines[:at], new, *lines[at + 1 :]])).fault == "disagrees", new
    text = certificate("4x3:3", "first")
    assert checked(text.replace("sha256 ", "sha256  ")).fault == "damaged"
    assert checked(text[:-1]).fault == "damaged"


@pytest.mark.parametrize(("name", "answer"), [("6x6:5", "k"), ("3x3:3,wild", "x")])
def test_second_answer_to_move_fails(name: str, answer: str) -> None:
    """Each answer is right, but checkers need not store more answers than there are moves."""
    lines = body(certificate(name, WORTH[name]))
    at = next(at for at, line in enumerate(lines) if line.split()[0] == answer and lines[at + 1][0] in "kx.")
    verdict = checked(sealed([*lines[: at + 1], *lines[at:]]))
    assert verdict.fault == "disagrees"
    assert "answered" in verdict.reason


def test_numbers_accepts_large_numbers() -> None:
    assert numbers(["10000001"], 10**9) == [10**7]
    for word in ("0", "-1", "+1", "1_0", "", "1.0", "\u0661", "9" * 5000):
        with pytest.raises(DoesNotHold):
            numbers([word], 10**9)


def test_random_text_is_damaged() -> None:
    chance = Random(6)
    head = "noughts certificate 1\ngame 3x3:3\nvalue draw\nmaps 0\nhold 1 steal\nhold 2 lines\n"
    for _ in range(100):
        noise = "".join(chance.choice("mxspkdrf=#./ 123456789\n") for _ in range(60))
        assert checked(head + noise).fault == "damaged"
        assert checked(sealed((head + noise).split("\n"))).fault == "disagrees"


def test_games_without_proofs_are_refused() -> None:
    for name in ("renju", "reversi", "three", "fifteen", "vanishing", "30x30:5"):
        game = new_game(name)
        assert not can_certify(game)
        with pytest.raises(UnsupportedRules):
            certificate(name, "draw")
        head = ["noughts certificate 1", f"game {name}", "value draw", "maps 0"]
        assert checked(sealed([*head, "hold 1 steal", "hold 2 lines", "end"])).fault == "disagrees"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "window"), [("4x4:4,wrap", 0), ("3x4:4,wrap", 0), ("6x2:3", 0), ("3x4:4,wrap", 3)]
)
def test_writer_references_stay_within_window(
    name: str, window: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("written_positions", "stopping"):
        monkeypatch.setattr(f"noughts.proofs.writer.{module}.WINDOW", window)
    monkeypatch.setattr("noughts.certificates.proved_positions.WINDOW", window)
    text = certificate(name, WORTH[name])
    assert checked(text).holds
    assert window or all(line[0] != "=" for line in body(text)), text


@pytest.mark.parametrize("name", ["4x4:4,wrap", "5x2:4,wrap", "3x3:3", "6x2:3"])
def test_certify_works_with_tiny_budget(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.proofs.writer.lines.FIRST_BUDGET", 1)
    assert checked(certificate(name, WORTH[name])).holds


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "solving", "writing"),
    [("3x3:3", 192, 40), ("3x3:3,misere", 582, 197), ("4x3:3,notakto", 2686, 0)],
)
def test_certify_reuses_search_results(name: str, solving: int, writing: int) -> None:
    """A move that is known to work is used, though a likelier one might be found to work."""
    game, analyst = new_game(name), Analyst(machine=python_machine())
    analyst.search_alone()
    value, search = analyst.solve(game).value, analyst.exact_search(game)
    assert value is not None
    assert search is not None
    assert search.nodes == solving
    certify(game, NAMES[value], io.StringIO(), exact=search)
    assert search.nodes - solving == writing


@pytest.mark.slow
def test_certify_stops_at_the_limit() -> None:
    with pytest.raises(LimitReachedError):
        certify(new_game("5x5:4"), "draw", io.StringIO(), Limit(nodes=600))


def test_certify_is_deterministic() -> None:
    assert certificate("5x4:4", "draw") == certificate("5x4:4", "draw")


def certificate_of(game: str, value: str, maps: list[str], steps: str) -> str:
    """Return the certificate with these parts."""
    head = ["noughts certificate 1", f"game {game}", f"value {value}", f"maps {len(maps)}"]
    return sealed([*head, *(f"map {map_}" for map_ in maps), *steps.split("|"), "end"])


NO_PROOFS = [
    ("4x3:3", "loss", [], "win 1 lines", "loss is no value"),
    ("4x3:3", "first", [], "win 1 steal", "who begins cannot lose, and no more follows"),
    ("4x3:3", "first", [], "win 1 magic", "magic is no way to prove it"),
    ("4x3:3", "first", [], "win 2 lines", "a part is about the other side"),
    ("2x2:2,misere", "second", ["1 1 2 2"], "win 2 play", "a map takes two cells to one"),
    ("2x2:2,gravity,misere", "second", ["3 4 1 2"], "win 2 play", "a map does not keep the rules"),
    ("3x1:2,misere", "draw", ["2 1 3"], "hold 1 play", "a map does not keep the rules"),
    ("3x1:2,misere", "draw", [], "hold 1 lines", "lines alone prove nothing under these rules"),
    ("1x1:1,misere", "first", [], "win 1 play|s 1", "the game ends otherwise"),
    ("1x1:1,misere", "draw", [], "hold 1 play|s 1", "the game ends otherwise"),
    ("2x2:2,misere", "second", [], "win 2 play|m|x 1 1", "1 is no legal move"),
    ("3x3:3,wild", "first", [], "win 1 play|s Z5", "Z5 has no mark"),
    ("2x2:2,misere", "second", [], "win 2 play|= 1", "a reference has a number and a map"),
    ("2x2:2,misere", "second", [], "win 2 play|= 1 0", "1 is no number from 1 to 0"),
    ("3x1:2", "draw", [], "hold 1 steal|hold 2 lines|p", "the pairs do not stop all lines"),
    ("2x2:2", "second", [], "win 2 lines|p", "p wins nothing"),
    (
        *("1x4:3,gravity", "draw", ["4 3 2 1"]),
        "|".join(falling(4)[4:-1]),
        "a map does not keep the rules",
    ),
]
"""Invalid proofs: a game, a value, maps, steps separated by strokes, and the reason."""


@pytest.mark.parametrize(("game", "value", "maps", "steps", "reason"), NO_PROOFS)
def test_verify_gives_reason_of_failure(
    game: str, value: str, maps: list[str], steps: str, reason: str
) -> None:
    verdict = checked(certificate_of(game, value, maps, steps))
    assert (verdict.fault, verdict.reason) == ("disagrees", reason)


@pytest.mark.usefixtures("compiled")
def test_reference_beyond_window_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    text = certificate("3x3:3,misere,wild", "draw")
    monkeypatch.setattr("noughts.certificates.proved_positions.WINDOW", 1)
    assert checked(text).reason == "a position that is referred to is too far back"


@pytest.mark.slow
def test_reference_to_another_position_fails() -> None:
    lines = body(certificate("3x3:3,misere,wild", "draw"))
    at = max(at for at, line in enumerate(lines) if line.startswith("= "))
    number, map_ = lines[at].split()[1:]
    verdict = checked(sealed([*lines[:at], f"= {int(number) - 1} {map_}", *lines[at + 1 :]]))
    assert (verdict.line, verdict.reason) == (at + 1, "a position is not the one that was proved")


def test_verify_needs_a_list_of_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [certificate("4x3:3", "first"), certificate("2x2:2,misere", "second")]
    for module in ("verify", "by_play"):
        monkeypatch.setattr(f"noughts.certificates.{module}.line_table", lambda geometry: None)
    reasons = [checked(text).reason for text in texts]
    assert reasons == ["the lines cannot be listed", "a map does not keep the rules"]


def test_buffer_size_does_not_change_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = certificate("4x4:4", "draw")
    monkeypatch.setattr("noughts.certificates.text.TOGETHER", 2)
    assert certificate("4x4:4", "draw") == whole
