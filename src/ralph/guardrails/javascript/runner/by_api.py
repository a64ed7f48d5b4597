"""Runners that a script of the project starts by their API, with options that leave tests out (class G09).

    const stream = run({ globPatterns, only: true });  // from "node:test"

Rules, for lines that a change adds to a script that is no test itself:

- An option that has only some tests run, with a value that stands there, blocks: `only` of Node's runner, a pattern of
  names, `grep` of mocha, a shard. One that the script takes from its arguments is for whoever calls it.
- So do options by which a run without tests, with tests left out or with failures passes.
- What the base said in the same way is nothing new.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.config.patterns import is_sample
from ralph.guardrails.javascript.layout import is_test_file
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, Hit, hit_at
from ralph.guardrails.prefilter import prefilter
from ralph.system.patterns import later

WORDS = prefilter(
    (
        r"\bonly\s*:",
        r"test(?:Name|Skip)Patterns?",
        r"\bf?grep\b",
        r"\binvert\b",
        r"\bpassWithNoTests\b",
        r"\bonlyChanged\b",
    )
)
FILTERED, NONE_ACCEPTED = "cfg.test.filtered", "cfg.test.none-accepted"
_VALUE = r"(?:\[?\s*[\"'`/](?![\"'`\s,\]])[^\n]*|true\b[^\n]*)"


APIS = (
    (
        rb"(?:\brun\b[^\n;]{0,200}\bfrom\s*|\{[^{}\n]*\brun\b[^{}\n]*\}\s*=\s*(?:await\s+)?(?:require|import)\(\s*)[\"']node:test[\"']",
        rf"\bonly\s*:\s*true\b|\b(?:testNamePatterns?|testSkipPatterns?)\s*:\s*{_VALUE}",
    ),
    (
        rb"[\"']mocha[\"']",
        rf"\b(?:f?grep|invert)\s*:\s*{_VALUE}|\.(?:f?grep\(\s*[\"'`/](?![\"'`])[^\n]*|invert\(\s*\))",
    ),
    (
        rb"[\"'](?:jest|@jest/core|jest-cli)[\"']",
        rf"\b(?:testNamePattern|testPathIgnorePatterns)\s*:\s*{_VALUE}|\bonlyChanged\s*:\s*true\b",
    ),
    (rb"[\"']vitest/node[\"']", rf"\b(?:testNamePattern|changed)\s*:\s*{_VALUE}"),
)
"""From where each API comes (Node's module is that of tests, too), and its options that leave tests out."""
FORMS = tuple((later(module), later(filters)) for module, filters in APIS)
HOLDS_TESTS = later(rb"(?m)^[ \t]*(?:test|it|describe|suite)(?:\.\w+)*\(")
"""A test may start a runner on what it made for that."""
EMPTY = later(r"\bpassWithNoTests\s*:\s*true\b")
NOTE = later(r"\s*(?:\*|//|/\*)")


def by_api(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status not in "AM" or file.binary or language_of(file.path) not in ("javascript", "typescript"):
            continue
        if not WORDS.matches(file.added_text) or is_sample(file.path):
            continue
        data = change.blobs.after(file.path) or b""
        forms = [form for module, form in FORMS if module.search(data)]
        if not forms or (HOLDS_TESTS.search(data) and is_test_file(file.path)):
            continue
        removed = {" ".join(line.decode("utf-8", "replace").split()) for line in file.removed()}
        for number, line in file.added():
            text = line.decode("utf-8", "replace")
            if NOTE.match(text) or " ".join(text.split()) in removed:
                continue
            if (found := next(filter(None, (form.search(text) for form in forms)), None)) is not None:
                yield _hit(FILTERED, file.path, number, found[0], "has only some of the tests run")
            elif (empty := EMPTY.search(text)) is not None:
                yield _hit(NONE_ACCEPTED, file.path, number, empty[0], "a run without tests passes")


def _hit(rule: str, path: str, line: int, said: str, why: str) -> Hit:
    said = re.sub(r"\s+", " ", said).strip()[:100]
    return hit_at(rule, path, line, f"{said}: {why}", said)
