"""Tournaments of people: pairings, results, corrections, and tables, on random tournaments of each system."""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from itertools import count
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from noughts.arena.clock import Clock
from noughts.arena.tournament.knockout import bracket
from noughts.arena.tournament.matching import Matching
from noughts.arena.tournament.people import (
    BREAK_MS,
    COMPUTER_AFTER_MS,
    DRAW,
    LOSS,
    MAX_ENTRIES,
    RESULTS,
    WIN,
    EntryState,
    PairingSystem,
    PeopleEvent,
    PeoplePhase,
    PeopleTerms,
    PeopleTournament,
    RoundPairing,
)
from noughts.arena.tournament.people_standings import table_of
from noughts.arena.tournament.swiss import NOBODY, SwissPlayer, pair_swiss
from noughts.errors import CommandRefused, NotFound

CLOCK = Clock(base=180_000, increment=2_000)
SWISS, ARENA, KNOCKOUT = PairingSystem


def terms(system: PairingSystem = SWISS, **more: object) -> PeopleTerms:
    return PeopleTerms("Class 6b", "connect4", CLOCK, system, **more)  # type: ignore[arg-type]


class Played:
    """A tournament with a clock, its events, and fresh names of rooms."""

    def __init__(self, terms: PeopleTerms, players: int = 0, blocks: Iterable[tuple[int, int]] = ()) -> None:
        self.tournament, self.at = PeopleTournament(terms), 1_000
        self.events: list[PeopleEvent] = []
        self.blocks = set(blocks)
        self._rooms = count(1)
        for _ in range(players):
            self.do("enter")
        if players:
            self.do("start")
            self.tick()

    def do(self, command: str, *arguments: object, **more: object) -> list[PeopleEvent]:
        events: list[PeopleEvent] = getattr(self.tournament, command)(*arguments, at=self.at, **more)
        self.events += events
        return events

    def tick(self, later: int = 0) -> None:
        self.at += later
        blocks = frozenset(self.blocks)
        self.events += self.tournament.tick(self.at, lambda *_: f"room-{next(self._rooms)}", blocks)

    def finish(self, choose: Callable[[], tuple[int, int]] = lambda: WIN) -> None:
        """Give all open games of the round a result."""
        for pairing in self.tournament.open_pairings:
            self.do("record", pairing.number, choose())

    def play_all(self, choose: Callable[[], tuple[int, int]] = lambda: WIN) -> PeopleTournament:
        while self.tournament.phase is PeoplePhase.PLAYING:
            self.finish(choose)
            self.tick(BREAK_MS)
        return self.tournament


# Pairings


def largest(pairs: frozenset[frozenset[int]]) -> int:
    """Return the largest number of *pairs* without a common player, by trying all."""

    @cache
    def best(left: frozenset[frozenset[int]]) -> int:
        return max((1 + best(frozenset(p for p in left if not p & pair)) for pair in left), default=0)

    return best(pairs)


@pytest.mark.slow
@given(st.sets(st.tuples(st.integers(1, 8), st.integers(1, 8)).filter(lambda pair: pair[0] < pair[1])))
@settings(max_examples=60)
def test_matching_has_the_most_possible_pairs(allowed: set[tuple[int, int]]) -> None:
    pairs = frozenset(map(frozenset, allowed))
    matching = Matching(range(1, 9), lambda one, two: frozenset((one, two)) in pairs)
    size = matching.size
    assert size == largest(pairs)
    assert not matching.settle(1, 1)
    for one, two in sorted(allowed):
        rest = frozenset(pair for pair in pairs if not pair & {one, two})
        trial = Matching(range(1, 9), lambda one, two: frozenset((one, two)) in pairs)
        is_settled = trial.settle(one, two)
        assert is_settled == (largest(rest) == size - 1)
        assert trial.size == size - is_settled


def histories(seed: int, players: int, rounds: int) -> list[list[SwissPlayer]]:
    """Return the players before each round of a random tournament, in the order of standings."""
    chance = Random(seed)
    played = Played(terms(rounds=rounds), players)
    stages = []
    while played.tournament.phase is PeoplePhase.PLAYING:
        played.finish(lambda: chance.choice(RESULTS))
        known = played.tournament
        stages.append([known._swiss_player(number) for number in known._in_order()])
        played.tick(BREAK_MS)
    return stages


