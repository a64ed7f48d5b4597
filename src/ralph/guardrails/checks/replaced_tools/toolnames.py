"""The packages that decide whether a check passes, by the names that each ecosystem installs them under (class G15).

Runners, assertion libraries, coverage and linters; not what tests only run on (a browser, a fake clock, a server of
made-up answers). A family of names is listed one by one where projects have members of their own in it: a plugin
`pytest-ourcompany` or cops `rubocop-ourcompany` are nobody else's.
"""

from __future__ import annotations

from ralph.guardrails.checks.programs.tables import PROGRAMS
from ralph.guardrails.config.node import names
from ralph.system.patterns import later

NPM = frozenset(PROGRAMS) | frozenset(
    names(
        "prettier typescript nyc c8 @playwright/test playwright-core @biomejs/biome @biomejs/js-api ts-jest husky "
        "babel-jest @swc/jest esbuild-jest expect chai chai-as-promised chai-http chai-subset chai-spies deep-eql "
        "check-error sinon sinon-chai sinon-chai-in-order should should-sinon should-promised expect.js expect-type "
        "unexpected must power-assert power-assert-runtime supertest tape tap fast-check pixelmatch jasmine-core "
        "karma-jasmine karma-mocha karma-chai karma-coverage jest-cli jest-circus jest-jasmine2 jest-runner "
        "jest-runtime jest-matcher-utils jest-matchers jest-snapshot jest-diff jest-each jest-mock jest-extended "
        "jest-image-snapshot jest-axe jest-dom jest-specific-snapshot @esm-bundle/chai @open-wc/testing @std/assert "
        "@std/expect vitest-axe tsd-lite typescript-eslint @stryker-mutator/core @cucumber/cucumber"
    )
)
NPM_FAMILIES = later(
    r"@(?:jest|vitest|testing-library|typescript-eslint|eslint|istanbuljs|tapjs|japa|wdio|web|cucumber)/[\w.-]+$"
    r"|(?:istanbul|power-assert)-[\w-]+$"
)
NPM_OTHERS = frozenset(("@web/dev-server", "@web/rollup-plugin-html", "@jest/types", "@eslint/config-inspector"))
"""Members of these families that decide nothing."""
NPM_PLUGINS = later(
    r"(?:@[\w.-]+/)?(?P<tool>eslint|stylelint|commitlint|tslint|oxlint|textlint|markdownlint)"
    r"-(?:plugin|config|rule|parser|formatter|preset)\b"
)
PYTHON_PLUGINS = later(r"(?:flake8|pylint|pytest|pep8|mypy|ruff|bandit)-[\w-]+$|(?:pep8-naming|mccabe|pyflakes|dlint)$")
PHP_PLUGINS = later(r"(?:phpstan|phpunit|psalm|pestphp|slevomat|infection)/[\w-]+$|[\w-]+/(?:phpstan|psalm)-[\w-]+$")
PYTHON = frozenset(PROGRAMS) | frozenset(
    names(
        "black isort coverage pluggy hypothesis pytest-cov pytest-asyncio pytest-xdist pytest-mock pytest-django "
        "pytest-timeout pytest-randomly pytest-rerunfailures pytest-subtests pytest-bdd pytest-check pytest-forked "
        "pytest-benchmark pytest-flask pytest-twisted pytest-trio pytest-tornado pytest-aiohttp pytest-mypy "
        "pytest-mypy-plugins pytest-ruff pytest-flake8 pytest-regressions pytest-snapshot pytest-playwright "
        "pytest-order pytest-repeat pytest-split pytest-sugar pytest-testmon nose nose2 unittest2 testtools "
        "testscenarios testfixtures assertpy pyhamcrest expects sure schemathesis syrupy snapshottest approvaltests "
        "inline-snapshot dirty-equals robotframework ward mypy pylint astroid"
    )
)
PYTHON_MODULES = frozenset(
    names(
        "_pytest pytest pluggy hypothesis coverage pytest_cov pytest_asyncio xdist pytest_mock pytest_django "
        "pytest_timeout pytest_randomly pytest_rerunfailures pytest_subtests pytest_bdd pytest_check unittest "
        "doctest nose nose2 testtools testfixtures assertpy hamcrest expects sure schemathesis syrupy snapshottest "
        "approvaltests inline_snapshot dirty_equals behave robot ward mypy ruff flake8 pylint pyflakes pycodestyle "
        "mccabe astroid black isort bandit tox nox pyright basedpyright"
    )
)
GO = frozenset(
    names(
        "github.com/stretchr/testify gotest.tools github.com/google/go-cmp github.com/onsi/gomega "
        "github.com/onsi/ginkgo github.com/golang/mock go.uber.org/mock github.com/matryer/is "
        "github.com/frankban/quicktest github.com/smartystreets/goconvey github.com/smartystreets/assertions "
        "github.com/smarty/assertions gopkg.in/check.v1 github.com/maxatome/go-testdeep "
        "github.com/DATA-DOG/go-sqlmock pgregory.net/rapid github.com/leanovate/gopter github.com/shoenig/test "
        "github.com/alecthomas/assert github.com/gkampitakis/go-snaps github.com/sebdah/goldie go.uber.org/goleak "
        "github.com/rogpeppe/go-internal github.com/cucumber/godog github.com/golangci/golangci-lint "
        "honnef.co/go/tools github.com/go-playground/assert github.com/franela/goblin github.com/go-quicktest/qt "
        "github.com/bradleyjkemp/cupaloy github.com/gotestyourself/gotest.tools gotest.tools/gotestsum"
    )
)
"""Modules, whatever their major version."""
CRATES = frozenset(
    names(
        "proptest proptest-derive quickcheck quickcheck_macros insta mockall mockall_derive rstest rstest_macros "
        "pretty_assertions assert_cmd assert_fs predicates predicates-core trybuild test-case test-case-macros "
        "similar-asserts googletest serial_test wasm-bindgen-test loom assert_matches claim claims k9 expect-test "
        "speculoos spectral tokio-test libtest-mimic trycmd snapbox compiletest_rs ui_test goldenfile goldie "
        "assert_approx_eq approx float-cmp static_assertions mutants datatest-stable arbtest bolero test-log"
    )
)
GEMS = frozenset(
    names(
        "rspec rspec-core rspec-expectations rspec-mocks rspec-support rspec-rails rspec-its "
        "rspec-collection_matchers rspec-parameterized minitest minitest-rails minitest-reporters test-unit capybara "
        "simplecov simplecov-html rubocop rubocop-ast rubocop-rails rubocop-rspec rubocop-performance rubocop-minitest "
        "rubocop-rake rubocop-capybara rubocop-factory_bot shoulda shoulda-matchers shoulda-context cucumber "
        "cucumber-rails mocha rr brakeman bundler-audit standard erb_lint haml_lint slim_lint reek sorbet "
        "steep approvals rspec-snapshot assert_difference rails-controller-testing"
    )
)
JVM = later(
    r"\b(?:junit(?:-\w+)*|org[./]junit[\w./]*|testng|assertj-core|hamcrest(?:-\w+)*|mockito(?:-\w+)+|mockk(?:-\w+)*|kotest(?:-\w+)*"
    r"|kotlin-test(?:-\w+)*|truth|spock-core|jqwik(?:-\w+)*|rest-assured|jacoco(?:[-.]\w+)*|checkstyle|pmd-\w+|spotbugs"
    r"|archunit(?:-\w+)*)\b"
)
"""Artifacts of the Java platform, as parts of a file's name too."""
PHP = frozenset(
    names(
        "phpunit/phpunit pestphp/pest mockery/mockery phpspec/phpspec phpspec/prophecy behat/behat "
        "codeception/codeception "
        "phpstan/phpstan vimeo/psalm squizlabs/php_codesniffer friendsofphp/php-cs-fixer infection/infection "
        "sebastian/comparator sebastian/diff sebastian/exporter phpunit/php-code-coverage hamcrest/hamcrest-php"
    )
)
OWNERS = later(
    r"(?i)(?:^|[/:@])(?:pytest-dev|astral-sh|python|psf|PyCQA|nedbat|coveragepy|tox-dev|wntrblm|pylint-dev|HypothesisWorks|microsoft"
    r"|facebook|jestjs|vitest-dev|mochajs|chaijs|sinonjs|shouldjs|ladjs|forwardemail|testing-library|dubzzz|eslint|prettier"
    r"|biomejs|avajs|cypress-io|istanbuljs|bcoe|typicode|kulshekhar|typescript-eslint|stylelint|tapjs|xojs|tape-testing"
    r"|jest-community|jest-extended|jasmine|karma-runner|web-infra-dev|modernweb-dev|stryker-mutator|cucumber|hamcrest"
    r"|syrupy-project|schemathesis|15r10nk|samuelcolvin|adamchainz|pytest-bdd|robotframework|testing-cabal"
    r"|rspec|minitest|minitest-reporters|seattlerb|test-unit|teamcapybara|simplecov-ruby|colszowka|rubocop|rubocop-hq|bbatsov"
    r"|thoughtbot|freerange|presidentbeef|rubysec|standardrb|testdouble|Shopify|troessner|sorbet|rails|ruby"
    r"|proptest-rs|AltSysRq|BurntSushi|mitsuhiko|asomers|la10736|rust-pretty-assertions|colin-kiegel|assert-rs|dtolnay"
    r"|tokio-rs|frondeus|rust-lang|rustwasm|Manishearth|nextest-rs|google|palfrey|rust-analyzer|LukasKalbertodt|oli-obk"
    r"|camshaft|brendanzab|d-e-s-o|phpunit|sebastianbergmann|sebastian|pestphp|mockery|phpspec|behat|codeception|phpstan|vimeo"
    r"|squizlabs|phpcsstandards|friendsofphp|php-cs-fixer|infection)/"
)
"""Whose repositories are the tools themselves."""


def npm(package: str) -> bool:
    name = package.lower()
    return name in NPM or (name not in NPM_OTHERS and NPM_FAMILIES.match(name) is not None)


def npm_plugin(package: str) -> str:
    """The tool whose rules a package brings, whoever wrote it; empty for any other."""
    match = NPM_PLUGINS.match(package.lower())
    return match["tool"] if match is not None else ""


def go(module: str) -> str | None:
    """The module that a path of a module or package belongs to, if it is a tool."""
    return max((each for each in GO if module == each or module.startswith(f"{each}/")), key=len, default=None)


def php(package: str) -> bool:
    return package.lower() in PHP


def python(package: str) -> bool:
    return package.lower().replace("_", "-") in PYTHON
