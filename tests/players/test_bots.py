"""Tests of the players that come with noughts, on the whole tree of tic-tac-toe."""

import io
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from noughts import TicTacToe, new_game, play
from noughts.arena import runner
from noughts.arena.events import Event
from noughts.arena.match import Match
from noughts.arena.runner import PlayerSeat, run
from noughts.certificates.index import write_index
from noughts.errors import GameOver, UnsupportedRules
from noughts.games.base import Game, Move, Outcome
from noughts.games.notation import parse_move, parse_position, play_moves
from noughts.players import perfect
from noughts.players.base import Player, new_player
from noughts.players.bots import RandomPlayer, RulePlayer
from noughts.players.levels import LevelPlayer
from noughts.players.perfect import PerfectPlayer
from noughts.search.analysis import UNKNOWN, Analysis, Limit, Progress
from noughts.search.analyst import Analyst
from noughts.search.explain.immediate import ImmediateTactics
from noughts.search.explain.immediate import wins as wins_now
from noughts.search.installed_proofs import VARIABLE
from tests.certificates.writing import certificate
from tests.search.oracle import Position, Worth, goodness, positions_of
from tests.strategies import play_at_random
from tests.weekly import weekly

pytestmark = pytest.mark.slow

NO_LIMIT = Limit()
SEAT_NODES, LARGE_NODES = perfect.SEAT_NODES, perfect.LARGE_NODES


@pytest.fixture
def whole_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give perfect the same nodes for a seat as for a game."""
    monkeypatch.setattr(perfect, "SEAT_NODES", SEAT_NODES)
    monkeypatch.setattr(perfect, "LARGE_NODES", LARGE_NODES)


def open_positions(name: str = "3x3:3") -> list[Position]:
    return [position for position in positions_of(name).values() if position.moves]


def all_ends(player: Player, side: str, game: Game) -> Counter[str | None]:
    """Return the number of wins of each side if *player* has *side* and the other side tries every move."""
    chosen: dict[object, Move] = {}

    def count(ends: Counter[str | None]) -> None:
        if game.outcome is not None:
            ends[game.outcome.winner] += 1
            return
        moves = game.legal_moves()
        if game.turn == side:
            if game.key() not in chosen:
                chosen[game.key()] = player.choose(game.copy(), NO_LIMIT)
            moves = [chosen[game.key()]]
        for move in moves:
            game.play(move)
            count(ends)
            game.undo()

    ends: Counter[str | None] = Counter()
    count(ends)
    return ends


# perfect


def worth_of_replies(position: Position, move: Move) -> dict[Move, Worth]:
    game = position.game.copy()
    game.play(move)
    return positions_of(game.name)[game.key()].moves


def best_choices(position: Position) -> set[Move]:
    """Return the moves of a perfect player: the best ones, and of these those that leave most mistakes."""
    best = goodness(position.worth)
    equal = [move for move, worth in position.moves.items() if goodness(worth) == best]
    mistakes = {}
    for move in equal:
        values = [worth.value for worth in worth_of_replies(position, move).values()]
        mistakes[move] = sum(value < max(values) for value in values)
    most = max(mistakes.values())
    return {move for move in equal if mistakes[move] == most}


@pytest.mark.parametrize(("name", "every"), [("3x3:3", 13), ("misere", 51), ("3x3:3,gravity", 2)])
@pytest.mark.usefixtures("compiled")
def test_perfect_chooses_best_everywhere(name: str, every: int) -> None:
    """Perfect chooses the fastest win, the longest defence, and the reply that leaves most mistakes."""
    player = PerfectPlayer(Random(1))
    for position in islice(open_positions(name), 0, None, every):
        game = position.game.copy()
        before = (game.key(), game.moves, game.outcome)
        assert player.choose(game, NO_LIMIT) in best_choices(position)
        assert (game.key(), game.moves, game.outcome) == before


@pytest.mark.parametrize(("side", "seed"), [weekly("X", 1), ("O", 2)])
@pytest.mark.usefixtures("compiled")
def test_perfect_never_loses(side: str, seed: int) -> None:
    """A2-05: the other side tries all moves, from the first to the last."""
    ends = all_ends(PerfectPlayer(Random(seed)), side, TicTacToe())
    assert set(ends) == {side, None}
    assert ends[side] > ends[None]


@pytest.mark.usefixtures("compiled")
def test_perfect_chooses_among_all_best_moves() -> None:
    """Against the corner only the centre is best. At the start all moves that set most traps are."""
    for text in ("X../.../...", ".../.X./...", ".../.../... X"):
        game = parse_position(TicTacToe(), text)
        position = positions_of("3x3:3")[game.key()]
        player = PerfectPlayer(Random(7))
        assert {player.choose(game, NO_LIMIT) for _ in range(30)} == best_choices(position)
    corner = positions_of("3x3:3")[parse_position(TicTacToe(), "X../.../...").key()]
    assert best_choices(corner) == {(1, 1)}


def test_perfect_without_time_for_traps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perfect, "TRAP_NODES", 5)
    player = PerfectPlayer(Random(1))
    for position in islice(open_positions(), 0, None, 50):
        game = position.game.copy()
        move = player.choose(game, NO_LIMIT)
        assert goodness(position.moves[move]) == goodness(position.worth)
        assert game.key() == position.game.key()


@pytest.mark.usefixtures("compiled")
def test_perfect_wins_the_cube() -> None:
    game = new_game("3d")
    assert play(game, x=PerfectPlayer(Random(1)), o=PerfectPlayer(Random(2))) == "X"
    assert game.ply == 7


def test_perfect_needs_no_seat() -> None:
    player = PerfectPlayer(Random(1))
    assert player.choose(parse_position(TicTacToe(), "XX./OO./..."), NO_LIMIT) == (0, 2)
    assert player.choose(parse_position(new_game("3x3:3,gravity"), ".../OO./XX."), NO_LIMIT) == (2, 2)


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        ("three", "not-two-sides"),
        ("gomoku", "not-solved"),
        ("8x7:4,gravity", "not-solved"),
        ("reversi", "not-solved"),
    ],
)
def test_perfect_declines_unsolved_games(game: str, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perfect, "SEAT_NODES", 500)
    with pytest.raises(UnsupportedRules) as caught:
        PerfectPlayer(Random(1)).take_seat(new_game(game))
    assert (caught.value.who, caught.value.reason, caught.value.instead) == ("perfect", reason, ("level:10",))


def test_perfect_spends_more_on_stoppable_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such a proof takes 16,000 nodes on 7x7:5. Here it takes 226."""
    monkeypatch.setattr(perfect, "LARGE_NODES", 0)
    PerfectPlayer(Random(1)).take_seat(new_game("7x6:5"))
    monkeypatch.setattr(perfect, "STOPPING_NODES", 0)
    with pytest.raises(UnsupportedRules):
        PerfectPlayer(Random(1)).take_seat(new_game("7x6:5"))


