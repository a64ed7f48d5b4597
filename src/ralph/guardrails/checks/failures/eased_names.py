"""Which variables make tools strict, what they say then, and what else says it (see `eased`)."""

from __future__ import annotations

import re

from ralph.record import record
from ralph.system.patterns import later

IGNORED, WEAKER, PARTLY = "cfg.check.failures-ignored", "cfg.test.weaker-run", "cfg.test.partly"
RUST, CPP = "cfg.cargo.lint-lowered", "cfg.cpp.warnings-allowed"
ON = later(r"(?i)true|1|yes|on|always|error|all|deny|enable[d]?")


@record(kw_only=True)
class Strict:
    """A variable that asks for something as long as its value holds `asks`."""

    rule_name: str
    names: re.Pattern[str]
    asks: re.Pattern[str]
    rule: str = WEAKER
    by_option: re.Pattern[str] | None = None
    """What a text of the same file may say instead."""
    by_itself: bool = False
    """Without the variable the tool does so by itself."""


@record
class Place:
    places: re.Pattern[str]
    asks: re.Pattern[str]


@record(kw_only=True)
class Switch:
    names: re.Pattern[str]
    off: re.Pattern[str]
    rule: str
    only_if_strict: bool = False


DENIES_TEXT = (
    r"(?:-D|-F|--deny|--forbid)[ =\x1f]*(?:warnings|\S*clippy::|unused|missing_docs|rustdoc::|unsafe_code|\w+_lints)"
)
DENIES = later(DENIES_TEXT)
AS_ERRORS = (
    Strict(
        rule_name="rust",
        names=later(r"(?:CARGO_(?:BUILD_|ENCODED_)?|CARGO_TARGET_\w+_)?RUSTFLAGS|CLIPPY\w*FLAGS"),
        asks=DENIES,
        rule=RUST,
        by_option=later(rf"-- .*{DENIES_TEXT}|rustflags.*{DENIES_TEXT}|setup-rust-toolchain@"),
    ),
    Strict(
        rule_name="docs",
        names=later(r"(?:CARGO_(?:BUILD|ENCODED)_)?RUSTDOCFLAGS"),
        asks=DENIES,
        rule=RUST,
        by_option=later(rf"rustdoc\b.*{DENIES_TEXT}"),
    ),
    Strict(rule_name="rust", names=later(r"CARGO_BUILD_WARNINGS"), asks=later(r"(?i)deny"), rule=RUST),
    Strict(
        rule_name="python",
        names=later(r"PYTHONWARNINGS"),
        asks=later(r"(?:^|,)\s*error"),
        rule=IGNORED,
        by_option=later(r"(?:pytest|python)[^\n]*\s-W ?error\b"),
    ),
    Strict(rule_name="python", names=later(r"PYTEST_ADDOPTS"), asks=later(r"-W ?error"), rule=IGNORED),
    Strict(
        rule_name="cpp",
        names=later(r"(?:C|CXX|CPP|EXTRA_C|EXTRA_CXX|CGO_C|OBJC)FLAGS|CGO_CXXFLAGS"),
        asks=later(r"-Werror\b|[-/]WX\b"),
        rule=CPP,
        by_option=later(r"-Werror\b|COMPILE_WARNING_AS_ERROR"),
    ),
    Strict(
        rule_name="cpp",
        names=later(r"CMAKE_COMPILE_WARNING_AS_ERROR|\w*(?:WERROR|WARNINGS?_AS_ERRORS?)"),
        asks=ON,
        rule=CPP,
    ),
    Strict(
        rule_name="sphinx",
        names=later(r"SPHINX_?OPTS|SPHINXFLAGS"),
        asks=later(r"(?:^|\s)(?:-\w*W|--fail-on-warning)"),
        rule=IGNORED,
        by_option=later(r"sphinx-build[^\n]*\s(?:-\w*W|--fail-on-warning)"),
    ),
    Strict(
        rule_name="ubsan",
        names=later(r"UBSAN_OPTIONS"),
        asks=later(r"halt_on_error=(?:1|true)|abort_on_error=(?:1|true)"),
        rule=IGNORED,
        by_option=later(r"-fno-sanitize-recover"),
    ),
    Strict(
        rule_name="node",
        names=later(r"NODE_OPTIONS"),
        asks=later(r"--unhandled-rejections=(?:strict|throw)"),
        rule=IGNORED,
        by_itself=True,
    ),
    Strict(rule_name="node", names=later(r"NODE_OPTIONS"), asks=later(r"--throw-deprecation"), rule=IGNORED),
    Strict(
        rule_name="symfony",
        names=later(r"SYMFONY_DEPRECATIONS_HELPER"),
        asks=later(r"max\[\w+\]=0\b|^strict"),
        rule=IGNORED,
        by_itself=True,
    ),
)
CAREFUL = (
    Strict(rule_name="", names=later(r"PYTHON(?:DEVMODE|ASYNCIODEBUG|MALLOC)"), asks=later(r".")),
    Strict(rule_name="", names=later(r"SQLALCHEMY_WARN_20"), asks=later(r"(?i)1|true")),
    Strict(rule_name="", names=later(r"GORACE|TSAN_OPTIONS"), asks=later(r"halt_on_error=(?:1|true)|exitcode=[1-9]")),
    Strict(rule_name="", names=later(r"MIRIFLAGS"), asks=later(r"-Zmiri-(?:strict|check|symbolic)")),
    Strict(
        rule_name="", names=later(r"GOFLAGS|GOTESTFLAGS|TESTFLAGS"), asks=later(r"-race\b"), by_option=later(r"-race\b")
    ),
    Strict(
        rule_name="",
        names=later(r"JAVA_TOOL_OPTIONS|MAVEN_OPTS|SBT_OPTS|JVM_ARGS"),
        asks=later(r"-ea\b|-enableassertions"),
    ),
    Strict(rule_name="", names=later(r"RUBYOPT"), asks=later(r"-[wW](?!0)")),
    Strict(rule_name="", names=later(r"NODE_OPTIONS"), asks=later(r"--pending-deprecation|--trace-warnings")),
)
SWITCHES = (
    Switch(
        names=later(r"DISABLE_ESLINT_PLUGIN|TSC_COMPILE_ON_ERROR"), off=later(r"(?i)^(?:true|1|yes)$"), rule=IGNORED
    ),
    Switch(
        names=later(r"SYMFONY_DEPRECATIONS_HELPER"), off=later(r"(?i)disabled|weak|max\[total\]=\d{3,}"), rule=IGNORED
    ),
    Switch(
        names=later(r"(?:A|UB|T|M|L)SAN_OPTIONS|GORACE"),
        off=later(r"exitcode=0\b"),
        rule=IGNORED,
    ),
    Switch(names=later(r"[ATM]SAN_OPTIONS"), off=later(r"halt_on_error=(?:0|false)"), rule=IGNORED),
    Switch(names=later(r"ASAN_OPTIONS"), off=later(r"detect_leaks=(?:0|false)"), rule=WEAKER),
    Switch(names=later(r"(?:A|UB|T|M|L)SAN_OPTIONS"), off=later(r"suppressions="), rule=WEAKER),
    Switch(names=later(r"MIRIFLAGS"), off=later(r"-Zmiri-(?:disable|ignore|permissive)"), rule=WEAKER),
    Switch(names=later(r"PYTHONWARNINGS"), off=later(r"(?:^|,)\s*ignore\s*(?:$|,)"), rule=WEAKER),
    Switch(names=later(r"NODE_OPTIONS"), off=later(r"--unhandled-rejections=(?:warn|none)"), rule=IGNORED),
    Switch(names=later(r"NODE_OPTIONS"), off=later(r"--no-(?:warnings|deprecation)\b"), rule=WEAKER),
    Switch(names=later(r"RUBYOPT"), off=later(r"-W0"), rule=WEAKER),
    Switch(names=later(r"SQLALCHEMY_SILENCE_\w+"), off=later(r"(?i)^(?:true|1|yes)$"), rule=WEAKER),
    Switch(
        names=later(
            r"(?:\w+_)?(?:STRICT|WERROR|WARNINGS?_AS_ERRORS?|DENY_WARNINGS|FORBID_ONLY)(?:_MODE)?|(?:\w+_)?FAIL_ON_\w+|TreatWarningsAsErrors"
        ),
        off=later(r"(?i)^(?:false|0|no|off|never|none|)$"),
        rule=IGNORED,
        only_if_strict=True,
    ),
)
OTHERS_ASK = {
    "rust": Place(
        later(r"(?:^|/)(?:Cargo\.toml|\.cargo/config(?:\.toml)?|Makefile|justfile|src/(?:lib|main)\.rs)$"),
        later(
            r"#!\[(?:deny|forbid)\([^\]]*\bwarnings\b|(?m:^\s*warnings\s*=\s*[\"'](?:deny|forbid))|-D[\"']?,?\s*[\"']?warnings|warnings\s*=\s*\{\s*level\s*=\s*\"(?:deny|forbid)"
        ),
    ),
    "python": Place(
        later(r"(?:^|/)(?:pyproject\.toml|pytest\.ini|setup\.cfg|tox\.ini|Makefile|noxfile\.py)$"),
        later(r"filterwarnings[^\n]*(?:\n\s*)?[\"'=\[\s]+error|-W ?error"),
    ),
    "cpp": Place(
        later(
            r"(?:^|/)(?:CMakeLists\.txt|CMakePresets\.json|Makefile|meson\.build|configure\.ac|BUILD(?:\.bazel)?|\.bazelrc)$"
        ),
        later(r"-Werror\b(?!=)|WARNING_AS_ERROR\W+(?:ON|TRUE)|werror\W+true"),
    ),
    "sphinx": Place(
        later(r"(?:^|/)(?:Makefile|tox\.ini|noxfile\.py|\.readthedocs\.ya?ml)$"),
        later(r"sphinx-build[^\n]*\s-\w*W|fail_on_warning:\s*true|SPHINXOPTS[^\n]*-\w*W"),
    ),
    "ubsan": Place(
        later(r"(?:^|/)(?:CMakeLists\.txt|Makefile|meson\.build|CMakePresets\.json)$"), later(r"-fno-sanitize-recover")
    ),
}
