r"""Records in the Smart Game Format (FF[4]), which other programs read and write too.

SGF holds flat k-in-a-row boards of up to 52x52 and two sides (GM[4]), and Othello (GM[2]), with cells in its
standard notation. The first side in turn order is B, the other W. Properties of our own hold the facts that
SGF has no property for, so that a record is restored exactly: ``NSPEC`` the game, ``NMARKS`` the marks in
turn order, ``NSTART`` the start position, ``NRESULT`` winner and termination, ``NOPENING`` the opening
protocol, ``NHEADER`` a header, ``NMARK`` the mark that the mover chose, ``NVALUE`` an evaluation in words.

Files of other programs are read in the character set that they name (``CA``). The main line of the first game
is read. All other parts of a file are counted in ``left_out`` of the record, properties by their names. The
rules (``RU``) decide the game: freestyle, standard or renju. If alternating turns cannot reach a position
that is set up, it is *uneven*. Results are understood in many spellings: see ``foreign_terms``.

The format is described at https://www.red-bean.com/sgf/.
"""

from noughts.records.record import RECORD_FORMATS, RecordFormat
from noughts.records.record import Record as Record
from noughts.records.sgf_reading import load_sgf
from noughts.records.sgf_reading import parse_sgf as parse_sgf
from noughts.records.sgf_writing import format_sgf as format_sgf

RECORD_FORMATS[".sgf"] = RecordFormat(load_sgf, format_sgf)
