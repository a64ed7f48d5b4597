"""What an expression needs stands in whatever it matches: else the prefilter would pass over a file."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ralph.guardrails.needs import alternatives, needed
from ralph.guardrails.prefilter import expression, vocabulary
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
        ("skip", {"skip"}),
        ("SkipTest", {"skiptest"}),
        (r"\bskip\b", {"skip"}),
        (r"type:\s*ignore", {"ignore"}),
        ("a(?:bc|de)f", {"bc", "de"}),
        ("(?:bc|d*)", None),
        ("(?:skip)?", None),
        ("(?:skip)+", {"skip"}),
        ("(?:skip)?only", {"only"}),
        (r"[xf]it\(", {"it"}),
        (r"^\s*@\s*\w+", None),
        ("no-check", {"check"}),
        ("é", None),
    ],
)
def test_needs(written: str, expected: set[str] | None) -> None:
    assert needed(written) == (None if expected is None else {each.encode() for each in expected})


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
        "assert needed('skip') is None\n"
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
    assert sum(needed(part) is None for part in PARTS) < len(PARTS) / 10, "each of these is tried on every change"


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_what_matches_holds_what_is_needed(data: st.DataObject) -> None:
    part = data.draw(st.sampled_from(PARTS))
    written = data.draw(st.from_regex(re.compile(part, re.MULTILINE | re.ASCII)))
    needs = needed(part)
    for blob in (written.encode(), written.upper().encode(), written.lower().encode()):
        if needs is not None and expression([part]).search(blob):
            assert any(need in vocabulary(blob) for need in needs)
