"""Runner hijack in Python: code that decides what the test run says (policy set v2, class G08).

`hooks` reads pytest's hooks, `exits` ways to leave the process, `patches` what is replaced in the runner, `equality`
and `unittests` what makes assertions hold, `collected` what a conftest leaves out, `fixtures` what is replaced for all
tests; `files` and `plugins` look at the change as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ralph.guardrails.model import Change, ChangeDetector, Hit
from ralph.guardrails.prefilter import prefilter
from ralph.guardrails.python.runner import collected
from ralph.guardrails.python.runner.equality import equality_hits, without_values
from ralph.guardrails.python.runner.exits import exit_hits
from ralph.guardrails.python.runner.files import runner_files
from ralph.guardrails.python.runner.fixtures import fixture_hits, judged
from ralph.guardrails.python.runner.forced import forced
from ralph.guardrails.python.runner.hooks import hook_hits
from ralph.guardrails.python.runner.module import Module, Part
from ralph.guardrails.python.runner.options import without_old_options
from ralph.guardrails.python.runner.patches import patch_hits
from ralph.guardrails.python.runner.plugins import loaded_plugins
from ralph.guardrails.python.runner.unittests import unittest_hits
from ralph.guardrails.source import Source

Rule = Callable[[Module], Iterator[Hit]]

HOOKS = (
    r"\bpytest_[a-z]|specname|hookimpl|exitstatus|testsfailed|force_result|longrepr|wasxfail|\boutcome\b|excinfo"
    r"|\bsys\.argv(?:\[[^\]\n]*\])?\s*\+?=[^=]|\bsys\.argv\.\w|collect_ignore|PYTEST_(?:ADDOPTS|PLUGINS)|PYTHONOPTIMIZE"
)
EXITS = (
    r"\b_exit\b|\bsys\s*\.\s*exit|SystemExit|\b(?:exit|quit)\s*\(|\babort\s*\(|\bkillpg|\bkill\s*\(|getp?pid|raise_signal"
    r"|\bexec[lv]p?e?\s*\(|import.*\bexit\b|\batexit\b|import\s+(?:os|sys|signal)\s+as\b"
    r"|\b(?:CDLL|cdll|pythonapi)\b|(?:getattr|vars|import_module|__import__)\(\s*[\"']?(?:os|sys|posix|signal|_?pytest)\b"
)
PATCHES = (
    r"_pytest|pluggy|\bunittest\b|\bTestCase\b|sys\s*\.\s*modules|\bsetattr\b"
    r"|\b(?:time|datetime|builtins|pytest|timeit)\.\w+(?:\.\w+)?\s*=[^=]|\.assert\w*\s*=[^=]"
    r"|^[A-Za-z_]\w*(?:\.\w+)+\s*=[^=]"
)
EQUALITY = r"__(?:eq|ne)__|mock\s+import[^\n]*\bany\b|mock\.any\b"
UNITTESTS = (
    r"wasSuccessful|suite_result|run_(?:tests|suite)|def\s+runtest|add(?:Failure|Error|SubTest)|load_tests|failureException|\bassert[A-Z]\w*\s*="
    r"|\b(?:self|cls)\.fail\s*=|def\s+(?:assert[A-Z]|fail\b|run\b|__call__|_callTestMethod|_callSetUp)|unittest\.main|TestProgram|\bdefaultTest\b|\bexit\s*=\s*False"
)
FOR_ALL = r"autouse|monkeypatch|\bpatch\b"
WORDS = (HOOKS, EXITS, PATCHES, EQUALITY, UNITTESTS, FOR_ALL)
DYNAMIC = r"getattr|__dict__|\bvars\(|import_module|__import__"

_RULES: tuple[tuple[tuple[str, ...], Rule], ...] = (
    ((HOOKS,), hook_hits),
    ((HOOKS,), collected.ignored_hits),
    ((EXITS, DYNAMIC), exit_hits),
    ((PATCHES, FOR_ALL), patch_hits),
    ((EQUALITY,), equality_hits),
    ((UNITTESTS,), unittest_hits),
    ((FOR_ALL,), fixture_hits),
)
"""What in a file's text each rule needs to find anything."""


def runner(source: Source) -> Iterator[Hit]:
    module = Module(source)
    for words, rule in _RULES:
        if prefilter(words).matches(source.data) or (rule is fixture_hits and module.part is Part.CONFTEST):
            yield from rule(module)


def revised(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    """The hits after a look at the rest of the change: options that were there, names that tests call, matchers."""
    known = list(collected.judged(without_old_options(hits, change), change))
    return without_values(judged(known, change), change)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (runner_files, loaded_plugins, forced)
