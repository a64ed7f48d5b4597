"""Rules of a linter's plugin that report nothing, whatever they see (policy set v2, classes G12 and G15).

    const noCycle = { create(context) { return { ImportDeclaration(node) { targets.add(node.source.value); } }; } };

A rule of ESLint finds something by `context.report`. One that never calls it, and hands its context to nobody who
could, is switched on and finds nothing. It blocks where a rule of that name reported at the base, and in a plugin that
the change writes in the place of one that was installed (`installed`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.common.brackets import closed, opened
from ralph.guardrails.model import Change, ChangeDetector, Hit, hit_at
from ralph.guardrails.prefilter import is_in
from ralph.system.patterns import later

RULE = "cfg.eslint.rule-off"
SCRIPTS = (".js", ".cjs", ".mjs", ".ts", ".cts", ".mts")
WORTH = later(rb"\breport\b")
CREATES = later(
    r"(?<![\w.$])create\s*(?::\s*(?:async\s+)?(?:function\b\s*\w*\s*)?)?\(\s*(?P<given>[^()]*?)\s*\)\s*(?::[^={}\n]+)?(?:=>\s*)?(?P<opens>[{(])"
    r"|(?<![\w.$])create\s*:\s*(?P<alone>\w+)\s*=>\s*(?P<opened>[{(])"
)
NAMED = later(r"(?P<name>[\w$]+|[\"'][\w/@-]+[\"'])\s*(?::\s*[\w.<>\[\]\", ]+)?\s*[:=]\s*(?:[\w.]+\(\s*){0,3}\{\Z")
REPORTS = later(r"\breport\b")
NOTE = later(r"(?m)(?<!:)//[^\n]*|^\s*\*[^\n]*")
MOST, LONGEST, WIDEST, WIDEST_NAME, LONGEST_HEAD = 60, 200_000, 15_000, 160, 4_000


def silent_rules(text: str) -> dict[str, int]:
    """The rules of a file that report nothing, each with its line."""
    return {name: line for name, line, silent in _rules(text) if silent}


def gone_silent(change: Change) -> Iterator[Hit]:
    """Rules of the project's own that reported at the base."""
    for file in change.files:
        if not file.path.endswith(SCRIPTS) or file.status != "M" or file.binary:
            continue
        if not any(is_in(WORTH, b"\n".join(hunk.removed)) for hunk in file.hunks):
            continue
        before, after = (side(file.path) or b"" for side in (change.blobs.before, change.blobs.after))
        reported = {name for name, _, silent in _rules(before.decode("utf-8", "replace")) if not silent}
        for name, line in silent_rules(after.decode("utf-8", "replace")).items():
            if name in reported:
                yield hit_at(RULE, file.path, line, f"{name}: it reports nothing any more", name, key=name)


def _rules(text: str) -> Iterator[tuple[str, int, bool]]:
    """The name of each, its line, and whether it reports nothing."""
    if len(text) > LONGEST or "create" not in text:
        return
    code = NOTE.sub(lambda found: " " * len(found[0]), text)
    for creates in list(CREATES.finditer(code))[:MOST]:
        end = closed(code, creates.end() - 1, WIDEST)
        if end is None:
            continue
        given = creates["alone"] or creates["given"] or ""
        begin = opened(code, creates.start() - 1, LONGEST_HEAD)
        named = NAMED.search(code, max(0, begin - WIDEST_NAME), begin + 1) if begin is not None else None
        name = named["name"].strip("\"'") if named is not None else "the rule"
        body = code[creates.end() - 1 : end]
        yield (
            name,
            code.count("\n", 0, creates.start()) + 1,
            not (REPORTS.search(given + body) or _hands_on(given, body)),
        )


def _hands_on(given: str, body: str) -> bool:
    """The context goes to another function, or something else than it is read from it that may report."""
    name = re.match(r"\w+", given)
    if name is None:
        return bool(given)
    return (
        re.search(rf"[(,]\s*(?:\.\.\.)?{name[0]}\s*[,)]|=\s*{name[0]}\s*[;,\n]|\.bind\(|\.{{3}}{name[0]}\b", body)
        is not None
    )


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (gone_silent,)
