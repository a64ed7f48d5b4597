"""What bundlers are told about types and lint: a build that no longer looks at errors, or no longer fails for them.

The options stand in calls of plugins and in rules for files, at any depth; each is known by its own name. To compile
file by file takes nothing away where a plugin of its own checks types. A plugin that checks must stay.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.config.lattice import flag, no_less, no_more
from ralph.guardrails.config.node import SPREAD, Key, Node, Opaque, Settings
from ralph.guardrails.config.rows import Row
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.suffixes import JS
from ralph.guardrails.config.tool import Tool
from ralph.guardrails.config.tools.web import SCRIPTS, modules
from ralph.system.patterns import later

ERRORS = "cfg.next.errors-ignored"
SKIPPING = ("transpileOnly", "happyPackMode", "noCheck")
FAILING = ("abortOnError", "failOnError", "emitError", "enableBuild", "lintOnSave")
"""These are on as they come; these are not:"""
ASKED = ("noEmitOnError", "failOnWarning")
CODES = "ignoreDiagnostics"
KNOWN = frozenset((*SKIPPING, *FAILING, *ASKED, CODES))
CHECKER = later(r"(?:^|\bnew |\.{3})(ForkTsChecker\w*|checker|ESLint\w*Plugin|StyleLint\w*Plugin|StylelintPlugin)\(")
NAMES = ("webpack.config", "vite.config", "rollup.config", "rspack.config", "rsbuild.config", "vue.config")
MAX_DEPTH = 10


def _said(_side: Side, _directory: str, settings: dict[Key, Node]) -> Settings:
    """The options that count by their names, and the plugins that check."""
    found: dict[Key, Node] = {}
    checkers: list[Node] = []
    for key, node in settings.items():
        for name, value in _leaves(key[-1] if key else "", node, 0):
            if name in KNOWN:
                found[("said", name)] = value
            text = value.value.text if isinstance(value.value, Opaque) else ""
            if (called := CHECKER.search(name) or CHECKER.search(text)) is not None:
                checkers.append(value.with_value(called[1]))
    if checkers:
        found.pop(("said", "transpileOnly"), None)
        found[("checkers",)] = checkers[0].with_value(list(checkers))
    return found


def _leaves(name: str, node: Node, depth: int) -> Iterator[tuple[str, Node]]:
    if depth < MAX_DEPTH:
        for key, value in node.mapping.items():
            if key.startswith(SPREAD):
                yield key, value
            yield from _leaves(key, value, depth + 1)
        for each in node.value if isinstance(node.value, list) and name != CODES else ():
            yield from _leaves("", each, depth + 1)
    if not node.mapping and (not isinstance(node.value, list) or name == CODES):
        yield name, node


BUNDLERS: tuple[Tool, ...] = tuple(
    Tool(
        name=f"{name.partition('.')[0]}'s checks",
        places=modules(name),
        rows=(
            *(Row(f"said.{option}", flag(good=False), ERRORS) for option in SKIPPING),
            *(Row(f"said.{option}", flag(good=True, default=True), ERRORS) for option in FAILING),
            *(Row(f"said.{option}", flag(good=True), ERRORS) for option in ASKED),
            Row(f"said.{CODES}", no_more(), ERRORS),
            Row("checkers", no_less(), ERRORS),
        ),
        suffixes=JS,
        refine=_said,
        watches=SCRIPTS,
    )
    for name in NAMES
)
