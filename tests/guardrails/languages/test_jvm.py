"""Java and Kotlin: annotations, comments, assumptions, Kotest's names, escapes."""

from __future__ import annotations

import pytest

from tests.guardrails.languages.judge import added

JAVA = [
    pytest.param("@SuppressWarnings(\"unchecked\") class A {}\n", ["jvm.suppress:1"], id="suppress"),
    pytest.param("@java.lang.SuppressWarnings(value = {\"a\", \"b\"})\nclass A {}\n", ["jvm.suppress:1"], id="qualified"),
    pytest.param("class A { void f() { @SuppressWarnings(\"x\") int a = 1; } }\n", ["jvm.suppress:1"], id="local-variable"),
    pytest.param("@\nSuppressWarnings\n(ALL)\nclass A {}\n", ["jvm.suppress:1"], id="over-lines-and-constant"),
    pytest.param("@SuppressFBWarnings(\"NP\")\nclass A {}\n", ["jvm.suppress:1"], id="spotbugs"),
    pytest.param("class A { int a; // NOSONAR\n}\n", ["comment.nosonar:1"], id="nosonar"),
    pytest.param("class A { int a; /* later NOPMD */\n}\n", ["jvm.nopmd:1"], id="nopmd-anywhere"),
    pytest.param("// CHECKSTYLE:OFF\nclass A {}\n", ["comment.unclosed:1", "jvm.checkstyle-off:1"], id="checkstyle"),
    pytest.param("// CHECKSTYLE.OFF: MagicNumber\nclass A {}\n// CHECKSTYLE.ON: MagicNumber\n", ["jvm.checkstyle-off:1"], id="checkstyle-closed"),
    pytest.param("// SUPPRESS CHECKSTYLE MagicNumber\nclass A {}\n", ["jvm.checkstyle-off:1"], id="checkstyle-nearby"),
    pytest.param("//noinspection unchecked\nclass A {}\n", ["comment.noinspection:1"], id="noinspection"),
    pytest.param("class A { @Test @Disabled void f() {} }\n", ["jvm.skip:1"], id="disabled"),
    pytest.param("class A { @org.junit.jupiter.api.Disabled(\"x\") @Test void f() {} }\n", ["jvm.skip:1"], id="disabled-qualified"),
    pytest.param("@Disabled\nclass ATest {}\n", ["jvm.skip:1"], id="class-disabled"),
    pytest.param("@Disabled\n@Retention(RUNTIME)\n@interface Later {}\n", ["jvm.skip:1"], id="composed-annotation"),
    pytest.param("class A { @Test(enabled = false) void f() {} }\n", ["jvm.test-disabled:1"], id="testng"),
    pytest.param("class A { @Test(priority = 1, enabled = OFF) void f() {} }\n", ["jvm.test-disabled:1"], id="testng-constant"),
    pytest.param("class A { @EnabledIf(\"never\") @Test void f() {} }\n", ["jvm.skip:1"], id="enabled-if"),
    pytest.param("class A { @DisabledIfEnvironmentVariable(named = \"CI\", matches = \".*\") void f() {} }\n", ["jvm.skip:1"], id="disabled-in-ci"),
    pytest.param("class A { @EnabledIfSystemProperty(named = \"os.name\", matches = \"Linux\") void f() {} }\n", ["jvm.skip-platform:1"], id="os-property"),
    pytest.param("class A { @EnabledIfSystemProperty(named = \"slow\", matches = \"1\") void f() {} }\n", ["jvm.skip:1"], id="own-property"),
    pytest.param("class A { @EnabledOnOs(OS.LINUX) @Test void f() {} }\n", ["jvm.skip-platform:1"], id="enabled-on-os"),
    pytest.param("class A { @Test void f() { assumeTrue(false); } }\n", ["jvm.skip:1"], id="assume-static-import"),
    pytest.param("class A { @Test void f() { Assume.assumeThat(1, is(2)); } }\n", ["jvm.skip:1"], id="assume-that"),
    pytest.param("class A { @Test void f() { Assumptions.abort(); } }\n", ["jvm.skip:1"], id="abort"),
    pytest.param("class A { @Test void f() { assumeTrue(System.getenv(\"X\") != null); } }\n", ["jvm.skip:1"], id="assume-variable"),
    pytest.param("class A { @Test void f() { assumeTrue(OS.LINUX.isCurrentOs()); } }\n", ["jvm.skip-platform:1"], id="assume-os"),
    pytest.param("class A { @Test void f() { throw new SkipException(\"x\"); } }\n", ["jvm.skip:1"], id="skip-exception"),
    pytest.param("class A { @ExcludeFromJacocoGeneratedReport void f() {} }\n", ["jvm.coverage-excluded:1"], id="jacoco"),
    pytest.param("@lombok.Generated\nclass A {}\n", ["jvm.coverage-excluded:1"], id="generated-bare"),
    pytest.param("@Generated(\"tool\")\nclass A {}\n", ["jvm.generated:1"], id="generated-by"),
    pytest.param("class A { \\u0040Disabled @Test void f() {} }\n", ["jvm.unicode-escape:1"], id="escaped-mark"),
    pytest.param("class A { @Dis\\u0061bled void f() {} }\n", ["jvm.unicode-escape:1"], id="escaped-letter"),
    pytest.param("class A { // \\u000a @Disabled\n}\n", ["jvm.unicode-escape:1"], id="escaped-line-end"),
    pytest.param("class A { void f( { int a = ; // NOSONAR\n", ["comment.nosonar:1"], id="broken-file"),
]  # fmt: skip

