"""The command line for scripts and people: output, errors, exit status."""

import contextlib
import functools
import json
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from noughts import new_game
from noughts.arena.commands import MakeMove
from noughts.arena.events import Event, EventKind
from noughts.arena.match import Match
from noughts.arena.series import Begins
from noughts.arena.setup import SeriesSetup, Setup
from noughts.errors import DamagedStore
from noughts.games.catalogue import CATALOGUE
from noughts.games.perft import perft
from noughts.install import install_commands
from noughts.interfaces.cli import database
from noughts.interfaces.presenting import players as seated
from noughts.interfaces.presenting.i18n import LANGUAGES, Phrase
from noughts.players import perfect
from noughts.players.base import player_names
from noughts.players.strengths import strengths
from noughts.records.record import Record, format_record
from noughts.records.sgf import format_sgf
from noughts.text import display_width
from tests.interfaces.harness import (
    COMMAND,
    DONE,
    EN,
    NO,
    PATIENCE,
    SAY,
    UNUSABLE,
    Program,
    RunResult,
    row,
    text_of,
)
from tests.stand_ins import open_series

PEOPLE = ("--x", "human", "--o", "human")
WIN = ["1", "5", "2", "9", "3"]
HAN = {chr(code) for code in range(0x4E00, 0xA000)}
CYRILLIC = {chr(code) for code in range(0x400, 0x500)}
SCRIPT = {"ru": CYRILLIC, "zh-Hans": HAN, "zh-Hant": HAN}


def json_of(ran: RunResult) -> Any:
    """Return the object on the only line of output."""
    assert (ran.status, ran.errors) == (DONE, "")
    assert ran.output.count("\n") == 1
    assert ran.output.endswith("\n")
    return json.loads(ran.output)


def assert_refused(ran: RunResult, status: int = UNUSABLE, language: str = "en") -> None:
    """Assert that there is no output, and one sentence on standard error."""
    assert (ran.status, ran.output) == (status, "")
    assert_one_sentence(ran, language)


def assert_damaged(ran: RunResult, language: str = "en") -> None:
    """Assert that there is no output, and that errors name the damage and the remedy."""
    assert (ran.status, ran.output) == (NO, "")
    sentence, offer = ran.errors.splitlines(keepends=True)
    assert offer == SAY[language]("repair-offered") + "\n"
    assert_one_sentence(RunResult(NO, "", sentence), language)


def assert_one_sentence(ran: RunResult, language: str) -> None:
    assert len(ran.errors.splitlines()) == 1
    assert ran.errors.endswith("\n")
    assert "Traceback" not in ran.errors
    if language in SCRIPT:
        assert SCRIPT[language] & set(ran.errors), ran.errors


def win(program: Program, names: str = "Ada,Wei", *options: str) -> None:
    """Let the first of *names* win a game with X."""
    assert program.run("play", *PEOPLE, "--names", names, *options, typed=text_of(WIN)).status == DONE


# Games and players


def test_games_prints_json(program: Program) -> None:
    (key,) = answer = json_of(program.run("games", "--json"))
    assert key == "games"
    facts = ["name", "spec", "shape", "sides", "rules", "shelf", "rank", "known"]
    assert [list(game) for game in answer["games"]] == [facts] * len(CATALOGUE)
    assert [game["name"] for game in answer["games"]] == [entry.name for entry in CATALOGUE]
    by_name = {game["name"]: game for game in answer["games"]}
    assert by_name["connect4"]["shape"] == [6, 7]
    assert by_name["three"]["sides"] == ["X", "O", "Z"]
    assert by_name["fifteen"]["spec"] is None
    assert (by_name["qubic"]["shelf"], by_name["3d"]["shelf"]) == ("first", "space")
    assert sorted(answer["games"], key=lambda game: game["rank"]) == answer["games"]


def test_games_lists_every_game_with_its_rules(program: Program) -> None:
    ran = program.run("games", "--lang", "ru")
    assert (ran.status, ran.errors) == (DONE, "")
    assert [line.split()[0] for line in ran.lines[::2]] == [entry.name for entry in CATALOGUE]
    assert SAY["ru"]("rules-fifteen") in ran.output
    assert "{" not in ran.output


def test_players_prints_json(program: Program) -> None:
    (key,) = answer = json_of(program.run("players", "--json"))
    assert key == "players"
    assert [list(player) for player in answer["players"]] == [["name", "about", "title"]] * len(
        answer["players"]
    )
    assert [player["name"] for player in answer["players"]] == ["human", *player_names()]


def test_players_shows_measured_strength(program: Program) -> None:
    answer = json_of(program.run("players", "7x6:4,gravity", "--json"))
    measured = {player["name"]: (player["elo"], player["error"]) for player in answer["players"]}
    expected = {name: (one.elo, one.error) for name, one in strengths("connect4").items()}
    assert {name: result for name, result in measured.items() if result != (None, None)} == expected
    assert measured["rule"] == (0, 0)
    assert measured["human"] == (None, None)
    lines = program.run("players", "connect4").lines
    level = strengths("connect4")["level:3"]
    shown = next(line for line in lines if line.startswith("level:3"))
    assert f"{level.elo:+.0f} ±{level.error:.0f}" in shown
    assert EN("players-measured", game="connect4") in lines


def test_players_reports_missing_measurements(program: Program) -> None:
    ran = program.run("players", "6x6:5")
    assert EN("players-not-measured", game="6x6:5") in ran.lines
    assert EN("column-elo") not in ran.output


def test_players_lists_every_player(program: Program) -> None:
    lines = program.run("players").lines
    assert [line.split()[0] for line in lines[2:]] == ["human", *player_names()]
    assert EN("player-human") in lines[2]


# History and scores


def test_history_and_scores_can_be_empty(program: Program) -> None:
    assert json_of(program.run("history", "--json")) == {"games": []}
    assert json_of(program.run("scores", "--json")) == {"players": []}
    assert program.run("history").output == EN("no-games") + "\n"
    assert program.run("scores").output == EN("no-scores") + "\n"


def test_history_prints_json(program: Program) -> None:
    win(program)
    program.run("play", "wild", *PEOPLE, "--cells", "0", typed=text_of(["X0", "O8", "q"]))
    program.run("play", "connect4", *PEOPLE, typed=text_of(["4", "d2", "r"]))
    answer = json_of(program.run("history", "--json"))
    assert answer == {
        "games": [
            {
                "id": 3,
                "game": "connect4",
                "players": {"X": "Player 1", "O": "Player 2"},
                "moves": ["4", "4"],
                "winner": "O",
                "termination": "resignation",
            },
            {
                "id": 2,
                "game": "wild",
                "players": {"X": "Player 1", "O": "Player 2"},
                "moves": ["X1", "O9"],
                "winner": None,
                "termination": None,
            },
            {
                "id": 1,
                "game": "tictactoe",
                "players": {"X": "Ada", "O": "Wei"},
                "moves": WIN,
                "winner": "X",
                "termination": "line",
            },
        ]
    }
    assert [list(game) for game in answer["games"]] == [
        ["id", "game", "players", "moves", "winner", "termination"]
    ] * 3
    replayed = json_of(program.run("replay", "2", "--json"))
    assert replayed.items() >= answer["games"][1].items()


