"""How many findings a project's own file tolerates, and tolerates more (policy set v2, class G17).

    {"mypy_errors": 9, "complex_functions": 4}

Rules: in a file that is called a ratchet a number counts whose key speaks of findings, or of a checker; in one of
budgets, limits or thresholds only one whose keys speak of both, as a product has limits of its own. A file may be
nothing but one number, then its name speaks. Numbers under the same last key add up: what moved from one file of the
project to another is the same. A higher sum is more that is accepted; a key that is new is a new check.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator

from ralph.guardrails.config.command_files.scripts import is_ci_file
from ralph.guardrails.config.node import flat
from ralph.guardrails.config.readers import Unreadable, read
from ralph.guardrails.model import Change, FileChange, Hit, hit_at
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

RATCHET = later(r"(?i)ratchet")
BUDGETS = later(
    r"(?i)budget|limits?(?![a-z])|threshold|toleran|(?<![a-z])allow|(?<![a-z])max(?![a-z])|quality|(?<![a-z])counts?(?![a-z])"
)
ENDS = (".json", ".yml", ".yaml", ".toml")
PLAIN = ("", ".txt", ".count")
_FINDINGS = (
    r"errors?|warnings?|violations?|issues?|findings?|offen[cs]es?|problems?|suppress\w*|ignores?|todos?|fixmes?|anys?|smells?"
    r"|vulnerabilit\w*|failures?|failing|skips?|skipped|flaky|untyped|complex\w*|duplicat\w*|debt|noqas?"
)
_CHECKERS = (
    r"mypy|pyright|pyre|pytype|ruff|flake8|pylint|bandit|vulture|eslint|tsc|typescript|tslint|stylelint|biome|oxlint|knip|clippy"
    r"|rubocop|sorbet|reek|brakeman|phpstan|psalm|phpcs|detekt|ktlint|checkstyle|spotbugs|pmd|swiftlint|golangci|staticcheck"
    r"|revive|sonar\w*|semgrep|hadolint|shellcheck|type_?check\w*|lint_\w+"
)
FINDINGS = later(rf"(?:^|_)(?:{_FINDINGS})(?=_|$)")
CHECKERS = later(rf"(?:^|_)(?:{_CHECKERS})(?=_|$)")
CHECKED = later(r"(?:^|_)(?:lint|linter|types?|typing)(?=_|$)")
OTHERS = later(
    r"(?:^|_)(?:min|minimum|coverage|covered|score|passed|passing|line|lines|column|version|seconds?|ms|size|bytes)(?=_|$)"
)
"""Numbers that are better higher, or that count nothing."""
HUMP = later(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+")
NUMBER = later(r"\s*\d{1,7}\s*")
MAX_READ = 400_000


def ratchet_hits(change: Change, file: FileChange) -> Iterator[Hit]:
    stem, suffix = posixpath.splitext(posixpath.basename(file.path))
    if file.status != "M" or suffix.lower() not in (*ENDS, *PLAIN) or is_ci_file(file.path) or file.binary:
        return
    ratchet = RATCHET.search(stem) is not None
    if not (ratchet or BUDGETS.search(stem)):
        return
    old, new = (_numbers(file.path, side(file.path), ratchet) for side in (change.blobs.before, change.blobs.after))
    for name, (number, line) in new.items():
        if name in old and number > old[name][0]:
            detail = f"accepted findings rise from {old[name][0]:g} to {number:g} ({cut(name, 60)})"
            yield hit_at("evidence.baseline-grown", file.path, line, detail)
            return


def _numbers(path: str, data: bytes | None, ratchet: bool) -> dict[str, tuple[float, int]]:
    """What each last key says in sum, and where it is said first."""
    if not data or len(data) > MAX_READ:
        return {}
    stem = _snake(posixpath.splitext(posixpath.basename(path))[0])
    text = data.decode("utf-8", "replace")
    if NUMBER.fullmatch(text):
        speaks = CHECKERS.search(stem) or (ratchet and FINDINGS.search(stem))
        return {stem: (float(text), 1)} if speaks else {}
    try:
        found = flat(read(path, data)) if path.lower().endswith(ENDS) else {}
    except Unreadable:
        return {}
    sums: defaultdict[str, list[tuple[float, int]]] = defaultdict(list)
    for key, node in found.items():
        if isinstance(node.value, int | float) and not isinstance(node.value, bool) and _counts(key, ratchet):
            sums[key[-1]].append((float(node.value), node.line))
    return {name: (sum(number for number, _ in said), said[0][1]) for name, said in sums.items()}


def _counts(key: tuple[str, ...], ratchet: bool) -> bool:
    said = "_".join(map(_snake, key))
    if OTHERS.search(_snake(key[-1])):
        return False
    finds, checks = FINDINGS.search(said) is not None, CHECKERS.search(said) is not None
    return (finds or checks or CHECKED.search(said) is not None) if ratchet else (finds and checks)


def _snake(name: str) -> str:
    return re.sub(r"_+", "_", HUMP.sub("_", name)).lower().strip("_")
