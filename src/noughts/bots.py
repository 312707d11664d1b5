"""For authors of bots: a :class:`~noughts.Player` becomes a program that plays over pipes.

Ten lines are a complete bot for every game of the catalogue::

    from noughts import Player
    from noughts.bots import run


    class First(Player):
        def choose(self, game, limit):
            return game.legal_moves()[0]


    run(First())

``python -m noughts.bots NAME`` runs the player NAME in a process of its own, as noughts does with the players
of external packages. docs/bots.md describes the protocol.
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
from noughts.players import builtin as builtin  # This import registers the players of noughts.
from noughts.players.base import Player, new_player
from noughts.search.analysis import Limit, Progress
from noughts.text import words_of
from noughts.workers.protocols import noughts_protocol
from noughts.workers.protocols.noughts_protocol import ProtocolLine, format_line, parse_line

INFO_SECONDS = 0.1
"""The minimum time between two reports of a search, in seconds. Earlier ones are dropped."""

MAX_LINE = 4_000_000
"""The longest line that is read, in characters: more than the largest position needs."""


def run(
    player: Player,
    *,
    name: str | None = None,
    lines: Iterable[str] | None = None,
    write: Callable[[str], object] | None = None,
    leave: Callable[[int], object] = os._exit,
) -> None:
    """Let *player*, called *name*, play by the protocol ``noughts 1`` until it is told to quit.

    The defaults of *lines* and *write* are standard input and output. Output of the player itself then goes
    to standard error. When the input ends, *leave* is called with 0 at once, even if the player is still
    running. Ctrl-C stops it without a traceback.
    """
    engine = _Engine(player, name or type(player).__name__, write or _standard_output(), leave)
    with suppress(KeyboardInterrupt):  # A terminal sends Ctrl-C to the parent process too.
        engine.run(lines or sys.stdin)


def _standard_output() -> Callable[[str], object]:
    """Return a function that writes to standard output, and redirect all other output to standard error."""
    output = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8", errors="replace", newline="\n")
    sys.stdout.flush()
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    sys.stdout = sys.stderr

    def write(text: str) -> None:
        output.write(text)
        output.flush()

    return write


class RefusedError(Exception):
    """A command that cannot be executed: the code of the error, and further facts."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code, self.told = code, facts


