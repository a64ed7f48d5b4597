"""What a line of the gate language means."""

from __future__ import annotations

import pytest

from ralph.gates.forms import Gate
from ralph.gates.language import parse, parse_gates, unparse
from ralph.gates.model import Chain, CriteriaGate, Step, VerifyGate


def verify(command: str, attempts: int = 5, timeout_s: float = 60.0, **more: str) -> VerifyGate:
    return VerifyGate(command=command, attempts=attempts, timeout_s=timeout_s, **more)  # type: ignore[arg-type]


def judged(text: str, name: str | None = None) -> CriteriaGate:
    return CriteriaGate(text=text, name=name)


GATES: dict[str, tuple[Gate, ...]] = {
    'verify:"echo ok"': (verify("echo ok"),),
    "verify:'echo ok'": (verify("echo ok"),),
    'verify:"cmd" :fast': (verify("cmd", 1, 30, preset="fast"),),
    'verify:"cmd" :full': (verify("cmd", 5, 300, preset="full"),),
    'verify:"cmd" :extended': (verify("cmd", 10, 600, preset="extended"),),
    'verify:"cmd" :fast max:3': (verify("cmd", 3, 30, preset="fast"),),
    'verify:"cmd" max:3 :fast': (verify("cmd", 3, 30, preset="fast"),),
    'verify:"cmd" timeout:90 :extended': (verify("cmd", 10, 90, preset="extended"),),
    'verify:"cmd" max:100 timeout:3600': (verify("cmd", 100, 3600),),
    'verify:"npm test" cwd:"web/app"': (verify("npm test", cwd="web/app"),),
    'verify:"a" max:3 :: verify:"b"': (verify("a", 3), verify("b")),
    'verify:"a" :: verify:"b" max:3': (verify("a"), verify("b", 3)),
    'verify:"a" :: verify:"a"': (verify("a"), verify("a")),
    'verify:"pytest -v" :: "follows coding standards"': (verify("pytest -v"), judged("follows coding standards")),
    '"handles errors, and understands brand; all"': (judged("handles errors, and understands brand; all"),),
    'security:"no secrets"': (judged("no secrets", "security"),),
    "code-quality:'short functions' :: \"a b\"": (judged("short functions", "code-quality"), judged("a b")),
    'clarify:"says why"': (judged("says why", "clarify"),),
    '"please verify by hand"': (judged("please verify by hand"),),
    # quotes in quotes, and what the shell makes of them is the shell's
    "verify:\"pytest -k 'foo'\"": (verify("pytest -k 'foo'"),),
    "verify:\"! grep 'TODO' src\"": (verify("! grep 'TODO' src"),),
    "verify:'grep \"x\" f'": (verify('grep "x" f'),),
    r'verify:"grep \"x\" f"': (verify('grep "x" f'),),
    r"verify:'it\'s'": (verify("it's"),),
    r'verify:"grep -E \"a\.b\\d\" f"': (verify(r'grep -E "a\.b\d" f'),),
    r'verify:"ends with \\"': (verify("ends with \\"),),
    'verify:"test 3 * 4 -lt 20"': (verify("test 3 * 4 -lt 20"),),
    "verify:'a --> b :: c ==> d'": (verify("a --> b :: c ==> d"),),
    'verify:"make\nmake test" :fast': (verify("make\nmake test", 1, 30, preset="fast"),),
    'verify:"# why\nmake"': (verify("# why\nmake"),),
    'verify:"echo “quoted” – ok"': (verify("echo “quoted” – ok"),),
}


@pytest.mark.parametrize(("text", "gates"), GATES.items(), ids=GATES)
def test_gates(text: str, gates: tuple[Gate, ...]) -> None:
    assert parse_gates(text) == gates
    assert parse(f">>p :: {text}") == Chain((Step(prompt="p", gates=gates),))


def step(prompt: str, text: str = "", *gates: Gate, **arguments: str) -> Step:
    return Step(prompt=prompt, text=text, gates=gates, arguments=tuple(arguments.items()))


