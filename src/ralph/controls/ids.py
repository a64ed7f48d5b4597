"""From the id of a test in a report to its place in the source: file, and names from the outside in.

Reports differ: `tests/test_a.py::TestB::test_c[1-2]` (pytest), `tests.test_a.TestB::test_c` (JUnit without files),
`src/a.test.ts::adds > to zero` (vitest, jest), `pkg/a_test.go::TestA/case` (go, whose cases are told by their texts).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from ralph.record import record

_CASE = re.compile(r"\[.*\]$", re.DOTALL)
_GO_CASE = re.compile(r"(\.go::[^/]*)/.*$", re.DOTALL)


@record
class Place:
    """`parts` name the test inside its file, without the case of a parametrised one; empty for the file itself."""

    path: str
    parts: tuple[str, ...]


class Places:
    """Finds the places of ids, given the test files that there are."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = frozenset(paths)
        self._modules = {_dotted(path): path for path in sorted(self._paths)}

    def of(self, test: str) -> Place | None:
        """None for an id that no file is known for."""
        head, *names = test.split("::")
        if head in self._paths:
            return Place(head, _parts(head, names))
        module = head
        while module not in self._modules:
            module, dot, _ = module.rpartition(".")
            if not dot:
                return None
        outer = head.removeprefix(module).strip(".")
        path = self._modules[module]
        return Place(path, _parts(path, [*outer.split("."), *names] if outer else names))


def without_case(test: str) -> str:
    """The id of a parametrised test as a whole."""
    return _GO_CASE.sub(r"\1", _CASE.sub("", test))


def tail(test: str) -> str:
    """What stays of an id when its file moves."""
    return test.partition("::")[2]


def last_name(test: str) -> str:
    return test.rpartition("::")[2].rpartition(" > ")[2]


def _parts(path: str, names: list[str]) -> tuple[str, ...]:
    if path.endswith(".py"):
        names = _CASE.sub("", "::".join(names)).split("::")
    if path.endswith(".go"):
        names = [name.partition("/")[0] for name in names]
    return tuple(part for name in names for part in name.split(" > ") if part)


def _dotted(path: str) -> str:
    return str(PurePosixPath(path).with_suffix("")).replace("/", ".")
