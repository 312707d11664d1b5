"""Sentences about matches, with numbers and with letters."""

import pytest

from noughts.arena.commands import Accept, Command, Decline, Leave, MakeMove, OfferDraw, Resign, TakeBack
from noughts.arena.events import Event, EventKind
from noughts.arena.match import Match
from noughts.errors import BadInput, NotationError
from noughts.games.catalogue import new_game
from noughts.games.notation import parse_move, parse_position
from noughts.interfaces.presenting.i18n import Phrase, Translator
from noughts.interfaces.presenting.known_result_texts import say_basis
from noughts.interfaces.presenting.match_texts import Wording
from noughts.interfaces.presenting.move_names import Names
from tests.interfaces.harness import EN, SAY

SEATS = {"X": "Ada", "O": "Wei"}
PEOPLE = {"X": "human", "O": "human"}


def played(game: str, moves: str) -> Match:
    match = Match(new_game(game))
    for text in moves.split():
        match.apply(match.turn, MakeMove(parse_move(match.game, text)), 0)
    return match


def wording(
    match: Match, *, letters: bool = False, say: Translator = EN, who: dict[str, str] = PEOPLE
) -> Wording:
    return Wording(say, match, SEATS, who, Names(match.game, letters=letters))


def told(match: Match, *commands: tuple[str, Command], letters: bool = False) -> list[str]:
    """Return the sentences about the events of *commands*."""
    words = wording(match, letters=letters)
    sentences: list[str] = []
    for side, command in commands:
        for event in _events(match, side, command):
            sentences += words.sentences(event)
    return sentences


def _events(match: Match, side: str, command: Command) -> list[Event]:
    events = match.apply(side, command, 0)
    assert len(events) == 1 or events[-1].kind is not EventKind.MOVE
    return events


# Ends, by letters


@pytest.mark.parametrize(
    ("game", "moves", "numbers", "letters"),
    [
        ("tictactoe", "1 4 2 5 3", "row 1, cells 1 2 3", "row 3, a3 b3 c3"),
        ("tictactoe", "7 4 8 5 9", "row 3, cells 7 8 9", "row 1, a1 b1 c1"),
        ("tictactoe", "2 1 5 3 8", "column 2, cells 2 5 8", "column b, b3 b2 b1"),
        ("tictactoe", "1 2 5 3 9", "main diagonal, cells 1 5 9", "main diagonal, a3 b2 c1"),
        ("tictactoe", "3 2 5 1 7", "anti-diagonal, cells 7 5 3", "anti-diagonal, a1 b2 c3"),
        ("3x3:3,wrap", "2 1 6 3 7", "line over the edge, cells 2 6 7", "line over the edge, b3 c2 a1"),
        ("connect4", "1 2 1 2 1 2 1", "column 1", "column 1"),
        ("connect4", "1 1 2 2 3 3 4", "row 1, columns 1 2 3 4", "row 1, columns 1 2 3 4"),
        ("connect4", "1 2 2 3 3 4 3 4 4 6 4", "diagonal, columns 1 2 3 4", "diagonal, columns 1 2 3 4"),
        (
            "3d",
            "1 2 10 11 19",
            "line through space, cells 1 10 19 (1a3 2a3 3a3)",
            "line through space, 1a3 2a3 3a3",
        ),
        ("score4", "6 2 6 2 6 2 6", "column 6", "column 6"),
        ("score4", "6 2 5 2 7 3 8", "layer 4, row 2, columns 5 6 7 8", "layer 4, row 2, columns 5 6 7 8"),
        (
            "4d",
            "41 1 40 2 42",
            "layer 2.2, row 2, cells 40 41 42 (2.2a2 2.2b2 2.2c2)",
            "layer 2.2, row 2, 2.2a2 2.2b2 2.2c2",
        ),
    ],
)
def test_winning_line_uses_board_labels(game: str, moves: str, numbers: str, letters: str) -> None:
    match = played(game, moves)
    assert match.outcome is not None
    end = Event(match.version, 0, EventKind.END, None)
    plies = len(moves.split())
    for with_letters, line in ((False, numbers), (True, letters)):
        words = wording(match, letters=with_letters)
        assert words.result(match.outcome, end) == [f"Ada wins: {line}, after {plies} moves."]


