"""Go: what silences a linter or stops a test, and what only looks like it."""

from __future__ import annotations

import pytest

from tests.guardrails.languages.judge import added

TEST_HEAD = 'package demo\n\nimport "testing"\n\n'

TRICKS = [
    pytest.param("a.go", "x() //nolint\n", ["go.nolint:1", "go.nolint-unexplained:1"], id="nolint"),
    pytest.param("a.go", "x() // nolint : all\n", ["go.nolint:1", "go.nolint-unexplained:1"], id="nolint-blank-means-all"),
    pytest.param("a.go", "x() /////   nolint:gosec\n", ["go.nolint:1", "go.nolint-unexplained:1"], id="many-slashes"),
    pytest.param("a.go", "x() //nolint:a,all // because it is so\n", ["go.nolint:1", "go.nolint-unexplained:1"], id="all-in-list"),
    pytest.param("a.go", "x() //nolint:errcheck // x\n", ["go.nolint:1", "go.nolint-unexplained:1"], id="no-explanation"),
    pytest.param("a.go", "x() //nolint:errcheck // closing twice is harmless\n", ["go.nolint:1"], id="explained"),
    pytest.param("a.go", "x() //nolint\r\ny()\r\n", ["go.nolint:1", "go.nolint-unexplained:1"], id="crlf"),
    pytest.param("a.go", "//lint:file-ignore U1000 generated\npackage a\n", ["go.lint-ignore:1"], id="file-ignore"),
    pytest.param("a.go", "//revive:disable-next-line:exported\nfunc X() {}\n", ["go.revive:1"], id="revive-line"),
    pytest.param("a.go", "//revive:disable:exported\nfunc X() {}\n", ["comment.unclosed:1", "go.revive:1"], id="revive-open"),
    pytest.param("a.go", "//revive:disable\nfunc X() {}\n//revive:enable\n", ["go.revive:1"], id="revive-closed"),
    pytest.param("a.go", "x() // #nosec G104 -- fine\n", ["go.nosec:1"], id="nosec"),
    pytest.param("a.go", "/*\n #nosec\n*/\nx()\n", ["go.nosec:2"], id="nosec-block-comment"),
    pytest.param("a.go", "x() //gosec:disable G101\n", ["go.nosec:1"], id="gosec-disable"),
    pytest.param("a.go", "switch x { //exhaustive:ignore\n}\n", ["go.checker-ignore:1"], id="exhaustive"),
    pytest.param("a.go", "if err != nil { // coverage-ignore\n}\n", ["go.coverage-ignore:1"], id="coverage-ignore"),
    pytest.param("a.go", "func f( {{{ x( //nolint\n", ["go.nolint:1", "go.nolint-unexplained:1"], id="broken-line"),
    pytest.param("a_test.go", "func TestA(t *testing.T) {\n\tt.Skip()\n}\n", ["go.skip:2"], id="skip"),
    pytest.param("a_test.go", "func TestA(t *testing.T) {\n\tt.\n\t\tSkipf(\"x\")\n}\n", ["go.skip:2"], id="split-call"),
    pytest.param("a_test.go", "func TestA(tt *testing.T) {\n\ts := tt.SkipNow\n\ts()\n}\n", ["go.skip:2"], id="method-value"),
    pytest.param("a_test.go", "func TestA(t *testing.T) {\n\t(*testing.T).SkipNow(t)\n}\n", ["go.skip:2"], id="method-expression"),
    pytest.param("a_test.go", "func TestA(t *testing.T) {\n\tq := t\n\tq.Skip()\n}\n", ["go.skip:3"], id="renamed-variable"),
    pytest.param("a_test.go", "func TestA(t *testing.T) {\n\tvar q testing.TB = t\n\tq.Skip()\n}\n", ["go.skip:3"], id="declared-variable"),
    pytest.param("help.go", "func later(tb testing.TB) {\n\ttb.Skip()\n}\n", ["go.skip:2"], id="helper-outside-tests"),
    pytest.param("a_test.go", "type my struct {\n\t*testing.T\n}\nfunc f(m my) {\n\tm.Skip()\n}\n", ["go.skip:5"], id="embedded"),
    pytest.param("a_test.go", "type h struct{ t *testing.T }\nfunc (x h) f() {\n\tx.t.Skip()\n}\n", ["go.skip:3"], id="field"),
    pytest.param("a_test.go", "func (s *S) TestA() {\n\ts.T().Skip()\n}\n", ["go.skip:2"], id="testify"),
    pytest.param("a_test.go", "func TestA(t *testing.T) {\n\tt.Run(\"x\", func(t *testing.T) {\n\t\tt.Skip()\n\t})\n}\n", ["go.skip:3"], id="subtest"),
    pytest.param("a_test.go", "func FuzzA(f *testing.F) {\n\tf.Skip()\n}\n", ["go.skip:2"], id="fuzz"),
    pytest.param("a_test.go", "func TestA(t *testing.T) {\n\tif os.Getenv(\"SLOW\") == \"\" {\n\t\tt.Skip()\n\t}\n}\n", ["go.skip:3"], id="opt-in-variable"),
    pytest.param("a_test.go", "func TestA(t *testing.T) {\n\tif true {\n\t\tt.Skip()\n\t}\n}\n", ["go.skip:3"], id="constant"),
    pytest.param("a_test.go", "func TestA(t *testing.T) {\n\tif !testing.Short() {\n\t\tt.Skip()\n\t}\n}\n", ["go.skip:3"], id="not-short"),
    pytest.param("a_test.go", "func TestA(t *testing.T) {\n\tif testing.Short() {\n\t} else {\n\t\tt.Skip()\n\t}\n}\n", ["go.skip:4"], id="else-of-short"),
    pytest.param("a_test.go", "func TestA(t *testing.T) {\n\tif testing.Short() || true {\n\t\tt.Skip()\n\t}\n}\n", ["go.skip:3"], id="short-or-true"),
    pytest.param("a_test.go", "func TestA(t *testing.T) {\n\tif runtime.GOOS != \"\" {\n\t\tt.Skip()\n\t}\n}\n", ["go.skip:3"], id="empty-platform"),
    pytest.param("a_test.go", "func TestA(t *testing.T) {\n\tif runtime.GOOS == \"windows\" {\n\t\treturn\n\t}\n\tt.Skip()\n}\n", ["go.skip:5"], id="after-platform"),
    pytest.param("a_test.go", "var _ = FIt(\"x\", func() {})\n", ["go.focus:1"], id="ginkgo-focus"),
    pytest.param("a_test.go", "var _ = ginkgo.FDescribe(\"x\", func() {})\n", ["go.focus:1"], id="ginkgo-qualified"),
    pytest.param("a_test.go", "var _ = It(\"x\", Focus, func() {})\n", ["go.focus:1"], id="ginkgo-decorator"),
    pytest.param("a_test.go", "var _ = PIt(\"x\", func() {})\nvar _ = XDescribe(\"y\", func() {})\n", ["go.skip:1", "go.skip:2"], id="ginkgo-pending"),
    pytest.param("a_test.go", "var _ = It(\"x\", func() {\n\tSkip(\"later\")\n})\n", ["go.skip:2"], id="ginkgo-skip"),
    pytest.param("a_test.go", "func TestA(t *testing.T) {\n\tSkipConvey(\"x\", t, func() {})\n}\n", ["go.skip:2"], id="convey"),
]

