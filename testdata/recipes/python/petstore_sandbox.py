"""Petstore sandboxes for tests, with Python's standard library alone (3.11 or newer). Copy this file into your project.

    with petstore_sandbox.start(pets=500) as store:
        with store.sandbox("test_checkout") as pets:
            pets.fault(match={"operationId": "createPet"}, times=2, status=503)
            checkout(pets.url)
            assert len(pets.requests(operationId="createPet")) == 3

The server is the program petstore: the one that PETSTORE_BINARY names, otherwise the one in PATH. It ends when this
process does, even if it is killed. Names of fields are those of the admin API, which the server shows at /docs/. The
clients for JavaScript and Java have the same names in their spelling: waitForRequests.
"""

import hashlib
import json
import os
import queue
import re
import secrets
import shutil
import subprocess
import threading
import urllib.error
import urllib.parse
import urllib.request
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

# Requests to the server never go through a proxy of the environment.
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

# How long a program may take to announce its address, in seconds.
_PATIENCE = 30

_FILTERS = "operationId", "method", "path", "status", "since", "limit"


class PetstoreError(Exception):
    """An error of the admin API. The message says what to do; code and details are as in the response."""

    def __init__(self, request, error):
        self.status, self.code, self.details = error["status"], error["code"], error.get("details", [])
        message = f"{request}: {error['message']}"
        if self.status == 401:
            message += "; give it to connect() as admin_key, or set PETSTORE_ADMIN_KEY"
        several = self.details if len(self.details) > 1 else []  # the message names the first
        super().__init__("\n  ".join([message] + [f"{detail['field']}: {detail['message']}" for detail in several]))


def start(binary=None, **flags):
    """Starts a server on a free port and returns its Store, which is also a context manager that stops it.

    flags are those of petstore, with underscores: start(pets=500, rate_limit=10, api_key=["one", "two"], strict=True).
    Where others can reach the server, by addr or public_url, and no admin_key is given, one is made. It serves HTTP only.
    RuntimeError says what the server did if it did not start, or announced no address in 30 s.
    """
    flags = {"addr": "127.0.0.1:0", "exit_with_stdin": True} | {name: value for name, value in flags.items() if value is not None}
    flags["admin_key"] = admin_key = _admin_key(flags)
    command = [binary or os.environ.get("PETSTORE_BINARY", "petstore")]
    environment = dict(os.environ)
    environment.pop("PETSTORE_BINARY", None)  # a script or npm's launcher there could start itself again and again
    for name in "admin_key", "api_key":  # not as arguments, which other users of the machine can read
        keys = flags.pop(name, None)
        if keys is not None:
            keys = [keys] if isinstance(keys, str) else keys
            _want(name == "admin_key" or "," not in "".join(keys), "start() takes api_key as one key or a list, without commas in them", keys)
            environment["PETSTORE_" + name.upper()] = ",".join(keys)
    for name, value in flags.items():
        for one in value if isinstance(value, (list, tuple)) else [value]:
            one = str(one).lower() if isinstance(one, bool) else one
            command.append(f"--{name.replace('_', '-')}={one}")
    if not shutil.which(command[0]):
        raise RuntimeError(f"there is no program {command[0]}; put petstore into PATH, or its path into PETSTORE_BINARY")
    pipes = dict.fromkeys(["stdin", "stdout", "stderr"], subprocess.PIPE)
    process = subprocess.Popen(command, **pipes, text=True, errors="replace", env=environment)
    log = _Log(process.stderr)
    if hasattr(os, "register_at_fork"):  # a child that holds the pipe would keep the server from ending
        os.register_at_fork(after_in_child=process.stdin.close)
    said = queue.SimpleQueue()  # the first line, or if there is none, the exit code
    threading.Thread(target=lambda: said.put(process.stdout.readline().rstrip() or process.wait()), daemon=True).start()
    try:
        announcement = said.get(timeout=_PATIENCE)
    except queue.Empty:
        announcement = None
    if not str(announcement).startswith("petstore listening on http://"):
        process.stdin.close()
        process.kill()
        process.wait()
        log.join(1)  # a program that the process has started may hold the pipes open
        if announcement is not None:
            process.stdout.close()
        what = f"said {announcement!r} instead of its address"
        if announcement is None:
            what = f"announced no address in {_PATIENCE} s"
        elif isinstance(announcement, int):
            what = f"ended with exit code {announcement}"
        elif " on https://" in announcement:
            what = "serves HTTPS, but start() takes HTTP only; leave out tls, tls_cert, PETSTORE_TLS and PETSTORE_TLS_CERT"
        raise RuntimeError(f"{' '.join(command)} {what}:\n{log.text.strip().removeprefix('petstore: ')}")
    return Store(announcement.removeprefix("petstore listening on "), admin_key, process, log)


