"""Tests that do not run: every spelling that pytest and unittest honour, and the same words where they mean nothing."""

from __future__ import annotations

import pytest

from tests.guardrails.python.judge import judge, rules

PYTEST = """import os
import sys

import pytest
# prelude

from calc import add


# decorator
def test_add(request):
    # body
    assert add(1, 2) == 3


# end
"""
UNITTEST = """import unittest
# prelude


# class
class StockTest(unittest.TestCase):
    # decorator
    def test_add(self):
        # body
        self.assertEqual(1 + 1, 2)


# end
"""

DECORATORS = {
    "pytest.mark.skip": "",
    'pytest.mark.skip(reason="x")': "",
    "pytest.mark.xfail": "",
    "pytest.mark.xfail(strict=True)": "",
    'pytest.mark.xfail(True, reason="x")': "",
    "pytest.mark.xfail(run=False)": "",
    "pytest.mark.only": "",
    "pytest.mark.skip.with_args()": "",
    "pytest.mark.\\\n    skip": "",
    "(pytest  # why\n  .mark\n  .skip)": "",
    "(pytest.mark.skip)": "",
    "(z := pytest.mark.skip)": "",
    "(pytest.mark.skip if True else id)": "",
    "[pytest.mark.skip][0]": "",
    "(lambda f: pytest.mark.skip(f))": "",
    "p.mark.skip": "import pytest as p",
    "m.skip": "m = pytest.mark",
    "n.skip": "from pytest import mark as n",
    "s": "s = pytest.mark.skip",
    "c": "a = pytest\nb = a.mark\nc = b.skip(reason='x')",
    "t.mark.skip": "t = u = pytest",
    "v": "v, w = pytest.mark.skip, 1",
    'getattr(pytest.mark, "skip")': "",
    'getattr(pytest.mark, "sk" + "ip")': "",
    'getattr(pytest.mark, "sk" "ip")': "",
    'getattr(pytest.mark, "piks"[::-1])': "",
    'getattr(pytest.mark, "".join(["sk", "ip"]))': "",
    "getattr(pytest.mark, f\"sk{'ip'}\")": "",
    'pytest.mark.__getattr__("skip")': "",
    'operator.attrgetter("mark.skip")(pytest)': "import operator",
    'vars(pytest)["mark"].skip': "",
    'pytest.__dict__["mark"].skip': "",
    'sys.modules["pytest"].mark.skip': "",
    '__import__("pytest").mark.skip': "",
    "loaded.mark.skip": "import importlib\nloaded = importlib.import_module('py' + 'test')",
    'pytest.MarkDecorator(pytest.Mark("skip", (), {}))': "",
    "pytest.mark.\uff53\uff4b\uff49\uff50": "",
    "pytest.mark.\U0001d42c\U0001d424\U0001d422\U0001d429": "",
    "wide.xfail": "from \uff50\uff59\uff54\uff45\uff53\uff54 import mark as wide",
    'pytest.mark.parametrize("x", [])': "",
    'pytest.mark.parametrize("x", ())': "",
    'pytest.mark.parametrize("x", list())': "",
    'pytest.mark.parametrize("x", range(0))': "",
    'pytest.mark.parametrize("x", [1, 2][:0])': "",
    'pytest.mark.parametrize("x", [1, 2] * 0)': "",
    'pytest.mark.parametrize("x", [v for v in (1,) if False])': "",
    'pytest.mark.parametrize("x", filter(None, []))': "",
    'pytest.mark.parametrize("x", NONE)': "NONE = []",
    'pytest.mark.parametrize(argnames="x", argvalues=[])': "",
    'pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.xfail)])': "",
    'pytest.mark.parametrize("x", [pytest.param(1, marks=[m.skip])])': "m = pytest.mark",
}
BODIES = {
    'pytest.skip("x")': "",
    "pytest.xfail()": "",
    'pytest.exit("x", returncode=0)': "",
    's("x")': "from pytest import skip as s",
    'skip("x")': "from pytest import *",
    'q.skip("x")': "import pytest as q",
    'o.skip("x")': "import _pytest.outcomes as o",
    'raise Skipped("x")': "from _pytest.outcomes import Skipped",
    'raise pytest.skip.Exception("x")': "",
    "raise unittest.SkipTest": "import unittest",
    'raise Gone("x")': "from unittest.case import SkipTest as Gone",
    'raise Later("x")': "import unittest\nclass Later(unittest.SkipTest): ...",
    'raise type("S", (unittest.SkipTest,), {})()': "import unittest",
    "raise e": "import unittest\ne = unittest.SkipTest('x')",
    "later()": "import functools\nlater = functools.partial(pytest.skip, 'x')",
    '(lambda: pytest.skip("x"))()': "",
    'pytest.skip.__call__("x")': "",
    'os.environ.get("X") or pytest.skip("x")': "",
    'pytest.skip("x") if True else None': "",
    'assert False or pytest.skip("x")': "",
    '[pytest.skip(x) for x in "a"]': "",
    'list(map(pytest.skip, ["x"]))': "",
    '(_ for _ in ()).throw(pytest.skip.Exception("x"))': "",
    'if 1:\n        if not os.environ.get("A"):\n            pytest.skip("x")': "",
    'try:\n        add(1)\n    except TypeError:\n        pytest.skip("x")': "",
    'match 1:\n        case _:\n            pytest.skip("x")': "",
    'x = 1; pytest.skip("x")': "",
    'request.node.add_marker("skip")': "",
    "request.applymarker(pytest.mark.xfail)": "",
    "exec(\"pytest.skip('x')\")": "",
    'exec("pytest." + "skip()")': "",
    'double.side_effect = unittest.SkipTest("x")': "import unittest",
    "double = Mock(side_effect=unittest.SkipTest)": "import unittest",
}
ENDS = (
    "pytestmark = pytest.mark.skip",
    'pytestmark = [pytest.mark.skip("x")]',
    "pytestmark: object = pytest.mark.xfail",
    "pytestmark = []\npytestmark += [pytest.mark.skip]",
    'globals()["pytestmark"] = pytest.mark.skip',
    "test_add = pytest.mark.skip(test_add)",
    "for test in (test_add,):\n    pytest.mark.xfail(test)",
    "test_add.pytestmark = [pytest.mark.skip]",
    "test_add.__test__ = False",
    'setattr(test_add, "__test__", False)',
    "__test__ = False",
    '@pytest.fixture(autouse=True)\ndef _all():\n    pytest.skip("x")',
    'def setup_module():\n    pytest.skip("x")',
    'later = pytest.mark.skip(reason="for other files to import")',
    "later = pytest.mark.skip",
    "later = pytest.mark.skip\nif not add:\n    later = 1",
    "@pytest.fixture(params=[])\ndef empty(request): ...",
    "def helper(f, skip=pytest.skip):\n    skip('x')",
    "def g[T](x: T) -> T:\n    pytest.skip()",
)
UNITTEST_DECORATORS = {
    'unittest.skip("x")': "",
    's("x")': "from unittest import skip as s",
    'case.skip("x")': "from unittest import case",
    'trial.skip("x")': "from twisted.trial import unittest as trial",
    'unittest.skipIf(1, "x")': "",
    'unittest.skipUnless(False, "x")': "",
    'unittest.skipUnless(os.environ.get("X"), "x")': "import os",
    "unittest.expectedFailure": "",
}
UNITTEST_BODIES = (
    'self.skipTest("x")',
    'super().skipTest("x")',
    'unittest.TestCase.skipTest(self, "x")',
    'getattr(self, "skipTest")("x")',
    's = self.skipTest; s("x")',
)
UNITTEST_ENDS = (
    "StockTest.__unittest_skip__ = True",
    "StockTest.test_add.__unittest_expecting_failure__ = True",
)


