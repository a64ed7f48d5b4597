"""Skips in Go's short mode, where the project's own checks run in no other (policy set v2, class G02).

A test that is skipped in short mode is for a person, as it runs in a full one. Where each `go test` that the project's
Makefile, pipelines, scripts and packages say has `-short`, it runs nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from ralph.guardrails.model import Change, Hit
from ralph.record import replace
from ralph.system.patterns import later

SAYS_COMMANDS = later(
    r"(?:^|/)(?:GNUmakefile|[Mm]akefile|[Jj]ustfile|[Tt]askfile\.ya?ml|magefile\.go|package\.json|Dockerfile|Earthfile)$"
    r"|\.mk$|(?:^|/)\.github/(?:workflows|actions)/.*\.ya?ml$|(?:^|/)\.gitlab-ci\.yml$|(?:^|/)\.circleci/|\.sh$"
    r"|(?:^|/)(?:azure-pipelines|bitbucket-pipelines|\.travis|\.drone)\.ya?ml$"
)
RUNS = later(rb"\bgo(?:tool)?[ \t]+test\b[^\n]*|\bgotestsum\b[^\n]*|\"go\", *\"test\"[^\n]*")
SHORT = re.compile(rb"(?<![\w-])--?(?:test\.)?short\b(?!=false)")
MOST_FILES = 200


def never_in_full(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    short = any(hit.rule == "go.skip-short" for hit in hits) and _only_short(change)
    for hit in hits:
        if short and hit.rule == "go.skip-short":
            yield replace(hit, rule="go.skip", detail=f"{hit.key}, and the project's own checks run in short mode")
        else:
            yield hit


def _only_short(change: Change) -> bool:
    paths = islice((path for path in sorted(change.blobs.paths_after()) if SAYS_COMMANDS.search(path)), MOST_FILES)
    runs = [run for path in paths for run in RUNS.findall(change.blobs.after(path) or b"")]
    return bool(runs) and all(SHORT.search(run) for run in runs)
