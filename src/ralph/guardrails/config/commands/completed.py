"""Tests that one command leaves out and that another one runs, both for every change (policy set v2, class G09).

Rules, where the other command would check no less than the one of the base did, but for its own choice:

- it chooses nothing: `go test ./...` beside `go test -short ./...`, and came with the change: what was run twice was
  not run for nothing;
- all choices together hold whatever the base chose: `pytest -m "not slow"` beside `pytest -m slow`;
- it chooses what is left out: `pytest tests/slow` beside `pytest --ignore=tests/slow`, `--group x` beside
  `--exclude-group x`, `cargo test --test '*'` beside `cargo test --lib`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product

from ralph.guardrails.config.side import Side

Words = Sequence[str]
Weaker = Callable[[Words, Words], object]
"""True for what the second call of a program checks less than the first."""
EXPRESSIONS = {"pytest --m": "-m", "pytest --k": "-k"}
TESTS = ("--tests", "--test=*")
OPPOSITES: Mapping[str, Sequence[tuple[str, str]]] = {
    "pytest": (("--ignore", ""),),
    "phpunit": (("--exclude-group", "--group"), ("--exclude-testsuite", "--testsuite")),
    "jest": (("--ignoreProjects", "--selectProjects"),),
    "playwright": (("--grep-invert", "--grep"),),
    "go": (("-skip", "-run"),),
    "ctest": (("-E", "-R"), ("-LE", "-L"), ("--label-exclude", "--label-regex")),
    "mvn": (("-DexcludedGroups", "-Dgroups"),),
    "cargo": tuple(("--lib", test) for test in TESTS),
}
MOST_NAMES = 6


def is_completed(
    key: str, was: Words, now: Words, old: Iterable[Words], others: Iterable[Words], weaker: Weaker
) -> bool:
    """What `now` runs no longer, by the option that `key` names, one of the others does, or all together do."""
    known, runs = (
        {_joined(words) for words in old},
        [run for words in others if (run := _joined(words)) != _joined(now)],
    )
    was, now = _joined(was), _joined(now)
    if any((run not in known or run == was) and not weaker(was, run) for run in runs):
        return True
    if (option := EXPRESSIONS.get(key)) is not None:
        said = [(_chosen(run, option), _bare(run, option)) for run in runs]
        texts = [text for text, rest in said if text and not weaker(_bare(was, option), rest)]
        return bool(texts) and _hold([*texts, _chosen(now, option)], _chosen(was, option))
    pairs = [pair for one, other in OPPOSITES.get(was[0], ()) for pair in ((one, other), (other, one))]
    return any(
        _chosen(now, one) == _chosen(run, other) != "" and not weaker(_bare(was, other), _bare(run, other))
        for one, other in pairs
        for run in runs
    )


def _joined(words: Words) -> tuple[str, ...]:
    """Options of which the next word is the value, with it in one word: `-m=slow`."""
    takes = {
        *EXPRESSIONS.values(),
        "--test",
        *(name for pairs in OPPOSITES.values() for pair in pairs for name in pair),
    }
    takes -= {"", "--lib", "--tests"}
    found: list[str] = []
    for word in words:
        if found and found[-1] in takes:
            found[-1] = f"{found[-1]}={word}"
        else:
            found.append(f"{word[:2]}={word[2:]}" if word[:2] in EXPRESSIONS.values() and word[2:3].isalpha() else word)
    return tuple(found)


def _is(word: str, option: str) -> bool:
    """Without a name, the place that a call of pytest is given."""
    return word == option or word.startswith(f"{option}=") if option else not word.startswith("-")


def _chosen(words: Words, option: str) -> str:
    """The value of an option; two that are switches for each other have the same."""
    found = [word for word in words[1:] if _is(word, option)]
    if len(found) != 1:
        return ""
    if option in ("--lib", *TESTS):
        return "parts"
    return (found[0].partition("=")[2] if option else found[0]).strip("\"'").removeprefix("./").rstrip("/")


def _bare(words: Words, option: str) -> tuple[str, ...]:
    return (words[0], *(word for word in words[1:] if not _is(word, option)))


def _hold(choices: Sequence[str], wanted: str) -> bool:
    """Whatever a test is marked with, one of the choices takes it if it was wanted."""
    try:
        trees = [ast.parse(text or "True", mode="eval").body for text in (wanted, *choices)]
    except SyntaxError:
        return False
    named = sorted({node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name)})
    if len(named) > MOST_NAMES or not all(map(_is_plain, trees)):
        return False
    marked = (dict(zip(named, row, strict=True)) for row in product((False, True), repeat=len(named)))
    return all(not _true(trees[0], row) or any(_true(tree, row) for tree in trees[1:]) for row in marked)


def _is_plain(tree: ast.expr) -> bool:
    known = (ast.BoolOp, ast.UnaryOp, ast.Name, ast.Constant, ast.And, ast.Or, ast.Not, ast.Load)
    return all(isinstance(node, known) for node in ast.walk(tree))


def _true(tree: ast.expr, row: Mapping[str, bool]) -> bool:
    match tree:
        case ast.BoolOp(op=ast.And()):
            return all(_true(value, row) for value in tree.values)
        case ast.BoolOp():
            return any(_true(value, row) for value in tree.values)
        case ast.UnaryOp():
            return not _true(tree.operand, row)
        case ast.Name():
            return row[tree.id]
    return True


def run_for_every_change(words: Words, side: Side) -> Iterator[tuple[str, ...]]:
    """All runs of the program in the CI of a tree."""
    from ralph.guardrails.checks.pipelines.surely import surely_run
    from ralph.guardrails.checks.programs.known import identity
    from ralph.guardrails.checks.reach import Reach

    yield from (gate.words for gate in surely_run(Reach(side), identity(words)))


def looks_at_less(was: Words, now: Words, before: Side, after: Side) -> bool:
    """A call of a program is given fewer places than another one."""
    from ralph.guardrails.checks.model import Gate
    from ralph.guardrails.checks.scope.looked_at import targets
    from ralph.guardrails.checks.scope.narrowed import narrowed

    one, other = (Gate(words=tuple(words), kind="test", path="", line=0, slot="", place="ci") for words in (was, now))
    if targets(one) and not targets(other):
        return True  # what a call without places looks at, a configuration says
    return narrowed(one, other, [other], before.paths, after.paths) is not None
