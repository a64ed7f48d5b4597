"""What holds for every payload: nothing raises, nothing added makes a refusal an acceptance, hostile text is cheap."""

from __future__ import annotations

import json
import time
import unicodedata

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from ralph.events.gates import BUILTIN, decide
from ralph.events.model import CheckState, GateDecision, Outcome
from ralph.system.text import visible

TOPICS = st.sampled_from(sorted(BUILTIN))
NAMES = sorted({name for gate in BUILTIN.values() for check in gate.checks for name in (check.name, *check.aliases)})
VALUES = st.sampled_from(
    ["pass", "fail", "passed", "pass (3)", "(pass)", "7", "85%", "1,000", "-5", "", "ok", "no regression", "warn (65%)"]
) | st.text(max_size=8)
PAIR = st.builds(
    "{}{}{}".format, st.sampled_from([*NAMES, "Tests", "note"]), st.sampled_from([": ", ":", " : "]), VALUES
)
PART = (
    PAIR
    | st.text(max_size=12)
    | st.sampled_from(["\x1b[0m", "\x1b]0;x", "(", ")", "{", "}", "- ", "**", "\r", "\ufeff"])
)
TEXT = st.lists(PART, max_size=12).flatmap(
    lambda parts: st.lists(st.sampled_from(["\n", ", ", ",", " ", ""]), min_size=len(parts), max_size=len(parts)).map(
        lambda ends: "".join(part + end for part, end in zip(parts, ends, strict=True))
    )
)
JSON = st.dictionaries(
    st.sampled_from([*NAMES, "Tests", "note"]),
    st.sampled_from(["pass", "fail", "passed"])
    | st.booleans()
    | st.none()
    | st.integers()
    | st.floats()
    | st.text(max_size=5),
).map(json.dumps)
PAYLOAD = TEXT | JSON | st.text()
REST = {
    "build.done": "tests: pass\nlint: pass\ntypecheck: pass\naudit: pass\ncoverage: pass\ncomplexity: 5\n"
    "duplication: pass",
    "review.done": "tests: pass\nbuild: pass",
    "verify.passed": "quality.tests: pass\nquality.lint: pass\nquality.audit: pass\nquality.coverage: 85\n"
    "quality.mutation: 75\nquality.complexity: 6",
}


@given(TOPICS | st.text(max_size=10), PAYLOAD, st.none() | st.floats(0, 100))
def test_no_payload_raises_and_every_decision_is_consistent(topic: str, payload: str, threshold: float | None) -> None:
    decision = decide(topic, payload, warn_mutation_below=threshold)
    gate = BUILTIN.get(topic)
    if gate is None:
        assert decision.outcome is Outcome.UNGATED
        return
    assert list(decision.checks) == [check.name for check in gate.checks]
    assert decision.publishes == (topic if decision.outcome is Outcome.ACCEPTED else gate.refusal)
    assert (decision.outcome is Outcome.ACCEPTED) == (not decision.failed)
    assert list(decision.failed) == sorted(decision.failed)
    assert all(decision.checks[name].state is not CheckState.PASS for name in decision.failed)
    assert visible(decision.message, keep="\n") == decision.message


def plain(line: str) -> bool:
    return not any(unicodedata.category(character) == "Cc" for character in line)


def absent(decision: GateDecision) -> set[str]:
    return {name for name, reading in decision.checks.items() if reading.state is CheckState.ABSENT}


@given(TOPICS, PAYLOAD, st.lists((PART | st.sampled_from(REST["build.done"].split("\n"))).filter(plain)))
@example("review.done", '{"tests": "fail"}', ["tests: pass", "build: pass"])
@example("review.done", '{"tests": true, "build": "pass"}', ["tests: pass", "build: pass"])
@example("review.done", "tests: fail (", ["tests: pass", "build: pass)"])
@example("review.done", "tests: pass\x1b]0;", ["\\", "tests: pass", "build: pass"])
def test_further_lines_never_repair_a_refused_claim(topic: str, payload: str, lines: list[str]) -> None:
    """They may add what is absent; whatever was named and not good keeps the claim refused."""
    before = decide(topic, payload)
    assume(before.outcome is not Outcome.ACCEPTED)
    for added in (lines, [*lines, REST[topic]]):
        after = decide(topic, "\n".join([payload, *added]))
        if after.outcome is Outcome.ACCEPTED:
            assert set(before.failed) <= absent(before)


HUGE = 100_000
HOSTILE = {
    "sequence introducers": "\x1b[" * (HUGE // 2),
    "an endless sequence": "\x1b[" + "0" * HUGE,
    "an endless title": "\x1b]" + "a" * HUGE,
    "titles in titles": "\x1b]a" * (HUGE // 3),
    "eight-bit introducers": "\x9b" * HUGE,
    "open parentheses": "tests: pass " + "(" * HUGE,
    "nested parentheses": "tests: pass " + "(" * (HUGE // 2) + ")" * (HUGE // 2),
    "notes": "tests: pass, " + "()" * (HUGE // 2),
    "notes and commas": "complexity: 5" + " (),1" * (HUGE // 5),
    "commas": "," * HUGE,
    "digits and commas": "complexity: " + "1," * (HUGE // 2),
    "digits": "complexity: 0." + "0" * HUGE,
    "numbers": "complexity: " + "5 " * (HUGE // 2),
    "blanks": "complexity: " + " " * HUGE + "x",
    "lines": ":\r" * (HUGE // 2),
    "keys": "tests: pass\n" * (HUGE // 12),
    "names in a dress": "|" + " " * HUGE + "tests",
    "pipes": ("|" + " " * 99) * (HUGE // 100),
    "objects in objects": '{"a":' * (HUGE // 5),
    "lists in lists": '{"a":' + "[" * HUGE,
    "a long number of JSON": '{"complexity":' + "9" * HUGE + "}",
    "a long fraction of JSON": '{"complexity":0.' + "9" * HUGE + "}",
    "a large exponent of JSON": '{"complexity":1.00000000000000000e' + "9" * 50 + "}",
    "repeated keys of JSON": "{" + ",".join(['"tests":"pass"'] * (HUGE // 15)) + "}",
    "lone surrogates": "tests: \ud800" * (HUGE // 8),
    "what casefolds to more": "ß" * HUGE + ": pass",
    "control characters": "tests: pass" + "\0" * HUGE,
}


@pytest.mark.parametrize("payload", HOSTILE.values(), ids=HOSTILE)
def test_hostile_payloads_are_refused_in_linear_time(payload: str) -> None:
    began = time.process_time()
    decisions = [decide(topic, payload) for topic in BUILTIN]
    assert time.process_time() - began < 1.5  # a tenth of that on an idle core; quadratic reading takes minutes
    assert all(decision.outcome is not Outcome.ACCEPTED and len(decision.message) < 5000 for decision in decisions)
