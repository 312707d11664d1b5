"""All errors of this library. Errors carry data, and interfaces turn them into sentences.

::

    NoughtsError
    ├── BadInput                     also a ValueError: input that cannot be used
    │   ├── ShapeError               side lengths that no board can have
    │   ├── CoordinateError          no such cell
    │   ├── RulesError               options that exclude each other
    │   ├── UnknownMark              a mark that does not belong to this game
    │   ├── NotationError            text that is no move, position or record
    │   ├── NameRefused              text that cannot be a name
    │   ├── KeyRefused               a key or signature that does not allow the action
    │   ├── WordsRefused             words that hold no key
    │   ├── FileRefused              a file that cannot be read or written
    │   ├── NotFound                 no game, player or record has that name
    │   │   └── GameLeftOut          a game of an external package that cannot be offered
    │   ├── SeatTaken                a room without a free seat
    │   ├── OfferRefused             an offer in the lobby that cannot be made or taken
    │   │   ├── OfferGone            an offer that was taken or withdrawn
    │   │   └── AskedGuest           a question for days to a player without a key
    │   ├── PauseRefused             clocks of games by days that cannot be stopped
    │   ├── NotRated                 games that cannot be rated
    │   └── MoveRefused              a move that cannot be made now
    │       ├── NothingToUndo        no move has been made; also an IndexError
    │       ├── GameOver             the game is over
    │       ├── OutOfTurn            the other side is to move
    │       ├── IllegalMove          the rules do not allow the move here
    │       │   ├── OccupiedCell     the cell has a mark
    │       │   ├── FloatingCell     gravity: the cell has nothing below it
    │       │   └── ForbiddenMove    a rule forbids the cell, as renju does
    │       ├── IllegalActions       illegal actions for some games of a batch
    │       ├── CommandRefused       a match command that does not fit the state of the match
    │       └── StaleRoom            a command for an earlier state of its room
    ├── ExtraMissing                 the libraries of an extra are not installed
    ├── DamagedFile                  a file whose content was changed or destroyed
    ├── UnsupportedRules             a search or player that does not support these rules
    ├── PlayerFailed                 a player of an external package that cannot be created
    │   ├── PlayerAtFault            a player's program that crashed, hung or answered nonsense
    │   ├── SandboxMissing           an untrusted program on a system without a sandbox
    │   └── SandboxRefused           an untrusted program that names a path it must not see
    ├── GameBroken                   a game of an external package that breaks the contract
    ├── WorkersFailed                a task of a divided search that fails on every worker
    ├── ServerFailed                 a server of games that cannot be used
    └── StoreError
        ├── DamagedStore             damaged data in the database
        │   └── UnknownGame          a saved game of a package that is not installed
        │       ├── UnusableGame     a saved game of a package that breaks the contract
        │       └── UnknownOpening   a saved game with an unknown opening
        ├── StaleVersion             a game that was continued elsewhere
        └── NewerStore               a database of a newer version of noughts
"""

import errno
import re
from collections.abc import Sequence
from typing import Any

from noughts.install import install_commands

SYSTEM_REASONS = {
    errno.EACCES: "not-allowed",
    errno.EDQUOT: "no-room",
    errno.EEXIST: "not-a-folder",
    errno.EFBIG: "too-large",
    errno.EISDIR: "is-a-folder",
    errno.ENOENT: "not-there",
    errno.ENOSPC: "no-room",
    errno.ENOTCONN: "pipe-alone",
    errno.ENOTDIR: "not-a-folder",
    errno.ENXIO: "not-a-file",
    errno.EPERM: "not-allowed",
    errno.EROFS: "read-only",
}
"""Codes for reasons of the system to refuse a file. Other reasons keep the words of the system."""


FORBIDDEN = {"33": "a double three", "44": "a double four", "6": "an overline"}
"""The patterns that renju forbids to Black, by code."""


class NoughtsError(Exception):
    """The base class of every error that this library raises on purpose."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Restore the error from its data without calling its class, so that it survives pickling intact."""
        return (rebuild, (type(self), self.args, self.__dict__))


class BadInput(NoughtsError, ValueError):
    """Input that cannot be used."""


