"""What an expression needs stands in whatever it matches: else the prefilter would pass over a file."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ralph.guardrails.needs import alternatives, is_plain, needed
from ralph.guardrails.prefilter import Text, expression, re_matcher
from ralph.guardrails.registry import LANGUAGE_FAMILY, family

PARTS = sorted(
    {
        part
        for language in {name: language for language, name in LANGUAGE_FAMILY.items()}.values()
        for word in family(language).words
        for part in alternatives(word)
    }
)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("skip", [{"skip"}]),
        ("SkipTest", [{"skiptest"}]),
        (r"\bskip\b", [{" skip "}]),
        (r"\bskip", [{" skip"}]),
        (r"\Bskip\B", [{"skip"}]),
        ("^only$", [{" only "}]),
        (r"type:\s*ignore", [{" ignore"}, {"type "}]),
        (r"exit\s*=\s*False", [{" false"}, {"exit "}]),
        (r"a\w*\s*=bc", [{" bc"}, {"a"}]),
        ("a(?:bc|de)f", [{"bc", "de"}, {"a"}, {"f"}]),
        (r"\b(?:exit|quit)\s*\(", [{" exit ", " quit "}]),
        (r"\b(?:bcd|e\w*)x", [{" bcd", " e"}, {"x"}]),
        ("(?:bc|d*)", []),
        ("(?:skip)?", []),
        ("(?:skip)+", [{"skip"}]),
        (r"\b(?:skip)+\b", [{"skip"}]),
        ("(?:skip)?only", [{"only"}]),
        ("a(?=skip)", [{"a"}]),
        ("a(?!skip)", [{"a"}]),
        (r"[xf]it\(", [{"it "}]),
        (r"é\bit", [{" it"}]),
        (r"éit", [{"it"}]),
        (r"^\s*@\s*\w+", []),
        ("no-check", [{" check"}, {"no "}]),
        ("é", []),
    ],
)
def test_needs(written: str, expected: list[set[str]]) -> None:
    assert list(needed(written)) == [set(needs) for needs in expected]


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("skip", True),
        (r"\bskip\b", True),
        (r"\bskip", True),
        (r"skip\B", False),
        ("^skip", False),
        ("skip$", False),
        ("skips?", False),
        (r"\b", False),
        ("", False),
        ("a-b", False),
        (r"a\bb", False),
    ],
)
def test_a_plain_word_is_there_if_its_need_is(written: str, plain: bool) -> None:
    assert is_plain(written) is plain


def test_python_still_has_its_parser() -> None:
    """It is private. Without it nothing is passed over, and all is slow: take words apart in another way then."""
    assert importlib.util.find_spec("re._parser"), "this Python has no re._parser"


CHANGES = {
    "it is gone": "del re._parser; sys.modules['re._parser'] = None",
    "its parts have another form": "re._parser = SimpleNamespace(parse=lambda *_: [('MAX_REPEAT', 3)])",
    "its parts have other names": "re._parser = SimpleNamespace(parse=lambda *_: [('LETTER', 115), ('GROUP', None)])",
    "it takes other arguments": "re._parser = SimpleNamespace(parse=lambda: [])",
    "it has another name": "re._parser = SimpleNamespace()",
}


@pytest.mark.parametrize("case", CHANGES)
def test_everything_is_tried_where_the_parser_is_another(case: str) -> None:
    """In a process of its own, whose Python has changed."""
    program = (
        f"import re, sys; from types import SimpleNamespace; {CHANGES[case]}\n"
        "from ralph.guardrails.prefilter import Prefilter, needed\n"
        "assert needed('skip') == ()\n"
        "assert Prefilter(['skip']).matches(b'a skip') and not Prefilter(['skip']).matches(b'nothing')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("a|b", ["a", "b"]),
        ("a(?:b|c)|d", ["a(?:b|c)", "d"]),
        (r"a\|b|c", [r"a\|b", "c"]),
        ("[|]|[]|]|[^]|]", ["[|]", "[]|]", "[^]|]"]),
        (r"\(|\)|[(]|x", [r"\(", r"\)", "[(]", "x"]),
        ("", [""]),
    ],
)
def test_alternatives(written: str, expected: list[str]) -> None:
    assert alternatives(written) == expected


def test_the_alternatives_of_all_families_are_expressions() -> None:
    assert len(PARTS) > 300
    for part in PARTS:
        re.compile(part)
    assert sum(not needed(part) for part in PARTS) < len(PARTS) / 10, "each of these is tried on every change"


def known(part: str, blob: bytes) -> None:
    text = Text(blob)
    matched = expression([part]).search(blob) is not None
    assert not matched or text.holds(needed(part))
    assert re_matcher([part])(blob) is matched


NOISE = st.sampled_from([b"", b" ", b"_", b"x", b"\n", b"(", b"\xc3\xa9", b"9", b".", b"\\\n"])


@settings(max_examples=300, deadline=None)
@given(st.data(), NOISE, NOISE)
def test_what_matches_holds_what_is_needed(data: st.DataObject, before: bytes, after: bytes) -> None:
    part = data.draw(st.sampled_from(PARTS))
    written = data.draw(st.from_regex(re.compile(part, re.MULTILINE | re.ASCII)))
    for blob in (written.encode(), written.upper().encode(), written.lower().encode()):
        known(part, before + blob + after)


FORMS = st.recursive(
    st.sampled_from(
        ["ab", "c", "_", "9", " ", r"\.", r"\s*", r"\s+", r"\w*", r"\w", "[ab]", "[^a]", r"\b", r"\B", "^", "$", "é"]
    ),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"(?:{'|'.join(parts)})"),
        inner.map(lambda part: f"(?:{part})?"),
        inner.map(lambda part: f"({part})+"),
        inner.map(lambda part: f"(?={part})"),
    ),
    max_leaves=8,
)


@settings(max_examples=400, deadline=None)
@given(FORMS, st.lists(st.sampled_from(["ab", "AB", "c", "_", "9", " ", ".", "\n", "é"]), max_size=8).map("".join))
def test_any_expression_that_matches_holds_what_it_needs(form: str, text: str) -> None:
    known(form, text.encode())
