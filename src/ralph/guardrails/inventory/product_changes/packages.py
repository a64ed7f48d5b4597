"""Packages that tests are given, in another version (policy set v2, classes G05 and G13).

A folder of tests may have a manifest of its own, for what its tests bundle, compile or render; what comes of that is
another thing with another version. The project's own manifest is a part of the product already. Rule: a changed
manifest among the tests has another version of a package, and the test, or what is stored of it, names that package. A
test that names none of them is not concerned.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.model import Test
from ralph.guardrails.inventory.readers import TEST_PLACE
from ralph.guardrails.model import Change, FileChange
from ralph.system.patterns import later

MANIFEST = later(r"(?:^|/)(?:package\.json|requirements[\w.-]*\.txt|Gemfile|Cargo\.toml|go\.mod|composer\.json)$")
LISTED = later(
    r"^\s*(?:gem\s+|require\s+)?[\"']?(?P<name>@?[A-Za-z][\w./-]+)[\"']?(?:\s*(?:[:=,]|==|[~>]=)|\s)"
    r"(?:\s*\{\s*version\s*=)?[\"'^~>=<v ]*"
    r"(?P<version>\d+(?:\.\w+)+)"
)
"""One package, and its version of several numbers."""


def names_raised(text: str, change: Change) -> bool:
    """A text speaks of a package that the change gives the tests in another version."""
    return any(re.search(rf"(?<![\w@/-]){re.escape(name)}(?![\w-])", text) for name in _raised(change))


def is_given_others(test: Test, change: Change) -> bool:
    """The same of a test."""
    return any(True for _ in _raised(change)) and names_raised(test.facts().body, change)


def _raised(change: Change) -> Iterator[str]:
    for file in change.files:
        if file.status == "M" and MANIFEST.search(file.path) and TEST_PLACE.search(file.path):
            yield from _of_manifest(file)


def _of_manifest(file: FileChange) -> Iterator[str]:
    old, new = (
        {match["name"]: match["version"] for line in side if (match := LISTED.match(line.decode("utf-8", "replace")))}
        for side in (
            [line for hunk in file.hunks for line in hunk.removed],
            [line for hunk in file.hunks for line in hunk.added],
        )
    )
    yield from (name for name, version in old.items() if new.get(name, version) != version)
