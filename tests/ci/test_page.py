"""What a pull request shows."""

from __future__ import annotations

from ralph.ci import page
from ralph.verdict import Finding

HEAD = "b" * 40


def finding(**more: object) -> Finding:
    given = {
        "rule": "py.skip",
        "severity": "block",
        "reason": "a test is skipped",
        "path": "a.py",
        "line": 3,
        "column": 1,
    }
    return Finding(**{**given, "snippet": "@skip", **more})  # type: ignore[arg-type]


def test_a_comment_says_what_it_is_about() -> None:
    text = page.comment("# PASS: `x`\n", HEAD, "https://host/job/1")
    assert text == f"{page.MARK}\n# PASS: `x`\n\nAbout `bbbbbbbbbbbb`, [the job](https://host/job/1).\n"


def test_a_long_comment_is_cut_at_a_line() -> None:
    text = page.comment("\n".join(f"| line {number} |" for number in range(10_000)), HEAD, "")
    assert len(text) <= page.LONGEST_COMMENT
    assert "| line 0 |" in text
    assert text.endswith("… the rest is in the evidence of the job.\n\nAbout `bbbbbbbbbbbb`.\n")


def test_what_is_not_judged_is_no_pass() -> None:
    assert "no PASS" in page.unjudged("")


def test_code_quality_has_a_fingerprint_of_its_own_for_everything() -> None:
    rows = page.quality([finding(), finding(line=9), finding(path="b.py", severity="review", line=0)])
    assert len({row["fingerprint"] for row in rows}) == 3
    assert [row["severity"] for row in rows] == ["blocker", "blocker", "minor"]
    assert rows[2]["location"] == {"path": "b.py", "lines": {"begin": 1}}


def test_a_fingerprint_does_not_move_with_the_line() -> None:
    assert page.quality([finding()])[0]["fingerprint"] == page.quality([finding(line=70)])[0]["fingerprint"]