@pytest.mark.parametrize(
    ("game", "moves", "expected"),
    [
        ("tictactoe", "1 4 2 5 3", "Row 3: a3 b3 c3. 5 moves."),
        ("tictactoe", "1 4 2 7 9 8 6 5 3", "Row 3: a3 b3 c3. Column c: c3 c2 c1. 9 moves."),
        ("misere", "1 4 2 5 3", "Ada completed a row. Row 3: a3 b3 c3. 5 moves."),
        ("connect4", "1 2 1 2 1 2 1", "Column 1. 7 moves."),
        ("tictactoe", "1 2 3 5 4 6 8 7 9", "No move is left. 9 moves."),
    ],
)
def test_ending_omits_the_winner(game: str, moves: str, expected: str) -> None:
    match = played(game, moves)
    assert match.outcome is not None
    end = Event(match.version, 0, EventKind.END, None)
    assert EN.joined(wording(match, letters=True).how(match.outcome, end)) == expected


def test_resignation_omits_the_winner() -> None:
    match = played("tictactoe", "1 4")
    *_, end = match.apply("X", Resign(), 0)
    assert match.outcome is not None
    assert wording(match).how(match.outcome, end) == [EN("end-resignation", loser="Ada")]


def test_sentences_use_letters() -> None:
    say = SAY["ru"]
    match = played("tictactoe", "1 4 2 5 3")
    assert match.outcome is not None
    words = wording(match, letters=True, say=say)
    end = Event(match.version, 0, EventKind.END, None)
    (result,) = words.result(match.outcome, end)
    assert result == say.plural("wins-row", 5, winner="Ada", number=3, cells="a3 b3 c3")
    assert words.accepted() == say("accepted-cell-letters", first=1, last=9, cell="b2")


def test_two_winning_lines_use_letters() -> None:
    match = played("tictactoe", "1 4 2 7 9 8 6 5 3")
    assert match.outcome is not None
    result = wording(match, letters=True).result(match.outcome, Event(0, 0, EventKind.END, None))
    assert result == [
        EN.plural("wins-after", 9, winner="Ada"),
        EN("line-row", number=3, cells="a3 b3 c3"),
        EN("line-column", number="c", cells="c3 c2 c1"),
    ]


def test_line_owner_wins_in_any_order() -> None:
    match = Match(parse_position(new_game("tictactoe"), "X../.O./..X O"))
    for text in ("2", "3", "8"):
        *_, end = match.apply(match.turn, MakeMove(parse_move(match.game, text)), 0)
    assert wording(match).ended(end)[0] == "Wei wins: column 2, cells 2 5 8, after 3 moves."


def test_ultimate_win_names_fields() -> None:
    moves = (
        "h2 f5 i6 i8 g5 b5 e4 e2 e5 d6 c7 i2 h4 d1 b3 f8 g6 a9 b9 "
        "f7 i3 g9 b8 d4 a3 c9 i9 h8 e6 e9 d8 c6 i7 g3 b7 f1 g1"
    )
    match = played("ultimate", moves)
    assert match.outcome is not None
    result = wording(match, letters=True).result(match.outcome, Event(0, 0, EventKind.END, None))
    assert result == [EN.plural("wins-fields", 37, winner="Ada", fields="a7-c9 d4-f6 g1-i3")]


# Other sentences


def test_prompt_uses_board_labels() -> None:
    """On a board with letters the prompt once asked for numbers from 1 to 225."""
    for spec, expected in (
        ("gomoku", "(such as a15,"),
        ("9x1:3", "(1-9,"),
        ("15x15:5,wild", "(such as Xa15,"),
    ):
        game = new_game(spec)
        assert expected in Wording(EN, Match(game), {"X": "Ada"}, {}, Names(game)).prompt("X")


