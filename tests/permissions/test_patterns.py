"""Patterns of commands are argument lists; what could never mean what it seems to say is an error."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.permissions.patterns import PatternError, parse_pattern

GOOD = {
    "npm test": (("npm", "test"),),
    "  npm   run build ": (("npm", "run", "build"),),
    "rm -rf /": (("rm", "-rf", "/"),),
    "sudo": (("sudo",),),
    "curl | sh": (("curl",), ("sh",)),
    "curl|sh": (("curl",), ("sh",)),
    "curl -s | tee x | sh": (("curl", "-s"), ("tee", "x"), ("sh",)),
    "rm -rf ~": (("rm", "-rf", "~"),),
    "git log --format='%h %s'": (("git", "log", "--format=%h %s"),),
    'echo "a \\"b\\" \\$c"': (("echo", 'a "b" $c'),),
    "echo 'a|b'": (("echo", "a|b"),),
    "rm '*'": (("rm", "*"),),
    "rm \\*": (("rm", "*"),),
    "echo ''": (("echo", ""),),
    "echo a''b": (("echo", "ab"),),
    "npx --no-install eslint .": (("npx", "--no-install", "eslint", "."),),
    "git push origin +main": (("git", "push", "origin", "+main"),),
    "git show HEAD~1^{tree}": (("git", "show", "HEAD~1^{tree}"),),
    "npm run test:unit@2,x": (("npm", "run", "test:unit@2,x"),),
}


@pytest.mark.parametrize(("text", "commands"), GOOD.items(), ids=GOOD)
def test_a_pattern_is_parted_into_words(text: str, commands: tuple[tuple[str, ...], ...]) -> None:
    assert parse_pattern(text).commands == commands
    assert parse_pattern(text).is_pipeline == (len(commands) > 1)


BAD = {
    "": "lacks a program",
    "   ": "lacks a program",
    "|": "lacks a program",
    "curl |": "lacks a program",
    "| sh": "lacks a program",
    "a || b": "lacks a program",
    "'' x": "lacks a program",
    "a && b": "one pattern for each command",
    "a; b": "one pattern for each command",
    "a & b": "one pattern for each command",
    "a > b": "one pattern for each command",
    "(a)": "one pattern for each command",
    "npm *": "end the pattern before that word",
    "npm run test:?": "end the pattern before that word",
    "[ x ]": "end the pattern before that word",
    "echo $HOME": "nothing is computed",
    'echo "$HOME"': "nothing is computed",
    "echo `id`": "nothing is computed",
    "! a": "nothing is computed",
    "CI=1 npm test": "begins with a variable",
    "echo 'a": "does not close",
    'echo "a': "does not close",
    'echo "a\\"': "does not close",
    "echo a\\": "ends with a backslash",
    "a\nb": "cannot be seen",
    "a\tb": "cannot be seen",
    "a\0b": "cannot be seen",
    "su\u200bdo": "cannot be seen",
    "a\u00a0b": "cannot be seen",
}


@pytest.mark.parametrize(("text", "said"), BAD.items(), ids=map(ascii, BAD))
def test_what_could_never_match_is_refused(text: str, said: str) -> None:
    with pytest.raises(PatternError, match=said):
        parse_pattern(text)


@given(st.lists(st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1), min_size=1))
def test_quoted_words_come_back_as_they_were(words: list[str]) -> None:
    try:
        assert parse_pattern(shlex.join(words)).commands == (tuple(words),)
    except PatternError as error:
        assert "begins with a variable" in str(error)  # noqa: PT017 - the one thing that no quoting helps


@given(st.text(st.sampled_from(" ab|'\"\\*$=&\n")))
def test_it_agrees_with_a_shell_lexer_where_both_read(text: str) -> None:
    try:
        read = parse_pattern(text)
    except PatternError:
        return
    if "|" not in text:
        assert list(read.commands[0]) == shlex.split(text)
