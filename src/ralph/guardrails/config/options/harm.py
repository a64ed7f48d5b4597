"""The ways in which an option makes a check do less, as short words for the tables of options (see `narrowing`)."""

from __future__ import annotations

from ralph.guardrails.config.filters import at_most_few, chosen, filtered, no_more_tests
from ralph.guardrails.config.lattice import absent, no_more, no_more_paths
from ralph.guardrails.config.options.model import Option, switch

FILTERED, EXCLUDED, NOT_RUN = "cfg.test.filtered", "cfg.test.excluded", "cfg.test.not-run"
COLLECTION, NONE_ACCEPTED = "cfg.test.collection", "cfg.test.none-accepted"
IGNORED, RETRIES = "cfg.check.failures-ignored", "cfg.test.retries"
SNAPSHOTS, PARTLY = "cfg.test.snapshots-rewritten", "cfg.test.partly"
WEAKER = "cfg.test.weaker-run"


def only(names: str) -> Option:
    return Option(names, filtered(), FILTERED)


def without(names: str) -> Option:
    return Option(names, no_more_tests(), EXCLUDED)


def choice(names: str) -> Option:
    return Option(names, chosen(), FILTERED, minor=PARTLY)


def bad(names: str, rule: str) -> Option:
    """A switch that does harm."""
    return switch(names, rule, good=False)


def again(names: str, few: int) -> Option:
    return Option(names, at_most_few(few), RETRIES, minor="cfg.test.retries-few")


def some(names: str) -> Option:
    """A choice of tests that only running could tell, or that other runs may complete."""
    return Option(names, absent(), PARTLY)


def rules_off(names: str) -> Option:
    """Names of rules, of findings or of what is looked at that are left out."""
    return Option(names, no_more(), IGNORED)


def paths_off(names: str) -> Option:
    return Option(names, no_more_paths(), IGNORED)


def strict(names: str) -> Option:
    """A switch without which less fails."""
    return switch(names, IGNORED, good=True)
