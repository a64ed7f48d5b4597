"""What a shell text does with failures so that nobody hears of them, whatever it is that fails (class G10).

Rules: a variable that only a subshell sets (`subshells`), a trap that ends well (`traps`), one answer for many
(`streams`). They count in what CI runs, and in scripts that check: that run a check, have a name that says so, or are
read in by one of those. What the base had in any of the changed files is nothing new; a new script blocks by its name.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.checks.failures import streams, subshells, traps
from ralph.guardrails.checks.failures.judged import Shell
from ralph.guardrails.checks.programs.known import is_named, is_named_folder
from ralph.guardrails.checks.reach import Reach
from ralph.guardrails.checks.reader import NONE, Flaws
from ralph.guardrails.checks.readers.files import place_of, read_into
from ralph.guardrails.checks.shell.script import Script
from ralph.guardrails.checks.spoken import Listener
from ralph.guardrails.config.command_files.scripts import is_shell
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Hit, hit_at
from ralph.system.patterns import later

MAY = later(r"\bjq\b|\btrap\b|\|\s*(?:while|until|for|\{|\()|[&|(`]")
LARGEST = 60_000
SAYS = {
    "subshell": "{} is set in a subshell, and asked outside of it: no failure is counted",
    "trap": "`{}` ends well whatever failed",
    "stream": "`{}` tells of one of many",
    "skipped": "`{}` decides before each command whether it runs",
}
Found = tuple[str, str, int]
"""(kind, what it is about, line)"""


class _Listener(Listener):
    """Remembers whether a target or script of the file has a name that says that it checks."""

    checks = False

    def text(self, text: str, line: int, slot: str, shell: Shell, flaws: Flaws = NONE, /) -> None:
        super().text(text, line, slot, shell, flaws)
        self.checks = self.checks or is_named(slot.rpartition("/")[2])


def unheard_hits(paths: Sequence[str], before: Reach, after: Reach) -> Iterator[Hit]:
    old = {(kind, about) for path in paths for kind, about, _ in _found(before.side, path)}
    for path in paths:
        new = [each for each in _found(after.side, path) if each[:2] not in old]
        if not new or not _checks(path, after):
            continue
        weak = path not in before.side.paths and not _is_named(path)
        for kind, about, line in new:
            text = SAYS[kind].format(about)
            rule = "check.born-weak" if weak else "check.result-lost"
            yield hit_at(rule, path, line, text, about)


def _found(side: Side, path: str) -> Iterator[Found]:
    if path not in side.paths:
        return
    for text, first in _heard(side, path).texts:
        if not MAY.search(text) or len(text) > LARGEST:
            continue
        script = Script(text)
        if script.root.has_error:
            continue
        for kind, find in (
            ("subshell", subshells.unheard),
            ("trap", traps.ends_well),
            ("stream", streams.one_of_many),
            ("skipped", traps.skips),
        ):
            yield from ((kind, about, first + row) for about, row in find(script))


def _heard(side: Side, path: str) -> _Listener:
    listener = _Listener(path)
    read_into(listener, side, path)
    return listener


def _checks(path: str, after: Reach) -> bool:
    if place_of(path) == "ci" or _is_named(path) or after.of_file(path):
        return True
    return _heard(after.side, path).checks or _is_read_in(path, after)


def _is_named(path: str) -> bool:
    return is_named(posixpath.basename(path)) or is_named_folder(path)


def _is_read_in(path: str, after: Reach) -> bool:
    """A script that checks sources it."""
    form = re.compile(
        rf"(?m)(?:^|[;&|]|\b(?:then|do)\b)\s*(?:source|\.)\s[^\n;]*{re.escape(posixpath.basename(path))}\b"
    )
    scripts = (other for other in after.side.paths if other != path and is_shell(after.side, other))
    return any(
        form.search(after.side.text(other) or "") and (_is_named(other) or bool(after.of_file(other)))
        for other in sorted(scripts)
    )
