"""Linters and type checkers that take another one's place: does the new one ask for what the old one asked for?

1. A rule of ESLint is kept if Biome or oxlint has its own of the same work on, in the same folder or above, no more
   mildly; a preset, if their recommended rules are on. A rule without a counterpart is lost.
2. mypy's strictness is kept by pyright's strict mode, where mypy is no longer configured.
3. Only a tool that a command of the head runs takes anything's place.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.config.command_files.scripts import command_files
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.rows import Loss
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tools.biome_rules import COUNTERPARTS
from ralph.guardrails.config.tools.eslint_recommended import RECOMMENDED
from ralph.guardrails.config.tools.eslint_successors import bare
from ralph.system.patterns import later

BIOME = tuple(f"{dot}biome.{end}" for dot in ("", ".") for end in ("json", "jsonc"))
OXLINT = (".oxlintrc.json", ".oxlintrc.jsonc")
PYRIGHT = ("pyrightconfig.json", "pyproject.toml")
RUNS_BIOME, RUNS_OXLINT = later(r"\bbiome['\",\s]+(?:ci|check|lint)\b"), later(r"\boxlint\b(?!rc)")
MYPY = later(r"(?m)^\[(?:tool\.)?mypy\b")
RUNS_PYRIGHT = later(r"\b(?:based)?pyright\b")
STRICT_ABOUT_WARNINGS = later(r"--error-on-warnings|--deny-warnings|--max-warnings[ =]0")
LEVELS = {
    **dict.fromkeys(("error", "on", "deny", "2", "true"), 2),
    **dict.fromkeys(("warn", "1"), 1),
}


def heir_of_eslint(side: Side, loss: Loss) -> str:
    if loss.rule not in ("cfg.eslint.rule-removed", "cfg.eslint.preset-removed") or loss.old is None:
        return ""
    wanted = _wanted(loss.old) if loss.rule == "cfg.eslint.rule-removed" else 1
    folder = posixpath.dirname(loss.old.path)
    for name, files, runs, level in (("Biome", BIOME, RUNS_BIOME, _biome), ("oxlint", OXLINT, RUNS_OXLINT, _oxlint)):
        found = next(_above(side, folder, files), None)
        calls = _calls(side, runs) if found else []
        if found is None or not calls:
            continue
        now = level(found, None if loss.rule == "cfg.eslint.preset-removed" else loss.key)
        if now == 1 and all(STRICT_ABOUT_WARNINGS.search(call) for call in calls):
            now = 2
        if now >= wanted:
            return name
    return ""


def heir_of_mypy(side: Side, loss: Loss) -> str:
    if loss.rule not in ("cfg.mypy.strict-off", "cfg.mypy.check-off") or loss.old is None:
        return ""
    if MYPY.search(side.text(loss.old.path) or ""):
        return ""
    for found in _above(side, posixpath.dirname(loss.old.path), PYRIGHT):
        tool = found.at("tool") or found.with_value({"pyright": found})
        part = tool.at("pyright") or tool.at("basedpyright")
        mode = part.at("typeCheckingMode") if part else None
        if mode and canonical(mode) in ("strict", "all", "recommended") and _calls(side, RUNS_PYRIGHT):
            return "pyright"
    return ""


def _wanted(rule: Node) -> int:
    first = rule.items[0] if isinstance(rule.value, list) and rule.value else rule
    return LEVELS.get(canonical(first), 2)


def _above(side: Side, folder: str, files: tuple[str, ...]) -> Iterator[Node]:
    """The configurations of these names, nearest first."""
    while True:
        for name in files:
            node = side.node(posixpath.join(folder, name))
            if node is not None:
                yield node
        if not folder:
            return
        folder = posixpath.dirname(folder)


def _calls(side: Side, runs: re.Pattern[str]) -> list[str]:
    """The lines of the tree that call a program."""
    texts = (side.text(path) or "" for path in command_files(side))
    return [line for text in texts if runs.search(text) for line in text.split("\n") if runs.search(line)]


def _biome(node: Node, rule: str | None) -> int:
    """How severe Biome is about a rule of ESLint's; about its presets without one."""
    linter = node.at("linter") or node.with_value({})
    enabled, rules = linter.at("enabled"), linter.at("rules") or node.with_value({})
    if enabled is not None and canonical(enabled) == "false":
        return 0
    usual = _is_on(rules, "recommended", usual=True)
    if rule is None:
        return 2 if usual or _is_on(rules, "all", usual=False) else 0
    name, recommended = COUNTERPARTS.get(bare(rule) or rule, ("", False))
    for group in rules.mapping.values():
        said = group.at(name) if name else None
        if said is not None:
            return LEVELS.get(canonical(said.at("level") or said), 0)
    return 2 if name and (_is_on(rules, "all", usual=False) or (usual and recommended)) else 0


def _is_on(rules: Node, name: str, *, usual: bool) -> bool:
    said = rules.at(name)
    return usual if said is None else canonical(said) == "true"


def _oxlint(node: Node, rule: str | None) -> int:
    """oxlint's rules go by ESLint's names; of those that are not said, the correct ones only warn."""
    category = node.at("categories", "correctness")
    usual = LEVELS.get(canonical(category), 0) if category else 1
    if rule is None:
        return usual
    rules = node.at("rules")
    for name, said in rules.mapping.items() if rules else ():
        if name == rule or (bare(name) == bare(rule) and bare(rule) is not None):
            return LEVELS.get(canonical(said.items[0] if isinstance(said.value, list) else said), 0)
    return usual if (bare(rule) or rule) in RECOMMENDED else 0
