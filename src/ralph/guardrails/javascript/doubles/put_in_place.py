"""What a set-up file puts in the place of a method or a function of the project (policy set v2, class G06).

`Cart.prototype.total = () => 5`, `vi.spyOn(Cart.prototype, "total").mockReturnValue(5)`, `Object.assign(prices, {…})`.
What passes on to the real one by its name answers as it does. See `setups` for which files, and whose tests ask.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.javascript.checks.chain import chain_from
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.doubles.mocking import ANSWERS, MADE, REPLACES, SPIES, TAKEN_OVER, WRITES
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped
from ralph.guardrails.javascript.syntax.origins import LOCAL_MODULE, Path
from ralph.record import record

WORDS = (
    r"prototype|spyon|\bstub\s*\(|define_?Propert|\bassign\s*\(|\breplace\s*\(",
    r"[.]\s*\w+\s*=\s*(?:async\s*)?(?:\(|function|\w+\s*=>|\w+\.fn)",
)


@record
class Placed:
    node: tree_sitter.Node
    path: Path
    """Of the module, what it exports, and on."""


def placed(code: Code) -> Iterator[Placed]:
    for node in code.names.naming:
        if node.type == "assignment_expression" and _is_answer(code, node.child_by_field_name("right")):
            yield from _placed(code, node, code.origins.of(node.child_by_field_name("left")))
    for call in code.calls:
        called, given = code.origins.of(call.child_by_field_name("function")), arguments(call)
        if len(given) < 2 or (called not in SPIES and called not in REPLACES and called not in WRITES):
            continue
        owner = code.origins.of(given[0])
        for name in _names(code, call, given, of_spy=called not in WRITES):
            yield from _placed(code, call, (*owner, name) if owner is not None else None)


def _placed(code: Code, node: tree_sitter.Node, path: Path | None) -> Iterator[Placed]:
    whole = chain_from(code, node).whole if node.type == "call_expression" else node
    of_project = path is not None and len(path) > 1 and LOCAL_MODULE.match(path[0]) is not None
    if path is not None and of_project and not TAKEN_OVER.search(code.text(whole)):
        yield Placed(node, path)


def _is_answer(code: Code, value: tree_sitter.Node | None) -> bool:
    plain = unwrapped(value)
    if plain is None:
        return False
    if plain.type != "call_expression":
        return plain.type in FUNCTIONS
    return any(part.type == "call_expression" and _is_made(code, part) for part in code.source.walk(plain))


def _is_made(code: Code, call: tree_sitter.Node) -> bool:
    return code.origins.of(call.child_by_field_name("function")) in MADE


def _names(code: Code, call: tree_sitter.Node, given: list[tree_sitter.Node], *, of_spy: bool) -> Iterator[str]:
    """The members that get an answer."""
    name = code.constants.value(given[1])
    if isinstance(name, str):
        answered = len(given) > 2 or any(ANSWERS.fullmatch(link.name) for link in chain_from(code, call).links)
        if answered or not of_spy:
            yield name
    elif not of_spy and (literal := code.constants.object_of(given[1])) is not None:
        yield from (key for key, _, _ in code.constants.options(literal))
        methods = (child for child in literal.named_children if child.type == "method_definition")
        yield from (code.text(each.child_by_field_name("name")) for each in methods)
