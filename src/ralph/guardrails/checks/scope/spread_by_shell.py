"""A pattern of files that lost its quotes: the shell spreads it, and knows no `**` (policy set v2, class G09).

    "test": "mocha test/**/*.spec.js"

A program that is handed `"test/**/*.spec.js"` looks into all folders. Without the quotes `sh` makes `test/*/*.spec.js`
of it: exactly one folder deep. Only if there is no such file does the program get the pattern as it is written.

Rule: a check of a file of commands is given a pattern without quotes that a changed file of the base had in quotes,
and the tree has files that the shell finds and others that only the program would. It blocks.

- Where `globstar` is set, or a shell that knows `**` reads it (zsh, fish, Yarn's and Bun's own), nothing is lost.
- `sh` takes braces as they are, and finds nothing with them; Bash, which runs the steps of a pipeline, does not.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.checks.programs.known import kind_of
from ralph.guardrails.checks.scope.globs import matched
from ralph.guardrails.config.command_files.scripts import is_ci_file, read_commands
from ralph.guardrails.config.patterns import written_out
from ralph.guardrails.config.side import Side
from ralph.guardrails.model import FileChange, Hit, hit_at
from ralph.system.patterns import later

RULE = "check.narrowed"
WORTH = later(rb"[ \t][\w@.{},/-]*\*\*/")
DEEP = later(r"(?!-)(?:[\w@.*?{},-]+/)*\*\*/[\w@.*?{},/-]+")
KNOWN = later(rb"\bglobstar\b|\b(?:zsh|fish|pwsh|powershell)\b")
SHELL_OF_MANAGERS = later(rb"script-shell|\"packageManager\"\s*:\s*\"(?:yarn@[2-9]|bun@)")
OWN_SHELLS = (".yarnrc.yml", "bun.lockb", "bun.lock")
LONGEST = 200


def spread_hits(files: Sequence[FileChange], before: Side, after: Side) -> Iterator[Hit]:
    given = [file for file in files if file.status != "D" and not file.binary and WORTH.search(file.added_text)]
    for file in given:
        data = after.bytes(file.path) or b""
        if KNOWN.search(data) or _has_own_shell(file.path, data, after):
            continue
        text, old = data.decode("utf-8", "replace"), (before.bytes(file.path) or b"").decode("utf-8", "replace")
        for run in read_commands(after, file.path).runs:
            if run.implied or not run.words or kind_of(run.words) in (None, "named"):
                continue
            for word in dict.fromkeys(each for each in run.words[1:] if len(each) <= LONGEST and DEEP.fullmatch(each)):
                if not _is_bare(word, text) or _is_bare(word, old) or not _was_quoted(word, files, before):
                    continue
                lost = _lost(word, file.path, after)
                if lost:
                    detail = f"{' '.join(run.words)}: the shell looks one folder deep for `**`, and leaves out {lost}"
                    yield hit_at(RULE, file.path, run.node.line, detail)


def _has_own_shell(path: str, data: bytes, side: Side) -> bool:
    if not path.endswith("package.json"):
        return False
    told = SHELL_OF_MANAGERS.search(data) or SHELL_OF_MANAGERS.search(side.bytes(".npmrc") or b"")
    return told is not None or any(name in side.paths for name in OWN_SHELLS)


def _is_bare(word: str, text: str) -> bool:
    """It stands there without quotes around it."""
    return re.search(rf"(?<=[ \t]){re.escape(word)}(?![\w*'`{{/\\])", text) is not None


def _was_quoted(word: str, files: Sequence[FileChange], before: Side) -> bool:
    quoted = re.compile(rf"[\"'`](?:\./)?{re.escape(word)}\\?[\"'`]".encode())
    return any(quoted.search(before.bytes(file.path) or b"") for file in files)


def _lost(word: str, path: str, side: Side) -> str:
    """A file that only the program would find, where the shell finds others; nothing if there is none."""
    in_bash = is_ci_file(path)
    if "{" in word and not in_bash:
        return ""
    folder = "" if in_bash or path.startswith(".") else posixpath.dirname(path)
    start = posixpath.normpath(posixpath.join(folder, word))
    spread = [each for glob in written_out(start) for each in matched(glob, side.paths, deep=False)]
    if not spread:
        return ""
    every = {each for glob in written_out(start) for each in matched(glob, side.paths, deep=True)}
    return min(every.difference(spread), default="")
