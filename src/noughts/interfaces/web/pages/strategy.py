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
from noughts.interfaces.presenting.strategy_texts import StrategyBoard, StrategyText
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
from noughts.search.strategies.pair_strategy import MAX_CELLS, find_strategy

FIRST_SHOWN = "5x5:5"
"""The board of the page without a board in its address."""

EXAMPLES = ("5x5:5", "4x4:4", "6x5:5", "6x6:5,hex", "9x9:7", "15x15:9")
"""The boards that the page suggests."""

SEARCH_COST, CELL_COST, MAX_COST = 20.0, 4.0, 2_500.0
"""The cost of a cell in milliseconds, with and without a search for first replies, and the greatest cost."""

SIZE = re.compile(r'<svg [^>]*width="(\d+)" height="(\d+)"')


async def context_of_strategy(request: Request) -> dict[str, Any]:
    """Return the context of the page: the strategy of the board in the address, or the reason for none."""
    say, language = translator_for(request), language_of(request)
    spec = request.query_params.get("game", "")[:MAX_SPEC].strip() or FIRST_SHOWN
    shown = {"game": spec, "examples": EXAMPLES, "fault": "", "found": None, "title": ""}
    try:
        found = await _found(request, spec, language)
    except ApiError:
        raise
    except NoughtsError as error:
        return {**shown, "fault": error_detail(error, say).sentence, "status": status_of(error)}
    address = urlencode({"game": spec})
    return {**shown, "found": found, "title": title_of(say, name_of(new_game(spec))), "address": address}


async def send_strategy_picture(request: Request) -> Response:
    """Send a board of a strategy as SVG. The address has the game, the number of the board and the theme."""
    query = request.query_params
    number = query.get("board", "0")
    if not re.fullmatch("[0-9]{1,3}", number):
        raise ApiError(404, "no-such-path")
    found = await _found(request, query.get("game", "")[:MAX_SPEC], language_of(request))
    boards = found["boards"] if found else []
    if int(number) >= len(boards):
        raise ApiError(404, "no-such-path")
    theme = "dark" if query.get("theme") == "dark" else "light"
    return Response(boards[int(number)][theme], media_type="image/svg+xml")


async def _found(request: Request, spec: str, language: str) -> Any:
    """Return the sentences and boards of the strategy of the game *spec*, or None if none is found."""
    service: Service = request.app.state.service
    cells = len(new_game(spec).cells)
    cost = min(cells * (SEARCH_COST if cells <= MAX_CELLS else CELL_COST), MAX_COST)
    return json.loads(await service.work.text(request, cost, strategy_as_json, spec, language))


@text_task
def strategy_as_json(spec: str, language: str) -> str:
    """Return the sentences and boards of the strategy of the game *spec* as JSON; null if none is found."""
    start = new_game(spec)
    found = find_strategy(start)
    if found is None:
        return "null"
    text = StrategyText(translator(language), start, found, letters=True)
    boards = [_board(text, board) for board in text.boards()]
    return json.dumps({"paragraphs": text.paragraphs, "boards": boards})


def _board(text: StrategyText, board: StrategyBoard) -> dict[str, Any]:
    """Return the sentence, the pairs and the pictures of *board*."""
    light, dark = (
        draw_boards([(board.game, board.view)], title=text.result, description=board.sentence, dark=is_dark)
        for is_dark in (False, True)
    )
    match = SIZE.match(light)
    assert match is not None  # noqa: S101 - the picture has a size
    facts = {"width": match[1], "height": match[2], "light": light, "dark": dark}
    return {"sentence": board.sentence, "pairs": [*map(text.pair, board.view.pairs)], **facts}
