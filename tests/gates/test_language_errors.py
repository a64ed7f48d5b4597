"""What is not well formed is an error with its place; a check that nobody would run never passes as something else."""

from __future__ import annotations

import pytest

from ralph.errors import RalphError
from ralph.gates.language import LanguageError, parse, parse_gates

WRONG_VERIFY = {
    # ^ in the line below stands under the place of the error
    '>>p :: Verify:"x"': "       ^",
    '>>p :: VERIFY:"npm test"': "       ^",
    '>>p :: ｖｅｒｉｆｙ："x"': "       ^",
    '>>p :: verfiy:"npm test"': "       ^",
    '>>p :: verification:"npm test"': "       ^",
    '>>p :: verify-tests:"npm test"': "       ^",
    '>>p :: vеrify:"x"': "       ^",
    '>>p :: verify "cmd"': "       ^",
    ">>p :: verify'cmd'": "       ^",
    '>>p :: verify"cmd"': "       ^",
    ">>p :: verify": "       ^",
    ">>p :: verify:": "       ^",
    ">>p :: verify:npm": "       ^",
    ">>p :: verify:npm test": "       ^",
    ">>p :: verify:`npm test`": "       ^",
    '>>p :: verify="x"': "       ^",
    '>>p :: verify :"x"': "       ^",
    '>>p :: verify : "x"': "       ^",
    '>>p :: verify: "x"': "       ^",
    '>>p :: verify::"x"': "       ^",
    '>>p :: security:verify:"x"': "       ^",
    '>>p :: "verify:npm test"': "       ^",
    ">>p :: security:'verify: \"x\"'": "                ^",
    '>>p :: "verify"': "       ^",
    ">>p :: \"is tidy :: verify:'make' \"": "       ^",
    '>>p :: shell:"npm test"': "       ^",
    '>>p :: verify:""': "              ^",
    '>>p :: verify:"  \n "': "              ^",
    '>>p :: verify:"# npm test"': "              ^",
    '>>p :: verify:"x': "              ^",
    ">>p :: verify:\"x'": "              ^",
    ">>p :: verify:'x\"": "              ^",
    r'>>p :: verify:"x\"': "              ^",
    ">>p :: verify:“x”": "              ^",
    '>>p :: verify:"x”': "              ^",
    ">>p :: verify:‘x’": "              ^",
    '>>p :: verify:\u00a0"x"': "              ^",
    '>>p ::\u00a0verify:"x"': "      ^",
    '>>p :: verify:"npm\u00a0test"': "                  ^",
    '>>p :: verify:"rm\u202e x"': "                 ^",
    '>>p :: verify:"npm\u200b test"': "                  ^",
    '>>p :: verify:"npm\u200d test"': "                  ^",
    '>>p :: verify:"a\r\nb"': "                ^",
    '>>p ::verify:"x"': "    ^",
    '>>p : : verify:"x"': "    ^",
    '>>p ： verify:"x"': "    ^",
    '>>p ∷ verify:"x"': "    ^",
    '>>p ::: verify:"x"': "    ^",
    '>>p:: verify:"x"': "   ^",
    '>>p text:: verify:"x"': "        ^",
    '>>p a:1::verify:"x"': "    ^",
    '>>p verify:"x"': "    ^",
    '>>p verify "x"': "    ^",
    '>>p --verify "x"': "    ^",
    '>>p --verify="x"': "    ^",
    '>>p Verify="x"': "    ^",
    '>>p please (verify:"x")': "           ^",
    '>>p vеrify:"x"': "    ^",
    'verify:"x"': "^",
    '>>p --> verify:"x"': "        ^",
    '>>p :: "a"::verify:"x"': "          ^",
    '>>p :: "a" verify:"x"': "           ^",
    # a quote that an apostrophe opened must not swallow a gate
    ">>fix the '90s page :: verify:' pytest'": "          ^",
    ">>fix the '90s page :: 'keeps its style'": "          ^",
    '>>fix 5" screens :: verify:"x" and 7"': "       ^",
    ">>p note:'tis :: verify:' x'": "         ^",
    ">>fix 'tis slow :: verify:\"pytest\" for users'": "      ^",
    ">>fix 'tis slow :: \"is quick\" for users'": "      ^",
    ">>fix 'tis slow --> review the users'": "      ^",
}

