"""What a script of a GitHub workflow's step is told of other jobs, where one of them failed (see `gathering`).

Rules:

- An expression that can only be true or false stands in the script as that word, where its answer is known: by itself
  (`${{ contains(needs.*.result, 'failure') }}`), or as the value of a variable that the script asks for.
- An `exit` in a branch whose condition is known not to hold is not reached.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import tree_sitter

from ralph.guardrails.checks.conditions import truth
from ralph.guardrails.checks.script import Script
from ralph.system.patterns import later

EXPRESSION = later(r"\$\{\{(?P<asked>[^{}]*)\}\}")
VARIABLE = later(r"\$(?:\{(?P<braced>\w+)\}|(?P<name>\w+))")
JOINED = later(r"&&|\|\|")
DECIDES = later(r"[!(\s]*(?:(?:contains|startsWith|endsWith|always|cancelled|failure|success)\(|(?:true|false)\b)")
COMPARES = later(r"[=!]=|[<>]")
"""A part of an expression that is true or false, and no value of something."""

Answer = Callable[[str], bool | None]


def expression_of(text: str) -> str:
    """A condition without the marks that may stand around it."""
    text = text.strip()
    return text[3:-2].strip() if text.startswith("${{") and text.endswith("}}") else text


def with_answers(script: str, variables: Mapping[str, str], answer: Answer) -> str:
    """The script with `true` or `false` for each question that has an answer."""

    def told(asked: str) -> str | None:
        parts = JOINED.split(asked)
        said = answer(asked) if all(DECIDES.match(part) or COMPARES.search(part) for part in parts) else None
        return None if said is None else str(said).lower()

    def named(match: re.Match[str]) -> str:
        value = variables.get(match["braced"] or match["name"], "").strip()
        return (told(expression_of(value)) if EXPRESSION.fullmatch(value) else None) or match[0]

    written = EXPRESSION.sub(lambda match: told(match["asked"].strip()) or match[0], script)
    return VARIABLE.sub(named, written)


def is_unreached(script: Script, node: tree_sitter.Node) -> bool:
    """It stands in the first branch of an `if` whose condition is known not to hold."""
    child, above = node, node.parent
    while above is not None:
        condition = above.child_by_field_name("condition") if above.type == "if_statement" else None
        inside = condition is not None and child != condition and child.type not in ("elif_clause", "else_clause")
        if condition is not None and inside and "$" not in script.of(condition) and _fails(script, condition):
            return True
        child, above = above, above.parent
    return False


def _fails(script: Script, condition: tree_sitter.Node) -> bool:
    if condition.type == "test_command":
        return truth(script, condition, {}) is False
    words = script.words(condition, {}) if condition.type == "command" else []
    if words[:1] == ["test"]:
        inner = Script(f"[ {' '.join(words[1:])} ]")
        tests = [each for each in inner.walk() if each.type == "test_command"]
        return len(tests) == 1 and truth(inner, tests[0], {}) is False
    return words == ["false"]
