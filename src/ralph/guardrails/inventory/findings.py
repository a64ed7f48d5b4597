"""Where a finding about tests stands, and what it names."""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.inventory.model import Check, Ghost, Test
from ralph.guardrails.model import Hit, hit_at
from ralph.guardrails.texts import cut

NAMED = 3
"""So many tests are named in a finding about several."""


def about_file(rule: str, path: str, names: Sequence[str]) -> Hit:
    """A finding about several tests of a file."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    detail = ", ".join(names[:NAMED]) + more
    return hit_at(rule, path, 0, detail, "")


def at(place: Test | Ghost, rule: str, key: str, detail: str, check: Check | None = None) -> Hit:
    """A finding at what is left of a test, or at one of its assertions."""
    line, column = (place.line, place.column) if check is None else (check.line, check.column)
    snippet = (check.snippet if check else "") or place.snippet
    return Hit(rule=rule, path=place.path, line=line, column=column, key=key, snippet=snippet, detail=detail)


def written(check: Check) -> str:
    """An assertion in short, for people."""
    slack = "" if check.slack is None else f" (± {check.slack:g})" if check.wanted else f" {abs(check.slack):g}"
    text = " ".join(part for part in (check.subject, check.relation, check.wanted) if part) + slack
    return text if len(text) <= 80 else cut(text, 77) + "..."
