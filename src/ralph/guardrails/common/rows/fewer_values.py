"""How many made-up values the tests of properties try, wherever that number is said (policy set v2, class G05).

Rules:

- Read are the numbers of proptest, quickcheck, fast-check, `testing/quick`, gopter, rapid, jqwik, Kotest, FsCheck,
  CsCheck, rantly, ScalaCheck, StreamData and of Hypothesis' profiles, in code, configuration, variables and on command
  lines, and how long a fuzzer runs. (A single test of Hypothesis is the inventory's.)
- A number counts by the line that it stands in, without it; one that moves with its line says nothing.
- A profile of Hypothesis that is new, tries a handful of values and is loaded by its name counts as one that fell.
- One that falls to a fifth or less, or to ten or less, blocks; one that falls less is for a person.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import is_in
from ralph.system.patterns import later

MUCH_LESS = 5
FEW = 10
MAX_READ = 400_000
DEFAULT = 100
"""What Hypothesis tries without a profile."""
FEWEST = 5
REGISTERED = later(rb"register_profile\(\s*[\"'](?P<name>\w+)[\"'],[^\n]*\bmax_examples\s*=\s*(?P<number>\d+)[^\n]*")
NUMBER = r"(\d[\d_]*)"
IN_CODE = {
    ".rs": rf"\bwith_cases\(\s*{NUMBER}|^\s*(?:.*ProptestConfig\s*\{{\s*)?cases\s*:\s*{NUMBER}"
    rf"|\.(?:min_tests_passed|tests)\(\s*{NUMBER}",
    ".go": rf"\bMaxCount(?:Scale)?\s*[:=]\s*{NUMBER}|\bMinSuccessfulTests\s*[:=]\s*{NUMBER}",
    ".java": rf"@Property\([^()\n]*\b(?:tries|trials)\s*=\s*{NUMBER}",
    ".kt": rf"\bPropTestConfig\([^()\n]*\biterations\s*=\s*{NUMBER}|\b(?:checkAll|forAll)(?:<[^()\n]*>)?\(\s*{NUMBER}"
    rf"|@Property\([^()\n]*\btries\s*=\s*{NUMBER}",
    ".cs": rf"\bMaxTest\s*=\s*{NUMBER}|\bWithMaxTest\(\s*{NUMBER}|\.Sample\(.*\biter:\s*{NUMBER}",
    ".fs": rf"\bMaxTest\s*=\s*{NUMBER}",
    ".rb": rf"(?:property_of|forall)\b.*\.check\(\s*{NUMBER}|\}}\.check\(\s*{NUMBER}|\bnum_runs:\s*{NUMBER}",
    ".scala": rf"\b(?:minSuccessfulTests|minSuccessful)\s*[=(]\s*{NUMBER}|\bwithMinSuccessfulTests\(\s*{NUMBER}",
    ".exs": rf"\bmax_runs:\s*{NUMBER}|\bnumtests:\s*{NUMBER}",
    ".php": rf"->limitTo\(\s*{NUMBER}",
    ".py": rf"\bregister_profile\(.*\bmax_examples\s*=\s*{NUMBER}",
}
JAVASCRIPT = rf"\bnumRuns\s*:\s*{NUMBER}|\bnumTests\s*:\s*{NUMBER}"
SAID = (
    rf"\b(?:PROPTEST_CASES|QUICKCHECK_(?:MIN_)?TESTS(?:_PASSED)?|HYPOTHESIS_MAX_EXAMPLES|FAST_CHECK_NUM_RUNS|FSCHECK_MAX_?TEST"
    rf"|CsCheck_Iter)[\"']?\s*[:=]\s*[\"']?{NUMBER}|-(?:rapid\.checks|quickchecks)[= ]{NUMBER}"
    rf"|\b(?:jqwik\.tries\.default|kotest\.proptest\.default\.iteration\.count)\s*=\s*{NUMBER}"
    rf"|-fuzztime[= ]{NUMBER}(?:[sx]\b)|-max_total_time={NUMBER}|-runs={NUMBER}"
)
"""In variables, properties and options, in any file."""
WORDS = later(
    rb"(?i)cases|tests\(|MaxCount|MinSuccessful|tries|trials|iterations|checkAll|forAll|MaxTest|iter:|\.check\(|num_?runs"
    rb"|max_runs|num_?tests|limitTo|max_examples|QUICKCHECK|MAX_EXAMPLES|rapid\.checks|fuzztime|max_total_time|-runs="
)
PLAIN = "proptest.toml"

Counts = Mapping[str, list[tuple[int, int]]]
"""Numbers and their lines, by the line without its number."""


def fewer_values(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status == "M" and not file.binary and _may_say(file):
            yield from _in_file(file, change)
        if file.path.endswith(".py") and REGISTERED.search(file.added_text):
            yield from _loaded(file, change)


def _loaded(file: FileChange, change: Change) -> Iterator[Hit]:
    text = (change.blobs.after(file.path) or b"")[:MAX_READ].decode("utf-8", "replace")
    was = change.blobs.before(file.path) or b""
    for match in REGISTERED.finditer(file.added_text):
        name, number = match["name"].decode(), int(match["number"])
        loads = re.compile(rf"(?m)^(?:hypothesis\.)?settings\.load_profile\(\s*[\"']{re.escape(name)}[\"']")
        if number <= FEWEST and match[0] not in was and loads.search(text):
            line = text[: text.index(match[0].decode())].count("\n") + 1
            yield _hit(file.path, line, match[0].decode(), DEFAULT, number, "test.fewer-cases")


def _may_say(file: FileChange) -> bool:
    if file.path.rpartition("/")[2] == PLAIN:
        return True
    return is_in(WORDS, file.changed_text) and any(map(WORDS.search, file.removed()))


def _in_file(file: FileChange, change: Change) -> Iterator[Hit]:
    pattern = re.compile(_pattern(file.path))
    before, after = (_counts(pattern, read(file.path)) for read in (change.blobs.before, change.blobs.after))
    for line, old in before.items():
        new = after.get(line, [])
        for (was, _), (now, number) in zip(sorted(old), sorted(new), strict=False):
            if now < was:
                much = now * MUCH_LESS <= was or now <= FEW
                yield _hit(file.path, number, line, was, now, "test.fewer-cases" if much else "test.somewhat-weaker")


def _pattern(path: str) -> str:
    name = path.rpartition("/")[2]
    own = IN_CODE.get(name[name.rfind(".") :], "") if "." in name else ""
    if re.search(r"\.[cm]?[jt]sx?$", name):
        own = JAVASCRIPT
    if name == PLAIN:
        own = rf"^\s*cases\s*=\s*{NUMBER}"
    parts = [part for part in (own, SAID) if part]
    return "|".join(parts)


def _counts(pattern: re.Pattern[str], data: bytes | None) -> Counts:
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    text = (data or b"")[:MAX_READ].decode("utf-8", "replace")
    for number, line in enumerate(text.split("\n"), 1):
        for match in pattern.finditer(line) if len(line) < 1_000 else ():
            group = next((index for index, value in enumerate(match.groups(), 1) if value), 0)
            if group:
                start, end = match.span(group)
                found[f"{line[:start]}#{line[end:]}".strip()].append((int(match[group].replace("_", "")), number))
    return found


def _hit(path: str, number: int, line: str, was: int, now: int, rule: str) -> Hit:
    detail = f"{now} values are tried, and were {was}"
    return hit_at(rule, path, number, detail, line, key=f"{line} {was}")


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (fewer_values,)
