"""Go: errors that nobody wanted, and that a table's loop lets pass (policy set v2, class G05).

    if err != nil {
        if tc.wantErr != nil && !errors.Is(err, tc.wantErr) {
            t.Errorf(...)
        }
        return
    }

A row that wants no error passes where there is one: what is asked of the value stands below.

Rule: in a file of tests, the branch for an error fails only where the row wants one, and then leaves. It blocks where
the base's file had no such branch, and failed on errors more often than the head's does; else it is for a person. Fuzz
tests are none: what cannot be read is no input for them.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.common.product.special import touches
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit
from ralph.guardrails.source import Source
from ralph.guardrails.texts import read_source
from ralph.system.patterns import later

WORTH = later(rb"\b\w*[eE]rr\w*\s*!=\s*nil\b[^\n]*&&|\.\w*(?:[eE]rr|[fF]ail)\w*\s*(?:\{|&&|!=)")
ERROR = later(r"\w*[eE]rr\w*\s*!=\s*nil")
WANTED = later(
    r"(?P<row>[a-z]\w*)\.\w+(?:\s*!=\s*(?:nil|\"\"|``|0)|\s*>\s*0)?|len\([a-z]\w*\.\w+\)\s*(?:>|!=)\s*0|[a-z]\w*\.\w+\s*==\s*true"
)
LOOPS = later(r"\bfor\s+(?:\w+\s*,\s*)?(?P<row>\w+)\s*:?=\s*range\b")
FAILS = later(r"\.(?:Error|Fatal|Fail)\w*\(|\b(?:require|assert|check|must|want)\w*[.(]|\bpanic\(")
FAILED = later(
    r"!=\s*nil\s*(?:&&[^\n{]*|\|\|[^\n{]*)?\{\s*(?:\w+\.Helper\(\)\s*)?\w+\.(?:Fatal|Error)|\b(?:require|assert)\.NoError"
    r"|\|\|\s*err\s*!=\s*nil"
)
FUZZ = later(r"\bfunc Fuzz\w*\(|\.Fuzz\(func\(")
TEST = later(rb"(?m)^func (Test\w+)\(t \*testing")
LARGEST = 200_000


def passed_errors(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status in "AM" and file.path.endswith("_test.go") and WORTH.search(file.added_text):
            yield from _of_file(file, change)


def _of_file(file: FileChange, change: Change) -> Iterator[Hit]:
    after = change.blobs.after(file.path) or b""
    before = _before(file, after, change)
    source = read_source(file.path, "go", after) if max(len(before), len(after)) <= LARGEST else None
    if source is None:
        return
    added = [number for number, _ in file.added()]
    base = read_source(file.path, "go", before) if before else None
    known = {text_of(node) for node in _lenient(base)} if base is not None else set()
    for node in _lenient(source):
        if touches(node, source, added) and text_of(node) not in known:
            fewer = _fails_on_errors(after) < _fails_on_errors(before)
            rule = "test.weakened" if fewer and not known else "test.somewhat-weaker"
            detail = f"an error that no row wants passes: `{text_of(node).partition('{')[0].strip()}` leaves without it"
            yield source.hit(rule, node, detail, detail=detail)


def _before(file: FileChange, after: bytes, change: Change) -> bytes:
    """The base's text; of a new file, that of one that went from its folder, best of one that had its tests."""
    if file.status != "A":
        return change.blobs.before(file.path) or b""
    folder, names = posixpath.dirname(file.path), set(TEST.findall(after))
    gone = (each.path for each in change.files if each.status == "D" and each.path.endswith("_test.go"))
    texts = [change.blobs.before(path) or b"" for path in gone if posixpath.dirname(path) == folder]
    return max(texts, key=lambda text: len(names.intersection(TEST.findall(text))), default=b"")


def _fails_on_errors(data: bytes) -> int:
    return len(FAILED.findall(data.decode("utf-8", "replace")))


def _lenient(source: Source) -> Iterator[tree_sitter.Node]:
    for node in source.captures("(if_statement) @found"):
        condition, then = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
        if condition is None or then is None or node.child_by_field_name("alternative") is not None:
            continue
        if not ERROR.fullmatch(text_of(condition)) or not _only_where_wanted(then) or _is_fuzzed(node):
            continue
        if not _asked_before(node, text_of(condition).partition("!=")[0].strip()):
            yield node


def _asked_before(node: tree_sitter.Node, error: str) -> bool:
    """Above it, something fails on the error already: `if (err != nil) != tc.wantErr { t.Fatal(err) }`."""
    above = node.prev_named_sibling
    while above is not None:
        text = text_of(above)
        if FAILS.search(text) and re.search(rf"\b{re.escape(error)}\b", text):
            return True
        above = above.prev_named_sibling
    return False


def _only_where_wanted(block: tree_sitter.Node) -> bool:
    """It fails where the row wants an error, and nowhere else, and then leaves."""
    statements = _statements(block)
    if len(statements) < 2 or text_of(statements[-1]) not in ("return", "continue"):
        return False
    asking = [each for each in statements[:-1] if each.type == "if_statement"]
    if not asking or any(FAILS.search(text_of(each)) for each in statements[:-1] if each not in asking):
        return False
    return all(_asks_for_one(each) for each in asking)


def _asks_for_one(node: tree_sitter.Node) -> bool:
    condition = node.child_by_field_name("condition")
    if condition is None or node.child_by_field_name("alternative") is not None or not FAILS.search(text_of(node)):
        return False
    rows = _rows(node)
    for part in text_of(condition).split("&&"):
        match = WANTED.fullmatch(part.strip())
        if match is not None and (match["row"] is None or match["row"] in rows):
            return "||" not in text_of(condition)
    return False


def _rows(node: tree_sitter.Node) -> set[str]:
    """What the loops around it call a row."""
    found, above = set[str](), node.parent
    while above is not None:
        head = text_of(above).partition("{")[0] if above.type == "for_statement" else ""
        found.update(match["row"] for match in LOOPS.finditer(head))
        above = above.parent
    return found


def _statements(block: tree_sitter.Node) -> list[tree_sitter.Node]:
    inner = [each for each in block.named_children if each.type != "comment"]
    if len(inner) == 1 and inner[0].type == "statement_list":
        inner = [each for each in inner[0].named_children if each.type != "comment"]
    return inner


def _is_fuzzed(node: tree_sitter.Node) -> bool:
    above = node.parent
    while above is not None:
        head = text_of(above)[:200] if above.type in ("function_declaration", "call_expression") else ""
        if FUZZ.search(head.partition("\n")[0]):
            return True
        above = above.parent
    return False


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (passed_errors,)