def fewest_rematches(players: list[SwissPlayer]) -> int:
    """Return the fewest rematches of a complete pairing, by trying all."""
    met = {player.number: player.opponents for player in players}

    @cache
    def fewest(left: tuple[int, ...]) -> int:
        if not left:
            return 0
        one, *others = left
        return min((two in met[one]) + fewest(tuple(set(others) - {two})) for two in others)

    numbers = tuple(player.number for player in players)
    if len(numbers) % 2 == 0:
        return fewest(numbers)
    byes = [player.number for player in players if not player.has_sat_out] or numbers
    return min(fewest(tuple(number for number in numbers if number != bye)) for bye in byes)


@pytest.mark.parametrize(("players", "rounds"), [(4, 3), (5, 5), (6, 5), (7, 4), (8, 7)])
def test_swiss_rematches_only_if_unavoidable(players: int, rounds: int) -> None:
    for seed in range(3):
        for stage in histories(seed, players, rounds)[:-1]:
            met = {player.number: player.opponents for player in stage}
            pairs = pair_swiss(stage)
            rematches = sum(two in met[one] for one, two in pairs)
            assert (rematches == 0) == (fewest_rematches(stage) == 0)
            assert sorted(number for pair in pairs for number in pair if number) == sorted(met)


def test_swiss_pairs_halves_of_each_group() -> None:
    fresh = [SwissPlayer(number) for number in range(1, 9)]
    assert pair_swiss(fresh) == [(1, 5), (6, 2), (3, 7), (8, 4)]
    won = [SwissPlayer(1, 2, (5,), (True,)), SwissPlayer(2, 2, (4,), (False,))]
    lost = [SwissPlayer(4, 0, (2,), (True,)), SwissPlayer(5, 0, (1,), (False,))]
    assert pair_swiss([*won, *lost]) == [(2, 1), (5, 4)]


def test_swiss_keeps_blocked_players_apart() -> None:
    players = [SwissPlayer(number) for number in range(1, 5)]
    assert pair_swiss(players, frozenset({(1, 3)})) == [(1, 4), (3, 2)]
    everybody = frozenset((4, number) for number in range(1, 4))
    assert pair_swiss(players, everybody) == [(1, 2), (3, NOBODY)]


def test_blocker_gives_way_in_a_knockout() -> None:
    played = Played(terms(KNOCKOUT), 4)
    played.finish()
    first, second = played.tournament.survivors()
    played.blocks = {(first, second)}
    played.tick(BREAK_MS)
    played.tick(BREAK_MS)
    assert played.tournament.phase is PeoplePhase.OVER
    assert table_of(played.tournament)[0].entry == second


def test_swiss_sits_out_the_last_player_once() -> None:
    players = [SwissPlayer(1), SwissPlayer(2), SwissPlayer(3, has_sat_out=True)]
    assert (2, NOBODY) in pair_swiss(players)
    tired = [SwissPlayer(number, has_sat_out=True) for number in (1, 2, 3)]
    assert (3, NOBODY) in pair_swiss(tired)


@pytest.mark.slow
@pytest.mark.parametrize(("players", "rounds"), [(10, 5), (41, 7), (64, 6)])
def test_swiss_balances_first_moves(players: int, rounds: int) -> None:
    chance = Random(players)
    tournament = Played(terms(rounds=rounds), players).play_all(lambda: chance.choice(RESULTS))
    assert tournament.rounds == rounds
    for entry in tournament.entries:
        firsts = [
            pairing.players[0] == entry for pairing in tournament.of(entry) if pairing.is_between_people
        ]
        assert abs(2 * sum(firsts) - len(firsts)) <= 2
        assert all(len(set(firsts[at : at + 3])) > 1 for at in range(len(firsts) - 2))
        assert len({pairing.opponent_of(entry) for pairing in tournament.of(entry)}) == rounds


