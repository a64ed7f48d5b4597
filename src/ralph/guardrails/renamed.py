"""Suppressions of rules and linters that have another name now (policy set v2, class G01).

Rule: a comment that silences rules answers for one in its place that silences as many at most, each of them the same
or what took its work over: a rule that a plugin took over from ESLint or from another plugin, or a renamed one; a
linter that golangci-lint renamed, gave up or merged with another.
"""

from __future__ import annotations

from ralph.guardrails.config.tools.eslint_successors import succeeds
from ralph.guardrails.model import Hit

OF_ESLINT = frozenset(
    {"js.eslint-disable", "js.eslint-disable-line", "js.eslint-inline-config", "js.suppression-unclosed"}
)
OF_GO = frozenset({"go.nolint", "go.nolint-unexplained"})


def is_renamed(new: Hit, old: Hit) -> bool:
    if new.rule not in OF_ESLINT | OF_GO or new.rule != old.rule or not new.scope or not old.scope:
        return False
    return len(new.scope) <= len(old.scope) and silences_no_more(new.scope, old.scope, new.rule)


def silences_no_more(new: frozenset[str], old: frozenset[str], rule: str) -> bool:
    return all(name in old or any(_succeeds(was, name, rule) for was in old - new) for name in new)


def _succeeds(was: str, name: str, rule: str) -> bool:
    if rule not in OF_GO:
        return succeeds(was, name)
    from ralph.guardrails.config.tools.golangci import heirs  # most changes have no such comment

    return name in heirs(was)
