"""Knockout brackets: the order of the first round, and the winners of each table."""


def bracket(players: list[int]) -> list[tuple[int, int]]:
    """Return the tables of the first round. *players* are in the order of seeds, and 0 is a free pass.

    The best seeds get the free passes, and meet each other as late as possible.

    >>> bracket([1, 2, 3, 4, 5, 6])
    [(1, 0), (4, 5), (2, 0), (3, 6)]
    """
    size = 2
    while size < len(players):
        size *= 2
    seeds = [1]
    while len(seeds) < size:
        total = 2 * len(seeds) + 1
        seeds = [seed for one in seeds for seed in (one, total - one)]
    places = [players[seed - 1] if seed <= len(players) else 0 for seed in seeds]
    return [(max(one, two), 0) if 0 in (one, two) else (one, two) for one, two in _pairs(places)]


def _pairs(places: list[int]) -> list[tuple[int, int]]:
    return list(zip(places[::2], places[1::2], strict=True))
