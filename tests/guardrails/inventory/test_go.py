"""Go: tests that are gone or demand less, and the same changes where nothing is lost."""

from __future__ import annotations

import pytest

from tests.guardrails.inventory.outcome import edited, outcome, rules

PATH = "calc_test.go"
TESTS = """package demo

import "testing"

func TestSum(t *testing.T) {
	if got := Sum([]int{1, 2}); got != 3 {
		t.Errorf("got %d", got)
	}
}

func TestTable(t *testing.T) {
	for _, tc := range []struct{ in, want int }{{1, 1}, {2, 4}, {3, 9}} {
		if got := Square(tc.in); got != tc.want {
			t.Errorf("got %d", got)
		}
	}
}
"""
WHOLE = """	if got := Sum([]int{1, 2}); got != 3 {
		t.Errorf("got %d", got)
	}
"""
WEAKER = """
	if got := Sum([]int{1, 2}); got < 0 { t.Errorf("got %d", got) }
	if got := Sum([]int{1, 2}); got != got { t.Error(got) }
	if got := Sum([]int{1, 2}); got != 3 { t.Logf("got %d", got) }
	if got := Sum([]int{1, 2}); got != 3 && got != 4 { t.Error(got) }
	if Sum([]int{1, 2}) != Sum([]int{1, 2}) { t.Error() }
	_ = Sum([]int{1, 2})
	if got := Sum([]int{1, 2}); got != 4 { t.Errorf("got %d", got) }
	return; if got := Sum([]int{1, 2}); got != 3 { t.Error(got) }
	if false { if got := Sum([]int{1, 2}); got != 3 { t.Error(got) } }
	if os.Getenv("X") != "" { if got := Sum([]int{1, 2}); got != 3 { t.Error(got) } }
	assert.NotNil(t, Sum([]int{1, 2}))
	assert.True(t, true)
	assert.Greater(t, Sum([]int{1, 2}), 0)
	assert.InDelta(t, 3, Sum([]int{1, 2}), 50)
	assert.Equal(t, 3, 3)
	Expect(Sum([]int{1, 2})).NotTo(BeNil())
	for _, want := range []int{} { if got := Sum([]int{1, 2}); got != want { t.Error(got) } }
"""
SAME = """
	got := Sum([]int{1, 2}); if got != 3 { t.Fatalf("Sum = %d", got) }
	want := 3; if got := Sum([]int{1, 2}); got != want { t.Errorf("got %d", got) }
	if 3 != Sum([]int{1, 2}) { t.Error() }
	assert.Equal(t, 3, Sum([]int{1, 2}))
	require.Equalf(t, 3, Sum([]int{1, 2}), "sum")
	if !reflect.DeepEqual(Sum([]int{1, 2}), 3) { t.Error() }
	t.Run("two", func(t *testing.T) { if got := Sum([]int{1, 2}); got != 3 { t.Error(got) } })
	Expect(Sum([]int{1, 2})).To(Equal(3))
	if got := Sum([]int{1, 2}); got == 3 { return } else { t.Error(got) }
"""


@pytest.mark.parametrize("body", [line for line in WEAKER.splitlines() if line])
def test_a_weaker_test_blocks(body: str) -> None:
    assert edited(PATH, TESTS, WHOLE, body + "\n") == "block"


@pytest.mark.parametrize("body", [line for line in SAME.splitlines() if line])
def test_the_same_test_in_other_words_is_clean(body: str) -> None:
    assert edited(PATH, TESTS, WHOLE, body + "\n") == "clean"


@pytest.mark.parametrize("rest", ["{{1, 1}, {2, 4}}", "{{1, 1}}", "{}"])
def test_fewer_rows_block(rest: str) -> None:
    assert edited(PATH, TESTS, "{{1, 1}, {2, 4}, {3, 9}}", rest) == "block"


def test_more_rows_are_clean() -> None:
    assert edited(PATH, TESTS, "{{1, 1}, {2, 4}, {3, 9}}", "{{1, 1}, {2, 4}, {3, 9}, {4, 16}}") == "clean"


def test_another_wanted_value_of_a_row_blocks() -> None:
    assert edited(PATH, TESTS, "{3, 9}", "{3, 8}") == "block"


@pytest.mark.parametrize(
    "path",
    ["calc_windows_test.go", "calc_plan9_arm64_test.go", "testdata/calc_test.go", "_old/calc_test.go", "calc.go.bak"],
)
def test_a_place_where_nothing_runs_blocks(path: str) -> None:
    assert outcome({PATH: TESTS}, {path: TESTS}) == "block"


@pytest.mark.parametrize("path", ["sum_test.go", "sub/calc_test.go", "calc_linux_test.go"])
def test_a_move_is_clean(path: str) -> None:
    assert outcome({PATH: TESTS}, {path: TESTS}) == "clean"


@pytest.mark.parametrize("constraint", ["ignore", "slow", "windows", "linux && slow", "!linux", "(darwin || plan9)"])
def test_a_constraint_that_never_holds_blocks(constraint: str) -> None:
    assert outcome({PATH: TESTS}, {PATH: f"//go:build {constraint}\n\n{TESTS}"}) == "block"


@pytest.mark.parametrize("constraint", ["linux || slow", "!windows", "go1.21", "!(windows || plan9)", "!race"])
def test_a_constraint_that_holds_is_clean(constraint: str) -> None:
    assert outcome({PATH: TESTS}, {PATH: f"//go:build {constraint}\n\n{TESTS}"}) == "clean"


def test_a_helper_that_takes_the_assertion_is_clean() -> None:
    helper = "\nfunc same(t *testing.T, got, want int) {\n\tif got != want {\n\t\tt.Error(got)\n\t}\n}\n"
    after = TESTS.replace(WHOLE, "	same(t, Sum([]int{1, 2}), 3)\n") + helper
    assert outcome({PATH: TESTS}, {PATH: after}) == "clean"


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("m.Run()\n\tos.Exit(0)", "block"),
        ("defer os.Exit(0)\n\tm.Run()", "block"),
        ("setUp()", "block"),
        ("os.Exit(m.Run())", "clean"),
        ("m.Run()", "clean"),
        ("goleak.VerifyTestMain(m)", "clean"),
        ('if os.Getenv("CHILD") == "1" {\n\t\tos.Exit(0)\n\t}\n\tos.Exit(m.Run())', "review"),
    ],
)
def test_main(body: str, wanted: str) -> None:
    main = f'package demo\n\nimport "os"\n\nfunc TestMain(m *testing.M) {{\n\t{body}\n}}\n'
    assert outcome({}, {"main_test.go": main}) == wanted


@pytest.mark.parametrize(
    ("body", "rule"), [('panic("TODO")', "code.stubbed"), ('panic("negative amount")', None), ("return n * 3", None)]
)
def test_a_stub(body: str, rule: str | None) -> None:
    code = "package demo\n\nfunc Pay(n int) int {\n\treturn n * 2\n}\n"
    found = rules({"pay.go": code}, {"pay.go": code.replace("return n * 2", body)})
    assert found == ({rule} if rule else set())
