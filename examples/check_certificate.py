"""Check a certificate of noughts by docs/certificates.md alone: python check_certificate.py FILE."""

import hashlib
import itertools
import math
import re
import sys

PARTS = {"first": [("win", 0)], "second": [("win", 1)], "draw": [("hold", 0), ("hold", 1)]}
SPEC = (  # without options that contradict each other
    r"(?!.*(?:gravity|wrap).*hex|.*(?:misere|wild).*notakto)([1-9]\d*(?:x[1-9]\d*){0,7}):([1-9]\d*)("
    r"(?:,gravity)?(?:,misere)?(?:,exact)?(?:,wrap(?:=x?y?z?w?v?u?t?s?\b)?)?(?:,wild)?(?:,notakto)?(?:,hex)?)"
)
WINDOW = LONGEST = 1 << 20


def need(fact, reason):
    """Raise ``ValueError``, for this *reason*, unless *fact* is true."""
    if not fact:
        raise ValueError(reason)


def numbers(words, most):
    """Return the numbers in *words*, each from 1 to *most*, less 1."""
    for word in words:
        need(re.fullmatch("[1-9][0-9]{0,17}", word) and int(word) <= most, f"{word!r} is too much")
    return [int(word) - 1 for word in words]


class Board:
    """The cells from 0 on, the lines of k cells, and the rules of a spec."""

    def __init__(self, spec):
        found = re.fullmatch(SPEC, spec, re.ASCII)
        need(found, "no game has this name")
        sizes = [int(size) for size in found[1].split("x")]
        self.shape = sizes[::-1] if len(sizes) == 2 else sizes
        self.k, self.size = int(found[2]), math.prod(sizes)
        options = dict(option.partition("=")[::2] for option in found[3].split(",")[1:])
        self.options, axes, some = set(options), "xyzwvuts"[: len(sizes)], options.get("wrap", "")
        joined = axes if "wrap" in options and not some else some
        names = zip(axes[::-1], self.shape, strict=True)
        self.around = [side if name in joined else 1 << 20 for name, side in names]  # no edge is so far away
        need(self.size <= 400 >= self.k, "the board is too large")
        need(some != axes and set(some) <= set(axes), "no such axes")
        below = self.size // self.shape[0] if "gravity" in options else self.size
        self.under = {cell: cell + below for cell in range(self.size - below)}
        self.lines = list(dict.fromkeys(self.all_lines()))
        need(self.lines, "no side could ever have a line")

    def all_lines(self):
        """Yield each line, with the cells at its ends that spoil it if longer lines do not count."""
        hexagonal, square = [(0, 1), (1, 0), (1, -1)], itertools.product((-1, 0, 1), repeat=len(self.shape))
        index = {places: cell for cell, places in enumerate(itertools.product(*map(range, self.shape)))}
        for start, step in itertools.product(index, hexagonal if "hex" in self.options else square):
            axes = list(zip(start, step, self.around, strict=True))
            ways = ([(at + by * far) % side for at, by, side in axes] for far in range(-1, self.k + 1))
            row = [index.get(tuple(places)) for places in ways]
            cells = frozenset(row[1:-1])
            if any(step) and None not in cells and len(cells) == self.k:
                yield cells, frozenset({row[0], row[-1]} - cells - {None} if "exact" in self.options else ())


def expect(rows, first, *counts):
    """Return the words after *first* on the next line, as many as one of *counts*, or any."""
    word, *rest = next(rows)
    need(word == first and (len(rest) in counts if counts else rest), f"{first} was expected")
    return rest


def is_whole(stream):
    """Return True if the last line is the digest of all others."""
    digest, last = hashlib.sha256(), b""
    while row := stream.readline(LONGEST):
        digest.update(last)
        last = row
    return last == b"sha256 %s\n" % digest.hexdigest().encode()


class Part:
    """One part of a proof: that side number *side* wins, or at least does not lose."""

    def __init__(self, rows, board, maps, side, wins):
        self.rows, self.board, self.maps, self.side, self.wins = rows, board, maps, side, wins
        self.proved, self.count = {}, 0
        self.cells = lambda words: numbers(words, board.size)

    def answered(self, position):
        """Check a *position* by an entry for all moves of the Other. Return the words of any other entry."""
        word, *rest = next(self.rows)
        if word == "=":
            need(len(rest) == 2 and rest[1] in self.maps, "a reference has a number and a map")
            known = self.proved.get(numbers(rest[:1], self.count)[0] + 1)
            need(known == self.image(position, self.maps[rest[1]]), "this position was not proved")
        elif word in ("m", "#m"):
            need(not rest, f"nothing follows {word}")
            self.answers(position)
            if word == "#m":
                self.count += 1
                self.proved[self.count] = self.image(position, self.maps["0"])
                self.proved.pop(self.count - WINDOW, None)
        return None if word in ("=", "m", "#m") else [word, *rest]


