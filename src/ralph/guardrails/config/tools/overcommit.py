"""Overcommit: hooks of git that are switched off, warn where they failed, or look at fewer files."""

from __future__ import annotations

from ralph.guardrails.config.lattice import flag, no_more_paths, ranked
from ralph.guardrails.config.options.harm import IGNORED
from ralph.guardrails.config.rows import Row
from ralph.guardrails.config.tool import Place, Tool

HOOKS = ("PreCommit", "PrePush", "CommitMsg", "PreRebase")

OVERCOMMIT = Tool(
    name="overcommit",
    places=(Place(".overcommit.yml"),),
    rows=(
        *(Row(f"{hook}.*.enabled", flag(good=True, default=False), "check.switched-off") for hook in HOOKS),
        *(Row(f"{hook}.*.on_fail", ranked("ignore=pass warn fail", "fail"), IGNORED) for hook in HOOKS),
        *(Row(f"{hook}.*.on_warn", ranked("ignore=pass warn fail", "warn"), IGNORED) for hook in HOOKS),
        *(Row(f"{hook}.*.exclude", no_more_paths(), "check.narrowed") for hook in HOOKS),
    ),
    suffixes=(),
    needs_config=True,
)
