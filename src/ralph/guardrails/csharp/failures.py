"""C#: failures that a test wants, and what becomes of them (see `inventory`).

Rules:

- `Should.Throw<E>(action)`, `action.ShouldThrow<E>()` and `typeof(E).ShouldBeThrownBy(action)` say what
  `Assert.Throws<E>(action)` does; `Should.NotThrow(action)` that nothing fails.
- An assertion that has to be waited for, and is not, demands nothing: its task stands alone, is given to `_`, to a
  variable that nobody uses, or is what a method gives that gives nothing.
- A variable that is given a value again holds what nobody can tell; but not where the test itself counts it up, or
  gives it another constant, among its own statements.
- The last statement of a `try` is not come to the end of, where its handler notes that it ran and the test does not
  want that it did not: an assertion there demands nothing but the failure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.csharp.alike import quiet
from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.inventory.truth import Said
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.system.patterns import later

BROAD = frozenset({"Exception", "SystemException"})
THROW = later(r"(?:Not)?Throw(?:Async)?")
SHOULD_THROW = later(r"Should(?:Not)?Throw(?:Async)?")
THROWN = later(r"ShouldBeThrown(?:By)?")
KIND = later(r"(?:<|typeof\()\s*(?:\w+\.)*(\w+)\s*[>)]")
WANTS_FAILURE = later(r"Throws|ThrowsAny|Catch|Exception|(?:Should)?(?:Be)?Throw")
THROWS = later(r",\s*Throws\.(?!Nothing)[\w.<>()]*\s*\)$")
MISREAD = later(r"\(\s*[\w.]+\s*\)\s*Assert\.Throws\w*\s*<\s*(?:\w+\.)*(\w+)\s*>\s*\(")
NUNIT = later(rb"\bNUnit\b|\[\s*(?:Test|TestCase|TestFixture)\b")
IN_CHAIN = later(r"\.Should\(\)\s*\.Throw\w*Async\s*<[^<>]*>\(\)(?:\s*\.With\w*\([^()]*\))*$")
WAITS = later(r"^\s*[!?]?\.\s*(?:Wait\w*|Result|GetAwaiter|GetResult|RunSynchronously)\b")
STEPS = ("++", "--")
REFUSED = later(
    r"\bFalse\(\s*(\w+)|\b(\w+)\.Should(?:\(\)\.)?(?:BeFalse|Be\(false)|\bThat\(\s*(\w+)\s*,\s*Is\.(?:False|Not)|!(\w+)"
    r"|\b(\w+)\s*(?:==|is)\s*false\b"
)
LEAVES = later(r"\b(?:throw|return)\b")
NOTED = later(r"\b(\w+)\s*=\s*true\s*;")


def wanted_failure(
    call: tree_sitter.Node, receiver: tree_sitter.Node, name: str, arguments: list[tree_sitter.Node], writing: Writing
) -> Said | None:
    """What Shouldly's and kindred assertions about an exception demand."""
    named = text_of(receiver) == "Should" or receiver.type == "typeof_expression"
    match = (THROW if text_of(receiver) == "Should" else THROWN if named else SHOULD_THROW).fullmatch(name)
    if match is None:
        return None
    action = arguments[0] if named and arguments else receiver
    if "Not" in name:
        return quiet(writing.of(action))
    function = call.child_by_field_name("function")
    told = " ".join(map(text_of, (receiver, *arguments[1:]))) if named else ""
    kind = KIND.search(f"{text_of(function).rpartition('.')[2] if function is not None else ''} {told}")
    wanted = kind[1] if kind else ""
    return Said(writing.of(action), "raises", wanted, Grade.CLOSE if wanted and wanted not in BROAD else Grade.EXISTS)


def misread_failure(node: tree_sitter.Node, writing: Writing) -> Said | None:
    """`(PayException)Assert.Throws<PayException>(f)`, which the grammar takes for two comparisons."""
    match = MISREAD.match(text_of(node)) if node.type == "binary_expression" else None
    action = node.child_by_field_name("right")
    if match is None or action is None or action.type != "parenthesized_expression":
        return None
    inner = action.named_children[0] if action.named_children else action
    return Said(writing.of(inner), "raises", match[1], Grade.EXISTS if match[1] in BROAD else Grade.CLOSE)


