"""How moves and cells are called when they are talked about: by number, or by letter and number."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from itertools import takewhile

from noughts.arena.table import HUMAN
from noughts.core.board import Coordinate, coordinate_of, index_of
from noughts.drawing.scene import has_letters, has_letters_outside
from noughts.errors import NameRefused, PlayerFailed, UnsupportedRules
from noughts.games.base import Game, Move
from noughts.games.catalogue import find_entry, name_of, name_of_spec
from noughts.games.moves import Part, is_pass, parts_of
from noughts.games.notation import format_cell
from noughts.games.rule_text import sizes
from noughts.interfaces.presenting.i18n import LANGUAGES, Thing, Translator
from noughts.players.base import player_names
from noughts.text import check_name, display_width, fit, likeness

TAGGED = {
    "gravity": "connect4",
    "wrap": "torus",
    "hex": "hex",
    "wild": "wild",
    "notakto": "notakto",
    "renju": "renju",
}
"""The switches of rules, and the games of the catalogue that are told by them."""

INSTALL_FAST = 'pip install "noughts[fast]"'
"""What brings the extra that compiles searches."""

TOLD = frozenset((*TAGGED, "misere", "exact", "vanish", "players"))
"""The facts of rules that a few words tell, or that the board and the seats show."""


class Names:
    """What the moves and cells of *game* are called; numbers begin at *first*.

    Large boards and boards of tiles are drawn with letters and named by them. Where an interface draws all
    boards so, *letters* says it: flat ones, and in space with the number of the layer before. Where marks
    fall, columns have numbers all the same.

    >>> from noughts import new_game
    >>> Names(new_game("tictactoe")).move((1, 1)), Names(new_game("gomoku")).move((7, 7))
    ('5', 'h8')
    >>> Names(new_game("tictactoe"), letters=True).move((1, 1)), Names(new_game("4d"), letters=True).example
    ('b2', '1.1a3')
    """

    def __init__(self, game: Game, first: int = 1, *, letters: bool = False) -> None:
        self.game, self.first, self.letters = game, first, letters

    @property
    def has_letters(self) -> bool:
        """Whether cells are named by letter and number, ``h8``, as where the board is drawn with them."""
        is_lettered_here = self.letters and has_letters(self.game)
        return self.game.layout.tiles or is_lettered_here or has_letters_outside(self.game)

    def move(self, move: Move) -> str:
        """*move* as a player types it."""
        return self.game.notation.spell(move, self.cell)

    def written(self, move: Move) -> str:
        """*move* as it stands in a table: in space, where cells have numbers on the board, with its place.

        >>> from noughts import new_game
        >>> Names(new_game("qubic")).written((0, 3, 0)), Names(new_game("tictactoe")).written((1, 1))
        ('13 (1a1)', '5')
        """
        return self._beside_place(move) if self._has_bare_numbers else self.move(move)

    def written_together(self, moves: Iterable[Move]) -> str:
        """Several *moves* in a table: in space each with its place, where marks fall too.

        >>> from noughts import new_game
        >>> Names(new_game("qubic")).written_together([(2, 2, 1), (0, 3, 0)])
        '42 (3b2) 13 (1a1)'
        """
        return " ".join(map(self._beside_place, moves))

    def told(self, *moves: Move) -> Thing:
        """*moves* in a sentence, which says what their numbers are numbers of.

        >>> from noughts import new_game
        >>> game = new_game("connect4")
        >>> [Translator("en").thing(Names(game).told(*moves)) for moves in ([(5, 3)], [(5, 3), (5, 4)])]
        ['column 4', 'columns 4, 5']
        """
        if self._has_bare_numbers or any(map(is_pass, moves)):
            return self._each(moves)
        return self._thing(moves, tuple(map(self.move, moves)))

    def told_together(self, moves: Iterable[Move]) -> Thing:
        """The same of *moves* that are made one after another: in space where marks fall with places too."""
        each = tuple(moves)
        if len(each) == 1 or any(map(is_pass, each)):
            return self.told(*each)
        return self._each(each) if self._is_placed else self._thing(each, " ".join(map(self.move, each)))

    def _each(self, moves: Iterable[Move]) -> Thing:
        """Each of *moves* with a word of its own, and in space its place; a single one is no list."""
        each = tuple(
            replace(self._thing([move], self.move(move)), beside=self._beside(move)) for move in moves
        )
        return each[0] if len(each) == 1 else Thing("text", each)

    def told_cell(self, cell: Coordinate) -> Thing:
        """A *cell* in a sentence, where it may be a column's."""
        return self._thing([cell], self.cell(cell))

    def _thing(self, moves: Sequence[Move], name: str | tuple[str, ...]) -> Thing:
        kind = self.game.notation.kind
        if all(map(is_pass, moves)):
            return Thing("pass", name)
        if kind not in ("cell", "column") and any(parts_of(move) != (move,) for move in moves):
            return Thing("text", name)
        if self.game.layout.has_columns:
            return Thing("column" if len(moves) == 1 else "columns", name)
        if self.has_letters and len(self.game.shape) > 1:
            return Thing("place", name)
        return Thing("cell" if len(moves) == 1 else "cells", name)

    def row(self, cells: Iterable[Coordinate]) -> Thing:
        """The *cells* of a row as they are told: in space, where they have numbers, with their places too.

        >>> from noughts import new_game
        >>> Translator("en").thing(Names(new_game("3d")).row([(0, 0, 0), (1, 1, 1), (2, 2, 2)]))
        'cells 1 14 27 (1a3 2b2 3c1)'
        """
        each = list(cells)
        numbers = dict.fromkeys(map(self.cell, each))
        told = " ".join(numbers)
        if self.game.layout.has_columns:
            return Thing("column" if len(numbers) == 1 else "columns", told)
        places = " ".join(map(self._place, each)) if self._has_bare_numbers else ""
        return replace(self._thing(each, told), beside=places)

    @property
    def has_places(self) -> bool:
        """Whether cells of rows are told by letter and number, alone or beside mere numbers."""
        return self.has_letters or self._has_bare_numbers

    @property
    def _has_bare_numbers(self) -> bool:
        """Whether cells in space have mere numbers, which do not say where they are."""
        return self._is_placed and self.game.notation.kind == "cell"

    @property
    def _is_placed(self) -> bool:
        """Whether mere numbers call a cell in space, or the column in which it is reached."""
        is_numbered = self.game.notation.kind in ("cell", "column") and not self.has_letters
        return is_numbered and len(self.game.shape) > 2

    def _beside_place(self, move: Move) -> str:
        place = self._beside(move)
        return f"{self.move(move)} ({place})" if place else self.move(move)

    def _beside(self, move: Move) -> str:
        """The place of *move*, where its number does not say it."""
        return self._place(move) if self._is_placed and parts_of(move) == (move,) else ""

    def _place(self, cell: Coordinate) -> str:
        return format_cell(self.game.shape, cell)

    def cell(self, cell: Coordinate) -> str:
        """What a cell is called: where marks fall, only its column has a number on the screen."""
        if self.has_letters:
            return format_cell(self.game.shape, cell)
        if self.game.layout.has_columns:
            return self.column(cell)
        return str(index_of(self.game.shape, cell) + self.first)

    def column(self, cell: Coordinate) -> str:
        """The number of the column of *cell* where marks fall along the first axis."""
        return str(index_of(self.game.shape[1:], cell[1:]) + 1)

    def said(self, parts: Iterable[Part]) -> str:
        """Parts of a move as people read them.

        >>> from noughts import new_game
        >>> Names(new_game("wild"), letters=True).said([(1, 1), "X"])
        'b2 X'
        """
        return " ".join(part if isinstance(part, str) else self.cell(part) for part in parts)

    def cell_at(self, index: int) -> str:
        """A cell by its flat index."""
        return self.cell(coordinate_of(self.game.shape, index))

    def field(self, place: Coordinate) -> str:
        """A field of a board of fields by the cells in two of its corners; *place* is its row and column.

        >>> from noughts import new_game
        >>> Names(new_game("ultimate"), letters=True).field((0, 2)), Names(new_game("ultimate")).field((0, 2))
        ('g7-i9', '7-27')
        """
        down, across = self.game.layout.fields
        top, left = place[0] * down, place[1] * across
        return self.rectangle((top, left), (top + down - 1, left + across - 1))

    def rectangle(self, *corners: Coordinate) -> str:
        """The rectangle with these *corners* on a flat board, by its first cell and its last."""
        (top, bottom), (left, right) = (sorted(places) for places in zip(*corners, strict=True))
        if self.has_letters:  # rows are counted from the bottom
            top, bottom = bottom, top
        return f"{self.cell((top, left))}-{self.cell((bottom, right))}"

    @property
    def example(self) -> str:
        """A move that may be made, after the end the last one."""
        game = self.game
        return self.move(game.moves[-1] if game.is_over else game.legal_moves()[0])

    @property
    def example_of_cell(self) -> str:
        """What a cell near a corner is called: ``b2``, in space ``2b2``; of a single row the second."""
        shape = self.game.shape
        sides = [min(1, side - 1) for side in shape]
        if len(shape) > 1:
            sides[-2] = shape[-2] - 1 - sides[-2]
        return self.cell(tuple(sides))

    @property
    def range(self) -> tuple[int, int]:
        """The first and the last number that a move can have."""
        notation = self.game.notation
        first = 1 if self.game.layout.has_columns else self.first
        return first, first + notation.count - 1


