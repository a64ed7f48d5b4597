"""A handler of a promise that always runs (test inventory, class G05).

Rule: in `f().then(() => { throw new Error("no") }).catch((error) => { assert.equal(error.message, "aborted") })` what
the handler asks is asked whether `f` fails or not, so that nothing passes it by; as long as the text that it wants is
not the one that is thrown here. A handler without a text of its own may be met by the error that is thrown here.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped

TEXTS = frozenset({"string", "template_string"})


def runs_always(code: Code, caught: tree_sitter.Node, handler: tree_sitter.Node) -> bool:
    """`caught` is what `.catch` is called on."""
    before = unwrapped(caught)
    called = unwrapped(before.child_by_field_name("function")) if before is not None else None
    if before is None or called is None or code.constants.member(called) != "then":
        return False
    given = arguments(before)
    if len(given) != 1 or given[0].type not in FUNCTIONS or not _throws(given[0]):
        return False
    thrown, wanted = list(_texts(code, given[0])), list(_texts(code, handler))
    pattern = any(node.type == "regex" for node in code.source.walk(handler))
    return bool(wanted) and not pattern and not any(one in other or other in one for one in thrown for other in wanted)


def _throws(function: tree_sitter.Node) -> bool:
    """Whatever it is given: it does nothing else."""
    body = function.child_by_field_name("body")
    done = [each for each in body.named_children if "comment" not in each.type] if body is not None else []
    return [each.type for each in done] == ["throw_statement"]


def _texts(code: Code, node: tree_sitter.Node) -> Iterator[str]:
    for each in code.source.walk(node):
        if each.type in TEXTS:
            yield code.text(each).strip("'\"`")
