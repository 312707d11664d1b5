"""The program as users run it: in this process on test streams, line by line, or as a process."""

import contextlib
import io
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from noughts.arena.store.database import Database, open_database
from noughts.arena.store.store import Store
from noughts.interfaces.cli.main import main
from noughts.interfaces.console.prompts import Conversation
from noughts.interfaces.console.session import Session
from noughts.interfaces.console.terminal import Terminal
from noughts.interfaces.presenting.game_plan import PlayOptions
from noughts.interfaces.presenting.i18n import LANGUAGES, Phrase, Translator
from tests.databases import new_file, url_of
from tests.stand_ins import MemoryStore

COMMAND = str(Path(sys.executable).with_name("noughts"))
SAY = {language: Translator(language) for language in LANGUAGES}
EN = SAY["en"]
DONE, NO, UNUSABLE, INTERRUPTED = 0, 1, 2, 130
PATIENCE = 60.0
"""The time after which a program that does not answer counts as stuck, in seconds."""

PEOPLE = {"X": "human", "O": "human"}


def forget_settings(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Remove the variables of the person who runs the tests, and use a temporary data folder."""
    for name in ("COLUMNS", "LINES", "NOUGHTS_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("NOUGHTS_DB", str(folder / "games.db"))
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))


def text_of(lines: Iterable[str]) -> str:
    """Return *lines* as typed text, each with a line end."""
    return "".join(f"{line}\n" for line in lines)


def row(cells: str, places: str = "") -> Phrase:
    """Return the *cells* of a row as a phrase, with *places* if numbers do not show them."""
    return Phrase("cells", tuple(cells.split()), places, in_order=True)


def squeezed(text: str) -> str:
    """Return *text* without blanks and line ends, since a terminal may wrap a sentence anywhere."""
    return "".join(text.split())


class OneLine(io.StringIO):
    """A stream that raises an exception after its last line."""

    def __init__(self, text: str, then: type[BaseException]) -> None:
        super().__init__(text)
        self._then = then

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        line = super().readline(-1 if size is None else size)
        if not line:
            raise self._then
        return line


# The session in this process


@dataclass
class SessionResult:
    """The output of a session, and its games."""

    status: int
    output: str
    store: Store

    @property
    def lines(self) -> list[str]:
        return self.output.splitlines()

    def games(self) -> list[dict[str, Any]]:
        """Return the saved games, as a script reads them."""
        from noughts.interfaces.cli.history import summary

        return [summary(stored) for stored in self.store.games()]


def converse(
    typed: Sequence[str] | io.StringIO,
    options: PlayOptions | None = None,
    *,
    language: str = "en",
    store: Store | None = None,
) -> SessionResult:
    """Play at the console with the *typed* lines; the default players are two people."""
    source = typed if isinstance(typed, io.StringIO) else io.StringIO(text_of(typed))
    target = io.StringIO()
    stored = store if store is not None else MemoryStore()
    session = Session(Conversation(Terminal(source, target), SAY[language]), lambda: stored)
    status = session.play(options if options is not None else PlayOptions(who=PEOPLE))
    return SessionResult(status, target.getvalue(), stored)


# The command line in this process


@dataclass
class RunResult:
    """The output and the exit status of a run."""

    status: int
    output: str
    errors: str

    @property
    def lines(self) -> list[str]:
        return self.output.splitlines()

    def shows(self, sentence: str) -> bool:
        """Return True if *sentence* was printed, with any line breaks."""
        return squeezed(sentence) in squeezed(self.output)


class _FakeTerminal(io.TextIOWrapper):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


@dataclass
class Program:
    """The program with a data folder of its own, without settings of this machine."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.database = self.folder / "games.db"
        if not self.database.exists():
            new_file(self.database)

    def variables(self) -> dict[str, str]:
        """Return the environment of a run."""
        home = str(self.folder)
        folders = {"HOME": home, "XDG_DATA_HOME": home, "XDG_CONFIG_HOME": home}
        mine = {**folders, "NOUGHTS_DB": str(self.database), "NOUGHTS_LANG": "en"}
        needed = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "TMPDIR") if name in os.environ}
        # Nothing is compiled during the run.
        plain = {"LANG": "C.UTF-8", "TERM": "xterm", "NOUGHTS_PLAIN": "1"}
        made = {**needed, **plain, **mine, **self.environment}
        return {name: value for name, value in made.items() if value != "-"}

    def under(self, **environment: str) -> "Program":
        """Return the same program in another environment; ``-`` removes a variable."""
        return Program(self.folder, {**self.environment, **environment})

    def run(self, *arguments: str, typed: str | bytes = "", is_terminal: bool = False) -> RunResult:
        """Run the program in this process and return the result."""
        data = typed.encode("utf-8", "surrogateescape") if isinstance(typed, str) else typed
        kind = _FakeTerminal if is_terminal else io.TextIOWrapper
        raws = [io.BytesIO(content) for content in (data, b"", b"")]
        streams = [kind(raw, encoding="utf-8") for raw in raws]
        status: object = None
        with contextlib.ExitStack() as stack:
            stack.enter_context(contextlib.chdir(self.folder))
            stack.enter_context(patch.dict(os.environ, self.variables(), clear=True))
            for name, stream in zip(("stdin", "stdout", "stderr"), streams, strict=True):
                stack.enter_context(patch.object(sys, name, stream))
            try:
                main(arguments)
            except SystemExit as stop:
                status = stop.code
        for stream in streams:
            stream.flush()
        output, errors = (raws[number].getvalue().decode("utf-8") for number in (1, 2))
        assert isinstance(status, int), status
        return RunResult(status, output, errors)

    def start(self, *arguments: str, **settings: Any) -> subprocess.Popen[bytes]:
        """Start the program as a process with pipes."""
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **settings}
        return subprocess.Popen([COMMAND, *arguments], env=self.variables(), cwd=self.folder, **pipes)

    def process(self, *arguments: str, typed: bytes = b"") -> RunResult:
        """Run the program as a process to its end."""
        with self.start(*arguments) as started:
            output, errors = started.communicate(typed, PATIENCE)
        return RunResult(started.returncode, output.decode("utf-8"), errors.decode("utf-8"))

    @contextlib.contextmanager
    def store(self) -> Iterator[Database]:
        """Open the database of the program."""
        store = open_database(url_of(self.database))
        try:
            yield store
        finally:
            store.close()


