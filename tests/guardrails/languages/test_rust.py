"""Rust: attributes and doc tests, and the lint levels of a crate."""

from __future__ import annotations

import pytest

from tests.guardrails.languages.judge import added, findings

TRICKS = [
    pytest.param("#[allow(dead_code)]\nfn f() {}\n", ["rust.allow:1"], id="allow"),
    pytest.param("#[\n  allow\n  (dead_code)\n]\nfn f() {}\n", ["rust.allow:1"], id="over-lines"),
    pytest.param("#[/* x */ allow(dead_code)]\nfn f() {}\n", ["rust.allow:1"], id="comment-inside"),
    pytest.param("# [allow(dead_code)]\nfn f() {}\n", ["rust.allow:1"], id="blank-inside"),
    pytest.param("#[r#allow(dead_code)]\nfn f() {}\n", ["rust.allow:1"], id="raw-identifier"),
    pytest.param('#[expect(dead_code, reason = "later")]\nfn f() {}\n', ["rust.expect:1"], id="expect-with-reason"),
    pytest.param("#[cfg_attr(all(), allow(dead_code))]\nfn f() {}\n", ["rust.allow:1"], id="cfg-attr"),
    pytest.param("#[cfg_attr(a, cfg_attr(b, allow(x), ignore))]\nfn f() {}\n", ["rust.allow:1", "rust.ignore:1"], id="nested"),
    pytest.param("macro_rules! m { () => { #[allow(dead_code)] fn f() {} } }\n", ["rust.allow:1"], id="inside-macro"),
    pytest.param("fn f() {\n    quiet! { #![allow(x)] }\n}\n", ["rust.allow-crate:2"], id="inside-macro-call"),
    pytest.param("struct S {\n    #[allow(dead_code)]\n    a: i32,\n}\n", ["rust.allow:2"], id="field"),
    pytest.param("fn f() {\n    match x {\n        #[allow(unreachable_patterns)]\n        _ => 1,\n    }\n}\n", ["rust.allow:3"], id="arm"),
    pytest.param("#[test]\n#[ignore]\nfn a() {}\n", ["rust.ignore:2"], id="ignore"),
    pytest.param('#[ignore = "slow"]\n#[test]\nfn a() {}\n', ["rust.ignore:1"], id="ignore-reason"),
    pytest.param("#[cfg_attr(any(windows, all()), ignore)]\n#[test]\nfn a() {}\n", ["rust.ignore:1"], id="always-true"),
    pytest.param('#[cfg_attr(not(feature = "slow"), ignore)]\n#[test]\nfn a() {}\n', ["rust.ignore:1"], id="opt-in-feature"),
    pytest.param("#[cfg_attr(windows, ignore)]\n#[test]\nfn a() {}\n", ["rust.ignore-platform:1"], id="platform"),
    pytest.param("#[cfg_attr(target_os = \"macos\", ignore)]\n#[test]\nfn a() {}\n", ["rust.ignore-platform:1"], id="os"),
    pytest.param("#[cfg(any())]\n#[test]\nfn a() {}\n", ["rust.cfg-never:1"], id="cfg-never"),
    pytest.param("#[cfg(FALSE)]\nmod tests {}\n", ["rust.cfg-never:1"], id="cfg-false"),
    pytest.param("#[coverage(off)]\nfn f() {}\n", ["rust.coverage-off:1"], id="coverage-off"),
    pytest.param("#[cfg(not(tarpaulin_include))]\nfn f() {}\n", ["rust.coverage-off:1"], id="tarpaulin"),
    pytest.param("fn f() {\n    x(); // GRCOV_EXCL_LINE\n}\n", ["comment.coverage:2"], id="grcov"),
    pytest.param("/// ```rust,ignore\n/// x();\n/// ```\nfn f() {}\n", ["rust.doctest-ignored:1"], id="doctest"),
    pytest.param("/// Text\n///\n/// ```ignore-x86_64\n/// x();\n/// ```\nfn f() {}\n", ["rust.doctest-ignored:3"], id="doctest-target"),
    pytest.param("/** Text\n```ignore\nx();\n```\n*/\nfn f() {}\n", ["rust.doctest-ignored:2"], id="doctest-block"),
    pytest.param("//! ```no_run,ignore\n//! x();\n//! ```\n", ["rust.doctest-ignored:1"], id="doctest-inner"),
    pytest.param("/// ~~~ignore\n/// x();\n/// ~~~\nfn f() {}\n", ["rust.doctest-ignored:1"], id="doctest-tildes"),
    pytest.param('#[doc = "```ignore\\nx()\\n```"]\nfn f() {}\n', ["rust.doctest-ignored:1"], id="doctest-attribute"),
    pytest.param("fn f( { \n#[allow(dead_code)]\nfn g() {}\n", ["rust.allow:2"], id="broken-file"),
    pytest.param("#[rustfmt::skip]\nconst M: [i32; 2] = [1, 2];\n", ["comment.format:1"], id="layout"),
]  # fmt: skip

