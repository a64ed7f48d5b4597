"""Tests that a missing variable failed, and that are skipped now without one that nothing sets (class G02).

`if (!process.env.TEST_DATABASE_URL) throw` became `describe.runIf(process.env.DATABASE_URL)`, while the pipeline sets
`TEST_DATABASE_URL`: all of these tests are skipped there, and nobody hears of it.

Rule, for a file beside tests in all languages: in the base it refused to go on without a variable of the environment;
in the head it no longer reads that one, skips on another, on lines that the change brings, and refuses nothing near.
The head's pipelines, or what starts services for them, set the old variable and nowhere name the new one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from ralph.guardrails.common.unset import READ
from ralph.guardrails.inventory.readers import is_beside_tests, language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.system.patterns import later

RULES = {
    **dict.fromkeys(("javascript", "typescript", "tsx"), "js.test-skip"),
    **dict.fromkeys(("java", "kotlin"), "jvm.skip"),
    "python": "py.skip",
    "go": "go.skip",
    "rust": "rust.ignore",
    "csharp": "csharp.skip",
    "ruby": "ruby.skip",
    "php": "php.skip",
}
WORTH = later(rb"(?i)skip|runIf|assume|pending|\bignore")
STRICT = later(r"\bos\.environ\[\s*[\"'](\w+)[\"']\s*\]|\bENV\.fetch\(\s*[\"'](\w+)[\"']\s*\)(?!\s*\{)")
"""What fails by itself where the variable is not set."""
REFUSES = later(
    r"\b(?:throw|raise|abort|Fatal\w*\(|panic\w*!?\(|pytest\.fail\(|fail\(|[Aa]ssert\w*|exit\()|\.(?:expect|unwrap)\("
)
SKIPS = later(r"\b(?:runIf|skipIf|[sS]kip\w*|[aA]ssum\w+|pending|ignore)\b")
PIPELINES = later(
    r"^\.github/(?:workflows|actions)/|(?:^|/)(?:\.gitlab-ci\.yml|azure-pipelines\.ya?ml|bitbucket-pipelines\.yml|Jenkinsfile"
    r"|\.travis\.yml|(?:docker-)?compose[\w.-]*\.ya?ml|package\.json|[Mm]akefile|justfile|Taskfile\.ya?ml|tox\.ini|noxfile\.py"
    r"|pyproject\.toml|\.env[\w.-]*|Rakefile|build\.gradle(?:\.kts)?|pom\.xml|[\w.-]+\.runsettings"
    r"|(?:vitest|jest|playwright)[\w.-]*\.[cm]?[jt]s)$|^\.circleci/|^\.buildkite/"
)
NEAR = 4
MOST_FILES = 200
LARGEST = 200_000


def unset_in_ci(change: Change) -> Iterator[Hit]:
    for file in change.files:
        spoken = language(file, change)
        if file.status != "M" or file.binary or spoken not in RULES or not WORTH.search(file.added_text):
            continue
        if is_beside_tests(file.path, reader_of(spoken)):
            yield from _skipping(file, spoken, change)


def _skipping(file: FileChange, spoken: str, change: Change) -> Iterator[Hit]:
    before, after = (_text(side(file.path)) for side in (change.blobs.before, change.blobs.after))
    if not before or not after:
        return
    asked = {name for name, _ in _reads(after)}
    needed = _needed(before) - asked
    added = dict(file.added())
    skips = [number for number, line in added.items() if SKIPS.search(line.decode("utf-8", "replace"))]
    fresh = asked - {name for name, _ in _reads(before)} if needed and skips else set()
    if not fresh or fresh & _needed(after) or not (told := _told_in_pipelines(change)):
        return
    for old in sorted(needed):
        if _says(old, told) and not any(_says(name, told) for name in fresh):
            detail = f"it is skipped without {' and '.join(sorted(fresh))}, which nothing sets: {old} is what is set"
            line = added[skips[0]].decode("utf-8", "replace").strip()
            yield hit_at(RULES[spoken], file.path, skips[0], detail, line, key=f"skipped without {old}")


def _text(data: bytes | None) -> str:
    return data.decode("utf-8", "replace") if data is not None and len(data) <= LARGEST else ""


def _reads(text: str) -> Iterator[tuple[str, int]]:
    """The variables that a file reads, each with its line."""
    for form in (READ, STRICT):
        for match in form.finditer(text):
            name = next((each for each in match.groups() if each and re.fullmatch(r"[A-Z][A-Z0-9_]+", each)), None)
            if name is not None:
                yield name, text.count("\n", 0, match.start())


def _needed(text: str) -> set[str]:
    """Those without which it fails."""
    lines = text.split("\n")
    found = {name for match in STRICT.finditer(text) for name in match.groups() if name}
    for name, row in _reads(text):
        near = "\n".join(lines[row : row + NEAR])
        if REFUSES.search(near) and not SKIPS.search(near):
            found.add(name)
    return found


def _told_in_pipelines(change: Change) -> str:
    paths = (path for path in sorted(change.blobs.paths_after()) if PIPELINES.search(path))
    return "\n".join(_text(change.blobs.after(path)) for path in islice(paths, MOST_FILES))


def _says(name: str, told: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", told) is not None


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (unset_in_ci,)
