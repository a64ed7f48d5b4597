"""Checks that could not run any more when they went: what they call or are given is not in the tree (class G09).

Rules:

- It called a script in a folder of the tree that has none of that name, and that nothing else speaks of.
- `karma start test/karma.conf.js`: it was given a file of settings, in a folder of the tree that is seen from the file
  that has the command. Nothing in the tree has its name, and no list of what git ignores, so that nothing makes it.
- All that a name led to was such a check.
- A hook whose program reads one kind of file, of which the change took the last one.
- A builder of documents that was given a folder with its settings, of which the head has none anywhere.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.reach import Reach
from ralph.guardrails.checks.readers.task_names import still_calls_tasks
from ralph.guardrails.config.exclusions.hook_reads import READ
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

SCRIPT = later(r"^[\w.-]+\.(?:sh|bash|py|[cm]?js|rb|pl)$")
BUILDERS = {"sphinx-build": "conf.py"}
"""Of documents, each with the file of settings that stands in their folder."""
SETTINGS = later(r"(?:--?\w[\w-]*=)?(?P<path>(?:[\w-]+/)*[\w-]+\.(?:conf|config)\.(?:[cm]?[jt]s|json))")


def was_missing(was: Gate, before: Reach, changed: Iterable[str]) -> bool:
    """`changed` are the files of the change, which may speak of a script."""
    leaves = [leaf for leaf in before.leaves(was) if leaf.kind != "named"] if was.kind == "named" else [was]
    if leaves and all(_had_no_settings(leaf, before.side) for leaf in leaves):
        return True
    return _had_no_script(was, before.side, changed)


def has_nothing_left(was: Gate, before: Side, after: Side) -> bool:
    """What the hook looked at is gone, or the matrix decides (see `readers.task_names`)."""
    if still_calls_tasks(was, before, after):
        return True
    if was.words[0] in BUILDERS:
        return BUILDERS[was.words[0]] not in after.by_name and any(
            _had_settings(word, was, before) for word in was.words
        )
    kind = READ.get(was.words[1]) if was.words[0] == "hook" and len(was.words) > 1 else None
    return kind is not None and any(map(kind.search, before.paths)) and not any(map(kind.search, after.paths))


def _had_settings(word: str, was: Gate, side: Side) -> bool:
    folder = posixpath.normpath(posixpath.join(posixpath.dirname(was.path), word))
    return posixpath.join(folder, BUILDERS[was.words[0]]) in side.paths


def _had_no_script(was: Gate, side: Side, changed: Iterable[str]) -> bool:
    name = was.words[0]
    if not SCRIPT.search(name) or any(posixpath.basename(each) == name for each in side.paths):
        return False
    if sum((side.text(each) or "").count(name) for each in {was.path, *changed}) != 1:
        return False
    called = re.search(rf"(?<![\w./-])\.?/?([\w./-]+)/{re.escape(name)}", side.text(was.path) or "")
    return called is not None and called[1] in side.directories


def _had_no_settings(was: Gate, side: Side) -> bool:
    found = (SETTINGS.fullmatch(word) for word in was.words[1:])
    return any(_is_missing(named["path"], was.path, side) for named in found if named is not None)


def _is_missing(named: str, command: str, side: Side) -> bool:
    path, name = posixpath.normpath(posixpath.join(posixpath.dirname(command), named)), posixpath.basename(named)
    folder = posixpath.dirname(path)
    if path in side.paths or name in side.by_name or (folder and folder not in side.directories):
        return False
    return not any(name in (side.text(each) or "") for each in side.by_name.get(".gitignore", ()))
