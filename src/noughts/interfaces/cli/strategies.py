"""The command ``strategy``: rules by which the second side holds a draw."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from noughts.core.board import coordinate_of
from noughts.drawing.board_text import draw_text
from noughts.drawing.svg import draw_boards
from noughts.games.base import Game
from noughts.games.catalogue import name_of, new_game
from noughts.games.notation import format_move
from noughts.interfaces.cli.certificates import check_can_certify
from noughts.interfaces.cli.localized_click import command, json_option, print_json
from noughts.interfaces.console.prompts import Conversation
from noughts.interfaces.console.replay import reporting_file_errors
from noughts.interfaces.console.terminal import Terminal
from noughts.interfaces.presenting.i18n import ReadableError, Translator
from noughts.interfaces.presenting.strategy_texts import StrategyText
from noughts.proofs.writer.pairs import write_strategy
from noughts.records.files import atomic_writer, write_atomically
from noughts.search.strategies.pair_strategy import PairStrategy, find_strategy

DONE, NO = 0, 1

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
    text = None if found is None else StrategyText(say, start, found)
    if svg is not None and text is not None:
        _write_picture(say, start, text, svg)
    lines = None if certificate is None or found is None else _write_certificate(found, certificate)
    if as_json:
        print_json(_as_json(start, found))
    elif text is None:
        print(say("strategy-none", game=name_of(start)))
    else:
        _print(Conversation(Terminal(), say), text)
        if lines is not None:
            print(say.plural("certificate-written", lines, file=certificate))
    return NO if found is None else DONE


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


def _print(talk: Conversation, text: StrategyText) -> None:
    """Print the rule and the boards of a strategy."""
    for paragraph in text.paragraphs:
        talk.sentence(paragraph)
    for board in text.boards():
        talk.write()
        if board.sentence:
            talk.sentence(board.sentence)
        for line in draw_text(board.game, view=board.view, unicode=talk.terminal.has_unicode):
            talk.write(line)


def _write_picture(say: Translator, start: Game, text: StrategyText, file: Path) -> None:
    boards = text.boards()
    pairs = [f"{board.sentence} {', '.join(map(text.pair, board.view.pairs))}" for board in boards]
    title, views = say("strategy-title", game=name_of(start)), [(board.game, board.view) for board in boards]
    picture = draw_boards(views, title=title, description="\n".join([*text.paragraphs, *pairs]))
    with reporting_file_errors(file):
        write_atomically(file, picture)


def _write_certificate(found: PairStrategy, file: Path) -> int:
    """Write the certificate of the strategy to *file*, and return the number of its lines."""
    with reporting_file_errors(file), atomic_writer(file) as stream:
        return write_strategy(found, stream)


def _pair_texts(game: Game, pairs: Iterable[Sequence[int]]) -> list[list[str]]:
    return [_texts(game, pair) for pair in pairs]


def _texts(game: Game, cells: Iterable[int]) -> list[str]:
    return [_text(game, cell) for cell in cells]


def _text(game: Game, cell: int) -> str:
    return format_move(game, coordinate_of(game.shape, cell))