def test_odd_player_meets_the_computer() -> None:
    played = Played(terms(computer="rule"), 3)
    (pairing,) = [pairing for pairing in played.tournament.open_pairings if not pairing.is_between_people]
    assert pairing.room
    assert sorted(pairing.players)[0] == NOBODY
    place = pairing.players.index(NOBODY)
    played.do("record", pairing.number, WIN if place == 0 else LOSS)
    entry = max(pairing.players)
    assert played.tournament.points()[entry] == 0


def test_bracket_keeps_the_best_seeds_apart() -> None:
    assert bracket([1, 2, 3, 4, 5, 6, 7, 8]) == [(1, 8), (4, 5), (2, 7), (3, 6)]
    assert bracket([1, 2]) == [(1, 2)]
    assert bracket([1, 2, 3]) == [(1, 0), (2, 3)]


# Whole tournaments


@pytest.mark.parametrize("players", [2, 3, 6, 11, 16])
def test_knockout_has_one_winner(players: int) -> None:
    chance = Random(players)
    played = Played(terms(KNOCKOUT, seed=7), players)
    planned = played.tournament.count
    tournament = played.play_all(lambda: chance.choice(RESULTS))
    rows = table_of(tournament)
    assert [row.place for row in rows[:2]] == [1, 2]
    assert tournament.rounds == planned == (players - 1).bit_length()
    assert len(tournament.survivors()) == 1
    for number in range(1, tournament.rounds + 1):
        for games in tournament.tables(number).values():
            assert len(games) <= 2
            assert len(games) == 1 or games[0].points == DRAW


def test_knockout_passes_over_removed_players() -> None:
    played = Played(terms(KNOCKOUT), 4)
    played.finish()
    out, rests = played.tournament.survivors()
    played.do("rest", rests)
    played.do("remove", out)
    played.tick(BREAK_MS)
    assert played.tournament.round(2)[0].players == (out, NOBODY)
    played = Played(terms(KNOCKOUT), 4)
    played.finish()
    out, stays = played.tournament.survivors()
    played.do("remove", out)
    played.tick(BREAK_MS)
    assert played.tournament.round(2)[0].players == (stays, NOBODY)
    assert table_of(played.play_all())[0].entry == stays


def test_arena_pairs_free_players_with_others() -> None:
    played = Played(terms(ARENA, minutes=10), 5)
    known = played.tournament
    assert len(known.open_pairings) == 2
    one, two = known.open_pairings
    played.do("record", one.number, WIN)
    played.tick(1_000)
    fresh = known.open_pairings[-1]
    assert fresh.number == 3
    assert set(fresh.players) != set(one.players)
    played.tick(10 * 60_000)
    assert known.phase is PeoplePhase.OVER
    assert played.do("record", two.number, WIN) == []
    assert known.pairings[two.number].is_open


def test_arena_gives_a_computer_after_a_wait() -> None:
    played = Played(terms(ARENA, computer="rule"), 3)
    known = played.tournament
    (first,) = known.open_pairings
    played.tick(COMPUTER_AFTER_MS - 1)
    assert len(known.open_pairings) == 1
    played.tick(1)
    _, second = known.open_pairings
    assert set(second.players) == {NOBODY} | ({1, 2, 3} - set(first.players))
    assert (first.table, second.table) == (1, 2)
    assert second.room
    assert known.rounds == 1
    one, two = first.players
    played.do("record", first.number, WIN)
    played.do("record", second.number, WIN if second.players[0] else LOSS)
    played.tick()
    third = known.open_pairings[-1]
    assert NOBODY not in third.players  # a person is free
    assert max(second.players) in third.players
    rows = {row.entry: row.points for row in table_of(known)}
    assert (rows[one], rows[two], rows[max(second.players)]) == (2, 0, 2)


def test_arena_repeats_a_game_rather_than_play_a_computer() -> None:
    played = Played(terms(ARENA, computer="rule"), 3)
    played.tick(COMPUTER_AFTER_MS)
    first, second = played.tournament.open_pairings
    played.do("record", first.number, WIN)
    played.tick(COMPUTER_AFTER_MS - 1)
    assert played.tournament.open_pairings == [second]
    played.tick(1)
    again = played.tournament.open_pairings[-1]
    assert set(again.players) == set(first.players)


