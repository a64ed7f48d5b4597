"""The rules of reading a claim, one table each (design section 8)."""

from __future__ import annotations

import pytest

from ralph.events.claims import MAX_CHARACTERS, read
from ralph.events.model import Check, CheckState, Reading

TESTS = Check(name="tests", kind="pass")
SPECS = Check(name="specs", kind="pass", required=False)
SPEED = Check(name="performance", kind="performance", required=False, aliases=("perf",))
SIZE = Check(name="complexity", kind="number", at_most=10.0)
SHARE = Check(name="coverage", kind="percent", at_least=80.0)
MUTANTS = Check(name="mutants", kind="mutants", required=False)


def reading(payload: str, check: Check) -> Reading:
    return read(payload, (TESTS, SPECS, SPEED, SIZE, SHARE, MUTANTS))[check.name]


def state(payload: str, check: Check = TESTS) -> str:
    return reading(payload, check).state


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        ("\x1b[32mtests: pass\x1b[0m", "pass"),
        ("te\x1b[0msts: pa\x1b[1;31mss", "pass"),
        ("\x9b32mtests: pass\x9b0m", "pass"),
        ("\x1b]0;title\x07tests: pass", "pass"),
        ("\x1b]8;;https://a.b\x1b\\tests: pass\x1b]8;;\x1b\\", "pass"),
        ("\x9d0;title\x9ctests: pass", "pass"),
        ("\x1bPq#0\x1b\\tests: pass", "pass"),
        ("\x90q#0\x9ctests: pass", "pass"),
        ("\x1b]0;a title\ntests: pass", "pass"),  # not terminated, on the line before
        ("tests: pass\x1b]0;a title", "invalid"),
        ("tests: pass (\x1b]0;a\n)\x07", "invalid"),
        ("tests: pass\x1bP", "invalid"),
        ("tests: pass\x1b[", "invalid"),
        ("tests: pass\x1b[31", "invalid"),
        ("tests: pass\x1b", "invalid"),
        ("tests: pass\x1b(B", "invalid"),  # selects a character set: none of the three kinds
        ("tests: pass\x1b\x1b[m[31m", "invalid"),  # what is left does not join into a sequence
        ("\x1b]0;a\x01b\x07tests: pass", "absent"),
        ("tests: fail\x08\x08\x08\x08pass", "invalid"),
        ("tests: pass\x00", "invalid"),
        ("\x07tests: pass", "invalid"),
        ("te\x00sts: pass", "invalid"),
        ("tests: pass (a\x85b)", "invalid"),
        ("tests: pass\x7f", "invalid"),
        ("\x07ready, tests: pass", "invalid"),
        ("\x07ready\ntests: pass", "pass"),
        ("tests: fail\x07", "invalid"),
        ("tests: pass (a\tb)", "pass"),
    ],
)
def test_rule_1_control_sequences(payload: str, expected: str) -> None:
    assert state(payload) == expected


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        ('{"tests": "pass"}', "pass"),
        ('\ufeff {"tests": "pass"}\r\n', "pass"),
        (' \ufeff{"tests":\n"pass"}\t', "pass"),
        ('\ufeff\ufeff{"tests": "pass"}', "absent"),
        ('{"tests": "pass (3 runs)"}', "pass"),
        ('\x1b[32m{"tests": "pass"}\x1b[0m', "pass"),
        ('{"tests": "\\u001b[32mpass\\u001b[0m"}', "pass"),
        ('{"tests": "pass\\u0007"}', "invalid"),
        ('{"tests": "pass (a\\nb)"}', "invalid"),
        ('{"te\\u0000sts": "pass"}', "invalid"),
        ('{"tests": " pass"}', "invalid"),
        ('{"tests": "pass "}', "invalid"),
        ('{"tests": true}', "invalid"),
        ('{"tests": null}', "invalid"),
        ('{"tests": 1}', "invalid"),
        ('{"tests": ""}', "invalid"),
        ('{"Tests": "pass"}', "invalid"),
        ('{"tests ": "pass"}', "absent"),
        ('{"- tests": "pass"}', "absent"),
        ('{"tests": "pass", "tests": "fail"}', "fail"),
        ('{"tests": "fail", "tests": "pass"}', "fail"),
        ('{"tests": "pass", "specs": {"a": 1}}', "absent"),  # not flat, so it is text
        ('{"tests": "pass", "files": []}', "absent"),
        ('{"tests": "pass", "x": NaN}', "absent"),
        ('{"tests": "pass", "x": Infinity}', "absent"),
        ('[{"tests": "pass"}]', "absent"),
        ('{"tests": "pass",}', "absent"),
        ('{"tests": "pass"}{"tests": "pass"}', "absent"),
        ("{}", "absent"),
    ],
)
def test_rule_2_json(payload: str, expected: str) -> None:
    assert state(payload) == expected


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        ("7", "pass"),
        ("7.5", "pass"),
        ("0", "pass"),
        ("-0.0", "pass"),
        ('"7 (max 9)"', "pass"),
        ('" 7 "', "pass"),
        ("10.000000000000000000001", "fail"),
        ("1e1", "pass"),
        ("1e400", "invalid"),
        ("-1", "invalid"),
        ("9" * 400, "invalid"),
        ("false", "invalid"),
        ('"seven"', "invalid"),
        ('"7\\n"', "invalid"),
    ],
)
def test_rule_2_numbers_of_json(payload: str, expected: str) -> None:
    assert state(f'{{"complexity": {payload}}}', SIZE) == expected


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        ("built\ntests: pass", "pass"),
        ("built\rtests: pass", "pass"),
        ("built\r\ntests: pass", "pass"),
        ("built\u2028tests: pass", "absent"),
        ("built\vtests: pass", "absent"),
        ("built\x85tests: pass", "absent"),
        ("tests: pass\u2028lint: pass", "invalid"),
        ("built,tests: pass", "pass"),
        ("built (a, tests: pass)", "absent"),
        ("built(a, (b, c), tests: pass)", "absent"),
        ("built (a, (b, tests: pass)", "absent"),  # the inner pair is a note
        ("built (a, tests: pass", "pass"),  # an unclosed one opens none
        ("built  (a, tests: pass", "pass"),
        ("built  (a, tests: pass, b)", "pass"),  # two blanks: no note
        ("built) a, tests: pass", "pass"),
        ("3,4,tests: pass", "pass"),
        ("tests: pass,5", "pass"),
        (" \t tests: pass\t ", "pass"),
        ("\u00a0tests: pass", "absent"),
        ("- tests: pass", "pass"),
        ("* tests: pass", "pass"),
        ("• tests: pass", "pass"),
        ("-  tests: pass", "absent"),
        ("- - tests: pass", "absent"),
        ("-tests: pass", "absent"),
        ("+ tests: pass", "absent"),
        ("1. tests: pass", "absent"),
        ("> tests: pass", "absent"),
        ("tests : pass", "absent"),
        ("\ufefftests: pass", "absent"),
        ("tests", "absent"),
        ("tests=pass", "absent"),
        ("t\u0435sts: pass", "absent"),
    ],
)
def test_rule_2_text(payload: str, expected: str) -> None:
    assert state(payload) == expected


