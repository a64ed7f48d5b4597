"""Tests whose definition stands in a comment now (policy set v2, class G04).

What is in a comment does not run, whatever came in its place: a new test that is much like it is another one, and
no new name of it. A definition is a line that begins as a comment and has the test's name behind a word that defines
something. Where the base had such a line already, nothing is known of it.
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.match import Matching
from ralph.guardrails.inventory.model import Ghost, Test
from ralph.guardrails.model import Change
from ralph.record import replace

DEFINES = r"\b(?:def|func|fn|fun|void|it|test|specify|example|scenario|Task|public)\b"


def commented(test: Test, path: str, change: Change) -> Ghost | None:
    """What is left of it in the head's file of that name."""
    name = re.escape(test.parts[-1])
    form = re.compile(rf"(?m)^[ \t]*(?://|\#|/?\*|--)[^\n]*{DEFINES}[^\n]*(?:(?<!\w){name}\(|[\"'`]{name}[\"'`])")
    was, now = (
        (read(place) or b"").decode("utf-8", "replace")
        for read, place in ((change.blobs.before, test.path), (change.blobs.after, path))
    )
    found = form.search(now)
    if found is None or form.search(was) is not None:
        return None
    line = now.count("\n", 0, found.start()) + 1
    snippet = found[0].strip()
    return Ghost(name=test.parts[-1], path=path, line=line, column=1, snippet=snippet, why="it is commented out")


def without_commented(matching: Matching, change: Change) -> Matching:
    """Tests in comments have no new name."""
    away = [
        pair
        for pair in matching.pairs
        if pair.renamed and pair.old.kind == "test" and commented(pair.old, pair.new.path, change) is not None
    ]
    if not away:
        return matching
    known = {id(pair) for pair in away}
    pairs = [pair for pair in matching.pairs if id(pair) not in known]
    removed, added = (pair.old for pair in away), (pair.new for pair in away)
    return replace(matching, pairs=pairs, removed=[*matching.removed, *removed], added=[*matching.added, *added])
