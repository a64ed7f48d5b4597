"""C and C++: NOLINT, pragmas, GoogleTest, Catch2, doctest."""

from __future__ import annotations

import pytest

from tests.guardrails.languages.judge import added

TRICKS = [
    pytest.param("int a; // NOLINT\n", ["cpp.nolint:1"], id="nolint"),
    pytest.param("// see below, NOLINTNEXTLINE(bugprone-x)\nint a;\n", ["cpp.nolint:1"], id="nextline-behind-prose"),
    pytest.param("/* NOLINT(cert-err58-cpp, x) */ int a;\n", ["cpp.nolint:1"], id="block-comment"),
    pytest.param("// NOLINTBEGIN(x)\nint a;\n// NOLINTEND(x)\n", ["cpp.nolint:1"], id="region"),
    pytest.param("// NOLINTBEGIN\nint a;\n", ["comment.unclosed:1", "cpp.nolint:1"], id="open-region"),
    pytest.param("// cppcheck-suppress unusedFunction\nint a;\n", ["cpp.cppcheck-suppress:1"], id="cppcheck"),
    pytest.param("// coverity[dead_code]\nint a;\n", ["cpp.coverity:1"], id="coverity"),
    pytest.param("int a; // LCOV_EXCL_LINE\n", ["comment.coverage:1"], id="lcov-line"),
    pytest.param("// LCOV_EXCL_START\nint a;\n// LCOV_EXCL_STOP\n", ["comment.coverage:1"], id="lcov-region"),
    pytest.param("// GCOVR_EXCL_START\nint a;\n", ["comment.coverage:1", "comment.unclosed:1"], id="gcovr-open"),
    pytest.param('#pragma GCC diagnostic ignored "-Wall"\n', ["comment.unclosed:1", "cpp.pragma-ignored:1"], id="pragma"),
    pytest.param('#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored "-Wx"\nint a;\n#pragma GCC diagnostic pop\n', ["cpp.pragma-ignored:2"], id="pushed"),
    pytest.param("#pragma \\\n  warning(disable : 4996)\n", ["comment.unclosed:1", "cpp.pragma-ignored:1"], id="continued"),
    pytest.param("#pragma warning(push, 0)\n#pragma warning(suppress: 4996 4997)\nint a;\n#pragma warning(pop)\n", ["cpp.pragma-ignored:2"], id="msvc"),
    pytest.param("#pragma GCC system_header\n", ["comment.unclosed:1", "cpp.pragma-ignored:1"], id="system-header"),
    pytest.param('_Pragma("clang diagnostic ignored \\"-Wx\\"") int a;\n', ["comment.unclosed:1", "cpp.pragma-ignored:1"], id="operator"),
    pytest.param('#define Q _Pragma("GCC diagnostic ignored \\"-Wx\\"")\n', ["comment.unclosed:1", "cpp.pragma-ignored:1"], id="operator-in-macro"),
    pytest.param('__attribute__((no_sanitize("address"))) void f() {}\n', ["cpp.attribute-suppress:1"], id="no-sanitize"),
    pytest.param('[[gsl::suppress("x")]] void f() {}\n', ["cpp.attribute-suppress:1"], id="gsl"),
    pytest.param("TEST(A, DISABLED_B) {}\n", ["cpp.test-disabled:1"], id="disabled"),
    pytest.param("TEST_F(DISABLED_A, B) {}\n", ["cpp.test-disabled:1"], id="disabled-suite"),
    pytest.param("TYPED_TEST(\n  A,\n  DISABLED_B) {}\n", ["cpp.test-disabled:3"], id="over-lines"),
    pytest.param("INSTANTIATE_TEST_SUITE_P(DISABLED_X, A, Values(1));\n", ["cpp.test-disabled:1"], id="instantiation"),
    pytest.param("#define MAYBE_B DISABLED_B\nTEST(A, MAYBE_B) {}\n", ["cpp.test-disabled:1"], id="macro"),
    pytest.param("#ifdef _WIN32\n#define MAYBE_B DISABLED_B\n#endif\nTEST(A, MAYBE_B) {}\n", ["cpp.skip-platform:2"], id="macro-platform"),
    pytest.param('TEST(A, B) {\n  GTEST_SKIP() << "x";\n}\n', ["cpp.skip:2"], id="skip"),
    pytest.param("TEST(A, B) {\n#if defined(__APPLE__)\n  GTEST_SKIP();\n#endif\n}\n", ["cpp.skip-platform:3"], id="skip-platform"),
    pytest.param("TEST(A, B) {\n#if defined(__APPLE__) || 1\n  GTEST_SKIP();\n#endif\n}\n", ["cpp.skip:3"], id="platform-or-true"),
    pytest.param('TEST_CASE("a", "[.]") {}\n', ["cpp.test-disabled:1"], id="catch-hidden"),
    pytest.param('TEST_CASE("a", "[x][!mayfail]") {}\n', ["cpp.test-disabled:1"], id="catch-may-fail"),
    pytest.param('TEST_CASE("a" * doctest::skip()) {}\n', ["cpp.test-disabled:1"], id="doctest"),
    pytest.param('void T::a() {\n  QSKIP("x");\n}\n', ["cpp.skip:2"], id="qt"),
    pytest.param("void f( { int a; // NOLINT\n", ["cpp.nolint:1"], id="broken-file"),
]  # fmt: skip

INNOCENT = [
    pytest.param('const char* a = "// NOLINT #pragma GCC diagnostic ignored";\n', id="string"),
    pytest.param('const char* a = R"(\n// NOLINT\n#pragma GCC diagnostic ignored "-Wx"\n)";\n', id="raw-string"),
    pytest.param("enum S { ENABLED_A, DISABLED_B };\nint f(S s) { return g(DISABLED_B); }\n", id="enumerator"),
    pytest.param("#pragma once\n#pragma omp parallel for\n", id="other-pragmas"),
    pytest.param("/*\n#pragma GCC diagnostic ignored \"-Wx\"\n*/\n", id="comment"),
    pytest.param("void f() { in.skip(4); SKIP(token); }\n", id="skip-method"),
    pytest.param('#pragma GCC diagnostic error "-Wx"\n', id="stricter-pragma"),
    pytest.param('TEST_CASE("a", "[fast][parser]") {}\n', id="catch-tags"),
    pytest.param("int x = a * b::skip(3);\n", id="product"),
    pytest.param("bool disabled_ = false; // a disabled test is not a test\n", id="prose"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), TRICKS)
def test_trick_is_found(text: str, expected: list[str]) -> None:
    assert added("t/a_test.cc", text) == expected


@pytest.mark.parametrize("text", INNOCENT)
def test_lookalike_is_silent(text: str) -> None:
    assert added("src/a.cc", text) == []


def test_pop_that_goes_is_found() -> None:
    closed = '#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored "-Wx"\nint a;\n#pragma GCC diagnostic pop\nint b;\n'
    assert added("a.cc", closed.replace("#pragma GCC diagnostic pop\n", ""), closed) == ["comment.unclosed:2"]
