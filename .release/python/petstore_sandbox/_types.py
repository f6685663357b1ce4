"""The types of the admin API, under the names in its document, /admin/openapi.json."""

import os
from collections.abc import Sequence
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

Abort: TypeAlias = Literal["reset", "truncate", "hang"]
When: TypeAlias = Literal["before", "after"]
Part: TypeAlias = Literal["data", "clock", "faults", "lifecycle", "journal", "report", "keys", "limit", "snapshots", "webhooks"]

World: TypeAlias = dict[str, Any]
"""Everything that a sandbox holds."""


class FaultMatch(TypedDict, total=False):
    """Selects the requests that a fault rule applies to."""

    operationId: str
    method: str
    path: str
    headers: dict[str, str]


class Delay(TypedDict, total=False):
    """A delay in milliseconds: fixed, or spread by a median and a 99th percentile."""

    fixedMs: int
    jitterMs: int
    p50Ms: int
    p99Ms: int


class NewFaultRule(TypedDict, total=False):
    """A rule that makes matching requests slow, wrong or broken."""

    id: int
    applied: int
    off: bool
    match: FaultMatch
    probability: float
    times: int
    delay: Delay
    status: int
    code: str
    message: str
    headers: dict[str, str]
    abort: Abort
    when: When


class FaultRule(TypedDict):
    """A fault rule with its id and the number of times that it was applied."""

    id: int
    applied: int
    off: NotRequired[bool]
    match: NotRequired[FaultMatch]
    probability: NotRequired[float]
    times: NotRequired[int]
    delay: NotRequired[Delay]
    status: NotRequired[int]
    code: NotRequired[str]
    message: NotRequired[str]
    headers: NotRequired[dict[str, str]]
    abort: NotRequired[Abort]
    when: NotRequired[When]


class LifecyclePatch(TypedDict, total=False):
    """Changes of a lifecycle. None returns a field to the document's value."""

    deprecated: bool | None
    deprecatedSince: str | None
    sunset: str | None
    successor: str | None
    stability: Literal["experimental", "beta", "stable"] | None
    enforceSunset: bool | None
    brownout: float | None


class OperationStatus(TypedDict):
    """An operation with its lifecycle and the number of its calls."""

    operationId: str
    method: str
    path: str
    tag: str
    calls: int
    changed: bool
    deprecated: bool
    deprecatedSince: NotRequired[str]
    sunset: NotRequired[str]
    successor: NotRequired[str]
    stability: NotRequired[Literal["experimental", "beta"]]
    enforceSunset: bool
    brownout: float


class JournalResponse(TypedDict):
    """The response in a journal entry."""

    status: int
    headers: dict[str, str]
    headersTruncated: NotRequired[bool]
    body: NotRequired[str]
    bodyTruncated: NotRequired[bool]
    bodySize: int


class JournalEntry(TypedDict):
    """A request to the service and its response."""

    id: int
    time: str
    receivedAt: str
    requestId: str
    draw: NotRequired[int]
    operationId: NotRequired[str]
    method: str
    scheme: Literal["http", "https"]
    host: str
    path: str
    query: NotRequired[str]
    protocol: str
    headers: dict[str, str]
    headersTruncated: NotRequired[bool]
    body: NotRequired[str]
    bodyTruncated: NotRequired[bool]
    bodySize: int
    status: int
    durationMs: float
    fault: NotRequired[int]
    changed: NotRequired[bool]
    undone: NotRequired[bool]
    client: str
    clientName: NotRequired[str]
    response: NotRequired[JournalResponse]


class ClockReading(TypedDict):
    """The time in a sandbox, and how far it is ahead of the machine's."""

    now: str
    frozen: bool
    offsetSeconds: float


class ErrorDetail(TypedDict):
    """An invalid field of a request, by its JSON Pointer or the name of its parameter."""

    field: str
    message: str


class Baseline(TypedDict, total=False):
    """The seed and the sizes from which fake data is generated."""

    seed: int
    pets: int
    categories: int
    orders: int


class Matches(TypedDict, total=False):
    """Which requests of the journal match. The status may be a class such as "5xx"; since is an id."""

    operationId: str
    method: str
    path: str
    status: int | str
    since: int


class Filter(Matches, total=False):
    """Which requests of the journal to return: limit is the most to return, the oldest first."""

    limit: int


class Flags(TypedDict, total=False):
    """The flags of the program, as petstore --help lists them, without those that start() sets itself."""

    addr: str | None
    public_url: str | None
    trusted_proxy: str | Sequence[str] | None
    replica: str | None
    sharded: bool | None
    seed: int | None
    pets: int | None
    categories: int | None
    orders: int | None
    fixtures: str | os.PathLike[str] | None
    world: str | os.PathLike[str] | None
    keep: str | os.PathLike[str] | None
    api_key: str | Sequence[str] | None
    admin_key: str | None
    admin_origin: str | Sequence[str] | None
    allowed_host: str | Sequence[str] | None
    workshop: bool | None
    cors_origin: str | Sequence[str] | None
    webhook_host: str | Sequence[str] | None
    strict: bool | None
    deprecated_since: str | None
    sunset: str | None
    enforce_sunset: bool | None
    latency: str | None
    error_rate: float | None
    rate_limit: float | None
    max_sandboxes: int | None
    explicit_sandboxes: bool | None
    sandbox_ttl: str | None
    sandbox_memory: int | str | None
    max_memory: int | str | None
    max_records: int | None
    max_connections: int | None
    journal: int | None
    verbose: bool | None
    log_format: Literal["text", "json"] | None
    log_level: Literal["debug", "info", "warn", "error"] | None
    drain: str | None
