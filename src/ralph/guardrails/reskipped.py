"""A test that was skipped outright, and is skipped now in other words (policy set v2, class G02).

Rules:

- A skip of a whole test (JUnit 4's `@Ignore`, NUnit's `[Ignore]`, `xit`, `markTestSkipped` as the first thing) answers
  for one of the same test in another framework's words, under whatever condition that holds. The name is the same but
  for how frameworks spell one: `testParses`, `test_parses` and `"parses"`.
- In Go a skip of a subtest answers for one of the subtest whose title is only spelled in another way.
- What skipped only at times, some of a test's rows, or nothing at all (the annotation of a framework that does not run
  the test) answers for nothing here; nor does a test that is pending, as it is run.
- The two stand in one file, or one stands in a file that is gone and the other in a new one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ralph.guardrails.model import FileChange, Hit
from ralph.system.patterns import later

FAMILIES = {
    "jvm.skip": "jvm",
    "jvm.test-disabled": "jvm",
    "csharp.skip": "csharp",
    "ruby.skip": "ruby",
    "php.skip": "php",
    "go.skip": "golang",
}
SUBTEST = later(r"Skip\w* in (?P<title>\".+\"(?:, always)?)")
"""In Go; what always holds is a hit of its own."""
OUTRIGHT = {
    "jvm": later(
        r"@(?:Disabled|Ignored?|Test disabled) (?P<name>.+)|x[a-z]+ (?P<title>.+)|test !(?P<bang>.+)"
        r"|config enabled false (?P<config>.+)"
    ),
    "csharp": later(
        r"\[(?:Ignore|\w*(?:Fact|Theory) skip|Test(?:Method|Fixture|Class)? skip)\] (?P<name>.+)"
        r"|Assert\.(?:Ignore|Inconclusive|Skip) in (?P<always>.+), always"
    ),
    "ruby": later(r"x[a-z]+ (?P<title>.+)|\w+ (?P<marked>.+) skip|(?:skip|omit) in (?P<always>.+), always"),
    "php": later(r"marktest\w+ in (?P<always>.+), always|skip \w+\((?P<title>.+)|x[a-z]+ (?P<named>.+)"),
    "golang": SUBTEST,
}
"""What skips a test whatever happens, as the keys of hits say it; the group is the test's name."""
SAID = later(
    r"@\w+(?: disabled)? (?P<name>.+)|\[\w+(?: skip)?\] (?P<attribute>.+)|[\w.]+ in (?P<inside>.+?)(?:, always)?"
    r"|config enabled false (?P<config>.+)|test !(?P<bang>.+)|skip \w+\((?P<chained>.+)|x[a-z]+ (?P<title>.+)"
    r"|\w+ (?P<marked>.+) (?:skip|pending|if|unless)"
)
UNNAMED = frozenset({"adeclaration", "theassembly", "thefile", ""})


def without_reskipped(gone: Sequence[Hit], left: Iterable[Hit], files: Sequence[FileChange]) -> list[Hit]:
    """What is left of the head's hits; `gone` are those of the base that answer for no equal one."""
    statuses = {file.path: file.status for file in files}
    skipped = Counter(
        (family, name, old.path)
        for old in gone
        if (family := FAMILIES.get(old.rule)) and (name := _name(OUTRIGHT[family], old))
    )
    if not skipped:
        return list(left)
    kept: list[Hit] = []
    answered: set[tuple[str, int]] = set()
    for hit in left:
        if (hit.path, hit.line) in answered and hit.rule in FAMILIES:
            continue
        if (was := _answering(hit, skipped, statuses)) is None:
            kept.append(hit)
        else:
            skipped[was] -= 1
            if was[0] != "golang":
                answered.add((hit.path, hit.line))
    return kept


def _answering(
    hit: Hit, skipped: Counter[tuple[str, str, str]], statuses: Mapping[str, str]
) -> tuple[str, str, str] | None:
    family = FAMILIES.get(hit.rule)
    name = _name(SUBTEST if family == "golang" else SAID, hit) if family else None
    if family is None or not name:
        return None
    if skipped[here := (family, name, hit.path)] > 0:
        return here
    if statuses.get(hit.path) != "A":
        return None
    same = (was for was in skipped if was[:2] == (family, name) and skipped[was] > 0)
    return next((was for was in same if statuses.get(was[2]) == "D"), None)


def _name(form: re.Pattern[str], hit: Hit) -> str | None:
    told = form.fullmatch(hit.key)
    if told is None:
        return None
    name = re.sub(r"[\W_]+", "", next(filter(None, told.groups()), "")).lower().removeprefix("test")
    return None if name in UNNAMED else name
