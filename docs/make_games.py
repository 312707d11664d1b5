"""Write the pages of the games, in four languages, and their pictures, from the catalogue.

    uv run --group dev python docs/make_games.py

A test compares the output with the repository.
"""

import re
from pathlib import Path

from noughts.drawing.svg import draw_svg
from noughts.games.base import Game
from noughts.games.catalogue import CATALOGUE, find_entry, new_game, sample
from noughts.games.notation import play_moves
from noughts.interfaces.presenting.i18n import LANGUAGES, Translator
from noughts.interfaces.presenting.titles import tag_of, title_of

DOCS = Path(__file__).parent

HEXAGONS = "11x11:5,hex"

SHOWN = {entry.name: entry.name for entry in CATALOGUE} | {HEXAGONS: "hex"}
"""The games of the pages, and the names of their pictures: the catalogue, and a game on hexagons."""

ENDED = {
    "tictactoe": "5 1 6 4 3 9 7",
    "connect4": "4 4 3 5 5 3 2 6 4 6 6 3 7",
    "ultimate": "18 35 14 32 24 80 77 76 64 29 13 28 19 74 68 31 21 71 50 59 22 55 3 7 1"
    " 2 23 58 20 67 39 34 70 37 47 72 52 57 16 38 51 62 75 45 44 33 25 56",
    HEXAGONS: "f6 f7 e6 g6 e5 g7 e4 e7 e3 e2 d7 h7 i7 g8 g5 h6 f5 h5 d5 c5 d6 h4 d4 h8",
}
"""Games that are shown to their end, as examples of a winning line. Other games are shown in the middle."""


def example(name: str) -> Game:
    """Return a game with some moves."""
    if name not in ENDED:
        return sample(name)
    game = new_game(name)
    play_moves(game, ENDED[name].split())
    return game


def pictures() -> dict[Path, str]:
    """Return the file and the text of each picture."""
    return {
        DOCS / "pictures" / f"{picture}.svg": draw_svg(example(name), title=name)
        for name, picture in SHOWN.items()
    }


def anchor(heading: str) -> str:
    """Return the anchor of *heading* in links: lower-case letters, digits and hyphens."""
    return re.sub(r"[^\w-]", "", heading.lower())


def page(language: str) -> str:
    """Return the page of all games in *language*."""
    say = Translator(language)
    titles = " · ".join(f"[{title_of(say, name)}](#{anchor(name)})" for name in SHOWN)
    parts = [f"# {say('page-games')}\n", f"{say('page-games-about')}\n", f"{titles}\n"]
    for name, picture in SHOWN.items():
        game, entry, title = new_game(name), find_entry(name), title_of(say, name)
        spec = f" · `{entry.spec}`" if entry and entry.spec else ""
        parts += [
            f"## {name}\n",
            f"{say('title-and-tag', title=title, tag=tag_of(say, game))}{spec}\n",
            f"{say.messages(game.rule_text)}\n",
            f'<img src="pictures/{picture}.svg" alt="{title}" height="220">\n',
        ]
    return "\n".join(parts)


def pages() -> dict[Path, str]:
    """Return the file and the text of each page."""
    names = {"en": "games.md"}
    return {DOCS / names.get(language, f"games.{language}.md"): page(language) for language in LANGUAGES}


def main() -> None:
    """Write all pages and pictures."""
    for path, text in {**pictures(), **pages()}.items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
