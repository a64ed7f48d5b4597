"""A product file and a file of tests for each language, for repositories that have none of a usable form."""

from __future__ import annotations

from collections.abc import Mapping

_JS = {
    "selftest/total.js": (
        "export function total(rows) {\n  const sum = rows.reduce((a, b) => a + b, 0);\n  return sum;\n}\n"
    ),
    "selftest/total.test.js": (
        'import { total } from "./total";\n\ntest("adds up", () => {\n  expect(total([1, 2])).toBe(3);\n});\n'
    ),
}
SAMPLES: Mapping[str, Mapping[str, str]] = {
    "python": {
        "selftest_total.py": "def total(rows: list[int]) -> int:\n    result = sum(rows)\n    return result\n",
        "test_selftest_total.py": (
            "from selftest_total import total\n\n\ndef test_adds_up():\n    assert total([1, 2]) == 3\n"
        ),
    },
    "javascript": _JS,
    "typescript": {
        path.replace(".js", ".ts"): text.replace("(rows)", "(rows: number[])") for path, text in _JS.items()
    },
    "go": {
        "selftest/total.go": (
            "package selftest\n\nfunc Total(rows []int) int {\n\tsum := 0\n\tfor _, row := range rows {\n"
            "\t\tsum += row\n\t}\n\treturn sum\n}\n"
        ),
        "selftest/total_test.go": (
            'package selftest\n\nimport "testing"\n\nfunc TestTotal(t *testing.T) {\n\tgot := Total([]int{1, 2})\n'
            '\tif got != 3 {\n\t\tt.Errorf("got %d", got)\n\t}\n}\n'
        ),
    },
    "rust": {
        "src/selftest_total.rs": "pub fn total(rows: &[i32]) -> i32 {\n    rows.iter().sum()\n}\n",
        "tests/selftest_total.rs": (
            "use demo::total;\n\n#[test]\nfn adds_up() {\n    assert_eq!(total(&[1, 2]), 3);\n}\n"
        ),
    },
    "java": {
        "src/main/java/SelftestTotal.java": (
            "class SelftestTotal {\n    int total(int a, int b) {\n        int sum = a + b;\n"
            "        return sum;\n    }\n}\n"
        ),
        "src/test/java/SelftestTotalTest.java": (
            "import static org.junit.jupiter.api.Assertions.*;\nimport org.junit.jupiter.api.Test;\n\n"
            "class SelftestTotalTest {\n    @Test\n    void addsUp() {\n"
            "        assertEquals(3, new SelftestTotal().total(1, 2));\n    }\n}\n"
        ),
    },
    "csharp": {
        "Selftest/Total.cs": (
            "class Total\n{\n    int Sum(int a, int b)\n    {\n        var sum = a + b;\n"
            "        return sum;\n    }\n}\n"
        ),
        "Selftest.Tests/TotalTests.cs": (
            "using Xunit;\n\npublic class TotalTests\n{\n    [Fact]\n    public void AddsUp()\n    {\n"
            "        Assert.Equal(3, new Total().Sum(1, 2));\n    }\n}\n"
        ),
    },
    "ruby": {
        "lib/selftest_total.rb": "def total(rows)\n  sum = rows.sum\n  sum\nend\n",
        "spec/selftest_total_spec.rb": (
            'RSpec.describe "total" do\n  it "adds up" do\n    expect(total([1, 2])).to eq(3)\n  end\nend\n'
        ),
    },
}
