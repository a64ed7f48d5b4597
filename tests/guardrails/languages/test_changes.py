"""What a change makes of a suppression or a skip that was there before."""

from __future__ import annotations

import pytest

from tests.guardrails.languages.judge import added, findings

GO_SKIP = """\
func TestA(t *testing.T) {
	t.Skip()
	a(t)
}

func TestB(t *testing.T) {
	b(t)
}
"""
GO_PLATFORM = """\
func TestA(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip()
	}
}
"""
RUST_IGNORE = "#[ignore]\n#[test]\nfn a() {}\n\n#[test]\nfn b() {}\n"
PUSHED = (
    '#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored "-Wx"\nint a;\n#pragma GCC diagnostic pop\nint b;\n'
)
SPEC = 'RSpec.describe "a" do\n  it "b" do\n    expect(c).to eq(1)\n  end\nend\n'


def swapped(text: str, word: str, before: str) -> str:
    """The text with the line `word` taken out and put before the line `before`."""
    return text.replace(word, "").replace(before, word + before)


@pytest.mark.parametrize(
    ("path", "before", "after", "expected"),
    [
        pytest.param("a_test.go", GO_SKIP, swapped(GO_SKIP, "\tt.Skip()\n", "\tb(t)\n"), ["go.skip:6"], id="go"),
        pytest.param(
            "a.rs", RUST_IGNORE, swapped(RUST_IGNORE, "#[ignore]\n", "#[test]\nfn b"), ["rust.ignore:4"], id="rust"
        ),
    ],
)
def test_skip_that_moves_to_another_test_is_new(path: str, before: str, after: str, expected: list[str]) -> None:
    assert added(path, after, before) == expected


def test_condition_that_is_dropped_makes_a_skip_new() -> None:
    assert added("a_test.go", GO_PLATFORM.replace('runtime.GOOS == "windows"', "true"), GO_PLATFORM) == ["go.skip:3"]


@pytest.mark.parametrize(
    ("path", "closed", "mark", "line"),
    [
        pytest.param("a.go", "//revive:disable\nx()\n//revive:enable\ny()\n", "//revive:enable\n", 1, id="revive"),
        pytest.param("a.cs", "#pragma warning disable CS1\nF();\n#pragma warning restore CS1\nG();\n",
                     "#pragma warning restore CS1\n", 1, id="csharp"),
        pytest.param("a.cc", PUSHED, "#pragma GCC diagnostic pop\n", 2, id="cpp"),
        pytest.param("a.cc", "// NOLINTBEGIN(x)\na;\n// NOLINTEND(x)\nb;\n", "// NOLINTEND(x)\n", 1, id="nolint"),
        pytest.param("a.rb", "# :nocov:\nx\n# :nocov: end\ny\n", "# :nocov: end\n", 1, id="nocov"),
        pytest.param("a.rb", "# rubocop:disable Lint/A\nx\n# rubocop:enable Lint/A\ny\n",
                     "# rubocop:enable Lint/A\n", 1, id="rubocop"),
        pytest.param("a.php", "<?php\n# phpcs:disable\nf();\n# phpcs:enable\ng();\n", "# phpcs:enable\n", 2, id="php"),
    ],
)  # fmt: skip
def test_closing_mark(path: str, closed: str, mark: str, line: int) -> None:
    """Taking it away is a finding, putting it there is none."""
    opened = closed.replace(mark, "")
    assert added(path, opened, closed) == [f"comment.unclosed:{line}"]
    assert added(path, closed, opened) == []


@pytest.mark.parametrize(
    ("path", "wide", "narrow", "wider_is"),
    [
        pytest.param("a.go", "x() //nolint\n", "x() //nolint:errcheck // best effort\n",
                     ["go.nolint:1", "go.nolint-unexplained:1"], id="go"),
        pytest.param("a.rs", "#[allow(unused_mut, dead_code)]\nfn f() {}\n", "#[allow(unused_mut)]\nfn f() {}\n",
                     ["rust.allow:1"], id="rust"),
        pytest.param("a.rs", "#[allow(\n    unused_mut,\n    dead_code,\n)]\nfn f() {}\n",
                     "#[allow(\n    unused_mut,\n)]\nfn f() {}\n", ["rust.allow:1"], id="rust-over-lines"),
        pytest.param("A.java", '@SuppressWarnings("all")\nclass A {}\n', '@SuppressWarnings("a")\nclass A {}\n',
                     ["jvm.suppress:1"], id="java"),
        pytest.param("A.java", '@SuppressWarnings({\n    "a",\n    "b",\n})\nclass A {}\n',
                     '@SuppressWarnings({\n    "a",\n})\nclass A {}\n', ["jvm.suppress:1"], id="java-over-lines"),
        pytest.param("a.cs", "#pragma warning disable\nF();\n#pragma warning restore\n",
                     "#pragma warning disable CS1\nF();\n#pragma warning restore\n",
                     ["csharp.pragma-disable:1"], id="csharp"),
        pytest.param("a.sh", "# shellcheck disable=SC1,SC2\nls\n", "# shellcheck disable=SC2\nls\n",
                     ["shell.shellcheck-disable:1"], id="shell"),
        pytest.param("a.cc", "int a; // NOLINT\n", "int a; // NOLINT(x)\n", ["cpp.nolint:1"], id="cpp"),
    ],
)  # fmt: skip
def test_narrowing(path: str, wide: str, narrow: str, wider_is: list[str]) -> None:
    """A suppression may shrink in its place, and not grow."""
    assert added(path, narrow, wide) == []
    assert added(path, wide, narrow) == wider_is


