"""Things that stand in a tool's place or in that of its results (classes G15, G17).

- a file named like a tool that does not run it; a package of that name from a file or a fork; a file that makes every
  interpreter run code at its start;
- results that are committed instead of measured (`reports`), accepted findings that grow in number (`accepted`).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.checks.evidence.accepted import accepted_hits
from ralph.guardrails.checks.evidence.reports import report_hits
from ralph.guardrails.checks.programs.tables import PROGRAMS, SUBCOMMANDS
from ralph.guardrails.config.patterns import is_sample
from ralph.guardrails.model import MODE_SYMLINK, Change, FileChange, Hit, hit_at
from ralph.system.patterns import later

TOOLS = (
    frozenset(PROGRAMS)
    | frozenset(SUBCOMMANDS)
    | frozenset(("git", "curl", "python", "python3", "black", "isort", "prettier", "make", "diff", "grep"))
)
BINARY_FOLDERS = frozenset(
    ("bin", ".bin", "scripts", "tools", "shims", "stubs", "fake", "fakes", "wrappers", "ci", "", "local", "tmp", "path")
)
OF_PROGRAMS = later(r"(?:^|[_.-])s?bins?$")
"""A folder whose name ends with what it holds."""
WRAPPERS = frozenset(("gradlew", "mvnw", "make", "manage.py", "setup.py", "rails", "rake", "buck2"))
MAX_READ = 400_000
ANSWERS = later(
    r"\$\{?[1@*][^\n]*\b(?:test|check|lint|vet|verify|run)\b"
    r"(?:(?!\n[ \t]*(?:fi|else|elif|esac|exec)\b|;;).){0,500}?\bexit 0\b",
    re.DOTALL,
)
"""A wrapper that answers itself when it is asked to check something."""


def impostor_hits(change: Change, file: FileChange) -> Iterator[Hit]:
    path, name = file.path, posixpath.basename(file.path)
    if file.new_mode == MODE_SYMLINK:
        return
    if file.status in ("A", "M") and (tool := _named_like(path)) is not None:
        yield from _fake(change, file, tool)
    if is_sample(path):
        return
    if (
        name.endswith(".pth")
        and file.status != "D"
        and re.search(rb"(?m)^import[ \t]", change.blobs.after(path) or b"")
    ):
        yield hit_at("env.code-at-start", path, 1, "what begins with import in a path file is run at every start")
    yield from report_hits(change, file)
    yield from accepted_hits(change, file)


def _named_like(path: str) -> str | None:
    """The tool whose name a file has that could be found on the PATH or be run in its place."""
    folder, name = posixpath.split(path)
    stem = re.sub(r"\.(?:sh|cmd|bat)$", "", name)
    last = posixpath.basename(folder)
    if stem not in TOOLS or stem in WRAPPERS or (not folder and name == stem and stem in ("tox", "bin")):
        return None
    holds = last in BINARY_FOLDERS or ".bin" in folder.split("/") or OF_PROGRAMS.search(last) is not None
    return stem if holds else None


def _fake(change: Change, file: FileChange, tool: str) -> Iterator[Hit]:
    data = change.blobs.after(file.path) or b""
    text = data.decode("utf-8", "replace")
    if file.binary or len(data) > MAX_READ or (_runs(text, tool) and not ANSWERS.search(text)):
        return
    before = change.blobs.before(file.path)
    if before is None or _runs(before.decode("utf-8", "replace"), tool):
        yield hit_at("evidence.fake-tool", file.path, 1, f"{file.path} does not run {tool}")


def stands_in(path: str, text: str) -> bool:
    """True for a file that would be run in a tool's place and does not run the tool."""
    tool = _named_like(path)
    return tool is not None and len(text) <= MAX_READ and not _runs(text, tool)


def _runs(text: str, tool: str) -> bool:
    """True for a wrapper or stub that leads to the real tool."""
    first = text.split("\n", 1)[0]
    if re.search(r"\b(?:ba|da|z|k)?sh\b", first) or not first.startswith("#!"):
        from ralph.guardrails.checks.shell.outline import outline
        from ralph.guardrails.checks.shell.script import Script

        found = outline(Script(text), {})
        words = [" ".join(check.words) for _, check in found.places()]
        commands = re.sub(r"(?m)^\s*(?:echo|printf|#).*$", "", text)
        return (
            any(word.startswith(tool) for word in words)
            or re.search(rf"(?:exec|command|bin/|-m|run|npx)\s*[\"']?(?:\S*/)?{re.escape(tool)}\b|exec \"?\$", commands)
            is not None
        )
    code = re.sub(r"(?m)^\s*(?:print|puts|console\.log|echo|#|//).*$", "", text)
    return (
        re.search(
            rf"(?:require|load|import|from|bin_path|exec|run|spawn|system|Popen|call)\b[^\n]*{re.escape(tool.split('.')[0])}",
            code,
        )
        is not None
    )
