"""What stands where in the one array of ints that the kernels of this search work on, the memory ``m``.

First single numbers, then the masks of the columns, middle first, and scores that order moves, then a frame
for each depth. A mask has a bit for each cell, column after column from the left, each from below; above each
column is one bit more that is never set, so that no line runs over the edge.

What a position is worth to the side to move is a number: 0 for a draw, and for a win with the last of *n*
marks on the board ``SIZE + 1 - n``; negative for a loss. More is better, and sooner.
"""

(
    # Facts of the board.
    SIZE,  # cells
    WIDTH,
    STEP,  # bits from one column to the next: the height and one
    K,
    BOARD,  # the mask of all cells
    BOTTOM,  # the lowest row
    GOOD,  # the rows at an odd distance from the top row: whoever is followed in each column gets these
    FEW,  # with so many marks or fewer, positions that mirror each other are one
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
    TAG,  # of the key that was looked for last
    # Arrays and frames.
    ALL,
) = range(19)

(
    # What a frame keeps.
    OWN,  # the marks of the side to move
    TAKEN,  # those of both sides
    BUCKET,  # where the table may have it
    SIGN,  # its tag there
    LOWER,  # what the table knows of its worth
    UPPER,
    WORK,  # the nodes before it
    VALUE,  # the best of its moves so far
    MANY,  # how many moves there are to try
    NEXT,  # which is next
    MOVES,  # their bits, likeliest first, WIDTH of them
) = range(11)

RUNNING = 1000
"""No worth: nothing is known yet."""
