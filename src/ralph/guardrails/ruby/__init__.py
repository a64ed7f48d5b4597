"""Ruby (policy set v2, classes G01, G02, G03, G11): what is looked for, and what makes it worth looking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails import directives
from ralph.guardrails.common.failures import exits
from ralph.guardrails.common.product import aware
from ralph.guardrails.common.stubbed import swallowed
from ralph.guardrails.directives import START, directive, label
from ralph.guardrails.inventory.arriving import NEW, without_new_tests
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.ruby import conditional, filters, sorbet
from ralph.guardrails.ruby.context import name_of
from ralph.guardrails.ruby.examples import assigned_metadata, examples, skip_exceptions
from ralph.guardrails.ruby.statements import statements
from ralph.guardrails.source import Source
from ralph.record import replace
from ralph.system.patterns import later

CODES = r"(?P<codes>[A-Za-z]\w*(?:/\w+)*(?:[ \t]*,[ \t]*[A-Z]\w*(?:/\w+)*)*)"
COP = r"[ \t]*(?:rubocop|standard)[ \t]*:[ \t]*"
TABLE = (
    *directives.COMMON,
    directive(
        "ruby.rubocop-disable",
        "rubocop:disable",
        rf"#{COP}(?:disable|todo)(?!-)\b[ \t]*{CODES}?",
        end=rf"#{COP}enable\b[ \t]*{CODES}?",
        region_alone=True,
    ),
    directive(
        "ruby.rubocop-disable", "rubocop:disable-next", rf"#{COP}(?:disable|todo)-next(?:-line)?\b[ \t]*{CODES}?"
    ),
    directive("ruby.reek", "reek", START + r":reek:\w+"),
    directive("ruby.sorbet-ignore", "typed: ignore", r"\A#[ \t]*typed:[ \t]*ignore\b"),
    directive("ruby.sorbet-false", "typed: false", r"\A#[ \t]*typed:[ \t]*false\b"),
    directive(
        "ruby.steep-ignore", "steep:ignore", START + r"steep:ignore(?!:end)(?::start)?\b[ \t]*(?P<codes>\w+::\w+)?"
    ),
    directive(
        "ruby.lint-disable", "lint disable", START + r"(?:erb-?lint:disable|haml-lint:disable|slim-lint:disable)\b"
    ),
    directive(
        "ruby.simplecov-disable",
        "simplecov:disable",
        START + r"simplecov:disable\b",
        end=START + r"simplecov:enable\b",
        region_alone=True,
    ),
)
TOKEN = later(rb"\b(?:nocov|skip)_token\b")
WORDS = (
    r"rubocop|standard\s*:|:reek:|typed:|steep:|-?lint:disable",
    r"nocov|simplecov",
    r"\b(?:skip|pending|omit|pend|focus)\w*",
    r"\b[xf](?:it|specify|example|describe|context|feature|scenario)\b",
    r"^\s*(?:it|specify|example|scenario)[ (]",
    r"\b(?:if|unless):\s|:(?:if|unless)\s*=>",
    r"win_platform|ruby_platform|ruby_version|ruby_engine|host_os",
    *directives.COMMON_WORDS,
    *filters.WORDS,
    *conditional.WORDS,
    *exits.WORDS,
    *aware.WORDS,
    *swallowed.WORDS,
    r"\bT\.unsafe\b",
)


def comment_directives(source: Source) -> Iterator[Hit]:
    yield from directives.suppressions(source, TABLE, ("#",))


def nocov(source: Source) -> Iterator[Hit]:
    """`# :nocov:` switches coverage off and on again; one without a partner reaches to the end of the file.

    Another mark in its place makes any comment such a switch.
    """
    marks = [c for c in directives.comments(source, ("#",)) if c.alone and c.text.lstrip("# \t").startswith(":nocov:")]
    for comment in marks[::2]:
        yield source.hit("ruby.nocov", comment, label(":nocov:", None), None)
    if len(marks) % 2:
        yield source.hit("comment.unclosed", marks[-1], ":nocov:", None)
    for node in source.walk() if TOKEN.search(source.data) else ():
        if node.type == "call" and name_of(source, node) in ("nocov_token", "skip_token"):
            yield source.hit("ruby.nocov", node, source.text(node), None)


DETECTORS = (
    sorbet.unchecked,
    comment_directives,
    nocov,
    examples,
    statements,
    skip_exceptions,
    assigned_metadata,
    conditional.conditional,
    filters.filters,
    filters.settings,
    filters.around,
    exits.exits,
    aware.asks,
    swallowed.swallowed,
)


def revised(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    known = sorbet.revised(list(swallowed.revised(hits, change)), change)
    for hit in without_new_tests(list(known), change):
        yield replace(hit, rule=NEW) if conditional.revised(hit, change) else hit


REVISE = revised
