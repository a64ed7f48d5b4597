"""Shell: ShellCheck's directives, bats, ShellSpec, shUnit2."""

from __future__ import annotations

import pytest

from tests.guardrails.languages.judge import added


def bats(body: str) -> str:
    return f'@test "a" {{\n  {body}\n  true\n}}\n'


TRICKS = [
    pytest.param("a.sh", "# shellcheck disable=SC2086\nls $a\n", ["shell.shellcheck-disable:1"], id="shellcheck"),
    pytest.param("a.sh", "ls\n  #shellcheck disable=all source=x\nls $a\n", ["shell.shellcheck-disable:2"], id="all"),
    pytest.param("a.sh", "# shellcheck shell=bash disable=SC1,SC2\nls\n", ["shell.shellcheck-disable:1"], id="second-word"),
    pytest.param("t/a.bats", bats("skip"), ["shell.skip:2"], id="skip"),
    pytest.param("t/a.bats", '@test "a" { skip "x"; }\n', ["shell.skip:1"], id="one-line"),
    pytest.param("t/a.bats", bats("true && skip 'x'"), ["shell.skip:2"], id="and"),
    pytest.param("t/a.bats", bats('[ -n "$SLOW" ] || skip'), ["shell.skip:2"], id="variable"),
    pytest.param("t/a.bats", bats("if true; then skip; fi"), ["shell.skip:2"], id="constant"),
    pytest.param("t/a.bats", bats("eval skip"), ["shell.skip:2"], id="eval"),
    pytest.param("t/a.bats", bats('"skip" later'), ["shell.skip:2"], id="quoted-command"),
    pytest.param("t/a.bats", bats("\\skip later"), ["shell.skip:2"], id="escaped-command"),
    pytest.param("t/a.bats", "setup() {\n  skip\n}\n", ["shell.skip:2"], id="setup"),
    pytest.param("t/a.bats", bats('[ "$(uname)" = Linux ] || skip "x"'), ["shell.skip-platform:2"], id="platform"),
    pytest.param("t/a.bats", bats('if [[ "$OSTYPE" == darwin* ]]; then\n    skip\n  fi'), ["shell.skip-platform:3"], id="platform-if"),
    pytest.param("t/a.bats", "# bats test_tags=slow, bats:focus\n" + bats("f"), ["shell.bats-focus:1"], id="focus"),
    pytest.param("spec/a_spec.sh", "Describe 'a'\n  xIt 'b'\n  End\nEnd\n", ["shell.skip:2"], id="shellspec"),
    pytest.param("spec/a_spec.sh", "Describe 'a'\n  fIt 'b'\n  End\nEnd\n", ["shell.focus:2"], id="shellspec-focus"),
    pytest.param("t/a.sh", "test_a() {\n  startSkipping\n}\n. shunit2\n", ["shell.skip:2"], id="shunit2"),
]  # fmt: skip

INNOCENT = [
    pytest.param("a.sh", "# we do not use shellcheck disable=SC1 here\nls\n", id="prose"),
    pytest.param("a.sh", "cat <<X\n# shellcheck disable=SC1\nskip\nX\necho '# shellcheck disable=SC1'\n", id="here-document"),
    pytest.param("a.sh", "skip() { shift; }\nskip 3\n", id="own-command"),
    pytest.param("t/a.bats", bats("echo skip\n  run skip_blank x\n  skipped=1\n  # skip later"), id="words"),
    pytest.param("t/a.bats", bats("run tool --skip x\n  [ \"$output\" = 'skip' ]"), id="arguments"),
    pytest.param("t/a.bats", bats("cat <<X\nskip\nX"), id="bats-here-document"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "expected"), TRICKS)
def test_trick_is_found(path: str, text: str, expected: list[str]) -> None:
    assert added(path, text) == expected


@pytest.mark.parametrize(("path", "text"), INNOCENT)
def test_lookalike_is_silent(path: str, text: str) -> None:
    assert added(path, text) == []
