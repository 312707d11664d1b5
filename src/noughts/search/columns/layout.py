"""What stands where in the one array of ints that the kernels of this search work on, the memory ``m``.

First single numbers, then the places where the arrays within it begin, as in ``exact/layout.py``. A mask has
a bit for each cell, layer after layer from the lowest, so that the cell above is as many bits further as
there are columns. Of 64 cells the last bit is the sign where kernels are compiled: masks are joined, counted
and shifted, with what does not belong to the board taken off, but never compared.

What a position is worth to the side to move is a number: 0 for a draw, and for a win with the last of *n*
marks on the board ``SIZE + 1 - n``; negative for a loss. More is better, and sooner.
"""

(
    # Facts of the board.
    SIZE,  # cells
    WIDTH,  # columns
    HEIGHT,
    K,
    BOARD,  # the mask of all cells
    BOTTOM,  # the lowest layer
    COLUMN,  # the cells of the first column
    BELOW,  # all but the highest
    GOOD,  # the layers at an odd distance from the highest: whoever is followed in each column gets these
    KEYED,  # the cells, and those that one layer more would have, as far as these are part of a key
    IS_WIDE,  # whether the table has two numbers for a position, not one
    FEW,  # with so many marks or fewer, positions that are images of each other are one
    IMAGES,  # symmetries of the columns
    STEPS,  # directions of lines
    FRAME,  # numbers of a frame
    # The question: is the position worth WANTED or more to the side to move?
    PLIES,  # marks on the board
    WANTED,
    # The search, and what it found.
    DEPTH,
    RETURNING,  # whether the depth below has just been answered
    RESULT,  # the answer of the depth below
    NODES,  # moves made in all questions
    BEST,  # the bit of the move by which it is worth that, 0 for none
    SHIFT,  # 2 ** SHIFT buckets has the table
    KEY,  # what was looked for last
    TAG,
    # Where arrays begin.
    COLUMNS,  # [WIDTH] the masks of the columns, those first through which most lines run
    ORDER,  # [WIDTH] scores that order moves
    DIRECTIONS,  # [2 * STEPS] bits from one cell of a line to the next, and the cells where lines begin so
    FIRST,  # [SIZE + 1] where the lines of each cell begin in THROUGH
    THROUGH,  # their masks
    IMAGE_OF,  # [IMAGES * WIDTH] where each column goes, the identity first
    FRAMES,  # [(SIZE + 2) * FRAME] what is kept for each depth
    ALL,
) = range(33)

(
    # What a frame keeps.
    OWN,  # the marks of the side to move
    TAKEN,  # those of both sides
    MINE,  # the empty cells that complete a line of the side to move
    THEIRS,  # and of the other
    BUCKET,  # where the table may have it
    SIGN,  # its tag there
    WORD,  # the rest of its key
    LOWER,  # what the table knows of its worth
    UPPER,
    WORK,  # the nodes before it
    VALUE,  # the best of its moves so far
    MANY,  # how many moves there are to try
    NEXT,  # which is next
    MOVES,  # their bits, likeliest first, WIDTH of them
) = range(14)

RUNNING = 1000
"""No worth: nothing is known yet."""
