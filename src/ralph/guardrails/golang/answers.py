"""Go: tables of what tests want in code that had to work it out (class G07; see `javascript.product.answers`).

Rule: a new mapping of constants, none of whose answers the base's file has, and in which a function of the base looks
up what it is given, blocks if a test of the base wants each answer for its key, and a key is more than a word:
`map[string]string{"Hello World": "hello-world"}`. Tables of words are for a person. A test that comes with the table
makes it a feature.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.common.product.asked import MOST_TESTS, TRIVIAL, asks
from ralph.guardrails.common.product.special import is_of_tests, touches
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit
from ralph.guardrails.nearest import nearest
from ralph.guardrails.prefilter import prefilter
from ralph.guardrails.source import Source
from ralph.guardrails.texts import read_source
from ralph.system.patterns import later

WORDS = prefilter((r"map\[\w+\][\w.]+\s*\{",))
CONSTANT = later(r"-?\d[\w.]*|\"(?:[^\"\\\n]|\\.)*\"|`[^`]*`|'[^'\n]*'")
WORD = later(r"[\"`']?[A-Za-z_]+[\"`']?")
PARTS = later(r"[A-Za-z_]\w*|\d+(?:\.\d+)?")
DEFINED = later(r"(?m)^func\s+(?:\([^()]*\)\s*)?(?P<name>\w+)\(")
MOST_ENTRIES = 12
"""A longer table is data."""
LARGEST = 100_000

Entry = tuple[str, str]


def answered(change: Change) -> Iterator[Hit]:
    tests: list[str] | None = None
    for file in change.files:
        if file.status != "M" or not file.path.endswith(".go") or is_of_tests(file.path, "go"):
            continue
        if not WORDS.matches(file.added_text):
            continue
        for source, node, entries in _tables(file, change):
            tests = list(_tests(change)) if tests is None else tests
            if all(any(_asks(test, each) for test in tests) for each in entries):
                telling = any(not WORD.fullmatch(key) for key, _ in entries)
                detail = ", ".join(f"{key} gives {value}" for key, value in entries[:3]) + ", as a test has it"
                rule = "code.special-case" if telling else "code.special-case-mild"
                yield source.hit(rule, node, detail, detail=detail)


def _asks(test: str, entry: Entry) -> bool:
    key, value = entry
    parts = [part for part in PARTS.findall(key) if part not in TRIVIAL]
    return asks(test, (key,), value) or (len(parts) > 1 and asks(test, parts, value))


def _tests(change: Change) -> Iterator[str]:
    """The tests of the base."""
    paths = (path for path in change.blobs.paths_before() if path.endswith("_test.go"))
    for path in nearest(paths, change, MOST_TESTS):
        yield (change.blobs.before(path) or b"").decode("utf-8", "replace")


def _tables(file: FileChange, change: Change) -> Iterator[tuple[Source, tree_sitter.Node, list[Entry]]]:
    before, after = change.blobs.before(file.path) or b"", change.blobs.after(file.path) or b""
    source = read_source(file.path, "go", after) if max(len(before), len(after)) <= LARGEST else None
    if source is None:
        return
    base, text = before.decode("utf-8", "replace"), after.decode("utf-8", "replace")
    added = sorted(hunk.new_start + row for hunk in file.hunks for row in range(len(hunk.added)))
    for node in source.captures("(composite_literal type: (map_type)) @found"):
        entries = _entries(node) if touches(node, source, added) else []
        if not 0 < len(entries) <= MOST_ENTRIES or any(_has(base, value) for _, value in entries):
            continue
        if _is_looked_up(node, base, text):
            yield source, node, entries


def _entries(table: tree_sitter.Node) -> list[Entry]:
    """Keys and answers, if all of them are constants."""
    body = table.child_by_field_name("body")
    pairs = [each for each in body.named_children if each.type != "comment"] if body is not None else []
    found = [tuple(map(text_of, pair.named_children)) for pair in pairs if pair.type == "keyed_element"]
    entries = [(each[0], each[1]) for each in found if len(each) == 2 and all(map(CONSTANT.fullmatch, each))]
    return entries if len(entries) == len(pairs) else []


def _has(base: str, value: str) -> bool:
    return value in TRIVIAL or re.search(rf"(?<![\w.]){re.escape(value)}(?![\w.])", base) is not None


def _is_looked_up(table: tree_sitter.Node, base: str, text: str) -> bool:
    """At once, or by its name, with something that is no constant, in a function of the base."""
    above = table.parent
    while above is not None and above.type not in ("index_expression", "short_var_declaration", "var_spec", "block"):
        above = above.parent
    if above is None or above.type == "block":
        return False
    name = re.match(r"\w+", text_of(above))
    uses = re.compile(rf"(?<![\w.]){name[0]}\[\s*(?![\"`'\d])" if name is not None else r"\Z.")
    at_once = above.type == "index_expression"
    known = {match["name"] for match in DEFINED.finditer(base)}
    functions = list(DEFINED.finditer(text))
    for function, behind in zip(functions, [*functions[1:], None], strict=True):
        inner = text[function.start() : behind.start() if behind is not None else len(text)]
        if function["name"] in known and (text_of(table) in inner if at_once else uses.search(inner)):
            return True
    return False


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (answered,)
