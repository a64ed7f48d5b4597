"""JavaScript: a program among the fixtures that a test starts in a process of its own, and that ends it (class G08).

    await execa(process.execPath, [join(__dirname, "fixtures", "main.mjs")]);

Rule: a new file in a folder of fixtures that gives nothing to others ends its own process, where tests of the change
name it and start processes or threads, and where nothing of the change loads it: no import, no configuration, no
command. The exit is for a person then; in what a runner or a test loads it blocks.
"""

from __future__ import annotations

import posixpath

from ralph.guardrails.javascript.layout import is_test_file
from ralph.guardrails.model import Change
from ralph.system.patterns import later

FIXTURES = later(r"(?:^|/)_*(?:fixtures?|testdata)_*/")
GIVES = later(rb"(?m)^\s*export\b(?!\s*\{\s*\})|\bexports\s*[.=\[]")
HOOKS = later(rb"\b(?:before|after)(?:Each|All)?\s*\(|\b(?:describe|it|test|suite)\s*\(")
STARTS = later(rb"\b(?:execa?|execFile|spawn|fork|execa?Node)(?:Sync)?\s*\(|\bnew\s+Worker\s*\(|\bfixture\s*\(")
LOADS = later(rb"\b(?:import|require|from|mock|setupFiles|--import|--require|-r)\b")


def is_started(path: str, change: Change) -> bool:
    """Whether this new file is a program that tests of the change start, and nothing else has to do with."""
    if FIXTURES.search(path) is None or any(file.path == path and file.status != "A" for file in change.files):
        return False
    data = change.blobs.after(path) or b""
    if GIVES.search(data) or HOOKS.search(data):
        return False
    name = posixpath.basename(path).encode()
    started = False
    for file in change.files:
        text = change.blobs.after(file.path) if file.path != path and file.status != "D" and not file.binary else None
        if text is None or name not in text:
            continue
        lines = [line for line in text.split(b"\n") if name in line]
        if not is_test_file(file.path) or STARTS.search(text) is None or any(map(LOADS.search, lines)):
            return False
        started = True
    return started
