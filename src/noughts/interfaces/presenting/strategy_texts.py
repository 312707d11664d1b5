"""Strategies of pairs in words, and as boards whose pairs have letters."""

from collections.abc import Iterable
from dataclasses import dataclass

from noughts.core.board import coordinate_of
from noughts.drawing.view import View
from noughts.games.base import Game
from noughts.games.catalogue import name_of
from noughts.interfaces.presenting.i18n import Translator
from noughts.interfaces.presenting.move_names import Names
from noughts.search.strategies.pair_strategy import Case, PairStrategy
from noughts.search.strategies.pairing import Pair, Pairs

LETTERS = "abcdefghijklmnpqrstuvwyz"
"""The letters of pairs. Those of marks would be confusing."""

FIRST = "x"
"""The letter of the first marks of a case."""


@dataclass(frozen=True, slots=True)
class StrategyBoard:
    """A board of a strategy: all pairs, or those of one case after its reply. ``sentence`` is its case."""

    sentence: str
    game: Game
    view: View


class StrategyText:
    """The *strategy* of the game *start* in the language of *say*.

    An interface that names all cells by letters sets *letters*.
    """

    def __init__(
        self, say: Translator, start: Game, strategy: PairStrategy, *, letters: bool = False
    ) -> None:
        self._say, self._start, self._strategy = say, start, strategy
        self._names = Names(start, letters=letters)
        self._sides = {"first": start.sides[0], "second": start.sides[1]}

    @property
    def result(self) -> str:
        """The result, and the number of pairs or cases."""
        found, name = self._strategy, name_of(self._start)
        if found.pairs:
            return self._say.plural("strategy-pairs", len(found.pairs), game=name, **self._sides)
        return self._say.plural("strategy-cases", len(found.cases), game=name, **self._sides)

    @property
    def paragraphs(self) -> list[str]:
        """The result with the boards that are the same case, and the rule to follow."""
        sentences = [self.result]
        if self._strategy.cases:
            is_joined = any(self._strategy.rules.geometry.joined)
            sentences.append(self._say("strategy-shifted" if is_joined else "strategy-turned"))
        return [self._say.joined(sentences), self._say("strategy-rule", **self._sides)]

    def boards(self) -> list[StrategyBoard]:
        """Return one board of all pairs, or one for each case."""
        if self._strategy.pairs:
            return [StrategyBoard("", self._start, _view(self._strategy.pairs))]
        return [self._board(number, case) for number, case in enumerate(self._strategy.cases, 1)]

    def _board(self, number: int, case: Case) -> StrategyBoard:
        game = self._start.copy()
        for cell in (min(case.firsts), case.reply):
            game.play(coordinate_of(game.shape, cell))
        cells, reply = self._cells(sorted(case.firsts)), self._names.cell_at(case.reply)
        sentence = self._say("strategy-case", number=number, cells=cells, reply=reply, **self._sides)
        return StrategyBoard(sentence, game, _view(case.pairs, case.firsts))

    def _cells(self, cells: Iterable[int]) -> str:
        return self._say.listed(map(self._names.cell_at, cells))

    def pair(self, pair: Pair) -> str:
        """Return the names of the cells of *pair*."""
        return "–".join(map(self._names.cell_at, pair))


def _view(pairs: Pairs, firsts: frozenset[int] = frozenset()) -> View:
    """Return the view of *pairs*: each has a letter. The first marks *firsts* have the letter FIRST."""
    labels = {cell: letters_of(number) for number, pair in enumerate(pairs) for cell in pair}
    return View(labels={**labels, **dict.fromkeys(firsts, FIRST)}, pairs=pairs)


def letters_of(number: int) -> str:
    """Return the letters of the pair with this *number*.

    >>> [letters_of(number) for number in (0, 23, 24)]
    ['a', 'z', 'aa']
    """
    more, letter = divmod(number, len(LETTERS))
    return (letters_of(more - 1) if more else "") + LETTERS[letter]