def connect(url=None, admin_key=None):
    """Returns the Store of a server that runs already, such as a container, once it has answered.

    What is left out is the value of PETSTORE_URL or PETSTORE_ADMIN_KEY. stop() leaves that server alone.
    """
    url = url or os.environ.get("PETSTORE_URL")
    is_address = re.match("https?://", str(url)) and not re.search("/sandboxes/[^/]*/?$", url)
    _want(is_address, "connect() takes the address of a server, such as http://127.0.0.1:8080, or none if PETSTORE_URL has it", url)
    store = Store(url.rstrip("/"), admin_key or os.environ.get("PETSTORE_ADMIN_KEY"))
    store.admin("GET")
    return store


def _admin_key(flags):
    """Returns the key of a server with these flags. Where others reach it, it would make one and only log it."""
    key = flags.get("admin_key") or os.environ.get("PETSTORE_ADMIN_KEY")
    public = flags.get("public_url") or os.environ.get("PETSTORE_PUBLIC_URL")
    others = public or not re.match(r"(localhost|127(\.\d+){3}|\[::1\]):", flags["addr"])
    return key or (secrets.token_hex() if others else None)


class _Log(threading.Thread):
    """Reads what a server writes to standard error, and keeps the end of it."""

    def __init__(self, stream):
        super().__init__(daemon=True)
        self.text, self._stream = "", stream
        self.start()

    def run(self):
        with self._stream:
            for line in self._stream:
                self.text = (self.text + line)[-65536:]


def _title(name):
    """Returns the text itself if the server takes it as the name of a sandbox, else what it takes, and as unique: without
    control characters, cut off, and with twelve digits of its SHA-256."""
    _want(isinstance(name, str) and name, "sandbox() takes a name, such as that of a test", name)
    written = name.encode(errors="backslashreplace").decode()  # half of a surrogate pair has no UTF-8
    readable = re.sub(r"[\x00-\x1f\x7f-\x9f]+", " ", written)
    if readable == name and len(name) <= 200 and name not in ("*", ".", ".."):
        return name
    return f"{readable[:187]} {hashlib.sha256(written.encode()).hexdigest()[:12]}"


class Kept(NamedTuple):
    """The paths of the files that keep() has written."""

    world: Path
    har: Path


