"""Test data under a name that whoever collects it passes over (policy set v2, class G09): all languages.

Rule: a file of test data goes to a name of the same folder that begins with a point, or, where Go embeds the folder or
builds it, with an underscore. Patterns (`*.sql`), shells and `//go:embed` pass over such names. It blocks where a test
that stays collects the folder by a pattern; else nobody may have collected it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.model import Change, ChangeDetector, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.system.patterns import later

COLLECTS = later(
    r"(?i)\bi?r?glob(?:Sync)?\(|\bglobby\b|import\.meta\.glob|Dir\[|Dir\.glob|filepath\.Glob|fs\.Glob|//go:embed|\bglob!|\bls\s|\*\.\w+"
)
EMBEDS = later(r"//go:embed|filepath\.Glob")
MOST_TESTS = 300


def hidden_names(change: Change) -> Iterator[Hit]:
    gone = {file.path: file for file in change.files if file.status == "D"}
    for file in change.files if gone else ():
        folder, name = posixpath.split(file.path)
        if file.status != "A" or name[:1] not in "._" or posixpath.join(folder, name.lstrip("._")) not in gone:
            continue
        was = posixpath.join(folder, name.lstrip("._"))
        if not TEST_PLACE.search(was) or change.blobs.after(file.path) != change.blobs.before(was):
            continue
        if test := _collected_by(folder, change, EMBEDS if name[0] == "_" else COLLECTS):
            detail = f"{test} collects {folder} by a pattern, which passes over such a name"
            yield hit_at("test.fewer-cases", file.path, 1, detail, f"{was} -> {file.path}")


def _collected_by(folder: str, change: Change, form: re.Pattern[str]) -> str:
    """A file of tests that names the folder where it collects files."""
    named = re.compile(rf"(?<![\w-]){re.escape(posixpath.basename(folder))}(?![\w-])")
    kept = (path for path in change.blobs.paths_after() & change.blobs.paths_before() if TEST_PLACE.search(path))
    for path in nearest(kept, change, MOST_TESTS):
        text = (change.blobs.after(path) or b"").decode("utf-8", "replace")
        if path.startswith(f"{folder}/") or not named.search(text):
            continue
        if any(form.search(line) for line in text.split("\n")):
            return path
    return ""


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (hidden_names,)
