"""Calls as users make them, for mypy --strict and pyright: a comment names the error of a wrong one."""

# pyright: strict, reportUnnecessaryTypeIgnoreComment=true

from datetime import datetime, timedelta
from pathlib import Path

import petstore_sandbox
import petstore_sandbox.unittest
from petstore_sandbox import FaultRule, JournalEntry, Kept, NewFaultRule, Sandbox, Store

RULE: NewFaultRule = {"match": {"operationId": "createPet"}, "times": 2, "delay": {"fixedMs": 300}, "abort": "reset"}


def test_all(petstore: Store, pets: Sandbox, tmp_path: Path) -> None:
    rule: FaultRule = pets.fault(RULE, when="after", headers={"Retry-After": "0"})
    applied: int = rule["applied"]
    pets.fault(status="503")  # type: ignore[arg-type]
    pets.fault(abort="explode")  # type: ignore[arg-type]
    applied += pets.lifecycle("getPet", sunset=None, enforceSunset=True)["calls"]
    pets.lifecycle("getPet", enforced=True)  # type: ignore[call-arg]
    entries: list[JournalEntry] = pets.requests(operationId="createPet", status="5xx", limit=3)
    statuses: list[int] = [entry["status"] for entry in entries if "response" in entry]
    pets.requests(order="desc")  # type: ignore[call-arg]
    pets.wait_for_requests(2, timeout=0.5, path="/pets")
    pets.wait_for_requests(limit=statuses[0])  # type: ignore[call-arg]
    pets.reset("data", pets=3)
    pets.reset("everything")  # type: ignore[arg-type]
    pets.clock.set(datetime(2031, 1, 1))
    pets.clock.advance(timedelta(days=3))
    pets.clock.advance(3)  # type: ignore[arg-type]
    kept: Kept = pets.keep(tmp_path)
    with petstore_sandbox.start(pets=500, api_key=["one", "two"], world=kept.world, strict=True) as store:
        store.sandbox("one").import_world(pets.world(), draw=5)
    petstore_sandbox.start(pest=5)  # type: ignore[call-arg]


class TypedTest(petstore_sandbox.unittest.TestCase):
    petstore_flags = {"pets": 5}

    def test_it(self) -> None:
        self.pets.clear_faults()
        self.petstore.stop()
