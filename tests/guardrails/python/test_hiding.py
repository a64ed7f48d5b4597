"""Files written so that a scanner sees less than Python does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.guardrails import python
from ralph.guardrails.prefilter import prefilter
from ralph.guardrails.side import side_hits
from tests.guardrails.python.judge import judge

BASE = "import os\n\n\ndef f(a):\n    return a\n"
TRICKS = {
    "a line ended by CR alone": f"{BASE}# harmless\rimport re  # noqa\r",
    "code behind a comment's CR": f'{BASE}# harmless\rimport pytest\rpytest.skip("x", allow_module_level=True)\r',
    "another encoding": "# coding: utf-7\n+ACM noqa\nimport os\nimport re +ACM noqa\n",
    "a line that does not parse": f"{BASE}def (((\nimport re  # noqa\n",
    "a decorator in a file that does not parse": f"{BASE}def (((\n@pytest.mark.skip\n",
    "a string that does not end": f'{BASE}"""\nimport re  # noqa\n',
    "a form feed": f"{BASE}\x0cimport re  # noqa\n",
    "a byte order mark": f"\ufeff# type: ignore\n{BASE}",
    "a quote inside an f-string": f'{BASE}y = f"{{d["#"]}}"  # noqa\n',
    "a mark inside a string": f'{BASE}y = "#"  # noqa\n',
    "a continued line": BASE.replace("import os", "import \\\n    os  # noqa"),
    "syntax of a newer Python": f"{BASE}def g[T](x: T) -> T:  # type: ignore\n    return x\n",
}


@pytest.mark.parametrize("after", TRICKS.values(), ids=TRICKS)
def test_nothing_hides(after: str) -> None:
    assert judge(BASE, after, "app/a.py") == "block"


@pytest.mark.parametrize(
    "code",
    [
        "x = " + "(" * 300 + ")" * 300 + "\nimport pytest\n",
        "import pytest\nskip = skip\na = b\nb = a\n@a\ndef test_a(): ...\n",
        "import pytest\nX = list(X)\n\n\n@pytest.mark.parametrize('x', X)\ndef test_a(x): ...\n",
        "import pytest\nc = c or d\nd = c and d\n@pytest.mark.skipif(c, reason='x')\ndef test_a(): ...\n",
        "import pytest\nn = 'a' * 10**9\n\n\n@getattr(pytest.mark, 'a' * 10**9)\ndef test_a(): ...\n",
        "@pytest.\n@\ndef test_a(:\n    pytest.skip(\n",
    ],
)
def test_odd_code_is_read_to_its_end(code: str) -> None:
    read(code)


PIECES = (
    "# noqa : type: ignore [ ] F401 , mypy: = pylint: disable ruff: \n pytest.mark.skip @ ( ) ''' \" \r \t getattr if"
)


@given(st.lists(st.sampled_from(PIECES.split(" ")) | st.text(max_size=3), max_size=30))
def test_any_text_is_read_to_its_end(pieces: list[str]) -> None:
    read(" ".join(pieces).replace("\0", ""))


def read(code: str) -> None:
    side_hits("tests/test_a.py", "python", code.encode("utf-8", "replace"), prefilter(python.WORDS), lambda _: True)
