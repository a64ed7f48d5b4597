"""flake8 gave way to ruff: does ruff look for what flake8's plugins looked for?

Rule: a family of codes that flake8 was to look for is kept where ruff's configuration, in the same folder or above,
selects all of it and ignores none of it, and something of the head runs ruff's linter. ruff has the codes of plugins.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from ralph.guardrails.config.lattice import words
from ralph.guardrails.config.moved.adopted import named
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.rows import Loss
from ralph.guardrails.config.side import Side
from ralph.guardrails.ruff_codes import RUFF_DEFAULT
from ralph.system.patterns import later

LOSES = "loses "
RUNS = later(r"\bid:\s*['\"]?ruff(?:-check)?['\"]?\s*(?:#.*)?$|\bruff['\",\s]+(?:check\b|\.|--|\$)|\bruff-action@")
"""Its linter, and not its formatter."""
FILES = ("ruff.toml", ".ruff.toml", "pyproject.toml")


def heir_of_flake8(side: Side, loss: Loss) -> str:
    if loss.rule != "cfg.flake8.select" or loss.old is None or not loss.text.startswith(LOSES):
        return ""
    found = next(_above(side, posixpath.dirname(loss.old.path)), None)
    if found is None or not any(RUNS.search(line) for _, line in named(side, ("ruff",))):
        return ""
    code, lint = loss.text.removeprefix(LOSES), found.at("lint") or found
    said = _codes(lint, "select")
    selected = [*(said if lint.at("select") is not None else RUFF_DEFAULT), *_codes(lint, "extend-select")]
    ignored = [*_codes(lint, "ignore"), *_codes(lint, "extend-ignore")]
    kept = any(wide == "ALL" or code.startswith(wide) for wide in selected)
    return "ruff" if kept and not any(one.startswith(code) or code.startswith(one) for one in ignored) else ""


def _codes(lint: Node, key: str) -> list[str]:
    return [canonical(item) for item in words(lint.at(key))]


def _above(side: Side, folder: str) -> Iterator[Node]:
    """ruff's configurations, the nearest first."""
    while True:
        for name in FILES:
            node = side.node(posixpath.join(folder, name))
            part = node.at("tool", "ruff") if node is not None and name == "pyproject.toml" else node
            if part is not None:
                yield part
        if not folder:
            return
        folder = posixpath.dirname(folder)
