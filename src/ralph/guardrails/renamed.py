"""Suppressions of rules and linters that have another name now (policy set v2, class G01).

Rule: a comment that silences rules answers for one in its place that silences as many at most, each of them the same
or what took its work over: a rule that a plugin took over from ESLint or from another plugin, or a renamed one; a
linter that golangci-lint renamed, gave up or merged with another. Where the project changed its linter, the comment is
one of the new linter's (`TRANSLATED`), and its rules are what that one calls the old ones.
"""

from __future__ import annotations

from ralph.guardrails.model import Hit

OF_ESLINT = frozenset(
    {"js.eslint-disable", "js.eslint-disable-line", "js.eslint-inline-config", "js.suppression-unclosed"}
)
OF_GO = frozenset({"go.nolint", "go.nolint-unexplained"})
_OF_LINES = ("js.eslint-disable-line", "js.eslint-disable", "js.tslint-disable-line", "js.tslint-disable")
_OF_REGIONS = ("js.eslint-disable", "js.tslint-disable")
TRANSLATED = {
    "js.biome-ignore": _OF_LINES,
    "js.biome-ignore-file": _OF_REGIONS,
    "js.oxlint-disable-line": _OF_LINES,
    "js.oxlint-disable": _OF_REGIONS,
    "js.deno-lint-ignore": _OF_LINES,
    "js.eslint-disable-line": ("js.tslint-disable-line", "js.tslint-disable"),
    "js.eslint-disable": ("js.tslint-disable",),
}
"""By rules about comments of one linter: those about comments of others that they may stand for, never a wider one."""


def is_renamed(new: Hit, old: Hit) -> bool:
    if old.rule in TRANSLATED.get(new.rule, ()) and new.scope and old.scope:
        return len(new.scope) <= len(old.scope) and all(_translates(name, old.scope) for name in new.scope)
    if new.rule not in OF_ESLINT | OF_GO or new.rule != old.rule or not new.scope or not old.scope:
        return False
    return len(new.scope) <= len(old.scope) and silences_no_more(new.scope, old.scope, new.rule)


def silences_no_more(new: frozenset[str], old: frozenset[str], rule: str) -> bool:
    return all(name in old or any(_succeeds(was, name, rule) for was in old - new) for name in new)


def _translates(name: str, scope: frozenset[str]) -> bool:
    from ralph.guardrails.config.tools.biome_rules import COUNTERPARTS  # most changes have no such comment
    from ralph.guardrails.config.tools.eslint_successors import bare

    its_own = name.rpartition("/")[2]
    others = {bare(was) or was for was in scope}
    return its_own in others or (
        name.startswith("lint/") and any(COUNTERPARTS.get(was, ("",))[0] == its_own for was in others)
    )


def _succeeds(was: str, name: str, rule: str) -> bool:
    if rule not in OF_GO:
        from ralph.guardrails.config.tools.eslint_successors import succeeds

        return succeeds(was, name)
    from ralph.guardrails.config.tools.golangci import heirs  # most changes have no such comment

    return name in heirs(was)
