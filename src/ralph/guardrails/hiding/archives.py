"""Whether something in the tree tests an archive of it: what is left out of the archive is then not tested (class G18).

An archive is made and unpacked, and something tests behind that in the same recipe or step.
"""

from __future__ import annotations

from ralph.guardrails.config.command_files.scripts import is_ci_file
from ralph.guardrails.model import Change
from ralph.system.patterns import later

RUNS = later(r"(?i)\.(?:sh|bash|mk|ya?ml|py|toml|json)$|(?:^|/)(?:\w*makefile|justfile|jenkinsfile|[\w.-]*dockerfile)$")
MADE = later(rb"\bgit[ -]archive\b")
NEXT = later(rb"\n[\w.-]+:")
"""Where the recipe of another target begins."""
UNPACKED = later(rb"\btar\s+(?:-\S+\s+)*-{0,2}\w*x\w*|\bunzip\b")
TESTED = later(
    rb"\b(?:pytest|unittest|tox|nox|jest|vitest|mocha|phpunit|pest|rspec|ctest|bats|mvnw?|gradlew?)\b"
    rb"|\b(?:npm|pnpm|yarn|bun|go|cargo|make|mix|dotnet|swift|bazel|composer|rake|deno|zig)\s+(?:run\s+)?"
    rb"(?:test|check|verify|ci)\b"
)
NEAR = 1_500


def is_tested(change: Change) -> bool:
    paths = (path for path in sorted(change.blobs.paths_after()) if RUNS.search(path) or is_ci_file(path))
    return any(map(_tests, (change.blobs.after(path) or b"" for path in paths)))


def _tests(text: bytes) -> bool:
    for made in MADE.finditer(text):
        end = NEXT.search(text, made.end(), made.end() + NEAR)
        behind = text[made.end() : end.start() if end is not None else made.end() + NEAR]
        unpacked = UNPACKED.search(behind)
        if unpacked is not None and TESTED.search(behind, unpacked.end()):
            return True
    return False
