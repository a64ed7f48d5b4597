"""A new program with a tool's name that is found before the tool and makes it say less (classes G10, G17).

Rules, for a new shell script that runs the tool itself, where the base ran the tool by its name and a file of the head
names the script's folder in the same line as the `PATH`:

- an option that the wrapper adds is judged as if it stood on the command lines of the base;
- the tool's failure must not get lost in the wrapper;
- what the wrapper is asked to look at must be handed on.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.checks.failures.judged import Judged, judged
from ralph.guardrails.checks.model import Flaw, Gate
from ralph.guardrails.checks.programs.tables import PROGRAMS
from ralph.guardrails.checks.reach import Reach, tool
from ralph.guardrails.checks.readers.files import may_hold_gates
from ralph.guardrails.config.command_files.embedded import is_image
from ralph.guardrails.config.command_files.scripts import is_shell
from ralph.guardrails.config.commands.losses import weaker
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import FileChange, Hit, hit_at
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

LOST: frozenset[Flaw] = frozenset(("lost", "lost-if", "not-run", "unheard"))
DOUBTFUL: frozenset[Flaw] = frozenset(("lost-maybe",))
GIVEN = later(r"\$(?:[@*1-9]|\{[@*1-9])")
ENVIRONMENT = (".envrc", ".profile", ".bashrc")


def wrapper_hits(file: FileChange, before: Reach, after: Side) -> Iterator[Hit]:
    folder, name = posixpath.split(file.path)
    if file.status != "A" or name not in PROGRAMS or not folder or not is_shell(after, file.path):
        return
    if not is_on_path(folder, after) or not (runs := [gate for gate in before.everywhere if tool(gate) == name]):
        return
    text = after.text(file.path) or ""
    calls = [call for call in judged(text) if call[0].words[0] == name]
    for call in calls:
        yield from _adds(file.path, call, runs)
    for rule, harms in (("check.result-lost", LOST), ("check.result-doubtful", DOUBTFUL)):
        if calls and all(harms & flaws.keys() for _, flaws in calls):
            yield _hit(rule, file.path, calls[0], f"{file.path} runs {name}, and its failure gets lost")

    if calls and not GIVEN.search(text):
        yield _hit("evidence.fake-tool", file.path, calls[0], f"{file.path} runs {name} on nothing that it is given")


def _adds(path: str, call: Judged, runs: list[Gate]) -> Iterator[Hit]:
    """What no command of the base that runs the tool said, and makes it check less."""
    for run in runs:
        added = [word for word in call[0].words[1:] if word not in run.words and "$" not in word]
        losses = weaker(run.words, (*run.words, *added)) if added and run.words[0] == call[0].words[0] else []
        for loss in losses:
            yield _hit(loss.rule, path, call, f"{path} hands {cut(' '.join(added), 100)} to {cut(run.text, 100)}")


def is_on_path(folder: str, after: Side) -> bool:
    """A file of the tree names the folder in the same line as the `PATH`."""
    named = re.compile(rf"(?m)^(?=[^\n]*PATH\b)[^\n]*(?<![\w-]){re.escape(folder)}(?![\w-]|/\w)")
    return any(named.search(after.text(path) or "") for path in sorted(after.paths) if _sets_path(path))


def _sets_path(path: str) -> bool:
    name = posixpath.basename(path).lower()
    return may_hold_gates(path) or is_image(name) or name in ENVIRONMENT


def _hit(rule: str, path: str, call: Judged, detail: str) -> Hit:
    text = " ".join(call[0].words)
    return hit_at(rule, path, call[0].row + 1, detail, text)
