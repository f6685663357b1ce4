"""Petstore sandboxes for tests, with Python's standard library alone (3.11 or newer).

    with petstore_sandbox.start(pets=500) as store:
        with store.sandbox("test_checkout") as pets:
            pets.fault(match={"operationId": "createPet"}, times=2, status=503)
            checkout(pets.url)
            assert len(pets.requests(operationId="createPet")) == 3

With pytest, the fixtures petstore and pets need no set-up; petstore_sandbox.unittest has a TestCase. Names of fields are
those of the admin API, which the server shows at /docs/. The clients for JavaScript and Java have the same names in their
spelling: waitForRequests.
"""

from importlib.metadata import version

from ._clock import Clock
from ._sandbox import AnySandbox, Kept, Sandbox
from ._server import PetstoreError
from ._store import Store, connect, start
from ._types import (
    Abort, Baseline, ClockReading, Delay, ErrorDetail, FaultMatch, FaultRule, Filter, Flags, JournalEntry, JournalResponse,
    LifecyclePatch, NewFaultRule, OperationStatus, Part, When, World,
)

__version__ = version("petstore-sandbox")
"""The version of the package, which is that of the server in petstore-sandbox-binary."""

__all__ = [
    "Abort", "AnySandbox", "Baseline", "Clock", "ClockReading", "Delay", "ErrorDetail", "FaultMatch", "FaultRule", "Filter", "Flags",
    "JournalEntry", "JournalResponse", "Kept", "LifecyclePatch", "NewFaultRule", "OperationStatus", "Part", "PetstoreError", "Sandbox",
    "Store", "When", "World", "connect", "start",
]
