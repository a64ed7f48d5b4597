"""Rust: results of tests that no longer fail them (policy set v2, class G05).

    impl Termination for Outcome {
        fn report(self) -> ExitCode {
            match self { Self::Same => ExitCode::SUCCESS, Self::Differs => ExitCode::default() }
        }
    }

Rule: a test that gives something back fails by what its `report` says. One of the base, beside tests or asked for by
some, that gives fewer failures for as many cases as before blocks: `ExitCode::default()` and `from(0)` are successes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.inventory.readers import TEST_PLACE, is_beside_tests, reader_of
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit
from ralph.guardrails.nearest import nearest
from ralph.guardrails.source import Source
from ralph.guardrails.texts import read_source
from ralph.system.patterns import later

WORTH = later(rb"\bExitCode\b|\bexit_code\b|\bTermination\b|=>|\bfrom\(")
FAILS = later(
    r"\bExitCode::FAILURE\b|\bExitCode::from\(\s*(?!0(?:u8)?\s*\))|\bpanic!|\bunreachable!|\bassert\w*!|\bprocess::exit\(\s*(?!0\s*\))"
    r"|\bprocess::abort\("
)
PLACES = later(r"=>|\belse\b|\breturn\b|\bif\b")
"""Where a result is told from others."""
MOST = 200


def milder_terminations(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "M" or not file.path.endswith(".rs"):
            continue
        if not any(WORTH.search(line) for line in file.removed()):
            continue
        before, after = (read(file.path) or b"" for read in (change.blobs.before, change.blobs.after))
        if b"Termination" in before and b"Termination" in after:
            yield from _in_file(file, change)


def _in_file(file: FileChange, change: Change) -> Iterator[Hit]:
    base, source = (
        read_source(file.path, "rust", read(file.path)) for read in (change.blobs.before, change.blobs.after)
    )
    if base is None or source is None:
        return
    old = {name: text_of(node) for name, node in _reports(base)}
    for name, node in _reports(source):
        was, now = old.get(name, ""), text_of(node)
        fewer = len(FAILS.findall(now)) < len(FAILS.findall(was))
        as_many = len(PLACES.findall(now)) >= len(PLACES.findall(was))
        if fewer and (as_many or not FAILS.search(now)) and _of_tests(name, file.path, change):
            yield source.hit("test.weakened", node, f"fewer values of {name} fail the test that gives them")


def _reports(source: Source) -> Iterator[tuple[str, tree_sitter.Node]]:
    """The `report` of each type, by its name."""
    for node in source.walk():
        trait, of = (node.child_by_field_name(field) for field in ("trait", "type"))
        if node.type != "impl_item" or trait is None or of is None or not text_of(trait).endswith("Termination"):
            continue
        body = node.child_by_field_name("body")
        for function in body.named_children if body is not None else ():
            name = function.child_by_field_name("name") if function.type == "function_item" else None
            if name is not None and text_of(name) == "report":
                yield text_of(of).partition("<")[0], function


def _of_tests(name: str, path: str, change: Change) -> bool:
    if is_beside_tests(path, reader_of("rust")):
        return True
    gives = re.compile(rf"#\[(?:\w+::)*test\b[^{{]*->[^{{]*\b{re.escape(name)}\b")
    places = (each for each in change.blobs.paths_after() if each.endswith(".rs") and TEST_PLACE.search(each))
    texts = (change.blobs.after(each) or b"" for each in (path, *nearest(places, change, MOST)))
    return any(gives.search(text.decode("utf-8", "replace")) for text in texts)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (milder_terminations,)
