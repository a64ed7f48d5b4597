"""A merge bot that pushes to branches of its own, and GitHub's merge queue in its place (class G16).

bors and Homu merge what passes on a branch to which they alone push, and `bors.toml` says which jobs have to. Rule:
where that file is gone, and every workflow that the bot's branches started is started by `merge_group` now, nobody
pushes there any more, and which jobs the queue waits for stands in the settings of the repository: for a person. With
one of these workflows left behind, what ran before each merge does not.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

BORS = later(r"(?:^|/)(?:bors|homu)\.toml$")
WORKFLOW = later(r"(?:^|/)\.(?:github|gitea|forgejo)/workflows/[^/]+\.ya?ml$")
OF_THE_BOT = frozenset(("staging", "trying", "staging.tmp", "trying.tmp", "auto", "try"))
QUEUE = "merge_group"


def is_handed_over(before: Side, after: Side) -> bool:
    """The bot is gone, and all that its branches started is started by a merge queue."""
    if not any(BORS.search(path) and path not in after.paths for path in before.paths):
        return False
    started = list(_started(before))
    return bool(started) and all(_is_queued(after, path) for path in started)


def is_of_the_bot(push: Node) -> bool:
    """An event that starts a workflow on the bot's branches alone."""
    branches = push.at("branches")
    names = {canonical(item) for item in branches.items} if branches is not None else set()
    return bool(names) and names <= OF_THE_BOT


def _started(side: Side) -> Iterator[str]:
    for path in sorted(side.paths):
        node = side.node(path) if WORKFLOW.search(path) else None
        push = node.at("on", "push") if node is not None else None
        if push is not None and is_of_the_bot(push):
            yield path


def _is_queued(side: Side, path: str) -> bool:
    node = side.node(path)
    on = node.at("on") if node is not None else None
    return on is not None and (QUEUE in on.mapping or any(canonical(item) == QUEUE for item in on.items))
