"""Every rule says when it is legitimate, and its examples are true: the bad one is found, the good one is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.errors import ConfigError
from ralph.guardrails.scan import scan
from ralph.policy import handbook, registry
from ralph.policy.examples import read_example
from tests.policy.changes import change_of

V2 = registry.load("v2")
FAMILIES = sorted({rule.partition(".")[0] for rule in V2.rules})


@pytest.mark.parametrize("family", FAMILIES)
def test_every_rule_has_an_entry_and_every_entry_a_rule(family: str) -> None:
    rules = {rule for rule in V2.rules if rule.startswith(f"{family}.")}
    assert set(handbook.family(family)) == rules, "write the rule's entry in policy/handbook"
    for rule in rules:
        told, entry = V2.rules[rule], handbook.entry(rule)
        assert entry is not None
        assert all(text.strip() for text in (told.class_, told.reason, told.fix, entry.legitimate)), rule


@pytest.mark.parametrize("rule", sorted(V2.rules))
def test_the_bad_example_is_found_and_the_good_one_is_not(rule: str) -> None:
    entry = handbook.entry(rule)
    assert entry is not None
    bad, good = (scan(change_of(example), V2) for example in entry.examples)
    assert rule in {finding.rule for finding in bad}, entry.bad
    assert V2.rules[rule].severity == next(finding.severity for finding in bad if finding.rule == rule)
    assert not [finding for finding in good if finding.rule == rule or finding.severity == "block"], entry.good


def test_every_class_of_a_change_has_an_example_that_blocks() -> None:
    blocking = {rule.class_ for rule in V2.rules.values() if rule.severity == "block"}
    assert blocking >= {f"G{number:02}" for number in range(1, 20)}


def test_an_example_is_read_as_it_is_written() -> None:
    example = read_example("=== a b.py\n one\n-two\n+two  \n\n+\n=== l (symlink)\n+a b.py\n=== gone.py\n-x\n")
    assert example.before == {"a b.py": "one\ntwo\n\n", "gone.py": "x\n"}
    assert example.after == {"a b.py": "one\ntwo  \n\n\n", "l": "a b.py\n"}
    assert example.kinds == {"l": "symlink"}


@pytest.mark.parametrize("text", ["", "x", "=== a\nno mark", " before a header\n=== a\n+x", "=== a\n same\n"])
def test_what_is_no_example_is_refused(text: str) -> None:
    with pytest.raises(ConfigError):
        read_example(text)


@given(st.text(alphabet="= +-()ab\n\t"))
def test_any_text_is_an_example_or_refused(text: str) -> None:
    try:
        example = read_example(text)
    except ConfigError:
        return
    assert example.before != example.after


def test_rules_of_no_handbook_have_no_entry() -> None:
    assert handbook.entry("v1.python.noqa") is None
    assert handbook.entry("../v2.x") is None
