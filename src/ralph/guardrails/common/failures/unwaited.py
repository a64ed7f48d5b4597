"""A helper of tests that failed when what it waits for never came, and no longer does (policy set v2, class G05).

Rule, for all languages: a function beside tests calls what it is given in a loop, and could fail in the base; in the
head nothing in it can. It blocks if it gives no answer either, or if somebody calls it and does not look at the answer.
What waits for as long as it takes has no end that could fail; what hands the waiting on may fail there.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator

from ralph.guardrails.common.failures.awaiting import ANSWERS, COMMENT, FAILS, PARAMETER, TELLS, calls
from ralph.guardrails.common.functions import Function, functions_of
from ralph.guardrails.inventory.readers import TEST_PLACE, is_beside_tests, language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.record import record
from ralph.system.patterns import later

LOOP = later(r"\b(?:while|for|until|loop|repeat|times|do)\b")
TRIES = later(r"\b(?:try|except|catch|rescue)\b")
"""It is given what fails itself: see `awaiting`."""
ENDS = later(r"(?i)time|dead|tries|try|attempt|limit|count|range|retr|until|remain|elapsed|max|left|ticks|now")
"""A loop that has an end besides what it waits for."""
FATAL = later(
    r"\.(?:Fatal|Error|FailNow)\w*\(|\bpanic!?\(|\bunreachable!|\bflunk\b|\bfail\b|\bbail!|\bthrow\b|\bAssert\."
)
GIVES = later(r"\byield\b(?!\s*from\b)|\bblock\.call\b")
"""How a function of Ruby calls what it is given."""
FOREVER = later(
    r"\bwhile\s*\(?\s*(?:True|true|1)\b|\bfor\s*\(\s*;\s*;|\bloop\s*\{|\bfor\s*\{"
    r"|\bwhile\s*\(?\s*(?:!|not\b)\s*\(?\s*(?:await\s+)?_\s*\(|\buntil\s+(?:_|yield)\b"
)
PAUSES = later(r"\bset(?:Timeout|Interval)\b|\b(?:time|Thread|asyncio|Task)\.(?:[sS]leep|Delay)\b|\bsleep\b")
SIGNATURE = later(r"\([^()]*(?:\([^()]*\)[^()]*)*\)")
LOOKED_AT = later(r"(?:[(=,\[\\]|&&|\|\||\b(?:and|or|not|return|in|assert|if|unless)|=>|[?:]\s)\s*$")
"""The end of a line of which the next one goes on."""
ASKED_OF = later(r"[)}]\s*(?:\.\s*(?!catch\b)\w|\bor\b|\band\b|\|\||&&|[=!]=|\?|\bif\b)")
DEFINES = later(r"\)\s*(?::\s*[\w<>\[\]| ]+)?\s*\{\s*$")
RAISES = later(rb"(?i)\b(?:raise|throw|fail\w*|assert\w*|fatal\w*|panic|flunk|error|expect)\b")
MOST_FILES = 500
MOST_BYTES = 400_000
LONGEST = 80
"""Lines of a helper."""


@record
class Waiting:
    line: int
    head: str
    fails: bool
    answers: bool


def unwaited(change: Change) -> Iterator[Hit]:
    for file in change.files:
        spoken = language(file, change)
        reader = reader_of(spoken)
        if file.status != "M" or reader is None or file.binary:
            continue
        if not is_beside_tests(file.path, reader) or not _loses(file):
            continue
        if any(len(side(file.path) or b"") > MOST_BYTES for side in (change.blobs.before, change.blobs.after)):
            continue
        old, new = (functions_of(side(file.path) or b"") for side in (change.blobs.before, change.blobs.after))
        kept = {each[1:] for each in old} & {each[1:] for each in new}
        before = _waiting(each for each in old if each[1:] not in kept)
        for name, now in _waiting(each for each in new if each[1:] not in kept).items():
            was = before.get(name)
            if was is None or not was.fails or now.fails:
                continue
            place = _ignored(name, file.path, change) if now.answers else ""
            if place is not None:
                told = f", and {posixpath.basename(place)} does not look at its answer" if place else ""
                detail = f"{name}: it no longer fails if what it waits for never comes{told}"
                yield hit_at("test.weakened", file.path, now.line, detail, now.head.strip(), key=name)


def _loses(file: FileChange) -> bool:
    return any(RAISES.search(line) for hunk in file.hunks for line in hunk.removed)


def _waiting(functions: Iterable[Function]) -> dict[str, Waiting]:
    """Those that call what they are given, until it holds or the time is over."""
    found: dict[str, Waiting] = {}
    for number, name, head, body in functions:
        if body.count("\n") > LONGEST:
            continue
        said = TELLS.sub("", COMMENT.sub("", body))
        signature = SIGNATURE.search(f"{head}\n{body}")
        given = frozenset(PARAMETER.findall(signature[0] if signature is not None else "")) - {"self", "t"}
        if TRIES.search(said) or not LOOP.search(said) or not (calls(said, given) or GIVES.search(said)):
            continue
        rest = re.sub(rf"\b(?:{'|'.join(map(re.escape, given)) or '-'})(?=\s*[(.])", "_", said)
        if FOREVER.search(rest) and not ENDS.search(PAUSES.sub("", rest)):
            continue
        fails = FAILS.search(rest) is not None or FATAL.search(rest) is not None
        found[name] = Waiting(number + 1, head, fails, ANSWERS.search(said) is not None)
    return found


def _ignored(name: str, path: str, change: Change) -> str | None:
    """A file of tests that calls it as a statement of its own."""
    suffix = posixpath.splitext(path)[1]
    alike = suffix[:3]
    beside = (each for each in change.blobs.paths_after() if posixpath.splitext(each)[1][:3] == alike)
    for each in nearest(filter(TEST_PLACE.search, beside), change, MOST_FILES):
        data = change.blobs.after(each)
        if data is not None and name.encode() in data and len(data) <= MOST_BYTES and _calls_alone(name, data, each):
            return each
    return None


def _calls_alone(name: str, data: bytes, path: str) -> bool:
    call = re.compile(rf"^\s*(?:await\s+)?(?:\w+(?:\.|::|\?\.))*{re.escape(name)}\b\s*[({{<]")
    lines = data.decode("utf-8", "replace").split("\n")
    for number, line in enumerate(lines):
        if call.match(line) is None or (DEFINES.search(line) and not path.endswith((".kt", ".kts", ".rb"))):
            continue
        above = next((each for each in reversed(lines[:number]) if each.strip()), "")
        if not LOOKED_AT.search(above) and not ASKED_OF.search(line):
            return path.endswith(".rs") is False or line.rstrip().endswith(";")
    return False


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (unwaited,)
