"""Tests whose tool accepts by itself whatever they produce (policy set v2, class G13): all languages that have one.

`VerifierSettings.AutoVerify();` takes each text as the right one, and writes it over the recorded one.

Rules, for a line of code that a change adds beside tests, unless it only moved:

- It tells the tool to accept or to record everything: it blocks, in what sets up all tests as in a single one, whose
  comparison cannot fail any more.
- It does not count where it stands below a condition (`if (recording)`), or is given one (`ShouldUpdate(func() bool {
  return *update })`): a person asks for it then. Variables that ask for it are judged in `recorded`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import prefilter
from ralph.guardrails.texts import depth
from ralph.system.patterns import later

RULE = "cfg.test.snapshots-rewritten"
_YES = r"(?:true|\.all)"
_REPORTERS = r"\b(?:AutoApproveReporter|ReporterThatAutomaticallyApproves)\b(?!\s*;)"
"""Of ApprovalTests, in all its languages; the name alone in an import is none."""
ACCEPTS: dict[tuple[str, ...], str] = {
    # Verify
    (".cs", ".fs", ".vb"): rf"\bAutoVerify\(\s*(?:includeBuildServer\s*:\s*true\s*)?\)|{_REPORTERS}",
    # java-snapshot-testing, selfie
    (".java", ".kt"): rf"{_REPORTERS}|\bsetProperty\(\s*\"(?:update-snapshot|selfie)\"\s*,\s*\"[^\"\n]",
    (".py", ".cpp", ".cc", ".cxx", ".h", ".hpp"): _REPORTERS,
    # cupaloy, go-snaps
    (".go",): r"\bsnaps\.Update\(\s*true\s*\)|\bFailOnUpdate\(\s*false\s*\)"
    r"|\bShouldUpdate\(\s*func\(\)\s*bool\s*\{\s*return\s+true\b",
    # insta
    (".rs",): r"\bset_var\(\s*\"INSTA_FORCE_PASS\"\s*,\s*\"1\"",
    # swift-snapshot-testing
    (".swift",): rf"\bisRecording\s*=\s*true\b|\brecord\s*:\s*{_YES}\s*[,)]",
}
FORMS = tuple((ends, later(form)) for ends, form in ACCEPTS.items())
CODE = tuple(end for ends in ACCEPTS for end in ends)
_WORDS = r"autoverify|autoapprove|automaticallyapproves|update|record|selfie|insta_force"
NOTE = later(r"\s*(?:\#|//|\*|/\*|import\b|using\b|from\b)")
CONDITION = later(r"\s*(?:\}?\s*else\b|(?:\}\s*else\s+)?(?:if|unless|when|switch|guard)\b|\#if\b)")
ASKED_BEHIND = later(r"\bif\s+\S|\bunless\s+\S|\?\s*\S+\s*:|&&")


def approving(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if not file.path.endswith(CODE) or file.binary or file.status not in "AM" or not _is_of_tests(file.path):
            continue
        if prefilter((_WORDS,)).matches(file.added_text):
            yield from _accepting(file, change)


def _is_of_tests(path: str) -> bool:
    """`tests/ModuleInit.cs`, `Letters.Tests/ModuleInit.cs`, `LettersTests.swift`."""
    return TEST_PLACE.search(path) is not None or re.search(r"(?:^|[/._])\w*Tests?(?:[/.]|$)", path) is not None


def _accepting(file: FileChange, change: Change) -> Iterator[Hit]:
    form = next(form for ends, form in FORMS if file.path.endswith(ends))
    moved = Counter(text for hunk in file.hunks for line in hunk.removed if (text := _found(form, line)))
    lines = (change.blobs.after(file.path) or b"").split(b"\n")
    for number, line in file.added():
        text = _found(form, line)
        if not text or _is_asked(lines, number - 1):
            continue
        if moved[text]:
            moved[text] -= 1
            continue
        yield hit_at(RULE, file.path, number, text, line.decode("utf-8", "replace").strip())


def _found(form: re.Pattern[str], line: bytes) -> str:
    text = line.decode("utf-8", "replace")
    found = form.search(text) if not NOTE.match(text) else None
    return re.sub(r"\s+", " ", found[0]) if found is not None and not ASKED_BEHIND.search(text) else ""


def _is_asked(lines: Sequence[bytes], at: int) -> bool:
    """The line stands in a branch."""
    deep, heads = depth(lines[at].decode("utf-8", "replace")), False
    for number in range(at - 1, -1, -1):
        text = lines[number].decode("utf-8", "replace")
        if not text.strip():
            continue
        if depth(text) < deep or heads:  # what stands above a brace of its own is the head of the block
            if CONDITION.match(text):
                return True
            deep, heads = depth(text), text.strip() == "{"
    return False


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (approving,)
