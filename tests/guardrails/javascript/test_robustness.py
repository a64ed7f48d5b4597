"""Whatever a file holds, it is judged and nothing is raised."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ralph.guardrails.javascript import CHANGE_DETECTORS, DETECTORS, scripts_of
from ralph.guardrails.source import Source
from tests.guardrails.javascript.outcome import outcome
from tests.guardrails.memory import change

PIECES = re.findall(
    r"\S+",
    """
    it test describe xit fit only skip todo . [ ] ( ) { } , ; : ? ?. ! = => ` " ' // /* */ \\n \\u0073 ${ < > + && || as
    any unknown const let import from require "vitest" "title" true false if return for of this ctx function async
    @ts-ignore @ts-nocheck eslint-disable eslint-disable-next-line c8 ignore start <script> </script> <!-- --> declare
    module process.env.X ...rest class static get \ufeff \u2028
    """,
)

texts = st.lists(st.sampled_from(PIECES), max_size=40).map(lambda pieces: " ".join(pieces).replace("\\n", "\n"))


@settings(max_examples=150, deadline=None)
@given(old=texts, new=texts, path=st.sampled_from(["a.js", "a.ts", "a.tsx", "a.vue", "a.test.js"]))
def test_every_text_is_judged(old: str, new: str, path: str) -> None:
    for detector in CHANGE_DETECTORS:
        list(detector(change({path: old}, {path: new})))
    language = {"js": "javascript", "ts": "typescript", "tsx": "tsx", "vue": "vue"}[path.rpartition(".")[2]]
    for one_sided in DETECTORS:
        list(one_sided(Source(path, language, new.encode())))


@given(st.binary(max_size=200))
def test_every_component_has_parts(data: bytes) -> None:
    assert all(part.data in data or part.data.startswith(b"/*") for part in scripts_of("a.vue", data))


@pytest.mark.parametrize(
    "text",
    [
        "const { ".ljust(4_000, "{") + "\nit.skip('a', () => {});\n",
        "(" * 3_000 + "it.skip" + ")" * 3_000 + "('a', () => {});\n",
        "const a = b; const b = a; it[a]('x', () => {}); const c = c; it.skipIf(c)('y', () => {});\n",
        "".join(f"const a{n + 1} = " + f"a{n} + " * 9 + "1;\n" for n in range(30)) + "it.skipIf(a30)('x', () => {});\n",
        "it" + ".each([1])" * 500 + ".skip('a', () => {});\n",
        "const [" + "[" * 500 + "a" + "]" * 500 + "] = it; a('x', () => {});\n",
        "<script " + "{" * 60 + "\n",
    ],
    ids=["braces", "parentheses", "cycles", "expansion", "chain", "pattern", "tag"],
)
def test_nesting_and_cycles_end(text: str) -> None:
    for path in ("a.test.js", "a.vue"):
        outcome({}, {path: text})


def test_variables_with_many_values_cost_no_time() -> None:
    """Each value leads to all the others: following every way would take for ever."""
    step = "a = a.trim().concat(b);\nb = b.trim().concat(c);\nc = c.trim().concat(a);\n"
    code = f'let a = "", b = "", c = "";\n{step * 40}it("x", () => {{ jest.fn(); expect(a).toBe(b); }});\n'
    started = time.process_time()
    outcome({}, {"a.test.js": code})
    assert time.process_time() - started < 5