def test_history_prints_a_table(program: Program) -> None:
    win(program)
    program.run("play", *PEOPLE, typed="5\nq\n")
    ran = program.run("history", "--lang", "ru")
    say = SAY["ru"]
    assert (ran.status, ran.errors, len(ran.lines)) == (DONE, "", 4)
    assert [line.split()[0] for line in ran.lines[2:]] == ["2", "1"]
    assert ran.lines[2].endswith(say("ended-not"))
    assert ran.lines[3].endswith(say("ended-line"))


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_tables_fit_terminals_but_not_files(program: Program, language: str) -> None:
    """Long lines of the history were once broken in the middle of a word."""
    names = "司马相如与卓文君与李白杜甫", "A name that is forty columns wide or so"
    win(program, ",".join(names))
    program.run("play", "40x30:5,gravity,wrap=x", *PEOPLE, "--names", ",".join(names), typed="r\n")
    for command in (["history"], ["scores"], ["players", "connect4"]):
        narrow = program.under(COLUMNS="40", NOUGHTS_LANG=language).run(*command)
        rows = narrow.lines[: -1 if command[0] == "players" else None]  # A sentence follows.
        assert max(map(display_width, rows)) <= 40, command
        whole = program.under(NOUGHTS_LANG=language).run(*command).output
        assert "…" not in whole
        assert ("…" in narrow.output) or command[0] == "players"
        assert command[0] == "players" or all(name in whole for name in names)


def test_history_and_scores_accept_filters(program: Program) -> None:
    win(program)
    win(program, "Wei,Eva")
    program.run("play", "7x7:5", *PEOPLE, "--names", "Eva,Ada", typed="r\n")

    def numbers(*options: str) -> list[int]:
        return [game["id"] for game in json_of(program.run("history", "--json", *options))["games"]]

    assert numbers() == [3, 2, 1]
    assert numbers("--limit", "2") == [3, 2]
    assert numbers("--player", "ADA") == [3, 1]
    assert numbers("--game", "3x3:3") == numbers("--game", "TicTacToe") == [2, 1]
    assert numbers("--game", "7×7:5", "--player", "wei") == []
    scores = json_of(program.run("scores", "--json", "--game", "7x7:5"))["players"]
    assert {row["name"]: (row["wins"], row["losses"]) for row in scores} == {"Ada": (1, 0), "Eva": (0, 1)}
    for nothing in (
        ["history", "--player", "Nobody"],
        ["scores", "--game", "gomoku"],
        ["history", "--game", "3d"],
    ):
        assert program.run(*nothing).lines == [SAY["en"]("no-games-like-that")]
    assert program.run("history", "--game", "no-such-game").status == UNUSABLE
    assert program.run("history", "--limit", "0").status == UNUSABLE


def test_scores_prints_json(program: Program) -> None:
    win(program)
    win(program, "Wei,Ada")
    win(program)
    program.run("play", *PEOPLE, "--names", "Ada,小林", typed=text_of("519328467"))
    program.run("play", *PEOPLE, "--names", "Ada,Wei", typed="5\nq\n")  # An unfinished game is not counted.
    answer = json_of(program.run("scores", "--json"))
    assert answer == {
        "players": [
            {"name": "Ada", "wins": 2, "draws": 1, "losses": 1},
            {"name": "Wei", "wins": 1, "draws": 0, "losses": 2},
            {"name": "小林", "wins": 0, "draws": 1, "losses": 0},
        ]
    }
    assert [list(player) for player in answer["players"]] == [["name", "wins", "draws", "losses"]] * 3


def test_scores_prints_a_table(program: Program) -> None:
    win(program)
    ran = program.run("scores", "--lang", "ru")
    assert ran.lines[0].split()[0] == SAY["ru"]("column-player")
    assert [line.split() for line in ran.lines[2:]] == [["Ada", "1", "0", "0", "1", "1"], ["Wei", *"00100"]]


def test_game_from_moves_does_not_count(program: Program) -> None:
    say = SAY["ru"]
    people = ("--x", "human", "--o", "human", "--names", "Ada,Wei", "--lang", "ru")
    ran = program.run("play", "tictactoe", "--moves", "1 5 2 9", *people, typed="3\n")
    assert (ran.status, ran.errors) == (DONE, "")
    assert ran.shows(say("web-play-on-about"))
    assert ran.shows(say("begins", name="Ada", mark="X"))
    (stored,) = json_of(program.run("history", "--json"))["games"]
    assert (stored["moves"], stored["winner"]) == (["3"], "X")
    scores = program.run("scores", "--json").output
    assert json.loads(scores)["players"] == []
    assert program.run("replay", "1", "--from", "1", "--lang", "ru", typed="q\n").status == UNUSABLE


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("play", "--plain", "--moves", "5 5"),
            EN("move-cannot-be-played", number=2, text="5"),
        ),
        (("play", "--plain", "--moves", "1 4 2 5 3"), EN("game-over")),
        (("play", "--plain", "--moves", "1", "--opening", "pie"), EN("refusal-from-a-position")),
        (("replay", "1", "--from", "6"), EN("usage-whole-number-range", first=0, last=5)),
        (("replay", "1", "--from", "-1"), EN("usage-whole-number-range", first=0, last=5)),
        (("replay", "1", "--from", "5"), EN("game-over")),
        (("replay", "1", "--from", "2", "--json"), EN("usage-from-alone")),
        (("replay", "1", "--from", "2", "--review"), EN("usage-from-alone")),
    ],
)
def test_play_refuses_unusable_start(program: Program, arguments: tuple[str, ...], sentence: str) -> None:
    typed = text_of(["1", "5", "2", "9", "3"])
    assert program.run("play", "--x", "human", "--o", "human", typed=typed).status == DONE
    ran = program.run(*arguments)
    assert ran.status == UNUSABLE
    assert ran.errors.startswith(sentence)


def test_replay_shows_the_game_again(program: Program) -> None:
    say = SAY["ru"]
    played = program.run("play", *PEOPLE, "--names", "Ada,Wei", "--lang", "ru", typed=text_of(WIN)).lines
    answer = program.run("replay", "1", "--lang", "ru").lines
    assert answer[0] == say("replay-title", number=1, game="tictactoe", names=["Ada", "Wei"])
    plays = [say("plays", player=say("player-with-mark", name=name, mark=mark), move=Phrase("cell", move))
             for (name, mark), move in zip([("Ada", "X"), ("Wei", "O")] * 3, WIN, strict=False)]  # fmt: skip
    assert [line for line in answer if line in plays] == plays
    assert say.plural("wins-row", 5, winner="Ada", number=1, cells=row("1 2 3")) in answer
    assert answer[-18:-2] == played[-18:-2]


def test_replay_shows_take_backs_and_offers(program: Program) -> None:
    program.run("play", *PEOPLE, typed=text_of(["5", "1", "u", "2", "d", "n", "q"]))
    answer = program.run("replay", "1").lines
    for id_ in ("taken-back", "offer-declined", "replay-unfinished"):
        assert SAY["en"](id_) in answer
    assert json_of(program.run("replay", "1", "--json"))["moves"] == ["5", "2"]


