"""Rust: a call of a test whose failure failed the test, and is now dropped (policy set v2, class G05).

Rules, for a test of the base that is there in the head:

- A call that was unwrapped, expected or passed on with `?`, and that nothing of it takes now (`f().ok();`,
  `let _ = f();`, `drop(f())`, `f().unwrap_or_default();`), blocks where it is one of the project's.
- So does one with which the rest of the test begins to depend on it: `if let Ok(x) = f() { … }` without an `else`.
- What prepares a test or cleans up after it (files, folders, the environment, threads, logs) may fail as it likes. What
  is still taken (`let x = f().ok();`) is there to be asserted on: that is the business of the inventory.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.inventory.readers import language
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit
from ralph.guardrails.rust.inventory import RustTests
from ralph.guardrails.source import Source
from ralph.guardrails.texts import cut, read_source
from ralph.system.patterns import later

WORTH = later(
    rb"(?:^|[\s;{])_\s*=|\.(?:ok|err|is_ok|is_err|unwrap_or\w*|or|or_else|map_or\w*|iter|into_iter)\(|\blet\s+_|\bdrop\(|\bif\b|\bmatch\b"
)
DEMANDS = later(r"\.(?:unwrap|expect|unwrap_err|expect_err)$")
DROPS = later(
    r"\.(?:ok|err|is_ok|is_err|unwrap_or|unwrap_or_default|unwrap_or_else|map_or|map_or_else|or|or_else|map_err)$"
)
OWN_WORK = later(
    r"(?i)\b(?:std|tokio|fs|env|thread|process|Command|File|OpenOptions|TempDir|tempfile|tempdir|env_logger|tracing\w*"
    r"|dotenv\w*|color_eyre)::|(?:^|[.:_])(?:\w*init\w*|send|join|lock|write|flush|kill|wait|abort|shutdown|close"
    r"|remove\w*|create_dir\w*|clean\w*|tear\w*|set_var|set_logger|setup\w*|install\w*)\("
)
DROPPING = later(r"(?:std::)?(?:mem::)?drop|(?:std::)?mem::forget")
WORD = later(r"\w+")
OF_THERE = later(r"(?:Ok|Some)\s*\(.*\)", re.DOTALL)

Bodies = dict[tuple[str, ...], tree_sitter.Node]


def unheard(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status == "A" or language(file, change) != "rust":
            continue
        if any(WORTH.search(line) for hunk in file.hunks for line in hunk.added):
            yield from _in_file(file, change)


def _in_file(file: FileChange, change: Change) -> Iterator[Hit]:
    base, source = (
        read_source(file.path, "rust", side(file.path)) for side in (change.blobs.before, change.blobs.after)
    )
    if base is None or source is None:
        return
    before = _tests(base)
    for parts, body in _tests(source).items():
        if parts not in before:
            continue
        lost = _demanded(base, before[parts]) - _demanded(source, body)
        known = Counter(call for call, _ in _dropped(base, before[parts]))
        for call, place in _dropped(source, body):
            if known[call]:
                known[call] -= 1
            elif lost[call] and not OWN_WORK.search(call):
                lost[call] -= 1
                detail = f"{'::'.join(parts)}: nobody hears of a failure of `{cut(call, 80)}`"
                yield source.hit("test.weakened", place, detail)


def _tests(source: Source) -> Bodies:
    return {
        each.parts: each.body
        for each in RustTests(source).found()
        if each.kind == "test" and each.body is not None and not each.why
    }


def _demanded(source: Source, body: tree_sitter.Node) -> Counter[str]:
    """What must not fail: calls before `.unwrap()`, `.expect(…)` and `?`."""
    found: Counter[str] = Counter()
    for node in source.walk(body):
        if node.type == "try_expression" and node.named_children:
            found[_written(node.named_children[0])] += 1
        elif (receiver := _receiver(node, DEMANDS)) is not None:
            found[_written(receiver)] += 1
    return found


def _dropped(source: Source, body: tree_sitter.Node) -> Iterator[tuple[str, tree_sitter.Node]]:
    """Calls of which nothing is taken, and those on which the rest depends."""
    words = Counter(WORD.findall(text_of(body)))
    for node in source.walk(body):
        value: tree_sitter.Node | None = None
        if node.type == "expression_statement" and node.named_children:
            value = node.named_children[0]
            if value.type == "if_expression":
                value = _asked(value)
            elif value.type == "assignment_expression":
                left, right = value.child_by_field_name("left"), value.child_by_field_name("right")
                value = right if left is not None and text_of(left) == "_" else None
        elif node.type == "let_declaration" and _is_unused(node, words):
            value = node.child_by_field_name("value")
        elif node.type == "if_expression" and node.parent is not None and node.parent.type == "block":
            value = _asked(node)
        if value is not None and (called := _bare(value)).type in ("call_expression", "identifier", "await_expression"):
            yield _written(called), node


def _is_unused(declaration: tree_sitter.Node, words: Counter[str]) -> bool:
    """`let _ = …`, and a name that nobody asks: of all words of the test it is one of a kind."""
    pattern = declaration.child_by_field_name("pattern")
    name = text_of(pattern) if pattern is not None else ""
    return name == "_" or (name.startswith("_") and words[name] == 1)


def _asked(branch: tree_sitter.Node) -> tree_sitter.Node | None:
    """What an `if let Ok(…)` or an `if x.is_ok()` without an `else` asks."""
    condition = branch.child_by_field_name("condition")
    if condition is None or branch.child_by_field_name("alternative") is not None:
        return None
    if condition.type == "let_condition":
        pattern = condition.child_by_field_name("pattern")
        there = pattern is not None and OF_THERE.fullmatch(text_of(pattern)) is not None
        return condition.child_by_field_name("value") if there else None
    return condition if _receiver(condition, DROPS) is not None else None


def _bare(value: tree_sitter.Node) -> tree_sitter.Node:
    """Without what drops the failure: `.ok()`, `drop(…)`, a reference, parentheses."""
    while True:
        inner = _receiver(value, DROPS)
        if inner is None and value.type in ("reference_expression", "parenthesized_expression"):
            inner = value.named_children[-1] if value.named_children else None
        if inner is None and value.type == "call_expression":
            function, arguments = value.child_by_field_name("function"), value.child_by_field_name("arguments")
            drops = function is not None and DROPPING.fullmatch(text_of(function)) is not None
            inner = arguments.named_children[0] if drops and arguments and arguments.named_children else None
        if inner is None:
            return value
        value = inner


def _receiver(node: tree_sitter.Node, method: re.Pattern[str]) -> tree_sitter.Node | None:
    """What a method of one of these names is called on."""
    function = node.child_by_field_name("function") if node.type == "call_expression" else None
    if function is None or function.type != "field_expression":
        return None
    name = function.child_by_field_name("field")
    called = f".{text_of(name)}" if name is not None else ""
    return function.child_by_field_name("value") if method.fullmatch(called) else None


def _written(node: tree_sitter.Node) -> str:
    return " ".join(text_of(node).split())


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (unheard,)
