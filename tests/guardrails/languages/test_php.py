"""PHP: PHPStan, PHPUnit, Pest."""

from __future__ import annotations

import pytest

from tests.guardrails.languages.judge import added


def method(body: str) -> str:
    return f"<?php\nclass ATest extends TestCase {{\n  public function testA() {{\n    {body}\n  }}\n}}\n"


TRICKS = [
    pytest.param("<?php\nf(); // @phpstan-ignore-line\n", ["php.phpstan-ignore:2"], id="phpstan-line"),
    pytest.param("<?php\n/** @phpstan-ignore argument.type (why) */\nf();\n", ["php.phpstan-ignore:2"], id="phpstan"),
    pytest.param("<?php\n/**\n * @psalm-suppress MixedAssignment\n */\nf();\n", ["php.psalm-suppress:3"], id="psalm"),
    pytest.param("<?php\n# phpcs:ignore\nf();\n", ["php.phpcs-ignore:2"], id="phpcs"),
    pytest.param("<?php\n// phpcs:disable Generic.Files\nf();\n", ["comment.unclosed:2", "php.phpcs-ignore:2"], id="phpcs-open"),
    pytest.param("<?php\n// phpcs:disable\nf();\n// phpcs:enable\n", ["php.phpcs-ignore:2"], id="phpcs-closed"),
    pytest.param("<?php\n/** @SuppressWarnings(PHPMD.Unused) */\nf();\n", ["php.suppress-warnings:2"], id="phpmd"),
    pytest.param("<?php\n/** @codeCoverageIgnore */\nfunction f() {}\n", ["php.coverage-ignore:2"], id="coverage"),
    pytest.param("<?php\n// @codeCoverageIgnoreStart\nf();\n", ["comment.unclosed:2", "php.coverage-ignore:2"], id="coverage-open"),
    pytest.param(method("$this->markTestSkipped('x');"), ["php.skip:4"], id="skip"),
    pytest.param(method("self::MarkTestIncomplete();"), ["php.skip:4"], id="any-case"),
    pytest.param(method("$this->{'markTestSkipped'}();"), ["php.skip:4"], id="dynamic-name"),
    pytest.param(method("call_user_func([$this, 'markTestSkipped']);"), ["php.skip:4"], id="callable"),
    pytest.param(method("throw new \\PHPUnit\\Framework\\SkippedWithMessageException('x');"), ["php.skip:4"], id="exception"),
    pytest.param(method("if (getenv('X')) { $this->markTestSkipped(); }"), ["php.skip:4"], id="variable"),
    pytest.param(method("if (PHP_OS_FAMILY === 'Windows') { $this->markTestSkipped(); }"), ["php.skip-platform:4"], id="platform"),
    pytest.param("<?php\n#[RequiresOperatingSystem('Linux')]\nclass ATest {}\n", ["php.skip-platform:2"], id="attribute"),
    pytest.param("<?php\nit('adds', function () { f(); })->skip();\n", ["php.skip:2"], id="pest-skip"),
    pytest.param("<?php\ntest('adds', fn () => f())->with([1])\n  ->skip('x');\n", ["php.skip:3"], id="pest-chain"),
    pytest.param("<?php\nit('adds')->todo();\n", ["php.skip:2"], id="pest-todo"),
    pytest.param("<?php\nit('adds', fn () => f())->only();\n", ["php.focus:2"], id="pest-only"),
    pytest.param("<?php\nit('adds', fn () => f())->skipOnWindows();\n", ["php.skip-platform:2"], id="pest-platform"),
]  # fmt: skip

INNOCENT = [
    pytest.param("<?php\n$q->skip(3)->take(2);\nUser::query()->only(['a']);\n", id="query"),
    pytest.param("<?php\n$a = '// @phpstan-ignore-line';\n$b = 'markTestSkipped';\n", id="string"),
    pytest.param("<?php\n$a = <<<X\n// phpcs:ignore\n\\$this->markTestSkipped();\nX;\n", id="heredoc"),
    pytest.param("<?php\n// phpstan ignores this file's tests; see phpcs docs\n", id="prose"),
    pytest.param("<p>// phpcs:ignore</p>\n<?php f(); ?>\n", id="markup"),
]


@pytest.mark.parametrize(("text", "expected"), TRICKS)
def test_trick_is_found(text: str, expected: list[str]) -> None:
    assert added("tests/ATest.php", text) == expected


@pytest.mark.parametrize("text", INNOCENT)
def test_lookalike_is_silent(text: str) -> None:
    assert added("src/A.php", text) == []
