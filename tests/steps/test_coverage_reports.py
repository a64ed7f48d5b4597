"""Coverage reports: what each format comes to, and what is refused."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.steps.reports.coverage import Coverage
from ralph.steps.reports.coverage_formats import read_coverage
from ralph.steps.reports.values import ReportError

COVERAGE_PY = json.dumps(
    {
        "meta": {"version": "7.17"},
        "files": {
            "a.py": {"executed_lines": [1, 2, 3], "missing_lines": [4], "summary": {"covered_lines": 3}},
            "b.py": {"executed_lines": [1], "missing_lines": [2, 3], "summary": {"covered_lines": 1}},
        },
        "totals": {"covered_lines": 4, "num_statements": 7, "percent_covered": 99.0},
    }
)
ISTANBUL = json.dumps(
    {
        "total": {"lines": {"total": 7, "covered": 4, "skipped": 0, "pct": 57.14}},
        "/x/a.ts": {"lines": {"total": 4, "covered": 3, "skipped": 0, "pct": 75}},
        "/x/b.ts": {"lines": {"total": 3, "covered": 1, "skipped": 0, "pct": 33.33}},
    }
)
LCOV = (
    "TN:\nSF:a.ts\nDA:1,1\nDA:2,5\nDA:3,1,c2lnbg\nDA:4,0\nLF:4\nLH:4\nend_of_record\n"
    "TN:\nSF:b.ts\nDA:1,1\nDA:2,0\nDA:3,0\nLF:1\nLH:1\nend_of_record\n"
)
COBERTURA = """<?xml version="1.0"?>
<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
<coverage line-rate="1.0" lines-valid="1" lines-covered="1"><packages><package name="p"><classes>
<class name="A" filename="a.py"><methods><method name="m"><lines><line number="1" hits="1"/></lines></method></methods>
<lines><line number="1" hits="1"/><line number="2" hits="2"/><line number="3" hits="1"/></lines></class>
<class name="A.Inner" filename="a.py"><lines><line number="3" hits="0"/><line number="4" hits="0"/></lines></class>
<class name="B" filename="b.py"><lines><line number="1" hits="1"/><line number="2" hits="0"/><line number="3" hits="0"/>
</lines></class></classes></package></packages></coverage>"""
JACOCO = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "report.dtd">
<report name="demo"><sessioninfo id="x" start="1" dump="2"/><package name="p">
<class name="p/A" sourcefilename="A.java"><counter type="LINE" missed="0" covered="9"/></class>
<sourcefile name="A.java"><line nr="1" mi="0" ci="2" mb="0" cb="0"/><line nr="2" mi="3" ci="1" mb="0" cb="0"/>
<line nr="3" mi="0" ci="1" mb="0" cb="0"/><line nr="4" mi="1" ci="0" mb="0" cb="0"/></sourcefile>
<sourcefile name="B.java"><line nr="1" mi="0" ci="2" mb="0" cb="0"/><line nr="2" mi="3" ci="0" mb="0" cb="0"/>
<line nr="3" mi="3" ci="0" mb="0" cb="0"/></sourcefile></package></report>"""
GO = (
    "mode: atomic\nm/a.go:3.1,5.2 3 7\nm/a.go:7.1,8.2 1 0\nm/b.go:1.1,2.2 1 0\nm/b.go:1.1,2.2 1 2\nm/b.go:4.1,6.2 2 0\n"
)
ALL = {
    "coverage.py": COVERAGE_PY,
    "istanbul": ISTANBUL,
    "lcov": LCOV,
    "cobertura": COBERTURA,
    "jacoco": JACOCO,
    "go": GO,
}


@pytest.mark.parametrize("kind", ALL)
def test_every_format_gives_the_same_lines_whatever_the_file_is_called(kind: str) -> None:
    coverage = read_coverage("report.dat", ALL[kind].encode())
    assert coverage == Coverage(format=kind, covered=4, total=7, files=2)  # type: ignore[arg-type]
    assert coverage.percent == pytest.approx(57.142857)


@pytest.mark.parametrize("kind", ALL)
def test_a_byte_order_mark_changes_nothing(kind: str) -> None:
    assert read_coverage("r", b"\xef\xbb\xbf" + ALL[kind].encode()).total == 7


