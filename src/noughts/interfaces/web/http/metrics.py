"""The metrics of the server as plain text, and its log as lines of JSON."""

import json
import logging
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from threading import Lock
from typing import Any

from starlette.types import Scope

from noughts.text import safe_text

LOG = logging.getLogger("noughts.web")

BOUNDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)
"""The upper bounds of the histogram of durations, in seconds."""

PAGES = frozenset(("", "r", "g", "history", "scores", "tournaments", "tournament", "static", "i18n"))
"""The first parts of the paths of pages."""


class Metrics:
    """The metrics of one worker. The functions in *gauges* are called whenever the metrics are read."""

    def __init__(self) -> None:
        self.gauges: dict[str, Callable[[], float]] = {}
        self._lock = Lock()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._durations: Counter[float] = Counter()
        self._total = 0.0
        self._events: Counter[str] = Counter()

    def count(self, name: str, number: int = 1) -> None:
        """Add *number* to the counter *name*."""
        with self._lock:
            self._events[name] += number

    def count_request(self, scope: Scope, status: int, seconds: float) -> None:
        """Count and log a request that was answered. The length of a stream is no duration."""
        route, method = route_of(scope), str(scope["method"])
        with self._lock:
            self._requests[method if len(method) < 8 else "other", route, status] += 1
            if not route.endswith("/events"):
                self._total += seconds
                self._durations[next((bound for bound in BOUNDS if seconds <= bound), BOUNDS[-1] + 1)] += 1
        facts = {
            "method": method[:8],
            "route": route,
            "room": room_of(scope),
            "status": status,
            "milliseconds": round(seconds * 1000, 1),
            "address": (scope.get("client") or (None,))[0],
        }
        LOG.info("request", extra={"facts": facts})

    def text(self) -> str:
        """Return all metrics in the text format of Prometheus."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        with self._lock:
            requests, durations = self._requests.copy(), self._durations.copy()
            total, events = self._total, self._events.copy()
        yield "# TYPE noughts_requests_total counter"
        for (method, route, status), number in sorted(requests.items()):
            yield f'noughts_requests_total{{method="{method}",route="{route}",status="{status}"}} {number}'
        yield "# TYPE noughts_request_seconds histogram"
        so_far = 0
        for bound in BOUNDS:
            so_far += durations[bound]
            yield f'noughts_request_seconds_bucket{{le="{bound}"}} {so_far}'
        number = sum(durations.values())
        yield f'noughts_request_seconds_bucket{{le="+Inf"}} {number}'
        yield f"noughts_request_seconds_sum {total:.6f}"
        yield f"noughts_request_seconds_count {number}"
        for name, number in sorted(events.items()):
            yield f"# TYPE noughts_{name}_total counter"
            yield f"noughts_{name}_total {number}"
        for name, ask in sorted(self.gauges.items()):
            yield f"# TYPE noughts_{name} gauge"
            yield f"noughts_{name} {ask():g}"


def route_of(scope: Scope) -> str:
    """Return the pattern of the requested path. It contains no names of rooms or games, which are private."""
    route = scope.get("route")
    if route is not None and hasattr(route, "path"):
        return str(route.path)
    first = str(scope["path"]).partition("/")[2].partition("/")[0]
    return f"/{first}" if first in PAGES else "other"


def room_of(scope: Scope) -> str | None:
    """Return the beginning of the name of the room: enough to search a log, too little to enter the room."""
    room = scope.get("path_params", {}).get("room")
    return f"{room[:6]}…" if isinstance(room, str) else None


class JsonLines(logging.Formatter):
    """A log formatter that writes each record as a line of JSON, with control characters escaped."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "what": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=True)


class PlainLines(logging.Formatter):
    """A log formatter that writes each record as a line for people at a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the time, the message and its facts."""
        facts: dict[str, Any] = getattr(record, "facts", {})
        time = datetime.fromtimestamp(record.created).strftime("%H:%M:%S")
        words = [time, *([record.levelname] if record.levelno >= logging.WARNING else [])]
        if facts.keys() >= {"method", "route", "status", "milliseconds"}:
            words += [facts["method"], facts["route"], facts["status"], f"{facts['milliseconds']} ms"]
            words += [facts[name] for name in ("room", "address") if facts.get(name) is not None]
        else:
            words += [record.getMessage(), *(f"{name}={value}" for name, value in facts.items())]
        trace = [self.formatException(record.exc_info)] if record.exc_info else []
        return "\n".join([safe_text(" ".join(map(str, words))), *trace])


def set_up_log(*, requests: bool) -> None:
    """Write the log of the server and of uvicorn to standard error.

    It has warnings, and with *requests* all requests. A terminal gets plain lines, other outputs JSON.
    """
    level = logging.INFO if requests else logging.WARNING
    writer = logging.StreamHandler(sys.stderr)
    writer.setFormatter(PlainLines() if sys.stderr is not None and sys.stderr.isatty() else JsonLines())
    for name in ("noughts", "uvicorn", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers = [writer] if name != "uvicorn.error" else []
        logger.setLevel(level)
        logger.propagate = name == "uvicorn.error"
    logging.getLogger("uvicorn.access").disabled = True