def put(template: str, prelude: str = "", **places: str) -> str:
    text = template.replace("# prelude", prelude)
    for place, code in places.items():
        text = text.replace(f"# {place}", code)
    return text


@pytest.mark.parametrize(("decorator", "prelude"), DECORATORS.items(), ids=DECORATORS)
def test_a_decorator_that_takes_an_old_test_out(decorator: str, prelude: str) -> None:
    assert judge(PYTEST, put(PYTEST, prelude, decorator=f"@{decorator}")) == "block"


@pytest.mark.parametrize(("body", "prelude"), BODIES.items(), ids=BODIES)
def test_a_statement_that_ends_an_old_test_early(body: str, prelude: str) -> None:
    assert judge(PYTEST, put(PYTEST, prelude, body=body)) == "block"


@pytest.mark.parametrize("end", ENDS)
def test_a_statement_of_the_module(end: str) -> None:
    assert judge(PYTEST, put(PYTEST, end=end)) == "block"


@pytest.mark.parametrize(("decorator", "prelude"), UNITTEST_DECORATORS.items(), ids=UNITTEST_DECORATORS)
def test_a_decorator_of_unittest(decorator: str, prelude: str) -> None:
    assert judge(UNITTEST, put(UNITTEST, prelude, decorator=f"@{decorator}")) == "block"
    assert judge(UNITTEST, put(UNITTEST, prelude, **{"class": f"@{decorator}"})) == "block"


