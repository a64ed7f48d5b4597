"""Suppression comments of the other checkers (spec: governance engine 1.4; class G01).

Each form is anchored where its tool looks for it, in the letter case and the kind of comment that the tool honours:
Biome wants a category and a reason, oxlint and TSLint no doc comments, deno_lint only `//`. A form for a file or a
region is another rule than the form for a line, so that the first never passes for a narrowing of the second.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ralph.guardrails.javascript.suppressed.eslint import listed
from ralph.guardrails.javascript.suppressed.notes import notes, styled
from ralph.guardrails.model import Hit
from ralph.guardrails.prefilter import may_match
from ralph.guardrails.source import Source
from ralph.system.patterns import later


class Form(NamedTuple):
    """A way to write a suppression: `scope` of the pattern names what is silenced, without it everything is."""

    rule: str
    pattern: re.Pattern[str]
    kinds: tuple[str, ...] = ("line", "block")


def _form(rule: str, pattern: str, *kinds: str) -> Form:
    return Form(rule, later(pattern), kinds or ("line", "block"))


_NAMES = r"(?=\s|$)(?P<scope>(?:(?!\s--)[\s\S])*)"
_BIOME = r"\s+(?P<scope>(?:lint|assist|syntax)\b[^:\n]*):\s*\S"
_CODES = r"(?:\[(?P<scope>[^\]]*)\])?"

FORMS = (
    _form("js.biome-ignore", r"[\s*]*biome-ignore" + _BIOME),
    _form("js.biome-ignore-file", r"[\s*]*biome-ignore-(?:all|start)" + _BIOME),
    _form("js.oxlint-disable-line", r"\s*oxlint-disable-(?:next-)?line" + _NAMES),
    _form("js.oxlint-disable", r"\s*oxlint-disable" + _NAMES),
    _form("js.deno-lint-ignore", r"\s*deno-lint-ignore" + _NAMES, "line"),
    _form("js.deno-lint-ignore-file", r"\s*deno-lint-ignore-file" + _NAMES, "line"),
    _form("js.tslint-disable-line", r"\s*tslint:disable-(?:next-)?line(?=[:\s]|$):?(?P<scope>[^\n]*)"),
    _form("js.tslint-disable", r"\s*tslint:disable(?=[:\s]|$):?(?P<scope>[^\n]*)"),
    _form("js.stylelint-disable-line", r"\s*stylelint-disable-(?:next-)?line" + _NAMES),
    _form("js.stylelint-disable", r"\s*stylelint-disable" + _NAMES),
    _form("js.flow-suppression", r"[\s*]*\$Flow(?:FixMe|Issue|ExpectedError|Ignore)\b" + _CODES),
    _form("js.flow-suppression", r"[\s*]*@noflow\b"),
    _form("js.flow-suppression", r"\s*flowlint(?:-next-line|-line)?\s(?=[^\n]*:\s*off\b)(?P<scope>[^\n]*)"),
    _form("js.lint-suppression", r"\s*(?:jshint\s+(?:ignore:(?:start|line)|[^\n]*-[WE]\d{3})|jscs:disable\b)"),
    _form("js.lint-suppression", r"\s*(?:svelte-ignore|@vue-(?:ignore|expect-error|skip|nocheck))\b(?P<scope>[^\n]*)"),
    _form("js.lint-suppression", r"\s*type-coverage:ignore-(?:next-)?line\b"),
    _form("js.security-suppression", r"\s*skipcq\b(?::(?P<scope>[^\n]*))?"),
    _form("js.mutation-ignore", r"\s*Stryker\s+disable\b(?P<scope>[^:\n]*)"),
    _form("js.format-ignore", r"\s*(?:prettier|dprint|oxfmt|deno-fmt)-ignore(?:-start|-file)?\b"),
    _form("js.format-ignore", r"[\s*]*biome-ignore(?:-all|-start)?\s+format\b[^:\n]*:\s*\S"),
    _form("js.format-ignore", r"\s*(?:@formatter:off|clang-format\s+off)\b"),
    _form("js.editor-suppression", r"\s*(?:noinspection\s+\w|cspell:\s*(?:disable|ignore))"),
)


STYLES = frozenset({"js.stylelint-disable-line", "js.stylelint-disable"})
"""What counts in a template of styles, too."""


def directives(source: Source) -> Iterator[Hit]:
    forms = [form for form in FORMS if may_match(form.pattern, source.data)]
    for note in (*notes(source), *(within := styled(source))):
        for form in forms:
            reads = note.kind in form.kinds and (form.rule in STYLES or note not in within)
            match = form.pattern.match(note.body) if reads else None
            if match:
                scope = listed(match.groupdict().get("scope") or "", r"[\s,:]+")
                label = re.sub(r"\W+$", "", match[0][: match.start("scope")] if scope else match[0].strip())
                key = f"{label.strip(' *')} {' '.join(sorted(scope))}"
                yield source.hit(form.rule, note.comment, key, scope=scope or None)
                break
