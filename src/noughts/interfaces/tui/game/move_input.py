"""Move input of a person: by keys, clicks, digits and typed text, part by part."""

from functools import partial

from noughts.core.board import coordinate_of, index_of
from noughts.errors import BadInput, IllegalMove, OccupiedCell
from noughts.games.base import Game, Notation
from noughts.games.moves import Move, Part, parts_of
from noughts.games.notation import CellNotation, ColumnNotation, parse_move
from noughts.interfaces.tui.game.cursor import slides_in, slides_to
from noughts.interfaces.tui.game.questions import BoardQuestion
from noughts.interfaces.tui.game.session import GameSession
from noughts.interfaces.tui.game.turn_runner import TurnRunner

LETTERS = "abcdefghijklmnoprstuvwxyz"
"""The keys for choices of more than a letter; choices beyond them have to be typed."""

MAX_LENGTH = 8
"""The number of digits that no cell number has."""


class MoveInput:
    """The move input of a person in *session*; *turns* carries the moves out."""

    def __init__(self, session: GameSession, turns: TurnRunner) -> None:
        self.session, self.turns = session, turns

    def step(self, direction: str) -> None:
        """Move the cursor, or slide the tile on the other side of the gap in *direction*."""
        if self.session.is_sliding:
            self._slide(direction, 1)
        else:
            self.turns.clear_refusal()
            self.session.move_cursor(direction)
            self.session.changed()

    def _slide(self, direction: str, times: int) -> None:
        """Slide up to *times* tiles in *direction*."""
        session = self.session
        for _ in range(times):
            if not self.turns.can_move():
                break
            move = slides_in(session.latest).get(direction)
            if move is None:
                session.show_message(lambda wording: wording.say("nothing-slides"))
                break
            version = session.match.version
            self.turns.carry_out(partial(session.play_move, move))
            if session.match.version == version:  # The move could not be saved.
                break

    def point_at(self, index: int) -> None:
        """Continue the move at the cell *index*.

        If the move needs no cell, a click on any cell stands for the rest of it.
        """
        session = self.session
        direction, times = slides_to(session.latest, index)
        if times:
            self._slide(direction, times)
            return
        if session.is_sliding:
            session.show_message(lambda wording: wording.say("slide-into-gap"))
            return
        cell = session.cell_pointed_at(index)
        if cell is not None:
            self._add_part(cell)
        elif not session.step.cells:
            self._finish_or_ask()
        elif session.parts:
            name, parts = session.names.cell_at(index), session.names.spell_parts(session.parts)
            session.show_message(lambda wording: wording.say("not-next", cell=name, said=parts))
        else:
            self.turns.refuse(refusal_of(session.latest, index))

    def _add_part(self, part: Part) -> None:
        self.session.add_part(part)
        self._finish_or_ask()

    def _finish_or_ask(self) -> None:
        """Make the move if it is complete, else ask for its next part."""
        session, step = self.session, self.session.step
        if len(step.moves) == 1:
            self.turns.carry_out(lambda: session.play_move(step.moves[0]))
        elif step.cells:
            parts = session.names.spell_parts(session.parts)
            session.show_message(lambda wording: wording.say("point-next", said=parts))
        else:
            self._ask_next()

    def _ask_next(self) -> None:
        """Ask for the next part of a move if it is a text."""
        session, step, parts = self.session, self.session.step, self.session.parts
        are_marks = all(session.latest.mark_of(move) == parts_of(move)[len(parts)] for move in step.moves)
        letters = [choice.lower() for choice in step.choices]
        keys = letters if all(len(letter) == 1 for letter in letters) else LETTERS
        choices = zip(keys, step.choices, strict=False)
        answers = {key: (choice, partial(self._add_part, choice)) for key, choice in choices}
        facts = {} if are_marks else {"said": session.names.spell_parts(parts)}
        own = f"which-{session.latest.notation.kind}"  # Some games have words of their own for it.
        id_, back = "which-mark" if are_marks else "choose-next", session.remove_part
        session.ask(
            BoardQuestion(
                lambda wording: wording.say(own if wording.say.has(own) else id_, **facts), answers, back
            )
        )

    def play_digit(self, digit: int) -> None:
        """Continue the move at the cell or column with the number *digit*, if there is one."""
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
        """Move the cursor to the cell that *text* names, or make the move that it spells."""
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
                session.show_message(None)


# Typed text


def read_cell(game: Game, text: str, first: int) -> int:
    """Return the flat index of the cell that *text* names.

    In games where marks fall, *text* names a column, and the result is the landing cell. Cells are numbered
    from *first*. Raises a :class:`~noughts.errors.BadInput` if there is no such cell.
    """
    if game.layout.has_columns:
        notation: Notation = ColumnNotation(game.shape)
    else:
        notation = CellNotation(game.shape, from_top=game.layout.from_top)
    return index_of(game.shape, notation.parse(text, game, first))


def read_move(game: Game, text: str, first: int) -> Move | None:
    """Return the move that *text* spells if it is more than a cell; else None."""
    try:
        move = parse_move(game, text, first)
    except BadInput:
        return None
    return None if parts_of(move) == (move,) else move


def find_cell(game: Game, text: str, first: int) -> int:
    """Return the flat index of the cell or column that *text* names, for the cursor.

    Raises a :class:`~noughts.errors.BadInput` if there is none.
    """
    word = text.strip()
    if game.layout.drops and word.isascii() and word.isdigit() and len(word) < MAX_LENGTH:
        number, is_column = int(word) - first, 1 <= int(word) <= game.notation.count
        if not is_column and 0 <= number < len(game.cells):
            return number  # Cells have numbers there, and a column has the lowest number of its cells.
    return read_cell(game, text, first)


def refusal_of(game: Game, index: int) -> BadInput:
    """Return the reason why no move of *game* can begin at the cell *index*."""
    game = game.copy()
    legal, cell = game.legal_moves(), coordinate_of(game.shape, index)
    if game.layout.has_columns and game[top := (0, *cell[1:])] is not None:
        cell = top
    if parts_of(legal[0]) != (legal[0],):
        return (IllegalMove if game[cell] is None else OccupiedCell)(cell, legal)
    try:
        game.play(cell)
    except BadInput as error:
        return error
    raise AssertionError(f"{cell} is a legal move")
