"""Shell lines as hypothesis strategies: well-formed ones by a grammar, and the same with something odd put in."""

from __future__ import annotations

from hypothesis import strategies as st

_NAMES = st.sampled_from(["git", "rm", "curl", "npm", "ls", "cat", "echo"])
_PLAIN = st.sampled_from(["push", "-rf", "a", "--b=c", "x.ts", "é", "1", "a#b", "a=b", "+x", "HEAD~1", "@{1}", "^%"])
_TOKENS = r"""
    '' 'a_b' '$x`c`' "a_b" "\$x\\" \$ \' $'a\x41\'' $"b" \` {a,b} {1..3} {,c} {} * ?x [ab] ~ $x "$x" ${x:-d} ${x%a}
    $((1+2)) ${#x} !
"""
_BLANKS = ["'a b'", '"a  b"', "\\ ", "'\n'", '"\n"']
_PIECES = st.sampled_from([*_TOKENS.split(), *_BLANKS])

_SIGNS = r"""
    ' " \ ; & | ( ) { } < > # ` $ $( ${ ! && || ;; << <<- <<< >& >&- 2> $' $" (( )) esac fi done = a= a=( a[1]= += {a,
    .. ~ * [ ] é $x - 2
"""
_KEYWORDS = [
    *("[[ ", " ]]", "time ", "case x in ", "x) ", "if ", "then ", "do ", "in ", "function f ", "f() ", "coproc "),
    *("export ", " #", "git push"),
]
_ODD = st.sampled_from([*_SIGNS.split(), *_KEYWORDS, "\n", " ", "\t", "\\\n", "<<E\n", "\nE\n"])

_LISTS = ["{} ; {}", "{} && {}", "{}\n{}", "{} | {}", "{} & {}", "{} # {}", "{} \\\n {}", "{} |& {}"]
_COMPOUNDS = [
    *("({}; {})", "{{ {}; {}; }} >f", "if {}; then {}; fi", "f() {{ {}; }}; f; {}", "[[ a == a* ]] && {} || {}"),
    *("for i in a b; do {}; {}; done", "while {}; do {}; break; done", "case a in a|b) {};; *) {};; esac"),
    *("cat <<E\na $x\nE\n{}; {}", "cat <<'E' | {}\n$(rm)\nE\n{}", "[ -n a ] && {}; export A=1; {}"),
]
_FORMS = st.sampled_from(_LISTS + _COMPOUNDS)
_PREFIXES = st.sampled_from(["", "", "", "A=1 ", "A='b c' B=$x ", ">f ", "! ", "time "])
_SUFFIXES = st.sampled_from(["", "", "", " >f", " 2>&1", " >>f 2>/dev/null", " </dev/null", " <<<'a b'", " &>f -x"])


def words(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    nested = st.builds(str.format, st.sampled_from(["$({})", '"$({})"', "<({})"]), inner)
    return st.lists(_PLAIN | _PIECES | nested, min_size=1, max_size=3).map("".join)


def simple(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    arguments = st.lists(words(inner), max_size=3).map(lambda each: "".join(" " + word for word in each))
    return st.builds("{}{}{}{}".format, _PREFIXES, _NAMES, arguments, _SUFFIXES)


def compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(str.format, _FORMS, inner, inner)


LINES = st.recursive(simple(st.just("git status")), lambda inner: compound(inner) | simple(inner), max_leaves=6)
"""Lines most of which bash accepts."""


@st.composite
def odd_lines(draw: st.DrawFn) -> str:
    """Lines with things put into them where they do not belong; bash accepts some of them, in its own way."""
    text = draw(LINES)
    for token in draw(st.lists(_ODD, min_size=1, max_size=3)):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + token + text[at:]
    return text
