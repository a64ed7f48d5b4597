"""What files of everyday names say of checks, by their words: one row per sentence (see `stated`)."""

from __future__ import annotations

import re
from typing import Literal

from ralph.record import record
from ralph.system.patterns import later

IGNORED, NOT_RUN, EXCLUDED = "cfg.check.failures-ignored", "cfg.test.not-run", "cfg.test.excluded"
Kind = Literal["turned", "added", "gone"]


@record
class Statement:
    """`turned`: what is `good` becomes rarer and what is `bad` more often; `added`: `bad` more often; `gone`: `good`
    rarer, while the file is there."""

    kind: Kind
    word: str
    """Without it a file says nothing of this."""
    rule: str
    says: str
    good: re.Pattern[str] | None = None
    bad: re.Pattern[str] | None = None
    form: re.Pattern[str] | None = None
    """How the word is written where it says so; anywhere else it is prose."""


def _added(word: str, bad: str, rule: str, says: str) -> Statement:
    return Statement("added", word, rule, says, bad=later(bad))


def _turned(word: str, good: str, bad: str, rule: str, says: str, form: re.Pattern[str] | None = None) -> Statement:
    return Statement("turned", word, rule, says, good=later(good), bad=later(bad), form=form)


def _gone(word: str, good: str, rule: str, says: str, form: re.Pattern[str] | None = None) -> Statement:
    return Statement("gone", word, rule, says, good=later(good), form=form)


