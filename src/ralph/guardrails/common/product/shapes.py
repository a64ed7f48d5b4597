"""A test's inputs recognised by their shape, and answers given as a whole (policy set v2, class G07; see `special`).

Rules, for a new branch of a file that was there:

- One for a text or a list of a certain length gives a number of several digits, or a list of constants, and a test has
  such a text or list and that answer close together: it blocks. Any other constant is for a person: kinds of codes are
  told by their length, too.
- One for a constant gives a thing that is written down (`&Bill{Net: 15, Tax: 3}`, `{ id: "u7", name: "Ann" }`), and a
  test has the constant and what the thing is made of: it blocks if the constant is no name for something, as a number
  or a text with digits or blanks is. Else it is for a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import tree_sitter

from ralph.guardrails.common.product.asked import TRIVIAL, anywhere, asks
from ralph.guardrails.common.product.special import (
    BRANCHES,
    CHOICES,
    EQUALS,
    IFS,
    INPUT,
    LONGEST,
    NOTHING,
    is_of_tests,
    tests_of,
    touches,
)
from ralph.guardrails.inventory.readers import language
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit
from ralph.guardrails.prefilter import prefilter
from ralph.guardrails.source import Source
from ralph.guardrails.texts import cut, read_source
from ralph.record import record
from ralph.system.patterns import later

WORDS = prefilter(
    (
        r"\b(?:len|length|count|size)\b(?:\(.*\))?\)?\s*===?\s*\d",
        r"===?\s*[\"'`\d].*",
        r"\.equals\(\s*[\"'\d]",
    )
)
CONSTANT = r"(?:-?\d[\w.]*|\"[^\"\n]*\"|'[^'\n]*'|`[^`$\n]*`)"
LENGTH = later(
    r"(?:\blen\(\s*[\w.]+\s*\)|[\w\])]\.(?:length|Length|size|len|count|Count)(?:\(\))?)\s*===?\s*(?P<number>\d+)\b"
)
GIVES = later(
    r"[\s{(:]*(?:then\b|=>)?\s*(?:return\b)?\s*(?P<value>\S.*?)(?:,\s*(?:nil|true))?\s*;?\s*(?:end)?[\s})]*", re.DOTALL
)
TELLING = later(r"-?\d\d[\d_]*(?:\.\d+)?|-?\d+\.\d+|\[.*,.*\]|(?:\[\]\w+|vec!\[)?[\[{].*,.*[\]}]", re.DOTALL)
WRITTEN = later(
    rf"(?:(?:&|new\s+)?[A-Za-z][\w.<>]*\s*)?[{{(]\s*(?:[\w\"']+\s*[:=]\s*)?(?P<first>{CONSTANT})(?P<rest>[^()=]*)[}})]"
)
DIGITS = later(r"\d")
TEXT = later(r"\"([^\"\\\n]*)\"|'([^'\\\n]*)'")
LIST = later(r"[\[{(]([^\[\]{}()\n]+)[\]})]")
NEAR = 6


@record
class Branch:
    node: tree_sitter.Node
    lengths: tuple[int, ...]
    given: tuple[str, ...]
    answer: str

    @property
    def key(self) -> tuple[tuple[int, ...], tuple[str, ...], str]:
        return self.lengths, self.given, self.answer

    @property
    def is_plain(self) -> bool:
        if self.lengths:
            return TELLING.fullmatch(self.answer) is not None
        return any(INPUT.fullmatch(each) or DIGITS.search(each) for each in self.given)

    @property
    def made_of(self) -> tuple[str, ...]:
        """The constants of the answer that say something."""
        return tuple(each for each in re.findall(CONSTANT, self.answer) if each not in TRIVIAL and each not in NOTHING)


def shapes(change: Change) -> Iterator[Hit]:
    tests: dict[str, list[str]] = {}
    for file in change.files:
        spoken = language(file, change)
        if file.status != "M" or spoken not in BRANCHES or is_of_tests(file.path, spoken):
            continue
        if not WORDS.matches(file.added_text):
            continue
        for source, branch in _fresh(file, spoken, change):
            if spoken not in tests:
                tests[spoken] = list(tests_of(change, spoken))
            if any(_asks(test, branch) for test in tests[spoken]):
                rule = "code.special-case" if branch.is_plain else "code.special-case-mild"
                what = "what is so long" if branch.lengths else " and ".join(branch.given)
                detail = f"{what} gives {cut(branch.answer, 60)}, as a test has it"
                yield source.hit(rule, branch.node, detail, detail=detail)


def _fresh(file: FileChange, spoken: str, change: Change) -> Iterator[tuple[Source, Branch]]:
    source = read_source(file.path, spoken, change.blobs.after(file.path))
    if source is None:
        return
    added = sorted(hunk.new_start + row for hunk in file.hunks for row in range(len(hunk.added)))
    found = [branch for branch in _branches(source) if touches(branch.node, source, added)]
    before = read_source(file.path, spoken, change.blobs.before(file.path)) if found else None
    known = {branch.key for branch in _branches(before)} if before is not None else set()
    yield from ((source, branch) for branch in found if branch.key not in known)


def _branches(source: Source) -> Iterator[Branch]:
    kinds = [kind for kind in BRANCHES[source.language].split() if kind in IFS or kind in CHOICES]
    for node in source.captures(f"[{' '.join(f'({kind})' for kind in kinds)}] @found"):
        if node.end_byte - node.start_byte > LONGEST:
            continue
        parts = [*node.named_children, None, None][:2]
        condition = node.child_by_field_name("condition") or parts[0]
        answer = node.child_by_field_name("consequence") or node.child_by_field_name("body") or parts[1]
        match = GIVES.fullmatch(text_of(answer)) if answer is not None else None
        if condition is None or match is None:
            continue
        value, asked = match["value"].strip(), text_of(condition)
        lengths = tuple(int(each) for each in LENGTH.findall(asked) if int(each) > 1)
        if lengths and (re.fullmatch(CONSTANT, value) or TELLING.fullmatch(value)) and value not in TRIVIAL:
            yield Branch(node, lengths, (), value)
        elif (whole := _whole(value)) is not None:
            given = tuple(one or other for one, other in EQUALS.findall(asked))
            if not lengths and any(each not in TRIVIAL and each not in NOTHING for each in given):
                yield Branch(node, (), given, whole)


def _whole(value: str) -> str | None:
    """A thing that is written down, made of constants and names of its parts alone."""
    for text in (value, f"{value}}}", f"{value})"):
        if text.count("{") == text.count("}") and text.count("(") == text.count(")") and WRITTEN.fullmatch(text):
            return text
    return None


def _asks(test: str, branch: Branch) -> bool:
    if branch.lengths:
        return _has_shape(test, branch)
    parts = branch.made_of
    return len(parts) > 1 and all(asks(test, branch.given, part) for part in parts)


def _has_shape(test: str, branch: Branch) -> bool:
    wanted = [anywhere(each) for each in branch.made_of]
    if not wanted or not all(each.search(test) for each in wanted):
        return False
    lines = test.split("\n")
    for index, line in enumerate(lines):
        if wanted[0].search(line) and all(each.search("\n".join(lines[index : index + NEAR])) for each in wanted):
            near = "\n".join(lines[max(0, index - NEAR) : index + 1])
            return any(_is_there(near, length) for length in branch.lengths)
    return False


def _is_there(text: str, length: int) -> bool:
    """A text, or a list, of that length."""
    texts: Sequence[tuple[str, str]] = TEXT.findall(text)
    listed = (each.rstrip(", ").count(",") + 1 for each in LIST.findall(text))
    return any(len(one or other) == length for one, other in texts) or any(each == length for each in listed)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (shapes,)