class Play(Part):
    """A proof by playing the game: a position is the marks and the side to move."""

    def prove(self):
        board = self.board
        for map_ in self.maps.values():
            images = {tuple(frozenset(map_[cell] for cell in part) for part in line) for line in board.lines}
            heights = all(map_[low] == board.under.get(map_[cell]) for cell, low in board.under.items())
            need(images == set(board.lines) and heights, "a map does not keep the rules")
        self.check(([None] * board.size, 0), None)

    def check(self, position, winner):
        """Check a position. *winner* is the side that has just won, or None."""
        if winner is not None or None not in position[0]:
            need(winner == self.side or (winner is None and not self.wins), "the game ends otherwise")
        elif position[1] == self.side:
            self.make(position, expect(self.rows, "s", 1))
        else:
            need(self.answered(position) is None, "answers were expected")

    def answers(self, position):
        moves = itertools.product(self.maps["0"], "XO" if "wild" in self.board.options else " ")
        left = {move for move in moves if self.is_open(position[0], move[0])}
        while (row := next(self.rows)) != ["."]:
            need(row[0] == "x" and 2 <= len(row) <= 3 and self.read(row[1]) in left, "this answers no move")
            left.remove(self.read(row[1]))
            self.make(position, row[1:])
        need(not left, "a move is not answered")

    def image(self, position, map_):
        marks = sorted((map_[cell], mark) for cell, mark in enumerate(position[0]) if mark)
        return hashlib.sha256(repr((marks, position[1])).encode()).digest()

    def is_open(self, cells, cell):
        return cells[cell] is None and (cell not in self.board.under or cells[self.board.under[cell]])

    def read(self, word):
        mark = word[:1] if "wild" in self.board.options else " "
        need(mark in "XO ", f"{word!r} is no move")
        return self.cells([word[mark != " " :]])[0], mark

    def make(self, position, words):
        """Make the moves of *words* and check the position after them."""
        (cells, turn), options, (cell, mark) = position, self.board.options, self.read(words[0])
        need(self.is_open(cells, cell), f"{words[0]!r} is no legal move")
        mark = mark.strip() or ("X" if "notakto" in options else "XO"[turn])
        cells = [*cells[:cell], mark, *cells[cell + 1 :]]
        mine = {place for place, here in enumerate(cells) if here == mark}
        has_line = any(cell in line and line <= mine and not ends & mine for line, ends in self.board.lines)
        winner = (turn ^ bool(options & {"misere", "notakto"})) if has_line else None
        need(not words[1:] or (winner is None and None in cells), "moves follow the end")
        after = cells, 1 - turn
        self.make(after, words[1:]) if words[1:] else self.check(after, winner)


