"""Commits that code makes with a library of git, which it tells to run no hook (policy set v2, class G16).

    repo.index.commit("Release", skip_hooks=True)        git.commit("Release", { "--no-verify": null })

Rule: GitPython, dulwich, simple-git, JGit and the gem `git` run the hooks of the repository unless told not to. A line
that tells so and is new blocks where the project has hooks; not in tests, and not what somebody is asked for
(`no_verify=options.no_verify`). Commands are judged where commands are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from ralph.guardrails.config.tools.releases import HOOKS, NAMED
from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.prefilter import is_in
from ralph.system.patterns import later

_OPTION = r"[\"'`]--no-verify[\"'`]"
_COMMITS = r"\.commit\([^\n]*"
FORMS = {
    (".py",): later(
        rf"\bskip_hooks\s*=\s*True\b|\bcommit\([^\n]*\bno_verify\s*=\s*True\b|\.git{_COMMITS}(?:{_OPTION}|[\"']-n[\"']|\bn=True)"
        r"|\bset_value\(\s*[\"']core[\"']\s*,\s*[\"']hooks[pP]ath[\"']\s*,\s*[\"'](?:/dev/null|/var/empty|)[\"']"
    ),
    (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"): later(
        rf"{_COMMITS}(?:{_OPTION}|[\"'`]-n[\"'`])|{_OPTION}\s*:\s*(?:null|true|undefined)\b"
    ),
    (".java", ".kt", ".kts", ".groovy", ".gradle", ".scala"): later(
        r"\.setNoVerify\(\s*true\s*\)|\bnoVerify\s*=\s*true\b"
    ),
    (".rb", ".rake"): later(rf"{_COMMITS}(?:\bno_verify:\s*true|:no_verify\s*=>\s*true)"),
}
WORTH = later(rb"(?i)no.?verify|skip_hooks|\.commit\(|hooksPath")
COMMENT = later(r"\s*(?:\#|//|/?\*)")


def by_library(change: Change) -> Iterator[Hit]:
    hooked: bool | None = None
    for file in change.files:
        form = next((form for ends, form in FORMS.items() if file.path.endswith(ends)), None)
        if form is None or not is_in(WORTH, file.added_text) or is_support(file.path):
            continue
        for number, text in _new(file, form):
            hooked = has_hooks(change) if hooked is None else hooked
            if hooked:
                yield hit_at("vcs.hooks-bypassed", file.path, number, text, text)


def _new(file: FileChange, form: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    before = Counter(match[0] for line in file.removed() for match in form.finditer(_text(line)))
    for number, line in file.added():
        text = _text(line)
        match = form.search(text) if not COMMENT.match(text) else None
        if match is None:
            continue
        if before[match[0]]:
            before[match[0]] -= 1
        else:
            yield number, text.strip()


def has_hooks(change: Change) -> bool:
    """Some that git runs: those of a manager, or of a folder that is known for them."""
    paths = change.blobs.paths_after()
    if any(HOOKS.search(path) for path in paths):
        return True
    return NAMED.search((change.blobs.after("package.json") or b"").decode("utf-8", "replace")) is not None


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace")


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (by_library,)
