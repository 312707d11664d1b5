"""The review of a game: a chart, the values of moves, and the better lines.

It fills in while the search runs, from the end of the game to its start.
"""

from collections.abc import Callable

from textual.app import ComposeResult
from textual.containers import Horizontal

from noughts.core.board import index_of
from noughts.drawing.view import View, view_of
from noughts.games.base import Game
from noughts.games.moves import cells_of
from noughts.interfaces.presenting.review_texts import ReviewText, review_limit, sign_of
from noughts.interfaces.presenting.tasks import review_game
from noughts.interfaces.tui.game.analysis import say_failure
from noughts.interfaces.tui.game.board import BoardView
from noughts.interfaces.tui.game.status import side_bit
from noughts.interfaces.tui.widgets.keys import REVIEWING, footer
from noughts.interfaces.tui.widgets.page import Page
from noughts.interfaces.tui.widgets.spans import (
    Bit,
    Line,
    LinesView,
    clipped,
    first_visible,
    flowing,
    in_columns,
    note_lines,
    spread,
    width_of,
)
from noughts.interfaces.tui.widgets.styles import SECOND
from noughts.interfaces.tui.widgets.task_slot import TaskSlot
from noughts.search.analysis import Progress
from noughts.search.explain.review import Review, ReviewedMove
from noughts.workers.messages import TaskFailure

FOOTER = ("choose", "turning-point", "line-on", "play-from", "look", "close")

CHART_LINES = 7
"""The number of lines of a chart in one piece, with a blank one."""

CHART_FROM = 18
"""The height of a window, in lines, from which the chart is shown."""

WORD_LINES = 3
"""The number of lines that are reserved for the text about the chosen move."""

BOARD_FROM, MIN_BOARD = 72, 5
"""The width of a window, and the number of free lines, from which the board is beside the list."""

INDENT = (40, 2)
"""The width of a window, in columns, from which the page is indented, and the indentation."""

GAP = 3
"""The number of columns between the list and the board."""