KOTLIN = [
    pytest.param("@Suppress(\"UNCHECKED_CAST\")\nfun f() = 1\n", ["jvm.suppress:1"], id="suppress"),
    pytest.param("@file:Suppress(\"ALL\")\n\n@Suppress(\"x\")\nfun f() = 1\n", ["jvm.suppress-file:1", "jvm.suppress:3"], id="file-and-member"),
    pytest.param("@get:Suppress(\"x\")\nval a = 1\n", ["jvm.suppress:1"], id="use-site"),
    pytest.param("class A {\n    @[Test Disabled]\n    fun f() = 1\n}\n", ["jvm.skip:2"], id="list"),
    pytest.param("@[Suppress(\"a\") JvmStatic]\nfun f() = 1\n", ["jvm.suppress:1"], id="list-with-arguments"),
    pytest.param("import org.junit.jupiter.api.Disabled as Later\nclass A {\n    @Later\n    fun f() = 1\n}\n", ["jvm.skip:3"], id="alias"),
    pytest.param("class A {\n    @`Disabled`\n    fun f() = 1\n}\n", ["jvm.skip:2"], id="backticks"),
    pytest.param("class A {\n    @kotlin.test.Ignore\n    fun f() = 1\n}\n", ["jvm.skip:2"], id="kotlin-test"),
    pytest.param("class S : FunSpec({ xtest(\"a\") { } })\n", ["jvm.skip:1"], id="xtest"),
    pytest.param("class S : FunSpec({ test(\"!a\") { } })\n", ["jvm.skip:1"], id="bang-argument"),
    pytest.param("class S : FunSpec({ test(\"a\").config(enabled = false) { } })\n", ["jvm.skip:1"], id="config"),
    pytest.param("class S : FunSpec({ test(\"a\").config(enabledIf = { false }) { } })\n", ["jvm.skip:1"], id="config-if"),
    pytest.param("class S : FreeSpec({ \"!a\" - { \"b\" { } } })\n", ["jvm.skip:1"], id="bang-container"),
    pytest.param("class S : StringSpec({ \"f:a\" { } })\n", ["jvm.focus:1"], id="focus"),
    pytest.param("class S : DescribeSpec({ fdescribe(\"a\") { } })\n", ["jvm.focus:1"], id="fdescribe"),
    pytest.param("class S { fun f() { val a = \"${assumeTrue(false)}\" } }\n", ["jvm.skip:1"], id="inside-template"),
    pytest.param("class S { fun f() { val q = ::assumeTrue; q(false) } }\n", ["jvm.skip:1"], id="reference"),
    pytest.param("// ktlint-disable no-wildcard-imports\nimport a.*\n", ["comment.unclosed:1", "jvm.ktlint-disable:1"], id="ktlint"),
]  # fmt: skip

