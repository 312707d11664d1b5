"""The page for a custom board: its numbers and options, with a picture beside them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual.widgets import Input

from noughts.drawing.board_text import draw_thumbnail, draw_window
from noughts.drawing.canvas import LINE
from noughts.drawing.svg import MAX_CELLS
from noughts.drawing.view import View
from noughts.errors import BadInput, NotFound
from noughts.games.catalogue import find_entry, name_of_spec, new_game, parse_spec
from noughts.games.rules import Rules
from noughts.interfaces.presenting.custom_boards import (
    about_option,
    board_options,
    board_parameters,
    counts_of,
    heading_of,
    parameter_text,
    say_refusal,
)
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.tui.launch import check_size
from noughts.interfaces.tui.widgets.keys import BUILDING
from noughts.interfaces.tui.widgets.page import Page
from noughts.interfaces.tui.widgets.spans import (
    Bit,
    Line,
    beside,
    clipped,
    cut,
    first_visible,
    spread,
    width_of,
)
from noughts.interfaces.tui.widgets.styles import SECOND
from noughts.text import display_width, fit, wrap

FOOTER = ("players", "choose", "more", "less", "tick", "describe", "help", "close")

FIRST = "5x5:4"
"""The first board if the chosen game is no k-in-a-row game."""

PICTURE = (9, 4)
"""The width and height, in columns and lines, from which there is a picture."""

LIST, WIDE_LIST = 26, 46
"""The width, in columns, that rows keep beside a picture, and the maximum that they take there."""

MAX_NOTES = 3
"""The maximum number of lines of notes about the selected row."""


@dataclass(frozen=True, slots=True)
class BuildRow:
    """A row of the page: a number or, if ``is_on`` is not None, an option.

    ``specs`` are the boards with less and with more of the number, or without and with the option. They are
    None if that is impossible, and ``why_not`` gives the reasons. ``about`` describes the current value.
    """

    label: str
    text: str
    specs: tuple[str | None, str | None]
    why_not: tuple[str, str]
    is_on: bool | None = None
    about: str = ""

    @property
    def is_fixed(self) -> bool:
        """True if it is an option that cannot be changed."""
        return self.is_on is not None and self.specs == (None, None)


def rows_of(say: Translator, rules: Rules) -> list[BuildRow]:
    """Return a row for each number and each option of *rules*."""
    rows = []
    for step in board_parameters(rules, MAX_CELLS):
        less, more = ("" if error is None else say_refusal(say, step.name, error) for error in step.why_not)
        rows.append(
            BuildRow(say(f"own-{step.name}"), parameter_text(say, step), (step.less, step.more), (less, more))
        )
    for switch in board_options(rules, MAX_CELLS):
        about = about_option(say, switch)
        why_not = about if switch.error is not None else ""
        specs = (switch.spec, None) if switch.is_on else (None, switch.spec)
        rows.append(BuildRow(say(f"own-{switch.name}"), "", specs, (why_not, why_not), switch.is_on, about))
    return rows


def rules_of(text: str) -> Rules:
    """Return the rules of the catalogue's game *text*, or of the board that *text* describes.

    Raises a :class:`~noughts.errors.BadInput` if *text* is neither, or if the board is too large for the full
    screen.
    """
    if find_entry(text) is None:
        rules = parse_spec(text)
        check_size(rules.shape)
        return rules
    rules_of_game = new_game(text).rules
    if rules_of_game is None:
        raise NotFound("game", text)
    return rules_of_game


class BuildPage(Page[str | None], keys=BUILDING):
    """The page for a custom board, starting with *game*; its result is a game name or a spec."""

    def __init__(self, game: str) -> None:
        super().__init__()
        self.rules = new_game(game).rules or parse_spec(FIRST)
        self.row = 0
        """The index of the selected row."""
        self.refused: Callable[[Translator], str] | None = None
        """The reason why the last change is impossible."""
        self._before = self.rules
        self._first = 0

    @property
    def rows(self) -> list[BuildRow]:
        """The rows for the current rules."""
        return rows_of(self.say, self.rules)

    # Drawing

    def draw(self) -> None:
        width, height = self.size
        body = height - (height > 1)
        rows = self.rows
        self.row = min(self.row, len(rows) - 1)
        here = rows[self.row]
        listed = min(_width_of(rows), max(LIST, width // 2))
        about = (self.refused and self.refused(self.say)) or here.about
        if listed < 6 + display_width(here.label):  # The row cuts the label.
            about = self.say.listed(filter(None, [here.label, about]))
        notes: list[Line] = [[Bit(f" {text}", SECOND)] for text in wrap(about, max(1, width - 2))]
        notes = clipped(notes, MAX_NOTES, width) if body > 2 * MAX_NOTES else []
        head = self._head(width)[: max(0, body - 3)]
        high = body - len(head) - len(notes)
        room = width - listed - 4
        is_pictured = room >= PICTURE[0] and high >= PICTURE[1]
        lines = _row_lines(rows, self.row, max(listed, min(WIDE_LIST, width // 2)) if is_pictured else width)
        self._first = first_visible(self.row, self._first, max(1, high), len(lines))
        seen = lines[self._first : self._first + max(0, high)]
        if is_pictured:
            room = min(room, width - max(map(width_of, lines)) - 4)
            edge = Bit("│ ", LINE)
            right: list[Line] = [[edge, *line] for line in [*seen, *([[]] * (high - len(seen)))]]
            seen = beside(self._picture(room, high), right, room + 1)
        seen = [*seen, *([[]] * (high - len(seen)))]
        self.show_sheet([cut(line, width) for line in [*head, *seen, *notes]], FOOTER)

    def _head(self, width: int) -> list[Line]:
        """Return the name, the spec and the size of the board."""
        title = Bit(f" {heading_of(self.say, self.rules)}", "", True)
        spec = Bit(f" {self.rules.spec}", "", False, "describe")
        counts = "   ".join(f"{count} {word}" for count, word in counts_of(self.say, self.rules))
        size = [Bit(f"{counts} ", SECOND)] if display_width(counts) + width_of([title]) + 3 < width else []
        return [spread([title], size, width), [spec], []]

    def _picture(self, width: int, height: int) -> list[Line]:
        """Return a picture of the empty board, or a part of it, in the middle of the room."""
        game, unicode = new_game(self.rules.spec), self.app.has_unicode
        window = draw_window(game, View(), width=width, height=height, unicode=unicode, shaded=False)
        if window.is_whole and window.rows:
            rows, wide = window.rows, window.width
        else:
            rows = draw_thumbnail(game, width=width, height=height, unicode=unicode)
            wide = max((width_of(Bit(*span) for span in row) for row in rows), default=0)
        blank = Bit(" " * max(0, (width - wide) // 2))
        above: list[Line] = [[]] * max(0, (height - len(rows)) // 2)
        drawn = [cut([blank, *(Bit(*span) for span in row)], width) for row in rows]
        return [*above, *drawn, *([[]] * (height - len(drawn) - len(above)))]

    # Keys: settings

    def action_step(self, direction: str) -> None:
        """Select another row, or change its number."""
        last = len(self.rows) - 1
        if direction in ("left", "right"):
            self.action_change(1 if direction == "right" else -1)
            return
        by = {"up": self.row - 1, "down": self.row + 1, "top": 0, "page-up": 0}
        self._go_to(by.get(direction, last) % (last + 1))

    def action_roll(self, steps: int, sideways: bool = False) -> None:
        """Select the row *steps* rows further."""
        self._go_to((self.row + steps) % len(self.rows))

    def _go_to(self, row: int) -> None:
        self.row, self.refused = row, None
        self.redraw()

    def action_change(self, by: int) -> None:
        """Change the number by *by*, or switch the option on (1) or off (-1)."""
        row = self.rows[self.row]
        spec = row.specs[by > 0]
        self.refused = (lambda _: self.rows[self.row].why_not[by > 0]) if row.why_not[by > 0] else None
        if spec is not None:
            self.rules = parse_spec(spec)
        self.redraw()

    def action_tick(self) -> None:
        """Switch the option, or add one to the number."""
        self.action_change(-1 if self.rows[self.row].is_on else 1)

    def action_nudge(self, row: int, by: int) -> None:
        """Select the clicked row and change it, unless *by* is 0."""
        if row < len(self.rows) and not self.is_typing:
            self._go_to(row)
            if by:
                self.action_change(by)

    # Keys: typing

    def action_describe(self) -> None:
        """Open a field for the description of a board."""
        if not self.is_typing:
            self._before = self.rules
            self.open_entry(lambda say: say("start-find"), self.rules.spec)

    def on_input_changed(self, changed: Input.Changed) -> None:
        """Show the typed board as soon as the text describes one."""
        if self.is_typing:
            self._take(changed.value.strip())

    def _take(self, text: str) -> bool:
        """Use the board that *text* describes; return False and show the reason if there is none."""
        try:
            self.rules, self.refused = rules_of(text), None
        except NotFound:
            self.refused = lambda say: say("start-nothing-found")
        except BadInput as error:
            refusal = error
            self.refused = lambda say: say.error(refusal)
        self.redraw()
        return not self.refused

    def on_input_submitted(self, submitted: Input.Submitted) -> None:
        """Accept the typed board if the text describes one."""
        if self._take(submitted.value.strip()):
            self.close_entry()

    def action_step_back(self) -> None:
        """Discard the typed board."""
        self.rules, self.refused = self._before, None
        self.close_entry()

    # Keys: leaving

    def action_take(self) -> None:
        """Choose the players for this board."""
        self.dismiss(name_of_spec(self.rules.spec))

    def action_leave(self) -> None:
        """Close the field, or return to the gallery."""
        if self.is_typing:
            self.action_step_back()
        else:
            self.dismiss(None)


def _width_of(rows: Sequence[BuildRow]) -> int:
    """Return the width of *rows* in columns, whichever row is selected."""
    numbers = [row for row in rows if row.is_on is None]
    widest = (
        max(display_width(text) for text in texts)
        for texts in zip(*((row.label, row.text) for row in numbers), strict=True)
    )
    return max(8 + sum(widest), *(6 + display_width(row.label) for row in rows if row.is_on is not None))


def _row_lines(rows: Sequence[BuildRow], here: int, width: int) -> list[Line]:
    """Return the rows as lines of *width* columns; options have a description if it fits."""
    numbers = [row for row in rows if row.is_on is None]
    value = max(display_width(row.text) for row in numbers)
    label = max(display_width(row.label) for row in numbers)
    label = min(label, max(1, width - value - 8))
    lines: list[Line] = []
    for place, row in enumerate(rows):
        is_here = place == here
        sign = Bit("> " if is_here else "  ", "", True, f"nudge({place}, 0)")
        if row.is_on is None:
            less, more = (
                Bit(f" {cap} " if spec is not None else "   ", "", True, f"nudge({place}, {by})")
                for cap, spec, by in zip("-+", row.specs, (-1, 1), strict=True)
            )
            name = Bit(fit(row.label, label), "" if is_here else SECOND, False, f"nudge({place}, 0)")
            number = Bit(" " * (value - display_width(row.text)) + row.text, "", is_here)
            lines.append(cut([sign, name, less, number, more], width))
            continue
        action = f"nudge({place}, {-1 if row.is_on else 1})"
        box = "    " if row.is_fixed else "[•] " if row.is_on else "[ ] "
        line = [sign, Bit(box + row.label, SECOND if row.is_fixed else "", is_here, action)]
        about = Bit(f"  {row.about}", SECOND, False, action)
        lines.append(cut([*line, *([about] if width_of([*line, about]) <= width else [])], width))
    return lines
