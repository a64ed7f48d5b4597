"""Steps of pipelines that read what became of the tests, and no longer mark the build (policy set v2, class G10).

    sh 'mvn -Dmaven.test.failure.ignore=true verify'
    junit testResults: 'target/*.xml', skipMarkingBuildUnstable: true

Rule: such a step of Jenkins or of Azure that is told to mark nothing, or that is gone, blocks where the tests are run
so that their failures fail nothing by themselves: only that step heard them. Elsewhere a person is told of the former.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.config.side import Side
from ralph.guardrails.model import Hit, hit_at
from ralph.record import record
from ralph.system.patterns import later

LOST, DOUBTFUL = "cfg.check.failures-ignored", "check.result-doubtful"
END = ", and the tests fail nothing by themselves"
COMMENT = later(r"(?m)^[ \t]*(?://|#)[^\n]*")


@record(kw_only=True)
class Reader:
    """How a pipeline reads results: what steps do so, what of them does not mark, and what runs tests unheard."""

    places: re.Pattern[str]
    words: re.Pattern[str]
    steps: re.Pattern[str]
    quiet: re.Pattern[str]
    unheard: re.Pattern[str]


IGNORES = (
    r"-Dmaven\.test\.failure\.ignore(?!=false)|-DtestFailureIgnore(?!=false)|-fn\b|--fail-never"
    r"|\|\|\s*(?:true|:|exit 0)\b|\bignoreFailures\b"
)
READERS = (
    Reader(
        places=later(r"(?i)(?:^|/)[\w.-]*jenkinsfile[\w.-]*$|(?:^|/)vars/\w+\.groovy$|\.jenkins(?:file)?$"),
        words=later(r"\b(?:junit|xunit|testNG|JUnitResultArchiver|XUnitPublisher|mstest|nunit)\b"),
        steps=later(
            r"(?m)(?:^|[{;])[ \t]*(?:\w+\s*=\s*)?(?:junit|xunit|testNG|mstest|nunit)\b[ \t(]"
            r"|\$class:\s*['\"](?:JUnitResultArchiver|XUnitPublisher|XUnitBuilder)"
        ),
        quiet=later(
            r"\bskipMarkingBuildUnstable\s*:\s*true\b|\bunstableThreshold\s*:\s*['\"]?(?:\d{3,}|['\"])"
            r"|\bfailed(?:Fails|Skips)\s*:\s*['\"]?\d{3,}"
        ),
        unheard=later(rf"{IGNORES}|\breturnStatus\s*:\s*true|\bcatchError\b"),
    ),
    Reader(
        places=later(r"(?i)(?:^|/)[^/]*azure[^/]*\.ya?ml$|(?:^|/)\.?(?:pipelines|azure[\w-]*)/.*\.ya?ml$"),
        words=later(r"PublishTestResults@"),
        steps=later(r"(?mi)^\s*failTaskOnFailedTests:\s*['\"]?true\b"),
        quiet=later(r"(?mi)^\s*failTaskOnFailedTests:\s*['\"]?false\b"),
        unheard=later(rf"{IGNORES}|\bcontinueOnError:\s*['\"]?true\b"),
    ),
)


def result_step_hits(path: str, before: Side, after: Side) -> Iterator[Hit]:
    reader = next((each for each in READERS if each.places.search(path)), None)
    if reader is None or path not in before.paths or path not in after.paths:
        return
    old, new = (COMMENT.sub("", side.text(path) or "") for side in (before, after))
    if not reader.words.search(old):
        return
    more = len(reader.quiet.findall(new)) > len(reader.quiet.findall(old))
    fewer = len(reader.steps.findall(new)) < len(reader.steps.findall(old))
    unheard = reader.unheard.search(new) is not None
    if not (more or (fewer and unheard)):
        return
    known = {match[0] for match in reader.quiet.finditer(old)}
    places = [match for match in reader.quiet.finditer(new) if match[0] not in known] or list(
        reader.quiet.finditer(new)
    )
    line = new.count("\n", 0, places[-1].start()) + 1 if more and places else 0
    lines = (after.text(path) or "").split("\n")
    shown = lines[line - 1].strip() if line else next((match[0].strip() for match in reader.steps.finditer(old)), "")
    detail = "what reads the results of the tests marks nothing any more" if more else "nothing reads the results"
    yield hit_at(LOST if unheard else DOUBTFUL, path, line, f"{detail}{END if unheard else ''}", shown)