@pytest.mark.parametrize("name", ["5x5:4", "gomoku", "7x7:5", "4x4:3,gravity"])
def test_perfect_accepts_by_nodes_alone(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[Limit] = []

    def solve(analyst: Analyst, game: Game, limit: Limit) -> Analysis:
        limits.append(limit)
        return replace(UNKNOWN, value=0)

    monkeypatch.setattr(Analyst, "solve", solve)
    monkeypatch.setattr(Analyst, "is_told", staticmethod(lambda game: False))
    PerfectPlayer(Random(1)).take_seat(new_game(name))
    assert [limit.seconds for limit in limits] == [None]
    assert (limits[0].nodes or 0) > 0


@pytest.mark.usefixtures("compiled")
def test_perfect_draws_on_larger_board() -> None:
    """Against random moves the perfect player wins more."""
    game, chance, player = new_game("7x6:5"), Random(3), PerfectPlayer(Random(1))
    player.take_seat(game)
    while game.outcome is None:
        own = game.turn == "O"
        game.play(
            player.choose(game.copy(), Limit(nodes=4_000)) if own else chance.choice(game.legal_moves())
        )
    assert game.winner in (None, "O")


@pytest.mark.parametrize("name", ["random", "rule", "perfect"])
def test_computer_players_decline_puzzles(name: str) -> None:
    """A player without a plan would play for ever."""
    with pytest.raises(UnsupportedRules) as caught:
        new_player(name, Random(1)).take_seat(new_game("fifteen"))
    assert (caught.value.who, caught.value.reason) == (name, "one-side")
    assert caught.value.instead == ("human",)


@pytest.mark.parametrize(
    "name",
    [
        "5x5:4",
        "5x4:4,gravity,wrap",
        "5x4:3",
        "4x4:3",
        "6x6:3,wrap",
        "wild",
        "6x6:6",
    ],
)
@pytest.mark.usefixtures("compiled", "whole_seats")
def test_perfect_accepts_solvable_games(name: str) -> None:
    """These games can be solved in a few hundred thousand nodes."""
    PerfectPlayer(Random(1)).take_seat(new_game(name))


@pytest.mark.usefixtures("compiled", "whole_seats")
@pytest.mark.parametrize(
    ("name", "winner", "plies"), [("6x5:4", "X", 11), weekly("5x5", None, 25), ("vanishing", "X", 13)]
)
def test_perfect_against_itself_plays_optimally(name: str, winner: str | None, plies: int) -> None:
    """A won position is won in the minimum number of plies, a drawn one is drawn."""
    game, player = new_game(name), PerfectPlayer(Random(1))
    player.take_seat(game)
    while game.outcome is None:
        game.play(player.choose(game.copy(), NO_LIMIT))
    assert (game.winner, game.ply) == (winner, plies)


@pytest.mark.parametrize("name", ["vanishing", "4x4:3", "4x4:4,gravity"])
@pytest.mark.usefixtures("compiled")
def test_perfect_loses_no_value_or_ply(name: str) -> None:
    """The perfect player preserves value and plies against all moves of the other side."""
    player, analyst = PerfectPlayer(Random(1)), Analyst()
    for seed in range(6):
        game, chance = new_game(name), Random(seed)
        while game.outcome is None and game.ply < 12:
            if game.ply % 2 == seed % 2:
                before = analyst.solve(game)
                game.play(player.choose(game.copy(), NO_LIMIT))
                after = analyst.solve(game)
                assert before.value == -(after.value or 0)
                assert before.plies is None or before.plies == (after.plies or 0) + 1
            else:
                game.play(chance.choice(list(game.legal_moves())))


# perfect with a small limit


@pytest.mark.usefixtures("compiled")
def test_perfect_plays_unsolved_position_like_level(monkeypatch: pytest.MonkeyPatch) -> None:
    """The perfect player plays like the strongest level, within its budget, and reports that."""
    monkeypatch.setattr(perfect, "MOVE_NODES", 400)
    for game in (new_game("9x9:5"), new_game("reversi")):
        player, reports = PerfectPlayer(Random(1)), list[Progress]()
        player.take_seat(parse_position(new_game("5x5"), "XOXOX/XOXOX/OXOXO/OXOXO/....."))
        player.report_to(reports.append)
        level = LevelPlayer("10", Random(1))
        assert player.choose(game, NO_LIMIT) == level.choose(game, Limit(nodes=400))
        assert reports[-1].stage == "unproved"


@pytest.mark.parametrize("limit", [Limit(nodes=500), Limit(seconds=0.005), Limit(nodes=0), Limit(seconds=0)])
def test_perfect_keeps_to_its_limit(limit: Limit) -> None:
    player = PerfectPlayer(Random(1))
    game = new_game("7x6:4")
    assert player.choose(game, limit) in game.legal_moves()
    assert game.ply == 0


# perfect with an installed certificate


@pytest.fixture
def install_certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Return a function that installs the certificate of a game, by its name and value."""
    monkeypatch.setenv(VARIABLE, str(tmp_path))

    def keep(name: str, value: str) -> None:
        assert write_index(io.BytesIO(certificate(name, value).encode()), tmp_path).holds

    return keep


def test_perfect_plays_by_certificate(
    install_certificate: Callable[[str, str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The perfect player needs no search of its own, and declines the game without a certificate."""
    monkeypatch.setattr(perfect, "SEAT_NODES", 0)
    monkeypatch.setattr("noughts.search.analyst.QUICK_NODES", 0)
    with pytest.raises(UnsupportedRules):
        PerfectPlayer(Random(1)).take_seat(new_game("3x3x3:3"))
    install_certificate("3x3x3:3", "first")
    monkeypatch.setattr(perfect, "MOVE_NODES", 0)
    for seed in range(4):
        game, chance, player = new_game("3x3x3:3"), Random(seed), PerfectPlayer(Random(1))
        player.take_seat(game)
        while game.outcome is None:
            own = game.turn == "X"
            game.play(player.choose(game.copy(), NO_LIMIT) if own else chance.choice(game.legal_moves()))
        assert game.winner == "X"


@pytest.mark.usefixtures("compiled")
def test_perfect_wins_qubic_by_installed_proof() -> None:
    """The perfect player finds threat sequences by itself, and never has to report an unproved move."""
    for seed in range(3):
        game, chance, player = new_game("qubic"), Random(seed), PerfectPlayer(Random(1))
        reports = list[Progress]()
        player.take_seat(game)
        player.report_to(reports.append)
        while game.outcome is None:
            own = game.turn == "X"
            game.play(
                player.choose(game.copy(), Limit(nodes=64)) if own else chance.choice(game.legal_moves())
            )
        assert game.winner == "X"
        assert not any(progress.stage == "unproved" for progress in reports)


@pytest.mark.usefixtures("compiled")
def test_perfect_defends_lost_positions_like_level() -> None:
    game, reports = new_game("qubic"), list[Progress]()
    play_moves(game, ["26"])
    player = PerfectPlayer(Random(1))
    player.report_to(reports.append)
    level = LevelPlayer("10", Random(1))
    assert player.choose(game, Limit(nodes=200)) == level.choose(game, Limit(nodes=100))
    assert not any(progress.stage == "unproved" for progress in reports)


def test_perfect_plays_by_book_and_reports_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """In Connect Four it answers the second move of the other side from the book, and searches the last."""
    monkeypatch.setattr(perfect, "MOVE_NODES", 500)
    player, reports = PerfectPlayer(Random(1)), list[Progress]()
    game = new_game("connect4")
    player.take_seat(game)
    player.report_to(reports.append)
    assert player.choose(game.copy(), NO_LIMIT) == (5, 3)
    play_moves(game, ["4", "4"])
    values = Analyst().values(game, Limit(nodes=0))
    assert player.choose(game.copy(), NO_LIMIT) in [
        known.move for known in values.moves if known.plies == values.plies
    ]
    assert not any(progress.stage == "unproved" for progress in reports)
    game = new_game("connect4")
    play_moves(game, ["4", "5", "5", "6", "7", "1", "2", "4", "2", "3", "1", "2", "1", "5"])
    assert player.choose(game.copy(), NO_LIMIT) in game.legal_moves()
    assert reports[-1].stage == "unproved"


def test_perfect_holds_by_certificate(
    install_certificate: Callable[[str, str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    install_certificate("3x3:3", "draw")
    monkeypatch.setattr(perfect, "MOVE_NODES", 0)
    for seed in range(8):
        game, chance, player = new_game("3x3:3"), Random(seed), PerfectPlayer(Random(1))
        while game.outcome is None:
            own = game.turn == "O"
            game.play(player.choose(game.copy(), NO_LIMIT) if own else chance.choice(game.legal_moves()))
        assert game.winner != "X"


def test_perfect_obeys_stop() -> None:
    calls = []

    def stop() -> bool:
        calls.append(True)
        return len(calls) >= 3

    player = PerfectPlayer(Random(1))
    game = new_game("7x6:4")
    move = player.choose(game, Limit(stop=stop))
    assert game.weight(move) == max(map(game.weight, game.legal_moves()))
    assert len(calls) < 10
    player.take_seat(new_game("4x4:4,gravity"))  # there is no request to stop before the game


def test_perfect_is_never_too_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time is too short for its full search, which would take half a minute."""
    monkeypatch.setattr(runner, "GRACE_SECONDS", 5.0)  # a busy machine needs more time for short limits
    events: list[Event] = []
    game = new_game("5x5:4")
    players = [PerfectPlayer(Random(seed)) for seed in range(2)]
    match = Match(game)
    run(
        match,
        {side: PlayerSeat(one, Limit(seconds=0.2)) for side, one in zip("XO", players, strict=True)},
        on_event=events.append,
    )
    assert events[-1].data["termination"] in ("line", "full")


def test_perfect_does_not_choose_after_declining(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perfect, "SEAT_NODES", 2_000)
    player = PerfectPlayer(Random(1))
    player.take_seat(new_game("3x3:3,gravity"))
    for _ in range(2):
        with pytest.raises(UnsupportedRules):
            player.take_seat(new_game("reversi"))
        with pytest.raises(UnsupportedRules):
            player.choose(new_game("reversi"), NO_LIMIT)
    assert player.choose(new_game("3x3:3,gravity"), NO_LIMIT)


def test_perfect_accepts_finished_game() -> None:
    PerfectPlayer(Random(1)).take_seat(parse_position(TicTacToe(), "XXX/OO./..."))


# rule


def seed_rule(cells: list[str | None], own: str, other: str) -> int:
    """Return the move of the tutorial's list of decisions, on cells 0 to 8."""
    ways = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

    def wins(cell: int, mark: str) -> bool:
        return any(
            cell in way and all(place == cell or cells[place] == mark for place in way) for way in ways
        )

    legal = [cell for cell in range(9) if cells[cell] is None]
    for mark in (own, other):
        for cell in legal:
            if wins(cell, mark):
                return cell
    return next(cell for cell in (4, 0, 2, 6, 8, 1, 3, 5, 7) if cell in legal)


def test_rule_follows_the_tutorial() -> None:
    """In every position: win, else block, else centre, corners, edges."""
    player = RulePlayer()
    for position in open_positions():
        game = position.game.copy()
        own = game.turn
        expected = seed_rule(list(game.cells), own, "XO".replace(own, ""))
        assert player.choose(game, NO_LIMIT) == divmod(expected, 3), game.cells
        assert (game.key(), game.moves) == (position.game.key(), position.game.moves)


def test_rule_can_be_beaten_and_perfect_cannot() -> None:
    """A2-05: 0, 8, 6, 7 against the replies 4, 2, 3."""
    game = TicTacToe()
    for cell, reply in ((0, 4), (8, 2), (6, 3)):
        game.play(divmod(cell, 3))
        assert RulePlayer().choose(game.copy(), NO_LIMIT) == divmod(reply, 3)
        game.play(divmod(reply, 3))
    game.play(divmod(7, 3))
    assert game.winner == "X"
    assert all_ends(RulePlayer(), "O", TicTacToe())["X"] == 12
    assert all_ends(RulePlayer(), "X", TicTacToe())["O"] == 0


@pytest.mark.parametrize("name", ["misere", "notakto", "3x3:3,gravity,misere"])
def test_rule_avoids_immediate_loss_in_misere(name: str) -> None:
    player = RulePlayer()
    for position in islice(open_positions(name), 0, None, 7):
        move = player.choose(position.game.copy(), NO_LIMIT)
        safe = [move for move, worth in position.moves.items() if worth != (-1, 1)]
        assert move in safe or not safe


def test_rule_on_larger_boards() -> None:
    game = new_game("connect4")
    play_moves(game, ["4", "1", "4", "1", "4"])
    assert RulePlayer().choose(game, NO_LIMIT) == parse_move(game, "4")
    game.play(parse_move(game, "2"))
    assert RulePlayer().choose(game, NO_LIMIT) == parse_move(game, "4")
    gomoku = parse_position(new_game("9x9:5"), _four_in_a_row())
    assert RulePlayer().choose(gomoku, NO_LIMIT) in {(4, 0), (4, 5)}


def _four_in_a_row() -> str:
    rows = ["." * 9] * 9
    rows[4] = ".XXXX...."
    rows[8] = "O.O.O...."
    return "/".join(rows)


# rule on boards of which it considers a part


LARGE = ["300x300:5,wild", "300x300:5,vanish=5", "300x300:5,gravity"]  # coverage is slower
LARGE += ["20x20:5", "300x300:5", "300x300:5,misere", "300x300:5,notakto", "20x21:420,wrap", "300x300:300"]
LARGE += ["400:3", "8x8x8:3", "300x300:3,players=3"]


@pytest.mark.parametrize("name", LARGE)
def test_rule_is_fast_on_large_boards(name: str) -> None:
    """The player chooses legal moves from a bounded part of the board."""
    game = new_game(name)
    while game.outcome is None and game.ply < 12:
        assert len(ImmediateTactics(game).moves) < 1_000
        game.play(RulePlayer().choose(game.copy(), NO_LIMIT))


def test_rule_begins_in_the_middle() -> None:
    assert RulePlayer().choose(new_game("1000x1000:5"), NO_LIMIT) == (500, 500)
    assert RulePlayer().choose(new_game("1000x1000:1"), NO_LIMIT) == (500, 500)
    assert RulePlayer().choose(new_game("300x300:5,gravity"), NO_LIMIT)[0] == 299


@pytest.mark.parametrize(
    "name",
    [
        "12x12:4,wild",
        *(
            pytest.param(name, marks=pytest.mark.slow)
            for name in (
                "20x20:4",
                "20x20:4,wrap",
                "20x20:4,gravity",
                "8x8x8:3",
                "20x20:4,wild",
                "20x20:4,exact",
            )
        ),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_players_miss_no_winning_move(name: str, seed: int) -> None:
    """A win in one move is found, and also a win of the other side after any considered move."""
    game = new_game(name)
    chance = Random(seed)
    while game.outcome is None and game.ply < 40:
        legal = set(game.legal_moves())
        game.play(chance.choice([move for move in ImmediateTactics(game).moves if move in legal]))
    if game.outcome is not None:
        game.undo()
    immediate = ImmediateTactics(game)
    win = immediate.find_win()
    assert wins_now(game, win) if win is not None else not can_win(game)
    for move in immediate.moves[:4]:
        is_safe = immediate.find_safe([move])[0] is not None
        game.play(move)
        assert is_safe == (game.outcome is not None or not can_win(game))
        game.undo()


def can_win(game: Game) -> bool:
    return any(wins_now(game, move) for move in game.legal_moves())


def test_rule_wins_and_blocks_on_large_boards() -> None:
    rows = ["." * 40] * 40
    rows[30] = "." * 20 + "XXXX" + "." * 16
    rows[5] = "." * 7 + "OOOO" + "." * 29
    for more, wins in ((".", {(30, 19), (30, 24)}), ("X", {(5, 6), (5, 11)})):
        rows[39] = more + "." * 39
        position = parse_position(new_game("40x40:5"), "/".join(rows))
        assert RulePlayer().choose(position, NO_LIMIT) in wins
    rows[30] = "." * 20 + "XXX" + "." * 17
    blocks = parse_position(new_game("40x40:5"), "/".join(rows))
    assert RulePlayer().choose(blocks, NO_LIMIT) in {(5, 6), (5, 11)}


def test_rule_on_a_hopeless_board() -> None:
    """If every move loses, the player blocks something. If every move loses at once, it plays any move."""
    fork = parse_position(TicTacToe(), "X.X/.O./X.O")
    assert RulePlayer().choose(fork, NO_LIMIT) == (0, 1)
    last = parse_position(new_game("misere"), "XOX/OX./OXO")
    assert RulePlayer().choose(last, NO_LIMIT) == (1, 2)


# random


def test_random_is_seeded() -> None:
    def moves(seed: int) -> tuple[Move, ...]:
        game = new_game("4x4")
        play(game, x=RandomPlayer(Random(seed)), o=RandomPlayer(Random(seed + 100)))
        return game.moves

    assert moves(1) == moves(1)
    assert len({moves(seed) for seed in range(10)}) == 10


def test_random_makes_every_move() -> None:
    player = new_player("random", Random(1))
    assert {player.choose(TicTacToe(), NO_LIMIT) for _ in range(200)} == set(TicTacToe().legal_moves())


# all


@pytest.mark.parametrize("name", ["random", "rule", "perfect"])
@pytest.mark.parametrize("position", ["XXX/OO./...", "XOX/XOO/OXX"])
def test_players_refuse_finished_games(name: str, position: str) -> None:
    """A1-13, A2-07."""
    game = parse_position(TicTacToe(), position)
    with pytest.raises(GameOver):
        new_player(name, Random(1)).choose(game, NO_LIMIT)


def test_stronger_player_wins_more() -> None:
    def wins(one: str, two: str) -> int:
        ends: list[Outcome | None] = []
        for seed in range(30):
            game = TicTacToe()
            play(game, x=new_player(one, Random(seed)), o=new_player(two, Random(seed)))
            ends.append(game.outcome)
        return sum(end is not None and end.winner == "X" for end in ends)

    assert wins("rule", "random") > wins("random", "random") > wins("random", "rule")
    assert wins("random", "perfect") == 0
    game = TicTacToe()
    play_at_random(game, 3, seed=1)
    assert game.ply == 3


@pytest.mark.parametrize("is_fast", [True, False])
def test_perfect_uses_seconds_in_fast_columns(monkeypatch: pytest.MonkeyPatch, *, is_fast: bool) -> None:
    player, game = PerfectPlayer(Random(1)), new_game("4x4:3,gravity")
    limits, solve = list[Limit](), player._analyst.solve

    def noted(game: Game, limit: Limit) -> Analysis:
        limits.append(limit)
        return solve(game, limit)

    monkeypatch.setattr(perfect, "has_fast_columns", lambda game: is_fast)
    monkeypatch.setattr(player._analyst, "solve", noted)
    player.choose(game, Limit(seconds=60))
    assert (limits[0].nodes is None) == is_fast
    assert limits[0].seconds == 30
