"""A server as its sandboxes use it: its process, its log and its admin API."""

import json
import os
import queue
import subprocess
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from typing import IO, Any

from ._types import ErrorDetail

__tracebackhide__ = True

# Requests to the server never go through a proxy of the environment.
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

# The time that a program has to announce its address, in seconds.
_PATIENCE = 30.0


class PetstoreError(Exception):
    """An error of the admin API. The message says what to do; code and details are as in the response."""

    status: int
    code: str
    details: list[ErrorDetail]

    def __init__(self, request: str, error: dict[str, Any]) -> None:
        self.status, self.code, self.details = error["status"], error["code"], error.get("details", [])
        message = f"{request}: {error['message']}"
        if self.status == 401:
            message += "; give it to connect() as admin_key, or set PETSTORE_ADMIN_KEY"
        several = self.details if len(self.details) > 1 else []  # the message names the first
        super().__init__("\n  ".join([message] + [f"{detail['field']}: {detail['message']}" for detail in several]))


class Log(threading.Thread):
    """Reads the standard error of a server, and keeps its end."""

    def __init__(self, stream: IO[str]) -> None:
        super().__init__(daemon=True)
        self.text, self._stream = "", stream
        self.start()

    def run(self) -> None:
        with self._stream:
            for line in self._stream:
                self.text = (self.text + line)[-65536:]


class Server:
    """A running server. Without a process, it was started elsewhere."""

    def __init__(self, url: str, admin_key: str | None, process: "subprocess.Popen[str] | None" = None, log: Log | None = None) -> None:
        self.url, self.admin_key, self._process, self._log = url, admin_key, process, log

    @property
    def log(self) -> str:
        return self._log.text if self._log else ""

    def stop(self) -> None:
        if self._process and self._process.stdin and self._process.stdout and self._log:
            self._process.stdin.close()
            self._process.wait()
            self._process.stdout.close()
            self._log.join()

    def ask(self, method: str, path: str, body: object = None, query: Mapping[str, object] = {}) -> Any:
        """Makes a request to the admin API and returns the JSON of its response, None if there is none."""
        parameters = urllib.parse.urlencode({name: value for name, value in query.items() if value is not None})
        request = urllib.request.Request(f"{self.url}{path}?{parameters}".rstrip("?"), method=method)
        request.add_header("Content-Type", "application/json")  # always, so that the error for a missing body says so
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

    def _why_none(self, error: OSError) -> object:
        if not self._process or not self._log:
            return getattr(error, "reason", error)
        try:  # the connections of a killed process break before its end is reported
            code = self._process.wait(1)
        except subprocess.TimeoutExpired:
            return getattr(error, "reason", error)
        self._log.join(1)  # the log may not have been read yet
        return f"the server ended with status {code}:\n{self.log}"


def run(binary: str, arguments: list[str], environment: dict[str, str], admin_key: str | None) -> Server:
    """Starts a program, and returns it once it has announced its address."""
    process = subprocess.Popen(
        [binary, *arguments, "--exit-with-stdin"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", env=environment
    )
    assert process.stdin and process.stdout and process.stderr
    stdin, stdout, log = process.stdin, process.stdout, Log(process.stderr)
    if hasattr(os, "register_at_fork"):  # a child that holds the pipe would keep the server from ending
        os.register_at_fork(after_in_child=stdin.close)
    said: queue.SimpleQueue[str | int] = queue.SimpleQueue()  # the first line, or if there is none, the exit code
    threading.Thread(target=lambda: said.put(stdout.readline().rstrip() or process.wait()), daemon=True).start()
    announcement: str | int | None
    try:
        announcement = said.get(timeout=_PATIENCE)
    except queue.Empty:
        announcement = None
    if isinstance(announcement, str) and announcement.startswith("petstore listening on http://"):
        return Server(announcement.removeprefix("petstore listening on "), admin_key, process, log)
    stdin.close()
    process.kill()
    process.wait()
    log.join(1)  # a program that the process has started may hold the pipes open
    if announcement is not None:
        stdout.close()
    raise RuntimeError(f"petstore {' '.join(arguments)} {_instead(announcement)}:\n{log.text.strip().removeprefix('petstore: ')}")


def _instead(announcement: str | int | None) -> str:
    """Describes what a program did instead of announcing its address."""
    if announcement is None:
        return f"announced no address in {_PATIENCE:g} s"
    if isinstance(announcement, int):
        return f"ended with status {announcement} before it was ready"
    if " on https://" in announcement:
        return "serves HTTPS, but start() takes HTTP only; leave out tls, tls_cert, PETSTORE_TLS and PETSTORE_TLS_CERT"
    return f"said {announcement!r} instead of its address"
