"""Python: what switches a check off, takes a test out, or leaves code out of what is counted.

`suppressed` reads comments and annotations, `skipped` marks and calls, `runner` what the test runner loads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.directives import COMMON_WORDS
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.prefilter import prefilter
from ralph.guardrails.python import runner
from ralph.guardrails.python.names import Names
from ralph.guardrails.python.product import special
from ralph.guardrails.python.runner import features
from ralph.guardrails.python.skipped.asking import with_asking
from ralph.guardrails.python.skipped.collected import collected
from ralph.guardrails.python.skipped.detect import skips, without_usual
from ralph.guardrails.python.skipped.narrowed_marks import without_narrowed
from ralph.guardrails.python.skipped.new_tests import without_new_tests
from ralph.guardrails.python.skipped.optional import unknown_modules
from ralph.guardrails.python.suppressed import comments
from ralph.guardrails.python.suppressed.checkers import without_strictness
from ralph.guardrails.python.suppressed.samples import as_data
from ralph.guardrails.python.suppressed.swapped import swapped
from ralph.guardrails.python.suppressed.unchecked import unchecked
from ralph.guardrails.source import Detector, Source

FRAMEWORK = r"pytest|unittest|testtools|absltest|nose|\bmark\b"
PLAIN = (
    r"skiptest|xfail|expectedFailure",
    r"_test__|__unittest_",
    r"no_type_check|TYPE_CHECKING|\bMYPY\b|\bcast\b",
    r"doctest:",
)
"""What stands in code for itself."""

DYNAMIC = r"getattr|setattr|attrgetter|methodcaller|__dict__|\bvars\(|import_module|__import__|\bexec\(|\beval\("
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
    *special.WORDS,
    *features.WORDS,
    *runner.WORDS,
)
"""Of changed lines: a decorator may be a name for a skip that the file had before."""


def worth(data: bytes) -> bool:
    """Whether a file with a changed line of interest can hold anything at all: most product code cannot."""
    return prefilter((*COMMON_WORDS, *comments.WORDS, *special.WORDS, *features.WORDS, *runner.WORDS)).matches(
        data
    ) or _suspicious(data)


def _suspicious(data: bytes) -> bool:
    beside = prefilter((FRAMEWORK,)).matches(data) and prefilter(WITH_FRAMEWORK).matches(data)
    return beside or prefilter(PLAIN).matches(data)


def suspicious_code(source: Source) -> Iterator[Hit]:
    if not _suspicious(source.data):
        return
    names = Names(source)
    for rule in (skips, collected, unchecked):
        yield from rule(names)


def knows_tests(source: Source) -> Iterator[Hit]:
    return special.knows_tests(source) if prefilter(special.WORDS).matches(source.data) else iter(())


DETECTORS: tuple[Detector, ...] = (
    comments.suppressions,
    suspicious_code,
    knows_tests,
    features.scenarios,
    runner.runner,
)
WORTH = worth


CONFIGURATION = frozenset(
    (
        *("pyproject.toml", "setup.cfg", "tox.ini", "mypy.ini", ".mypy.ini", "ruff.toml", ".ruff.toml", ".flake8"),
        *("pyrightconfig.json", "ty.toml", "pyrefly.toml", "pylintrc", ".pylintrc", "pylintrc.toml", ".pylintrc.toml"),
    )
)
"""Files that tell checkers and linters what to ask for."""


def revise(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    if any(file.path.rpartition("/")[2] in CONFIGURATION for file in change.files):
        from ralph.guardrails.python.suppressed.unasked import still_asked  # few changes touch configuration

        hits = list(still_asked(hits, change))
    hits = list(without_usual(hits, change))
    known = list(swapped([*unknown_modules(without_strictness(hits, change), change)], change))
    known = list(without_narrowed(known, change))
    asking = list(as_data(with_asking(known, change), change))
    return runner.revised(list(without_new_tests(asking, change)), change)


REVISE = revise
