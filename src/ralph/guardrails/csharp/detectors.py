"""C#: pragmas, suppression attributes, skipped tests, coverage exclusion (policy set v2, G01, G02, G11).

Rules:

- `#pragma warning disable` and `#nullable disable` are read from the syntax tree, so that strings cannot hold
  them, and from the text of lines that it could not read; one that nothing restores is a second hit;
- attributes count under their short, long, qualified, escaped and aliased names;
- a named argument such as `Skip = "..."` skips a test under any attribute; beside `SkipWhen` or `SkipUnless` with
  a property that is no constant and reads no environment variable it is shown for review, like NUnit's
  `[Platform]` and MSTest's `[OSCondition]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import tree_sitter

from ralph.guardrails import directives
from ralph.guardrails.common.failures import exits
from ralph.guardrails.common.product import aware
from ralph.guardrails.common.stubbed import swallowed
from ralph.guardrails.conditions import names_all_systems
from ralph.guardrails.csharp import nulls, program
from ralph.guardrails.csharp.attributes import aliases_of, attribute_name
from ralph.guardrails.csharp.conditional import call_rule, skips_always, skips_never, under_platform
from ralph.guardrails.directives import closed, code_set, directive, label
from ralph.guardrails.inventory.arriving import without_new_tests
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.source import Comment, Source
from ralph.system.patterns import later

TABLE = (
    *directives.COMMON,
    directive(
        "csharp.resharper-disable",
        "ReSharper disable",
        directives.START + r"ReSharper disable(?! once)\b(?P<codes>[ \t]+[\w.,: ]+)?",
        end=directives.START + r"ReSharper (?:restore|enable)\b(?P<codes>[ \t]+[\w.,: ]+)?",
    ),
    directive(
        "csharp.resharper-disable",
        "ReSharper disable once",
        directives.START + r"ReSharper disable once\b(?P<codes>[ \t]+[\w.,: ]+)?",
    ),
    directive(
        "csharp.stylecop-off", "StyleCop", directives.START + r"(?:stylecop|csharpier-ignore)[-:](?:ignore|disable)\b"
    ),
)
PRAGMA = later(r"^[ \t\xa0\ufeff]*#[ \t]*pragma[ \t]+warning[ \t]+(disable|restore|enable)\b([^/\n]*)", re.MULTILINE)
NULLABLE = later(
    r"^[ \t\xa0\ufeff]*#[ \t]*nullable[ \t]+(disable|restore|enable)(?:[ \t]+(annotations|warnings))?\b", re.MULTILINE
)
SUPPRESS = frozenset({"SuppressMessage", "UnconditionalSuppressMessage"})
SKIP = frozenset({"Ignore", "Explicit", "Skip", "Inconclusive"})
NO_COVERAGE = frozenset({"ExcludeFromCodeCoverage", "CoverageExclude", "ExcludeFromCoverage"})
PLATFORM_ATTRIBUTES = frozenset({"Platform", "OSCondition", "RunOn", "ExcludeOn", "NetPlatform"})
TESTS = later(r"\w*(?:Fact|Theory|Test|TestCase|TestMethod|TestFixture|TestClass|InlineData|DataRow|Data|Source)")
SKIP_CALLS = later(
    r"Assert\.(?:Ignore|Inconclusive|Skip|SkipWhen|SkipUnless|Pass)|Skip\.(?:If|IfNot|When|Unless|Test)|Assume\.\w+"
)
BROKEN = later(
    r"^\s*\[\s*(?:\w+\s*:\s*)?((?:\w+(?:\.|::))*"
    r"(?:(?:Unconditional)?SuppressMessage|Ignore|Explicit|ExcludeFromCodeCoverage)(?:Attribute)?)\b"
)
BARE_SKIPS = frozenset({"Ignore", "Inconclusive", "Skip"})
USING_ASSERT = later(rb"using\s+static\s+[\w.]*Assert\s*;")
TEST_BASE = later(r"(?:Fact|Theory|Test)(?:Attribute)?\b")
DATA = frozenset({"property_declaration", "field_declaration", "parameter", "enum_member_declaration"})
SKIP_EXCEPTIONS = later(
    r"(?:\w+\.)*(?:Ignore|Inconclusive|Skip|AssertInconclusive|SuccessException|Skipped\w*|SkipTest)(?:Exception)"
)
WORDS = (
    r"#\s*pragma\s+warning\s+[^\se]",
    r"#\s*nullable",
    r"resharper|stylecop|csharpier",
    r"suppressmessage",
    r"\bignore|explicit\b|\bskip|inconclusive|assert\.pass|\bassume\b",
    r"coverage",
    *nulls.WORDS,
    *program.WORDS,
    r"platform|oscondition|operatingsystem|runtimeinformation",
    r"\\u00|\\U0000|^\s*(?:global\s+)?using\s+\w+\s*=",
    *directives.COMMON_WORDS,
    *exits.WORDS,
    *aware.WORDS,
    *swallowed.WORDS,
)


def comment_directives(source: Source) -> Iterator[Hit]:
    yield from directives.suppressions(source, TABLE, ("//", "/*"))


def pragmas(source: Source) -> Iterator[Hit]:
    for name, rule, form in (
        ("pragma warning", "csharp.pragma-disable", PRAGMA),
        ("nullable", "csharp.nullable-disable", NULLABLE),
    ):
        seen = list(_directive_lines(source, form))
        for position, (line, match) in enumerate(seen):
            if match[1] != "disable":
                continue
            codes = code_set(match[2], ())
            place, key = _place(source, line), label(f"{name} disable", codes)
            yield source.hit(rule, place, key, codes)
            later = (end[2] for _, end in seen[position + 1 :] if end[1] != "disable")
            if not closed(codes, later):
                yield source.hit("comment.unclosed", place, key, codes)


def attributes(source: Source) -> Iterator[Hit]:
    aliases = aliases_of(source)
    for node in source.walk():
        if node.type == "attribute" and (name_node := node.child_by_field_name("name")):
            name = attribute_name(source.text(name_node), aliases)
            arguments = _named_arguments(source, node)
            subject = _subject(source, node)
            if name in SUPPRESS:
                yield _suppression(source, node)
            elif name in NO_COVERAGE:
                yield source.hit("csharp.coverage-excluded", node, f"{name} {subject}")
            elif name in SKIP and not _on_data(node):
                yield source.hit("csharp.skip", node, f"[{name}] {subject}")
            elif name in PLATFORM_ATTRIBUTES:
                nowhere = "Exclude" in source.text(node) and names_all_systems(source.text(node))
                yield source.hit("csharp.skip" if nowhere else "csharp.skip-platform", node, f"[{name}] {subject}")
            elif TESTS.fullmatch(name) and (rule := _skip_argument(source, arguments)):
                yield source.hit(rule, node, f"[{name} skip] {subject}")


def skip_calls(source: Source) -> Iterator[Hit]:
    for node in source.walk():
        if node.type == "invocation_expression" and (function := node.child_by_field_name("function")):
            called = ".".join(source.text(function).replace(" ", "").split(".")[-2:])
            if SKIP_CALLS.fullmatch(called) or (called in BARE_SKIPS and USING_ASSERT.search(source.data)):
                key, always = f"{called} in {_subject(source, node)}", skips_always(source, node)
                if not skips_never(source, node, called):
                    yield from source.skips(call_rule(source, node), node, key, always=always)
        elif node.type == "object_creation_expression":
            created = node.child_by_field_name("type")
            if created is not None and SKIP_EXCEPTIONS.fullmatch(kind := source.text(created)):
                yield source.hit("csharp.skip", node, f"{kind} in {_subject(source, node)}")


def broken_attributes(source: Source) -> Iterator[Hit]:
    """Attributes on lines that the grammar could not read and that it has no attribute on."""
    read = {node.start_point.row + source.first_line for node in source.walk() if node.type == "attribute"}
    for line in sorted(source.unreadable - read):
        if match := BROKEN.search(source.lines[line - source.first_line].decode("utf-8", "replace")):
            name = attribute_name(match[1], {})
            rule = "suppress-message" if name in SUPPRESS else "skip" if name in SKIP else "coverage-excluded"
            yield source.hit(f"csharp.{rule}", _place(source, line), match[0])


def own_facts(source: Source) -> Iterator[Hit]:
    """A test attribute of one's own that sets `Skip` for every test it stands on."""
    for node in source.walk():
        if node.type != "assignment_expression" or not (left := node.child_by_field_name("left")):
            continue
        if source.text(left).rpartition(".")[2] == "Skip" and TEST_BASE.search(_bases(source, node)):
            rule = "csharp.skip-platform" if under_platform(source, node) else "csharp.skip"
            yield source.hit(rule, node, f"Skip set in {_subject(source, node)}")


