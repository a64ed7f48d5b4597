"""Plugins written into the configuration of a test runner that give something else for a module (policy set v2, G08).

Rule: a `resolveId`, `load` or `transform` that names a module which a test asks for blocks if it leads to a file among
tests or fakes, gives a text that is written there, or a result that has nothing of the code it is given. Virtual
modules, and plugins that change the code they get, are what plugins are for.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.config.side import Side
from ralph.guardrails.javascript.code import Code, code
from ralph.guardrails.javascript.runner.derived import answers
from ralph.guardrails.javascript.runner.mapped import ASIDE, PRETENDS, asked_by_tests, target
from ralph.guardrails.javascript.syntax.names import FUNCTIONS
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.source import Source
from ralph.system.patterns import later

_HOOKS = frozenset({"resolveId", "load", "transform"})
_HAS_HOOK = later(rb"\b(?:resolveId|load|transform)\b")
_TEXTS = frozenset({"string", "template_string", "regex"})
_WORD = later(r"[\w-]{2,}")


def plugins(path: str, side: Side, change: Change) -> Iterator[Hit]:
    data, language = side.bytes(path), language_of(path)
    if data is None or language is None or not _HAS_HOOK.search(data):
        return
    old = "".join((change.blobs.before(path) or b"").decode("utf-8", "replace").split())
    found = code(Source(path, language, data))
    for node in found.names.of_types("pair", "method_definition"):
        hook = _hook(node, found)
        if hook is None or "".join(found.source.text(node).split()) in old:
            continue
        texts = [found.source.text(part) for part in found.source.walk(hook[1]) if part.type in _TEXTS]
        words = {word for text in texts if len(text) < 200 for word in _WORD.findall(text)}
        if _gives(*hook, found, path, side) and asked_by_tests(words, change):
            yield found.source.hit("js.subject-mapped", node, f"plugin {hook[0]}")


def _hook(node: tree_sitter.Node, code: Code) -> tuple[str, tree_sitter.Node] | None:
    name = node.child_by_field_name("key") or node.child_by_field_name("name")
    function = node if node.type == "method_definition" else node.child_by_field_name("value")
    known = code.text(name) if name is not None else ""
    return (known, function) if known in _HOOKS and function is not None and function.type in FUNCTIONS else None


def _gives(name: str, function: tree_sitter.Node, code: Code, path: str, side: Side) -> bool:
    if name == "transform":
        return answers(code, function)
    literals = [part for part in code.source.walk(function) if part.type in _TEXTS]
    if name == "load":
        return any("export" in code.source.text(part) for part in literals)
    named = [code.source.text(part).strip("\"'`") for part in literals if part.type != "regex"]
    led = (target(each if each.startswith(".") else f"./{each}", path, side) for each in named)
    return any(to is not None and (ASIDE.search(to) or PRETENDS.search(to)) for to in led)
