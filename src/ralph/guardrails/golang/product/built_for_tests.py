"""Go: product code that is built in another way where it is tested (policy set v2, class G07).

Rule: a file of the product is built only under a tag that tests set and nobody else does (`race`; `testing`, `test`,
`unittest`), its twin only without it, and both have a function of the same name with another body. It blocks where a
command of the project sets the tag for its tests. Constants that tell the tag (`const raceEnabled = true`) are none.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from itertools import islice

from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.rust.workspaces import COMMANDS
from ralph.system.patterns import later

TAGGED = later(r"(?m)^//go:build\s+(?P<tag>race|test|tests|testing|unittest|unit)\s*$")
FUNCTION = later(r"(?ms)^func\s+(?:\(\w*\s*(?P<owner>\*?\w+)\)\s+)?(?P<name>\w+)\([^\n]*\{(?P<body>.*?)(?:^\}|\}$)")
SETS = {"race": r"\bgo\s+test\b[^\n]*\s-race\b"}
MOST_FILES = 200


def built_for_tests(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status in "AM" and file.path.endswith(".go") and not file.path.endswith("_test.go"):
            tagged = TAGGED.search(file.added_text.decode("utf-8", "replace"))
            if tagged is not None and (twin := _twin(file, tagged["tag"], change)) and _is_set(tagged["tag"], change):
                number = next((number for number, line in file.added() if line.startswith(b"//go:build")), 1)
                detail = f"with the tag of its tests it is another one than {twin}"
                yield hit_at("code.detects-tests", file.path, number, detail, tagged[0])


def _twin(file: FileChange, tag: str, change: Change) -> str:
    """A file that is built without the tag, and has a function of the same name with another body."""
    own = _functions(change.blobs.after(file.path))
    folder = posixpath.dirname(file.path)
    for path in sorted(change.blobs.paths_after()):
        if (
            path == file.path
            or posixpath.dirname(path) != folder
            or not path.endswith(".go")
            or path.endswith("_test.go")
        ):
            continue
        text = (change.blobs.after(path) or b"").decode("utf-8", "replace")
        if re.search(rf"(?m)^//go:build\s+!{tag}\s*$", text) is None:
            continue
        others = _functions(change.blobs.after(path))
        if any(name in own and own[name] != body for name, body in others.items()):
            return path
    return ""


def _functions(data: bytes | None) -> dict[tuple[str, str], str]:
    text = (data or b"").decode("utf-8", "replace")
    return {(match["owner"] or "", match["name"]): "".join(match["body"].split()) for match in FUNCTION.finditer(text)}


def _is_set(tag: str, change: Change) -> bool:
    form = re.compile(SETS.get(tag, rf"\bgo\s+test\b[^\n]*-tags[= ]\S*\b{tag}\b").encode())
    paths = (path for path in sorted(change.blobs.paths_after()) if COMMANDS.search(path))
    return any(form.search(change.blobs.after(path) or b"") for path in islice(paths, MOST_FILES))


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (built_for_tests,)