class ReviewPage(Page[tuple[int, bool] | None], keys=REVIEWING):
    """A list of the moves with the board beside it; below is the text about the chosen move.

    In a narrow window a better line shows the board in place of the list. *known* is the stored review of
    *game*; if it is None, the review is searched, and *keep* stores it. *texts_of* makes its texts. The
    result of the page is a ply, and True if a new game starts there.
    """

    DEFAULT_CSS = """
    ReviewPage #moves { height: 100%; }
    ReviewPage #words { height: 1fr; margin-top: 1; }
    ReviewPage.-indented > #heading, ReviewPage.-indented > #middle { margin: 0 2; }
    ReviewPage.-indented > #words { margin: 1 2 0 2; }
    """
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (INDENT[0], "-indented")]  # noqa: RUF012

    def __init__(
        self,
        game: Game,
        settled_from: int,
        texts_of: Callable[[Review], ReviewText],
        known: Review | None,
        keep: Callable[[Review], None],
    ) -> None:
        super().__init__()
        self._game, self._settled_from = game, settled_from
        self._texts_of, self._keep = texts_of, keep
        self._is_whole = known is not None
        count = game.ply + 1
        self._chosen = game.ply
        """The ply of the chosen move."""
        self._step = 0
        """The number of moves of the better line on the board; 0 shows the played move."""
        self._is_moved = False
        """True if the user chose a move; before that the latest result is chosen."""
        self._first = 0
        self._across = 1
        self._failure: TaskFailure | None = None
        self._take_in(known or Review(game.sides[0], (), (None,) * count, (None,) * count, waiting=count))

    def compose(self) -> ComposeResult:
        yield LinesView(id="heading")
        with Horizontal(id="middle"):
            yield LinesView(id="moves")
            yield BoardView(id="board", disabled=True)
        yield LinesView(id="words")
        yield from self.compose_bottom()

    def on_mount(self) -> None:
        self._slot = TaskSlot(self, self.app.services.thinker, self.redraw)
        if not self._is_whole:
            about = (review_game, self._game.copy(), self._settled_from, review_limit(self._game))
            self._slot.ask(*about, on_answer=self._take, on_failure=self._fail)

    def on_unmount(self) -> None:
        self._slot.drop()

    # Results

    def _take_in(self, review: Review) -> None:
        """Show the results so far; choose the decisive turning point unless the user chose a move."""
        self._texts = self._texts_of(review)
        points = review.turning_points or review.missed_wins
        if not self._is_moved and points:
            self._chosen = points[-1].ply

    def _take(self, review: Review) -> None:
        self._is_whole = True
        self._keep(review)
        self._take_in(review)
        self.redraw()

    def _fail(self, failure: TaskFailure) -> None:
        self._failure = failure
        self.redraw()

    @property
    def _move(self) -> ReviewedMove | None:
        """The chosen move; None if it was not searched yet."""
        review = self._texts.review
        place = self._chosen - 1 - review.waiting
        return review.moves[place] if 0 <= place < len(review.moves) else None

    # Drawing

    def draw(self) -> None:
        progress = self._slot.progress
        review = progress.result if isinstance(progress, Progress) else None
        if isinstance(review, Review) and review is not self._texts.review:
            self._take_in(review)
        width, height = self.size
        does_nothing = set() if self._texts.turning else {"turning-point"}
        if self._move is None or not self._move.line:
            does_nothing.add("line-on")
        keys = [id_ for id_ in FOOTER if id_ not in does_nothing]
        self._draw_body(width, height - (height > 1))
        self.show_footer(footer(self.say, keys, width), is_there=height > 1)

    def _draw_body(self, width: int, height: int) -> None:
        """Draw the heading, the list, the board and the text in *width* columns and *height* lines."""
        room = width - 2 * INDENT[1] * (width >= INDENT[0])
        title, whole = Bit(self.say("review-heading"), "", True), self._summary()
        is_beside = width_of([title, Bit(whole)]) + GAP <= room
        heading: list[Line] = [spread([title], [Bit(whole, SECOND)], room) if is_beside else [title], []]
        below = [] if is_beside else note_lines([whole], room, SECOND)
        chart: list[Line] = []
        if height >= CHART_FROM:
            chart = self._chart((room - GAP) // 2) if room >= BOARD_FROM else []
            heading += [*([] if chart else self._chart(room)), *below, *([[]] if below else [])]
            below = []
        words = self._words(room) or below  # A low window has no room for both.
        rows = max(1, height - len(heading) - max(len(words), WORD_LINES) - 1)
        is_both = room >= BOARD_FROM and rows >= MIN_BOARD
        wide = (room - GAP) // 2 if is_both else room
        moves = [*chart, *self._rows(wide, max(1, rows - len(chart)))]
        board, game, view, focus = self.query_one(BoardView), *self._position()
        board.lay_out(game, view, focus, (room - (wide + GAP) * is_both, rows))
        board.show(rows)
        board.display = board.has_room and (is_both or self._step > 0)
        high = rows if board.display else len(moves)
        heading_view, moves_view, words_view = self.query("#heading, #moves, #words").results(LinesView)
        heading_view.show_all(heading)
        moves_view.display = is_both or not board.display
        moves_view.styles.width = wide + GAP if board.display else "1fr"
        moves_view.show(moves)
        self.query_one("#middle").styles.height = high
        words_view.show(clipped(words, height - len(heading) - high - 1, room))

    def _summary(self) -> str:
        """Return the summary of the game, or the progress of the search."""
        say, review = self.say, self._texts.review
        if self._failure is not None:
            return say_failure(say, self._failure)
        count = len(review.values)
        sentences: list[str | None] = [say("progress-reviewing", done=count - review.waiting, of=count)]
        if self._is_whole:
            sentences = [self._texts.nothing(say), self._texts.proof(say), self._texts.accuracy(say)]
        return say.joined(filter(None, [*sentences, self._texts.caution(say)]))

    def _chart(self, width: int) -> list[Line]:
        chart = self._texts.chart(self.say)
        lines = [] if chart is None else chart.text(width=width, unicode=self.app.has_unicode, dense=True)
        return [*([Bit(line)] for line in lines), []] if 0 < len(lines) < CHART_LINES else []

    def _words(self, width: int) -> list[Line]:
        """Return the text about the chosen move, and the better line with a step for each move."""
        move = self._move
        if move is None:
            return []
        lines = note_lines([self._texts.sentence(self.say, move, line=False)], width)
        if len(move.line) < 2:
            return lines
        steps: list[Line] = [[Bit(self.say("better-line") + " ", SECOND)]]
        for step, name in enumerate(self._texts.line(move), 1):
            is_here = step == self._step
            steps.append([Bit(f">{name}<" if is_here else f" {name} ", "", is_here, f"go({step})")])
        return [*lines, *flowing(steps, width)]

    def _position(self) -> tuple[Game, View, int | None]:
        """Return the position on the board, its view, and the cell to scroll to."""
        move = self._move
        if move is None:
            return self._game, view_of(self._game, labels=False), None
        positions = self._texts.positions(move)
        if self._step:
            game, hint = positions[self._step], {}
        else:
            game = positions[0].copy()
            game.play(move.move)
            better = cells_of(move.best) if move.line and move.best is not None else ()
            places = (index_of(game.shape, cell) for cell in better)
            hint = {index: "hint" for index in places if game.cells[index] is None}
        view = view_of(game, highlights=hint, labels=False)
        return game, view, min(hint or view.last, default=None)

    def _rows(self, width: int, height: int) -> list[Line]:
        """Return the moves in as many columns as fit; cursor signs surround the chosen one."""
        moves = self._texts.review.moves
        if not moves:
            return []
        items = [self._item(move) for move in moves]
        wide = max(map(width_of, items)) + 2
        self._across = max(1, width // wide)
        rows = in_columns(items, self._across, wide)
        place = (self._chosen - moves[0].ply) // self._across
        room = height if len(rows) <= height else max(1, height - 1)
        self._first = first_visible(place, self._first, room, len(rows))
        shown = rows[self._first : self._first + room]
        if room < height:
            below = self._first + room < len(rows)
            ply = (
                moves[min((self._first + room) * self._across, len(moves) - 1)].ply if below else moves[0].ply
            )
            shown.append([Bit(f" {'▼' if below else '▲'}", SECOND, False, f"point({ply})")])
        return shown

    def _item(self, move: ReviewedMove) -> list[Bit]:
        number, _, name, before, after = map(str, self._texts.row(move))
        is_chosen = move.ply == self._chosen
        left, right = (">", "<") if is_chosen else (" ", " ")
        action = f"point({move.ply})"
        digits = len(str(self._game.ply))
        # Unknown values have no sign, since "?" stands for a mistake.
        value = "" if move.after is None else f"  {after}"
        worth = f"  {before} → {after}" if sign_of(move) else value
        return [
            Bit(f"{left}{number:>{digits}} ", SECOND, False, action),
            side_bit(self._game, move.side)._replace(strong=is_chosen, action=action),
            Bit(f" {name}", "", is_chosen or move.changed, action),
            Bit(f"{worth}{right}", SECOND, False, action),
        ]

    # Keys and clicks

    def _choose(self, ply: int) -> None:
        first = self._texts.review.waiting + 1
        self._chosen = max(min(first, self._game.ply), min(ply, self._game.ply))
        self._step, self._is_moved = 0, True
        self.redraw()

    def action_step(self, direction: str) -> None:
        """Choose another move, or step in the better line."""
        if self._step and direction in ("left", "right"):
            self.action_step_line(1 if direction == "right" else -1)
            return
        steps = {"left": -1, "right": 1, "up": -self._across, "down": self._across}
        self._choose(self._chosen + steps[direction])

    def action_step_line(self, steps: int) -> None:
        """Step *steps* moves forward in the better line, or back if it is negative."""
        self.action_go(self._step + steps)

    def action_go(self, step: int) -> None:
        """Show the position after *step* moves of the better line."""
        line = () if self._move is None else self._move.line
        self._step, self._is_moved = max(0, min(step, len(line))), True
        self.redraw()

    def action_turning_point(self) -> None:
        """Choose the next mistake."""
        plies = [move.ply for move in self._texts.review.turning_points]
        if plies:
            self._choose(next((ply for ply in plies if ply > self._chosen), plies[0]))

    def action_point(self, ply: int) -> None:
        """Choose the clicked move; show its position if it was chosen already."""
        if ply == self._chosen:
            self.action_look()
        else:
            self._choose(ply)

    def action_look(self) -> None:
        """Show the position after the chosen move in the game."""
        self.dismiss((self._chosen, False))

    def action_play_from(self) -> None:
        """Start a new game from the position before the chosen move."""
        self.dismiss((self._chosen - 1, True))