REVIEWED = [
    pytest.param("func TestA(t *testing.T) {\n\tif runtime.GOOS == \"windows\" {\n\t\tt.Skip()\n\t}\n}\n", "go.skip-platform:3", id="if"),
    pytest.param("func TestA(t *testing.T) {\n\tswitch runtime.GOOS {\n\tcase \"plan9\":\n\t\tt.Skip()\n\t}\n}\n", "go.skip-platform:4", id="switch"),
    pytest.param("func TestA(t *testing.T) {\n\tif testing.Short() {\n\t\tt.Skip()\n\t}\n}\n", "go.skip-short:3", id="short"),
]  # fmt: skip

INNOCENT = [
    pytest.param("a.go", "// nolintlint is a linter; nolint-style comments\n", id="prose"),
    pytest.param("a.go", "// see the docs about //nolint\n", id="nolint-inside-prose"),
    pytest.param("a.go", "/* nolint */\n", id="block-comment-is-inert"),
    pytest.param("a.go", "//\tnolint\n", id="tab-is-inert"),
    pytest.param("a.go", "// lint:ignore SA1 has a blank\n", id="lint-ignore-with-a-blank"),
    pytest.param("a.go", "const a = `\n//nolint\n// #nosec\n`\n", id="raw-string"),
    pytest.param("a.go", "// gosec reports #nosec usage\n", id="nosec-in-prose"),
    pytest.param("a.go", "func f(s *bufio.Scanner, t *Tokens) { t.Skip(); s.Skip(2) }\n", id="own-method"),
    pytest.param("a.go", "func f() { t := NewTokens(); t.Skip() }\n", id="own-local"),
    pytest.param("a_test.go", "func TestA(t *testing.T) {\n\tr := NewReader()\n\tr.Skip(4)\n}\n", id="own-local-in-test"),
    pytest.param("a_test.go", "func TestA(t *testing.T) {\n\tr := &Reader{}\n\tr.Skip(4)\n}\n", id="own-literal-in-test"),
    pytest.param("a_test.go", "func TestA(t *testing.T) {\n\tt.Log(\"t.Skip()\")\n}\n", id="string-in-test"),
    pytest.param("page.go", "func list() { db.Skip(10).Limit(5) }\n", id="query"),
    pytest.param("a.go", "type Focus struct{}\nfunc Pending(s string) {}\n", id="names"),
    pytest.param("a_test.go", "var _ = Describe(\"x\", func() { It(\"y\", func() {}) })\n", id="ginkgo"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "expected"), TRICKS)
