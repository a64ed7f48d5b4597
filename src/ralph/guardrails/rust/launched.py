"""Ignored tests that another test of their file launches (policy set v2, class G02).

What has to end its process, by a crash or `exit`, is written as a test that is ignored, and another test runs it by its
name in a process of its own: `Command::new(env::current_exe()?).arg("--ignored").arg("--exact").arg("overflows")`.
Rule: a new function that is ignored, and whose name a test that runs hands over in a text, in a file that starts its
own program with `--ignored` or `--include-ignored`, runs with that test: for a person. One that was a test before lost
its run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ralph.guardrails.inventory.arriving import NEW
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.texts import depth
from ralph.record import replace
from ralph.system.patterns import later

RULE = "rust.ignore"
OWN_PROGRAM = later(r"\bcurrent_exe\s*\(")
IGNORED = later(r"\"--(?:include-)?ignored\"")
FUNCTION = later(r"\bfn\s+(?P<name>\w+)\s*\(")
TEST = later(r"#\[\s*(?:\w+::)*test\b")


def without_launched(hits: Iterable[Hit], change: Change) -> Iterator[Hit]:
    """The hits, with those about tests that another one launches turned into a matter for a person."""
    for hit in hits:
        yield replace(hit, rule=NEW) if hit.rule == RULE and _is_launched(hit, change) else hit


def _is_launched(hit: Hit, change: Change) -> bool:
    text = (change.blobs.after(hit.path) or b"").decode("utf-8", "replace")
    if not (OWN_PROGRAM.search(text) and IGNORED.search(text)):
        return False
    lines = text.split("\n")
    found = FUNCTION.search("\n".join(lines[hit.line - 1 : hit.line + 8]))
    if found is None:
        return False
    before = (change.blobs.before(hit.path) or b"").decode("utf-8", "replace")
    if re.search(rf"\bfn\s+{found['name']}\s*\(", before):
        return False
    return any(re.search(rf"[(,\[]\s*\"{found['name']}\"\s*[),\]]", body) for body in _running(lines))


def _running(lines: Sequence[str]) -> Iterator[str]:
    """The bodies of the tests that are not ignored."""
    for at, line in enumerate(lines):
        if not TEST.match(line.strip()):
            continue
        start = next((each for each in range(at + 1, len(lines)) if FUNCTION.search(lines[each])), len(lines))
        if any("ignore" in each for each in lines[at:start]) or start == len(lines):
            continue
        end = start + 1
        while end < len(lines) and (not lines[end].strip() or depth(lines[end]) > depth(lines[start])):
            end += 1
        yield "\n".join(line.partition("//")[0] for line in lines[start:end])
