"""Ruby: tests that are gone or demand less, and the same changes where nothing is lost."""

from __future__ import annotations

import pytest

from tests.guardrails.inventory.outcome import edited, outcome

SPEC = "spec/calc_spec.rb"
SPECS = """require_relative "../lib/calc"

RSpec.describe "sum" do
  it "adds" do
    expect(sum([1, 2])).to eq(3)
  end

  it "is a number" do
    expect(sum([])).to be_a(Integer)
  end
end
"""
EXPECT = "expect(sum([1, 2])).to eq(3)"
WEAKER_SPECS = """
expect(sum([1, 2])).to be_truthy
expect(sum([1, 2])).to be > 0
expect(sum([1, 2])).not_to eq(0)
expect(sum([1, 2])).to be_an(Integer)
expect(sum([1, 2])).to be_between(0, 99)
expect(sum([1, 2])).to eq(sum([1, 2]))
expect(sum([1, 2])).to eq(4)
expect(3).to eq(3)
expect { sum([1, 2]) }.not_to raise_error
got = sum([1, 2]); expect(got).to eq(got)
expect(sum([1, 2])).to eq(3) rescue nil
return; expect(sum([1, 2])).to eq(3)
expect(sum([1, 2])).to eq(3) if ENV["FULL"]
if false then expect(sum([1, 2])).to eq(3) end
[].each { |want| expect(sum([1, 2])).to eq(want) }
allow(self).to receive(:sum).and_return(3); expect(sum([1, 2])).to eq(3)
exit 0
sum([1, 2])
# expect(sum([1, 2])).to eq(3)
"""
SAME_SPECS = """
expect(sum([1, 2])).to eql(3)
got = sum([1, 2]); expect(got).to eq 3
want = 3; expect(sum([1, 2])).to eq(want)
expect(sum([1, 2])).to be(3)
[[[1, 2], 3], [[2, 2], 4]].each { |xs, want| expect(sum(xs)).to eq(want) }
begin; expect(sum([1, 2])).to eq(3); rescue IOError; nil; end
"""
UNIT = "test/calc_test.rb"
UNITS = """require "minitest/autorun"

class CalcTest < Minitest::Test
  def test_adds
    assert_equal 3, sum([1, 2])
  end

  def test_kind
    assert_kind_of Integer, sum([])
  end
end
"""
EQUAL = "assert_equal 3, sum([1, 2])"
WEAKER_UNITS = """
assert sum([1, 2])
assert true
assert_equal 3, 3
refute_nil sum([1, 2])
assert_operator sum([1, 2]), :>, 0
assert_in_delta 3, sum([1, 2]), 2
refute_equal 0, sum([1, 2])
assert_kind_of Integer, sum([1, 2])
begin; assert_equal 3, sum([1, 2]); rescue Minitest::Assertion; end
"""
SAME_UNITS = """
assert_equal(3, sum([1, 2]), "sum")
assert sum([1, 2]) == 3
got = sum([1, 2]); assert_equal 3, got
_(sum([1, 2])).must_equal 3
"""


def lines(table: str) -> list[str]:
    return [line for line in table.splitlines() if line]


@pytest.mark.parametrize("body", lines(WEAKER_SPECS))
def test_a_weaker_example_blocks(body: str) -> None:
    assert edited(SPEC, SPECS, EXPECT, body) == "block"


@pytest.mark.parametrize("body", lines(SAME_SPECS))
def test_the_same_example_in_other_words_is_clean(body: str) -> None:
    assert edited(SPEC, SPECS, EXPECT, body) == "clean"


@pytest.mark.parametrize("body", lines(WEAKER_UNITS))
def test_a_weaker_test_method_blocks(body: str) -> None:
    assert edited(UNIT, UNITS, EQUAL, body) == "block"


@pytest.mark.parametrize("body", lines(SAME_UNITS))
def test_the_same_test_method_in_other_words_is_clean(body: str) -> None:
    assert edited(UNIT, UNITS, EQUAL, body) == "clean"


def test_a_method_under_another_name_blocks() -> None:
    assert edited(UNIT, UNITS, "def test_adds", "def adds") == "block"


def test_a_group_around_an_example_is_clean() -> None:
    wrapped = SPECS.replace('  it "adds" do', '  context "with two" do\n  it "adds" do').replace(
        "(3)\n  end\n", "(3)\n  end\n  end\n"
    )
    assert outcome({SPEC: SPECS}, {SPEC: wrapped}) == "clean"


def test_a_fake_of_what_the_subject_needs_is_clean() -> None:
    body = f"allow(store).to receive(:fetch).and_return(1)\n    {EXPECT}"
    assert edited(SPEC, SPECS, EXPECT, body) == "clean"


@pytest.mark.parametrize(
    ("setting", "wanted"),
    [
        ("config.filter_run_excluding :slow", "block"),
        ("config.exclude_pattern = 'spec/a_spec.rb'", "block"),
        ("config.filter_run_excluding :slow unless ENV['CI']", "review"),
        ("config.filter_run_when_matching :focus", "clean"),
    ],
)
def test_settings_that_leave_tests_out(setting: str, wanted: str) -> None:
    helper = "RSpec.configure do |config|\n  config.order = :random\nend\n"
    after = helper.replace("  config.order", f"  {setting}\n  config.order")
    assert outcome({"spec/spec_helper.rb": helper}, {"spec/spec_helper.rb": after}) == wanted
