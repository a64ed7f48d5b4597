"""Under which conditions a test of C# is skipped (policy set v2, class G02)."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.conditions import holds_always, holds_never, vocabulary
from ralph.guardrails.source import Source

PLATFORM = vocabulary(
    "RuntimeInformation OperatingSystem IsOSPlatform IsWindows IsLinux IsMacOS OSArchitecture ProcessArchitecture"
    " OSVersion Platform PlatformID",
    "OSPlatform Windows Linux OSX FreeBSD Architecture X64 X86 Arm64 Arm Environment Win32NT Unix MacOSX System Runtime"
    " InteropServices Is",
)


def call_rule(source: Source, call: tree_sitter.Node) -> str:
    condition = _first_argument(source, call)
    platform = PLATFORM.only_platform(condition) or under_platform(source, call)
    return "csharp.skip-platform" if platform else "csharp.skip"


def _first_argument(source: Source, call: tree_sitter.Node) -> str:
    given = call.child_by_field_name("arguments")
    return source.text(given.named_children[0]) if given is not None and given.named_children else ""


def skips_never(source: Source, call: tree_sitter.Node, name: str) -> bool:
    """`Skip.If(false)`, `Skip.IfNot(true)`."""
    asked = holds_always if name.endswith(("Not", "Unless")) else holds_never
    return name.endswith(("If", "IfNot", "When", "Unless")) and asked(_first_argument(source, call))


def skips_always(source: Source, call: tree_sitter.Node) -> bool:
    """Neither what it is given nor an `if` around it is a condition."""
    first = _first_argument(source, call)
    conditions = [first] if first and not first.lstrip("$@").startswith('"') else []
    return all(map(holds_always, [*conditions, *_conditions(source, call)]))


def under_platform(source: Source, node: tree_sitter.Node) -> bool:
    return any(map(PLATFORM.only_platform, _conditions(source, node, ("if_statement",))))


def _conditions(source: Source, node: tree_sitter.Node, kinds: tuple[str, ...] = ()) -> Iterator[str]:
    """Those around a place, inside its method; of these kinds of statements, if any are said."""
    while (parent := node.parent) is not None and parent.type != "method_declaration":
        condition = parent.child_by_field_name("condition") if not kinds or parent.type in kinds else None
        if condition is not None and condition != node:
            yield source.text(condition)
        node = parent
