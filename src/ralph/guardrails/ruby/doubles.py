"""Ruby: what stands in the place of what a test asks (policy set v2, class G06)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import tree_sitter

from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.ruby.expectations import name_and_arguments
from ralph.guardrails.source import Source
from ralph.system.patterns import later

GIVEN = frozenset({"let", "let!", "subject", "subject!"})
GIVEN_ANSWERS = frozenset({"receive", "stub", "stubs", "define_method", "define_singleton_method"})
DOUBLE = later(r"^(?:\{|do\b)\s*(?:(?:instance_|class_|object_)?double|OpenStruct\.new|spy)\b")


Received = tuple[str, tree_sitter.Node, tree_sitter.Node | None]
"""What is answered for, where, and the test that says so: none where it is the set-up around tests."""


def received(source: Source, tests: Sequence[tree_sitter.Node]) -> Iterator[Received]:
    """All that a file names for `receive`."""
    for node in source.walk():
        names = _received(node) if node.type == "call" else ()
        if names and "and_call_original" not in source.line_text(node.start_point.row + source.first_line):
            holder = next((test for test in tests if test.start_byte <= node.start_byte < test.end_byte), None)
            yield from ((name, node, holder) for name in names)


def _received(call: tree_sitter.Node) -> Sequence[str]:
    name, arguments = name_and_arguments(call)
    if name == "receive_messages" and arguments:
        return re.findall(r"(\w+):", text_of(arguments[0]))
    plain = name in GIVEN_ANSWERS and arguments and arguments[0].type == "simple_symbol"
    return [text_of(arguments[0]).lstrip(":")] if plain else ()


def defined_methods(source: Source) -> list[str]:
    """All that the file defines, but for what passes a question on to what has its name."""
    defined = (node for node in source.walk() if node.type in ("method", "singleton_method"))
    named = ((text_of(name), node) for node in defined if (name := node.child_by_field_name("name")) is not None)
    return [name for name, node in named if f".{name}" not in text_of(node).partition("\n")[2]]


def given_blocks(source: Source) -> dict[str, tree_sitter.Node]:
    """The blocks of `let(:name)` and `subject(:name)`; of several of one name the last."""
    found: dict[str, tree_sitter.Node] = {}
    for node in source.walk():
        name, arguments = name_and_arguments(node) if node.type == "call" else ("", [])
        block = node.child_by_field_name("block") if name in GIVEN else None
        if block is not None and arguments:
            found[text_of(arguments[0]).lstrip(":")] = block
    return found


def asked(source: Source, given: Mapping[str, tree_sitter.Node]) -> Iterator[tuple[str, tree_sitter.Node]]:
    """`subject(:cart) { double(total: 15) }` where `cart.total` is expected, or asked at all of a `subject`. `given`:
    blocks by what they name."""
    for name, block in given.items():
        of_subject = block.parent is not None and text_of(block.parent).startswith("subject")
        for answer in re.findall(r"\b(\w+):", text_of(block)) if DOUBLE.search(text_of(block)) else ():
            asks = rb"" if of_subject else rb"\bexpect\(\s*"
            if re.search(asks + rb"(?<![\w.])" + re.escape(f"{name}.{answer}").encode() + rb"\b", source.data):
                yield answer, block


def given_texts(source: Source) -> list[tuple[str, str]]:
    """Names of `subject` and `let`, and what they stand for."""
    calls = ((*name_and_arguments(node), node) for node in source.walk() if node.type == "call")
    held = [(arguments, node) for name, arguments, node in calls if name in ("subject", "subject!", "let", "let!")]
    named = [(text_of(arguments[0]).lstrip(":"), text_of(node)) for arguments, node in held if arguments]
    return named + [("subject", text_of(node)) for _, node in held if text_of(node).startswith("subject")]