@pytest.mark.parametrize("write", [format_record, format_sgf])
@pytest.mark.parametrize(
    ("termination", "winner", "text"),
    [
        ("resignation", "X", ["end-resignation", "wins"]),
        ("agreement", None, ["draw-agreement"]),
        ("forfeit", "O", ["ended-so", "wins"]),
        ("struck-by-lightning", None, ["ended-so"]),
        (None, None, ["replay-unfinished"]),
    ],
)
def test_replay_shows_a_file(
    program: Program,
    write: Callable[[Record], str],
    termination: str | None,
    winner: str | None,
    text: list[str],
) -> None:
    players = {"X": "Ada", "O": "小林"}
    record = Record(
        game="tictactoe", players=players, moves=("5", "1"), winner=winner, termination=termination
    )
    file = program.folder / ("a game.json" if write is format_record else "a game.SGF")
    file.write_text(write(record) + "\n", encoding="utf-8")
    say = SAY["ru"]
    lines = program.run("replay", file.name, "--lang", "ru").lines
    assert lines[0] == say("replay-title-of-file", game="tictactoe", names=["Ada", "小林"])
    loser = players["O" if winner == "X" else "X"]
    how = say("ended-forfeit") if termination == "forfeit" else termination
    for id_ in text:
        name = players.get(winner or "", "")
        counted = id_ == "draw-agreement"
        sentence = say.plural(id_, 2) if counted else say(id_, winner=name, loser=loser, how=how)
        assert sentence in lines
    answer = json_of(program.run("replay", file.name, "--json"))
    assert (answer["id"], answer["moves"], answer["termination"]) == (None, ["5", "1"], termination)


@pytest.mark.parametrize("text", [None, "", "{}", "(;GM[1])", "\xff\x00", '{"noughts": 99}'])
def test_replay_refuses_file_without_a_game(program: Program, text: str | None) -> None:
    if text is not None:
        (program.folder / "x.json").write_bytes(text.encode("latin-1"))
    status = UNUSABLE if text is None else NO
    assert_refused(program.run("replay", "x.json", "--lang", "ru"), status, "ru")


@pytest.mark.parametrize(
    ("text", "id_", "facts", "cause"),
    [
        ("(;SZ[3];B[aa];W[zz])", "cannot-be-played", {"number": 2, "text": "zz"}, "move-no-such-cell"),
        ("(;SZ[3];B[aa];W[aa])", "cannot-be-played", {"number": 2, "text": "aa"}, "cell-taken-many"),
        ("(;SZ[0])", "cannot-begin", {"text": "0x0:0"}, "rules-k-too-small"),
        ("(;SZ[3]RE[W+];B[aa];W[ba];B[ab];W[bb];B[ac])", "result-wrong", {}, "record-refused"),
    ],
)
def test_replay_names_fault_of_file(
    program: Program, text: str, id_: str, facts: dict[str, Any], cause: str
) -> None:
    (program.folder / "x.sgf").write_text(text, encoding="utf-8")
    ran, say = program.run("replay", "x.sgf", "--lang", "ru"), SAY["ru"]
    assert_refused(ran, NO, "ru")
    why = say(cause, text=facts.get("text"), cell=facts.get("text"))
    sentence = say(f"record-{id_}", cause=why, **facts)
    assert ran.errors == say("in-file", name="x.sgf", sentence=sentence) + "\n"


@pytest.mark.parametrize(
    ("game", "moves", "id_"),
    [
        ("tictactoe", "5 5", "cell-taken-many"),
        ("connect4", "d1 d1", "cell-taken-many"),
        ("connect4", "d3", "cell-floating"),
        ("connect4", "4 4 4 4 4 4 4", "column-full-many"),
        ("renju", "h9 a1 f8 c1 g8 e1 h10 k1 h8", "cell-forbidden-33"),
    ],
)
def test_replay_names_illegal_move_of_record(program: Program, game: str, moves: str, id_: str) -> None:
    texts = moves.split()
    record = {"game": game, "players": {"X": "", "O": ""}, "moves": texts}
    (program.folder / "x.json").write_text(json.dumps(record), encoding="utf-8")
    ran = program.run("replay", "x.json")
    assert_refused(ran, NO)
    assert SAY["en"](id_, cell=texts[-1]) in ran.errors


REVIEW_KEYS = ['"values"', '"proved_from"', '"accuracy"', '"review"']
"""The keys that ``replay --review --json`` adds. They can be computed again, so a reader skips them."""


def test_replay_reads_exported_files(program: Program) -> None:
    win(program)
    for arguments, skipped in (["--json"], []), (["--review", "--json"], REVIEW_KEYS):
        written = program.run("replay", "1", *arguments).output
        (program.folder / "1.json").write_text(written, encoding="utf-8")
        again = program.run("replay", "1.json", "--json")
        assert again.errors == (EN("left-out-properties", names=skipped) + "\n" if skipped else "")
        record = json.loads(again.output)
        assert record == {**{key: json.loads(written)[key] for key in record}, "id": None}


GAMES_OF_OTHERS = {
    "a.sgf": "(;GM[4]SZ[3]PB[Ada]EV[Cup]C[first]KM[0];B[bb]C[good]V[1]XY[1]XY[2];W[aa]C[why?])",
    "b.json": '{"game":"tictactoe","players":{"X":"Ada","O":""},"moves":["5","1"],'
    '"comments":["good","why?"],"evaluations":[1,null],"headers":{"comment":"first","event":"Cup"}}',
}


@pytest.mark.parametrize("source", GAMES_OF_OTHERS)
@pytest.mark.parametrize("ending", [".json", ".sgf"])
def test_export_keeps_comments_and_headers(program: Program, source: str, ending: str) -> None:
    (program.folder / source).write_text(GAMES_OF_OTHERS[source], encoding="utf-8")
    text = EN("left-out-properties", names=["KM", "XY"]) + "\n" if source == "a.sgf" else ""
    target = str(program.folder / f"c{ending}")
    assert program.run("export", source, target) == RunResult(DONE, "", text)
    written = Record.load(target)
    assert written.players == {"X": "Ada", "O": ""}
    assert (written.comments, written.evaluations) == (("good", "why?"), (1, None))
    assert written.headers == {"comment": "first", "event": "Cup"}
    answer = json_of(program.run("replay", target, "--json"))
    assert (answer["comments"], answer["headers"]) == (["good", "why?"], dict(written.headers))


@pytest.mark.parametrize(
    ("name", "text", "moves"),
    [
        ("a.psq", "Piskvorky 15x15, 11:11, 0\n8,8,0\n-1\n", ["113"]),
        ("a.rif", "<database><games><game><move>h8</move></game></games></database>", ["113"]),
        ("a.XML", "<database><games><game><move>h8</move></game></games></database>", ["113"]),
    ],
)
def test_replay_reads_files_of_other_programs(
    program: Program, name: str, text: str, moves: list[str]
) -> None:
    (program.folder / name).write_text(text, encoding="utf-8")
    assert json.loads(program.run("replay", name, "--json").output)["moves"] == moves
    assert program.run("replay", name, "--svg", "a.svg").status == DONE
    assert_refused(program.run("export", name, "b.psq"))


