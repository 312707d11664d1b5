"""For writers of engines: a :class:`~noughts.Player` becomes a program that speaks over pipes.

Ten lines are a whole engine, in any game of the catalogue::

    from noughts import Player
    from noughts.bots import run


    class First(Player):
        def choose(self, game, limit):
            return game.legal_moves()[0]


    run(First())

``python -m noughts.bots NAME`` runs the player called NAME, also one of another package: that is how those
sit down, in a process of their own. The protocol is told in docs/bots.md.
"""

import os
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from queue import SimpleQueue
from random import Random
from time import monotonic
from typing import Any

from noughts.errors import NotationError, NotFound, NoughtsError, UnsupportedRules
from noughts.games.base import Game
from noughts.games.contract import is_stop
from noughts.games.notation import format_move
from noughts.games.openings import PUT, STAY, SWAP
from noughts.players import builtin as builtin  # those that come with noughts can be run, too
from noughts.players.base import Player, new_player
from noughts.search.analysis import Limit, Progress
from noughts.text import words_of
from noughts.workers.protocols import noughts_protocol
from noughts.workers.protocols.noughts_protocol import ProtocolLine, format_line, parse_line

INFO_SECONDS = 0.1
"""What is told of a search sooner than this after the last is left out."""

MAX_LINE = 4_000_000
"""The longest line that is read, in characters: more than the position of the largest board needs."""


def run(
    player: Player,
    *,
    name: str | None = None,
    lines: Iterable[str] | None = None,
    write: Callable[[str], object] | None = None,
    leave: Callable[[int], object] = os._exit,
) -> None:
    """Let *player*, called *name*, play by the protocol ``noughts 1``, until it is told to quit.

    It reads *lines* and answers by *write*: standard input and output, unless told otherwise; what a player
    prints goes to standard error then. When the input ends, *leave* is called with 0 at once, whatever the
    player is doing. Ctrl-C ends it without a traceback.
    """
    engine = _Engine(player, name or type(player).__name__, write or _standard_output(), leave)
    with suppress(KeyboardInterrupt):  # a terminal sends it to the program that started this one, too
        engine.run(lines or sys.stdin)


def _standard_output() -> Callable[[str], object]:
    """Writes to the standard output; from now on whatever else is printed goes to the standard error."""
    output = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8", errors="replace", newline="\n")
    sys.stdout.flush()
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    sys.stdout = sys.stderr

    def write(text: str) -> None:
        output.write(text)
        output.flush()

    return write


