"""What Gradle's `check`, `build` and `test` bring with them: verifications that run because these depend on them.

1. Where and how a dependency is said does not matter: in a block, on the task, in Groovy or in Kotlin, before or after.
2. Of a dependency that a plugin makes by itself a person is told; one that only the script made is lost with its line.
3. A verification that a command of the tree runs by name is not lost.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.config.command_files.scripts import is_ci_file
from ralph.guardrails.config.node import Key, Node, Settings
from ralph.guardrails.config.rows import Loss
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tools.gradle_blocks import openings
from ralph.system.patterns import later

GATE = "gate"
_DEPENDS = later(r"\b(?:dependsOn|finalizedBy)\b(?!\s*\.)(?P<value>\s*\([^\n]*|\s*\+?=[^\n]*|[ \t]+[^\n]*)")
_WORD = later(r"[A-Za-z]\w*")
_CALLS = frozenset(("tasks", "named", "get", "getByName", "withType", "provider", "it", "listOf", "setOf", "project"))
_VERIFIES = later(
    r"verif|tests?$|check|lint|detekt|spotless|spotbugs|pmd|pitest|licen[cs]e|audit|enforce|konsist|archunit",
    re.IGNORECASE,
)
_OTHER_WORK = later(
    r"report|classes|resources|jar$|compile|prepare|generate|^start|^stop|fixtures|checkout|clean|install|format$|apply$",
    re.IGNORECASE,
)
_AUTOMATIC = later(
    r"detekt|ktlintCheck|(?:checkstyle|pmd|spotbugs|codenarc)(?:Main|Test)|spotlessCheck|apiCheck|koverVerify|test|check|lint"
)
"""What its own plugin makes `check` depend on."""
_COVERAGE = later(r"(?:jacoco|kover)\w*verif\w*", re.IGNORECASE)
COVERAGE = "coverage verification"
_LIFECYCLE = later(r"(?:^|[.\"'(<])(?:check|build|test|Test|verify|ciCheck|qualityCheck|preCommit)\b")
_HEAD = later(r"([\w.]+(?:\s*<[^<>]*>)?(?:\s*\([^(){}]*\))?(?:\.\w+(?:\([^(){}]*\))?)*)\s*$")


def gates(text: str, path: str, side: Side) -> Iterator[tuple[Key, Node]]:
    """The verifications of a script, whose comments are blanks."""
    found: dict[str, Node] = {}
    for match in _DEPENDS.finditer(text) if "dependsOn" in text or "finalizedBy" in text else ():
        if _is_lifecycle(text, match.start()):
            line = text.count("\n", 0, match.start()) + 1
            for name in _tasks(match["value"].split("}")[0]):
                found.setdefault(name, Node(name, path, line, 1))
    if "kover" in text and re.search(r"koverVerify|verify\s*\{|minBound", text):
        # Kover's plugin makes `check` verify.
        found.setdefault(COVERAGE, Node(COVERAGE, path, 1, 1))
    elif COVERAGE not in found and _COVERAGE.search(text) and _is_commanded(side):
        found[COVERAGE] = Node(COVERAGE, path, 1, 1)
    for name, node in found.items():
        yield (GATE, name), node


def _tasks(text: str) -> Iterator[str]:
    for word in _WORD.findall(text):
        if word not in _CALLS and _VERIFIES.search(word) and not _OTHER_WORK.search(word):
            yield COVERAGE if _COVERAGE.fullmatch(word) else word


def _is_lifecycle(text: str, place: int) -> bool:
    """The task before the dot, or the one whose block it is in."""
    start = text.rfind("\n", 0, place) + 1
    line = text[start:place]
    if line.rstrip().endswith("."):
        return bool(_LIFECYCLE.search(line.strip().rstrip(".")))
    index = next(openings(text, place), None)
    head = _HEAD.search(text, max(0, index - 200), index) if index is not None else None
    return bool(head and _LIFECYCLE.search(head[1]))


def _is_commanded(side: Side) -> bool:
    """A command of the tree runs the coverage verification by its name."""
    places = (path for path in side.paths if is_ci_file(path) or posixpath.basename(path) in ("Makefile", "justfile"))
    return any(_COVERAGE.search(side.text(path) or "") for path in places)


def judge(before: Settings, after: Settings, _paths: Sequence[str]) -> Iterator[Loss]:
    for key, node in before.items():
        if key[0] == GATE and key not in after:
            rule = "check.removed-here" if _AUTOMATIC.fullmatch(key[1]) else "cfg.jvm.check-off"
            yield Loss(rule=rule, key=key[1], text="is no longer run by the build's checks", node=None, old=node)
