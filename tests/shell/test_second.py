"""The second parser: it agrees on honest lines, and what either parser loses is refused."""

from __future__ import annotations

import json

import pytest

from ralph.shell import second
from ralph.shell.model import Group
from ralph.shell.read import read
from tests.shell.test_read import CORPUS, script


def verdict(text: str) -> str | None:
    found = second.disagreement(text, script(text))
    return found.code if found else None


def test_it_is_there() -> None:
    assert second.available()


def test_it_agrees_on_the_corpus() -> None:
    texts = [json.loads(line)["cmd"] for line in CORPUS.read_text().splitlines()]
    read_texts = [(text, group) for text in texts if isinstance(group := read(text), Group)]
    sample = read_texts[::6]
    assert [text for text, group in sample if second.disagreement(text, group)] == []


@pytest.mark.parametrize(
    "text",
    [
        "git>f push",
        "B=(1 $(a)); A=1 C= git 'a b' \"$x\" {a,b} $'c' <f 2>&1 >|g",
        "if a; then b; elif c; then d; else e; fi | cat",
        "for i in a $(b); do c; done; for j; do d; done; select k in x; do e; done",
        "case $x in a|b*) c;; *) d;; esac",
        "f() { a; } > x; function g { b; }",
        "time -p a | b; ! c && d || e &",
        "cat <<E > f && ls\na $x $(b)\nE\nc",
        "cat <<-'E'\n\ta\n\tE",
        "cat <<'E'\nE",
        "[[ a == b* && $x =~ ^(a|b)$ ]] && [ -f c ]",
        "export A=1 B; declare -r c; unset d; let e=1",
        'echo ${x:-$(a)} ${y%.*} $((1+2)) <(b) "$(<f)" ~/z',
        "while a; do { b; (c); }; done > f 2>&1",
        "echo 'é' \"€\" $(a ü) > ß",
        "a # comment\nb",
    ],
)
def test_both_parsers_agree_on_ordinary_lines(text: str) -> None:
    assert verdict(text) is None


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("ls #\\\ngit push", id="shfmt takes the next line into the comment"),
        pytest.param("ls | time -p cat", id="`time` is a keyword only at the beginning"),
    ],
)
def test_what_one_parser_gets_wrong_is_refused(text: str) -> None:
    assert verdict(text) == "OPAQUE_PARSERS_DIFFER"


def test_a_reading_of_another_line_is_refused() -> None:
    assert second.disagreement("git push", script("git pull x")) is not None
    assert second.disagreement("git push;l", script("git push x")) is not None
    assert second.disagreement("git push &", script("git push #")) is not None
    assert second.disagreement("(git push  )", script("{ git push;}")) is not None
    assert second.disagreement("git push 2>f", script("git push 1>f")) is not None
