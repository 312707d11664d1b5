"""What stands where in the one array of ints that the kernels of the exact search work on, the memory ``m``.

First single numbers, then the places where the arrays within it begin: ``m[SIZE]`` is a number,
``m[m[BOARD] + cell]`` a number of an array. Passing many arrays from function to function took most of the
time.
"""

(
    # Facts of the rules.
    SIZE,  # cells
    K,
    LINES,
    WIDTH,  # columns, where marks fall
    WORDS,  # how many words of WORD bits hold a bit for each cell
    MARKING,  # one of OWN_MARKS, EITHER_MARK, ONE_MARK
    LINE_LOSES,
    FALLS,
    NEVER_HURTS,  # whether one more mark of one's own can only help
    FOLLOWS,  # whether it is asked what following in columns proves
    POTENTIAL,  # whether the potentials of lines fit a word
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
    ENDS,  # [LINES * 2] the cells that must not bear the mark of a complete line, -1 for none
    BELOW,  # [SIZE] the cell that must be taken first, -1 for none
    WORD_OF,  # [SIZE] in which word the bit of a cell stands
    BIT,  # [SIZE] the bit
    MASKS,  # [LINES * WORDS] the bits of each line
    BOARD,  # [SIZE] 0 for empty, else 1 + mark
    COUNTS,  # [LINES * 2] how many of each mark
    REST,  # [LINES] the sum of a line's empty cells
    STONES,  # [2 * WORDS] the bits of each mark
    # The search, and what it remembers.
    ATTACKER,  # the number of the side asked about
    DEPTH,  # of the search below the position asked about
    RETURNING,  # whether the depth below has just been answered
    RESULT,  # the answer
    NODES,  # moves made
    BEST,  # the move that decided at depth 0, -1 for none
    IMAGES,  # symmetries of the board
    FEW,  # with so many marks or fewer, positions that are images of each other are one
    IMAGE_OF,  # [IMAGES * SIZE] where each cell goes, the identity first
    TRIED,  # [(SIZE + 2) * MOVES] the moves to try at each depth, cell * 2 + mark
    ORDER,  # [MOVES] scores that order them
    MANY_TRIED,  # [SIZE + 2] how many
    NEXT,  # [SIZE + 2] which is next
    LEFT,  # [SIZE + 2] within how many plies
    KEYS,  # [(SIZE + 2) * (2 * WORDS + 1)] the key of each depth; its last is the mixed key, -1 for none
    LIVE,  # [2 * WORDS] the cells of the lines that each mark can still fill
    EVERY,  # [WORDS] the bits of all cells
    GAIN,  # [SIZE] the attacker's potential through each cell
    LOSS,  # [SIZE] the defender's
    GIVEN,  # [2 * WORDS] the key as it is
    IMAGE,  # [2 * WORDS] and one of its images
    REACHED,  # [WORDS] the bits of the cells that the side to move has or may get if it is followed
    ALL,
) = range(51)

WORD = 62
"""Bits in a word."""

OWN_MARKS, EITHER_MARK, ONE_MARK = range(3)
"""Which marks the side to move may place."""
