"""The checks of a Jenkinsfile: the texts of its `sh` steps, and the blocks around them that catch or skip."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.checks.failures.judged import LOST, Shell
from ralph.guardrails.checks.model import Flaw
from ralph.guardrails.checks.reader import Collector
from ralph.guardrails.checks.shell.folders import joined
from ralph.guardrails.config.command_files import embedded
from ralph.guardrails.texts import cut
from ralph.system.patterns import later

CATCHING = later(r"\b(?:catchError|warnError)\b(?P<how>[^{}]*)\{|\btry\s*\{")
SKIPPED = later(r"\bwhen\s*\{\s*(?:expression\s*\{\s*(?:return\s+)?)?false\b")
WHEN = later(r"\bwhen\s*\{")
ELSEWHERE = later(
    r"\bbranch\s*\(?\s*(?:pattern:\s*)?['\"](?!main|master|trunk|develop|\*)|\bbuildingTag\b|\btag\s|\btriggeredBy\b|\bparams\.|\benv\.|\bchangelog\b"
    r"|\benvironment\s+name"
)
PROPOSED = later(r"\bchangeRequest\b|\banyOf\b|\bnot\s*\{|\bCHANGE_ID\b")
"""Holds for proposed changes, or may."""
NOT_PROPOSED = later(
    r"\s*not\s*\{\s*(?:(?:changeRequest|changelog)\b[^{}]*|branch\s*\(?\s*(?:pattern:\s*)?['\"](?!main|master|trunk|develop|docs?\b"
    r"|gh-pages|release|renovate|dependabot)[^{}]*)\}\s*"
)
"""Holds for no proposed change, or not for those of some branches."""
HANDLER = later(r"\}\s*catch\s*\([^)]*\)\s*\{(?P<body>[^}]*)\}")
RETRY = later(r"\bretry\s*\([^)]*\)\s*\{")
STATUS = later(r"\breturnStatus\s*:\s*true")
HELD = later(r"\b(?P<name>\w+)\s*=\s*sh\b")
FAILS = later(r"\b(?:throw|error)\b|currentBuild\.result\s*=\s*['\"](?!SUCCESS|UNSTABLE)")
INPUT = later(r"(?m)^\s*input\s*(?:\{|\(|['\"])")
FOLDER = later(r"\bdir\s*\(\s*['\"](?P<path>[^'\"]+)['\"]\s*\)\s*\{")
STAGE = later(r"\bstage\s*\([^)]*\)\s*\{")
ASKED_WITHIN = 600
"""So many characters behind a call its status is asked."""

Span = tuple[int, int, Flaw, str]


def pipeline(collector: Collector, text: str) -> None:
    spans, folders = list(_spans(text)), list(_folders(text))
    rows = text.split("\n")
    for command, line in embedded.commands("jenkinsfile", text):
        row = rows[line - 1]
        at = sum(len(each) + 1 for each in rows[: line - 1]) + max(row.find(command.split("\n")[0]), 0)
        flaws: dict[Flaw, str] = {flaw: words for start, end, flaw, words in spans if start <= at < end}
        if STATUS.search(row) and not _asked(text, row, at):
            flaws["lost"] = LOST
        collector.folder = next((folder for start, end, folder in folders if start <= at < end), "")
        collector.text(command, line, "stages", Shell(errexit=True), flaws)


def _folders(text: str) -> Iterator[tuple[int, int, str | None]]:
    """The blocks whose steps run in a folder, the innermost first."""
    for match in reversed(list(FOLDER.finditer(text))):
        yield match.end(), _end(text, match.end()), joined("", match["path"])


def _spans(text: str) -> Iterator[Span]:
    for match in CATCHING.finditer(text):
        end = _end(text, match.end())
        if match[0].startswith("try"):
            handler = HANDLER.match(text, end - 1)
            if handler is None or FAILS.search(handler["body"]):
                continue
        elif re.search(r"buildResult\s*:\s*'FAILURE'", match["how"]):
            continue
        yield match.end(), end, "allowed", "what surrounds it catches its failure"
    for match in SKIPPED.finditer(text):
        end = match.end()
        # The condition stands inside the stage that it skips.
        for _ in range(match[0].count("{") + 1):
            end = _end(text, end)
        yield match.end(), end, "off", "its stage never runs"
    for match in WHEN.finditer(text):
        inside = text[match.end() : _end(text, match.end()) - 1]
        negated = NOT_PROPOSED.fullmatch(inside) is not None
        kind: Flaw = "run-if" if negated or ELSEWHERE.search(inside) else "run-maybe"
        if not SKIPPED.match(text, match.start()) and (negated or not PROPOSED.search(inside)):
            yield (
                match.end(),
                _end(text, _end(text, match.end())),
                kind,
                f"it runs only if {cut(' '.join(inside.split()), 80)}",
            )
    for match in STAGE.finditer(text):
        end = _end(text, match.end())
        head = text[match.end() : end].partition("steps")[0]
        if INPUT.search(head) and "when" not in head:
            yield match.end(), end, "run-if", "somebody has to let it run"
    for match in RETRY.finditer(text):
        yield match.end(), _end(text, match.end()), "retried", "it is run again until it succeeds"


def _asked(text: str, row: str, at: int) -> bool:
    """The status is held, and what asks for it fails."""
    held = HELD.search(row)
    if held is None:
        return False
    rest = text[at : at + ASKED_WITHIN]
    asks = re.search(rf"\bif\s*\([^)]*\b{re.escape(held['name'])}\b[^)]*\)", rest)
    return asks is not None and FAILS.search(rest, asks.end(), asks.end() + ASKED_WITHIN // 2) is not None


def _end(text: str, start: int) -> int:
    """Behind the brace that closes the block in which `start` lies."""
    depth = 1
    for at in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at + 1
    return len(text)
