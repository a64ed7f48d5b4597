"""golangci-lint, Cargo, .NET, RuboCop, SimpleCov, JaCoCo, PHPStan, and the services that keep a coverage floor."""

from __future__ import annotations

import pytest

from ralph.policy import registry
from tests.guardrails.config.cases import Case, one, rules
from tests.guardrails.tables.table import Row, outcome

SRC = {
    "pay/pay.go": "",
    "src/lib.rs": "",
    "App/Pay.cs": "",
    "lib/pay.rb": "",
    "src/main/java/Pay.java": "",
    "src/Pay.php": "",
}
FLOOR = "cfg.coverage.threshold"


def other(name: str, path: str, before: str | None, after: str | None, *found: str) -> Case:
    return one(name, path, before, after, *found, tree=SRC)


def case(name: str, before: dict[str, str], after: dict[str, str], *found: str) -> Case:
    return Case(name, SRC | before, SRC | after, found)


OFF = "<TreatWarningsAsErrors>false</TreatWarningsAsErrors>"
NET = "<TargetFramework>net8.0</TargetFramework>"
SUITE = ("<Description>a suite</Description>", "<AssemblyName>Suite</AssemblyName>", "<OutputType>Exe</OutputType>")


def lines(*properties: str, above: str = "") -> str:
    """Each property on a line of its own, behind an import of what stands above."""
    shared = f'<Import Project="$(MSBuildThisFileDirectory){above}Directory.Build.props" />\n' if above else ""
    return "\n".join((f"<Project>\n{shared}<PropertyGroup>", *properties, "</PropertyGroup>\n</Project>\n"))


def project(*properties: str) -> str:
    return f"<Project><PropertyGroup>{''.join(properties)}</PropertyGroup></Project>"


def jacoco(minimum: str) -> str:
    rule = f"<rules><rule><limits><limit><minimum>{minimum}</minimum></limit></limits></rule></rules>"
    return (
        f"<project><build><plugins><plugin><configuration>{rule}</configuration></plugin></plugins></build></project>"
    )


ERRORS = "<TreatWarningsAsErrors>true</TreatWarningsAsErrors>"
GRADLE = 'jacocoTestCoverageVerification { violationRules { rule { limit { minimum = "0.9".toBigDecimal() } } } }'
CODECOV = "coverage:\n  status:\n    project:\n      default:\n        target: 80%\n"

CAPPED = "[build]\nrustflags = ['--cap-lints', 'allow']\n"

