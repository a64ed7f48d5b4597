"""Tables of what tests want in code that had to work it out (policy set v2, class G07).

Rule: a new table in a function that the base has, or looked up in one, blocks if each of its answers is new to the file
and a test of the base wants it for its key, and a key is more than a word: `{ "2h": 7200 }` before the logic, or in its
place. So does a branch for one text with a digit. Tables of words for words are for a person. A test that comes with
the table makes it a feature.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.common.product.asked import MOST_TESTS, TRIVIAL, asks
from ralph.guardrails.inventory.readers import TEST_PLACE, is_support
from ralph.guardrails.javascript.checks.chain import ACCESSES
from ralph.guardrails.javascript.code import Code, code
from ralph.guardrails.javascript.layout import is_test_file
from ralph.guardrails.javascript.places import is_product
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, FileChange, Hit
from ralph.guardrails.nearest import nearest
from ralph.guardrails.prefilter import prefilter
from ralph.guardrails.source import Source
from ralph.guardrails.texts import read_source
from ralph.system.patterns import later

WORDS = prefilter(
    (
        r"[\w\"'`\]]\s*:\s*[-\d\"'`]",
        r"\[\s*[\"'`\d][^\n]*,\s*[-\d\"'`]",
        r"===?\s*[\"'`]|[\"'`]\s*===?|\bcase\s*[\"'`]",
        r"\.includes\(|\$/\.test\(",
    )
)
_LANGUAGES = frozenset({"javascript", "typescript", "tsx"})
_CONSTANTS = frozenset({"string", "number", "unary_expression", "template_string"})
_BRANCHING = frozenset({"if_statement", "ternary_expression", "switch_case"})
_VALUE = r"(?P<value>-?\d[\d_.]*|[\"'`][^\"'`$\n]*[\"'`])"
_BRANCH = later(
    rf"(?:if\s*\(\s*|case\s+)?(?:[\w$.]+(?:\(\))?\s*===?\s*|\[\s*)?(?:[\"'`]|/\^)(?P<key>[^\"'`/$\n]+)(?:[\"'`]|\$/)\]?"
    rf"(?:\.(?:includes|test)\([\w$.]+\)|\s*===?\s*[\w$.]+)?\s*\)?\s*[:?]?\s*\{{?\s*(?:return\b\s*)?{_VALUE}\s*;?\s*(?:\}}|:.*)?",
    re.DOTALL,
)
_WORD = later(r"[\"'`]?[A-Za-z_$]+[\"'`]?")
_PARTS = later(r"[A-Za-z_]\w*|\d+(?:\.\d+)?")
MOST_ENTRIES = 12
"""A longer table is data."""

MOST_LINES = 200
"""More lines at once are no special case, but another file."""
LARGEST = 40_000

Entry = tuple[str, str]


def answered(change: Change) -> Iterator[Hit]:
    tests: list[str] | None = None
    for file in change.files:
        language = language_of(file.path)
        if file.status != "M" or language not in _LANGUAGES or not _may_hold(file):
            continue
        head, base = (_read(file.path, language, side(file.path)) for side in (change.blobs.after, change.blobs.before))
        found = list(_tables(code(head), base)) if head is not None and base is not None else []
        if found and tests is None:
            tests = list(_tests(change))
        for node, entries in found:
            if tests and head is not None and all(any(_asks(test, entry) for test in tests) for entry in entries):
                telling = any(not _WORD.fullmatch(key) for key, _ in entries)
                detail = ", ".join(f"{key} gives {value}" for key, value in entries[:3]) + ", as a test has it"
                yield head.hit(
                    "code.special-case" if telling else "code.special-case-mild", node, detail, detail=detail
                )


def _may_hold(file: FileChange) -> bool:
    if is_test_file(file.path) or is_support(file.path) or not is_product(file.path):
        return False
    added = [line for hunk in file.hunks for line in hunk.added]
    return len(added) <= MOST_LINES and WORDS.matches(b"\n".join(added))


def _read(path: str, language: str, data: bytes | None) -> Source | None:
    return None if data is not None and len(data) > LARGEST else read_source(path, language, data)


def _tests(change: Change) -> Iterator[str]:
    """The tests of the base."""
    paths = (path for path in change.blobs.paths_before() if language_of(path) in _LANGUAGES)
    tests = (path for path in paths if is_test_file(path) or TEST_PLACE.search(path))
    for path in nearest(tests, change, MOST_TESTS):
        yield (change.blobs.before(path) or b"").decode("utf-8", "replace")


def _asks(test: str, entry: Entry) -> bool:
    key, value = entry
    parts = [part for part in _PARTS.findall(key) if part not in TRIVIAL]
    return asks(test, (key,), value) or (len(parts) > 1 and asks(test, parts, value))


def _tables(found: Code, base: Source) -> Iterator[tuple[tree_sitter.Node, list[Entry]]]:
    """New tables of constants, none of whose answers the base has, that a function of the base looks into."""
    text, known = base.data.decode("utf-8", "replace"), _functions(code(base))
    for node in found.names.of_types("variable_declarator"):
        name = node.child_by_field_name("name")
        if name is None or name.type != "identifier" or re.search(rf"\b{re.escape(found.text(name))}\b", text):
            continue
        entries = _entries(found, unwrapped(node.child_by_field_name("value")))
        if not 0 < len(entries) <= MOST_ENTRIES or any(_has(text, value) for _, value in entries):
            continue
        if any(_is_looked_up(found, use, known) for use in found.names.nodes if use.text == name.text):
            yield node, entries
    yield from _inline(found, text, known)
    yield from _branches(found, text, known)


def _inline(found: Code, text: str, known: frozenset[str]) -> Iterator[tuple[tree_sitter.Node, list[Entry]]]:
    """`{ "2h": 7200 }[key]`."""
    for node in found.names.of_types("object"):
        entries = _entries(found, node)
        parent = found.names.parent(node)
        inline = parent is not None and unwrapped(parent.child_by_field_name("object")) == node
        if inline and entries and known & _around(found, node) and not any(_has(text, value) for _, value in entries):
            yield node, entries


def _branches(found: Code, text: str, known: frozenset[str]) -> Iterator[tuple[tree_sitter.Node, list[Entry]]]:
    """`if (key === "2h") return 7200;`, `case "2h": return 7200;`: of one text with a digit."""
    for node in found.names.of_types(*_BRANCHING):
        match = _BRANCH.fullmatch(found.text(node)) if node.end_byte - node.start_byte < 200 else None
        if match is None or not known & _around(found, node):
            continue
        key, value = f'"{match["key"]}"', match["value"]
        if re.search(r"\d", key) and not _WORD.fullmatch(key) and not _has(text, value) and match["key"] not in text:
            yield node, [(key, value)]


def _has(text: str, value: str) -> bool:
    return value in TRIVIAL or re.search(rf"(?<![\w.]){re.escape(value)}(?![\w.])", text) is not None


def _entries(found: Code, value: tree_sitter.Node | None) -> list[Entry]:
    """Keys and values of `{...}`, `Object.freeze({...})` and `new Map([...])`, if all of them are constants."""
    if value is not None and value.type in ("call_expression", "new_expression"):
        callee = value.child_by_field_name("function") or value.child_by_field_name("constructor")
        listed = value.child_by_field_name("arguments")
        whole = found.text(callee) in ("Object.freeze", "Map") and listed is not None and bool(listed.named_children)
        value = unwrapped(listed.named_children[0]) if whole and listed is not None else None
    pairs: list[tuple[tree_sitter.Node | None, tree_sitter.Node | None]] = []
    for child in value.named_children if value is not None and value.type in ("object", "array") else ():
        if child.type == "pair":
            pairs.append((child.child_by_field_name("key"), child.child_by_field_name("value")))
        elif child.type == "array" and len(child.named_children) == 2:
            pairs.append((child.named_children[0], child.named_children[1]))
        elif "comment" not in child.type:
            return []
    if any(given is None or given.type not in _CONSTANTS for _, given in pairs):
        return []
    return [(_key(found, key), found.text(given)) for key, given in pairs]


def _key(found: Code, key: tree_sitter.Node | None) -> str:
    text = found.text(key)
    return f'"{text}"' if key is not None and key.type == "property_identifier" else text


def _is_looked_up(found: Code, use: tree_sitter.Node, known: frozenset[str]) -> bool:
    """`table[key]`, `table.get(key)` or a loop in a function that the base has."""
    access = found.names.parent(use)
    if access is not None and access.type == "for_in_statement" and access.child_by_field_name("right") == use:
        return bool(known & _around(found, use))
    if access is None or access.type not in ACCESSES or access.child_by_field_name("object") != use:
        return False
    index = access.child_by_field_name("index")
    asked = index.type not in _CONSTANTS if index is not None else found.constants.member(access) in ("get", "find")
    return asked and bool(known & _around(found, use))


def _functions(found: Code) -> frozenset[str]:
    names = (_name(found, node) for node in found.names.of_types(*FUNCTIONS))
    return frozenset(name for name in names if name)


def _around(found: Code, node: tree_sitter.Node) -> frozenset[str]:
    return frozenset(
        name for above in found.names.above(node) if above.type in FUNCTIONS if (name := _name(found, above))
    )


def _name(found: Code, function: tree_sitter.Node) -> str:
    parent = found.names.parent(function)
    name = function.child_by_field_name("name")
    if name is None and parent is not None and parent.type not in ("arguments", "call_expression"):
        name = (
            parent.child_by_field_name("name")
            or parent.child_by_field_name("key")
            or parent.child_by_field_name("left")
        )
    return found.text(name)
