"""What stands where in the one array of ints that the kernels of this search work on, the memory ``m``.

First single numbers, then the places where the arrays within it begin, as in ``search.exact.layout``. Of each
line only what Maker still needs is kept: a bit for each cell that is empty, and 0 where Breaker has a cell.
"""

(
    # Facts of the board.
    SIZE,  # cells
    K,
    LINES,
    TARGET,  # 2 ** K: what the potentials of all lines must stay below
    COUPLES,  # how many twos of cells lie in a line, in the order of their cells in it
    IMAGES,  # symmetries that are used
    FEW,  # with so many marks or fewer, positions that are images of each other are one
    DEPTHS,  # the deepest that the search can get
    # The position.
    READY,  # lines that lack one cell
    NEAR,  # and those that lack two
    SUM,  # of the potentials, 2 ** (K - cells it lacks), of all lines
    KEY,  # the sum of the first hashes of all live lines
    CHECK,  # and of the second ones
    CHANGES,  # how many changes of lines can be taken back
    # The search, and what it found.
    DEPTH,
    PHASE,  # ENTERING or RETURNING
    RESULT,
    NODES,
    PAIRED,  # twice the number of pairs of the last cover
    MET,  # how many couples are LISTED
    SCORE,  # how low it brought the sum and the greatest load
    CERTIFIED,  # the reply of Breaker that the last cover belongs to, -1 for none
    # The answers that a proof is written of.
    MOVED,  # the move of Maker
    REPLIED,  # and the reply to it
    POOR,  # lines that lack a single cell or none beside the pairs
    WORDS,  # how many words were written
    # Where arrays begin.
    CELLS,  # [LINES * K] the cells of each line
    FIRST,  # [SIZE + 1] where the lines of each cell begin in THROUGH
    THROUGH,
    WITHIN,  # beside THROUGH: the bit of the cell in that line
    BITS,  # [(1 + SIZE) * LINES] the bit of each cell in each line, 0 for none; first for no cell
    LACKS,  # [2 ** K] how many bits are set
    PLACES_FROM,  # [2 ** K + 1] where it is told in PLACES
    PLACES,  # which they are
    TWOS_FROM,  # [2 ** K + 1] where it is told in TWOS
    TWOS,  # and which twos of all places they are
    COUPLE_OF,  # [LINES * K * (K - 1) / 2] the couple at each two places of each line
    ONE,  # [COUPLES] its cell that is first in the line
    OTHER,  # [COUPLES] and the other one
    HASHES,  # [IMAGES * LINES * 2 ** K] the first hash of what a line lacks, in each image
    CHECKS,  # the second ones
    IMAGE_OF,  # [IMAGES * SIZE] where each cell goes, the identity first
    ORIGIN_OF,  # [IMAGES * SIZE] and where it came from
    LINE,  # [LINES] what each line lacks, a bit for each cell; 0 where Breaker has a cell
    LOAD,  # [SIZE] the sum of the potentials of the lines through each cell
    CHANGED,  # [LINES * (K + 1)] the lines that were changed
    BEFORE,  # what they lacked before
    # Of the cover.
    COVERED,  # [LINES] what each line lacks
    LISTED,  # [COUPLES] those that some line lacks
    BURDEN,  # [SIZE] the load of each cell
    SHARED,  # [COUPLES] the sum of the potentials of the lines through both cells
    CHOSEN,  # [SIZE] the cells of the pairs, in turn
    PAIRS,  # [SIZE] those that brought the sum lowest
    MATE,  # [SIZE] the number of the pair of each cell, from 1; 0 for none
    # At each depth.
    TURN,  # [DEPTHS] MAKER or BREAKER
    STAGE,  # [DEPTHS] RELAXING or MOVING
    BEGIN,  # [DEPTHS] how many changes there were
    PLY,  # [DEPTHS]
    SIGN,  # [DEPTHS] the key, -1 where nothing is stored
    SEAL,  # [DEPTHS] its second half
    FRAME,  # [DEPTHS] the image in which it is stored
    WORK,  # [DEPTHS] the nodes before it
    HINT,  # [DEPTHS] the reply to try first, -1 for none
    REPLY,  # [DEPTHS] the reply that holds, -1 for none
    MANY,  # [DEPTHS] how many moves there are to try
    NEXT,  # [DEPTHS] which is next
    TRIED,  # [DEPTHS * SIZE] the moves
    ORDER,  # [SIZE] scores that order them
    PROOFS,  # [DEPTHS * KEPT * (2 + SIZE)] replies and pairs that may refute other moves of Maker
    MANY_PROOFS,  # [DEPTHS] how many there have been
    # And of the answers.
    LEFT,  # [DEPTHS * SIZE] the moves of Maker to be answered, at each depth of a proof
    MANY_LEFT,  # [DEPTHS] how many there are
    WRITTEN,  # [SIZE * (SIZE + 5)] the words of answers
    ALL,
) = range(74)

MAKER, BREAKER = range(2)
"""Who is to move: who fills a line, or who has a cell in every line."""

BREAKS, HOLDS = range(2)
"""The answers: Maker fills a line, or Breaker stops them all."""

ENTERING, RETURNING = range(2)
"""A position is looked at first, or one below it has been answered."""

RELAXING, MOVING = range(2)
"""Whether the game in which Breaker answers in pairs is asked first, or each move is tried."""

KEPT = 4
"""So many replies with pairs are kept at each depth."""
