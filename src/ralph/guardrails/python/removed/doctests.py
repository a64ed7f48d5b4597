"""Examples in docstrings, which are tests where something runs them (policy set v2, classes G04 and G05).

Rules:

- An example of a function or class that is still there, and stands nowhere in the change any more, is a test that is
  gone; one with another answer expects another value. They block where nothing of the file but its texts changed, and
  something runs the examples: `--doctest-modules` in a configuration or command, `doctest.testmod` or a suite.
- Another example may ask the same in other words (`example_questions`). One that was skipped was no test, and a second
  answer to the same words, beside the first one, is one more.
- An example that is skipped now blocks where something runs the examples, whatever else changed.
- Where the examples ask first for a fixture that comes with the change (`getfixture`), they ask about something else,
  and are for a person.
- Else they are for a person. An example without an answer shows how to call something, and is no test; so is one of
  something that has another signature now.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import after as side_after
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.imports.reached import reached
from ralph.guardrails.python.removed.example_questions import Place, asked_otherwise, place_of, questions
from ralph.guardrails.python.trees import parsed_module, shape, walk
from ralph.record import record
from ralph.system.patterns import later

PROMPT = b">>> "
RUNS = later(
    rb"--doctest-modules|--doctest-glob|\bdoctest\.(?:testmod|testfile|DocTestSuite|DocTestRunner|run_docstring)\b|-m\s+doctest\b|--xdoctest"
)
READ = later(
    r"(?:^|/)(?:[\w.-]*\.(?:ini|toml|cfg|ya?ml|sh)|Makefile|makefile|justfile|noxfile\.py|conftest\.py|[^/]*doctests?[^/]*\.py)$"
)
PRODUCT = later(r"\.(?:py|pyx|c|rs)$")
OF_TESTS = later(r"(?:^|/)(?:tests?/|test_)")
OPTION = later(r"(?<!\s)\s*#\s*doctest:.*")
OPTION_OF_ANY = later(rb"\s*#\s*doctest:.*")
SKIPS = later(r"#\s*doctest:[^\n]*\+SKIP\b")
FIXTURE = later(r"(?:\w+\s*=\s*)?getfixture\(\s*[\"'](?P<name>\w+)[\"']\s*\)$")
SKIPPED = "py.skip"
MOST_FILES = 2_000
Owner = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@record
class Examples:
    """Of one docstring: sources with what they answer, where they begin, and the head of what has them."""

    answers: dict[str, list[str]]
    skipped: frozenset[str]
    told: tuple[tuple[str, str], ...]
    line: int
    head: str

    def run(self) -> frozenset[str]:
        """The sources of which something is run."""
        return frozenset(source for source, _ in self.told)


def doctests(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "M" or not file.path.endswith(".py"):
            continue
        was = change.blobs.before(file.path) or b""
        if PROMPT in was and any(hunk.removed for hunk in file.hunks):
            yield from _compared(file, was, change.blobs.after(file.path) or b"", change)


def _compared(file: FileChange, was: bytes, now: bytes, change: Change) -> Iterator[Hit]:
    old, new = parsed_module(was), parsed_module(now)
    if old is None or new is None:
        return
    before, after = dict(_examples(old)), dict(_examples(new))
    lost = [
        (name, each, after[name]) for name, each in before.items() if name in after and each.head == after[name].head
    ]
    places = place_of(file.path, old), place_of(file.path, new)
    found = [
        (name, told, now, _is_arranged_anew(each, now, change))
        for name, each, now in lost
        for told in _losses(each, now, places, change)
    ]
    if not found:
        return
    run = _is_run(file.path, now, change)
    alone = run and _code(old) == _code(new) and _only_tests(file, change)
    lines = now.decode("utf-8", "replace").split("\n")
    written = {line.strip() for line in lines}
    for name, (rule, milder, told), examples, anew in found:
        undone = told in {_gone(line.removeprefix(">>> ")) for line in written}  # its text is there, and no docstring
        yield hit_at(
            rule if (alone and not anew) or (run and (undone or rule == SKIPPED)) else milder,
            file.path,
            examples.line,
            f"{name or 'the module'}: {told}",
            lines[examples.line - 1].strip(),
            key=f"{name} {told}",
        )


def _losses(was: Examples, now: Examples, at: tuple[Place, Place], change: Change) -> Iterator[tuple[str, str, str]]:
    """The rule for an example that nobody had reason to change, the milder one, and what happened."""
    runs, forms = was.run(), None
    for source, answers in was.answers.items():
        left = now.answers.get(source)
        first = source.split("\n")[0]
        asked = left is not None or source not in runs or _asked_within(source, answers, now)
        if not asked and any(answers) and not _stands_elsewhere(first, change):
            forms = forms or (questions(was.told, at[0]), questions(now.told, at[1]))
            if not asked_otherwise(source, *forms, at[1]):
                yield "test.removed", "test.removed-with-code", _gone(first)
        elif left is not None and not _are_among(answers, left) and any(answers):
            yield "test.expected-changed", "test.expected-changed-with-code", f"`{first}` has another answer"
        elif left is not None and any(answers) and source in now.skipped - was.skipped:
            yield SKIPPED, "py.doctest-skip", f"`{first}` is skipped now"


def _gone(example: str) -> str:
    return f"the example `{example}` is gone"


def _is_arranged_anew(was: Examples, now: Examples, change: Change) -> bool:
    """The first of them asks for a fixture that the base did not have."""
    asked = FIXTURE.match(now.told[0][0]) if now.told and now.told[0] not in was.told else None
    if asked is None:
        return False
    defines = re.compile(rb"(?m)^\s*(?:async\s+)?def\s+%s\(" % re.escape(asked["name"].encode()))
    files = [file for file in change.files if file.path.endswith(".py")]
    comes = any(defines.search(b"\n".join(line for _, line in file.added())) for file in files)
    return comes and not any(defines.search(change.blobs.before(file.path) or b"") for file in files)


def _are_among(answers: list[str], left: list[str]) -> bool:
    """All of them, in their order."""
    rest = iter(left)
    return all(each in rest for each in answers)


def _asked_within(source: str, answers: list[str], now: Examples) -> bool:
    """Another example asks it with something around it, and has the same answer: `print(total(1))`."""
    return any(source in other and set(answers) <= set(told) for other, told in now.answers.items())


def _stands_elsewhere(line: str, change: Change) -> bool:
    """As an example of its own, or in a test."""
    written = line.strip().encode()
    for file in change.files:
        in_test = OF_TESTS.search(file.path) is not None
        for _, added in file.added():
            if written in added and (in_test or OPTION_OF_ANY.sub(b"", added).strip() == PROMPT + written):
                return True
    return False


def _examples(tree: ast.Module) -> Iterator[tuple[str, Examples]]:
    """By the names of what has the docstrings."""
    from doctest import DocTestParser  # dear to load, and few changes touch an example

    waiting: list[tuple[str, Owner]] = [("", tree)]
    parser = DocTestParser()
    for name, owner in waiting:
        for each in owner.body:
            if isinstance(each, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                waiting.append((f"{name}.{each.name}".lstrip("."), each))
        try:
            listed = parser.get_examples(ast.get_docstring(owner) or "")
        except ValueError:
            continue
        answers: dict[str, list[str]] = {}
        skipped: set[str] = set()
        told: list[tuple[str, str]] = []
        for example in listed:
            source = OPTION.sub("", example.source).strip()
            answers.setdefault(source, []).append(_folded(example.want))
            if SKIPS.search(example.source):
                skipped.add(source)
            else:
                told.append((source, _folded(example.want)))
        line = getattr(owner, "lineno", 1)
        yield name, Examples(answers, frozenset(skipped), tuple(told), line, _head(owner))


def _folded(text: str) -> str:
    return " ".join(text.split())


def _head(owner: Owner) -> str:
    """What a caller has to know: names and arguments."""
    return source_of(owner.args) if isinstance(owner, ast.FunctionDef | ast.AsyncFunctionDef) else ""


def _code(tree: ast.Module) -> str:
    """The code of a file, without its docstrings."""
    for node in walk(tree):
        if isinstance(node, Owner) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return shape(tree)


def _only_tests(file: FileChange, change: Change) -> bool:
    """No other product code changed that the file depends on: where it is only written otherwise, nothing did."""
    product = (each for each in change.files if PRODUCT.search(each.path) and not OF_TESTS.search(each.path))
    others = [each.path for each in product if each.path != file.path and not _is_same(each, change)]
    if not others or not change.blobs.paths_after().issuperset(others):
        return not others
    if any(each.endswith(".pyx") for each in others):
        return False
    found = reached(file.path, side_after(change))
    return found is not None and found.isdisjoint(others)


def _is_same(file: FileChange, change: Change) -> bool:
    """A Python file that does what it did."""
    if file.status != "M" or not file.path.endswith(".py"):
        return False
    old, new = (parsed_module(read(file.path) or b"") for read in (change.blobs.before, change.blobs.after))
    return old is not None and new is not None and _code(old) == _code(new)


def _is_run(path: str, data: bytes, change: Change) -> bool:
    if RUNS.search(data):
        return True
    paths = [each for each in sorted(change.blobs.paths_after()) if READ.search(each) or "/test" in f"/{each}"]
    return any(RUNS.search(change.blobs.after(each) or b"") for each in paths[:MOST_FILES])


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (doctests,)
