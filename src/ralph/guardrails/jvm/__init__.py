"""Java and Kotlin (policy set v2, classes G01, G02, G03, G11): what is looked for, and what makes it worth looking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails import directives
from ralph.guardrails.common.failures import exits
from ralph.guardrails.common.product import aware
from ralph.guardrails.common.stubbed import swallowed
from ralph.guardrails.directives import directive
from ralph.guardrails.inventory.arriving import without_new_tests
from ralph.guardrails.jvm.annotations import annotation_hits
from ralph.guardrails.jvm.assumed import respelled
from ralph.guardrails.jvm.calls import assumptions, kotest, unicode_escapes
from ralph.guardrails.jvm.platforms import on_each_platform
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.source import Source

TABLE = (
    *directives.COMMON,
    directive("jvm.nopmd", "NOPMD", r"NOPMD", beside_code=True),
    directive("jvm.cpd-off", "CPD-OFF", r"CPD-OFF", end=r"CPD-ON"),
    directive(
        "jvm.checkstyle-off",
        "CHECKSTYLE:OFF",
        r"\b(?:CHECKSTYLE[:.\s_-]*OFF|CSOFF)\b(?::[ ]*(?P<codes>\w+))?",
        end=r"\b(?:CHECKSTYLE[:.\s_-]*ON|CSON)\b(?::[ ]*(?P<codes>\w+))?",
    ),
    directive(
        "jvm.checkstyle-off",
        "CHECKSTYLE",
        r"\b(?:SUPPRESS CHECKSTYLE|CHECKSTYLE:?[ ]*(?:SUPPRESS|IGNORE|DISABLE))\b(?::?[ ]*(?P<codes>\w+))?",
    ),
    directive(
        "jvm.checkstyle-off",
        "checkstyle:off",
        r"\bcheckstyle[:-](?:off|disable)\b",
        end=r"\bcheckstyle[:-](?:on|enable)\b",
    ),
    directive(
        "jvm.ktlint-disable",
        "ktlint-disable",
        directives.START + r"ktlint-disable\b(?P<codes>[ \t]+[\w:.-]+(?:[ ,]+[\w:.-]+)*)?",
        end=directives.START + r"ktlint-enable\b(?P<codes>[ \t]+[\w:.-]+(?:[ ,]+[\w:.-]+)*)?",
        region_alone=True,
    ),
)
WORDS = (
    r"nopmd|cpd-o|checkstyle|cso(?:ff|n)|ktlint",
    r"\b(?:suppress\w*|ignore[ds]?|disabled\w*|enabled\w*)\b",
    r"generated\b|excludefrom|nocoverage",
    r"\bassum|\babort\b|skipexception|testaborted|assumptionviolated",
    r"\bx(?:test|it|describe|context|should|expect|feature|scenario|given|when|then)\b",
    r"\bf(?:test|it|describe|context|should|expect|feature|scenario|given|when|then)\b",
    r"\"(?:!|f:)",
    r"^\s*\"[\w.:-]+\"[\s,})]*$",
    r"\\u+00[0-7]",
    r"os\.name|os_name|\bOS\.|SystemUtils",
    *directives.COMMON_WORDS,
    *exits.WORDS,
    *aware.WORDS,
    *swallowed.WORDS,
)


def comment_directives(source: Source) -> Iterator[Hit]:
    yield from directives.suppressions(source, TABLE, ("//", "/*"))


DETECTORS = (
    comment_directives,
    annotation_hits,
    assumptions,
    kotest,
    unicode_escapes,
    exits.exits,
    aware.asks,
    swallowed.swallowed,
)


def revised(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    left = list(on_each_platform(list(respelled(list(swallowed.revised(hits, change)), change)), change))
    yield from without_new_tests(left, change)


REVISE = revised