WORSE = [
    case(
        "capped lints", {"src/lib.rs": ""}, {"src/lib.rs": "", ".cargo/config.toml": CAPPED}, "cfg.cargo.lint-lowered"
    ),
    case(
        "capped lints of one target",
        {"sub/lib.rs": "", "sub/.cargo/config.toml": "[build]\njobs = 2\n"},
        {"sub/lib.rs": "", "sub/.cargo/config.toml": "[target.x86_64-a-b]\nrustflags = '--cap-lints=warn -C x'\n"},
        "cfg.cargo.lint-lowered",
    ),
    case(
        "allowed by a variable",
        {"src/lib.rs": "", ".cargo/config.toml": ""},
        {"src/lib.rs": "", ".cargo/config.toml": "[env]\nRUSTFLAGS = '-A dead_code'\n"},
        "cfg.cargo.lint-lowered",
    ),
    other(
        "linter disabled",
        ".golangci.yml",
        "linters:\n  enable: [gosec]\n",
        "linters:\n  enable: [gosec]\n  disable: [errcheck]\n",
        "cfg.golangci.linter-removed",
    ),
    other(
        "everything disabled",
        ".golangci.yml",
        "linters: {}\n",
        "linters:\n  disable-all: true\n",
        "cfg.golangci.linter-removed",
    ),
    other(
        "default none",
        ".golangci.yml",
        "version: '2'\n",
        "version: '2'\nlinters:\n  default: none\n",
        "cfg.golangci.linter-removed",
    ),
    other(
        "one of all",
        ".golangci.yml",
        "linters:\n  enable-all: true\n",
        "linters:\n  enable-all: true\n  disable: [gosec]\n",
        "cfg.golangci.linter-removed",
    ),
    other(
        "exclusions of version 2",
        ".golangci.yml",
        "linters: {}\n",
        "linters:\n  exclusions:\n    paths: [pay]\n",
        "cfg.golangci.exclude",
    ),
    other(
        "through an anchor",
        ".golangci.yml",
        "x: &l [gosec, errcheck]\nlinters:\n  enable: *l\n",
        "x: &l [errcheck]\nlinters:\n  enable: *l\n",
        "cfg.golangci.linter-removed",
    ),
    other(
        "since a revision",
        ".golangci.yml",
        "run: {timeout: 5m}\n",
        "run: {timeout: 5m}\nissues:\n  new-from-rev: HEAD\n",
        "cfg.golangci.new-only",
    ),
    other(
        "lint allowed",
        "Cargo.toml",
        '[lints.clippy]\nunwrap_used = "deny"\n',
        '[lints.clippy]\nunwrap_used = "allow"\n',
        "cfg.cargo.lint-lowered",
    ),
    other(
        "lint gone",
        "Cargo.toml",
        '[lints.rust]\nunsafe_code = "forbid"\n',
        "[package]\nname='x'\n",
        "cfg.cargo.lint-lowered",
    ),
    other(
        "lint with a level",
        "Cargo.toml",
        '[workspace.lints.clippy]\nall = {level = "deny", priority = -1}\n',
        '[workspace.lints.clippy]\nall = {level = "warn", priority = -1}\n',
        "cfg.cargo.lint-lowered",
    ),
    other("tarpaulin floor", "tarpaulin.toml", "[all]\nfail-under = 80\n", "[all]\nfail-under = 20\n", FLOOR),
    other(
        "warnings are no errors",
        "App/App.csproj",
        project(ERRORS),
        project(ERRORS.replace("true", "false")),
        "cfg.msbuild.check-off",
    ),
    other(
        "warning muted",
        "App/App.csproj",
        project("<NoWarn>CS1591</NoWarn>"),
        project("<NoWarn>CS1591;CS8602</NoWarn>"),
        "cfg.msbuild.warnings-muted",
    ),
    other(
        "warning muted on top",
        "App/App.csproj",
        project(),
        project("<NoWarn>$(NoWarn);CS8602</NoWarn>"),
        "cfg.msbuild.warnings-muted",
    ),
    case(
        "project overrides the shared property",
        {"Directory.Build.props": project(ERRORS), "App/App.csproj": project("<X/>")},
        {"Directory.Build.props": project(ERRORS), "App/App.csproj": project("<X/>", ERRORS.replace("true", "false"))},
        "cfg.msbuild.check-off",
    ),
    case(
        "nearer shared file shadows",
        {"Directory.Build.props": project(ERRORS), "App/App.csproj": project("<X/>")},
        {
            "Directory.Build.props": project(ERRORS),
            "App/Directory.Build.props": project("<Y/>"),
            "App/App.csproj": project("<X/>"),
        },
        "cfg.msbuild.check-off",
    ),
    other(
        "with an entity",
        "App/App.csproj",
        project(ERRORS),
        '<!DOCTYPE p [<!ENTITY e "false">]>' + project(ERRORS.replace("true", "&e;")),
        "cfg.unreadable",
    ),
    other(
        "severity of a rule gone",
        ".editorconfig",
        "root = true\n[*.cs]\ndotnet_diagnostic.CA1.severity = error\n",
        "root = true\n[*.cs]\n",
        "cfg.editorconfig.severity-lowered",
    ),
    other(
        "category muted",
        ".editorconfig",
        "[*.cs]\n",
        "[*.cs]\ndotnet_analyzer_diagnostic.category-Security.severity = none\n",
        "cfg.editorconfig.severity-lowered",
    ),
    other(
        "cop off", ".rubocop.yml", "Lint/X:\n  Enabled: true\n", "Lint/X:\n  Enabled: false\n", "cfg.rubocop.cop-off"
    ),
    other(
        "todo list grows",
        ".rubocop_todo.yml",
        "Lint/X:\n  Exclude:\n    - lib/a.rb\n",
        "Lint/X:\n  Exclude:\n    - lib/a.rb\n    - lib/pay.rb\n",
        "cfg.rubocop.exclude",
    ),
    case(
        "todo list begun",
        {".rubocop.yml": "Lint/X: {Enabled: true}\n"},
        {
            ".rubocop.yml": "inherit_from: .rubocop_todo.yml\nLint/X: {Enabled: true}\n",
            ".rubocop_todo.yml": "Lint/Y:\n  Enabled: false\n",
        },
        "cfg.rubocop.cop-off",
    ),
    other(
        "SimpleCov by name",
        "spec/spec_helper.rb",
        "SimpleCov.start do\n  minimum_coverage line: 90, branch: 80\nend\n",
        "SimpleCov.start do\n  minimum_coverage line: 90\nend\n",
        FLOOR,
    ),
    other(
        "SimpleCov call gone",
        ".simplecov",
        "SimpleCov.minimum_coverage 90\nSimpleCov.start\n",
        "SimpleCov.start\n# minimum_coverage 90\n",
        FLOOR,
    ),
    other(
        "SimpleCov from the environment",
        ".simplecov",
        "SimpleCov.minimum_coverage 90\n",
        'SimpleCov.minimum_coverage ENV["MIN"].to_i\n',
        "cfg.unreadable-value",
    ),
    other("Maven floor", "pom.xml", jacoco("0.80"), jacoco("0.10"), FLOOR),
    other("Gradle floor", "build.gradle.kts", GRADLE, GRADLE.replace("0.9", "0.1"), FLOOR),
    other(
        "Gradle floor commented out",
        "build.gradle",
        GRADLE,
        GRADLE.replace("minimum", "// minimum").replace("} } } }", "\n} } } }"),
        FLOOR,
    ),
    other(
        "PHPStan level",
        "phpstan.neon",
        "parameters:\n\tlevel: 8\n".replace("\t", "    "),
        "parameters:\n    level: 3\n",
        "cfg.phpstan.level",
    ),
    other("Codecov target automatic", "codecov.yml", CODECOV, CODECOV.replace("80%", "auto"), "cfg.unreadable-value"),
    other(
        "Codecov status off",
        "codecov.yml",
        CODECOV,
        "coverage:\n  status:\n    project: off\n",
        FLOOR,
        "cfg.coverage.report-optional",
    ),
    other("Codecov file deleted", "codecov.yml", CODECOV, None, FLOOR),
    other(
        "Codecov ignores product", "codecov.yml", CODECOV, CODECOV + "ignore:\n  - lib/pay.rb\n", "cfg.coverage.exclude"
    ),
    other(
        "Codecov through a merge key",
        "codecov.yml",
        CODECOV,
        "x: &x {informational: true}\n" + CODECOV + "        <<: *x\n",
        "cfg.coverage.report-optional",
    ),
    other("go-test-coverage", ".testcoverage.yml", "threshold:\n  total: 80\n", "threshold:\n  total: 8\n", FLOOR),
    other(
        "SonarQube",
        "sonar-project.properties",
        "sonar.sources=src\n",
        "sonar.sources=src\nsonar.coverage.exclusions=src/**\n",
        "cfg.coverage.exclude",
    ),
    other(
        "aliases without end",
        "codecov.yml",
        CODECOV,
        "a: &a [x]\n"
        + "".join(f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)),
        "cfg.unreadable",
    ),
]