def test_replay_lists_supported_formats(program: Program) -> None:
    ran = program.run("replay", "game.pgn")
    assert_refused(ran)
    assert ".sgf" in ran.errors


@pytest.mark.slow
def test_analyse_splits_joined_moves(program: Program) -> None:
    ran = program.run("analyse", "reversi", "--moves", "f5d6c3", "--limit-seconds", "0.1", "--json")
    assert ran.status == DONE


def test_replay_reports_ignored_parts(program: Program) -> None:
    file, copy = program.folder / "study.sgf", program.folder / "copy.json"
    study = "(;SZ[3];B[bb]BL[60](;W[aa]WL[59]V[good])(;W[ba])(;W[ca]))(;SZ[3](;B[aa])(;B[bb]))"
    file.write_text(study, encoding="utf-8")
    counts = {"variations": 2, "games": 1, "numbers": 1}
    text = "".join(EN.plural(f"left-out-{kind}", count) + "\n" for kind, count in counts.items())
    ran = program.run("replay", str(file), "--json")
    answer = json.loads(ran.output)
    assert (answer["moves"], answer["clocks"], ran.errors) == (["5", "1"], [60_000, 59_000], text)
    assert program.run("export", str(file), str(copy)).errors == text
    assert program.run("replay", str(copy)).errors == ""


@pytest.mark.parametrize("ending", [".json", ".sgf", ".SGF"])
def test_exported_game_can_be_replayed(program: Program, ending: str) -> None:
    win(program)
    assert program.run("export", "1", f"game{ending}") == RunResult(DONE, "", "")
    read = Record.load(program.folder / f"game{ending}")
    assert (dict(read.players), read.winner) == ({"X": "Ada", "O": "Wei"}, "X")
    again = json_of(program.run("replay", f"game{ending}", "--json"))
    assert again["moves"] == json_of(program.run("replay", "1", "--json"))["moves"]


def test_export_writes_a_record(program: Program) -> None:
    win(program)
    program.run("play", "3d", "--x", "random", "--o", "random", "--keep")
    assert program.run("export", "1", "a.svg") == RunResult(DONE, "", "")
    drawn = (program.folder / "a.svg").read_bytes()
    program.run("replay", "1", "--svg", "b.svg")
    assert drawn == (program.folder / "b.svg").read_bytes()
    for id_, file in (("1", "a.txt"), ("2", "a.sgf"), ("1", "no/a.json"), ("9", "a.json")):
        assert_refused(program.run("export", id_, file, "--lang", "ru"), language="ru")


def test_export_writes_pixels(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    win(program)
    for file, begins in (("a.png", b"\x89PNG"), ("a.GIF", b"GIF89a")):
        assert program.run("export", "1", file) == RunResult(DONE, "", "")
        assert (program.folder / file).read_bytes().startswith(begins)
    assert_refused(program.run("export", "1", "no/a.png", "--lang", "ru"), language="ru")
    monkeypatch.setitem(sys.modules, "PIL", None)
    refused = program.run("export", "1", "b.gif")
    assert "“pictures”" in refused.errors
    assert not (program.folder / "b.gif").exists()


@pytest.mark.parametrize("game", ["tictactoe", "fifteen"])
def test_replay_writes_a_picture(program: Program, game: str) -> None:
    with program.store() as store:
        match = Match(new_game(game))
        start = match.game.start
        seats = {side: f"<{side} & Co>" for side in match.game.sides}
        number = store.add_game(Setup(game, seats, start, who=dict.fromkeys(seats, "human")))
        store.append(number, match.apply("X", MakeMove(match.game.legal_moves()[0]), 1))
    ran = program.run("replay", str(number), "--svg", "game.svg")
    assert (ran.status, ran.output, ran.errors) == (DONE, "", "")
    root = ElementTree.parse(program.folder / "game.svg").getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    title = root.find("{http://www.w3.org/2000/svg}title")
    assert title is not None
    assert title.text == EN("replay-title", number=number, game=game, names=list(seats.values()))
    # With both options the picture is written and the object printed.
    assert json_of(program.run("replay", str(number), "--svg", "2.svg", "--json"))["id"] == number
    assert (program.folder / "2.svg").read_bytes() == (program.folder / "game.svg").read_bytes()


@pytest.mark.parametrize("file", [".", "no/such/folder/x.svg", "games.db/x.svg", "x" * 300])
def test_replay_refuses_unwritable_picture(program: Program, file: str) -> None:
    win(program)
    assert_refused(program.run("replay", "1", "--svg", file, "--lang", "ru"), language="ru")


def test_replay_refuses_unknown_game(program: Program) -> None:
    win(program)
    for id_ in ("0", "2", "99999999999", "9" * 40, "abc", "", "٣", "1.0", "+1", " 1", "9" * 10**6):
        ran = program.run("replay", "--lang", "ru", "--", id_)
        assert_refused(ran, language="ru")
        assert "noughts history" in ran.errors
        assert len(ran.errors) < 400


# perft


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["3"], {"game": "tictactoe", "depth": 3, "nodes": 504, "counts": [9, 72, 504]}),
        (["0"], {"game": "tictactoe", "depth": 0, "nodes": 1, "counts": []}),
        (["2", "7x6:4,gravity"], {"game": "connect4", "depth": 2, "nodes": 49, "counts": [7, 49]}),
        (["1", "wild"], {"game": "wild", "depth": 1, "nodes": 18, "counts": [18]}),
        (["4", "3x1:3"], {"game": "3x1:3", "depth": 4, "nodes": 0, "counts": [3, 6, 6, 0]}),
        (["2", "three"], {"game": "three", "depth": 2, "nodes": 600, "counts": [25, 600]}),
        (["three", "2"], {"game": "three", "depth": 2, "nodes": 600, "counts": [25, 600]}),
        (["4", "2"], {"game": "4:4", "depth": 2, "nodes": 12, "counts": [4, 12]}),
        (["3x1:3"], {"game": "3x1:3", "depth": 3, "nodes": 6, "counts": [3, 6, 6]}),
        ([], {"game": "tictactoe", "depth": 3, "nodes": 504, "counts": [9, 72, 504]}),
    ],
)
def test_perft_prints_json(program: Program, arguments: list[str], expected: dict[str, Any]) -> None:
    answer = json_of(program.run("perft", *arguments, "--json"))
    assert answer == expected
    assert list(answer) == ["game", "depth", "nodes", "counts"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wide", "narrow"),
    [
        (["perft", "２", "４ｘ３：３"], ["perft", "2", "4x3:3"]),
        (["analyse", "--json", "--moves", "５　１"], ["analyse", "--json", "--moves", "5 1"]),
        (["play", "--x", "ｒａｎｄｏｍ", "--o", "random", "--cells", "０", "--seed", "３"],
         ["play", "--x", "random", "--o", "random", "--cells", "0", "--seed", "3"]),
        (["replay", "１"], ["replay", "1"]),
        (["games", "--lang", "ｒｕ"], ["games", "--lang", "ru"]),
    ],
)  # fmt: skip
def test_wide_characters_are_accepted(program: Program, wide: list[str], narrow: list[str]) -> None:
    program.run("play", "--x", "human", "--o", "human", "--names", "Ａda,Ｂo", typed=text_of(WIN))
    answer = [
        re.sub(r'"seconds": [\d.]+', "", program.run(*arguments).output) for arguments in (wide, narrow)
    ]
    assert answer[0] == answer[1] != ""
    assert {row["name"] for row in json_of(program.run("scores", "--json"))["players"]} == {"Ａda", "Ｂo"}