# Live sessions in this process, one line at a time


class _Keyboard(io.StringIO):
    """An input that calls *ask* for each line."""

    def __init__(self, ask: Callable[[], str]) -> None:
        super().__init__()
        self._ask = ask

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        return self._ask()


class Live:
    """A session in a thread, which waits at each prompt for the next line."""

    def __init__(self, options: PlayOptions, store: Store, language: str = "en") -> None:
        self.status: int | None = None
        self.error: BaseException | None = None
        self._typed: queue.Queue[str | type[BaseException]] = queue.Queue()
        self._waits: queue.Queue[bool] = queue.Queue()
        self._target = io.StringIO()
        self._seen = 0
        talk = Conversation(Terminal(_Keyboard(self._read), self._target), SAY[language])
        self._session = Session(talk, lambda: store)
        self._thread = threading.Thread(target=self._run, args=(options,), daemon=True)
        self._thread.start()
        self._wait()

    @property
    def is_over(self) -> bool:
        """True if the session has ended."""
        return self.status is not None or self.error is not None

    def enter(self, line: str) -> str:
        """Type a line, and return the output up to and including the next prompt."""
        return self._send(line + "\n")

    def end_input(self) -> str:
        """End the input."""
        return self._send("")

    def interrupt(self) -> str:
        """Press Ctrl-C."""
        return self._send(KeyboardInterrupt)

    def news(self) -> str:
        """Return the output since the last call."""
        text = self._target.getvalue()[self._seen :]
        self._seen += len(text)
        return text

    def _send(self, what: str | type[BaseException]) -> str:
        self._typed.put(what)
        self._wait()
        return self.news()

    def _wait(self) -> None:
        self._waits.get(timeout=PATIENCE)
        if self.error is not None:
            raise self.error

    def _read(self) -> str:
        self._waits.put(True)
        kind = self._typed.get()
        if isinstance(kind, type):
            raise kind
        return kind

    def _run(self, options: PlayOptions) -> None:
        try:
            self.status = self._session.play(options)
        except BaseException as error:
            self.error = error
        self._waits.put(True)
