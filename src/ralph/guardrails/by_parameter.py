"""A change of a pipeline in which a part is called with other parameters, seen as if their values stood in the part.

`args: tests/slow` at the call of a command of CircleCI's, `inputs:` of a template of GitLab's, another list of a
matrix, another text for a function of a Jenkinsfile, `--build-arg`, `-Pfast`: what a check looks at is said in a line
that did not change. So the part is looked at once more with what it is given in the place of its names, on both sides,
and a command that is called in several ways stands there once for each. What is found there counts where a name stood,
and all over a file that did not change itself.
"""

from __future__ import annotations

from ralph.guardrails.change.edits import with_texts
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Change, FileChange
from ralph.guardrails.prefilter import is_in
from ralph.guardrails.spelled import Placed, Spelled
from ralph.system.patterns import later

FILES = later(
    r"(?i)\.(?:ya?ml|sh|bash|mk|bazelrc)$|(?:^|/)(?:gradle\.properties|(?:noxfile|tasks)\.py)$|(?:^|/)(?:jenkinsfile|makefile|justfile)[\w.]*$"
)
MAY = later(
    rb"<<|\$\[\[|inputs:|trigger:|[mM]atrix|!reference|\bdef \w+\s*\(|\benv:|--build-arg|[ -]compose\b|--config"
    rb"|\bgradle|^\w[\w.-]*[ ]*=|environ\.get|getenv"
)
REMOVED = frozenset({"check.removed"})
LARGEST = 200_000
"""Bytes of a pipeline that people keep."""


def by_parameter(change: Change) -> Spelled | None:
    """None if no part that has parameters is given other ones."""
    files = [file for file in change.files if _may_give(file, change)]
    if not files:
        return None
    from ralph.guardrails.config.called.parameters.put_in import is_setting, parts_of, put_in  # few changes need it

    sides = Side(change.blobs.before, change.blobs.paths_before()), Side(change.blobs.after, change.blobs.paths_after())
    own = {file.path for file in change.files}
    texts: dict[str, tuple[bytes, bytes]] = {}
    lines: dict[str, frozenset[int]] = {}
    others: dict[str, Placed] = {}
    settings: set[str] = set()
    was: dict[str, list[str]] = {}
    for file in files:
        for path in parts_of(file.path, *sides):
            old, new = (put_in(path, side, file.path) for side in sides)
            before, now = old.text(new, after=False), new.text(old, after=True)
            if path in texts or set(old.put.values()) == set(new.put.values()) or before == now:
                continue
            texts[path] = before.encode(), now.encode()
            was[path] = [filled.text for filled in old.put.values()]
            lines[path] = frozenset(number + 1 for number in new.put)
            if path not in own or any(is_setting(filled) for filled in {*new.put.values()} ^ {*old.put.values()}):
                settings.add(path)
            if path not in own:
                others[path] = Placed(file.path, next((number for number, _ in file.added()), 1))
    return (
        Spelled(with_texts(change, texts, alone=True), lines, frozenset(settings), others, REMOVED, was)
        if texts
        else None
    )


def _may_give(file: FileChange, change: Change) -> bool:
    if file.status != "M" or file.binary or FILES.search(file.path) is None:
        return False
    text = change.blobs.after(file.path) or b""
    return len(text) <= LARGEST and is_in(MAY, text)
