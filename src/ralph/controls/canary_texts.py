"""Canaries: tests that must pass and tests that must fail, in the language of the test file that they are appended to.

Rules:

- They stand at the end of test files that exist, so that whatever collects those collects them, and a trick that is
  aimed at a file meets them. Their names are drawn anew each time, from ordinary words; nothing in them is ours.
- They ask nothing of the file but what its own tests must have: a runner that calls its tests.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from random import Random

from ralph.record import record

VERBS = ("keeps", "reads", "counts", "sorts", "merges", "splits", "joins", "finds", "skips", "copies", "trims", "folds")
THINGS = ("rows", "items", "names", "lines", "pages", "words", "keys", "parts", "blocks", "totals", "dates", "paths")
WAYS = (
    "in_order",
    "once",
    "by_name",
    "from_start",
    "at_end",
    "without_gaps",
    "as_given",
    "in_place",
    "by_size",
    "lazily",
)

PYTHON_FILE = re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_test|tests)\.py$")
SCRIPT_FILE = re.compile(r"[._-](?:test|spec)\.[cm]?[jt]sx?$|(?:^|/)__tests__/[^/]+\.[cm]?[jt]sx?$")
GO_FILE = re.compile(r"_test\.go$")
_FUNCTIONS = re.compile(r"^(?:async )?def test|^class (?!.*TestCase)Test", re.MULTILINE)
"""Tests that only pytest knows."""


@record
class Canaries:
    """What is appended to one file: the text, and the names in it."""

    text: str
    passing: frozenset[str]
    failing: frozenset[str]


class Names:
    """Draws names: none twice in one run, since a report may not tell the files apart."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._used: set[str] = set()

    def new(self, source: str) -> str:
        """A name that the file does not use."""
        tries = 0
        while True:
            name = "_".join(map(self._rng.choice, (VERBS, THINGS, WAYS)))
            name += f"_{self._rng.randrange(10**6)}" if tries > 100 else ""
            if name not in self._used and name not in source and name.replace("_", " ") not in source:
                self._used.add(name)
                return name
            tries += 1

    def numbers(self) -> tuple[int, int]:
        return self._rng.randrange(10, 99), self._rng.randrange(10, 99)


def is_test_file(path: str) -> bool:
    """A file that canaries can be planted in."""
    return any(pattern.search(path) for pattern in _MAKERS)


def canaries_for(path: str, source: str, names: Names) -> Canaries | None:
    """Canaries for a test file; None for a file that is none, or of a runner that Ralph does not know."""
    for pattern, make in _MAKERS.items():
        if pattern.search(path):
            return make(source, names)
    return None


def _python(source: str, names: Names) -> Canaries:
    """As functions, as methods of a test case, or both: as the file's own tests are written."""
    cased = "TestCase" in source
    plain = _functions(source, names) if not cased or _FUNCTIONS.search(source) else None
    found = [each for each in (plain, _methods(source, names) if cased else None) if each]
    return Canaries(
        "".join(each.text for each in found),
        frozenset().union(*(each.passing for each in found)),
        frozenset().union(*(each.failing for each in found)),
    )


def _functions(source: str, names: Names) -> Canaries:
    good, bad = (f"test_{names.new(source)}" for _ in range(2))
    a, b = names.numbers()
    tests = [f"def {name}():\n    assert {a} + {b} == {wanted}\n" for name, wanted in ((good, a + b), (bad, a - b))]
    return Canaries(_appended(source, tests), frozenset({good}), frozenset({bad}))


def _methods(source: str, names: Names) -> Canaries:
    good, bad = (f"test_{names.new(source)}" for _ in range(2))
    a, b = names.numbers()
    methods = (
        f"    def {name}(self):\n        self.assertEqual({a} + {b}, {wanted})\n"
        for name, wanted in ((good, a + b), (bad, a - b))
    )
    head = f'class {_title(names.new(source))}Test(__import__("unittest").TestCase):\n'
    return Canaries(_appended(source, [head + "\n".join(methods)]), frozenset({good}), frozenset({bad}))


_IMPORTED = re.compile(r"""(?:from\s*|require\(\s*)["'](vitest|@jest/globals|bun:test)["']""")
_MODULE = re.compile(r"^\s*(?:import\b[^(]|export\b)", re.MULTILINE)


def _script(source: str, names: Names) -> Canaries:
    """With the file's own way to its runner: imported, required, or global. Imports may stand at the end."""
    passing, failing, test, expect = (names.new(source) for _ in range(4))
    found = _IMPORTED.search(source)
    way = ""
    if found and _MODULE.search(source):
        way = f'import {{ test as {test}, expect as {expect} }} from "{found[1]}";\n'
    elif found:
        way = f'const {{ test: {test}, expect: {expect} }} = require("{found[1]}");\n'
    else:
        test, expect = "test", "expect"
    a, b = names.numbers()
    titles = [each.replace("_", " ") for each in (passing, failing)]
    tests = [
        f'{test}("{title}", () => {{\n  {expect}({a} + {b}).toBe({wanted});\n}});\n'
        for title, wanted in zip(titles, (a + b, a - b), strict=True)
    ]
    return Canaries(_appended(source, [way, *tests]), frozenset(titles[:1]), frozenset(titles[1:]))


def _go(source: str, names: Names) -> Canaries | None:
    """Only beside other tests: one file that does not compile breaks its whole package."""
    if "*testing.T)" not in source:
        return None
    passing, failing = (f"Test{_title(names.new(source))}" for _ in range(2))
    a, b = names.numbers()
    tests = [
        f"func {name}(t *testing.T) {{\n\tif got := {a} + {b}; got != {wanted} {{\n\t\tt.Error(got)\n\t}}\n}}\n"
        for name, wanted in ((passing, a + b), (failing, a - b))
    ]
    return Canaries(_appended(source, tests), frozenset({passing}), frozenset({failing}))


_MAKERS: Mapping[re.Pattern[str], Callable[[str, Names], Canaries | None]] = {
    PYTHON_FILE: _python,
    SCRIPT_FILE: _script,
    GO_FILE: _go,
}


def _title(name: str) -> str:
    return "".join(part.title() for part in name.split("_"))


def _appended(source: str, tests: list[str]) -> str:
    end = "" if source.endswith("\n") or not source else "\n"
    return end + "".join(f"\n\n{each}" for each in tests if each)