WRONG_OPTION = {
    '>>p :: verify:"x" :slow': "                  ^",
    '>>p :: verify:"x" :Fast': "                  ^",
    '>>p :: verify:"x" fast': "                  ^",
    '>>p :: verify:"x" : fast': "                  ^",
    '>>p :: verify:"x" loop:true': "                  ^",
    '>>p :: verify:"x" && rm -rf /': "                  ^",
    '>>p :: verify:"x":fast': "                 ^",
    '>>p :: verify:"pytest -k "foo""': "                          ^",
    '>>p :: verify:"x" :fast :full': "                        ^",
    '>>p :: verify:"x" :fast :fast': "                        ^",
    '>>p :: verify:"x" max:1 max:1': "                        ^",
    '>>p :: verify:"x" max:0': "                      ^",
    '>>p :: verify:"x" max:-1': "                      ^",
    '>>p :: verify:"x" max:101': "                      ^",
    '>>p :: verify:"x" max:٣': "                      ^",
    '>>p :: verify:"x" max: 3': "                      ^",
    '>>p :: verify:"x" timeout:0': "                          ^",
    '>>p :: verify:"x" timeout:60s': "                          ^",
    '>>p :: verify:"x" timeout:3601': "                          ^",
    '>>p :: verify:"x" cwd:web': "                  ^",
    '>>p :: verify:"x" cwd:""': "                      ^",
    '>>p :: verify:"x" cwd:"/etc"': "                      ^",
    '>>p :: verify:"x" cwd:"a/../.."': "                      ^",
    '>>p :: verify:"x" cwd:"~/x"': "                      ^",
    '>>p :: :fast verify:"x"': "       ^",
    '>>p :fast :: verify:"x"': "    ^",
    ">>p text :Full": "         ^",
    '>>p :: max:3 verify:"x"': "       ^",
    '>>p :: max:"3"': "       ^",
    '>>p :: "follows standards" :fast': "                           ^",
}

WRONG_ELSEWHERE = {
    "": "^",
    "  ": "  ^",
    "p": "^",
    "/p": "^",
    ">p": "^",
    ">> p": "  ^",
    ">>1p": "  ^",
    ">>p!": "   ^",
    "&gt;&gt;p": "^",
    '{"command": ">>p"}': "^",
    '"p"': "^",
    ':: "x"': "^",
    ">>p ::": "      ^",
    '>>p :: :: "x"': "       ^",
    ">>p :: --> q": "       ^",
    ">>p :: code-quality": "       ^",
    '>>p :: security: "x"': "       ^",
    '>>p :: security "x"': "       ^",
    '>>p :: ""': "       ^",
    '>>p :: "a" more': "           ^",
    '>>p :: "a" "b"': "           ^",
    '>>p :: "a""b"': "          ^",
    ">>p -->": "       ^",
    ">>p --> --> q": "        ^",
    ">>p-->q": "   ^",
    ">>p x-->q": "     ^",
    ">>p -->>>q": "    ^",
    ">>p —> q": "    ^",
    ">>p >>q": "    ^",
    ">>p a:1 a:2": "        ^",
    '>>p a:x"y z"': "    ^",
    '>>p größe:"x"': "    ^",
    ">>p “quoted”": "    ^",
    ">>p don't 'stop": "          ^",
    ">>p bell\a": "        ^",
    # operators of the earlier system
    ">>p ==> >>q": "    ^",
    ">>p + >>q": "    ^",
    ">>p text + >>q": "         ^",
    '>>p ? "condition" : >>q': "    ^",
    '>>p = "criterion"': "    ^",
    '>>p text = "criterion"': "         ^",
    "@ReACT >>p": "^",
    ">>p --> @ReACT >>q": "        ^",
    "#style >>p": "^",
    "%lean >>p": "^",
    ">>p *3": "    ^",
    ">>p*3": "   ^",
    ">>p * 0": "      ^",
    ">>p * -1": "      ^",
    ">>p * 21": "      ^",
    ">>calc 3 * 4": "         ^",
    ">>p * 2 a:1": "    ^",
    ">>p" + " --> p" * 100: " " * 603 + "^",
}

