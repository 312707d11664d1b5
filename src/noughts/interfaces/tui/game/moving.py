"""How a person moves: by keys and clicks on cells, part by part, by digits and by what is typed."""

from dataclasses import dataclass
from functools import partial

from noughts.errors import BadInput
from noughts.games.moves import Part, parts_of
from noughts.interfaces.tui.game.cells import find_cell, read_cell, read_move, refusal_of
from noughts.interfaces.tui.game.questions import Question
from noughts.interfaces.tui.game.session import Session
from noughts.interfaces.tui.game.sliding import slides_in, slides_to
from noughts.interfaces.tui.game.turns import Turns

LETTERS = "abcdefghijklmnoprstuvwxyz"
"""The keys that choose texts of more than a letter; of more texts than these, the others are typed."""


@dataclass(frozen=True, slots=True)
class Moving:
    """Says the moves of a person in *session*; *turns* carries them out."""

    session: Session
    turns: Turns

    def step(self, direction: str) -> None:
        """Move the cursor, or slide what lies on the other side of the gap in that direction."""
        if self.session.is_sliding:
            self._slide(direction, 1)
        else:
            self.turns.forget_refusal()
            self.session.move_cursor(direction)
            self.session.changed()

    def _slide(self, direction: str, times: int) -> None:
        """Make so many moves in one *direction*, as far as there are any."""
        session = self.session
        for _ in range(times):
            if not self.turns.can_move():
                break
            move = slides_in(session.latest).get(direction)
            if move is None:
                session.tell(lambda told: told.say("nothing-slides"))
                break
            version = session.match.version
            self.turns.carry_out(partial(session.play_move, move))
            if session.match.version == version:  # it was not kept
                break

    def point_at(self, index: int) -> None:
        """Say that a move goes on at a cell; where there is no cell to point at, any stands for the rest."""
        session = self.session
        direction, times = slides_to(session.latest, index)
        if times:
            self._slide(direction, times)
            return
        if session.is_sliding:
            session.tell(lambda told: told.say("slide-into-gap"))
            return
        cell = session.cell_meant(index)
        if cell is not None:
            self._add_part(cell)
        elif not session.step.cells:
            self._go_on()
        elif session.parts:
            name, said = session.names.cell_at(index), session.names.said(session.parts)
            session.tell(lambda told: told.say("not-next", cell=name, said=said))
        else:
            self.turns.refuse(refusal_of(session.latest, index))

    def _add_part(self, part: Part) -> None:
        self.session.add_part(part)
        self._go_on()

    def _go_on(self) -> None:
        """Make the move that was said; where more is to be said of it, ask for that."""
        session, step = self.session, self.session.step
        if len(step.moves) == 1:
            self.turns.carry_out(lambda: session.play_move(step.moves[0]))
        elif step.cells:
            said = session.names.said(session.parts)
            session.tell(lambda told: told.say("point-next", said=said))
        else:
            self._ask_next()

    def _ask_next(self) -> None:
        """Ask how a move goes on where that is a text."""
        session, step, said = self.session, self.session.step, self.session.parts
        are_marks = all(session.latest.mark_of(move) == parts_of(move)[len(said)] for move in step.moves)
        letters = [choice.lower() for choice in step.choices]
        keys = letters if all(len(letter) == 1 for letter in letters) else LETTERS
        choices = zip(keys, step.choices, strict=False)
        answers = {key: (choice, partial(self._add_part, choice)) for key, choice in choices}
        facts = {} if are_marks else {"said": session.names.said(said)}
        own = f"which-{session.latest.notation.kind}"  # the game's own words, where it has any
        id_, back = "which-mark" if are_marks else "choose-next", session.remove_part
        session.ask(
            Question(lambda told: told.say(own if told.say.has(own) else id_, **facts), answers, back)
        )

    def play_digit(self, digit: int) -> None:
        """Point at the cell or column that is called by a digit key, if one is."""
        session = self.session
        if not session.names.range[0] <= digit <= session.last_digit or not self.turns.can_move():
            return
        try:
            index = read_cell(session.latest, str(digit), session.first)
        except BadInput as error:
            self.turns.refuse(error)
        else:
            self.point_at(index)

    def go_to(self, text: str) -> None:
        """Put the cursor on the cell that was typed; a text that is a whole move makes it."""
        session = self.session
        if (move := read_move(session.latest, text, session.first)) is not None:
            if self.turns.can_move():
                self.turns.carry_out(lambda: session.play_move(move))
        elif text.strip():
            try:
                session.cursor = find_cell(session.latest, text, session.first)
            except BadInput as error:
                self.turns.refuse(error)
            else:
                session.tell(None)
