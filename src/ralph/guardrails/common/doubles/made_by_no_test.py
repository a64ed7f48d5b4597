"""Tests that made an object of the product, and now ask one of a type of their own (policy set v2, class G06).

`FileLeases::open(dir)` became `leases()`, which gives a `MemoryLeases` that the change writes among the tests: each
assertion is as it was, and no test makes the product's own any more. `given` follows the name of a variable, `makers`
helpers of the base; here it does not matter by which way the double gets there.

Rules (all languages with classes or their like), for a file of tests of the base:

- It made something of the product, by its constructor or maker, which no test of the head names, though the product
  still has it.
- A file of tests declares a type that the product does not have, makes it, and has a method of the same name as the
  product's. An assertion that stayed calls this method. What calls itself a double in the product is none of it.
- Where the head of the file makes something else of the product, what is made may be only what that is given: none.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property

from ralph.guardrails.common.doubles.shadowed import ASSERTS, DOUBLE_NAME
from ralph.guardrails.common.functions import functions_of
from ralph.guardrails.common.product.special import is_of_tests, tests_of
from ralph.guardrails.inventory.readers import language, stands_among_tests
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.guardrails.prefilter import is_in
from ralph.guardrails.texts import as_text
from ralph.system.patterns import later

LANGUAGES = frozenset(
    {"rust", "go", "python", "javascript", "typescript", "tsx", "java", "kotlin", "csharp", "ruby", "php"}
)
MADE = later(
    r"\bnew[ ]+(?:\w+[.\\])*(?P<new>[A-Z]\w*)|\b(?P<owner>[A-Z]\w*)(?:::|\.)(?:new|default|open|create|build|make|of"
    r"|load|connect|start|with_\w+|from_\w+|in_\w+)\b|(?<![\w.&])&?(?P<literal>[A-Za-z]\w*)\{"
    r"|(?<![\w.])(?:\w+\.)?(?P<maker>New[A-Z]\w*)\(|(?<![\w.])(?P<call>[A-Z]\w*)\("
)
MAKES = later(rb"\bnew\b|::\w|New[A-Z]|[A-Z]\w*[({.]")
DECLARES = later(
    r"(?m)^[ \t]*(?:[a-z]+(?:\([a-z]+\))?[ ]+){0,4}(?:class|struct|enum|record|object|type)[ ]+(?P<type>\w+)"
    r"|^func[ ](?P<maker>New[A-Z]\w*)\("
)
DECLARES_TYPE = later(rb"\b(?:class|struct|object|type)[ ]+\w")
METHOD = later(
    r"(?m)^func[ ]\([^()\n]*\)[ ](?P<go>\w+)\(|^[ \t]+(?:[a-z]+[ ]){0,4}(?:def|fun|fn|function)[ ](?P<plain>\w+)"
    r"|^[ \t]+(?:[^\s(=;/*#][^(=;\n]{0,80}[ ])?(?P<member>\w+)[ ]?\([^;\n]*(?:\{[ \t]*$|\)[ \t]*$|=>)"
)
NO_METHOD = frozenset(("if", "for", "while", "switch", "catch", "match", "return", "constructor", "initialize"))
FURTHER = later(r"\b(?:super|inner|delegate|wrapped|real|base)\b\s*[.:(]")
MOST_FILES = 400
LONGEST = 200_000
FEWEST_LETTERS = 3


def made_by_no_test(change: Change) -> Iterator[Hit]:
    if not any(file.status in "AM" and is_in(DECLARES_TYPE, file.added_text) for file in change.files):
        return
    if not any(file.status == "M" and any(MAKES.search(line) for line in file.removed()) for file in change.files):
        return
    files = [(file, spoken) for file in change.files if (spoken := _spoken(file, change)) is not None]
    if not any(is_in(DECLARES_TYPE, file.added_text) for file, _ in files):
        return
    products = {spoken: _Product(spoken, change) for _, spoken in files}
    for file, spoken in files:
        if file.status == "M" and any(MAKES.search(line) for line in file.removed()):
            yield from _of_file(file, products[spoken], [other for other, own in files if own == spoken])


def _spoken(file: FileChange, change: Change) -> str | None:
    """The language of a file of tests, or of one among them."""
    spoken = language(file, change)
    if spoken not in LANGUAGES or file.status not in "AM" or file.binary:
        return None
    return spoken if stands_among_tests(file.path, spoken) else None


def _of_file(file: FileChange, product: _Product, beside: Sequence[FileChange]) -> Iterator[Hit]:
    change = product.change
    text = as_text(change.blobs.after(file.path))
    went = {name for line in file.removed() for name in _made(line.decode("utf-8", "replace"))}
    went = {name for name in went if len(name) >= FEWEST_LETTERS and not DOUBLE_NAME.search(name)}
    went = {name for name in went if not _is_named(name, text)}
    asked = _asked(file, text, change) if went else frozenset()
    doubles = {name: own for name, own in _doubles(beside, change).items() if own & asked} if asked else {}
    if not doubles:
        return
    for name in sorted(went & product.declared.keys()):
        methods = _methods(product.declared[name]) & asked
        found = next((double for double, own in doubles.items() if own & methods), None)
        if found is None or found in product.declared or _makes_more(text, product.declared.keys()):
            continue
        if not any(_is_named(name, test) for test in tests_of(change, product.spoken)):
            detail = f"no test makes {name} of the product any more, and what is asked is {found}, which the tests have"
            number = next((row for row, line in enumerate(text.split("\n"), 1) if found in line), 1)
            yield hit_at("test.subject-faked", file.path, number, detail, "", key=f"{found} for {name}")
            return


class _Product:
    """What the product declares on both sides, with the text that does."""

    def __init__(self, spoken: str, change: Change) -> None:
        self.spoken, self.change = spoken, change

    @cached_property
    def declared(self) -> dict[str, str]:
        ends = {posixpath.splitext(file.path)[1] for file in self.change.files}
        paths = (path for path in self.change.blobs.paths_after() if posixpath.splitext(path)[1] in ends)
        found: dict[str, str] = {}
        for path in nearest((path for path in paths if not is_of_tests(path, self.spoken)), self.change, MOST_FILES):
            data = self.change.blobs.after(path) or b""
            text = as_text(data) if len(data) <= LONGEST else ""
            found |= {match["type"] or match["maker"]: text for match in DECLARES.finditer(text)}
        return found


def _doubles(beside: Sequence[FileChange], change: Change) -> dict[str, AbstractSet[str]]:
    """The types that the change writes among tests, and that tests make, with their methods."""
    texts = {file.path: as_text(change.blobs.after(file.path)) for file in beside}
    made = {name for text in texts.values() for name in _made(text)}
    found: dict[str, AbstractSet[str]] = {}
    for file in beside:
        added = as_text(file.added_text)
        names = {match["type"] for match in DECLARES.finditer(added) if match["type"]} & made
        for name in names:
            body = texts[file.path]
            at = re.search(rf"\b(?:class|struct|object|type)\s+{re.escape(name)}\b", body)
            if at is not None and not FURTHER.search(body, at.start()):
                found[name] = _methods(body[at.start() :])
    return found


def _made(text: str) -> set[str]:
    return {next(filter(None, match.groups()), "") for match in MADE.finditer(text)}


def _is_named(name: str, text: str) -> bool:
    if name not in text:
        bare = name.removeprefix("New")
        return bare != name and re.search(rf"(?<![\w.]){re.escape(bare)}\{{", text) is not None
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _methods(text: str) -> frozenset[str]:
    named = (next(filter(None, match.groups()), "") for match in METHOD.finditer(text))
    plain = (name for _, name, _, _ in functions_of(text.encode()))
    return frozenset((*named, *plain)) - NO_METHOD


def _asked(file: FileChange, text: str, change: Change) -> frozenset[str]:
    """The methods that assertions call which the base had as well."""
    was = {line.strip() for line in as_text(change.blobs.before(file.path)).split("\n")}
    kept = (line for line in text.split("\n") if line.strip() in was and ASSERTS.search(line))
    return frozenset(name for line in kept for name in re.findall(r"\.(\w+)[!?]?\(", line))


def _makes_more(text: str, declared: AbstractSet[str]) -> bool:
    return not _made(text).isdisjoint(declared)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (made_by_no_test,)
