"""Python: what switches a check off, takes a test out, or leaves code out of what is counted.

`comments` reads comments; `skips`, `collected` and `unchecked` read code.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.directives import COMMON_WORDS
from ralph.guardrails.model import Hit
from ralph.guardrails.prefilter import prefilter
from ralph.guardrails.python import comments
from ralph.guardrails.python.collected import collected
from ralph.guardrails.python.names import Names
from ralph.guardrails.python.new_tests import without_new_tests
from ralph.guardrails.python.skips import skips
from ralph.guardrails.python.unchecked import unchecked
from ralph.guardrails.source import Detector, Source

CODE_WORDS = (
    r"pytest|unittest|testtools|absltest",
    r"skip|xfail|expectedFailure",
    r"_test__|__unittest_",
    r"no_type_check|TYPE_CHECKING|\bMYPY\b|\bcast\b",
)
"""One of these stands in every file whose code can hold something."""

WORDS = (
    *COMMON_WORDS,
    *comments.WORDS,
    *CODE_WORDS,
    r"parametrize|params|add_?marker|^\s*@\s*\w+\s*(?:$|\(|#)",
    r"getattr|setattr|attrgetter|__dict__|\bvars\(|import_module|__import__|\bexec\(|\beval\(|pytestmark",
)
"""Decorators may be names for skips that the file had before; the dynamic words may spell what they please."""


def suspicious_code(source: Source) -> Iterator[Hit]:
    if not prefilter(CODE_WORDS).matches(source.data):
        return
    names = Names(source)
    for rule in (skips, collected, unchecked):
        yield from rule(names)


DETECTORS: tuple[Detector, ...] = (comments.suppressions, suspicious_code)
REVISE = without_new_tests