CHAINS: dict[str, tuple[Step, ...]] = {
    ">>p": (step("p"),),
    " >>Fix_bug-2 \n": (step("Fix_bug-2"),),
    '>>implement-feature :: verify:"npm test"': (step("implement-feature", "", verify("npm test")),),
    '>>p arg:val :: verify:"cmd" :fast': (step("p", "", verify("cmd", 1, 30, preset="fast"), arg="val"),),
    '>>p a:1 b=2 c:\'3 4\' d="5" e:""': (step("p", a="1", b="2", c="3 4", d="5", e=""),),
    r'>>p a:"say \"hi\" C:\\x \n"': (step("p", a=r'say "hi" C:\x \n'),),
    '>>p q:"how does X --> Y :: work * 3?"': (step("p", q="how does X --> Y :: work * 3?"),),
    ">>p a:x=1 b=y:2": (step("p", a="x=1", b="y:2"),),
    '>>a x:"1" --> b': (step("a", x="1"), step("b")),
    ">>a --> >>b --> c": (step("a"), step("b"), step("c")),
    '>>a :: "x y" --> >>b :: verify:"t" --> c': (
        step("a", "", judged("x y")),
        step("b", "", verify("t")),
        step("c"),
    ),
    '>>fix-bug\n  issue:42\n  :: verify:"pytest -q"\n  :: "no new options"\n  --> >>review': (
        step("fix-bug", "", verify("pytest -q"), judged("no new options"), issue="42"),
        step("review"),
    ),
    # text
    ">>p the user's login fails": (step("p", "the user's login fails"),),
    '>>p the "login" button': (step("p", 'the "login" button'),),
    '>>p "the button --> the page"': (step("p", "the button --> the page"),),
    ">>p 'in single quotes'": (step("p", "in single quotes"),),
    ">>p q:'how does X --> Y :: work?'": (step("p", q="how does X --> Y :: work?"),),
    ">>p first line\n  second  line": (step("p", "first line\n  second  line"),),
    ">>p before a:1 behind": (step("p", "before behind", a="1"),),
    ">>p see http://x.org/?a=b and src/a.py:12 at 10:30": (
        step("p", "see http://x.org/?a=b and src/a.py:12 at 10:30"),
    ),
    ">>p why std::vector a==b x=>y C:\\dir": (step("p", "why std::vector a==b x=>y C:\\dir"),),
    ">>p please verify that it works": (step("p", "please verify that it works"),),
    '>>p please verify :: "it works"': (step("p", "please verify", judged("it works")),),
    ">>p (1) dashboard + (2) SSE": (step("p", "(1) dashboard + (2) SSE"),),
    ">>p is there a bug? @me #12 %x a = b 5 * 3 stars": (step("p", "is there a bug? @me #12 %x a = b 5 * 3 stars"),),
    ">>p R3F + Visx, int -> str, it’s <200KB": (step("p", "R3F + Visx, int -> str, it’s <200KB"),),
    ">>p\n* one\n* two": (step("p", "* one\n* two"),),
    '>>p ""': (step("p"),),
    ">>p naïve 家 👩‍💻": (step("p", "naïve 家 👩‍💻"),),
    # repetition
    ">>p * 3": (step("p"),) * 3,
    ">>p * 1": (step("p"),),
    '>>p a:"1" b:"2" * 2': (step("p", a="1", b="2"),) * 2,
    '>>p "3" * 2': (step("p", "3"),) * 2,
    '>>setup --> >>process * 2 :: "x y" --> >>cleanup': (
        step("setup"),
        *(step("process", "", judged("x y")),) * 2,
        step("cleanup"),
    ),
    '>>search query:"a * 3" * 2': (step("search", query="a * 3"),) * 2,
}


@pytest.mark.parametrize(("text", "steps"), CHAINS.items(), ids=CHAINS)
def test_chains(text: str, steps: tuple[Step, ...]) -> None:
    chain = parse(text)
    assert chain == Chain(steps)
    assert parse(unparse(chain)) == chain


def test_the_canonical_form() -> None:
    """Arguments before text, in gates the quotes that need fewer escapes, options only where they say something."""
    text = """>>p say "hi" a=1 :: verify:'x' :full max:5 :: n:'"y"'"""
    assert unparse(parse(text)) == r""">>p a:"1" "say \"hi\"" :: verify:"x" :full :: n:'"y"'"""
