"""The tests of a Python file, as pytest and unittest collect them (see `ralph.guardrails.inventory`).

Rules (policy set v2, class G04); `layout` says which files are collected:

- Tests are functions whose names begin with `test`, in the module or in a class that is called `Test...` and has no
  `__init__`, or is derived from something.
- In one block the later definition of a name wins. `del`, an assignment or an import of the name ends a test, too.
- What stands behind a constant condition or `__main__`, in a function, in a string or in a comment does not run;
  neither does a test that a decorator turns into something else (a fixture, a property, a context manager).
- A function in a test file that asserts and is no test is a helper. In a file that by its name and place is none, and
  holds no test, only one that is called as a check is (`testing.assert_price`): all of that file is product code.
- What the top level of a file asserts, which is run as a program, is one test (see `plain`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial

from ralph.guardrails.inventory.lending.surroundings import Surroundings
from ralph.guardrails.inventory.model import Facts, Ghost, Inventory, Test
from ralph.guardrails.inventory.readers import CALLED_TEST, Paths, is_support
from ralph.guardrails.python.assertions.own_equality import own_equality
from ralph.guardrails.python.doubles.own_answers import methods_of
from ralph.guardrails.python.doubles.stood_in import MODULES
from ralph.guardrails.python.failures import looped_tests
from ralph.guardrails.python.imports.reached import reached
from ralph.guardrails.python.imports.tried import only_with_unknown
from ralph.guardrails.python.layout import collected_by, is_lost_by_name, is_test_file
from ralph.guardrails.python.lending.attributes import own_of, stood_for
from ralph.guardrails.python.lending.beside import with_lent
from ralph.guardrails.python.lending.borrowed import borrowed
from ralph.guardrails.python.lending.scope import Scope
from ralph.guardrails.python.lending.scopes import bases_of, facts_at, parsed, scope_of, with_marks
from ralph.guardrails.python.lending.surroundings import surroundings
from ralph.guardrails.python.plain.files import may_be_program
from ralph.guardrails.python.plain.top_level import top_level
from ralph.guardrails.python.removed.definitions import Definitions, Found
from ralph.guardrails.python.removed.undone import undoing
from ralph.guardrails.python.skipped.defined_under import defined_under
from ralph.guardrails.source import Source
from ralph.record import replace
from ralph.system.patterns import later

__all__ = ["WORDS", "collect", "is_lost_by_name", "is_passed_over", "is_test_file", "may_be_program"]

WORDS = (r"def\s+_*test|class\s+\w*test|\btestcase\b",)

CHECKING = later(r"(?i)_*(?:assert|check|verify|expect|ensure|should)")
IN_TEXT = later(r"(?m)^[ \t#]*(?:async\s+)?def\s+(test\w*)\s*\(")
NESTED = '(function_definition name: (identifier) @found (#match? @found "^test"))'


def collect(source: Source, paths: Paths) -> Inventory:
    conditional = only_with_unknown(source, paths)
    definitions = Definitions(source, collected_by(source.path, paths), undoing(source, paths), conditional)
    definitions.read()
    texts = [source.text(node) for node in definitions.rest]
    lent = borrowed(source, paths)
    classes = cache(lambda: methods_of(parsed(source.text(each) for each in definitions.derived)))

    def read() -> Scope:
        imports = definitions.imports if MODULES.encode() in source.data else []
        own = scope_of(parsed([*texts, *map(source.text, imports)]), definitions.classes | lent)
        helpers = with_lent(own.helpers, source, paths)
        return replace(own, helpers=helpers, methods=classes(), own_equality=own_equality(source))

    scope = cache(read)
    around = surroundings([*texts, *(f"def {name}(): ..." for name in sorted(lent))])
    tests = tuple(_test(source, found, around, scope, paths) for found in definitions.found if not found.why)
    collected = frozenset(found.parts[0] for found in definitions.found if found.runs)
    tests += tuple(top_level(source, paths, collected))
    ghosts = [_ghost(source, found) for found in definitions.found if found.why and found.kind == "test"]
    ghosts += _nested(source, definitions)
    ghosts += _in_texts(source)
    if not (is_test_file(source.path) or is_support(source.path) or any(test.kind == "test" for test in tests)):
        checks = tuple(test for test in tests if CALLED_TEST.search(source.path) and CHECKING.match(test.parts[-1]))
        return Inventory(checks, tuple(ghosts), source.data)
    product = b"" if is_test_file(source.path) or tests else source.data
    return Inventory(tests, tuple(ghosts), product, cache(partial(reached, source.path, paths)))


def is_passed_over(path: str, paths: Paths) -> bool:
    """The product's own: nothing in it is run as a test, and only remains of tests are told of it."""
    by_name = is_test_file(path) or is_support(path) or CALLED_TEST.search(path)
    return not by_name and bool(collected_by(path, paths))


def _test(source: Source, found: Found, around: Surroundings, scope: Callable[[], Scope], paths: Paths) -> Test:
    line = found.definition.start_point.row + source.first_line
    text = source.text(found.node)
    under = defined_under(source, found.definition, found.parts[-1]) if found.kind == "test" else None
    bases = bases_of(source, found.definition) if "async def" in text else ""  # they say whether it is ever awaited

    def facts() -> Facts:
        marks = (*found.marks, *looped_tests.marks(source.path, text, bases, paths))
        read = facts_at(source, found.definition, with_marks(scope(), marks), is_test=found.kind == "test")
        own = read.defined | own_of(source, found.definition)
        return replace(read, stands_for=stood_for(source, found.definition), defined=own)

    return Test(
        parts=found.parts,
        path=source.path,
        line=line,
        column=found.definition.start_point.column + 1,
        snippet=source.line_text(line),
        text="\n".join((text, bases, *found.marks, around.of(text), under.text if under is not None else "")),
        facts=cache(facts),
        kind=found.kind,
        under=under,
    )


def _ghost(source: Source, found: Found) -> Ghost:
    at = found.ended_at or found.node
    line = at.start_point.row + source.first_line
    body = "" if found.ended_at else facts_at(source, found.definition, Scope(), is_test=True).body
    return Ghost(
        name=found.parts[-1],
        path=source.path,
        line=line,
        column=at.start_point.column + 1,
        snippet=source.line_text(line),
        why=found.why,
        body=body,
        twin=found.twin,
    )


def _nested(source: Source, definitions: Definitions) -> Iterator[Ghost]:
    """Functions named like tests that stand in other functions."""
    for name in source.captures(NESTED):
        if name.parent is not None and name.parent.id not in definitions.seen:
            line = name.start_point.row + source.first_line
            yield Ghost(
                name=source.text(name),
                path=source.path,
                line=line,
                column=name.start_point.column + 1,
                snippet=source.line_text(line),
                why="it stands in a function",
            )


def _in_texts(source: Source) -> Iterator[Ghost]:
    """Tests in comments and strings."""
    for match in IN_TEXT.finditer(source.data.decode("utf-8", "replace") if source.data.isascii() else _ascii(source)):
        node = source.tree.root_node.descendant_for_byte_range(match.start(1), match.end(1))
        if node is None or ("string" not in node.type and "comment" not in node.type):
            continue
        line = node.start_point.row + source.first_line
        yield Ghost(
            name=match[1],
            path=source.path,
            line=source.data.count(b"\n", 0, match.start(1)) + source.first_line,
            column=1,
            snippet=source.line_text(line),
            why="it is commented out" if "comment" in node.type else "it stands in a string",
        )


def _ascii(source: Source) -> str:
    """One character for each byte, so that places agree."""
    return source.data.decode("latin-1")
