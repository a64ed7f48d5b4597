"""The options by which Maven and Gradle run fewer tests, check less, or forgive failures.

They come on the command line, in a variable, or in a file that every call reads (`implied`).
"""

from __future__ import annotations

from ralph.guardrails.config.lattice import absent, ceiling, flag, ranked
from ralph.guardrails.config.node import names
from ralph.guardrails.config.options.harm import (
    EXCLUDED,
    IGNORED,
    NONE_ACCEPTED,
    NOT_RUN,
    again,
    bad,
    only,
    some,
    without,
)
from ralph.guardrails.config.options.model import Option

CHECK_OFF = "cfg.jvm.check-off"
SKIPPED = names(
    "rat.skip cpd.skip skipPitest pitest.skip license.skip dependency-check.skip japicmp.skip revapi.skip "
    "animal.sniffer.skip modernizer.skip forbiddenapis.skip spotless.check.skip sortpom.skip errorprone.skip "
    "archunit.skip ossindex.skip findbugs.skip mdep.analyze.skip"
)
HALTING = names(
    "checkstyle.failOnViolation checkstyle.failsOnError pmd.failOnViolation cpd.failOnViolation spotbugs.failOnError "
    "findbugs.failOnError enforcer.fail ossindex.fail license.failIfMissing"
)
MAVEN = (
    *(Option(f"-D{name}", flag(good=False), CHECK_OFF) for name in SKIPPED),
    *(Option(f"-D{name}", flag(good=True, default=True), IGNORED) for name in HALTING),
    Option("-Dmaven.compiler.failOnWarning", flag(good=True), CHECK_OFF),
    Option("-DfailBuildOnCVSS", ceiling(11), IGNORED),
    Option("-Dcheckstyle.maxAllowedViolations", ceiling(0), IGNORED),
    Option("-DskipTests -Dmaven.test.skip", flag(good=False), NOT_RUN),
    *(Option(f"-D{name}", flag(good=False), NOT_RUN) for name in ("skipITs", "skipUnitTests")),
    *(Option(f"-D{name}", flag(good=False), IGNORED) for name in ("maven.test.failure.ignore", "testFailureIgnore")),
    bad("-fn --fail-never", IGNORED),
    only("-Dtest"),
    only("-Dit.test"),
    only("-Dgroups"),
    without("-DexcludedGroups"),
    some("-pl --projects"),
    Option("-DfailIfNoTests -Dsurefire.failIfNoTests", flag(good=True, default=True), NONE_ACCEPTED),
    Option("-Dsurefire.failIfNoSpecifiedTests", flag(good=True, default=True), NONE_ACCEPTED),
    without("-Dsurefire.excludes"),
    without("-Dfailsafe.excludes"),
    without("-Dsurefire.excludedGroups"),
    Option("-Dsurefire.excludesFile -Dfailsafe.excludesFile", absent(), EXCLUDED),
    only("-Dsurefire.includes"),
    again("-Dsurefire.rerunFailingTestsCount -Dfailsafe.rerunFailingTestsCount", 0),
)
NO_TESTS = names("skipTests skip.tests skipTest skipUnitTests skipITs skipIntegrationTests maven.test.skip")
FAILURES_IGNORED = names("ignoreFailures test.ignoreFailures ignoreTestFailures maven.test.failure.ignore")
GRADLE = (
    only("--tests"),
    bad("--dry-run -m", NOT_RUN),
    *(Option(f"-{letter}{name}", flag(good=False), NOT_RUN) for letter in "PD" for name in NO_TESTS),
    *(Option(f"-{letter}{name}", flag(good=False), IGNORED) for letter in "PD" for name in FAILURES_IGNORED),
    Option("--dependency-verification -F", ranked("off lenient strict", "strict"), IGNORED),
)
