"""Go: what stands in the branches of an `if`, and behind a statement."""

from __future__ import annotations

import tree_sitter

from ralph.guardrails.golang.assertions.asserts import fails, named_call
from ralph.guardrails.golang.failures.sent_errors import is_heard


def fails_in(branch: tree_sitter.Node | None) -> bool:
    """A statement of the branch itself reports a failure."""
    for part in branch.named_children if branch is not None and branch.type == "block" else ():
        for statement in part.named_children if part.type == "statement_list" else (part,):
            if is_failure(statement):
                return True
    return False


def is_failure(statement: tree_sitter.Node) -> bool:
    if statement.type == "send_statement":
        channel = statement.child_by_field_name("channel")
        return channel is not None and is_heard((channel.text or b"").decode("utf-8", "replace"), behind(statement))
    called = (
        statement.named_children[0] if statement.type == "expression_statement" and statement.named_children else None
    )
    return called is not None and fails(called)


def handed_on_to(body: tree_sitter.Node) -> str:
    """The function that a body calls, where it does nothing else: `{ return run(t, n, time.Second) }`."""
    statements = [each for part in body.named_children for each in (part.named_children or [part])]
    if len(statements) != 1 or statements[0].type not in ("return_statement", "expression_statement"):
        return ""
    call = statements[0].named_children[0] if statements[0].named_children else statements[0]
    if call.type == "expression_list" and call.named_child_count == 1:
        call = call.named_children[0]
    package, name, _ = named_call(call)
    return "" if package else name


def is_branch_of_if(call: tree_sitter.Node) -> bool:
    above = call.parent
    for _ in range(3):
        above = above.parent if above is not None else None
    return above is not None and above.type == "if_statement"


def behind(node: tree_sitter.Node) -> str:
    """What the function does after a statement; Ginkgo's tests are functions of their own."""
    above = node
    while above.parent is not None and above.type not in ("function_declaration", "method_declaration"):
        if above.type == "func_literal" and above.parent.type == "argument_list" and _is_of_ginkgo(above.parent):
            break
        above = above.parent
    return (above.text or b"")[node.end_byte - above.start_byte :].decode("utf-8", "replace")


def _is_of_ginkgo(listed: tree_sitter.Node) -> bool:
    return listed.parent is not None and named_call(listed.parent)[:2] in (("", "It"), ("", "Specify"))


def function_around(node: tree_sitter.Node) -> tree_sitter.Node:
    """The function of the file that a node stands in."""
    above = node
    while above.parent is not None and above.parent.type != "source_file":
        above = above.parent
    return above
