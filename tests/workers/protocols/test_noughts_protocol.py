"""The protocol ``noughts 1`` as text: written lines keep their meaning, and any text can be parsed."""

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import new_game
from noughts.errors import NotationError, NotFound, NoughtsError, UnsupportedRules
from noughts.games.base import Game
from noughts.games.catalogue import game_names
from noughts.games.kinarow import KInARow
from noughts.games.notation import parse_position
from noughts.search.analysis import Limit, Progress
from noughts.workers.protocols import noughts_protocol
from noughts.workers.protocols.noughts_protocol import ProtocolLine, format_line, parse_line

WORDS = st.from_regex(r"[a-z0-9.,/:+-]{1,8}", fullmatch=True)
KEYS = st.dictionaries(st.from_regex(r"[a-z]{1,5}", fullmatch=True), st.text(max_size=20))


@pytest.mark.slow
@given(WORDS, st.lists(WORDS), KEYS)
def test_lines_round_trip(word: str, words: list[str], keys: dict[str, str]) -> None:
    text = format_line(word, *words, **keys)
    assert "\n" not in text
    assert "\r" not in text
    line = parse_line(text)
    assert (line.word, line.words) == (word, tuple(words))
    assert line.keys == keys


@given(st.text())
def test_any_text_is_a_line(text: str) -> None:
    line = parse_line(text)
    assert isinstance(line, ProtocolLine)
    game = new_game("tictactoe")
    assert noughts_protocol.parse_info(line, game).stage == "searching"
    noughts_protocol.parse_limit(line, 1)
    noughts_protocol.can_play([line], game)
    reads: list[Callable[[], Game]] = [
        lambda: noughts_protocol.parse_game(text),
        lambda: noughts_protocol.parse_position_line(game, text),
    ]
    for read in reads:
        with suppress(NoughtsError, ValueError, TypeError):
            read()
    assert game.ply == 0


def test_proved_values_become_scores() -> None:
    line = parse_line(r'error x a="q \" w" b="un" c="broken d=1 e= f=-5')
    assert line.words == ("x",)
    assert line.keys == {"a": 'q " w', "b": "un", "c": '"broken', "d": "1", "e": "", "f": "-5"}
    assert (line.number("d"), line.number("f"), line.number("e"), line.number("z")) == (1, -5, None, None)
    assert format_line("a", "b c", d=None, e='"') == 'a b c e="\\""'


def later(name: str) -> Game:
    game, chance = new_game(name, seed=7), Random(3)
    for _ in range(6):
        if not game.is_over:
            game.play(chance.choice(list(game.legal_moves())))
    return game


@pytest.mark.parametrize("name", [*game_names(), "6x6:4,vanish=5", "4x4:4,players=3", "5x6x4:3,wild,wrap=x"])
def test_every_game_round_trips(name: str) -> None:
    game = later(name)
    fresh = noughts_protocol.parse_game(parse_line(noughts_protocol.format_game(game)).rest)
    there = noughts_protocol.parse_position_line(
        fresh, parse_line(noughts_protocol.format_position(game)).rest
    )
    assert (there.name, there.key(), there.moves) == (game.name, game.key(), game.moves)
    assert fresh.ply == 0


def test_positions_and_turn_orders_round_trip() -> None:
    start = new_game("5x5:4", marks=("O", "X"))
    game = parse_position(start, "XO.../...../..O../...../..X..")
    game.play((4, 4))
    line = parse_line(noughts_protocol.format_game(game))
    assert line.rest == '{"game": "5x5:4", "marks": "OX"}'
    there = noughts_protocol.parse_position_line(
        noughts_protocol.parse_game(line.rest), parse_line(noughts_protocol.format_position(game)).rest
    )
    assert (there.key(), there.turn, there.start) == (game.key(), game.turn, game.start)


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ('{"shape": [6, 7], "k": 4, "gravity": true, "misere": false}', "7x6:4,gravity"),
        ('{"shape": [3, 3, 3]}', "3x3x3:3"),
        ('{"shape": [4, 4], "wrap": "x"}', "4x4:4,wrap=x"),
        ("7x6:4,gravity", "7x6:4,gravity"),
    ],
)
def test_games_are_parsed_from_facts(text: str, spec: str) -> None:
    assert noughts_protocol.parse_game(text).name == spec


