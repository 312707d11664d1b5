"""Plans without questions, and plans of saved games."""

from pathlib import Path

import pytest

from noughts.arena.clock import UNTIMED, Clock
from noughts.arena.series import Begins
from noughts.arena.setup import Setup
from noughts.errors import (
    BadInput,
    GameOver,
    NameRefused,
    NotationError,
    NotFound,
    NoughtsError,
    UnsupportedRules,
)
from noughts.games.catalogue import new_game
from noughts.interfaces.presenting import game_plan
from noughts.interfaces.presenting.game_plan import (
    DEFAULT_GAME,
    HUMAN,
    GamePlan,
    PlayOptions,
    open_table,
    read_names,
    resumed_plan,
    seat_player,
    settled_plan,
)
from noughts.interfaces.presenting.i18n import ReadableError
from noughts.interfaces.presenting.players import person_name, player_called
from noughts.players.base import Player, new_player
from noughts.players.ntuples import TupleLayout, network_bytes, rounded
from tests.interfaces.harness import EN, SAY


def test_default_plan_is_two_people() -> None:
    plan = settled_plan(PlayOptions(), EN)
    assert (plan.game, plan.who, plan.bots) == (DEFAULT_GAME, [HUMAN, HUMAN], {})
    assert plan.names == [EN("default-name-of", number=1), EN("default-name-of", number=2)]
    assert (plan.series, plan.begins, plan.clock, plan.first) == (False, Begins.ALTERNATE, UNTIMED, 1)
    assert plan.has_people


def test_default_names_are_translated() -> None:
    say = SAY["ru"]
    three = settled_plan(PlayOptions("three", {"O": "random"}), say)
    assert three.who == [HUMAN, "random", HUMAN]
    assert three.names == [say("default-name-of", number=1), "random", say("default-name-of", number=2)]
    assert settled_plan(PlayOptions(who={"O": "rule"}), say).names == [say("default-name"), "rule"]
    assert settled_plan(PlayOptions("fifteen"), say).names == [say("default-name")]


@pytest.mark.parametrize("folder", ["a-folder-of-networks", "井字棋"])
def test_long_computer_path_is_shortened(folder: str, tmp_path: Path) -> None:
    deep = tmp_path / folder / folder / folder
    deep.mkdir(parents=True)
    form = TupleLayout("4x4:3", ((0,),))
    (deep / "my.weights").write_bytes(network_bytes(rounded(form, [1.0] * 2 * form.count)))
    who = f"learned:{deep / 'my.weights'}"
    plan = settled_plan(PlayOptions("4x4:3", {"X": who, "O": who}), EN)
    assert plan.who == [who, who]
    names = open_table(plan, None).series.players
    assert all(name.endswith(end) for name, end in zip(names, ("my.weights", "my.weights (2)"), strict=True))
    assert [player_called(EN, name, who) for name in names] == [
        "Computer (self-taught)",
        "Computer 2 (self-taught)",
    ]
    named = settled_plan(PlayOptions("4x4:3", {"X": who}, ("Ada",)), EN)
    assert named.names == [names[0], "Ada"]


def test_plan_follows_options() -> None:
    options = PlayOptions("wild", {"X": "rule", "O": HUMAN}, ("Ada",), True, Begins.LOSER, 0, 7)
    plan = settled_plan(options, EN)
    assert (plan.game, plan.who, plan.names) == ("wild", ["rule", HUMAN], ["rule", "Ada"])
    assert (plan.series, plan.begins, plan.first, plan.seed) == (True, Begins.LOSER, 0, 7)
    assert list(plan.bots) == ["rule"]
    everybody = settled_plan(PlayOptions(who={"X": "rule"}, names=("Robo", "Ada")), EN)
    assert everybody.names == ["Robo", "Ada"]
    computers = settled_plan(PlayOptions(who={"X": "rule", "O": "random"}, games=3), EN)
    assert (computers.has_people, computers.series, sorted(computers.bots)) == (
        False,
        True,
        ["random", "rule"],
    )


