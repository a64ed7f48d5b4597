"""A test that is new and does not run yet takes nothing away: a person is shown it, nothing is blocked.

Rules (policy set v2, class G02):

- New are tests whose names no changed file of the base has, in a change that takes no test away: a skip under
  a new name for an old test is a skip.
- A mark on a class or a module is about all tests in it. Code that no test belongs to (a helper, a fixture, the
  product) can skip old tests, so that a skip there is never new.
- Rows of a table can be new, too, where the skip is about no others (`skipped_new`).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence

from ralph.guardrails.inventory.rows.skipped_new import is_about_new_rows
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.python.words import Node, identifier
from ralph.guardrails.source import Source
from ralph.guardrails.texts import UnreadableError, decoded, one_line_end
from ralph.record import replace
from ralph.system.patterns import later

ABOUT_TESTS = frozenset({"py.skip", "py.xfail", "py.not-a-test", "py.empty-parametrize"})


_TEST = later(r"(?m)(?:def\s+(?=test)|^(?=assert\b))(\w+)")
"""Or what the top level of a file asserts, which is a test, too (see `plain`)."""

SET_UPS = frozenset({"setUp", "setUpClass", "setup_method", "setup_class", "asyncSetUp"})


def without_new_tests(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    """The hits, with those that are about nothing but new tests turned into a matter for a person."""
    about_tests = {hit.path for hit in hits if hit.rule in ABOUT_TESTS}
    new = _new_tests(change) if about_tests else frozenset()
    sources = {path: source_at(path, change.blobs.after) for path in about_tests} if new else {}
    for hit in hits:
        if hit.rule in ABOUT_TESTS and new:
            source = sources[hit.path]
            tests = tests_at(source, hit.line, hit.column) if source is not None else frozenset()
            if tests and tests <= new:
                hit = replace(hit, rule="py.skip-new-test")
        if hit.rule == "py.skip" and is_about_new_rows(hit.path, hit.line, change):
            hit = replace(hit, rule="py.skip-new-test")
        yield hit


def tests_at(source: Source, line: int, column: int) -> frozenset[str]:
    """The names of the tests that something at this place is about; empty if nobody can tell."""
    point = (line - source.first_line, column - 1)
    node = source.tree.root_node.descendant_for_point_range(point, point)
    inside_function = False
    while node is not None:
        definition = node.child_by_field_name("definition") if node.type == "decorated_definition" else node
        if definition is None or node.parent is None:
            break
        name = definition.child_by_field_name("name")
        called = identifier(source, name) if name is not None else ""
        if definition.type == "function_definition":
            if called.startswith("test"):
                return frozenset({called})
            inside_function = called not in SET_UPS
        elif definition.type == "class_definition" and not inside_function:
            return _names(source, definition)
        elif node.parent.type == "module" and not inside_function:
            return _names(source, node.parent) if _is_about_module(source, node) else frozenset()
        node = node.parent
    return frozenset()


def _is_about_module(source: Source, statement: Node) -> bool:
    """`pytestmark = ...`, `__test__ = ...` and bare calls; any other assignment is for others to use."""
    first = statement.named_children[0] if statement.named_children else statement
    left = first.child_by_field_name("left") if first.type == "assignment" else None
    return left is None or source.text(left) in ("pytestmark", "__test__")


def _new_tests(change: Change) -> frozenset[str]:
    """Tests of the head that the base does not have; none at all if the change takes a test away."""
    before, after = (_all_tests(change, read) for read in (change.blobs.before, change.blobs.after))
    return frozenset() if before - after else after - before


def _all_tests(change: Change, read: Callable[[str], bytes | None]) -> frozenset[str]:
    """By text alone, which is quick: a name too many (in a string, say) makes nothing milder."""
    sources = (source_at(file.path, read) for file in change.files if language_of(file.path) == "python")
    texts = (unicodedata.normalize("NFKC", source.data.decode("utf-8", "replace")) for source in sources if source)
    return frozenset(name for text in texts for name in _TEST.findall(text))


def source_at(path: str, read: Callable[[str], bytes | None]) -> Source | None:
    """A side of a file; None for one whose lines are not git's lines, where no place can be found again."""
    data = read(path)
    try:
        text = b"" if data is None else decoded("python", data)
    except UnreadableError:
        return None
    return Source(path, "python", text) if text == one_line_end("python", text) else None


def _names(source: Source, root: Node) -> frozenset[str]:
    names = source.captures("(function_definition name: (identifier) @found)", root)
    return frozenset(called for name in names if (called := identifier(source, name)).startswith("test"))
