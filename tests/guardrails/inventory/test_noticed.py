"""What no test could notice of a change in the product, on the sources of all recorded cases."""

from __future__ import annotations

import ast
import re

import pytest

from ralph.guardrails.inventory.product_changes.noticed import is_noticed
from ralph.syntax import parse
from tests.guardrails.memory import corpus_texts

LANGUAGES = {
    ".py": ("python", "\n# Written for people.\n", "\n\ndef plus_of_all(one, other):\n    return one + other\n"),
    ".ts": ("typescript", "\n// For people.\n", "\nexport function plusOfAll(one: number) {\n  return one + 1;\n}\n"),
    ".js": ("javascript", "\n/* For people. */\n", "\nfunction plusOfAll(one) {\n  return one + 1;\n}\n"),
    ".go": ("go", "\n// Written for people.\n", "\nfunc PlusOfAll(one int) int {\n\treturn one + 1\n}\n"),
    ".rs": ("rust", "\n// Written for people.\n", "\npub fn plus_of_all(one: u32) -> u32 {\n    one + 1\n}\n"),
}
TEXTS = [
    pytest.param(suffix, text, id=f"{suffix[1:]} {number}")
    for suffix, (language, *_) in LANGUAGES.items()
    for number, text in enumerate(corpus_texts(suffix))
    if text.strip() and not parse(language, text.encode()).root_node.has_error
]


@pytest.mark.parametrize(("suffix", "text"), TEXTS)
def test_what_is_written_for_people_and_what_nobody_calls_is_not_noticed(suffix: str, text: str) -> None:
    _, comment, function = LANGUAGES[suffix]
    assert not _is_noticed(suffix, text, text)
    assert not _is_noticed(suffix, text, text + comment)
    assert not _is_noticed(suffix, text + comment, text)
    assert not _is_noticed(suffix, text, text + function) or 'import "C"' in text


@pytest.mark.parametrize(("suffix", "text"), TEXTS)
def test_a_word_more_or_less_is_noticed(suffix: str, text: str) -> None:
    _, _, function = LANGUAGES[suffix]
    assert _is_noticed(suffix, text, text + function, known=text + function)
    assert _is_noticed(suffix, text + function, text)
    assert _is_noticed(suffix, text + function, text + function.replace("one", "two"))
    assert _is_noticed(suffix, text + function, text + function.replace(" + 1", " - 1").replace("+ other", "- other"))


@pytest.mark.parametrize("text", [each for each in corpus_texts(".py") if re.search(r"\n {8}\w", each)])
def test_a_statement_that_leaves_its_block_is_noticed(text: str) -> None:
    """Only how far it stands to the right tells."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if re.match(r" {8}\w", line):
            moved = "\n".join((*lines[:number], line[4:], *lines[number + 1 :]))
            if _tree(moved) not in (None, _tree(text)):
                assert _is_noticed(".py", text, moved)


def _tree(text: str) -> str | None:
    try:
        return ast.dump(ast.parse(text))
    except SyntaxError:
        return None


def _is_noticed(suffix: str, old: str, new: str, known: str = "") -> bool:
    return is_noticed(f"product{suffix}", old.encode(), new.encode(), [known.encode()])
