"""Code that a type checker is kept from seeing.

Rules (policy set v2, class G01):

- `@no_type_check` takes a function out, `cast(Any, x)` a value (for a person). Of a constant everybody knows the type:
  to cast that is to silence an error. `return cast(T, None)` passes nothing off as a result.
- What runs only where `TYPE_CHECKING` is false is never checked: in `if not TYPE_CHECKING`, in its `else`, behind an
  `assert` or `return`, in the other half of `and` and `or`. Work hidden there is a finding. A second version of
  names that the checked branch defines is custom, and so is a `try` that imports those names from one of several
  places; other plain definitions are for a person, and so are the type variables that such a version needs, and the
  import of an optional package in a test.
- A name that the checked branch declares as `Any`, or as something that takes anything, while the other branch imports
  it from the project, is anything for the checker: it blocks. From elsewhere it is for a person.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.model import Hit
from ralph.guardrails.python.bindings import catches_import, is_read
from ralph.guardrails.python.names import Names, positional
from ralph.guardrails.python.words import Node
from ralph.system.patterns import later

NO_CHECK = frozenset({"typing.no_type_check", "typing_extensions.no_type_check", "typing.no_type_check_decorator"})
CAST = frozenset({"typing.cast", "typing_extensions.cast"})
ANY = frozenset({"typing.Any", "typing_extensions.Any"})
PLAIN = frozenset({"integer", "float", "string", "concatenated_string", "true", "false", "none"})
TYPE_VARIABLES = frozenset(
    f"{module}.{name}"
    for module in ("typing", "typing_extensions")
    for name in ("TypeVar", "ParamSpec", "TypeVarTuple")
)
IMPORTING = frozenset({"pytest.importorskip"})
"""An import in a test, of which other rules tell that it may skip."""
FLAGS = frozenset({"TYPE_CHECKING", "MYPY"})
_ANY = r"[\"']?(?:\w+\.)?Any\b[\"']?"
ANYTHING = later(
    rf"^\w+\s*(?::\s*(?:{_ANY}|(?:\w+\.)?TypeAlias\s*=\s*{_ANY}|(?:type|Type)\[{_ANY}\])|=\s*{_ANY})\s*(?:=[^\n]*)?(?:\#.*)?$"
    rf"|^(?:async )?def \w+\(\s*\*args(?::\s*{_ANY})?\s*,\s*\*\*\w+(?::\s*{_ANY})?\s*\)\s*(?:->\s*{_ANY}\s*)?:"
    rf"|^class \w+\({_ANY}\)\s*:|^class \w+[^\n]*:\s*def __getattr__\([^)]*\)\s*->\s*{_ANY}"
)
RENAMED = later(r"^from typing\w* import Any as (\w+)$")
IMPORTED = later(r"(?:from|import)\s+(?:\.+|(\w+))")
IMPORTS = frozenset({"import_statement", "import_from_statement"})
MODULE_HOOKS = frozenset({"__getattr__", "__dir__"})


def unchecked(names: Names) -> Iterator[Hit]:
    for node in names.references(("no_type_check", "no_type_check_decorator")):
        if is_read(names.source, node) and names.paths(node) & NO_CHECK:
            yield names.source.hit("py.no-type-check", node, "no_type_check", None)
    for node in names.references(("cast",)):
        if node.type == "call":
            yield from _cast(names, node)
    looked_at: set[int] = set()
    for name in (name for flag in sorted(FLAGS) for name in names.words.identifiers(flag)):
        for node in _around(name):
            if node.id not in looked_at:
                looked_at.add(node.id)
                yield from _branches(names, node) if node.type == "if_statement" else _short_cut(names, node)


def _around(name: Node) -> Iterator[Node]:
    """The conditions that a flag is part of, inside its statement."""
    above = name.parent
    while above is not None and above.type not in ("block", "module"):
        if above.type in ("if_statement", "boolean_operator", "assert_statement"):
            yield above
        above = above.parent


def _cast(names: Names, node: Node) -> Iterator[Hit]:
    arguments = positional(node)
    if not arguments or not names.paths(node.child_by_field_name("function")) & CAST:
        return
    target, above = arguments[0], node.parent
    returned = above is not None and above.type == "return_statement" and not is_support(names.source.path)
    if returned and len(arguments) > 1 and arguments[1].type == "none":
        yield names.source.hit("py.nothing-returned", node, f"cast {names.source.text(node)}")
    elif names.paths(target) & ANY or str(names.constant(target)).rpartition(".")[2] == "Any":
        plain = len(arguments) > 1 and arguments[1].type in PLAIN
        yield names.source.hit("py.no-type-check" if plain else "py.cast-any", node, f"cast {names.source.text(node)}")


def _branches(names: Names, node: Node) -> Iterator[Hit]:
    condition, seen = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
    if condition is None or seen is None:
        return
    if checked := _flag(names, condition):
        for other in node.children_by_field_name("alternative"):
            yield from _hidden(names, other, seen)
        last = next((child for child in reversed(seen.named_children) if child.type != "comment"), None)
        if last is not None and last.type in ("return_statement", "raise_statement"):
            yield names.source.hit("py.unchecked-branch", node, "left where TYPE_CHECKING", None)
    elif checked is False:
        yield from _hidden(names, node, next(iter(node.children_by_field_name("alternative")), None), seen)


def _flag(names: Names, condition: Node) -> bool | None:
    """True for a condition that is true for checkers only, False for its opposite, None for any other."""
    while condition.type == "parenthesized_expression":
        condition = condition.named_children[0]
    if condition.type == "not_operator":
        inner = condition.child_by_field_name("argument")
        value = _flag(names, inner) if inner is not None else None
        return None if value is None else not value
    if condition.type == "boolean_operator" and any(child.type == "and" for child in condition.children):
        return False if any(_flag(names, child) is False for child in condition.named_children) else None
    name = condition.child_by_field_name("attribute") if condition.type == "attribute" else condition
    return True if name is not None and name.type == "identifier" and names.identifier(name) in FLAGS else None


def _hidden(names: Names, at: Node, seen: Node | None, body: Node | None = None) -> Iterator[Hit]:
    """The unchecked `body` (of the clause `at`), next to the checked branch `seen`."""
    block = body or at.child_by_field_name("body") or at.child_by_field_name("consequence")
    if block is None:
        return
    opened, defined = _anything(names, seen), _defined(names, seen)
    severities = {_weigh(names, statement, defined, opened) for statement in block.named_children}
    first = block.named_children[0] if block.named_children else at
    if "block" in severities:
        worst = next(child for child in block.named_children if _weigh(names, child, defined, opened) == "block")
        yield names.source.hit("py.unchecked-branch", at if body else worst, f"hidden {names.source.text(worst)}", None)
    elif "review" in severities:
        yield names.source.hit("py.unchecked-alternative", at if body else first, "alternative", None)


def _weigh(names: Names, statement: Node, defined: frozenset[str], opened: frozenset[str] = frozenset()) -> str:
    """How bad it is to hide a statement: `block`, `review` or `fine`."""
    if statement.type in ("comment", "pass_statement"):
        return "fine"
    if statement.type == "try_statement":
        return _weigh_tried(names, statement, defined, opened)
    own = _defined(names, statement, itself=True)
    if own & opened and statement.type in IMPORTS:
        return "block" if _is_own_import(names, statement) else "review"
    if own and own <= (defined | MODULE_HOOKS):
        return "review" if own & MODULE_HOOKS else "fine"
    if statement.type in IMPORTS or statement.type == "class_definition":
        return "review"
    if statement.type == "expression_statement" and own:
        work = [part for part in names.source.walk(statement) if part.type in ("call", "await", "binary_operator")]
        declares = len(work) == 1 and _calls(names, work[0], TYPE_VARIABLES | IMPORTING)
        return "block" if work and not declares else "review"
    return "block"


def _calls(names: Names, node: Node, known: frozenset[str]) -> bool:
    called = node.child_by_field_name("function") if node.type == "call" else None
    return called is not None and bool(names.paths(called) & known)


def _weigh_tried(names: Names, statement: Node, defined: frozenset[str], opened: frozenset[str]) -> str:
    """As bad as the worst of what is tried and of what stands in for a module that is missing."""
    first, *clauses = (child for child in statement.named_children if child.type != "comment")
    if not all(catches_import(names.source, clause) for clause in clauses):
        return "block"
    blocks = [first, *(part for clause in clauses for part in clause.named_children if part.type == "block")]
    weights = {_weigh(names, inner, defined, opened) for block in blocks for inner in block.named_children}
    return next(weight for weight in ("block", "review", "fine") if weight in (weights or {"fine"}))


def _anything(names: Names, block: Node | None) -> frozenset[str]:
    """Names that a block declares as `Any`, or as what takes and gives anything."""
    found: set[str] = set()
    body = (block.child_by_field_name("body") or block) if block is not None else None
    for statement in body.named_children if body is not None else ():
        written = names.source.text(statement)
        if ANYTHING.search(written) is not None:
            found |= _bound_by(names, statement)
        if (renamed := RENAMED.search(written)) is not None:
            found.add(renamed[1])
    return frozenset(found)


def _is_own_import(names: Names, statement: Node) -> bool:
    """It is relative, or begins with a folder that the file stands in."""
    match = IMPORTED.match(names.source.text(statement))
    return match is not None and (match[1] is None or match[1] in names.source.path.split("/")[:-1])


def _defined(names: Names, block: Node | None, *, itself: bool = False) -> frozenset[str]:
    """Names that the statements of a block bind: by import, assignment, `def` or `class`."""
    if block is None:
        return frozenset()
    found: set[str] = set()
    for node in [block] if itself else names.source.walk(block):
        found |= _bound_by(names, node)
    return frozenset(found)


def _bound_by(names: Names, node: Node) -> set[str]:
    if node.type == "expression_statement" and node.named_children and node.named_children[0].type == "assignment":
        left = node.named_children[0].child_by_field_name("left")
        return {names.identifier(left)} if left is not None and left.type == "identifier" else set()
    if node.type == "decorated_definition":
        definition = node.child_by_field_name("definition")
        return _bound_by(names, definition) if definition is not None else set()
    if node.type in ("function_definition", "class_definition"):
        name = node.child_by_field_name("name")
        return {names.identifier(name)} if name is not None else set()
    if node.type in IMPORTS:
        imported = (name.child_by_field_name("alias") or name for name in node.children_by_field_name("name"))
        return {names.identifier(name) for name in imported}
    return set()


def _short_cut(names: Names, node: Node) -> Iterator[Hit]:
    """`TYPE_CHECKING or f()`, `not TYPE_CHECKING and f()`, `assert not TYPE_CHECKING`."""
    first = node.named_children[0]
    value = _flag(names, first)
    if node.type == "assert_statement":
        hides = value is False
    else:
        operator = node.child_by_field_name("operator")
        hides = value is not None and operator is not None and (operator.type == "or") is value
        hides = hides and any(part.type == "call" for part in names.source.walk(node))
    if hides:
        yield names.source.hit("py.unchecked-branch", node, f"hidden {names.source.text(node)}", None)
