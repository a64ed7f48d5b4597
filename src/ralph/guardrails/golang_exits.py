"""Go: a test program that ends before package testing has told the result (policy set v2, class G08).

Rules, for `_test.go` files:

- `os.Exit(0)` in `init`, `TestMain` or a test, under no condition: blocks. Under a condition, behind an early return or
  in another function it is for a person: programs that tests start as a child end so.
- In `TestMain` neither the result of the run nor a build server's variable is such a condition.
- A `TestMain` that never runs the tests blocks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.model import Hit
from ralph.guardrails.source import Source
from ralph.system.patterns import later

EXIT = later(r"(?:os|syscall)\.Exit\(\s*0(?:x?0*)\s*\)")
LAUNDERS = later(r'\.Run\(\)|"(?:CI|GITHUB_ACTIONS|GITLAB_CI|CONTINUOUS_INTEGRATION|BUILD_\w+|JENKINS_\w+)"')
AT_ONCE = later(r"init|TestMain|Test\w*")


def exits(source: Source) -> Iterator[Hit]:
    if not source.path.endswith("_test.go"):
        return
    for function in source.tree.root_node.named_children:
        name_node, body = function.child_by_field_name("name"), function.child_by_field_name("body")
        if function.type != "function_declaration" or name_node is None or body is None:
            continue
        name = text_of(name_node)
        calls = [node for node in source.walk(body) if node.type == "call_expression"]
        for call in calls:
            if EXIT.fullmatch(text_of(call)):
                at_once = AT_ONCE.fullmatch(name) is not None and not _guarded(call, body)
                at_once = at_once or (name == "TestMain" and LAUNDERS.search(_condition(call)) is not None)
                yield source.hit(
                    "go.exit-in-test" if at_once else "go.exit-guarded", call, f"{text_of(call)} in {name}"
                )
        if name == "TestMain" and not _runs_tests(function):
            yield source.hit("go.tests-not-started", function, "TestMain without m.Run")


def _runs_tests(function: tree_sitter.Node) -> bool:
    """`m.Run()` is called, or `m` is handed to somebody who may."""
    parameters, body = function.child_by_field_name("parameters"), function.child_by_field_name("body")
    name = re.match(r"\(\s*(\w+)", text_of(parameters)) if parameters is not None else None
    return name is not None and body is not None and re.search(rf"\b{name[1]}\b", text_of(body)) is not None


def _condition(call: tree_sitter.Node) -> str:
    """What must hold for a place to be reached, as far as the nearest `if` says."""
    above = call.parent
    while above is not None and above.type != "if_statement":
        above = above.parent
    return text_of(above).partition("{")[0] if above is not None else ""


def _guarded(call: tree_sitter.Node, body: tree_sitter.Node) -> bool:
    """It stands under a condition, or after something that may return before."""
    child, above = call, call.parent
    while above is not None:
        if above.type in ("if_statement", "expression_case", "func_literal"):
            return above.type != "func_literal" or not text_of(above.parent or above).startswith("func()")
        for other in above.named_children if above.type == "statement_list" else ():
            returns = other.type == "if_statement" and re.search(r"\breturn\b", text_of(other))
            if other.start_byte < child.start_byte and returns:
                return True
        if above == body:
            return False
        child, above = above, above.parent
    return False
