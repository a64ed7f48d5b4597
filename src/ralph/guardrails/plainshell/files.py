"""Which shell scripts are tests: by their name, by their place, or because the project runs them as one.

Rules:

- A name says so (`test.sh`, `test_add.sh`, `add-test.sh`), and so does a folder of tests, but for what stands in a
  folder of data or of examples below it.
- A name also says that a file is read in by tests (`test-lib.sh`, `tests/helpers.sh`): its functions count.
- Any other script is one that a recipe of a target `test` or `check` runs by its path.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from ralph.guardrails.inventory.readers import Paths
from ralph.system.patterns import later

NAMED = later(r"(?i)^(?:tests?|check|smoke|e2e)(?:[-_.][^/]*)?\.\w+$|[-_.](?:tests?|spec)\.\w+$")
PLACE = later(r"(?i)(?:^|/)(?:tests?|testing|__tests__|specs?|e2e|smoke|integration)/|(?:^|/)t/[^/]*$")
NO_TESTS = later(
    r"(?i)(?:^|/)(?:fixtures?|testdata|data|mocks?|stubs?|examples?|samples?|bench(?:marks?)?|vendor|third_party"
    r"|node_modules|tools?)/"
)
LIBRARY = later(
    r"(?i)(?:^|[-_.])(?:libs?|library|testlib|helpers?|utils?|common|functions?|funcs?|set_?up|teardown|env|config|bootstrap"
    r"|init|sharness|shunit2?|aggregate-results)\.\w+$|^(?:sharness|shunit2)$"
)
SCRIPT = later(r"(?i)\.(?:sh|bash|zsh|ksh)$|(?:^|/)[^/.]+$|\.t$")
RECIPES = later(r"(?m)^(?:test|check)[\w-]*[ \t]*:(?![=:])[^\n]*\n(?P<lines>(?:[ \t][^\n]*\n|\n)*)")
MAKEFILES = ("GNUmakefile", "makefile", "Makefile")


def is_named_test(path: str) -> bool:
    if not SCRIPT.search(path) or NO_TESTS.search(path):
        return False
    return NAMED.search(posixpath.basename(path)) is not None or PLACE.search(path) is not None


def is_library(path: str) -> bool:
    """Others read it in, or it prepares something for them: what stands at its top level asserts nothing."""
    return LIBRARY.search(posixpath.basename(path)) is not None


def is_run_as_test(path: str, paths: Paths) -> bool:
    """A target of the Makefile at the root runs it."""
    recipes = paths.memo.once("recipes of tests", lambda: _recipes(paths))
    called = re.compile(rf"(?<![\w/.-])(?:\./)?{re.escape(path)}(?![\w/.-])")
    return any(called.search(lines) for lines in recipes)


def _recipes(paths: Paths) -> Sequence[str]:
    data = next((data for name in MAKEFILES if (data := paths.read(name)) is not None), b"")
    return [match["lines"] for match in RECIPES.finditer(data.decode("utf-8", "replace") + "\n")]
