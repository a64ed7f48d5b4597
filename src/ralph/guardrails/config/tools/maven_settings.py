"""What properties, arguments of the compiler and rules of the enforcer say in a build of Maven (see `jvm_tests`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.config.lattice import Worse, words
from ralph.guardrails.config.node import Node, canonical, names
from ralph.guardrails.config.options.jvm import SKIPPED
from ralph.system.patterns import later

PROPERTIES = {
    **dict.fromkeys(
        names(
            "skipTests skipITs skipUTs maven.test.skip maven.test.skip.exec checkstyle.skip pmd.skip spotbugs.skip "
            "enforcer.skip jacoco.skip"
        ),
        "skip",
    ),
    **dict.fromkeys(SKIPPED, "skip"),
    "maven.test.failure.ignore": "testFailureIgnore",
    "surefire.rerunFailingTestsCount": "rerunFailingTestsCount",
    "failsafe.rerunFailingTestsCount": "rerunFailingTestsCount",
    **dict.fromkeys(names("pmd.failOnViolation cpd.failOnViolation"), "failOnViolation"),
    "checkstyle.failOnViolation": "failsOnViolation",
    "enforcer.skipRules": "violationIgnore",
    **dict.fromkeys(names("spotbugs.failOnError enforcer.fail jacoco.haltOnFailure ossindex.fail"), "failOnError"),
    "license.failIfMissing": "failOnError",
    "checkstyle.violation.ignore": "violationIgnore",
    **dict.fromkeys(names("checkstyle.maxAllowedViolations spotbugs.maxAllowedViolations"), "allowed"),
    "pmd.maxAllowedViolations": "allowed",
    **dict.fromkeys(names("test it.test"), "test"),
    "groups": "groups",
    "excludedGroups": "excludedGroups",
    **dict.fromkeys(names("surefire.excludes failsafe.excludes"), "excludes"),
    **dict.fromkeys(names("surefire.includes failsafe.includes"), "includes"),
    **dict.fromkeys(names("surefire.excludesFile failsafe.excludesFile"), "excludesFile"),
    **dict.fromkeys(names("surefire.includesFile failsafe.includesFile"), "includesFile"),
    **dict.fromkeys(names("mutationThreshold coverageThreshold testStrengthThreshold enableAssertions"), ""),
    "failIfNoTests": "failIfNoTests",
    "surefire.failIfNoSpecifiedTests": "failIfNoSpecifiedTests",
}
"""By what a plugin's parameter of the same meaning is called; empty where that is its own name."""
MUTES = later(
    r"-nowarn\b|-Xlint:none\b|-XepDisableAllChecks\b|-XepAllErrorsAsWarnings\b|-Xep:\w+:OFF\b|-proc:none -Xlint:none"
)
ASKED = later(r"-Werror\b|-Xlint(?::all)?(?![\w:-])|-Xplugin:ErrorProne\b|-Xep:\w+:ERROR\b")
LINTS = later(r"(?<=[:,])-[a-z][\w-]*")
"""Warnings that `-Xlint:all,-serial` leaves out."""
WARNS = "WARN"
SET_BY_CI = later(r"\$\{env\.(?:CI|TF_BUILD|GITHUB_ACTIONS|GITLAB_CI|CIRCLECI|TRAVIS|BUILDKITE)\}")
"""Variables that are `true` there."""


def in_ci(value: Node) -> Node:
    """The value of a setting where CI runs the build."""
    return value.with_value("true") if SET_BY_CI.fullmatch(canonical(value).strip()) else value


def arguments_kept(before: Node | None, after: Node | None, _paths: Sequence[str]) -> Iterator[Worse]:
    """Of the compiler's arguments: those that ask for its warnings or make them errors, and those that mute them."""
    was, now = (canonical(node) if node is not None else "" for node in (before, after))
    for word in ASKED.findall(was):
        if not re.search(re.escape(word) + r"(?![\w:-])", now):
            yield Worse(node=after, text=f"loses {word}")
    for word in MUTES.findall(now):
        if word not in was:
            yield Worse(node=after, text=f"gains {word}")
    for word in sorted(set(LINTS.findall(now)) - set(LINTS.findall(was))) if "-Xlint" in was else ():
        yield Worse(node=after, text=f"gains {word}", minor=True)


def enforced(configuration: Node, rules: Node) -> Node:
    """The rules that are enforced: none that only warns, nor one that is left out by its name."""
    left_out = {canonical(name) for name in words(configuration.at("skipRules"))}
    kept = [name for name, rule in rules.mapping.items() if not _warns(rule) and name not in left_out]
    return rules.with_value([rules.with_value(name) for name in kept])


def _warns(rule: Node) -> bool:
    level = rule.at("level")
    return level is not None and canonical(level).upper() == WARNS
