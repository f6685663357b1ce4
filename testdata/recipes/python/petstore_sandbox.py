"""Petstore sandboxes for tests, with Python's standard library alone (3.11 or newer). Copy this file into your project.

    with petstore_sandbox.start(pets=500) as store:
        with store.sandbox("test_checkout") as pets:
            pets.fault(match={"operationId": "createPet"}, times=2, status=503)
            checkout(pets.url)
            assert len(pets.requests(operationId="createPet")) == 3

The server is the program petstore: the one that PETSTORE_BINARY names, otherwise the one in PATH. It ends when this
process does, even if it is killed. Names of fields are those of the admin API, which the server shows at /docs/.
"""

import json
import os
import shutil
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from datetime import datetime, timedelta
from pathlib import Path

# Requests to the server never go through a proxy of the environment.
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class PetstoreError(Exception):
    """An error of the admin API. The message says what to do; code and details are as in the response."""

    def __init__(self, error):
        super().__init__(error.get("message"))
        self.status, self.code, self.details = error.get("status"), error.get("code"), error.get("details", [])


def start(binary=None, **flags):
    """Starts a server on a free port and returns its Store, which is also a context manager that stops it.

    flags are those of petstore, with underscores: start(pets=500, rate_limit=10, api_key=["one", "two"], strict=True).
    """
    flags = {"addr": "127.0.0.1:0", "exit_with_stdin": True} | flags
    command = [binary or os.environ.get("PETSTORE_BINARY", "petstore")]
    environment = dict(os.environ)
    for name in "admin_key", "api_key":  # not as arguments, which other users of the machine can read
        keys = flags.pop(name, None)
        if keys is not None:
            environment["PETSTORE_" + name.upper()] = keys if isinstance(keys, str) else ",".join(keys)
    for name, value in flags.items():
        for one in value if isinstance(value, (list, tuple)) else [value]:
            one = str(one).lower() if isinstance(one, bool) else one
            command += [] if one is None else [f"--{name.replace('_', '-')}={one}"]
    if not shutil.which(command[0]):
        raise RuntimeError(f"there is no program {command[0]}; put petstore into PATH, or its path into PETSTORE_BINARY")
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
    if hasattr(os, "register_at_fork"):  # a child that holds the pipe would keep the server from ending
        os.register_at_fork(after_in_child=process.stdin.close)
    announcement = process.stdout.readline().rstrip()
    if not announcement.startswith("petstore listening on http://"):
        process.stdin.close()
        process.stdout.close()
        code = process.wait()
        said = f"said {announcement!r} instead of its address" if announcement else f"ended with exit code {code}"
        raise RuntimeError(f"{' '.join(command)} {said}; standard error says why, if it failed")
    return Store(announcement.removeprefix("petstore listening on "), environment.get("PETSTORE_ADMIN_KEY"), process)


class Store:
    """A server, with its address in url. Store(url, admin_key) is one that runs already, such as a container."""

    def __init__(self, url, admin_key=None, process=None):
        self.url, self._admin_key, self._process = url.rstrip("/"), admin_key, process
        self.default = Sandbox(self, "default")  # the one that requests without a sandbox speak to

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def sandbox(self, name):
        """Returns the sandbox of the name, any text of at most 200 characters, as new. "with" drops it at the end."""
        path = "/admin/sandboxes/" + urllib.parse.quote(name, safe="")
        return Sandbox(self, self._ask("PUT", path, {"fresh": True})["name"])

    def stop(self):
        """Ends the server, if it was started here, when its requests in flight have been answered."""
        if self._process:
            self._process.stdin.close()
            self._process.wait()
            self._process.stdout.close()

    def _ask(self, method, path, body=None, **query):
        """Makes a request to the admin API and returns the JSON of its response, None if there is none."""
        query = urllib.parse.urlencode({name: value for name, value in query.items() if value is not None})
        request = urllib.request.Request(f"{self.url}{path}?{query}".rstrip("?"), method=method)
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        if self._admin_key:
            request.add_header("Authorization", f"Bearer {self._admin_key}")
        try:
            with _opener.open(request) as response:
                text = response.read()
        except urllib.error.HTTPError as error:
            with error:
                raise PetstoreError(json.load(error)) from None
        return json.loads(text) if text else None


