"""The command ``verify``, and the certificates that ``solve`` writes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedReader
from itertools import count
from pathlib import Path
from time import monotonic
from typing import IO, BinaryIO

import click

from noughts.certificates.book import FIRST_LINE, BookVerdict, is_book, verify_book
from noughts.certificates.index import write_index
from noughts.certificates.shipped import open_shipped
from noughts.certificates.verify import CertificateVerdict
from noughts.certificates.verify import verify as check
from noughts.errors import FileRefused, system_reason
from noughts.games.base import Game
from noughts.games.catalogue import new_game
from noughts.interfaces.cli.analysing import UPDATE_SECONDS, changing_line
from noughts.interfaces.cli.localized_click import command, json_option, print_json
from noughts.interfaces.console.terminal import print_error
from noughts.interfaces.presenting.i18n import ReadableError, Translator
from noughts.proofs.writer.certify import can_certify, certify
from noughts.records.files import atomic_writer, check_can_write, open_to_read
from noughts.records.temporary_folders import temporary_folder
from noughts.search.analysis import Limit, LimitReachedError, Report
from noughts.search.exact.search import ExactSearch
from noughts.search.gravity.search import searching
from noughts.search.installed_proofs import certificates_folder

HOLDS, FAILS, INTERRUPTED = 0, 1, 130
"""Exit statuses."""

BOOK_SECONDS = 60.0
"""The maximum search time for a sample of the last ply of a book, in seconds."""


@command(epilog="help-verify-more")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--install", is_flag=True)
@click.option("--all", "whole", is_flag=True)
@json_option
@click.pass_obj
def verify(say: Translator, file: Path, install: bool, whole: bool, as_json: bool) -> int:
    """Check a certificate without a search and install it on request, or check a book."""
    try:
        with open_to_read(file, takes_pipes=True) as stream:
            verdict = _check(say, stream, install=install, whole=whole)
    except OSError as error:
        raise FileRefused(str(file), system_reason(error)) from None
    except KeyboardInterrupt:
        print_error(say("verify-interrupted"))
        return INTERRUPTED
    if as_json:
        claim = {"game": verdict.game, "value": verdict.value}
        effort = {"searched": verdict.searched, "of": verdict.of} if isinstance(verdict, BookVerdict) else {}
        print_json({"holds": verdict.holds, **claim, "fault": verdict.fault, **effort})
    elif verdict.holds and isinstance(verdict, BookVerdict):
        print(say.joined([say("verify-book-holds"), _claim(say, verdict)]))
        print(say("verify-book-searched", count=verdict.searched, of=verdict.of))
    elif verdict.holds:
        print(say.joined([say("verify-holds"), _claim(say, verdict)]))
        if install:
            print(say("verify-installed", game=verdict.game))
    elif verdict.fault == "damaged":
        print_error(say("verify-damaged"))
    else:
        print_error(say("verify-disagrees", line=verdict.line))
    return HOLDS if verdict.holds else FAILS


def _check(say: Translator, stream: BufferedReader, *, install: bool, whole: bool) -> CertificateVerdict:
    """Check the certificate or the book in *stream*.

    *install* installs a certificate that holds.
    """
    if not is_book(stream.peek(len(FIRST_LINE))):  # A pipe cannot be read again.
        with shown_checking(say, "progress-verify") as report:
            return _install_index(stream, report) if install else check(stream, report=report)
    with shown_checking(say, "progress-verify-book") as report:
        search = searching(Limit() if whole else Limit(seconds=BOOK_SECONDS))
        numbers = count(1)

        def search_next(game: Game) -> int | None:
            report(next(numbers))
            return search(game)

        return verify_book(stream, search_next, **({"sample": None} if whole else {}))


@contextmanager
def shown_checking(
    say: Translator, message: str, now: Callable[[], float] = monotonic
) -> Iterator[Callable[[int], None]]:
    """Yield a function that shows the progress of a check with the sentence *message* on a terminal."""
    soonest = started = now()

    def report(done: int) -> None:
        nonlocal soonest
        at = now()
        if at >= soonest:
            soonest = at + UPDATE_SECONDS
            show(say(message, done=done, rate=round(done / max(at - started, UPDATE_SECONDS))))

    with changing_line() as show:
        yield report


def _claim(say: Translator, verdict: CertificateVerdict) -> str:
    """Return the result that a valid certificate has proved."""
    game = new_game(verdict.game or "")
    if verdict.value == "draw":
        return say("solve-draw", game=game.name)
    side = game.sides[verdict.value == "second"]
    return say(f"solve-{verdict.value}-bare", game=game.name, side=side)


def check_can_certify(say: Translator, game: Game, file: Path | None) -> None:
    """Check that a certificate for *game* can be written to *file*, before the search starts.

    Raises an error if no form of proof fits the rules, and :class:`~noughts.errors.FileRefused` if the file
    cannot be written.
    """
    if not can_certify(game):
        raise ReadableError(say("certificate-unsupported", game=game.name))
    if file is not None:
        try:
            check_can_write(file)
        except OSError as error:
            raise FileRefused(str(file), system_reason(error)) from None


def check_can_install() -> None:
    """Raise :class:`~noughts.errors.FileRefused` if the folder for proofs cannot be created."""
    folder = certificates_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileRefused(str(folder), system_reason(error)) from None


@dataclass(frozen=True, slots=True)
class CertificateResult:
    """The result of writing a certificate: its number of ``lines``, and if it was ``installed``.

    ``lines`` is None if the limit stopped the proof.
    """

    lines: int | None = None
    installed: bool = False


def write_certificate(
    game: Game,
    value: str,
    file: Path | None,
    limit: Limit,
    report: Report,
    search: ExactSearch | None,
    *,
    install: bool,
    is_alone: bool,
) -> CertificateResult:
    """Write the proof of *value* for *game* to *file*, and install it if *install* is True.

    A certificate that comes with noughts is copied, unless *is_alone*. *search* found the value, and its
    results are used again. Raises :class:`~noughts.errors.FileRefused` if a file cannot be written.
    """
    limit = limit.started()
    with temporary_folder() as folder:
        place = folder / "certificate" if file is None else file
        try:
            with atomic_writer(place) as stream:
                lines = 0 if is_alone else _copy_shipped(game, stream)
                lines = lines or certify(game, value, stream, limit, report, exact=search)
        except LimitReachedError:
            return CertificateResult()
        except OSError as error:
            raise FileRefused(str(place), system_reason(error)) from None
        return CertificateResult(lines, install and _install(place, limit))


def _copy_shipped(game: Game, stream: IO[str]) -> int:
    """Copy the certificate of *game* that comes with noughts. Return its number of lines, 0 if none."""
    shipped = None if game.rules is None else open_shipped(game.rules.spec)
    if shipped is None:
        return 0
    lines = 0
    with shipped:
        for line in shipped:
            stream.write(line.decode("ascii"))
            lines += 1
    return lines - 1  # The digest is not counted.


def _install(file: Path, limit: Limit) -> bool:
    """Check the certificate in *file* and install the proof, or return False if *limit* stopped the check."""

    def go_on(_: int) -> None:
        if limit.stop():
            raise LimitReachedError

    try:
        with open_to_read(file) as stream:
            return _install_index(stream, go_on).holds
    except LimitReachedError:
        return False


def _install_index(
    stream: BinaryIO, report: Callable[[int], None] = lambda number: None
) -> CertificateVerdict:
    """Check the certificate in *stream* and install the proof if it holds."""
    folder = certificates_folder()
    try:
        return write_index(stream, folder, report)
    except OSError as error:
        raise FileRefused(str(folder), system_reason(error)) from None


def print_certificate_result(
    say: Translator, game: Game, proving: CertificateResult, file: Path | None, *, install: bool
) -> None:
    """Print the result of writing the certificate for *game*."""
    if proving.lines is None:
        print(say("certificate-none"))
        return
    if file is not None:
        print(say.plural("certificate-written", proving.lines, file=file))
    if proving.installed and game.rules is not None:
        print(say("verify-installed", game=game.rules.spec))
    elif install:
        print(say("certificate-unchecked"))
