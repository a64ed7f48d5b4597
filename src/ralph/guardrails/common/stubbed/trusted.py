"""A failure of a verification that counts as a success (policy set v2, class G19): all languages.

Rule: in a function that verifies a signature, a token or a permission by its name, a handler whose answer is a yes
(`catch { return true; }`, `rescue true`, `Err(_) => true`) blocks where what it handles computes or compares something
secret, and the base had no such handler there. One that refuses, throws, or answers a question that says no
(`isInvalid`) is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.common.functions import functions_of
from ralph.guardrails.inventory.readers import is_support, language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import is_in
from ralph.system.patterns import later

RULE = "code.failure-dropped"
LANGUAGES = frozenset(
    {"javascript", "typescript", "tsx", "python", "ruby", "go", "rust", "java", "kotlin", "csharp", "php"}
)
_VERIFIES = r"(?i)verif(?:y|ies|ied)|signature|authentic|authoriz|trusted|check_?(?:password|token|hmac|sig|credential)"
VERIFIES, MAY_VERIFY = later(_VERIFIES), later(_VERIFIES.encode())
SAYS_NO = later(
    r"(?i)invalid|unverif|unauth|untrusted|needs?_|needs[A-Z]|should|skip|expired|revoked|fail|den(?:y|ied)|not_"
)
SECRET = later(
    r"(?i)hmac|digest|timing_?safe|secure_?compare|constant_?time|verif|sign|jwt|bcrypt|argon|scrypt|checkpw|crypt|x509|token"
)
_YES = r"(?:true\b|True\b|Ok\(true\)|\{\s*[\"']?(?:ok|valid|verified|success)[\"']?\s*:\s*[tT]rue\b)"
_SPOKEN = r"(?:[ \t]*(?!return|throw|raise|if)[^\n{}]*\n){0,3}?"
"""It may be told to a log before."""
HANDLES = later(
    rf"\bcatch\b[^\n{{]*\n?[ \t]*\{{[ \t]*\n?{_SPOKEN}[ \t]*(?:return\s*\(?)?\s*{_YES}"
    rf"|\.catch\(\s*(?:async\s*)?(?:\(\w*\)|\w+)\s*=>\s*\(?{_YES}"
    rf"|^[ \t]*except\b[^\n]*:[ \t]*\n?{_SPOKEN}[ \t]*return {_YES}"
    rf"|\brescue\b[^\n]*\n{_SPOKEN}[ \t]*(?:return )?{_YES}|\brescue[ \t]+{_YES}"
    rf"|\bif err != nil \{{[ \t]*\n{_SPOKEN}[ \t]*return {_YES}"
    rf"|\bErr\(_\w*\)\s*=>\s*{_YES}|\.unwrap_or\(true\)",
    re.MULTILINE,
)
BEGINS = later(r"\b(?:try|begin|match)\b")
WORTH = later(rb"\b[tT]rue\b")
LONGEST = 300_000


def trusted(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status not in "AM" or file.binary or is_support(file.path) or not is_in(WORTH, file.added_text):
            continue
        spoken = language(file, change)
        reader = reader_of(spoken)
        if spoken in LANGUAGES and not (reader is not None and reader.is_test_file(file.path)):
            new = list(_found(change.blobs.after(file.path)))
            old = {name for name, _, _ in _found(change.blobs.before(file.path))} if new else set()
            yield from (_hit(file, *each) for each in new if each[0] not in old)


def _found(data: bytes | None) -> Iterator[tuple[str, int, str]]:
    """Functions that say yes where they could not verify: the name, and the line of the handler."""
    if data is None or len(data) > LONGEST or not (is_in(WORTH, data) and is_in(MAY_VERIFY, data)):
        return
    for number, name, _, body in functions_of(data):
        if not VERIFIES.search(name) or SAYS_NO.search(name):
            continue
        lines = body.split("\n")
        for match in HANDLES.finditer(body):
            start = max((each.start() for each in BEGINS.finditer(body, 0, match.start())), default=0)
            if SECRET.search(body, start, match.end()):
                line = body.count("\n", 0, match.start())
                yield name, number + line + 2, lines[line].strip()


def _hit(file: FileChange, name: str, line: int, text: str) -> Hit:
    detail = f"{name} says yes where it could not verify"
    return hit_at(RULE, file.path, line, detail, text)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (trusted,)
