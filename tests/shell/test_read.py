"""Which commands a line has, and what is known of their words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ralph.shell.model import Glob, Group, Part, Simple, Substitution, Text, Tilde, Unknown, Unreadable, Variable
from ralph.shell.read import MAX_COMMANDS, read
from tests.shell.oracle import commands

CORPUS = Path(__file__).parents[1] / "corpora" / "commands.jsonl"


def script(text: str) -> Group:
    group = read(text)
    assert isinstance(group, Group), group
    return group


def argvs(text: str) -> list[list[str | None]]:
    return [[word.literal for word in command.words] for command in commands(script(text))]


def parts(text: str) -> tuple[Part, ...]:
    """The parts of the second word of the first command."""
    first = script(text).parts[0]
    assert isinstance(first, Simple)
    return first.words[1].parts


def code(text: str) -> str | None:
    unread = read(text)
    return unread.code if isinstance(unread, Unreadable) else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("git>f push", [["git", "push"]]),
        (">f git push 2>&1 origin", [["git", "push", "origin"]]),
        ("ls #\\\ngit push", [["ls"], ["git", "push"]]),
        ("time git push", [["git", "push"]]),
        ("time -p git push | cat", [["git", "push"], ["cat"]]),
        ("ls | time git push", [["ls"], ["time", "git", "push"]]),
        ("A=1 time git push", [["time", "git", "push"]]),
        ("[ -f a ] && [[ a == b ]]", [["[", "-f", "a", "]"]]),
        ("export A=b; unset A; let x=1", [["export", "A=b"], ["unset", "A"], ["let", "x=1"]]),
        ("! git push", [["git", "push"]]),
        ("A=1 B= git push", [["git", "push"]]),
        ("git push \\\n  --force", [["git", "push", "--force"]]),
        ("cat <<E\na\nE\ngit push", [["cat"], ["git", "push"]]),
        ("cat <<'E' | git push && ls\n$(rm x)\nE", [["cat"], ["git", "push"], ["ls"]]),
        ("cat <<E\n$(git push)\nE", [["cat"], ["git", "push"]]),
        ("echo ${x:-$(git push)}", [["echo", None], ["git", "push"]]),
        ("a=(1 $(git push))", [[], ["git", "push"]]),
        ("echo <(git push) >(rm x)", [["echo", None, None], ["git", "push"], ["rm", "x"]]),
        ("[[ a == $(git push) ]]", [["git", "push"]]),
        ("case $(git push) in a|b) rm x;; esac", [["git", "push"], ["rm", "x"]]),
        ("for i in $(git push); do rm x; done", [["git", "push"], ["rm", "x"]]),
        ("f() { git push; }; f", [["git", "push"], ["f"]]),
        ("until git a; do (rm b); done &", [["git", "a"], ["rm", "b"]]),
        ("if a; then b; elif c; then d; else e; fi", [["a"], ["b"], ["c"], ["d"], ["e"]]),
        ("(git push)>f", [["git", "push"]]),
        ("git a &git b", [["git", "a"], ["git", "b"]]),
        ("a |& b", [["a"], ["b"]]),
        ("a && # comment\n b || c", [["a"], ["b"], ["c"]]),
        ("RANDOM_SEED=1 a", [["a"]]),
    ],
)
def test_every_command_of_a_line_is_found(text: str, expected: list[list[str | None]]) -> None:
    assert sorted(argvs(text), key=str) == sorted(expected, key=str)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("r''m", ["rm"]),
        ("r\\m", ["rm"]),
        ('"a\\"b\\c"', ['a"b\\c']),
        ("'a\\b'", ["a\\b"]),
        ("$'a\\x41\\101\\u0042\\'\\q'", ["aAAB'\\q"]),
        ('$"a"b', ["ab"]),
        ("''", [""]),
        ("{a,b{c,d}}x", ["ax", "bcx", "bdx"]),
        ("{1..3}{a..b}", ["1a", "1b", "2a", "2b", "3a", "3b"]),
        ("{08..10..2}", ["08", "10"]),
        ("{,a} x{,y}", ["a", "x", "xy"]),
        ("{} {a} HEAD@{1} a\\{b,c}", ["{}", "{a}", "HEAD@{1}", "a{b,c}"]),
        ("a#b a!b a=b %x ^x", ["a#b", "a!b", "a=b", "%x", "^x"]),
        ("\\`x\\` '`'", ["`x`", "`"]),
        ("é 'ü ß'", ["é", "ü ß"]),
        ("$ a$ 100%", ["$", "a$", "100%"]),
        ("[ a[", ["[", "a["]),
    ],
)
def test_words_are_decoded_as_bash_does(word: str, expected: list[str]) -> None:
    assert argvs("echo " + word) == [["echo", *expected]]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("$x", (Variable("x", quoted=False),)),
        ('"$x-${y}"', (Text("", True), Variable("x", True), Text("-", True), Variable("y", True))),
        ("$1a", (Variable("1", False), Text("a"))),
        ("*.ts", (Glob("*"), Text(".ts"))),
        ("[a-c]?", (Glob("[a-c]"), Glob("?"))),
        ("~/x", (Tilde(""), Text("/x"))),
        ("~root", (Tilde("root"),)),
        ("a=~/x", (Text("a="), Tilde(""), Text("/x"))),
        ("'~'/x", (Text("~", True), Text("/x"))),
        ("{a,b", (Unknown("braces that are not a short plain list"),)),
        ("{1..9999}", (Unknown("braces that are not a short plain list"),)),
        ("{a,$x}b", (Unknown("braces that are not a short plain list"),)),
        ("$((1 + (2 * 3)))", (Unknown("arithmetic"),)),
        ("${x:-y}", (Unknown("an expansion"),)),
        ("${#x}", (Unknown("a length"),)),
    ],
)
def test_what_only_the_shell_knows_is_a_part_of_its_own(word: str, expected: tuple[Part, ...]) -> None:
    assert parts("echo " + word) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "OPAQUE_EMPTY"),
        ("# nothing", "OPAQUE_EMPTY"),
        ("echo $()", "OPAQUE_SYNTAX"),
        ("npm test &&", "OPAQUE_SYNTAX"),
        ("echo 'a", "OPAQUE_SYNTAX"),
        ("echo a\\", "OPAQUE_SYNTAX"),
        ("coproc git push", "OPAQUE_SYNTAX"),
        ("time { git push; }", "OPAQUE_SYNTAX"),
        ("time time ls", "OPAQUE_SYNTAX"),
        ("é=1 ls", "OPAQUE_CHARACTER"),
        ("nрm test", "OPAQUE_CHARACTER"),
        ("npm\u00a0test", "OPAQUE_SYNTAX"),
        ("cat .env\u200b", "OPAQUE_CHARACTER"),
        ("rm ｆ", "OPAQUE_CHARACTER"),
        ("ls $'\\n' id", "OPAQUE_CHARACTER"),
        ("ls $'\\x00'", "OPAQUE_CHARACTER"),
        ("ls $'\\cA'", "OPAQUE_CHARACTER"),
        ("echo `id`", "OPAQUE_BACKTICK"),
        ('echo "`id`"', "OPAQUE_BACKTICK"),
        ("cat <<E\n`id`\nE", "OPAQUE_BACKTICK"),
        ("git pu\\\nsh", "OPAQUE_CONTINUATION"),
        ("time cat &\\\n>f -x", "OPAQUE_CONTINUATION"),
        ("cat a |\\\n| rm b", "OPAQUE_CONTINUATION"),
        ("cat a >\\\n\\\n> b", "OPAQUE_CONTINUATION"),
        ("cat <\\\n(rm b)", "OPAQUE_CONTINUATION"),
        ("rm 2\\\n>f x", "OPAQUE_CONTINUATION"),
        ("cat <(cat <<E\na\nE\nnpm; rm x)", "OPAQUE_HEREDOC"),
        ('echo "$(cat <<E\na\nE\nnpm; rm x)"', "OPAQUE_HEREDOC"),
        ("echo ${x@P}", "OPAQUE_EXPANSION"),
        ("echo ${!x}", "OPAQUE_EXPANSION"),
        ("echo ${x:=y}", "OPAQUE_EXPANSION"),
        ("echo ${a[i]}", "OPAQUE_EXPANSION"),
        ("echo ${x:y}", "OPAQUE_EXPANSION"),
        ("echo ${x:-'}'}", "OPAQUE_EXPANSION"),
        ("echo $((a[$(id)]))", "OPAQUE_ARITHMETIC"),
        ("echo $[x]", "OPAQUE_ARITHMETIC"),
        ("((x))", "OPAQUE_ARITHMETIC"),
        ("[[ $a -eq 1 ]]", "OPAQUE_ARITHMETIC"),
        ("[[ -v $a ]]", "OPAQUE_ARITHMETIC"),
        ("a[x]=1 ls", "OPAQUE_ARITHMETIC"),
        ("RANDOM='a[$(id)]'", "OPAQUE_ARITHMETIC"),
        ("for OPTIND in 'a[$(id)]'; do :; done", "OPAQUE_ARITHMETIC"),
        ("ls {fd}>x", "OPAQUE_REDIRECT"),
        ("git push >&-x", "OPAQUE_REDIRECT"),
        ("a=(1)#; git push", "OPAQUE_COMMENT"),
        ("ls (#", "OPAQUE_SYNTAX"),
        ("(ls)#x\ngit push", "OPAQUE_COMMENT"),
        ("ls \\\n# x", "OPAQUE_COMMENT"),
        ("cat <<$'E'\na\nE", "OPAQUE_SYNTAX"),
        ("cat <<E\na\\\nE\nE", "OPAQUE_HEREDOC"),
        ("ls; " * (MAX_COMMANDS + 1), "OPAQUE_SIZE"),
        ("( " * 50 + "ls" + " )" * 50, "OPAQUE_SIZE"),
        ("echo " + "{" * 5000, None),
        ("echo " + "${x:-" * 3000 + "}" * 3000, "OPAQUE_SIZE"),
    ],
)
def test_what_nobody_can_know_is_refused_with_a_code(text: str, expected: str | None) -> None:
    assert code(text) == expected


def test_structure_is_kept() -> None:
    group = script("(cd a && b) > f; c | d & for i in 1; do e; done; g() { h; }")
    subshell, background, loop, function = group.parts
    assert isinstance(subshell, Group)
    assert isinstance(background, Group)
    assert isinstance(loop, Group)
    assert isinstance(function, Group)
    assert (subshell.kind, subshell.redirects[0].operator) == ("subshell", ">")
    assert (background.kind, [part.kind for part in background.parts if isinstance(part, Group)]) == (
        "background",
        ["pipeline"],
    )
    assert (loop.kind, loop.name, [word.literal for word in loop.values]) == ("for", "i", ["1"])
    assert (function.kind, function.name) == ("function", "g")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a > f", (">", None, "f")),
        ("a 2>> f", (">>", 2, "f")),
        ("a &> f", ("&>", None, "f")),
        ("a >& f", (">&", None, "f")),
        ("a 2>&1", (">&", 2, "1")),
        ("a >| f", (">|", None, "f")),
        ("a <&-", ("<&", None, "-")),
        ("x && a > f", (">", None, "f")),
        ("x | a > f", (">", None, "f")),
    ],
)
def test_redirects(text: str, expected: tuple[str, int | None, str]) -> None:
    command = next(command for command in commands(script(text)) if command.redirects)
    redirect = command.redirects[0]
    assert command.words[0].literal == "a"
    assert redirect.target is not None
    assert (redirect.operator, redirect.descriptor, redirect.target.literal) == expected


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("cat <<'E'\n$x `y`\nE", "$x `y`\n"),
        ("cat <<\\E\na\nE", "a\n"),
        ("cat <<-E\n\ta\n\t\tb\n\tE", "a\nb\n"),
        ("cat <<E\na\\$b\\c\nE", "a$b\\c\n"),
        ("cat <<'E'\nE", ""),
        ("cat <<< 'a b'", "a b"),
    ],
)
def test_text_that_a_command_reads(text: str, body: str) -> None:
    command = next(commands(script(text)))
    assert command.redirects[0].body is not None
    assert command.redirects[0].body.literal == body


def test_spans_are_characters_even_beyond_ascii() -> None:
    text = "echo 'é€😀' | grep x"
    words = [text[slice(*word.span)] for command in commands(script(text)) for word in command.words]
    assert words == ["echo", "'é€😀'", "grep", "x"]


def test_a_substitution_holds_its_commands() -> None:
    (part,) = parts("echo $(git log | head)")
    assert isinstance(part, Substitution)
    assert (part.kind, part.quoted) == ("output", False)
    assert [command.words[0].literal for command in commands(part.script)] == ["git", "head"]


def test_no_honest_line_of_the_corpus_is_unreadable() -> None:
    cases = [json.loads(line) for line in CORPUS.read_text().splitlines()]
    assert [
        case["cmd"] for case in cases if case["expect"] != "deny" and isinstance(read(case["cmd"]), Unreadable)
    ] == []


def test_a_pipe_behind_many_operators_is_read() -> None:
    """Files are read with a bound on operators; what decides what may run is read to its end."""
    many = "<" * 1000
    assert argvs(f"echo '{many}' | rm -rf src") == [["echo", many], ["rm", "-rf", "src"]]
