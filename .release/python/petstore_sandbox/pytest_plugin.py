"""The plugin for pytest, which finds it by its entry point: the fixtures petstore and pets.

A test that fails leaves its world and its requests in the directory of --petstore-keep, and its report says where. With
pytest-xdist, each worker has a server of its own; with --petstore-shared, all have one.
"""

from collections.abc import Generator, Iterator
from typing import Any

import pytest

from ._sandbox import Sandbox
from ._store import Store, connect, for_tests

_shared = pytest.StashKey[Store]()
_pets = pytest.StashKey[Sandbox]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("petstore")
    group.addoption("--petstore-keep", metavar="DIR", default="failed", help="directory for the worlds of failed tests (default: %(default)s)")
    group.addoption("--petstore-shared", action="store_true", help="with pytest-xdist: one server for all workers")
    parser.addini("petstore_flags", "flags of the server, such as: --pets=500 --strict", type="args")


@pytest.fixture(scope="session")
def petstore(request: pytest.FixtureRequest) -> Iterator[Store]:
    """The server that all tests of the process share. For a sandbox of the test alone, use pets."""
    shared = getattr(request.config, "workerinput", {}).get("petstore")
    with connect(*shared) if shared else _start(request.config) as store:
        yield store


@pytest.fixture
def pets(petstore: Store, request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    """A new sandbox for the test, named after it, with its own data, ids, clock, faults and journal."""
    with petstore.sandbox(" ".join(request.node.nodeid.split("::"))) as sandbox:
        request.node.stash[_pets] = sandbox
        yield sandbox


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, None]:
    report = (yield).get_result()
    if not report.failed or call.when == "teardown" or _pets not in item.stash:
        return
    try:
        kept = f"The world is kept in {item.stash[_pets].keep(item.config.getoption('petstore_keep')).world}"
    except Exception as error:  # the report of the failure matters more
        kept = f"The world is not kept: {error}"
    report.sections.append(("petstore", kept))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Gives a worker of pytest-xdist the address of the server that all share."""
    if node.config.getoption("petstore_shared"):
        if _shared not in node.config.stash:
            node.config.stash[_shared] = _start(node.config)
        store = node.config.stash[_shared]
        node.workerinput["petstore"] = store.url, store.admin_key


def pytest_unconfigure(config: pytest.Config) -> None:
    if _shared in config.stash:
        config.stash[_shared].stop()


def _start(config: pytest.Config) -> Store:
    flags: dict[str, Any] = {}
    for flag in config.getini("petstore_flags"):
        name, _, value = flag.removeprefix("--").partition("=")
        flags[name.replace("-", "_")] = value or True
    return for_tests(**flags)
