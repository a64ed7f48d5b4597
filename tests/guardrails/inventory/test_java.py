"""Java: tests that are gone or demand less, and the same changes where nothing is lost."""

from __future__ import annotations

import pytest

from tests.guardrails.inventory.outcome import edited

PATH = "src/test/java/demo/CalcTest.java"
TESTS = """package demo;

class CalcTest {
    @Test
    void adds() {
        assertEquals(3, Calc.sum(1, 2));
    }

    @Test
    void zero() {
        assertEquals(0, Calc.sum(0, 0));
    }
}
"""
WHOLE = "assertEquals(3, Calc.sum(1, 2));"
WEAKER = """
assertTrue(true);
assertNotNull(Calc.sum(1, 2));
assertTrue(Calc.sum(1, 2) > 0);
assertEquals(3, 3);
assertEquals(Calc.sum(1, 2), Calc.sum(1, 2));
assertEquals(4, Calc.sum(1, 2));
assertEquals(3, Calc.sum(1, 2), 50);
assertNotEquals(0, Calc.sum(1, 2));
assertDoesNotThrow(() -> Calc.sum(1, 2));
assertThrows(AssertionError.class, () -> assertEquals(3, Calc.sum(1, 2)));
try { assertEquals(3, Calc.sum(1, 2)); } catch (AssertionError e) { }
if (false) { assertEquals(3, Calc.sum(1, 2)); }
assertThat(Calc.sum(1, 2)).isNotNull();
assertThat(Calc.sum(1, 2)).isPositive();
Calc.sum(1, 2);
"""
SAME = """
assertEquals(3, Calc.sum(1, 2), "sum");
int got = Calc.sum(1, 2); assertEquals(3, got);
assertThat(Calc.sum(1, 2)).isEqualTo(3);
assertThat(Calc.sum(1, 2), is(3));
assertTrue(Calc.sum(1, 2) == 3);
Assertions.assertEquals(3, Calc.sum(1, 2));
assertEquals(3, Calc.sum(1, 2)); assertEquals(4, Calc.sum(2, 2));
"""


@pytest.mark.parametrize("body", [line for line in WEAKER.splitlines() if line])
def test_a_weaker_test_blocks(body: str) -> None:
    assert edited(PATH, TESTS, WHOLE, body) == "block"


@pytest.mark.parametrize("body", [line for line in SAME.splitlines() if line])
def test_the_same_test_in_other_words_is_clean(body: str) -> None:
    assert edited(PATH, TESTS, WHOLE, body) == "clean"


def test_a_test_without_its_annotation_blocks() -> None:
    assert edited(PATH, TESTS, "    @Test\n", "") == "block"


def test_a_test_with_more_annotations_is_clean() -> None:
    assert edited(PATH, TESTS, "    @Test\n", '    @Test\n    @DisplayName("adds")\n') == "clean"