@given(cut=st.floats(min_value=0, max_value=1, exclude_max=True), kind=st.sampled_from(sorted(ALL)))
def test_a_report_that_is_cut_off_is_never_better_than_the_whole(cut: float, kind: str) -> None:
    content = ALL[kind].rstrip("\n")
    try:
        coverage = read_coverage("r", content[: int(len(content) * cut)].encode())
    except ReportError:
        return
    # Between two records of a text format nothing tells that there were more; what is read is still a true part.
    assert kind in ("lcov", "go")
    assert coverage.total < 7


@given(st.binary(max_size=300) | st.sampled_from(sorted(ALL)).flatmap(lambda k: _damaged(ALL[k])))
def test_nothing_but_a_report_error_comes_out_of_damage(data: bytes) -> None:
    try:
        coverage = read_coverage("r", data)
    except ReportError:
        return
    assert 0 <= coverage.covered <= coverage.total
    assert coverage.total > 0


def _damaged(content: str) -> st.SearchStrategy[bytes]:
    data = content.encode()
    return st.tuples(st.integers(0, len(data)), st.integers(0, 20), st.binary(max_size=12)).map(
        lambda each: data[: each[0]] + each[2] + data[each[0] + each[1] :]
    )


BOMB = '<!DOCTYPE coverage [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><coverage>&b;</coverage>'
REFUSED = {
    "empty": ("", "empty"),
    "blank": (" \n", "empty"),
    "a web page": ("<html></html>", "no known format"),
    "prose": ("85 % covered", "no known format"),
    "a JSON list": ("[1]", "no known format"),
    "other JSON": ('{"lines": 100}', "neither"),
    "entities": (BOMB, "entities"),
    "an external entity": (
        '<!DOCTYPE coverage [<!ENTITY x SYSTEM "file:///etc/passwd">]><coverage>&x;</coverage>',
        "entities",
    ),
    "JSON nested too deep": ('{"a":' * 100_000, "cut off"),
    "NaN": (ISTANBUL.replace("57.14", "NaN"), "no number"),
    "a repeated key": (ISTANBUL[:-1] + ', "total": {}}', "repeats a key"),
    "totals that lie": (COVERAGE_PY.replace('"covered_lines": 4', '"covered_lines": 7'), "contradicts itself"),
    "a total that lies": (ISTANBUL.replace('"covered": 4', '"covered": 7'), "contradicts itself"),
    "a line both run and not": (COVERAGE_PY.replace('"missing_lines": [4]', '"missing_lines": [1]'), "line 1 of a.py"),
    "more covered than there is": (ISTANBUL.replace('"covered": 3', '"covered": 30'), "more lines"),
    "a negative count": (LCOV.replace("DA:4,0", "DA:4,-1"), "no count"),
    "a huge count": (LCOV.replace("DA:4,0", "DA:4," + "9" * 5_000), "no count"),
    "a fraction": (COBERTURA.replace('hits="2"', 'hits="2.5"'), "no count"),
    "a boolean": (COVERAGE_PY.replace('"num_statements": 7', '"num_statements": true'), "no count"),
    "hits that are missing": (COBERTURA.replace('hits="2"', ""), "no count"),
    "a record without an end": (LCOV.removesuffix("end_of_record\n"), "cut off"),
    "a line of no file": ("TN:\nDA:1,1\nend_of_record\n", "no file"),
    "a mode that Go does not have": (GO.replace("atomic", "magic"), "unknown mode"),
    "a Go line cut off": (GO.removesuffix(" 0\n"), "cut off"),
    "no file at all (coverage.py)": (
        '{"files": {}, "totals": {"covered_lines": 0, "num_statements": 0}}',
        "measured no line",
    ),
    "no line at all (LCOV)": ("TN:\nSF:a.ts\nend_of_record\n", "measured no line"),
    "no line at all (Go)": ("mode: set\n", "measured no line"),
    "no line at all (Cobertura)": ("<coverage/>", "measured no line"),
    "no line at all (JaCoCo)": ("<report/>", "measured no line"),
    "no line at all (Istanbul)": ('{"total": {"lines": {"total": 0, "covered": 0}}}', "measured no line"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    content, reason = REFUSED[case]
    with pytest.raises(ReportError, match=reason):
        read_coverage("r", content.encode())


@pytest.mark.parametrize(
    ("covered", "total", "minimum", "reached"),
    [(4, 5, 80, True), (7_999_999, 10_000_000, 80, False), (1, 1, 100, True), (999, 1000, 100, False)],
)
def test_a_minimum_is_compared_without_rounding(covered: int, total: int, minimum: float, reached: bool) -> None:
    assert Coverage(format="lcov", covered=covered, total=total, files=1).reaches(minimum) is reached