INNOCENT = [
    case(
        "flags of the compiler",
        {"src/lib.rs": ""},
        {
            "src/lib.rs": "",
            ".cargo/config.toml": "[build]\nrustflags = ['-D', 'warnings', '-C', 'target-cpu=native']\n",
        },
    ),
    case("another config.toml", {"src/lib.rs": ""}, {"src/lib.rs": "", "site/config.toml": CAPPED}),
    other(
        "linter added",
        ".golangci.yml",
        "linters:\n  enable: [gosec]\n",
        "linters:\n  enable:\n    - revive\n    - gosec\n",
    ),
    other("written as all", ".golangci.yml", "linters:\n  enable: [gosec]\n", "linters:\n  enable-all: true\n"),
    case(
        "yaml to toml",
        {".golangci.yml": "linters:\n  enable: [gosec]\n"},
        {".golangci.toml": '[linters]\nenable = ["gosec"]\n'},
    ),
    other(
        "dependency",
        "Cargo.toml",
        '[dependencies]\na = "1"\n[lints.rust]\nunsafe_code = "deny"\n',
        '[dependencies]\na = "2"\n[lints.rust]\nunsafe_code = "forbid"\n',
    ),
    other(
        "package reference",
        "App/App.csproj",
        project(ERRORS),
        project(ERRORS, "<TargetFramework>net9.0</TargetFramework>") + "\n<!-- <Nullable>disable</Nullable> -->\n",
    ),
    case(
        "property moved to the shared file",
        {"App/App.csproj": project(ERRORS)},
        {"Directory.Build.props": project(ERRORS), "App/App.csproj": project("<X/>")},
    ),
    other(
        "muted list in another order",
        "App/App.csproj",
        project("<NoWarn>A1;B2</NoWarn>"),
        project("<NoWarn>$(NoWarn);B2,A1</NoWarn>"),
    ),
    other(
        "indentation style",
        ".editorconfig",
        "[*.cs]\nindent_size = 4\n",
        "[*.cs]\nindent_size = 2\n[*.md]\ntrim_trailing_whitespace = false\n",
    ),
    other(
        "severity raised",
        ".editorconfig",
        "[*.cs]\ndotnet_diagnostic.CA1.severity = warning\n",
        "[*.cs]\ndotnet_diagnostic.CA1.severity = error\n",
    ),
    other(
        "SimpleCov formatter",
        "spec/spec_helper.rb",
        "SimpleCov.start { minimum_coverage 90 }\n",
        "SimpleCov.start do\n  formatter F\n  minimum_coverage 90.0\nend\n",
    ),
    case(
        "SimpleCov moved",
        {"spec/spec_helper.rb": "SimpleCov.start { minimum_coverage 90 }\n"},
        {"spec/spec_helper.rb": "require 'x'\n", ".simplecov": "SimpleCov.start { minimum_coverage 90 }\n"},
    ),
    other(
        "Gradle formatting", "build.gradle", GRADLE, GRADLE.replace("{", "{\n").replace('"0.9".toBigDecimal()', "0.90")
    ),
    other(
        "Maven dependency",
        "pom.xml",
        jacoco("0.8"),
        jacoco("0.85").replace(
            "<build>", "<dependencies><dependency><version>2</version></dependency></dependencies><build>"
        ),
    ),
    other("Codecov comment", "codecov.yml", CODECOV, "comment: false\n" + CODECOV + "        threshold: 0%\n"),
    case("Codecov file renamed", {"codecov.yml": CODECOV}, {".codecov.yml": CODECOV}),
    other("first golangci configuration", ".golangci.yml", None, "linters:\n  enable: [revive]\n"),
]