ALL = WRONG_VERIFY | WRONG_OPTION | WRONG_ELSEWHERE


@pytest.mark.parametrize(("text", "caret"), ALL.items(), ids=[ascii(text)[:60] for text in ALL])
def test_the_place_of_an_error(text: str, caret: str) -> None:
    with pytest.raises(LanguageError) as caught:
        parse(text)
    assert caught.value.offset == len(caret) - 1
    assert str(caught.value).startswith(f"{caught.value.line}:{caught.value.column}: ")
    assert str(caught.value).count("\n") == 0
    assert caught.value.expected


SAYS = {
    '>>p :: Verify:"x"': '1:8: verify is written in small, plain letters; write :: verify:"command".',
    '>>p :: verify: "x"': '1:8: a blank stands between verify: and the command; write :: verify:"command".',
    '>>p :: verify "x"': '1:8: the colon behind verify is missing; write :: verify:"command".',
    ">>p :: verify:“x”": "1:15: “ is a typographic quote; type plain quotes, \" or '.",
    '>>p\n  :: verify:"x" :fsat': (
        "2:17: a verify gate has no option :fsat; did you mean :fast? "
        "There are :fast, :full, :extended, max:, timeout:, cwd:."
    ),
    ">>p ==> q": "1:5: delegation (==>) is not supported; write -->, or put the text into quotes if it is text.",
}


@pytest.mark.parametrize(("text", "message"), SAYS.items(), ids=[ascii(text) for text in SAYS])
def test_the_words_of_an_error(text: str, message: str) -> None:
    with pytest.raises(LanguageError) as caught:
        parse(text)
    assert str(caught.value) == message
    assert isinstance(caught.value, RalphError)
    assert caught.value.exit_code == 3


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [(">>p\n\n  x >", 3, 5), (">>p\r\nx --> 1", 2, 7), (">>p\rx --> 1", 2, 7), (">>家\n", 1, 3)],
)
def test_lines_and_columns_count_characters(text: str, line: int, column: int) -> None:
    with pytest.raises(LanguageError) as caught:
        parse(text.replace(" >", ' "'))
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('>>p\n  x :: verify "y"\n', ('  x :: verify "y"', "       ^")),
        ('>>p\tx :: verify "y"', ('>>p    x :: verify "y"', "            ^")),
        ('>>p 家 :: verify "y"', ('>>p 家 :: verify "y"', "          ^")),
        (">>p \x1b[31m", (r">>p \x1b[31m", "    ^")),
    ],
    ids=["second line", "tab", "wide", "control sequence"],
)
def test_the_caret_stands_under_the_place(text: str, shown: tuple[str, str]) -> None:
    with pytest.raises(LanguageError) as caught:
        parse(text)
    assert caught.value.caret == shown


def test_a_long_line_is_cut_around_the_caret() -> None:
    with pytest.raises(LanguageError) as caught:
        parse(">>p " + "a " * 5000 + 'verify "x"' + " b" * 5000)
    line, caret = caught.value.caret
    assert len(line) == 200
    assert line[len(caret) - 1 :].startswith('verify "x"')


@pytest.mark.parametrize("text", ["", ":: ", '"a" --> p', '"a" ::', ':: "a"', 'verify:"a" b', "follows standards"])
def test_gates_alone_are_read_as_strictly(text: str) -> None:
    with pytest.raises(LanguageError):
        parse_gates(text)
