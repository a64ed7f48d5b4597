"""Code that a type checker is kept from seeing."""

from __future__ import annotations

import pytest

from tests.guardrails.python.judge import judge

BASE = "import typing as t\nfrom typing import TYPE_CHECKING, Any, cast\n\n\ndef f(a):\n    return 1\n"
HIDDEN = {
    "if not": "if not TYPE_CHECKING:\n    g(1)\n",
    "if not, by module": "if not t.TYPE_CHECKING:\n    g(1)\n",
    "if not, in brackets": "if not (TYPE_CHECKING):\n    y = g(1)\n",
    "if not, and more": "if y and not TYPE_CHECKING:\n    g(1)\n",
    "else": "if TYPE_CHECKING:\n    pass\nelse:\n    g(1)\n",
    "elif": "if TYPE_CHECKING:\n    pass\nelif y:\n    g(1)\n",
    "mypy's other flag": "if not MYPY:\n    g(1)\n",
    "or": "TYPE_CHECKING or g(1)\n",
    "and": "not TYPE_CHECKING and g(1)\n",
    "assert": "assert not TYPE_CHECKING\ng(1)\n",
    "return": "def h():\n    if TYPE_CHECKING:\n        return\n    g(1)\n",
    "assignment of work": "if not TYPE_CHECKING:\n    x = g(1) + 2\n",
    "decorator": "@t.no_type_check\ndef h(): ...\n",
    "decorator by another name": "from typing import no_type_check as n\n\n\n@n\ndef h(): ...\n",
    "function applied": "from typing import no_type_check\n\nf = no_type_check(f)\n",
    "typing_extensions": "import typing_extensions\n\n\n@typing_extensions.no_type_check\ndef h(): ...\n",
}
FOR_A_PERSON = {
    "cast": "x = cast(Any, f)\n",
    "cast in quotes": 'x = t.cast("t.Any", f)\n',
    "cast by another name": "from typing import cast as c\n\nx = c(t.Any, f)\n",
    "hook of the module": "if not TYPE_CHECKING:\n\n    def __getattr__(name):\n        return load(name)\n",
    "one more import": "if not TYPE_CHECKING:\n    import json\n",
}
CUSTOM = {
    "imports for types": "if TYPE_CHECKING:\n    from x import Y\n",
    "stand-in": "if TYPE_CHECKING:\n    from x import Y\nelse:\n    Y = Any\n",
    "base class": "if TYPE_CHECKING:\n    Base = Foo[int]\nelse:\n    Base = Foo\n",
    "casts to types": 'x = cast(int, f)\ny = cast("list[int]", f)\n',
    "another cast": "import sqlalchemy as sa\n\nq = sa.cast(sa.Any, f)\n",
    "another flag": "if not CHECKING:\n    g(1)\n",
}


@pytest.mark.parametrize("code", HIDDEN.values(), ids=HIDDEN)
def test_work_where_no_checker_looks(code: str) -> None:
    assert judge(BASE, f"{BASE}\n\n{code}", "app/a.py") == "block"


@pytest.mark.parametrize("code", FOR_A_PERSON.values(), ids=FOR_A_PERSON)
def test_what_a_person_should_see(code: str) -> None:
    assert judge(BASE, f"{BASE}\n\n{code}", "app/a.py") == "review"


@pytest.mark.parametrize("code", CUSTOM.values(), ids=CUSTOM)
def test_what_everybody_does(code: str) -> None:
    assert judge(BASE, f"{BASE}\n\n{code}", "app/a.py") == "clean"
