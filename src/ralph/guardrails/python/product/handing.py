"""Functions that hand on what they are given: back to whoever asked, or to those that are registered for it.

Rules (policy set v2, class G19):

- A function of one argument that did something about it (it escaped, checked or cleaned a text) and now gives it back
  is for a person. Conversions between types, and what only an older Python needed, are no work.
- What refuses some arguments, as before, and then gives a constant, is a stub like one that gives a constant at once.
- The default of `functools.singledispatch` raises for what nobody registered. It is no stub where something is
  registered that does more than to raise.
"""

from __future__ import annotations

import ast
import copy
import re

from ralph.guardrails.model import FileChange
from ralph.guardrails.python.bodies import without_docstring
from ralph.guardrails.python.claims import name_of, source_of
from ralph.guardrails.python.product.functions import Tree
from ralph.guardrails.python.product.swallows import is_log
from ralph.guardrails.python.trees import walk
from ralph.system.patterns import later

DISPATCHES = later(r"(?:^|\.)(?:singledispatch|singledispatchmethod)$")
CONVERSIONS = later(
    r"(?:^|\.)(?:str|int|float|bool|bytes|list|tuple|set|dict|frozenset|iter|unicode|text_type|encode|decode|cast|copy"
    r"|deepcopy|as\w+|isinstance|hasattr|ensure_\w+|force_\w+|u|b|native|to_native|warn|require_\w+)$"
)
OLD = later(r"(?i)\bPY_?[23]\d*\b|version_info|\bsix\.|\bcompat\b|\bunicode\b")
RETURNED = later(rb"(?m)^[ \t]+return[ \t]+([a-z_]\w*)[ \t]*(?:#.*)?$")


def gives_a_name(file: FileChange) -> bool:
    """Some line gives back a name where a line that is gone gave back more than that."""
    for hunk in file.hunks:
        for name in RETURNED.findall(b"\n".join(hunk.added)):
            if re.search(rb"\breturn\b[^\n]*\b%s\b" % name, b"\n".join(hunk.removed)):
                return True
    return False


def works_on_its_own(tree: Tree) -> bool:
    """It has one argument and calls something about it, other than to make another type of it."""
    given = tree.args
    takes = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    takes = [each for each in takes if each not in ("self", "cls")]
    if len(takes) != 1 or given.vararg or given.kwarg or tree.decorator_list or OLD.search(source_of(tree)):
        return False
    idle = {id(part) for each in tree.body if is_log(each) for part in walk(each)}
    calls = (each for each in walk(tree) if isinstance(each, ast.Call) and id(each) not in idle)
    return any(
        not CONVERSIONS.search(name_of(call)) and any(isinstance(p, ast.Name) and p.id == takes[0] for p in walk(call))
        for call in calls
    )


def is_default(tree: Tree, data: bytes) -> bool:
    """Of a single dispatch, and something is registered in the file."""
    if not any(DISPATCHES.search(source_of(each)) for each in tree.decorator_list):
        return False
    return re.search(rb"@[ \t]*(?:\w+\.)?%s\.register\b" % tree.name.encode(), data) is not None


def without_refusals(tree: Tree, earlier: Tree) -> Tree:
    """Without the conditions at its beginning that raise, and that it had before."""
    known = {source_of(each) for each in earlier.body}
    body = list(without_docstring(tree.body))
    while body and isinstance(body[0], ast.If) and _only_raises(body[0]) and source_of(body[0]) in known:
        del body[0]
    rest = copy.copy(tree)
    rest.body = body or tree.body
    return rest


def _only_raises(statement: ast.If) -> bool:
    return not statement.orelse and isinstance(statement.body[-1], ast.Raise)


def refuses(tree: Tree) -> bool:
    """It refuses what is wrong: a default or a conversion that is not needed any more does not."""
    return any(isinstance(each, ast.Raise) for each in walk(tree))
