"""Go's modules that a change brings, or raises, and that are kept in the project (policy set v2).

Rule: `vendor/modules.txt` lists the module in a version that it did not list at the base, `go.mod` beside it asks for
that very version, and `go.sum` has the digest of its contents. The Go command refuses to build where the lists do not
agree. What such a module's files hold is what its authors wrote, and a person looks at it; a file of a module that is
listed as before is one that somebody edited here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from ralph.guardrails.kept_copies import RULE, SILENCES
from ralph.guardrails.model import Change, Hit
from ralph.record import replace
from ralph.system.patterns import later

INSIDE = later(r"^(?P<above>(?:.*?/)?)vendor/(?P<module>.+)/[^/]+$")
LISTED = later(r"(?m)^# (?P<module>\S+) (?P<version>v\S+)$")

MILDER = {
    "code.special-case": "code.special-case-mild",
    "code.failure-dropped": "code.swallowed",
    "cfg.test.filtered": "cfg.test.partly",
}
"""What is shown of such a module, by what holds up the project's own code. A Makefile of it is never run here."""


def of_released(hits: Iterable[Hit], change: Change) -> Iterator[Hit]:
    """The hits, with a milder rule for those in files of such modules."""
    released = _Released(change)
    for hit in hits:
        inside = "vendor/" in hit.path and released.hold(hit.path)
        rule = RULE if inside and SILENCES.fullmatch(hit.rule) else MILDER.get(hit.rule, "") if inside else ""
        yield replace(hit, rule=rule) if rule else hit


class _Released:
    def __init__(self, change: Change) -> None:
        self._change = change
        self._known: dict[str, dict[str, bool]] = {}

    def hold(self, path: str) -> bool:
        """Whether a file is one of such a module."""
        found = INSIDE.match(path)
        if found is None:
            return False
        modules = self._modules(found["above"])
        folder = found["module"]
        while folder and folder not in modules:
            folder = folder.rpartition("/")[0]
        return modules.get(folder, False)

    def _modules(self, above: str) -> dict[str, bool]:
        """Those that are listed, and whether the change brought them."""
        if above not in self._known:
            self._known[above] = self._read(above)
        return self._known[above]

    def _read(self, above: str) -> dict[str, bool]:
        old, new = (_listed(side, above) for side in (self._change.blobs.before, self._change.blobs.after))
        asked, sums = (_text(self._change.blobs.after, f"{above}{name}") for name in ("go.mod", "go.sum"))
        return {
            module: old.get(module) != version
            and re.search(rf"(?m)^\s*(?:require\s+)?{re.escape(module)}\s+{re.escape(version)}\s*(?://.*)?$", asked)
            is not None
            and f"{module} {version} h1:" in sums
            for module, version in new.items()
        }


def _listed(side: Callable[[str], bytes | None], above: str) -> dict[str, str]:
    text = _text(side, f"{above}vendor/modules.txt")
    return {found["module"]: found["version"] for found in LISTED.finditer(text)}


def _text(side: Callable[[str], bytes | None], path: str) -> str:
    return (side(path) or b"").decode("utf-8", "replace")
