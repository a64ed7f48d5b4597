"""Checking that was on and is gone: a removed `@flow` or `// @ts-check` (spec: governance engine 1.4; class G01).

One side of a file cannot show this, so both are compared: the file is still there and its pragma is not.
`@flow strict` that becomes `@flow` is a loss, too. TypeScript is checked without being asked to.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.javascript.files import Side, Sides
from ralph.guardrails.javascript.suppressed.compiler import header, pragma_name
from ralph.guardrails.javascript.suppressed.notes import notes
from ralph.guardrails.model import Hit
from ralph.system.patterns import later

_MAY_ASK = later(rb"(?i)@flow|@ts-chec")
_FLOW = later(r"(?:^|[\s*])@flow(?:[ \t]+(strict-local|strict))?(?![\w-])")
_FLOW_STRENGTH = {None: 1, "strict-local": 2, "strict": 3}
CHECKED = frozenset({"typescript", "tsx"})
_RULES = {"ts-check": "js.ts-check-removed", "flow": "js.flow-removed"}


def removed(sides: Sides) -> Iterator[Hit]:
    """Hits without a line: what is gone stands nowhere in the head's file."""
    if all(source.language in CHECKED for source in sides.after.sources) or not any(
        _MAY_ASK.search(source.data) for source in sides.before.sources
    ):
        return
    old, new = _strengths(sides.before), _strengths(sides.after)
    for pragma, rule in _RULES.items():
        if new.get(pragma, 0) < old.get(pragma, 0):
            text = f"@{pragma} was here"
            yield Hit(rule=rule, path=sides.path, line=0, column=0, key=f"@{pragma} removed", snippet=text)


def _strengths(side: Side) -> dict[str, int]:
    found: dict[str, int] = {}
    for source in side.sources:
        for note in header(source, notes(source)):
            if pragma_name(note) in ("ts-check", "ts-nocheck"):
                found["ts-check"] = int(pragma_name(note) == "ts-check")
            if match := _FLOW.search(note.body):
                found["flow"] = max(found.get("flow", 0), _FLOW_STRENGTH[match[1]])
    return found