@pytest.mark.parametrize(("computer", "games"), [("", 0), ("rule", 2)])
def test_arena_gives_computers_to_blocked_players(computer: str, games: int) -> None:
    played = Played(terms(ARENA, computer=computer), 2, blocks=[(1, 2)])
    played.do("pause")
    played.tick(COMPUTER_AFTER_MS)
    played.do("resume")
    played.tick()
    assert not played.tournament.open_pairings
    played.tick(COMPUTER_AFTER_MS)
    assert len(played.tournament.open_pairings) == games


def test_arena_waiting_begins_after_a_rest() -> None:
    played = Played(terms(ARENA, computer="rule"), 3)
    (entry,) = {1, 2, 3} - set(played.tournament.open_pairings[0].players)
    played.do("rest", entry)
    played.tick(COMPUTER_AFTER_MS)
    played.do("come_back", entry)
    played.tick()
    assert len(played.tournament.open_pairings) == 1
    played.tick(COMPUTER_AFTER_MS)
    assert len(played.tournament.open_pairings) == 2


def test_arena_of_two_players_repeats_their_game() -> None:
    played = Played(terms(ARENA), 2)
    for number in (1, 2, 3):
        (pairing,) = played.tournament.open_pairings
        assert pairing.number == number
        played.do("record", number, WIN if pairing.players[0] == 1 else LOSS)
        played.tick()
    first = table_of(played.tournament)[0]
    assert (first.entry, first.points, first.is_on_streak) == (1, 8, True)


def test_tournament_starts_at_its_time() -> None:
    played = Played(terms(starts=5_000))
    played.do("enter")
    played.tick(10_000)
    assert played.tournament.phase is PeoplePhase.OPEN
    played.do("enter")
    played.tick()
    assert played.tournament.rounds == 1


def test_pause_begins_no_round() -> None:
    played = Played(terms(), 4)
    played.finish()
    played.do("pause")
    assert played.do("pause") == []
    played.tick(BREAK_MS)
    assert played.tournament.rounds == 1
    played.do("start")
    played.tick()
    assert played.tournament.rounds == 2
    with pytest.raises(CommandRefused, match="round goes on"):
        played.do("start")
    played.do("pause")
    with pytest.raises(CommandRefused):
        played.do("start")
    assert played.tournament.is_paused


def test_round_waits_for_the_break() -> None:
    played = Played(terms(), 4)
    played.finish()
    played.tick(BREAK_MS - 1)
    assert played.tournament.rounds == 1
    played.do("start")
    played.tick()
    assert played.tournament.rounds == 2


# Entries


def test_late_entry_ends_at_half() -> None:
    played = Played(terms(rounds=5), 4)
    for _ in range(2):
        played.do("enter")
        played.finish()
        played.tick(BREAK_MS)
    assert played.tournament.rounds == 3
    with pytest.raises(CommandRefused, match="entry closed"):
        played.do("enter")
    played.do("enter", by_organiser=True)
    assert played.tournament.entries[7].since == 3
    arena = Played(terms(ARENA, minutes=10), 2)
    arena.at += 299_000
    arena.do("enter")
    arena.at += 1_001
    with pytest.raises(CommandRefused):
        arena.do("enter")
    arena.do("enter", by_organiser=True)
    with pytest.raises(CommandRefused):
        Played(terms(KNOCKOUT), 2).do("enter", by_organiser=True)


def test_entry_by_link_can_be_closed() -> None:
    played = Played(terms())
    played.do("open_to_all", is_open=False)
    assert played.do("open_to_all", is_open=False) == []
    with pytest.raises(CommandRefused):
        played.do("enter")
    played.do("enter", by_organiser=True)
    played.do("open_to_all", is_open=True)
    played.do("enter")


def test_tournament_takes_500_players() -> None:
    played = Played(terms())
    for _ in range(MAX_ENTRIES):
        played.do("enter")
    with pytest.raises(CommandRefused, match="tournament full"):
        played.do("enter")


def test_resting_player_has_no_game() -> None:
    played = Played(terms(), 4)
    played.do("rest", 2)
    assert played.do("rest", 2) == []
    played.finish()
    played.tick(BREAK_MS)
    assert 2 not in {entry for pairing in played.tournament.round(2) for entry in pairing.players}
    played.do("come_back", 2)
    assert played.do("come_back", 2) == []
    played.finish()
    played.tick(BREAK_MS)
    assert 2 in {entry for pairing in played.tournament.round(3) for entry in pairing.players}
    assert next(row for row in table_of(played.tournament) if row.entry == 2).marks[1] is None


