"""The example that checks certificates by their description alone agrees with the verifier."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from noughts.certificates import proved_positions
from noughts.certificates.text import DoesNotHold
from noughts.certificates.verify import VALUES, _game_of
from tests.certificates.test_certificates import NO_PROOFS, WORTH, certificate_of, value_of
from tests.certificates.writing import EXAMPLE, body, certificate, checked, sealed, second_program

MOST_LINES = 300

CHANGED = (
    *("3x3:3", "4x3:3", "3x3:3,wild", "3x3:3,notakto", "2x2:2,misere", "4x4:4,wrap", "6x6:5", "3x3x3:3"),
    *("5x5:5,exact", "4x3:3,hex", "4x4:3,gravity"),
)
"""Games whose proofs are changed, one of each kind."""

GAMES = (
    *(
        "3x3:3",
        "4x3:3,wrap=x",
        "3x3:3,wrap",
        "3x3:3,gravity,wrap",
        "3x3:3,gravity,wrap=x",
        "3x3:3,gravity,wrap=y",
        "3x3:3,misere,wild",
    ),
    *("3x3:3,hex", "9:3", "3x3:1,exact", "1x1x1x1x1x1x1x1:1", "2x3:6,wrap", "3x3:3,gravity,exact", "20x20:5"),
)

NO_GAMES = (
    *("3x3", "3x3:03", "3x3:3,", "3x3:4", "3x3:0", "0x3:1", "03x3:3", "3X3:3", "tictactoe", "nothing", ""),
    *(
        "3x3:3,exact,gravity",
        "3x3:3,wild,wild",
        "3x3:3,wild,misere",
        "3x3:3,misere,notakto",
        "3x3:3,wild,notakto",
    ),
    *(
        "3x3:3,wrap=xy",
        "4x3:3,wrap=",
        "4x3:3,wrap=z",
        "3x3x3:3,wrap=yx",
        "3x3:3,wrap=xx",
    ),
    *(
        "3x3:3,wrap,hex",
        "3x3:3,gravity,hex",
        "3x3x3:3,hex",
        "3x3:3,vanish=3",
        "5x5:4,players=3",
        "15x15:5,renju",
    ),
    *("1x1x1x1x1x1x1x1x1:1", "21x20:5", "2x3:7,wrap", "99999x99999:5", "3x3:99999", f"3x{'9' * 5000}:3"),
)

SPECS = GAMES + NO_GAMES

STEPS = ("s", "#m", ".", "=", "x", "d", "k", "p", "r", "f", "map", "win", "hold")
"""The first words of the lines that can be changed."""

MISSHAPEN = ("0", "05", "+1", "-1", "1_0", "1.0", "9" * 20, "", "#", "=", "\t", "\x1f1", "\u0661")
"""Words that some programs accept as numbers."""


@pytest.fixture(scope="module")
def second() -> ModuleType:
    """Return the example as a module."""
    return second_program()


@pytest.fixture(autouse=True)
def usual_depth() -> Iterator[None]:
    """Restore the recursion limit, which the example raises, after each test."""
    limit = sys.getrecursionlimit()
    yield
    sys.setrecursionlimit(limit)


def accepts(second: ModuleType, text: str, tmp_path: Path) -> bool:
    """Return True if the example exits with 0, False if it exits with 1."""
    file = tmp_path / "certificate"
    file.write_bytes(text.encode())
    status = second.main(str(file))
    assert status in (0, 1)
    return bool(status == 0)


def test_example_is_short_and_independent() -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MOST_LINES
    assert "import noughts" not in text
    assert "from noughts" not in text


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("name", WORTH)
def test_example_accepts_valid_certificates(second: ModuleType, name: str, tmp_path: Path) -> None:
    assert accepts(second, certificate(name, WORTH[name]), tmp_path)


def changed(chance: Random, lines: list[str]) -> list[str]:
    """Return the *lines* of a certificate with a change to a word, a line, a map, the game or the claim."""
    lines = lines[:]
    at, other = (chance.randrange(len(lines)) for _ in range(2))
    words = lines[at].split()
    known = sorted({word for line in lines for word in line.split()} | set("pfrkd/") | set(MISSHAPEN))
    place = chance.randrange(len(words))
    match chance.choice(
        ("drop", "double", "swap", "replace", "replace", "insert", "lose", "map", "claim", "game")
    ):
        case "drop":
            del lines[at]
        case "double":
            lines.insert(at, lines[other])
        case "swap":
            lines[at], lines[other] = lines[other], lines[at]
        case "replace":
            lines[at] = " ".join([*words[:place], chance.choice(known), *words[place + 1 :]])
        case "insert":
            lines[at] = " ".join([*words[:place], chance.choice(known), *words[place:]])
        case "lose":
            lines[at] = " ".join([*words[:place], *words[place + 1 :]])
        case "map":
            maps = [number for number, line in enumerate(lines) if line.startswith("map ")]
            for number in chance.sample(maps, min(1, len(maps))):
                _, *cells = lines[number].split()
                one, two = chance.sample(range(len(cells)), 2)
                cells[one], cells[two] = cells[two], cells[one]
                lines[number] = " ".join(["map", *cells])
        case "claim":
            lines[2] = f"value {chance.choice(VALUES)}"
        case "game":
            lines[1] = f"game {chance.choice(SPECS)}"
    return lines


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
def test_checkers_agree_on_changed_certificates(second: ModuleType, tmp_path: Path) -> None:
    """Claims that both accept are true, for example if a map is changed that no step needs."""
    chance, accepted, known = Random(7), 0, dict(WORTH)
    for name in CHANGED:
        lines = body(certificate(name, WORTH[name]))
        for _ in range(18):
            text = sealed(changed(chance, lines))
            verdict = checked(text)
            assert accepts(second, text, tmp_path) == verdict.holds, (text, verdict)
            if verdict.holds and verdict.game:
                value = known.setdefault(verdict.game, value_of(verdict.game))
                assert verdict.value == value, text
                accepted += 1
    assert 0 < accepted < 300


@pytest.mark.parametrize(("game", "value", "maps", "steps", "reason"), NO_PROOFS)
def test_example_refuses_invalid_proofs(
    second: ModuleType, tmp_path: Path, game: str, value: str, maps: list[str], steps: str, reason: str
) -> None:
    assert not accepts(second, certificate_of(game, value, maps, steps), tmp_path), reason


def spoiled(lines: list[str], at: int) -> Iterator[list[str]]:
    """Yield the *lines* of a certificate with line *at* changed, omitted, doubled or replaced."""
    words = lines[at].split()
    others = [line for line in lines if line.split()[0] not in (words[0], "map")]
    for place in sorted({1, 2, len(words) - 1} & set(range(1, len(words)))):
        yield [*lines[:at], " ".join([*words[:place], *words[place + 1 :]]), *lines[at + 1 :]]
        if words[place].isdecimal() and words[place] != "1":
            less = str(int(words[place]) - 1)
            yield [*lines[:at], " ".join([*words[:place], less, *words[place + 1 :]]), *lines[at + 1 :]]
    yield lines[:at] + lines[at + 1 :]
    yield [*lines[: at + 1], *lines[at:]]
    yield [*lines[:at], others[at % len(others)], *lines[at + 1 :]]


@pytest.mark.slow
def test_checkers_agree_on_each_changed_step(second: ModuleType, tmp_path: Path) -> None:
    """Some changed proofs are still accepted by both, and their claims are true: not every pair is needed."""
    refused, accepted = Counter[str](), Counter[str]()
    for name in CHANGED:
        lines = body(certificate(name, WORTH[name]))
        kinds = [line.split()[0] for line in lines]
        for kind in sorted(set(STEPS).intersection(kinds)):
            for changed in spoiled(lines, kinds.index(kind)):
                text = sealed(changed)
                verdict = checked(text)
                assert accepts(second, text, tmp_path) == verdict.holds, (name, changed, verdict)
                assert not verdict.holds or verdict.value == WORTH[name]
                (accepted if verdict.holds else refused)[kind] += 1
    assert set(refused) == set(STEPS)
    assert sum(refused.values()) > 4 * sum(accepted.values()) > 0


def tampered(words: list[str]) -> Iterator[list[str]]:
    """Yield changed forms of a step of an attack, none of which is valid."""
    match words:
        case ["d" | "x" | "s", *cells]:
            stroke = cells.index("/") if "/" in cells else len(cells)
            yield [words[0], *cells[: stroke - 1], *cells[stroke:]]  # the last move is not made
            yield [words[0], *cells[:stroke], cells[0], *cells[stroke:]]  # a cell is taken twice
            if "/" in cells:
                yield [*words, cells[-1]]  # a move is answered twice
        case ["=", number, map_]:
            yield ["=", str(int(number) - 1), map_]
            yield ["=", str(int(number) + 1), map_]
        case ["."] | ["#m"]:
            yield ["p"]


@pytest.mark.slow
def test_checkers_refuse_tampered_attack_steps(second: ModuleType, tmp_path: Path) -> None:
    lines = body(certificate("5x4:4,wrap", "first"))
    assert accepts(second, sealed(lines), tmp_path)
    kinds = set[str]()
    for number in range(lines.index("win 1 lines") + 1, len(lines), 2):
        for words in tampered(lines[number].split()):
            text = sealed([*lines[:number], " ".join(words), *lines[number + 1 :]])
            assert checked(text).fault == "disagrees", (number, words)
            assert not accepts(second, text, tmp_path), (number, words)
            kinds.add(words[0])
        kept = sealed([*lines[:number], *lines[number + 1 :]])
        assert accepts(second, kept, tmp_path) == checked(kept).holds, number
    assert kinds == {"d", "x", "s", "=", "p"}


def test_checkers_support_the_same_games(second: ModuleType) -> None:
    def is_known(find: Callable[[str], object], spec: str) -> bool:
        try:
            find(spec)
        except (DoesNotHold, ValueError):
            return False
        return True

    for spec in SPECS:
        assert is_known(second.Board, spec) == is_known(_game_of, spec) == (spec not in NO_GAMES), spec


def test_example_reports_damaged_and_missing_files(
    second: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = certificate("4x3:3", "first")
    for damaged in (text[:-1] + "0", text[:200], "", "\n", text + "more\n"):
        assert not accepts(second, damaged, tmp_path)
        assert capsys.readouterr().out == "The file is damaged.\n"
        assert checked(damaged).fault == "damaged"
    (tmp_path / "bytes").write_bytes(bytes(range(256)) * 10)
    assert second.main(str(tmp_path / "bytes")) == 1
    assert second.main(str(tmp_path / "nothing")) == 2
    assert second.main() == 2


def test_proved_positions_forget_old_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """References reach no further back than the window."""
    monkeypatch.setattr(proved_positions, "WINDOW", 3)
    known = proved_positions.ProvedPositions([])
    for name in ("first", "second", "third", "fourth"):
        known.add(name)
    with pytest.raises(DoesNotHold):
        known.check(["1", "0"], lambda map_: "first")
    known.check(["2", "0"], lambda map_: "second")
    with pytest.raises(DoesNotHold):
        known.check(["2", "0"], lambda map_: "third")
