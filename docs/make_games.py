"""Write the pages of the games, in four languages, and their pictures, from the catalogue.

    uv run python docs/make_games.py

A test compares what this makes with what is in the repository.
"""

from pathlib import Path

from noughts.games.base import Game
from noughts.games.catalogue import CATALOGUE, new_game
from noughts.games.drawing.svg import draw_svg
from noughts.games.notation import play_moves
from noughts.games.samples import sample
from noughts.interfaces.i18n import LANGUAGES, Translator
from noughts.interfaces.naming import title_and_tag, title_of

DOCS = Path(__file__).parent

ENDED = {
    "tictactoe": "5 1 6 4 3 9 7",
    "connect4": "4 4 3 5 5 3 2 6 4 6 6 3 7",
    "ultimate": "18 35 14 32 24 80 77 76 64 29 13 28 19 74 68 31 21 71 50 59 22 55 3 7 1"
    " 2 23 58 20 67 39 34 70 37 47 72 52 57 16 38 51 62 75 45 44 33 25 56",
}
"""Games that are shown to their end, as examples of a winning line; of the others a sample is shown."""


def example(name: str) -> Game:
    """A game of the catalogue with some moves made."""
    if name not in ENDED:
        return sample(name)
    game = new_game(name)
    play_moves(game, ENDED[name].split())
    return game


def pictures() -> dict[Path, str]:
    """Each picture's file and text."""
    return {
        DOCS / "pictures" / f"{entry.name}.svg": draw_svg(example(entry.name), title=entry.name)
        for entry in CATALOGUE
    }


def page(language: str) -> str:
    """The page of all games in *language*."""
    say = Translator(language)
    parts = [f"# {say('page-games')}\n", f"{say('page-games-about')}\n"]
    for entry in CATALOGUE:
        spec = f" · `{entry.spec}`" if entry.spec else ""
        parts += [
            f"## {entry.name}\n",
            f"{title_and_tag(say, entry.name)}{spec}\n",
            f"{say.messages(new_game(entry.name).rule_text)}\n",
            f'<img src="pictures/{entry.name}.svg" alt="{title_of(say, entry.name)}" height="220">\n',
        ]
    return "\n".join(parts)


def pages() -> dict[Path, str]:
    """Each page's file and text."""
    names = {"en": "games.md"}
    return {DOCS / names.get(language, f"games.{language}.md"): page(language) for language in LANGUAGES}


def main() -> None:
    """Write all of it."""
    for path, text in {**pictures(), **pages()}.items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