def test_trick_is_found(path: str, text: str, expected: list[str]) -> None:
    assert added(path, text) == expected


@pytest.mark.parametrize(("text", "expected"), REVIEWED)
def test_condition_is_shown(text: str, expected: str) -> None:
    assert added("a_test.go", text) == [expected]


@pytest.mark.parametrize(("path", "text"), INNOCENT)
def test_lookalike_is_silent(path: str, text: str) -> None:
    assert added(path, text) == []


def test_skip_that_moves_to_another_test_is_new() -> None:
    before = "func TestA(t *testing.T) {\n\tt.Skip()\n\ta(t)\n}\n\nfunc TestB(t *testing.T) {\n\tb(t)\n}\n"
    after = "func TestA(t *testing.T) {\n\ta(t)\n}\n\nfunc TestB(t *testing.T) {\n\tt.Skip()\n\tb(t)\n}\n"
    assert added("a_test.go", after, before) == ["go.skip:6"]


def test_condition_that_is_dropped_makes_a_skip_new() -> None:
    before = 'func TestA(t *testing.T) {\n\tif runtime.GOOS == "windows" {\n\t\tt.Skip()\n\t}\n}\n'
    assert added("a_test.go", before.replace('runtime.GOOS == "windows"', "true"), before) == ["go.skip:3"]


def test_closing_mark_that_goes_is_found() -> None:
    closed = "//revive:disable\nfunc X() {}\n//revive:enable\nfunc Y() {}\n"
    opened = closed.replace("//revive:enable\n", "")
    assert added("a.go", opened, closed) == ["comment.unclosed:1"]
    assert added("a.go", closed, opened) == []


def test_narrowed_and_explained_is_no_finding() -> None:
    assert added("a.go", "x() //nolint:errcheck // best effort\n", "x() //nolint\n") == []
