"""Tests written as steps: features of Gherkin (Cucumber, Behave, Reqnroll) and suites of Robot Framework.

Rules (policy set v2, classes G04 and G05):

- A scenario is a test, its examples are the cases; so is each name at the margin of `*** Test Cases ***`.
- What a `Then` says, and each `And` behind it, is an assertion: the words are the subject, the numbers and quoted texts
  what is wanted. A keyword `Should …` of Robot is one about its first argument.
- A scenario whose steps are comments, or that is a comment itself, is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from ralph.guardrails.inventory.model import ROW, Check, Facts, Ghost, Grade, Inventory, Test
from ralph.guardrails.source import Source
from ralph.record import record, replace
from ralph.system.patterns import later

FEATURE, ROBOT = later(r"(?i)\.feature$"), later(r"(?i)\.robot$")
SCENARIO = later(r"(?:Scenario(?: Outline| Template)?|Example)\s*:\s*(?P<title>.*)")
SECTION = later(r"(?:Feature|Rule|Background|Examples?|Scenarios)\s*:(?P<title>.*)")
EXAMPLES = later(r"(?:Examples|Scenarios)\s*:.*")
STEP = later(r"(?P<word>Given|When|Then|And|But|\*)\s+(?P<text>.+)")
VALUE = later(r"\"[^\"]*\"|'[^']*'|<[^<>]+>|(?<![\w.])-?\d+(?:[.,]\d+)*%?")
CASES = later(r"(?i)\*+\s*(?:test cases?|tasks?)\s*\**")
HEADING = later(r"\*+\s*\w.*")
APART = later(r"\s{2,}|\t+|\s\|\s")
SHOULD = later(r"(?i)(?:\w+\.)?(?:[\w ]*\bshould\b[\w ]*|fail(?:ure)?)")
EXACT_WORDS = later(r"(?i)(?<!not )be equal|should be \w+$|should match$")


@record
class Scenario:
    title: str
    line: int
    snippet: str
    steps: tuple[tuple[int, str], ...]
    rows: tuple[str, ...] = ()


def is_test_file(path: str) -> bool:
    return FEATURE.search(path) is not None or ROBOT.search(path) is not None


def collect(lines: Sequence[str], source: Source) -> Inventory:
    gherkin = FEATURE.search(source.path) is not None
    found = list(_scenarios(lines, source.first_line) if gherkin else _cases(lines, source.first_line))
    tests = tuple(_test(each, source.path, gherkin=gherkin) for each in found)
    return Inventory(tests, tuple(_commented(lines, source)) if gherkin else ())


def _test(scenario: Scenario, path: str, *, gherkin: bool) -> Test:
    text = "\n".join((*(step for _, step in scenario.steps), *scenario.rows))
    return Test(
        parts=(scenario.title,),
        path=path,
        line=scenario.line,
        column=1,
        snippet=scenario.snippet,
        text=text,
        facts=partial(_facts, scenario, text, gherkin=gherkin),
    )


def _facts(scenario: Scenario, text: str, *, gherkin: bool) -> Facts:
    checks = tuple(_then(scenario) if gherkin else _should(scenario))
    times = max(len(scenario.rows), 1)
    return Facts(
        checks=tuple(replace(check, times=times) for check in checks),
        cases=scenario.rows,
        words=frozenset(re.findall(r"[A-Za-z_]\w{3,}", text)),
        literals=frozenset(VALUE.findall(text)),
        body=text,
        empty=not scenario.steps,
    )


def _scenarios(lines: Sequence[str], first: int) -> Iterator[Scenario]:
    open_: Scenario | None = None
    in_rows = False
    for number, line in enumerate(lines, first):
        text = " ".join(line.split())
        if not text or text.startswith(("#", "@")):
            continue
        if match := SCENARIO.fullmatch(text):
            if open_ is not None:
                yield _closed(open_)
            open_, in_rows = Scenario(match["title"], number, text, ()), False
        elif open_ is not None and EXAMPLES.fullmatch(text):
            in_rows = True
        elif SECTION.fullmatch(text):
            if open_ is not None:
                yield _closed(open_)
            open_ = None
        elif open_ is not None and in_rows and text.startswith("|"):
            open_ = replace(open_, rows=(*open_.rows, ROW.join(each.strip() for each in text.strip("| ").split("|"))))
        elif open_ is not None:
            open_ = replace(open_, steps=(*open_.steps, (number, text)))
    if open_ is not None:
        yield _closed(open_)


def _closed(scenario: Scenario) -> Scenario:
    """Without the line that names the columns."""
    return replace(scenario, rows=scenario.rows[1:])


def _then(scenario: Scenario) -> Iterator[Check]:
    asks = False
    for line, text in scenario.steps:
        step = STEP.fullmatch(text)
        if step is None:
            continue
        asks = step["word"] == "Then" or (asks and step["word"] in ("And", "But", "*"))
        if asks:
            wanted = ", ".join(VALUE.findall(step["text"]))
            yield Check(
                subject=VALUE.sub("_", step["text"]),
                relation="==" if wanted else "then",
                wanted=wanted,
                grade=Grade.EXACT if wanted else Grade.CLOSE,
                line=line,
                column=1,
                snippet=text,
            )


def _cases(lines: Sequence[str], first: int) -> Iterator[Scenario]:
    inside, open_ = False, None
    for number, line in enumerate(lines, first):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if HEADING.match(line):
            inside = CASES.fullmatch(text) is not None
        elif inside and not line[0].isspace():
            if open_ is not None:
                yield open_
            open_ = Scenario(text, number, text, ())
        elif inside and open_ is not None and not text.startswith("["):
            open_ = replace(open_, steps=(*open_.steps, (number, text)))
    if open_ is not None:
        yield open_


def _should(scenario: Scenario) -> Iterator[Check]:
    for line, text in scenario.steps:
        parts = APART.split(text)
        keyword = " ".join(parts[0].lower().split())
        if not SHOULD.fullmatch(keyword):
            continue
        exact = EXACT_WORDS.search(keyword) is not None
        yield Check(
            subject=parts[1] if len(parts) > 1 else "",
            relation="==" if "be equal" in keyword and "not" not in keyword else keyword,
            wanted=parts[2] if len(parts) > 2 else "",
            grade=Grade.EXACT if exact and "not" not in keyword else Grade.EXISTS if "not" in keyword else Grade.SHAPE,
            line=line,
            column=1,
            snippet=text,
        )


def _commented(lines: Sequence[str], source: Source) -> Iterator[Ghost]:
    for number, line in enumerate(lines, source.first_line):
        if line.lstrip().startswith("#") and (match := SCENARIO.fullmatch(" ".join(line.lstrip("# \t").split()))):
            yield Ghost(
                name=match["title"],
                path=source.path,
                line=number,
                column=1,
                snippet=line.strip(),
                why="it is commented out",
            )