def test_removed_player_loses_the_running_game() -> None:
    played = Played(terms(), 4)
    pairing = played.tournament.open_pairings[0]
    played.do("remove", pairing.players[1])
    assert played.do("remove", pairing.players[1]) == []
    assert played.tournament.pairings[pairing.number].points == WIN
    assert played.do("record", pairing.number, LOSS) == []
    with pytest.raises(NotFound):
        played.do("remove", 9)
    unseen = Played(terms())
    unseen.do("enter")
    unseen.do("remove", 1)
    assert table_of(unseen.tournament) == []


def test_too_few_players_cannot_start() -> None:
    played = Played(terms())
    played.do("enter")
    with pytest.raises(CommandRefused, match="too few players"):
        played.do("start")
    with pytest.raises(NotFound):
        played.do("correct", 1, WIN)
    played.do("end")
    assert played.do("end") == []
    for command in ("start", "enter", "pause"):
        with pytest.raises(CommandRefused):
            played.do(command)


# Corrections


def test_correction_withdraws_a_round_without_moves() -> None:
    played = Played(terms(), 4)
    played.finish()
    played.tick(BREAK_MS)
    before = {pairing.number for pairing in played.tournament.round(2)}
    events = played.do("correct", 1, LOSS)
    assert [event.kind for event in events] == ["withdrawn", "corrected"]
    assert played.do("record", min(before), WIN) == []
    assert played.do("note_first_move", min(before), 1, 1) == []
    played.tick(BREAK_MS)
    assert not before & {pairing.number for pairing in played.tournament.round(2)}
    assert played.do("correct", 1, LOSS) == []
    with pytest.raises(CommandRefused, match="no such result"):
        played.do("correct", 1, (2, 2))


def test_free_pass_has_no_result_to_correct() -> None:
    played = Played(terms(KNOCKOUT), 3)
    (free,) = [pairing for pairing in played.tournament.round(1) if not pairing.room]
    for result in RESULTS:
        with pytest.raises(NotFound):
            played.do("correct", free.number, result)
    assert played.tournament.winner_of([free]) == free.players[0]


def test_correction_changes_only_points_once_the_round_has_a_move() -> None:
    played = Played(terms(), 4)
    played.finish()
    played.tick(BREAK_MS)
    pairs = played.tournament.round(2)
    played.do("note_first_move", pairs[0].number, 1, 1)
    assert played.do("note_first_move", pairs[0].number, 1, 1) == []
    assert [event.kind for event in played.do("correct", 1, LOSS)] == ["corrected"]
    assert [pairing.number for pairing in played.tournament.round(2)] == [pairing.number for pairing in pairs]
    over = Played(terms(rounds=1), 2)
    over.play_all()
    over.do("correct", 1, DRAW)
    assert [row.place for row in table_of(over.tournament)] == [1, 1]


@pytest.mark.parametrize("has_begun", [False, True])
def test_corrected_draw_of_a_knockout_needs_no_further_game(has_begun: bool) -> None:
    played = Played(terms(KNOCKOUT), 2)
    played.finish(lambda: DRAW)
    played.tick()
    drawn, replay = played.tournament.round(1)
    if has_begun:
        played.do("note_first_move", replay.number, 1, 1)
    played.do("correct", drawn.number, WIN)
    assert (replay.number in played.tournament.pairings) is has_begun
    played.do("record", replay.number, WIN)  # by the other player, who moves first now
    played.tick()
    assert played.tournament.phase is PeoplePhase.OVER
    assert next(row.entry for row in table_of(played.tournament)) == drawn.players[0]


def test_unknown_event_is_refused() -> None:
    with pytest.raises(KeyError):
        PeopleTournament(terms()).apply_event(PeopleEvent(1, 0, "flown", {}))


