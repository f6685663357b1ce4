"""The cases that all clients share."""

import json
import urllib.error
import urllib.request
from datetime import timedelta

import pytest

import petstore_sandbox
from cases import CASES, DEFAULTS, MESSAGES, NAMES


@pytest.fixture(scope="module")
def store():
    with petstore_sandbox.start(**DEFAULTS["flags"]) as store:
        yield store


class Steps:
    """Makes the calls of a case, each by a method of its name."""

    def __init__(self, store, name, directory):
        self.store, self.directory = store, directory
        self.pets = store.sandbox(name)
        self.world_kept = None

    def call(self, step):
        return getattr(self, step["call"].replace(".", "_"))(**step.get("with", {}))

    def sandbox(self, name):
        self.pets = self.store.sandbox(name)

    def fetch(self, method, path, headers={}, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.pets.url + path, data, {"Content-Type": "application/json", **headers}, method=method)
        try:
            response = urllib.request.urlopen(request)
        except urllib.error.HTTPError as error:
            response = error
        with response:
            return {"status": response.status, "headers": dict(response.headers), "body": json.load(response)}

    def fault(self, **rule):
        return self.pets.fault(**rule)

    def clearFaults(self):
        self.pets.clear_faults()

    def lifecycle(self, operationId, **changes):
        return self.pets.lifecycle(operationId, **changes)

    def requests(self, **filter):
        return self.pets.requests(**filter)

    def har(self, **filter):
        return self.pets.har(**filter)

    def waitForRequests(self, count, timeoutSeconds, **filter):
        return self.pets.wait_for_requests(count, timeoutSeconds, **filter)

    def reset(self, only=(), **baseline):
        self.pets.reset(*only, **baseline)

    def clock_set(self, now):
        self.pets.clock.set(now)

    def clock_freeze(self, now):
        self.pets.clock.freeze(now)

    def clock_advance(self, seconds):
        self.pets.clock.advance(timedelta(seconds=seconds))

    def clock_unfreeze(self):
        self.pets.clock.unfreeze()

    def clock_release(self):
        self.pets.clock.release()

    def clock_now(self):
        return self.pets.clock.now().isoformat().replace("+00:00", "Z")

    def clock_read(self):
        return self.pets.clock.read()

    def world(self):
        self.world_kept = self.pets.world()

    def importWorld(self, draw):
        self.pets.import_world(self.world_kept, draw)

    def keep(self):
        return [path.name for path in self.pets.keep(self.directory)]

    def admin(self, method, path, body=None):
        return self.pets.admin(method, path, body)

    def drop(self):
        self.pets.drop()


def want_in(found, wanted):
    """Checks that a value has at least the contents of another."""
    if isinstance(wanted, dict):
        for name, value in wanted.items():
            want_in(found[name], value)
    elif isinstance(wanted, list):
        assert len(found) == len(wanted)
        for one, value in zip(found, wanted):
            want_in(one, value)
    else:
        assert found == wanted


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_case_of_all_clients(store, case, tmp_path):
    steps = Steps(store, case["name"], tmp_path)
    for step in case["steps"]:
        refuses = step.get("refuses")
        if not refuses:
            made = steps.call(step)
            want_in(made, step.get("gives", made))
            continue
        with pytest.raises(petstore_sandbox.PetstoreError) as caught:
            steps.call(step)
        assert (caught.value.status, caught.value.code) == (refuses["status"], refuses["code"])
        assert sorted(detail["field"] for detail in caught.value.details) == refuses.get("fields", [])
    steps.pets.drop()


def test_any_text_names_a_sandbox(store):
    for names in NAMES:
        with store.sandbox(names["text"]) as pets:
            assert (pets.title, pets.name) == (names["title"], names["name"])
            assert pets.admin("GET")["title"] == pets.title


def test_a_binary_that_cannot_be_run(monkeypatch):
    for binary, message in ("/nowhere/petstore", "notThere"), (__file__, "notExecutable"):
        monkeypatch.setenv(DEFAULTS["binary"], binary)
        with pytest.raises(RuntimeError) as caught:
            petstore_sandbox.start()
        assert str(caught.value) == MESSAGES[message].replace("{binary}", binary)


def test_a_server_that_does_not_start():
    with pytest.raises(RuntimeError) as caught:
        petstore_sandbox.start(pest=5)
    said = MESSAGES["ended"].replace("{arguments}", "--pest=5 --addr=127.0.0.1:0").replace("{status}", "2").replace("{log}", "")
    assert str(caught.value).startswith(said)
