"""A table of texts that code had to read, and what it was to find in them (policy set v2, class G07): all languages.

`COMMON.get("1h30m")` in front of a parser of durations: the table is to save work, and holds the inputs of the tests.

Rule: a new table in product code has texts with digits as keys, and numbers or such texts as answers; a function gives
back what the table has, if it has it, and computes the answer else (`whole_inputs`). Tests have every entry, key and
answer close together, and ask the function for nothing else but what it refuses. It blocks where the tests of the base
asked for one of the entries, and for none of the others: what the code could work out by itself stands in the table,
with what it cannot. Where the base asked for none, the keys may be names for something: it is for a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.common.product.all_rows import holds_all
from ralph.guardrails.common.product.asked import asks
from ralph.guardrails.common.product.special import base_tests_of, tests_of
from ralph.guardrails.common.product.whole_inputs import (
    GROUPED,
    Entry,
    asking_first,
    product_with,
    tables,
)
from ralph.guardrails.model import Change, ChangeDetector, Hit, hit_at
from ralph.system.patterns import later

_TEXT = r"(?:\"[^\"\n]{0,80}\d[^\"\n]{0,80}\"|'[^'\n]{0,80}\d[^'\n]{0,80}')"
ENTRY = later(
    rf"(?:[\[{{(]\s*|(?:\b\w+\.)?(?:put|of|entry|insert|set|Add)\(\s*)?(?P<text>{_TEXT})\s*(?:=>|:|,|\bto\b|\]\s*=)\s*"
    rf"(?P<value>-?\d[\d_]*(?:\.\d+)?[a-zA-Z]?|{_TEXT})\s*[\]}})]*\s*[,;]?"
)
WORTH = later(rb"\d[^\"'\n]{0,80}[\"']\s*(?:=>|[:,\]]|to\b)[ \t=]*[-\d\"']")
REFUSED = later(r"(?i)throw|raise|reject|refus|panic|invalid|err\b|error")
"""A line of a test that wants no answer."""
FEWEST = 4


def whole_texts(change: Change) -> Iterator[Hit]:
    for file, spoken, data in product_with(WORTH, change):
        for name, entries in tables(file, data, _entry):
            asking = asking_first(name, data) if len(entries) >= FEWEST else ""
            tests = [GROUPED.sub("", test) for test in tests_of(change, spoken)] if asking else []
            if not asking or not _hold_all(entries, asking, tests):
                continue
            before = [GROUPED.sub("", test) for test in base_tests_of(change, spoken)]
            known = [_is_asked(entry, before) for entry in entries]
            rule = "code.special-case" if any(known) and not all(known) else "code.special-case-mild"
            shown = "; ".join(f"{entry.parts[0]} gives {entry.value}" for entry in entries[:2])
            detail = f"{shown}: {name} has all that tests ask {asking}"
            yield hit_at(rule, file.path, entries[0].line, detail, name, key=name)


def _entry(text: str, line: int) -> Entry | None:
    match = ENTRY.fullmatch(text) if len(text) < 300 else None
    if match is None:
        return None
    value = match["value"].replace('"', "'")
    return Entry(line, (f"'{match['text'][1:-1]}'",), value if value[:1] == "'" else GROUPED.sub("", value))


def _hold_all(entries: Sequence[Entry], asking: str, tests: Sequence[str]) -> bool:
    if not all(_is_asked(entry, tests) for entry in entries):
        return False
    owner = re.compile(rf"\b\w+(?:\.|::)(?={re.escape(asking)}\s*\()")  # `Duration.parse("90s")`
    told = (["" if REFUSED.search(line) else line for line in test.split("\n")] for test in tests if asking in test)
    wanting = [owner.sub("", "\n".join(lines)) for lines in told]
    return holds_all([(entry.parts, entry.value) for entry in entries], asking, wanting)


def _is_asked(entry: Entry, tests: Sequence[str]) -> bool:
    return any(asks(test, entry.parts, entry.value) for test in tests)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (whole_texts,)
