"""All forms in which a record is read and written; who has :class:`Record` from here knows them all."""

from noughts.records import psq as psq
from noughts.records import rif as rif
from noughts.records.record import RECORD_FORMATS as RECORD_FORMATS
from noughts.records.sgf import Record as Record