JAVA_INNOCENT = [
    pytest.param("import androidx.room.Ignore;\nclass A { @Ignore int a; }\n", id="room-ignore"),
    pytest.param("class A { @JsonIgnore int a; @JsonIgnoreProperties({\"x\"}) int b; }\n", id="json-ignore"),
    pytest.param("class A { /** @see Disabled and @SuppressWarnings */ void f() {} }\n", id="javadoc"),
    pytest.param("class A { String a = \"\"\"\n  @Disabled\n  // NOSONAR\n  \"\"\"; }\n", id="text-block"),
    pytest.param("class A { void f() { in.skip(4); list.stream().skip(2); } }\n", id="skip-method"),
    pytest.param("class A { boolean enabled = false; void set(boolean disabled) {} }\n", id="fields"),
    pytest.param("class A { void assume(int x) {} void g() { assume(3); } }\n", id="own-assume"),
    pytest.param("class A { void f() { job.abort(); } }\n", id="abort"),
    pytest.param("class A { @Test(enabled = true) void f() {} }\n", id="enabled-true"),
    pytest.param("class A { String a = \"\\u0041\\u00e9\"; // caf\\u00e9\n}\n", id="escapes-in-text"),
    pytest.param("import javax.annotation.processing.Generated;\n@Generated(\"protoc\") class A {}\n", id="generator"),
    pytest.param("class A { @Override @Deprecated void f() {} }\n", id="other-annotations"),
]  # fmt: skip

KOTLIN_INNOCENT = [
    pytest.param("val a = \"!important\"\nval b = mapOf(\"!x\" to 1)\n", id="texts"),
    pytest.param("fun f() { check(\"!x\") { } }\n", id="text-argument"),
    pytest.param("fun f() { model.fit(\"x\") { } }\n", id="fit-with-receiver"),
    pytest.param("class S : StringSpec({ \"adds\" { } })\n", id="kotest"),
    pytest.param("fun f() = server.config(enabled)\nval enabled = false\n", id="enabled"),
    pytest.param("/* @Disabled */ fun f() = 1 // @Suppress is not needed\n", id="comments"),
    pytest.param("val a = \"\"\"\n@Suppress(\"x\")\n// NOSONAR\n\"\"\"\n", id="raw-string"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), JAVA)
def test_java_trick_is_found(text: str, expected: list[str]) -> None:
    assert added("src/test/java/A.java", text) == expected


@pytest.mark.parametrize(("text", "expected"), KOTLIN)
def test_kotlin_trick_is_found(text: str, expected: list[str]) -> None:
    assert added("src/test/kotlin/A.kt", text) == expected


@pytest.mark.parametrize("text", JAVA_INNOCENT)
def test_java_lookalike_is_silent(text: str) -> None:
    assert added("src/main/java/A.java", text) == []


@pytest.mark.parametrize("text", KOTLIN_INNOCENT)
def test_kotlin_lookalike_is_silent(text: str) -> None:
    assert added("src/main/kotlin/A.kt", text) == []


def test_list_of_warnings_may_shrink_but_not_grow() -> None:
    two, one = '@SuppressWarnings({"a", "b"})\nclass A {}\n', '@SuppressWarnings("a")\nclass A {}\n'
    assert added("A.java", one, two) == []
    assert added("A.java", two, one) == ["jvm.suppress:1"]
    assert added("A.java", '@SuppressWarnings("all")\nclass A {}\n', one) == ["jvm.suppress:1"]