class ShapeError(BadInput):
    """Side lengths that no board can have.

    ``reason`` is a code, ``limit`` the violated bound.
    """

    def __init__(self, shape: object, reason: str, limit: int | None = None) -> None:
        super().__init__(f"no board has the shape {_short(shape)}: {_words(reason, limit)}")
        self.shape, self.reason, self.limit = shape, reason, limit


class CoordinateError(BadInput):
    """No such cell: ``coordinate`` was requested on a board of ``shape``."""

    def __init__(self, coordinate: object, shape: tuple[int, ...]) -> None:
        super().__init__(f"no cell {_short(coordinate)} on a board of shape {shape}")
        self.coordinate, self.shape = coordinate, shape


class RulesError(BadInput):
    """Options that exclude each other.

    ``reason`` is a code, ``data`` its details.
    """

    def __init__(self, reason: str, **data: Any) -> None:
        super().__init__(f"these rules have no meaning: {_words(reason, **data)}")
        self.reason, self.data = reason, data


class UnknownMark(BadInput):
    """A mark that does not belong to this game.

    ``allowed`` are the marks that do.
    """

    def __init__(self, mark: object, allowed: Sequence[str]) -> None:
        super().__init__(f"unknown mark {_short(mark)}; allowed: {', '.join(allowed)}")
        self.mark, self.allowed = mark, tuple(allowed)


class NotationError(BadInput):
    """Text that does not describe a ``what`` ("move", "position", "record", "game").

    ``reason`` is a code.
    """

    def __init__(self, what: str, text: object, reason: str = "unreadable", **data: Any) -> None:
        super().__init__(f"not a {what}: {_short(text)}, {_words(reason, **data)}")
        self.what, self.text, self.reason, self.data = what, text, reason, data


class NameRefused(BadInput):
    """Text that cannot be a name.

    ``reason`` is a code. ``like`` is a name that it is too like, if that name is no secret.
    """

    def __init__(self, name: object, reason: str, like: str | None = None) -> None:
        super().__init__(f"not a name: {_short(name)}, {_words(reason)}")
        self.name, self.reason, self.like = name, reason, like


class KeyRefused(BadInput):
    """A key or signature that does not allow the action.

    ``reason`` is a code. ``data`` has its details, such as ``until``, the milliseconds since 1970 from which
    the action is allowed.
    """

    def __init__(self, reason: str, **data: Any) -> None:
        super().__init__(f"key refused: {_words(reason, **data)}")
        self.reason, self.data = reason, data


class WordsRefused(BadInput):
    """Words that hold no key.

    ``reason`` is a code. ``data`` has the unknown ``word`` and the nearest one, ``near``, or the ``count``.
    """

    def __init__(self, reason: str, **data: Any) -> None:
        super().__init__(f"not the words of a key: {_words(reason)}")
        self.reason, self.data = reason, data


class FileRefused(BadInput):
    """The file ``name`` cannot be read or written.

    ``reason`` comes from :func:`system_reason`.
    """

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"file {_short(name)}: {_words(reason)}")
        self.name, self.reason = name, reason


MAX_COMPARED = 100
"""The number of characters of an unknown name that are compared with the known names."""


def nearest_name(name: str, known: Sequence[str]) -> str | None:
    """Return the one of *known* that looks most like *name*, None if none does.

    >>> nearest_name("Gomuko", ["gomoku", "renju"])
    'gomoku'
    >>> nearest_name("adda", ["Ada", "Wei"])
    'Ada'
    """
    from difflib import get_close_matches  # This import is needed only after a mistake.

    # A longer name resembles none, and the comparison would take long.
    folded = {one.casefold(): one for one in known}
    return next((folded[one] for one in get_close_matches(name[:MAX_COMPARED].casefold(), folded, 1)), None)


class NotFound(BadInput):
    """There is no ``what`` ("game", "player", "record") with this ``name``.

    ``known`` are some that exist.
    """

    def __init__(self, what: str, name: object, known: Sequence[str] = ()) -> None:
        super().__init__(f"no {what} {_short(name)}")
        self.what, self.name, self.known = what, name, tuple(known)

    @property
    def nearest(self) -> str | None:
        """The most similar one of ``known``, or None if none is similar."""
        return nearest_name(str(self.name), self.known)


