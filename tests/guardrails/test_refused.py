"""A refusal that became an answer is shown where it was, if its test went with it."""

from __future__ import annotations

import pytest

from ralph.guardrails.scan import scan
from ralph.policy.registry import load
from tests.guardrails.memory import change

GO = """package gauge

import "errors"

var ErrFull = errors.New("full")

func Fill(n int) (int, error) {
\tif n > 90 {
\t\treturn 0, ErrFull
\t}
\treturn n + 1, nil
}
"""
GO_TEST = """package gauge

import "testing"

func TestFill(t *testing.T) {
\tif got, _ := Fill(3); got != 4 {
\t\tt.Fatal(got)
\t}
}

func TestFull(t *testing.T) {
\tif _, err := Fill(91); !errors.Is(err, ErrFull) {
\t\tt.Fatal(err)
\t}
}
"""
GO_LEFT = GO_TEST.partition("\nfunc TestFull")[0]
PY = "def fill(n):\n    if n > 90:\n        raise ValueError(n)\n    return n + 1\n"
PY_TEST = (
    "import pytest\n\nfrom gauge import fill\n\n\ndef test_fill():\n    assert fill(3) == 4\n\n\n"
    "def test_full():\n    with pytest.raises(ValueError):\n        fill(91)\n"
)
PY_LEFT = PY_TEST.partition("\n\n\ndef test_full")[0] + "\n"
JAVA = """class Gauge {
  int fill(int n) {
    if (n > 90) {
      throw new IllegalArgumentException();
    }
    return n + 1;
  }
}
"""
JAVA_TEST = """class GaugeTest {
  @Test void fills() {
    assertEquals(4, new Gauge().fill(3));
  }

  @Test void full() {
    assertThrows(IllegalArgumentException.class, () -> new Gauge().fill(91));
  }
}
"""
JAVA_LEFT = JAVA_TEST.partition("\n\n  @Test void full")[0] + "\n}\n"
RUST = """pub fn fill(n: u8) -> Result<u8, String> {
    if n > 90 {
        return Err("full".into());
    }
    Ok(n + 1)
}
"""
RUST_TEST = """#[test]
fn fills() {
    assert_eq!(fill(3), Ok(4));
}

#[test]
fn full() {
    assert!(fill(91).is_err());
}
"""
RUST_LEFT = RUST_TEST.partition("\n#[test]\nfn full")[0]
RUBY = """class Gauge
  def fill(n)
    if n > 90
      raise RangeError, n
    end
    n + 1
  end
end
"""
RUBY_TEST = """RSpec.describe Gauge do
  it "fills" do
    expect(subject.fill(3)).to eq(4)
  end

  it "is full" do
    expect { subject.fill(91) }.to raise_error(RangeError)
  end
end
"""
RUBY_LEFT = RUBY_TEST.partition('\n  it "is full"')[0] + "end\n"

Files = tuple[str, str, str, str, str]
GO_FILES: Files = ("gauge/gauge.go", GO, "gauge/gauge_test.go", GO_TEST, GO_LEFT)
PY_FILES: Files = ("gauge.py", PY, "tests/test_gauge.py", PY_TEST, PY_LEFT)
JAVA_FILES: Files = ("src/main/java/Gauge.java", JAVA, "src/test/java/GaugeTest.java", JAVA_TEST, JAVA_LEFT)
RUST_FILES: Files = ("src/lib.rs", RUST, "tests/fill.rs", RUST_TEST, RUST_LEFT)
RUBY_FILES: Files = ("lib/gauge.rb", RUBY, "spec/gauge_spec.rb", RUBY_TEST, RUBY_LEFT)


def blocked(files: Files, old: str, new: str, *, left: str | None = None) -> bool:
    path, before, tests, test, rest = files
    assert old in before
    after = {path: before.replace(old, new), tests: rest if left is None else left}
    found = scan(change({path: before, tests: test}, after), load("v2"))
    return any(each.path == path and each.severity == "block" for each in found)


@pytest.mark.parametrize(
    ("files", "old", "new"),
    [
        (GO_FILES, "return 0, ErrFull", "return 0, nil"),
        (GO_FILES, "return 0, ErrFull", "return 0, nil // for now"),
        (GO_FILES, "return 0, ErrFull", "return -1, nil"),
        (PY_FILES, "raise ValueError(n)", "return 0"),
        (PY_FILES, "raise ValueError(n)", "return None"),
        (PY_FILES, "raise ValueError(n)", "pass"),
        (JAVA_FILES, "throw new IllegalArgumentException();", "return 0;"),
        (RUST_FILES, 'return Err("full".into());', "return Ok(0);"),
        (RUBY_FILES, "raise RangeError, n", "return 0"),
    ],
)
def test_a_refusal_that_became_an_answer_is_shown_in_the_product(files: Files, old: str, new: str) -> None:
    assert blocked(files, old, new)


@pytest.mark.parametrize(
    ("files", "old", "new", "left"),
    [
        pytest.param(GO_FILES, "return 0, ErrFull", "return 0, nil", GO_TEST, id="its test is still there"),
        pytest.param(
            GO_FILES,
            "return 0, ErrFull",
            "return 0, nil",
            GO_TEST.replace("!errors.Is(err, ErrFull)", "err != nil"),
            id="its test wants the answer now",
        ),
        pytest.param(
            GO_FILES, "return 0, ErrFull", 'return 0, fmt.Errorf("%d: %w", n, ErrFull)', None, id="it says more"
        ),
        pytest.param(PY_FILES, "raise ValueError(n)", "raise OverflowError(n)", None, id="it is another refusal"),
        pytest.param(PY_FILES, "raise ValueError(n)", "return clamped(n)", None, id="something is computed"),
        pytest.param(
            PY_FILES,
            "raise ValueError(n)",
            "return 0",
            PY_TEST.replace("    with pytest.raises(ValueError):\n        fill(91)", "    assert fill(91) == 0"),
            id="its test wants the answer in Python",
        ),
    ],
)
def test_what_is_decided_and_tested_is_none(files: Files, old: str, new: str, left: str | None) -> None:
    assert not blocked(files, old, new, left=left)


def test_an_error_that_is_given_up_is_for_a_person() -> None:
    whole = GO.replace('var ErrFull = errors.New("full")\n\n', "").replace("return 0, ErrFull", "return 0, nil")
    path, before, tests, test, rest = GO_FILES
    found = scan(change({path: before, tests: test}, {path: whole, tests: rest}), load("v2"))
    assert [each.severity for each in found if each.path == path] == ["review"]
