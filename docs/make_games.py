"""Write the pages of the games, in four languages, and their pictures, from the catalogue.

    uv run python docs/make_games.py

A test compares what this makes with what is in the repository.
"""

from pathlib import Path
from random import Random

from noughts.games.base import Game
from noughts.games.catalogue import CATALOGUE, new_game
from noughts.games.drawing.svg import draw_svg
from noughts.games.notation import play_moves
from noughts.interfaces.i18n import LANGUAGES, Translator

DOCS = Path(__file__).parent

PLAYED = {"tictactoe": "5 1 6 4 3 9 7", "connect4": "4 4 3 5 5 3 2 6 4 6 6 3 7"}
"""Moves shown in a picture; games without have some random ones."""

PLIES = {
    "gomoku": 30,
    "gomoku-standard": 30,
    "ultimate": 50,
    "qubic": 26,
    "4d": 30,
    "reversi": 24,
    "score4": 24,
}
SEEDS = {"ultimate": 1, "gomoku": 5}


def example(name: str) -> Game:
    """A game of the catalogue with some moves made."""
    game = new_game(name, seed=1)
    if name in PLAYED:
        play_moves(game, PLAYED[name].split())
        return game
    chance = Random(SEEDS.get(name, 3))
    for _ in range(PLIES.get(name, 5)):
        if not game.is_over:
            game.play(chance.choice(game.legal_moves()))
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
            f"{say(f'game-{entry.name}')}{spec}\n",
            f"{say.messages(new_game(entry.name).rule_text)}\n",
            f'<img src="pictures/{entry.name}.svg" alt="{say(f"game-{entry.name}")}" height="220">\n',
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