def test_table_breaks_ties_by_the_points_of_opponents() -> None:
    chance = Random(5)
    tournament = Played(terms(rounds=4), 9).play_all(lambda: chance.choice(RESULTS))
    points, rows = tournament.points(), table_of(tournament)
    for row in rows:
        games = [
            (pairing.opponent_of(row.entry), pairing.points_of(row.entry))
            for pairing in tournament.of(row.entry)
        ]
        faced = [points[other or row.entry] for other, _ in games]
        assert row.opponents == sum(faced)
        assert row.beaten == sum(other * own for other, (_, own) in zip(faced, games, strict=True))
        assert (row.points, row.wins + row.draws + row.losses) == (points[row.entry], 4)
    keys = [(-row.points, -row.opponents, -row.beaten, -row.wins) for row in rows]
    assert keys == sorted(keys)
    assert [row.place for row in rows] == [1 + sum(other < key for other in keys) for key in keys]


class TournamentOfPeople(RuleBasedStateMachine):
    """Any order of commands: nobody plays twice at once, and the events give the same table."""

    def __init__(self) -> None:
        super().__init__()
        self.played = Played(terms())
        self.system = SWISS

    @rule(
        system=st.sampled_from(PairingSystem),
        players=st.integers(2, 7),
        computer=st.sampled_from(["", "rule"]),
    )
    @precondition(lambda self: not self.played.events)
    def begin(self, system: PairingSystem, players: int, computer: str) -> None:
        self.played, self.system = Played(terms(system, rounds=4, computer=computer), players), system

    @rule(command=st.sampled_from(["enter", "start", "pause", "resume"]))
    def order(self, command: str) -> None:
        try:
            self.played.do(command)
        except CommandRefused:
            return

    @rule(command=st.sampled_from(["rest", "come_back", "remove"]), entry=st.integers(1, 9))
    def change(self, command: str, entry: int) -> None:
        try:
            self.played.do(command, entry)
        except (CommandRefused, NotFound):
            return

    @rule(one=st.integers(1, 7), two=st.integers(1, 7))
    @precondition(lambda self: len(self.played.blocks) < 3)
    def block(self, one: int, two: int) -> None:
        if one != two:
            self.played.blocks.add((one, two))

    @rule(choice=st.integers(0, 9), result=st.sampled_from(RESULTS))
    def finish_one(self, choice: int, result: tuple[int, int]) -> None:
        if games := self.played.tournament.open_pairings:
            pairing = games[choice % len(games)]
            self.played.do("note_first_move", pairing.number, 100 + pairing.number, 7)
            self.played.do("record", pairing.number, result)
            assert self.played.do("record", pairing.number, result) == []

    @rule(number=st.integers(1, 20), result=st.sampled_from(RESULTS))
    def correct(self, number: int, result: tuple[int, int]) -> None:
        try:
            self.played.do("correct", number, result)
        except NotFound:
            return

    @rule(later=st.sampled_from([0, 1_000, BREAK_MS]))
    def wait(self, later: int) -> None:
        before = self.played.tournament.copy()
        self.played.tick(later)
        fresh = [
            pairing
            for number, pairing in self.played.tournament.pairings.items()
            if number > before.last_number
        ]
        paired = Counter(entry for pairing in fresh for entry in pairing.players if entry)
        assert all(number == 1 for number in paired.values())
        states = {self.played.tournament.entries[entry].state for entry in paired}
        assert states <= {EntryState.IN} or self.system is KNOCKOUT
        for players in (pairing.players for pairing in fresh):
            is_replay = self.system is KNOCKOUT and players[1] in before._swiss_player(players[0]).opponents
            assert is_replay or not {players, players[::-1]} & self.played.blocks
        if self.system is SWISS and fresh and not self.played.blocks:
            stage = [before._swiss_player(number) for number in before._in_order()]
            met = {player.number: player.opponents for player in stage}
            rematches = sum(p.players[1] in met[p.players[0]] for p in fresh if p.is_between_people)
            assert (rematches == 0) == (fewest_rematches(stage) == 0)
        if self.system is ARENA:
            self.check_arena(before, fresh)

    def check_arena(self, before: PeopleTournament, fresh: list[RoundPairing]) -> None:
        """Check that people meet people, and a computer only after a long wait without a free person."""
        now, at = self.played.tournament, self.played.at
        free = set(before.active) - {entry for game in before.open_pairings for entry in game.players}
        patient = {
            entry for entry in free if at - waits_since(self.played.events, entry) >= COMPUTER_AFTER_MS
        }
        left = free - {entry for game in fresh for entry in game.players}
        for game in fresh:
            for one, two in (game.players, game.players[::-1]):
                if two == NOBODY:
                    assert one in patient
                    left.add(one)
                elif one and len(before.active) > 2 and before.of(one)[-1:]:
                    last = before.of(one)[-1].opponent_of(one)
                    assert last != two or {one, two} & patient
        if now.phase is not PeoplePhase.PLAYING or now.is_paused:
            return
        for one in left & patient:
            for two in left - {one}:
                assert {(one, two), (two, one)} & self.played.blocks, "both could have met"
        if now.terms.computer:
            playing = {entry for game in now.open_pairings for entry in game.players}
            assert patient <= playing

    @invariant()
    def nobody_plays_twice_at_once(self) -> None:
        playing = Counter(entry for p in self.played.tournament.open_pairings for entry in p.players if entry)
        assert all(number == 1 for number in playing.values())

    @invariant()
    def events_give_the_same_tournament(self) -> None:
        again = PeopleTournament.replay(self.played.tournament.terms, self.played.events)
        assert again == self.played.tournament
        assert table_of(again) == table_of(self.played.tournament)

    @invariant()
    def results_recount_to_the_table(self) -> None:
        counted = recounted(self.played.events, self.system)
        for row in table_of(self.played.tournament):
            assert row.points == counted.get(row.entry, 0)