@pytest.mark.slow
def test_perft_prints_a_table(program: Program) -> None:
    ran = program.run("perft", "4", "3d")
    counts = perft(new_game("3d"), 4)
    assert [line.split() for line in ran.lines] == [[str(ply), str(n)] for ply, n in enumerate(counts, 1)]


# One line for every mistake, in the language of the user

MISTAKES = [
    (["verify"], "usage-missing"),
    (["replay"], "usage-missing"),
    (["perft", "tictactoe", "x"], "usage-bad-value"),
    (["perft", "tictactoe", "٣"], "usage-bad-value"),
    (["perft", "65"], "usage-bad-value"),
    (["perft", "--", "-1"], "usage-bad-value"),
    (["perft", "٣"], "no-such-game"),
    (["perft", "1" * 10**6], "usage-bad-value"),
    (["play", "--seed", "x"], "usage-bad-value"),
    (["play", "--games", "0"], "usage-bad-value"),
    (["play", "--cells", "2"], "usage-bad-value"),
    (["play", "--begins", "y"], "usage-bad-value"),
    (["perft", "2", "checkers"], "no-such-game"),
    (["perft", "2", "\udcff"], "no-such-game"),
    (["perft", "2", "1" * 10**6], "usage-bad-value"),
    (["perft", "2", "3x3:4"], "rules-k-too-large"),
    (["perft", "2", "3x3:0"], "rules-k-too-small"),
    (["perft", "2", "0x3"], "shape-side-too-short"),
    (["perft", "2", "2x2x2x2x2x2x2x2x2"], "shape-too-many-dimensions"),
    (["perft", "2", "9999x9999"], "shape-too-many-cells"),
    (["perft", "2", "3x3:3,notakto,wild"], "rules-contradiction"),
    (["perft", "2", "3x3:3,misere,players=3"], "rules-contradiction"),
    (["perft", "2", "3x3:3,vanish=2"], "rules-vanish-too-soon"),
    (["perft", "2", "3x3:3,vanish=9"], "rules-vanish-never"),
    (["perft", "2", "3x3:3,players=99"], "rules-players"),
    (["perft", "2", "3x3:3,sideways"], "game-unknown-option"),
    (["perft", "2", "3x3:3,wild,wild"], "game-option-twice"),
    (["play", *PEOPLE, "--z", "human"], "unsupported-no-such-seat"),
    (["play", "fifteen", "--x", "human", "--o", "human"], "unsupported-no-such-seat"),
    (["play", "fifteen", "--x", "human", "--series"], "series-needs-two"),
    (["play", "fifteen", "--x", "human", "--games", "2"], "series-needs-two"),
    (["play", "gomoku", "--x", "perfect", "--o", "human"], "unsupported-not-solved"),
    (["play", "three", "--x", "perfect", "--o", "human"], "unsupported-not-two-sides"),
    (["play", "--x", "nobody", "--o", "human"], "no-such-player"),
    (["play", "--x", "\udcff", "--o", "human", "--seed", "1"], "no-such-player"),
    (["play", *PEOPLE, "--names", "Ada"], "names-wrong-count"),
    (["play", *PEOPLE, "--names", "Ada,Wei,Bo"], "names-wrong-count"),
    (["play", *PEOPLE, "--names", "A\udcff,B"], "name-surrogate"),
    (["play", *PEOPLE, "--names", "A\x7f,B"], "name-control"),
    (["play", *PEOPLE, "--names", "A" * 10**6], "name-too-wide"),
    (["scores", "--db", "nosuch://x"], "store-unusable"),
    (["scores", "--db", ""], "store-unusable"),
    (["scores", "--db", "postgresql://u:secret@localhost:1/x"], "store-unusable"),
    (["dance"], "usage-no-such-command"),
    ([""], "usage-no-such-command"),
    (["\udcff"], "usage-no-such-command"),
    (["games", "tictactoe"], "usage-too-many"),
    (["perft", "1", "4x4", "5"], "usage-too-many"),
    (["play", "--y"], "usage-option-value"),
    (["games", "--db"], "usage-option-value"),
    (["games", "--json=yes"], "usage-option-value"),
    (["--dance"], "usage-no-such-option"),
    (["play", "-é"], "usage-no-such-option"),
    (["history", "--xml"], "usage-no-such-option"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "id_"), MISTAKES, ids=[f"{id_}-{n}" for n, (_, id_) in enumerate(MISTAKES)]
)
def test_usage_error_is_one_line(
    program: Program, arguments: list[str], id_: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(perfect, "LARGE_NODES", 20)
    # The environment also passes values that -- would turn into arguments.
    ran = program.under(NOUGHTS_LANG="ru").run(*arguments)
    assert_refused(ran, language="ru")
    fixed = [part for part in _between_placeholders(SAY["ru"], id_) if part.strip()]
    assert all(part in ran.errors for part in fixed), ran.errors
    assert "secret" not in ran.errors


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        (("play", "--dance"), "noughts play"),
        (("--x", "human", "--dance"), "noughts play"),
        (("replay",), "noughts replay"),
        (("games", "a"), "noughts games"),
        (("history", "--player"), "noughts history"),
        (("play", "--plain=3"), "noughts play"),
    ],
)
def test_usage_error_names_help_of_command(
    program: Program, arguments: tuple[str, ...], command: str
) -> None:
    ran = program.under(NOUGHTS_LANG="en").run(*arguments)
    assert f" {command} --help" in ran.errors


def _between_placeholders(say: Any, id_: str) -> list[str]:
    sentence = (
        say._catalogue.ngettext(id_, id_, 2) if id_ == "names-wrong-count" else say._catalogue.gettext(id_)
    )
    return [part.strip() for part in re.split(r"\{\w+\}", sentence)]


def test_unknown_language_is_reported_in_locale(program: Program) -> None:
    ran = program.under(LANG="ru_RU.UTF-8", NOUGHTS_LANG="-").run("--lang", "tlh", "games")
    assert_refused(ran, language="ru")
    assert "zh-Hant" in ran.errors
    assert_refused(program.under(NOUGHTS_LANG="tlh").run("games"))


def test_long_arguments_give_short_errors(program: Program) -> None:
    for arguments in (
        ["perft", "1", "x" * 10**6],
        ["--lang", "x" * 10**6, "games"],
        ["play", "--x", "x" * 10**6, "--o", "human"],
    ):
        ran = program.run(*arguments)
        assert_refused(ran)
        assert len(ran.errors) < 500


# Common options and the environment