def test_seed_fixes_random_numbers() -> None:
    assert len({settled_plan(PlayOptions(), EN).seed for _ in range(5)}) > 1
    assert settled_plan(PlayOptions(seed=3), EN).seed == settled_plan(PlayOptions(seed=3), EN).seed == 3


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (PlayOptions("chess"), BadInput),
        (PlayOptions(who={"Z": HUMAN}), UnsupportedRules),
        (PlayOptions("fifteen", {"X": "random"}), UnsupportedRules),
        (PlayOptions(who={"X": "nobody"}), NotFound),
        (PlayOptions("fifteen", series=True), ReadableError),
        (PlayOptions(names=("Ada",)), ReadableError),
        (PlayOptions(names=("rule", "Ada")), NameRefused),
        (PlayOptions(names=("", "Ada")), NameRefused),
        (PlayOptions(who={"X": "level:1"}, names=("Computer (level 6)", "Ada")), NameRefused),
        (PlayOptions(position="XXX/OO./... O"), GameOver),
        (PlayOptions(position="XX/OO./... O"), NotationError),
        (PlayOptions(position="XX./OO./... X", opening="pie"), ReadableError),
        (PlayOptions(position="XX./OO./... X", begins=Begins.CHOOSER), ReadableError),
    ],
)
def test_unsuitable_options_are_refused(options: PlayOptions, error: type[NoughtsError]) -> None:
    with pytest.raises(error):
        settled_plan(options, EN)


@pytest.mark.parametrize(
    ("options", "is_settled"),
    [
        (PlayOptions(), False),
        (PlayOptions(who={"X": HUMAN}), False),
        (PlayOptions(who={"X": HUMAN, "O": "rule"}), True),
        (PlayOptions("fifteen", {"X": HUMAN}), True),
        (PlayOptions("fifteen"), False),
        (PlayOptions("three", {"X": HUMAN, "O": "rule"}), True),
    ],
)
def test_plan_is_settled_with_all_seats(options: PlayOptions, *, is_settled: bool) -> None:
    assert options.is_settled is is_settled


def test_computer_is_created_once() -> None:
    bots: dict[str, Player] = {}
    game = new_game()
    assert seat_player("random", game, bots, 1) == "random"
    first = bots["random"]
    seat_player("random", game, bots, 1)
    assert bots == {"random": first}
    assert seat_player(HUMAN, game, bots, 1) == HUMAN
    with pytest.raises(NotFound):
        seat_player(HUMAN, game, bots, 1, human=False)


def test_external_program_has_one_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = GamePlan("tictactoe", ["random", "random"], [])
    first, other = new_player("random"), new_player("random")
    plan.bots["random"] = first
    assert plan.computer_on("random (2)", "random") is first
    monkeypatch.setattr(game_plan, "is_ours", lambda who: False)
    monkeypatch.setattr(game_plan, "new_player", lambda who, chance: other)
    for _ in range(2):
        seats = [plan.computer_on(seat, "random") for seat in ("random", "random (2)")]
        assert seats == [first, other]


def test_person_name_refuses_computer_names() -> None:
    assert [person_name(name) for name in (" Ada ", "Computerfan")] == ["Ada", "Computerfan"]
    assert person_name("Ada\u00a0\u3000  Roe") == "Ada Roe"
    shown = [player_called(say, "level:6 (2)", "level:6") for say in SAY.values()]
    for name in (
        "Ｒandom",
        "rаndom",
        "Сomputer",
        "COMPUTER",
        "компьютер",
        "電腦 8（等級 1）",
        *shown,
        "Ｃomputer  （anything",
        "电脑(6级)",
        "level:6 (2)",  # the second computer of that level in a game
    ):
        with pytest.raises(NameRefused) as refused:
            person_name(name)
        assert refused.value.reason == "computer"
    assert person_name("Ada (2)") == "Ada (2)"


@pytest.mark.parametrize("name", ["key:5", "KEY:5", "ｋｅｙ：５", "key:5 (2)"])
def test_person_name_refuses_texts_of_keys(name: str) -> None:
    with pytest.raises(NameRefused) as refused:
        person_name(name)
    assert (refused.value.reason, refused.value.like) == ("reserved", "key:")


def test_read_names_splits_at_commas() -> None:
    assert read_names("Ada,Wei，Bo") == ("Ada", "Wei", "Bo")
    with pytest.raises(NameRefused):
        read_names("Ada,,Wei")


def test_resumed_plan_follows_saved_game() -> None:
    seats, who = {"O": "Wei", "X": "Bot"}, {"O": HUMAN, "X": "rule"}
    setup = Setup("tictactoe", seats, clock=Clock(per_move=1_000), series=4, who=who)
    plan = resumed_plan(setup, PlayOptions(first=0))
    assert (plan.game, plan.who, plan.names) == ("tictactoe", [HUMAN, "rule"], ["Wei", "Bot"])
    assert (plan.series, plan.first, plan.clock) == (True, 0, Clock(per_move=1_000))
    assert list(plan.bots) == ["rule"]
    alone = resumed_plan(Setup("tictactoe", seats), PlayOptions())
    assert (alone.series, alone.who, alone.clock) == (False, [HUMAN, HUMAN], UNTIMED)