def test_explanation_that_goes_is_found() -> None:
    explained = "x() //nolint:errcheck // closing twice is harmless\n"
    assert added("a.go", "x() //nolint:errcheck\n", explained) == ["go.nolint-unexplained:1"]


def test_carriage_returns_change_nothing() -> None:
    assert added("a.go", "x() //nolint\r\ny()\r\n") == ["go.nolint:1", "go.nolint-unexplained:1"]


def test_body_of_an_example_that_goes_is_found() -> None:
    found = added("spec/a_spec.rb", 'RSpec.describe "a" do\n  it "b"\nend\n', SPEC)
    assert found == ["test.removed:0", "ruby.no-body:2"]


def test_other_nocov_mark_is_found() -> None:
    assert added("lib/a.rb", 'SimpleCov.nocov_token "x"\n') == ["ruby.nocov:1"]


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        pytest.param("a.go", "func f() {\n\tx() //nolint\n}\n",
                     "func f() {\n\tif a {\n\t\ty()\n\t}\n\n\tx() //   nolint\n}\n", id="moved"),
        pytest.param("a.rb", "x # rubocop:disable A/B, C/D\n",
                     "y\nx # rubocop:disable C/D, A/B -- why\n", id="reordered"),
        pytest.param("A.java", "@SuppressWarnings(\"a\") class A {}\n",
                     "@SuppressWarnings({\n  \"a\"\n})\nclass A {}\n", id="relaid"),
        pytest.param("a_test.go", GO_SKIP, GO_SKIP.replace("t.Skip()", 't.Skip("flaky")'), id="reason-added"),
    ],
)  # fmt: skip
def test_old_one_in_another_dress_is_silent(path: str, before: str, after: str) -> None:
    assert added(path, after, before) == []


def test_second_copy_is_new() -> None:
    assert added("a.cc", "int a; // NOLINT\nint b; // NOLINT\n", "int a; // NOLINT\n") == ["cpp.nolint:2"]


LEVELS = [
    pytest.param("#![deny(unsafe_code)]\n", "\n", ["rust.lint-lowered:0"], id="gone"),
    pytest.param("#![forbid(unsafe_code)]\n", "#![warn(unsafe_code)]\n", ["rust.lint-lowered:1"], id="lowered"),
    pytest.param("#![forbid(unsafe_code)]\n", "#![deny(unsafe_code)]\n", ["rust.lint-lowered:1"], id="forbid-to-deny"),
    pytest.param("#![deny(a, b)]\n", "#![deny(b)]\n#![warn(a)]\n", ["rust.lint-lowered:2"], id="split"),
    pytest.param("#![deny(a)]\n", "#![deny(a)]\n#![warn(a)]\n", ["rust.lint-lowered:2"], id="overridden"),
    pytest.param("#![deny(a)]\n", "#![cfg_attr(ci, deny(a))]\n", ["rust.lint-lowered:1"], id="made-conditional"),
    pytest.param("#![deny(a)]\n", "#![deny(b)]\n#![deny(a)]\n", [], id="reordered"),
    pytest.param("#![warn(a)]\n", "#![deny(a)]\n", [], id="raised"),
    pytest.param("\n", "#![deny(a)]\n#![warn(b)]\n", [], id="new"),
    pytest.param("#![allow(a)]\n", "\n", [], id="allow-removed"),
]


@pytest.mark.parametrize(("before", "after", "expected"), LEVELS)
def test_rust_crate_level(before: str, after: str, expected: list[str]) -> None:
    assert added("src/lib.rs", after, before) == expected


def test_rust_level_that_moves_to_the_manifest_is_kept() -> None:
    before = {"src/lib.rs": "#![forbid(unsafe_code)]\n", "Cargo.toml": '[package]\nname = "a"\n'}
    after = {"src/lib.rs": "\n", "Cargo.toml": '[package]\nname = "a"\n\n[lints.rust]\nunsafe_code = "forbid"\n'}
    assert findings(before, after) == ()
