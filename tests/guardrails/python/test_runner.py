"""Runner hijack: conftest files and plugins, exits, patches, equality, unittest, files that are taken up by name."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.guardrails.memory import corpus
from tests.guardrails.python.judge import findings, judge, worst

CASES = [case for case in corpus("G08") if case["lang"] == "python"]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_every_recorded_case_is_judged_as_labelled(case: dict) -> None:  # type: ignore[type-arg]
    found = findings(case["before"], case["after"])
    assert worst(found) == case["expect"]
    if case["expect"] == "block":
        assert case["path"] in {finding.path for finding in found if finding.severity == "block"}


HIJACKS = {
    "report turned green": """
        import pytest
        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_makereport(item, call):
            outcome = yield
            rep = outcome.get_result()
            rep.outcome = "passed"
    """,
    "report turned green, new style": """
        import pytest
        @pytest.hookimpl(wrapper=True)
        def pytest_runtest_makereport(item, call):
            rep = yield
            if rep.when == "call" and rep.failed:
                rep.outcome = "passed"
                rep.longrepr = None
            return rep
    """,
    "report by setattr": """
        def pytest_runtest_logreport(report):
            setattr(report, "out" + "come", "passed")
    """,
    "report by its dictionary": """
        def pytest_runtest_logreport(report):
            report.__dict__["outcome"] = "passed"
    """,
    "report by update": """
        def pytest_runtest_logreport(report):
            report.__dict__.update(outcome="passed")
    """,
    "report of its own": """
        from _pytest.reports import TestReport
        def pytest_runtest_makereport(item, call):
            return TestReport(item.nodeid, item.location, {}, "passed", None, call.when)
    """,
    "failure into xfail": """
        import pytest
        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_makereport(item, call):
            rep = (yield).get_result()
            if rep.failed:
                rep.outcome, rep.wasxfail = "skipped", "known"
    """,
    "exception dropped": """
        def pytest_exception_interact(node, call, report):
            call.excinfo = None
    """,
    "result forced": """
        import pytest
        @pytest.hookimpl(hookwrapper=True)
        def pytest_pyfunc_call(pyfuncitem):
            outcome = yield
            outcome.force_result(True)
    """,
    "result private": """
        import pytest
        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_call(item):
            outcome = yield
            outcome._excinfo = None
    """,
    "call answered": "def pytest_pyfunc_call(pyfuncitem):\n    return True\n",
    "call answered by a lambda": "pytest_pyfunc_call = lambda pyfuncitem: True\n",
    "call answered by another name": """
        import pytest
        @pytest.hookimpl(tryfirst=True, specname="pytest_pyfunc_call")
        def fast(pyfuncitem):
            return True
    """,
    "call answered by a class": """
        class Fast:
            def pytest_pyfunc_call(self, pyfuncitem):
                return 1
        def pytest_configure(config):
            config.pluginmanager.register(Fast())
    """,
    "call swallowed": """
        def pytest_pyfunc_call(pyfuncitem):
            try:
                pyfuncitem.obj()
            except AssertionError:
                pass
            return True
    """,
    "call suppressed": """
        import contextlib, pytest
        @pytest.hookimpl(wrapper=True)
        def pytest_runtest_call(item):
            with contextlib.suppress(Exception):
                return (yield)
    """,
    "return in finally": """
        import pytest
        @pytest.hookimpl(wrapper=True)
        def pytest_runtest_call(item):
            try:
                yield
            finally:
                return None
    """,
    "test replaced": """
        def pytest_runtest_setup(item):
            item.obj = lambda *args, **kwargs: None
    """,
    "run replaced": """
        def pytest_itemcollected(item):
            item.runtest = lambda: None
    """,
    "protocol answered": "def pytest_runtest_protocol(item, nextitem):\n    return True\n",
    "loop answered": "def pytest_runtestloop(session):\n    return True\n",
    "main answered": "def pytest_cmdline_main(config):\n    return 0\n",
    "status": "def pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = 0\n",
    "status, last of all": """
        import pytest
        @pytest.hookimpl(trylast=True)
        def pytest_sessionfinish(session, exitstatus):
            if exitstatus:
                session.exitstatus = pytest.ExitCode.OK
    """,
    "failures forgotten": "def pytest_sessionfinish(session):\n    session.testsfailed = 0\n",
    "statistics": """
        def pytest_terminal_summary(terminalreporter):
            terminalreporter.stats.pop("failed", None)
    """,
    "all passed": 'def pytest_report_teststatus(report, config):\n    return "passed", ".", "PASSED"\n',
    "items cleared": "def pytest_collection_modifyitems(items):\n    items.clear()\n",
    "items filtered": """
        def pytest_collection_modifyitems(config, items):
            items[:] = [item for item in items if "pricing" not in item.nodeid]
    """,
    "items kept": """
        def pytest_collection_modifyitems(config, items):
            keep = []
            for item in items:
                if "pricing" not in item.nodeid:
                    keep.append(item)
            items[:] = keep
    """,
    "items deleted": "def pytest_collection_modifyitems(items):\n    del items[1:]\n",
    "items removed": """
        def pytest_collection_modifyitems(items):
            for item in list(items):
                if item.name == "test_total":
                    items.remove(item)
    """,
    "items deselected": """
        def pytest_collection_modifyitems(config, items):
            config.hook.pytest_deselected(items=items)
            items[:] = []
    """,
    "items under an option that is new": """
        def pytest_addoption(parser):
            parser.addoption("--all", action="store_true")
        def pytest_collection_modifyitems(config, items):
            if not config.getoption("--all"):
                items[:] = [item for item in items if "pricing" not in item.nodeid]
    """,
    "items under an option that is constant": """
        def pytest_collection_modifyitems(config, items):
            if True or config.getoption("--old"):
                items.clear()
    """,
    "skip in a hook": """
        import pytest
        def pytest_collection_modifyitems(items):
            for item in items:
                item.add_marker(pytest.mark.skip(reason="slow"))
    """,
    "file refused": "def pytest_ignore_collect(collection_path):\n    return True\n",
    "nothing collected": "def pytest_pycollect_makeitem(collector, name, obj):\n    return []\n",
    "list of files": 'collect_ignore = ["test_pricing.py"]\n',
    "glob of files": 'collect_ignore_glob = ["*_pricing.py"]\n',
    "list of files grows": 'collect_ignore = ["setup.py"]\ncollect_ignore += ["test_pricing.py"]\n',
    "option set": "def pytest_configure(config):\n    config.option.collectonly = True\n",
    "keyword set": 'def pytest_configure(config):\n    setattr(config.option, "keyword", "not pricing")\n',
    "arguments": """
        def pytest_load_initial_conftests(early_config, parser, args):
            args[:] = ["--collect-only", *args]
    """,
    "arguments appended": """
        def pytest_cmdline_preparse(config, args):
            args.append("--deselect=test_pricing.py")
    """,
    "environment": 'import os\nos.environ["PYTEST_ADDOPTS"] = "-k nothing"\ndef pytest_configure(config):\n    pass\n',
    "plugin blocked": """
        def pytest_configure(config):
            config.pluginmanager.unregister(name="runner")
    """,
    "skip for all": """
        import pytest
        @pytest.fixture(autouse=True)
        def _no():
            pytest.skip("later")
    """,
    "xfail for all": """
        import pytest
        @pytest.fixture(autouse=True)
        def _no(request):
            request.node.add_marker(pytest.mark.xfail)
    """,
    "exit by another name": "from os import _exit as leave\nleave(0)\n",
    "exit put together": 'import os\ngetattr(os, "_ex" + "it")(0)\n',
    "exit imported by hand": '__import__("os")._exit(0)\n',
    "exit in a hook": "import sys\ndef pytest_sessionfinish(session):\n    sys.exit(0)\n",
    "exit at the end": "import atexit, os\n@atexit.register\ndef _end():\n    os._exit(0)\n",
    "exit by a timer": "import os, threading\nthreading.Timer(1, os._exit, [0]).start()\n",
    "exit raised": "def pytest_unconfigure(config):\n    raise SystemExit(0)\n",
    "exit at import": "import sys\nsys.exit()\n",
    "killed": "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n",
    "another program": 'import os, sys\ndef pytest_configure(config):\n    os.execv("/bin/true", ["true"])\n',
    "report class patched": """
        from _pytest.reports import TestReport
        TestReport.failed = property(lambda self: False)
    """,
    "report maker patched": """
        import _pytest.runner
        _pytest.runner.check_interactive_exception = lambda *a: False
    """,
    "patched by setattr": """
        import _pytest.python as p
        setattr(p.Function, "runtest", lambda self: None)
    """,
    "raises replaced": "import contextlib, pytest\npytest.raises = lambda *a, **k: contextlib.nullcontext()\n",
    "approx replaced": "import pytest\nclass Any:\n    pass\npytest.approx = lambda *a, **k: Any()\n",
    "pytest in modules": 'import sys, types\nsys.modules["pytest"] = types.ModuleType("pytest")\n',
    "runner patched for all": """
        import pytest
        @pytest.fixture(autouse=True)
        def _quiet(monkeypatch):
            monkeypatch.setattr("_pytest.outcomes.fail", lambda *a, **k: None)
    """,
    "assertions replaced": "import unittest\nunittest.TestCase.assertEqual = lambda *a, **k: None\n",
    "numpy's assertions replaced": "import numpy.testing as nt\nnt.assert_allclose = lambda *a, **k: None\n",
    "clock": "import time\ntime.perf_counter = lambda: 0.0\n",
    "assertion error": "import builtins\nbuiltins.AssertionError = KeyError\n",
    "code in a string": 'exec("import os; os._exit(0)")\n',
}


@pytest.mark.parametrize("code", HIJACKS.values(), ids=HIJACKS)
def test_a_hijack_in_a_new_conftest_blocks(code: str) -> None:
    assert judge("", textwrap.dedent(code), "conftest.py") == "block"


@pytest.mark.parametrize("code", HIJACKS.values(), ids=HIJACKS)
def test_what_was_there_before_or_moves_is_no_news(code: str) -> None:
    text = textwrap.dedent(code)
    assert worst(findings({"conftest.py": text}, {"conftest.py": f"# a word\n\n{text}"})) != "block"
    assert worst(findings({"conftest.py": text}, {"tests/conftest.py": text})) != "block"


IN_A_PLUGIN = ("report turned green", "status", "items cleared", "call answered by a class", "exception dropped")


@pytest.mark.parametrize("name", IN_A_PLUGIN)
def test_a_plugin_is_judged_like_a_conftest(name: str) -> None:
    assert judge("", textwrap.dedent(HIJACKS[name]), "app/tools/quality.py") == "block"


HONEST = {
    "report kept for fixtures": """
        import pytest
        @pytest.hookimpl(tryfirst=True, hookwrapper=True)
        def pytest_runtest_makereport(item, call):
            outcome = yield
            rep = outcome.get_result()
            setattr(item, "rep_" + rep.when, rep)
    """,
    "report kept, new style": """
        import pytest
        @pytest.hookimpl(wrapper=True)
        def pytest_runtest_makereport(item, call):
            report = yield
            report.extra = ["log"]
            item.stash["report"] = report
            return report
    """,
    "steps of an incremental test": """
        def pytest_runtest_makereport(item, call):
            if "incremental" in item.keywords and call.excinfo is not None:
                item.parent._previousfailed = item
    """,
    "order": "def pytest_collection_modifyitems(items):\n    items.sort(key=lambda item: item.name)\n",
    "order by halves": """
        def pytest_collection_modifyitems(items):
            slow = [item for item in items if "slow" in item.keywords]
            fast = [item for item in items if "slow" not in item.keywords]
            items[:] = fast + slow
    """,
    "shuffle": "import random\ndef pytest_collection_modifyitems(items):\n    random.shuffle(items)\n",
    "markers": """
        import pytest
        def pytest_collection_modifyitems(items):
            for item in items:
                if "db" in item.fixturenames:
                    item.add_marker(pytest.mark.database)
    """,
    "option": 'def pytest_addoption(parser):\n    parser.addoption("--slow", action="store_true")\n',
    "header": 'def pytest_report_header(config):\n    return "local"\n',
    "letters": """
        def pytest_report_teststatus(report, config):
            if report.when == "call" and report.passed:
                return "passed", "P", "PASSED"
    """,
    "coroutines": """
        import asyncio, inspect
        def pytest_pyfunc_call(pyfuncitem):
            if inspect.iscoroutinefunction(pyfuncitem.obj):
                asyncio.run(pyfuncitem.obj(**pyfuncitem.funcargs))
                return True
    """,
    "timing": """
        import time, pytest
        @pytest.hookimpl(wrapper=True)
        def pytest_runtest_call(item):
            start = time.perf_counter()
            try:
                return (yield)
            finally:
                print(time.perf_counter() - start)
    """,
    "failure told": """
        import pytest
        @pytest.hookimpl(wrapper=True)
        def pytest_runtest_call(item):
            try:
                return (yield)
            except AssertionError:
                print("failed", item)
                raise
    """,
    "clean up": """
        import shutil
        def pytest_sessionfinish(session, exitstatus):
            shutil.rmtree("tmp", ignore_errors=True)
    """,
    "a worse status": """
        def pytest_sessionfinish(session, exitstatus):
            if leaks():
                session.exitstatus = 1
    """,
    "setup.py left out": 'collect_ignore = ["setup.py"]\n',
    "old versions left out": "import sys\ncollect_ignore = []\nif sys.version_info < (3, 12):\n"
    '    collect_ignore.append("test_new.py")\n',
    "newer versions by a name": """
        from app.compat import PY_3_14_PLUS
        collect_ignore = []
        if not PY_3_14_PLUS:
            collect_ignore.extend(["test_references.py"])
    """,
    "examples left out": "def pytest_ignore_collect(collection_path):\n"
    '    return "examples" in collection_path.parts\n',
    "status passed on": "import os\ndef pytest_sessionfinish(session, exitstatus):\n    os._exit(exitstatus)\n",
    "wrong version": 'import sys\nif sys.version_info < (3, 9):\n    sys.exit("needs Python 3.9")\n',
    "plugins": 'pytest_plugins = ["tests.fixtures.db"]\n',
    "obj wrapped": """
        def pytest_itemcollected(item):
            original = item.obj
            item.obj = traced(original)
    """,
}


@pytest.mark.parametrize("code", HONEST.values(), ids=HONEST)
def test_an_honest_hook_is_shown_and_does_not_block(code: str) -> None:
    assert judge("", textwrap.dedent(code), "conftest.py") == "review"


CLEAN = {
    "environment": """
        import pytest
        @pytest.fixture(autouse=True)
        def _env(monkeypatch, tmp_path):
            monkeypatch.setenv("HOME", str(tmp_path))
            monkeypatch.chdir(tmp_path)
            monkeypatch.setattr("time.sleep", lambda s: None)
    """,
    "no network": """
        import socket, pytest
        @pytest.fixture(autouse=True)
        def _offline(monkeypatch):
            monkeypatch.setattr(socket, "socket", None)
            monkeypatch.setattr("requests.get", None)
    """,
    "path": "import sys\nfrom pathlib import Path\nsys.path.insert(0, str(Path(__file__).parent))\n",
    "fixtures": "import pytest\n@pytest.fixture\ndef db():\n    yield 1\n",
    "assertions rewritten": 'import pytest\npytest.register_assert_rewrite("tests.helpers")\n',
    "cleanup at exit": "import atexit, shutil\natexit.register(shutil.rmtree, 'x', True)\n",
    "long differences": "import unittest\nunittest.TestCase.maxDiff = None\n",
    "a double that ends": "import pytest, sys\n@pytest.fixture\ndef cli():\n    def run():\n        sys.exit(0)\n"
    "    return run\n",
}


@pytest.mark.parametrize("code", CLEAN.values(), ids=CLEAN)
def test_a_plain_conftest_says_nothing(code: str) -> None:
    assert judge("", textwrap.dedent(code), "conftest.py") == "clean"


OPTION = 'def pytest_addoption(parser):\n    parser.addoption("--run-slow", action="store_true")\n'


@pytest.mark.parametrize(
    "body",
    [
        """
            if not config.getoption("--run-slow"):
                items[:] = [item for item in items if "slow" not in item.keywords]
        """,
        """
            if config.getoption("run_slow"):
                return
            for item in items:
                if "slow" in item.keywords:
                    item.add_marker(pytest.mark.skip(reason="slow"))
        """,
        """
            slow = config.getoption("--run-slow")
            if not slow:
                items[:] = [item for item in items if "slow" not in item.keywords]
        """,
        """
            if config.option.run_slow:
                return
            kept = [item for item in items if "slow" not in item.keywords]
            config.hook.pytest_deselected(items=[item for item in items if item not in kept])
            items[:] = kept
        """,
    ],
)
def test_an_option_that_was_there_may_leave_tests_out_and_a_new_one_may_not(body: str) -> None:
    hook = (
        f"def pytest_collection_modifyitems(config, items):\n{textwrap.indent(textwrap.dedent(body).strip(), '    ')}\n"
    )
    assert judge(f"import pytest\n{OPTION}", f"import pytest\n{OPTION}{hook}", "conftest.py") == "review"
    assert judge("import pytest\n", f"import pytest\n{OPTION}{hook}", "conftest.py") == "block"


ELSEWHERE = {
    "equal to all, in the product": (
        "src/price.py",
        "class Price:\n    def __eq__(self, other):\n        return True\n",
        "block",
    ),
    "equal to all, by a lambda": (
        "src/price.py",
        "class Price(int):\n    __eq__ = lambda self, other: True\n",
        "block",
    ),
    "equal to all, made of a type": ("src/p.py", 'P = type("P", (int,), {"__eq__": lambda a, b: 1 == 1})\n', "block"),
    "equal to all, given": ("src/p.py", "class P:\n    pass\nP.__eq__ = lambda a, b: True\n", "block"),
    "never unequal": ("src/p.py", "class P:\n    def __ne__(self, other):\n        return False\n", "block"),
    "equal or": ("src/p.py", "class P:\n    def __eq__(self, other):\n        return self is other or True\n", "block"),
    "a matcher": ("tests/test_a.py", "class Any:\n    def __eq__(self, other):\n        return True\n", "review"),
    "equal by value": (
        "src/p.py",
        (
            "class P:\n    def __eq__(self, o):\n        if not isinstance(o, P):\n            return NotImplemented\n"
            "        return self.x == o.x\n"
        ),
        "clean",
    ),
    "equal by type": ("src/p.py", "class P:\n    def __eq__(self, o):\n        return isinstance(o, P)\n", "clean"),
    "unequal to all": ("src/p.py", "class NaN:\n    def __eq__(self, o):\n        return False\n", "clean"),
    "exit in a computation": (
        "src/p.py",
        "import os\ndef total(x):\n    if x > 3:\n        os._exit(0)\n    return x\n",
        "block",
    ),
    "exit at import of the product": ("src/p.py", "import os\nos._exit(0)\n", "block"),
    "exit of a child": ("src/p.py", "import os\ndef start():\n    if os.fork() == 0:\n        os._exit(0)\n", "clean"),
    "exit of a server": ("src/p.py", "import os\ndef force_exit(code):\n    os._exit(code)\n", "review"),
    "exit with an error": ("src/p.py", "import os\ndef total(x):\n    os._exit(3)\n", "clean"),
    "exit of a command": ("src/cli.py", "import sys\ndef main():\n    sys.exit(0)\n", "clean"),
    "exit of a program": ("src/cli.py", 'import sys\nif __name__ == "__main__":\n    sys.exit(main())\n', "clean"),
    "exit of a script": ("scripts/a.py", "import sys\nprint(1)\nsys.exit(0)\n", "clean"),
    "exit in a test file": ("tests/test_a.py", "import sys\nsys.exit(0)\n", "block"),
    "exit in a test": ("tests/test_a.py", "import os\ndef test_a():\n    os._exit(0)\n", "block"),
    "exit in a test's child": (
        "tests/test_a.py",
        (
            "import os\ndef test_a():\n    pid = os.fork()\n    if not pid:\n        os._exit(0)\n"
            "    assert os.waitpid(pid, 0)[1] == 0\n"
        ),
        "clean",
    ),
    "a signal in a test": (
        "tests/test_a.py",
        "import os\ndef test_a():\n    os.kill(os.getpid(), 2)\n    assert seen()\n",
        "clean",
    ),
    "exit faked": (
        "tests/test_a.py",
        'def test_a(monkeypatch):\n    monkeypatch.setattr("os._exit", print)\n    assert go()\n',
        "clean",
    ),
    "records nothing": (
        "tests/run.py",
        "import unittest\nclass R(unittest.TextTestResult):\n    def addFailure(self, test, err):\n        pass\n",
        "block",
    ),
    "records more": (
        "tests/run.py",
        (
            "import unittest\nclass R(unittest.TextTestResult):\n    def addFailure(self, test, err):\n"
            "        super().addFailure(test, err)\n"
        ),
        "clean",
    ),
    "always successful": (
        "tests/run.py",
        "import unittest\nclass R(unittest.TestResult):\n    def wasSuccessful(self):\n        return True\n",
        "block",
    ),
    "an assertion that cannot fail": (
        "tests/base.py",
        (
            "import unittest\nclass Base(unittest.TestCase):\n    def assertEqual(self, a, b, msg=None):\n"
            "        return None\n"
        ),
        "block",
    ),
    "an assertion given away": (
        "tests/test_a.py",
        (
            "import unittest\nclass T(unittest.TestCase):\n    def setUp(self):\n"
            "        self.assertEqual = lambda *a: None\n"
        ),
        "block",
    ),
    "an assertion extended": (
        "tests/base.py",
        (
            "import unittest\nclass Base(unittest.TestCase):\n    def assertEqual(self, a, b, msg=None):\n"
            "        super().assertEqual(a, b, msg)\n"
        ),
        "clean",
    ),
    "a failure that is none": (
        "tests/test_a.py",
        "import unittest\nclass T(unittest.TestCase):\n    failureException = unittest.SkipTest\n",
        "block",
    ),
    "tests that do not run": (
        "tests/test_a.py",
        "import unittest\nclass T(unittest.TestCase):\n    def run(self, result=None):\n        pass\n",
        "block",
    ),
    "nothing loaded": (
        "tests/__init__.py",
        "import unittest\ndef load_tests(loader, tests, pattern):\n    return unittest.TestSuite()\n",
        "block",
    ),
    "more loaded": (
        "tests/test_a.py",
        (
            "import doctest\ndef load_tests(loader, tests, ignore):\n    tests.addTests(doctest.DocTestSuite())\n"
            "    return tests\n"
        ),
        "clean",
    ),
    "the runner patched in a test": (
        "tests/test_plugin.py",
        'def test_a(monkeypatch):\n    monkeypatch.setattr("_pytest.config.get_config", None)\n    assert plugin()\n',
        "review",
    ),
    "the clock of the product": ("src/p.py", "import time\ntime.perf_counter = lambda: 0\n", "block"),
    "the clock in a test": (
        "tests/test_a.py",
        (
            'import time\ndef test_a(monkeypatch):\n    monkeypatch.setattr(time, "time", lambda: 5.0)\n'
            "    assert now() == 5\n"
        ),
        "clean",
    ),
    "sitecustomize": ("sitecustomize.py", "import builtins\n", "block"),
    "usercustomize below": ("tools/usercustomize.py", "x = 1\n", "block"),
    "coverage of children": ("tests/sitecustomize.py", "import coverage\n\ncoverage.process_startup()\n", "review"),
    "paths": ("dev.pth", "src\n", "review"),
    "pytest's own name": ("tests/pytest.py", "raises = None\n", "block"),
    "a package of its name": ("_pytest/__init__.py", "x = 1\n", "block"),
    "a library's name": ("random.py", "def random():\n    return 0\n", "review"),
    "a library's name in a package": ("app/core/random.py", "x = 1\n", "clean"),
    "a plugin in the metadata": ("setup.py", 'setup(entry_points={"pytest11": ["q = q"]})\n', "review"),
}


@pytest.mark.parametrize(("path", "code", "expected"), ELSEWHERE.values(), ids=ELSEWHERE)
def test_what_other_files_may_do(path: str, code: str, expected: str) -> None:
    others = {"app/__init__.py": "", "app/core/__init__.py": ""}
    assert worst(findings(others, others | {path: code})) == expected


def test_a_dependency_is_not_written_at_home() -> None:
    before = {"pyproject.toml": '[project]\nname = "x"\ndependencies = ["pandas>=2", "my-lib"]\n'}
    assert worst(findings(before, before | {"pandas/__init__.py": "x = 1\n"})) == "block"
    assert worst(findings(before, before | {"pandas_tools.py": "x = 1\n"})) == "clean"


PRODUCT = {"pricing.py": "def total(x):\n    return x\n", "mail.py": "def send(x):\n    pass\n"}
TESTED = PRODUCT | {"test_pricing.py": "from pricing import total\n\n\ndef test_total():\n    assert total(1) == 2\n"}
FIXTURE = (
    "import pytest\n@pytest.fixture(autouse=True)\n"
    "def _fake(monkeypatch):\n    monkeypatch.setattr({target}, {value})\n"
)


@pytest.mark.parametrize(
    ("conftest", "expected"),
    [
        (FIXTURE.format(target='"pricing.total"', value="lambda x: 2"), "block"),
        ("import pricing\n" + FIXTURE.format(target='pricing, "total"', value="lambda x: 2"), "block"),
        ("import pricing\npricing.total = lambda x: 2\n", "block"),
        ('import sys\nfrom unittest import mock\nsys.modules["pricing"] = mock.Mock()\n', "block"),
        (FIXTURE.format(target='"mail.send"', value="print"), "review"),
        (FIXTURE.format(target='"test_pricing.total"', value="lambda x: 2"), "block"),
        (FIXTURE.format(target='"test_pricing.helper"', value="lambda x: 2"), "clean"),
        ("import test_pricing\ntest_pricing.total = lambda x: 2\n", "block"),
        (FIXTURE.format(target='"requests.get"', value="print"), "clean"),
        (
            "import pricing\n" + FIXTURE.replace("autouse=True", "").format(target='pricing, "total"', value="print"),
            "clean",
        ),
    ],
)
def test_a_fixture_for_all_tests_leaves_what_is_tested_alone(conftest: str, expected: str) -> None:
    assert worst(findings(TESTED, TESTED | {"conftest.py": conftest})) == expected


MEASURED = (
    "import time\nfrom pricing import total\n\n\ndef test_is_quick():\n    start = time.{clock}()\n    total(1)\n"
    "    assert time.{clock}() - start < 0.1\n"
)
STOPPED = "import time\n" + FIXTURE.format(target='time, "{clock}"', value="lambda: 0.0")


@pytest.mark.parametrize("clock", ["perf_counter", "monotonic"])
def test_a_stopwatch_that_tests_measure_with_may_not_stand_still(clock: str) -> None:
    before = PRODUCT | {"test_pricing.py": MEASURED.format(clock=clock)}
    stopped = STOPPED.format(clock=clock)
    assert worst(findings(before, before | {"conftest.py": stopped})) == "block"
    assert worst(findings(before, before | {"conftest.py": stopped.replace("autouse=True", "")})) != "block"
    assert worst(findings(TESTED, TESTED | {"conftest.py": stopped})) != "block"


DOUBLE = "def total(x):\n    return 2\n"


@pytest.mark.parametrize(
    ("path", "code", "expected"),
    [
        ("tests/pricing.py", DOUBLE, "block"),
        ("tests/pricing.py", "def make_price():\n    return 2\n", "clean"),
        ("tests/fixtures/pricing.py", DOUBLE, "clean"),
        ("tests/test_pricing.py", "def test_total():\n    assert 1 < len('ab')\n", "clean"),
        ("tests/other.py", DOUBLE, "clean"),
    ],
)
def test_a_double_of_the_product_beside_its_tests(path: str, code: str, expected: str) -> None:
    assert worst(findings(PRODUCT, PRODUCT | {path: code})) == expected


def test_a_package_of_tests_stands_in_front_of_nothing_unless_it_is_put_there() -> None:
    package = PRODUCT | {"tests/__init__.py": ""}
    double = package | {"tests/pricing.py": DOUBLE}
    assert worst(findings(package, double)) == "clean"
    put = 'import sys\n\nsys.path.insert(0, "tests")\n'
    assert worst(findings(package, double | {"tests/conftest.py": put})) == "block"


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(HIJACKS)),
    st.integers(0, 400),
    st.sampled_from(["", "(", "def ", '"""', "\\", "\t", "é", "\x0c"]),
)
def test_broken_code_never_fails_the_scan(name: str, at: int, junk: str) -> None:
    text = textwrap.dedent(HIJACKS[name])
    broken = text[:at] + junk + text[at:]
    assert all(finding.rule != "scan.unreadable" for finding in findings({}, {"conftest.py": broken}))


