"""Severities that an analyzers' rule set had, and that `.editorconfig` or a global configuration says now (v2, G12).

Rule: that a rule of an analyzer is milder than usual takes nothing away where each project below the file's folder was
told of a rule set of the base, by itself or by what MSBuild imports for it, that had the rule as mild, or milder.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from ralph.guardrails.config.node import canonical
from ralph.guardrails.config.rows import Loss
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tools.dotnet_settings import rule_set
from ralph.system.patterns import later

RULE = "cfg.editorconfig.severity-lowered"
DIAGNOSTIC = later(r"(?i)(?:^|\.)dotnet_diagnostic\.(?P<id>\w+)\.severity$")
NAMED = later(r"<CodeAnalysisRuleSet(?:\s[^>]*)?>(?P<path>[^<]*)<")
PROJECTS = (".csproj", ".fsproj", ".vbproj")
SHARED = ("Directory.Build.props", "Directory.Build.targets")
RANKS = {
    **dict.fromkeys(("none",), 0),
    **dict.fromkeys(("silent", "hidden"), 1),
    **dict.fromkeys(("info", "suggestion", "default"), 2),
    **dict.fromkeys(("warn", "warning"), 3),
    **dict.fromkeys(("error",), 4),
}


def was_said_by_rule_set(loss: Loss, before: Side) -> bool:
    """Each project that the file is for was told so before."""
    if loss.rule != RULE or loss.node is None or loss.old is not None:
        return False
    found = DIAGNOSTIC.search(loss.key)
    now = RANKS.get(canonical(loss.node).lower())
    folder = posixpath.dirname(loss.node.path)
    below = f"{folder}/" if folder else ""
    projects = [path for path in before.paths if path.endswith(PROJECTS) and path.startswith(below)]
    if found is None or now is None or not projects:
        return False
    rule = found["id"].upper()
    return all(any(_had(name, rule, before, now) for name in _told(path, before)) for path in projects)


def _told(project: str, side: Side) -> Iterator[str]:
    """The rule set that holds for a project: its own word comes first, and then that of the nearest folder."""
    texts = [side.text(project) or ""]
    folder = posixpath.dirname(project)
    while True:
        texts += [side.text(posixpath.join(folder, name)) or "" for name in SHARED]
        if not folder:
            break
        folder = posixpath.dirname(folder)
    named = next((found["path"] for text in texts for found in NAMED.finditer(text)), None)
    if named is not None:
        name = named.replace("\\", "/").rpartition("/")[2].rpartition(")")[2].strip()
        yield from (path for path in side.by_name.get(name, ()) if name)


def _had(path: str, rule: str, side: Side, now: int) -> bool:
    node = side.node(path)
    rules = rule_set(node).at("rules") if node is not None else None
    actions = {name.upper(): action for name, action in rules.mapping.items()} if rules is not None else {}
    return rule in actions and RANKS.get(canonical(actions[rule]).lower(), 5) <= now