def title_of(say: Translator, name: str) -> str:
    """What the game called *name* is called; one that has no title by its spec or name."""
    return say(f"title-{name}") if find_entry(name) and say.has(f"title-{name}") else name


def tag_of_entry(say: Translator, name: str) -> str:
    """In a few words what the game called *name* is; empty for one of which no sentence tells."""
    return say(f"tag-{name}") if find_entry(name) and say.has(f"tag-{name}") else ""


def how_it_ended(say: Translator, name: str, termination: str | None) -> str:
    """In a few words how a match of the game called *name* ended; None stands for one that has not."""
    find_entry(name)  # which brings the sentences of the game
    id_ = f"ended-{termination or 'not'}"
    return say(id_) if say.has(id_) else str(termination)


def title_and_tag(say: Translator, name: str) -> str:
    """The title of a game of the catalogue, and in a few words what it is."""
    title, tag = title_of(say, name), tag_of_entry(say, name)
    return say("title-and-tag", title=title, tag=tag) if tag else title


def tag_of(say: Translator, game: Game) -> str:
    """In a few words what *game* is; empty for one that cannot be told so.

    >>> from noughts import new_game
    >>> tag_of(Translator("en"), new_game("4x4x4:4,wrap"))
    '4 in a row, joined sides'
    """
    if tag := tag_of_entry(say, name_of(game)):
        return tag
    rules = game.rules
    if rules is None or not game.facts <= TOLD or isinstance(rules.wrap, str):
        return ""  # of a cylinder the whole rules tell
    goal = "tag-row-loses" if rules.line_loses else "tag-row-exactly" if rules.exact else "tag-row"
    tags = [say(goal, k=rules.k)]
    tags += [say(f"tag-{known}") for switch, known in TAGGED.items() if getattr(rules, switch)]
    if rules.vanish:
        tags.append(say.plural("tag-marks-stay", rules.vanish))
    return say.listed(tags)