@pytest.mark.parametrize("body", UNITTEST_BODIES)
def test_a_statement_of_unittest(body: str) -> None:
    assert judge(UNITTEST, put(UNITTEST, body=body)) == "block"


@pytest.mark.parametrize("end", UNITTEST_ENDS)
def test_flags_of_unittest(end: str) -> None:
    assert judge(UNITTEST, put(UNITTEST, end=end)) == "block"
    assert judge(UNITTEST, put(UNITTEST, decorator="__test__ = not True")) == "block"
    assert judge(UNITTEST, put(UNITTEST, decorator="__unittest_skip__ = True")) == "block"


def test_product_code_that_skips_the_test_that_calls_it() -> None:
    after = "import unittest\n\n\ndef slug(text):\n    if ',' in text:\n        raise unittest.SkipTest\n"
    assert judge("def slug(text):\n    return text\n", after, "app/slug.py") == "block"


def test_an_alias_that_the_base_has_is_seen_when_it_is_put_to_use() -> None:
    before = put(PYTEST, "later = pytest.mark.skip(reason='x')")
    assert judge(before, before.replace("# decorator", "@later")) == "block"


def test_an_old_skip_that_goes_does_not_pay_for_a_new_one_on_another_test() -> None:
    text = "import pytest\n\n\n@pytest.mark.skip\ndef test_a():\n    assert 1\n\n\ndef test_b():\n    assert 1\n"
    moved = text.replace("@pytest.mark.skip\n", "").replace("def test_b", "@pytest.mark.skip\ndef test_b")
    assert judge(text, moved) == "block"


def test_a_skip_that_moves_with_its_test_or_changes_its_reason_is_the_old_one() -> None:
    skipped = "@pytest.mark.skip(reason='a')\ndef test_a():\n    assert 1\n"
    other = "def test_b():\n    assert 1\n"
    before = f"import pytest\n\n\n{skipped}\n\n{other}"
    after = f"import pytest\n\n\n{other}\n\n{skipped.replace('a', 'a', 1).replace(chr(39) + 'a' + chr(39), repr('b'))}"
    assert judge(before, after) == "clean"


def test_a_skip_widened_from_a_platform_to_everything() -> None:
    before = put(PYTEST, decorator='@pytest.mark.skipif(sys.platform == "win32", reason="x")')
    assert judge(before, put(PYTEST, decorator='@pytest.mark.skipif(True, reason="x")')) == "block"


