"""The sidebar: players, counts, moves, answers, the series and the graph of the game.

Blank lines separate its blocks. A block that does not fit is left out as a whole.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from noughts.arena.series import Score
from noughts.drawing.canvas import LINE
from noughts.drawing.chart import draw_bars
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.players import shorten_names
from noughts.interfaces.tui.game.screen_layout import WIDE_FROM
from noughts.interfaces.tui.game.session import GameSession
from noughts.interfaces.tui.game.status import LOW_TIME, clock_face, names_of, side_bit
from noughts.interfaces.tui.widgets.spans import Bit, Line, clipped, in_columns, note_lines, spread, width_of
from noughts.interfaces.tui.widgets.styles import SECOND
from noughts.text import display_width

STROKES = "一丅下止正"
"""The strokes of a Chinese tally, five for each sign."""

MAX_TALLIED = 10
"""The maximum number of points that are shown as a tally, besides the number."""

NARROW_SIDEBAR = 20
"""The maximum width, in columns, of a sidebar without a right margin and without tallies."""

TABLE_FROM = 26
"""The height of a window, in lines, from which a wide sidebar has a table of the series."""

GRAPH_FROM, GRAPH_LINES = 140, 22
"""The width of a window, in columns, from which the graph is drawn, and the number of lines that it needs."""

MIN_MOVE_LINES = 3
"""The number of lines that are reserved for the moves."""

MAX_GAP = 16
"""The maximum number of columns from one move to the next."""


def tally(wins: int, *, chinese: bool) -> str:
    """Return *wins* as strokes; empty if it is 0 or more than :data:`MAX_TALLIED`.

    >>> tally(7, chinese=False), tally(7, chinese=True)
    ('||||/ ||', '正丅')
    """
    if wins > MAX_TALLIED:
        return ""
    fives, rest = divmod(wins, 5)
    if chinese:
        return STROKES[-1] * fives + (STROKES[rest - 1] if rest else "")
    return " ".join(["||||/"] * fives + (["|" * rest] if rest else []))


@dataclass(frozen=True, slots=True)
class Sidebar:
    """The sidebar of *session*, *width* columns and *height* lines of a *window*.

    ``unicode`` and ``coloured`` describe the terminal.
    """

    say: Translator
    session: GameSession
    width: int
    height: int
    window: tuple[int, int]
    unicode: bool
    coloured: bool

    def lines(self, words: Sequence[str], *, with_graph: bool) -> list[Line]:
        """Return all lines, with *words* below the moves; *with_graph* adds the graph at the end."""
        if not self.width:
            return []
        blocks: list[list[Line]] = [self._players(), self._game()]
        top = [line for block in blocks for line in block]
        left = self.height - len(top) - 1
        table = self._table()
        notes = clipped(note_lines(words, self._room), max(0, left), self._room)
        below: list[list[Line]] = [notes] if notes else []
        left -= len(notes) + bool(notes)
        if table and left >= len(table) + 1 + MIN_MOVE_LINES:
            left -= len(table) + 1
        else:
            table = []
        graph: list[Line] = []
        if with_graph and self.window[0] >= GRAPH_FROM and left >= GRAPH_LINES:
            graph = self._graph()
            left -= len(graph) + bool(graph)
        if moves := self._moves(left):
            below.insert(0, moves)
        lines = top + [line for block in below for line in ([], *block)]
        end = [line for block in (table, graph) if block for line in ([], *block)]
        lines += [[]] * (self.height - len(lines) - len(end)) + end
        return lines[: self.height]

    @property
    def _room(self) -> int:
        return self.width - 2 - (self.width > NARROW_SIDEBAR)

    # Players

    @property
    def _has_table(self) -> bool:
        """True if a table shows the series."""
        columns, rows = self.window
        return columns >= WIDE_FROM and rows >= TABLE_FROM and self._scores != ()

    @property
    def _scores(self) -> tuple[Score, ...]:
        table = self.session.table
        return table.scores if table.games_played else ()

    def _players(self) -> list[Line]:
        """Return a line for each player, with ``>`` before the one to move.

        A tally without room beside the name has a line of its own.
        """
        session, width = self.session, self._room
        names = names_of(self.say, session)
        is_alone = len(names) == 1
        before = 0 if is_alone else 4
        ends = {side: self._end(side) for side in names}
        room = width - before - max(width_of(end) + bool(end) for end in ends.values())
        if any(display_width(name) > room for name in names.values()):
            names = shorten_names(names_of(self.say, session, short=True), room)
        outcome = session.match.outcome
        lines: list[Line] = []
        for side, name in names.items():
            is_to_move = outcome is None and side == session.match.turn
            pointer = Bit("> " if is_to_move else "  ", "", True)
            sign = [] if is_alone else [pointer, side_bit(session.latest, side), Bit(" ")]
            left = [*sign, Bit(name, "", True)]
            note = self.say("seat-you") if session.people == (side,) and not is_alone else ""
            if note and width_of([*left, *ends[side]]) + display_width(note) + 3 <= width:
                left.append(Bit(f"  {note}", SECOND))
            lines.append(spread(left, ends[side], width))
            lines += self._tally_below(side)
        return [*lines, *(self._puzzle_counts() if is_alone else self._count_bar())]

    def _end(self, side: str) -> list[Bit]:
        """Return the right end of a player's line: the count and the clock, or else the score."""
        session, bits = self.session, []
        if (count := session.game.annotations().number(side, "lead")) is not None:
            bits.append(Bit(str(count), side, True))
        left = session.time_left(side)
        if left is not None:
            is_running = session.match.outcome is None and side == session.match.turn
            bits.append(Bit(("  " if bits else "") + clock_face(left), "", is_running or left < LOW_TIME))
        return bits or self._score(side)

    def _score(self, side: str) -> list[Bit]:
        """Return a player's score, with strokes if there is room; nothing if a table shows it."""
        name = self.session.table.names[side]
        points = next((score.points for score in self._scores if score.name == name), None)
        if points is None or self._has_table:
            return []
        is_whole, is_chinese = points == int(points), self.say.language.startswith("zh")
        has_room = self.width > NARROW_SIDEBAR
        strokes = tally(int(points), chinese=is_chinese) if is_whole and has_room else ""
        return [Bit(f"{strokes}  {points:g}" if strokes else f"{points:g}", SECOND)]

    def _tally_below(self, side: str) -> list[Line]:
        """Return the score as a line below the clock or the count."""
        score, end = self._score(side), self._end(side)
        return [] if score == end or not score else [spread([], score, self._room)]

    def _puzzle_counts(self) -> list[Line]:
        """Return the counts of a puzzle: the moves, the time, and the tiles that are in place."""
        say, game = self.say, self.session.game
        time = clock_face(self.session.time_taken, tenths=False)
        counts = [("count-moves", str(game.ply)), ("count-time", time)]
        if self.session.is_sliding:
            home = len(game.annotations().cells_with("home"))
            of = sum(cell is not None for cell in game.cells)
            counts.append(("count-home", say("so-many-of", count=home, of=of)))
        return [spread([Bit(say(id_), SECOND)], [Bit(text)], self._room) for id_, text in counts]

    def _count_bar(self) -> list[Line]:
        """Return a bar of the counts of all sides; nothing if they are not the score."""
        game = self.session.game
        annotations = game.annotations()
        counts = {side: annotations.number(side, "lead") or 0 for side in game.sides}
        if not (total := sum(counts.values())):
            return []
        # The sides take these signs in turn.
        signs = "#-" if not self.unicode else "▄▄" if self.coloured else "▄▀"
        bits, total_so_far, start = [], 0, 0
        for number, (side, count) in enumerate(counts.items()):
            total_so_far += count
            end = (2 * self._room * total_so_far + total) // (2 * total)
            bits.append(Bit(signs[number % 2] * (end - start), side))
            start = end
        return [bits]

    def _game(self) -> list[Line]:
        """Return the number of the game in the series; nothing if a table shows it."""
        if not self.session.table.is_series or self.width <= NARROW_SIDEBAR or self._has_table:
            return []
        return [[], [Bit(self._game_number("game-of-series"), SECOND)]]

    def _game_number(self, id_: str) -> str:
        table = self.session.table
        return self.say(id_, number=table.games_played + table.is_playing)

    # Moves, series and graph

    def _moves(self, height: int) -> list[Line]:
        """Return *height* lines of moves around the viewed one, with a column for each side."""
        session = self.session
        game, names = session.latest, session.names
        here = game.ply if session.shown is None else session.shown
        if not game.moves or height < 1:
            return []
        sides = game.sides
        digits = len(str(len(game.moves)))
        items = []
        for ply, (move, side) in enumerate(zip(game.moves, game.movers, strict=True), 1):
            action = f"look({ply})"
            head = Bit(f"{ply:>{digits}} ", LINE, False, action)
            sign = side_bit(game, side)._replace(strong=False, action=action)
            side_bits = [sign, Bit(" ", "", False, action)] if len(sides) > 1 else []
            text = names.move(move) + (" <" if ply == session.shown else "")
            items.append([head, *side_bits, Bit(text, "", ply == here, action)])
        wide = max(map(width_of, items))
        most = len(sides) if len(sides) > 1 else 4
        across = max(1, min(most, (self._room + 1) // (wide + 1)))
        rows = in_columns(items, across, max(wide + 1, min(MAX_GAP, self._room // across)))
        at = max(0, here - 1) // across
        begin = at - height + 1 if session.shown is None else at - height // 2
        first = max(0, min(len(rows) - height, begin))
        return rows[first : first + height]

    def _table(self) -> list[Line]:
        """Return the table of wins, draws and losses in the series."""
        if not self._has_table:
            return []
        say = self.say
        headings = [say("series-won"), say("series-drawn"), say("series-lost")]
        ends = [[str(score.wins), str(score.draws), str(score.losses)] for score in self._scores]
        wides = [max(map(display_width, column)) for column in zip(headings, *ends, strict=True)]
        wide = sum(wides) + 2 * len(wides)
        head = self._game_number("series-game")
        shown = names_of(say, self.session)
        if any(display_width(name) > self._room - wide - 1 for name in shown.values()):
            shown = shorten_names(names_of(say, self.session, short=True), self._room - wide - 1)
        names = {self.session.table.names[side]: name for side, name in shown.items()}
        firsts = [head, *(names[score.name] for score in self._scores)]
        width = min(self._room, max(map(display_width, firsts)) + 1 + wide)
        lines: list[Line] = []
        for number, (first, end) in enumerate(zip(firsts, [headings, *ends], strict=True)):
            role = "" if number else SECOND
            cells = [
                " " * (2 + most - display_width(text)) + text for text, most in zip(end, wides, strict=True)
            ]
            lines.append(spread([Bit(first, role)], [Bit(text, role) for text in cells], width))
        return lines

    def _graph(self) -> list[Line]:
        """Return the graph of the game; nothing while no value is known."""
        game = self.session.latest
        values = self.session.graph.values(game)
        searched = values[: -1 if game.outcome is not None else None]
        if len(game.sides) != 2 or all(value is None for value in searched):
            return []
        title = Bit(self.say("graph-title", side=game.sides[0]), SECOND)
        bars = draw_bars(values[1:], game.sides, self._room, unicode=self.unicode)
        return [[title], *([Bit(span.text, span.role) for span in row] for row in bars)]
