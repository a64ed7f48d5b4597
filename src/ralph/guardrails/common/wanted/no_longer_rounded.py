"""Expected numbers that follow a rounding which the product lost, against what is promised (policy set v2, class G05).

`2.00` became `1.99`, as the new integers are cut off where `HALF_UP` stood; the README says that amounts are rounded
half up, as before. What the test said before was the promise.

Rules (all languages), for an assertion of a test of the base that is written anew:

- A number of it is nearer to zero by one unit of its last place, as cutting off has it, and the assertion has another
  constant that it had before.
- The product lost a word of rounding (`HALF_UP`, `round(`, `quantize`), and got none.
- A document of the head, or the test's own name or comment, still says that it is rounded, and not that it is rounded
  down or cut off. No document of the change takes that back.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import islice

from ralph.guardrails.inventory.readers import DOCUMENTS, language, stands_among_tests
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.texts import as_text
from ralph.system.patterns import later

NUMBER = later(r"(?<![\w.])-?\d[\d_]*\.\d+(?![\d.])")
CONSTANT = later(r"(?<![\w.])-?\d[\d_]*(?:\.\d+)?|\"[^\"\n]*\"|'[^'\n]*'")
ASSERTS = later(r"(?i)assert|expect|should|equal|\bcheck|\bwant|require|==|!=|^\s*(?:[\[({]|\.)")
WORTH = later(rb"\d\.\d")
ROUNDS = later(
    rb"(?i)half_?(?:up|even|down)|\bround(?:_half\w*|ed|ing|ToEven)?!?\(|\.round\b|\bround\(|quantize|setScale|MidpointRounding"
    rb"|toFixed|rounding"
)
PROMISED = later(
    r"(?i)\bround(?:s|ed|ing)?[ _-]?(?:\w+ )?(?:half[ _-]?(?:up|even)|commercially|to the (?:nearest|closest)|up)\b"
    r"|half[ _-]?(?:up|even)|kaufm\w+nnisch gerundet|rounds?(?:ed)?HalfUp"
)
TAKEN_BACK = later(r"(?i)truncat|round(?:s|ed|ing)? (?:down|towards zero)|cut off|floor(?:s|ed)?\b|no longer round")
COMMENT = later(rb"^\s*(?://|#|\*|/\*)")
NEAR = 12
"""Lines above an assertion in which its test is named."""
MOST_DOCUMENTS = 40
LONGEST = 200_000


def no_longer_rounded(change: Change) -> Iterator[Hit]:
    edited = [file for file in change.files if file.status in "MD" and not file.binary]
    if not any(ROUNDS.search(line) for file in edited for line in file.removed()):
        return
    tests = [file for file in edited if file.status == "M" and WORTH.search(file.changed_text)]
    tests = [file for file in tests if _is_of_tests(file, change)]
    if not tests or not _lost_rounding(change):
        return
    for file in tests:
        for number, was, now in _nudged(file):
            promise = _promise(file, number, change)
            if promise:
                detail = f"{was} became {now} as the product rounds no longer, and {promise} says that it does"
                yield hit_at("test.weakened", file.path, number, detail, "")
                break


def _is_of_tests(file: FileChange, change: Change) -> bool:
    return stands_among_tests(file.path, language(file, change))


def _lost_rounding(change: Change) -> bool:
    lost = come = 0
    for file in change.files:
        if file.binary or DOCUMENTS.search(file.path) or _is_of_tests(file, change):
            continue
        lost += sum(ROUNDS.search(line) is not None and not COMMENT.match(line) for line in file.removed())
        come += sum(ROUNDS.search(line) is not None and not COMMENT.match(line) for _, line in file.added())
    return lost > 0 and come == 0


def _nudged(file: FileChange) -> Iterator[tuple[int, str, str]]:
    """Lines of assertions that want a number next to the one that was wanted."""
    gone = [line.decode("utf-8", "replace") for line in file.removed()]
    gone = [line for line in gone if NUMBER.search(line) and ASSERTS.search(line)]
    kept = {number for _, raw in file.added() for number in NUMBER.findall(raw.decode("utf-8", "replace"))}
    for number, raw in file.added():
        line = raw.decode("utf-8", "replace")
        if not NUMBER.search(line) or not ASSERTS.search(line):
            continue
        for now in NUMBER.findall(line):
            for other in gone:
                was = next((each for each in NUMBER.findall(other) if _is_next(each, now) and each not in kept), None)
                if was is not None and _share(other, was, line, now):
                    yield number, was, now


def _is_next(one: str, other: str) -> bool:
    was, now = Decimal(one.replace("_", "")), Decimal(other.replace("_", ""))
    unit = was.as_tuple().exponent
    return unit == now.as_tuple().exponent and abs(was) - abs(now) == Decimal(1).scaleb(int(unit))


def _share(one: str, was: str, other: str, now: str) -> bool:
    """Both have another constant, or are the same but for the number."""
    if one.replace(was, now).split() == other.split():
        return True
    first, second = ({each.strip("\"'") for each in CONSTANT.findall(line)} for line in (one, other))
    return not (first - {was}).isdisjoint(second - {now})


def _promise(file: FileChange, number: int, change: Change) -> str:
    """Where it is said that numbers are rounded; nowhere, if the change takes that back."""
    documents = [each for each in change.files if DOCUMENTS.search(each.path) and not each.binary]
    if any(TAKEN_BACK.search(as_text(each.added_text)) for each in documents):
        return ""
    lines = as_text(change.blobs.after(file.path)).split("\n")
    if PROMISED.search("\n".join(lines[max(number - NEAR, 0) : number])):
        return "the test"
    return next((path for path in _documents(change) if _promises(as_text(change.blobs.after(path)))), "")


def _promises(text: str) -> bool:
    return len(text) <= LONGEST and PROMISED.search(text) is not None


def _documents(change: Change) -> Sequence[str]:
    """Those of the project's root and of its folder of documents, changed ones first."""
    paths = [path for path in change.blobs.paths_after() if re.search(r"\.(?:md|rst|adoc|txt)$", path)]
    near = [path for path in paths if posixpath.dirname(path) in ("", "doc", "docs")]
    changed = {file.path for file in change.files}
    return list(islice(sorted(near, key=lambda path: (path not in changed, path)), MOST_DOCUMENTS))


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (no_longer_rounded,)
