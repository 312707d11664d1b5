"""The choices of an attack, compared with an exhaustive search."""

import io
from pathlib import Path
from random import Random

import pytest

from noughts import new_game
from noughts.certificates.index import Index, write_index
from noughts.core.board import index_of
from noughts.core.geometry import coordinates
from noughts.core.symmetry import symmetries
from noughts.games.base import Game
from noughts.proofs.writer import decisions as decisions_module
from noughts.proofs.writer.certify import certify
from noughts.proofs.writer.decisions import Decisions
from noughts.proofs.writer.strategy import Strategy
from noughts.search.analysis import Effort, Limit, LimitReachedError
from noughts.search.dfpn.memory import ATTACKER, DEFENDER
from noughts.search.dfpn.search import AttackSearch
from noughts.search.exact.search import ExactSearch
from noughts.search.numba_backend import python_machine
from tests.search.machines import MACHINES, machine_of, rules_of
from tests.search.test_dfpn import search_of, wins
from tests.weekly import weekly


def of_marks(name: str, cells: list[int]) -> Game:
    """Return the game in which these *cells* were taken in turn."""
    game = new_game(name)
    for cell in cells:
        game.play(coordinates(game.shape)[cell])
    return game


def of_position(name: str, position: bytes) -> Game:
    """Return the game with the marks of *position*, which has the contents of cells as in the memory."""
    sides = [[cell for cell, here in enumerate(position) if here == side] for side in (ATTACKER, DEFENDER)]
    return of_marks(name, [cell for both in zip(*sides, strict=True) for cell in both])


def searched(name: str, machine: str = "python") -> tuple[Game, AttackSearch]:
    """Return a game in which the search finds a win of the first side, and the search."""
    game = new_game(name)
    search = search_of(game, machine)
    assert search.finds_win(game, 0, Effort())
    return game, search


def test_images_share_a_decision() -> None:
    chance, name = Random(1), "5x4:4,wrap"
    met = [Decisions(search_of(new_game(name), machine), new_game(name), 0, Effort()) for machine in MACHINES]
    group, different = symmetries(rules_of(new_game(name)).geometry), set[int]()
    for _ in range(12):
        cells = chance.sample(range(20), 6)
        of = {one.of(of_marks(name, cells)) for one in met}
        of |= {met[0].of(of_marks(name, [map_[cell] for cell in cells])) for map_ in chance.sample(group, 3)}
        assert len(of) == 1
        different |= of
    assert len(different) > 10


@pytest.mark.slow
@pytest.mark.parametrize("name", ["5x4:4,wrap", weekly("5x5:4")])
def test_choice_wins_when_its_decisions_win(name: str) -> None:
    chance, sizes = Random(name), set[int]()
    exact = ExactSearch(rules_of(new_game(name)), machine_of("numba"))
    searches = [search_of(new_game(name), machine) for machine in MACHINES]
    for _ in range(16):
        game = of_marks(name, chance.sample(range(len(new_game(name).cells)), chance.choice((2, 4))))
        searches[0].load_for_threats(game, 0)
        if game.is_over or searches[0].threats(1 << 10) or searches[0].kernels.settle(searches[0].memory):
            continue
        met = [Decisions(search, game, 0, Effort()) for search in searches]
        choices = [one.threatening(one.of(game), 6) for one in met]
        assert choices[0] == choices[1]
        for choice in choices[0]:
            leaves = met[0].leaves[choice]
            assert leaves == met[1].leaves[choice]
            sizes.add(min(1, len(leaves)))
            game.play(coordinates(game.shape)[met[0].cell_of(game, choice)])
            left = [wins(exact, of_position(name, met[0]._positions[leaf]), 0) for leaf in leaves]
            assert wins(exact, game, 0) == all(left)
            game.undo()
    assert sizes


def test_impossible_choice_has_no_cell() -> None:
    game = new_game("5x4:4,wrap")
    assert Decisions(search_of(game), game, 0, Effort()).cell_of(game, -2) == -1


