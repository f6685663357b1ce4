import json
import re
import urllib.parse
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self, Unpack, cast

from ._check import check_filter, want
from ._clock import Clock
from ._server import PetstoreError, Server
from ._types import (
    Baseline, FaultRule, Filter, JournalEntry, LifecyclePatch, Matches, NewFaultRule, OperationStatus, Part, World,
)

__tracebackhide__ = True

# The number of requests that the server lists at once.
_LONGEST_PAGE = 1000

# Up to this number of records, keep() includes fake data, so that other versions can read it.
_MAX_WRITTEN_OUT = 10_000


class Kept(NamedTuple):
    """The paths of the files that keep() has written."""

    world: Path
    har: Path


class AnySandbox:
    """The methods of every sandbox: a test's, and the default one, which is the Store itself.

    name is the sandbox's name, as the header X-Sandbox takes it; title is the text from which it was made; url is the base address.
    """

    name: str
    title: str
    url: str
    clock: Clock

    def __init__(self, server: Server, name: str, title: str) -> None:
        self.name, self.title = name, title
        self._server, self._path = server, "" if name == "default" else "/sandboxes/" + name
        self.url = server.url + self._path
        self.clock = Clock(self)

    def admin(self, method: str, path: str = "", body: object = None, **query: object) -> Any:
        """Calls the admin API in this sandbox: admin("PUT", "/snapshots/before")."""
        inside = re.match(r"$|[/?]", path) and ".." not in re.split("[/?]", urllib.parse.unquote(path))
        want(inside, "admin() takes a path below /admin that begins with a slash, such as /snapshots/full", path)
        return self._server.ask(method, f"{self._path}/admin{path}", body, query)

    def _list(self, query: Mapping[str, object]) -> Any:
        """Lists requests of the journal. Unlike admin(), it takes a query with names such as method."""
        return self._server.ask("GET", f"{self._path}/admin/requests", None, query)

    def reset(self, *parts: Part, **baseline: Unpack[Baseline]) -> Any:
        """Resets the sandbox to its initial state, or only parts such as "data" and "faults"; or to other fake data: pets=3."""
        want("only" not in baseline, 'reset() takes the names of parts, such as reset("clock")', baseline)
        for part in parts:
            want(isinstance(part, str), 'reset() takes the names of parts, such as "data"', part)
        return self.admin("POST", "/reset", baseline or None, only=",".join(parts) or None)

    def fault(self, rule: NewFaultRule | None = None, /, **fields: Unpack[NewFaultRule]) -> FaultRule:
        """Adds a fault rule after the existing ones: fault(match={"operationId": "createPet"}, times=2, status=503)."""
        whole = {} if rule is None else rule
        want(isinstance(whole, dict) and (whole or fields), "fault() takes a rule, such as status=503, times=2", rule or whole)
        return cast(FaultRule, self.admin("POST", "/faults", {**whole, **fields}))

    def clear_faults(self) -> None:
        """Removes all fault rules."""
        self.admin("DELETE", "/faults")

    def lifecycle(self, operation_id: str, **changes: Unpack[LifecyclePatch]) -> OperationStatus:
        """Changes when an operation is deprecated and removed: lifecycle("getPet", enforceSunset=True). What is left out stays
        unchanged, and None returns a field to the document's value."""
        return cast(OperationStatus, self.admin("PATCH", "/operations/" + operation_id, changes))

    def requests(self, **filter: Unpack[Filter]) -> list[JournalEntry]:
        """Returns the requests so far, oldest first, filtered by operationId, method, path, status or since (an id). limit
        is the most requests to return."""
        check_filter(filter, Filter.__annotations__)
        limit = filter.pop("limit", None)
        found: list[JournalEntry] = []
        while limit is None or len(found) < limit:
            few = _LONGEST_PAGE if limit is None else min(limit - len(found), _LONGEST_PAGE)
            page = self._list({**filter, "limit": few})
            found += page["requests"]
            if len(page["requests"]) == page["matched"]:
                break
            filter["since"] = found[-1]["id"]
        return found

    def wait_for_requests(self, count: int = 1, timeout: float = 5, **filter: Unpack[Matches]) -> list[JournalEntry]:
        """Waits until count requests match, then returns what requests() does. After timeout seconds, at most 60, raises a
        TimeoutError that lists the requests so far."""
        check_filter(filter, Matches.__annotations__)
        is_number = isinstance(timeout, (int, float))
        want(is_number and 0 <= timeout <= 60, "wait_for_requests() takes a timeout of at most 60 seconds", timeout)
        if self._list({**filter, "count": count, "wait": f"{timeout}s", "limit": 1}).get("timedOut"):
            came = [f"{entry['method']} {entry['path']} {entry['status']}" for entry in self.requests()]
            raise TimeoutError(f"there were not {count} requests for {filter or 'anything'} after {timeout} s, but {came}")
        return self.requests(**filter)

    def world(self, data: bool = False) -> World:
        """Returns everything in the sandbox, for import_world or the flag --world. With data, fake data is included."""
        return cast(World, self.admin("GET", "/world", data=str(data).lower()))

    def import_world(self, world: World, draw: int | None = None) -> Any:
        """Replaces everything in the sandbox. With draw, the next request gets the same random faults as the one with this draw."""
        return self.admin("PUT", "/world", world, draw=draw)

    def har(self, **filter: Unpack[Filter]) -> dict[str, Any]:
        """Returns the first 1,000 requests that match as an HTTP Archive, which the network panel of a browser can open."""
        check_filter(filter, Filter.__annotations__)
        return cast(dict[str, Any], self._list({"limit": _LONGEST_PAGE, **filter, "format": "har"}))

    def keep(self, directory: str | Path) -> Kept:
        """Writes the world (NAME.world.json) and the last 1,000 requests (NAME.har). Returns their paths, as world and har."""
        directory = Path(directory)
        directory.mkdir(parents=True, exist_ok=True)
        few = sum(self.admin("GET")["counts"].values()) <= _MAX_WRITTEN_OUT
        world = directory / f"{self.name}.world.json"
        world.write_text(json.dumps(self.world(data=few)))
        har = directory / f"{self.name}.har"
        newest = self._list({"order": "desc", "limit": 1})["requests"]
        har.write_text(json.dumps(self.har(since=max(0, newest[0]["id"] - _LONGEST_PAGE) if newest else 0)))
        return Kept(world, har)


class Sandbox(AnySandbox):
    """An isolated copy of the service: data, ids, clock, faults and journal of its own. "with" drops it at the end."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.drop()

    def drop(self) -> None:
        """Drops the sandbox with everything in it."""
        try:
            self._server.ask("DELETE", "/admin/sandboxes/" + self.name)
        except PetstoreError as error:
            if error.status != 404:  # it has already been dropped
                raise
