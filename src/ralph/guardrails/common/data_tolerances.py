"""Tolerances that tests take from their data (policy set v2, class G05).

Rule: a line of a file of data beside tests is the same but for a number that says how far a result may be off
(`"tolerance": 0.005`), and the number grew: ten times blocks, less is for a person.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.system.patterns import later

DATA = later(r"(?i)\.(?:jsonc?|json5|jsonl|ndjson|ya?ml|toml|ini|properties)$")
OFF = later(
    r"(?i)[\"']?\b(?P<name>\w*(?:tol(?:erance)?|eps(?:ilon)?|margin|max_?err(?:or)?|max_?diff(?:erence)?|max_?delta))\b[\"']?"
    r"\s*[:=]\s*[\"']?(?P<number>\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?)"
)
WORTH = later(rb"(?i)tol|eps|margin|max_?(?:err|diff|delta)")
MUCH = 10


def loosened(change: Change) -> Iterator[Hit]:
    for file in change.files:
        of_tests = file.status == "M" and DATA.search(file.path) and TEST_PLACE.search(file.path)
        if of_tests and WORTH.search(file.added_text):
            yield from _of_file(file)


def _of_file(file: FileChange) -> Iterator[Hit]:
    for hunk in file.hunks:
        removed = [line.decode("utf-8", "replace") for line in hunk.removed]
        was = {_without(line): float(said["number"]) for line in removed if (said := OFF.search(line)) is not None}
        for number, raw in enumerate(hunk.added, start=hunk.new_start) if was else ():
            line = raw.decode("utf-8", "replace")
            said = OFF.search(line)
            old = was.get(_without(line)) if said is not None else None
            if said is None or old is None or not (now := float(said["number"])) > old:
                continue
            rule = "test.weakened" if now >= MUCH * old else "test.somewhat-weaker"
            yield hit_at(rule, file.path, number, f"{said['name']} is {now:g} where it was {old:g}", line)


def _without(line: str) -> str:
    return "".join(OFF.sub("", line, count=1).split()).rstrip(",")


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (loosened,)