class _Engine:
    """One player behind a pipe. A thread reads lines, and the player runs in the main thread."""

    def __init__(
        self, player: Player, name: str, write: Callable[[str], object], leave: Callable[[int], object]
    ) -> None:
        self._player, self._name, self._write, self._leave = player, name, write, leave
        self._writing = threading.Lock()
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._start_position: Game | None = None
        self._game: Game | None = None
        self._request_number: int | None = None
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
        while (job := self._jobs.get()) is not None:
            job()

    # Reading, in a thread that also answers urgent commands

    def _read(self, lines: Iterable[str]) -> None:
        with suppress(OSError, ValueError):  # The pipe is closed.
            for text in lines:
                if len(text) > MAX_LINE:
                    self._say("error", "syntax", text="the line is too long")
                elif text.strip():
                    line = parse_line(text)
                    if line.word == "quit":
                        break
                    self._dispatch(line)
        self._stop.set()
        self._jobs.put(None)
        self._leave(0)

    def _dispatch(self, line: ProtocolLine) -> None:
        """Answer *line* at once, or queue it."""
        if not self._is_greeted and line.word != "noughts":
            self._say("error", "unknown", text="begin with: noughts 1")
        elif line.word == "ping":
            self._say("pong", *line.words)
        elif line.word == "stop":
            if line.words == (str(self._request_number),):
                self._stop.set()
        elif self._request_number is not None:
            self._say("error", "busy", number=self._request_number)
        elif line.word == "noughts":
            self._greet(line)
        elif line.word in ("go", "ask"):
            self._begin(line)
        elif line.word in self._commands:
            self._jobs.put(partial(self._answer, partial(self._commands[line.word], line)))
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
        """Start a command with a number, which requests a move or an answer."""
        number = noughts_protocol.read_number(line.words[0]) if line.words else None
        if number is None:
            self._say("error", "syntax", text=f"{line.word} NUMBER")
            return
        self._request_number, self._stop = number, threading.Event()
        job = self._go if line.word == "go" else self._ask
        self._jobs.put(partial(self._answer, partial(job, line, number, self._stop.is_set), number))

    def _say(self, word: str, *words: object, **keys: object) -> None:
        self._tell(format_line(word, *words, **keys))

    def _tell(self, line: str) -> None:
        with (
            self._writing,
            suppress(OSError, ValueError),
        ):  # The pipe is closed, which the reader notices too.
            self._write(line + "\n")

    # Commands, one after another

    def _answer(self, act: Callable[[], str], number: int | None = None) -> None:
        """Run *act* and write its result, or its error. An error changes nothing."""
        try:
            reply = act()
        except RefusedError as refused:
            reply = format_line("error", refused.code, number=number, **refused.told)
        except UnsupportedRules as error:
            reply = format_line("error", "unsupported", number=number, reason=error.reason, text=str(error))
        except BaseException as error:  # Exceptions from the player are the player's fault.
            if is_stop(error):
                raise
            reply = format_line("error", "internal", number=number, reason="raised", text=words_of(error))
        if number is not None:
            self._request_number = None
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
        self._start_position = self._game = game
        return "ok"

    def _set_position(self, line: ProtocolLine) -> str:
        self._game = self._game_after(line.rest)
        return "ok"

    def _game_after(self, text: str) -> Game:
        """Return the game after the arguments *text* of ``position``."""
        if self._start_position is None:
            raise RefusedError("position", text="no game was set")
        try:
            return noughts_protocol.parse_position_line(self._start_position, text)
        except NotationError as error:
            code = "illegal" if error.what == "move" else "position"
            raise RefusedError(code, text=str(error)) from None

    def _end_game(self, line: ProtocolLine) -> str:
        return "ok"

    def _go(self, line: ProtocolLine, number: int, stop: Callable[[], bool]) -> str:
        game = _running_game(self._game)
        if "ponder" in line.words:
            raise RefusedError("unsupported", text="ponder")
        move = self._move(game, self._limit(line, number, game, stop))
        return format_line("move", number, move)

    def _limit(self, line: ProtocolLine, number: int, game: Game, stop: Callable[[], bool]) -> Limit:
        """Return the limit of the player, and report the progress of its search."""
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
        """Return the text of *move*, which may be any object. Raises RefusedError if it is not legal."""
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
        """Answer a question of an opening: swap, stay with a move, or put marks."""
        name, *placed = line.words[1:] or [""]
        game = _running_game(
            self._game_after(noughts_protocol.format_start(placed)) if placed else self._game
        )
        try:
            standing = noughts_protocol.opening_state(name, game)
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
        return format_line("choose", number, PUT, *self._place_marks(game.copy(), marks, limit))

    def _place_marks(self, game: Game, marks: int, limit: Limit) -> list[str]:
        """Return the moves of the player for *marks* marks of both sides."""
        placed = []
        for left in range(marks, 0, -1):
            move = self._player.place_evenly(game.copy(), left, limit)
            placed.append(self._spelled(game, move))
            game.play(move)
        return placed


def _running_game(game: Game | None) -> Game:
    """Return *game* if it is running. Raises RefusedError."""
    if game is None or game.is_over:
        raise RefusedError("position", text="no game goes on")
    return game


def _shown(value: object) -> str:
    try:
        return ascii(value)[:200]
    except Exception:
        return f"<{type(value).__name__}>"


def main(arguments: Sequence[str]) -> None:
    """Run the player named by the first of *arguments*.

    The second is its random seed.
    """
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
