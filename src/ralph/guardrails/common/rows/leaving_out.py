"""A property of the base that leaves out more of the values that are made up for it (policy set v2, class G05).

Rules, for a property of that name in the base, in a file that leaves out more often than it did:

- That it leaves out some (`prop_assume!`, `fc.pre`, `suchThat`) is for a person: numbers that are none, and inputs that
  cannot be, are left out so. (In Python the inventory tells.)
- It blocks where the file lifts, with that, what the library lets a property leave out (`max_global_rejects`,
  `HealthCheck.filter_too_much`, `maxDiscardRatio`): then it is nearly all that was tried. Where the values that are
  meant are made instead, nothing has to be left out.
- To lift that limit for a property that is new, or that leaves out what it left out before, is nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from ralph.guardrails.common.rows.discarded import LONGEST, PROPERTIES, may_have_properties
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

MAY_LEAVE_OUT = later(rb"assum|Assume|filter|Filter|\bfc\.pre|uchThat|[wW]here|[wW]hen|discard|guard|==>")
LEAVES_OUT = later(
    r"\bprop_assume!|\.prop_filter(?:_map)?\(|\bTestResult::discard\(\)|\bassume\s*\(|\bAssume\.that\s*\(|\bfc\.pre\s*\("
    r"|\b[sS]uchThat\b|\.When\(|->when\(|\bwhenever\s*\(|\bwithAssumptions\s*\(|==>|^\s*guard[ (]"
)
MADE = later(r"\b(?:fc|st|strategies|Gen|Arb|Arbitraries|rapid)\.\w")
FILTERED = later(r"\.(?:[wW]here|[fF]ilter(?:Not)?)\b")
HEAD = later(
    r"\b(?:fn|def|func|fun)\s+(?:\([^()]*\)\s*)?(\w+)|\bfun\s+`([^`]+)`|\bpublic\s+(?:static\s+)?[\w<>]+\s+(\w+)\s*\("
    r"|^\s*(?:void|boolean|Property|bool)\s+(\w+)\s*\("
    r"|\b(?:it|test|[pP]roperty|specify|prop)(?:\.\w+)?\s*[(\[]?\s*(?:\"([^\"]+)\"|'([^']+)'|`([^`]+)`)"
    r"|^\s*\"([^\"]+)\"\s*(?:in\s*)?\{"
)
NUMBER = r"(\d[\d_]*)"
LIMITS = (
    (later(rf"\bmax_global_rejects\s*[:=]\s*{NUMBER}"), 1_024),
    (later(rf"\bmax_local_rejects\s*[:=]\s*{NUMBER}"), 65_536),
    (later(rf"\.max_tests\(\s*{NUMBER}"), 10_000),
    (later(rf"\bmaxSkipsPerRun\s*:\s*{NUMBER}"), 100),
    (later(rf"(?i)\b(?:with)?max_?Discard(?:Ratio|edFactor)\s*[:=(]+\s*{NUMBER}"), 5),
    (later(rf"\bmaxDiscardPercentage\s*=\s*{NUMBER}"), 20),
    (later(rf"\b(?:With)?MaxRejected\s*[=(]\s*{NUMBER}"), 1_000),
)
"""What a library lets a property leave out, and how much that is where nothing is said."""
UNCHECKED = later(r"\bHealthCheck\.(?:filter_too_much|all\(\))|\b(?:list|tuple|set)\(HealthCheck\)")


def leaving_out(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "M" or file.binary or not MAY_LEAVE_OUT.search(file.added_text):
            continue
        if not may_have_properties(file, change):
            continue
        before, after = ((read(file.path) or b"")[:LONGEST] for read in (change.blobs.before, change.blobs.after))
        if PROPERTIES.search(before):
            yield from _in_file(file, before.decode("utf-8", "replace"), after.decode("utf-8", "replace"))


def _in_file(file: FileChange, before: str, after: str) -> Iterator[Hit]:
    known = {name for line in before.split("\n") if (name := _name(line))}
    old, new = (Counter(name for name, _ in _left_out(text.split("\n"))) for text in (before, after))
    if new.total() <= old.total():
        return
    lifted = _is_lifted(file.added_text.decode("utf-8", "replace"), before)
    rule = "test.weakened" if lifted else "test.somewhat-weaker"
    places = dict(_left_out(after.split("\n"))) if lifted or not file.path.endswith(".py") else {}
    for name, (row, text) in ((name, place) for name, place in places.items() if name in known):
        if new[name] > old[name]:
            more = ", and the limit of that is lifted" if lifted else ""
            detail = f"{name}: some of what it is given is left out{more}: `{cut(text, 80)}`"
            yield hit_at(rule, file.path, row + 1, detail, text, key=text)


def _left_out(lines: Sequence[str]) -> Iterator[tuple[str, tuple[int, str]]]:
    """The names of properties that leave something out, each with the row and the line of that."""
    name, above = "", list[tuple[int, str]]()
    for row, line in enumerate(lines):
        found = LEAVES_OUT.search(line) or (MADE.search(line) and FILTERED.search(line))
        if named := _name(line):
            name = named
            yield from ((name, place) for place in above)
            above.clear()
        if found and line.lstrip().startswith("@"):
            above.append((row, line.strip()))
        elif found:
            yield name, (row, line.strip())


def _name(line: str) -> str:
    match = HEAD.search(line)
    return next(filter(None, match.groups())) if match is not None else ""


def _is_lifted(added: str, before: str) -> bool:
    if UNCHECKED.search(added) and not UNCHECKED.search(before):
        return True
    return any(_most(limit, added) > max(_most(limit, before), usual) for limit, usual in LIMITS)


def _most(limit: re.Pattern[str], text: str) -> int:
    return max((int(number.replace("_", "")) for number in limit.findall(text)), default=0)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (leaving_out,)
