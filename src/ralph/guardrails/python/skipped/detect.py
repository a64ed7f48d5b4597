"""Tests that do not run, or whose failure does not count: pytest and unittest.

Rules (spec: governance engine 1.4; policy set v2, classes G02 and G03):

- What counts is what a name stands for (`names`), in any position: a decorator, `pytestmark`, the marks of a
  parameter, an argument, an alias that others may import. Naming a skip's exception in order to catch it is none.
- A condition or the `if` around a call decides between a skip and a matter for a person (`conditions`).
- A base class of tests that only skips itself is for a person (`abstract_bases`).
- The key holds the test that is skipped: taking an old skip away does not pay for a new one on another test.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from ralph.guardrails.model import Change, Hit
from ralph.guardrails.python.bindings import catches_import, is_read
from ralph.guardrails.python.names import Names, keyword, positional
from ralph.guardrails.python.skipped.abstract_bases import is_base_itself
from ralph.guardrails.python.skipped.conditions import Verdict, besides, judge
from ralph.guardrails.python.words import Node
from ralph.system.patterns import later

UNITTEST = later(
    r"(?:unittest\.case|unittest2|twisted\.trial\.unittest|testtools|absl\.testing\.absltest|numpy\.testing|nose)"
    r"\.(?=\w+$|TestCase\.)"
)
MARK = later(r"_pytest\.mark(?:\.structures)?\.MARK_GEN\b|_pytest\.mark\b(?=\.(?:skip|xfail))")
OUTCOMES = later(r"_pytest\.(?:outcomes|runner)\.(?=\w+$)")

UNCONDITIONAL = {
    "pytest.mark.skip": "py.skip",
    "pytest.mark.xfail": "py.xfail",
    "pytest.mark.skipif": "py.skip",
    "pytest.mark.only": "py.focus",
    "pytest.mark.focus": "py.focus",
    "unittest.skip": "py.skip",
    "unittest.skipIf": "py.skip",
    "unittest.skipUnless": "py.skip",
    "unittest.expectedFailure": "py.xfail",
}
IMPERATIVE = {
    "pytest.skip": "py.skip",
    "pytest.xfail": "py.xfail",
    "pytest.exit": "py.skip",
    "unittest.TestCase.skipTest": "py.skip",
    "pytest.importorskip": "py.skip-condition",
}
EXCEPTIONS = frozenset(
    {
        "unittest.SkipTest",
        "pytest.skip.Exception",
        "pytest.xfail.Exception",
        "pytest.exit.Exception",
        "pytest.Skipped",
        "pytest.XFailed",
    }
)
WORDS = frozenset(path.rpartition(".")[2] for path in (*UNCONDITIONAL, *IMPERATIVE)) | {
    "SkipTest",
    "Skipped",
    "XFailed",
}
NOT_STRICT = "not strict"
STRICT = later(rb"(?m)^\s*xfail_strict\s*=\s*[\"']?(?:true|1|on|yes)\b")
CONFIGURATION = ("pyproject.toml", "pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg")
PRIVATE = later(r"\b_+(?=[A-Za-z])")
"""A helper that became private is the same helper."""
CATCHERS = later(r"\b(?:raises|assertRaises(?:Regex)?|isinstance|issubclass|suppress|RaisesGroup)$")
WRAPPERS = ("tuple", "list", "parenthesized_expression", "as_pattern", "boolean_operator")


def canonical(path: str) -> str:
    """One name for things that have several."""
    path = UNITTEST.sub("unittest.", path)
    path = OUTCOMES.sub("pytest.", MARK.sub("pytest.mark", path))
    return path.removesuffix(".with_args")


def skips(names: Names) -> Iterator[Hit]:
    """References to anything of pytest or unittest that takes a test out."""
    own_skip_test = any(_is_defined(node) for node in names.words.identifiers("skipTest"))
    for node in names.references(WORDS):
        if not is_read(names.source, node) or _is_called_mark(names, node):
            continue
        if node.type == "attribute" and not own_skip_test and _is_skip_test(names, node):
            yield from _imperative(names, node, "unittest.TestCase.skipTest")
            continue
        for path in sorted({canonical(path) for path in names.paths(node)}):
            yield from _hit(names, node, path)


def owner(names: Names, node: Node) -> str:
    """The test (or other definition) that a node is part of or decorates."""
    above = node.parent
    while above is not None:
        if above.type == "decorated_definition":
            above = above.child_by_field_name("definition") or above
        if above.type in ("function_definition", "class_definition"):
            name = above.child_by_field_name("name")
            return names.identifier(name) if name else ""
        above = above.parent
    return "module"


def _hit(names: Names, node: Node, path: str) -> Iterator[Hit]:
    if path in UNCONDITIONAL:
        if not _is_plain_alias(names, node):
            yield from _marker(names, node, path)
    elif path in IMPERATIVE:
        if not _is_plain_alias(names, node):
            yield from _imperative(names, node, path)
    elif path in EXCEPTIONS and _is_thrown(names, node):
        yield from _imperative(names, node, path)


def _marker(names: Names, node: Node, path: str) -> Iterator[Hit]:
    call = _call(names, node)
    rule, verdict, said = UNCONDITIONAL[path], Verdict.ALWAYS, ""
    wider: list[Verdict] = []
    if call is not None and (conditions := _conditions(names, call, path)):
        negated = path.endswith("skipUnless")
        verdicts = [judge(names, condition, negated=negated) for condition in conditions]
        verdict, wider = max(verdicts), sorted(verdicts)[:-1]
        wider += [each for condition in conditions for each in besides(names, condition, negated=negated)]
        said = PRIVATE.sub("", ", ".join(map(names.source.text, conditions)))
    if verdict is Verdict.NEVER:
        return
    if verdict is Verdict.PLATFORM:
        rule = "py.skip-condition"
    raises = keyword(names, call, "raises") if call is not None else None
    scope = frozenset({names.source.text(raises)}) if raises is not None else None
    key = f"{path} {said} {owner(names, node)}"
    yield names.source.hit(rule, node, key, scope)
    yield from _wider(names, node, rule, f"{path} {owner(names, node)}", wider)
    for more in _milder(names, call) if path == "pytest.mark.xfail" else ():
        yield names.source.hit(rule, node, f"{key}, {more}")  # one that is stricter does not answer for it


def _milder(names: Names, call: Node | None) -> Iterator[str]:
    """What a mark for a test that fails lets pass besides: that the test passes, and that it is not run at all."""
    strict, run = (keyword(names, call, name) if call is not None else None for name in ("strict", "run"))
    if strict is None or names.source.text(strict) == "False":
        yield NOT_STRICT
    if run is not None and names.source.text(run) == "False":
        yield "not run"


def without_usual(hits: Iterable[Hit], change: Change) -> Iterator[Hit]:
    """Without marks that are no less strict, as the project's configuration says that all are."""
    said = cache(lambda: any(STRICT.search(change.blobs.after(path) or b"") for path in CONFIGURATION))
    return (hit for hit in hits if not (hit.key.endswith(NOT_STRICT) and hit.rule == "py.xfail" and said()))


