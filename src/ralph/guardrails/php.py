"""PHP: analyser directives, skipped tests of PHPUnit and Pest, coverage marks (policy set v2, G01, G02, G03, G11).

Rules:

- method names count in any case, as PHP reads them, and also as the text of a dynamic call;
- a skip under a condition about the operating system or the PHP version alone, or by a `Requires` attribute, is
  shown for review;
- Pest's `skip`, `todo` and `only` count in a chain that begins with `it`, `test`, `describe` or the like.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails import directives
from ralph.guardrails.conditions import holds_always, vocabulary
from ralph.guardrails.directives import START, directive
from ralph.guardrails.model import Hit
from ralph.guardrails.source import Source
from ralph.system.patterns import later

TABLE = (
    *directives.COMMON,
    directive(
        "php.phpstan-ignore",
        "phpstan-ignore",
        START + r"@phpstan-ignore(?:-(?:next-)?line)?\b[ \t]*(?P<codes>[a-zA-Z]+\.[\w.]+(?:[ ,]+[a-zA-Z]+\.[\w.]+)*)?",
    ),
    directive(
        "php.psalm-suppress", "psalm-suppress", START + r"@(?:psalm|phan)-suppress(?:-\w+)*\b[ \t]*(?P<codes>[\w, ]+)?"
    ),
    directive(
        "php.phpcs-ignore", "phpcs:ignore", START + r"@?phpcs:ignore(?:File)?\b[ \t]*(?P<codes>[\w.]+(?:,[ ]*[\w.]+)*)?"
    ),
    directive(
        "php.phpcs-ignore",
        "phpcs:disable",
        START + r"@?phpcs:disable\b[ \t]*(?P<codes>[\w.]+(?:,[ ]*[\w.]+)*)?",
        end=START + r"@?phpcs:enable\b[ \t]*(?P<codes>[\w.]+(?:,[ ]*[\w.]+)*)?",
    ),
    directive("php.phpcs-ignore", "codingStandardsIgnore", START + r"@codingStandardsIgnore(?:File|Line|Start)\b"),
    directive(
        "php.suppress-warnings", "SuppressWarnings", START + r"@SuppressWarnings\b(?:\([\"' ]*(?P<codes>[\w.,]+))?"
    ),
    directive("php.coverage-ignore", "codeCoverageIgnore", START + r"@codeCoverageIgnore(?!Start|End)\b"),
    directive(
        "php.coverage-ignore",
        "codeCoverageIgnoreStart",
        START + r"@codeCoverageIgnoreStart\b",
        end=START + r"@codeCoverageIgnoreEnd\b",
    ),
    directive("php.scanner", "infection-ignore", START + r"@infection-ignore-all\b"),
    directive("php.skip", "@skip", START + r"@(?:skip|incomplete)\b"),
    directive("php.skip-platform", "@requires", START + r"@requires[ \t]+(?:OS|OSFAMILY|PHP|extension)\b"),
)
SKIPS = frozenset({"marktestskipped", "marktestincomplete", "markskipped"})
SKIP_EXCEPTIONS = frozenset(
    {"skippedtesterror", "skippedtest", "skippedwithmessageexception", "incompletetesterror", "skippedtestsuiteerror"}
)
PEST_ROOTS = frozenset({"it", "test", "describe", "todo", "arch", "uses", "pest"})
PEST_NAMES = frozenset({"todo", "xit", "xtest"})
TEST_PATH = later(r"(?:^|/)tests?/|Test\.php$")
PEST_SKIPS = frozenset({"skip", "todo", "skiplocally", "skiponci", "issue_skip"})
PEST_PLATFORM = later(r"(?:skip|only)on(?:windows|mac|linux|php)")
PLATFORM_ATTRIBUTES = later(r"requires(?:operatingsystem(?:family)?|php(?:extension|unit)?)")
PLATFORM = vocabulary(
    "PHP_OS PHP_OS_FAMILY DIRECTORY_SEPARATOR PHP_VERSION PHP_VERSION_ID PHP_MAJOR_VERSION php_uname",
    "strtoupper strtolower substr strncasecmp stripos strpos str_starts_with version_compare",
)
WORDS = (
    r"phpstan-ignore|(?:psalm|phan)-suppress|phpcs:|codingstandards|suppresswarnings|codecoverage|infection-ignore",
    r"markt?e?s?t?(?:skipped|incomplete)|skippedtest|skippedwith|incompletetest",
    r"->\s*(?:skip|todo|only)|\b(?:todo|xit|xtest)\s*\(",
    r"[@\[]\s*(?:skip|incomplete|requires)\b",
    r"#\[.*(?:requires|ignore|coverage)",
    r"php_os|php_version|directory_separator",
    *directives.COMMON_WORDS,
)


def comment_directives(source: Source) -> Iterator[Hit]:
    yield from directives.suppressions(source, TABLE, ("//", "/*", "#"))


def skips(source: Source) -> Iterator[Hit]:
    for node in source.walk():
        if node.type in ("member_call_expression", "scoped_call_expression", "nullsafe_member_call_expression"):
            yield from _method(source, node)
        elif node.type in ("string", "encapsed_string") and _called_by_name(source, node):
            yield source.hit("php.skip", node, f"{source.text(node)} in {_test_name(source, node)}")
        elif node.type == "object_creation_expression":
            kind = next((source.text(n) for n in node.named_children if "name" in n.type), "")
            if kind.rpartition("\\")[2].lower() in SKIP_EXCEPTIONS:
                yield source.hit("php.skip", node, f"{kind} in {_test_name(source, node)}")
        elif node.type == "attribute":
            yield from _attribute(source, node)
        elif node.type == "function_call_expression" and TEST_PATH.search(source.path):
            yield from _pest_name(source, node)


def _pest_name(source: Source, node: tree_sitter.Node) -> Iterator[Hit]:
    name = _field(source, node, "function")
    if name in PEST_NAMES:
        yield source.hit("php.skip", node, f"{name} {_first_argument(source, node)}")


def _method(source: Source, node: tree_sitter.Node) -> Iterator[Hit]:
    name = _field(source, node, "name").strip("{}'\" ").lower()
    if name in SKIPS:
        conditions = list(_conditions(source, node))
        rule = "php.skip-platform" if any(map(PLATFORM.only_platform, conditions)) else "php.skip"
        always = all(map(holds_always, conditions))
        yield from source.skips(rule, node, f"{name} in {_test_name(source, node)}", always=always)
    elif name == "only" or name in PEST_SKIPS or PEST_PLATFORM.fullmatch(name) or name == "skip":
        root = _chain_root(source, node)
        if root in PEST_ROOTS or root == "$scenario":
            arguments = _first_argument(source, node)
            platform = PEST_PLATFORM.fullmatch(name) or PLATFORM.only_platform(arguments)
            rule = "php.focus" if name == "only" else "php.skip-platform" if platform else "php.skip"
            chain = source.text(node).partition("{")[0].partition(",")[0]
            if arguments != "false":
                yield source.hit(rule, _name_node(node), f"{name} {chain}")


def _attribute(source: Source, node: tree_sitter.Node) -> Iterator[Hit]:
    name = source.text(node).partition("(")[0].rpartition("\\")[2].strip().lower()
    if PLATFORM_ATTRIBUTES.fullmatch(name):
        yield source.hit("php.skip-platform", node, f"{name} {_test_name(source, node)}")
    elif name in ("codecoverageignore", "ignoreclassforcodecoverage", "ignoremethodforcodecoverage"):
        yield source.hit("php.coverage-ignore", node, f"{name} {_test_name(source, node)}")
    elif name.startswith("requiresenvironment"):
        yield source.hit("php.skip", node, f"{name} {_test_name(source, node)}")


def _conditions(source: Source, node: tree_sitter.Node) -> Iterator[str]:
    """Those of enclosing `if`s, short circuits and conditionals, inside the function."""
    child, parent = node, node.parent
    while parent is not None and parent.type not in ("method_declaration", "function_definition"):
        condition = None
        if parent.type in ("if_statement", "else_if_clause", "conditional_expression"):
            condition = parent.child_by_field_name("condition")
        elif parent.type == "binary_expression" and re.search(
            r"&&|\|\||\band\b|\bor\b", _field(source, parent, "operator")
        ):
            condition = parent.child_by_field_name("left")
        if condition is not None and condition != child:
            yield source.text(condition)
        child, parent = parent, parent.parent


def _called_by_name(source: Source, node: tree_sitter.Node) -> bool:
    """True for the text in `[$this, 'markTestSkipped']` and the like, which call by a text."""
    parent = node.parent
    named = source.text(node).strip("'\"").lower() in SKIPS
    return named and parent is not None and parent.type in ("array_element_initializer", "argument")


def _chain_root(source: Source, node: tree_sitter.Node) -> str:
    inner: tree_sitter.Node | None = node
    while inner is not None and inner.type in ("member_call_expression", "member_access_expression"):
        inner = inner.child_by_field_name("object")
    if inner is None:
        return ""
    return _field(source, inner, "function").lower() if inner.type == "function_call_expression" else source.text(inner)


def _first_argument(source: Source, node: tree_sitter.Node) -> str:
    listed = node.child_by_field_name("arguments")
    return source.text(listed.named_children[0]) if listed is not None and listed.named_children else ""


def _name_node(node: tree_sitter.Node) -> tree_sitter.Node:
    return node.child_by_field_name("name") or node


def _test_name(source: Source, node: tree_sitter.Node) -> str:
    while (parent := node.parent) is not None:
        node = parent
        if node.type in ("method_declaration", "function_definition", "class_declaration"):
            return _field(source, node, "name")
    return "the file"


def _field(source: Source, node: tree_sitter.Node, field: str) -> str:
    found = node.child_by_field_name(field)
    return "" if found is None else source.text(found)


DETECTORS = (comment_directives, skips)