class Sandbox:
    """An isolated copy of the service at url: data, ids, clock, faults and journal of its own."""

    def __init__(self, store, name):
        self.name, self.url = name, f"{store.url}/sandboxes/{name}"
        self.clock = Clock(self)
        self._store = store

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.drop()

    def drop(self):
        """Drops the sandbox with all that is in it."""
        try:
            self._store._ask("DELETE", "/admin/sandboxes/" + self.name)
        except PetstoreError as error:
            if error.status != 404:  # it is gone already
                raise

    def admin(self, method, path="", body=None, **query):
        """Calls the admin API in this sandbox: admin("PUT", "/snapshots/before")."""
        return self._store._ask(method, f"/sandboxes/{self.name}/admin{path}", body, **query)

    def reset(self, *parts):
        """Makes it as it was at first, or only parts of it, such as "data" and "faults"."""
        return self.admin("POST", "/reset", only=",".join(parts) or None)

    def fault(self, **rule):
        """Adds a fault rule, after those there are: fault(match={"operationId": "createPet"}, times=2, status=503)."""
        return self.admin("POST", "/faults", rule)

    def lifecycle(self, operation_id, **changes):
        """Changes when an operation is deprecated and removed: lifecycle("getPet", enforceSunset=True)."""
        return self.admin("PUT", "/operations/" + operation_id, changes)

    def requests(self, **filter):
        """Returns the requests so far, oldest first, filtered by operationId, method, path, status or since (an id)."""
        found = []
        while page := self.admin("GET", "/requests", limit=1000, **filter)["requests"]:
            found += page
            filter["since"] = page[-1]["id"]
        return found

    def wait_for_requests(self, count=1, timeout=5, **filter):
        """Returns the same as soon as count match. TimeoutError after timeout seconds, 60 at most, says what came."""
        if self.admin("GET", "/requests", count=count, wait=f"{timeout}s", limit=1, **filter).get("timedOut"):
            came = [f"{entry['method']} {entry['path']} {entry['status']}" for entry in self.requests()]
            raise TimeoutError(f"there were not {count} requests for {filter or 'anything'} after {timeout} s, but {came}")
        return self.requests(**filter)

    def world(self, data=False):
        """Returns all that it holds, for import_world or the flag --world; with data, fake data is written out."""
        return self.admin("GET", "/world", data=str(data).lower())

    def import_world(self, world, draw=None):
        """Replaces all that it holds. With draw, the next request meets the chance that the one with this draw met."""
        return self.admin("PUT", "/world", world, draw=draw)

    def keep(self, directory):
        """Writes the world (NAME.world.json) and the requests as a HAR (NAME.har). Returns the path of the world."""
        directory = Path(directory)
        directory.mkdir(parents=True, exist_ok=True)
        few = sum(self.admin("GET")["counts"].values()) <= 10_000
        world = directory / f"{self.name}.world.json"
        world.write_text(json.dumps(self.world(data=few)))
        har = directory / f"{self.name}.har"
        har.write_text(json.dumps(self.admin("GET", "/requests", format="har", limit=1000)))
        return world


class Clock:
    """The time in a sandbox."""

    def __init__(self, sandbox):
        self._sandbox = sandbox

    def now(self):
        """Returns the time as a datetime in UTC."""
        return datetime.fromisoformat(self._sandbox.admin("GET", "/clock")["now"])

    def set(self, time, frozen=False):
        """Sets the time, a datetime with a zone or a text such as 2031-01-01T00:00:00Z."""
        time = time.isoformat() if isinstance(time, datetime) else time
        return self._sandbox.admin("PUT", "/clock", {"now": time, "frozen": frozen})

    def advance(self, by):
        """Moves it by a timedelta or a text such as 72h."""
        by = f"{by.total_seconds():.6f}s" if isinstance(by, timedelta) else by
        return self._sandbox.admin("PUT", "/clock", {"advance": by})

    def release(self):
        """Returns to the machine's time."""
        self._sandbox.admin("DELETE", "/clock")
