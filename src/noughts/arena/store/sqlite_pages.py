"""The pages of damaged SQLite files: repairing the first one, and finding tables without it.

Source: SQLite's description of its file format.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

HEADER, MAGIC = 100, b"SQLite format 3\0"
"""The size of the header of a file in bytes, and its first bytes."""

LOGGED = bytes((2, 2))
"""The bytes of the header that mark a file with a write-ahead log."""

FORMAT, UTF_8 = 4, 1
"""The numbers in the header for the format of the schema and the encoding of texts."""

PAGES, MADE_PAGE = tuple(1 << power for power in range(9, 16)), 4096
"""The page sizes that SQLite allows, and the page size in files that noughts makes."""

EMPTY_PAGE = bytes((13, 0, 0, 0, 0))
"""The bytes of an empty page of a table, up to the offset of its content."""

INNER_INDEX, INNER_TABLE, LEAF_INDEX, LEAF_TABLE = 2, 5, 10, 13
"""The first byte of a page. Tables without row numbers are stored like an index."""

INTEGERS, FIRST_TEXT, DIGEST = frozenset((1, 2, 3, 4, 5, 6, 8, 9)), 13, 141
"""The types of values in a row: integers, the empty text, and a text as long as a digest."""

MAX_TYPES_BYTES = 128
"""The maximum number of bytes for the types of the values in one of our rows."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table, and its effect on the types of its values.

    ``is_optional`` is True for a column that rows of earlier revisions may lack.
    """

    is_number: bool
    is_digest: bool
    can_be_null: bool
    is_optional: bool

    def fits(self, kind: int) -> bool:
        """Return True if the column may hold a value of the type *kind*."""
        if kind == 0:
            return self.can_be_null
        if self.is_number:
            return kind in INTEGERS
        return kind == DIGEST if self.is_digest else kind >= FIRST_TEXT and kind % 2 == 1


@dataclass(frozen=True, slots=True)
class TableShape:
    """The shape of the rows of a table: the kind of its pages, and its columns."""

    is_index: bool
    columns: tuple[Column, ...]

    def fits(self, leaf: int, kinds: Sequence[int]) -> bool:
        """Return True if a row of the table may have values of the types *kinds*, on a page like *leaf*."""
        return (
            self.is_index == (leaf != LEAF_TABLE)
            and len(kinds) <= len(self.columns)
            and all(column.is_optional for column in self.columns[len(kinds) :])
            and all(column.fits(kind) for column, kind in zip(self.columns, kinds, strict=False))
        )


def repair_header(path: Path, *, is_description_lost: bool) -> None:
    """Restore the fields in the header of the file *path* that all our files share.

    The schema is emptied if it is invalid, or if *is_description_lost*.
    """
    with open(path, "r+b") as file:
        head = bytearray(file.read(HEADER))
        if len(head) < HEADER:
            return
        page = _page_size(head)
        file.truncate(-(-path.stat().st_size // page) * page)
        head[:24] = MAGIC + page.to_bytes(2) + LOGGED + bytes((0, 64, 32, 32))
        head[28:32] = bytes(4)  # SQLite counts the pages itself, including those in a log
        kind, cells = file.read(1)[0], int.from_bytes(file.read(4)[2:])
        if is_description_lost or kind not in {INNER_TABLE, LEAF_TABLE} or HEADER + 2 * cells > page:
            head[32:] = bytes(HEADER - 32)
            head[44:48], head[56:60] = FORMAT.to_bytes(4), UTF_8.to_bytes(4)
            head += EMPTY_PAGE + page.to_bytes(2) + bytes(page - len(head) - len(EMPTY_PAGE) - 2)
        file.seek(0)
        file.write(head)


def find_roots(path: Path, shapes: Mapping[str, TableShape]) -> dict[str, list[int]]:
    """Find the possible first pages of each table in the file *path* by the *shapes* of their rows.

    The page from which most pages with such rows are reached comes first. Each later page leads to other
    pages than the earlier ones. Tables without rows are not found.
    """
    below, tables = dict[int, list[int]](), dict[int, set[str]]()
    with open(path, "rb") as file:
        size = _page_size(file.read(HEADER))
        file.seek(size)  # the first page holds the schema
        for number, page in enumerate(iter(lambda: file.read(size), b""), 2):
            if page[0] in {INNER_INDEX, INNER_TABLE}:
                below[number] = [*_children(page)]
            if page[0] in {INNER_INDEX, LEAF_INDEX, LEAF_TABLE}:
                rows = [*_rows(page)]
                tables[number] = {
                    name for name, shape in shapes.items() if any(shape.fits(page[0], row) for row in rows)
                }
    counts: dict[str, list[tuple[int, int, int]]] = {name: [] for name in shapes}
    for number in {*below, *tables}:
        tree = _tree(number, below)
        for name in shapes:
            count = sum(name in tables.get(page, ()) for page in tree)
            if count:
                counts[name].append((count, -len(tree), number))
    return {name: _apart(sorted(found, reverse=True), below) for name, found in counts.items() if found}


def _apart(found: Iterable[tuple[int, int, int]], below: Mapping[int, Sequence[int]]) -> list[int]:
    """Return the pages of *found* that are in no tree of an earlier one."""
    roots, known = list[int](), set[int]()
    for *_, number in found:
        if number not in known:
            roots.append(number)
            known |= _tree(number, below)
    return roots


def _page_size(head: bytes | bytearray) -> int:
    """Return the size of the pages of a file with the header *head*, by default that of our files."""
    size = int.from_bytes(head[16:18])
    return size if size in PAGES else MADE_PAGE


def _tree(root: int, below: Mapping[int, Sequence[int]]) -> set[int]:
    """Return the pages that can be reached from *root*. *below* has the children of each page."""
    pages, waiting = set[int](), [root]
    while waiting:
        page = waiting.pop()
        if page not in pages:
            pages.add(page)
            waiting += below.get(page, ())
    return pages


def _cells(page: bytes) -> Iterator[int]:
    """Yield the offsets of the cells of *page*."""
    start = 12 if page[0] in {INNER_INDEX, INNER_TABLE} else 8
    for at in range(start, min(start + 2 * int.from_bytes(page[3:5]), len(page)), 2):
        yield int.from_bytes(page[at : at + 2])


def _children(page: bytes) -> Iterator[int]:
    """Yield the numbers of the pages below the inner *page*."""
    yield int.from_bytes(page[8:12])
    for at in _cells(page):
        yield int.from_bytes(page[at : at + 4])


def _rows(page: bytes) -> Iterator[list[int]]:
    """Yield the types of the values in each readable row on *page*."""
    for at in _cells(page):
        try:
            _, start = _number(page, at + 4 if page[0] == INNER_INDEX else at)
            if page[0] == LEAF_TABLE:
                _, start = _number(page, start)
            length, place = _number(page, start)
            kinds = list[int]()
            if length > MAX_TYPES_BYTES:
                continue
            while place < start + length:
                kind, place = _number(page, place)
                kinds.append(kind)
        except IndexError:
            continue
        yield kinds


def _number(page: bytes, at: int) -> tuple[int, int]:
    """Return the number of variable length at the offset *at* of *page*, and the offset after it."""
    value = 0
    while True:
        value, at = (value << 7 | page[at] & 127) % (1 << 64), at + 1
        if page[at - 1] < 128:
            return value, at