def _directive_lines(source: Source, form: re.Pattern[str]) -> Iterator[tuple[int, re.Match[str]]]:
    """Lines that hold a directive: those that the tree knows as one, and those that it could not read."""
    rows = {node.start_point.row for node in source.walk() if node.type.startswith("preproc")}
    rows |= {line - source.first_line for line in source.unreadable}
    for row in sorted(rows):
        if row < len(source.lines) and (match := form.match(source.lines[row].decode("utf-8", "replace"))):
            yield row + source.first_line, match


def _place(source: Source, line: int) -> Comment:
    text = source.lines[line - source.first_line]
    return Comment("", line, len(text) - len(text.lstrip()) + 1, line, 0, True)


def _named_arguments(source: Source, attribute: tree_sitter.Node) -> dict[str, str]:
    found = {}
    for node in source.walk(attribute):
        if node.type == "attribute_argument" and (
            match := re.match(r"\s*@?(\w+)\s*=(?!=)\s*(.*)", source.text(node), re.DOTALL)
        ):
            found[match[1]] = match[2].strip()
    return found


def _skip_argument(source: Source, arguments: dict[str, str]) -> str | None:
    reasons = [
        arguments[name] for name in ("Skip", "Ignore", "IgnoreMessage", "IgnoreReason", "Explicit") if name in arguments
    ]
    if all(reason in ("null", "false", '""') for reason in reasons):
        return None
    condition = arguments.get("SkipUnless") or arguments.get("SkipWhen")
    name = re.search(r"(\w+)\W*$", condition or "")
    return "csharp.skip-platform" if name and _honest_property(source, name[1]) else "csharp.skip"


