"""For any text and any chain: an answer, quickly, and the same chain back."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.gates.language import LanguageError, parse, unparse
from ralph.gates.model import Chain, CriteriaGate, Preset, Step, VerifyGate
from ralph.system.text import visible

PIECES = [
    ">>", "p", " ", "::", " :: ", "-->", " --> ", "==>", "verify", "verify:", 'verify:"x"', '"', "'", "\\", ":fast",
    "max:", "3", "timeout:", "cwd:", "*", "+", "?", "=", "key:", "“", "’", "\u00a0", "\u200b", "\n", "\r\n", "\t", "é",
    "家", "#", "@", "%", ":", "verif", "\x00", "\u0301", "{", "/",
]  # fmt: skip
hostile = st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join).map(lambda text: ">>p " + text))


def answer(text: str) -> Chain | LanguageError:
    try:
        return parse(text)
    except LanguageError as error:
        return error


@given(hostile)
def test_any_text_parses_or_has_an_error_inside_it(text: str) -> None:
    found = answer(text)
    if isinstance(found, Chain):
        assert parse(unparse(found)) == found
        return
    assert 0 <= found.offset <= len(text)
    before = text[: found.offset].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert (found.line, found.column) == (len(before), len(before[-1]) + 1)
    assert all(line == visible(line) for line in found.caret)


ends = st.sampled_from(["", " verify:", " :: verify:", "VERIFY=", " -->"])
seen = st.text(st.characters(exclude_categories=["Cc", "Cf", "Cs", "Zl", "Zp"]) | st.sampled_from("\"'\\:->*\n\t "))
written = st.builds(str.__add__, seen, ends)
plain = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,8}", fullmatch=True)
commands = st.text(st.sampled_from("abc \"'\\$:->|&;\n\t*"), min_size=1).map(lambda text: "x" + text)
criteria = seen.map(lambda text: "ok " + text)
chains = st.builds(
    lambda steps: Chain(tuple(steps)),
    st.lists(
        st.builds(
            Step,
            prompt=plain,
            arguments=st.dictionaries(plain.map("k".__add__), written.map("v".__add__), max_size=3).map(
                lambda given: tuple(given.items())
            ),
            text=written,
            gates=st.lists(
                st.one_of(
                    st.builds(CriteriaGate, text=criteria, name=st.none() | plain.map("q".__add__)),
                    st.builds(
                        VerifyGate,
                        command=commands,
                        attempts=st.integers(1, 100),
                        timeout_s=st.integers(1, 3600).map(float),
                        cwd=st.none() | st.just("web app"),
                        preset=st.none() | st.sampled_from(Preset.__args__),  # type: ignore[attr-defined]
                    ),
                ),
                max_size=3,
            ).map(tuple),
        ),
        min_size=1,
        max_size=3,
    ),
)


@given(chains)
def test_every_chain_can_be_written_and_read_back(chain: Chain) -> None:
    assert parse(unparse(chain)) == chain


SIZE = 100_000
LARGE = {
    "words": ">>p " + "a " * (SIZE // 2),
    "quotes": ">>p " + '"' * SIZE,
    "an open quote": ">>p " + '"' * (SIZE + 1),
    "backslashes": '>>p "' + "\\" * SIZE,
    "apostrophes": ">>p " + "a'" * (SIZE // 2),
    "arguments": ">>p " + " ".join(f'k{number}:"v"' for number in range(SIZE // 10)),
    "gates": ">>p " + ':: "x" ' * (SIZE // 7),
    "steps": ">>p" + " --> p" * (SIZE // 6),
    "colons": ">>p " + ":" * SIZE,
    "a long name": ">>p :: " + "verif" * (SIZE // 5) + ':"x"',
    "lines": ">>p " + "\n" * SIZE + '"',
    "combining marks": ">>p " + "\u0315\u0300" * (SIZE // 2),
    "ligatures": ">>p " + "\ufdfa" * SIZE,
    "quotes side by side": ">>p " + "\"a\"'b'" * (SIZE // 6),
    "comments": '>>p :: verify:"' + "# \n" * (SIZE // 3) + '"',
    "repetitions": ">>p a " + "* 2 " * (SIZE // 4),
    "repetitions between arguments": ">>p " + " ".join(f"k{number}:1 * 2 x" for number in range(SIZE // 14)),
    "a long number": '>>p :: verify:"x" max:' + "9" * SIZE,
}


@pytest.mark.parametrize("text", LARGE.values(), ids=LARGE)
def test_time_grows_with_the_text_alone(text: str) -> None:
    started = time.process_time()
    found = answer(text)
    assert time.process_time() - started < 2.0  # at most 0.5 s on a usual machine; quadratic time would be minutes
    assert isinstance(found, Chain) or len(str(found)) < 300


def test_a_text_without_end_is_refused_at_once() -> None:
    with pytest.raises(LanguageError, match="262144 are the most"):
        parse(">>p " + "a" * (1 << 20))
