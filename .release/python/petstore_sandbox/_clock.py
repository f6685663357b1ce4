from datetime import datetime, timedelta
from typing import Any, cast

from ._check import want
from ._types import ClockReading

__tracebackhide__ = True


class Clock:
    """The time in a sandbox."""

    def __init__(self, sandbox: Any) -> None:
        self._sandbox = sandbox

    def read(self) -> ClockReading:
        """Returns the time, whether it is frozen, and how far it is ahead of the machine's, under the names of the admin API."""
        return cast(ClockReading, self._sandbox.admin("GET", "/clock"))

    def now(self) -> datetime:
        """Returns the time as a datetime in UTC."""
        return datetime.fromisoformat(self.read()["now"])

    def set(self, time: datetime | str) -> ClockReading:
        """Sets the time, a datetime with a zone or a text such as 2031-01-01T00:00:00Z. It runs on unless it is frozen."""
        return self._change(now=_instant("set", time))

    def advance(self, by: timedelta | str) -> ClockReading:
        """Moves the clock by a timedelta or a text such as 72h."""
        want(isinstance(by, (timedelta, str)), "clock.advance() takes a timedelta, or a text such as 72h", by)
        return self._change(advance=f"{by.total_seconds():.6f}s" if isinstance(by, timedelta) else by)

    def freeze(self, time: datetime | str | None = None) -> ClockReading:
        """Stops the clock at this time, or else at its current one. set() and advance() still move it."""
        return self._change(frozen=True, **{} if time is None else {"now": _instant("freeze", time)})

    def unfreeze(self) -> ClockReading:
        """Lets a frozen clock continue from its current time."""
        return self._change(frozen=False)

    def release(self) -> None:
        """Returns the clock to the machine's time."""
        self._sandbox.admin("DELETE", "/clock")

    def _change(self, **changes: object) -> ClockReading:
        return cast(ClockReading, self._sandbox.admin("PUT", "/clock", changes))


def _instant(call: str, time: datetime | str) -> str:
    want(isinstance(time, (datetime, str)), f"clock.{call}() takes a datetime, or a text such as 2031-01-01T00:00:00Z", time)
    if isinstance(time, str):
        return time
    want(time.tzinfo, f"clock.{call}() takes a datetime with a zone", time)
    return time.isoformat()