class AnySandbox:
    """What every sandbox has: that of a test, and the default one, which is the Store itself.

    name is what the header X-Sandbox calls it, title the text that it was named by, and url its base address.
    """

    def __init__(self, store, name, title):
        self.name, self.title = name, title
        self._store, self._path = store, "" if name == "default" else "/sandboxes/" + name
        self.url = store.url + self._path
        self.clock = Clock(self)

    def admin(self, method, path="", body=None, **query):
        """Calls the admin API in this sandbox: admin("PUT", "/snapshots/before")."""
        inside = re.match(r"$|[/?]", path) and ".." not in re.split("[/?]", urllib.parse.unquote(path))
        _want(inside, "admin() takes a path below /admin that begins with a slash, such as /snapshots/full", path)
        return self._store._ask(method, f"{self._path}/admin{path}", body, **query)

    def reset(self, *parts, **baseline):
        """Makes it as it was at first, or only parts of it, such as "data" and "faults"; or with other data: pets=3."""
        for part in parts:
            _want(isinstance(part, str), 'reset() takes the names of parts, such as "data"', part)
        return self.admin("POST", "/reset", baseline or None, only=",".join(parts) or None)

    def fault(self, rule=None, /, **fields):
        """Adds a fault rule, after those there are: fault(match={"operationId": "createPet"}, times=2, status=503)."""
        rule = {} if rule is None else rule
        _want(isinstance(rule, dict) and rule | fields, "fault() takes a rule, such as status=503, times=2", rule)
        return self.admin("POST", "/faults", rule | fields)

    def clear_faults(self):
        """Removes all fault rules."""
        self.admin("DELETE", "/faults")

    def lifecycle(self, operation_id, **changes):
        """Changes when an operation is deprecated and removed: lifecycle("getPet", enforceSunset=True). What is left out stays,
        and None returns a field to the value that the document gives it."""
        return self.admin("PATCH", "/operations/" + operation_id, changes)

    def requests(self, **filter):
        """Returns the requests so far, oldest first, filtered by operationId, method, path, status or since (an id). With
        limit, only so many of them."""
        _check_filter(filter)
        limit, found = filter.pop("limit", None), []
        while limit is None or len(found) < limit:
            few = 1000 if limit is None else min(limit - len(found), 1000)
            page = self.admin("GET", "/requests", limit=few, **filter)
            found += page["requests"]
            if len(page["requests"]) == page["matched"]:
                break
            filter["since"] = found[-1]["id"]
        return found

    def wait_for_requests(self, count=1, timeout=5, **filter):
        """Returns the same as soon as count match. TimeoutError after timeout seconds, 60 at most, says what came."""
        _check_filter(filter, "limit")
        is_number = isinstance(timeout, (int, float))
        _want(is_number and 0 <= timeout <= 60, "wait_for_requests() takes a timeout of at most 60 seconds", timeout)
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

    def har(self, **filter):
        """Returns the requests that match as an HTTP Archive, which the network panel of a browser opens: the first 1,000."""
        _check_filter(filter)
        return self.admin("GET", "/requests", format="har", **{"limit": 1000} | filter)

    def keep(self, directory):
        """Writes the world (NAME.world.json) and the last 1,000 requests (NAME.har). Returns their paths, as world and har."""
        directory = Path(directory)
        directory.mkdir(parents=True, exist_ok=True)
        few = sum(self.admin("GET")["counts"].values()) <= 10_000
        world = directory / f"{self.name}.world.json"
        world.write_text(json.dumps(self.world(data=few)))
        har = directory / f"{self.name}.har"
        newest = self.admin("GET", "/requests", order="desc", limit=1)["requests"]
        since = max(0, newest[0]["id"] - 1000) if newest else None
        har.write_text(json.dumps(self.har(since=since)))
        return Kept(world, har)


class Sandbox(AnySandbox):
    """An isolated copy of the service: data, ids, clock, faults and journal of its own. "with" drops it at the end."""

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


