"""Actions that check, as the command line that their inputs come to (class G10).

Rules: what a check lets pass is said by inputs instead of options, or by variables of the step. An action that fails
for nothing it finds says nothing about severities; one that fails for all says all of them, so that a list of fewer
can be told from that. Actions that report what others found come to programs of their own names (`options.actions`).
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence

from ralph.guardrails.config.node import Node, canonical
from ralph.system.patterns import later

Inputs = Mapping[str, Node]
SEVERITIES = "CRITICAL,HIGH,MEDIUM,LOW"
USUAL_SCANNERS = frozenset(("vuln", "secret"))
"""What is looked for if nothing is said; more than that is no less."""
DONE = ("", "0", "false")


def _said(inputs: Inputs, name: str, default: str = "") -> str:
    node = inputs.get(name)
    return default if node is None else ",".join(canonical(node).replace(",", " ").split())


def _is_on(inputs: Inputs, name: str, default: str = "") -> bool:
    return _said(inputs, name, default).lower() not in DONE


def _options(inputs: Inputs, names: Mapping[str, str]) -> list[str]:
    """The inputs by the options that they stand for; a switch that is off is none."""
    given = ((option, _said(inputs, name)) for name, option in names.items() if _is_on(inputs, name))
    return [option if said.lower() == "true" else f"{option}={said}" for option, said in given]


def _trivy(inputs: Inputs) -> list[str]:
    if not _is_on(inputs, "exit-code"):
        return ["trivy"]
    severity = _said(inputs, "severity").upper() or SEVERITIES
    others = {
        "exit-code": "--exit-code",
        "ignore-unfixed": "--ignore-unfixed",
        "skip-dirs": "--skip-dirs",
        "skip-files": "--skip-files",
    }
    named = _said(inputs, "scanners", _said(inputs, "security-checks"))
    fewer = [f"--scanners={named}"] if named and not set(named.split(",")) >= USUAL_SCANNERS else []
    return ["trivy", f"--severity={severity}", *_options(inputs, others), *fewer]


def _grype(inputs: Inputs) -> list[str]:
    fails = _is_on(inputs, "fail-build", "true")
    cutoff = [f"--fail-on={_said(inputs, 'severity-cutoff', 'medium').lower()}"] if fails else []
    return ["grype", *cutoff, *_options(inputs, {"only-fixed": "--only-fixed"})]


def _words(inputs: Inputs, name: str, default: str = "") -> list[str]:
    text = canonical(inputs[name]) if name in inputs else default
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def _arguments(*program: str, given: str = "args", default: str = "", **names: str) -> Callable[[Inputs], list[str]]:
    """A program that gets the words of one input; `names`: of inputs that stand for an option."""
    by_input = _spelled(names)
    return lambda inputs: [*program, *_words(inputs, given, default), *_options(inputs, by_input)]


def _plain(program: str, **names: str) -> Callable[[Inputs], list[str]]:
    spellings = _spelled(names)
    return lambda inputs: [program, *_options(inputs, spellings)]


def _spelled(names: Mapping[str, str]) -> dict[str, str]:
    """Inputs are written with lines below or between their words."""
    return {**{name.replace("_", "-"): option for name, option in names.items()}, **names}


def _written(program: str, *names: str) -> Callable[[Inputs], list[str]]:
    """Every input, or variable, by its own name, also where it is off: its default is on."""

    def words(inputs: Inputs) -> list[str]:
        given = ((name, _said(inputs, name) or _said(inputs, name.replace("-", "_"))) for name in names)
        return [program, *(f"--{name.lower().replace('_', '-')}={said}" for name, said in given if said)]

    return words


def _reviewdog(inputs: Inputs) -> list[str]:
    """The older `fail_on_error` fails for anything."""
    level = _said(inputs, "fail_level", "any" if _is_on(inputs, "fail_on_error") else "none").lower()
    shown = _said(inputs, "filter_mode", "added").lower()
    return ["reviewdog", f"--fail-level={level}", f"--filter-mode={shown}"]


def _linters(inputs: Inputs) -> list[str]:
    """One that runs many: what it checks, whether it fails, and the linters that are switched off or chosen."""
    flags = {name: _said(inputs, name).lower() for name in inputs if name.isupper()}
    off = [name for name, said in flags.items() if name.startswith("VALIDATE_") and said == "false"]
    only = [name for name, said in flags.items() if name.startswith("VALIDATE_") and said == "true"]
    off += [name for name, said in flags.items() if name.endswith("_DISABLE_ERRORS") and said == "true"]
    off += [each for name in ("DISABLE", "DISABLE_LINTERS", "DISABLE_ERRORS_LINTERS") for each in _list(inputs, name)]
    whole = "VALIDATE_ALL_CODEBASE"
    chosen = [name for name in only if name != whole]
    chosen += [each for name in ("ENABLE", "ENABLE_LINTERS") for each in _list(inputs, name)]
    return [
        "many-linters",
        *(["--changed-only"] if whole in off else []),
        *(["--disable-errors"] if flags.get("DISABLE_ERRORS") == "true" else []),
        *(f"--without={name}" for name in off if name != whole),
        *([f"--only={','.join(chosen)}"] if chosen else []),
        *(f"--exclude={said}" for name in ("FILTER_REGEX_EXCLUDE",) if (said := _said(inputs, name))),
    ]


def _list(inputs: Inputs, name: str) -> list[str]:
    return [each for each in _said(inputs, name).split(",") if each]


def _golangci(inputs: Inputs) -> list[str]:
    only_new = ["--new"] if _is_on(inputs, "only-new-issues") else []
    return ["golangci-lint", "run", *_words(inputs, "args"), *only_new]


def _cypress(inputs: Inputs) -> list[str]:
    if not _is_on(inputs, "runTests", "true"):
        return ["cypress", "verify"]
    return ["cypress", "run", *_options(inputs, {"spec": "--spec", "tag": "--tag"})]


def _pip_audit(inputs: Inputs) -> list[str]:
    return ["pip-audit", *(f"--ignore-vuln={each}" for each in _list(inputs, "ignore-vulns"))]


ACTIONS: Sequence[tuple[str, Callable[[Inputs], list[str]]]] = (
    (r"aquasecurity/trivy-action", _trivy),
    (r"anchore/scan-action", _grype),
    (r"snyk/actions(?:/[\w.-]+)?", _arguments("snyk")),
    (
        r"actions/dependency-review-action",
        _plain(
            "dependency-review",
            fail_on_severity="--fail-on-severity",
            warn_only="--warn-only",
            allow_ghsas="--allow-ghsas",
        ),
    ),
    (
        r"hadolint/hadolint-action",
        _plain("hadolint", failure_threshold="--failure-threshold", no_fail="--no-fail", ignore="--ignore"),
    ),
    (r"ludeeus/action-shellcheck", _plain("shellcheck", severity="--severity")),
    (r"aquasecurity/tfsec-action", _plain("tfsec", soft_fail="--soft-fail")),
    (r"bridgecrewio/checkov-action", _plain("checkov", soft_fail="--soft-fail", skip_check="--skip-check")),
    (r"golangci/golangci-lint-action", _golangci),
    (r"(?:super-linter|github)/super-linter(?:/slim)?|oxsecurity/megalinter(?:/.*)?", _linters),
    (r"reviewdog/action-(?!setup|suggester).+|giraffate/clippy-action", _reviewdog),
    (
        r"dorny/test-reporter|phoenix-actions/test-reporting",
        _written("test-reporter", "fail-on-error", "fail-on-empty"),
    ),
    (
        r"mikepenz/action-junit-report",
        _plain("junit-report", fail_on_failure="--fail", require_tests="--require-tests"),
    ),
    (
        r"enricomi/publish-unit-test-result-action(?:/.+)?",
        _written("publish-results", "fail_on", "action_fail", "action_fail_on_inconclusive"),
    ),
    (r"coverallsapp/github-action", _written("coveralls-report", "fail-on-error", "allow-empty")),
    (
        r"chromaui/action(?:-next)?",
        _plain(
            "chromatic",
            exitZeroOnChanges="--exit-zero-on-changes",
            autoAcceptChanges="--auto-accept-changes",
            exitOnceUploaded="--exit-once-uploaded",
            skip="--skip",
        ),
    ),
    (r"cypress-io/github-action", _cypress),
    (r"sonarsource/(?:sonarqube-scan|sonarcloud-github)-action", _arguments("sonar-scanner")),
    (r"pre-commit/action", _arguments("pre-commit", "run", given="extra_args", default="--all-files")),
    (r"(?:astral-sh|chartboost)/ruff-action", _arguments("ruff", default="check", src="--src")),
    (r"psf/black", _arguments("black", given="options", default="--check --diff")),
    (r"isort/isort-action", _arguments("isort", given="configuration", default="--check-only --diff")),
    (r"pypa/gh-action-pip-audit", _pip_audit),
    (r"davidanson/markdownlint-cli2-action", _arguments("markdownlint-cli2", given="globs")),
    (r"github/codeql-action/analyze", _written("codeql-analyze", "upload")),
    (r"actions-rs/cargo", lambda inputs: ["cargo", *_words(inputs, "command"), *_words(inputs, "args")]),
    (
        r"embarkstudios/cargo-deny-action",
        lambda inputs: ["cargo", "deny", *_words(inputs, "command", "check"), *_words(inputs, "command-arguments")],
    ),
    (r"gradle/gradle-build-action", _arguments("gradle", given="arguments")),
    (r"lycheeverse/lychee-action", _written("lychee-report", "fail", "failIfEmpty")),
    (r"zaproxy/action-[\w-]+", _written("zap-report", "fail_action")),
    (r"wagoid/commitlint-github-action", _written("commitlint-report", "failOnWarnings", "failOnErrors")),
    (r"ibiqlik/action-yamllint", _plain("yamllint", strict="--strict", no_warnings="--no-warnings")),
    (r"checkmarx/kics-github-action", _plain("kics", fail_on="--fail-on", ignore_on_exit="--ignore-on-exit")),
    (r"docker/scout-action", _plain("docker-scout", exit_code="--exit-code", only_severities="--only-severities")),
    (r"stoplightio/spectral-action", _plain("spectral", fail_severity="--fail-severity", spectral_ruleset="--ruleset")),
    (r"bufbuild/buf-action", _written("buf-report", "lint", "breaking", "format")),
    (r"(?:oasdiff|tufin)/oasdiff-action(?:/.+)?", _written("oasdiff-report", "fail-on-diff", "fail-on")),
    (r"streetsidesoftware/cspell-action", _written("cspell-report", "strict", "files")),
    (r"errata-ai/vale-action", _written("vale-report", "fail_on_error", "filter_mode")),
    (r"trufflesecurity/trufflehog", _arguments("trufflehog", given="extra_args")),
    (r"amannn/action-semantic-pull-request", _written("title-report", "requireScope", "wip")),
    (r"5monkeys/cobertura-action", _written("cobertura-report", "fail_below_threshold")),
    (r"benchmark-action/github-action-benchmark", _written("benchmark-report", "fail-on-alert", "alert-threshold")),
    (r"jakebailey/pyright-action", _arguments("pyright", given="extra-args", warnings="--warnings", level="--level")),
)
_FORMS = tuple((later(form), words) for form, words in ACTIONS)


def action_command(name: str, inputs: Inputs) -> list[str]:
    """The words of the command that an action of this name runs; none for one that is not known."""
    return next((words(inputs) for form, words in _FORMS if form.fullmatch(name.lower())), [])
