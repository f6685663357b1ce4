"""A TestCase for unittest, whose tests have a sandbox each:

    class CheckoutTest(petstore_sandbox.unittest.TestCase):
        def test_a_pet_is_sold(self):
            self.pets.fault(times=2, status=503)

A test that fails leaves its world and its requests in a directory, and its traceback says where.
"""

import atexit
import functools
import threading
import unittest
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, cast

from ._sandbox import Sandbox
from ._store import Store, for_tests
from ._types import Flags

__tracebackhide__ = True

_ErrorInfo = tuple[type[BaseException], BaseException, TracebackType]

_stores: dict[str, Store] = {}  # by their flags, guarded by _lock
_lock = threading.Lock()


class TestCase(unittest.TestCase):
    """Has the sandbox of the test as self.pets, from setUp to the last cleanup, and the server as self.petstore.

    All classes with the same flags share a server, which ends with the process.
    """

    petstore_flags: ClassVar[Flags] = {}
    """The flags of the server, as start() takes them."""

    petstore_keep: ClassVar[str | Path] = "failed"
    """The directory that keeps the worlds of tests that fail."""

    @property
    def petstore(self) -> Store:
        with _lock:
            name = repr(self.petstore_flags)
            if name not in _stores:
                _stores[name] = for_tests(**self.petstore_flags)
                atexit.register(_stores[name].stop)
            return _stores[name]

    @functools.cached_property
    def pets(self) -> Sandbox:
        return self.petstore.sandbox(f"{type(self).__module__}.{type(self).__qualname__} {self._testMethodName}")

    def run(self, result: unittest.TestResult | None = None) -> unittest.TestResult | None:
        if result is None:
            result = self.defaultTestResult()
        try:
            return super().run(cast(unittest.TestResult, _Keeping(result, self)))
        finally:
            if "pets" in self.__dict__:
                self.__dict__.pop("pets").drop()

    def _keep(self, error: _ErrorInfo) -> None:
        if "pets" in self.__dict__:
            error[1].add_note(f"The world is kept in {self.pets.keep(self.petstore_keep).world}")


class _Keeping:
    """A result that keeps the world of a test before it records its failure."""

    def __init__(self, result: unittest.TestResult, case: TestCase) -> None:
        self._result, self._case = result, case

    def __getattr__(self, name: str) -> Any:
        recorded = getattr(self._result, name)
        if name not in ("addError", "addFailure", "addSubTest"):
            return recorded

        def keep(*args: Any) -> None:
            if args[-1]:  # the exception; None if a subtest has passed
                self._case._keep(args[-1])
            recorded(*args)

        return keep
