"""Python files that are data of tests: text that a formatter or a linter is tried on (policy set v2, class G01).

Rule: what a comment silences in a file among the data of tests that is no part of a package, and no test itself, is a
part of that data. Tools are told to leave such files alone, so that a person only sees it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator

from ralph.guardrails.model import Change, Hit
from ralph.record import replace
from ralph.system.patterns import later

SHOWN = "py.silenced-in-data"
SILENCED = frozenset(
    {"py.noqa", "py.noqa-range", "py.noqa-file", "py.type-ignore", "py.type-ignore-file", "py.no-cover", "py.linter"}
    | {"py.checker", "py.checker-file", "py.mypy-file", "py.pyright-file", "py.pylint", "py.pylint-file"}
)
DATA = later(r"(?i)(?:^|/)tests?/(?:[^/]+/)*(?:(?:test_?)?data|cases|samples?|snippets|inputs?|goldens?)/")
CODE = later(r"(?:^|/)(?:test_[^/]*|[^/]*_test|conftest|__init__)\.pyi?$")


def as_data(hits: Iterable[Hit], change: Change) -> Iterator[Hit]:
    for hit in hits:
        in_data = hit.rule in SILENCED and _is_data(hit.path, change)
        yield replace(hit, rule=SHOWN) if in_data else hit


def _is_data(path: str, change: Change) -> bool:
    if not DATA.search(path) or CODE.search(path):
        return False
    return posixpath.join(posixpath.dirname(path), "__init__.py") not in change.blobs.paths_after()