INNOCENT = [
    pytest.param('const A: &str = "#[allow(dead_code)]";\n', id="string"),
    pytest.param('const A: &str = r#"\n#[ignore]\n#![allow(x)]\n"#;\n', id="raw-string"),
    pytest.param("// #[allow(dead_code)] was here\nfn f() {}\n", id="comment"),
    pytest.param("/// Do not use `#[ignore]`; allow nothing.\nfn f() {}\n", id="documentation"),
    pytest.param("#[derive(Debug)]\n#[must_use]\nstruct S;\n", id="other-attributes"),
    pytest.param("fn f() { x.expect(\"there\"); ignore(y); allow(z); }\n", id="calls"),
    pytest.param("/// ```no_run\n/// x();\n/// ```\n/// ```text\n/// ignore\n/// ```\nfn f() {}\n", id="other-fences"),
    pytest.param("/// ```\n/// x();\n/// ```ignore\nfn f() {}\n", id="closing-fence"),
    pytest.param("#[cfg(windows)]\nmod w;\n#[cfg(not(windows))]\nmod u;\n", id="platform-module"),
    pytest.param('#[cfg(feature = "allow")]\nmod a;\n', id="feature-name"),
    pytest.param("#[serde(skip)]\n#[serde(default, alias = \"ignore\")]\nfn x() {}\n", id="serde"),
    pytest.param("#[deny(warnings)]\n#[warn(missing_docs)]\nmod a {}\n", id="stricter"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), TRICKS)
def test_trick_is_found(text: str, expected: list[str]) -> None:
    assert added("src/lib.rs", text) == expected


@pytest.mark.parametrize("text", INNOCENT)
def test_lookalike_is_silent(text: str) -> None:
    assert added("src/lib.rs", text) == []


LEVELS = [
    pytest.param("#![deny(unsafe_code)]\n", "\n", ["rust.lint-lowered:0"], id="gone"),
    pytest.param("#![forbid(unsafe_code)]\n", "#![warn(unsafe_code)]\n", ["rust.lint-lowered:1"], id="lowered"),
    pytest.param("#![forbid(unsafe_code)]\n", "#![deny(unsafe_code)]\n", ["rust.lint-lowered:1"], id="forbid-to-deny"),
    pytest.param("#![deny(a, b)]\n", "#![deny(b)]\n#![warn(a)]\n", ["rust.lint-lowered:2"], id="split"),
    pytest.param("#![deny(a)]\n", "#![cfg_attr(ci, deny(a))]\n", ["rust.lint-lowered:1"], id="made-conditional"),
    pytest.param("#![deny(a)]\n", "#![deny(b)]\n#![deny(a)]\n", [], id="reordered"),
    pytest.param("#![warn(a)]\n", "#![deny(a)]\n", [], id="raised"),
    pytest.param("\n", "#![deny(a)]\n#![warn(b)]\n", [], id="new"),
    pytest.param("#![allow(a)]\n", "\n", [], id="allow-removed"),
]


@pytest.mark.parametrize(("before", "after", "expected"), LEVELS)
def test_crate_level(before: str, after: str, expected: list[str]) -> None:
    assert added("src/lib.rs", after, before) == expected


def test_level_that_moves_to_the_manifest_is_kept() -> None:
    before = {"src/lib.rs": "#![forbid(unsafe_code)]\n", "Cargo.toml": '[package]\nname = "a"\n'}
    after = {"src/lib.rs": "\n", "Cargo.toml": '[package]\nname = "a"\n\n[lints.rust]\nunsafe_code = "forbid"\n'}
    assert findings(before, after) == ()


def test_narrower_attribute_is_no_finding() -> None:
    assert added("src/lib.rs", "#[allow(unused_mut)]\nfn f() {}\n", "#[allow(unused_mut, dead_code)]\nfn f() {}\n") == []


def test_ignore_that_moves_to_another_test_is_new() -> None:
    before = "#[ignore]\n#[test]\nfn a() {}\n\n#[test]\nfn b() {}\n"
    after = "#[test]\nfn a() {}\n\n#[ignore]\n#[test]\nfn b() {}\n"
    assert added("src/lib.rs", after, before) == ["rust.ignore:4"]