@pytest.mark.parametrize("case", WORSE, ids=lambda case: case.name)
def test_worse(case: Case) -> None:
    assert rules(case.before, case.after) == tuple(sorted(case.rules))


@pytest.mark.parametrize("case", INNOCENT, ids=lambda case: case.name)
def test_innocent(case: Case) -> None:
    assert rules(case.before, case.after) == ()


def test_a_moved_project_does_not_get_a_laxer_shared_file_that_others_asked_for() -> None:
    before = {
        "Build.csproj": "<Project><!-- one --></Project>",
        "Directory.Build.props": project(ERRORS),
        "T/T.csproj": lines(NET, OFF),
        "P/P.csproj": lines(NET, *SUITE, "<GenerateDocumentationFile>false</GenerateDocumentationFile>"),
    }
    after = {
        "Build.csproj": "<Project><!-- two --></Project>",
        "Directory.Build.props": project(ERRORS, "<LangVersion>9</LangVersion>"),
        "T/T.csproj": lines(NET),
        "T/Directory.Build.props": lines(OFF, above="../"),
        "perf/P/P.csproj": lines(NET, *SUITE),
        "perf/Directory.Build.props": lines(OFF, above="../"),
    }
    assert outcome(Row("moved", "perf/P/P.csproj", before, after, "block"), registry.load("v2")) == "block"
