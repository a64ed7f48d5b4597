"""Rust: product code of which the tests get another version (policy set v2, classes G06 and G07).

Rule: a function or module that the base had for everybody, and that the head has twice, once under `#[cfg(test)]`,
blocks if a test of the file or of `tests/` asks it for something, or if it is a module; else it is for a person. So is
a statement of a function under `#[cfg(test)]`; one that gives an answer, or has a twin for everybody else, blocks. What
is said of an `impl` is said of its functions. A module of the base that is read from another file for tests
(`#[cfg_attr(test, path = "…")]`) is another one for them: it blocks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.source import Source
from ralph.guardrails.texts import read_source
from ralph.system.patterns import later

UNDER_TEST = later(rb"cfg\s*\(\s*(?:(?:not|any)\s*\(\s*){0,2}test\b")
FOR_TESTS = later(r"#\[\s*cfg\s*\(\s*(?:test\s*\)|any\s*\(\s*test\s*,)")
ELSEWHERE = later(
    r"#\[\s*cfg_attr\s*\(\s*(?P<not>not\s*\(\s*)?(?:(?:any|all)\s*\(\s*)?test\b[^\]]*?\bpath\s*=\s*\"(?P<file>[^\"\n]+)\"[^\]]*\]"
    r"\s*(?:#\[[^\]\n]*\]\s*)*(?:pub(?:\([^()]*\))?\s+)?mod\s+(?P<name>\w+)\s*;"
)
"""A module of which tests get another file, or of which only they get the usual one."""
ITEMS = frozenset({"function_item", "mod_item"})


def replaced(change: Change) -> Iterator[Hit]:
    for file in change.files:
        added = (line for hunk in file.hunks for line in hunk.added)
        if not file.path.endswith(".rs") or file.status != "M":
            continue
        if any(UNDER_TEST.search(line) for line in added):
            yield from _compared(file, change)
        if b"cfg_attr" in file.added_text:
            yield from _read_elsewhere(file, change)


def _read_elsewhere(file: FileChange, change: Change) -> Iterator[Hit]:
    old, new = (
        (read(file.path) or b"").decode("utf-8", "replace") for read in (change.blobs.before, change.blobs.after)
    )
    known = {match["name"] for match in ELSEWHERE.finditer(old)}
    for match in ELSEWHERE.finditer(new):
        name = match["name"]
        if name not in known and re.search(rf"(?m)^[ \t]*(?:pub(?:\([^()]*\))?\s+)?mod\s+{name}\s*;", old):
            line = new.count("\n", 0, match.start()) + 1
            detail = f"{name} is read from {match['file']} {'unless it is tested' if match['not'] else 'for tests'}"
            yield hit_at("code.detects-tests", file.path, line, detail, match[0].split("\n")[0].strip())


def _compared(file: FileChange, change: Change) -> Iterator[Hit]:
    source, base = (
        read_source(file.path, "rust", change.blobs.after(file.path)),
        read_source(file.path, "rust", change.blobs.before(file.path)),
    )
    if source is None or base is None:
        return
    everybodys = {name for name, _, conditions in _items(base) if not conditions}
    items = _items(source)
    for name, node, conditions in items:
        others = [said for other, each, said in items if other == name and each.id != node.id]
        if name in everybodys and others and all(others) and FOR_TESTS.search(conditions):
            tested = node.type == "mod_item" or any(_asks(name[1], text) for text in _tests(file, change))
            yield source.hit("code.detects-tests" if tested else "code.test-mode", node, f"{name[1]} for tests")
    known = {text_of(node.next_named_sibling) for node, _ in _statements(base) if node.next_named_sibling is not None}
    for node, answers in _statements(source):
        if node.next_named_sibling is not None and text_of(node.next_named_sibling) not in known:
            yield source.hit("code.detects-tests" if answers else "code.test-mode", node, "a statement for tests")


def _statements(source: Source) -> Iterator[tuple[tree_sitter.Node, bool]]:
    """Statements that only tests have, and whether they give what others do not get."""
    for node in source.captures("(block (attribute_item) @found)"):
        above = node.parent
        while above is not None and not (above.type == "mod_item" and FOR_TESTS.search(_conditions(above))):
            above = above.parent
        after = node.next_named_sibling
        if FOR_TESTS.search(text_of(node)) and above is None and after is not None and after.type not in ITEMS:
            other = re.search(r"cfg\s*\(\s*not\s*\(\s*test", text_of(node.parent)) if node.parent is not None else None
            yield node, other is not None or re.search(r"\breturn\b", text_of(after)) is not None


def _items(source: Source) -> list[tuple[tuple[str, str], tree_sitter.Node, str]]:
    """Functions and modules with their owners and names and what they are built under; none of modules for tests."""
    found: list[tuple[tuple[str, str], tree_sitter.Node, str]] = []
    waiting = [("", "", source.tree.root_node)]
    while waiting:
        owner, around, above = waiting.pop()
        for node in above.named_children:
            if node.type in ITEMS and (name := node.child_by_field_name("name")) is not None:
                found.append(((owner, text_of(name)), node, f"{around} {_conditions(node)}".strip()))
            if node.type == "impl_item":
                waiting.append((_owner(node), f"{around} {_conditions(node)}".strip(), node))
            elif node.type == "declaration_list" or (
                node.type == "mod_item" and not FOR_TESTS.search(_conditions(node))
            ):
                waiting.append((owner, around, node))
    return found


def _owner(node: tree_sitter.Node) -> str:
    """The type that an `impl` gives functions to, whatever its parameters are called: another type has others, and so
    has another trait of the type."""
    owner, trait = (node.child_by_field_name(field) for field in ("type", "trait"))
    name = text_of(owner).partition("<")[0] if owner is not None else ""
    return f"{text_of(trait)} for {name}" if trait is not None else name


def _conditions(node: tree_sitter.Node) -> str:
    """The `cfg` attributes above an item."""
    texts: list[str] = []
    above = node.prev_named_sibling
    while above is not None and above.type in ("attribute_item", "line_comment"):
        texts.append(text_of(above) if b"cfg" in (above.text or b"") and above.type == "attribute_item" else "")
        above = above.prev_named_sibling
    return " ".join(texts).strip()


def _tests(file: FileChange, change: Change) -> Iterator[str]:
    yield (change.blobs.after(file.path) or b"").decode("utf-8", "replace")
    for path in sorted(path for path in change.blobs.paths_after() if re.search(r"(?:^|/)tests/[^/]+\.rs$", path)):
        yield (change.blobs.after(path) or b"").decode("utf-8", "replace")


def _asks(name: str, text: str) -> bool:
    return re.search(rf"\bassert\w*!\s*\([^;]*\b{re.escape(name)}\s*\(", text) is not None


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (replaced,)
