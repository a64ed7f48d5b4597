"""Whether a branch of a script fails it: at once, or by a variable that is asked for in the end.

Rules:

- `exit` and `return` with another status than 0 do, and a function that does, and one called `fail` or `die` that
  stands in no file that is known.
- A variable counts failures if it is what `exit` or `return` is given, or a condition on it leads there. What only adds
  to it, or sets it, fails the script in the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import tree_sitter

from ralph.guardrails.source import Source
from ralph.record import record
from ralph.syntax import walk
from ralph.system.patterns import later

AT_ONCE = "at once"
"""How a branch fails that sets no variable."""
MOST_CALLS = 4
FAILING = later(
    r"(?i)_*(?:fail\w*|die|abort|bail\w*|panic|flunk|croak|not_?ok|ko|(?:log_?)?err(?:or)?_?(?:and_?)?(?:exit|out)"
    r"|(?:test|assert|record|report)_?fail\w*|fatal\w*)"
)
LEAVES = later(r"(?P<how>exit|return)(?:\s+[\"']?(?:(?P<status>\d+)|(?P<given>[^\s;\"']+))[\"']?)?(?:\s+\d*>.*)?")
NAME = later(r"\$[{(]*#?(?P<name>[A-Za-z_]\w*)|\(\(\s*(?P<bare>[A-Za-z_]\w*)")
COUNTS = later(
    r"(?:let\s+|\(\(\s*)?[\"']?(?:\+\+(?P<before>\w+)|(?P<name>[A-Za-z_]\w*)(?:\[[^\]]*\])?\s*(?:\+\+|\+=|=(?!=)))"
)
READS = later(r"(?:IFS=\S*\s+)?(?:read|mapfile|readarray|printf\s+-v)\s+(?P<names>[^<|;]*)")
WORD = later(r"(?<![\w-])[A-Za-z_]\w*")
INNER = frozenset({"compound_statement", "subshell", "redirected_statement", "list", "else_clause"})
ASKING = frozenset({"if_statement", "elif_clause", "list"})
LAST = frozenset({"test_command", "compound_statement", "negated_command", "list"})


@record
class Function:
    source: Source
    body: tree_sitter.Node


Functions = Mapping[str, Function]


def functions_of(source: Source) -> dict[str, Function]:
    found: dict[str, Function] = {}
    for node in source.walk():
        if node.type == "function_definition":
            name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
            if name is not None and body is not None:
                found[source.text(name)] = Function(source, body)
    return found


def deciding(sources: Iterable[Source]) -> frozenset[str]:
    """The variables by which a script fails in the end."""
    return frozenset(name for source in sources for name in _deciding(source))


def _deciding(source: Source) -> Iterator[str]:
    root = source.tree.root_node
    for node in source.walk():
        if node.type == "command" and (leaves := LEAVES.fullmatch(source.text(node))) and leaves["given"]:
            yield from _names(leaves["given"])
        elif node.type in ASKING and len(node.children) > 2:
            asked = node.children[1] if node.type != "list" else node.children[0]
            if any(_leaves(source, each) for each in node.children[2:]):
                yield from _names(source.text(asked))
        elif node.type in LAST and node.parent == root:
            yield from _names(source.text(node))


def _leaves(source: Source, node: tree_sitter.Node) -> bool:
    """An `exit` or `return` with a failure stands in it, of the outermost level."""
    if node.type == "command":
        leaves = LEAVES.fullmatch(source.text(node))
        return leaves is not None and leaves["status"] != "0"
    return node.type in INNER and any(_leaves(source, child) for child in node.children)


def _names(text: str) -> Iterator[str]:
    yield from (match["name"] or match["bare"] for match in NAME.finditer(text))


@record
class Branches:
    functions: Functions
    counters: frozenset[str]

    def fails(self, source: Source, nodes: Iterable[tree_sitter.Node], *, returns: bool, calls: int = 0) -> str:
        """`AT_ONCE`, the variable that tells, or nothing. `returns`: somebody hears what `return` is given."""
        for node in nodes:
            if found := self._fails(source, node, returns, calls):
                return found
            if _leaves_well(source, node):
                return ""
        return ""

    def _fails(self, source: Source, node: tree_sitter.Node, returns: bool, calls: int) -> str:
        text = source.text(node)
        if node.type in INNER and not text.startswith("(("):
            children = node.children[1:] if node.type == "else_clause" else node.children
            return self.fails(source, children, returns=returns, calls=calls)
        if node.type in ("variable_assignment", "compound_statement") or text.startswith("let "):
            counts = COUNTS.match(text)
            name = (counts["name"] or counts["before"]) if counts is not None else ""
            return name if name in self.counters and not text.endswith(("=0", "=")) else ""
        if node.type != "command":
            return ""
        if leaves := LEAVES.fullmatch(text):
            return AT_ONCE if leaves["status"] != "0" and (leaves["how"] == "exit" or returns) else ""
        name = text.split(maxsplit=1)[0] if text else ""
        if (own := self.functions.get(name)) is not None:
            return (
                self.fails(own.source, own.body.children, returns=returns, calls=calls + 1)
                if calls < MOST_CALLS
                else ""
            )
        return AT_ONCE if FAILING.fullmatch(name) or (name == "false" and returns) else ""


def _leaves_well(source: Source, node: tree_sitter.Node) -> bool:
    leaves = LEAVES.fullmatch(source.text(node)) if node.type == "command" else None
    return leaves is not None and leaves["status"] == "0"


def set_in(node: tree_sitter.Node, source: Source) -> frozenset[str]:
    """The variables that some code sets."""
    return frozenset(name for each in walk(node) for name in _set_by(each, source))


def _set_by(node: tree_sitter.Node, source: Source) -> Iterator[str]:
    name = node.child_by_field_name("variable" if node.type == "for_statement" else "name")
    if node.type in ("variable_assignment", "for_statement") and name is not None:
        yield source.text(name)
    elif node.type == "command" and (reads := READS.match(source.text(node))):
        yield from WORD.findall(reads["names"])
