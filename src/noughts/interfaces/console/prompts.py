"""Prompts at the console: a loop for questions, boards, and events of a match."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import click

from noughts.arena.events import Event, EventKind
from noughts.arena.match import Match
from noughts.drawing.board_text import draw_spans
from noughts.drawing.canvas import FAINT, LINE, SECOND, Span
from noughts.drawing.view import View, field_owners
from noughts.errors import BadInput, UnknownMark, UnsupportedRules
from noughts.games.base import Game
from noughts.interfaces.console.tables import UNCUT
from noughts.interfaces.console.terminal import InputEndedError, Terminal
from noughts.interfaces.presenting.annotation_texts import position_notes
from noughts.interfaces.presenting.game_plan import HUMAN
from noughts.interfaces.presenting.i18n import ReadableError, Translator
from noughts.interfaces.presenting.match_texts import Wording
from noughts.interfaces.presenting.move_names import Names
from noughts.interfaces.presenting.players import player_called
from noughts.text import display_width, narrow, wrap

QUIT = ("q", "в")
"""The commands to quit, in either case and in every language."""

COMMANDS = ("h", "u", "?", "s", "m", "r", "d")
"""The commands: help, take back, hint, scores, moves, resign, offer a draw."""

COMMAND_WORDS = {
    "h": "words-help",
    "u": "words-undo",
    "?": "words-hint",
    "r": "words-resign",
    "q": "words-quit",
}
"""The ids of words that also call a command, by its letter."""

Answer = TypeVar("Answer")


class UserQuit(Exception):
    """The player quits.

    ``input_ended`` is True if the input has ended.
    """

    def __init__(self, *, input_ended: bool = False) -> None:
        super().__init__()
        self.input_ended = input_ended


class Conversation:
    """A conversation in one language over a terminal."""

    def __init__(self, terminal: Terminal, say: Translator) -> None:
        self.terminal, self.say = terminal, say
        self.commands: dict[str, Callable[[], None]] = {"h": self._show_help}
        self.read_line: Callable[[str], str] = terminal.read
        """Shows a prompt and returns the typed line."""
        self.not_now = "command-not-now"
        """The message id for a command that the question does not accept."""

    def write(self, text: str = "") -> None:
        """Write one or several lines."""
        self.terminal.write(text)

    def sentence(self, text: str) -> None:
        """Write a sentence: one line in a pipe, broken between words on a terminal."""
        self.write(self._broken(text))

    def write_message(self, id: str, /, **data: object) -> None:  # noqa: A002
        """Write the sentence *id*."""
        self.sentence(self.say(id, **data))

    def item(self, head: str, text: str) -> None:
        """Write *text* after *head*.

        On a terminal further lines are indented below the first.
        """
        indent = display_width(head)
        self.write(head + f"\n{' ' * indent}".join(self._lines(text, indent)))

    def notes(self, sentences: Sequence[str]) -> None:
        """Write *sentences* about a board, each on lines of its own, and a blank line after them."""
        for sentence in sentences:
            self.sentence(sentence)
        if sentences:
            self.write()

    def _show_help(self) -> None:
        self.write_message("help-setup")
        if "s" in self.commands:
            self.write_message("help-setup-scores")
        self.command_words("h", "q")

    def command_words(self, *letters: str) -> None:
        """Write the words for the commands of *letters*."""
        words = [f"{letter} {'/'.join(self.say(COMMAND_WORDS[letter]).split())}" for letter in letters]
        self.write_message("help-words", words=words)

    @property
    def width(self) -> int:
        """The number of columns in which text is wrapped: those of a terminal, unlimited in a pipe."""
        return self.terminal.width if self.terminal.is_interactive else UNCUT

    def _lines(self, text: str, indent: int = 0) -> list[str]:
        return [text] if self.width == UNCUT else wrap(text, max(1, self.width - indent))

    def _broken(self, text: str) -> str:
        return "\n".join(self._lines(text))

    def ask(
        self,
        prompt: str,
        read: Callable[[str], Answer],
        *,
        commands: Mapping[str, Callable[[], Answer | None]] | None = None,
        explain: Callable[[BadInput], str] | None = None,
        is_name: bool = False,
    ) -> Answer:
        """Repeat *prompt* until *read* accepts the answer, and return its result.

        *read* raises a :class:`~noughts.errors.BadInput` to refuse the answer, or an
        :class:`~noughts.errors.UnsupportedRules` of a player that declines. A command that returns a result
        answers the question. After any other command the question is repeated. If *is_name*, wide letters
        stay wide.
        """
        while True:
            try:
                text = self.read_line(self._broken(prompt))
            except InputEndedError:
                raise UserQuit(input_ended=True) from None
            typed = narrow(text)
            word = self._command(typed.strip().lower())
            if word in QUIT:
                raise UserQuit
            known = {**self.commands, **(commands or {})}
            if word in known:
                answer = known[word]()
                if answer is not None:
                    return answer
            elif word in COMMANDS:
                self.write_message(self.not_now, command=word)
            else:
                try:
                    return read(text if is_name else typed)
                except BadInput as error:
                    self.sentence((explain or self.say.error)(error))
                except UnsupportedRules as error:
                    self.sentence(self.say.error(error))

    def _command(self, word: str) -> str:
        """Return the letter of the command with the name *word*, or *word* itself if there is none."""
        return next((letter for letter, id_ in COMMAND_WORDS.items() if word in self.say(id_).split()), word)

    def ask_yes_no(
        self,
        prompt: str,
        commands: Mapping[str, Callable[[], None]] | None = None,
        *,
        default: bool | None = None,
    ) -> bool:
        """Prompt for yes or no in the language of the player.

        Enter takes *default* if there is one.
        """
        answers = dict.fromkeys(self.say("words-yes").split(), True)
        answers |= dict.fromkeys(self.say("words-no").split(), False)
        refusal = self.say("answer-yes-or-no")
        return self.ask_choice(prompt, answers, default, commands=commands, refusal=refusal)

    def ask_choice(
        self,
        prompt: str,
        choices: Mapping[str, Answer],
        default: Answer | None = None,
        *,
        commands: Mapping[str, Callable[[], None]] | None = None,
        refusal: str | None = None,
    ) -> Answer:
        """Prompt for one of *choices* by its key.

        Enter takes *default* if there is one.
        """

        def read(text: str) -> Answer:
            word = text.strip()
            if not word and default is not None:
                return default
            for key, choice in choices.items():
                if key.lower() == word.lower():
                    return choice
            raise ReadableError(refusal) if refusal else UnknownMark(word, tuple(choices))

        return self.ask(prompt, read, commands=commands)


# Boards

COLOURS = {"X": "bright_blue", "O": "bright_red", "Z": "bright_green"}
"""The colours of the sides, in addition to their shapes."""


def show_board(talk: Conversation, game: Game, first: int = 1, view: View | None = None) -> None:
    """Show the board of *game* with a blank line before and after it. See :func:`draw_spans`."""
    terminal = talk.terminal
    lines = draw_spans(game, width=terminal.width, unicode=terminal.has_unicode, first=first, view=view)
    texts = ["".join(_painted(span) if terminal.has_colour else span.text for span in line) for line in lines]
    talk.write("\n".join(["", *texts, ""]))


def _painted(span: Span) -> str:
    if span.role in (LINE, FAINT):
        return click.style(span.text, dim=True)
    if not span.text.strip() or span.role in ("", SECOND):
        return span.text
    return click.style(span.text, fg=COLOURS.get(span.role), bold=span.strong)


# Matches

CHANGES_BOARD = frozenset({EventKind.MOVE, EventKind.TAKEBACK})
"""Events after which the board is shown."""


class Narrator:
    """The narrator of one match in words and pictures.

    *names* are the players by mark at the start. *who* says which of them are human. *first* is the number of
    the first cell.
    """

    def __init__(
        self, talk: Conversation, match: Match, names: Mapping[str, str], who: Mapping[str, str], first: int
    ) -> None:
        self.talk, self.who, self.first = talk, who, first
        self.seats = {
            side: player_called(talk.say, name, who.get(side, HUMAN)) for side, name in names.items()
        }
        self.match = match
        self.move_names = Names(match.game, first)
        self._owners, self._is_first = field_owners(match.game), True
        # In a game that is resumed, an opening may have exchanged the sides already.
        seats, kinds = match.by_side(self.seats), match.by_side(who)
        self.wording = Wording(talk.say, match, seats, kinds, self.move_names)

    @property
    def game(self) -> Game:
        """The game being played."""
        return self.wording.game

    def event(self, event: Event) -> None:
        """Write the sentences about *event*, and the board if it has changed."""
        for sentence in self.wording.sentences(event):
            self.talk.sentence(sentence)
        self.wording.names, self.wording.who = self.match.by_side(self.seats), self.match.by_side(self.who)
        if event.kind in CHANGES_BOARD:
            self.board()

    def board(self) -> None:
        """Show the board with blank lines around it, and the notes about its annotations."""
        show_board(self.talk, self.game, self.first)
        notes = position_notes(self.talk.say, self.move_names, self._owners, is_first=self._is_first)
        self._owners, self._is_first = field_owners(self.game), False
        self.talk.notes(notes)

    def cells_so_far(self) -> None:
        """Write the moves of each player so far, in order."""
        for sentence in self.wording.moves_so_far():
            self.talk.sentence(sentence)
