"""Tests that were skipped under a condition, and whose condition is made to hold for good (policy set v2, class G02).

Rules, for Go, JavaScript and TypeScript; the skip stands in the base as it stands in the head:

- What it asks is a constant now: an option whose default is another one (`flag.Bool("integration", false, …)`), a name
  that is given the other truth, a function that only answers with one (`func hasDocker() bool { return false }`).
- What it asks is a variable of the environment that a set-up for all tests sets: `os.Setenv("SKIP_STORE", "1")`.

One test that sets it for itself skips nothing else. What came with its skip is a skip like others.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.common.functions import functions_of
from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.guardrails.source import remembered
from ralph.record import record
from ralph.system.patterns import later

ENDINGS = {
    ".go": "go.skip",
    **dict.fromkeys((".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx"), "js.test-skip"),
}
WORTH = later(
    rb"(?:return|=>|=|,)\s*(?:true|false)\b|\{\s*return (?:true|false)\b|Setenv\("
    rb"|process\.env\.\w+\s*(?:\?\?|\|\|)?=|env\[[\"']\w+[\"']\]\s*="
)
CONDITION = r"(?P<asked>[^;{}\n]{1,200}?)"
SKIPS = later(
    rf"\bif {CONDITION} \{{\s*\w+\.Skip(?:f|Now)?\("
    r"|\bif\s*\((?P<guard>[^;{}\n]{1,200}?)\)\s*\{?\s*(?:return\s+)?\w+\.skip\("
    r"|\.skipIf\(\s*(?P<given>[^\n]{1,200}?)\s*\)\s*\(|\.runIf\(\s*(?P<runs>[^\n]{1,200}?)\s*\)\s*\("
    r"|(?P<then>!?[\w.]+(?:\(\))?)\s*\?\s*\w+\.skip\s*:|(?P<else>!?[\w.]+(?:\(\))?)\s*\?\s*\w+\s*:\s*\w+\.skip\b"
)
ATOM = later(r"(?P<no>!?)\s*\*?(?P<name>[A-Za-z_]\w*)(?:\(\))?")
SET = later(
    r"os\.Getenv\(\"(?P<go>\w+)\"\)\s*!=\s*\"\"|(?:!!\s*)?process\.env\.(?P<js>\w+)(?:\s*={2,3}\s*[\"'](?:1|true)[\"'])?"
)
GIVES = later(
    r"^\s*(?:export\s+)?(?:const|let|var)?\s*\*?(?P<name>[A-Za-z_]\w*)(?:\s*:\s*boolean|\s+bool)?\s*:?=\s*"
    r"(?:flag\.Bool\(\s*\"[\w.-]+\"\s*,\s*)?(?P<truth>true|false)\b"
)
SETS = later(
    r"\bos\.Setenv\(\s*\"(?P<go>\w+)\"\s*,\s*\"[^\"]+\""
    r"|\bprocess\.env(?:\.(?P<js>\w+)|\[[\"'](?P<key>\w+)[\"']\])\s*(?:\?\?|\|\|)?=\s*[\"'`]?\w"
)
ANSWERS = later(r"(?:^|=>|\{)\s*\(?\s*(?:return\s+)?(?P<truth>true|false)\)?\s*;?\s*\}?\s*;?\s*$")
FOR_ALL = frozenset({"TestMain", "init", "setup", "globalSetup", "SetupSuite"})
SUPPORT = later(r"(?i)(?:^|/)[\w.-]*(?:setup|global|support)[\w.-]*\.\w+$|\.config\.\w+$")
MOST_FILES = 200
LARGEST = 400_000


@record
class Switch:
    """A name that holds, or does not, from now on; or a variable of the environment that is set."""

    name: str
    line: int
    truth: bool
    snippet: str


def switched_off(change: Change) -> Iterator[Hit]:
    for file in change.files:
        ending = posixpath.splitext(file.path)[1]
        if file.status != "M" or file.binary or ending not in ENDINGS or not WORTH.search(file.added_text):
            continue
        for switch in _switches(file, change):
            if (skip := _skips(switch, file, change)) is not None:
                yield hit_at(
                    ENDINGS[ending],
                    file.path,
                    switch.line,
                    f"{switch.name} is made to skip what was skipped under a condition: {skip}",
                    switch.snippet,
                    key=f"{switch.name} {skip}",
                )


def _switches(file: FileChange, change: Change) -> Iterator[Switch]:
    before, after = (change.blobs.before(file.path) or b"", change.blobs.after(file.path) or b"")
    if max(len(before), len(after)) > LARGEST:
        return
    was = before.decode("utf-8", "replace")
    places = [(each[0], each[0] + each[3].count("\n") + 1, each) for each in reversed(functions_of(after))]
    for number, data in file.added():
        line = data.decode("utf-8", "replace")
        around = next((each for first, last, each in places if first < number <= last + 1), None)
        if (match := GIVES.match(line)) is not None:
            other = rf"{match['name']}\b[^\n]*(?:=|,)\s*{match['truth']}\b"
            if re.search(rf"\b{match['name']}\b", was) and not re.search(other, was):
                yield Switch(match["name"], number, match["truth"] == "true", line.strip())
        elif (match := SETS.search(line)) is not None:
            if not line[:1].isspace() or SUPPORT.search(file.path) or (around is not None and around[1] in FOR_ALL):
                yield Switch(match["go"] or match["js"] or match["key"], number, True, line.strip())
        elif around is not None and (answer := _only_answers(around)) is not None:
            known = next((each for each in functions_of(before) if each[1] == around[1]), None)
            if known is not None and _only_answers(known) != answer:
                yield Switch(around[1], number, answer, line.strip())


def _only_answers(function: tuple[int, str, str, str]) -> bool | None:
    """The truth that is all of a function."""
    body = [each for each in function[3].split("\n") if each.strip(" \t});") and not each.strip().startswith("//")]
    said = function[2] if not body else body[0] if len(body) == 1 else ""
    match = ANSWERS.search(said)
    return None if match is None else match["truth"] == "true"


def _skips(switch: Switch, file: FileChange, change: Change) -> str | None:
    """The condition of a skip that stays, and that holds by the switch."""
    name, place = switch.name.encode(), _place(file.path)
    others = (each for each in change.blobs.paths_after() if TEST_PLACE.search(each) and _place(each) == place)
    for path in dict.fromkeys((file.path, *nearest(others, change, MOST_FILES))):
        data = change.blobs.after(path) or b""
        if name not in data or len(data) > LARGEST or posixpath.splitext(path)[1] not in ENDINGS:
            continue
        for written, asked, when in _all_skips(data):
            skips = any(_holds(each, switch) is when for each in _parts(asked, when))
            if skips and written in (change.blobs.before(path) or b"").decode("utf-8", "replace"):
                return asked.strip()
    return None


@remembered(1024)
def _all_skips(data: bytes) -> tuple[tuple[str, str, bool], ...]:
    """As each is written, what it asks, and whether it skips if that holds."""
    return tuple(
        (match[0], next(filter(None, match.groups())), match["runs"] is None and match["else"] is None)
        for match in SKIPS.finditer(data.decode("utf-8", "replace"))
    )


def _place(path: str) -> str:
    """Where its tests stand: in its folder, or anywhere beside."""
    return posixpath.dirname(path) if path.endswith(".go") else path.partition("/")[0]


def _parts(asked: str, when: bool) -> list[str]:
    """Each of them decides by itself."""
    return [each.strip() for each in re.split(r"\|\|" if when else r"&&", asked)]


def _holds(asked: str, switch: Switch) -> bool | None:
    if (match := SET.fullmatch(asked)) is not None:
        return switch.truth if (match["go"] or match["js"]) == switch.name else None
    match = ATOM.fullmatch(asked)
    return None if match is None or match["name"] != switch.name else switch.truth is not bool(match["no"])


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (switched_off,)
