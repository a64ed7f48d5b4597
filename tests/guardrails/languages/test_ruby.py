"""Ruby: directives, RSpec and Minitest, SimpleCov."""

from __future__ import annotations

import pytest

from tests.guardrails.languages.judge import added


def spec(body: str) -> str:
    return f'RSpec.describe "a" do\n{body}\nend\n'


DIRECTIVES = [
    pytest.param("x = 1 # rubocop:disable Lint/UselessAssignment\n", ["ruby.rubocop-disable:1"], id="line"),
    pytest.param("# rubocop:disable all\nx = 1\n", ["comment.unclosed:1", "ruby.rubocop-disable:1"], id="file"),
    pytest.param("#rubocop : todo Style/A, Lint/B -- later\nx = 1\n# rubocop:enable Style/A, Lint/B\n", ["ruby.rubocop-disable:1"], id="closed"),
    pytest.param("x = 1 # why not # rubocop:disable Style/A\n", ["ruby.rubocop-disable:1"], id="behind-prose"),
    pytest.param("# rubocop:disable-next-line Style/A\nx = 1\n", ["ruby.rubocop-disable:1"], id="next-line"),
    pytest.param("# :nocov:\ndef f; end\n# :nocov:\n", ["ruby.nocov:1"], id="nocov"),
    pytest.param("# :nocov:\ndef f; end\n", ["comment.unclosed:1", "ruby.nocov:1"], id="nocov-open"),
    pytest.param("def f # simplecov:disable\nend\n", ["ruby.simplecov-disable:1"], id="simplecov-line"),
    pytest.param("# typed: ignore\nx = 1\n", ["ruby.sorbet-ignore:1"], id="sorbet"),
    pytest.param("x.y # steep:ignore\n", ["ruby.steep-ignore:1"], id="steep"),
    pytest.param("x = 1 # NOSONAR\n", ["comment.nosonar:1"], id="nosonar"),
    pytest.param("def f(\n x = 1 # rubocop:disable all\n", ["ruby.rubocop-disable:2"], id="broken-file"),
]  # fmt: skip

TESTS = [
    pytest.param('  xit "a" do\n  end', ["ruby.skip:2"], id="xit"),
    pytest.param('  xcontext("a") { it("b") { c } }', ["ruby.skip:2"], id="xcontext"),
    pytest.param("  xspecify { a }", ["ruby.skip:2"], id="no-title"),
    pytest.param('  fit "a" do\n  end', ["ruby.focus:2"], id="fit"),
    pytest.param('  it "a", :focus do\n  end', ["ruby.focus:2"], id="focus-symbol"),
    pytest.param('  it "a", focus: true do\n  end', ["ruby.focus:2"], id="focus-key"),
    pytest.param('  it "a", :slow, { skip: "x" } do\n  end', ["ruby.skip:2"], id="hash"),
    pytest.param('  it "a", :skip => true do\n  end', ["ruby.skip:2"], id="arrow"),
    pytest.param('  it "a", "skip": true do\n  end', ["ruby.skip:2"], id="quoted-key"),
    pytest.param('  context "a", pending: "x" do\n  end', ["ruby.skip:2"], id="pending-group"),
    pytest.param('  it "a", if: false do\n  end', ["ruby.skip:2"], id="if-false"),
    pytest.param('  it "a", if: ENV["SLOW"] do\n  end', ["ruby.skip:2"], id="if-variable"),
    pytest.param('  it "a", unless: Gem.win_platform? do\n  end', ["ruby.skip-platform:2"], id="unless-windows"),
    pytest.param('  it "a", skip: RUBY_ENGINE == "jruby" do\n  end', ["ruby.skip-platform:2"], id="skip-engine"),
    pytest.param('  it "a"', ["ruby.no-body:2"], id="no-body"),
    pytest.param('  it("a", :slow)', ["ruby.no-body:2"], id="no-body-with-tag"),
    pytest.param('  it "a" do\n    skip("x")\n  end', ["ruby.skip:3"], id="skip"),
    pytest.param('  it "a" do\n    pending\n    b\n  end', ["ruby.skip:3"], id="pending"),
    pytest.param('  it "a" do\n    return skip\n  end', ["ruby.skip:3"], id="return-skip"),
    pytest.param('  it "a" do\n    b or skip "x"\n  end', ["ruby.skip:3"], id="or-skip"),
    pytest.param('  it "a" do\n    send(:skip, "x")\n  end', ["ruby.skip:3"], id="send"),
    pytest.param('  it "a" do\n    method(:skip).call\n  end', ["ruby.skip:3"], id="method-object"),
    pytest.param('  it "a" do\n    b = "#{skip}"\n  end', ["ruby.skip:3"], id="interpolation"),
    pytest.param('  it "a" do\n    self.skip "x"\n  end', ["ruby.skip:3"], id="self"),
    pytest.param('  it "a" do\n    x = skip\n  end', ["ruby.skip:3"], id="assigned"),
    pytest.param('  it "a" do\n    skip if ENV["CI"]\n  end', ["ruby.skip:3"], id="in-ci"),
    pytest.param('  it "a" do\n    skip if true\n  end', ["ruby.skip:3"], id="constant"),
    pytest.param('  it "a" do\n    skip "x" unless Gem.win_platform? && ENV["A"]\n  end', ["ruby.skip:3"], id="platform-and-variable"),
    pytest.param('  it "a" do\n    skip "x" if RUBY_VERSION < "3.2"\n  end', ["ruby.skip-platform:3"], id="version"),
    pytest.param('  it "a" do\n    if RUBY_PLATFORM =~ /darwin/\n      skip\n    end\n  end', ["ruby.skip-platform:4"], id="platform"),
    pytest.param("  before { skip }", ["ruby.skip:2"], id="hook"),
    pytest.param("  %w[a b].each { |x| xit(x) { y } }", ["ruby.skip:2"], id="generated-example"),
]  # fmt: skip

