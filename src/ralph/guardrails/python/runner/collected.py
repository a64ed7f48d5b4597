"""Names that a conftest tells pytest something by: `collect_ignore`, `collect_ignore_glob`, `pytest_plugins`.

What holds no tests by its name (setup.py, examples), what is left out on a platform or a version only, and a plain
name of a folder that neither tree has, is for a person; so is one file without any test, and without an example that
would be run. Anything else blocks. An emptied list leaves nothing out. A plugin is shown.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from ralph.guardrails.model import Change, Hit
from ralph.guardrails.python.runner.collecting import NO_TESTS
from ralph.guardrails.python.runner.module import Module, Part
from ralph.guardrails.python.skipped.conditions import Verdict, judge
from ralph.guardrails.python.skipped.new_tests import source_at
from ralph.guardrails.python.words import Node, enclosing
from ralph.record import replace
from ralph.system.patterns import later

NAMES = ("collect_ignore", "collect_ignore_glob")
PLUGINS = "pytest_plugins"
HOLDS_TESTS = later(rb"(?i)test|>>>|^\s*assert\b|\bimport\s*\*", re.MULTILINE)
"""A file without these words has no test that a name could find, and no example."""
LITERAL = later(r"[\"']([^\"'\n]*)[\"']")
COLLECTION, HARMLESS = "py.runner-collection", "py.runner-hook"
PLAIN = later(
    r"collect_ignore(?:_glob)?\s*(?::[^=\n]*)?(?:\+?=\s*|\.(?:append|extend|insert)\(\s*(?:\d+\s*,\s*)?)"
    r"[\[(]?(?:\s*(?:#[^\n]*\n\s*)?(?:\"[\w./*?-]+\"|'[\w./*?-]+')\s*(?:,|(?=[\])\n#])|$))*\s*(?:#[^\n]*\n\s*)*[\])]?\s*\)?"
)
"""A list of texts, each as it is used."""


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
            rule = HARMLESS if harmless or _on_platform(module, statement) else COLLECTION
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


def judged(hits: Iterable[Hit], change: Change) -> Iterator[Hit]:
    """The hits, those milder that leave out what is not there."""
    for hit in hits:
        name, _, word = hit.key.partition(" ")
        left_out = hit.rule == COLLECTION and name in NAMES
        yield replace(hit, rule=HARMLESS) if left_out and _holds_nothing(word, hit, change) else hit


def _holds_nothing(word: str, hit: Hit, change: Change) -> bool:
    source = source_at(hit.path, change.blobs.after)
    node = source.tree.root_node.descendant_for_point_range(*[(hit.line - 1, hit.column - 1)] * 2) if source else None
    statement = enclosing(node, "expression_statement") if node is not None else None
    if source is None or statement is None or not PLAIN.fullmatch(source.text(statement)):
        return False
    folder, named = posixpath.dirname(hit.path), posixpath.normpath(word)
    below = f"{folder}/" if folder else ""
    if named.endswith(".py") and f"{below}{named}" in change.blobs.paths_after():
        sides = (side(f"{below}{named}") for side in (change.blobs.before, change.blobs.after))
        plain = "test" not in named and not named.startswith((".", "/")) and not set("*?[") & set(named)
        return plain and not any(data is not None and HOLDS_TESTS.search(data) for data in sides)
    paths = (path for side in (change.blobs.paths_before(), change.blobs.paths_after()) for path in side)
    return (
        not named.startswith((".", "/"))
        and not named.endswith(".py")
        and not any(path.startswith(below) and _is_meant(path[len(below) :], named) for path in paths)
    )


def _is_meant(path: str, named: str) -> bool:
    """Wherever the path stands from which it is told."""
    return f"/{named}/" in f"/{path}/" or fnmatchcase(path, named) or fnmatchcase(posixpath.basename(path), named)