@pytest.mark.slow
def test_known_choices_win_without_a_search() -> None:
    game, search = searched("5x4:4,wrap")
    exact, nodes = ExactSearch(rules_of(game), machine_of("numba")), search.nodes
    met = Decisions(search, game, 0, Effort())
    choices = met.winning(met.of(game))
    assert choices
    assert choices == met.winning(met.of(game))
    for choice in choices:
        game.play(coordinates(game.shape)[met.cell_of(game, choice)])
        assert wins(exact, game, 0)
        game.undo()
    assert search.nodes == nodes


def test_strategy_wins_in_every_decision() -> None:
    """The strategy also reports the right number of decisions."""
    game, search = searched("6x5:4", "numba")
    exact = ExactSearch(rules_of(game), machine_of("numba"))
    strategy = Strategy(search, game, 0, Effort())
    strategy.plan()
    decisions = strategy._in_force()
    assert len(decisions) == strategy.decision_count > 10
    for decision in decisions:
        game = strategy._decisions._game_at(decision)
        assert strategy._decisions.of(game) == decision
        game.play(coordinates(game.shape)[strategy.cell(game)])
        assert wins(exact, game, 0)


def size_of(name: str, machine: str, patience: int) -> tuple[int, int]:
    """Return the number of decisions and of other positions in the strategy."""
    game, search = searched(name, machine)
    strategy = Strategy(search, game, 0, Effort(), patience)
    strategy.plan()
    return strategy.decision_count, strategy.position_count


@pytest.mark.slow
def test_patience_makes_a_strategy_smaller() -> None:
    assert size_of("6x5:4", "numba", 1) > size_of("6x5:4", "numba", 3)
    assert size_of("5x4:4,wrap", "numba", 1) == size_of("5x4:4,wrap", "python", 1) > (1, 1)


def test_unknown_decision_has_no_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is neither a short proof nor a win that the search finds."""
    game = new_game("5x4:4,wrap")
    monkeypatch.setattr(decisions_module, "TRIES", 0)
    monkeypatch.setattr(AttackSearch, "finds_win", lambda *args: False)
    strategy = Strategy(search_of(game), game, 0, Effort())
    strategy.plan()
    assert strategy.cell(game) == -1
    assert (strategy.decision_count, strategy.position_count) == (1, 0)


def test_strategy_searches_forgotten_wins_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without threats, every move is a decision, and there is no short proof."""
    game = new_game("5x4:4,wrap")
    monkeypatch.setattr(decisions_module, "TRIES", 0)
    search = search_of(game)
    strategy = Strategy(search, game, 0, Effort(), patience=0)
    strategy.plan()
    assert search.nodes
    assert strategy.decision_count > 1
    game.play(coordinates(game.shape)[strategy.cell(game)])
    assert wins(ExactSearch(rules_of(game), machine_of("numba")), game, 0)


def test_strategy_stops_at_limit() -> None:
    game = new_game("5x4:4,wrap")
    strategy = Strategy(search_of(game), game, 0, Effort(Limit(stop=lambda: True).started()))
    with pytest.raises(LimitReachedError):
        strategy.plan()


def test_strategy_prefers_certified_moves(tmp_path: Path) -> None:
    """Of symmetric winning moves, the one in the certificate is chosen if no short proofs are searched."""
    name, stream = "5x4:4,wrap", io.StringIO()
    certify(new_game(name), "first", stream, machine=python_machine())
    assert write_index(io.BytesIO(stream.getvalue().encode()), tmp_path).holds
    game = new_game(name)
    index = Index.of(game, tmp_path)
    assert index is not None
    proof = index.find(game, 0)
    assert proof is not None
    assert proof.move is not None
    strategy = Strategy(search_of(game), game, 0, Effort(), patience=0, index=index)
    strategy.plan()
    assert strategy.cell(game) == index_of(game.shape, proof.move)
    assert strategy._decisions._search.nodes == 0