def test_moves_and_refusals_use_letters() -> None:
    match = Match(new_game())
    words = wording(match, letters=True)
    (event,) = match.apply("X", MakeMove((0, 0)), 0)
    ada = EN("player-with-mark", name="Ada", mark="X")
    assert words.player("X") == ada
    assert words.moved(event) == EN("plays", player=ada, move="a3")
    assert words.moves_so_far() == [
        EN("moves-so-far", player=ada, moves=["a3"]),
        EN("no-moves-so-far", player=words.player("O")),
    ]
    with pytest.raises(BadInput) as taken:
        match.apply("O", MakeMove((0, 0)), 0)
    assert "a3" in words.refusal(taken.value)
    assert "b2" in words.refusal(taken.value)
    assert words.refusal(NotationError("move", " ", "unreadable")) == words.accepted()
    unreadable = NotationError("move", "?!", "unreadable")
    assert words.refusal(unreadable) == EN.joined([EN.error(unreadable), words.accepted()])


@pytest.mark.parametrize(
    ("moves", "point", "reason"),
    [
        ("f8 a1 g8 c1 h9 e1 h10 g1", "h8", "33"),
        ("d8 a1 f8 c1 g8 e1 j8 g1", "h8", "44"),
        ("e8 a1 f8 c1 g8 e1 i8 g1 j8 i1", "h8", "6"),
    ],
)
def test_forbidden_point_has_a_reason(moves: str, point: str, reason: str) -> None:
    match = played("15x15:5,renju", moves)
    with pytest.raises(BadInput) as forbidden:
        match.apply("X", MakeMove(parse_move(match.game, point)), 0)
    sentence = wording(match, letters=True).refusal(forbidden.value)
    assert sentence == EN(f"cell-forbidden-{reason}", cell=point)


def test_every_event_has_sentences() -> None:
    match = Match(new_game())
    ada = EN("player-with-mark", name="Ada", mark="X")
    assert told(match, ("O", Leave())) == []
    assert told(match, ("X", MakeMove((1, 1))), ("X", OfferDraw()), ("O", Decline())) == [
        EN("plays", player=ada, move=Phrase("cell", "5")),
        EN("draw-offered", player=ada),
        EN("offer-declined"),
    ]
    assert told(match, ("X", TakeBack()), ("O", Accept())) == [EN("taken-back")]
    assert told(match, ("X", Resign())) == [
        EN("end-resignation", loser="Ada"),
        EN("wins", winner="Wei"),
        EN("remark-people", winner="Wei"),
    ]


def test_draw_by_agreement_is_announced() -> None:
    match = Match(new_game())
    assert told(match, ("X", OfferDraw()), ("O", Accept()))[1:] == [
        EN.plural("draw-agreement", 0),
        EN("remark-draw"),
    ]


@pytest.mark.parametrize(
    ("who", "loser", "remark"),
    [
        (("human", "human"), "O", "remark-people"),
        (("human", "rule"), "O", "remark-person"),
        (("human", "rule"), "X", "remark-computer"),
        (("rule", "random"), "X", None),
    ],
)
def test_remark_depends_on_winner(who: tuple[str, str], loser: str, remark: str | None) -> None:
    match = Match(new_game())
    match.apply(loser, Resign(), 0)
    assert match.outcome is not None
    words = wording(match, who=dict(zip("XO", who, strict=True)))
    winner = SEATS[match.outcome.winner or ""]
    assert words.remark(match.outcome) == ([] if remark is None else [EN(remark, winner=winner)])
    assert len(words.ended(Event(1, 0, EventKind.END, loser))) == (2 if remark is None else 3)


def test_wording_follows_replaced_match() -> None:
    matches = [Match(new_game())]
    words = Wording(EN, lambda: matches[-1], SEATS, PEOPLE, Names(matches[0].game))
    matches.append(played("tictactoe", "5"))
    assert words.match is matches[1]
    assert words.game.ply == 1
    assert words.moves_so_far()[0] == EN("moves-so-far", player=words.player("X"), moves=Phrase("cell", "5"))


def test_open_result_names_solve_command() -> None:
    """No text claims that the winner of 4x4:3 is unknown."""
    for say in SAY.values():
        assert "noughts solve 4x4:3" in say_basis(say, new_game("4x4:3"))
