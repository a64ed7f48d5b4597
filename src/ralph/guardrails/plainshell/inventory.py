"""The tests that a shell script holds without Bats (policy set v2, G04 and G05).

Rules:

- A script that is a test (`files`) is one test: what stands at its top level, and the functions that it calls.
- `test_expect_success 'name' 'script'` of sharness is a test, and so is a function `test…` of a file that reads shunit2
  in. What sharness expects to fail asks for nothing.
- A function that asserts something and that the file does not call is a helper: others may read the file in.
- Functions of files that a script reads in (`. ./lib.sh`) are known to it where they stand beside it or at the root.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from ralph.guardrails.inventory.model import Check, Facts, Grade, Inventory, Test
from ralph.guardrails.inventory.readers import Paths, is_support
from ralph.guardrails.plainshell.files import is_library, is_named_test, is_run_as_test
from ralph.guardrails.plainshell.running import ASSERTS, Known, Running
from ralph.guardrails.source import Source
from ralph.record import replace
from ralph.system.patterns import later

ASKS = later(rb"(?m)\[|\b(?:test|[ef]?grep|diff|cmp|exit|return|fail|die|assert|expect|check|verify|case|if)\b|assert")
"""A script without any of these asserts nothing."""
ERREXIT = later(rb"\A#![^\n]*\s-\w*e")
READ_IN = later(r"(?m)^[ \t]*(?:\.|source)[ \t]+[\"']?(?:\$[^/\n]*/|\./)?(?P<path>[\w./-]+)")
SHARNESS = b"test_expect_success"
EXPECTS = later(r"test_expect_(?P<what>success|failure)")
TO_FAIL = "it is expected to fail"
SHUNIT = later(rb"\bshunit2?\b")
SHUNIT_TEST = later(r"test\w*")
COMMENT = later(r"(?m)(?:^|(?<=\s))#.*$")
WORD = later(r"\b[A-Za-z_][\w.-]*")
LITERAL = later(r"\"[^\"\n$`]*\"|'[^'\n]*'|(?<![\w$])\d+\b")
MOST_READ_IN = 6


def collect(source: Source, paths: Paths) -> Inventory:
    product = b"" if is_support(source.path) or is_named_test(source.path) else source.data
    if not ASKS.search(source.data) or not (is_named_test(source.path) or is_run_as_test(source.path, paths)):
        return Inventory(product=product)
    tests = tuple(_tests(source, tuple(_read_in(source, paths))))
    return Inventory(tests, product=b"" if tests else product)


def _read_in(source: Source, paths: Paths) -> Iterator[Source]:
    text, folder = source.data.decode("utf-8", "replace"), posixpath.dirname(source.path)
    for match in list(READ_IN.finditer(text))[:MOST_READ_IN]:
        for place in (posixpath.normpath(posixpath.join(folder, match["path"])), posixpath.normpath(match["path"])):
            if place in paths.all() and place != source.path and (data := paths.read(place)) is not None:
                yield Source(place, "shell", data)
                break


def _tests(source: Source, read_in: Sequence[Source]) -> Iterator[Test]:
    shared = "\n".join(each.data.decode("utf-8", "replace") for each in read_in)
    whole = source.data.decode("utf-8", "replace")
    known = Known.of(source, read_in, all_read=len(read_in) == len(READ_IN.findall(whole)))
    script = Running(source, known, errexit=ERREXIT.match(source.data) is not None)
    checks = script.checks(source.tree.root_node.children)
    stem = posixpath.basename(source.path).partition(".")[0]
    if not is_library(source.path) and not all(map(_ends_well, checks)):
        yield _test(source, (stem,), 1, f"{whole}\n{shared}", whole, checks)
    if SHARNESS in source.data:
        yield from _expected(source, known, shared)
    shunit = SHUNIT.search(source.data) is not None
    for name, function in script.functions.items():
        if function.source is not source or name in script.called:
            continue
        body = source.text(function.body)
        line = function.body.start_point.row + source.first_line
        if shunit and SHUNIT_TEST.fullmatch(name):
            found = Running(source, known, errexit=False, ran=True).checks(function.body.named_children, heard=False)
            yield _test(source, (name,), line, f"{body}\n{shared}", body, found)
        elif ASSERTS.fullmatch(name):
            found = Running(source, known, errexit=True, ran=True).of_function(function)
            yield replace(_test(source, (name,), line, f"{body}\n{shared}", body, found), kind="helper")


def _ends_well(check: Check) -> bool:
    """It asks a program for no more than to end well: what only runs others is judged by what it runs."""
    return check.subject.startswith("$?(") and (check.relation, check.wanted) == ("==", "0")


def _expected(source: Source, known: Known, shared: str) -> Iterator[Test]:
    """The tests of sharness. Each of their commands has to end well, as `&&` joins them."""
    for node in source.captures("(command name: (command_name) @found)"):
        command = node.parent
        what = EXPECTS.fullmatch(source.text(node))
        if what is None or command is None:
            continue
        texts = [child for child in command.named_children if child.type in ("string", "raw_string")][-2:]
        if len(texts) < 2:
            continue
        name, body = (source.text(each)[1:-1] for each in texts)
        row = texts[1].start_point.row + source.first_line
        inner = Source(source.path, "shell", body.encode(), first_line=row)
        found = Running(inner, known, errexit=True, ran=True).checks(inner.tree.root_node.children)
        if what["what"] == "failure":
            found = tuple(replace(check, grade=Grade.NOTHING, why=TO_FAIL) for check in found)
        yield _test(
            source, (name,), node.start_point.row + source.first_line, f"{what[0]}\n{body}\n{shared}", body, found
        )


def _test(source: Source, parts: tuple[str, ...], line: int, text: str, body: str, checks: tuple[Check, ...]) -> Test:
    return Test(
        parts=parts,
        path=source.path,
        line=line,
        column=1,
        snippet=source.line_text(line),
        text=text,
        facts=_kept(body, checks),
    )


def _kept(body: str, checks: tuple[Check, ...]) -> Callable[[], Facts]:
    return cache(lambda: _facts(body, checks))


def _facts(body: str, checks: tuple[Check, ...]) -> Facts:
    code = COMMENT.sub("", body)
    return Facts(
        checks=checks,
        words=frozenset(WORD.findall(code)),
        literals=frozenset(each.strip("\"'") for each in LITERAL.findall(code)),
        body="\n".join(line.strip() for line in code.split("\n") if line.strip()),
        empty=not any(check.grade for check in checks),
    )
