"""What a file does to the run of the tests that it is loaded into (policy set v2, class G08).

Rule: a file takes the run over if it, or a file of the change that it loads in turn, ends the process with success,
rewrites results or the text of tests, replaces what defines or checks tests, or keeps tests from running. So does one
that mocks what tests compare, that has `require` answer for a module that they ask for, or that leaves tests out where
it puts them in order (`sequencers`). Who loads it answers for it as it
does itself, so that a finding stands at both places.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.compare import Places
from ralph.guardrails.config.side import resolve
from ralph.guardrails.javascript.code import Code, code
from ralph.guardrails.javascript.doubles import setups
from ralph.guardrails.javascript.failures import exits
from ralph.guardrails.javascript.files import sources_of
from ralph.guardrails.javascript.places import stem
from ralph.guardrails.javascript.runner import outcomes, patches
from ralph.guardrails.javascript.runner.mapped import IMPORTS, SUFFIXES, asked_by_tests
from ralph.guardrails.javascript.runner.sequencers import sequencers
from ralph.guardrails.javascript.skipped.offs import Definitions, Off
from ralph.guardrails.javascript.skipped.values import Values
from ralph.guardrails.javascript.syntax.constants import Verdict
from ralph.guardrails.javascript.syntax.names import FUNCTIONS
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.prefilter import prefilter
from ralph.guardrails.source import Source
from ralph.system.patterns import later

_SKIPS = (r"\bskip\b|\btodo\b|\bfail(?:s|ing)\b|\bpending\b|\bx(?:it|test|describe)\b",)
_TAKES = frozenset(
    {
        "js.results-rewritten",
        "js.test-function-replaced",
        "js.assertion-patched",
        "js.exit-in-test",
        "js.exit-in-handler",
    }
)
_BRANCHES = frozenset({"if_statement", "ternary_expression", "binary_expression", "switch_case"})
REWRITES = later(
    rb"\.replace(?:All)?\(\s*(?:/|[\"'`]|new RegExp\()[^\n]*?(?:\bto(?:Be|Equal|StrictEqual|Match|Throw|Contain)\w*"
    rb"|\bexpect\b|\bassert\w*|\b(?:it|test|describe)\b\\?\()[^\n]*"
)
MOST_FILES = 20
_REDIRECTS = later(
    rb"\brequire\s*\.\s*cache\s*\[[^\n]*\]\s*=(?!=)|\bModule\s*\.\s*_(?:load|resolveFilename)\s*=(?!=)"
    rb"|\baddAlias(?:es)?\s*\(|\bregisterHooks\s*\("
)
"""What makes `require` and `import` answer with something else."""
_TEXT = later(rb"[\"'`]([^\"'`\n]{2,200})[\"'`]")


def taken_over(path: str, change: Change) -> list[Hit]:
    """Where the file, or what it loads, does that; nothing if it only does what setup and reporters are for."""
    brought = {file.path for file in change.files if file.status != "D"}
    paths = change.blobs.paths_after()
    seen, waiting = {path}, [path]
    while waiting:
        each = waiting.pop(0)
        data, language = change.blobs.after(each), language_of(each)
        if data is None or language not in ("javascript", "typescript", "tsx"):
            continue
        found = [hit for source in sources_of(each, language, data) for hit in _hits(source, change)]
        if found:
            return found
        for name in {match[1].decode("utf-8", "replace") for match in IMPORTS.finditer(data)}:
            to = resolve(paths, each, name, SUFFIXES) if name.startswith(".") else None
            if to is not None and to in brought and to not in seen and len(seen) < MOST_FILES:
                seen.add(to)
                waiting.append(to)
    return []


def brought(hits: list[Hit], change: Change) -> Iterator[Hit]:
    """Those that stand on lines of the change."""
    places = Places(change.files)
    return (hit for hit in hits if places.added(hit.path, hit.line))


def _hits(source: Source, change: Change) -> Iterator[Hit]:
    yield from sequencers(source)
    if prefilter(patches.WORDS).matches(source.data):
        yield from (hit for hit in patches.patches(source) if hit.rule in _TAKES)
    yield from outcomes.outcomes(source)
    if prefilter(exits.WORDS).matches(source.data):
        yield from (hit for hit in exits.exits(source) if hit.rule in _TAKES)
        yield from exits.leaving(source)
    if prefilter(_SKIPS).matches(source.data):
        found = code(source)
        defined = Definitions(found.cases)
        for off in (*defined.where_defined(), *defined.in_bodies(), *Values(found.cases).offs()):
            if off.what == "skip" and off.verdict is Verdict.OPT_IN and not _depends(off, found):
                yield source.hit("js.test-skip", off.node, f"{off.label} for all")
    if (match := _REDIRECTS.search(source.data)) and _about_tested(source, change):
        line, text = source.data[: match.start()].count(b"\n") + 1, match[0].decode("utf-8", "replace")
        yield Hit(rule="js.subject-mapped", path=source.path, line=line, column=1, key=text, snippet=text)
    if prefilter(setups.WORDS).matches(source.data):
        yield from setups.asserted(source, change)
    for match in REWRITES.finditer(source.data):  # of a transform, to which tests are text
        node = source.tree.root_node.descendant_for_byte_range(*match.span())
        if node is not None and "comment" not in node.type:
            yield source.hit("js.assertion-patched", node, "the text of tests is rewritten")


def _about_tested(source: Source, change: Change) -> bool:
    """It names a module that a test asks for."""
    named = {match[1].decode("utf-8", "replace") for match in _TEXT.finditer(source.data)}
    return asked_by_tests({stem(each) for each in named if "/" in each} - {""}, change)


def _depends(off: Off, code: Code) -> bool:
    """In a hook, only some of the tests are kept from running."""
    node: tree_sitter.Node | None = off.node
    while not off.is_value and node is not None and node.type not in FUNCTIONS:
        if node.type in _BRANCHES:
            return True
        node = code.names.parent(node)
    return False
