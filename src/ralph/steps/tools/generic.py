"""Any other linter or type checker: its exit code, and what its output names in the form `path:line: message`.

The rule for a tool that Ralph does not know (`cargo clippy`, `golangci-lint run`, `go vet ./...`): it fails when it
ends with anything but 0, and passes with 0, because such tools promise no more, and many say nothing when all is well.
Nothing was counted then, so the verdict shows no number for it. Whoever names a known tool in the context
(`lint_tool: eslint`) gets the strict rule: no report, no pass.
"""

from __future__ import annotations

import re

from ralph.steps.tools.recipe import Evidence, Reading, Recipe, shown

_PLACE = re.compile(
    r"^(?:\s*-->\s*)?(?P<path>[^\s:()][^\n:()]*\.\w+)(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\)):? ?(?P<text>[^\n]*)$",
    re.MULTILINE,
)
MAX_NAMED = 10_000


def read(evidence: Evidence) -> Reading:
    if evidence.exit_code == 0:
        return Reading()
    places = _PLACE.finditer(evidence.output)
    found = (f"{shown(place['path'], evidence.root)}: {place['text'].strip()}".rstrip(": ") for place in places)
    return Reading(failures=tuple(dict.fromkeys(found))[:MAX_NAMED], excuse="the command failed")


RECIPE = Recipe(tool="generic", kind="diagnostics", names=frozenset(), read=read)
