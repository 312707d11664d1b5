"""The command ``strategy``: rules by which the second side holds a draw."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from noughts.core.board import coordinate_of
from noughts.drawing.board_text import draw_text
from noughts.drawing.svg import draw_boards
from noughts.drawing.view import View
from noughts.errors import FileRefused, system_reason
from noughts.games.base import Game
from noughts.games.catalogue import name_of, new_game
from noughts.games.notation import format_move
from noughts.interfaces.cli.certificates import check_can_certify
from noughts.interfaces.cli.localized_click import command, json_option, print_json
from noughts.interfaces.console.prompts import Conversation
from noughts.interfaces.console.terminal import Terminal
from noughts.interfaces.presenting.i18n import ReadableError, Translator
from noughts.interfaces.presenting.move_names import Names
from noughts.proofs.writer.pairs import write_strategy
from noughts.records.files import atomic_writer, write_atomically
from noughts.search.strategies.pair_strategy import Case, PairStrategy, find_strategy
from noughts.search.strategies.pairing import Pairs

DONE, NO = 0, 1

LETTERS = "abcdefghijklmnpqrstuvwyz"
"""The letters of pairs. Those of marks would be confusing."""

FIRST = "x"
"""The letter of the first marks of a case."""

PICTURE = ".svg"


@command(epilog="help-strategy-more")
@click.argument("game")
@click.option("--svg", type=click.Path(path_type=Path), metavar="FILE", help="help-option-strategy-svg")
@click.option("--certificate", type=click.Path(path_type=Path), metavar="FILE")
@json_option
@click.pass_obj
def strategy(say: Translator, game: str, svg: Path | None, certificate: Path | None, as_json: bool) -> int:
    """Print the pairs of cells by which the second side holds a draw."""
    start = new_game(game)
    if svg is not None and svg.suffix.lower() != PICTURE:
        raise ReadableError(say("usage-strategy-svg"))
    if certificate is not None:
        check_can_certify(say, start, certificate)
    found = find_strategy(start)
    if as_json:
        print_json(_as_json(start, found))
    elif found is None:
        print(say("strategy-none", game=name_of(start)))
    else:
        _print(Conversation(Terminal(), say), start, found)
    if found is None:
        return NO
    if svg is not None:
        _write_picture(say, start, found, svg)
    if certificate is not None:
        lines = _write_certificate(found, certificate)
        if not as_json:
            print(say.plural("certificate-written", lines, file=certificate))
    return DONE


def _as_json(start: Game, found: PairStrategy | None) -> dict[str, Any]:
    facts: dict[str, Any] = {"game": name_of(start), "side": start.sides[1]}
    if found is None:
        return {**facts, "value": None}
    return {
        **facts,
        "value": "draw",
        "pairs": _pair_texts(start, found.pairs),
        "cases": [
            {
                "first": _texts(start, sorted(case.firsts)),
                "reply": _text(start, case.reply),
                "pairs": _pair_texts(start, case.pairs),
            }
            for case in found.cases
        ],
    }


def _print(talk: Conversation, start: Game, found: PairStrategy) -> None:
    """Print the rule of *found* and its boards."""
    say, sides = talk.say, {"first": start.sides[0], "second": start.sides[1]}
    if found.pairs:
        talk.sentence(say.plural("strategy-pairs", len(found.pairs), game=name_of(start), **sides))
    else:
        talk.sentence(say.plural("strategy-cases", len(found.cases), game=name_of(start), **sides))
    talk.sentence(say("strategy-rule", **sides))
    boards = _boards(start, found)
    for number, (game, view) in enumerate(boards, 1):
        talk.write()
        if found.cases:
            talk.sentence(_case_sentence(say, start, number, found.cases[number - 1]))
        for line in draw_text(game, view=view, unicode=talk.terminal.has_unicode):
            talk.write(line)


def _case_sentence(say: Translator, start: Game, number: int, case: Case) -> str:
    names = Names(start)
    firsts, reply = say.listed(map(names.cell_at, sorted(case.firsts))), names.cell_at(case.reply)
    sides = {"first": start.sides[0], "second": start.sides[1]}
    return say("strategy-case", number=number, cells=firsts, reply=reply, **sides)


def _boards(start: Game, found: PairStrategy) -> list[tuple[Game, View]]:
    """Return the boards of *found* with their views: one of all pairs, or one for each case."""
    if found.pairs:
        return [(start, _view(found.pairs))]
    boards = []
    for case in found.cases:
        game = start.copy()
        for cell in (min(case.firsts), case.reply):
            game.play(coordinate_of(game.shape, cell))
        boards.append((game, _view(case.pairs, case.firsts)))
    return boards


def _view(pairs: Pairs, firsts: frozenset[int] = frozenset()) -> View:
    """Return the view of *pairs*: each has a letter. The first marks *firsts* have the letter FIRST."""
    labels = {cell: _letters(number) for number, pair in enumerate(pairs) for cell in pair}
    return View(labels={**labels, **dict.fromkeys(firsts, FIRST)}, pairs=pairs)


def _letters(number: int) -> str:
    """Return the letters of the pair with this *number*.

    >>> [_letters(number) for number in (0, 23, 24)]
    ['a', 'z', 'aa']
    """
    more, letter = divmod(number, len(LETTERS))
    return (_letters(more - 1) if more else "") + LETTERS[letter]


def _write_picture(say: Translator, start: Game, found: PairStrategy, file: Path) -> None:
    title = say("strategy-title", game=name_of(start))
    pairs = [_pair_texts(start, view.pairs) for _, view in _boards(start, found)]
    description = "\n".join(", ".join("-".join(pair) for pair in each) for each in pairs)
    try:
        write_atomically(file, draw_boards(_boards(start, found), title=title, description=description))
    except OSError as error:
        raise FileRefused(str(file), system_reason(error)) from None


def _write_certificate(found: PairStrategy, file: Path) -> int:
    try:
        with atomic_writer(file) as stream:
            return write_strategy(found, stream)
    except OSError as error:
        raise FileRefused(str(file), system_reason(error)) from None


def _pair_texts(game: Game, pairs: Iterable[Sequence[int]]) -> list[list[str]]:
    return [_texts(game, pair) for pair in pairs]


def _texts(game: Game, cells: Iterable[int]) -> list[str]:
    return [_text(game, cell) for cell in cells]


def _text(game: Game, cell: int) -> str:
    return format_move(game, coordinate_of(game.shape, cell))
