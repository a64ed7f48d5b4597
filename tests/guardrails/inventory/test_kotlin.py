"""The tests of a Kotlin file: what counts as one, what it demands, and that nothing upsets the reader."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ralph.guardrails.inventory.model import Facts, Grade, Inventory
from ralph.guardrails.inventory.readers import Side
from ralph.guardrails.jvm.kotlin_inventory import collect
from ralph.guardrails.source import Source

PATH = "src/test/kotlin/PayTest.kt"
NONE = Side(lambda path: None, frozenset)


def inventory(text: str) -> Inventory:
    return collect(Source(PATH, "kotlin", text.encode()), NONE)


def facts(body: str) -> Facts:
    [test] = inventory(f"class PayTest {{\n    @Test\n    fun pays() {{\n{body}\n    }}\n}}\n").tests
    return test.facts()


NAMES = {
    "class A { @Test fun adds() { } }": ["A > adds"],
    "class A { @ParameterizedTest @ValueSource(ints = [1]) fun `adds up`(n: Int) { } }": ["A > `adds up`"],
    "class A {\n@Nested\ninner class B {\n@Test\nfun adds() = eq()\n}\n}": ["A > B > adds"],
    'class A : StringSpec({ "adds" { x() } })': ["A > adds"],
    'class A : StringSpec({ "!adds" { x() }; "f:pays" { x() } })': ["A > adds", "A > pays"],
    'class A : FunSpec({ context("sum") { test("adds") { x() } } })': ["A > sum > adds"],
    'class A : FunSpec({ xtest("adds").config(retries = 2) { x() } })': ["A > adds"],
    'class A : DescribeSpec() { init { describe("sum") { it("adds") { x() } } } }': ["A > sum > adds"],
    'class A : FreeSpec({ "sum" - { "adds" { x() } } })': ["A > sum > adds"],
    'class A : WordSpec({ "sum" should { "add" { x() } } })': ["A > sum > add"],
    "class A { fun adds() { list.forEach { it.pay() } } }": [],
}


@pytest.mark.parametrize(("text", "names"), NAMES.items(), ids=NAMES)
def test_what_is_a_test(text: str, names: list[str]) -> None:
    assert [test.name for test in inventory(text + "\n").tests] == names


GRADES = {
    "assertEquals(3, pay(1))": Grade.EXACT,
    "pay(1) shouldBe 3": Grade.EXACT,
    "pay(1).shouldBe(3)": Grade.EXACT,
    "assertThat(pay(1)).isEqualTo(3)": Grade.EXACT,
    "assertFailsWith<IllegalStateException> { pay(0) }": Grade.CLOSE,
    "assertThrows(IllegalStateException::class.java) { pay(0) }": Grade.CLOSE,
    "pay(1) shouldBe true": Grade.CLOSE,
    "names() shouldHaveSize 3": Grade.SHAPE,
    "assertTrue(pay(1) > 0)": Grade.SHAPE,
    "pay(1) shouldNotBe null": Grade.EXISTS,
    "assertNotNull(pay(1))": Grade.EXISTS,
    "assertFails { pay(0) }": Grade.EXISTS,
    "shouldThrowAny { pay(0) }": Grade.EXISTS,
    "if (slow()) { assertEquals(3, pay(1)) }": Grade.EXISTS,
    'if (System.getenv("CI") != null) return\nassertEquals(3, pay(1))': Grade.EXISTS,
    "assertTrue(true)": Grade.NOTHING,
    "3 shouldBe 3": Grade.NOTHING,
    "val got = pay(1)\nassertEquals(got, got)": Grade.NOTHING,
    "return\nassertEquals(3, pay(1))": Grade.NOTHING,
    "runCatching { assertEquals(3, pay(1)) }": Grade.NOTHING,
    "try { assertEquals(3, pay(1)) } catch (e: AssertionError) { }": Grade.NOTHING,
    "if (true) return\nassertEquals(3, pay(1))": Grade.NOTHING,
}


@pytest.mark.parametrize(("body", "grade"), GRADES.items(), ids=GRADES)
def test_what_an_assertion_demands(body: str, grade: Grade) -> None:
    assert max(check.grade for check in facts(body).checks) is grade


def test_a_caught_failure_that_is_thrown_again_counts() -> None:
    again = "runCatching { assertEquals(3, pay(1)) }.getOrThrow()"
    assert max(check.grade for check in facts(again).checks) is Grade.EXACT


def test_a_private_test_and_one_without_its_annotation_are_only_remains() -> None:
    found = inventory("class A { @Test private fun a() { } \n fun b() { assertEquals(3, pay(1)) } }\n")
    assert found.tests == ()
    assert [ghost.name for ghost in found.ghosts] == ["a", "b"]


def test_repetitions_and_doubles() -> None:
    [test] = inventory('class A : FunSpec({ test("a").config(retries = 2) { pay(1) shouldBe 3 } })\n').tests
    assert test.facts().retries == 2
    doubled = facts("val box = mockk<Box>()\nevery { box.sum(1) } returns 3\nassertEquals(3, box.sum(1))")
    assert len(doubled.faked) == 1
    beside = facts("val rates = mockk<Rates>()\nevery { rates.of(1) } returns 3\nassertEquals(3, Box(rates).sum(1))")
    assert beside.faked == ()


PARTS = '@Test fun class A test it " ( ) { } . , = shouldBe assertEquals <E> every mockk return if ! 3 val x : -'
WORDS = PARTS.split()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=40))
def test_any_words_can_be_read(words: list[str]) -> None:
    for test in inventory(" ".join(words)).tests:
        test.facts()