@pytest.mark.parametrize(
    "option", ["config.option.xmlpath", 'config.getoption("verbose")', 'config.getoption("--junitxml")']
)
def test_an_option_of_pytest_itself_excuses_nothing(option: str) -> None:
    hook = f"def pytest_collection_modifyitems(config, items):\n    if {option}:\n        items.clear()\n"
    assert judge("", hook, "conftest.py") == "block"


TWISTED = {
    "getattr hook write": (
        "conftest.py",
        'def pytest_runtest_logreport(report):\n    object.__setattr__(report,"outcome","passed")\n',
        "block",
    ),
    "vars": ("conftest.py", 'def pytest_runtest_logreport(report):\n    vars(report)["outcome"] = "passed"\n', "block"),
    "class swap": (
        "conftest.py",
        (
            "import pytest\nclass R(pytest.TestReport):\n    failed = False\n    passed = True\n"
            "def pytest_runtest_logreport(report):\n    report.__class__ = R\n"
        ),
        "block",
    ),
    "plugin register lambda": (
        "conftest.py",
        (
            "import types\ndef pytest_configure(config):\n"
            "    p = types.SimpleNamespace(pytest_pyfunc_call=lambda pyfuncitem: True)\n"
            "    config.pluginmanager.register(p)\n"
        ),
        "block",
    ),
    "type plugin": (
        "conftest.py",
        (
            "def pytest_configure(config):\n"
            '    config.pluginmanager.register(type("P", (), {"pytest_pyfunc_call": lambda s, pyfuncitem: True})())\n'
        ),
        "block",
    ),
    "globals": ("conftest.py", 'globals()["pytest_pyfunc_call"] = lambda pyfuncitem: True\n', "block"),
    "def then rename": ("conftest.py", "def _f(pyfuncitem):\n    return True\npytest_pyfunc_call = _f\n", "block"),
    "hookimpl call": (
        "conftest.py",
        "import pytest\npytest_pyfunc_call = pytest.hookimpl(tryfirst=True)(lambda pyfuncitem: True)\n",
        "block",
    ),
    "import hook": ("conftest.py", "from tools.fast import pytest_pyfunc_call\n", "review"),
    "item.session": ("conftest.py", "def pytest_runtest_teardown(item):\n    item.session.testsfailed = 0\n", "block"),
    "exitstatus via config": (
        "conftest.py",
        "def pytest_sessionfinish(session):\n    session._exitstatus = 0\n    session.exitstatus &= 0\n",
        "block",
    ),
    "warn": (
        "conftest.py",
        (
            "import pytest\n@pytest.hookimpl(wrapper=True)\ndef pytest_runtest_call(item):\n    try:\n        yield\n"
            "    except Exception as e:\n        print(e)\n"
        ),
        "block",
    ),
    "old hookwrapper swallow": (
        "conftest.py",
        (
            "import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_call(item):\n    outcome = yield\n"
            "    outcome.force_exception(None)\n"
        ),
        "block",
    ),
    "outcome set": (
        "conftest.py",
        (
            "import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_call(item):\n    o = yield\n"
            "    if o.excinfo:\n        o.excinfo = None\n"
        ),
        "block",
    ),
    "items slice assign named": (
        "conftest.py",
        (
            'def pytest_collection_modifyitems(items):\n    good = [i for i in items if "x" not in i.name]\n'
            "    items[:] = good\n"
        ),
        "block",
    ),
    "items del loop": (
        "conftest.py",
        (
            "def pytest_collection_modifyitems(items):\n    for i in reversed(range(len(items))):\n"
            '        if "x" in items[i].name:\n            del items[i]\n'
        ),
        "block",
    ),
    "items pop": (
        "conftest.py",
        "def pytest_collection_modifyitems(session, config, items):\n    items.pop()\n",
        "block",
    ),
    "session.items": (
        "conftest.py",
        "def pytest_collection_finish(session):\n    session.items = session.items[:1]\n",
        "block",
    ),
    "session.items clear": (
        "conftest.py",
        "def pytest_collection_finish(session):\n    session.items.clear()\n",
        "block",
    ),
    "other param name": (
        "conftest.py",
        "def pytest_collection_modifyitems(session):\n    session.items[:] = []\n",
        "block",
    ),
    "alias items": (
        "conftest.py",
        "def pytest_collection_modifyitems(items):\n    x = items\n    x.clear()\n",
        "block",
    ),
    "list.clear": ("conftest.py", "def pytest_collection_modifyitems(items):\n    list.clear(items)\n", "block"),
    "filter in place": (
        "conftest.py",
        'def pytest_collection_modifyitems(items):\n    items[:] = filter(lambda i: "x" not in i.name, items)\n',
        "block",
    ),
    "setitem": (
        "conftest.py",
        "def pytest_collection_modifyitems(items):\n    items.__setitem__(slice(None), [])\n",
        "block",
    ),
    "runtest method": ("conftest.py", "import pytest\npytest.Function.runtest = lambda self: None\n", "block"),
    "Function subclass": (
        "conftest.py",
        (
            "import pytest\nclass F(pytest.Function):\n    def runtest(self):\n        pass\n"
            'def pytest_pycollect_makeitem(collector, name, obj):\n    if name.startswith("test"):\n'
            "        return F.from_parent(collector, name=name)\n"
        ),
        "block",
    ),
    "exit via thread": (
        "conftest.py",
        "import os, threading\nthreading.Thread(target=lambda: os._exit(0)).start()\n",
        "block",
    ),
    "exit via signal": (
        "conftest.py",
        "import os, signal\nsignal.signal(signal.SIGALRM, lambda *a: os._exit(0))\nsignal.alarm(1)\n",
        "block",
    ),
    "exit partial": ("conftest.py", "import functools, os\nf = functools.partial(os._exit, 0)\nf()\n", "block"),
    "ctypes exit": ("conftest.py", "import ctypes\nctypes.CDLL(None)._exit(0)\n", "block"),
    "ctypes exit2": ("conftest.py", "import ctypes\nctypes.CDLL(None).exit(0)\n", "block"),
    "importlib os": ("conftest.py", 'import importlib\nimportlib.import_module("os")._exit(0)\n', "block"),
    "os kill ppid": ("conftest.py", "import os\nos.kill(os.getppid(), 9)\n", "block"),
    "builtins assert": (
        "conftest.py",
        'import builtins\nbuiltins.AssertionError = type("X", (Exception,), {})\n',
        "block",
    ),
    "excepthook": ("conftest.py", "import sys\nsys.exit = lambda *a: None\n", "block"),
    "raises patched by monkeypatch session": (
        "conftest.py",
        (
            "import pytest\n@pytest.fixture(autouse=True)\ndef x(monkeypatch):\n"
            '    monkeypatch.setattr(pytest, "raises", None)\n'
        ),
        "block",
    ),
    "mock patch start": (
        "conftest.py",
        'from unittest import mock\nmock.patch("_pytest.runner.check", lambda *a: None).start()\n',
        "block",
    ),
    "eq via total": (
        "src/p.py",
        (
            "class P:\n    def __eq__(self, o) -> bool:\n        if o is None:\n            return True\n"
            "        return True\n"
        ),
        "block",
    ),
    "eq bool sub": (
        "src/p.py",
        "class P(str):\n    def __eq__(self, o): return 1\n    __hash__ = str.__hash__\n",
        "block",
    ),
    "eq doc": (
        "src/p.py",
        'class P:\n    def __eq__(self, o):\n        """Equal."""\n        result = True\n        return result\n',
        "block",
    ),
    "eq any": ("src/p.py", "class P:\n    __eq__ = lambda *_: not None\n", "block"),
    "eq or": ("src/p.py", "class P:\n    def __eq__(self, o):\n        return isinstance(o, object)\n", "block"),
    "eq operator": ("src/p.py", "from unittest.mock import ANY\ndef total(x):\n    return ANY\n", "block"),
    "pytest_plugins": ("conftest.py", 'pytest_plugins = ("evil",)\n', "review"),
    "usercustomize dir": ("src/usercustomize/__init__.py", "x=1\n", "block"),
    "pth nested": ("a/b.pth", "import sys; sys.path\n", "block"),
    "pth tab": ("x.pth", "import\tos\n", "block"),
    "result class": (
        "tests/run.py",
        "import unittest\nclass R(unittest.TestResult):\n    addFailure = lambda *a: None\n",
        "block",
    ),
    "result errors": (
        "tests/run.py",
        (
            "import unittest\nclass R(unittest.TextTestResult):\n    def addError(self, t, e):\n"
            "        self.addSuccess(t)\n"
        ),
        "block",
    ),
    "django runner": (
        "app/runner.py",
        (
            "from django.test.runner import DiscoverRunner\nclass R(DiscoverRunner):\n"
            "    def suite_result(self, suite, result, **kw):\n        return 0\n"
        ),
        "block",
    ),
    "django build": (
        "app/runner.py",
        (
            "from django.test.runner import DiscoverRunner\nclass R(DiscoverRunner):\n"
            "    def run_tests(self, labels, **kw):\n        return 0\n"
        ),
        "block",
    ),
    "os.environ addopts in test": ("tests/__init__.py", 'import os\nos.environ["PYTEST_ADDOPTS"] = "-k x"\n', "block"),
    "environ setdefault": ("conftest.py", 'import os\nos.environ.setdefault("PYTEST_ADDOPTS", "-k x")\n', "block"),
    "environ update": ("conftest.py", 'import os\nos.environ.update(PYTEST_ADDOPTS="-k x")\n', "block"),
    "config.args": (
        "conftest.py",
        'def pytest_configure(config):\n    config.args[:] = ["tests/test_ok.py"]\n',
        "block",
    ),
    "config.args2": ("conftest.py", 'def pytest_configure(config):\n    config.args = ["tests/test_ok.py"]\n', "block"),
    "inicfg": (
        "conftest.py",
        'def pytest_configure(config):\n    config._inicache["python_functions"] = ["check_*"]\n',
        "block",
    ),
    "collect_ignore tuple": (
        "conftest.py",
        'import os\ncollect_ignore = [f for f in os.listdir(".") if f.startswith("test_p")]\n',
        "block",
    ),
    "collect_ignore in hook": (
        "conftest.py",
        'def pytest_configure(config):\n    global collect_ignore\n    collect_ignore = ["test_a.py"]\n',
        "block",
    ),
    "setattr collect_ignore": (
        "conftest.py",
        'import sys\nsetattr(sys.modules[__name__], "collect_ignore", ["test_a.py"])\n',
        "block",
    ),
    "atexit exit_": ("src/p.py", "import atexit, os\natexit.register(lambda: os._exit(0))\n", "block"),
    "src exit in pytest": (
        "src/p.py",
        'import os, sys\ndef total(x):\n    if "pytest" in sys.modules:\n        os._exit(0)\n    return x\n',
        "block",
    ),
}
"""Spellings that pytest, unittest or Python honour all the same."""


@pytest.mark.parametrize(("path", "code", "expected"), TWISTED.values(), ids=TWISTED)
def test_other_spellings(path: str, code: str, expected: str) -> None:
    assert judge("", code, path) == expected


ORDERED = (
    "items[:] = items[::-1]",
    "items[:] = list(reversed(items))",
    "random.Random(1).shuffle(items)",
    "ordered = sorted(items, key=str)\n    items[:] = ordered",
    "items[0], items[1] = items[1], items[0]",
    "first = [i for i in items if fast(i)]\n    items[:] = first + [i for i in items if i not in first]",
    "items[:] = [mark(item) for item in items]",
    "for index, item in enumerate(items):\n        items[index] = wrap(item)",
)


@pytest.mark.parametrize("body", ORDERED)
def test_a_list_that_stays_whole_does_not_block(body: str) -> None:
    assert judge("", f"def pytest_collection_modifyitems(items):\n    {body}\n", "conftest.py") == "review"
