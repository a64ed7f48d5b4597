"""Go: a `t` of a test's own kind, which tells nobody of a failure (see `inventory`).

Rule: the test makes its `t` one that nobody runs (`new(testing.T)`), or of a type whose `Errorf`, `Fatalf`, `FailNow`
or the like does nothing. A type that notes what it is told, as the tests of test helpers have it, is none.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.golang.assertions.asserts import OTHER_T
from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.prefilter import is_in_part
from ralph.guardrails.source import Source
from ralph.system.patterns import later

MADE = later(
    r"(?m)^\s*(?:t|tb)\s*:?=\s*&?(\w+)\{|^\s*var\s+(?:t|tb)\s+(\w+)\s*(?:=|;|$)"
    r"|^\s*(?:t|tb)\s*:=\s*new\((\w+)\)"
)
METHOD = r"(?m)^func\s+\((?:\w+\s+)?\*?%s\)\s+(?:Errorf?|Fatalf?|FailNow|Fail)\([^)]*\)\s*\{\s*\}"


def tells_nobody(body: str, source: Source, paths: Paths | None) -> bool:
    if is_in_part(OTHER_T, body):
        return True
    for match in MADE.finditer(body):
        method = re.compile((METHOD % next(filter(None, match.groups()))).encode())
        if method.search(source.data) or any(method.search(data) for data in _beside(source, paths)):
            return True
    return False


def _beside(source: Source, paths: Paths | None) -> Iterator[bytes]:
    """The other test files of the package."""
    if paths is None:
        return
    folder = posixpath.dirname(source.path)
    for path in sorted(paths.all()):
        if path.endswith("_test.go") and posixpath.dirname(path) == folder and path != source.path:
            yield paths.read(path) or b""
