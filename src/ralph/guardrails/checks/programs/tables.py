"""The names of programs that check, and the words with which programs of many trades do (see `known`)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ralph.guardrails.checks.programs.kinds import Kind
from ralph.guardrails.checks.programs.services import COMPOSE
from ralph.guardrails.checks.programs.trades import SUBCOMMANDS_OF_OTHERS
from ralph.guardrails.config.node import names
from ralph.system.patterns import later

TEST = names(
    "pytest py.test nose2 nosetests tox nox trial stestr green unittest doctest behave jest vitest mocha ava "
    "tap tape "
    "jasmine karma cypress playwright wdio newman testcafe web-test-runner wtr rspec cucumber minitest phpunit "
    "pest codecept behat ctest gotestsum ginkgo bats bats-core shellspec shunit2 busted prove junit "
    "gtest_main kuttl "
    "molecule kyuubi cargo-nextest nextest robot locust mutmut stryker infection cosmic-ray mull-runner pitest "
    "detox maestro nightwatch codeceptjs uvu zunit inspec kitchen goss conftest Invoke-Pester "
    "schemathesis dredd tavern-ci test-storybook elm-test lost-pixel chromatic ward ostestr zope-testrunner "
    "parallel_rspec parallel_test"
)
LINT = names(
    "ruff flake8 pylint pyflakes pycodestyle pydocstyle eslint oxlint tslint standard xo stylelint "
    "golangci-lint golint "
    "revive staticcheck gofumpt errcheck rubocop standardrb reek shellcheck shfmt hadolint yamllint actionlint "
    "markdownlint markdownlint-cli2 ktlint detekt checkstyle pmd spotbugs swiftlint cppcheck clang-tidy "
    "cpplint "
    "phpcs phpmd ansible-lint tflint sqlfluff spectral vale codespell typos cspell lychee commitlint knip "
    "depcheck "
    "deptry vulture interrogate lint-imports import-linter bashate dotenv-linter credo erb_lint haml-lint "
    "slim-lint "
    "scalafix scalastyle buf kube-linter kubeconform kubeval checkov terrascan djlint curlylint biome "
    "pre-commit prek "
    "lefthook lint-staged nano-staged djangolint pyroma check-manifest twine publint attw size-limit dprint "
    "editorconfig-checker ec "
    "reuse licensecheck license-checker madge depcruise jscpd lizard xenon refurb docstr-coverage pydoclint slotscheck "
    "complexipy pymarkdown rstcheck doc8 mdl textlint alex htmlhint html-validate linkinator blc markdown-link-check "
    "graphql-schema-linter ls-lint npmPkgJsonLint sherif lockfile-lint axe pa11y pa11y-ci bundlesize bundlewatch "
    "squawk dclint check-jsonschema jsonnet-lint cfn-lint cfn_nag cfn_nag_scan cmake-lint perlcritic hlint clj-kondo "
    "luacheck selene ameba elm-review solhint verible-verilog-lint deadnix rpmlint"
)
TYPES = names(
    "mypy dmypy pyright basedpyright pyre pytype ty pyrefly tsc vue-tsc tsgo svelte-check flow tsd tstyche sorbet srb "
    "steep phpstan psalm phan dialyzer zuban zmypy type-coverage"
)
AUDIT = names(
    "bandit safety pip-audit gosec govulncheck brakeman bundler-audit bundle-audit semgrep snyk trivy grype "
    "gitleaks "
    "trufflehog detect-secrets osv-scanner cargo-audit cargo-deny tfsec kics dependency-check horusec codeql "
    "zizmor audit-ci better-npm-audit detect-secrets-hook secretlint retire dockle slither aderyn"
)
COVERAGE = names(
    "codecov coveralls diff-cover diff-quality nyc c8 grcov cargo-tarpaulin cargo-llvm-cov gcovr undercover"
)
REWRITERS: Mapping[str, Sequence[str]] = {
    "black": names("--check"),
    "isort": names("--check --check-only -c"),
    "prettier": names("--check -c --list-different -l"),
    "oxfmt": names("--check --list-different"),
    "autopep8": names("--diff --exit-code"),
    "yapf": names("--diff -d -q"),
    "gofmt": names("-l -d"),
    "goimports": names("-l -d"),
    "clang-format": names("--dry-run -n --Werror"),
    "rustfmt": names("--check"),
    "shfmt": names("-d -l --diff --list"),
    "docformatter": names("--check -c"),
    "dart-format": names("--set-exit-if-changed"),
    "remark": names("--frail -f"),
    **dict.fromkeys(names("stylua alejandra nixfmt nixpkgs-fmt gersemi cmake-format mdformat"), names("--check -c")),
    **dict.fromkeys(names("fourmolu ormolu"), names("check --mode=check")),
    "buildifier": names("-mode=check --mode=check -lint=warn --lint=warn"),
    "fprettify": names("--diff -d"),
    **dict.fromkeys(names("php-cs-fixer rector"), names("--dry-run -n")),
}
"""Formatters check only when they are told to."""
_KINDS: tuple[tuple[Sequence[str], Kind], ...] = (
    (TEST, "test"),
    (LINT, "lint"),
    (TYPES, "types"),
    (AUDIT, "audit"),
    (COVERAGE, "coverage"),
)
PROGRAMS: dict[str, Kind] = {name: kind for listed, kind in _KINDS for name in listed}


def _alike(programs: str, words: dict[str, Kind]) -> dict[str, dict[str, Kind]]:
    return dict.fromkeys(programs.split(), words)


SUBCOMMANDS: dict[str, dict[str, Kind]] = {
    **_alike("go richgo", {"test": "test", "vet": "lint", "build": "build"}),
    "cargo": {
        **dict.fromkeys(("test", "t", "nextest", "mutants", "insta"), "test"),
        **dict.fromkeys(("clippy", "fmt", "udeps", "machete", "semver-checks"), "lint"),
        **dict.fromkeys(("check", "c"), "types"),
        **dict.fromkeys(("audit", "deny", "vet", "geiger"), "audit"),
        **dict.fromkeys(("tarpaulin", "llvm-cov"), "coverage"),
        **dict.fromkeys(("build", "b"), "build"),
    },
    **_alike("npm pnpm yarn bun", {"test": "test", "t": "test", "tst": "test", "audit": "audit"}),
    "deno": {"test": "test", "lint": "lint", "check": "types", "fmt": "lint"},
    "node": {"--test": "test"},
    **_alike(
        "mvn mvnw mvnd",
        {
            **dict.fromkeys(
                names("test verify install package integration-test deploy surefire:test failsafe:verify"), "test"
            ),
            **dict.fromkeys(names("compile"), "build"),
            **dict.fromkeys(names("checkstyle:check pmd:check spotbugs:check spotless:check"), "lint"),
        },
    ),
    **_alike(
        "gradle gradlew",
        {
            **dict.fromkeys(names("test check connectedCheck integrationTest connectedAndroidTest"), "test"),
            **dict.fromkeys(names("build assemble"), "build"),
            **dict.fromkeys(names("lint detekt ktlintCheck spotlessCheck checkstyleMain pmdMain spotbugsMain"), "lint"),
        },
    ),
    "dotnet": {"test": "test", "build": "build", "format": "lint", "vstest": "test"},
    "swift": {"test": "test", "build": "build"},
    "xcodebuild": {"test": "test", "build": "build", "test-without-building": "test"},
    "flutter": {"test": "test", "analyze": "lint"},
    "dart": {"test": "test", "analyze": "lint", "format": "lint"},
    "mix": {"test": "test", "credo": "lint", "dialyzer": "types", "format": "lint", "compile": "build"},
    "rails": {"test": "test", "spec": "test"},
    "sbt": {"test": "test", "scalafmtCheckAll": "lint"},
    "lein": {"test": "test"},
    "bazel": {"test": "test", "build": "build", "coverage": "coverage"},
    "bazelisk": {"test": "test", "build": "build"},
    "buck2": {"test": "test", "build": "build"},
    "zig": {"test": "test", "build": "build", "fmt": "lint"},
    "meson": {"test": "test"},
    "ninja": {"test": "test"},
    "helm": {"lint": "lint", "test": "test", "unittest": "test"},
    **_alike("terraform tofu terragrunt", {"validate": "lint", "fmt": "lint", "test": "test"}),
    "opa": {"test": "test", "check": "lint"},
    "forge": {"test": "test", "fmt": "lint", "build": "build", "coverage": "coverage"},
    "hardhat": {"test": "test"},
    "composer": {"test": "test", "audit": "audit", "validate": "lint"},
    "hatch": {"test": "test", "fmt": "lint"},
    "manage.py": {"test": "test", "check": "lint", "makemigrations": "lint", "lintmigrations": "lint"},
    "setup.py": {"test": "test", "check": "lint"},
    "coverage": {"report": "coverage", "run": "test"},
    "ng": {"test": "test", "lint": "lint", "build": "build", "e2e": "test"},
    "react-scripts": {"test": "test", "build": "build"},
    "vue-cli-service": {"test:unit": "test", "lint": "lint", "build": "build"},
    "next": {"lint": "lint", "build": "build"},
    "vite": {"build": "build"},
    "astro": {"check": "types", "build": "build"},
    "buf": {"lint": "lint", "breaking": "lint"},
    "docker": {"build": "build"},
    **SUBCOMMANDS_OF_OTHERS,
}
PROGRAM_NEEDS: dict[str, frozenset[str]] = {
    "ruff": frozenset(("check", "format")),
    "biome": frozenset(("check", "ci", "lint", "format")),
    "pre-commit": frozenset(("run",)),
    "prek": frozenset(("run",)),
    "lefthook": frozenset(("run",)),
    "twine": frozenset(("check",)),
    "buf": frozenset(("lint", "breaking")),
    "conftest": frozenset(("test", "verify")),
    "playwright": frozenset(("test",)),
    "cypress": frozenset(("run",)),
    "snyk": frozenset(("test", "code", "container", "iac")),
    "detox": frozenset(("test",)),
    "molecule": frozenset(("test", "verify", "converge")),
    "safety": frozenset(("check", "scan")),
    "spectral": frozenset(("lint",)),
    "codecov": frozenset(),
}
"""Programs that also do other things: they check with one of these words (ruff's older form checks without)."""
RUNS_A_NAME = frozenset(
    (COMPOSE, *names("make gmake just task rake mage invoke inv doit moon turbo nx lerna wireit ninja earthly dagger"))
)
SCRIPTS = frozenset(names("npm pnpm yarn bun"))
"""Programs that run a script of a package, and hand on to it what stands behind its name."""
OWN_COMMANDS = frozenset(
    names(
        "install i ci add remove rm uninstall up update upgrade self-update dlx x exec create init publish pack link "
        "unlink why list ls ll outdated audit config c cache info view login logout whoami version workspaces "
        "workspace node npm import set plugin dedupe patch patch-commit deploy fetch store root bin prune rebuild rb "
        "recursive m env server setup doctor licenses pm unplug constraints policies global stage search tag team "
        "owner explain"
    )
)
"""What yarn, pnpm and bun do themselves: any other word is a script, as if `run` stood before it."""
RUN_WORDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun", "deno"), ("run", "run-script", "task", "rum", "urn")),
    **dict.fromkeys(
        ("hatch", "pdm", "rye", "poe", "pixi", "composer", "turbo", "nx"),
        ("run", "run-many", "affected"),
    ),
    **dict.fromkeys(("npm-run-all", "run-s", "run-p", "concurrently", "wireit", "poe", "poethepoet"), ()),
}
NAMED = later(
    r"(?:^|[-_:./])(?:tests?|e2e|specs?|unit|integration|checks?|lint(?:er|ing|s)?|verify|verification|validate|ci|qa|"
    r"types?|typecheck|type-check|typing|mypy|pytest|coverage|cov|audit|quality|precommit|pre-commit|pre-push|prepush|"
    r"presubmit|smoke|regression|acceptance|static|analy[sz]e|vet|clippy|eslint|tsc|gate|all-checks|format-check|"
    r"fmt-check|tox|nox)(?:$|[-_:./\d])",
    re.IGNORECASE,
)
NOT_NAMED = later(
    r"(?:fix|update|watch|write|setup|install|clean|start|dev|serve|debug|ui|open|report|publish|deploy|release|docs?)$",
    re.I,
)
INTERPRETERS = later(r"(?:python|pypy|ruby|node|perl|php|deno|bun|bash|sh|zsh|dash|ksh|tsx|ts-node|pwsh)[\d.]*")
IDLE = frozenset(
    names("--version -V --help -h --init --show-config --print-config --watch --watchAll -w --ui --clear-cache")
)
