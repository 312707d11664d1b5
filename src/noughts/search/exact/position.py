"""A position as one flat array of ints, and marks placed on it and lifted: functions that may be compiled.

Everything stands in one array, the memory ``m``: first single numbers, then the places where the arrays
within it begin (passing many arrays from function to function took most of the time). The names below say
what stands where: ``m[SIZE]`` is a number, ``m[m[BOARD] + cell]`` a number of an array.
"""

from noughts.search.compiled import Ints, kernel

# Facts of the rules.
(
    SIZE,  # cells
    K,
    LINES,
    WIDTH,  # columns, where marks fall
    WORDS,  # how many words of WORD bits hold a bit for each cell
    MARKING,  # one of OWN_MARKS, EITHER_MARK, ONE_MARK
    LINE_LOSES,
    FALLS,
    EXACT,
    NEVER_HURTS,  # whether one more mark of one's own can only help
    POTENTIAL,  # whether a defender may place anywhere, so that potentials tell
    MOVES,  # the most moves there can be at once
    # The position.
    SIDE,  # the number of the side to move
    PLACED,  # marks on the board
    READY,  # lines of the first mark alone that lack one mark
    READY_TOO,  # the same of the second mark
    # Where arrays begin.
    CELLS,  # [LINES * K] the cells of each line
    FIRST,  # [SIZE + 1] where the lines of each cell begin in THROUGH
    THROUGH,
    ENDS,  # [LINES * 2] the cells that must not bear the mark of an exact line, -1 for none
    BELOW,  # [SIZE] the cell that must be taken first, -1 for none
    WORD_OF,  # [SIZE] in which word the bit of a cell stands
    BIT,  # [SIZE] the bit
    MASKS,  # [LINES * WORDS] the bits of each line
    BOARD,  # [SIZE] 0 for empty, else 1 + mark
    COUNTS,  # [LINES * 2] how many of each mark
    REST,  # [LINES] the sum of a line's empty cells
    STONES,  # [2 * WORDS] the bits of each mark
    END,  # from here on there is room for others
) = range(29)

WORD = 62

OWN_MARKS, EITHER_MARK, ONE_MARK = range(3)


@kernel
def place(m: Ints, cell: int, mark: int) -> int:
    """Put *mark* on the empty *cell*; 1 if that completes a line."""
    k, first, through, counts, rest = m[K], m[FIRST], m[THROUGH], m[COUNTS], m[REST]
    other = 1 - mark
    done = 0
    m[m[BOARD] + cell] = mark + 1
    m[m[STONES] + mark * m[WORDS] + m[m[WORD_OF] + cell]] |= m[m[BIT] + cell]
    m[PLACED] += 1
    for at in range(through + m[first + cell], through + m[first + cell + 1]):
        line = m[at]
        m[rest + line] -= cell
        mine = m[counts + 2 * line + mark] + 1
        m[counts + 2 * line + mark] = mine
        theirs = m[counts + 2 * line + other]
        if theirs == 0:
            if mine == k - 1:
                m[READY + mark] += 1
            elif mine == k:
                if k > 1:
                    m[READY + mark] -= 1
                if m[EXACT] == 0 or are_ends_free(m, line, mark):
                    done = 1
        elif mine == 1 and theirs == k - 1:
            m[READY + other] -= 1
    return done


@kernel
def lift(m: Ints, cell: int) -> None:
    """Take the mark on *cell* away: undo :func:`place`."""
    k, first, through, counts, rest = m[K], m[FIRST], m[THROUGH], m[COUNTS], m[REST]
    mark = m[m[BOARD] + cell] - 1
    other = 1 - mark
    m[m[BOARD] + cell] = 0
    m[m[STONES] + mark * m[WORDS] + m[m[WORD_OF] + cell]] ^= m[m[BIT] + cell]
    m[PLACED] -= 1
    for at in range(through + m[first + cell], through + m[first + cell + 1]):
        line = m[at]
        m[rest + line] += cell
        mine = m[counts + 2 * line + mark]
        m[counts + 2 * line + mark] = mine - 1
        theirs = m[counts + 2 * line + other]
        if theirs == 0:
            if mine == k - 1:
                m[READY + mark] -= 1
            elif mine == k and k > 1:
                m[READY + mark] += 1
        elif mine == 1 and theirs == k - 1:
            m[READY + other] += 1


@kernel
def are_ends_free(m: Ints, line: int, mark: int) -> bool:
    """Whether no end cell of *line* bears *mark*."""
    one = m[m[ENDS] + 2 * line]
    two = m[m[ENDS] + 2 * line + 1]
    return (one < 0 or m[m[BOARD] + one] != mark + 1) and (two < 0 or m[m[BOARD] + two] != mark + 1)


@kernel
def is_open(m: Ints, cell: int) -> bool:
    """Whether a mark may go on *cell*."""
    below = m[m[BELOW] + cell]
    return m[m[BOARD] + cell] == 0 and (below < 0 or m[m[BOARD] + below] != 0)


@kernel
def find_completing(m: Ints, mark: int, but: int) -> int:
    """An open cell other than *but* where *mark* completes a line, or -1."""
    if m[READY + mark] == 0:
        return -1
    k, counts, rest = m[K], m[COUNTS], m[REST]
    for line in range(m[LINES]):
        if m[counts + 2 * line + mark] == k - 1 and m[counts + 2 * line + 1 - mark] == 0:
            cell = m[rest + line]
            if (
                cell != but
                and (m[FALLS] == 0 or is_open(m, cell))
                and (m[EXACT] == 0 or are_ends_free(m, line, mark))
            ):
                return cell
    return -1


@kernel
def would_complete(m: Ints, cell: int, mark: int) -> bool:
    """Whether *mark* on the empty *cell* would complete a line."""
    k, first, through, counts = m[K], m[FIRST], m[THROUGH], m[COUNTS]
    for at in range(through + m[first + cell], through + m[first + cell + 1]):
        line = m[at]
        if (
            m[counts + 2 * line + mark] == k - 1
            and m[counts + 2 * line + 1 - mark] == 0
            and (m[EXACT] == 0 or are_ends_free(m, line, mark))
        ):
            return True
    return False
