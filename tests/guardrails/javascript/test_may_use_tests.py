"""What is asked before a file is parsed for its tests: the words of a test framework. No file with tests is without."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from ralph.guardrails.javascript.code import code, may_use_tests
from ralph.guardrails.javascript.files import LANGUAGES, sources_of
from ralph.guardrails.languages import language_of
from ralph.guardrails.source import Source

CORPORA = Path(__file__).parents[2] / "corpora"
FEWER = 10
"""Every tenth case of the large corpus."""


def _sources() -> Iterator[Source]:
    seen = set()
    for name, step in (("gaming", 1), ("independent", FEWER)):
        for line in (CORPORA / f"{name}.jsonl").read_text().splitlines()[::step]:
            case = json.loads(line)
            for path, text in (*case["before"].items(), *case["after"].items()):
                language = language_of(path)
                if language in LANGUAGES and isinstance(text, str) and (path, text) not in seen:
                    seen.add((path, text))
                    yield from sources_of(path, language, text.encode("utf-8", "replace"))


def test_a_file_that_uses_tests_has_the_words() -> None:
    using = [source for source in _sources() if code(source).cases.are_tests]
    assert len(using) > 300
    assert [source.path for source in using if not may_use_tests(source)] == []


def test_a_file_of_the_product_has_them_not() -> None:
    product = Source("src/a.ts", "typescript", b"export const total = (it: number) => it * 2;\n")
    assert not may_use_tests(product)