def _honest_property(source: Source, name: str) -> bool:
    """False if this file defines the property as a constant or by an environment variable."""
    for node in source.walk():
        if node.type in ("property_declaration", "field_declaration", "variable_declarator") and re.search(
            rf"\b{name}\b", source.text(node)
        ):
            body = source.text(node).split(name, 1)[1]
            return not re.fullmatch(r"[\s{}=>;()]*(?:get|return|!|\s|=>|[{};])*(?:true|false)[\s;}]*", body) and (
                "GetEnvironmentVariable" not in body
            )
    return name not in ("True", "False", "Always", "Never")


def _on_data(node: tree_sitter.Node) -> bool:
    """True for an attribute of a property, field or parameter: mappers and serialisers have an `[Ignore]`, too."""
    holder = node.parent.parent if node.parent else None
    return holder is not None and holder.type in DATA


def _bases(source: Source, node: tree_sitter.Node) -> str:
    """What the class around a place derives from; all that stands around it where no class could be read."""
    above, unread = node.parent, None
    while above is not None and above.type != "class_declaration":
        unread = above if above.is_error else unread
        above = above.parent
    if above is None:
        return source.text(unread) if unread is not None else ""
    return " ".join(source.text(child) for child in above.children if child.type == "base_list")


def _suppression(source: Source, node: tree_sitter.Node) -> Hit:
    parts = [
        source.text(n) for n in source.walk(node) if n.type in ("string_literal_content", "verbatim_string_literal")
    ]
    check = parts[1].partition(":")[0] if len(parts) > 1 else " ".join(parts)
    codes = code_set(check, ("*",))
    everywhere = node.parent is not None and node.parent.type == "global_attribute"
    key = label("SuppressMessage", codes) + (" for the assembly" if everywhere else "")
    return source.hit("csharp.suppress-message", node, key, codes)


def _subject(source: Source, node: tree_sitter.Node | None) -> str:
    while node is not None:
        if node.type.endswith("_declaration") and (name := node.child_by_field_name("name")):
            return source.text(name)
        node = node.parent
    return "the assembly"


DETECTORS = (
    comment_directives,
    pragmas,
    attributes,
    skip_calls,
    own_facts,
    broken_attributes,
    exits.exits,
    aware.asks,
    swallowed.swallowed,
    nulls.forgiven,
    program.build_lines,
)


def revised(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    known = nulls.revised(list(swallowed.revised(hits, change)), change)
    yield from without_new_tests(list(known), change)


REVISE = revised
