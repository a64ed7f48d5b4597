"""Commits made with the plumbing under `git commit`, which runs no hook (class G16).

A commit counts if the same file points a branch of code at one; branches and refs of what a program made are usual.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ralph.guardrails.checks.spoken import Spoken
from ralph.system.patterns import later

MADE_REF = later(
    r"pages|refs/(?:tags|notes|backup|stash|wip|original)|\btags?\b|docs?\b|site|dist\b|build|badge|coverage|artifact"
    r"|backup|snapshot|metrics|bench|data\b|cache|release|generated|orphan|mirror|subtree|split|scratch|tmp|temp",
    re.IGNORECASE,
)
"""Refs that hold what a program made."""


def makes_a_commit(said: Spoken) -> bool:
    """The plumbing under `git commit`, which runs no hook."""
    words = past_settings(said.words[1:]) if said.words[0] == "git" else ()
    return words[:1] == ("commit-tree",) or (words[:1] == ("hash-object",) and "commit" in words and "-w" in words)


def moves_a_branch(said: Spoken) -> bool:
    """Points a branch of code at a commit of one's own; branches and refs for what is generated are usual."""
    words = past_settings(said.words[1:]) if said.words[0] == "git" and not said.variable else ()
    shown = " ".join(words)
    if not words or MADE_REF.search(shown):
        return False
    rest = [word.strip("\"'") for word in words[1:] if not word.startswith("-")]
    if words[0] == "update-ref":
        return "-d" not in words and bool(rest) and re.match(r"refs/heads/|HEAD$|\$", rest[0]) is not None
    if words[0] == "push":
        return any(re.match(r"\+?(?:\$|[0-9a-f]{7})[^:]*:", word) for word in rest)
    return (words[0] in ("reset", "merge") and any(word.startswith("$") for word in rest)) or (
        words[0] in ("branch", "checkout", "switch")
        and re.search(r"(?:^|\s)(?:-f|--force|-B|-C)\s", shown) is not None
        and any(word.startswith("$") for word in rest[1:])
    )


def past_settings(words: Sequence[str]) -> Sequence[str]:
    index = 0
    while index < len(words) and words[index].startswith("-"):
        index += 2 if words[index] in ("-c", "-C", "--git-dir", "--work-tree") else 1
    return words[index:]
