"""Checks in a container that nobody waits for: `docker run -d app pytest` ends well before `pytest` has begun.

Rule: what hands a command to a container, a pod or another machine, and is told to leave it alone there (`-d`,
`--detach`, `kubectl run` without `--attach`, `ssh -f`, `setsid -f`), says nothing of how it ends. Where the same text
asks for that later (`docker wait`, the exit code of an inspection), it is not lost.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from ralph.system.patterns import later

CONTAINERS = frozenset({"docker", "podman", "nerdctl", "docker-compose", "podman-compose"})
STARTS = frozenset({"run", "exec"})
APART = later(r"-[itPTq]*d[itPTq]*|--detach(?:=true)?")
ATTACHED = later(r"--attach(?:=true)?|--rm(?:=true)?|--stdin(?:=true)?|-[it]*i[it]*")
IN_BACKGROUND = later(r"-[46AaCGgKkMNnqsTtVvXxYy]*f[46AaCGgKkMNnqsTtVvXxYy]*")
FORKS = frozenset({"-f", "--fork"})
COLLECTED = later(
    r"\b(?:docker|podman|nerdctl)(?:[ -]compose)?(?: container)? (?:wait|attach)\b|\bExitCode\b"
    r"|\bkubectl\b[^\n]* (?:wait|attach|get|describe)\b"
)


def is_detached(words: Sequence[str], check: Sequence[str], text: str) -> bool:
    """`check` are the words of the check among all the words of a command of the text."""
    program = posixpath.basename(words[0])
    before = _before(words, check[0])
    if program in CONTAINERS:
        apart = bool(STARTS & set(before)) and any(map(APART.fullmatch, before))
    elif program == "kubectl":
        apart = "run" in before and not any(map(ATTACHED.fullmatch, before))
    else:
        apart = program == "ssh" and any(map(IN_BACKGROUND.fullmatch, before))
        apart = apart or (program == "setsid" and not FORKS.isdisjoint(before))
    return apart and COLLECTED.search(text) is None


def _before(words: Sequence[str], program: str) -> list[str]:
    """The words that are no part of the check."""
    ends = (at for at, word in enumerate(words) if at and (posixpath.basename(word) == program or " " in word))
    return list(words[1 : next(ends, len(words))])
