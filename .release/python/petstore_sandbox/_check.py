"""Checks arguments, because not every caller is type-checked."""

from collections.abc import Iterable

# pytest leaves the frames of this package out of a traceback, which then ends at the line of the test.
__tracebackhide__ = True


def want(holds: object, what: str, value: object) -> None:
    if not holds:
        raise TypeError(f"{what}, not {value!r}")


def check_filter(given: Iterable[str], known: Iterable[str]) -> None:
    """Rejects names such as order, which would break the paging of the list."""
    for name in given:
        if name not in known:
            raise TypeError(f"there is no filter {name}; there are {', '.join(known)}")