def _call(names: Names, node: Node) -> Node | None:
    """The call that gives a mark its arguments: around it, or where the name that it goes by was given."""
    if node.parent is not None and node.parent.child_by_field_name("function") == node:
        return node.parent
    values = names.values(names.identifier(node), node) if node.type == "identifier" else []
    calls = [value for value in values if isinstance(value, Node) and value.type == "call"]
    return calls[0] if len(values) == len(calls) == 1 else None


def _is_called_mark(names: Names, node: Node) -> bool:
    """`mark.skip(...)`, of which `mark.skip` is looked at already."""
    function = node.child_by_field_name("function")
    return function is not None and bool(names.paths(function) & names.paths(node))


def _conditions(names: Names, call: Node, path: str) -> list[Node]:
    """pytest skips when any of several conditions holds; the second argument of unittest's is the reason."""
    if path in ("pytest.mark.skip", "unittest.skip", "unittest.expectedFailure"):
        return []
    given = positional(call)[: 1 if path.startswith("unittest.") else None]
    named = keyword(names, call, "condition")
    return given + ([named] if named is not None else [])


def _imperative(names: Names, node: Node, path: str) -> Iterator[Hit]:
    rule, key = IMPERATIVE.get(path, "py.skip"), f"{path} {owner(names, node)}"
    conditions = list(_conditions_around(names, node)) if rule == "py.skip" else []
    guard = min((verdict for verdict, _ in conditions), default=Verdict.ALWAYS) if rule == "py.skip" else Verdict.OTHER
    if rule == "py.skip" and (guard <= Verdict.PLATFORM or is_base_itself(names, node)):
        rule = "py.skip-condition"
    yield names.source.hit(rule, node, key, None)
    if guard is Verdict.ALWAYS:
        yield names.source.hit(rule, node, f"{key}, always")  # one under a condition does not answer for it
    yield from _wider(names, node, rule, key, [each for _, wider in conditions for each in wider])


