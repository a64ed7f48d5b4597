"""Names that a conftest tells pytest something by: `collect_ignore`, `collect_ignore_glob`, `pytest_plugins`.

What holds no tests by its name (setup.py, examples), and what is left out on a platform or a version only, is for a
person; anything else blocks. An emptied list leaves nothing out. A plugin is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.model import Hit
from ralph.guardrails.python.conditions import Verdict, judge
from ralph.guardrails.python.runner.collecting import NO_TESTS
from ralph.guardrails.python.runner.module import Module, Part
from ralph.guardrails.python.words import Node, enclosing
from ralph.system.patterns import later

NAMES = ("collect_ignore", "collect_ignore_glob")
PLUGINS = "pytest_plugins"
LITERAL = later(r"[\"']([^\"'\n]*)[\"']")


def ignored_hits(module: Module) -> Iterator[Hit]:
    if module.part is Part.PRODUCT:
        return
    yield from _plugins(module)
    if module.part is Part.TEST:
        return
    for name in NAMES:
        for node in module.names.words.identifiers(name):
            statement = enclosing(node, "expression_statement")
            if statement is None:
                continue
            written = module.source.text(statement).partition("=")[2] or module.source.text(statement)
            words = [word for word in LITERAL.findall(written) if word]
            if not words and re.fullmatch(r"\s*(?::[^=]*=)?\s*(?:\[\s*\]|\(\s*\)|None|list\(\)|set\(\))\s*", written):
                continue
            harmless = bool(words) and all(NO_TESTS.search(word) for word in words)
            rule = "py.runner-hook" if harmless or _on_platform(module, statement) else "py.runner-collection"
            for word in words or [written.strip()]:
                yield module.source.hit(rule, node, f"{name} {word}", detail=f"{name}: {word}")


def _plugins(module: Module) -> Iterator[Hit]:
    for node in module.names.words.identifiers(PLUGINS):
        statement = enclosing(node, "expression_statement")
        for word in LITERAL.findall(module.source.text(statement)) if statement is not None else ():
            yield module.source.hit("py.runner-plugin", node, f"{PLUGINS} {word}", detail=word)


def _on_platform(module: Module, statement: Node) -> bool:
    above = enclosing(statement, "if_statement", "except_clause")
    if above is None:
        return False
    if above.type == "except_clause":
        return "ImportError" in module.source.text(above) or "ModuleNotFoundError" in module.source.text(above)
    condition = above.child_by_field_name("condition")
    if condition is None:
        return False
    otherwise = enclosing(statement, "else_clause", "if_statement")
    negated = otherwise is not None and otherwise.type == "else_clause"
    return judge(module.names, condition, negated=negated) <= Verdict.PLATFORM
