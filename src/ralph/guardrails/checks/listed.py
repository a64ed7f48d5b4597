"""Packages of Go that are tested by a list from which some are taken (class G09).

Rule, for a file that called `go test ./...`, or tested such a list, and now tests `go list ./... | grep -v …`: a
package with tests on both sides must not match what is taken out, unless the base took it out as well or another call
names it.
Folders of tests that need a surrounding of their own, and what is not the project's, are for a person.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.checks.readers.files import may_hold_gates
from ralph.guardrails.config.scripts import command_files
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Hit
from ralph.system.patterns import later

GO = r"(?:\bgo|\$[({]GO[)}])"
EVERYTHING = later(rf"{GO}\s+test\b(?:(?!\slist\s)[^\n|])*\s\./\.\.\.")
LIST = later(rf"{GO}\s+list\b[^\n|]*(?P<taken>(?:\|\s*grep\b(?:\"[^\"\n]*\"|'[^'\n]*'|\\\||[^\n|)`\"'])*)+)")
NAMED = later(rf"{GO}\s+test\b[^\n|]*?\s\./(?P<place>[\w./-]*[\w-])")
WORD = later(r"\"[^\"]*\"|'[^']*'|[^\s|]+")
APART = later(
    r"(?:^|/)(?:vendor|third_party|examples?|e2e|integration|acceptance|bench\w*|mocks?|tools|hack|test)(?:/|$)"
)
TEST = later(r"(?m)^func Test\w*\(")
MODULE = later(r"(?m)^module\s+(\S+)")


def listed_hits(path: str, before: Side, after: Side) -> Iterator[Hit]:
    old, new = before.text(path) or "", after.text(path) or ""
    lists = [found for found in LIST.finditer(new) if _forms(found["taken"])] if "grep" in new else []
    tested = EVERYTHING.search(old) is not None or LIST.search(old) is not None
    if not lists or not tested or EVERYTHING.search(new) is not None or not may_hold_gates(path):
        return
    had = [form for found in LIST.finditer(old) for form in _forms(found["taken"])]
    module = MODULE.search(after.text("go.mod") or "")
    root = module[1] if module is not None else "x"
    for found in lists:
        for folder in _tested(before, after):
            package = posixpath.join(root, folder)
            forms = [form for form in _forms(found["taken"]) if form.search(package)]
            if forms and not any(form.search(package) for form in had) and not _is_named(folder, after):
                detail = f"go test no longer looks at {folder}"
                row = new.count("\n", 0, found.start()) + 1
                line = new.split("\n")[row - 1].strip()[:200]
                yield Hit(rule="check.narrowed", path=path, line=row, column=1, key=detail, snippet=line, detail=detail)
                break


def _forms(taken: str) -> list[re.Pattern[str]]:
    """What each `grep -v` takes out."""
    found: list[str] = []
    for part in taken.split("grep")[1:]:
        words = [word.strip("\"'") for word in WORD.findall(part)]
        flags = "".join(word[1:] for word in words if re.fullmatch(r"-\w+", word))
        texts = [word.replace("$$", "$").replace(r"\|", "|") for word in words if not word.startswith("-")]
        if "v" in flags:
            found += [re.escape(text) if "F" in flags else text for text in texts]
    return [form for text in found if (form := _compiled(text)) is not None]


def _compiled(text: str) -> re.Pattern[str] | None:
    try:
        return re.compile(text) if text and "$(" not in text and "${" not in text else None
    except re.error:
        return None


def _tested(before: Side, after: Side) -> list[str]:
    """The folders with tests on both sides."""
    files = (path for path in before.paths & after.paths if path.endswith("_test.go"))
    folders = {posixpath.dirname(path) for path in files if TEST.search(after.text(path) or "")}
    return sorted(folder for folder in folders if folder and not APART.search(folder))


def _is_named(folder: str, after: Side) -> bool:
    texts = (after.text(path) or "" for path in command_files(after))
    places = (found["place"].strip("./") for text in texts for found in NAMED.finditer(text))
    return any(place and (folder == place or folder.startswith(f"{place}/")) for place in places)
