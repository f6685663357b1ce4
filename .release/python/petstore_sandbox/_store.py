import hashlib
import os
import re
import secrets
import urllib.parse
from types import TracebackType
from typing import Any, Self, Unpack

from ._binary import find_binary
from ._check import want
from ._sandbox import AnySandbox, Sandbox
from ._server import Server, run
from ._types import Flags

__tracebackhide__ = True


class Store(AnySandbox):
    """A server, from start() or connect(), and its default sandbox. admin_key is the key of its admin API, or None."""

    admin_key: str | None

    def __init__(self, server: Server) -> None:
        super().__init__(server, "default", "default")
        self.admin_key = server.admin_key

    @property
    def log(self) -> str:
        """The last 64 KiB of the server's standard error, if it was started here."""
        return self._server.log

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    def sandbox(self, name: str) -> Sandbox:
        """Creates a sandbox with this name, or makes an existing one like new, and returns it. "with" drops it at the end.

        The name may be any text, such as the name of a test. A text that the server does not accept, such as one with more
        than 200 characters or with line breaks, is shortened to a unique one.
        """
        path = "/admin/sandboxes/" + urllib.parse.quote(_title(name), safe="")
        made = self._server.ask("PUT", path, {"fresh": True})
        return Sandbox(self._server, made["name"], made["title"])

    def stop(self) -> None:
        """Ends the server, if it was started here, after it has answered the requests in flight."""
        self._server.stop()


def start(binary: str | os.PathLike[str] | None = None, **flags: Unpack[Flags]) -> Store:
    """Starts a server on a free port and returns its Store, which is also a context manager that stops it.

    flags are those of petstore, with underscores: start(pets=500, rate_limit=10, api_key=["one", "two"], strict=True).
    If other machines can reach the server, by addr or public_url, and no admin_key is given, start() generates one. The
    server serves HTTP only. If it does not start, or announces no address in 30 s, a RuntimeError says what it did. If there
    is no program petstore, the RuntimeError says where start() looked. The server ends when this process does, even if it
    is killed.
    """
    given: dict[str, Any] = {name: value for name, value in flags.items() if value is not None}
    given.setdefault("addr", "127.0.0.1:0")
    given["admin_key"] = admin_key = _admin_key(given)
    environment = dict(os.environ)
    environment.pop("PETSTORE_BINARY", None)  # a script or npm's launcher there could start itself again and again
    for name in "admin_key", "api_key":  # not as arguments, which other users of the machine can read
        keys = given.pop(name, None)
        if keys is not None:
            keys = [keys] if isinstance(keys, str) else keys
            want(name == "admin_key" or "," not in "".join(keys), "start() takes api_key as one key or a list, without commas in them", keys)
            environment["PETSTORE_" + name.upper()] = ",".join(keys)
    return Store(run(find_binary(binary), _arguments(given), environment, admin_key))


def connect(url: str | None = None, admin_key: str | None = None) -> Store:
    """Connects to a running server, such as a container, and returns its Store once it has responded.

    The defaults are the values of PETSTORE_URL and PETSTORE_ADMIN_KEY. stop() does not end that server.
    """
    url = url or os.environ.get("PETSTORE_URL")
    is_address = re.match("https?://", str(url)) and not re.search("/sandboxes/[^/]*/?$", str(url))
    want(is_address, "connect() takes the address of a server, such as http://127.0.0.1:8080, or none if PETSTORE_URL has it", url)
    store = Store(Server(str(url).rstrip("/"), admin_key or os.environ.get("PETSTORE_ADMIN_KEY")))
    store.admin("GET")
    return store


def for_tests(**flags: Unpack[Flags]) -> Store:
    """Returns the store for a test's fixture. Without flags, that is the server at PETSTORE_URL, if it is set."""
    return start(**flags) if flags or not os.environ.get("PETSTORE_URL") else connect()


def _arguments(flags: dict[str, Any]) -> list[str]:
    """Returns flags as arguments: {"cors_origin": ["a", "b"], "strict": True} as --cors-origin=a --cors-origin=b --strict=true."""
    arguments = []
    for name, value in flags.items():
        for one in value if isinstance(value, (list, tuple)) else [value]:
            one = str(one).lower() if isinstance(one, bool) else one
            arguments.append(f"--{name.replace('_', '-')}={one}")
    return arguments


def _admin_key(flags: dict[str, Any]) -> str | None:
    """Returns the key of a server with these flags. A server that others can reach would generate a key and only log it."""
    key: str | None = flags.get("admin_key") or os.environ.get("PETSTORE_ADMIN_KEY")
    public = flags.get("public_url") or os.environ.get("PETSTORE_PUBLIC_URL")
    others = public or not re.match(r"(localhost|127(\.\d+){3}|\[::1\]):", flags["addr"])
    return key or (secrets.token_hex() if others else None)


def _title(name: str) -> str:
    """Returns the text itself if the server accepts it as the name of a sandbox. Otherwise returns a unique name: the text
    without control characters, shortened, and with twelve digits of its SHA-256."""
    want(isinstance(name, str) and name, "sandbox() takes a name, such as that of a test", name)
    written = name.encode(errors="backslashreplace").decode()  # half of a surrogate pair has no form in UTF-8
    readable = re.sub(r"[\x00-\x1f\x7f-\x9f]+", " ", written)
    if readable == name and len(name) <= 200 and name not in ("*", ".", ".."):
        return name
    return f"{readable[:187]} {hashlib.sha256(written.encode()).hexdigest()[:12]}"
