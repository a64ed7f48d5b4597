"""Examples of Go, whose output the go command compares with a comment at their end (test inventory, classes G04, G05).

Rules:

- Each line of the output is an assertion. In any order they demand less.
- An example without such a comment is compiled, and never run; one that prints nothing but constants demands nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.golang.assertions.asserts import named_call
from ralph.guardrails.inventory.model import Check, Grade
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.guardrails.source import Source
from ralph.system.patterns import later

NAMED = later(r"Example(?![a-z])\w*")
UNRUN = "nothing compares what it prints"
OUTPUT = later(
    r"(?ims)^[ \t]*//[ \t]*(?P<unordered>unordered[ ]+)?output:(?P<lines>[^\n]*(?:\n[ \t]*//[^\n]*)*)\s*\}\s*\Z"
)
PRINTS = frozenset({"Print", "Println", "Printf"})


def is_run(body: tree_sitter.Node) -> bool:
    return OUTPUT.search(text_of(body)) is not None


def outputs(body: tree_sitter.Node, source: Source, writing: Writing) -> Iterator[Check]:
    match = OUTPUT.search(text_of(body))
    if match is None:
        return
    printed = [node for node in source.walk(body) if named_call(node)[0] == "fmt" and named_call(node)[1] in PRINTS]
    empty = bool(printed) and all(writing.is_constant(each) for node in printed for each in named_call(node)[2])
    grade = Grade.NOTHING if empty else Grade.CLOSE if match["unordered"] else Grade.EXACT
    line = body.start_point.row + source.first_line + text_of(body)[: match.start()].count("\n")
    for said in match["lines"].split("\n"):
        wanted = said.strip().removeprefix("//").strip()
        if wanted:
            yield Check(
                subject="the output",
                relation="prints",
                wanted=f'"{wanted}"',
                grade=grade,
                line=line,
                column=1,
                why="it prints constants of its own" if empty else "",
                snippet=source.line_text(line),
            )
