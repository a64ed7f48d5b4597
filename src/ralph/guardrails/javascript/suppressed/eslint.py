"""ESLint's comments, read as ESLint reads them (spec: governance engine 1.4; class G01).

- A directive is the first word of a comment, in lower case, then white space or the end; ` -- ` opens a reason.
- `eslint-disable-line` and `eslint-disable-next-line` count in both kinds of comment, all others only in a plain
  block comment: `// eslint-disable` and `/** eslint-disable */` are prose. `eslint-disable-line` stands on one line.
- `/* eslint rule: 0 */` suppresses when it switches a rule off or to a warning; other settings change what a rule
  means and are shown. Declared globals hide undefined names and are shown.
- No rule named means every rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.javascript.suppressed.notes import Note, notes
from ralph.guardrails.model import Hit
from ralph.guardrails.source import Source
from ralph.system.patterns import later

_REASON = later(r"\s-{2,}\s")
_LABEL = later(r"([a-z]+(?:-[a-z]+)*)(?:\s|$)")
_SETTING = later(r"""["']?([@\w./-]+)["']?\s*:\s*(\[[^\]]*\]|"[^"]*"|'[^']*'|[\w-]+)""")
_GLOBALS = frozenset({"global", "globals", "exported", "eslint-env"})
_LINE_RULES = {"eslint-disable-line": "js.eslint-disable-line", "eslint-disable-next-line": "js.eslint-disable-line"}


def directives(source: Source) -> Iterator[Hit]:
    for note in notes(source):
        label, value = read_directive(note.body)
        if label in _LINE_RULES:
            if label == "eslint-disable-next-line" or note.comment.line == note.comment.end_line:
                yield _disabled(source, note, _LINE_RULES[label], label, value)
        elif note.kind == "line":
            continue
        elif label == "eslint-disable":
            yield _disabled(source, note, "js.eslint-disable", label, value)
        elif label == "eslint":
            yield from _settings(source, note, value)
        elif label in _GLOBALS:
            names = listed(value, r"[\s,]+")
            yield source.hit("js.eslint-globals", note.comment, f"{label} {' '.join(sorted(names))}", scope=names)


def read_directive(body: str) -> tuple[str, str]:
    """The first word of a comment and what follows, without the reason; the word is empty if it is no directive."""
    directive = _REASON.split(body, maxsplit=1)[0].strip()
    match = _LABEL.match(directive)
    return (match[1], directive[match.end() :].strip()) if match else ("", "")


def listed(value: str, separator: str = r"\s*,\s*") -> frozenset[str]:
    return frozenset(name.strip("\"' \t\r\n") for name in re.split(separator, value.strip())) - {""}


def _disabled(source: Source, note: Note, rule: str, label: str, value: str) -> Hit:
    rules = listed(value)
    return source.hit(rule, note.comment, f"{label} {', '.join(sorted(rules))}", scope=rules or None)


def _settings(source: Source, note: Note, value: str) -> Iterator[Hit]:
    """One hit for the rules that a comment switches off or down, one for those that it sets with options."""
    weakened, configured = set(), set()
    for name, setting in _SETTING.findall(value):
        severity = setting.strip("[]\"' \t\r\n").split(",")[0].strip("\"' \t\r\n")
        if severity in ("0", "1", "off", "warn"):
            weakened.add(name)
        elif setting.startswith("["):
            configured.add(name)
    if weakened:
        key = f"eslint off: {', '.join(sorted(weakened))}"
        yield source.hit("js.eslint-inline-config", note.comment, key, scope=frozenset(weakened))
    if configured:
        yield source.hit("js.eslint-inline-options", note.comment, f"eslint {value}", scope=frozenset(configured))