def _wider(names: Names, node: Node, rule: str, key: str, wider: Iterable[Verdict]) -> Iterator[Hit]:
    """For what else is enough: a skip under one condition does not answer for one more."""
    for number, verdict in enumerate(wider, 2):
        own = rule if verdict > Verdict.PLATFORM else "py.skip-condition"
        yield names.source.hit(own, node, f"{key}, condition {number}", None)


Condition = tuple[Verdict, Sequence[Verdict]]
"""What one around a statement means, and what else of it is enough by itself."""

ALWAYS: Condition = (Verdict.ALWAYS, ())


def _conditions_around(names: Names, node: Node) -> Iterator[Condition]:
    """Those inside the statement's function."""
    child, above = node, node.parent
    while above is not None and above.type not in ("function_definition", "class_definition", "lambda"):
        if above.type in ("if_statement", "elif_clause", "conditional_expression", "boolean_operator"):
            yield _branch(names, above, child)
        elif catches_import(names.source, above):
            yield Verdict.PLATFORM, ()
        child, above = above, above.parent


def _branch(names: Names, above: Node, child: Node) -> Condition:
    """The condition under which `child`, a part of the branching `above`, is reached."""
    if above.type == "conditional_expression":
        _, condition, last = above.named_children
        return ALWAYS if child == condition else _condition(names, condition, negated=child == last)
    if above.type == "boolean_operator":
        left, kind = above.child_by_field_name("left"), above.child_by_field_name("operator")
        if left is None or kind is None or child == left:
            return ALWAYS
        return _condition(names, left, negated=kind.type == "or")
    condition_node = above.child_by_field_name("condition")
    if condition_node is None or child == condition_node:
        return ALWAYS
    return _condition(names, condition_node, negated=child.type in ("else_clause", "elif_clause"))


def _condition(names: Names, node: Node, *, negated: bool) -> Condition:
    return judge(names, node, negated=negated), besides(names, node, negated=negated)


def _is_plain_alias(names: Names, node: Node) -> bool:
    """`s = pytest.mark.skip`, when the file itself uses `s`: the use is the hit."""
    above = node.parent
    if above is None or above.type != "assignment" or above.child_by_field_name("right") != node:
        return False
    left = above.child_by_field_name("left")
    if left is None or left.type != "identifier" or names.identifier(left) == "pytestmark":
        return False
    return any(is_read(names.source, other) for other in names.words.identifiers(names.identifier(left)))


def _is_thrown(names: Names, node: Node) -> bool:
    """False where the exception is named in order to catch or to compare it, or to derive from it."""
    above = node.parent
    while above is not None and above.type in WRAPPERS:
        above = above.parent
    if above is None or above.type in ("except_clause", "comparison_operator", "type", "assignment", "case_pattern"):
        return False
    if above.type == "argument_list" and above.parent is not None:
        if above.parent.type == "class_definition":
            return False
        function = above.parent.child_by_field_name("function")
        return function is None or not CATCHERS.search(names.source.text(function))
    return above.type != "attribute"


def _is_skip_test(names: Names, node: Node) -> bool:
    """`self.skipTest`, whatever `self` is: unittest gives the method to every test case."""
    name = node.child_by_field_name("attribute")
    return name is not None and names.identifier(name) == "skipTest"


def _is_defined(name: Node) -> bool:
    return name.parent is not None and name.parent.type == "function_definition"