class GameLeftOut(NotFound):
    """The game ``name`` of an external ``package`` is not offered.

    ``reason`` is ``name-taken``, ``name-unusable``, ``failed``, or ``unreadable`` if the games that the
    package announces cannot be read. ``words`` are the error of its own code.
    """

    def __init__(self, name: str, package: str, reason: str, words: str = "") -> None:
        super().__init__("game", name)
        self.args = (f"game {_short(name)} of {_short(package)}: {_words(reason)}",)
        self.package, self.reason, self.words = package, reason, words


class SeatTaken(BadInput):
    """No seat is free in ``room``."""

    def __init__(self, room: str) -> None:
        super().__init__(f"no seat is free in room {_short(room)}")
        self.room = room


class OfferRefused(BadInput):
    """An offer in the lobby cannot be made or taken. ``reason`` is a code."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"offer refused: {_words(reason)}")
        self.reason = reason


class OfferGone(OfferRefused):
    """An offer in the lobby was taken or withdrawn."""

    def __init__(self) -> None:
        super().__init__("gone")


class AskedGuest(OfferRefused):
    """A challenge that lasts, to a name without a key: nobody can be told later."""

    def __init__(self) -> None:
        super().__init__("lasts-for-key")


class MoveRefused(BadInput):
    """A move or command that cannot be executed now.

    Nothing was changed.
    """


class NothingToUndo(MoveRefused, IndexError):
    """There is no move to take back."""

    def __init__(self) -> None:
        super().__init__("no move to take back")


class GameOver(MoveRefused):
    """The game is over, so ``move`` cannot be made."""

    def __init__(self, move: object = None) -> None:
        super().__init__("the game is over")
        self.move = move


class OutOfTurn(MoveRefused):
    """``side`` tried to move, but ``turn`` is to move."""

    def __init__(self, side: str, turn: str) -> None:
        super().__init__(f"{side} cannot move: it is {turn} to move")
        self.side, self.turn = side, turn


class IllegalMove(MoveRefused):
    """The rules do not allow ``move`` here.

    ``legal`` are the legal moves.
    """

    why = "is no legal move"

    def __init__(self, move: object, legal: Sequence[object]) -> None:
        super().__init__(f"{_short(move)} {self.why}; legal moves: {len(legal)}")
        self.move, self.legal = move, tuple(legal)


class OccupiedCell(IllegalMove):
    """The cell of ``move`` has a mark.

    ``met`` is ``cell-taken``, or ``column-full`` for a column.
    """

    why = "is occupied"

    def __init__(self, move: object, legal: Sequence[object], met: str = "cell-taken") -> None:
        super().__init__(move, legal)
        self.met = met


class FloatingCell(IllegalMove):
    """In a game with gravity, the cell below the cell of ``move`` is empty."""

    why = "has nothing below it"


class ForbiddenMove(IllegalMove):
    """Renju forbids ``move`` to Black.

    ``reason`` is ``33``, ``44`` or ``6``.
    """

    def __init__(self, move: object, legal: Sequence[object], reason: str) -> None:
        self.why = f"is forbidden ({FORBIDDEN.get(reason, reason)})"
        super().__init__(move, legal)
        self.reason = reason


class IllegalActions(MoveRefused):
    """Some actions of a batch step are illegal.

    ``games`` has the indices of the games, ``actions`` the rejected action of each.
    """

    def __init__(self, games: Sequence[int], actions: Sequence[int]) -> None:
        listed = ", ".join(
            f"{action} in game {game}" for game, action in zip(games[:3], actions[:3], strict=True)
        )
        more = f" and {len(games) - 3} more" if len(games) > 3 else ""
        super().__init__(f"no legal action: {listed}{more}; nothing was changed")
        self.games, self.actions = tuple(games), tuple(actions)


class CommandRefused(MoveRefused):
    """A match command that does not fit the state of the match.

    ``reason`` is a code.
    """

    def __init__(self, command: object, reason: str) -> None:
        super().__init__(f"{type(command).__name__} refused: {_words(reason)}")
        self.command, self.reason = command, reason


class PauseRefused(BadInput):
    """The clocks of a player's games by days cannot be stopped. ``reason`` is a code."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"no pause: {_words(reason)}")
        self.reason = reason


