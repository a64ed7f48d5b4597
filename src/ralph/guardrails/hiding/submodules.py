"""Settings of submodules that keep changes in them out of sight, or run commands (class G18)."""

from __future__ import annotations

from collections.abc import Iterable

from ralph.guardrails.hiding.places import hit, plain_files, without_moved
from ralph.guardrails.model import Change, Hit
from ralph.system.patterns import later

IGNORE = later(rb"(?i)^\s*ignore\s*=\s*[\"']?(all|dirty|untracked)\b")
COMMAND = later(rb"(?i)^\s*update\s*=\s*[\"']?!")


def submodule_settings(change: Change) -> Iterable[Hit]:
    for file in plain_files(change):
        if file.path.rpartition("/")[2] != ".gitmodules":
            continue
        found = []
        for number, line in file.added():
            if match := IGNORE.match(line):
                rule = "hidden.submodule" if match[1].lower() == b"all" else "hidden.submodule-shown"
                found.append(hit(rule, file, number, 1, line, "changes in a submodule are not shown"))
            elif COMMAND.match(line):
                found.append(hit("hidden.submodule", file, number, 1, line, "an update runs a command"))
        gone = (
            [hit("", file, 0, 0, line, found[0].detail or "").key for hunk in file.hunks for line in hunk.removed]
            if found
            else []
        )
        yield from without_moved(found, gone)
