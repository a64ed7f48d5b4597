"""The commands that a Rakefile runs, and which of them may fail without anybody noticing.

Rules:

- `sh` raises when its command fails, unless it has a block: then that must look at how it ended, and not only tell.
- `system` and backticks raise nothing: somebody must ask for the answer, or for `$?`.
- To look is to raise, to leave or to note it; what raises may be caught, and then the handler must do one of these.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping

import tree_sitter

from ralph.guardrails.checks.failures.judged import LOST, Shell
from ralph.guardrails.checks.programs.known import is_named
from ralph.guardrails.checks.programs.tables import PROGRAMS
from ralph.guardrails.checks.reader import NONE, Collector, Flaws
from ralph.syntax import parse, walk
from ralph.system.patterns import later

NEEDS = later(r"\s*task\s*\(?\s*:?[\"']?(?P<name>\w[\w:]*?)[\"']?\s*(?:=>|:(?=\s))\s*(?:%[iw])?(?P<needs>[^#]*)")
CLEARED = later(r"\bRake::Task\[\s*:?[\"']?(?P<name>[\w:]+)[\"']?\s*\]\.clear(?:_actions|_prerequisites)?\b")
EMPTIED = "the task is emptied"
RUNS = frozenset(("sh", "system"))
TASKS = frozenset(("task", "namespace", "multitask", "file"))
SHOWN = frozenset(("puts", "print", "p", "pp", "warn", "info", "debug", "error", "say", "log", "printf"))
TEXTS = frozenset(("format", "sprintf", "to_s", "inspect", "String", "join"))
ENDS = later(r"\b(?:raise|abort|exit!?|fail|throw|return|next|break)\b|<<|(?<![=!<>])=(?![=~>])")
STATUS = later(r"\$\?|\$CHILD_STATUS|\bProcess\.last_status\b")
BODIES = frozenset(("body_statement", "block_body", "program", "then", "else", "ensure", "do_block", "block", "begin"))
CHOICES = frozenset(
    ("if", "unless", "elsif", "if_modifier", "unless_modifier", "conditional", "case", "while", "until")
)
PASSED = frozenset(
    ("parenthesized_statements", "unary", "interpolation", "string", "pair", "hash", "array", "argument_list")
)
DEPTH = 3

Node = tree_sitter.Node


def rakefile(collector: Collector, text: str) -> None:
    cleared = {match["name"]: text.count("\n", 0, match.start()) + 1 for match in CLEARED.finditer(text)}
    for number, line in enumerate(text.split("\n"), 1):
        whole = NEEDS.match(line)
        if whole is None:
            continue
        for task in re.findall(r"\w[\w:]*", whole["needs"]):
            if is_named(task) or task in PROGRAMS:
                emptied = number < cleared.get(whole["name"], 0) or (
                    task in cleared and not _again(text, task, cleared)
                )
                flaws: Flaws = {"not-run": EMPTIED} if emptied else NONE
                collector.add(("rake", task), "named", number, whole["name"], flaws)
    root = parse("ruby", text.encode("utf-8", "replace")).root_node
    for node in walk(root):
        command = _command(node)
        if command:
            lost: Flaws = {"lost": LOST} if _is_lost(node) else NONE
            collector.text(command, node.start_point.row + 1, _slot(node), Shell(), lost)


def _again(text: str, task: str, cleared: Mapping[str, int]) -> bool:
    """A task that was emptied is filled again below."""
    below = "\n".join(text.split("\n")[cleared[task] :])
    return re.search(rf"(?m)^\s*(?:task|[\w:]+Task\.new)\b[ (]*:?[\"']?{re.escape(task)}\b", below) is not None


def _command(node: Node) -> str:
    """The shell text that a call runs, as far as it is written out."""
    if node.type == "subshell":
        return _written(node)
    if node.type != "call" or _method(node) not in RUNS:
        return ""
    arguments = node.child_by_field_name("arguments")
    words = [_written(each) for each in arguments.named_children if each.type == "string"] if arguments else []
    return words[0] if len(words) == 1 else shlex.join(words)


def _written(string: Node) -> str:
    parts = string.named_children
    return "".join(_text(part) if part.type == "string_content" else "${RUBY}" for part in parts)


def _method(call: Node) -> str:
    """The name of what is called, unless on an object that is no part of Ruby or Rake."""
    receiver = call.child_by_field_name("receiver")
    if receiver is not None and _text(receiver) not in ("Kernel", "Rake", "FileUtils", "self"):
        return ""
    return _text(call.child_by_field_name("method"))


def _slot(node: Node) -> str:
    """The task around it."""
    for above in _above(node):
        if above.type == "call" and _method(above) in TASKS:
            arguments = above.child_by_field_name("arguments")
            named = re.match(r"[(\s]*(?:%[iw]\[)?:?[\"']?([\w:]+)", _text(arguments))
            return named[1].rstrip(":") if named is not None else "tasks"
    return "tasks"


def _is_lost(node: Node) -> bool:
    if _is_caught(node):
        return True
    block = node.child_by_field_name("block") if node.type == "call" else None
    if node.type == "call" and _method(node) == "sh":
        return block is not None and not _looks(block)
    if re.search(r"\bexception:\s*true", _text(node)):
        return False
    home = next((each for each in _above(node) if each.type in ("do_block", "block", "method", "program")), None)
    after = _text(home).partition(_text(node))[2] if home is not None else ""
    asked = STATUS.search(after)
    return not (asked is not None and ENDS.search(after)) and not _is_heard(node)


def _looks(block: Node) -> bool:
    """A block of `sh` uses how it ended, which is its first parameter, or its second."""
    parameters = block.child_by_field_name("parameters")
    names = {_text(each) for each in parameters.named_children} if parameters is not None else set()
    if not names:
        return ENDS.search(_text(block)) is not None
    body = block.child_by_field_name("body")
    inside = walk(body) if body is not None else ()
    return any(_is_heard(each) for each in inside if each.type == "identifier" and _text(each) in names)


def _is_heard(node: Node, depth: int = 0) -> bool:
    """Something is done with the value but to show it."""
    below, above = node, node.parent
    while above is not None:
        if above.type in CHOICES or above.type == "binary":
            if ENDS.search(_text(above)) or above.type not in ("conditional", "binary"):
                return ENDS.search(_text(above)) is not None
        elif above.type == "assignment":
            return depth < DEPTH and any(_is_heard(each, depth + 1) for each in _uses(above))
        elif above.type == "method":
            return True
        elif above.type in BODIES:
            last = above.named_children[-1:] == [below]
            return last and any(each.type in ("method", "singleton_method") for each in (above.parent,) if each)
        elif above.type == "call":
            method = _text(above.child_by_field_name("method"))
            if method in SHOWN:
                return False
            asked = above.child_by_field_name("receiver") == below
            if not asked and method not in TEXTS:
                return True
        elif above.type not in PASSED:
            return True
        below, above = above, above.parent
    return False


def _uses(assignment: Node) -> Iterator[Node]:
    """Where a name is used after it was given a value, in the same task or method."""
    name = _text(assignment.child_by_field_name("left"))
    home = next((each for each in _above(assignment) if each.type in ("do_block", "block", "method", "program")), None)
    for node in walk(home) if home is not None else ():
        if node.type == "identifier" and node.start_byte > assignment.end_byte and _text(node) == name:
            yield node


def _is_caught(node: Node) -> bool:
    for above in _above(node):
        if above.type == "rescue_modifier":
            return not ENDS.search(_text(above.child_by_field_name("handler")))
        handlers = [each for each in above.named_children if each.type == "rescue"]
        inside = any(each.start_byte <= node.start_byte < each.end_byte for each in handlers)
        if handlers and not inside and not any(ENDS.search(_body(each)) for each in handlers):
            return True
    return False


def _body(handler: Node) -> str:
    """Without the names of the errors: `rescue => e` notes nothing by itself."""
    return "".join(_text(each) for each in handler.named_children if each.type == "then")


def _above(node: Node) -> Iterator[Node]:
    above = node.parent
    while above is not None:
        yield above
        above = above.parent


def _text(node: Node | None) -> str:
    return "" if node is None else (node.text or b"").decode("utf-8", "replace")
