"""The checks of scripts for PowerShell and `cmd`, and of those for fish, which is read as the shell that it is like.

`cmd` does not stop where a program fails, nor does PowerShell where it is told to go on. Rule: somebody has to ask how
it ended (`$LASTEXITCODE`, `if errorlevel 1`, `|| exit /b`) before the next program runs, or the script ends with it. A
script that ends with `exit 0` without that, and a `catch` that lets it go on, lose the failure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.checks.failures.judged import LOST, Shell
from ralph.guardrails.checks.model import Flaw
from ralph.guardrails.checks.programs.known import one_by_one
from ralph.guardrails.checks.reader import Collector
from ralph.guardrails.checks.shell.outline import check_of
from ralph.system.patterns import later

SUFFIXES = (".ps1", ".bat", ".cmd", ".fish")
POWERSHELL = later(r"(?:^|/)(?:pwsh|powershell)\b")
CMD = later(r"(?:^|/)cmd\b")
COMMENT = later(r"(?i)^\s*(?:#|::|@?rem\b)")
ASKED = later(
    r"(?i)\$LASTEXITCODE|\$\?|\|\|\s*(?:exit|throw|goto|\()|\bif\s+(?:not\s+)?(?:errorlevel|%errorlevel%|!errorlevel!)"
    r"|&&\s*exit|exit\s+/b\s+%errorlevel%|exit\s+%errorlevel%"
)
STOPS = later(r"(?i)\$PSNativeCommandUseErrorActionPreference\s*=\s*\$true")
GOES_ON = later(
    r"(?i)\$PSNativeCommandUseErrorActionPreference\s*=\s*\$false"
    r"|\$ErrorActionPreference\s*=\s*['\"](?:Continue|SilentlyContinue|Ignore)"
)
"""Newer versions stop at once if nothing says otherwise, so that what says nothing is not judged."""
OWN_WORDS = later(
    r"(?i)^\s*(?:[A-Z][a-z]+-\w+\b|[$@}{(\[]|(?:if|else|for|foreach|function|param|try|catch|echo|set|exit)\b)"
)
"""What PowerShell and `cmd` do themselves."""
ENDS_WELL = later(r"(?i)^\s*(?:exit(?:\s+/b)?\s+0|\[Environment\]::Exit\(0\))\s*;?\s*$")
TRY = later(r"(?i)\btry\s*\{")
CATCH = later(r"(?i)\}\s*catch(?:\s*\[[^\]]*\])*\s*\{(?P<body>[^{}]*(?:\{[^{}]*\}[^{}]*)*)\}")
FAILS = later(r"(?i)\bthrow\b|\bexit\s+(?:/b\s+)?(?!0)\S+|Write-Error")
FORGIVEN = later(r"(?i)\|\|\s*(?:exit\s+/b\s+0|ver\b|\(?exit 0|echo\b|cd\s*\.|true\b|rem\b)|[;&]\s*exit\s+(?:/b\s+)?0")
CALLED = later(r"(?i)^\s*(?:@|&\s*|call\s+|\$\w+\s*=\s*|if\s*\([^)]*\)\s*\{\s*|try\s*\{\s*|exec\s*\{\s*)+")
WORD = later(r"\"[^\"]*\"|'[^']*'|[^\s|&;{}]+")
FISH = (
    (later(r";\s*or\b"), " ||"),
    (later(r";\s*and\b"), " &&"),
    (later(r"\bbegin\b;?"), "{"),
    (later(r";?\s*\bend\b"), "; }"),
)


def script(collector: Collector, text: str, path: str, slot: str = "") -> None:
    if path.endswith(".fish"):
        for form, meant in FISH:
            text = form.sub(meant, text)
        collector.text(text, 1, slot, Shell())
        return
    windows(collector, text, 1, slot, {}, batch=not path.endswith(".ps1"))


def windows(
    collector: Collector, text: str, first: int, slot: str, outer: dict[Flaw, str], *, batch: bool = False
) -> None:
    rows = text.split("\n")
    stops, goes_on = STOPS.search(text) is not None, GOES_ON.search(text) is not None
    caught = _caught(text)
    found = [(row, words) for row, line in enumerate(rows) for words in _commands(line)]
    for index, (row, words) in enumerate(found):
        check = check_of(words)
        if check is None:
            continue
        following = found[index + 1][0] if index + 1 < len(found) else len(rows)
        here = "\n".join(rows[row : following + int(following == row)])
        lost = row in caught or FORGIVEN.search(rows[row]) is not None
        if not stops and not lost and ASKED.search(here) is None:
            rest = [line for line in rows[row + 1 :] if line.strip() and not COMMENT.match(line)]
            others = any(not OWN_WORDS.match(line) for line in rest)
            lost = any(map(ENDS_WELL.match, rest)) or (others and (goes_on or batch))
        flaws: dict[Flaw, str] = {**outer, **({"lost": LOST} if lost else {})}
        for each in one_by_one(check[0]):
            collector.add(each, check[1], first + row, slot, flaws)


def _commands(line: str) -> Iterator[list[str]]:
    """The programs of a line; what only asks or tells is none."""
    if COMMENT.match(line):
        return
    for part in re.split(r"&&|\|\||;|(?<![>&])&(?!&)", CALLED.sub("", line)):
        words = [word.strip("\"'") for word in WORD.findall(CALLED.sub("", part))]
        if words and re.match(r"[\w./\\:-]", words[0]) and check_of(words) is not None:
            yield words


def _caught(text: str) -> set[int]:
    """Rows of a `try` whose `catch` lets the script go on."""
    rows: set[int] = set()
    for match in TRY.finditer(text):
        depth, end = 1, match.end()
        while end < len(text) and depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        handler = CATCH.match(text, end - 1)
        if handler is not None and not FAILS.search(handler["body"]):
            rows |= set(range(text.count("\n", 0, match.start()), text.count("\n", 0, end) + 1))
    return rows
