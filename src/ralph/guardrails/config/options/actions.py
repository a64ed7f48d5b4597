"""What actions of GitHub let pass that report what others found, or that run many linters (see `actions`), and what
calls of PowerShell's tests do."""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.config.filters import filtered
from ralph.guardrails.config.lattice import absent, ceiling, flag, no_less, no_more, ranked
from ralph.guardrails.config.options.harm import IGNORED, NONE_ACCEPTED, NOT_RUN, PARTLY, WEAKER, bad
from ralph.guardrails.config.options.model import Option, switch
from ralph.guardrails.config.rows import LIFTED, MANIFOLD, RAISED

ON = flag(good=True, default=True)
OFF = flag(good=False)

ACTION_OPTIONS: dict[str, Sequence[Option]] = {
    "reviewdog": (
        Option("--fail-level", ranked("none error warning info=any", "none"), IGNORED),
        Option("--filter-mode", ranked("added diff_context=file nofilter", "added"), IGNORED, minor=WEAKER),
        bad("--changed-only", IGNORED),
    ),
    "many-linters": (
        bad("--changed-only", WEAKER),
        bad("--disable-errors", IGNORED),
        Option("--without", no_more(), IGNORED),
        Option("--only", filtered(), IGNORED),
        Option("--exclude", absent(), PARTLY),
    ),
    "test-reporter": (Option("--fail-on-error", ON, IGNORED), Option("--fail-on-empty", ON, NONE_ACCEPTED)),
    "junit-report": (switch("--fail", IGNORED, good=True), switch("--require-tests", NONE_ACCEPTED, good=True)),
    "publish-results": (
        Option("--fail-on", ranked("nothing errors test,failures", "test,failures"), IGNORED),
        Option("--action-fail", OFF, WEAKER),
    ),
    "coveralls-report": (
        Option("--fail-on-error", ON, "cfg.coverage.report-optional"),
        Option("--allow-empty", OFF, "cfg.coverage.report-optional"),
    ),
    "chromatic": (
        bad("--exit-zero-on-changes --auto-accept-changes --exit-once-uploaded", IGNORED),
        bad("--skip", NOT_RUN),
    ),
    "sonar-scanner": (
        Option("-Dsonar.qualitygate.wait", flag(good=True, default=False), IGNORED),
        Option("-Dsonar.exclusions", no_more(), "cfg.sonar.exclusions"),
    ),
    "codeql-analyze": (Option("--upload", ranked("never failure-only always", "always"), WEAKER),),
    "Invoke-Pester": (
        switch("-CI -EnableExit", IGNORED, good=True),
        Option("-ExcludeTag -ExcludeTagFilter", no_more(), "cfg.test.excluded"),
        Option("-Tag -TagFilter -FullNameFilter -TestName", filtered(), "cfg.test.filtered"),
    ),
    "lychee-report": (Option("--fail", ON, IGNORED), Option("--failifempty", ON, NONE_ACCEPTED)),
    "zap-report": (Option("--fail-action", flag(good=True, default=False), IGNORED),),
    "commitlint-report": (
        Option("--failonerrors", ON, IGNORED),
        Option("--failonwarnings", flag(good=True, default=False), IGNORED),
    ),
    "buf-report": (Option("--lint", ON, IGNORED), Option("--breaking", ON, IGNORED), Option("--format", ON, IGNORED)),
    "oasdiff-report": (
        Option("--fail-on-diff", flag(good=True), IGNORED),
        Option("--fail-on", ranked("none err warn info", "none"), IGNORED),
    ),
    "cspell-report": (Option("--strict", ON, IGNORED), Option("--files", no_less(), PARTLY)),
    "vale-report": (
        Option("--fail-on-error", flag(good=True), IGNORED),
        Option("--filter-mode", ranked("added diff_context=file nofilter", "added"), IGNORED, minor=WEAKER),
    ),
    "title-report": (Option("--requirescope", flag(good=True), IGNORED),),
    "cobertura-report": (Option("--fail-below-threshold", flag(good=True), "cfg.coverage.report-optional"),),
    "benchmark-report": (
        Option("--fail-on-alert", flag(good=True), IGNORED),
        Option("--alert-threshold", ceiling(200, MANIFOLD), LIFTED, minor=RAISED),
    ),
    "kics": (
        Option("--fail-on", no_less(("critical", "high", "medium", "low", "info")), IGNORED),
        Option("--ignore-on-exit", ranked("all results errors=none", "none"), IGNORED),
    ),
    "docker-scout": (switch("--exit-code", IGNORED, good=True), Option("--only-severities", filtered(), IGNORED)),
}
