"""Assertions of a project's own that have a framework's name and demand nothing (policy set v2, class G05).

Rules, for a file of tests or of their support:

- A function with the name of an assertion (`assertEquals`, `assert_equal`, `shouldBe`, `expect`) that the base of the
  file did not have, and of which nothing can fail: it throws nothing, calls no other assertion and hands nothing on to
  what has its name elsewhere. The tests that say its name ask it, and not the framework. So it is with a class that is
  called `Assert`, and with a macro.
- In C# an extension of the tests' own (`Should(this object value)`) comes before that of a library, as it stands in a
  namespace around them: it has what its file says of what it gives.
- A function that gives an object for further words (`assertThat(x)` of a domain) demands something there.
- Python and JavaScript have their own rules for it (`python.runner.unittests`, `javascript.checks`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.inventory.readers import is_beside_tests, language, reader_of
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit
from ralph.guardrails.source import Source
from ralph.guardrails.texts import read_source
from ralph.system.patterns import later

JUNIT = (
    r"assert(?:(?:Not)?(?:Equals|Null|Same)|True|False|ArrayEquals|Throws|IterableEquals|LinesMatch|All|InstanceOf"
    r"|DoesNotThrow|That|Content(?:Equals)?|Contains|Is|IsNot|FailsWith|Fails)|fail"
)
NAMES = {
    "java": later(JUNIT),
    "kotlin": later(rf"{JUNIT}|should(?:Not)?(?:Be\w*|Equal|Throw\w*|Contain\w*|Have\w*|Fail\w*)"),
    "csharp": later(r"(?:Collection|String|Classic)?Assert"),
    "ruby": later(
        r"(?:assert|refute)(?:_(?:equal|nil|empty|includes?|raises|match|in_delta|instance_of|kind_of|predicate|operator"
        r"|same|respond_to|not_nil|not_equal|difference|response))?|flunk|expect|is_expected|eql?|match_array"
        r"|contain_exactly"
    ),
    "rust": later(r"assert(?:_eq|_ne|_matches)?"),
}
DECLARES = {
    "java": frozenset({"method_declaration"}),
    "kotlin": frozenset({"function_declaration"}),
    "csharp": frozenset({"class_declaration"}),
    "ruby": frozenset({"method", "singleton_method"}),
    "rust": frozenset({"macro_definition"}),
}
WORTH = later(rb"\b(?:void|fun|def|class|static)\b|\bmacro_rules!")
FAILS = later(
    r"(?i)\b(?:throw\w*|raise|fail\w*|flunk|panic!?|super|base|error|exit|abort|unreachable!|todo!|\w*assert\w*|refute\w*"
    r"|expect(?!ed\b)\w*|should\w*|require\w*|check\w*|yield|verify\w*|unwrap|invoke)\b|\?\?|!!"
)
FIRST_WORD = later(r"Should(?:Not)?(?:Be\w*|Equal\w*|Throw\w*|Contain\w*|Have\w*|Match\w*|Satisfy\w*)?")
EXTENDS = later(r"\(\s*this\b")
REFUSES = later(r"\bthrow\b|\b\w*Assert\w*\b|\bFail\w*\(|Exception\b")
GIVES = later(r"\b\w*(?:Subject|Expectation|Matcher|Target|Proxy)\w*\b")
COMMENT = later(r"//[^\n]*|/\*.*?\*/|(?m:^\s*#[^\n]*)", re.DOTALL)


def own_assertions(change: Change) -> Iterator[Hit]:
    for file in change.files:
        spoken = language(file, change)
        if spoken not in NAMES or file.status not in ("A", "M") or not _is_of_tests(file, spoken):
            continue
        if any(WORTH.search(line) for hunk in file.hunks for line in hunk.added):
            yield from _in_file(file, spoken, change)


def _is_of_tests(file: FileChange, spoken: str) -> bool:
    reader = reader_of(spoken)
    return is_beside_tests(file.path, reader)


def _in_file(file: FileChange, spoken: str, change: Change) -> Iterator[Hit]:
    source, base = (
        read_source(file.path, spoken, read(file.path)) for read in (change.blobs.after, change.blobs.before)
    )
    if source is None:
        return
    known = {name for name, _ in (*_declared(base, spoken), *_extensions(base))} if base is not None else set()
    declared = [*_declared(source, spoken), *(_extensions(source) if spoken == "csharp" else ())]
    for name, node in declared:
        if name not in known and not _may_fail(name, node):
            yield source.hit("test.weakened", node, f"`{name}` is one of the tests' own, and demands nothing")


def _declared(source: Source, spoken: str) -> Iterator[tuple[str, tree_sitter.Node]]:
    for node in source.walk():
        name = node.child_by_field_name("name") if node.type in DECLARES[spoken] else None
        if name is not None and NAMES[spoken].fullmatch(text_of(name)):
            yield text_of(name), node


def _extensions(source: Source) -> Iterator[tuple[str, tree_sitter.Node]]:
    """C#: first words of a library's assertions that any value gets, and that lead to nothing which may fail."""
    if b"Should" not in source.data or source.language != "csharp":
        return
    text = COMMENT.sub(" ", source.data.decode("utf-8", "replace"))
    for node in source.walk():
        name = node.child_by_field_name("name") if node.type == "method_declaration" else None
        if name is None or not FIRST_WORD.fullmatch(text_of(name)):
            continue
        parameters, gives = node.child_by_field_name("parameters"), node.child_by_field_name("returns")
        kind = text_of(gives).rstrip("?").partition("<")[0] if gives is not None else "void"
        here = kind == "void" or re.search(rf"\b(?:class|struct|record)\s+{re.escape(kind)}\b", text)
        if parameters is not None and EXTENDS.match(text_of(parameters)) and here and not REFUSES.search(text):
            yield text_of(name), node


def _may_fail(name: str, node: tree_sitter.Node) -> bool:
    """Something in its body may; without a body it is declared for others to write."""
    head = node.child_by_field_name("name")
    end = head.end_byte - node.start_byte if head is not None else 0
    text = COMMENT.sub(" ", (node.text or b"")[end:].decode("utf-8", "replace"))
    body = re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', text)
    bare = node.type == "method_declaration" and node.child_by_field_name("body") is None
    return bare or FAILS.search(body) is not None or GIVES.search(body) is not None


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (own_assertions,)
