"""The command ``solve``: the winner with best play, with certificates, saved work and workers."""

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import click

from noughts.errors import FileRefused
from noughts.games.base import Game
from noughts.games.catalogue import name_of, new_game
from noughts.interfaces.cli.analysing import facts_as_json, find_answer, game_argument, limit_option
from noughts.interfaces.cli.certificates import (
    CertificateResult,
    check_can_certify,
    check_can_install,
    print_certificate_result,
    write_certificate,
)
from noughts.interfaces.cli.localized_click import command, json_option, print_json, whole_number
from noughts.interfaces.cli.resume import DamagedCheckpointError, SolveCheckpoint, limit_memory, machine_for
from noughts.interfaces.cli.solve_workers import check_can_divide, workers_for
from noughts.interfaces.console.analysis import print_solution
from noughts.interfaces.console.terminal import print_error
from noughts.interfaces.presenting.analysis_texts import first_side_value
from noughts.interfaces.presenting.i18n import ReadableError, Translator
from noughts.search.analysis import Analysis, Limit
from noughts.search.analyst import Analyst

SOLVE_SECONDS = 60.0
"""The default time limit of a search, in seconds."""

MAX_WORKERS = 64
"""The maximum number of processes, above that of any machine."""

MAX_MEMORY_MB = 1_000_000
"""The maximum memory limit of tables."""

DONE, DAMAGED = 0, 1
"""Exit statuses."""

file_option = partial(click.option, type=click.Path(path_type=Path), metavar="FILE")


@dataclass(frozen=True, slots=True)
class SolveOptions:
    """The options of ``solve``.

    ``is_alone`` is ``--search``: books and installed proofs are not used.
    """

    limit_seconds: float | None
    certificate: Path | None
    install: bool
    is_alone: bool
    memory: int | None
    resume: Path | None
    workers: int | None
    cluster: str | None

    @property
    def is_to_be_proved(self) -> bool:
        """True if a certificate is wanted, in a file or installed."""
        return self.certificate is not None or self.install

    @property
    def is_divided(self) -> bool:
        """True if workers are to help."""
        return self.workers is not None or self.cluster is not None

    @property
    def processes(self) -> int:
        """The number of processes that share the memory of this machine."""
        return 1 if self.cluster is not None or self.workers in (None, 1) else 1 + self.workers


@dataclass(frozen=True, slots=True)
class SolveResult:
    """The analysis, if the game can be solved at all, and the result of the certificate.

    ``refused`` is the error of a file that could not be written in the end.
    """

    analysis: Analysis
    can_solve: bool
    proving: CertificateResult
    refused: FileRefused | None


@command(epilog="help-solve-more")
@game_argument
@limit_option()
@file_option("--certificate")
@click.option("--install", is_flag=True)
@click.option("--search", "is_alone", is_flag=True)
@click.option("--memory", type=whole_number(1, MAX_MEMORY_MB), metavar="MB")
@file_option("--resume")
@click.option("--workers", type=whole_number(1, MAX_WORKERS), metavar="N")
@click.option("--cluster", metavar="ADDRESS")
@json_option
@click.pass_obj
def solve(say: Translator, /, game: str, as_json: bool, **options: object) -> int:
    """Print the winner from the start with best play. Write or install a certificate on request."""
    solve_options, start = SolveOptions(**options), new_game(game)  # type: ignore[arg-type]
    _check(say, start, solve_options)
    most = SOLVE_SECONDS if solve_options.limit_seconds is None else solve_options.limit_seconds
    try:
        with workers_for(say, solve_options.workers, solve_options.cluster) as others:
            ask = partial(_find, say, start, solve_options)
            answer, seconds = find_answer(say, start, most, ask, machine_for(solve_options.resume), others)
    except DamagedCheckpointError as error:
        print_error(str(error))
        return DAMAGED
    _print_result(say, start, solve_options, answer, seconds, as_json=as_json)
    if answer.refused is not None:  # The result has been printed all the same.
        raise answer.refused
    return DONE


def _print_result(
    say: Translator, start: Game, options: SolveOptions, answer: SolveResult, seconds: float, *, as_json: bool
) -> None:
    """Print the winner, and the result of the certificate."""
    analysis, proving = answer.analysis, answer.proving
    if as_json:
        value, file = first_side_value(start, analysis.value), options.certificate
        written = {} if file is None else {"certificate": str(file) if proving.lines else None}
        installed = {"installed": proving.installed} if options.install else {}
        facts = {"game": name_of(start), "value": value, **facts_as_json(start, analysis, seconds)}
        print_json({**facts, **written, **installed})
        return
    print_solution(say, start, analysis, seconds, can_solve=answer.can_solve)
    if options.is_to_be_proved and (answer.refused is None or proving.lines is not None):
        print_certificate_result(say, start, proving, options.certificate, install=options.install)


def _check(say: Translator, start: Game, options: SolveOptions) -> None:
    """Check the options before the search starts."""
    if options.is_to_be_proved:
        check_can_certify(say, start, options.certificate)
    if options.install:
        check_can_install()
    file, work = options.certificate, options.resume
    if file is not None and work is not None and file.resolve() == work.resolve():
        raise ReadableError(say("certificate-is-work", file=file))


def _find(say: Translator, start: Game, options: SolveOptions, analyst: Analyst, limit: Limit) -> SolveResult:
    """Find the winner, and write a certificate if one is wanted."""
    # Without a time limit, a proof that is certain and a requested search are not limited.
    rest = replace(limit, seconds=None) if options.limit_seconds is None else limit.started()
    limit, report, proving = (
        rest if options.is_alone else limit.started(),
        analyst.report,
        CertificateResult(),
    )
    if options.is_alone:
        analyst.search_alone()
    if options.is_divided:
        check_can_divide(say, analyst, start)
    work = None if options.resume is None else SolveCheckpoint(say, analyst, start, options.resume)
    if options.memory is not None:
        limit_memory(say, analyst, start, options.memory, options.processes)
    if work is not None:
        analyst.report = work.report
    refused: FileRefused | None = None
    try:
        analysis = analyst.solve(start, limit)
    finally:  # The work is saved after a failure of workers too.
        try:
            if work is not None:
                work.save()
        except FileRefused as error:
            refused = error
    if options.is_to_be_proved and analysis.value is not None:
        value, search = first_side_value(start, analysis.value), analyst.exact_search(start)
        how = {"install": options.install, "is_alone": options.is_alone}
        try:
            proving = write_certificate(start, value, options.certificate, rest, report, search, **how)
        except FileRefused as error:
            refused = error
    return SolveResult(analysis, analyst.can_solve(start), proving, refused)
