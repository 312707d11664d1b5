"""Any input keeps turns and scores correct, gets an answer, and never breaks the console.

A state machine types moves, commands and nonsense into live sessions, and compares them with the slow model
of the rules. Below it, lists of arbitrary text are typed into every game and every question. Each list uses
one language, since the same lists in all four would find the same faults.
"""

import io
import re
import unicodedata
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from noughts.arena.series import Begins, recount
from noughts.games.catalogue import BY_NAME
from noughts.interfaces.presenting.game_plan import PlayOptions
from noughts.interfaces.presenting.i18n import LANGUAGES
from noughts.players.bots import RulePlayer
from noughts.players.levels import LevelPlayer
from noughts.players.perfect import PerfectPlayer
from noughts.search.explain.dead_draw import is_dead_draw
from tests.games.model import End, Model
from tests.interfaces.harness import SAY, Live, converse
from tests.stand_ins import MemoryStore

pytestmark = pytest.mark.slow


QUIT = ("q", "в")
CALLED = {"help": "h", "quit": "q", "undo": "u", "hint": "?", "resign": "r"}
"""The commands of the words, by the ending of their message ids."""

NAMES = ("Ada", "Вэй", "小林")


@dataclass(frozen=True)
class Kind:
    """A game that the machine plays: its name, and its facts for the model."""

    spec: str
    shape: tuple[int, ...]
    k: int
    sides: tuple[str, ...] = ("X", "O")
    options: frozenset[str] = frozenset()
    vanish: int = 0

    def model(self, marks: tuple[str, ...]) -> Model:
        return Model(self.shape, self.k, marks, self.options, self.vanish)


KINDS = (
    Kind("tictactoe", (3, 3), 3),
    Kind("2x2:2", (2, 2), 2),
    Kind("6x5:4", (5, 6), 4),
    Kind("4x3:3,gravity", (3, 4), 3, options=frozenset({"gravity"})),
    Kind("2x2x2:2,gravity", (2, 2, 2), 2, options=frozenset({"gravity"})),
    Kind("misere", (3, 3), 3, options=frozenset({"misere"})),
    Kind("wild", (3, 3), 3, options=frozenset({"wild"})),
    Kind("notakto", (3, 3), 3, options=frozenset({"notakto"})),
    Kind("vanishing", (3, 3), 3, vanish=3),
    Kind("3x3x3:3", (3, 3, 3), 3),
    Kind("3x2:3,players=3", (2, 3), 3, sides=("X", "O", "Z")),
    Kind("4x1:2", (1, 4), 2),
)


