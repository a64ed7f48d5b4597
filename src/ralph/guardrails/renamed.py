"""Suppressions of ESLint's rules that have another name now (policy set v2, class G01).

Rule: a comment that silences rules answers for one in its place that silences as many at most, each of them the same
or what took its work over: a rule that a plugin took over from ESLint or from another plugin, or a renamed one.
"""

from __future__ import annotations

from ralph.guardrails.config.tools.eslint_successors import succeeds
from ralph.guardrails.model import Hit

RULES = frozenset({"js.eslint-disable", "js.eslint-disable-line", "js.eslint-inline-config", "js.suppression-unclosed"})


def is_renamed(new: Hit, old: Hit) -> bool:
    if new.rule not in RULES or new.rule != old.rule or not new.scope or not old.scope:
        return False
    return len(new.scope) <= len(old.scope) and all(
        name in old.scope or any(succeeds(was, name) for was in old.scope - new.scope) for name in new.scope
    )
