"""The checks of a file that look at what a command lists.

A list gets to a check as words of its command line (`$(…)`, a variable, an array), through `xargs` or a loop, or from
`find -exec`. A variable may hold it, of the shell, of a Makefile, or as the output of another step.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import tree_sitter

from ralph.guardrails.checks.lists.listers import FDS, MAY_LIST, RUNS, lists
from ralph.guardrails.checks.lists.loops import globs_of, name_of, passed_over, runs_each
from ralph.guardrails.checks.lists.spelled import in_task, is_makefile, of_makefile, of_tasks
from ralph.guardrails.checks.programs.kinds import Kind
from ralph.guardrails.checks.readers.files import read_into
from ralph.guardrails.checks.shell.finds import handed
from ralph.guardrails.checks.shell.outline import check_of
from ralph.guardrails.checks.shell.script import Script
from ralph.guardrails.checks.spoken import Listener
from ralph.guardrails.config.side import Side
from ralph.record import field, record
from ralph.system.patterns import later

READS = frozenset(("mapfile", "readarray"))
OUTPUT = later(r"[\"']?(?P<name>\w+)=.*>>\s*[\"']?\$\{?GITHUB_(?:ENV|OUTPUT)\b", re.DOTALL)
ONE_NAME = later(r"[\"']?\$\{?(?P<name>\w+)(?:\[[@*]\])?\}?[\"']?")
EACH = ("every", "file")
"""What a loop runs that is no program, but the file that it has come to."""
MADE = later(r"\$\((?:[^()]|\([^()]*\))*\)|`[^`]*`")
Stages = tuple[tuple[str, ...], ...]


@record
class Fed:
    """`words`: the check, bare; `stages`: what lists, and what its list goes through."""

    words: tuple[str, ...]
    kind: Kind
    stages: Stages
    line: int


@record
class _Call:
    script: Script
    node: tree_sitter.Node
    words: list[str]
    line: int
    known: Mapping[str, str]


@record(slots=False)
class _Held:
    """What the variables of a file hold: those of one text, and those that all its texts know."""

    lists: dict[tuple[int, str], tuple[Stages, int]] = field(default_factory=dict)

    def sets(self, call: _Call, name: str, stages: Stages, *, everywhere: bool = False) -> None:
        self.lists[0 if everywhere else id(call.script), name] = stages, call.line

    def of(self, call: _Call, name: str) -> Stages | None:
        found = self.lists.get((id(call.script), name)) or self.lists.get((0, name))
        return None if found is None else found[0]

    def uses(self, calls: Sequence[_Call]) -> Iterator[Fed]:
        """Checks whose own words name such a variable. What it held last counts."""
        for (place, name), (stages, line) in self.lists.items():
            form = re.compile(rf"\$\{{?(?:\w+_outputs_)?{re.escape(name)}\b")
            for call in calls:
                if place not in (0, id(call.script)) or not form.search(MADE.sub("", call.script.of(call.node))):
                    continue
                if (check := check_of(call.words)) is not None:
                    yield Fed(*check, stages, line)


def fed(side: Side, path: str) -> list[Fed]:
    listing = MAY_LIST.search(side.text(path) or "") is not None
    scripts = [(Script(text), line) for text, line in texts(side, path)] if listing else []
    calls = [call for script, line in scripts for call in _calls(script, line)]
    held, found = _Held(), list[Fed]()
    for call in calls:
        found += _of(call, held)
    for script, line in scripts:
        found += _over_globs(script, line) if "*" in script.text else ()
    return [*found, *held.uses(calls)]


def texts(side: Side, path: str) -> list[tuple[str, int]]:
    """The shell texts of a file, each with its line."""
    text = side.text(path) or ""
    if is_makefile(path):
        return [(of_makefile(text), 1)]
    listener = Listener(path)
    read_into(listener, side, path)
    found = [(in_task(each), line) for each, line in listener.texts]
    made = of_tasks(text) if found and "sh:" in text else ""
    return [(made, 0), *found] if made else found


def _calls(script: Script, line: int) -> list[_Call]:
    """What Task makes of its variables has no line."""
    nodes = list(script.walk())
    known = dict(_plain(script, nodes))
    found = [node for node in nodes if node.type == "command"]
    return [
        _Call(script, node, script.words(node, known), line and line + node.start_point.row, known) for node in found
    ]


def _plain(script: Script, nodes: Sequence[tree_sitter.Node]) -> Iterator[tuple[str, str]]:
    """Variables that are set to a text without others in it."""
    for node in nodes:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if node.type == "variable_assignment" and name is not None and value is not None:
            text = script.value(value, {})
            if text is not None and text.strip() and value.type != "array":
                yield script.of(name), text


def _of(call: _Call, held: _Held) -> Iterator[Fed]:
    first = _known(call, held) or ((tuple(call.words),) if lists(call.words) else ())
    if not first:
        return
    if (run := _own(call.words)) is not None:
        yield Fed(*run, first, call.line)
    elif handed(call.words):
        return  # it prints what another program makes of what it finds
    node, rest = _pipeline(call.node)
    stages = first
    for each in rest:
        if each.type == "while_statement":
            yield from _looped(call, each, stages)
            return
        checks = list(_checks(call, each))
        yield from (Fed(*check, stages, call.line) for check in checks)
        if checks or each.type != "command":
            return
        stages = (*stages, tuple(call.script.words(each, call.known)))
    yield from _above(call, node, stages, held)


def _known(call: _Call, held: _Held) -> Stages | None:
    """`echo "$FILES"` lists what the variable holds."""
    if call.words[:1] not in (["echo"], ["printf"]):
        return None
    names = [match["name"] for word in call.words[1:] if (match := ONE_NAME.fullmatch(word))]
    return held.of(call, names[0]) if len(names) == 1 else None


def _own(words: Sequence[str]) -> tuple[tuple[str, ...], Kind] | None:
    """What a lister runs itself for what it lists."""
    runs = [each.words for each in handed(words) or ()]
    if words[0].rpartition("/")[2] in FDS:
        at = next((index for index, word in enumerate(words) if word in RUNS), len(words))
        runs = [tuple(words[at + 1 :])] if at + 1 < len(words) else []
    return next((check for run in runs if (check := check_of(run)) is not None), None)


def _pipeline(node: tree_sitter.Node) -> tuple[tree_sitter.Node, list[tree_sitter.Node]]:
    """The pipeline that a command begins, and what stands behind it there."""
    begins = node
    while begins.parent is not None and begins.parent.type == "redirected_statement":
        begins = begins.parent
    above = begins.parent
    if above is None or above.type != "pipeline" or above.named_children[0] != begins:
        return begins, []
    return above, [_body(child) for child in above.named_children[1:]]


def _body(node: tree_sitter.Node) -> tree_sitter.Node:
    while node.type == "redirected_statement" and node.named_children:
        node = node.named_children[0]
    return node


def _checks(call: _Call, node: tree_sitter.Node) -> Iterator[tuple[tuple[str, ...], Kind]]:
    inside = [node] if node.type == "command" else [each for each in call.script.walk(node) if each.type == "command"]
    for command in inside:
        words = call.script.words(command, call.known)
        if words and (check := check_of(words)) is not None:
            yield check


def _above(call: _Call, node: tree_sitter.Node, stages: Stages, held: _Held) -> Iterator[Fed]:
    """Of what a list is put into: a command line, a loop, a variable."""
    script, above = call.script, node.parent
    while above is not None:
        if above.type == "command":
            words = script.words(above, call.known)
            if above.parent is not None and (output := OUTPUT.search(script.of(above.parent))) is not None:
                held.sets(call, output["name"], stages, everywhere=True)
                return
            if (check := check_of(words)) is not None:
                yield Fed(*check, stages, call.line)
                return
            stages = stages if words[:1] in (["echo"], ["printf"]) else (*stages, tuple(words))
        elif above.type == "redirected_statement" and _body(above) != node:
            yield from _redirected(call, _body(above), stages, held)
            return
        elif above.type == "variable_assignment":
            name = above.child_by_field_name("name")
            held.sets(call, script.of(name) if name is not None else "", stages, everywhere=call.line == 0)
            return
        elif above.type == "for_statement":
            yield from _looped(call, above, stages)
            return
        above = above.parent


def _looped(call: _Call, loop: tree_sitter.Node, stages: Stages) -> Iterator[Fed]:
    """The checks of a loop, and what it runs of the files themselves."""
    name = name_of(call.script, loop)
    less = (*stages, *passed_over(call.script, loop, name))
    for command in (each for each in call.script.walk(loop) if each.type == "command"):
        words = call.script.words(command, call.known)
        if words and (check := check_of(words)) is not None:
            yield Fed(*check, less, call.line)
        elif words and name and runs_each(words, name):
            yield Fed(EACH, "test", less, call.line)


def _over_globs(script: Script, line: int) -> Iterator[Fed]:
    """`for t in tests/*.sh; do`"""
    for loop in script.walk():
        if loop.type == "for_statement" and any("*" in glob for glob in globs_of(script, loop)):
            call = _Call(script, loop, [], line and line + loop.start_point.row, {})
            yield from _looped(call, loop, (("ls", *globs_of(script, loop)),))


def _redirected(call: _Call, body: tree_sitter.Node, stages: Stages, held: _Held) -> Iterator[Fed]:
    """`mapfile` and loops read what they are given into a variable; a loop may check it at once."""
    words = call.script.words(body, call.known) if body.type == "command" else []
    if words and words[0] in READS:
        held.sets(call, words[-1], stages)
        return
    yield from (
        _looped(call, body, stages)
        if body.type == "while_statement"
        else (Fed(*check, stages, call.line) for check in _checks(call, body))
    )
    for each in call.script.walk(body):
        name = each.child_by_field_name("name") if each.type == "variable_assignment" else None
        if name is not None and "+=" in call.script.of(each):
            held.sets(call, call.script.of(name), stages)
