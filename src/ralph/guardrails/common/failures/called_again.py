"""Helpers of tests that are called with the steps of a test, and run them again when they fail (see `rerun`, G14).

Rules:

- In Go a loop calls the function that a helper was handed, and leaves with its success (`err == nil`). Nothing catches
  what a test fails with there, so that steps give back their failure.
- In Python a function that is no decorator has such a loop around a `try`, and so has a decorator that hands on what it
  is around to one.
- A helper that is called inside a test counts only where the base had it and it tried once: what waits for something
  is made for that.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence

from ralph.system.patterns import later

_BLOCK = r"(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*"
LOOP = later(rf"\bfor\b(?P<head>[^\n]*)\{{[ \t]*\n(?P<body>{_BLOCK})\}}")
FUNCTIONS = later(r"(\w+)[ \t]+func\(")
"""The parameters of Go that are functions."""
SUCCEEDED = later(r"==[ \t]*nil\b[^\n]*\{\s*(?:return|break)\b|!=[ \t]*nil\b[^\n]*\{\s*continue\b")
WAITS = later(r"\btime\.(?:Sleep|After|Now|Since|NewTicker|NewTimer)\b|\bctx\.Done\b|\b[dD]eadline\b")
"""What polls for something that comes later."""
CALLED: Mapping[str, str] = {
    "go": r"\bfunc[ \t]+(?P<test>Test\w+)\([^\n]*\n(?:(?!func\b)[^\n]*\n){0,80}?[ \t]+(?:[^\n/]*[ \t(])?NAME\(",
    "python": r"(?m)^[ \t]*(?:async[ \t]+)?def[ \t]+(?P<test>test\w*)[^\n]*\n"
    r"(?:(?![ \t]*(?:async[ \t]+)?def[ \t]+test)[^\n]*\n){0,80}?"
    r"[ \t]+(?:return[ \t]+|await[ \t]+)*(?:\w+\.)?NAME\(",
}
"""Where a test calls a helper."""


def tries_again_in_go(head: str, body: str) -> bool:
    given = FUNCTIONS.findall(head.partition("(")[2])
    for loop in LOOP.finditer(body) if given else ():
        called = any(re.search(rf"(?<![\w.]){re.escape(name)}\(", loop["body"]) for name in given)
        if called and SUCCEEDED.search(loop["body"]) and not WAITS.search(f"{loop['head']}{loop['body']}"):
            return True
    return False


def in_python(functions: Sequence[ast.FunctionDef]) -> dict[str, tuple[int, str]]:
    """Those that try again, each with its line and its head."""
    from ralph.guardrails.python.failures.swallowers import retriers_of, tries_given_again

    runners = {each.name for each in functions if tries_given_again(each)}
    names = runners | retriers_of(functions) | {each.name for each in functions if _hands_on(each, runners)}
    return {each.name: (each.lineno, f"def {each.name}") for each in functions if each.name in names}


def _hands_on(function: ast.FunctionDef, runners: set[str]) -> bool:
    """A decorator, whose wrapper gives what it is around to one of `runners`."""
    given = {each.arg for each in (*function.args.posonlyargs, *function.args.args)}
    if not isinstance(function.body[-1], ast.Return) or not isinstance(function.body[-1].value, ast.Name):
        return False
    return any(
        isinstance(part, ast.Call)
        and isinstance(part.func, ast.Name)
        and part.func.id in runners
        and any(isinstance(each, ast.Name) and each.id in given for each in part.args)
        for part in ast.walk(function)
    )
