"""Records with all file formats. :class:`Record` imported from here reads and writes each of them."""

from noughts.records import psq as psq
from noughts.records import rif as rif
from noughts.records.record import RECORD_FORMATS as RECORD_FORMATS
from noughts.records.sgf import Record as Record