@dataclass
class Table:
    """The expected state of a session."""

    kind: Kind
    who: tuple[str, ...]
    names: tuple[str, ...]
    is_series: bool
    begins: Begins
    first: int
    language: str
    played: int = 0
    phase: str = ""
    model: Model = field(init=False)
    seats: dict[str, str] = field(init=False)
    last: tuple[dict[str, str], list[str]] | None = None
    """The players of each mark in the last game, and the marks of its losers."""
    answers: list[str] = field(default_factory=list)
    is_touched: bool = False
    loser: str | None = None
    scores: dict[str, list[int]] = field(default_factory=dict)

    @property
    def person(self) -> dict[str, bool]:
        """True for each player who is a person."""
        return {name: who == "human" for name, who in zip(self.names, self.who, strict=True)}

    @property
    def chooser(self) -> str:
        return self.names[self.played % len(self.names)]

    def next_game(self) -> None:
        """Start the next game, or expect the question for the mark of the chooser."""
        self.is_touched, self.loser = False, None
        if self.begins is Begins.CHOOSER and self.person[self.chooser]:
            self.phase = "mark"
        else:
            self.seat(self.kind.sides)

    def seat(self, marks: tuple[str, ...]) -> None:
        """Give the *marks*, in turn order, to the players, starting with the first one to move."""
        place = self.names.index(self.beginner())
        players = self.names[place:] + self.names[:place]
        self.seats = dict(zip(marks, players, strict=True))
        self.model = self.kind.model(marks)
        self.phase = "move"

    def beginner(self) -> str:
        if self.begins is Begins.X:
            return self.names[0]
        if self.begins is Begins.LOSER and self.last is not None:
            seats, losers = self.last
            began = next(iter(seats.values()))
            if len(losers) == 1:
                return seats[losers[0]]
            return self.names[(self.names.index(began) + 1) % len(self.names)]
        return self.chooser

    def is_person(self, side: str) -> bool:
        return self.person[self.seats[side]]

    def player(self, side: str) -> str:
        return SAY[self.language]("player-with-mark", name=self.seats[side], mark=side)

    def add(self, name: str, mark: str, winner: str | None) -> list[str]:
        """Add a game of the series, and return the player's row of the scoreboard."""
        wins, draws, losses, streak = self.scores.get(name, [0, 0, 0, 0])
        if winner == mark:
            wins, streak = wins + 1, streak + 1
        elif winner is None and mark != self.loser:
            draws, streak = draws + 1, 0
        else:
            losses, streak = losses + 1, 0
        self.scores[name] = [wins, draws, losses, streak]
        return [name, mark, str(wins), str(draws), str(losses), f"{wins + draws / 2:g}", str(streak)]

    # The meaning of a line

    def command_of(self, text: str) -> str:
        """Return the letter of the command *text*, or *text* in lower case."""
        word, say = text.strip().lower(), SAY[self.language]
        called = [letter for name, letter in CALLED.items() if word in say(f"words-{name}").split()]
        return called[0] if called else word

    def move_of(self, text: str) -> Any:
        """Return the move *text*, which may be illegal; None if it is no move."""
        text = text.strip()
        if "wild" not in self.kind.options:
            return self.cell_of(text)
        mark = text[:1].upper()
        cell = self.cell_of(text[1:].strip()) if mark and mark in self.kind.sides else None
        return None if cell is None else (cell, mark)

    def cell_of(self, text: str) -> tuple[int, ...] | None:
        shape, cells = self.kind.shape, self.model.all_cells
        if re.fullmatch("[0-9]{1,7}", text) and "gravity" in self.kind.options:
            columns = [cell[1:] for cell in cells if cell[0] == 0]
            if not 1 <= int(text) <= len(columns):
                return None
            column = [cell for cell in self.model.legal() if cell[1:] == columns[int(text) - 1]]
            return column[0] if column else None
        if re.fullmatch("[0-9]{1,7}", text):
            number = int(text) - self.first
            return cells[number] if 0 <= number < len(cells) else None
        result = re.fullmatch("([A-Za-z])([0-9]{1,7})", text)
        if result is None or len(shape) != 2:
            return None
        cell = (shape[0] - int(result[2]), "abcdefghijklmnopqrstuvwxyz".index(result[1].lower()))
        return cell if cell in cells else None

    def text_of(self, move: Any) -> str:
        """Return *move* as it is typed."""
        mark = ""
        if "wild" in self.kind.options:
            move, mark = move
        if "gravity" in self.kind.options:
            columns = [cell[1:] for cell in self.model.all_cells if cell[0] == 0]
            return mark + str(columns.index(move[1:]) + 1)
        return mark + str(self.model.all_cells.index(move) + self.first)

    def take_back(self) -> bool:
        """Take back to the previous decision of a person, or of the only person."""
        people = [side for side in self.seats if self.is_person(side)]
        for ply in reversed(range(len(self.model.moves))):
            if self.model.marks[ply % len(self.model.marks)] in people:
                self.model = self.model.after(self.model.moves[:ply])
                return True
        return False


def narrow(text: str) -> str:
    """Return *text* with ASCII for wide letters, digits and signs."""
    forms = [(sign, unicodedata.normalize("NFKC", sign)) for sign in text]
    return "".join(
        form if unicodedata.east_asian_width(sign) == "F" and form.isascii() else sign for sign, form in forms
    )


WIDE = {ord(narrow(chr(code))): chr(code) for code in (0x3000, *range(0xFF01, 0xFF5F))}
"""The wide sign of Chinese keyboards for each ASCII code."""

CALLING = sorted({word for say in SAY.values() for name in CALLED for word in say(f"words-{name}").split()})
"""The words for commands in every language."""

words = st.text(st.characters(exclude_characters="\n"), max_size=12)
numbers = st.integers(-2, 40).map(str)
rubbish = st.one_of(
    words,
    numbers,
    numbers.map(lambda number: number.translate(WIDE)),
    st.sampled_from(
        ["", " ", "0_4", "\x00", "\x1b[2J", "\udcff", "b2", "Z9", "X5", "o1", "5\r", "pass", "help me"]
    ),
    st.sampled_from(["٣", "²", "₃", "３", "ｂ２", "Ｘ　５"]),
    st.sampled_from(CALLING),
)


