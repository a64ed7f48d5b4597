"""What scripts of Gradle say about tests and checks: the words of each setting, as both of Gradle's languages say them.

A setting is `name = value`, `name(value)`, `name.set(value)` or, in Groovy, `name value`; a list may also grow by `+=`
or by `add`. The value is the text behind that, to the end of the call or of the line.
"""

from __future__ import annotations

import re

from ralph.system.patterns import later

_SAID = r"\s*(?:=(?!=)|\.set\(|\()\s*"
_VALUE = rf"{_SAID}(?P<value>[!(]*\w+)"
_SWITCH = rf"(?:{_SAID}(?P<value>[!(]*\w+)|[ \t]+(?P<bare>true|false)\b)"
_GROWS = (
    r"\s*(?:\+?=(?!=)|\.(?:set|add|addAll|plusAssign|from)\(|\(|[ \t](?=[ \t]*[\"']))(?P<list>[^\n]*?[\"'][^\n{};]*)"
)
SETTINGS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("ignoreFailures", later(rf"\b(?:isI|setI|i)gnoreFailures{_SWITCH}")),
    (
        "off",
        later(r"\b(?:o|setO)nlyIf\s*(?:\([^)]*\)\s*)?\{\s*(?P<value>false)\s*\}|\bonlyIf\s*\(\s*(?P<other>false)\s*\)"),
    ),
    ("enabled", later(rf"(?<!ml\.)(?<!csv\.)\b(?:isE|setE|e)nabled{_SWITCH}")),
    ("enforced", later(rf"\b(?:isE|setE|e)nforceCheck{_SWITCH}")),
    (
        "exclude",
        later(
            r"\b(?:exclude(?:TestsMatching|Test|Tags|Groups|Categories|Patterns|s)?|set(?:ExcludePatterns|Excludes)"
            rf"|targetExclude|excluded(?:TestC|C)lasses|omitVisitors){_GROWS}"
        ),
    ),
    (
        "exclude",
        later(
            r"\bexclude\s*(?:\(\s*)?\{\s*(?:(?:\([^)\n]*\)|\w+)(?:\s*:\s*\w+)?\s*->\s*)?\w+\.(?:file\.|relativePath\.)?(?:name|path|lastName|pathString)"
            r"(?:\.(?P<how>startsWith|endsWith|contains)\(\s*|\s*={2,3}\s*)[\"'](?P<named>[^\"'\n]+)[\"']\s*\)?\s*\}"
        ),
    ),
    (
        "only",
        later(
            r"\b(?:include(?:TestsMatching|Test|Tags|Groups|Categories|Patterns)|setIncludePatterns|onlyAnalyze)"
            rf"{_GROWS}"
        ),
    ),
    ("includes", later(rf"\b(?:includes?|setIncludes){_GROWS}")),
    ("sources", later(r"\b(?:setSrcDirs\s*\(?|srcDirs\s*=(?!=))(?P<list>[^\n{};]*)")),
    (
        "classes",
        later(
            r"\b(?:testClassesDirs\s*=|setTestClassesDirs\()\s*"
            r"(?P<value>(?:project\.|objects\.|layout\.)?(?:files?|fileCollection)\(\s*(?:[\"'][^\"'\n]*[\"'])?\s*\))"
        ),
    ),
    ("dryRun", later(rf"\b(?:d|setD)ryRun{_SWITCH}")),
    ("asserts", later(rf"\b(?:e|setE)nableAssertions{_SWITCH}")),
    ("explicit", later(r"\b(?P<value>explicitApi(?:Warning)?)\(\)|\bexplicitApi\s*=\s*(?P<mode>[\w.]+)")),
    (
        "unmeasured",
        later(
            r"\bclassDirectories\s*(?:=|\.setFrom\()\s*"
            r"(?P<value>(?:project\.|objects\.)?(?:files|fileCollection)\(\s*\))"
        ),
    ),
    ("baseline", later(r"\bbaseline\s*(?:\.set\(|=)\s*(?P<value>[\w.]*(?:file|\$|[\"'])[^\n]*)")),
    ("examined", later(r"(?<![.\w])source\s*(?:\.setFrom\(|=)(?P<list>[^\n]*)")),
    ("blind", later(r"\bjvmArgs?\b[^\n]*?[\"'](?P<value>-da|-disableassertions)\b")),
    ("suites", later(rf"\bsuites{_GROWS}|\bsuiteXmlFiles?{_GROWS.replace('list', 'more')}")),
    ("maxRetries", later(r"\bmaxRetries\s*(?:=|\.set\()\s*(?P<value>\d+)")),
    ("failOnPassedAfterRetry", later(rf"\bfailOnPassedAfterRetry{_VALUE}")),
    (
        "sometimes",
        later(r"\b(?:onlyIf|exclude|include)\s*(?:\([^)\n]*\)\s*)?\{\s*(?!(?:false|true)\s*\})(?P<value>[^}\n]*)"),
    ),
    (
        "left",
        later(
            r"(?P<value>\bStopExecutionException\b|\bactions\s*=\s*(?:emptyList\(\)|mutableListOf\(\)|\[\])|\bactions\.clear\(\)"
            r"|\bsourceSets\s*=\s*(?:emptyList\(\)|listOf\(\)|\[\]))"
        ),
    ),
    ("failOnNoDiscoveredTests", later(rf"\b(?:f|setF)ailOnNoDiscoveredTests{_SWITCH}")),
    ("failOnNoMatchingTests", later(rf"\b(?:isF|setF|f)ailOnNoMatchingTests{_SWITCH}")),
    ("failWhenNoMutations", later(rf"\bfailWhenNoMutations{_SWITCH}")),
    *(
        (f"{name}Threshold", later(rf"\b{name}Threshold\s*(?:=|\.set\(|\(|\s)\s*(?P<value>\d+)"))
        for name in ("mutation", "coverage", "testStrength")
    ),
    ("maxWarnings", later(r"\bmax(?:Warnings|Errors|Issues)\s*(?:=|\.set\(|\s)\s*(?P<value>-?\d+)")),
    ("maxFailures", later(r"\bmaxFailures\s*(?:=|\.set\(|\s)\s*(?P<value>-?\d+)")),
    ("rulesMinimumPriority", later(r"\brulesMinimumPriority\s*(?:=|\.set\(|\s)\s*(?P<value>\d+)")),
    ("reportLevel", later(r"\breportLevel\s*(?:=|\.set\(|\s)\s*(?:[\w.]*?\.|[\"'])(?P<value>[A-Za-z]+)\b(?!\.)")),
    ("effort", later(r"\beffort\s*(?:=|\.set\(|\s)\s*(?:[\w.]*?\.|[\"'])(?P<value>[A-Za-z]+)\b(?!\.)")),
    ("noRuleSets", later(rf"\bdisableDefaultRuleSets{_SWITCH}")),
    ("warnings", later(r"\ballWarningsAsErrors\s*(?:=|\.set\()\s*(?P<value>[!(]*\w+)")),
    ("werror", later(r"[\"'](?P<value>-Werror)[\"']")),
    (
        "muted",
        later(
            r"[\"'](?P<value>-nowarn|-Xlint:none|-XepDisableAllChecks|-XepAllErrorsAsWarnings|-Xep:\w+:OFF"
            r"|-Xsuppress-warning[=:]\w+|-Xwarning-level=\w+:disabled)[\"']"
            r"|\b(?P<all>disableAllChecks|allErrorsAsWarnings|disableAllWarnings|suppressWarnings)\s*(?:=|\.set\()\s*true\b"
            r"|\berrorprone\b[^\n]*?\bdisable\(\s*[\"'](?P<one>\w+)|\bcheck\(\s*[\"'](?P<check>\w+)[\"']\s*,\s*[\w.]*\bOFF\b"
        ),
    ),
    ("dropped", later(r"\b(?:dependsOn\.(?:remove|clear)|setDependsOn|excludedTaskNames)\b(?P<value>[^\n]*)")),
)
ANYWHERE = frozenset(("explicit", "dropped", "ignoreFailures", "warnings", "werror", "muted", "classes"))
"""What speaks of checks wherever it stands."""
OF_TESTS = frozenset(("includes", "sources", "suites"))
"""What is about tests in the blocks of tests alone."""
STRICT = frozenset(("warnings", "werror"))
SWITCHES = frozenset(("warnings", "ignoreFailures", "enabled", "failOnNoMatchingTests", "failOnNoDiscoveredTests"))
TEXT = later(r"\"([^\"\n]*)\"|'([^'\n]*)'")


def excluded_by_name(how: str | None, named: str) -> str:
    """The pattern of what a closure leaves out by the name or the path of a file."""
    before, behind = how in ("endsWith", "contains"), how in ("startsWith", "contains")
    return f"**/{'*' * before}{named}{'*' * behind}"


def texts(written: str) -> list[str]:
    """The texts of a list, as it is written: what comes behind the bracket that closes it is not in it."""
    depth = 0
    for index, letter in enumerate(written):
        depth += (letter in "([") - (letter in ")]")
        if depth < 0:
            written = written[:index]
            break
    return [one or other for one, other in TEXT.findall(written)]
