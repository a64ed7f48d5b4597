"""Which conditions are about the platform, and which only look so. Each is put on a test that the base has."""

from __future__ import annotations

import pytest

from tests.guardrails.python.judge import judge

BASE = """import os
import platform
import shutil
import sys
from importlib.util import find_spec
from os import getenv as env
from sys import version_info as v

import pytest
from compat import HAS_NUMPY, IS_WINDOWS, NO_IPV6, ON_CI, PY3, PY312

try:
    import numpy
    WITH = True
except ImportError:
    numpy = None
    WITH = False

try:
    import yaml
except ImportError:
    NO_YAML = True
else:
    NO_YAML = False

try:
    SAME = True
    import toml
except ImportError:
    SAME = True

BROKEN = True


class own:
    platform = "linux"


PYPY = platform.python_implementation() == "PyPy"
WINDOWS = sys.platform == "win32"


def test_a():
    assert os.name
"""
ABOUT_THE_PLATFORM = (
    'sys.platform == "win32"',
    'sys.platform != "darwin"',
    'not sys.platform.startswith("linux")',
    'sys.platform in ("win32", "cygwin")',
    'os.name == "nt"',
    'platform.system() == "Windows"',
    'platform.machine() != "x86_64"',
    "sys.version_info < (3, 12)",
    "sys.version_info[:2] >= (3, 13)",
    "v < (3, 12)",
    "(3, 12) > sys.version_info",
    "PYPY",
    "not PYPY",
    "WINDOWS",
    "IS_WINDOWS",
    "PY312",
    "NO_IPV6",
    "not HAS_NUMPY",
    "numpy is None",
    "not numpy",
    "not WITH",
    "NO_YAML",
    'shutil.which("git") is None',
    'not find_spec("yaml")',
    'not hasattr(os, "fork")',
    'numpy.__version__ < "2"',
    "\"sys.platform == 'win32'\"",
    'sys.platform == "win32" and "CI" in os.environ',
    'sys.platform == "win32" or sys.version_info < (3, 12)',
)
ABOUT_A_GREEN_RUN = (
    "len(sys.platform) > 0",
    'own.platform == "linux"',
    "True",
    "1 == 1",
    '"True"',
    "not not 1",
    "bool(1)",
    "*[True]",
    "condition=BROKEN",
    '**{"condition": True}',
    "BROKEN",
    "SAME",
    "sys.version_info >= (3, 0)",
    "sys.version_info[0] == 3",
    "PY3",
    "sys.platform",
    'sys.platform != "amiga"',
    'sys.platform.startswith("")',
    'sys.platform in ("linux", "darwin", "win32")',
    'sys.platform == "linux" or sys.platform != "linux"',
    'os.name in ("posix", "nt")',
    'os.environ.get("CI")',
    '"RUN_SLOW" not in os.environ',
    'not os.getenv("RUN_SLOW")',
    'env("X") is None',
    'sys.platform == "win32" or not os.getenv("X")',
    'sys.platform == "win32", True',
    '"pytest" in sys.modules',
    "ON_CI",
    "HAS_NUMPY",
    "WITH",
    "numpy is not None",
    "not NO_YAML",
    'shutil.which("sh") is not None',
    'hasattr(os, "getpid")',
    "broken()",
    'len("abc") == 3',
)


def skipped_if(condition: str) -> str:
    return BASE.replace("def test_a", f'@pytest.mark.skipif({condition}, reason="x")\ndef test_a')


@pytest.mark.parametrize("condition", ABOUT_THE_PLATFORM)
def test_a_condition_for_a_person(condition: str) -> None:
    assert judge(BASE, skipped_if(condition)) == "review"


@pytest.mark.parametrize("condition", ABOUT_A_GREEN_RUN)
def test_a_condition_that_is_a_skip(condition: str) -> None:
    assert judge(BASE, skipped_if(condition)) == "block"


def test_a_condition_that_never_holds_skips_nothing() -> None:
    assert judge(BASE, skipped_if("False")) == "clean"


@pytest.mark.parametrize("condition", ['sys.platform == "darwin"', "numpy is None", "not PYPY"])
def test_the_if_around_a_call_counts_like_a_condition(condition: str) -> None:
    assert (
        judge(BASE, BASE.replace("    assert", f"    if {condition}:\n        pytest.skip()\n    assert")) == "review"
    )
    opposite = f"    if {condition}:\n        pass\n    else:\n        pytest.skip()\n    assert"
    assert judge(BASE, BASE.replace("    assert", opposite)) in ("review", "block")


def test_a_missing_import_is_a_reason() -> None:
    guarded = "    try:\n        import numpy\n    except ImportError:\n        pytest.skip()\n    assert"
    assert judge(BASE, BASE.replace("    assert", guarded)) == "review"
    assert judge(BASE, BASE.replace("    assert", guarded.replace("ImportError", "Exception"))) == "block"
    assert judge(BASE, BASE + '\n\nnp = pytest.importorskip("numpy")\n') == "review"


def test_skip_unless_turns_the_condition_around() -> None:
    before = "import sys\nimport unittest\n\n\nclass T(unittest.TestCase):\n    def test_a(self): ...\n"

    def unless(condition: str) -> str:
        return before.replace("    def", f'    @unittest.skipUnless({condition}, "x")\n    def')

    assert judge(before, unless('sys.platform.startswith("linux")')) == "review"
    assert judge(before, unless('hasattr(sys, "getwindowsversion")')) == "review"
    assert judge(before, unless("False")) == "block"
    assert judge(before, unless("True")) == "clean"


def test_a_named_mark_counts_by_the_condition_that_it_was_given() -> None:
    before = BASE.replace("BROKEN =", 'on_windows = pytest.mark.skipif(sys.platform == "win32", reason="x")\nBROKEN =')
    assert judge(before, before.replace("def test_a", "@on_windows\ndef test_a")) == "review"
    before = before.replace('sys.platform == "win32", ', "ON_CI, ")
    assert judge(before, before.replace("def test_a", "@on_windows\ndef test_a")) == "block"


def test_a_class_called_sys_is_not_the_module() -> None:
    before = "import pytest\n\n\nclass sys:\n    platform = 'win32'\n\n\ndef test_a(): ...\n"
    after = before.replace("def test_a", "@pytest.mark.skipif(sys.platform == 'win32', reason='x')\ndef test_a")
    assert judge(before, after) == "block"
