"""The steps that tests hand to a helper: a closure that does something and asserts (see `steps_again`, class G14)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

from ralph.guardrails.common.brackets import closed
from ralph.guardrails.texts import depth
from ralph.system.patterns import later

TESTS = later(
    r"\b(?:it|test|specify|scenario|should)\b(?:\.\w+)*\(\s*[\"'`](?P<a>[^\"'`\n]+)"
    r"|@(?:\w*Test)\b[^{;]*?\b(?:void|fun)\s+`?(?P<b>[^`(\n]+)`?\("
    r"|\[(?:Fact|Theory|Test\w*)\b[^{;]*?\b(?:void|Task)\s+(?P<c>\w+)\s*\("
    r"|\bfunction\s+(?P<d>test\w+)\(|#\[Test\][^{;]*?\bfunction\s+(?P<e>\w+)\("
    r"|#\[(?:\w+::)?test\b[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*(?:async\s+)?fn\s+(?P<f>\w+)"
    r"|\bfunc\s+(?P<g>Test\w+)\("
)
RUBY_TESTS = later(r"(?m)^[ \t]*(?:(?:it|test|specify|scenario|example)[ (]+[\"'](?P<a>[^\"'\n]+)|def (?P<b>test_\w+))")
ASSERTS = later(
    r"(?i)\bexpect|\bassert|should|\bverify|\bmust_|\brefute|\brequire\w*[.(]|\bcheck\("
    r"|\breturn (?:errors\.New|fmt\.Errorf)|\bt\.(?:Error|Fatal|Fail)"
)
KEYWORDS = r"return|const|let|var|val|final|if|for|while|when|puts|throw"
ACTION = later(rf"(?:await\s+|yield\s+)?(?!(?:{KEYWORDS})\b)[\w$@][^=\n]*[\w?!](?:\(|$| \S)")
"""A statement that keeps nothing of what it gives."""
IDLE = later(
    r"(?i)\b(?:wait|sleep|log|info|debug|warn|print\w*|puts|reload|refresh|tick|advance|flush|settle|poll)\w*\b"
)
"""What only waits or tells."""
GOES_ON = later(r"\s*[.)\]}]")
BLOCK = later(r"[ \t]*\{")
"""Kotlin's stands behind what the function is given."""
HEAD = later(r"(?:=>|->|\bfunction\b[^{]*|\|\||\|[^|{]*\||,|\()[ \t\n]*\{|\{")
OPENS = later(r"\bdo\b(?:\s*\|[^|]*\|)?\s*$")
LONGEST = 4000


def handed_steps(called: Sequence[str], spoken: str, data: bytes | None) -> Iterator[str]:
    """The tests of a file that hand steps to a function of one of these names."""
    names = [name for name in called if data is not None and name.encode() in data]
    if data is None or not names:
        return
    text = data.decode("utf-8", "replace")
    if spoken == "python":
        yield from _uses_in_python(names, data)
        return
    tests = [(each.start(), next(filter(None, each.groupdict().values()))) for each in _tests(text, spoken)]
    names = list(map(re.escape, names))
    call = re.compile(rf"(?<![\w.'\"])(?:\$?\w+(?:\.|::|->))?(?:{'|'.join(names)})(?:<[^>\n]*>)?[ \t]*(?=[({{\"' ])")
    for match in call.finditer(text) if tests else ():
        body = _closure(text, match.end(), spoken)
        around = [name for at, name in tests if at < match.start()]
        if around and body and _are_steps(body):
            yield around[-1]


def _tests(text: str, spoken: str) -> Iterator[re.Match[str]]:
    return (RUBY_TESTS if spoken == "ruby" else TESTS).finditer(text)


def _closure(text: str, at: int, spoken: str) -> str:
    """What stands in the block that a call is given."""
    if spoken == "ruby":
        return _of_ruby(text, at)
    end = closed(text, at, LONGEST) if text[at] in "({" else None
    if (
        end is not None
        and text[at] == "("
        and "{" not in text[at:end]
        and (behind := BLOCK.match(text, end)) is not None
    ):
        at = behind.end() - 1
        end = closed(text, at, LONGEST)
    head = HEAD.search(text, at, end) if end is not None else None
    return text[head.end() : end] if head is not None else ""


def _of_ruby(text: str, at: int) -> str:
    """The lines below `do`."""
    line, _, below = text[at:].partition("\n")
    if not OPENS.search(line):
        return ""
    rows, deep = below.split("\n"), depth(text[text.rfind("\n", 0, at) + 1 : at])
    end = next((number for number, row in enumerate(rows) if row.strip() and depth(row) <= deep), len(rows))
    return "\n".join(rows[:end])


def _are_steps(body: str) -> bool:
    """Something is done and something asserted."""
    statements: list[str] = []
    for line in body.split("\n"):
        if statements and GOES_ON.match(line):
            statements[-1] += line.strip()
        elif line.strip():
            statements.append(line.strip())
    asserted = any(ASSERTS.search(each) for each in statements)
    return asserted and any(
        ACTION.match(each) and not ASSERTS.search(each) and not IDLE.search(each) for each in statements
    )


def _uses_in_python(names: Sequence[str], data: bytes) -> Iterator[str]:
    from ralph.guardrails.python.trees import parsed_module

    tree = parsed_module(data)
    functions = (
        [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)] if tree else []
    )
    bodies: Mapping[str, ast.AST] = {each.name: each for each in functions if _does_and_asserts(each)}
    for test in functions:
        if not test.name.startswith("test"):
            continue
        for part in ast.walk(test):
            if isinstance(part, ast.Call) and _name(part.func) in names:
                given = {_name(each) for each in (*part.args, *(key.value for key in part.keywords))}
                if given & bodies.keys():
                    yield test.name
            elif isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) and part is not test and part.name in bodies:
                said = (each.func if isinstance(each, ast.Call) else each for each in part.decorator_list)
                yield from (test.name for each in said if _name(each) in names)


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _does_and_asserts(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    texts = [ast.unparse(each) for each in function.body if isinstance(each, ast.Expr)]
    asserts = any(isinstance(each, ast.Assert) for each in ast.walk(function)) or any(map(ASSERTS.search, texts))
    return asserts and any(
        not ASSERTS.search(each) and not IDLE.search(each) and "(" in each and each[0] not in "'\"" for each in texts
    )
