"""Rust: lint attributes, ignored tests, coverage attributes, ignored doc tests (policy set v2, G01, G02, G11).

Rules:

- attributes are read as words, so that they count inside macros and around what the grammar cannot read, too;
- `allow` and `expect` of any lint block, plain, crate-wide or inside `cfg_attr`; the scope is the lints named, each
  by the name that it has now (`lint_names`);
- `ignore` blocks, unless a `cfg_attr` about the platform applies it: that is shown for review;
- a `cfg` that can never hold (`any()`, `FALSE`) takes a test away;
- a doc test marked `ignore` is a skipped test; `no_run`, `compile_fail` and other languages are not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails import directives
from ralph.guardrails.common.failures import exits
from ralph.guardrails.common.product import aware
from ralph.guardrails.conditions import holds_everywhere, on_linux, vocabulary
from ralph.guardrails.inventory.arriving import without_new_tests
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.rust.failing_cases import without_failing_cases
from ralph.guardrails.rust.halves import without_halves
from ralph.guardrails.rust.launched import without_launched
from ralph.guardrails.rust.lint_names import spelled
from ralph.guardrails.rust.sketches import without_sketches
from ralph.guardrails.rust.splits import without_split_off
from ralph.guardrails.rust.unasked import still_asked
from ralph.guardrails.source import Source
from ralph.guardrails.tokens import Token, group_end, join, split, tokens
from ralph.system.patterns import later

MARKS = ("//", "/*")
PLATFORM = vocabulary(
    "windows unix target_os target_arch target_family target_env target_vendor target_endian"
    " target_pointer_width target_feature miri",
    "cfg not any all",
)
ORDINARY = later(
    r"not \( (?:miri|windows|target_family = \"windows\"|target_os = \"windows\"|target_pointer_width = \"(?:16|32)\""
    r"|target_endian = \"big\") \)|unix|target_family = \"unix\"|target_pointer_width = \"64\""
    r"|target_endian = \"little\""
)
"""What holds wherever the checks run."""
FENCE = later(r"^[ \t]*(?://[/!]|\*|/\*[*!])?[ \t]*(?:`{3,}|~{3,})[ \t{]*(?P<info>[\w, =\-.]*)")
IGNORED = later(r"(?:^|[,\s])ignore(?:$|[,\s-])")
DOC_COMMENT = later(r"///(?!/)|//!|/\*\*(?!\*)|/\*!")
OTHERS = (
    ("rust.doctest-ignored", later(r"doc = .*(?:```|~~~)[\w, ]*\bignore\b")),
    ("rust.coverage-off", later(r"no_coverage|coverage \( off|tarpaulin :: skip")),
    ("rust.coverage-off", later(r"cfg .*\bnot \( (?:tarpaulin(?:_include)?|coverage\w*) \)")),
    ("rust.cfg-never", later(r"cfg .*(?:\bany \( \)|\bnot \( (?:all \( \)|true) \)|\b(?:false|FALSE)\b)")),
    ("comment.format", later(r"rustfmt :: skip")),
)
"""Attributes that a look at their words is enough for."""
EVERYTHING = frozenset({"warnings", "clippy::all"})
UNUSED = frozenset(
    f"unused_{what}"
    for what in (
        *("variables", "imports", "assignments", "mut", "must_use", "unsafe", "attributes", "macros", "parens"),
        *("braces", "labels", "doc_comments", "allocation"),
    )
) | {"dead_code", "unreachable_code", "unreachable_patterns", "path_statements", "redundant_semicolons"}
"""The lints of the group `unused`."""
WORDS = (
    r"\ballow\b",
    r"(?:^|[^.\w])expect\b",
    r"\bignore\b",
    r"coverage|tarpaulin|rustfmt",
    r"\bcfg",
    r"^\s*(?:(?:clippy|rustdoc)::\w+|[a-z]+(?:_[a-z0-9]+)*),?\s*$",
    r"\b(?:windows|unix|miri|target_\w+)\b",
    *directives.COMMON_WORDS,
    *exits.WORDS,
    *aware.WORDS,
)


def comment_directives(source: Source) -> Iterator[Hit]:
    yield from directives.suppressions(source, directives.COMMON, MARKS)


def attributes(source: Source) -> Iterator[Hit]:
    words = tokens(source)
    for index, word in enumerate(words):
        if word.text != "#" or word.kind != "mark":
            continue
        inner = index + 1 < len(words) and words[index + 1].text == "!"
        start = index + 2 if inner else index + 1
        if start < len(words) and words[start].text == "[":
            end = group_end(words, start)
            subject = "the crate" if inner else _subject(words, end)
            yield from _attribute(source, word, words[start + 1 : end], inner, subject, None)


def doc_tests(source: Source) -> Iterator[Hit]:
    """Opening fences of doc comments that carry `ignore`."""
    inside = False
    for comment in directives.comments(source, MARKS):
        if not DOC_COMMENT.match(comment.text):
            inside = False
            continue
        for row, text in enumerate(comment.text.rstrip("\n").split("\n")):
            fence = FENCE.match(text)
            if fence is None:
                continue
            if inside and fence["info"].strip():
                continue
            inside = not inside
            if inside and IGNORED.search(fence["info"]):
                place = directives.at_row(comment, row)
                yield source.hit("rust.doctest-ignored", place, f"doc test {fence['info']}")


def _attribute(
    source: Source, place: Token, body: Sequence[Token], inner: bool, subject: str, condition: str | None
) -> Iterator[Hit]:
    """One attribute, or one of those that a `cfg_attr` applies under `condition`."""
    while len(body) > 3 and body[0].text == "unsafe" and body[1].text == "(":
        body = body[2:-1]
    if not body:
        return
    name, rest = body[0].text.removeprefix("r#"), body[1:]
    arguments = rest[1:-1] if rest and rest[0].text == "(" else []
    if name == "cfg_attr":
        parts = split(arguments)
        for part in parts[1:]:
            yield from _attribute(source, place, part, inner, subject, join(parts[0]))
    elif name in ("allow", "expect"):
        yield _lint(source, place, arguments, inner)
    elif name == "ignore":
        platform = condition is not None and PLATFORM.only_platform(condition) and "( )" not in condition
        platform = platform and not (
            on_linux(condition or "") or holds_everywhere(condition or "") or ORDINARY.fullmatch(condition or "")
        )
        rule = "rust.ignore-platform" if platform else "rust.ignore"
        yield source.hit(rule, place.node, f"ignore {subject}")
    else:
        for rule, form in OTHERS:
            if form.match(f"{name} {join(rest)}"):
                yield source.hit(rule, place.node, f"{name} {subject}")


def _lint(source: Source, place: Token, arguments: Sequence[Token], inner: bool) -> Hit:
    """`expect` is `allow` that reports when it is no longer needed: one in the place of the other is no news."""
    lints = {
        "".join(word.text for word in part)
        for part in split(arguments)
        if part and not (part[0].text == "reason" and len(part) > 1 and part[1].text == "=")
    }
    rule = "rust.allow-crate" if inner else "rust.allow"
    scope = None if lints & EVERYTHING else frozenset(map(spelled, lints.union(UNUSED if "unused" in lints else ())))
    return source.hit(rule, place.node, f"allow {','.join(sorted(map(spelled, lints)))}", scope)


def _subject(words: Sequence[Token], end: int) -> str:
    """The name of the item that an attribute ending at `end` stands on."""
    index = end + 1
    while index + 1 < len(words) and words[index].text == "#":
        index = group_end(words, index + 1) + 1
    for position in range(index, min(index + 12, len(words) - 1)):
        if words[position].text in ("fn", "mod", "struct", "enum", "trait", "impl", "type", "const", "static", "let"):
            return words[position + 1].text
    return "an item"


def revised(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    left = still_asked(without_split_off(without_new_tests(hits, change), change, attributes), change)
    left = without_launched(without_failing_cases(left, change), change)
    return without_halves(without_sketches(left, change), change)


DETECTORS = (comment_directives, attributes, doc_tests, exits.exits, aware.asks)
REVISE = revised
