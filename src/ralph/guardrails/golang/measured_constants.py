"""Go: benchmarks that report a constant in the place of what was measured (policy set v2, class G17).

Rule: `b.ReportMetric(412, "ns/op")` replaces the measured value of that unit; so with the units that the runner itself
measures. A unit of one's own, or a value that is worked out, is none.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.model import Change, ChangeDetector, Hit, hit_at
from ralph.system.patterns import later

GATE = later(rb"\.ReportMetric\(")
REPORTS = later(r"\.ReportMetric\(\s*(?:float64\()?[\d_.]+\)?\s*,\s*\"(?P<unit>ns/op|B/op|allocs/op|MB/s)\"\s*\)")


def measured_constants(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status in "AM" and file.path.endswith("_test.go") and GATE.search(file.added_text):
            for number, raw in file.added():
                line = raw.decode("utf-8", "replace")
                if (reports := REPORTS.search(line)) is not None:
                    detail = f"{reports['unit']} is a constant, and not what was measured"
                    yield hit_at("evidence.fake-output", file.path, number, detail, line.strip())


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (measured_constants,)
