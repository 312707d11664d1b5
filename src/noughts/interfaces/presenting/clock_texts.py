"""Clocks by days in words."""

from noughts.arena.clock import DAY, Clock
from noughts.interfaces.presenting.i18n import Translator

CLOCKS_BY_DAYS = {
    "1d": Clock(per_move=DAY),
    "3d": Clock(per_move=3 * DAY),
    "7d": Clock(per_move=7 * DAY),
    "3d+1d": Clock(base=3 * DAY, increment=DAY),
}
"""The clocks by days that pages offer."""


def clock_by_days(clock: Clock, say: Translator) -> str | None:
    """Return *clock* in a few words if it is by days, and else None.

    >>> clock_by_days(Clock(per_move=3 * DAY), Translator("en"))
    '3 days a move'
    """
    if not clock.is_by_days:
        return None
    for name, known in CLOCKS_BY_DAYS.items():
        if known == clock:
            return say(f"clock-{name}")
    if clock.per_move is not None:
        return say.plural("clock-days", round(clock.per_move / DAY))
    days, more = (f"{time / DAY:.3g}" for time in (clock.base or 0, clock.increment))
    return say("clock-days-more", days=days, more=more)


def time_by_days(left: int, say: Translator) -> str:
    """Return the milliseconds *left* in days and hours, or in minutes.

    >>> time_by_days(2 * DAY + 5 * 3_600_000, Translator("en")), time_by_days(90_000, Translator("en"))
    ('2 d 5 h', '2 min')
    """
    minutes = -(-left // 60_000)
    days, hours = divmod(minutes // 60, 24)
    if days:
        return say("time-days", days=days, hours=hours) if hours else say("time-whole-days", days=days)
    return say("time-hours", hours=hours) if hours else say("time-minutes", minutes=minutes)