class Lines(Part):
    """A proof by lines: a position is the missing cells of my and of their lines, and the empty cells."""

    def prove(self):
        theirs = [line for line, _ in self.board.lines]
        mine = [] if "exact" in self.board.options else theirs
        (self.other if self.side else self.prover)((mine, theirs, frozenset(self.maps["0"])))

    def take(self, position, cell, is_prover=False):
        """Return the position after a side has taken *cell*."""
        mine, theirs, empty = position if is_prover else (position[1], position[0], position[2])
        need(cell in empty, f"cell {cell + 1} is taken")
        own, others = [line - {cell} for line in mine], [line for line in theirs if cell not in line]
        return (own, others, empty - {cell}) if is_prover else (others, own, empty - {cell})

    def image(self, position, map_):
        images = [[sorted(map_[cell] for cell in line) for line in lines] for lines in position[:2]]
        return hashlib.sha256(repr([*map(sorted, images)]).encode()).digest()

    def prover(self, position, cells=(), ends=False):
        """Let the Prover take *cells*, each but the last a threat, and check the proof that follows."""
        if not (self.wins or position[1]):
            return
        cells = cells or self.cells(expect(self.rows, "s"))
        for place, cell in enumerate(cells, 1):
            position = self.take(position, cell, is_prover=True)
            threats = {line for line in position[0] if len(line) < 2}
            is_lost = any(len(line) < 2 for line in position[1])
            if frozenset() in threats or (len(threats) > 1 and not is_lost):
                need(place == len(cells), "moves follow the win")
                return
            need(not is_lost and (threats or place == len(cells)), "the Other is not forced, or wins")
            for threat in threats:
                position = self.take(position, *threat)
        need(not ends, "threats win nothing")
        self.prover(position) if threats else self.other(position)

    def other(self, position):
        """Check a position in which the Other is to move and is not forced."""
        mine, theirs, empty = position
        is_lost = any(len(line) < 2 for line in theirs) or (self.wins and not mine)
        need(not is_lost, "the Other wins, or nobody does")
        words = self.answered(position) if self.wins or theirs else None
        word, pairs = (words[0], self.pairs(words[1:], empty)) if words else (None, None)
        need(not words or not self.wins, f"{word!r} wins nothing")
        if word == "p":
            need_stopped(theirs, pairs)
        elif words:
            need(pairs if word == "r" else word == "f" and mine and not pairs, f"{word!r} is no step")
            self.other(([], remaining(theirs, pairs), empty.difference(*pairs)))

    def pairs(self, words, empty):
        cells = self.cells(words)
        need(len(cells) % 2 == 0 and len(empty.intersection(cells)) == len(cells), "no pairs of empty cells")
        return [frozenset(pair) for pair in zip(cells[::2], cells[1::2], strict=True)]

    def answers(self, position):
        mine, theirs, empty = position
        live, answered, replies = set().union(*mine, *theirs), set(), set()
        while (row := next(self.rows)) != ["."]:
            place = row.index("/") if "/" in row else len(row)
            need(place > 1 and row[-1] != "/" and ("/" in row or row[0] != "k"), "an answer names cells")
            word, (first, *more), named = row[0], self.cells(row[1:place]), self.cells(row[place + 1 :])
            named = named or ([first] if word == "x" else sorted(live - answered))
            need(len(answered.union(named)) == len(answered) + len(named), "a move is answered twice")
            answered.update(named)
            if word == "x" and place == len(row):
                self.prover(self.take(position, first), more)
                replies.update([(first, more[0])] if len(more) == 1 else [])
            elif word == "d":
                for cell in named:
                    self.prover(self.take(position, cell), [first, *more], ends=True)
            else:
                need(word == "k" and not self.wins, f"{word!r} is no answer")
                pairs = self.pairs(row[2:place], empty)
                for cell in named:
                    after = self.take(self.take(position, cell), first, is_prover=True)
                    need_stopped(after[1], [pair for pair in pairs if not pair & {cell, first}])
                    replies.add((cell, first))
        for cell in live - answered:
            through = [line for line in theirs if cell in line]
            is_weaker = any(cell != b and all(line & {b, c} for line in through) for c, b in replies)
            need(is_weaker and not mine and not self.wins, "a move is not answered")


def remaining(lines, pairs):
    """Return the missing cells of *lines* that *pairs* do not stop, if all pair cells are taken."""
    return [line.difference(*pairs) for line in lines if not any(pair <= line for pair in pairs)]


def need_stopped(lines, pairs):
    """Raise an error unless pairs, and potentials for the rest, stop all *lines*. All numbers are whole."""
    weights = [(line, 2 ** (400 - len(line))) for line in remaining(lines, pairs)]
    loads = [sum(weight for line, weight in weights if cell in line) for cell in set().union(*lines)]
    need(sum(weight for _, weight in weights) + max(loads, default=0) < 2**400, "lines are not stopped")


def check(rows):
    """Check the whole certificate, and return the value that it proves."""
    need(next(rows) == ["noughts", "certificate", "1"], "this is no certificate of version 1")
    (spec,), (value,), (count,) = (expect(rows, word, 1) for word in ("game", "value", "maps"))
    board = Board(spec)
    maps = {"0": range(board.size)}
    for which in range(0 if count == "0" else numbers([count], 1_000_000 // board.size)[0] + 1):
        maps[str(which + 1)] = map_ = numbers(expect(rows, "map", board.size), board.size)
        need(len(set(map_)) == board.size, "a map takes two cells to one")
    options = board.options - {"wrap", "hex"}
    for goal, side in PARTS.get(value, [("value", 0)]):
        which, how = expect(rows, goal, 2)
        may = {"play": True, "lines": options <= ({"exact"} if goal == "hold" else set())}
        may["steal"] = goal == "hold" and side == 0 and not options
        need(which == str(side + 1) and may.get(how), f"{how!r} proves nothing here")
        if how != "steal":
            (Play if how == "play" else Lines)(rows, board, maps, side, goal == "win").prove()
    need(next(rows) == ["end"] and next(rows)[0] == "sha256" and not next(rows, None), "this is no end")
    return value


def main(path=""):
    """Check the file at *path*, print the result, and return the exit status."""
    sys.setrecursionlimit(10_000)
    answer, status = "The file is damaged.", 1
    try:
        with open(path, "rb") as stream:
            if is_whole(stream):
                stream.seek(0)
                lines = iter(lambda: stream.readline(LONGEST), b"")
                rows = (need(row[-1:] == b"\n", "too long") or row[:-1].decode().split(" ") for row in lines)
                answer, status = f"The proof holds: {check(rows)}.", 0
    except OSError as fault:
        answer, status = f"The file cannot be read: {fault.strerror or fault}", 2
    except (ValueError, StopIteration, RecursionError) as fault:
        answer = f"The proof does not hold: {fault}."
    print(answer)
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
