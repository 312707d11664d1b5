"""The page of strategies: pairs of cells by which the second player holds a draw, as pictures to print."""

import json
import re
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from noughts.drawing.svg import draw_boards
from noughts.errors import NoughtsError
from noughts.games.catalogue import MAX_SPEC, name_of, new_game
from noughts.interfaces.presenting.strategy_texts import StrategyText
from noughts.interfaces.presenting.titles import title_of
from noughts.interfaces.web.http.replies import (
    ApiError,
    error_detail,
    language_of,
    status_of,
    translator,
    translator_for,
)
from noughts.interfaces.web.live.work import text_task
from noughts.interfaces.web.service import Service
from noughts.search.strategies.pair_strategy import find_strategy

FIRST_SHOWN = "5x5:5"
"""The board of the page without a board in its address."""

EXAMPLES = ("5x5:5", "4x4:4", "6x5:5", "6x6:5,hex", "9x9:7", "15x15:9")
"""The boards that the page suggests."""

LEAST_COST, CELL_COST, MAX_COST = 30.0, 2.0, 800.0
"""The cost of a search for pairs, in milliseconds: the least one, that of a cell, and the greatest one."""

SIZE = re.compile(r'<svg [^>]*width="(\d+)" height="(\d+)"')


async def context_of_strategy(request: Request) -> dict[str, Any]:
    """Return the context of the page: the strategy of the board in the address, or the reason for none."""
    say, language = translator_for(request), language_of(request)
    spec = request.query_params.get("game", "")[:MAX_SPEC].strip() or FIRST_SHOWN
    shown = {"game": spec, "examples": EXAMPLES, "fault": "", "found": None, "title": ""}
    try:
        text = await _text_of(request, spec, strategy_as_json, language)
    except ApiError:
        raise
    except NoughtsError as error:
        return {**shown, "fault": error_detail(error, say).sentence, "status": status_of(error)}
    found = json.loads(text)
    address = urlencode({"game": spec})
    return {**shown, "found": found, "title": title_of(say, name_of(new_game(spec))), "address": address}


async def send_strategy_picture(request: Request) -> Response:
    """Send a board of a strategy as SVG. The address has the game, the number of the board and the theme."""
    query = request.query_params
    number = query.get("board", "0")
    if not re.fullmatch("[0-9]{1,3}", number):
        raise ApiError(404, "no-such-path")
    arguments = language_of(request), int(number), query.get("theme") == "dark"
    text = await _text_of(request, query.get("game", "")[:MAX_SPEC], strategy_picture, *arguments)
    if not text:
        raise ApiError(404, "no-such-path")
    return Response(text, media_type="image/svg+xml")


async def _text_of(request: Request, spec: str, task: Any, *arguments: Any) -> str:
    """Return the text that *task* makes of the game *spec* and the *arguments*."""
    service: Service = request.app.state.service
    cost = min(LEAST_COST + len(new_game(spec).cells) * CELL_COST, MAX_COST)
    return await service.work.text(request, cost, task, spec, *arguments)


@text_task
def strategy_as_json(spec: str, language: str) -> str:
    """Return the sentences and boards of the strategy of the game *spec* as JSON; null if none is found."""
    text = _strategy_text(spec, language)
    if text is None:
        return "null"
    boards = [
        {
            "sentence": board.sentence,
            "pairs": [*map(text.pair, board.view.pairs)],
            **_extent(spec, language, number),
        }
        for number, board in enumerate(text.boards())
    ]
    return json.dumps({"paragraphs": text.paragraphs, "boards": boards})


def _extent(spec: str, language: str, number: int) -> dict[str, str]:
    match = SIZE.match(_picture(spec, language, number, is_dark=False))
    assert match is not None  # noqa: S101 - the picture has a size
    return {"width": match[1], "height": match[2]}


@text_task
def strategy_picture(spec: str, language: str, number: int, is_dark: bool) -> str:
    """Return the picture of the board with this *number*, or an empty text if there is none."""
    return _picture(spec, language, number, is_dark=is_dark)


def _picture(spec: str, language: str, number: int, *, is_dark: bool) -> str:
    text = _strategy_text(spec, language)
    boards = [] if text is None else text.boards()
    if text is None or number >= len(boards):
        return ""
    board = boards[number]
    return draw_boards(
        [(board.game, board.view)], title=text.result, description=board.sentence, dark=is_dark
    )


def _strategy_text(spec: str, language: str) -> StrategyText | None:
    start = new_game(spec)
    found = find_strategy(start)
    return None if found is None else StrategyText(translator(language), start, found, letters=True)