class Store(AnySandbox):
    """A server, from start() or connect(), and its default sandbox. admin_key is the key of its admin API, or None."""

    def __init__(self, url, admin_key, process=None, log=None):
        self.url, self.admin_key, self._process, self._log = url, admin_key, process, log
        super().__init__(self, "default", "default")

    @property
    def log(self):
        """The last 64 KiB of what the server wrote to standard error, if it was started here."""
        return self._log.text if self._log else ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def sandbox(self, name):
        """Returns the sandbox of the name, any text such as that of a test, as new. "with" drops it at the end.

        What the server does not take, more than 200 characters or line breaks, is shortened to what stays unique.
        """
        path = "/admin/sandboxes/" + urllib.parse.quote(_title(name), safe="")
        made = self._ask("PUT", path, {"fresh": True})
        return Sandbox(self, made["name"], made["title"])

    def stop(self):
        """Ends the server, if it was started here, when its requests in flight have been answered."""
        if self._process:
            self._process.stdin.close()
            self._process.wait()
            self._process.stdout.close()
            self._log.join()

    def _ask(self, method, path, body=None, **query):
        """Makes a request to the admin API and returns the JSON of its response, None if there is none."""
        query = urllib.parse.urlencode({name: value for name, value in query.items() if value is not None})
        request = urllib.request.Request(f"{self.url}{path}?{query}".rstrip("?"), method=method)
        request.add_header("Content-Type", "application/json")  # in any case, so that a missing body is told as one
        if body is not None:
            request.data = json.dumps(body).encode()
        if self.admin_key:
            request.add_header("Authorization", f"Bearer {self.admin_key}")
        try:
            response = _opener.open(request)
        except urllib.error.HTTPError as error:
            response = error
        except OSError as error:
            raise ConnectionError(f"{method} {request.full_url}: {self._why_none(error)}") from error
        with response:
            text = response.read()
        try:
            answer = json.loads(text) if text else None
            refusal = PetstoreError(f"{method} {path}", answer) if response.status >= 400 else None
        except (ValueError, LookupError, TypeError):
            raise RuntimeError(f"{method} {request.full_url} was not answered by a petstore, but with {text[:80]!r}") from None
        if refusal:
            raise refusal
        return answer

    def _why_none(self, error):
        try:  # a process that is killed loses its connections before anybody is told of its end
            code = self._process.wait(1) if self._process else None
        except subprocess.TimeoutExpired:
            code = None
        return getattr(error, "reason", error) if code is None else f"the server ended with exit code {code}:\n{self.log}"


def _want(holds, what, value):
    if not holds:
        raise TypeError(f"{what}, not {value!r}")


def _check_filter(filter, *but):
    """Others, such as order, would change what a page of the list is."""
    known = [name for name in _FILTERS if name not in but]
    for name in filter:
        if name not in known:
            raise TypeError(f"there is no filter {name}; there are {', '.join(known)}")


class Clock:
    """The time in a sandbox."""

    def __init__(self, sandbox):
        self._sandbox = sandbox

    def read(self):
        """Returns the time, whether it is frozen, and how far it is ahead of the machine's, by the names of the admin API."""
        return self._sandbox.admin("GET", "/clock")

    def now(self):
        """Returns the time as a datetime in UTC."""
        return datetime.fromisoformat(self.read()["now"])

    def set(self, time):
        """Sets the time, a datetime with a zone or a text such as 2031-01-01T00:00:00Z. It runs on unless it is frozen."""
        return self._change(now=_instant("set", time))

    def advance(self, by):
        """Moves it by a timedelta or a text such as 72h."""
        _want(isinstance(by, (timedelta, str)), "clock.advance() takes a timedelta, or a text such as 72h", by)
        return self._change(advance=f"{by.total_seconds():.6f}s" if isinstance(by, timedelta) else by)

    def freeze(self, time=None):
        """Stops it at this time, else where it is. set() and advance() still move it."""
        return self._change(frozen=True, **{} if time is None else {"now": _instant("freeze", time)})

    def unfreeze(self):
        """Lets it run on from where it is."""
        return self._change(frozen=False)

    def release(self):
        """Returns to the machine's time."""
        self._sandbox.admin("DELETE", "/clock")

    def _change(self, **changes):
        return self._sandbox.admin("PUT", "/clock", changes)


def _instant(call, time):
    _want(isinstance(time, (datetime, str)), f"clock.{call}() takes a datetime, or a text such as 2031-01-01T00:00:00Z", time)
    _want(isinstance(time, str) or time.tzinfo, f"clock.{call}() takes a datetime with a zone", time)
    return time.isoformat() if isinstance(time, datetime) else time
