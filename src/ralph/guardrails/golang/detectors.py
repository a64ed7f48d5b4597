"""Go: linter directives, skipped and focused tests, exits (policy set v2, classes G01, G02, G03, G08, G11).

Rules:

- `//nolint` counts in golangci-lint's form: slashes and blanks, then `nolint` and a blank, a colon or the end.
  One that names linters and says why is shown for review; any other blocks.
- `Skip`, `Skipf` and `SkipNow` count on what the file declares as `testing.T`, `B`, `F` or `TB` (or a type that
  embeds one), as calls or as values; on anything else they are a method of somebody's own.
- a skip inside `testing.Short()` or a condition about the platform is shown for review; any other blocks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import tree_sitter

from ralph.guardrails import directives
from ralph.guardrails.common.product import aware
from ralph.guardrails.conditions import holds_always, holds_everywhere, on_linux, vocabulary
from ralph.guardrails.directives import directive
from ralph.guardrails.golang.calls import arguments, called, named
from ralph.guardrails.golang.failures.exits import exits
from ralph.guardrails.golang.narrowed import without_narrowed
from ralph.guardrails.golang.skipped.focused import nodes
from ralph.guardrails.golang.skipped.given_back import is_given_back
from ralph.guardrails.golang.skipped.narrowed import without_moved_inside
from ralph.guardrails.golang.skipped.short_runs import never_in_full
from ralph.guardrails.golang.unasked import still_asked
from ralph.guardrails.inventory.arriving import without_new_tests
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.source import Source
from ralph.record import replace
from ralph.system.patterns import later

MARKS = ("//", "/*")
TABLE = (
    *directives.COMMON,
    directive(
        "go.nolint",
        "nolint",
        r"\A//[/ ]*nolint(?:(?= |\r?\Z)|:(?P<codes>(?:[^/\n]|/(?!/))*)(?://(?P<why>.*))?)",
        unexplained="go.nolint-unexplained",
    ),
    directive("go.lint-ignore", "lint:ignore", r"\A//lint:(?:file-)?ignore\b[ \t]*(?P<codes>\S+)?"),
    directive("go.revive", "revive:disable", r"\A//[ \t]*revive:disable-(?:next-)?line\b(?::(?P<codes>\S+))?"),
    directive(
        "go.revive",
        "revive:disable",
        r"\A//[ \t]*revive:disable(?!-)\b(?::(?P<codes>\S+))?",
        end=r"\A//[ \t]*revive:enable(?!-)\b(?::(?P<codes>\S+))?",
    ),
    directive("go.nosec", "nosec", directives.START + r"#nosec\b(?P<codes>(?:[ ,:]+G\d+)*)"),
    directive("go.nosec", "nosec", r"\A//gosec:disable\b(?P<codes>(?:[ ,]+G\d+)*)"),
    directive("go.checker-ignore", "ignore", r"\A//(?P<codes>[a-z]+):ignore\b(?<!lint:ignore)(?<!file-ignore)"),
    directive("go.checker-ignore", "norace", r"\A//go:norace\b"),
    directive("go.coverage-ignore", "coverage-ignore", r"\A//[ ]*coverage-ignore\b|\A//[ ]*coverage:ignore\b"),
)
TESTING_TYPE = later(r"\*?(?:\w+\.)?(?:T|B|F|TB|FullGinkgoTInterface|GinkgoTInterface)$")
SKIPS = later(rb"\bSkip(?:f|Now)?\b")
PLATFORM = vocabulary("GOOS GOARCH NumCPU", "runtime strings HasPrefix Contains Version")
SHORT = vocabulary("Short GOOS GOARCH", "testing runtime")
FILTERS = later(
    rb"\bflag\.(?:CommandLine\.)?Set\(\s*\"test\.(?:run|skip|short|list)\"|\bflag\.Lookup\(\s*\"test\.(?:run|skip|short|list)\"\s*\)"
    rb"\.Value\.Set\(|\bos\.Args\s*=\s*append\([^\n]*\"-test\.(?:run|skip|short|list)\b"
)
WORDS = (
    *aware.WORDS,
    r"nolint",
    r"lint:(?:file-)?ignore",
    r"revive:",
    r"nosec",
    r"go:norace",
    r"gosec:",
    r"//[a-z]+:ignore",
    r"coverage[-:]ignore",
    r"\bSkip(?:f|Now|Convey|So)?\b",
    r"\bGOOS\b|\bGOARCH\b|testing\.Short|\bShort\(",
    r"\b[FPX](?:It|Describe|Context|When|Specify|Entry)",
    r"\bFocus|\bPending\b",
    r"\bExit\(|\bTestMain\b|\bm\.Run\b|[\"-]test\.(?:run|skip|short|list)",
    *directives.COMMON_WORDS,
)


def linter_directives(source: Source) -> Iterator[Hit]:
    for hit in directives.suppressions(source, TABLE, MARKS):
        whole = hit.rule == "go.nolint" and _is_above_package(source, hit.line)
        yield replace(hit, rule="go.nolint-unexplained", detail="it is about the whole file") if whole else hit


def _is_above_package(source: Source, line: int) -> bool:
    """golangci-lint takes a comment above the package clause to be about all of the file."""
    below = source.lines[line - source.first_line :]
    said = (each.lstrip() for each in below if each.strip() and not each.lstrip().startswith(b"//"))
    return next(said, b"").startswith(b"package ")


def skips(source: Source) -> Iterator[Hit]:
    """Every use of a skip method of a testing value."""
    in_test = source.path.endswith("_test.go")
    found = list(named(source, SKIPS))
    own_types = _testing_types(source) if found else frozenset[str]()
    for node in found:
        of_value = node.type == "selector_expression" and not is_given_back(node)
        if of_value and _is_testing(source, node, own_types, in_test):
            yield from _skip(source, node, source.text(node).rpartition(".")[2])
        call = node.parent
        if call is not None and call.type == "call_expression" and in_test and called(source, call) == "Skip":
            yield from _skip(source, call, "Skip")


def filters(source: Source) -> Iterator[Hit]:
    """A file of tests that tells package testing which of them to run."""
    for match in FILTERS.finditer(source.data) if source.path.endswith("_test.go") else ():
        node = source.tree.root_node.descendant_for_byte_range(*match.span())
        if node is not None and "comment" not in node.type:
            text = match[0].decode("utf-8", "replace")
            yield source.hit("cfg.test.filtered", node, text, detail=text)


def _skip(source: Source, node: tree_sitter.Node, name: str) -> Iterator[Hit]:
    rule, always = "go.skip-short" if _is_fuzzed(source, node) else "go.skip", True
    for condition, holds in _conditions(source, node):
        if (holds and holds_everywhere(condition)) or on_linux(condition) is holds:
            continue
        always = always and holds and holds_always(condition)
        if PLATFORM.only_platform(condition):
            rule = "go.skip-platform"
        elif holds and SHORT.only_platform(condition) and "!" not in condition:
            rule = "go.skip-short"
    yield from source.skips(rule, node, f"{name} in {_test_name(source, node)}", always=always)


def _is_fuzzed(source: Source, node: tree_sitter.Node) -> bool:
    """Under a condition in the function that `f.Fuzz` calls: it throws away what makes no sense as input."""
    above, conditional = node.parent, False
    while above is not None and above.type != "func_literal":
        conditional = conditional or above.type == "if_statement"
        above = above.parent
    call = above.parent.parent if above is not None and above.parent is not None else None
    function = call.child_by_field_name("function") if call is not None else None
    return conditional and function is not None and source.text(function).endswith(".Fuzz")


def _conditions(source: Source, node: tree_sitter.Node) -> Iterator[tuple[str, bool]]:
    """Conditions under which `node` is reached, inside its function, and whether they hold there."""
    child, parent = node, node.parent
    while parent is not None and parent.type not in ("function_declaration", "method_declaration", "func_literal"):
        if parent.type == "if_statement" and child != parent.child_by_field_name("condition"):
            condition = parent.child_by_field_name("condition")
            yield source.text(condition) if condition else "", child == parent.child_by_field_name("consequence")
        if parent.type == "expression_case" and parent.parent is not None:
            value, case = parent.parent.child_by_field_name("value"), parent.child_by_field_name("value")
            yield " ".join(source.text(part) for part in (value, case) if part is not None), True
        child, parent = parent, parent.parent


def _is_testing(source: Source, selector: tree_sitter.Node, own_types: frozenset[str], in_test: bool) -> bool:
    operand = selector.child_by_field_name("operand")
    assert operand is not None
    text = source.text(operand).strip("()* ")
    if operand.type == "identifier":
        declared = _declared_type(source, operand, text)
        if declared is not None:
            return bool(TESTING_TYPE.fullmatch(declared)) or declared.lstrip("*") in own_types
        return in_test
    if operand.type in ("parenthesized_expression", "unary_expression"):
        return bool(TESTING_TYPE.fullmatch(text)) or text in own_types or in_test
    last = text.rpartition(".")[2]
    return last in ("T()", "GinkgoT()") or (in_test and last in ("t", "tb", "T", "TB", "b", "f"))


def _declared_type(source: Source, node: tree_sitter.Node, name: str) -> str | None:
    """The type that the nearest declaration of `name` gives it; None if this file does not say."""
    scope = node.parent
    while scope is not None:
        for holder in _declarations(scope, node):
            kind = holder.child_by_field_name("type")
            if kind is not None and any(source.text(n) == name for n in holder.children_by_field_name("name")):
                return source.text(kind)
        for left, right in _short_declarations(source, scope, node):
            if left == name:
                return _value_type(source, right, name)
        scope = scope.parent
    return None


def _declarations(scope: tree_sitter.Node, before: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    for field in ("parameters", "receiver"):
        if listed := scope.child_by_field_name(field):
            yield from listed.named_children
    for statement in scope.named_children if scope.type in ("statement_list", "block", "source_file") else ():
        if statement.type == "var_declaration" and statement.start_byte < before.start_byte:
            for part in statement.named_children:
                yield from part.named_children if part.type == "var_spec_list" else (part,)


def _short_declarations(
    source: Source, scope: tree_sitter.Node, before: tree_sitter.Node
) -> Iterator[tuple[str, tree_sitter.Node]]:
    """Names and values of `a := b` in `scope`, the latest before `before` first."""
    statements = scope.named_children if scope.type in ("statement_list", "block") else ()
    for statement in reversed(statements):
        if statement.type == "short_var_declaration" and statement.start_byte < before.start_byte:
            left, right = statement.child_by_field_name("left"), statement.child_by_field_name("right")
            if left is not None and right is not None:
                yield from zip(map(source.text, left.named_children), right.named_children, strict=False)


def _value_type(source: Source, value: tree_sitter.Node, name: str) -> str:
    text = source.text(value)
    if value.type == "identifier" and text != name:
        return _declared_type(source, value, text) or text
    if text.rpartition(".")[2] in ("T()", "GinkgoT()", "T", "t"):
        return "testing.T"
    return text.strip("&*").partition("{")[0]


def _testing_types(source: Source) -> frozenset[str]:
    """Types of this file that embed or rename one of package testing."""
    found: set[str] = set()
    for node in source.captures("[(type_spec) (type_alias)] @found"):
        name, kind = node.child_by_field_name("name"), node.child_by_field_name("type")
        if name is None or kind is None:
            continue
        fields = re.findall(r"^\s*(\*?\w+\.\w+)\s*(?:`.*)?$", source.text(kind), re.MULTILINE)
        if any(TESTING_TYPE.fullmatch(text) for text in (source.text(kind), *fields)):
            found.add(source.text(name))
    return frozenset(found)


def _test_name(source: Source, node: tree_sitter.Node) -> str:
    while (parent := node.parent) is not None:
        node = parent
        if node.type in ("function_declaration", "method_declaration") and (name := node.child_by_field_name("name")):
            return source.text(name)
        given = arguments(node) if node.type == "call_expression" else []
        if any(argument.type == "func_literal" for argument in given):
            return source.text(given[0])
    return "no test"


DETECTORS = (linter_directives, skips, nodes, exits, filters, aware.asks)


def revised(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    inside = list(without_moved_inside(list(never_in_full(hits, change)), change))
    known = list(without_new_tests(inside, change))
    yield from still_asked(list(without_narrowed(known, change)), change)


REVISE = revised
