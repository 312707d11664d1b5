"""Questions about the next game that the options of the command line leave open.

They come in this order: the game, the players, who moves first (a person against a computer), the names, a
series or one game. Each option answers its question, and ``play GAME`` asks nothing. A game that is continued
from a saved one starts with the question for the players.
"""

from dataclasses import replace

from noughts.arena.series import Begins
from noughts.games.base import Game
from noughts.games.catalogue import all_entries, new_game
from noughts.interfaces.console.prompts import Conversation
from noughts.interfaces.presenting.game_plan import (
    DEFAULT_COMPUTER,
    DEFAULT_GAME,
    HUMAN,
    GamePlan,
    PlayOptions,
    default_names,
    localized_name,
    names_from_options,
    open_plan,
    seat_player,
    settled_plan,
)
from noughts.interfaces.presenting.players import (
    describe_computer,
    levels_without_fast,
    names_of_computer,
    person_name,
    player_called,
    strength,
    strongest_level,
)
from noughts.interfaces.presenting.titles import title_and_tag, title_of
from noughts.players.base import Player
from noughts.text import distinct_names, look_alike


def make_plan(options: PlayOptions, talk: Conversation) -> GamePlan:
    """Ask the open questions. Raises a :class:`~noughts.errors.NoughtsError` for bad options."""
    if options.game is not None and not options.asks_players:
        return settled_plan(options, talk.say) if options.who else _remembered_plan(options, talk)
    if options.is_settled:
        return settled_plan(options, talk.say)
    plan, game = open_plan(options, talk.say, options.game or _ask_game(talk))
    plan.who = _ask_players(options, game, talk, plan.bots)
    names = names_from_options(options, plan.who, talk.say)
    plan.names = _ask_names(plan, talk) if names is None else names
    if not plan.series and len(plan.who) > 1 and plan.has_people:
        plan.series = talk.ask_yes_no(talk.say("ask-series"), default=False)
    people_only = set(plan.who) == {HUMAN} and len(plan.who) > 1
    if options.begins is None and people_only and plan.series and plan.start is None:
        plan.begins = Begins.CHOOSER
    return plan


def _remembered_plan(options: PlayOptions, talk: Conversation) -> GamePlan:
    """Return the plan for the game of *options* between the players of the last game, and print it."""
    from noughts.interfaces.presenting.choices import remembered_choices  # They are loaded only if needed.
    from noughts.interfaces.presenting.preferences import load_preferences

    opened, game = open_plan(options, talk.say, options.game or DEFAULT_GAME)
    choices = remembered_choices(load_preferences(), game, opened.seed)
    seats = dict(zip(game.sides, choices.who(game), strict=True))
    plan = settled_plan(replace(options, who=seats, seed=opened.seed), talk.say)
    if options.names is None:
        plan.names = choices.names(talk.say, game)
    labels = []
    for name, player in zip(distinct_names(tuple(plan.names), look_alike), plan.who, strict=True):
        labels.append(player_called(talk.say, localized_name(talk.say, name), player))
        if player != HUMAN and name not in names_of_computer(player):  # The name does not show the player.
            labels[-1] = talk.say("player-with-mark", name=name, mark=strength(talk.say, player))
    how = "playing-between" if len(game.sides) > 1 else "playing-alone"
    seat_options = [f"--{side.lower()}" for side in game.sides]
    talk.write_message(how, game=title_of(talk.say, plan.game), names=labels, options=seat_options)
    return plan


def _ask_game(talk: Conversation) -> str:
    say = talk.say
    talk.write_message("choose-game")
    entries = all_entries()
    for number, entry in enumerate(entries, 1):
        talk.item(f"{number:>3}  {entry.name:<16}  ", title_and_tag(say, entry.name))
    numbered = {str(number): entry.name for number, entry in enumerate(entries, 1)}

    def read(text: str) -> str:
        name = text.strip() or DEFAULT_GAME
        name = numbered.get(name, name)
        new_game(name)
        return name

    chosen = talk.ask(say("ask-game"), read)
    talk.sentence(say.messages(new_game(chosen).rule_text))
    return chosen


def _ask_players(options: PlayOptions, game: Game, talk: Conversation, bots: dict[str, Player]) -> list[str]:
    """Return the player of each mark, in turn order. Computers are created in *bots*, or decline."""
    say = talk.say

    def ask(prompt: str, usual: str, *, human: bool = False) -> str:
        def read(text: str) -> str:
            name = text.strip() or usual
            name = f"level:{name}" if name.isdecimal() else name
            return seat_player(name, game, bots, options.seed, human=human)

        return talk.ask(prompt, read)

    for player in (options.who[mark] for mark in game.sides if mark in options.who):
        seat_player(player, game, bots, options.seed)
    if options.who or len(game.sides) != 2:
        return [
            options.who.get(mark) or ask(say("ask-seat", mark=mark), HUMAN, human=True) for mark in game.sides
        ]
    pairings = {"1": "people", "2": "computer", "3": "computers"}
    pairing = talk.ask_choice(say("ask-pairing"), pairings, "computer")
    if pairing == "people":
        return [HUMAN, HUMAN]
    if pairing == "computers":
        prompts = [say("ask-computer-for", mark=mark, most=strongest_level()) for mark in game.sides]
    else:
        prompts = [say("ask-computer", most=strongest_level())]
    if (caution := levels_without_fast(say, game)) is not None:
        talk.sentence(caution)
    computers = [ask(prompt, DEFAULT_COMPUTER) for prompt in prompts]
    for player in dict.fromkeys(computers):
        talk.sentence(describe_computer(say, player))
    if pairing == "computers":
        return computers
    person_first = talk.ask_yes_no(say("ask-first"), default=True)
    talk.write_message("person-first" if person_first else "computer-first", mark=game.turn)
    return [HUMAN if (mark == game.turn) is person_first else computers[0] for mark in game.sides]


def _ask_names(plan: GamePlan, talk: Conversation) -> list[str]:
    names = default_names(plan.who, talk.say)
    people = [place for place, player in enumerate(plan.who) if player == HUMAN]
    id_ = "ask-name" if len(people) == 1 else "ask-name-of"
    for number, place in enumerate(people, 1):
        names[place] = _ask_name(talk, talk.say(id_, number=number, name=names[place]), names[place])
    return names


def _ask_name(talk: Conversation, prompt: str, usual: str) -> str:
    return talk.ask(prompt, lambda text: person_name(text.strip() or usual), is_name=True)