def has_to_leave(block: tree_sitter.Node, statement: tree_sitter.Node) -> bool:
    """The statement is the last of a `try` whose handler sets a variable that is not wanted to be false behind it."""
    attempt = block.parent
    if attempt is None or attempt.type != "try_statement" or block != attempt.child_by_field_name("body"):
        return False
    steps = [each for each in block.named_children if "comment" not in each.type]
    if not steps or steps[-1] != statement or attempt.parent is None:
        return False
    handlers = (each for each in attempt.named_children if each.type == "catch_clause")
    noted = {name for each in handlers if not LEAVES.search(text_of(each)) for name in NOTED.findall(text_of(each))}
    behind = " ".join(text_of(each) for each in attempt.parent.named_children if each.start_byte >= attempt.end_byte)
    return bool(noted) and noted.isdisjoint(name for found in REFUSED.findall(behind) for name in found)


def wants_none(call: tree_sitter.Node) -> bool:
    """`Assert.Null(Record.Exception(...))`, `var e = Record.Exception(...); Assert.Null(e);`."""
    statement = call
    while statement.parent is not None and statement.parent.type != "block":
        statement = statement.parent
    text = text_of(statement)
    before, after = text[: call.start_byte - statement.start_byte], text_of(statement.parent or statement)
    held = re.search(r"(\w+)\s*=\s*(?:await\s+)?$", before)
    if held is None:
        return re.search(r"\b(?:Is)?Null\(\s*(?:await\s+)?$", before) is not None
    name = re.escape(held[1])
    return (
        re.search(rf"\b(?:Is)?Null\({name}\)|\b{name}\.Should(?:\(\)\.)?BeNull|\b{name}, Is\.Null", after) is not None
    )


def is_forgotten(call: tree_sitter.Node, owner: str, name: str, data: bytes) -> bool:
    """`Assert.ThrowsAsync<E>(action);` without `await`. NUnit's waits by itself."""
    chained = name.startswith("With") and IN_CHAIN.search(owner) is not None
    if not chained and not name.endswith("Async"):
        return False
    own = owner == "Assert" and (NUNIT.search(data) is None or name in ("ThatAsync", "MultipleAsync"))
    fluent = owner == "Should" or name.startswith("Should") or owner.endswith(".Should()") or chained
    return (own or fluent) and _is_dropped(call)


def _is_dropped(call: tree_sitter.Node) -> bool:
    """What the call gives is not used: it stands alone, is discarded, or gets a name that nobody says again."""
    task, above = call, call.parent
    while above is not None and above.type in ("member_access_expression", "invocation_expression"):
        if WAITS.search(text_of(above)[len(text_of(task)) :]):
            return False
        task, above = above, above.parent
    if above is None:
        return False
    if above.type == "assignment_expression":
        return text_of(above.child_by_field_name("left") or above) == "_"
    if above.type == "arrow_expression_clause":
        return above.parent is not None and text_of(above.parent.child_by_field_name("returns") or above) == "void"
    if above.type == "variable_declarator":
        return _is_unused(above)
    return above.type == "expression_statement"


def _is_unused(declarator: tree_sitter.Node) -> bool:
    name, around = declarator.child_by_field_name("name"), declarator.parent
    while around is not None and around.type != "block":
        around = around.parent
    if name is None or around is None:
        return False
    return len(re.findall(rf"(?<![\w.]){re.escape(text_of(name))}(?!\w)", text_of(around))) == 1


PLAIN = later(r"\w+\s*=(?!=)")
"""A new value, whatever the old one was."""


def given_again(node: tree_sitter.Node) -> Iterator[str]:
    """The variables that a node changes: `n = 3`, `n += 1`, `n++`, `f(ref n)`; `new Pay { Sum = 3 }` changes none."""
    if node.type == "assignment_expression" and node.parent is not None and "initializer" not in node.parent.type:
        changed = node.child_by_field_name("left")
    elif node.type in ("prefix_unary_expression", "postfix_unary_expression"):
        changed = node.named_children[-1] if text_of(node).startswith(STEPS) or text_of(node).endswith(STEPS) else None
    else:
        by_reference = node.type == "argument" and node.children[0].type in ("ref", "out")
        changed = node.named_children[-1] if by_reference else None
    if changed is not None and changed.type == "identifier" and not _is_counted_out(node):
        yield text_of(changed)


def _is_counted_out(change: tree_sitter.Node) -> bool:
    """The test adds a constant, in a statement that is run once: `n += 1;`, `n++;`."""
    value = change.child_by_field_name("right")
    around = change.parent
    if PLAIN.match(text_of(change)):
        return False
    if around is None or around.type != "expression_statement" or (value and not value.type.endswith("_literal")):
        return False
    while around is not None and around.type in ("expression_statement", "block"):
        around = around.parent
    return around is not None and around.type == "method_declaration"