def rule_in_short(say: Translator, game: Game, sentence: str = "title-and-tag") -> str:
    """What *game* is called, and in a few words what it is; empty for one that cannot be told so.

    *sentence* is the id of the one that joins them.
    """
    name = name_of(game)
    title = title_of(say, name) if find_entry(name) else "×".join(map(str, sizes(game.shape)))
    tag = tag_of(say, game)
    return say(sentence, title=title, tag=tag) if tag else ""


def kind_of_moves(game: Game) -> str:
    """Under what sentences for each kind of moves are found: a mark goes with a cell, or with a column."""
    kind = game.notation.kind
    return "marked-column" if kind == "marked" and game.layout.has_columns else kind


def say_accepted(say: Translator, names: Names) -> str:
    """What a move looks like in this game: one sentence, its own or an example."""
    first, last = names.range
    kind = kind_of_moves(names.game)
    facts = {"first": first, "last": last, "marks": names.game.sides, "cell": names.example_of_cell}
    if names.has_letters and say.has(f"accepted-{kind}-letters"):
        return say(f"accepted-{kind}-letters", **facts)
    if say.has(f"accepted-{kind}"):
        return say(f"accepted-{kind}", **facts)
    return say("accepted-move", example=names.example)


# Players


def cut_apart(names: Mapping[str, str], most: int) -> dict[str, str]:
    """The names of players, by mark, in at most *most* columns each; those that begin alike stay apart.

    >>> cut_apart({"X": "Player 1", "O": "Player 2"}, 5), cut_apart({"X": "Konstantin"}, 5)
    ({'X': 'Pla…1', 'O': 'Pla…2'}, {'X': 'Kons…'})
    """
    cut = {side: fit(name, most).rstrip() for side, name in names.items()}
    for short in {short for short in cut.values() if list(cut.values()).count(short) > 1}:
        alike = [side for side in cut if cut[side] == short]
        letters = zip(*(names[side] for side in alike), strict=False)
        begin = sum(1 for _ in takewhile(lambda letter: len(set(letter)) == 1, letters))
        for side in alike:
            end = names[side][begin:]
            end = fit(end, min(display_width(end), max(1, most // 2)))
            cut[side] = fit(names[side], most - display_width(end)).rstrip() + end
    return cut


def strength(say: Translator, who: str) -> str:
    """How strong the computer called *who* is, in a few words; one of another package by its own name.

    >>> strength(Translator("en"), "level:3")
    'level 3'
    """
    own, _, argument = who.partition(":")
    return say(f"strength-{own}", level=argument) if say.has(f"strength-{own}") else who


def player_offered(say: Translator, who: str) -> str:
    """What the computer called *who* is called where one is chosen: a level by its number and name.

    >>> player_offered(Translator("en"), "level:3"), player_offered(Translator("en"), "perfect")
    ('level 3, casual', 'perfect')
    """
    own, _, argument = who.partition(":")
    known = strength(say, who)
    is_named = own == "level" and say.has(f"level-{argument}")
    return say("level-called", strength=known, name=say(f"level-{argument}")) if is_named else known


def about_player(say: Translator, who: str) -> str:
    """What the computer called *who* does, and what it overlooks.

    >>> about_player(Translator("en"), "random")
    'any legal move, each as likely as another'
    """
    id_ = f"player-{who.replace(':', '-')}"
    return say(id_) if say.has(id_) else say("player-foreign")


def tell_computer(say: Translator, who: str) -> str:
    """The same as a sentence."""
    return say("computer-is", player=player_offered(say, who), about=about_player(say, who))


def strongest_level() -> str:
    """The number of the strongest level, of which the first is 1.

    >>> strongest_level()
    '10'
    """
    return [name for name in player_names() if name.startswith("level:")][-1].partition(":")[2]


def levels_without_fast(say: Translator, game: Game | None = None) -> str | None:
    """Which level is weaker without the extra ``fast``, and how to get it; None where it is installed.

    It alone takes all the time that it is given; the others have budgets that the plain search keeps too.
    None also where it is no weaker in *game*.
    """
    if find_spec("numba"):
        return None
    from noughts.players.levels import needs_speed  # only now: it brings all searches

    if game is not None and not needs_speed(game):
        return None
    return say("levels-without-fast", level=strongest_level(), command=INSTALL_FAST)


def refusal_in_words(say: Translator, error: Exception) -> str:
    """The sentence for *error* where players and games are chosen from words, not called by their names."""
    if isinstance(error, UnsupportedRules):
        game, instead = title_of(say, name_of_spec(error.game)), [strength(say, who) for who in error.instead]
        error = UnsupportedRules(strength(say, error.who), game, error.reason, instead, **error.data)
    elif isinstance(error, PlayerFailed):
        error = PlayerFailed(strength(say, error.name), error.reason)
    return say.error(error)


def player_called(say: Translator, name: str, who: str) -> str:
    """What a player is called: a person by *name*, the computer *who* by its level and its name.

    Two computers of one kind keep the numbers that tell them apart.

    >>> player_called(Translator("en"), "level:3 (2)", "level:3")
    'Computer (level 3, casual) (2)'
    """
    if who == HUMAN or not (name == who or name.startswith(f"{who} (")):
        return name
    return say("computer-named", strength=player_offered(say, who)) + name[len(who) :]


def person_name(text: str) -> str:
    """A name that does not look like a computer's, nor like what computers are shown under.

    Between its words there is one blank. Raises :class:`~noughts.errors.NameRefused`.
    """
    name = " ".join(check_name(text).split())
    seen = likeness(name)
    is_shown = any(seen == short or seen.startswith(long) for long, short in _shown_for_computers())
    if is_shown or seen in map(likeness, player_names()):
        raise NameRefused(name, "computer")
    return name


@cache
def _shown_for_computers() -> frozenset[tuple[str, str]]:
    """How names under which computers are shown begin, and the short one, as they look in each language."""
    spoken = [Translator(code) for code in LANGUAGES]
    shown = [(say("computer-named", strength="|").partition("|")[0], say("computer-short")) for say in spoken]
    return frozenset((likeness(long), likeness(short)) for long, short in shown)


def player_in_short(say: Translator, name: str, who: str, *, is_only: bool) -> str:
    """The same where there is little room; *is_only* says that there is no other computer.

    >>> [player_in_short(Translator("en"), "random (2)", "random", is_only=only) for only in (True, False)]
    ['Computer', 'random (2)']
    """
    if player_called(say, name, who) == name:
        return name
    return say("computer-short") if is_only else strength(say, who) + name[len(who) :]
