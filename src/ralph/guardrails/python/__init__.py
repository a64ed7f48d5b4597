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

FRAMEWORK = r"pytest|unittest|testtools|absltest|nose|\bmark\b"
PLAIN = (
    r"skiptest|xfail|expectedFailure",
    r"_test__|__unittest_",
    r"no_type_check|TYPE_CHECKING|\bMYPY\b|\bcast\b",
    r"doctest:",
)
"""What stands in code for itself."""

DYNAMIC = r"getattr|setattr|attrgetter|__dict__|\bvars\(|import_module|__import__|\bexec\(|\beval\("
WITH_FRAMEWORK = (r"skip|\bonly\b|\bexit\b|parametrize|params|add_?marker|pytestmark", DYNAMIC, r"[^\x00-\x7f]")
"""What means something beside the name of a framework: dynamic words and foreign letters may spell what they please."""

WORDS = (
    *COMMON_WORDS,
    *comments.WORDS,
    *PLAIN,
    FRAMEWORK,
    r"skip",
    r"parametrize|params|add_?marker|pytestmark|^\s*@\s*\w+\s*(?:$|\(|#)",
    DYNAMIC,
)
"""Of changed lines: a decorator may be a name for a skip that the file had before."""


def worth(data: bytes) -> bool:
    """Whether a file with a changed line of interest can hold anything at all: most product code cannot."""
    return prefilter((*COMMON_WORDS, *comments.WORDS)).matches(data) or _suspicious(data)


def _suspicious(data: bytes) -> bool:
    beside = prefilter((FRAMEWORK,)).matches(data) and prefilter(WITH_FRAMEWORK).matches(data)
    return beside or prefilter(PLAIN).matches(data)


def suspicious_code(source: Source) -> Iterator[Hit]:
    if not _suspicious(source.data):
        return
    names = Names(source)
    for rule in (skips, collected, unchecked):
        yield from rule(names)


DETECTORS: tuple[Detector, ...] = (comments.suppressions, suspicious_code)
WORTH = worth
REVISE = without_new_tests
