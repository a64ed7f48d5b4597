"""Assertions that a test takes from a file of the project instead of a library (policy set v2, class G05).

Rule, for JavaScript, TypeScript and Python: the base called `expect`, `assert` or one of their like; the change imports
that name from a file of the project, in which it is a function or a value that asserts nothing. It blocks. One that
raises, asserts, or is made of what a library gives (`real.extend({})`) asserts as far as anybody can tell.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.common.assertions.another_function import FAILS, LIBRARY, LONGEST, NOTES
from ralph.guardrails.common.beside_tests import edited_helpers
from ralph.guardrails.model import Change, ChangeDetector, Hit, hit_at
from ralph.guardrails.texts import depth
from ralph.system.patterns import later

WORTH = later(rb"\b(?:import|require)\b[^\n]*\b(?:expect|assert|refute|should|require|must|check)")
SCRIPTS = ("javascript", "typescript", "tsx", "vue")
TAKEN = later(
    r"import\s*(?:\w+\s*,\s*)?\{(?P<names>[^{}]*)\}\s*from\s*['\"](?P<from>\.{1,2}/[^'\"]+)['\"]"
    r"|(?:const|let|var)\s*\{(?P<held>[^{}]*)\}\s*=\s*require\(\s*['\"](?P<loaded>\.{1,2}/[^'\"]+)['\"]"
    r"|^from\s+(?P<module>\.*[\w.]*)\s+import\s+(?P<listed>[\w, ]+)"
)
NAMED = later(r"\w+(?:\s+as\s+(?P<own>\w+))?")
ENDINGS = ("", ".ts", ".tsx", ".js", ".mjs", ".cjs", ".jsx", ".mts", "/index.ts", "/index.js")
FOREIGN = later(
    r"import\s+(?P<one>[^;'\"]+?)\s+from\s*['\"](?![./])|(?:const|let|var)\s+(?P<two>[^=]+?)=\s*require\(\s*['\"](?![./])"
    r"|^(?:from\s+[A-Za-z][\w.]*\s+)?import\s+(?P<three>[\w, .]+)$",
    re.MULTILINE,
)
"""What a file takes from elsewhere."""
WORD = later(r"[A-Za-z_$][\w$]*")


def imported(change: Change) -> Iterator[Hit]:
    for file, spoken in edited_helpers(change, WORTH, (*SCRIPTS, "python")):
        before = (change.blobs.before(file.path) or b"").decode("utf-8", "replace")
        for number, data in file.added():
            line = data.decode("utf-8", "replace")
            match = TAKEN.search(line)
            for name in _names(match) if match is not None else ():
                called = LIBRARY.fullmatch(name) and re.search(rf"(?<![\w.]){name}\s*[.(]", before)
                place = match["from"] or match["loaded"] or match["module"] or "" if match is not None else ""
                if called and place not in before and _is_silent(name, file.path, place, spoken, change):
                    detail = f"{name} comes from {place} now, where it asserts nothing"
                    yield hit_at("test.weakened", file.path, number, detail, line.strip())


def _names(match: re.Match[str]) -> list[str]:
    parts = (match["names"] or match["held"] or match["listed"] or "").replace(":", " as ").split(",")
    found = (NAMED.fullmatch(part.strip()) for part in parts)
    return [each["own"] or each[0] for each in found if each is not None]


def _is_silent(name: str, path: str, place: str, spoken: str, change: Change) -> bool:
    data = next((data for each in _files(path, place, spoken) if (data := change.blobs.after(each)) is not None), None)
    if data is None or len(data) > LONGEST:
        return False
    lines = NOTES.sub("", data.decode("utf-8", "replace")).split("\n")
    declares = re.compile(rf"\b(?:const|let|var|function|class|def)\s+{name}\b|^{name}\s*=")
    at = next((number for number, line in enumerate(lines) if declares.search(line)), None)
    if at is None:
        return False
    end = at + 1
    while end < len(lines) and (not lines[end].strip() or depth(lines[end]) > depth(lines[at])):
        end += 1
    written = declares.sub("", "\n".join(lines[at:end]))
    foreign = {
        word
        for found in FOREIGN.finditer("\n".join(lines))
        for word in WORD.findall("".join(filter(None, found.groups())))
    }
    return FAILS.search(written) is None and foreign.isdisjoint(WORD.findall(written))


def _files(path: str, place: str, spoken: str) -> Iterator[str]:
    """Where the file may be that is meant."""
    folder = posixpath.dirname(path)
    if spoken != "python":
        yield from (posixpath.normpath(posixpath.join(folder, place)) + ending for ending in ENDINGS)
        return
    dots = len(place) - len(place.lstrip("."))
    name = place.lstrip(".").replace(".", "/")
    for _ in range(dots - 1):
        folder = posixpath.dirname(folder)
    yield posixpath.join(folder, f"{name}.py")
    if not dots:
        yield f"{name}.py"


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (imported,)
