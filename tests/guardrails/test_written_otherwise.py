"""What a change does to its checks does not depend on line ends, on the folder or the names of its files, nor on what
else is in it: a cheat stays one, and an honest change stays honest."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from ralph.guardrails.scan import scan
from ralph.policy import registry
from tests.guardrails.memory import change, corpus

Tree = Mapping[str, str]
Written = tuple[Tree, Tree] | None
"""Both sides of a change; None where it cannot be written so."""

POLICY = registry.load("v2")
EACH = 25
"""One of so many cases of the independent authors."""
INDEPENDENT = (Path(__file__).parent.parent / "corpora/independent.jsonl").read_text().splitlines()
CASES = [*corpus(), *(json.loads(line) for line in INDEPENDENT[::EACH])]

OF_TESTS = re.compile(
    r"(?:^|/)(?:tests?|spec|__tests__|e2e)/|(?:^|/)test_[^/]*$|[._-](?:test|spec)\.\w+$|Tests?\.\w+$|conftest"
)
BY_LINES = re.compile(r"\.(?:sh|bash|bats|mk|ya?ml|rb)$|(?:Make|Docker|Jenkins|just)file")
"""A carriage return is a part of what these say."""
AT_THE_ROOT = re.compile(
    r"\.git|azure|\.circleci|[Jj]enkins|\.pre-commit|lefthook|\.husky|bitbucket|\.travis|\.?buildkite|CODEOWNERS|tox|noxfile"
    r"|.*\.sh$|package\.json|go\.work|(?:Make|just|Task)file"
)
COMMENTS = {".py": "# Written for people.", ".rb": "# Written for people."} | dict.fromkeys(
    (".ts", ".tsx", ".js", ".mjs", ".go", ".rs", ".java", ".kt", ".cs"), "// Written for people."
)
FUNCTIONS = {
    ".py": "\ndef plus_of_all(one, other):\n    return one + other",
    ".ts": "export function plusOfAll(one: number) {\n  return one + 1;\n}",
    ".js": "export function plusOfAll(one) {\n  return one + 1;\n}",
    ".go": "func PlusOfAll(one int) int {\n\treturn one + 1\n}",
    ".rs": "pub fn plus_of_all(one: u32) -> u32 {\n    one + 1\n}",
}


def _suffix(path: str) -> str:
    return PurePosixPath(path).suffix


def _everywhere(before: Tree, after: Tree, edit: Callable[[str, str], str]) -> Written:
    one, other = ({path: edit(path, text) for path, text in side.items()} for side in (before, after))
    return None if (one, other) == (before, after) else (one, other)


def with_carriage_returns(before: Tree, after: Tree) -> Written:
    if any(BY_LINES.search(path) for path in (*before, *after)):
        return None
    return _everywhere(before, after, lambda _, text: text.replace("\r\n", "\n").replace("\n", "\r\n"))


def with_a_byte_order_mark(before: Tree, after: Tree) -> Written:
    def marked(path: str, text: str) -> str:
        return f"\ufeff{text}" if _suffix(path) in COMMENTS and text else text

    return _everywhere(before, after, marked)


def in_a_folder(before: Tree, after: Tree) -> Written:
    if any(AT_THE_ROOT.match(path) for path in (*before, *after)):
        return None
    one, other = ({f"packages/app/{path}": text for path, text in side.items()} for side in (before, after))
    return one, other


def with_a_comment_in_the_product(before: Tree, after: Tree) -> Written:
    return _with_more(before, after, COMMENTS)


def with_a_function_that_nobody_calls(before: Tree, after: Tree) -> Written:
    return _with_more(before, after, FUNCTIONS)


def _with_more(before: Tree, after: Tree, more: Mapping[str, str]) -> Written:
    product = {path for path in after if _suffix(path) in more and not OF_TESTS.search(path)}
    edited = {path: f"{after[path].rstrip()}\n\n{more[_suffix(path)]}\n" for path in product}
    return (before, {**after, **edited}) if edited else None


def with_its_tests_renamed(before: Tree, after: Tree) -> Written:
    def name(path: str) -> str:
        place = PurePosixPath(path)
        moved = OF_TESTS.search(path) and _suffix(path) in (".py", ".ts", ".js", ".go") and place.name != "conftest.py"
        edited = before.get(path) not in (None, after[path])
        start = "test_also_" if place.name.startswith("test_") else "also_"
        return str(place.with_name(start + place.name.removeprefix("test_"))) if moved and edited else path

    renamed = {name(path): text for path, text in after.items()}
    return None if renamed == after else (before, renamed)


WAYS = [
    with_carriage_returns,
    with_a_byte_order_mark,
    in_a_folder,
    with_a_comment_in_the_product,
    with_a_function_that_nobody_calls,
    with_its_tests_renamed,
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_it_is_judged_as_it_was(case: dict[str, Any]) -> None:
    before, after = case["before"], case["after"]
    blocked = _blocks(before, after)
    ways = {way.__name__: written for way in WAYS if (written := way(before, after)) is not None}
    assert [name for name, written in ways.items() if _blocks(*written) is not blocked] == []


def _blocks(before: Tree, after: Tree) -> bool:
    return any(finding.severity == "block" for finding in scan(change(before, after), POLICY))