def test_an_expected_failure_narrowed_to_one_exception_costs_nothing() -> None:
    before = put(PYTEST, decorator="@pytest.mark.xfail")
    narrowed = put(PYTEST, decorator="@pytest.mark.xfail(raises=KeyError)")
    assert judge(before, narrowed) == "clean"
    assert judge(narrowed, before) == "block"


def test_a_doctest_and_a_mark_without_a_name_are_for_a_person() -> None:
    assert rules("", '"""\n>>> f()  # doctest: +SKIP\n1\n"""\n', "app/a.py") == {"py.doctest-skip"}
    assert rules(PYTEST, put(PYTEST, decorator="@getattr(pytest.mark, name)")) == {"py.dynamic-mark"}
    assert rules("", "class TestPlan:\n    __test__ = False\n", "app/a.py") == {"py.not-a-test-class"}


INNOCENT = {
    "an exception that is expected": "def test_b():\n    with pytest.raises(pytest.skip.Exception):\n        add()\n",
    "an exception that is caught": "try:\n    add()\nexcept unittest.SkipTest:\n    pass\n",
    "an exception that is looked for": "skipped = isinstance(e, (unittest.SkipTest, pytest.skip.Exception))\n",
    "an annotation": "def f(e: type[unittest.SkipTest]) -> unittest.SkipTest: ...\n",
    "a function called skip": "def skip(n):\n    return n\n\n\nskip(3)\nreader.skip(4)\n",
    "a parameter called skip": "from pytest import skip\n\n\ndef f(skip):\n    return skip(1)\n",
    "helpers imported under these names": "from .helpers import only, skip\n\nskip([1], 2)\nonly([1], 2)\n",
    "a class called mark": "class mark:\n    skip = 1\n\n\nprint(mark.skip)\n",
    "variables": "xfail = 0\nxfail += 1\nskip = xfail\nprint(skip, xfail)\n",
    "keywords and items": 'f(skip=True, xfail=False)\nopts = {"skip": 1, "pytest.mark.skip": 2}\nrow.skip = True\n',
    "a property": "class A:\n    @property\n    def skip(self): ...\n\n    @skip.setter\n    def skip(self, v): ...\n",
    "a marker that is looked up": 'def pytest_runtest_setup(item):\n    item.get_closest_marker("skip")\n',
    "another decorator": "@skip_auth\ndef view(request):\n    return 1\n",
    "other marks": '@pytest.mark.slow\n@pytest.mark.parametrize("x", [1, 2])\ndef test_s(x):\n    assert x\n',
    "empty parameters among others": '@pytest.mark.parametrize("x", [[], ()])\ndef test_p(x):\n    assert not x\n',
    "parameters filled later": 'C = []\nC.append(1)\n\n\n@pytest.mark.parametrize("x", C)\ndef test_p(x): ...\n',
    "parameters that are loaded": '@pytest.mark.parametrize("x", load())\ndef test_p(x):\n    assert x\n',
    "a fixture": '@pytest.fixture(params=["a"])\ndef f(request):\n    return request.param\n',
    "tests that are collected": "class TestMixin:\n    __test__ = True\n\n    def test_z(self):\n        assert 1\n",
    "attributes found by name": "def f(o, n):\n    return getattr(o, n), getattr(o, 'skip', None)\n",
    "other code in strings": 'exec("x = 1")\neval("skip + 1")\n',
    "code for a plugin's test": "makepyfile('''\n@pytest.mark.skip\ndef test_inner(): ...\n''')\n",
    "a method of one's own": "class R:\n    def skipTest(self): ...\n\n    def f(self):\n        self.skipTest()\n",
    "prose": '"""Never use pytest.skip() or @pytest.mark.skip."""\n# pytest.skip("x") is not for us\n',
}


@pytest.mark.parametrize("code", INNOCENT.values(), ids=INNOCENT)
def test_the_same_words_elsewhere(code: str) -> None:
    assert judge(put(PYTEST, "import unittest"), put(PYTEST, "import unittest", end=code)) == "clean"