class Console(RuleBasedStateMachine):
    """A series of sessions on one store."""

    def __init__(self) -> None:
        super().__init__()
        self.store = MemoryStore()
        self.tally: dict[str, list[int]] = {}
        self.live: Live | None = None
        self.table: Table | None = None
        self.kept = 0

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        self.open(data)

    @precondition(lambda self: self.live is None)
    @rule(data=st.data())
    def open(self, data: st.DataObject) -> None:
        if self.live is not None:  # The first session exists from the start.
            return
        kind = data.draw(st.sampled_from(KINDS))
        who = [data.draw(st.sampled_from(["human", "human", "random", "rule"])) for _ in kind.sides]
        if "human" not in who:
            who[data.draw(st.integers(0, len(who) - 1))] = "human"
        table = Table(
            kind,
            tuple(who),
            NAMES[: len(who)],
            data.draw(st.booleans()),
            data.draw(st.sampled_from(Begins)),
            data.draw(st.sampled_from([0, 1])),
            data.draw(st.sampled_from(list(LANGUAGES))),
        )
        self.kept = len(list(self.store.games()))
        options = PlayOptions(
            kind.spec,
            dict(zip(kind.sides, who, strict=True)),
            table.names,
            table.is_series,
            table.begins,
            table.first,
            seed=data.draw(st.integers(0, 99)),
        )
        table.next_game()
        self.table, self.live = table, Live(options, self.store, table.language)
        self.follow(self.live.news())

    # Input

    @property
    def here(self) -> Table:
        assert self.table is not None
        return self.table

    def in_phase(self, *phases: str) -> bool:
        return self.live is not None and self.table is not None and self.table.phase in phases

    @precondition(lambda self: self.in_phase("move"))
    @rule(
        choice=st.integers(0, 10**6),
        form=st.sampled_from(["{}", " {}", "{}\t", "{}\r"]),
        is_wide=st.booleans(),
    )
    def make_a_move(self, choice: int, form: str, is_wide: bool) -> None:
        legal = self.here.model.legal()
        text = form.format(self.here.text_of(legal[choice % len(legal)]))
        self.enter(text.translate(WIDE) if is_wide else text)

    @precondition(lambda self: self.in_phase("move"))
    @rule(choices=st.lists(st.integers(0, 10**6), min_size=3, max_size=9))
    def make_some_moves(self, choices: list[int]) -> None:
        for choice in choices:
            if self.in_phase("move"):
                self.make_a_move(choice, "{}", is_wide=False)

    @precondition(lambda self: self.in_phase("mark", "answer"))
    @rule(answer=st.sampled_from(["1", "２", "x", " Ｏ", "y", "ｎ", "Y", "нет", "是", "да"]))
    def answer(self, answer: str) -> None:
        self.enter(answer)

    @precondition(lambda self: self.live is not None)
    @rule(text=rubbish)
    def type_rubbish(self, text: str) -> None:
        self.enter(text)

    @precondition(lambda self: self.live is not None)
    @rule(command=st.sampled_from(["h", "?", "m", "s", "u", "U", "d", "d ", "r", " u", "？", "ｕ"]))
    def command(self, command: str) -> None:
        self.enter(command)

    @precondition(lambda self: self.live is not None)
    @rule(name=st.sampled_from(["help", "hint", "undo", "resign"]), choice=st.integers(0, 9))
    def call_by_a_word(self, name: str, choice: int) -> None:
        known = SAY[self.here.language](f"words-{name}").split()
        self.enter(known[choice % len(known)].title())

    @precondition(lambda self: self.live is not None)
    @rule(how=st.sampled_from(["q", "В", "Ｑ", "quit", "end", "interrupt", *["stay"] * 6]))
    def leave(self, how: str) -> None:
        if how == "stay":
            return
        if how not in ("end", "interrupt"):
            self.enter(how)
            return
        assert self.live is not None
        text = self.live.end_input() if how == "end" else self.live.interrupt()
        is_between = self.here.phase == "mark" or (self.here.played > 0 and not self.here.is_touched)
        self.check_left(text, 1 if how == "end" and not is_between else 0)

    # Expected output

    def enter(self, text: str) -> None:
        assert self.live is not None
        table, typed = self.here, narrow(text)
        word = table.command_of(typed)
        sentence = self.live.enter(text)
        if word in QUIT:
            self.check_left(sentence, 0)
            return
        explained = sentence.strip() != ""
        assert explained
        if table.phase == "move":
            self.entered_at_a_move(typed, word, sentence)
        elif table.phase == "mark":
            self.entered_at_the_menu(word)
        else:
            self.entered_at_an_offer(word)
        self.follow(sentence)

    def entered_at_a_move(self, text: str, word: str, said: str) -> None:
        table, say = self.here, SAY[self.here.language]
        if word == "u":
            if table.take_back():
                assert say("taken-back") in said
            else:
                assert say("refused-nothing-to-take-back") in said
        elif word == "r":
            others = [side for side in table.model.marks if side != table.model.turn()]
            table.is_touched, table.loser = True, table.model.turn()
            self.ended(End(others[0] if len(others) == 1 else None, frozenset(), "resignation"))
        elif word == "d":
            turn = table.model.turn()
            table.is_touched = True
            assert say("draw-offered", player=table.player(turn)) in said
            table.answers = [side for side in table.model.marks if side != turn]
            self.go_through_answers()
        elif word not in ("h", "?", "m", "s"):
            move = table.move_of(text)
            if move is not None and move in table.model.legal():
                player = table.player(table.model.turn())
                table.model.play(move)
                table.is_touched = True
                assert player in said

    def entered_at_the_menu(self, word: str) -> None:
        table, sides = self.here, self.here.kind.sides
        choices = {str(number): mark for number, mark in enumerate(sides, 1)}
        choices |= {mark.lower(): mark for mark in sides}
        if word == str(len(sides) + 1):
            self.live, self.table = None, None
        elif word in choices:
            mark = choices[word]
            table.seat((mark, *(other for other in sides if other != mark)))

    def entered_at_an_offer(self, word: str) -> None:
        table, say = self.here, SAY[self.here.language]
        if word in say("words-yes").split():
            table.answers.pop(0)
            self.go_through_answers()
        elif word in say("words-no").split():
            table.answers.clear()
            table.phase = "move"

    def go_through_answers(self) -> None:
        """Return the next player to agree to a draw; computers agree once no line can be completed."""
        table = self.here
        if not table.answers:
            self.ended(End(None, frozenset(), "agreement"))
        elif table.is_person(table.answers[0]):
            table.phase = "answer"
        elif is_dead_draw(next(iter(self.store.newest_games())).replay().game):
            table.answers.pop(0)
            self.go_through_answers()
        else:
            table.answers.clear()
            table.phase = "move"

    def ended(self, end: End) -> None:
        self.here.model.end = end

    def check_left(self, said: str, status: int) -> None:
        table, live = self.here, self.live
        assert live is not None
        assert (live.is_over, live.status) == (True, status)
        assert SAY[table.language]("left-kept" if table.is_touched else "left") in said.splitlines()
        assert len(list(self.store.games())) == self.kept + table.is_touched
        self.live, self.table = None, None

    def follow(self, said: str) -> None:
        """Add the moves of the computers, start the next game if needed, and check the next question."""
        while self.live is not None:
            table = self.here
            if table.phase == "mark":
                break
            self.take_in()
            end = table.model.end
            if end is None:
                break
            self.count(end, said)
            if not table.is_series:
                assert (self.live.is_over, self.live.status) == (True, 0)
                self.live, self.table = None, None
                return
            losers = [mark for mark in table.seats if end.winner not in (None, mark) or mark == table.loser]
            table.last = (table.seats, losers)
            table.played += 1
            table.next_game()
        if self.live is not None:
            self.check_question(said)

    def take_in(self) -> None:
        """Check that the store has the moves of the model, then only legal moves of computers."""
        table, model = self.here, self.here.model
        games = list(self.store.games())
        if table.is_touched or len(games) > self.kept:
            assert len(games) > self.kept
            table.is_touched = True
            stored = games[self.kept]
            assert dict(stored.setup.seats) == table.seats
            match = stored.replay()
            moves = [tuple(move) for move in match.game.moves]
            assert moves[: len(model.moves)] == model.moves
            for move in moves[len(model.moves) :]:
                assert not table.is_person(model.turn())
                assert move in model.legal()
                model.play(move)
            assert (match.outcome is None) == (model.end is None)
            if match.outcome is not None and model.end is not None:
                assert (match.outcome.winner, match.outcome.termination) == (model.end.winner, model.end.why)
        if model.end is None:
            assert table.is_person(model.turn()), "a computer was not asked"

    def count(self, end: End, said: str) -> None:
        table = self.here
        self.kept += 1
        for mark, name in table.seats.items():
            counted = self.tally.setdefault(name, [0, 0, 0])
            is_draw = end.winner is None and mark != table.loser
            counted[1 if is_draw else 0 if end.winner == mark else 2] += 1
        scores = {
            score.name: [score.wins, score.draws, score.losses] for score in recount(self.store.results())
        }
        assert scores == self.tally
        if table.is_series:
            rows = [line.split() for line in said.splitlines()]
            for mark, name in table.seats.items():
                assert table.add(name, mark, end.winner) in rows

    def check_question(self, said: str) -> None:
        """Check that the last line is the prompt of the player to answer."""
        assert self.live is not None
        assert not self.live.is_over
        table, say = self.here, SAY[self.here.language]
        question = said.splitlines()[-1]
        if table.phase == "mark":
            marks = [f"{number} {mark}" for number, mark in enumerate(table.kind.sides, 1)]
            assert question == say("ask-mark", name=table.chooser, menu=marks, end=str(len(marks) + 1))
        elif table.phase == "answer":
            assert question == say("accept-draw", player=table.player(table.answers[0]))
        else:
            assert table.player(table.model.turn()) in question

    def teardown(self) -> None:
        if self.live is not None:
            self.live.end_input()
            assert self.live.is_over
        finished = [game for game in self.store.games() if game.result is not None]
        assert sum(len(game.setup.seats) for game in finished) == sum(map(sum, self.tally.values()))


