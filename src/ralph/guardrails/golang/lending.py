"""Where a package's files of tests have the helpers that another one calls, and what is none of their helpers."""

from __future__ import annotations

import re

from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.inventory.truth import HELPER
from ralph.system.patterns import later

DEFINES = later(rb"(?m)^func (\w+)(?:\[[^\]\n]*\])?\(")
HANDED_TEST = later(rb"(?m)^func (\w+)(?:\[[^\]\n]*\])?\(\w+ (?:\*testing\.T|testing\.TB)\b")
"""A function that is handed the test first may fail it, whatever its name."""
FOR_TESTS = later(rb"(?m)^func (?:\(\w* ?\*?\w+\) )?(\w+)(?:\[[^\]\n]*\])?\(")
"""Functions and methods of a file that is there for tests, be they handed the test or hold it."""
IMPORTS = b'"testing"'
"""What no product needs that is not there for tests."""
WAITS_FOR = later(r"(?i)_?wait")
"""What a package's tests wait with: it fails the test where nothing comes."""
MOST_FILES = 200
PANICS = later(r"(?i)_?must")
FROM_ELSEWHERE = later(rb"(?m)^\s*(?:import\s+)?\.\s+\"")
"""Names of another package that stand without it."""


def place_of(name: str, path: str, paths: Paths) -> str | None:
    """The file of tests beside `path` that defines what by its name checks something, or is handed the test; None for
    that file itself, too."""
    named = HELPER.match(name) or WAITS_FOR.match(name)
    folder, pattern = path.rpartition("/")[0], DEFINES if named else HANDED_TEST
    found = paths.memo.once(("go helpers in", folder, pattern), lambda: _defined(folder, paths, pattern)).get(name)
    if found is None:
        found = paths.memo.once(("go helpers for tests in", folder), lambda: _for_tests(folder, paths)).get(name)
    return found if found != path else None


def is_of_product(name: str, data: bytes, path: str, paths: Paths | None) -> bool:
    """A plain name that speaks of checking, and is no function of the tests: handed no test, it can fail none. What
    panics fails one."""
    if paths is None or not HELPER.match(name) or PANICS.match(name) or FROM_ELSEWHERE.search(data):
        return False
    own = rf"\b{re.escape(name)}\s*(?::?=|,)|\b{re.escape(name)}\s+func\b|^func {re.escape(name)}[\[(]".encode()
    return re.search(own, data, re.MULTILINE) is None and place_of(name, path, paths) is None


def _for_tests(folder: str, paths: Paths) -> dict[str, str]:
    """What files that are no tests themselves define for tests."""
    beside = sorted(each for each in paths.all() if each.endswith(".go") and each.rpartition("/")[0] == folder)
    found: dict[str, str] = {}
    for path in [each for each in beside if not each.endswith("_test.go")][:MOST_FILES]:
        data = paths.read(path) or b""
        if IMPORTS in data:
            found |= {name.decode("utf-8", "replace"): path for name in FOR_TESTS.findall(data)}
    return found


def _defined(folder: str, paths: Paths, pattern: re.Pattern[bytes]) -> dict[str, str]:
    beside = sorted(each for each in paths.all() if each.endswith("_test.go") and each.rpartition("/")[0] == folder)
    found: dict[str, str] = {}
    for path in beside[:MOST_FILES]:
        found |= {name.decode("utf-8", "replace"): path for name in pattern.findall(paths.read(path) or b"")}
    return found