def waits_since(events: list[PeopleEvent], entry: int) -> int:
    """Return the instant from which on a free player has waited, by the events."""
    since, playing = 0, set()
    for event in events:
        match event.kind:
            case "paired":
                playing |= {row[0] for row in event.data["pairs"] if entry in row[2:4]}
            case "started" | "paused" | "resumed":
                since = event.at
            case "entered" | "returned" if event.data["entry"] == entry:
                since = event.at
            case "result" | "corrected" if event.data["pairing"] in playing:
                playing.remove(event.data["pairing"])
                since = event.at
    return since


def recounted(events: list[PeopleEvent], system: PairingSystem) -> dict[int, int]:
    """Return the points of each player, counted from the events only."""
    of_free_pass = 0 if system is KNOCKOUT else 2
    games: dict[int, tuple[int, list[int], list[int]]] = {}
    for event in events:
        match event.kind:
            case "paired":
                for number, _, first, second, room in event.data["pairs"]:
                    games[number] = (event.data["round"], [first, second], [] if room else [of_free_pass, 0])
            case "withdrawn":
                games = {number: game for number, game in games.items() if game[0] != event.data["round"]}
            case "called-off":
                del games[event.data["pairing"]]
            case "result" | "corrected":
                games[event.data["pairing"]][2][:] = event.data["points"]
    points: Counter[int] = Counter()
    won: Counter[int] = Counter()
    for number in sorted(games):
        for entry, half in zip(games[number][1], games[number][2], strict=False):
            points[entry] += half * (2 if system is ARENA and won[entry] > 1 else 1)
            won[entry] = won[entry] + 1 if half == 2 else 0
    return points


TestTournamentOfPeople = TournamentOfPeople.TestCase
TestTournamentOfPeople.settings = settings(max_examples=15, stateful_step_count=25, deadline=None)


# Players who must not meet


@given(st.sampled_from(PairingSystem), st.integers(2, 9), st.data())
def test_blocked_players_never_meet(system: PairingSystem, players: int, data: st.DataObject) -> None:
    pair = st.tuples(st.integers(1, players), st.integers(1, players)).filter(lambda pair: pair[0] != pair[1])
    blocks = data.draw(st.sets(pair, max_size=6))
    played = Played(terms(system, rounds=3, minutes=1), players, blocks)
    tournament = played.tournament
    for _ in range(12):
        played.finish()
        played.tick(BREAK_MS)
    apart = set(map(frozenset, blocks))
    assert all(frozenset(pairing.players) not in apart for pairing in tournament.pairings.values())
    if system is not ARENA:
        assert tournament.phase is PeoplePhase.OVER
