"""Plugins of pytest by which it finds tests: without one of them, the tests of its kind are not run (class G09)."""

from __future__ import annotations

from ralph.guardrails.config.options.harm import FILTERED, WEAKER
from ralph.guardrails.config.patterns import is_test
from ralph.guardrails.config.rows import Loss
from ralph.guardrails.config.side import Side
from ralph.record import replace
from ralph.system.patterns import later

OFF = "pytest --p"
TESTS = {
    "unittest": later(rb"(?m)^class \w+\([^)\n]*\b\w*TestCase\b"),
    "python": later(rb"(?m)^(?:async )?def test|^class Test"),
    "doctest": later(rb"(?m)^\s*>>> "),
}
"""By plugin, what a file holds that it finds."""


def weighed(loss: Loss, after: Side) -> Loss:
    """The loss of a plugin that finds tests of the tree is one of these tests."""
    if loss.rule != WEAKER or loss.key != OFF:
        return loss
    held = TESTS.get(loss.text.rpartition(" no:")[2].strip())
    if held is None or not any(held.search(after.bytes(path) or b"") for path in sorted(after.paths) if is_test(path)):
        return loss
    return replace(loss, rule=FILTERED)
