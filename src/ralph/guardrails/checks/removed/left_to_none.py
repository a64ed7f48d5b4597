"""Tests that a runner of JavaScript ran, and that nothing runs after another one took its place (class G09).

`mocha` with `spec: test/**/*.test.js` becomes `node --test "test/unit/*.test.js"`: `test/integration/` is still there.

Rule: a test file of both sides that the old runner collected, by its arguments or its configuration, stands under none
of the paths that are given to the new one, and no other check of the head runs tests of JavaScript that it is among. A
runner without paths finds tests by itself: then nothing is said.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.programs.tables import SCRIPTS
from ralph.guardrails.checks.reach import Reach
from ralph.guardrails.checks.removed.gathered_by_vitest import HOLDS_TESTS
from ralph.guardrails.checks.scope.looked_at import LANGUAGE, UNKNOWN, plain, targets, within
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

RUNNERS = frozenset({"mocha", "jest", "vitest", "ava", "node", "tap", "uvu"})
TEST_FILE = later(r"(?:^|/)[\w.-]+[._-](?:test|spec)\.(?:[cm]?[jt]s|[jt]sx)$")
SPECS = later(r"[\"']?\bspec[\"']?\s*:\s*(?P<given>\[[^\]]*\]|[^\n,}]+)")
WORD = later(r"[\w./*{},@!()+?-]+")
CONFIGURED = (".mocharc.json", ".mocharc.jsonc", ".mocharc.yml", ".mocharc.yaml", ".mocharc.js", ".mocharc.cjs")
MOST = 2_000


def left_to_none(was: Gate, now: Gate, base: Reach, head: Reach) -> str:
    """A file of tests that nothing runs any more, where one check took the place of another; empty if there is none."""
    old = next((leaf for leaf in base.leaves(was) if leaf.words[0] in RUNNERS), None)
    new = [leaf for leaf in head.leaves(now) if leaf.kind == "test" and leaf.words[0] in RUNNERS]
    if old is None or not new:
        return ""
    given = [each for gate in (*new, *head.everywhere) for each in _given(gate)]
    if "" in given or any(UNKNOWN.search(each) for each in given):
        return ""
    before, after, folder = base.side, head.side, posixpath.dirname(old.path)
    found = sorted(path for path in before.paths & after.paths if TEST_FILE.search(path))[:MOST]
    for path in found:
        own = posixpath.relpath(path, folder) if folder else path
        if own.startswith("..") or any(within(own, each) or within(path, each) for each in given):
            continue
        if _collected(old, own, before, folder) and HOLDS_TESTS.search(after.bytes(path) or b""):
            return path
    return ""


def _given(gate: Gate) -> Sequence[str]:
    """The paths whose tests a check may run; an empty one for any. What leads to other checks runs none by itself."""
    runs = LANGUAGE.get(gate.words[0], (".js",))
    if gate.kind not in ("test", "coverage") or gate.words[0] in SCRIPTS or ".js" not in runs:
        return ()
    return [plain(each) for each in targets(gate)] if gate.words[0] in RUNNERS and targets(gate) else ("",)


def _collected(was: Gate, path: str, before: Side, folder: str) -> bool:
    asked = targets(was) or list(_specs(before, folder))
    if asked:
        return any(within(path, plain(each)) for each in asked)
    return was.words[0] != "mocha" or posixpath.dirname(path) == "test"


def _specs(before: Side, folder: str) -> Iterator[str]:
    for name in CONFIGURED:
        for match in SPECS.finditer(before.text(posixpath.join(folder, name)) or ""):
            yield from (word for word in WORD.findall(match["given"]) if "/" in word or "*" in word)