@pytest.mark.parametrize(
    "text",
    ['{"shape": 3}', "{", '{"k": 3}', '{"game": "nothing"}', '{"shape": ["x"]}', "[" * 9, '{"a":' * 99_999],
)
def test_invalid_games_are_refused(text: str) -> None:
    with pytest.raises((NoughtsError, ValueError)):
        noughts_protocol.parse_game(text)


class Unnamed(KInARow):
    """A game with the name of another."""

    @property
    def facts(self) -> frozenset[str]:
        return frozenset(("unheard-of",))


def test_unnamed_game_is_refused() -> None:
    with pytest.raises(UnsupportedRules) as caught:
        noughts_protocol.format_game(Unnamed(new_game("tictactoe").rules))
    assert caught.value.reason == "no-name"


def test_illegal_move_differs_from_a_bad_position() -> None:
    game = new_game("tictactoe")
    for text, what in [("start moves 5 5", "move"), ("XX/X", "position"), ("", "position")]:
        with pytest.raises(NotationError) as caught:
            noughts_protocol.parse_position_line(game, text)
        assert caught.value.what == what


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("go 1", Limit()),
        ("go 1 turn=1000 nodes=5 depth=2", Limit(1.0, 5, 2)),
        ("go 1 left=4000,8000 inc=100", Limit(0.5)),
        ("go 1 left=4000,8000 turn=100", Limit(0.1)),
        ("go 1 left=4000 turn=100", Limit(0.1)),
        ("go 1 left=x,-5 turn=100 nodes=-3", Limit(0.0, 0)),
    ],
)
def test_limits_are_parsed(text: str, limit: Limit) -> None:
    assert noughts_protocol.parse_limit(parse_line(text), 1) == limit


def test_progress_round_trips() -> None:
    game = new_game("connect4")
    received = Progress("searching", 5123, 6, (5, 3), ((5, 3), (4, 3)), 31)
    text = noughts_protocol.format_info(7, received, game, 210)
    assert text == "info 7 depth=6 nodes=5123 ms=210 raw=31 pv=4,4"
    assert noughts_protocol.parse_info(parse_line(text), game) == received
    assert noughts_protocol.format_info(7, Progress("searching"), game, 0) == "info 7 ms=0"
    assert "pv=4" in noughts_protocol.format_info(7, Progress("searching", best=(5, 3)), game, 0)
    result = noughts_protocol.parse_info(parse_line("info 7 value=loss score=+3 depth=-4 pv=4,99,5"), game)
    assert result == Progress("searching", 0, 0, (5, 3), ((5, 3),), -1000)
    assert noughts_protocol.parse_info(parse_line("info 7 score=-3 raw=9"), game).score == -3


def test_can_lines_limit_the_games() -> None:
    def can(text: str, name: str) -> bool:
        return noughts_protocol.can_play([parse_line(text)], new_game(name))

    assert noughts_protocol.can_play([], new_game("ultimate"))
    assert can("can kinarow", "tictactoe")
    assert can("can kinarow dims=2 options=exact", "gomoku-standard")
    assert can("can kinarow players=3", "three")
    refused: list[Any] = [
        ("can kinarow dims=2", "qubic"),
        ("can kinarow dims=3..4", "tictactoe"),
        ("can kinarow cells=8", "tictactoe"),
        ("can kinarow", "three"),
        ("can kinarow", "connect4"),
        ("can kinarow", "reversi"),
        ("can everything", "tictactoe"),
    ]
    assert not [case for case in refused if can(*case)]


def test_ask_lines_name_the_opening() -> None:
    game = new_game("gomoku")
    assert noughts_protocol.format_ask(3, game, Limit(seconds=1), placing=3) == "ask 3 swap2 turn=1000"
    game.play((0, 0))
    assert noughts_protocol.format_ask(4, game, Limit(), ("swap",)) == "ask 4 pie 1"
    assert noughts_protocol.format_ask(4, game, Limit(), ("swap", "put")) is None
    assert noughts_protocol.opening_state("pie", game).answers == ("swap",)
    for cell in (1, 2):
        game.play((0, cell))
    assert noughts_protocol.format_ask(5, game, Limit(), ("swap", "put")) == "ask 5 swap2 1 2 3"
    assert noughts_protocol.opening_state("swap2", game).to_put == 2
    for cell in (3, 4):
        game.play((0, cell))
    assert noughts_protocol.format_ask(6, game, Limit(), ("swap",)) == "ask 6 swap2 1 2 3 4 5"
    with pytest.raises(NotFound):
        noughts_protocol.opening_state("gambit", game)
