"""Which tests mocha and AVA collect, and how they judge them."""

from __future__ import annotations

import re

from ralph.guardrails.config.filters import at_most_few, filtered, no_fewer_tests, no_more_tests
from ralph.guardrails.config.lattice import flag
from ralph.guardrails.config.lists import patience
from ralph.guardrails.config.node import Node
from ralph.guardrails.config.rows import Row
from ralph.guardrails.config.suffixes import JS
from ralph.guardrails.config.tool import Place, Tool
from ralph.guardrails.config.tools.web import SCRIPTS, exported, modules

FILTERED, EXCLUDED, COLLECTION = "cfg.test.filtered", "cfg.test.excluded", "cfg.test.collection"
NONE_ACCEPTED, IGNORED, NOT_RUN = "cfg.test.none-accepted", "cfg.check.failures-ignored", "cfg.test.not-run"
RETRIES, FEW, ONLY = "cfg.test.retries", "cfg.test.retries-few", "cfg.test.allow-only"
SNAPSHOTS, WEAKER = "cfg.test.snapshots-rewritten", "cfg.test.weaker-run"
LETTERS = {"g": "grep", "f": "fgrep", "i": "invert", "t": "timeout"}


def _dashed(node: Node) -> Node:
    """mocha reads `forbidOnly` and `forbid-only` alike, and the letters of its options."""
    return node.with_value(
        {
            LETTERS.get(key) or re.sub(r"[A-Z]", lambda found: f"-{found[0].lower()}", key): value
            for key, value in exported(node).mapping.items()
        }
    )


MOCHA = Tool(
    name="mocha",
    places=(
        *(Place(f".mocharc{end}", shape=_dashed) for end in ("", ".json", ".jsonc", ".yml", ".yaml", *SCRIPTS)),
        Place("package.json", ("mocha",), shape=_dashed),
    ),
    rows=(
        Row("spec", no_fewer_tests(("./test/*",)), COLLECTION),
        Row("ignore", no_more_tests(), EXCLUDED),
        Row("exclude", no_more_tests(), EXCLUDED),
        Row("grep", filtered(), FILTERED),
        Row("fgrep", filtered(), FILTERED),
        Row("invert", flag(good=False), FILTERED),
        Row("retries", at_most_few(0), RETRIES, FEW),
        Row("timeout", patience(), WEAKER),
        Row("forbid-only", flag(good=True), ONLY),
        Row("forbid-pending", flag(good=True), IGNORED),
        Row("fail-zero", flag(good=True), NONE_ACCEPTED),
        Row("dry-run", flag(good=False), NOT_RUN),
        Row("pass-on-failing-test-suite", flag(good=False), IGNORED),
        Row("allow-uncaught", flag(good=False), WEAKER),
        Row("exit", flag(good=False), WEAKER),
    ),
    suffixes=JS,
    relative=True,
    watches=SCRIPTS,
)
AVA = Tool(
    name="ava",
    places=(*modules("ava.config"), Place("package.json", ("ava",))),
    rows=(
        Row("files", no_fewer_tests(), COLLECTION),
        Row("match", filtered(), FILTERED),
        Row("updateSnapshots", flag(good=False), SNAPSHOTS),
        Row("failWithoutAssertions", flag(good=True, default=True), NONE_ACCEPTED),
    ),
    suffixes=JS,
    relative=True,
    watches=SCRIPTS,
)
