"""Ruby: a helper of tests that waits for an expectation to hold, and forgets that it never did (see `awaiting`).

Rule (policy set v2, class G05): a new or edited method beside tests gives its block time and again, takes the failure
of what the block expects (`rescue RSpec::Expectations::ExpectationNotMetError`), and nothing in it can fail: all that
is awaited holds. It counts as failing if it raises or asserts, hands the failure or an answer to somebody, or gives its
block once more outside of that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.common.failures.awaiting import COMMENT, TELLS
from ralph.guardrails.common.functions import Function, functions_of
from ralph.guardrails.inventory.readers import is_beside_tests, language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.system.patterns import later

WORTH = later(rb"\brescue\b[^\n]*(?:Expectation|Assertion|Exception)")
TAKES = later(r"\brescue\s+[\w:, ]*(?:Expectation|Assertion|Exception)\w*(?:[\w:, ]*=>\s*(?P<name>\w+))?")
GIVES = later(r"\byield\b|\b\w+\.(?:call|\(\))")
LOOPS = later(r"\b(?:while|until|loop|retry|times|upto|step|each)\b")
AGAIN = later(r"\b(?:sleep|retry|deadline|timeout|attempts?|tries)\b")
"""It is given again until it holds, and not once for each of several."""
FAILS = later(r"\b(?:raise|fail|flunk|abort|exit!?|throw|assert\w*|refute\w*|expect|reject)\b")
ANSWERS = later(r"\b(?:return|break|next)[ \t]+(?!(?:yield|\w+\.call|if|unless|nil)\b)\S")
PLAIN_END = later(
    r"end|ensure|else|\}|nil|(?:sleep|retry)\b.*|.*\b(?:end|while|until)\b.*|[\w@.]+\s*[-+*/|&]{0,2}=(?!=).*"
)
"""The last line of a method that gives no answer anybody would look at."""
LONGEST = 80
"""Lines of a helper."""


def forgotten(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if language(file, change) != "ruby" or not is_beside_tests(file.path, reader_of("ruby")):
            continue
        if WORTH.search(change.blobs.after(file.path) or b""):
            yield from _in_file(file, change)


def _in_file(file: FileChange, change: Change) -> Iterator[Hit]:
    before, after = (functions_of(side(file.path) or b"") for side in (change.blobs.before, change.blobs.after))
    known = {body for _, _, _, body in before}
    for function in after:
        number, name, head, body = function
        if body not in known and _forgets(function):
            detail = f"{name}: what it waits for may never hold"
            yield hit_at("test.weakened", file.path, number + 1, detail, head.strip(), key=name)


def _forgets(function: Function) -> bool:
    body = function[3]
    taken = TAKES.search(body)
    if taken is None or body.count("\n") > LONGEST:
        return False
    said = TELLS.sub("", COMMENT.sub("", body)).replace(taken[0], "rescue")
    if len(GIVES.findall(said)) != 1 or not AGAIN.search(said) or not LOOPS.search(said):
        return False
    if FAILS.search(said) or ANSWERS.search(said):
        return False
    name = taken["name"]
    if name and re.search(rf"[(\[,]\s*{name}\b|<<\s*{name}\b|@\w+\s*=\s*{name}\b", said):
        return False
    last = next((line.strip() for line in reversed(said.split("\n")) if line.strip() not in ("", "end", "}")), "")
    return PLAIN_END.fullmatch(last) is not None


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (forgotten,)
