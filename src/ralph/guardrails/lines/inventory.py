"""The tests of languages that are read line by line, as the inventory compares them (see `dialects` and `steps`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from ralph.guardrails.inventory.model import Ghost, Inventory, Test
from ralph.guardrails.inventory.readers import Paths, is_support
from ralph.guardrails.lines import steps
from ralph.guardrails.lines.blocks import Block, blocks, named
from ralph.guardrails.lines.dialects import DIALECTS, ENDINGS, Dialect
from ralph.guardrails.lines.facts import HELPER, Helper, facts, helper_of
from ralph.guardrails.lines.loaded import unloaded, why_not_loaded
from ralph.guardrails.lines.unseen import seen
from ralph.guardrails.source import Source
from ralph.record import replace

WORDS: tuple[str, ...] = ()
"""Files that are no tests by their names hold none."""
_OF_C = (".c", ".cc", ".cpp", ".cxx", ".c++", ".h", ".hh", ".hpp", ".hxx", ".inl")


def is_test_file(path: str) -> bool:
    dialect = DIALECTS.get(_language(path))
    return steps.is_test_file(path) if dialect is None else dialect.files.search(path) is not None


def collect(source: Source, paths: Paths) -> Inventory:
    if not is_test_file(source.path):
        return Inventory(product=b"" if is_support(source.path) else source.data)
    lines = source.data.decode("utf-8", "replace").replace("\r", "").split("\n")
    dialect = DIALECTS.get(_language(source.path))
    if dialect is None:
        return steps.collect(lines, source)
    compiled = seen(lines)
    found = blocks(compiled, dialect, source.first_line)
    helpers = _helpers(compiled, dialect, source.first_line)
    shared = _outside(compiled, found, source.first_line)
    tests = tuple(_test(block, dialect, helpers, source.path, shared) for block in found)
    if why := why_not_loaded(source, paths):
        return Inventory(ghosts=tuple(unloaded(tests, why)))
    return Inventory(tests, tuple(_commented(lines, compiled, dialect, source)))


def _language(path: str) -> str:
    end = "." + path.lower().rpartition(".")[2]
    return ENDINGS.get(end) or ("php" if end in (".php", ".phtml") else "cpp" if end in _OF_C else "")


def _test(block: Block, dialect: Dialect, helpers: dict[str, Helper], path: str, shared: str) -> Test:
    body = "\n".join(each.text for each in block.statements)
    calls = any(name in body for name in helpers)
    return Test(
        parts=block.parts,
        path=path,
        line=block.line,
        column=1,
        snippet=block.snippet,
        text=f"{body}\n{shared if calls else ''}",
        facts=cache(lambda: facts(block, dialect, helpers)),
    )


def _helpers(lines: Sequence[str], dialect: Dialect, first: int) -> dict[str, Helper]:
    """The functions of the file that are no tests."""
    functions = replace(dialect, head=HELPER, group=None)
    found: dict[str, Helper] = {}
    for block in blocks(lines, functions, first):
        head = HELPER.match(block.snippet)
        if head is not None and dialect.head.match(block.snippet) is None:
            found[head["plain"]] = helper_of(block, head)
    return found


def _outside(lines: Sequence[str], found: Sequence[Block], first: int) -> str:
    inside = {each.line for block in found for each in block.statements} | {block.line for block in found}
    return "\n".join(line.strip() for number, line in enumerate(lines, first) if number not in inside and line.strip())


def _commented(lines: Sequence[str], compiled: Sequence[str], dialect: Dialect, source: Source) -> Iterator[Ghost]:
    for number, (line, kept) in enumerate(zip(lines, compiled, strict=True), source.first_line):
        text = line.strip()
        if not text or (kept and not text.startswith(dialect.comment)):
            continue
        if (match := dialect.head.match(text.lstrip("/#-* "))) is not None:
            yield Ghost(
                name=named(match),
                path=source.path,
                line=number,
                column=1,
                snippet=text,
                why="it is commented out",
            )