@pytest.mark.parametrize(
    "payload",
    ["Tests: pass", "TESTS: PASS", "tests:pass", "tests:  pass", "tests:\tpass", "tests: \tpass", "tests:", "tests: "],
)
def test_rule_3_a_known_key_must_be_written_exactly(payload: str) -> None:
    found = reading(payload, TESTS)
    assert found.state is CheckState.INVALID
    assert found.reason


@pytest.mark.parametrize("value", ["pass", "pass (3 of 3)", "pass(3 of 3)", "pass ()", "pass (a (b) c, d)"])
def test_rule_4_good(value: str) -> None:
    assert state(f"tests: {value}") == "pass"
    assert state(f"tests: {value.replace('pass', 'fail')}") == "fail"


@pytest.mark.parametrize(
    "value",
    [
        "passed", "PASS", "true", "yes", "not pass", "ok", "pass.", "pass!", "pass pass", "pass: 3", "`pass`", "✅",
        "pass (a) (b)", "pass (a) b", "pass  (a)", "pass (a", "pass a)", "pass (a))", "pass ((a)", "(pass)",
        "pass\t(a)", "pass [a]", "p\u200bass", "ｐａｓｓ", "pass\u00a0(a)",
    ],
)  # fmt: skip
def test_rule_4_invalid(value: str) -> None:
    assert state(f"tests: {value}") == "invalid"