EXEMPTIONS = (
    r"ignore-check\.kube-linter\.io/[\w-]+|checkov\.io/skip\d+|kube-score/ignore|datree\.skip/\w+"
    r"|polaris\.fairwinds\.com/(?:[\w-]+-)?exempt"
)
OF_DATA = later(r"(?m)^[ \t]*(?:-[ \t]+)?[\"']?checks for [^:\n]+:")
"""The key of a list of checks of data, as SodaCL has it."""
ALWAYS = r"(?m)^[ \t]*condition[ \t]*=[ \t]*(?:true[ \t]*(?:#.*)?$|.*\|\|[ \t]*true\b)"
FAILS = r"(?<![.\w])fail(?:ure)?(?:\(|[ ]+[\"'])"
ONLY_TELLS = r"(?<![.\w])(?:warn|message|markdown)(?:\(|[ ]+[\"'])"
TESTING = r"(?i)\b(?:option|set)\s*\(\s*\w*(?:BUILD|ENABLE|WITH)_?\w*TEST\w*[^()\n]*\b"
DOES_NOTHING = r"(?:/bin/)?(?:true|echo|:)\b|\$\{CMAKE_COMMAND\}\s+-E\s+(?:true|echo)\b"
STATEMENTS: tuple[tuple[re.Pattern[str], tuple[Statement, ...]], ...] = (
    (
        later(r"(?i)\.ya?ml$"),
        (
            _turned(
                "ailureAction",
                r"(?im)^[ \t-]*(?:validationFailureAction|failureAction):[ \t]*[\"']?enforce",
                r"(?im)^[ \t-]*(?:validationFailureAction|failureAction):[ \t]*[\"']?audit",
                IGNORED,
                "a policy only reports",
            ),
            _turned(
                "enforcementAction",
                r"(?m)^[ \t-]*enforcementAction:[ \t]*[\"']?deny",
                r"(?m)^[ \t-]*enforcementAction:[ \t]*[\"']?(?:dryrun|warn)",
                IGNORED,
                "a policy only reports",
            ),
            *(
                _added(
                    word, rf"(?m)^[ \t]*[\"']?(?:{EXEMPTIONS})[\"']?:.*", "comment.scanner", "a scanner passes over it"
                )
                for word in ("kube-linter.io/", "checkov.io/skip", "kube-score/ignore", "datree.skip", "fairwinds.com/")
            ),
            _turned(
                "checks for ",
                r"(?m)^[ \t]+fail:",
                r"(?m)^[ \t]+warn:",
                IGNORED,
                "a check of data only warns",
                OF_DATA,
            ),
            _gone("checks for ", r"(?m)^[ \t]+- [^\n]+", EXCLUDED, "a check of data is gone", OF_DATA),
            _turned(
                "checks for ",
                r"(?m)^[ \t]+- \w+\([^()\n]*\)[ \t]*=[ \t]*0\b",
                r"(?m)^[ \t]+- \w+\([^()\n]*\)[ \t]*<=?[ \t]*[1-9]",
                IGNORED,
                "a check of data lets some through",
                OF_DATA,
            ),
            _added("presubmits:", r"(?m)^[ \t-]*optional:[ \t]*true\b", "check.failure-allowed", "a job is optional"),
            _turned(
                "presubmits:",
                r"(?m)^[ \t-]*always_run:[ \t]*true\b",
                r"(?m)^[ \t-]*always_run:[ \t]*false\b",
                "check.conditional",
                "a job does not always run",
            ),
        ),
    ),
    (
        later(r"(?:^|/)\.?zuul(?:\.d/[^/]+)?\.ya?ml$"),
        (
            _added("voting", r"(?m)^[ \t-]*voting:[ \t]*false\b", "check.failure-allowed", "a job does not vote"),
            _added("noop", r"(?m)^[ \t]*-[ \t]*noop[ \t]*$", "check.removed", "nothing is run in the place of jobs"),
        ),
    ),
    (
        later(r"\.(?:tf|tofu|tftest\.hcl|tofutest\.hcl)$"),
        (
            _added("condition", ALWAYS, IGNORED, "a condition always holds"),
            _gone("assert", r"(?m)^[ \t]*assert[ \t]*\{", "test.assertion-removed", "an assertion is gone"),
        ),
    ),
    (
        later(r"\.(?:tftest|tofutest)\.hcl$"),
        (_gone("run ", r"(?m)^run[ \t]+\"", "test.removed", "a test is gone"),),
    ),
    (
        later(r"(?:^|/)tests?/.*\.sql$"),
        (
            _added("config(", r"(?i)severity\s*=\s*['\"]warn", IGNORED, "a test of data only warns"),
            _added("config(", r"(?i)enabled\s*=\s*false", NOT_RUN, "a test of data is off"),
            _added(
                "{{",
                r"(?i)\b(?:where|and)\s+(?:false\b|1\s*=\s*0\b|0\s*=\s*1\b|1\s*=\s*2\b)|\blimit\s+0\b",
                "test.weakened",
                "a test of data finds nothing",
            ),
        ),
    ),
    (
        later(r"(?i)(?:^|/)dangerfile(?:\.\w+)*$"),
        (
            _turned("fail", FAILS, ONLY_TELLS, IGNORED, "what failed only warns"),
            _gone("fail", FAILS, "check.removed-here", "a check of changes is gone"),
            _gone("fail_on_error", r"fail_on_error:?\s*(?:=>\s*)?true", IGNORED, "what it finds does not fail"),
        ),
    ),
    (
        later(r"(?:^|/)(?:Fastfile|Scanfile)$"),
        (
            _added("fail_build", r"\bfail_build\(?:?\s*false", IGNORED, "failing tests do not fail the build"),
            _added("skip_testing", r"\bskip_testing\(?:?\s*[\[\"'][^\n]*", EXCLUDED, "tests are left out"),
            _added(
                "only_testing", r"\bonly_testing\(?:?\s*[\[\"'][^\n]*", "cfg.test.filtered", "only some tests are run"
            ),
            _added(
                "number_of_retries",
                r"\bnumber_of_retries\(?:?\s*[1-9]",
                "cfg.test.retries",
                "failing tests are run again",
            ),
            _turned("strict", r"\bstrict:\s*true", r"\bstrict:\s*false", IGNORED, "a linter is not strict"),
            _added("ignore_exit_status", r"\bignore_exit_status:\s*true", IGNORED, "a linter never fails"),
            _added(
                "rescue",
                r"\b(?:scan|run_tests|swiftlint|gradle)\b[^\n]*\brescue\b",
                "check.result-lost",
                "a failure is caught",
            ),
            _gone("", r"(?m)^\s*(?:scan|run_tests|swiftlint|slather|danger)\b", "check.removed", "a check is gone"),
        ),
    ),
    (
        later(r"(?:^|/)(?:project|nx)\.json$"),
        (
            _turned(
                "executor",
                r"\"executor\":\s*\"@?[\w./-]+:(?:jest|vitest|test|karma|cypress|playwright|lint|eslint)\"",
                r"\"executor\":\s*\"(?:nx|@nx/workspace|@nrwl/workspace):(?:noop|run-commands)\"",
                NOT_RUN,
                "a check runs another thing",
            ),
        ),
    ),
    (
        later(r"(?:^|/)moon\.ya?ml$"),
        (
            _added("runInCI", r"\brunInCI:\s*[\"']?(?:false|skip)", "check.not-run", "a task is not run in CI"),
            _added("allowFailure", r"\ballowFailure:\s*true", "check.failure-allowed", "a task may fail"),
            _added("noop", r"\bcommand:\s*[\"']?noop\b", "check.not-run", "a task does nothing"),
        ),
    ),
    (
        later(r"(?:^|/)atlas\.hcl$"),
        (_turned("error", r"\berror\s*=\s*true", r"\berror\s*=\s*false", IGNORED, "a lint of migrations only warns"),),
    ),
    (
        later(r"(?:^|/)[Jj]enkinsfile[\w.-]*$"),
        (
            _added(
                "allowEmptyResults", r"allowEmptyResults\s*[:=(]\s*true", "cfg.test.none-accepted", "no tests will do"
            ),
            _gone("qualityGates", r"\bqualityGates?\s*[:=(]", IGNORED, "a limit of what is found is gone"),
            _turned("unstable", r"unstable:\s*false", r"unstable:\s*true", IGNORED, "a limit only marks the build"),
        ),
    ),
    (
        later(r"(?:^|/)BUILD(?:\.pants)?$"),
        (
            _added("skip_tests", r"\bskip_tests\s*=\s*True", NOT_RUN, "tests are skipped"),
            _added("skip_", r"\bskip_(?!tests)\w+\s*=\s*True", IGNORED, "a checker passes over it"),
        ),
    ),
    (
        later(r"(?:^|/)BUILD(?:\.bazel|\.bzl)?$"),
        (
            _turned("_test(", r"\b\w+_test\(", r"\b\w+_(?:binary|library)\(", NOT_RUN, "a test is a program"),
            _gone("_test(", r"\b\w+_test\(", "check.removed-here", "a test is gone"),
        ),
    ),
    (
        later(r"(?:^|/)(?:CMakeLists\.txt|[\w.-]+\.cmake)$"),
        (
            _turned("TEST", TESTING + "ON", TESTING + "OFF", NOT_RUN, "tests are not built"),
            _added(
                "add_test", rf"(?i)\badd_test\s*\([^()]*\bCOMMAND\s+(?:{DOES_NOTHING})", NOT_RUN, "a test does nothing"
            ),
            _gone("test", r"(?i)\b(?:add_test|\w+_discover_tests)\s*\(", "check.removed-here", "a test is gone"),
        ),
    ),
    (
        later(r"(?:^|/)meson\.build$"),
        (_gone("test", r"(?m)^\s*test\s*\(", "check.removed-here", "a test is gone"),),
    ),
    (
        later(r"(?:^|/)Makefile\.am$"),
        (_added("XFAIL_TESTS", r"(?m)^XFAIL_TESTS\s*\+?=\s*\S.*", EXCLUDED, "a test is to fail"),),
    ),
    (
        later(r"(?:^|/)debian/rules$"),
        (_added("nocheck", r"(?m)^.*DEB_BUILD_OPTIONS\s*[:+?]?=.*\bnocheck\b", NOT_RUN, "the tests are not run"),),
    ),
    (
        later(r"(?:^|/)conanfile\.py$"),
        (_gone(".test(", r"\b(?:cmake|meson|autotools)\.test\(", NOT_RUN, "the tests are not run"),),
    ),
    (
        later(r"(?:^|/)\.semaphore/.*\.ya?ml$"),
        (_added("auto_promote", r"\bresult\s*=\s*[\"']failed[\"']", "ci.needs-dropped", "a failure is promoted"),),
    ),
    (
        later(r"(?:^|/)codefresh[\w.-]*\.ya?ml$"),
        (_added("fail_fast", r"(?m)^\s*fail_fast:\s*false\b", "check.failure-allowed", "a step may fail"),),
    ),
    (
        later(r"\.nix$"),
        (
            _turned("doCheck", r"\bdoCheck\s*=\s*true", r"\bdoCheck\s*=\s*false", NOT_RUN, "the tests are not run"),
            _gone("doCheck", r"\bdo(?:Install)?Check\s*=\s*true", "check.removed-here", "the tests may not be run"),
        ),
    ),
)