@pytest.mark.parametrize(
    "arguments",
    [["--lang", "ru", "games"], ["games", "--lang", "ru"], ["--lang=ru", "games"], ["games", "--lang=ru"]],
)
def test_language_option_works_before_or_after_command(program: Program, arguments: list[str]) -> None:
    assert SAY["ru"]("rules-fifteen") in program.run(*arguments).output


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"NOUGHTS_LANG": "-", "LANG": "zh_TW.UTF-8"}, "zh-Hant"),
        ({"NOUGHTS_LANG": "zh-CN", "LANG": "ru_RU.UTF-8"}, "zh-Hans"),
        ({"NOUGHTS_LANG": "", "LANG": "ru_RU.UTF-8"}, "ru"),
        ({"NOUGHTS_LANG": "-", "LANG": "ru_RU", "LC_ALL": "C"}, "en"),
        ({"NOUGHTS_LANG": "-", "LANG": "de_DE.UTF-8"}, "en"),
        ({"NOUGHTS_LANG": "-", "LANG": "-"}, "en"),
    ],
)
def test_environment_sets_language(program: Program, environment: dict[str, str], language: str) -> None:
    assert SAY[language]("rules-fifteen") in program.under(**environment).run("games").output


def test_database_option_works_anywhere(program: Program) -> None:
    win(program)
    (program.folder / "other.db").write_bytes(program.database.read_bytes())
    program.database.unlink()
    path = str(program.folder / "other.db")
    for arguments in (
        ["--db", path, "scores"],
        ["scores", "--db", path],
        ["scores", f"--db=sqlite:///{path}"],
    ):
        assert "Ada" in program.run(*arguments).output
        assert not program.database.exists()
    assert "Ada" in program.under(NOUGHTS_DB=path).run("scores").output
    assert "Ada" not in program.under(NOUGHTS_DB=path).run("scores", "--db", "third.db").output


def test_default_database_is_in_data_folder(program: Program) -> None:
    data = program.folder / "data of mine"
    mine = program.under(NOUGHTS_DB="-", XDG_DATA_HOME=str(data))
    win(mine)
    assert (data / "noughts" / "games.db").exists()
    assert "Ada" in mine.run("scores").output
    assert "Ada" not in program.run("scores").output


def test_play_is_the_default_command(program: Program) -> None:
    ran = program.run(typed=text_of(["tictactoe", "1", "Ada", "Wei", "n", *WIN]))
    assert (ran.status, ran.errors) == (DONE, "")
    assert EN.plural("wins-row", 5, winner="Ada", number=1, cells=row("1 2 3")) in ran.lines


def test_version_is_printed(program: Program) -> None:
    assert program.run("--version").output.startswith("noughts ")


# Unusable databases


def spoil(program: Program, statement: str) -> bytes:
    with sqlite3.connect(program.database) as connection:
        connection.execute(statement)
    connection.close()
    return program.database.read_bytes()


READING = (["scores"], ["history"], ["replay", "1"], ["history", "--json"])


@pytest.mark.parametrize(
    ("statement", "status", "id_"),
    [
        ('UPDATE games SET seats = \'{"X": "Eve", "O": "Wei"}\'', NO, "store-damaged"),
        ('UPDATE events SET data = \'{"move": "9"}\' WHERE version = 1', NO, "store-damaged"),
        ("DELETE FROM events WHERE version = 5", NO, "store-damaged"),
        ("UPDATE noughts_version SET version_num = '9999'", UNUSABLE, "store-newer"),
        ("DROP TABLE noughts_version", NO, "store-damaged"),
        ("DROP TABLE events", NO, "store-damaged"),
        ("ALTER TABLE games DROP COLUMN who", NO, "store-damaged"),
    ],
)
def test_unusable_database_stays_unchanged(program: Program, statement: str, status: int, id_: str) -> None:
    win(program)
    content = spoil(program, statement)
    commands = READING if " TABLE " in statement or status == UNUSABLE else READING[2:3]
    for command in commands:
        ran = program.run(*command, "--lang", "ru")
        if status == NO:
            assert_damaged(ran, "ru")
        else:
            assert_refused(ran, status, "ru")
        assert _between_placeholders(SAY["ru"], id_)[1] in ran.errors
    assert program.database.read_bytes() == content


@pytest.mark.slow
@pytest.mark.parametrize(
    "statement",
    [
        'UPDATE games SET seats = \'{"X": "Eve", "O": "Wei"}\' WHERE id = 2',
        "UPDATE events SET data = '{}' WHERE game_id = 2 AND version = 6",
        "UPDATE games SET digest = '' WHERE id = 2",
        "DELETE FROM games WHERE id = 2",
    ],
)
def test_damaged_row_hides_no_other_game(program: Program, statement: str) -> None:
    for _ in range(3):
        win(program)
    before = json_of(program.run("scores", "--json"))["players"]
    spoil(program, "DROP TABLE results")  # Results that were counted earlier are trusted.
    content = spoil(program, statement)
    for command in (["scores"], ["history"], ["scores", "--json"], ["history", "--json"]):
        ran = program.run(*command)
        assert (ran.status, len(ran.errors.splitlines())) == (NO, 2)
        assert "game 2" in ran.errors
        assert ran.errors.endswith(EN("repair-offered") + "\n")
    assert [game["id"] for game in json.loads(program.run("history", "--json").output)["games"]] == [3, 1]
    winner = json.loads(program.run("scores", "--json").output)["players"][0]
    assert (winner["wins"], before[0]["wins"]) == (2, 3)
    assert program.database.read_bytes() == content


def test_unreadable_game_hides_no_other(program: Program) -> None:
    with program.store() as store:
        for move in ("5", "99"):
            number = store.add_game(Setup("tictactoe", {"X": "Ada", "O": "Wei"}))
            store.append(number, [Event(1, 1, EventKind.MOVE, "X", {"move": move})])
    ran = program.run("history")
    assert (ran.status, len(ran.lines), len(ran.errors.splitlines())) == (NO, 3, 2)
    with program.store() as store:
        ending = Event(2, 2, EventKind.END, None, {"winner": "Q", "termination": "line"})
        store.append(2, [ending])
    ran = program.run("scores")
    assert (ran.status, ran.output, len(ran.errors.splitlines())) == (NO, "", 2)
    with program.store() as store, pytest.raises(DamagedStore):
        store.results()


@pytest.mark.parametrize("content", [b"", b"not a database, only some text\n" * 40, None])
def test_other_file_as_database_stays_unchanged(program: Program, content: bytes | None) -> None:
    win(program)
    content = program.database.read_bytes()[:5000] if content is None else content
    program.database.write_bytes(content)
    for command in READING:
        assert_damaged(program.run(*command))
    ran = program.run("play", *PEOPLE, typed="5\n")
    assert ran.status == NO
    assert len(ran.errors.splitlines()) == 2
    assert program.database.read_bytes() == content


