"""Files of tests with a new name that no pattern in the scripts of their package fits (policy set v2, class G04).

    "test": "node --test \"test/**/*.test.js\""       // and `split.js` became `split.tests.js`

Rule: runners that are given patterns on their command line (node's, Mocha, AVA, tape) collect what these fit, and
nothing else. A new file has tests of a file that is gone; that one was collected by such a pattern, and no pattern of
the head, in package.json or in a pipeline, fits the new one. It blocks there. Where a script names files or folders, or
gives its runner no pattern, or the runner has a configuration, nobody can tell from here.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from ralph.guardrails.config.side import Side
from ralph.guardrails.javascript.globs import matches_path
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Blobs, Change, FileChange, Hit, hit_at
from ralph.system.patterns import later

LANGUAGES = frozenset({"javascript", "typescript", "tsx"})
TITLE = later(rb"(?m)(?:^|[^\w.])(?:it|test)\(\s*(?P<title>\"[^\"\n]+\"|'[^'\n]+'|`[^`\n]+`)")
RUNS = later(r"(?:\b(?:node|tsx|bun)\b[^;&|]*?\s--test\b|\b(?:mocha|ava|tape|uvu)\b)(?P<given>[^;&|]*)")
WORD = later(r"\\?[\"'](?P<quoted>[^\"'\\]+)\\?[\"']|(?P<plain>[^\s\"'\\]+)")
CONFIGURED = later(r"(?:^|/)(?:\.mocharc\.\w+|ava\.config\.\w+|\.taprc)$")
PIPELINES = later(r"^(?:\.github/workflows/[^/]+\.ya?ml|\.gitlab-ci\.yml|Makefile|justfile)$")


def renamed_out(change: Change) -> Iterator[Hit]:
    gone = [file for file in change.files if file.status == "D" and language_of(file.path) in LANGUAGES]
    new = [file for file in change.files if file.status == "A" and language_of(file.path) in LANGUAGES] if gone else []
    for file in new:
        titles = _titles(file, change.blobs.after(file.path))
        was = next((each for each in gone if titles & _titles(each, change.blobs.before(each.path))), None)
        if was is None:
            continue
        paths = change.blobs.paths_before(), change.blobs.paths_after()
        old = _fits(was.path, change.blobs, paths[0], head=False)
        if old and _fits(file.path, change.blobs, paths[1], head=True) is False:
            match = next(TITLE.finditer(change.blobs.after(file.path) or b""))
            line = (change.blobs.after(file.path) or b"").count(b"\n", 0, match.start("title")) + 1
            detail = f"{was.path} was collected by a pattern of the scripts, and no pattern fits this name"
            yield hit_at("test.not-run", file.path, line, detail, match["title"].decode("utf-8", "replace"))


def _titles(file: FileChange, data: bytes | None) -> frozenset[bytes]:
    return frozenset() if file.binary else frozenset(TITLE.findall(data or b""))


def _fits(path: str, blobs: Blobs, paths: frozenset[str], *, head: bool) -> bool | None:
    """Whether a pattern of the scripts fits it; None where no script has one, or something else may collect it."""
    folder = posixpath.dirname(path)
    while posixpath.join(folder, "package.json") not in paths:
        if not folder:
            return None
        folder = posixpath.dirname(folder)
    side = Side(blobs.after if head else blobs.before, paths)
    node = side.node(posixpath.join(folder, "package.json"))
    scripts = node.at("scripts") if node is not None else None
    if scripts is None or any(CONFIGURED.search(each) and posixpath.dirname(each) == folder for each in paths):
        return None
    texts = [each.value for each in scripts.mapping.values() if isinstance(each.value, str)]
    pipelines = [(side.bytes(each) or b"").decode("utf-8", "replace") for each in paths if PIPELINES.search(each)]
    inside = posixpath.relpath(path, folder) if folder else path
    given = [_given(match["given"]) for text in (*texts, *pipelines) for match in RUNS.finditer(text)]
    if not given or not all(given) or any("*" not in word for words in given for word in words):
        return None
    patterns = [matches_path(word) for words in given for word in words]
    return any(pattern is None or pattern.match(inside) is not None for pattern in patterns)


def _given(text: str) -> list[str]:
    """The places that a runner is given; what stands behind an option may be its value."""
    found, option = [], False
    for match in WORD.finditer(text):
        word = match["quoted"] or match["plain"]
        if word.startswith("-"):
            option = "=" not in word
        else:
            if not option or "*" in word or "/" in word:
                found.append(word)
            option = False
    return found
