"""How a control ends: only what was measured and is good has no prefix."""

from __future__ import annotations

from ralph.controls.findings import broken, held, idle, unsure


def test_what_was_not_measured_says_so() -> None:
    assert unsure("canary", "no copy").reason == "could not verify: no copy"
    assert idle("canary", "no test").reason == "does not apply: no test"
    assert {each.status for each in (unsure("a", "b"), idle("a", "b"))} == {"open", "idle"}
    assert [held("a").reason, broken("a", "b").reason] == [None, "b"]
