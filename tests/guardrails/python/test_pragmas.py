"""Code that is left out of the coverage count."""

from __future__ import annotations

import pytest

from tests.guardrails.python.judge import judge, rules

BLOCK = {
    "branch": "if a:  # pragma: no cover\n    x = 1\n",
    "function": "def f():  # pragma: nocover\n    return 1\n",
    "class": "class A:  # pragma: no cover\n    x = 1\n",
    "else": "if a:\n    x = 1\nelse:  # pragma: no cover\n    x = 2\n",
    "handler": "try:\n    g()\nexcept ValueError:  # pragma: no cover\n    x = 1\n",
    "argument": "x = g(\n    a,  # pragma: no cover\n)\n",
    "over two lines": "if a: # pragma: no\n    cover = 1\n",
    "string in a condition": 'if a and "# pragma: no cover":\n    x = 1\n',
    "string in a decorator": '@note("# pragma: no cover")\ndef f(): ...\n',
    "string as a default": 'def f(a="# pragma: no cover"):\n    return a\n',
    "string in a loop's head": 'for c in "# pragma: no cover":\n    g(c)\n',
    "string behind a branch": 'if a: "# pragma: no cover"; x = 1\n',
    "string beside a statement": 'x = g(); "# pragma: no cover"; y = 1\n',
    "guard that is none": 'if __name__ == "__main__" or a:  # pragma: no cover\n    x = 1\n',
    "platform that is none": 'import sys\nif sys.platform != "amiga":  # pragma: no cover\n    x = 1\n',
    "behind a reason": "try:\n    g()\nexcept OSError:  # no network, pragma: no cover\n    x = 1\n",
    "behind another note": "x = g()  # see the manual; pragma: no cover\n",
    "coverage stopped": "import coverage\n\ncoverage.Coverage.current().stop()\n",
    "coverage stopped by a name": "from coverage import Coverage\n\nrun = Coverage.current()\nrun and run.stop()\n",
    "reason that is none": "x = g(1)  # pragma: no cover -- raise NotImplementedError\n",
    "unimplemented, but not all": "def f():  # pragma: no cover\n    g()\n    raise NotImplementedError\n",
}
REVIEW = {
    "main guard": 'if __name__ == "__main__":  # pragma: no cover\n    g()\n',
    "main guard, turned": "if '__main__' == __name__: # pragma: no cover\n    g()\n",
    "abstract": 'class A(ABC):\n    @abc.abstractmethod\n    def f(self):  # pragma: no cover\n        """Doc."""\n',
    "unimplemented": 'def f():  # pragma: no cover\n    """Doc."""\n    raise NotImplementedError("f")\n',
    "raise": "raise NotImplementedError  # pragma: no cover\n",
    "ellipsis": "class P:\n    def f(self) -> int: ...  # pragma: no cover\n",
    "platform": 'import sys\nif sys.platform == "win32":  # pragma: no cover\n    x = 1\n',
    "missing import": "try:\n    import y\nexcept ImportError:  # pragma: no cover\n    y = None\n",
    "types only": "if TYPE_CHECKING:  # pragma: no cover\n    import x\n",
    "unreachable": "typing.assert_never(x)  # pragma: no cover\n",
    "branch": "if a:  # pragma: no branch\n    x = 1\n",
}
CLEAN = {
    "help text": 'HELP = "add # pragma: no cover to the line"\n',
    "patterns": 'PATTERNS = [\n    "# pragma: no cover",\n    "raise NotImplementedError",\n]\n',
    "expression": 'RULES = {"no cover": re.compile(r"#\\s*pragma: no cover")}\n',
    "docstring": 'def f():\n    """Adds a mark.\n\n    # pragma: no cover\n    """\n    return 1\n',
    "test of a scanner": 'def test_x():\n    assert scan("x  # pragma: no cover") == 1\n',
    "prose on a line of its own": "# the old code had a pragma: no cover\nx = 1\n",
    "prose about it": "x = 1  # it had a pragma: no cover once\n",
    "coverage saved": "import coverage\n\nrun = coverage.Coverage.current()\nrun.stop()\nrun.save()\n",
    "coverage of its own": "import coverage\n\nrun = coverage.Coverage()\nrun.start()\ng()\nrun.stop()\n",
    "prose": "x = 1  # no cover is needed here\n",
}


@pytest.mark.parametrize("code", BLOCK.values(), ids=BLOCK)
def test_code_that_should_count(code: str) -> None:
    assert judge("", code, "app/a.py") == "block"


@pytest.mark.parametrize("code", REVIEW.values(), ids=REVIEW)
def test_code_that_is_usually_left_out(code: str) -> None:
    assert judge("", code, "app/a.py") == "review"


@pytest.mark.parametrize("code", CLEAN.values(), ids=CLEAN)
def test_words_that_leave_nothing_out(code: str) -> None:
    assert judge("", code, "app/a.py") == "clean"


def test_a_pragma_that_moves_to_other_code_of_the_usual_kind_is_new() -> None:
    before = 'if __name__ == "__main__":  # pragma: no cover\n    g()\n'
    assert rules(before, "if a:  # pragma: no cover\n    g()\n", "app/a.py") == {"py.no-cover"}
