"""Loops and choices of a script that is read: a table that stands in it is run row by row."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

import tree_sitter

from ralph.guardrails.bats.checks import Demand, constant
from ralph.guardrails.bats.patterns import glob_left_open
from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.plainshell import asked, asking
from ralph.guardrails.plainshell.branches import Branches, set_in
from ralph.guardrails.source import Source
from ralph.system.patterns import later

MOST_ROWS = 60
READS = later(r"(?:IFS=(?P<apart>\S*)\s+)?read\s+(?:-\w+\s+)*(?P<names>\w+(?:\s+\w+)*)")
LISTED = later(r"\bdeclare\s+-[fF]|\bcompgen\s+-A\s+function|\btypeset\s+-[fF]")
"""What lists the functions of a script."""
A_TEST = later(r"(?i)test\w*|\w+_test")
PATTERN = later(r"[*?\[{]")


class Run(asking.Run, Protocol):
    branches: Branches


def document(source: Source, node: tree_sitter.Node) -> str:
    """The here document that a statement reads."""
    for child in node.children_by_field_name("redirect"):
        body = next((each for each in child.named_children if each.type == "heredoc_body"), None)
        if body is not None:
            return source.text(body)
    return ""


def loop(run: Run, node: tree_sitter.Node, text: str) -> None:
    """`text`: what it reads."""
    body = node.child_by_field_name("body")
    if body is None:
        return
    rows = _rows(run, node, text)
    if rows is not None and len(rows) <= MOST_ROWS:
        for row in rows:
            run.state.values.update(row)
            run.block(body.named_children, heard=False)
    else:
        for name in set_in(node, run.words.source):
            run.state.sets(name, None)
        run.state.rounds += 1
        run.block(body.named_children, heard=False)
        run.state.rounds -= 1
    for row in (rows or ())[:1]:
        for name in row:
            run.state.values.pop(name, None)


def _rows(run: Run, node: tree_sitter.Node, text: str) -> list[dict[str, str]] | None:
    """What the variables of a loop are in each round; None if nobody can tell."""
    source = run.words.source
    if node.type == "for_statement":
        variable = node.child_by_field_name("variable")
        values = node.children_by_field_name("value")
        if variable is None or any(LISTED.search(source.text(value)) for value in values):
            names = [name for name in run.functions if A_TEST.fullmatch(name)]
            return [{source.text(variable): name} for name in names] if variable is not None else None
        words = [run.words.of(value, run.state.values) for value in values]
        bare = [word for word, value in zip(words, values, strict=True) if value.type not in asking.QUOTED]
        if not all(map(constant, words)) or any(map(PATTERN.search, bare)):
            return None
        return [{source.text(variable): word} for word in words]
    condition = next((child for child in node.named_children if child.type != "do_group"), None)
    reads = READS.fullmatch(source.text(condition)) if condition is not None and text else None
    return [_row(reads, line) for line in text.splitlines() if line.strip()] if reads is not None else None


def _row(reads: re.Match[str], line: str) -> dict[str, str]:
    names = reads["names"].split()
    apart = (reads["apart"] or "").strip("\"'$\\")
    parts = line.split(apart, len(names) - 1) if apart else line.split(None, len(names) - 1)
    return dict(zip(names, [part.strip() for part in parts] + [""] * len(names), strict=False))


def case(run: Run, node: tree_sitter.Node, *, heard: bool) -> None:
    """An arm that fails says what its text must not be; the last one, what it has to be."""
    subject = node.child_by_field_name("value")
    arms = [child for child in node.named_children if child.type == "case_item"]
    if subject is None or not arms:
        return
    source = run.words.source
    looked_at = run.words.of(subject, run.state.values)
    wanted: list[str] = []
    for arm in arms:
        patterns = [run.words.of(each, run.state.values) for each in arm.children_by_field_name("value")]
        body = [child for child in arm.named_children if child not in arm.children_by_field_name("value")]
        how = run.branches.fails(source, body, returns=run.state.returns)
        counter = how if how in run.branches.counters else ""
        written = "|".join(patterns)
        if how and patterns == ["*"] and wanted:
            asking.says(run, _one_of(looked_at, wanted), counter)
        elif how and patterns != ["*"]:
            asking.says(run, (looked_at, "not matches", written, Grade.EXISTS, ""), counter)
        elif not how:
            wanted += patterns
            with run.state.under(doubtful=asked.CALLED_WITH.match(looked_at) is None):
                run.block(body, heard=heard)


def _one_of(subject: str, wanted: Sequence[str]) -> Demand:
    text = "|".join(wanted)
    if len(wanted) == 1 and not PATTERN.search(text):
        return subject, "==", text, Grade.EXACT, ""
    least = glob_left_open(text)
    return subject, "matches", text, Grade.SHAPE if least is None else least, ""
