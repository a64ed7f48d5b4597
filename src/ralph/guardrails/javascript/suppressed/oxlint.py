"""ESLint's region comment as oxlint reads it (spec: governance engine 1.4; class G01).

To ESLint `// eslint-disable` is prose; oxlint honours it like the block comment. Whether it counts depends on the
project: it does where the head has a configuration of oxlint.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from ralph.guardrails.compare import new_hits
from ralph.guardrails.javascript.files import Side, Sides
from ralph.guardrails.javascript.suppressed.eslint import listed, read_directive
from ralph.guardrails.javascript.suppressed.notes import notes
from ralph.guardrails.model import Change, Hit
from ralph.system.patterns import later

CONFIGURATION = frozenset({".oxlintrc.json", ".oxlintrc.jsonc", "oxlintrc.json", "oxlint.config.ts"})

_LINE_COMMENT = later(rb"//\s*eslint-disable(?!-)")


def line_comments(change: Change, files: Sequence[Sides]) -> Iterator[Hit]:
    files = [sides for sides in files if _LINE_COMMENT.search(sides.after.normal)]
    if files and any(PurePosixPath(path).name in CONFIGURATION for path in change.blobs.paths_after()):
        after = [hit for sides in files for hit in _disabled(sides.after)]
        yield from new_hits([hit for sides in files for hit in _disabled(sides.before)], after, change.files)


def _disabled(side: Side) -> Iterator[Hit]:
    for source in side.sources:
        for note in notes(source):
            label, value = read_directive(note.body)
            if note.kind == "line" and label == "eslint-disable":
                rules = listed(value)
                key = f"{label} {', '.join(sorted(rules))}"
                yield side.in_git_lines(source.hit("js.oxlint-disable", note.comment, key, scope=rules or None))