class NotRated(BadInput):
    """Games on these terms, or between these people, cannot be rated.

    ``reason`` is a code of :class:`~noughts.arena.ratings.fairness.Unrated`.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(f"these games cannot be rated: {_words(reason)}")
        self.reason = reason


class StaleRoom(MoveRefused):
    """A command for an earlier state of its room.

    ``view`` is the current state.
    """

    def __init__(self, view: Any) -> None:
        super().__init__(f"the room has gone on to version {view.version}")
        self.view = view


class ExtraMissing(NoughtsError):
    """A library that ``who`` needs is not installed.

    The extra ``extra`` installs it.
    """

    def __init__(self, who: str, extra: str) -> None:
        commands = install_commands(extra)
        super().__init__(
            f"{who} needs the extra {extra}: {commands['clone']} in a clone, or {commands['git']}"
        )
        self.who, self.extra = who, extra


class DamagedFile(NoughtsError):
    """The file ``name`` is damaged or has no checksums, so it is not used.

    ``reason`` is a code: ``part`` (a file of noughts itself), ``proof`` (an index of a certificate for the
    game ``data["game"]``), ``old-proof`` (an index of an earlier version without checksums) and
    ``old-weights`` (weights of an earlier version without a checksum).
    """

    def __init__(self, name: str, reason: str, **data: Any) -> None:
        super().__init__(f"file {_short(name)} cannot be trusted: {_words(reason, **data)}")
        self.name, self.reason, self.data = name, reason, data


class DamagedFileWarning(UserWarning):
    """A file is not used, and the program works without it.

    ``error`` is the :class:`DamagedFile`.
    """

    def __init__(self, error: DamagedFile) -> None:
        super().__init__(str(error))
        self.error = error


class UnsupportedRules(NoughtsError):
    """``who`` does not support ``game``.

    ``reason`` is a code, ``instead`` names players that do.
    """

    def __init__(self, who: str, game: str, reason: str, instead: Sequence[str] = (), **data: Any) -> None:
        super().__init__(f"{who} cannot answer for {game}: {_words(reason, **data)}")
        self.who, self.game, self.reason = who, game, reason
        self.instead, self.data = tuple(instead), data


class PlayerFailed(NoughtsError):
    """The player ``name`` cannot be created.

    ``reason`` is the error of its own code, in words.
    """

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"player {_short(name)} failed: {_short(reason)}")
        self.name, self.reason = name, reason


class PlayerAtFault(PlayerFailed):
    """The program of the player ``name`` broke the contract.

    ``reason`` is a message for its author. ``fault`` is a code: ``crashed``, ``flooded``, ``too-slow``,
    ``cannot-run``, ``too-much-memory``, ``too-many-processes``, ``illegal-move``, ``no-move``, ``raised``, or
    ``resigned`` if it gives up the game.
    """

    def __init__(self, name: str, fault: str, reason: str) -> None:
        super().__init__(name, reason)
        self.fault = fault


class SandboxMissing(PlayerFailed):
    """The bot ``name`` is not trusted, and no sandbox is available.

    ``reason`` is the cause.
    """


class SandboxRefused(PlayerFailed):
    """The command of the untrusted bot ``name`` names ``path``, which a sandbox must not show.

    ``reason`` is a code: ``folder``, ``link``, ``special``, ``mount``, ``large`` or ``private``.
    """

    def __init__(self, name: str, path: str, reason: str) -> None:
        super().__init__(name, reason)
        self.args = (f"player {_short(name)}: the sandbox cannot show {_short(path)}: {reason}",)
        self.path = path


class GameBroken(NoughtsError):
    """The game ``name`` of an external ``package`` breaks the contract.

    ``words`` describe the fault.
    """

    def __init__(self, name: str, package: str, words: str) -> None:
        super().__init__(f"game {_short(name)} of the package {_short(package)}: {_short(words)}")
        self.name, self.package, self.words = name, package, words


class WorkersFailed(NoughtsError):
    """Workers failed at a task each time it was tried.

    ``reason`` is the cause in words.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(f"workers failed: {_short(reason)}")
        self.reason = reason


