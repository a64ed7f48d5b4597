"""The hooks of a module, each as a hit: one that blocks where `outcomes` says so, else one for review."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator

from ralph.guardrails.model import Hit
from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.kinds import functions
from ralph.guardrails.python.runner.collected import NAMES
from ralph.guardrails.python.runner.collecting import told_to_leave_out
from ralph.guardrails.python.runner.finding import Hook
from ralph.guardrails.python.runner.module import Module, Part
from ralph.guardrails.python.runner.outcomes import verdicts
from ralph.guardrails.python.runner.trees import Code, all_nodes, code_of, writes
from ralph.guardrails.python.trees import shape
from ralph.guardrails.python.words import Node
from ralph.guardrails.source import Source
from ralph.record import replace
from ralph.system.patterns import later

CALLED = later(r"append|extend|insert|set|del|update|putenv")
"""What a call is named that gives something to the runner (see `trees.writes`, `collecting.told_to_leave_out`)."""


def hook_hits(module: Module) -> Iterator[Hit]:
    """A hook that is new or different, and that nothing is wrong with, is shown to a person."""
    yield from _at_import(module)
    if module.is_runners:
        for helper in _helpers(module):
            yield from _judged(module, helper)
    for hook in module.hooks:
        found = list(_judged(module, hook))
        yield from found
        if not found and module.part is not Part.TEST:
            text = shape(hook.code) if hook.code is not None else module.source.text(hook.node)
            digest = hashlib.sha256(f"{hook.written}\n{text}".encode("utf-8", "replace")).hexdigest()
            yield module.source.hit("py.runner-hook", hook.node, f"{hook.name} {digest}", detail=hook.name)


def _at_import(module: Module) -> Iterator[Hit]:
    """Options that a file gives to the runner as it is imported, and names by which it leaves files out."""
    if module.part is Part.PRODUCT:
        return
    root = module.source.tree.root_node
    for node in root.named_children if root.type == "module" else ():
        code = code_of(module.source, node) if _may_tell(module.source, node) else None
        if code is None:
            continue
        for why, _ in told_to_leave_out(code):
            yield module.source.hit("py.runner-collection", node, f"{why} {module.source.text(node)}", detail=why)
        for write in writes(code):
            if write.name in NAMES and isinstance(write.node, ast.Call):
                yield module.source.hit("py.runner-collection", node, write.name, detail=f"sets {write.name}")


def _may_tell(source: Source, statement: Node) -> bool:
    """Whether a statement can give the runner anything: it writes to an attribute or an item, or calls what does."""
    if statement.type != "expression_statement":
        return False
    text = source.text(statement)
    if statement.has_error or not text.isascii() or CALLED.search(text):
        return True
    return any(map(_writes_elsewhere, statement.named_children))


def _writes_elsewhere(node: Node | None) -> bool:
    """True for an assignment to anything but names."""
    while node is not None and node.type in ("assignment", "augmented_assignment"):
        left = node.child_by_field_name("left")
        if left is None or left.type != "identifier":
            return True
        node = node.child_by_field_name("right")
    return False


def _helpers(module: Module) -> Iterator[Hook]:
    """Functions that a hook of the file names: what they do, it does."""
    named = {
        node.id
        for hook in module.hooks
        if hook.code is not None
        for node in all_nodes(hook.code)
        if isinstance(node, ast.Name)
    }
    for node in functions(module.source) if named else ():
        code = code_of(module.source, node) if module.name(node) in named else None
        if isinstance(code, Code) and not any(hook.node.id == node.id for hook in module.hooks):
            yield Hook(module.name(node), node, code)


def _judged(module: Module, hook: Hook) -> Iterator[Hit]:
    if hook.code is None:
        return
    for verdict in verdicts(hook.name, hook.code):
        written = shape(verdict.place) if isinstance(verdict.place, Code) else source_of(verdict.place)
        key = f"{hook.name} {verdict.why} {written}"
        hit = module.source.hit(verdict.rule, hook.node, key, detail=f"{hook.name}: {verdict.why}")
        yield _lower(module, hit, getattr(verdict.place, "lineno", 0) - getattr(hook.code, "lineno", 0))


def _lower(module: Module, hit: Hit, lines: int) -> Hit:
    """The hit some lines further down: a function is read alone, as if it began the file."""
    if lines <= 0:
        return hit
    row = hit.line + lines - module.source.first_line
    raw = module.source.lines[row] if row < len(module.source.lines) else b""
    line = hit.line + lines
    return replace(hit, line=line, column=len(raw) - len(raw.lstrip()) + 1, snippet=module.source.line_text(line))