TestConsole = Console.TestCase
FEWER = settings().max_examples // 5
"""The number of examples: fewer than usual, because each one is a whole conversation."""

TestConsole.settings = settings(max_examples=FEWER, stateful_step_count=50)


# Arbitrary text

lines = st.lists(
    st.one_of(rubbish, numbers, st.sampled_from([*"hu?smdryn123", "rule", "1", "2"])), min_size=30
)


languages = st.sampled_from(list(LANGUAGES))


@settings(max_examples=FEWER)
@given(
    typed=lines,
    game=st.sampled_from([*BY_NAME]),
    seats=st.sampled_from(["human", "random"]),
    language=languages,
)
def test_console_survives_any_text_in_games(typed: list[str], game: str, seats: str, language: str) -> None:
    sides = {"fifteen": "X", "three": "XOZ"}.get(game, "XO")
    who = {side: seats if place else "human" for place, side in enumerate(sides)}
    assert_survives(typed, PlayOptions(game, who, seed=1, series=len(sides) > 1), language)


@settings(max_examples=FEWER)
@given(typed=lines, language=languages)
def test_console_survives_any_text_at_questions(typed: list[str], language: str) -> None:
    assert_survives(typed, PlayOptions(seed=1), language)


def assert_survives(typed: list[str], options: PlayOptions, language: str) -> None:
    """Hold a conversation, in which strong computers play at once, as their moves do not matter."""
    with pytest.MonkeyPatch.context() as patch:
        for player in (LevelPlayer, PerfectPlayer):
            patch.setattr(player, "choose", lambda _, game, limit: RulePlayer().choose(game, limit))
        session = converse(typed, options, language=language)
    assert session.status in (0, 1)
    assert session.output.endswith("\n")
    for stored in session.store.games():
        stored.replay()
        versions = [event.version for event in stored.events]
        assert versions == list(range(1, len(versions) + 1))


@pytest.mark.parametrize("length", [4095, 4096, 4097, 8192, 100_000, 2_000_000])
def test_long_line_is_refused_once(length: int) -> None:
    for text in ("5" * length, " " * (length - 1) + "5", "\udcff" * length):
        target = io.StringIO(f"{text}\n5\nq\n")
        session = converse(target)
        assert session.status == 0
        assert session.output.count("your move") in (2, 3)
        assert len(session.output) < 10_000
        assert [game["moves"] for game in session.games()][:1] == [["5"]]
