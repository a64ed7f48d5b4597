"""Ruby: tests that are defined only under a condition around them (policy set v2, class G02).

Rules, in a file of tests:

- A group, an example, a test method or a class of tests under `if` or `unless`, in either form, or behind `&&` and
  `||`, is left out where the condition asks the environment (`ENV`, or a name that holds what it says) or never holds.
- So is what stands behind `return` or `return if ENV["CI"]` at the top of a file, and behind `next if ENV["CI"]` in a
  group.
- A condition about the platform, the version of Ruby or what is installed (`defined?`) is shown for review. Any other
  condition is none of this module's business, nor is one whose `else` defines tests, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.conditions import on_linux
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.ruby import context
from ralph.guardrails.ruby.context import EXAMPLES, PLATFORM, arguments_of, name_of, receiver_of
from ralph.guardrails.source import Source
from ralph.system.patterns import later

WORDS = (
    r"^return\b",
    r"\b(?:if|unless)\b[^\n]*(?:\benv\b|\bdefined\?)",
    r"\benv\b[^\n]*(?:\|\||&&|\bor\b|\band\b)",
    r"^\s*(?:(?:end|return|next|\})\s+)?(?:if|unless)\s+!?(?:[a-z]\w*[?]?|!0)\s*$",
)
WORTH = later(rb"\b(?:if|unless|return)\b|\bENV\b")
GROUPS = frozenset({"describe", "context", "feature"})
TITLED = EXAMPLES - {"its", "should"}
OF_TESTS = later(r"Minitest|Test::Unit|TestCase|Test$")
ASKED = later(r"\bENV\b")
NAMED = later(r"(?<![\w.:@$])[A-Za-z_]\w*[?]?")
FORMS = frozenset({"if", "unless", "if_modifier", "unless_modifier"})
LEAVES = later(r"(?:return|next|break|exit!?|abort)\b[^\n]*")
FROM_HERE = "what stands behind it is left out"
TEST_FILE = later(r"_(?:spec|test)\.rb$|(?:^|/)test_[^/]*\.rb$")


def conditional(source: Source) -> Iterator[Hit]:
    if not context.is_test_file(source) or not WORTH.search(source.data):
        return
    for node in source.tree.root_node.named_children:
        if node.type == "return" and node.next_named_sibling is not None:
            yield source.hit("ruby.skip", node, f"return: {FROM_HERE}")
    for node in source.walk():
        if node.type in FORMS:
            yield from _judged(source, node)
        elif node.type == "binary":
            yield from _joined(source, node)


def revised(hit: Hit, change: Change) -> bool:
    """A file that is new, where none of tests is gone, leaves out nothing that ran before."""
    if hit.rule != "ruby.skip" or not hit.key.endswith(FROM_HERE):
        return False
    new = any(file.path == hit.path and file.status == "A" for file in change.files)
    return new and not any(file.status == "D" and TEST_FILE.search(file.path) for file in change.files)


def _judged(source: Source, node: tree_sitter.Node) -> Iterator[Hit]:
    condition = node.child_by_field_name("condition")
    body = node.child_by_field_name("body") or node.child_by_field_name("consequence")
    other = node.child_by_field_name("alternative")
    if condition is None or body is None:
        return
    positive = node.type in ("if", "if_modifier")
    rule = _rule(source, source.text(condition), positive)
    if not rule:
        return
    told = f"{'if' if positive else 'unless'} {source.text(condition)}"
    if other is not None and _first_test(source, other) is not None:
        return
    if (test := _first_test(source, body)) is not None:
        yield source.hit(rule, condition, f"{test}: {told}")
    elif _leaves(source, node, body):
        yield source.hit(rule, condition, f"{told}: {FROM_HERE}")


def _joined(source: Source, node: tree_sitter.Node) -> Iterator[Hit]:
    """`ENV["CI"] || describe("slug") do … end`."""
    left, operator, right = (node.child_by_field_name(name) for name in ("left", "operator", "right"))
    if left is None or operator is None or right is None or source.text(operator) not in ("||", "&&", "or", "and"):
        return
    test = _first_test(source, right)
    rule = _rule(source, source.text(left), source.text(operator) in ("&&", "and")) if test is not None else ""
    if rule:
        yield source.hit(rule, left, f"{test}: {source.text(left)}")


def _rule(source: Source, condition: str, positive: bool) -> str:
    """The rule for what is defined if the condition holds, or unless it does; none for any other condition."""
    bare = condition.strip("() ")
    if bare in (("false", "nil", "!true") if positive else ("true", "!false", "!nil")):
        return "ruby.skip"
    if ASKED.search(condition) or any(_holds_environment(source, name) for name in NAMED.findall(condition)):
        return "ruby.skip"
    if PLATFORM.only_platform(condition):
        return "ruby.skip" if on_linux(condition) is (not positive) else "ruby.skip-platform"
    return "ruby.skip-platform" if "defined?" in condition else ""


def _holds_environment(source: Source, name: str) -> bool:
    """A variable, a constant or a method of the file gives what the environment says."""
    if name in ("if", "and", "or", "not", "true", "false", "nil") or name.encode() not in source.data:
        return False
    given = (
        rf"(?m)^[ \t]*(?:{re.escape(name)}[ \t]*=(?!=)|def (?:self\.)?{re.escape(name)}(?:[ \t]*=|\s*\n))[^\n]*\bENV\b"
    )
    return re.search(given.encode(), source.data) is not None


def _first_test(source: Source, place: tree_sitter.Node) -> str | None:
    """What the first test or group in a place is called."""
    for node in source.walk(place):
        name = node.child_by_field_name("name")
        if node.type == "call" and receiver_of(source, node) in ("", "RSpec", "::RSpec"):
            called, arguments = name_of(source, node), arguments_of(node)
            if called in GROUPS | TITLED and arguments and node.child_by_field_name("block") is not None:
                return f"{called} {source.text(arguments[0])}"
        elif node.type == "method" and name is not None and source.text(name).startswith("test_"):
            return source.text(name)
        elif node.type == "class" and name is not None:
            base = node.child_by_field_name("superclass")
            if base is not None and OF_TESTS.search(source.text(base)):
                return source.text(name)
    return None


def _leaves(source: Source, node: tree_sitter.Node, body: tree_sitter.Node) -> bool:
    """It leaves the file, or the block of a group, before tests."""
    if LEAVES.fullmatch(source.text(body).strip().removeprefix("then").strip()) is None:
        return False
    above = node.parent
    if above is None:
        return False
    if above.type != "program":
        call = above.parent.parent if above.type == "body_statement" and above.parent is not None else None
        if call is None or call.type != "call" or name_of(source, call) not in GROUPS:
            return False
    behind = node.next_named_sibling
    while behind is not None:
        if _first_test(source, behind) is not None:
            return True
        behind = behind.next_named_sibling
    return False
