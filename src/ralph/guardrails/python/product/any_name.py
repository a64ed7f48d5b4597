"""Modules and classes of Python that answer to every name, whether there is something of it or not (class G19).

    def __getattr__(name):
        return lambda rows: str(rows)

Rule: such a function is new in a file of the base, raises nothing, asks nobody for the name and gives the same for each
(a constant, an object, a lambda). Where a function went from the same module or class it blocks, as its name is still
answered; else it is for a person. A new class that answers to everything is an object of its own kind.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit
from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.trees import parsed_module, walk

GETATTR = "__getattr__"
Function = ast.FunctionDef | ast.AsyncFunctionDef


def any_name(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "M" or not file.path.endswith(".py") or GETATTR.encode() not in file.added_text:
            continue
        if is_support(file.path):
            continue
        head = parsed_module(change.blobs.after(file.path) or b"")
        base = parsed_module(change.blobs.before(file.path) or b"")
        if head is not None and base is not None:
            yield from _judged(file, dict(_owners(base)), head)


def _judged(file: FileChange, before: dict[str, dict[str, Function]], head: ast.Module) -> Iterator[Hit]:
    for owner, functions in _owners(head):
        answer, old = functions.get(GETATTR), before.get(owner)
        if answer is None or old is None or GETATTR in old or not _answers_to_all(answer, of_class=bool(owner)):
            continue
        gone = sorted(name for name in old.keys() - functions.keys() if not name.startswith("__"))
        text = f"{owner or 'the module'} answers to any name"
        yield Hit(
            rule="py.stubbed" if gone else "py.stubbed-mildly",
            path=file.path,
            line=answer.lineno,
            column=answer.col_offset + 1,
            key=text,
            snippet=source_of(answer).split("\n")[0],
            detail=f"{text}, also to {gone[0]}, which is gone" if gone else text,
        )


def _owners(tree: ast.Module) -> Iterator[tuple[str, dict[str, Function]]]:
    """The module by an empty name, and its classes, each with its functions."""
    for name, body in [
        ("", tree.body),
        *((each.name, each.body) for each in tree.body if isinstance(each, ast.ClassDef)),
    ]:
        yield name, {each.name: each for each in body if isinstance(each, Function)}


def _answers_to_all(function: Function, *, of_class: bool) -> bool:
    parameters = function.args.args
    if len(parameters) != 1 + of_class:
        return False
    name = parameters[-1].arg
    nodes = walk(function)
    asked = any(isinstance(each, ast.Name) and each.id == name for each in nodes)
    given = [each for each in nodes if isinstance(each, ast.Return) and each.value is not None]
    return not asked and bool(given) and not any(isinstance(each, ast.Raise) for each in nodes)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (any_name,)
