"""Where a Python file defines tests, and what becomes of them (the rules are those of `inventory`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from ralph.guardrails.python.claims import constant_value
from ralph.guardrails.python.names import Names
from ralph.guardrails.python.removed.makers import is_maker
from ralph.guardrails.python.skipped.conditions import Verdict, judge
from ralph.guardrails.python.trees import parsed_expression
from ralph.guardrails.python.words import Node, identifier
from ralph.guardrails.source import Source
from ralph.record import record
from ralph.system.patterns import later

BLOCKS = ("if_statement", "try_statement", "with_statement", "for_statement", "while_statement", "match_statement")
CLAUSES = ("else_clause", "elif_clause", "except_clause", "finally_clause", "case_clause")
IMPORTS = ("import_statement", "import_from_statement", "future_import_statement")
TURNED = later(
    r"@\s*(?:[\w.]*\.)?(?:fixture|property|cached_property|contextmanager|asynccontextmanager|overload)\b|@\s*lambda\b"
)
TURNED_INTO = "a decorator makes something else of it"
STEP = later(
    r"@\s*(?:\w+\.)?(?:given|when|then|step|but)\(\s*(?:[\w.]+\(\s*)?[rfu]?[\"'](?P<sentence>[^\n]+?)[\"']\s*[,)]"
)
"""behave's and pytest-bdd's: the function is called by its sentence, whatever its name is."""
REGISTERED = later(r"@\s*[\w.]+\.(?:register|setter|getter|deleter)\b|@\s*(?:\w+\.)?(?:overload|dispatch)\b")
MADE_WITH_INIT = later(
    r"@\s*(?:(?:[\w.]*\.)?(?:dataclass|define|frozen|mutable|attrs)|attr\.s)\b(?![^\n]*\binit\s*=\s*False)"
)
OF_NO_TESTS = later(r"(?:\w+\.)*(?:NamedTuple|TypedDict|BaseModel|Protocol|(?:Str|Int)?Enum)\b")
"""A base that gives a class a way of being made."""
MAIN = later(r"__name__\s*==\s*[\"']__main__[\"']|[\"']__main__[\"']\s*==\s*__name__")
CHECKED_ONLY = later(r"(?:\w+\.)*TYPE_CHECKING")
ENVIRONMENT = later(r"\bos\.(?:environ|getenv)\b|\bgetenv\(")
ENDS = later(
    r"(?:\A|,|\bdel\b)\s*(?:(?P<owner>\w+)\.)?(?P<name>\w+)\s*(?=,|\Z|=(?!=)|:[^=\n]+=(?!=))"
    r"|\b(?:delattr|setattr)\(\s*(?P<object>\w+)\s*,\s*[\"'](?P<set>\w+)[\"']"
    r"|\b(?:globals|locals|vars)\(\)\s*(?:\[|\.pop\()\s*[\"'](?P<item>\w+)[\"']"
)

TAKES = later(
    r"\bdel\s+(?:globals|locals|vars)\(\w*\)\s*\[\s*[A-Za-z_]|\bdelattr\(\s*[^,\n]+,\s*[A-Za-z_]"
    r"|\b(?:globals|locals|vars)\(\w*\)\s*\.(?:pop|__delitem__)\b(?!\(\s*[\"'])"
    r"|(?:\b(?:globals|locals|vars)\(\w*\)\s*\[\s*\w+\s*\]\s*=|\bsetattr\(\s*[^,\n]+,\s*[A-Za-z_]\w*\s*,)\s*"
    r"(?:None|True|False|0|lambda)\b"
)
"""A name that is taken away, or given to nothing that runs, where the name is known only when the code runs."""
TEXTS = later(r"(?:(not)\s+)?(?:[\w.]+\.(?:starts|ends)with\(\s*\(?\s*)?[rf]?[\"'](\w+)[\"']")
SHORTEST = 4
"""Characters of a text that names tests."""


@record(frozen=False)
class Found:
    """A test or helper as it is met. `why` it does not run, if so, and the statement that ended it."""

    node: Node
    definition: Node
    parts: tuple[str, ...]
    kind: Literal["test", "helper"]
    why: str = ""
    marks: tuple[str, ...] = ()
    """The decorators of the classes around it."""
    ended_at: Node | None = None
    twin: bool = False

    @property
    def runs(self) -> bool:
        return self.kind == "test" and not self.why


class Definitions:
    def __init__(
        self,
        source: Source,
        not_collected: str,
        undone: Callable[[Node], bool] = lambda _: False,
        conditional: Callable[[Node], bool] = lambda _: False,
    ) -> None:
        """`undone` tells of a decorator that it leaves nothing, `conditional` of a function that it is only defined
        where a package can be imported that nothing declares."""
        self.found: list[Found] = []
        self.rest: list[Node] = []
        """All statements that are no tests, imports or comments: what the tests depend on."""
        self.imports: list[Node] = []
        self.classes: set[str] = set()
        self.derived: list[Node] = []
        """Classes that are no tests' and are derived from others."""
        self.seen: set[int] = set()
        """Functions that stand in the module or in a class."""
        self._source = source
        self._not_collected = not_collected
        self._undone = undone
        self._conditional = conditional

    def read(self) -> None:
        self._block(self._source.tree.root_node.children, (), self._not_collected)

    def _block(self, nodes: list[Node], parts: tuple[str, ...], why: str) -> None:
        """The statements of a module, of a class, or of a block in one of them."""
        here: dict[str, list[Found]] = {}
        for node in nodes:
            definition = node.child_by_field_name("definition") if node.type == "decorated_definition" else node
            if definition is not None and definition.type in ("function_definition", "class_definition"):
                self._definition(node, definition, parts, why, here)
            elif node.type in BLOCKS:
                self._branches(node, parts, why)
                self._taken(node)
            elif node.type in IMPORTS:
                self.imports.append(node)
                self._imported(node, parts)
            elif node.type != "comment":
                self.rest.append(node)
                self._ended(node, parts)
                self._taken(node)

    def _definition(
        self, node: Node, definition: Node, parts: tuple[str, ...], why: str, here: dict[str, list[Found]]
    ) -> None:
        name, start = self._name(definition), len(self.found)
        if definition.type == "class_definition":
            self.classes.add(name)
            if definition.child_by_field_name("superclasses") is not None and not parts:
                self.derived.append(definition)
            body = definition.child_by_field_name("body")
            self._block(body.children if body else [], (*parts, name), why or self._not_a_class(node, definition, name))
            marks = tuple(self._source.text(each)[1:] for each in node.children if each.type == "decorator")
            undone = next((each for each in node.children if each.type == "decorator" and self._undone(each)), None)
            for found in self.found[start:]:
                found.marks += marks
                if undone is not None:
                    self._end(found, undone, TURNED_INTO)
        else:
            self._function(node, definition, (*parts, name), why)
        if not REGISTERED.match(self._source.text(node)):
            for twin in here.get(name, ()):
                self._end(twin, node, "another definition of its name replaces it", twin=True)
        here[name] = self.found[start:]

    def _function(self, node: Node, definition: Node, parts: tuple[str, ...], why: str) -> None:
        self.seen.add(definition.id)
        if not parts[-1].startswith("test") or (len(parts) == 1 and is_maker(self._source, definition, parts[0])):
            self.rest.append(node)
            marks = (self._source.text(each) for each in node.children if each.type == "decorator")
            step = next(filter(None, map(STEP.match, marks)), None)
            if step is not None or b"assert" in self._source.data[definition.start_byte : definition.end_byte]:
                named = parts if step is None else (*parts[:-1], step["sentence"])
                self.found.append(Found(node, definition, named, "helper"))
            return
        decorators = [each for each in node.children if each.type == "decorator"]
        turned = [each for each in decorators if TURNED.match(self._source.text(each)) or self._undone(each)]
        if not why and self._conditional(definition):
            why = "it is only defined where a package that nothing declares can be imported"
        found = Found(node, definition, parts, "test", why)
        self.found.append(found)
        if turned:
            self._end(found, turned[0], TURNED_INTO)

    def _branches(self, node: Node, parts: tuple[str, ...], why: str) -> None:
        dead = self._dead(node)
        for part in node.children:
            if part.type == "block":
                self._block(part.children, parts, why or dead)
            elif part.type in CLAUSES:
                for child in part.children:
                    if child.type == "block":
                        self._block(child.children, parts, why)
            elif part.is_named and part.type != "comment":
                self.rest.append(part)

    def _dead(self, node: Node) -> str:
        """Why the body of an `if` or `while` never runs, if it never does."""
        condition = node.child_by_field_name("condition")
        if node.type not in ("if_statement", "while_statement") or condition is None:
            return ""
        written = self._source.text(condition)
        if MAIN.search(written):
            return "it is only defined where the file is run as a program"
        if CHECKED_ONLY.fullmatch(written.strip("() \t")):
            return "it is only defined for type checkers"
        if ENVIRONMENT.search(written) and not node.children_by_field_name("alternative"):
            return "it is only defined if the environment asks for it"
        tree = parsed_expression(written)
        value = constant_value(tree) if tree is not None else None
        never = value is not None and not value[0]
        if not never and "version" in written:
            never = judge(Names(self._source), condition, negated=True) is Verdict.ALWAYS
        return "it stands behind a condition that never holds" if never else ""

    def _not_a_class(self, node: Node, definition: Node, name: str) -> str:
        """Why nothing in a class is collected."""
        bases = definition.child_by_field_name("superclasses")
        made = [each for each in node.children if each.type == "decorator"]
        if any(MADE_WITH_INIT.match(self._source.text(each)) for each in made) or (
            bases is not None and any(OF_NO_TESTS.match(self._source.text(each)) for each in bases.named_children)
        ):
            return "a class with an __init__ is not collected"
        if bases is not None and [each for each in bases.named_children if self._source.text(each) != "object"]:
            return ""
        body = definition.child_by_field_name("body")
        members = [each.child_by_field_name("definition") or each for each in (body.children if body else [])]
        if any(each.type == "function_definition" and self._name(each) == "__init__" for each in members):
            return "a class with an __init__ is not collected"
        return "" if name.startswith("Test") else "its class is not collected under this name"

    def _ended(self, node: Node, parts: tuple[str, ...]) -> None:
        """A statement that takes names away or gives them to something else."""
        written = self._source.text(node)
        if "test" not in written.lower() or len(written) > 1_000:
            return
        for match in ENDS.finditer(written):
            owner, name = match["owner"] or match["object"], match["name"] or match["set"] or match["item"]
            whole = (*parts, owner, name) if owner and owner not in ("self", "cls") else (*parts, name)
            for found in self.found:
                if found.parts[: len(whole)] == whole:
                    self._end(found, node, "its name is taken away or given to something else")

    def _taken(self, node: Node) -> None:
        """Names that a loop or a comprehension takes away: those that it lists, or that are called as it asks."""
        written = self._source.text(node)
        if len(written) > 2_000 or "test" not in written.lower() or not TAKES.search(written):
            return
        told = [match[2] for match in TEXTS.finditer(written) if not match[1]]
        for found in self.found:
            if any(len(word) >= SHORTEST and word in found.parts[-1] for word in told):
                self._end(found, node, "its name is taken away or given to something else")

    def _imported(self, node: Node, parts: tuple[str, ...]) -> None:
        for imported in node.children_by_field_name("name"):
            name = self._source.text(imported.child_by_field_name("alias") or imported)
            if name.lower().startswith("test"):
                for found in self.found:
                    if found.parts[: len(parts) + 1] == (*parts, name):
                        self._end(found, node, "an import of its name replaces it", twin=True)

    def _end(self, found: Found, node: Node, why: str, *, twin: bool = False) -> None:
        if found.runs:
            found.why, found.ended_at, found.twin = why, node, twin

    def _name(self, definition: Node) -> str:
        name = definition.child_by_field_name("name")
        return identifier(self._source, name) if name is not None else ""