class ServerFailed(NoughtsError):
    """The server at ``address`` cannot be reached, or its answer cannot be used.

    ``reason`` is a code: ``unreachable``, ``certificate``, ``moved`` (to the address ``words``), ``not-ours``
    (an answer that no server of noughts gives), ``too-large``, ``busy`` (for ``seconds``), or ``refused``
    (``words`` is the sentence of the server). ``status`` is the HTTP status, 0 without an answer.
    """

    def __init__(self, address: str, reason: str, words: str = "", status: int = 0, seconds: int = 0) -> None:
        super().__init__(f"server {_short(address)}: {_words(reason)}")
        self.address, self.reason, self.words = address, reason, words
        self.status, self.seconds = status, seconds

    @property
    def may_pass(self) -> bool:
        """True if the same request may succeed later."""
        return self.reason in ("unreachable", "busy")


class StoreError(NoughtsError):
    """The database at ``where`` cannot be used.

    ``reason`` is a code or the words of the system. ``data`` are numbers that belong to the reason.
    """

    def __init__(self, where: str, reason: str, **data: Any) -> None:
        super().__init__(f"database {where}: {_words(reason, **data)}")
        self.where, self.reason, self.data = where, reason, data


class DamagedStore(StoreError):
    """Data in the database is damaged.

    The file is left unchanged.
    """


class UnknownGame(DamagedStore):
    """The saved game ``where`` is a game of ``game``, which is not installed."""

    def __init__(self, where: str, game: str) -> None:
        super().__init__(where, f"no game {_short(game)}")
        self.game = game


class UnusableGame(UnknownGame):
    """The saved game ``where`` is of a ``package`` that breaks the contract.

    ``words`` describe the fault.
    """

    def __init__(self, where: str, fault: GameBroken) -> None:
        DamagedStore.__init__(self, where, str(fault))
        self.game, self.package, self.words = fault.name, fault.package, fault.words


class UnknownOpening(UnknownGame):
    """The saved game ``where`` has the opening ``opening``, which this version does not know."""

    def __init__(self, where: str, game: str, opening: str) -> None:
        DamagedStore.__init__(self, where, f"no opening {_short(opening)}")
        self.game, self.opening = game, opening


class StaleVersion(StoreError):
    """The events do not follow the stored ones: the game was continued elsewhere."""


class NewerStore(StoreError):
    """The database was written by a newer version of noughts.

    The file is left unchanged.
    """


def system_reason(error: OSError) -> str:
    """Return the reason of the system: a code of :data:`SYSTEM_REASONS`, or its own words.

    >>> system_reason(OSError(errno.ENOSPC, "No space left on device"))
    'no-room'
    """
    return SYSTEM_REASONS.get(error.errno or 0) or error.strerror or type(error).__name__


def _words(reason: str, *limits: int | None, **data: Any) -> str:
    """Return a code in words, with its limits and data.

    >>> _words("k-too-small", k=0)
    'k too small (k 0)'
    """
    facts = [str(limit) for limit in limits if limit is not None]
    facts += [f"{name} {_short(value)}" for name, value in data.items()]
    text = reason.replace("-", " ") if re.fullmatch("[a-z0-9-]+", reason) else reason
    return f"{text} ({_cut(', '.join(facts))})" if facts else text


def as_exception(error: BaseException) -> Exception:
    """Return *error*, or a ``RuntimeError`` in its place if it would end a thread or an event loop."""
    if isinstance(error, Exception):
        return error
    made = RuntimeError(type(error).__name__)
    made.__cause__ = error
    return made


def rebuild(kind: type[NoughtsError], args: tuple[object, ...], data: dict[str, object]) -> NoughtsError:
    """Return the error of class *kind* with *args* and *data*, without calling its own code."""
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(data)
    return error


def _short(value: object) -> str:
    try:
        text = ascii(value)
    except KeyboardInterrupt:
        raise
    except BaseException:  # The value may be of any class, even one whose text raises an error.
        text = f"<{type(value).__name__}>"
    return _cut(text)


def _cut(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."
