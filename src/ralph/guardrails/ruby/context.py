"""Ruby: is this a test, which one, and under which conditions is a place in it reached?"""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.conditions import holds_always, holds_never, vocabulary
from ralph.guardrails.source import Source
from ralph.system.patterns import later

TEST_PATH = later(r"(?:^|/)(?:specs?|tests?|features|minitest)/|(?:_spec|_test|_steps)\.rb$|(?:^|/)test_[^/]*\.rb$")
GROUPS = frozenset({"describe", "context", "feature", "shared_examples", "shared_context", "shared_examples_for"})
EXAMPLES = frozenset({"it", "specify", "example", "scenario", "its", "test", "should"})
HOOKS = frozenset({"before", "after", "around", "setup", "teardown", "prepend_before", "append_before", "let", "let!"})
PLATFORM = vocabulary(
    "win_platform? RUBY_PLATFORM RUBY_ENGINE RUBY_VERSION RUBY_ENGINE_VERSION host_os windows? mac? linux?"
    " posix? windows_platform? jruby? truffleruby? respond_to?",
    "Gem RbConfig CONFIG Version new match? include? start_with? to_f to_i to_s OS Host or and not ChefUtils"
    " Process Signal File IO Socket Etc fork daemon setsid symlink mkfifo lchmod lchown getrlimit setproctitle",
)


def is_test_file(source: Source) -> bool:
    return TEST_PATH.search(source.path) is not None


def name_of(source: Source, call: tree_sitter.Node) -> str:
    method = call.child_by_field_name("method")
    return source.text(method) if method is not None else ""


def receiver_of(source: Source, call: tree_sitter.Node) -> str:
    receiver = call.child_by_field_name("receiver")
    return source.text(receiver) if receiver is not None else ""


def arguments_of(call: tree_sitter.Node) -> list[tree_sitter.Node]:
    listed = call.child_by_field_name("arguments")
    return [] if listed is None else [node for node in listed.named_children if node.type != "comment"]


def in_test(source: Source, node: tree_sitter.Node) -> bool:
    """True in a test file, and elsewhere inside an example, a group or a Minitest class."""
    if is_test_file(source):
        return True
    above = node.parent
    while above is not None:
        if above.type == "call" and receiver_of(source, above) == "RSpec" and name_of(source, above) in GROUPS:
            return True
        base = above.child_by_field_name("superclass") if above.type == "class" else None
        if base is not None and re.search(r"Minitest|Test::Unit|TestCase", source.text(base)):
            return True
        above = above.parent
    return False


def test_name(source: Source, node: tree_sitter.Node) -> str:
    """The nearest example, group or method around a place."""
    above = node.parent
    while above is not None:
        if above.type == "method" and (name := above.child_by_field_name("name")) is not None:
            return source.text(name)
        if above.type == "call" and above.child_by_field_name("block") is not None:
            called = name_of(source, above)
            if called.lstrip("xf") in EXAMPLES | GROUPS | HOOKS:
                arguments = arguments_of(above)
                return f"{called} {source.text(arguments[0])}" if arguments else called
        above = above.parent
    return "the file"


def about_platform(source: Source, node: tree_sitter.Node) -> bool:
    """True if a condition about the platform alone stands between the place and its method or block."""
    return any(PLATFORM.only_platform(condition) for condition in _conditions(source, node))


def is_met_always(source: Source, node: tree_sitter.Node) -> bool:
    """No condition stands between the place and its method or block, or one that holds always."""
    return all(map(holds_always, _conditions(source, node)))


def is_never_met(source: Source, node: tree_sitter.Node) -> bool:
    """An `if` around the place never holds, or an `unless` always does."""
    child, above = node, node.parent
    while above is not None and above.type not in ("method", "do_block", "class"):
        condition = above.child_by_field_name("condition")
        if condition is not None and condition != child:
            asked = holds_always if above.type.startswith("unless") else holds_never
            if asked(source.text(condition)):
                return True
        child, above = above, above.parent
    return False


def _conditions(source: Source, node: tree_sitter.Node) -> Iterator[str]:
    child, above = node, node.parent
    while above is not None and above.type not in ("method", "do_block", "class"):
        condition = above.child_by_field_name("condition")
        if condition is not None and condition != child:
            yield source.text(condition)
        if above.type == "binary" and (left := above.child_by_field_name("left")) is not None and left != child:
            yield source.text(left)
        if above.type == "when" and above.parent is not None and (value := above.parent.child_by_field_name("value")):
            yield source.text(value)
        child, above = above, above.parent
