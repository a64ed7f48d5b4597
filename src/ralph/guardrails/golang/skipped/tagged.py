"""Go: tests that got a build tag, and that the CI of the head runs with that tag (policy set v2, class G04).

Rule: a test of the base that the head builds with tags only is for a person where a command that CI runs for every
change, and fails for, gives these tags and holds the folder of the test, and chooses no tests.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence

from ralph.guardrails.config.side import Side
from ralph.guardrails.golang.skipped.built import met_with
from ralph.guardrails.model import Change, Hit
from ralph.record import replace
from ralph.system.patterns import later

BEHIND = later(r"^(?P<test>.*): its file is built with `(?P<tags>.*)` only$", re.DOTALL)
CHOOSES = later(r"-{1,2}(?:test\.)?(?:run|skip|short|list|c|n|exec)(?:=.*)?")
TAGS = later(r"-{1,2}tags(?:=(?P<tags>.*))?")
PLACE = later(r"\.{1,2}(?:/[\w./-]*)?")


def with_their_runs(hits: Iterable[Hit], change: Change) -> Iterator[Hit]:
    """A test that moved into a file with a tag is one and the same loss in both files."""
    found = list(hits)
    behind = [(hit, said) for hit in found if hit.rule == "test.not-run" and (said := BEHIND.search(hit.detail or ""))]
    runs = _tagged_runs(change) if any(hit.path.endswith("_test.go") for hit, _ in behind) else []
    run = {said["test"] for hit, said in behind if any(_builds(words, hit.path, said["tags"]) for words in runs)}
    for hit in found:
        test = (hit.detail or "").partition(":")[0]
        mild = hit.rule == "test.not-run" and hit.path.endswith("_test.go") and test in run
        yield replace(hit, rule="py.skip-condition") if mild else hit


def _tagged_runs(change: Change) -> list[Sequence[str]]:
    from ralph.guardrails.checks.pipelines.surely import surely_run
    from ralph.guardrails.checks.reach import Reach

    side = Side(change.blobs.after, change.blobs.paths_after())
    runs = [gate.words for gate in surely_run(Reach(side), "go test")]
    return [words for words in runs if not any(map(CHOOSES.fullmatch, words))]


def _builds(words: Sequence[str], path: str, constraint: str) -> bool:
    given = ((TAGS.fullmatch(word), after) for word, after in zip(words, (*words[1:], ""), strict=True))
    tags = {tag for match, after in given if match for tag in re.split(r"[,\s]+", match["tags"] or after)}
    return met_with(constraint, tags) and any(_holds(word, posixpath.dirname(path)) for word in words[2:])


def _holds(word: str, folder: str) -> bool:
    """A package, or all below a folder."""
    if not PLACE.fullmatch(word):
        return False
    place = posixpath.normpath(word.removesuffix("..."))
    everything = word.endswith("...") and (place == "." or folder.startswith(f"{place}/"))
    return everything or folder == ("" if place == "." else place)