INNOCENT = [
    pytest.param("lib/a.rb", "class Scanner\n  def go\n    skip(/x/)\n    skip\n  end\nend\n", id="own-skip"),
    pytest.param("lib/a.rb", 'class Order\n  def it(x) = x\n  def pending\n    skip "x"\n  end\nend\n', id="own-pending"),
    pytest.param("spec/a_spec.rb", spec('  let(:pending) { build(:order, state: "pending") }'), id="let-pending"),
    pytest.param("spec/a_spec.rb", spec('  it "a" do\n    skip = 3\n    expect(skip).to eq(3)\n  end'), id="local-variable"),
    pytest.param("spec/a_spec.rb", spec('  it "a" do\n    scanner.skip(4)\n    expect(order.pending).to be\n  end'), id="receiver"),
    pytest.param("spec/a_spec.rb", spec('  it "a" do\n    expect(code).to eq("xit # rubocop:disable all")\n  end'), id="string"),
    pytest.param("spec/a_spec.rb", spec('  it "a", skip: false, focus: nil do\n  end'), id="off"),
    pytest.param("spec/a_spec.rb", spec("  it { is_expected.to be }\n  it(&example)"), id="bodies"),
    pytest.param("spec/a_spec.rb", spec('  it_behaves_like "a"\n  include_examples "b"'), id="shared"),
    pytest.param("lib/a.rb", "# the rubocop disable comment is discouraged\nx = 1\n", id="prose"),
    pytest.param("lib/a.rb", "x = <<~A\n  # rubocop:disable all\n  # :nocov:\nA\n", id="heredoc"),
    pytest.param("lib/a.rb", "x = 1 # see :nocov: in the manual\n", id="nocov-in-prose"),
    pytest.param("app/a.rb", "class A\n  before_action :x, if: :y\n  validates :z, unless: :w\nend\n", id="rails"),
    pytest.param("app/a.rb", 'context = describe("x")\nexample "y"\n', id="other-words"),
    pytest.param("lib/a.rb", "# typed: strict\nx = 1\n", id="sorbet-strict"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), DIRECTIVES)
def test_directive_is_found(text: str, expected: list[str]) -> None:
    assert added("lib/a.rb", text) == expected


@pytest.mark.parametrize(("body", "expected"), TESTS)
def test_trick_is_found(body: str, expected: list[str]) -> None:
    assert added("spec/a_spec.rb", spec(body)) == expected


@pytest.mark.parametrize(("path", "text"), INNOCENT)
def test_lookalike_is_silent(path: str, text: str) -> None:
    assert added(path, text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("class A < Minitest::Test\n  def test_a\n    skip\n  end\nend\n", ["ruby.skip:3"], id="minitest"),
        pytest.param("class A < Minitest::Test\n  focus\n  def test_a\n  end\nend\n", ["ruby.focus:2"], id="minitest-focus"),
        pytest.param("class A < Test::Unit::TestCase\n  def test_a\n    omit('x')\n  end\nend\n", ["ruby.skip:3"], id="omit"),
        pytest.param("class A < Minitest::Test\n  def test_a\n    raise Minitest::Skip\n  end\nend\n", ["ruby.skip:3"], id="raise"),
        pytest.param("RSpec.configure { |c| c.define_derived_metadata { |meta| meta[:skip] = true } }\n", ["ruby.skip:1"], id="metadata"),
    ],
)  # fmt: skip
def test_other_frameworks(text: str, expected: list[str]) -> None:
    assert added("test/a_test.rb", text) == expected


def test_second_nocov_mark_that_goes_is_found() -> None:
    closed = "# :nocov:\ndef f; end\n# :nocov:\ndef g; end\n"
    assert added("lib/a.rb", "# :nocov:\ndef f; end\ndef g; end\n", closed) == ["comment.unclosed:1"]


def test_body_that_goes_is_found() -> None:
    before = spec('  it "a" do\n    expect(b).to eq(1)\n  end')
    assert added("spec/a_spec.rb", spec('  it "a"'), before) == ["ruby.no-body:2"]


def test_other_nocov_mark_is_found() -> None:
    assert added("lib/a.rb", 'SimpleCov.nocov_token "x"\n') == ["ruby.nocov:1"]
