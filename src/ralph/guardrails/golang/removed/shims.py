"""Go: names that only a file of tests gives to something of its package (policy set v2, class G04).

Rule: `export_test.go` gives tests of another package what the package keeps to itself: `func Join(e []error) string {
return join(e) }`, `var Join = join`. Where such a name is gone, with what it stood for, what names it was about that.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.model import Change
from ralph.system.patterns import later

HANDS_ON = later(
    r"(?m)^func\s+(?:\([^()\n]*\)\s*)?(?P<name>[A-Z]\w*)\([^\n]*\{\s*(?:return\s+)?(?:\w+\.)?(?P<of>\w+)\([^\n{}]*\)\s*\}"
)
STANDS_FOR = later(r"(?m)^(?:var|const)\s+(?P<name>[A-Z]\w*)\s*=\s*\(?\*?(?P<of>\w+)\)?\s*$")


def gone_with(change: Change, gone: frozenset[str]) -> frozenset[str]:
    """`gone` is what the product no longer defines."""
    paths = (
        [file.path for file in change.files if file.path.endswith("_test.go") and file.status != "A"] if gone else []
    )
    before = {pair for path in paths for pair in _shims(change.blobs.before(path))}
    after = {name for path in paths for name, _ in _shims(change.blobs.after(path))}
    return frozenset(name for name, of in before if of in gone and name not in after)


def _shims(data: bytes | None) -> Iterator[tuple[str, str]]:
    text = (data or b"").decode("utf-8", "replace")
    for pattern in (HANDS_ON, STANDS_FOR):
        yield from ((match["name"], match["of"]) for match in pattern.finditer(text))
