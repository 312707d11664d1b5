"""What stands where in the one array of ints that the kernels of this search work on, the memory ``m``.

First single numbers, then the places where the arrays within it begin, as in ``search.exact.layout``. Cells
are numbered in reading order, and bear nothing, a mark of the attacker or one of the defender.
"""

(
    # Facts of the board.
    SIZE,  # cells
    K,
    LINES,
    IMAGES,  # symmetries that are used
    FEW,  # with so many marks or fewer, positions that are images of each other are one
    DEPTHS,  # the deepest that the search can get
    WIDTH,  # so many quiet moves of the attacker are tried
    SEED,  # which bits of hashes order moves that look alike
    # The position.
    MARKS,  # on the board
    MOVER,  # who is to move
    MADE,  # how many cells were taken since the position was loaded
    HASH,  # the exclusive or of the hashes of its marks
    SUM,  # of the potentials of the attacker's lines, 2 ** (marks in it)
    # The search, and what it found.
    DEPTH,
    PHASE,  # ENTERING, LISTING or CHOOSING
    NODES,
    BEST,  # the move that wins, -1 for none
    IMAGE,  # the symmetry that makes the canonical image of the position
    COUNT,  # of the cells that a key is made of
    SIGN,  # the key of the position looked at last
    SEAL,  # its second half
    PROOF,  # its proof number
    DISPROOF,
    # Of the sequence of threats.
    LENGTH,  # moves of the attacker
    LEFT,  # moves that may still be tried
    STAMPED,  # the last stamp that was used
    ZONE,  # cells that break the sequence
    # Where arrays begin.
    CELLS,  # [LINES * K] the cells of each line
    FIRST,  # [SIZE + 1] where the lines of each cell begin in THROUGH
    THROUGH,
    HASHES,  # [3 * SIZE] the first hash of what is on each cell: the attacker, the defender, nothing of use
    CHECKS,  # the second ones
    IMAGE_OF,  # [IMAGES * SIZE] where each cell goes, the identity first
    CELL,  # [SIZE] what each cell bears
    MINE,  # [LINES] marks of the attacker
    THEIRS,  # [LINES] marks of the defender
    OWN_LOAD,  # [SIZE] the sum of the potentials of the attacker's lines through each cell
    THEIR_LOAD,  # [SIZE] the same of the defender's
    USEFUL,  # [SIZE] bits: 1 where a line of the attacker goes through that he can fill, 2 of the defender
    PLAYED,  # [SIZE] the cells that were taken since the position was loaded
    IMAGED,  # [SIZE] the image of a position
    IMAGE_SIGNS,  # [IMAGES] the first hash of the position that was loaded, in each image
    LISTED_CELLS,  # [SIZE] the cells that a key is made of
    KINDS,  # [SIZE] and which hash of each
    RANKS,  # [SIZE] scores that order moves
    # Of the sequence of threats, at each of its depths.
    PAIRS,  # [DEPTHS + 1] how many lines of the attacker lack two cells
    ONE,  # [(DEPTHS + 1) * LINES] the first of these cells
    OTHER,  # the second
    TRIED,  # [(DEPTHS + 1) * LINES] bits: which of them was tried as a threat, here or before
    LONE,  # [DEPTHS + 1] a cell with which the next threat has to share a line, -1 for none
    TURNED,  # [DEPTHS + 1] which move is tried: twice the pair, and whether with its second cell
    FORCED,  # [DEPTHS + 1] the cell that the attacker has to take, -1 for none
    ATTACK,  # [DEPTHS + 1] his move
    REPLY,  # [DEPTHS + 1] and what answers it
    PARTNER,  # [SIZE] the reply to a move
    STAMP,  # [SIZE] when the partner was noted
    IN_ZONE,  # [SIZE] whether a move there breaks the sequence
    FRUITLESS,  # [TRIED_SIZE] hashes of positions without a sequence
    # At each depth of the search.
    POSITION,  # [DEPTHS * SIZE] what each cell bears
    TURN,  # [DEPTHS] ATTACKER or DEFENDER
    SIGN_AT,  # [DEPTHS] the key
    SEAL_AT,  # [DEPTHS]
    MAX_PROOF,  # [DEPTHS] the proof number at which to return
    MAX_DISPROOF,
    WORK,  # [DEPTHS] the nodes before it
    LISTED,  # [DEPTHS] moves that have to be looked at
    NEXT,  # [DEPTHS] which of them is next
    MANY,  # [DEPTHS] moves that were, and do not end the game
    MOVE,  # [DEPTHS * SIZE] the moves, these first
    MOVE_SIGN,  # the keys of the positions after them
    MOVE_SEAL,
    MOVE_PROOF,  # and their proof numbers
    MOVE_DISPROOF,
    ALL,
) = range(74)

NOTHING, ATTACKER, DEFENDER = range(3)
"""What a cell bears, and who is to move."""

ENTERING, LISTING, CHOOSING = range(3)
"""A position is looked at first, its moves are, or one of them is chosen to go on with."""

RUNNING, WON, REFUTED = range(3)
"""The answers: it goes on, the attacker wins, or the attacks that were tried fail."""

FRUITLESS_SIZE = 1 << 14
"""So many hashes of positions without a sequence of threats are remembered."""

INFINITE = 1 << 29
"""The proof number of what is refuted."""
