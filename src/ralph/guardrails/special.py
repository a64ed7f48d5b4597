"""A test's own values answered in product code (policy set v2, class G07): all languages but Python, which has its own.

Rules (those of `python.special`, read off branches, cases and tables as they are written):

- A new branch that gives a constant where something equals a constant blocks if a test has both close together, and
  they are more than a name for something: a number for a number, or several values. Else it is for a person.
- So does a new entry of a table of numbers by numbers.
- Values that stand for nothing in particular (0, 1, an empty text) do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import tree_sitter

from ralph.guardrails.inventory.readers import TEST_PLACE, is_support, language, reader_of
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit
from ralph.guardrails.prefilter import prefilter
from ralph.guardrails.python.special import MOST_TESTS, TRIVIAL, asks
from ralph.guardrails.source import Source
from ralph.guardrails.texts import UnreadableError, decoded, one_line_end

LANGUAGES = frozenset({"javascript", "typescript", "tsx", "go", "java", "kotlin", "csharp", "ruby", "rust"})
WORDS = prefilter(
    (
        r"===?[^=]*[\d\"'`]",
        r"[\d\"'`]\)?\s*===?",
        r"\b(?:case|when)\b\s*\(?[-\d\"'`]",
        r"[-=]>\s*[-\d\"'`]",
        r"\d\s*:\s*-?\d",
    )
)
_NUMBER = r"-?\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?"
_PLAIN = rf"(?:{_NUMBER}(?:[fFdDLlmMn]|_?[iuf]\d+)?|\"[^\"\n]*\"|'[^'\n]*'|`[^`$\n]*`)"
_LITERAL = rf"(?:{_PLAIN}|\[\s*(?:{_PLAIN}\s*,?\s*)+\])"
_ASKED = r"(?:(?<![\w$.])[A-Za-z_$][\w$.]*|[)\]])"
EQUALS = re.compile(
    rf"{_ASKED}(?:\s*===?|\.equals\(|\s+eq\b)\s*({_LITERAL})(?!\s*[-+*/%])"
    rf"|(?:^|[(&|,!])\s*({_LITERAL})\s*(?:===?\s*{_ASKED}|\.equals\()"
)
ANSWER = re.compile(
    rf"[\s{{(:]*(?:then\b|=>)?\s*(?:return\b)?\s*(?:Some|Ok)?\(?\s*({_LITERAL})(?:\.to_string\(\)|\.into\(\))?\s*\)?"
    r"\s*[;,]?\s*(?:break;?\s*)?(?:end)?[\s})]*"
)
CASE = re.compile(rf"(?:case|when)?\s*\(?({_LITERAL})\)?\s*(?::|=>|->|then\b|\n)(.*)", re.DOTALL)
ENTRY = re.compile(rf"({_NUMBER})\s*:\s*({_NUMBER})")
BRANCH = frozenset({"if_statement", "if_expression", "if", "if_modifier", "elsif"})
CHOICE = frozenset({"ternary_expression", "conditional_expression", "conditional"})
CASES = frozenset(
    {"switch_case", "expression_case", "switch_block_statement_group", "switch_rule", "switch_section"}
    | {"switch_expression_arm", "match_arm", "when", "when_entry"}
)
BESIDE = re.compile(r"(?:^|/)(?:bench(?:marks?)?|examples?|samples?|scripts?|playground)/")
"""What is no product, and is not tested."""
NOTHING = frozenset({"true", "false", "null", "nil", "None", "''", '""', "0", "[]"})


@dataclass(frozen=True, slots=True)
class Case:
    """A branch that gives `result` where something is one of `given`."""

    node: tree_sitter.Node
    given: tuple[str, ...]
    result: str

    @property
    def key(self) -> tuple[tuple[str, ...], str]:
        return self.given, self.result

    @property
    def is_plain(self) -> bool:
        telling = [each for each in self.given if each not in TRIVIAL]
        numbers = all(re.fullmatch(_NUMBER, each) for each in (*telling, self.result))
        return len(telling) > 1 or any(each.startswith("[") for each in telling) or numbers


def special_cases(change: Change) -> Iterator[Hit]:
    tests: dict[str, list[str]] = {}
    for file in change.files:
        spoken = language(file, change)
        if spoken not in LANGUAGES or _is_test(file.path, spoken) or not _worth(file):
            continue
        source = _source(file.path, spoken, change.blobs.after(file.path))
        if source is None:
            continue
        added = {line for hunk in file.hunks for line in range(hunk.new_start, hunk.new_start + len(hunk.added))}
        found = [case for case in _cases(source) if _rows(case, source) & added]
        base = _source(file.path, spoken, change.blobs.before(file.path)) if found else None
        known = {case.key for case in _cases(base)} if base is not None else set()
        for case in (case for case in found if case.key not in known):
            if spoken not in tests:
                tests[spoken] = list(_tests(change, spoken))
            own = source.data.partition(b"#[cfg(test)]")[2].decode("utf-8", "replace") if spoken == "rust" else ""
            if any(asks(test, case.given, case.result) for test in (*tests[spoken], own)):
                detail = f"{' and '.join(case.given)} gives {case.result}, as a test has it"
                rule = "code.special-case" if case.is_plain else "code.special-case-mild"
                yield source.hit(rule, case.node, detail, detail=detail)


def _worth(file: FileChange) -> bool:
    return WORDS.matches(b"\n".join(line for hunk in file.hunks for line in hunk.added))


def _is_test(path: str, spoken: str) -> bool:
    reader = reader_of(spoken)
    return is_support(path) or BESIDE.search(path) is not None or (reader is not None and reader.is_test_file(path))


def _tests(change: Change, spoken: str) -> Iterator[str]:
    """The test files of the language, those of the change first."""
    reader = reader_of(spoken)
    changed = {file.path for file in change.files}
    paths = (
        path
        for path in change.blobs.paths_after()
        if (reader is not None and reader.is_test_file(path)) or TEST_PLACE.search(path)
    )
    for path in sorted(paths, key=lambda path: (path not in changed, path))[:MOST_TESTS]:
        data = change.blobs.after(path)
        if data is not None:
            yield data.decode("utf-8", "replace")


def _rows(case: Case, source: Source) -> set[int]:
    first = source.first_line
    return set(range(case.node.start_point.row + first, case.node.end_point.row + first + 1))


def _source(path: str, spoken: str, data: bytes | None) -> Source | None:
    try:
        return None if data is None else Source(path, spoken, one_line_end(spoken, decoded(spoken, data)))
    except UnreadableError:
        return None


def _cases(source: Source) -> Iterator[Case]:
    for node in source.walk():
        if node.type in BRANCH or node.type in CHOICE:
            parts = [*node.named_children, None, None][:2]
            condition = node.child_by_field_name("condition") or parts[0]
            answer = node.child_by_field_name("consequence") or node.child_by_field_name("body") or parts[1]
            if condition is not None and answer is not None:
                given = [one or other for one, other in EQUALS.findall(text_of(condition))]
                yield from _made(node, given, text_of(answer))
        else:
            form = CASE if node.type in CASES else ENTRY if node.type == "pair" else None
            match = form.fullmatch(text_of(node)) if form is not None else None
            if match is not None:
                yield from _made(node, [match[1]], match[2])


def _made(node: tree_sitter.Node, given: list[str], answer: str) -> Iterator[Case]:
    match = ANSWER.fullmatch(answer)
    if match is None or match[1] in NOTHING or not any(each not in TRIVIAL and each not in NOTHING for each in given):
        return
    yield Case(node, tuple(given), match[1])


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (special_cases,)