class RefusedError(Exception):
    """A command that cannot be done: the code of the error, and what is told besides."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code, self.told = code, facts


class _Engine:
    """One player at the end of a pipe. Lines are read in a thread of its own, the player has this one."""

    def __init__(
        self, player: Player, name: str, write: Callable[[str], object], leave: Callable[[int], object]
    ) -> None:
        self._player, self._name, self._write, self._leave = player, name, write, leave
        self._writing = threading.Lock()
        self._todo: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._fresh: Game | None = None
        self._game: Game | None = None
        self._going: int | None = None
        self._stop = threading.Event()
        self._is_greeted = False
        self._commands: dict[str, Callable[[ProtocolLine], str]] = {
            "set": self._set,
            "game": self._set_game,
            "position": self._set_position,
            "over": self._end_game,
        }

    def run(self, lines: Iterable[str]) -> None:
        threading.Thread(target=self._read, args=(lines,), daemon=True).start()
        while (job := self._todo.get()) is not None:
            job()

    # What is read, in a thread: what cannot wait is answered there

    def _read(self, lines: Iterable[str]) -> None:
        with suppress(OSError, ValueError):  # the pipe has gone
            for text in lines:
                if len(text) > MAX_LINE:
                    self._say("error", "syntax", text="the line is too long")
                elif text.strip():
                    line = parse_line(text)
                    if line.word == "quit":
                        break
                    self._hear(line)
        self._stop.set()
        self._todo.put(None)
        self._leave(0)

    def _hear(self, line: ProtocolLine) -> None:
        """Answer *line*, or see to it that it is answered in its turn."""
        if not self._is_greeted and line.word != "noughts":
            self._say("error", "unknown", text="begin with: noughts 1")
        elif line.word == "ping":
            self._say("pong", *line.words)
        elif line.word == "stop":
            if line.words == (str(self._going),):
                self._stop.set()
        elif self._going is not None:
            self._say("error", "busy", number=self._going)
        elif line.word == "noughts":
            self._greet(line)
        elif line.word in ("go", "ask"):
            self._begin(line)
        elif line.word in self._commands:
            self._todo.put(partial(self._answer, partial(self._commands[line.word], line)))
        else:
            self._say("error", "unknown", text=line.word)

    def _greet(self, line: ProtocolLine) -> None:
        requested = noughts_protocol.read_number(line.words[0]) if line.words else None
        if requested is None or requested < noughts_protocol.VERSION:
            self._say("error", "syntax", text="noughts VERSION")
            return
        self._is_greeted = True
        self._say("id", name=self._name)
        self._say("ready", noughts_protocol.VERSION)

    def _begin(self, line: ProtocolLine) -> None:
        """Begin with what has a number: a move or an answer is wanted."""
        number = noughts_protocol.read_number(line.words[0]) if line.words else None
        if number is None:
            self._say("error", "syntax", text=f"{line.word} NUMBER")
            return
        self._going, self._stop = number, threading.Event()
        job = self._go if line.word == "go" else self._ask
        self._todo.put(partial(self._answer, partial(job, line, number, self._stop.is_set), number))

    def _say(self, word: str, *words: object, **keys: object) -> None:
        self._tell(format_line(word, *words, **keys))

    def _tell(self, line: str) -> None:
        with (
            self._writing,
            suppress(OSError, ValueError),
        ):  # nobody listens any more: the reader hears it, too
            self._write(line + "\n")

    # What is done, one after another

    def _answer(self, act: Callable[[], str], number: int | None = None) -> None:
        """Do *act*, and say what it returns, or why it cannot be done; nothing has changed then."""
        try:
            reply = act()
        except RefusedError as refused:
            reply = format_line("error", refused.code, number=number, **refused.told)
        except UnsupportedRules as error:
            reply = format_line("error", "unsupported", number=number, reason=error.reason, text=str(error))
        except BaseException as error:  # whatever the player raises is its own
            if is_stop(error):
                raise
            reply = format_line("error", "internal", number=number, reason="raised", text=words_of(error))
        if number is not None:
            self._going = None
        self._tell(reply)

    def _set(self, line: ProtocolLine) -> str:
        raise RefusedError("unknown", option=line.words[0] if line.words else None)

    def _set_game(self, line: ProtocolLine) -> str:
        try:
            game = noughts_protocol.parse_game(line.rest)
        except NotFound as error:
            raise RefusedError("unsupported", text=str(error)) from None
        except (NoughtsError, ValueError, TypeError) as error:
            raise RefusedError("syntax", text=words_of(error)) from None
        self._player.take_seat(game.copy())
        self._fresh = self._game = game
        return "ok"

    def _set_position(self, line: ProtocolLine) -> str:
        self._game = self._told_by(line.rest)
        return "ok"

    def _told_by(self, text: str) -> Game:
        """The game as *text*, what may follow ``position``, says that it stands."""
        if self._fresh is None:
            raise RefusedError("position", text="no game was set")
        try:
            return noughts_protocol.parse_standing(self._fresh, text)
        except NotationError as error:
            code = "illegal" if error.what == "move" else "position"
            raise RefusedError(code, text=str(error)) from None

    def _end_game(self, line: ProtocolLine) -> str:
        return "ok"

    def _go(self, line: ProtocolLine, number: int, stop: Callable[[], bool]) -> str:
        game = _going_on(self._game)
        if "ponder" in line.words:
            raise RefusedError("unsupported", text="ponder")
        move = self._move(game, self._limit(line, number, game, stop))
        return format_line("move", number, move)

    def _limit(self, line: ProtocolLine, number: int, game: Game, stop: Callable[[], bool]) -> Limit:
        """What the player may use; what it tells of its search meanwhile is told on."""
        began = next_ = monotonic()

        def report(progress: Progress) -> None:
            nonlocal next_
            now = monotonic()
            if progress.stage == "searching" and now >= next_:
                next_ = now + INFO_SECONDS
                self._tell(noughts_protocol.format_info(number, progress, game, round((now - began) * 1000)))

        self._player.report_to(report)
        limit = noughts_protocol.parse_limit(line, game.sides.index(game.turn))
        return replace(limit, stop=stop)

    def _move(self, game: Game, limit: Limit) -> str:
        return self._spelled(game, self._player.choose(game.copy(), limit))

    def _spelled(self, game: Game, move: Any) -> str:
        """The text of what a player chose, which may be anything."""
        legal = game.legal_moves()
        try:
            is_legal = move in legal
        except Exception:
            is_legal = False
        if not is_legal:
            reason = "no-move" if move is None else "illegal-move"
            raise RefusedError("internal", reason=reason, text=_shown(move))
        return format_move(game, move)

    def _ask(self, line: ProtocolLine, number: int, stop: Callable[[], bool]) -> str:
        """Answer in an opening: swap, stay with a move, or put marks."""
        name, *placed = line.words[1:] or [""]
        game = _going_on(self._told_by(noughts_protocol.format_start(placed)) if placed else self._game)
        try:
            standing = noughts_protocol.opening_at(name, game)
        except NotFound as error:
            raise RefusedError("unsupported", text=str(error)) from None
        limit = self._limit(line, number, game, stop)
        marks = standing.placing
        if standing.answers:
            answer = self._player.choose_side(game.copy(), standing.answers, limit)
            if answer == STAY:
                return format_line("choose", number, STAY, self._move(game, limit))
            if answer not in standing.answers:
                raise RefusedError("internal", reason="illegal-move", text=_shown(answer))
            if answer == SWAP:
                return format_line("choose", number, SWAP)
            marks = standing.to_put
        if not marks:
            raise RefusedError("position", text="nothing is to be chosen here")
        return format_line("choose", number, PUT, *self._placed(game.copy(), marks, limit))

    def _placed(self, game: Game, marks: int, limit: Limit) -> list[str]:
        """Where the player places so many *marks* for both sides."""
        placed = []
        for left in range(marks, 0, -1):
            move = self._player.place_evenly(game.copy(), left, limit)
            placed.append(self._spelled(game, move))
            game.play(move)
        return placed


def _going_on(game: Game | None) -> Game:
    """*game*, in which there is something to be chosen."""
    if game is None or game.is_over:
        raise RefusedError("position", text="no game goes on")
    return game


def _shown(value: object) -> str:
    try:
        return ascii(value)[:200]
    except Exception:
        return f"<{type(value).__name__}>"


def main(arguments: Sequence[str]) -> None:
    """Run the player called by the first of *arguments*; the second is the seed of its chance."""
    name, *seed = arguments
    write = _standard_output()
    try:
        player = new_player(name, Random(int(seed[0])) if seed else Random())
    except NoughtsError as error:
        reason = "not-found" if isinstance(error, NotFound) else "failed"
        text = getattr(error, "reason", str(error))
        write(format_line("error", "internal", reason=reason, text=text) + "\n")
        raise SystemExit(1) from None
    run(player, name=name, write=write)


if __name__ == "__main__":  # pragma: no cover - the same is run in a process of its own
    main(sys.argv[1:])
