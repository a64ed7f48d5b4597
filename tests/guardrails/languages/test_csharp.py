"""C#: pragmas, attributes, skip calls."""

from __future__ import annotations

import pytest

from tests.guardrails.languages.judge import added

TRICKS = [
    pytest.param("#pragma warning disable\nclass A {}\n", ["comment.unclosed:1", "csharp.pragma-disable:1"], id="pragma"),
    pytest.param("  #  pragma   warning  disable CS1, CA2 // why\nclass A {}\n", ["comment.unclosed:1", "csharp.pragma-disable:1"], id="blanks"),
    pytest.param("#pragma warning disable CS1\nclass A {}\n#pragma warning restore CS1\n", ["csharp.pragma-disable:1"], id="restored"),
    pytest.param("#pragma warning disable CS1, CS2\nclass A {}\n#pragma warning restore CS1\n", ["comment.unclosed:1", "csharp.pragma-disable:1"], id="partly-restored"),
    pytest.param("class A\n{\n    void F()\n    {\n#pragma warning disable CS1\n        G();\n#pragma warning restore\n    }\n}\n", ["csharp.pragma-disable:5"], id="inside-method"),
    pytest.param("#nullable disable\nclass A {}\n", ["comment.unclosed:1", "csharp.nullable-disable:1"], id="nullable"),
    pytest.param("#nullable disable warnings\nclass A {}\n#nullable restore\n", ["csharp.nullable-disable:1"], id="nullable-restored"),
    pytest.param("[SuppressMessage(\"a\", \"CA1:x\")]\nclass A {}\n", ["csharp.suppress-message:1"], id="suppress"),
    pytest.param("[module: SuppressMessage(\"a\", \"CA1\", Scope = \"module\")]\n", ["csharp.suppress-message:1"], id="module"),
    pytest.param("// ReSharper disable All\nclass A {}\n", ["comment.unclosed:1", "csharp.resharper-disable:1"], id="resharper"),
    pytest.param("// ReSharper disable once UnusedMember\nclass A {}\n", ["csharp.resharper-disable:1"], id="resharper-once"),
    pytest.param("class A { int a; } // NOSONAR\n", ["comment.nosonar:1"], id="nosonar"),
    pytest.param("class A { [Fact(Skip = \"x\")] void F() {} }\n", ["csharp.skip:1"], id="skip"),
    pytest.param("class A { [Xunit.Theory(DisplayName = \"a\", Skip = Later)] void F() {} }\n", ["csharp.skip:1"], id="skip-constant"),
    pytest.param("class A { [Theory] [InlineData(1, Skip = \"x\")] void F(int a) {} }\n", ["csharp.skip:1"], id="data-row"),
    pytest.param("class A { [TestCase(1, Ignore = \"x\")] void F(int a) {} }\n", ["csharp.skip:1"], id="test-case"),
    pytest.param("class A { [Test, Ignore(\"x\")] void F() {} }\n", ["csharp.skip:1"], id="ignore-in-list"),
    pytest.param("[IgnoreAttribute]\nclass A {}\n", ["csharp.skip:1"], id="long-name"),
    pytest.param("[global::NUnit.Framework.Explicit]\nclass A {}\n", ["csharp.skip:1"], id="global-name"),
    pytest.param("using Later = NUnit.Framework.IgnoreAttribute;\n[Later(\"x\")]\nclass A {}\n", ["csharp.skip:2"], id="alias"),
    pytest.param("[\\u0049gnore]\nclass A {}\n", ["csharp.skip:1"], id="escape"),
    pytest.param("class A { [Fact(SkipWhen = nameof(Yes), Skip = \"x\")] void F() {}\n static bool Yes => true; }\n", ["csharp.skip:1"], id="constant-condition"),
    pytest.param("class A { void F() { Assert.Ignore(\"x\"); } }\n", ["csharp.skip:1"], id="assert-ignore"),
    pytest.param("class A { void F() { Xunit.Assert.Skip(\"x\"); } }\n", ["csharp.skip:1"], id="assert-skip"),
    pytest.param("class A { void F() { Skip.If(true); } }\n", ["csharp.skip:1"], id="skip-if"),
    pytest.param("class A { void F() { throw new IgnoreException(\"x\"); } }\n", ["csharp.skip:1"], id="exception"),
    pytest.param("class A { void F() { Skip.If(RuntimeInformation.IsOSPlatform(OSPlatform.Windows)); } }\n", ["csharp.skip-platform:1"], id="platform-call"),
    pytest.param("class A { void F() { if (OperatingSystem.IsWindows()) { Assert.Ignore(\"x\"); } } }\n", ["csharp.skip-platform:1"], id="platform-if"),
    pytest.param("class A { [Test, Platform(Exclude = \"Linux\")] void F() {} }\n", ["csharp.skip-platform:1"], id="platform-attribute"),
    pytest.param("[ExcludeFromCodeCoverage(Justification = \"x\")]\nclass A {}\n", ["csharp.coverage-excluded:1"], id="coverage"),
    pytest.param("class A { void F( { ] ;\n#pragma warning disable\n", ["comment.unclosed:2", "csharp.pragma-disable:2"], id="broken-file"),
]  # fmt: skip

INNOCENT = [
    pytest.param("var a = \"\"\"\n    #pragma warning disable\n    [Ignore]\n    \"\"\";\n", id="raw-string"),
    pytest.param("var a = @\"\n#pragma warning disable\n\";\n", id="verbatim-string"),
    pytest.param("/*\n#pragma warning disable\n[Ignore]\n*/\nclass A {}\n", id="comment"),
    pytest.param("class A { [JsonIgnore] int a; [IgnoreDataMember] int b; }\n", id="json-ignore"),
    pytest.param("class A { [Fact(Skip = null)] void F() {} }\n", id="skip-null"),
    pytest.param("class A { void F() { var q = items.Skip(3).Take(2); reader.Skip(); } }\n", id="linq"),
    pytest.param("#pragma warning restore CS1\n#nullable enable\nclass A {}\n", id="stricter"),
    pytest.param("class A { [Page(Skip = 3)] void F() {} }\n", id="other-attribute"),
    pytest.param("[SupportedOSPlatform(\"windows\")]\nclass A {}\n", id="platform-contract"),
    pytest.param("#region pragma warning disable\nclass A {}\n#endregion\n", id="region-name"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), TRICKS)
def test_trick_is_found(text: str, expected: list[str]) -> None:
    assert added("tests/A.cs", text) == expected


@pytest.mark.parametrize("text", INNOCENT)
def test_lookalike_is_silent(text: str) -> None:
    assert added("src/A.cs", text) == []


def test_restore_that_goes_is_found() -> None:
    closed = "#pragma warning disable CS1\nF();\n#pragma warning restore CS1\nG();\n"
    assert added("A.cs", closed.replace("#pragma warning restore CS1\n", ""), closed) == ["comment.unclosed:1"]
