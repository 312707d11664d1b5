"""The games of the catalogue. A new game is one entry here and one file beside this one."""

from noughts.games.entry import Entry
from noughts.games.fifteen import Fifteen
from noughts.games.order_and_chaos import OrderAndChaos
from noughts.games.pentago import Pentago
from noughts.games.reversi import Reversi
from noughts.games.ultimate import Ultimate

# Values without a source are found by the search of this library (`noughts solve`), and a test says so.
CATALOGUE = (
    Entry(
        "gomoku",
        "15x15:5",
        shelf="first",
        rank=10,
        value="first",
        source="Allis and others 1996",
        sample="h8 h9 g8 f8 i8 j8 g9 i7 i9 g7 h10 g10 f9 e9 g11 i11 h7 h5 f10 e7 d6 e10 i6",
        ending="i12 j5",
    ),
    Entry("tictactoe", "3x3:3", shelf="first", rank=12, value="draw", sample="5 3 1 9 6 4", ending="2 7 8"),
    Entry(
        "connect4",
        "7x6:4,gravity",
        shelf="first",
        rank=14,
        value="first",
        source="Allen, Allis 1988",
        sample="4 4 3 2 5 6 4 3 5 5 3 2",
        ending="1 1",
    ),
    Entry(
        "reversi",
        shelf="first",
        rank=16,
        value="draw",
        source="Takizawa 2023",
        make=lambda chance, sides: Reversi(sides=sides),
        sample="38 46 27 39 40 30 23 20 21 22 47 24 53 45 52 61 14 31 60 59",
    ),
    Entry(
        "ultimate",
        shelf="first",
        rank=17,
        make=lambda chance, sides: Ultimate(sides=sides),
        sample="41 31 3 25 55 2 13 39 35 23 77 69 34 20 78 63 27 79 56 5 14 33 18 36 26 67 47 68 32 15",
        ending="53 44 50 6 9 22 57",
    ),
    Entry(
        "qubic",
        "4x4x4:4",
        shelf="first",
        rank=18,
        value="first",
        source="Patashnik 1980",
        sample="26 27 23 21 16 4 1 10 39 38 41 44 56 55 53 34",
        ending="6 9 11",
    ),
    Entry(
        "4x4", "4x4:4", shelf="small", rank=20, value="draw", sample="6 12 1 7 11 16 14 10", ending="5 4 2 8"
    ),
    Entry(
        "5x5",
        "5x5:5",
        shelf="small",
        rank=30,
        value="draw",
        sample="13 7 12 14 8 18 17 9 19",
        ending="5 4 15 21 20 1 10 16 25",
    ),
    Entry(
        "gomoku-standard",
        "15x15:5,exact",
        shelf="large",
        rank=50,
        value="first",
        source="Allis 1994",
        sample="h8 i9 i8 g8 h7 i6 g6 f5 h6 h5 j8 k8 h9",
        ending="h4 h10",
    ),
    Entry(
        "renju",
        "15x15:5,renju",
        shelf="large",
        rank=55,
        value="first",
        source="Wágner and Virág 2001",
        sample="h8 h9 g8 g7 i10 h7 i9 j11 k7 f9 g5 f6",
        ending="f8 k8 k10 g9 g10 e9 h4 d9",
    ),
    Entry("3d", "3x3x3:3", shelf="space", rank=80, value="first", sample="27 14 1 5 23", ending="7 19"),
    Entry(
        "4d", "3x3x3x3:3", shelf="space", rank=90, value="first", sample="41 1 3 79 40 42 7", ending="21 5"
    ),
    Entry(
        "score4",
        "4x4x4:4,gravity",
        shelf="space",
        rank=100,
        sample="16 1 4 13 12 8 9 10 10 10 12 12 9 6 9 9",
        ending="3 11 11",
    ),
    Entry(
        "torus",
        "4x4:4,wrap",
        shelf="small",
        rank=110,
        value="draw",
        sample="11 6 2 3 9 12",
        ending="14 10 8 4 1",
    ),
    Entry("misere", "3x3:3,misere", shelf="small", rank=120, value="draw", sample="5 2 7 6 1", ending="4 3"),
    Entry(
        "wild", "3x3:3,wild", shelf="small", rank=130, value="first", sample="X5 O1 O6 X4 O8", ending="X3 X7"
    ),
    Entry("notakto", "3x3:3,notakto", shelf="small", rank=140, value="first", sample="1 6 8", ending="3 2"),
    Entry(
        "vanishing",
        "3x3:3,vanish=3",
        shelf="small",
        rank=150,
        value="first",
        sample="5 1 3 7 4 6 9",
        ending="2 8 1 7",
    ),
    Entry(
        "three",
        "5x5:4,players=3",
        shelf="small",
        rank=160,
        sample="13 8 12 14 15 18 9 19 17",
        ending="10 5 2 24 16 7",
    ),
    Entry(
        "pentago",
        shelf="small",
        rank=164,
        value="first",
        source="Irving 2014",
        make=lambda chance, sides: Pentago(sides=sides),
        sample="22/2l 24/4l 29/4r 21/4l 8/4r 20/4l 15/4r 30/4l",
        ending="1/4r",
    ),
    Entry(
        "order-and-chaos",
        shelf="small",
        rank=166,
        make=lambda chance, sides: OrderAndChaos(sides=sides),
        sample="O22 X10 O29 X23 O15 X8 X11 O9 O27",
        ending="O33 O21",
    ),
    Entry(
        "fifteen",
        shelf="small",
        rank=180,
        make=lambda chance, sides: Fifteen(chance, sides=sides),
        start="1,2,3,4/5,6,7,8/9,.,10,11/13,14,15,12",
        sample="11",
    ),
)