@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_locked_database_is_refused_soon(
    program: Program, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    win(program)
    monkeypatch.setattr(database, "LOCKED_SECONDS", 0.0)
    with contextlib.closing(sqlite3.connect(program.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        ran = program.run(*command)
    assert_refused(ran)
    assert EN("store-reason-locked") in ran.errors


def test_folder_as_database_is_refused(program: Program) -> None:
    assert_refused(program.run("scores", "--db", str(program.folder)))


# Playing


@pytest.mark.slow
@pytest.mark.parametrize("seat", ["random", "rule", "perfect"])
def test_keep_option_saves_computer_games(program: Program, seat: str) -> None:
    computers = ("play", "--x", seat, "--o", "random", "--seed", "1")
    assert program.run(*computers).status == DONE
    assert json_of(program.run("history", "--json")) == {"games": []}
    assert program.run(*computers, "--keep").status == DONE
    (game,) = json_of(program.run("history", "--json"))["games"]
    assert game["players"] in ({"X": seat, "O": "random"}, {"X": "random", "O": "random (2)"})
    assert game["termination"] in ("line", "full")


@pytest.mark.slow
@pytest.mark.parametrize("game", ["tictactoe", "three"])
def test_seed_makes_game_repeatable(program: Program, game: str) -> None:
    seats = ["--x", "random", "--o", "random", *(["--z", "random"] if game == "three" else [])]
    outputs = [program.run("play", game, *seats, "--seed", str(seed)).output for seed in (7, 7, 8)]
    assert outputs[0] == outputs[1] != outputs[2]
    assert outputs[0]


@pytest.mark.slow
def test_computer_series_ends_with_scores(program: Program) -> None:
    computers = ("play", "--x", "random", "--o", "rule", "--seed", "3", "--keep")
    ran = program.run(*computers, "--games", "4")
    assert ran.status == DONE
    called = [seated.player_called(EN, name, name) for name in ("random", "rule")]
    assert sum(EN("begins", name=name, mark="X") in line for line in ran.lines for name in called) == 4
    assert sum(line.startswith(called[0] + "  ") for line in ran.lines) == 6  # Each scoreboard has a row.
    players = json_of(program.run("scores", "--json"))["players"]
    assert {player["name"]: sum(v for k, v in player.items() if k != "name") for player in players} == {
        "random": 4,
        "rule": 4,
    }
    assert program.run(*computers, "--series").output.count(EN("final-scores")) == 1
    assert len(json_of(program.run("history", "--json"))["games"]) == 14


def test_cells_option_counts_from_0(program: Program) -> None:
    ran = program.run("play", *PEOPLE, "--cells", "0", typed=text_of(["9", "0", "0", "8", "q"]))
    assert (
        EN("prompt-cell", player=EN("player-with-mark", name="Player 1", mark="X"), first=0, last=8)
        in ran.lines
    )
    assert f"{EN('move-no-such-cell', text='9')} {EN('accepted-cell', first=0, last=8)}" in ran.lines
    assert EN("cell-taken", cell="0", free=[str(cell) for cell in range(1, 9)]) in ran.lines
    # Stored games and JSON count from 1 in any case.
    assert json_of(program.run("history", "--json"))["games"][0]["moves"] == ["1", "9"]


def test_columns_always_count_from_1(program: Program) -> None:
    ran = program.run("play", "connect4", *PEOPLE, "--cells", "0", typed=text_of(["0", "1", "7", "q"]))
    assert f"{EN('move-no-such-column', text='0')} {EN('accepted-column', first=1, last=7)}" in ran.lines
    assert json_of(program.run("history", "--json"))["games"][0]["moves"] == ["1", "7"]


def test_play_supports_three_players(program: Program) -> None:
    seats = ("--x", "human", "--o", "human", "--z", "human", "--names", "A,B,C")
    moves = ["1", "10", "21", "2", "11", "22", "3", "12", "23", "5", "4", "24"]
    ran = program.run("play", "three", *seats, typed=text_of(moves))
    assert ran.status == DONE
    (game,) = json_of(program.run("history", "--json"))["games"]
    assert (game["players"], game["winner"]) == ({"X": "A", "O": "B", "Z": "C"}, "Z")
    scores = {
        row["name"]: row["wins"] - row["losses"]
        for row in json_of(program.run("scores", "--json"))["players"]
    }
    assert scores == {"A": -1, "B": -1, "C": 1}


def test_third_player_is_human_by_default(program: Program) -> None:
    ran = program.run("play", "three", *PEOPLE, typed=text_of(["1", "2", "3", "q"]))
    assert EN("player-with-mark", name="Player 3", mark="Z") in ran.output


def test_play_supports_one_player(program: Program) -> None:
    game = new_game("fifteen", seed=5)
    move = str(game.legal_moves()[0][0] * 4 + game.legal_moves()[0][1] + 1)
    typed = text_of([move, "d", "u", move, "r"])
    ran = program.run("play", "fifteen", "--x", "human", "--names", "Ada", "--seed", "5", typed=typed)
    assert ran.status == DONE
    assert EN("refused-nobody-to-ask") in ran.lines
    assert EN("end-resignation", loser="Ada") in ran.lines
    (stored,) = json_of(program.run("history", "--json"))["games"]
    assert (stored["moves"], stored["players"], stored["winner"]) == ([move], {"X": "Ada"}, None)
    assert json_of(program.run("scores", "--json"))["players"][0]["losses"] == 1


@pytest.mark.parametrize("word", ["q", "Q", "в", "В"])
def test_quit_command_leaves_the_game(program: Program, word: str) -> None:
    ran = program.run("play", *PEOPLE, typed=f"5\n{word}\n")
    assert (ran.status, ran.errors, ran.lines[-1]) == (DONE, "", EN("left-kept"))
    ran = program.run("play", "--x", "human", "--o", "random", typed=f"{word}\n")
    assert (ran.status, ran.errors, ran.lines[-1]) == (DONE, "", EN("left"))


def test_end_of_input_keeps_the_game(program: Program) -> None:
    ran = program.run("play", *PEOPLE, "--lang", "ru", typed="5\n1")
    assert (ran.status, ran.errors, ran.lines[-1]) == (NO, "", SAY["ru"]("left-kept"))
    assert json_of(program.run("history", "--json"))["games"][0]["moves"] == ["5", "1"]
    assert program.run(typed="").status == DONE  # A question interrupts no game.


# Processes


def read_until(process: subprocess.Popen[bytes], text: str) -> str:
    """Read the output up to *text*."""
    assert process.stdout is not None
    sentence = b""
    while text.encode() not in sentence:
        more = process.stdout.read1(4096)  # type: ignore[attr-defined]
        assert more, sentence.decode()
        sentence += more
    return sentence.decode()


@pytest.mark.slow
@pytest.mark.parametrize("typed", [b"", b"5\n"])
def test_ctrl_c_quits_cleanly(program: Program, typed: bytes) -> None:
    with program.start("play", *PEOPLE) as process:
        assert process.stdin is not None
        read_until(process, "Player 1 (X), your move")
        if typed:
            process.stdin.write(typed)
            process.stdin.flush()
            read_until(process, "Player 2 (O), your move")
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (DONE, b"")
    assert output.decode().splitlines()[-1] == EN("left-kept" if typed else "left")
    games = json_of(program.run("history", "--json"))["games"]
    assert [game["moves"] for game in games] == [["5"]] * len(typed[:1])


@pytest.mark.slow
def test_closed_input_quits_the_game(program: Program) -> None:
    done = subprocess.run(
        ["sh", "-c", f"'{COMMAND}' play --x human --o human <&-"],
        env=program.variables(),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (NO, b"")
    assert done.stdout.decode().splitlines()[-1] == EN("left")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("arguments", ["games", "play --x human --o human", "history --json"])
def test_unwritable_output_gives_one_line(program: Program, arguments: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f"'{COMMAND}' {arguments} > /dev/full"],
        env=program.variables(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr.count(b"\n")) == (UNUSABLE, 1)
    assert b"Traceback" not in done.stderr


@pytest.mark.slow
def test_closed_output_is_no_error(program: Program) -> None:
    done = subprocess.run(
        ["sh", "-c", f"'{COMMAND}' games >&-"], env=program.variables(), capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (DONE, b"")


@pytest.mark.slow
def test_broken_pipe_is_no_error(program: Program) -> None:
    done = subprocess.run(
        ["sh", "-c", f"'{COMMAND}' play 99x99:5 --x human --o human | head -n 1"],
        env=program.variables(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert (done.stderr, done.stdout.count(b"\n")) == (b"", 1)


@pytest.mark.slow
def test_undecodable_argument_gives_one_line(program: Program) -> None:
    done = subprocess.run(
        [COMMAND, b"perft", b"1", b"\xff\xfe"], env=program.variables(), capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (UNUSABLE, b"", 1)
    assert b"\\udcff" in done.stderr


# Arbitrary arguments

OPTIONS = [
    "--json",
    "--lang",
    "--db",
    "--x",
    "--o",
    "--z",
    "--names",
    "--series",
    "--begins",
    "--games",
    "--seed",
    "--plain",
    "--cells",
    "--keep",
    "--svg",
    "--help",
    "--version",
    "--",
    "--x=human",
    "--lang=ru",
    "-h",
]
COMMANDS = ["play", "games", "players", "scores", "history", "replay", "export", "perft"]
VALUES = [
    "0",
    "1",
    "2",
    "-1",
    "human",
    "random",
    "rule",
    "Ada,Wei",
    "chooser",
    "x",
    "ru",
    "zh-Hant",
    "en",
    "tictactoe",
    "3x3:3",
    "4x4",
    "3x3:3,wild",
    "2x2x2",
    "",
    "\udcff",
    "\x1b[2J",
    "games.db",
    "sqlite://",
    "sqlite:",
    "nosuch://",
]
anything = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"], exclude_characters="\x00/\\~"),
        st.characters(min_codepoint=0xDC80, max_codepoint=0xDCFF),
    ),
    max_size=8,
)


@functools.cache
def one_game() -> bytes:
    """Return a database with one game."""
    with tempfile.TemporaryDirectory() as folder:
        program = Program(Path(folder))
        win(program)
        return program.database.read_bytes()


@pytest.mark.slow
@given(
    st.lists(
        st.one_of(st.sampled_from(COMMANDS), st.sampled_from(OPTIONS), st.sampled_from(VALUES), anything),
        max_size=6,
    ),
    st.lists(st.sampled_from(["1", "5", "h", "", "q"]), max_size=3),
)
@example(["perft", "3", "\udcff"], [])
@example(["play", "--x", "random", "--o", "random", "--games", "1", "--names", "A,A"], [])
@example(["replay", "1", "--svg", "\udcff.svg"], [])
def test_command_line_survives_any_arguments(arguments: list[str], typed: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "games.db").write_bytes(one_game())
        program = Program(Path(folder))
        ran = program.run(*arguments, typed=text_of(typed))
    assert ran.status in (DONE, NO, UNUSABLE)
    assert "Traceback" not in ran.errors
    assert len(ran.errors.splitlines()) == (1 if ran.status == UNUSABLE else 0), ran.errors
    if ran.status == UNUSABLE:
        assert ran.errors.strip()


def test_series_is_stored_with_its_rule(program: Program) -> None:
    program.run(
        "play", *PEOPLE, "--series", "--begins", "loser", "--names", "A,B", typed=text_of([*WIN, "5", "q"])
    )
    with program.store() as store:
        result = open_series(store)
        assert result is not None
        number, setup = result
        assert (setup.players, setup.begins, setup.game) == (("A", "B"), Begins.LOSER, "tictactoe")
        assert isinstance(setup, SeriesSetup)
        assert [dict(game.setup.seats) for game in store.games(number)] == [
            {"X": "A", "O": "B"},
            {"X": "B", "O": "A"},
        ]


def test_play_options_work_without_command(program: Program) -> None:
    seats = ("--x", "human", "--o", "random", "--seed", "1")
    assert (
        program.run("--plain", *seats, typed="q\n").output == program.run("play", *seats, typed="q\n").output
    )
    assert program.run("--plain").shows(EN("choose-game"))
    assert program.run("--flain").errors == program.run("--lang", "en", "--flain").errors


def test_players_mentions_weaker_level(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    caution = EN("levels-without-fast", level="10", **install_commands("fast"))
    assert caution not in program.run("players").lines
    monkeypatch.setattr(seated, "find_spec", lambda name: None)
    assert program.run("players").lines[-1] == caution


def test_repair_saves_intact_games(program: Program) -> None:
    for _ in range(3):
        win(program)
    with program.store() as store:
        store.add_series(SeriesSetup("tictactoe", ("Ada", "Wei"), Begins.LOSER))
    spoil(program, "UPDATE games SET created = 1 WHERE id = 2")
    spoil(program, "UPDATE series SET created = 1")
    spoil(program, "INSERT INTO tournaments VALUES (1, 1, 'spoilt', '', '', '')")
    content, new = program.database.read_bytes(), program.folder / "new.db"
    ran = program.run("repair", str(new))
    assert (ran.status, ran.lines) == (DONE, [EN.plural("repair-saved", 2, name=new)])
    assert ran.errors.splitlines() == [
        EN.plural("repair-lost-games", 1, numbers=[2]),
        EN.plural("repair-lost-series", 1, numbers=[1]),
        EN.plural("repair-lost-tournaments", 1, numbers=[1]),
    ]
    stored = json_of(program.run("history", "--json", "--db", str(new)))["games"]
    assert [game["id"] for game in stored] == [3, 1]
    assert program.database.read_bytes() == content
    assert_refused(program.run("repair", str(new)))
    assert_refused(program.run("repair", str(program.folder)))
    assert_refused(program.run("repair", "other.db", "--db", "postgresql://localhost/noughts"))
    missing = program.run("repair", "other.db", "--db", str(program.folder / "not-there.db"))
    assert_refused(missing)
    assert "not-there.db" in missing.errors
    assert_refused(program.run("repair", str(program.folder / "new" / "new.db")))
    assert not (program.folder / "new").exists()
    program.database.write_bytes(b"nothing whole" * 500)
    ran = program.run("repair", str(program.folder / "empty.db"))
    assert (ran.status, ran.output, ran.errors) == (NO, "", EN("repair-nothing") + "\n")


def test_terminal_output_notes_listed_games(program: Program) -> None:
    program.run("play", "tictactoe", "--x", "random", "--o", "random", "--keep")
    for command in ("history", "scores"):
        assert program.run(command, "--lang", "en", is_terminal=True).lines[-1] == EN("all-games-here")
        assert EN("all-games-here") not in program.run(command, "--lang", "en").output
