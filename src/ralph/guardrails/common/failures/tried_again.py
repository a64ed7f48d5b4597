"""Scripts that run a check again where it failed, and end as that ends (policy set v2, class G14): Python, JS, Ruby.

    let result = vitest("--reporter=dot");
    if (result.status !== 0) result = vitest("--reporter=junit");   // "for the report"
    process.exit(result.status);

Rules, for a script that a file of commands of the project calls:

- It blocks where the result of a check takes the place of that of the same check, under the condition that this one
  failed, and the script ends with it; and where a loop runs a check until it has succeeded.
- What only reports runs again and ends as the first time: it is none. Nor is another check behind one that succeeded,
  or a loop that ends with the first failure. What the base did in the same way is nothing new.
- Of shell see `checks.failures.judged`, of what runs single tests `rerun` and `rerun_by_runners`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ralph.guardrails.checks.programs.known import identity
from ralph.guardrails.checks.programs.spelled_commands import command, strings
from ralph.guardrails.common.brackets import closed
from ralph.guardrails.common.failures.exit_of_many import ENDS, RUNS
from ralph.guardrails.common.functions import functions
from ralph.guardrails.common.wanted.by_default import MOST_FILES, SETS
from ralph.guardrails.config.patterns import is_sample
from ralph.guardrails.inventory.readers import language, reader_of
from ralph.guardrails.model import Change, ChangeDetector, Hit, hit_at
from ralph.guardrails.prefilter import is_in
from ralph.guardrails.source import Source
from ralph.guardrails.texts import cut, depth
from ralph.guardrails.tokens import masked
from ralph.system.patterns import later

RULE = "check.retried"
LARGEST = 60_000
SCRIPTS = frozenset(("python", "javascript", "typescript", "ruby"))
TASKS = later(r"(?:^|/)(?:Rakefile|[\w-]+\.rake|noxfile\.py|tasks\.py|dodo\.py|gulpfile\.[cm]?js)$")
_HOLDS = r"\{\s*(?P<status>status|exitCode|code)\s*(?::\s*(?P<held>[\w$]+)\s*)?\}|(?<![\w.$])(?P<name>[A-Za-z_$][\w$]*)"
_ENDS = r"return|(?:sys\.|process\.)?exit!?|raise\s+SystemExit|process\.exitCode\s*=|break|if|unless"
CALL = later(
    rf"(?:{_HOLDS})(?:[ \t]*:[ \t]*[\w.<> |]{{1,60}})?[ \t]*=(?![=>])\s*(?:\(?await\s+)?"
    r"(?P<called>[\w$.]+)(?:\(|\s(?=[\"']))"
    rf"|^[ \t}}]*(?:{_ENDS})\b[^\n\"'=]{{0,80}}?(?<![\w$.])(?P<ending>[\w$.]+)(?:\(|\s)(?=\[?[\"'])",
    re.MULTILINE,
)
"""Where a script keeps what a call gives, or ends with it."""
LOOP = later(r"\b(?:for|while|until|loop|do|times|upto)\b")
LEAVES = later(r"\b(?:break|return|exit!?|SystemExit|exitCode)\b")
EXITS = later(r"\b(?:return|exit!?|SystemExit|exitCode|abort|raise|throw)\b")
TESTS = later(rb"^[ \t]*(?:def test|class \w*Test|(?:test|it|describe|context|suite)(?:\.\w+)*[ (])")
OPENS = later(r"\b(?:def|function)\b|=>\s*\{\s*$")
A_CODE = later(r"(?i)(?:code|status|rc|ret|exit|fail|err)")
"""What a number is called that is 0 where all is well."""
DIRECTLY = later(r"[)\]](?:\.\w+)?\s*===?\s*0\b|\b(?:break|return|exit)\b[^\n]*\bif\b|^\s*if\s+system\b")
STATUS = r"(?:\.(?:status|returncode|return_code|exitCode|exit_code|exited|code|exitstatus|failed))"
WELL = r"(?:\.(?:ok|success\??|successful\??|passed))"
HEAD, END = r"\b(?:if|while|elif|elsif)\b", r"\s*(?:\)\s*[A-Za-z]|\)?\s*(?:[:{]|then\b|$))"
NOT = r"(?:!\s*|\bnot\s+|\b(?:unless|until)\s+\(?)"
ALONE = r"\bif\s*\(?\s*NAME\s*\)?\s*(?:[:{]|then\b|$|[a-z])"
MOST_RUNS, FARTHEST = 40, 60


class Run(NamedTuple):
    """A check that a script runs: where, the name of its result, and which one it is; `line` counts from 0."""

    line: int
    name: str
    check: str
    text: str


def tried_again(change: Change) -> Iterator[Hit]:
    for file in change.files:
        spoken = language(file, change) if file.status in "AMR" and not file.binary else None
        if spoken not in SCRIPTS or is_sample(file.path):
            continue
        data = change.blobs.after(file.path) or b""
        if len(data) > LARGEST or not (is_in(RUNS, data) and is_in(ENDS, data)) or _is_test(file.path, spoken, data):
            continue
        new = list(_found(file.path, spoken, data)) if _is_called(file.path, change) else []
        if not new:
            continue
        old = {run.check for run in _found(file.path, spoken, change.blobs.before(file.path) or b"")}
        for run in new:
            if run.check not in old:
                yield hit_at(RULE, file.path, run.line + 1, f"{run.check}: it is run again until it succeeds", run.text)


def _is_test(path: str, spoken: str, data: bytes) -> bool:
    """By its name, and by what it holds: `ci-test.mjs` may be a script."""
    reader = reader_of(spoken)
    return reader is not None and reader.is_test_file(path) and is_in(TESTS, data)


def _is_called(path: str, change: Change) -> bool:
    if TASKS.search(path) is not None:
        return True
    name = posixpath.splitext(posixpath.basename(path))[0].encode()
    callers = sorted(each for each in change.blobs.paths_after() if SETS.search(each))[:MOST_FILES]
    return any(name in (change.blobs.after(each) or b"") for each in callers if each != path)


def _found(path: str, spoken: str, data: bytes) -> Iterator[Run]:
    if not is_in(RUNS, data):
        return
    text = masked(Source(path, spoken, data), keep_strings=True)
    lines, runs = text.split("\n"), list(_runs(text))
    yield from {run.check: run for run in runs if _is_again(run, runs, lines) or _is_round(run, lines)}.values()


def _runs(text: str) -> Iterator[Run]:
    bodies = {name: f"{head}\n{body}" for _, name, head, body in functions(text.split("\n"))}
    for match in list(CALL.finditer(text))[:MOST_RUNS]:
        called = match["called"] or match["ending"]
        end = closed(text, match.end() - 1) if text[match.end() - 1] == "(" else text.find("\n", match.end())
        given = text[match.end() : end if end is not None and end >= 0 else match.end() + FARTHEST]
        words = command([*strings(bodies.get(called, "")), *_told(given, text)])
        if words:
            start = text.rfind("\n", 0, match.end() - 1) + 1
            line, said = text.count("\n", 0, match.end() - 1), text[start:].partition("\n")[0].strip()
            name = "" if match["ending"] else match["held"] or match["name"] or match["status"]
            yield Run(line, name, identity(words), cut(said, 120))


def _told(given: str, text: str) -> list[str]:
    """The texts of what a call is given; a name of the file stands for what it is made of."""
    found = strings(given)
    if not found:
        name = re.match(r"\s*\*?([A-Za-z_$][\w$]*)", given)
        made = re.search(rf"(?m)^\s*(?:const\s+|let\s+)?{re.escape(name[1])}\s*=(?!=)\s*", text) if name else None
        found = strings(text[made.end() :].partition("\n")[0]) if made is not None else []
    return found


def _is_again(run: Run, runs: Sequence[Run], lines: Sequence[str]) -> bool:
    """It is a second run, for one that failed, and the script ends with it."""
    for first in runs:
        if first.line >= run.line or first.check != run.check or not first.name or run.line - first.line > FARTHEST:
            continue
        asked = [lines[run.line], *_around(run.line, lines, first.line)]
        if any(_failed(first.name).search(line) for line in asked):
            return not run.name or _ends_with(run, first, lines)
    return False


def _ends_with(run: Run, first: Run, lines: Sequence[str]) -> bool:
    used = re.compile(rf"(?<![\w.$]){re.escape(run.name)}(?![\w$])")
    for number in range(run.line + 1, min(len(lines), run.line + FARTHEST)):
        line = lines[number]
        said = EXITS.search(line) is not None or EXITS.search("".join(lines[number + 1 : number + 2])) is not None
        if said and used.search(line):
            return first.name == run.name or re.search(rf"(?<![\w.$]){re.escape(first.name)}\b", line) is None
    return False


def _is_round(run: Run, lines: Sequence[str]) -> bool:
    """A loop around it ends once it has succeeded."""
    loop = next((line for line in _around(run.line, lines, 0) if LOOP.search(line) or OPENS.search(line)), "")
    if not LOOP.search(loop) or OPENS.search(loop):
        return False
    asked = _succeeded(run.name) if run.name else DIRECTLY
    deep = depth(lines[run.line])
    if run.name and _failed(run.name).search(loop) and not re.search(r"\bfor\b", loop):
        return True
    for number in range(run.line, min(len(lines), run.line + FARTHEST)):
        line = lines[number]
        if line.strip() and depth(line) < deep:
            return bool(run.name) and "while" in line and _failed(run.name).search(line) is not None
        if asked.search(line) and LEAVES.search(f"{line}\n{''.join(lines[number + 1 : number + 2])}"):
            return True
    return False


def _around(number: int, lines: Sequence[str], first: int) -> Iterator[str]:
    """The heads of the blocks around a line, the nearest first, down to another line."""
    deep = depth(lines[number])
    for line in reversed(lines[max(first, number - FARTHEST) : number]):
        if line.strip() and depth(line) < deep:
            deep = depth(line)
            yield line


@lru_cache(maxsize=200)
def _failed(name: str) -> re.Pattern[str]:
    """What asks whether a run failed: `!== 0`, `!ok`, `if (result.status)`; where a number is kept, `if (code)`."""
    is_code = A_CODE.search(name) is not None
    return _any_of(
        name,
        rf"NAME{STATUS}?\s*(?:!==?|>|is\s+not)\s*(?:0|None|null)\b",
        rf"{HEAD}\s*\(?\s*NAME{STATUS}{END}",
        rf"{NOT}NAME{WELL}(?![\w.$])",
        ALONE if is_code else rf"{NOT}NAME(?![\w.$?]|\s*[=!])",
    )


@lru_cache(maxsize=200)
def _succeeded(name: str) -> re.Pattern[str]:
    is_code = A_CODE.search(name) is not None
    return _any_of(
        name,
        rf"NAME{STATUS}?\s*===?\s*0\b",
        rf"{NOT}NAME{STATUS}",
        rf"{HEAD}\s*\(?\s*NAME{WELL}{END}",
        rf"{NOT}NAME(?![\w.$])" if is_code else ALONE,
    )


def _any_of(name: str, *forms: str) -> re.Pattern[str]:
    return re.compile("|".join(forms).replace("NAME", rf"(?<![\w.$]){re.escape(name)}"))


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (tried_again,)
