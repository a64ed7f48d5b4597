"""Answers that had a type, and are whatever a new function gives that may give anything (policy set v2, class G01).

    export function toFields(row: QueryResultRow): any { ... }

    async find(id: string) {                       // answered Promise<Subscription | undefined> at the base
      return toFields(await this.one(id));         // is any, and so is all that is asked of it
    }

Rules, for the product code of a change in TypeScript and Python:

- A function of the head that says of its answer that it is `any` (`Any`), and did not at the base, is one that may give
  anything. So is, in turn, one that says nothing of its answer and hands on what such a function gives.
- A function whose answer had a type with a name of its own, and that says nothing of it now and hands on such an
  answer, is no longer looked at by the type checker. It blocks where the `any` stands.
- One that says itself that its answer is any, with another body, is for a person (see `widened` for the same body).
- What a function with overloads says where it is written out, its callers are not told.
- Where the type stands at the function that hands on, at a call of it (`one<T>()`) or behind an `as`, nothing is lost.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import tree_sitter

from ralph.guardrails.hiding.generated import MADE
from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.javascript.places import is_product
from ralph.guardrails.javascript.syntax.names import FUNCTIONS
from ralph.guardrails.javascript.syntax.nodes import nodes_of
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, ChangeDetector, Hit, hit_at
from ralph.guardrails.prefilter import is_in
from ralph.guardrails.python.trees import parsed_module
from ralph.guardrails.source import Source
from ralph.record import record
from ralph.system.patterns import later

TYPED = frozenset({"typescript", "tsx"})
WORTH = later(rb"(?::\s*(?:Promise<\s*)?any\b|->\s*[\"']?[\w.\[]*\bAny\b)")
ANY = later(r":?(?:Promise<|Awaitable\[)?(?:\w+\.)?(?:any|Any)(?:\[\])?(?:\|(?:undefined|null|None))?[>\]]?")
OWN = later(
    r"(?<![\w.])(?!(?:Array|ReadonlyArray|Promise|Record|Map|Set|Partial|Date|RegExp|Error|Awaitable|Optional|Union|List|Dict"
    r"|Tuple|Iterator|Iterable|Sequence|Mapping|None|True|False|Any|Self|T)\b)[A-Z]\w+"
)
"""A type with a name of its own."""
LOOSE = later(r"\b(?:any|Any|unknown)\b")
PASSED_BY = frozenset({"map", "then", "flatMap"})
"""What gives what the function gives that it is handed."""


@record
class Answer:
    """What a function says of its answer, folded, and whose answers it hands on."""

    path: str
    line: int
    head: str
    written: str
    given: frozenset[str]


Answers = Mapping[str, Sequence[Answer]]


def handed_on(change: Change) -> Iterator[Hit]:
    looked_at = [file for file in change.files if _is_looked_at(file.path)]
    if all(file.status == "A" for file in looked_at) or not any(is_in(WORTH, file.added_text) for file in looked_at):
        return
    new, old = _answers(change, head=True), _answers(change, head=False)
    opened = {
        name
        for name, each in new.items()
        if any(ANY.fullmatch(one.written) for one in each)
        and not any(ANY.fullmatch(one.written) for one in old.get(name, ()))
    }
    if not opened or not old:
        return
    open_ = _with_those_that_hand_on(new, opened)
    lost: dict[str, list[str]] = defaultdict(list)
    for name in sorted(open_):
        if not _had_a_type(old.get(name, ())) or any(OWN.search(each.written) for each in new[name]):
            continue
        if name in opened:
            yield from _said_itself(name, new[name], old[name])
            continue
        for source in sorted(_sources(name, new, opened)):
            lost[source].append(f"{name}() answered {old[name][0].written.removeprefix(':')}")
    for source, told in lost.items():
        one = next(each for each in new[source] if ANY.fullmatch(each.written))
        detail = f"{source}() may give anything, and is handed on: {', '.join(told)}"
        yield hit_at("code.type-silenced", one.path, one.line, detail, one.head, key=source)


def _said_itself(name: str, new: Sequence[Answer], old: Sequence[Answer]) -> Iterator[Hit]:
    one = next(each for each in new if ANY.fullmatch(each.written))
    detail = f"{name}() answered {old[0].written.removeprefix(':')}, and may give anything now"
    yield hit_at("code.type-escaped", one.path, one.line, detail, one.head, key=name)


def _is_looked_at(path: str) -> bool:
    if MADE.search(path) or path.endswith(".d.ts") or is_support(path):
        return False
    return path.endswith(".py") or (language_of(path) in TYPED and is_product(path))


def _had_a_type(old: Sequence[Answer]) -> bool:
    return bool(old) and all(OWN.search(each.written) and not LOOSE.search(each.written) for each in old)


def _with_those_that_hand_on(new: Answers, opened: set[str]) -> set[str]:
    found, size = set(opened), 0
    while size < len(found):
        size = len(found)
        found |= {name for name, each in new.items() if any(not one.written and one.given & found for one in each)}
    return found


def _sources(name: str, new: Answers, opened: set[str]) -> set[str]:
    """The functions that say it, from which an answer comes."""
    seen, todo = set(), [name]
    while todo:
        at = todo.pop()
        if at not in seen:
            seen.add(at)
            todo += [] if at in opened else [each for one in new.get(at, ()) if not one.written for each in one.given]
    return seen & opened


def _answers(change: Change, *, head: bool) -> Answers:
    found: dict[str, list[Answer]] = defaultdict(list)
    read = change.blobs.after if head else change.blobs.before
    for file in change.files:
        data = read(file.path) if _is_looked_at(file.path) and not file.binary else None
        if data is None:
            continue
        if file.path.endswith(".py"):
            told = _of_python(file.path, data)
        else:
            told = _of_typescript(Source(file.path, language_of(file.path) or "", data))
        for name, answer in told:
            found[name].append(answer)
    return found


def _of_python(path: str, data: bytes) -> Iterator[tuple[str, Answer]]:
    tree = parsed_module(data)
    lines = data.decode("utf-8", "replace").split("\n")
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            written = "" if node.returns is None else "".join(ast.unparse(node.returns).split()).strip("'\"")
            given = {name for each in _own_nodes(node) if isinstance(each, ast.Return) for name in _called(each.value)}
            head = lines[node.lineno - 1].strip()
            yield node.name, Answer(path, node.lineno, head, written, frozenset(given))


def _own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(function):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            yield child
            yield from _own_nodes(child)


def _called(value: ast.expr | None) -> Iterator[str]:
    match value:
        case ast.Await(value=inner):
            yield from _called(inner)
        case ast.IfExp(body=one, orelse=other):
            yield from (*_called(one), *_called(other))
        case ast.BoolOp(values=values):
            yield from (name for each in values for name in _called(each))
        case ast.ListComp(elt=element):
            yield from _called(element)
        case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)):
            yield name


def _of_typescript(source: Source) -> Iterator[tuple[str, Answer]]:
    overloaded = {_name(source, node) for node in nodes_of(source, "function_signature", "method_signature")}
    for function in nodes_of(source, *FUNCTIONS):
        name = _name(source, function)
        body, kind = function.child_by_field_name("body"), function.child_by_field_name("return_type")
        if not name or body is None or name in overloaded:
            continue
        written = "" if kind is None else "".join(source.text(kind).split())
        values = _returned(body) if body.type == "statement_block" else [body]
        given = frozenset(each for value in values for each in _handed(source, value))
        head = source.text(function).split("\n")[0].strip()
        yield name, Answer(source.path, function.start_point.row + 1, head, written, given)


def _name(source: Source, function: tree_sitter.Node) -> str:
    """Its own; that of a variable or a member which it is given to."""
    named = function.child_by_field_name("name")
    above = function.parent
    if named is None and above is not None and above.type in ("variable_declarator", "public_field_definition", "pair"):
        named = above.child_by_field_name("name") or above.child_by_field_name("key")
    return source.text(named) if named is not None else ""


def _returned(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    for child in node.named_children:
        if child.type == "return_statement":
            yield from child.named_children[:1]
        elif child.type not in FUNCTIONS:
            yield from _returned(child)


def _handed(source: Source, value: tree_sitter.Node) -> Iterator[str]:
    """The functions whose answers a value may be."""
    if value.type in ("await_expression", "parenthesized_expression", "non_null_expression"):
        yield from (name for each in value.named_children[:1] for name in _handed(source, each))
    elif value.type == "ternary_expression":
        arms = (value.child_by_field_name(side) for side in ("consequence", "alternative"))
        yield from (name for each in arms if each is not None for name in _handed(source, each))
    elif value.type == "binary_expression":
        yield from (name for each in value.named_children for name in _handed(source, each))
    elif value.type == "call_expression" and value.child_by_field_name("type_arguments") is None:
        called, given = value.child_by_field_name("function"), value.child_by_field_name("arguments")
        if called is None:
            return
        name = source.text(called.child_by_field_name("property") or called)
        yield name
        if name in PASSED_BY and given is not None:
            yield from (source.text(each) for each in given.named_children if each.type == "identifier")


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (handed_on,)
