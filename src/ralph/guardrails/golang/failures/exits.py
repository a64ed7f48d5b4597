"""Go: a test program that ends before package testing has told the result (policy set v2, class G08).

Rules, for `_test.go` files:

- `os.Exit(0)` in `init`, `TestMain` or a test, under no condition: blocks. Under a condition, behind an early return or
  in another function it is for a person: programs that tests start as a child end so.
- In `TestMain` neither a run that failed, nor a panic that was caught, nor a build server's variable is such a
  condition.
- A `TestMain` that returns before it runs the tests passes without them: so it is judged as one that ends with 0 there.
- So does one that runs them under a condition alone: a variable that nobody sets, or that a build server sets, blocks.
- A `TestMain` that never runs the tests blocks. So does a function that is given `m`, and makes success of what the run
  gave: it sets the variable that holds it to 0, or drops it and ends with a 0 of its own.
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
ENDS = later(r"(?:os|syscall)\.Exit\(\s*(?:(?P<name>[A-Za-z_]\w*)|[^\n]*[*&]\s*0|0\s*\*[^\n]*)\s*\)")
RUN = r"\b(\w+)(?:\s+int)?\s*:?=\s*m\.Run\(\)"
LAUNDERS = later(r'"(?:CI|GITHUB_ACTIONS|GITLAB_CI|CONTINUOUS_INTEGRATION|BUILD_\w+|JENKINS_\w+)"|\brecover\(\)')
FAILED = r"(?:!=\s*0|>\s*0|>=\s*1|==\s*[1-9]\d*)"
UNSET = later(r"os\.Getenv\(\"\w+\"\)\s*(?:!=\s*\"\"|==\s*\"[^\"]+\")")
"""A variable that somebody has to set."""
AT_ONCE = later(r"init|TestMain|Test\w*")
MAKERS = frozenset({"assignment_statement", "return_statement", "call_expression"})
TELLS = later(r"(?:fmt\.(?:P|Fp)rint|log\.Print|slog\.|println\()")
HANDED = later(r"\(\s*(?P<name>\w+)\s+\*\w+\.M\b")


def exits(source: Source) -> Iterator[Hit]:
    if not source.path.endswith("_test.go"):
        return
    yield from _initialisers(source)
    for function in source.tree.root_node.named_children:
        name_node, body = function.child_by_field_name("name"), function.child_by_field_name("body")
        if function.type != "function_declaration" or name_node is None or body is None:
            continue
        name = text_of(name_node)
        for call in source.walk(body) if EXIT.search(text_of(body)) else ():
            if call.type == "call_expression" and EXIT.fullmatch(text_of(call)):
                at_once = _at_start(name, source.data) and not _guarded(call, body)
                at_once = at_once or (name == "TestMain" and _launders(_condition(call), text_of(body)))
                yield source.hit(
                    "go.exit-in-test" if at_once else "go.exit-guarded", call, f"{text_of(call)} in {name}"
                )
        if name == "TestMain":
            yield from _left_early(source, body)
            yield from _run_perhaps(source, body)
        if name == "TestMain" and not _runs_tests(function):
            yield source.hit("go.tests-not-started", function, "TestMain without m.Run")
        yield from _made_success(source, function, body, name)


def _left_early(source: Source, body: tree_sitter.Node) -> Iterator[Hit]:
    """A `return` under a condition, before anything runs the tests."""
    run = text_of(body).find(".Run()")
    for node in source.walk(body):
        before = node.type == "return_statement" and node.start_byte < body.start_byte + run
        if before and (condition := _condition(node)) and not _calls_product(node):
            rule = "go.exit-in-test" if _launders(condition, text_of(body)) else "go.exit-guarded"
            yield source.hit(rule, node, "return in TestMain, before the tests run")


def _run_perhaps(source: Source, body: tree_sitter.Node) -> Iterator[Hit]:
    """Under a condition that has no other branch, and nowhere else."""
    runs = [node for node in source.walk(body) if node.type == "call_expression" and text_of(node).endswith(".Run()")]
    conditions = [
        _condition(run) for run in runs if (above := _branch(run)) and above.child_by_field_name("alternative") is None
    ]
    if not runs or len(conditions) != len(runs) or any(".Run()" in each for each in conditions):
        return
    at_once = any(_launders(each, text_of(body)) or UNSET.search(each) for each in conditions)
    yield source.hit(
        "go.exit-in-test" if at_once else "go.exit-guarded", runs[0], "TestMain runs the tests only perhaps"
    )


def _calls_product(node: tree_sitter.Node) -> bool:
    """Something else than a word to the reader stands before it: a child of the tests does its work there."""
    block = node.parent
    return block is not None and any(
        each.type == "expression_statement" and TELLS.match(text_of(each)) is None
        for each in block.named_children
        if each.start_byte < node.start_byte
    )


def _at_start(name: str, data: bytes) -> bool:
    """Run by package testing, or by the variables of the package before it."""
    initialises = rb"(?m)^var\b[^\n]*=[ \t]*" + re.escape(name.encode()) + rb"\("
    return AT_ONCE.fullmatch(name) is not None or re.search(initialises, data) is not None


def _initialisers(source: Source) -> Iterator[Hit]:
    """`var _ = func() int { os.Exit(0); return 0 }()`: it runs before any test."""
    for variable in source.tree.root_node.named_children:
        may_end = variable.type == "var_declaration" and EXIT.search(text_of(variable))
        for call in source.walk(variable) if may_end else ():
            if call.type == "call_expression" and EXIT.fullmatch(text_of(call)):
                at_once = re.search(r"\}\s*\(\s*\)", text_of(variable)) is not None and not _guarded(call, variable)
                yield source.hit(
                    "go.exit-in-test" if at_once else "go.exit-guarded", call, f"{text_of(call)} in a variable"
                )


def _runs_tests(function: tree_sitter.Node) -> bool:
    """`m.Run()` is called, or `m` is handed to somebody who may."""
    parameters, body = function.child_by_field_name("parameters"), function.child_by_field_name("body")
    name = re.match(r"\(\s*(\w+)", text_of(parameters)) if parameters is not None else None
    return name is not None and body is not None and re.search(rf"\b{name[1]}\b", text_of(body)) is not None


def _made_success(source: Source, function: tree_sitter.Node, body: tree_sitter.Node, name: str) -> Iterator[Hit]:
    """What the run gave is set to 0, or dropped where a 0 is given in its place."""
    parameters = function.child_by_field_name("parameters")
    handed = HANDED.match(text_of(parameters)) if parameters is not None else None
    if handed is None:
        return
    text = re.sub(rf"\b{handed['name']}\.Run\(", "m.Run(", text_of(body))
    run = text.find("m.Run(")
    for node in source.walk(body):
        if node.type in MAKERS and _is_made(node, text, source, node.start_byte - body.start_byte > run):
            yield source.hit("go.exit-in-test", node, f"{text_of(node)} in {name}")


def _is_made(node: tree_sitter.Node, body: str, source: Source, after: bool) -> bool:
    """This statement or call makes success of a run that failed."""
    written = text_of(node)
    if node.type == "return_statement":
        return after and re.fullmatch(r"return\s+0", written) is not None and _dropped(body)
    if node.type == "assignment_statement":
        held = re.search(RUN, body)
        zero = held is not None and re.fullmatch(rf"{held[1]}\s*(?:[&*]?=\s*0|-=\s*{held[1]})", written)
        return after and bool(zero)
    end = ENDS.fullmatch(written)
    if end is None or end["name"] is None:
        return end is not None
    return _is_zero(end["name"], body, source.data.decode("utf-8", "replace"))


def _dropped(body: str) -> bool:
    """Nobody looks at what the run gave."""
    return re.search(r"(?m)(?:^|[;{])\s*(?:_\s*=\s*)?m\.Run\(\)\s*(?:$|[;}])", body) is not None


def _is_zero(name: str, body: str, text: str) -> bool:
    """The name holds nothing but 0 in the file, and the run's result is dropped."""
    given = re.findall(rf"\b{name}(?:\s+\w+)?\s*:?=(?!=)\s*([^\n;]+)", text)
    declared = re.search(rf"\bvar\s+{name}\s+int\b|\b{name}\s*:?=|\bconst\s+{name}\b", text) is not None
    changed = re.search(rf"&{name}\b|\b{name}\s*(?:\+\+|[-+|*^]=)|\b{name}\s*,[^\n]*=|,\s*{name}\b[^\n]*=", text)
    return declared and not changed and _dropped(body) and all(each.strip() == "0" for each in given)


def _condition(call: tree_sitter.Node) -> str:
    """What must hold for a place to be reached, as far as the nearest `if` says."""
    above = _branch(call)
    return text_of(above).partition("{")[0] if above is not None else ""


def _branch(node: tree_sitter.Node) -> tree_sitter.Node | None:
    """The nearest `if` around it."""
    above = node.parent
    while above is not None and above.type != "if_statement":
        above = above.parent
    return above


def _launders(condition: str, body: str) -> bool:
    """The condition is that the tests failed, or that a machine runs them."""
    held = re.search(r"\b(\w+)\s*:?=\s*\w+\.Run\(\)", body)
    code = rf"(?:\w+\.Run\(\)|\b{held[1]}\b)" if held is not None else r"\w+\.Run\(\)"
    return LAUNDERS.search(condition) is not None or re.search(rf"{code}\s*{FAILED}", condition) is not None


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
