"""Finds the program petstore. Nothing is downloaded."""

import importlib.util
import os
import shutil
from pathlib import Path

__tracebackhide__ = True

_NAME = "petstore.exe" if os.name == "nt" else "petstore"


def find_binary(chosen: str | os.PathLike[str] | None) -> str:
    """Returns the path of the program: the chosen one, or the first of PETSTORE_BINARY, PATH and the package
    petstore_sandbox_binary. A RuntimeError says where it looked."""
    named = os.fspath(chosen) if chosen else os.environ.get("PETSTORE_BINARY")
    if named:
        return _runnable(named)
    beside = _beside()
    found = shutil.which("petstore") or shutil.which(beside)
    if found:
        return found
    raise RuntimeError(
        f"there is no petstore binary: PETSTORE_BINARY is not set, there is no petstore in PATH ({os.environ.get('PATH', '')}), "
        f"and no {beside}; install petstore-sandbox-binary, or set PETSTORE_BINARY to the path of a petstore binary"
    )


def _runnable(named: str) -> str:
    found = shutil.which(named)
    if found:
        return found
    if os.path.exists(named):
        raise RuntimeError(f"cannot run {named}: it is not executable; run chmod +x {named}, or install petstore-sandbox again")
    raise RuntimeError(f"cannot run {named}: it is not there; set PETSTORE_BINARY to the path of a petstore binary, or unset it")


def _beside() -> str:
    """Returns the path of the program in the package petstore_sandbox_binary, or where that would be beside this one."""
    package = importlib.util.find_spec("petstore_sandbox_binary")
    directory = Path(package.origin).parent if package and package.origin else Path(__file__).parent.with_name("petstore_sandbox_binary")
    return str(directory / _NAME)
