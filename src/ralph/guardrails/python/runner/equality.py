"""Objects that equal everything, so that no assertion about them can fail (policy set v2, class G08).

A matcher that a test makes for itself (in the way of `mock.ANY`) is for a person; anywhere else it blocks, and so it
does where something else's attribute is made to give it, or where a test that was there compares with it in place of
a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ralph.guardrails.model import Change, FileChange, Hit
from ralph.guardrails.python.bindings import is_read
from ralph.guardrails.python.runner.module import Module, Part
from ralph.guardrails.python.runner.trees import Code, always, code_of
from ralph.guardrails.python.words import Node, enclosing
from ralph.record import replace

ANSWER = {"__eq__": True, "__ne__": False}
MATCHERS = frozenset({"unittest.mock.ANY", "mock.ANY", "mock.mock.ANY"})


def equality_hits(module: Module) -> Iterator[Hit]:
    for name, answer in ANSWER.items():
        for node in module.names.words.identifiers(name):
            code = _code(module, node)
            if code is not None and always(code, answer):
                yield _hit(module, node, name)
    if module.part is Part.PRODUCT and "test" not in module.source.path:
        for node in module.names.references(["ANY"]):
            if is_read(module.source, node) and module.names.paths(node) & MATCHERS:
                yield _hit(module, node, "mock.ANY")
    for node in module.source.captures("(string) @found"):  # in a dictionary for `type`, or for `setattr`
        name = module.source.text(node).strip("\"'")
        given = _beside(node) if name in ANSWER else None
        value = code_of(module.source, given) if given is not None else None
        if isinstance(value, Code) and always(value, ANSWER[name]):
            yield _hit(module, node, name)


def without_values(hits: Iterable[Hit], change: Change) -> Iterator[Hit]:
    """With matchers that took a value's place as what they are."""
    files = {file.path: file for file in change.files if file.status == "M"}
    for hit in hits:
        mild = hit.rule == "py.always-equal-in-test" and hit.path in files
        yield replace(hit, rule="py.always-equal") if mild and _took_a_place(hit, files[hit.path]) else hit


def _took_a_place(hit: Hit, file: FileChange) -> bool:
    owner = re.escape((hit.detail or "").partition(".")[0].encode())
    added = [line for _, line in file.added()]
    made = [match[1] for line in added if (match := re.match(rb"\s*(\w+)\s*=\s*" + owner + rb"\(", line))]
    matcher = re.compile(rb"\bassert.*\b(?:" + b"|".join((owner, *made)) + rb")\b")
    asserted = any(b"assert" in line for hunk in file.hunks for line in hunk.removed)
    return bool(owner) and asserted and any(map(matcher.search, added))


def _code(module: Module, node: Node) -> Code | None:
    """The function that is defined under, or assigned to, this name."""
    above = node.parent
    if above is not None and above.type == "attribute":
        node, above = above, above.parent
    if above is None:
        return None
    if above.type == "function_definition" and above.child_by_field_name("name") == node:
        code = code_of(module.source, above)
    elif above.type == "assignment" and above.child_by_field_name("left") == node:
        right = above.child_by_field_name("right")
        code = code_of(module.source, right) if right is not None and right.type == "lambda" else None
    else:
        return None
    return code if isinstance(code, Code) else None


def _beside(node: Node) -> Node | None:
    """The value of a dictionary's key, or the argument behind a name."""
    above = node.parent
    if above is not None and above.type == "pair":
        return above.child_by_field_name("value")
    if above is not None and above.type == "argument_list":
        return node.next_named_sibling
    return None


def _hit(module: Module, node: Node, name: str) -> Hit:
    above = enclosing(node, "class_definition")
    called = above.child_by_field_name("name") if above is not None else None
    owner = module.source.text(called) if called is not None else ""
    in_test = module.part in (Part.TEST, Part.CONFTEST) and not _is_put_in(module, owner)
    rule = "py.always-equal-in-test" if in_test else "py.always-equal"
    return module.source.hit(rule, node, f"{name} {owner}", detail=f"{owner}.{name}".strip("."))


def _is_put_in(module: Module, owner: str) -> bool:
    """`invoice.Invoice.total = lambda self: Agree(...)`, or the same by `setattr`."""
    text = module.source.data.decode("utf-8", "replace")
    assigned = rf"^[ \t]*(?!self\.|cls\.)\w+(?:\.\w+)+[ \t]*=[^=\n][^\n]*\b{owner}\b"
    put = rf"{assigned}|\b(?:setattr|patch(?:\.object)?)\([^\n]*\b{owner}\b"
    return bool(owner) and re.search(put, text, re.MULTILINE) is not None
