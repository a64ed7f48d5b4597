"""C#: tests that are gone or demand less, and the same changes where nothing is lost."""

from __future__ import annotations

import pytest

from tests.guardrails.inventory.outcome import edited

PATH = "tests/CalcTests.cs"
TESTS = """using Xunit;

public class CalcTests
{
    [Fact]
    public void Adds()
    {
        Assert.Equal(3, Calc.Sum(1, 2));
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(1, 2)]
    public void Doubles(int given, int wanted)
    {
        Assert.Equal(wanted, Calc.Twice(given));
    }
}
"""
WHOLE = "Assert.Equal(3, Calc.Sum(1, 2));"
WEAKER = """
Assert.NotNull((object)Calc.Sum(1, 2));
Assert.InRange(Calc.Sum(1, 2), 0, 99);
Assert.True(true);
Assert.True(Calc.Sum(1, 2) > 0);
Assert.Equal(3, 3);
Assert.Equal(4, Calc.Sum(1, 2));
Assert.NotEqual(0, Calc.Sum(1, 2));
Assert.ThrowsAny<Exception>(() => Assert.Equal(3, Calc.Sum(1, 2)));
try { Assert.Equal(3, Calc.Sum(1, 2)); } catch (Exception) { }
if (false) { Assert.Equal(3, Calc.Sum(1, 2)); }
return; Assert.Equal(3, Calc.Sum(1, 2));
Calc.Sum(1, 2).Should().BePositive();
Environment.Exit(0);
Calc.Sum(1, 2);
"""
SAME = """
var got = Calc.Sum(1, 2); Assert.Equal(3, got);
Assert.AreEqual(3, Calc.Sum(1, 2));
Assert.That(Calc.Sum(1, 2), Is.EqualTo(3));
Calc.Sum(1, 2).Should().Be(3);
Assert.True(Calc.Sum(1, 2) == 3);
"""


@pytest.mark.parametrize("body", [line for line in WEAKER.splitlines() if line])
def test_a_weaker_test_blocks(body: str) -> None:
    assert edited(PATH, TESTS, WHOLE, body) == "block"


@pytest.mark.parametrize("body", [line for line in SAME.splitlines() if line])
def test_the_same_test_in_other_words_is_clean(body: str) -> None:
    assert edited(PATH, TESTS, WHOLE, body) == "clean"


@pytest.mark.parametrize("gone", ["    [Fact]\n", "    [InlineData(1, 2)]\n"])
def test_an_attribute_that_is_gone_blocks(gone: str) -> None:
    assert edited(PATH, TESTS, gone, "") == "block"


def test_another_row_is_clean() -> None:
    assert (
        edited(PATH, TESTS, "    [InlineData(1, 2)]\n", "    [InlineData(1, 2)]\n    [InlineData(2, 4)]\n") == "clean"
    )