@pytest.mark.parametrize(
    ("value", "expected"),
    [(word, "pass") for word in ("pass", "ok", "improved", "no regression", "improved (12% faster)")]
    + [(word, "fail") for word in ("fail", "regression", "regression (p95 +40%)")]
    + [(word, "invalid") for word in ("OK", "n/a", "40% slower", "improved 12%", "no  regression", "no regressions")],
)
def test_rule_5_performance(value: str, expected: str) -> None:
    assert state(f"performance: {value}", SPEED) == expected
    assert state(f"perf: {value}", SPEED) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("7", 7.0),
        ("7.5", 7.5),
        ("7.", 7.0),
        ("7..", 7.0),
        ("07", 7.0),
        ("7 (max 9)", 7.0),
        ("7 (max 9) (was 12)", 7.0),
        ("(was 12) 7", 7.0),
        ("(was 12)7", 7.0),
        ("about 7 per function", 7.0),
        ("7%", 7.0),
        ("7 .", 7.0),
        ("7 ((a)", 7.0),
    ],
)
def test_rule_6_numbers(value: str, expected: float) -> None:
    found = reading(f"complexity: {value}", SIZE)
    assert (found.state, found.value) == (CheckState.PASS, expected)


@pytest.mark.parametrize(
    "value",
    [
        "-7", "+7", ".5", "1e9", "0x7", "1_0", "1,000", "7,5", "7/10", "7-8", "<7", "<=7", "~7", "=7", "v7", "7x",
        "7.x", "7.5.1", "7 of 10", "7  (max 9)", "5(a)6", "8 (x)5", "-(x)7", "7 (max 9", "seven", "NaN", "inf", "٧",
        "７", "7 ٣", "7²", "7 ½", "7,٣", "#7", "`7`", "7\u00a0", "7\t8", "(7)", "",
    ],
)  # fmt: skip
def test_rule_6_no_single_number(value: str) -> None:
    assert state(f"complexity: {value}", SIZE) == "invalid"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("80", "pass"),
        ("80%", "pass"),
        ("82 %", "pass"),
        ("85%.", "pass"),
        ("90 (was 45%)", "pass"),
        ("achieved 82% coverage", "pass"),
        ("100", "pass"),
        ("79.99%", "fail"),
        ("79.99999999999999999999", "fail"),  # as a float it would be 80
        ("0.82", "fail"),
        ("0", "fail"),
        ("100.01", "invalid"),
        ("1200%", "invalid"),
        ("9" * 400, "invalid"),
        ("-82%", "invalid"),
        ("target 80 but got 12", "invalid"),
    ],
)
def test_rule_6_percentages(value: str, expected: str) -> None:
    assert state(f"coverage: {value}", SHARE) == expected


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        ("tests: pass\ntests: pass", "pass"),
        ("tests: fail\ntests: pass", "fail"),
        ("tests: pass\ntests: fail", "fail"),
        ("tests: pass\ntests: passed", "invalid"),
        ("tests: passed\ntests: fail", "fail"),
        ("tests: pass\nTests: fail", "invalid"),
        ('{"tests": "fail"}\ntests: pass', "fail"),  # text after an object cannot make it better
        ('{"tests": true}\ntests: pass', "invalid"),
        ('{"tests": "pass"}\ntests: fail', "fail"),
        ('{"tests": "pass"}\ncoverage: 90', "absent"),
    ],
)
def test_rule_7_the_worst_counts(payload: str, expected: str) -> None:
    assert state(payload) == expected


def test_rule_7_two_names_of_one_check() -> None:
    assert state("performance: ok, perf: regression", SPEED) == "fail"


def test_a_payload_that_is_too_long_is_not_read() -> None:
    fits = "tests: pass\n".ljust(MAX_CHARACTERS, " ")
    assert state(fits) == "pass"
    too_long = reading(fits + " ", TESTS)
    assert too_long.state is CheckState.INVALID
    assert "was not read" in (too_long.reason or "")
    assert state(fits + " ", SPECS) == "absent"


def test_readings_come_in_the_order_of_the_checks() -> None:
    assert list(read("specs: pass\ntests: pass", (TESTS, SPECS, SIZE))) == ["tests", "specs", "complexity"]
