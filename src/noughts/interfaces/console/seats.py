"""The players at the console: people with a keyboard, and computers, which pause before they move."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from noughts.arena.commands import Accept, Command, Decline, MakeMove, OfferDraw, Put, Resign, Swap, TakeBack
from noughts.arena.match import Match
from noughts.arena.runner import PlayerSeat
from noughts.errors import BadInput
from noughts.games.base import Game
from noughts.games.moves import Move
from noughts.games.notation import parse_move, parse_moves
from noughts.interfaces.console.prompts import COMMAND_WORDS, Conversation, Narrator
from noughts.interfaces.presenting.game_plan import HUMAN, MOVE_SECONDS, THINK_SECONDS
from noughts.players.base import Player
from noughts.search.analysis import Limit, Progress

if TYPE_CHECKING:
    from noughts.interfaces.presenting.hints import Hint
    from noughts.search.analyst import Analyst

PAUSE_SECONDS = 0.8
"""The pause before the move of a computer, in seconds."""


class HintLadder:
    """Hints that reveal more about the same position each time. They restart in a new position."""

    def __init__(self, talk: Conversation, narrator: Narrator) -> None:
        self._talk, self._move_names = talk, narrator.move_names
        self._analyst: Analyst | None = None
        self._position: object = None
        self._given = 0
        self._hint: Hint | None = None

    def step(self, game: Game) -> None:
        """Write the area, then the move, then the reason each time."""
        from noughts.interfaces.presenting.hints import find_hint, say_hint
        from noughts.search.analyst import Analyst  # Loading it takes a tenth of a second.

        position = (game.ply, game.moves)
        if self._hint is None or position != self._position:
            self._position, self._given = position, 0
            self._analyst = self._analyst or Analyst()
            self._hint = find_hint(game, self._analyst)
        self._talk.sentence(say_hint(self._talk.say, game, self._move_names, self._hint, self._given))
        self._given += 1


class HumanSeat:
    """A person at the keyboard."""

    def __init__(
        self, talk: Conversation, narrator: Narrator, hints: HintLadder, show_scores: Callable[[], None]
    ) -> None:
        self._talk, self._narrator, self._scores = talk, narrator, show_scores
        self._hints = hints
        self._said: list[Move] = []
        """The moves of a ``put`` command that are still to be made, as one command each."""

    def decide(self, match: Match) -> Command:
        if self._said:
            return MakeMove(self._said.pop(0))
        game, narrator = match.game, self._narrator
        prompt = narrator.wording.prompt(match.turn)
        for sentence in narrator.wording.opening():
            self._talk.sentence(sentence)

        def read(text: str) -> Command:
            return self._read_answer(match, text) or MakeMove(parse_move(game, text, narrator.first))

        return self._talk.ask(prompt, read, commands=self._commands(match), explain=narrator.wording.refusal)

    def _read_answer(self, match: Match, text: str) -> Command | None:
        """Return the command for the answers ``swap``, ``put`` and ``put A B`` in an opening."""
        word, *cells = text.lower().split() or [""]
        if match.opening is None:
            return None
        if word in self._talk.say("words-swap").split():
            return Swap()
        if word not in self._talk.say("words-put").split():
            return None
        moves = parse_moves(match.game, cells, self._narrator.first)
        match.copy().apply(match.turn, Put(moves), 0)  # This raises an error for an illegal answer.
        self._said = [*moves]
        return Put()

    def _shows(self, match: Match) -> dict[str, Callable[[], None]]:
        """Return the commands that show something and leave the question open."""
        game, narrator, talk = match.game, self._narrator, self._talk

        def show_help() -> None:
            talk.sentence(talk.say.messages(game.rule_text))
            talk.sentence(narrator.wording.accepted())
            talk.write_message("help-game")
            talk.command_words(*COMMAND_WORDS)

        def show_hint() -> None:
            if match.standing.is_over:
                self._hints.step(game)
            else:
                talk.write_message("no-hint-in-opening")

        return {
            "h": show_help,
            "?": show_hint,
            "m": narrator.cells_so_far,
            "s": self._scores,
        }

    def _commands(self, match: Match) -> dict[str, Callable[[], Command | None]]:
        return {
            **self._shows(match),
            "u": lambda: self._take_back(match),
            "d": lambda: OfferDraw(),
            "r": lambda: Resign(),
        }

    def _take_back(self, match: Match) -> Command:
        """Return the command that takes back the last move, or the last own decision against computers."""
        people = [side for side, kind in match.by_side(self._narrator.who).items() if kind == HUMAN]
        return TakeBack(match.last_decision(people if len(people) > 1 else (match.turn,))[0])

    def answer(self, match: Match, side: str) -> Command:
        """Accept a take-back, on which people at one keyboard agree aloud, and ask about a draw."""
        if match.offer is not None and match.offer.what == "takeback":
            return Accept()
        return self.ask_to_agree("accept-draw", match, side)

    def ask_to_agree(self, id_: str, match: Match, side: str) -> Command:
        """Ask the question *id_* about the open offer, and return the answer of *side*."""
        question = self._talk.say(id_, player=self._narrator.wording.player(side))
        return Accept() if self._talk.ask_yes_no(question, self._shows(match)) else Decline()

    def refuse(self, command: Command, error: Exception) -> None:
        refusal = error if isinstance(error, BadInput) else BadInput(str(error))
        self._talk.sentence(self._narrator.wording.refusal(refusal))


class ComputerSeat(PlayerSeat):
    """A computer with a short pause before its move, which Enter skips.

    A message reports moves without proof from a player that normally proves them, and a late move.
    """

    def __init__(self, player: Player, talk: Conversation) -> None:
        limit = Limit(seconds=min(THINK_SECONDS, MOVE_SECONDS))
        super().__init__(player, limit, MOVE_SECONDS, partial(talk.write_message, "thinking-late"))
        self._talk = talk
        self._is_unproved = False

    def _hear(self, progress: Progress) -> None:
        self._is_unproved = self._is_unproved or progress.stage == "unproved"

    def decide(self, match: Match) -> Command:
        self._talk.terminal.pause(PAUSE_SECONDS)
        self._is_unproved = False
        self.player.report_to(self._hear)
        decided = super().decide(match)
        if self._is_unproved:
            self._talk.write_message("thinking-unproved")
        return decided
