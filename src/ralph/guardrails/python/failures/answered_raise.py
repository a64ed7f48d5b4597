"""What a test raises on purpose inside of what it tests: the answer is the context manager's, not the test's own.

`with pytest.raises(SystemExit), handle_errors(): raise BuildError` asks what `handle_errors` makes of the error, as two
nested `with` would; so does `raise AssertionError` for what must never be reached. A context manager of the library
answers nothing by itself, and where one of the exceptions is what is wanted, nothing has to.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ralph.guardrails.python.claims import is_broad, name_of, source_of
from ralph.system.patterns import later

ANSWERS_NOTHING = later(
    r"(?:contextlib|warnings|pytest|mock|unittest\.mock|mocker|monkeypatch|tempfile|self|threading|os|io|caplog|decimal)\."
    r"|(?:nullcontext|suppress|redirect_std(?:out|err)|closing|ExitStack|open|patch|catch_warnings|chdir|subTest|raises"
    r"|warns|TemporaryDirectory|NamedTemporaryFile|patch\.\w+)$"
)
"""Context managers that everybody has."""


def handed_over(node: ast.With | ast.AsyncWith, call: ast.Call, kinds: str) -> ast.stmt | None:
    """The code in `call` as nested `with` would have it, if it hands what it raises to a context manager."""
    thrown = [each for each in node.body if isinstance(each, ast.Raise)]
    if not thrown or is_broad(kinds) or not all(_is_another(each, kinds) for each in thrown):
        return None
    managers = [item.context_expr for item in node.items]
    later_on = node.items[managers.index(call) + 1 :] if call in managers else []
    if not any(_may_answer(item.context_expr) for item in later_on):
        return None
    return ast.copy_location(type(node)(items=later_on, body=node.body), node)


def _is_another(thrown: ast.Raise, kinds: str) -> bool:
    """It raises an exception by its name, which is none of those that are wanted."""
    kind = thrown.exc.func if isinstance(thrown.exc, ast.Call) else thrown.exc
    name = source_of(kind).rpartition(".")[2] if isinstance(kind, ast.Name | ast.Attribute) else ""
    return name[:1].isupper() and name not in _names(kinds)


def _names(kinds: str) -> Sequence[str]:
    return [each.strip("() ").rpartition(".")[2] for each in kinds.split(",")]


def _may_answer(manager: ast.expr) -> bool:
    return isinstance(manager, ast.Call) and not ANSWERS_NOTHING.match(name_of(manager))
