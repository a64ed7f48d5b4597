"""Ruby: examples and groups that are skipped or focused by their name, their metadata, or by having no body.

Rules:

- the x- and f-forms of RSpec and Minitest's spec style count in tests, without a receiver or on `RSpec`;
- metadata counts on examples and groups: `:skip`, `skip: ...`, `:pending`, `:focus`, and `if:` or `unless:`;
  `false` and `nil` are off; a condition about the platform alone is shown for review;
- an example with a text and no body is one that never runs.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.conditions import holds_never, on_linux
from ralph.guardrails.model import Hit
from ralph.guardrails.ruby import context
from ralph.guardrails.ruby.context import EXAMPLES, GROUPS, PLATFORM, arguments_of, name_of, receiver_of
from ralph.guardrails.source import Source
from ralph.system.patterns import later

STYLES = ("it", "specify", "example", "scenario", "describe", "context", "feature")
SKIPPED = frozenset({f"x{style}" for style in STYLES})
FOCUSED = frozenset({f"f{style}" for style in STYLES})
SKIP_KEYS = frozenset({"skip", "pending", "broken"})
CONDITION_KEYS = frozenset({"if", "unless"})
BODILESS = frozenset({"it", "specify", "example", "scenario"})
RECEIVERS = ("", "RSpec", "self", "::RSpec")
ASSIGNED = later(r"(?P<owner>\w+)\[:?['\"]?(?P<what>skip|pending|focus)['\"]?\]\s*(?:\|\|)?=\s*(?!false\b|nil\b)")
DERIVED = "define_derived_metadata"
EXCEPTIONS = ("Minitest::Skip", "SkipDeclaredInExample", "PendingDeclaredInExample", "PendedError", "OmittedError")


def examples(source: Source) -> Iterator[Hit]:
    for node in source.walk():
        if node.type != "call" or receiver_of(source, node) not in RECEIVERS:
            continue
        name, arguments = name_of(source, node), arguments_of(node)
        block = node.child_by_field_name("block") is not None or any(a.type == "block_argument" for a in arguments)
        place = node.child_by_field_name("method") or node
        if name in SKIPPED | FOCUSED and (block or arguments) and _counts(source, node):
            rule = "ruby.skip" if name in SKIPPED else "ruby.focus"
            yield source.hit(rule, place, f"{name} {_first(source, arguments)}")
        elif name in EXAMPLES | GROUPS and (arguments or block):
            yield from _metadata(source, name, arguments)
            if name in BODILESS and not block and _is_text(arguments) and _counts(source, node):
                yield source.hit("ruby.no-body", place, f"{name} {_first(source, arguments)}")


def skip_exceptions(source: Source) -> Iterator[Hit]:
    """A skip raised by hand."""
    for node in source.walk():
        if node.type == "call" and name_of(source, node) in ("raise", "fail"):
            raised = _first(source, arguments_of(node))
            if raised.partition(".")[0].endswith(EXCEPTIONS):
                yield source.hit("ruby.skip", node, f"raise {raised} in {context.test_name(source, node)}")


def assigned_metadata(source: Source) -> Iterator[Hit]:
    """`meta[:skip] = true`, where groups are configured."""
    for node in source.walk():
        match = ASSIGNED.match(source.text(node)) if node.type in ("assignment", "operator_assignment") else None
        if match and (context.in_test(source, node) if "meta" in match["owner"] else _is_derived(source, node)):
            yield source.hit(
                "ruby.focus" if match["what"] == "focus" else "ruby.skip", node, f"metadata {match['what']}"
            )


def _is_derived(source: Source, node: tree_sitter.Node) -> bool:
    """It stands in what gives examples and groups their metadata, whatever they are called there."""
    above = node.parent
    while above is not None and not (above.type == "call" and name_of(source, above) == DERIVED):
        above = above.parent
    return above is not None


def _metadata(source: Source, name: str, arguments: list[tree_sitter.Node]) -> Iterator[Hit]:
    title = _first(source, arguments)
    for argument in _flat(arguments):
        key, value = _pair(source, argument)
        if value is not None and holds_never(value) and key not in CONDITION_KEYS:
            continue
        if key == "focus":
            yield source.hit("ruby.focus", argument, f"{name} {title} {key}")
        elif key in SKIP_KEYS or (key in CONDITION_KEYS and value is not None):
            if (key, value) in (("if", "true"), ("unless", "false")):
                continue
            platform = value is not None and PLATFORM.only_platform(value) and on_linux(value) is not (key != "if")
            yield source.hit("ruby.skip-platform" if platform else "ruby.skip", argument, f"{name} {title} {key}")


def _flat(arguments: list[tree_sitter.Node]) -> Iterator[tree_sitter.Node]:
    """Arguments, with those of a hash one by one."""
    for argument in arguments:
        if argument.type in ("hash", "hash_splat_argument"):
            yield from _flat(argument.named_children)
        else:
            yield argument


def _pair(source: Source, argument: tree_sitter.Node) -> tuple[str, str | None]:
    """(`key`, value) of `key: value` and `:key => value`; (`key`, None) of `:key`."""
    if argument.type == "simple_symbol":
        return source.text(argument).lstrip(":"), None
    key, value = argument.child_by_field_name("key"), argument.child_by_field_name("value")
    if argument.type != "pair" or key is None:
        return "", None
    text = source.text(value) if value is not None else source.text(key)
    if value is not None and value.type == "lambda":
        text = text.removeprefix("->").strip("(){} ")
    return source.text(key).strip(":'\""), text


def _counts(source: Source, node: tree_sitter.Node) -> bool:
    return receiver_of(source, node) in ("RSpec", "::RSpec") or context.in_test(source, node)


def _is_text(arguments: list[tree_sitter.Node]) -> bool:
    return bool(arguments) and arguments[0].type in ("string", "simple_symbol", "chained_string")


def _first(source: Source, arguments: list[tree_sitter.Node]) -> str:
    return source.text(arguments[0]) if arguments else ""
