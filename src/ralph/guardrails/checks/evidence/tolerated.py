"""Lists of the cases of a suite that may fail, one per line (policy set v2, class G17).

    # tests/conformance/expected_failures.txt
    invalid/local-date/day-1digit
    valid/inline-table/newline

Rule: a case that is new on such a list passed before, however many others left it. It is none where the suite itself
came with the change: a file of its folder, a submodule, or code beside tests that names the list. A list that is
written in another way throughout, and a case that only stands in another folder, say the same as before.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import MODE_GITLINK, Change, FileChange, Hit, hit_at
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

NAMES = later(
    r"(?i)(?:expect(?:ed)?|known|allowed?|tolerated?|accepted)[-_.]?(?:to[-_.]?)?(?:fail(?:s|ing|ures?|ed)?|broken)(?![a-z])"
    r"|(?<![a-z])x-?fail(?:s|ed|ures?)?(?![a-z])|(?<![a-z])(?:failing|broken)[-_.](?:tests|cases)(?![a-z])"
)
ENDS = ("", ".txt", ".list", ".lst", ".ini", ".csv", ".tsv")
COMMENT = later(r"(?:^|\s)(?:#|//|;).*$")
MAX_READ = 400_000


def _is_list(path: str) -> bool:
    stem, suffix = posixpath.splitext(posixpath.basename(path))
    return suffix.lower() in ENDS and NAMES.search(stem) is not None


def tolerated_hits(change: Change, file: FileChange) -> Iterator[Hit]:
    if not _is_list(file.path) or file.status != "M" or file.binary:
        return
    before, after = change.blobs.before(file.path), change.blobs.after(file.path)
    if not before or not after or max(len(before), len(after)) > MAX_READ:
        return
    old, new = _cases(before), _cases(after)
    fresh = {case: line for case, line in new.items() if case not in old}
    gone = {posixpath.basename(case) for case in old if case not in new}
    fresh = {case: line for case, line in fresh.items() if posixpath.basename(case) not in gone}
    if not fresh or not old.keys() & new.keys() or _suite_came(change, file.path):
        return
    case, line = next(iter(fresh.items()))
    more = f" (and {len(fresh) - 1} more)" if len(fresh) > 1 else ""
    yield hit_at("evidence.baseline-grown", file.path, line, f"{cut(case, 100)} may fail now{more}")


def _cases(data: bytes) -> dict[str, int]:
    lines = enumerate(data.decode("utf-8", "replace").splitlines(), 1)
    stripped = ((COMMENT.sub("", line).strip(), number) for number, line in lines)
    return {text: number for text, number in stripped if re.search(r"\w", text)}


def _suite_came(change: Change, path: str) -> bool:
    """More is asked of the product than before, as far as anybody can tell."""
    folder, name = f"{posixpath.dirname(path)}/".lstrip("/"), posixpath.basename(path).encode()
    for file in change.files:
        if file.path == path:
            continue
        if MODE_GITLINK in (file.old_mode, file.new_mode) or (folder and file.path.startswith(folder)):
            return True
        runs = language_of(file.path) is not None and TEST_PLACE.search(file.path) is not None
        if runs and name in (change.blobs.after(file.path) or b""):
            return True
    return False
